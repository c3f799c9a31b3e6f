/* SPDX-License-Identifier: Apache-2.0
 *
 * Shrinking: timing, then the tree, then the text. The search, which keeps what holds.
 */
#include "fuzz_shrink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/process.h"
#include "base/splitmix64.h"

/* The search: what holds is kept. */

static uint64_t hash_bytes(uint64_t h, const void *from, size_t n) {
  const uint8_t *b = from;
  for (size_t i = 0; i < n; i++) h = (h ^ b[i]) * UINT64_C(0x100000001b3);
  return splitmix64_mix(h);
}

/* Of all that differs between two candidates. */
static uint64_t hash_candidate(const struct reduction *r) {
  const struct run_options *o = &r->c.run;
  const uint32_t modes[] = {o->calm,          o->withhold_ready, o->latency, r->p.launch.launches,
                            r->p.launch.trap, r->p.launch.others};
  uint64_t h = hash_bytes(1, r->p.text, strlen(r->p.text));
  h = hash_bytes(h, r->p.launch.grid, sizeof r->p.launch.grid);
  h = hash_bytes(h, r->p.launch.block, sizeof r->p.launch.block);
  h = hash_bytes(h, r->p.input, r->p.launch.input_bytes);
  h = hash_bytes(h, r->p.launch.bank_bytes, sizeof r->p.launch.bank_bytes);
  for (unsigned b = 1; b < 3; b++)
    if (r->p.launch.bank[b] != NULL) h = hash_bytes(h, r->p.launch.bank[b], r->p.launch.bank_bytes[b]);
  h = hash_bytes(h, modes, sizeof modes);
  h = hash_bytes(h, &r->p.launch.base, sizeof r->p.launch.base);
  h = hash_bytes(h, &r->p.launch.host, sizeof r->p.launch.host);
  return h != 0 ? h : 1;
}

static bool write_text(struct reduction *r) {
  char *text = r->tree ? strdup(random_program_text(r->tree)) : fuzz_lines_text(&r->lines);
  if (!text) {
    r->no_memory = true;
    return false;
  }
  free(r->p.text);
  r->p.text = text;
  return true;
}

bool reduce_holds(struct reduction *r) {
  if (seconds_now() > r->until) r->out_of_time = true;
  if (r->out_of_time || !write_text(r)) return false;
  const uint64_t h = hash_candidate(r);
  uint64_t *slot = &r->seen[h & (REDUCE_SEEN - 1)];
  if (*slot == h || r->held == h) return r->held == h;
  struct fuzz_verdict v;
  fuzz_judge(&r->c, &r->p, true, &v);
  r->runs++;
  const bool same = v.status != RUN_OK && signature_equal(&v.diagnosis, &r->want);
  *(same ? &r->held : slot) = h;
  fuzz_verdict_clear(&v);
  return same;
}

bool reduce_over(const struct reduction *r) {
  return r->out_of_time || r->no_memory;
}

bool reduce_copy(struct reduction *r, struct fuzz_lines *l) {
  if (fuzz_lines_copy(l, &r->lines)) return true;
  r->no_memory = true;
  return false;
}

bool reduce_try(struct reduction *r, struct fuzz_lines *l) {
  const struct fuzz_lines was = r->lines;
  r->lines = *l;
  const bool holds = reduce_holds(r);
  if (holds) {
    *l = was;
  } else {
    *l = r->lines;
    r->lines = was;
  }
  fuzz_lines_clear(l);
  return holds;
}

static unsigned list_parts(const struct reduction *r, const struct reduce_parts *p, unsigned *list) {
  unsigned n = 0;
  for (unsigned i = 0; i < p->parts; i++)
    if (p->there(r, i)) list[n++] = i;
  return n;
}

/* The parts list[from .. to): one with a larger one inside it may have gone already. */
static bool try_range(struct reduction *r, const struct reduce_parts *p, const unsigned *list, unsigned from,
                      unsigned to) {
  for (unsigned i = from; i < to; i++) p->put(r, list[i], true);
  if (reduce_holds(r)) return true;
  for (unsigned i = from; i < to; i++) p->put(r, list[i], false);
  return false;
}

