/* SPDX-License-Identifier: Apache-2.0
 *
 * What the search tries beside leaving parts of the tree out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lab/fuzz/fuzz_shrink.h"

/* Constants are moved before all else: where lanes part, what stands between two jumps is one reason less for them to
 * come in the order that matters. */

/* A number, or a place in the program. */
static bool moves_constant(const char *line) {
  unsigned reg;
  char value[64];
  int last = 0;
  return sscanf(line, "MOV R%u, %63[^; ] ;%n", &reg, value, &last) == 2 && last != 0 && strchr("RUc", *value) == NULL;
}

/* The line to the front of the kernel or function that it is in. */
static void to_front(struct fuzz_lines *l, unsigned i) {
  unsigned first = i;
  for (unsigned k = i; k-- > 0 && (l->gone[k] || l->line[k][0] != '.');)
    if (fuzz_lines_live(l, k)) first = k;
  char *const line = l->line[i];
  const bool gone = l->gone[i];
  memmove(l->line + first + 1, l->line + first, (i - first) * sizeof *l->line);
  memmove(l->gone + first + 1, l->gone + first, (i - first) * sizeof *l->gone);
  l->line[first] = line, l->gone[first] = gone;
}

bool reduce_early(struct reduction *r) {
  struct fuzz_lines l;
  bool other = false, moved = false;
  if (reduce_over(r) || !reduce_copy(r, &l)) return false;
  for (unsigned i = 0; i < l.lines; i++) {
    if (!l.gone[i] && l.line[i][0] == '.') other = false;
    if (!fuzz_lines_live(&l, i)) continue;
    if (!moves_constant(l.line[i])) {
      other = true;
    } else if (other) {
      to_front(&l, i);
      moved = true;
    }
  }
  if (moved) return reduce_try(r, &l);
  fuzz_lines_clear(&l);
  return false;
}

/* A loop that waits (for a lock, for data) as one that counts: often it is its jumps that matter, and what it waits for
 * needs many lines that none can leave alone. */

#define ROUNDS 0x80u /* more than any bound on the jumps of a turn (isa/doc) */

/* The label of a guarded jump backwards in line `end`: its line, and the predicate. */
static bool loop_of(const struct fuzz_lines *l, unsigned end, unsigned *start, char pred[8], bool *negated) {
  char guard[8], to[64];
  int last = 0;
  const char *line = l->line[end];
  if (sscanf(line, "@%7[!P0-6] BRA %62[^; ] ;%n", guard, to, &last) != 2 || last == 0 || line[last] != '\0')
    return false;
  *negated = guard[0] == '!';
  (void)snprintf(pred, 8, "%s", guard + *negated);
  (void)strcat(to, ":");
  for (unsigned i = end; i-- > 0;)
    if (!l->gone[i] && strcmp(l->line[i], to) == 0) {
      *start = i;
      return true;
    }
  return false;
}

static bool counts(const char *line) {
  unsigned to, from;
  int last = 0;
  return sscanf(line, "IADD3 R%u, R%u, 0x1, RZ ;%n", &to, &from, &last) == 2 && last != 0 && to == from;
}

/* Lines start to end as a loop that counts up in `reg`, in the places of the first two instructions of it. */
static bool counted(struct reduction *r, unsigned start, unsigned end, const char *reg, const char *pred,
                    bool negated) {
  char text[96];
  unsigned put = 0;
  struct fuzz_lines l;
  bool ok = reduce_copy(r, &l);
  if (!ok) return false;
  for (unsigned i = start + 1; i < end && ok; i++) {
    if (!fuzz_lines_live(&l, i)) continue;
    if (put == 0) (void)snprintf(text, sizeof text, "IADD3 %s, %s, 0x1, RZ ;", reg, reg);
    if (put == 1)
      (void)snprintf(text, sizeof text, "ISETP.%s.AND %s, PT, %s, 0x%x, PT ;", negated ? "GE" : "LT", pred, reg,
                     ROUNDS);
    if (put == 0 && counts(l.line[i])) break; /* it does already */
    if (put < 2)
      ok = fuzz_lines_set(&l, i, text);
    else
      l.gone[i] = true;
    put++;
  }
  if (ok && put >= 2) return reduce_try(r, &l);
  if (ok) fuzz_lines_clear(&l);
  return false;
}

