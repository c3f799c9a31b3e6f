/* SPDX-License-Identifier: Apache-2.0
 * What the search tries last: two changes at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/fuzz/fuzz_reduce.h"
#include "lab/fuzz/fuzz_simpler.h"

/* ---- what makes a register, and what reads it: both simpler */

static bool try_both(struct reduction *r, unsigned i, const char *text, unsigned j, const char *other) {
  struct fuzz_lines l;
  if (!reduce_copy(r, &l) || !fuzz_lines_set(&l, i, text) || !fuzz_lines_set(&l, j, other)) return false;
  return reduce_try(r, &l);
}

static bool both(struct reduction *r, unsigned i, unsigned j) {
  struct fuzz_texts made, read;
  bool any = false;
  fuzz_line_simpler(r->lines.line[i], &made);
  fuzz_line_simpler(r->lines.line[j], &read);
  for (unsigned k = 0; k < made.n && !any; k++)
    for (unsigned m = 0; m < read.n && !any && !reduce_over(r); m++)
      any = try_both(r, i, made.text[k], j, read.text[m]);
  fuzz_texts_clear(&made);
  fuzz_texts_clear(&read);
  return any;
}

/* Does line j name the register that line i writes, or one of the three after it? */
static bool reads_of(const struct fuzz_lines *l, unsigned i, unsigned j) {
  char name[8], other[8];
  if (!fuzz_lines_live(l, i) || !fuzz_lines_live(l, j) || !fuzz_line_writes(l->line[i], name)) return false;
  const unsigned long first = strtoul(name + 1, NULL, 10);
  for (const char *at = l->line[j]; (at = fuzz_line_register(at, l->line[j], other)) != NULL;) {
    const unsigned long n = strtoul(other + 1, NULL, 10);
    if (n >= first && n < first + 4) return true;
  }
  return false;
}

static bool maker_and_reader(struct reduction *r) {
  const unsigned n = r->lines.lines;
  for (unsigned i = n; i-- > 0;)
    for (unsigned j = i + 1; j < n && !reduce_over(r); j++)
      if (reads_of(&r->lines, i, j) && both(r, i, j)) return true;
  return false;
}

/* ---- data that were loaded become the lane's number, and what stood in other bits of it stands in its first ones */

#define LANE_BITS 5u
#define TOGETHER 2u /* predicates that are renamed together, at most */

/* Which predicates lines name; how many. */
static unsigned predicates_named(const struct fuzz_lines *l, unsigned used[7]) {
  unsigned n = 0;
  for (unsigned p = 0; p < 7; p++) {
    const char name[] = {'P', (char)('0' + p), '\0'};
    if (fuzz_lines_name(l, name)) used[n++] = p;
  }
  return n;
}

static bool rename_lines(struct fuzz_lines *l, const char *from, const char *to) {
  bool ok = true;
  for (unsigned i = 0; i < l->lines && ok; i++) {
    char *text = l->gone[i] ? NULL : fuzz_line_renamed(l->line[i], from, to, -1);
    if (text) ok = fuzz_lines_set(l, i, text);
    free(text);
  }
  return ok;
}

/* What makes predicates of some bits of a register makes them of all. */
static bool every_bit(struct fuzz_lines *l) {
  char text[40];
  unsigned reg, mask;
  bool ok = true;
  for (unsigned i = 0; i < l->lines && ok; i++) {
    if (!fuzz_lines_live(l, i) || sscanf(l->line[i], "R2P PR, R%u, 0x%x ;", &reg, &mask) != 2) continue;
    (void)snprintf(text, sizeof text, "R2P PR, R%u, 0x7f ;", reg);
    ok = fuzz_lines_set(l, i, text);
  }
  return ok;
}

/* used[k] becomes bit[k]: by a name that nothing has, since one may be the other. */
static bool try_bits(struct reduction *r, unsigned i, const char *text, const unsigned used[TOGETHER],
                     const unsigned bit[TOGETHER], unsigned n) {
  static const char *const between[TOGETHER] = {"P_0", "P_1"};
  char name[8];
  struct fuzz_lines l;
  if (!reduce_copy(r, &l)) return false;
  bool ok = fuzz_lines_set(&l, i, text) && every_bit(&l);
  for (unsigned k = 0; k < n && ok; k++) {
    (void)snprintf(name, sizeof name, "P%u", used[k]);
    ok = rename_lines(&l, name, between[k]);
  }
  for (unsigned k = 0; k < n && ok; k++) {
    (void)snprintf(name, sizeof name, "P%u", bit[k]);
    ok = rename_lines(&l, between[k], name);
  }
  return ok && reduce_try(r, &l);
}

static bool number_bits(struct reduction *r, unsigned i, const char *text) {
  unsigned used[7], bit[TOGETHER];
  const unsigned n = predicates_named(&r->lines, used);
  if (n == 0 || n > TOGETHER) return false;
  for (bit[0] = 0; bit[0] < LANE_BITS; bit[0]++)
    for (bit[1] = 0; bit[1] < (n == 2 ? LANE_BITS : 1) && !reduce_over(r); bit[1]++)
      if ((n == 1 || bit[0] != bit[1]) && try_bits(r, i, text, used, bit, n)) return true;
  return false;
}

bool reduce_lane_numbers(struct reduction *r) {
  bool any = false;
  for (unsigned i = r->lines.lines; i-- > 0 && !any && !reduce_over(r);) {
    struct fuzz_texts t = {.n = 0};
    if (fuzz_lines_live(&r->lines, i)) fuzz_line_simpler(r->lines.line[i], &t);
    for (unsigned k = 0; k < t.n && !any; k++) any = strstr(t.text[k], ", SR_LANEID ;") && number_bits(r, i, t.text[k]);
    fuzz_texts_clear(&t);
  }
  return any;
}

/* ---- two at once: a line left out, and another one left out or simpler; near ones first */

static bool try_pair(struct reduction *r, unsigned i, unsigned j, const char *text) {
  struct fuzz_lines l;
  if (!reduce_copy(r, &l)) return false;
  l.gone[i] = true;
  if (!text) l.gone[j] = true;
  if (text && !fuzz_lines_set(&l, j, text)) return false;
  return reduce_try(r, &l);
}

static bool reduce_pair(struct reduction *r, unsigned i, unsigned j) {
  struct fuzz_texts t = {.n = 0};
  bool any = i < j && try_pair(r, i, j, NULL);
  if (!any) fuzz_line_simpler(r->lines.line[j], &t);
  for (unsigned k = 0; k < t.n && !any && !reduce_over(r); k++) any = try_pair(r, i, j, t.text[k]);
  fuzz_texts_clear(&t);
  return any;
}

static bool pairs(struct reduction *r) {
  const unsigned n = r->lines.lines;
  for (unsigned apart = 1; apart < n; apart++)
    for (unsigned i = n - apart; i-- > 0 && !reduce_over(r);) {
      const unsigned j = i + apart;
      if (fuzz_lines_live(&r->lines, i) && fuzz_lines_live(&r->lines, j) &&
          (reduce_pair(r, i, j) || reduce_pair(r, j, i)))
        return true;
    }
  return false;
}

bool reduce_pairs(struct reduction *r) {
  return maker_and_reader(r) || pairs(r);
}
