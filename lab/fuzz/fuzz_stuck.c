/* SPDX-License-Identifier: Apache-2.0
 *
 * What the search tries where no line can go any more by itself, and more are left than are read at a glance.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lab/fuzz/fuzz_shrink.h"

/* A choice of two moved values is a move and another one under a guard, and a jump to a place that was moved under a
 * guard is a branch under it: less is needed then, where no line could go by itself since each makes what the next one
 * reads. A jump to a jump goes to where that one does. */

struct choice {
  unsigned to, from[2]; /* registers */
  char pred[8];         /* from[0] if it holds */
};

static bool is_choice(const char *line, struct choice *c) {
  int end = 0;
  const int n = sscanf(line, "SEL R%u, R%u, R%u, %7[!P0-9] ;%n", &c->to, &c->from[0], &c->from[1], c->pred, &end);
  return n == 4 && end != 0 && line[end] == '\0';
}

/* The last move into that register before line `to`; what is moved follows in `value`. */
static bool moved(const struct fuzz_lines *l, unsigned to, unsigned reg, unsigned *at, char value[64]) {
  for (unsigned i = to; i-- > 0;) {
    unsigned d;
    if (!fuzz_lines_live(l, i) || sscanf(l->line[i], "MOV R%u, %63[^; ] ;", &d, value) != 2 || d != reg) continue;
    *at = i;
    return true;
  }
  return false;
}

/* The choice in line `i`: move `first` of the two stays, the other one takes the choice's place. */
static bool guarded(struct reduction *r, unsigned i, const struct choice *c, unsigned first) {
  struct fuzz_lines l;
  unsigned at[2];
  char value[2][64], text[96];
  const bool negated = c->pred[0] == '!', negate = first == 0 ? !negated : negated;
  if (!moved(&r->lines, i, c->from[0], &at[0], value[0]) || !moved(&r->lines, i, c->from[1], &at[1], value[1]) ||
      !reduce_copy(r, &l))
    return false;
  (void)snprintf(text, sizeof text, "MOV R%u, %s ;", c->to, value[first]);
  bool ok = fuzz_lines_set(&l, at[first], text);
  (void)snprintf(text, sizeof text, "@%s%s MOV R%u, %s ;", negate ? "!" : "", c->pred + negated, c->to,
                 value[1 - first]);
  ok = ok && fuzz_lines_set(&l, i, text);
  if (!ok) return false;
  if (at[0] != at[1]) l.gone[at[1 - first]] = true;
  return reduce_try(r, &l);
}

/* The jump in line `i`, through a register: as a branch of those who moved a place into it under a guard. The others
 * go on. */
static bool branches(struct reduction *r, unsigned i) {
  unsigned reg, d;
  int end = 0;
  if (sscanf(r->lines.line[i], "BRX R%u ;%n", &reg, &end) != 1 || end == 0) return false;
  for (unsigned k = i; k-- > 0 && !reduce_over(r);) {
    char guard[8], place[64], text[96];
    struct fuzz_lines l;
    if (!fuzz_lines_live(&r->lines, k) ||
        sscanf(r->lines.line[k], "@%7[!P0-9] MOV R%u, %63[^; ] ;", guard, &d, place) != 3 || d != reg)
      continue;
    (void)snprintf(text, sizeof text, "@%s BRA %s ;", guard, place);
    return reduce_copy(r, &l) && fuzz_lines_set(&l, i, text) && reduce_try(r, &l);
  }
  return false;
}

/* The jump that a label stands before, if all take it: to where. */
static bool goes_on(const struct fuzz_lines *l, unsigned label, char to[64]) {
  static const char *const jump[] = {"BRA %63[^; ] ;%n", "JMP %63[^; ] ;%n"};
  unsigned i = label;
  while (i < l->lines && !fuzz_lines_live(l, i)) i++;
  for (unsigned k = 0; k < 2 && i < l->lines; k++) {
    int end = 0;
    if (sscanf(l->line[i], jump[k], to, &end) == 1 && end != 0 && l->line[i][end] == '\0') return true;
  }
  return false;
}