bool reduce_loops(struct reduction *r) {
  char pred[8], reg[8];
  unsigned start;
  bool negated;
  for (unsigned end = 0; end < r->lines.lines; end++) {
    if (!fuzz_lines_live(&r->lines, end) || !loop_of(&r->lines, end, &start, pred, &negated)) continue;
    for (unsigned n = 0; n < 255 && !reduce_over(r); n++) {
      (void)snprintf(reg, sizeof reg, "R%u", n);
      if (fuzz_lines_name(&r->lines, reg) && counted(r, start, end, reg, pred, negated)) return true;
    }
  }
  return false;
}

bool reduce_timing(struct reduction *r) {
  const struct run_options was = r->c.run;
  bool any = false;
  if (was.on == ON_MODEL) return false;
  if (was.withhold_ready) {
    r->c.run.withhold_ready = false;
    any = reduce_holds(r);
    if (!any) r->c.run.withhold_ready = true;
  }
  static const uint32_t latency[] = {0, 20, 60};
  for (unsigned i = 0; i < sizeof latency / sizeof *latency && !r->c.run.calm; i++) {
    r->c.run.calm = true;
    r->c.run.latency = latency[i];
    if (reduce_holds(r)) return true;
    r->c.run.calm = false;
    r->c.run.latency = was.latency;
  }
  return any;
}

static bool try_size(struct reduction *r, uint32_t *size, uint32_t x, uint32_t y, uint32_t z) {
  const uint32_t was[3] = {size[0], size[1], size[2]}, want[3] = {x, y, z};
  if (memcmp(was, want, sizeof was) == 0) return false;
  memcpy(size, want, sizeof was);
  if (reduce_holds(r)) return true;
  memcpy(size, was, sizeof was);
  return false;
}

/* The fewest threads, in one row; else fewer in one direction. */
static bool smaller_block(struct reduction *r) {
  static const uint32_t few[] = {1, 2, 4, 8, 16, 17, 32, 33, 64, 96, 128, 256, 512};
  uint32_t *b = r->p.launch.block;
  const uint32_t threads = b[0] * b[1] * b[2];
  for (unsigned i = 0; i < sizeof few / sizeof *few && few[i] <= threads; i++)
    if (try_size(r, b, few[i], 1, 1)) return true;
  return try_size(r, b, b[0], b[1], 1) || try_size(r, b, b[0], 1, b[2]) || try_size(r, b, 1, b[1], b[2]);
}

/* The fewest blocks, in one row. */
static bool smaller_grid(struct reduction *r) {
  static const uint32_t few[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48};
  uint32_t *g = r->p.launch.grid;
  const uint64_t blocks = (uint64_t)g[0] * g[1] * g[2];
  for (unsigned i = 0; i < sizeof few / sizeof *few && few[i] < blocks; i++)
    if (try_size(r, g, few[i], 1, 1)) return true;
  return try_size(r, g, g[0], 1, 1) || try_size(r, g, 1, g[1], 1);
}

static bool fewer_launches(struct reduction *r) {
  const unsigned was = r->p.launch.launches;
  for (unsigned n = 1; n < was; n++) {
    r->p.launch.launches = n;
    if (reduce_holds(r)) return true;
  }
  r->p.launch.launches = was;
  return false;
}

/* What other programs have left on the device. */
static bool fewer_others(struct reduction *r) {
  const unsigned was = r->p.launch.others;
  for (unsigned n = 0; n < was; n++) {
    r->p.launch.others = n;
    if (reduce_holds(r)) return true;
  }
  r->p.launch.others = was;
  return false;
}

static bool plain_host(struct reduction *r) {
  const uint64_t was = r->p.launch.host;
  r->p.launch.host = 0;
  if (was == 0 || reduce_holds(r)) return was != 0;
  r->p.launch.host = was;
  return false;
}