/* Later ones first: what they need may go after them. */
static bool one_round(struct reduction *r, const struct reduce_parts *p, unsigned *list, unsigned size) {
  const unsigned n = list_parts(r, p, list);
  bool any = false;
  for (unsigned to = n; to > 0 && !r->out_of_time; to -= size < to ? size : to)
    any = try_range(r, p, list, to > size ? to - size : 0, to) || any;
  return any;
}

bool reduce_parts(struct reduction *r, const struct reduce_parts *p) {
  unsigned *list = calloc(p->parts + 1, sizeof *list);
  bool any = false;
  if (!list) {
    r->no_memory = true;
    return false;
  }
  unsigned size = list_parts(r, p, list);
  while (size > 1) {
    size = (size + 1) / 2;
    any = one_round(r, p, list, size) || any;
    const unsigned left = list_parts(r, p, list);
    if (size > left && left > 0) size = left;
  }
  while (!r->out_of_time && one_round(r, p, list, 1)) any = true;
  free(list);
  return any;
}

/* What the search tries last: two changes at once. */

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

static bool node_there(const struct reduction *r, unsigned n) {
  return random_program_has(r->tree, n);
}

static void put_node(struct reduction *r, unsigned n, bool gone) {
  random_program_remove(r->tree, n, gone);
}

/* Coarse nodes have low numbers and hold finer ones. */
static void shrink_tree(struct reduction *r) {
  const struct reduce_parts nodes = {random_program_nodes(r->tree), node_there, put_node};
  (void)reduce_parts(r, &nodes);
}

static bool to_lines(struct reduction *r) {
  const bool ok = fuzz_lines_init(&r->lines, random_program_text(r->tree));
  r->tree = NULL;
  return ok;
}

static void shrink_text(struct reduction *r, unsigned before) {
  bool again = true;
  (void)reduce_geometry(r);
  if (2 * fuzz_lines_instructions(&r->lines) > before) (void)reduce_room(r);
  while (again && !r->out_of_time && !r->no_memory) {
    again = reduce_lines(r);
    again = reduce_functions(r) || again;
    again = reduce_geometry(r) || again;
    again = reduce_words(r) || again;
    again = reduce_data(r) || again;
    again = reduce_timing(r) || again;
    again = again || reduce_stuck(r);
  }
}

/* The text as the lines have it: the last one that was judged may be another. */
static bool finish_shrinking(struct reduction *r, struct fuzz_small *out) {
  free(r->p.text);
  r->p.text = fuzz_lines_text(&r->lines);
  out->instructions = fuzz_lines_instructions(&r->lines);
  out->c = r->c;
  out->p = r->p;
  out->runs = r->runs;
  out->out_of_time = r->out_of_time;
  return out->p.text != NULL && !r->no_memory;
}

static unsigned instructions_of(const char *text) {
  unsigned n = 0;
  for (; *text; text++) n += *text == ';';
  return n;
}

bool fuzz_shrink(const struct fuzz_case *c, struct random_program *tree, const struct signature *want, double seconds,
                 struct fuzz_small *out) {
  struct reduction *r = calloc(1, sizeof *r);
  memset(out, 0, sizeof *out);
  if (!r) return false;
  r->until = seconds_now() + seconds;
  r->c = *c;
  r->c.run.wave = r->c.run.trace = r->c.run.stream = r->c.run.cov = NULL;
  r->tree = tree;
  r->want = *want;
  bool ok = fuzz_program_init(&r->p, tree);
  out->before = ok ? instructions_of(r->p.text) : 0;
  if (ok) (void)reduce_timing(r);
  if (ok) shrink_tree(r);
  ok = ok && to_lines(r);
  if (ok) shrink_text(r, out->before);
  ok = ok && finish_shrinking(r, out);
  if (!ok) fuzz_program_clear(&r->p);
  fuzz_lines_clear(&r->lines);
  free(r);
  if (!ok) memset(out, 0, sizeof *out);
  return ok;
}

void fuzz_small_clear(struct fuzz_small *s) {
  fuzz_program_clear(&s->p);
}