/* Who goes to line `i`, a label, goes to `to`. */
static bool lead_on(struct reduction *r, unsigned i, const char *to) {
  char name[64];
  struct fuzz_lines l;
  bool ok = true, any = false;
  (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(r->lines.line[i], ":"), r->lines.line[i]);
  if (strcmp(name, to) == 0 || !reduce_copy(r, &l)) return false;
  for (unsigned k = 0; k < l.lines && ok; k++) {
    char *text = fuzz_lines_live(&l, k) ? fuzz_line_renamed(l.line[k], name, to, -1) : NULL;
    any = any || text;
    if (text) ok = fuzz_lines_set(&l, k, text);
    free(text);
  }
  if (ok && any) return reduce_try(r, &l);
  if (ok) fuzz_lines_clear(&l);
  return false;
}

bool reduce_jumps(struct reduction *r) {
  char to[64];
  for (unsigned i = 0; i < r->lines.lines && !reduce_over(r); i++) {
    const char *line = r->lines.line[i];
    const bool label = !r->lines.gone[i] && !fuzz_lines_is_instruction(line) && line[strcspn(line, ": ")] == ':';
    if (label && goes_on(&r->lines, i, to) && lead_on(r, i, to)) return true;
  }
  return false;
}

/* a part of it: of two moved values or places, by a guard */
static bool reduce_choices(struct reduction *r) {
  for (unsigned i = 0; i < r->lines.lines && !reduce_over(r); i++) {
    struct choice c;
    if (fuzz_lines_live(&r->lines, i) && branches(r, i)) return true;
    if (fuzz_lines_live(&r->lines, i) && is_choice(r->lines.line[i], &c) &&
        (guarded(r, i, &c, 0) || guarded(r, i, &c, 1)))
      return true;
  }
  return false;
}

#define ENOUGH 10u        /* instructions */
#define FEW_FOR_PAIRS 48u /* lines of which pairs are tried */
#define BANK_STEP 64u     /* where banks lie is a multiple of it */
#define BANK_MOST 4096u

static bool is_end(const char *line) {
  return strstr(line, "EXIT ;") != NULL;
}

/* ---- a function's lines where it is called, and nothing after them */

static unsigned end_of_function(const struct fuzz_lines *l, unsigned i) {
  while (i + 1 < l->lines && (l->gone[i] || strcmp(l->line[i], ".end") != 0)) i++;
  return i;
}

/* Lines before line `to` that name what line k makes: a label, a function. */
static void drop_readers(struct fuzz_lines *l, unsigned k, unsigned to) {
  char name[64];
  const bool func = strncmp(l->line[k], ".func ", 6) == 0;
  const char *from = func ? l->line[k] + 6 : l->line[k];
  const size_t n = strcspn(from, ": ");
  if ((!func && from[n] != ':') || n >= sizeof name) return;
  (void)snprintf(name, sizeof name, "%.*s", (int)n, from);
  for (unsigned i = 0; i < to; i++)
    if (fuzz_lines_live(l, i) && fuzz_line_names(l->line[i], name)) l->gone[i] = true;
}

/* Line `call` of the first kernel, and the function that begins at line `func`: it is after the kernel. */
static bool inlined(struct reduction *r, unsigned call, unsigned func) {
  struct fuzz_lines l;
  if (!reduce_copy(r, &l)) return false;
  const unsigned last = end_of_function(&l, func);
  bool ok = true;
  for (unsigned i = call; i <= func; i++) {
    if (!l.gone[i]) drop_readers(&l, i, call);
    l.gone[i] = true;
  }
  for (unsigned i = func; i < last && ok; i++)
    if (strstr(l.line[i], "RET")) ok = fuzz_lines_set(&l, i, "EXIT ;");
  return ok && reduce_try(r, &l);
}

bool reduce_functions(struct reduction *r) {
  const struct fuzz_lines *l = &r->lines;
  for (unsigned func = 0; func < l->lines; func++) {
    if (l->gone[func] || strncmp(l->line[func], ".func", 5) != 0) continue;
    for (unsigned i = 0; i < func && !reduce_over(r); i++)
      if (fuzz_lines_live(l, i) && strstr(l->line[i], "CALL") && inlined(r, i, func)) return true;
  }
  return false;
}