/* What is meant to trap at its end may fail before. */
static bool no_trap(struct reduction *r) {
  const unsigned was = r->p.launch.trap;
  r->p.launch.trap = 0;
  if (was == 0 || reduce_holds(r)) return was != 0;
  r->p.launch.trap = was;
  return false;
}

/* Buffers where those of other programs are. */
static bool usual_place(struct reduction *r) {
  const uint64_t was = r->p.launch.base;
  r->p.launch.base = 0;
  if (was == 0 || reduce_holds(r)) return was != 0;
  r->p.launch.base = was;
  return false;
}

bool reduce_geometry(struct reduction *r) {
  bool any = fewer_others(r);
  any = plain_host(r) || any;
  any = fewer_launches(r) || any;
  any = no_trap(r) || any;
  any = usual_place(r) || any;
  any = smaller_grid(r) || any;
  return smaller_block(r) || any;
}

/* Constant banks that nothing reads. */
static bool drop_banks(struct reduction *r) {
  bool any = false;
  for (unsigned b = 1; b < 3; b++) {
    const uint32_t was = r->p.launch.bank_bytes[b];
    if (was == 0) continue;
    r->p.launch.bank_bytes[b] = 0;
    if (reduce_holds(r))
      any = true;
    else
      r->p.launch.bank_bytes[b] = was;
  }
  return any;
}

static bool plain_input(struct reduction *r) {
  static const uint8_t fill[] = {0x00, 0xff, 0x3f};
  const size_t n = r->p.launch.input_bytes;
  bool constant = true;
  for (size_t i = 1; i < n; i++) constant = constant && r->p.input[i] == r->p.input[0];
  uint8_t *was = constant ? NULL : malloc(n);
  if (!was) return false;
  memcpy(was, r->p.input, n);
  bool holds = false;
  for (unsigned i = 0; i < sizeof fill && !holds; i++) {
    memset(r->p.input, fill[i], n);
    holds = reduce_holds(r);
  }
  if (!holds) memcpy(r->p.input, was, n);
  free(was);
  return holds;
}

bool reduce_data(struct reduction *r) {
  const bool banks = drop_banks(r);
  return plain_input(r) || banks;
}

/* ---- lines */

static bool line_there(const struct reduction *r, unsigned i) {
  return !r->lines.gone[i];
}

static void put_line_gone(struct reduction *r, unsigned i, bool gone) {
  r->lines.gone[i] = gone;
}

/* A function that nobody calls, and a block of lines from a label to its use, go as a whole. */
static bool leave_out_functions(struct reduction *r) {
  struct fuzz_lines *l = &r->lines;
  bool any = false;
  for (unsigned i = 0; i < l->lines; i++) {
    if (l->gone[i] || strncmp(l->line[i], ".func", 5) != 0) continue;
    unsigned end = i;
    while (end + 1 < l->lines && strcmp(l->line[end], ".end") != 0) end++;
    bool *was = malloc((end - i + 1) * sizeof *was);
    if (!was) return any;
    memcpy(was, &l->gone[i], (end - i + 1) * sizeof *was);
    for (unsigned k = i; k <= end; k++) l->gone[k] = true;
    if (reduce_holds(r))
      any = true;
    else
      memcpy(&l->gone[i], was, (end - i + 1) * sizeof *was);
    free(was);
  }
  return any;
}

bool reduce_lines(struct reduction *r) {
  const struct reduce_parts lines = {r->lines.lines, line_there, put_line_gone};
  const bool functions = leave_out_functions(r);
  return reduce_parts(r, &lines) || functions;
}

/* ---- words */

/* Takes `text`. */
static bool try_text(struct reduction *r, unsigned i, char *text) {
  if (!text) return false;
  char *was = r->lines.line[i];
  if (strcmp(was, text) != 0) {
    r->lines.line[i] = text;
    if (reduce_holds(r)) {
      free(was);
      return true;
    }
    r->lines.line[i] = was;
  }
  free(text);
  return false;
}

/* Not one that lets nobody execute: that is simpler (fuzz_shrink.h). */
static bool drop_guard(struct reduction *r, unsigned i) {
  const char *line = r->lines.line[i];
  return line[0] == '@' && strncmp(line, "@!PT ", 5) != 0 && strchr(line, ' ') &&
         try_text(r, i, strdup(strchr(line, ' ') + 1));
}

static bool drop_reuse(struct reduction *r, unsigned i) {
  static const char mark[] = ".reuse";
  char *text = strdup(r->lines.line[i]);
  bool has = false;
  for (char *c; text && (c = strstr(text, mark)) != NULL; has = true)
    memmove(c, c + sizeof mark - 1, strlen(c + sizeof mark - 1) + 1);
  if (has) return try_text(r, i, text);
  free(text);
  return false;
}

/* An instruction that makes a register becomes one that needs nothing. */
static bool make_simply(struct reduction *r, unsigned i) {
  static const char *const ways[] = {"MOV %s, 0x0 ;",        "MOV %s, 0x1 ;",        "S2R %s, SR_LANEID ;",
                                     "MOV %s, 0xffffffff ;", "MOV %s, 0x3f800000 ;", "MOV %s, 0x80000000 ;",
                                     "MOV %s, 0x00000401 ;"};
  char reg[8], text[64];
  const char *line = r->lines.line[i];
  if (!fuzz_line_writes(line, reg) || strncmp(line, "MOV ", 4) == 0 || strstr(line, "SR_LANEID")) return false;
  for (unsigned k = 0; k < sizeof ways / sizeof *ways; k++) {
    const char *hole = strchr(ways[k], '%');
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(hole - ways[k]), ways[k], reg, hole + 2);
    if (try_text(r, i, strdup(text))) return true;
  }
  return false;
}

/* Each operand of its own becomes RZ. */
static bool zero_operands(struct reduction *r, unsigned i) {
  char reg[8];
  bool any = false;
  const char *at = r->lines.line[i];
  for (unsigned k = 0; k < 8 && (at = fuzz_line_register(at, r->lines.line[i], reg)) != NULL; k++) {
    const size_t offset = (size_t)(at - r->lines.line[i]);
    for (int which = 0; which < 3; which++)
      if (try_text(r, i, fuzz_line_renamed(r->lines.line[i], reg, "RZ", which))) {
        any = true;
        break;
      }
    if (offset > strlen(r->lines.line[i])) break;
    at = r->lines.line[i] + offset;
  }
  return any;
}

/* A register becomes another one in every line. */
static bool rename_all(struct reduction *r, const char *from, const char *to) {
  struct fuzz_lines *l = &r->lines;
  char **was = calloc(l->lines, sizeof *was);
  bool any = false;
  for (unsigned i = 0; was && i < l->lines; i++) {
    char *text = l->gone[i] ? NULL : fuzz_line_renamed(l->line[i], from, to, -1);
    if (!text) continue;
    was[i] = l->line[i];
    l->line[i] = text;
    any = true;
  }
  const bool holds = any && reduce_holds(r);
  for (unsigned i = 0; was && i < l->lines; i++) {
    if (!was[i]) continue;
    free(holds ? was[i] : l->line[i]);
    if (!holds) l->line[i] = was[i];
  }
  free(was);
  return holds;
}

static bool rename_registers(struct reduction *r) {
  bool any = false;
  char name[8];
  for (unsigned n = 0; n < 64 && !r->out_of_time; n++) {
    (void)snprintf(name, sizeof name, "R%u", n);
    any = rename_all(r, name, "RZ") || any;
  }
  for (unsigned n = 0; n < 7 && !r->out_of_time; n++) {
    (void)snprintf(name, sizeof name, "P%u", n);
    any = rename_all(r, name, "PT") || any;
  }
  return any;
}

bool reduce_words(struct reduction *r) {
  bool any = rename_registers(r);
  for (unsigned i = r->lines.lines; i-- > 0 && !r->out_of_time;) {
    if (r->lines.gone[i] || !fuzz_lines_is_instruction(r->lines.line[i])) continue;
    any = drop_guard(r, i) || any;
    any = drop_reuse(r, i) || any;
    any = zero_operands(r, i) || any;
    any = make_simply(r, i) || any;
  }
  return any;
}