/* ---- a stretch alone: of what else there is no line is needed, but none can go before the others. */

static bool keep_stretch(struct reduction *r, unsigned from, unsigned to) {
  struct fuzz_lines l;
  if (!reduce_copy(r, &l)) return false;
  for (unsigned i = 0; i < l.lines; i++)
    if (fuzz_lines_live(&l, i) && (i < from || i >= to) && !is_end(l.line[i])) l.gone[i] = true;
  return reduce_try(r, &l);
}

static bool stretch(struct reduction *r) {
  const unsigned n = r->lines.lines;
  for (unsigned size = n / 2; size >= 8; size /= 2)
    for (unsigned from = 0; from < n && !reduce_over(r); from += size / 2)
      if (keep_stretch(r, from, from + size)) return true;
  return false;
}

static bool try_one(struct reduction *r, unsigned i, const char *text) {
  struct fuzz_lines l;
  if (!reduce_copy(r, &l) || !fuzz_lines_set(&l, i, text)) return false;
  return reduce_try(r, &l);
}

/* ---- many that do nothing: what the others need may be their room, of which less does as well */

/* Functions in which no instruction is left. */
static void drop_empty(struct fuzz_lines *l) {
  for (unsigned i = 0; i < l->lines; i++) {
    if (l->gone[i] || strncmp(l->line[i], ".func", 5) != 0) continue;
    unsigned end = i, inside = 0;
    for (; end + 1 < l->lines && strcmp(l->line[end], ".end") != 0; end++) inside += fuzz_lines_live(l, end);
    for (unsigned k = i; inside == 0 && k <= end; k++) l->gone[k] = true;
  }
}

static bool is_nop(const struct fuzz_lines *l, unsigned i) {
  return !l->gone[i] && strcmp(l->line[i], FUZZ_NOP) == 0;
}

static bool drop_nops(struct reduction *r, unsigned keep, bool first) {
  struct fuzz_lines l;
  if (!reduce_copy(r, &l)) return false;
  for (unsigned k = 0; k < l.lines; k++) {
    const unsigned i = first ? k : l.lines - 1 - k;
    if (!is_nop(&l, i)) continue;
    l.gone[i] = keep == 0;
    keep -= keep != 0;
  }
  drop_empty(&l);
  return reduce_try(r, &l);
}

/* Constants lie after the code, bank after bank: of bank 1, if nobody reads it, any length will do for room. */
static bool bank_instead(struct reduction *r) {
  struct random_launch *l = &r->p.launch;
  uint8_t *const had = r->p.bank[1], *zeros = calloc(1, BANK_MOST);
  const uint32_t was = l->bank_bytes[1];
  bool holds = false;
  if (!zeros) return false;
  l->bank[1] = r->p.bank[1] = zeros;
  for (uint32_t bytes = BANK_STEP; bytes <= BANK_MOST && !holds && !reduce_over(r); bytes += BANK_STEP) {
    l->bank_bytes[1] = bytes;
    holds = drop_nops(r, 0, true);
  }
  if (!holds) {
    l->bank[1] = r->p.bank[1] = had;
    l->bank_bytes[1] = was;
  }
  free(holds ? had : zeros);
  return holds;
}

static unsigned nops(const struct fuzz_lines *l) {
  unsigned n = 0;
  for (unsigned i = 0; i < l->lines; i++) n += is_nop(l, i);
  return n;
}

static bool drop_some(struct reduction *r) {
  const unsigned n = nops(&r->lines);
  if (n != 0 && bank_instead(r)) return true;
  for (unsigned keep = 0; keep < n && !reduce_over(r); keep++)
    if (drop_nops(r, keep, true) || drop_nops(r, keep, false)) return true;
  return false;
}

static bool fewer_nops(struct reduction *r) {
  bool any = false;
  for (unsigned i = r->lines.lines; i-- > 0 && !reduce_over(r);)
    if (fuzz_lines_live(&r->lines, i) && !is_nop(&r->lines, i)) any = try_one(r, i, FUZZ_NOP) || any;
  return drop_some(r) || any;
}

static bool does_something(const struct reduction *r, unsigned i) {
  return fuzz_lines_live(&r->lines, i) && !is_nop(&r->lines, i);
}

/* `other` has a NOP for each line that is none, and the line for each that has become one. */
static void put_nop(struct reduction *r, unsigned i, bool nop) {
  char *const line = r->lines.line[i];
  if (nop == is_nop(&r->lines, i)) return;
  r->lines.line[i] = r->other.line[i];
  r->other.line[i] = line;
}

bool reduce_room(struct reduction *r) {
  if (fuzz_lines_instructions(&r->lines) <= FEW_FOR_PAIRS || reduce_over(r)) return false;
  fuzz_lines_compact(&r->lines);
  if (!reduce_copy(r, &r->other)) return false;
  bool ok = true, any = false;
  for (unsigned i = 0; i < r->other.lines && ok; i++) ok = fuzz_lines_set(&r->other, i, FUZZ_NOP);
  const struct reduce_parts lines = {r->lines.lines, does_something, put_nop};
  if (ok) any = reduce_parts(r, &lines);
  fuzz_lines_clear(&r->other);
  return ok && any && drop_some(r);
}

/* ---- one line simpler */

/* `unexecuted`: by lines that no lane executes alone, which are many and lead to little; else by all others. */
static bool simpler_lines(struct reduction *r, bool unexecuted) {
  bool any = false;
  for (unsigned i = r->lines.lines; i-- > 0 && !reduce_over(r);) {
    struct fuzz_texts t = {.n = 0};
    if (fuzz_lines_live(&r->lines, i)) fuzz_line_simpler(r->lines.line[i], &t);
    for (unsigned k = 0; k < t.n; k++)
      if ((strstr(t.text[k], "@!PT ") != NULL) == unexecuted && try_one(r, i, t.text[k])) {
        any = true;
        break;
      }
    fuzz_texts_clear(&t);
  }
  return any;
}

/* ---- a line left out, and from there on another register or predicate read instead of its result */

static bool read_instead(struct reduction *r, unsigned i, const char *was, const char *now, bool no_offsets) {
  struct fuzz_lines l;
  if (!reduce_copy(r, &l)) return false;
  l.gone[i] = true;
  bool ok = true, offsets = false;
  for (unsigned k = i + 1; k < l.lines && ok; k++) {
    if (l.gone[k]) continue;
    char *text = fuzz_line_renamed(l.line[k], was, now, -1);
    if (text) ok = fuzz_lines_set(&l, k, text);
    free(text);
    text = ok && no_offsets ? fuzz_line_no_offset(l.line[k]) : NULL;
    if (text) ok = fuzz_lines_set(&l, k, text);
    offsets = offsets || text;
    free(text);
  }
  if (ok && offsets == no_offsets) return reduce_try(r, &l);
  fuzz_lines_clear(&l);
  return false;
}

static bool without_result(struct reduction *r, unsigned i) {
  char was[8], now[8];
  if (!fuzz_lines_live(&r->lines, i)) return false;
  const bool reg = fuzz_line_writes(r->lines.line[i], was);
  if (!reg && !fuzz_line_writes_predicate(r->lines.line[i], was)) return false;
  for (unsigned n = 0; n < (reg ? 255 : 7) && !reduce_over(r); n++) {
    (void)snprintf(now, sizeof now, "%c%u", reg ? 'R' : 'P', n);
    if (strcmp(was, now) == 0 || !fuzz_lines_name(&r->lines, now)) continue;
    if (read_instead(r, i, was, now, false) || (reg && read_instead(r, i, was, now, true))) return true;
  }
  return false;
}

static bool fewer_results(struct reduction *r) {
  for (unsigned i = r->lines.lines; i-- > 0 && !reduce_over(r);)
    if (without_result(r, i)) return true;
  return false;
}

/* ---- what ends the program by a trap ends it for all: others, whom more threads would bring, do not come to it */

static bool plain_end(struct reduction *r) {
  const unsigned was = r->p.launch.trap; /* what was meant to trap there does not */
  unsigned i = r->lines.lines;
  while (i > 0 && !fuzz_lines_live(&r->lines, i - 1)) i--;
  if (i == 0 || is_end(r->lines.line[i - 1])) return false;
  r->p.launch.trap = 0;
  if (try_one(r, i - 1, "EXIT ;")) return true;
  r->p.launch.trap = was;
  return false;
}

/* ---- more threads, fewer lines: what happens at every 64th access happens to a few instructions of many warps */

static bool there(const struct reduction *r, unsigned i) {
  return !r->lines.gone[i];
}

static void set_line_gone(struct reduction *r, unsigned i, bool gone) {
  r->lines.gone[i] = gone;
}

static void set_threads(struct random_launch *l, uint32_t blocks, uint32_t threads) {
  l->grid[0] = blocks, l->grid[1] = l->grid[2] = 1;
  l->block[0] = threads, l->block[1] = l->block[2] = 1;
}

static bool same_shape(const struct random_launch *a, const struct random_launch *b) {
  return memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0;
}

static bool with_more(struct reduction *r, uint32_t blocks, uint32_t threads) {
  const struct random_launch was = r->p.launch;
  const struct reduce_parts lines = {r->lines.lines, there, set_line_gone};
  const unsigned before = fuzz_lines_instructions(&r->lines);
  set_threads(&r->p.launch, blocks, threads);
  if (!same_shape(&was, &r->p.launch)) (void)reduce_parts(r, &lines);
  if (fuzz_lines_instructions(&r->lines) < before) return true;
  r->p.launch = was;
  return false;
}

static bool more_threads(struct reduction *r) {
  static const uint32_t blocks[] = {2, 4, 8, 16, 32, 64, 1};
  const uint32_t *g = r->p.launch.grid, *b = r->p.launch.block, was = b[0] * b[1] * b[2], had = g[0] * g[1] * g[2];
  for (unsigned i = 0; i < sizeof blocks / sizeof *blocks && !reduce_over(r); i++) {
    if (blocks[i] > had && with_more(r, blocks[i], was)) return true;
    if (blocks[i] >= had && was < 32 && with_more(r, blocks[i], 32)) return true;
  }
  return false;
}

/* ---- a guard dropped, and as many threads as there are with it */

static bool without_guard(struct reduction *r, unsigned i, const char *text) {
  const struct random_launch was = r->p.launch;
  for (uint32_t blocks = 1; blocks <= 8; blocks++)
    for (uint32_t threads = 1; threads <= 32 && !reduce_over(r); threads *= 2) {
      set_threads(&r->p.launch, blocks, threads);
      if (try_one(r, i, text)) return true;
    }
  r->p.launch = was;
  return false;
}

static bool fewer_guards(struct reduction *r) {
  for (unsigned i = r->lines.lines; i-- > 0 && !reduce_over(r);) {
    const char *line = r->lines.line[i];
    if (!fuzz_lines_live(&r->lines, i) || *line != '@' || !strchr(line, ' ') || strncmp(line, "@!PT ", 5) == 0)
      continue;
    char *text = strdup(strchr(line, ' ') + 1);
    const bool went = text && without_guard(r, i, text);
    free(text);
    if (went) return true;
  }
  return false;
}

bool reduce_stuck(struct reduction *r) {
  const unsigned left = fuzz_lines_instructions(&r->lines);
  if (left <= ENOUGH || reduce_over(r)) return false;
  fuzz_lines_compact(&r->lines);
  if (plain_end(r)) return true;
  if (left > FEW_FOR_PAIRS) return stretch(r) || fewer_nops(r) || simpler_lines(r, false) || more_threads(r);
  return reduce_jumps(r) || reduce_choices(r) || simpler_lines(r, false) || fewer_results(r) ||
         reduce_lane_numbers(r) || reduce_loops(r) || reduce_early(r) || more_threads(r) || fewer_guards(r) ||
         stretch(r) || simpler_lines(r, true) || reduce_pairs(r) || fewer_nops(r);
}
