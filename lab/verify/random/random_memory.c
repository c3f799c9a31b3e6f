/* SPDX-License-Identifier: Apache-2.0
 *
 * Random memory accesses and asynchronous copies.
 */
#include <stdio.h>
#include <string.h>

#include <heddle/isa.h>
#include <heddle/isa_tables.h>
#include "base/splitmix64.h"
#include "lab/verify/random/node.h"

/* Random asynchronous copies (isa/doc/14-asynchronous-copies.md): into a thread's or a warp's own shared memory,
 * awaited at once, or, in programs whose results may depend on an order (races), later by somebody's DEPBAR, or by
 * nobody: what reads the bytes meanwhile has a race, whose outcome in lockstep the records tell; alone the model copies
 * at once. */

bool random_has_async(const struct random_program *p) {
  if (p->limits.units == 0) return !heddle_isa_instr_info(ISA_OP_LDGSTS_E)->only_model;
  return (p->limits.units >> ISA_PART_ASYNC & 1) != 0;
}

static const char *draw_copy_guard(struct random_program *p, char buf[8]) {
  buf[0] = 0;
  if (random_chance(p, 5))
    snprintf(buf, 8, "@!PT ");
  else if (random_chance(p, 25)) {
    const unsigned ps = random_below(p, PRED_DATA_COUNT);
    snprintf(buf, 8, "@%sP%u ", random_chance(p, 50) ? "!" : "", ps);
  }
  return buf;
}

struct size {
  const char *suffix;
  unsigned bytes;
};

static const struct size sizes[] = {{"", 4}, {".64", 8}, {".128", 16}};

/* From the thread's own record to its own bytes. */
static int private(struct random_program *p, char *buf, size_t size) {
  const struct size *a = &sizes[random_below(p, 3)];
  const unsigned to = random_below(p, SHARED_THREAD_BYTES / a->bytes) * a->bytes,
                 from = random_below(p, SCRATCH_THREAD_BYTES / a->bytes) * a->bytes;
  char g[8];
  const char *of = draw_copy_guard(p, g);
  return snprintf(buf, size, "IADD3 R%u, R%u, 0x%x, RZ ;\n%sLDGSTS.E%s [R%u], [R%u+0x%x] ;\n", REG_ADDRESS + 3,
                  REG_SHARED, SHARED_AT + to, of, a->suffix, REG_ADDRESS + 3, REG_OWN, OWN_AT + from);
}

/* From the warp's own record to its own bytes: lanes meet in both. */
static int copy_together(struct random_program *p, char *buf, size_t size) {
  const struct size *a = &sizes[random_below(p, 3)];
  const unsigned index = REG_DATA + random_below(p, REG_DATA_COUNT), place = REG_DATA + random_below(p, REG_DATA_COUNT),
                 mask = SHARED_WARP_BYTES - a->bytes; /* as many as there are of the record */
  char g[8];
  const char *of = draw_copy_guard(p, g);
  _Static_assert(SHARED_WARP_BYTES == SCRATCH_WARP_BYTES, "one mask for both");
  return snprintf(buf, size,
                  "LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nIADD3 R%u, P6, PT, R%u, R%u, RZ ;\n"
                  "IADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\nLOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\n"
                  "IADD3 R%u, R%u, R%u, RZ ;\n%sLDGSTS.E%s [R%u], [R%u] ;\n",
                  REG_ADDRESS + 2, index, random_chance(p, 50) ? 0 : mask, REG_ADDRESS, REG_WARP, REG_ADDRESS + 2,
                  REG_ADDRESS + 1, REG_WARP + 1, REG_ADDRESS + 3, place, mask, REG_ADDRESS + 3, REG_ADDRESS + 3,
                  REG_WARP_SHARED, of, a->suffix, REG_ADDRESS + 3, REG_ADDRESS);
}

/* A group ends, and perhaps it is waited for, or for what is older. */
static void close_group(struct random_program *p, char *buf, size_t size) {
  char g[8];
  const int n = snprintf(buf, size, "%sLDGDEPBAR ;\n", draw_copy_guard(p, g));
  const unsigned what = random_below(p, 4), left = what == 0 ? 0 : random_below(p, 4);
  if (what < 3) snprintf(buf + n, size - (size_t)n, "%sDEPBAR.LE SB5, 0x%x ;\n", draw_copy_guard(p, g), left);
}

static void random_async(struct random_program *p, char *buf, size_t size) {
  int n = 0;
  if (!p->races) {
    const bool meets = p->place == PLACE_ANY && random_chance(p, 40);
    n = meets ? copy_together(p, buf, size) : private(p, buf, size);
    snprintf(buf + n, size - (size_t)n, "LDGDEPBAR ;\nDEPBAR.LE SB5, 0x0 ;\n");
    return;
  }
  if (random_chance(p, 85)) {
    const bool meets = p->place == PLACE_ANY && random_chance(p, 40);
    n = meets ? copy_together(p, buf, size) : private(p, buf, size);
    if (random_chance(p, 40)) return;
  }
  close_group(p, buf + n, size - (size_t)n);
}

/* Random memory accesses. Each stays in memory that only its own thread or its own warp touches, or only reads, or adds
 * where nobody looks at the order, so that results do not depend on the order of warps. */

struct access {
  const char *suffix;
  unsigned bytes, words;
};

static const struct access accesses[] = {{".U8", 1, 1}, {".S8", 1, 1}, {".U16", 2, 1}, {".S16", 2, 1},
                                         {"", 4, 1},    {"", 4, 1},    {".64", 8, 2},  {".128", 16, 4}};

static const char *pick_guard(struct random_program *p, char buf[8]) {
  buf[0] = 0;
  if (random_chance(p, 3))
    snprintf(buf, 8, "@!PT ");
  else if (random_chance(p, 25)) {
    const unsigned ps = random_below(p, PRED_DATA_COUNT);
    snprintf(buf, 8, "@%sP%u ", random_chance(p, 50) ? "!" : "", ps);
  }
  return buf;
}

static unsigned draw_data_tuple(struct random_program *p, unsigned words) {
  return REG_DATA + random_below(p, (p->dense ? 8 : REG_DATA_COUNT) / words) * words;
}

/* Where a result goes: sometimes nowhere. */
static const char *into(struct random_program *p, unsigned words, char buf[8]) {
  const unsigned r = draw_data_tuple(p, words);
  if (random_chance(p, 4)) return "RZ";
  snprintf(buf, 8, "R%u", r);
  return buf;
}

static const char *draw_strength(struct random_program *p) {
  static const char *const s[] = {"", "", "", ".STRONG.CTA", ".STRONG.GPU", ".STRONG.SYS"};
  return s[random_below(p, 6)];
}

/* A read-modify-write at [at], a multiple of `aligned`: of `what` ("ATOMG.E", "ATOMS", "ATOM.E", "RED.E") every
 * operation. */
struct atomic {
  const char *suffix;
  unsigned words;
};

static const struct atomic atomics[] = {
    {".ADD", 1},     {".MIN", 1},       {".MIN.S32", 1}, {".MAX", 1},     {".MAX.S32", 1},
    {".INC", 1},     {".DEC", 1},       {".AND", 1},     {".OR", 1},      {".XOR", 1},
    {".ADD.F32", 1}, {".ADD.F16X2", 1}, {".ADD.64", 2},  {".MIN.U64", 2}, {".MIN.S64", 2},
    {".MAX.U64", 2}, {".MAX.S64", 2},   {".AND.64", 2},  {".OR.64", 2},   {".XOR.64", 2},
    {".ADD.F64", 2}, {".EXCH", 1},      {".EXCH.64", 2}, {".CAS", 1},     {".CAS.64", 2}};
#define ATOMICS ((unsigned)(sizeof atomics / sizeof *atomics))
#define REDUCTIONS (ATOMICS - 4) /* the last ones have a result */

static bool adds_floats(const struct atomic *a) {
  return strncmp(a->suffix, ".ADD.F", 6) == 0;
}

/* Has the machine adders of floats? */
static bool float_adders(const struct random_program *p) {
  return p->limits.units == 0 || (p->limits.units >> ISA_PART_FATOM & 1) != 0;
}

/* A source, or where a result goes: sometimes RZ. */
static const char *from(struct random_program *p, unsigned words, char buf[8]) {
  const unsigned r = p->related ? random_related(p, words) : draw_data_tuple(p, words);
  if (random_knob_chance(p, KNOB_OPERAND_ZERO)) return "RZ";
  snprintf(buf, 8, "R%u", r);
  return buf;
}

void random_atomic(struct random_program *p, char *buf, size_t size, const char *guard, const char *what,
                   const char *place, unsigned bytes, bool exact) {
  const bool reduces = strcmp(what, "RED.E") == 0, shared = strcmp(what, "ATOMS") == 0;
  const unsigned all = reduces ? REDUCTIONS : ATOMICS, first = !reduces && random_chance(p, p->related ? 50 : 25)
                                                                   ? all - 2
                                                                   : 0; /* .CAS has a format of its own */
  const struct atomic *a;
  do a = &atomics[first + random_below(p, all - first)];
  while (4 * a->words > bytes || (exact && 4 * a->words != bytes) || (adds_floats(a) && !float_adders(p)));
  char rd[8], b[8], c[8];
  const char *strong = shared ? "" : draw_strength(p);
  if (reduces)
    snprintf(buf, size, "%s%s%s%s %s, %s ;\n", guard, what, a->suffix, strong, place, from(p, a->words, b));
  else if (strncmp(a->suffix, ".CAS", 4) == 0) {
    const char *swap = from(p, a->words, c), *expected = from(p, a->words, b);
    snprintf(buf, size, "%s%s%s%s %s, %s, %s, %s ;\n", guard, what, a->suffix, strong, into(p, a->words, rd), place,
             expected, swap);
  } else {
    const char *operand = from(p, a->words, b);
    snprintf(buf, size, "%s%s%s%s %s, %s, %s ;\n", guard, what, a->suffix, strong, into(p, a->words, rd), place,
             operand);
  }
}

void random_make_unique(struct random_program *p, unsigned reg, unsigned words) {
  const unsigned percent = p->knobs.value[KNOB_ADDRESS_UNIQUE].low;
  if (percent == 0 || !random_chance(p, percent)) return;
  for (unsigned i = 0; i < words; i++)
    random_emit(p, "MOV R%u, 0x%x ;\nIMAD R%u, R%u, 0x1000193, R%u ;\n", reg + i, (unsigned)(splitmix64(&p->rng) >> 32),
                reg + i, REG_THREAD, reg + i);
}

static void read_modify_write(struct random_program *p, char *buf, size_t size, const char *what, unsigned at,
                              unsigned aligned) {
  char g[8], place[16];
  snprintf(place, sizeof place, "[R%u]", at);
  random_atomic(p, buf, size, pick_guard(p, g), what, place, aligned, false);
}

/* An address register holding a random multiple of the access size inside the warp's own bytes. */
static int warp_index(struct random_program *p, char *buf, size_t size, unsigned bytes, unsigned most) {
  return snprintf(buf, size, "LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\n", REG_ADDRESS + 2, draw_data_tuple(p, 1),
                  (most - 1) & ~(bytes - 1));
}

static void global_private(struct random_program *p, char *buf, size_t size) {
  const struct access *a = &accesses[random_below(p, 8)];
  unsigned off = random_below(p, SCRATCH_THREAD_BYTES / a->bytes) * a->bytes;
  char g[8], rd[8];
  if (random_chance(p, 50)) {
    const char *to = into(p, a->words, rd), *strong = draw_strength(p);
    snprintf(buf, size, "%sLDG.E%s%s %s, [R%u+0x%x] ;\n", pick_guard(p, g), a->suffix, strong, to, REG_OWN,
             OWN_AT + off);
  } else {
    const unsigned value = draw_data_tuple(p, a->words);
    const char *strong = draw_strength(p);
    snprintf(buf, size, "%sSTG.E%s%s [R%u+0x%x], R%u ;\n", pick_guard(p, g), a->suffix, strong, REG_OWN, OWN_AT + off,
             value);
  }
}

/* Lanes of one warp meet in the warp's own bytes. */
static void global_warp(struct random_program *p, char *buf, size_t size) {
  const struct access *a = &accesses[random_below(p, 8)];
  char g[8], rd[8];
  int n = warp_index(p, buf, size, a->bytes, SCRATCH_WARP_BYTES);
  n += snprintf(buf + n, size - (size_t)n, "IADD3 R%u, P6, PT, R%u, R%u, RZ ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n",
                REG_ADDRESS, REG_WARP, REG_ADDRESS + 2, REG_ADDRESS + 1, REG_WARP + 1);
  unsigned what = random_below(p, 3);
  if (what == 0) {
    const char *to = into(p, a->words, rd);
    snprintf(buf + n, size - (size_t)n, "%sLDG.E%s %s, [R%u] ;\n", pick_guard(p, g), a->suffix, to, REG_ADDRESS);
  } else if (what == 1 || a->bytes < 4) {
    const unsigned value = draw_data_tuple(p, a->words);
    snprintf(buf + n, size - (size_t)n, "%sSTG.E%s [R%u], R%u ;\n", pick_guard(p, g), a->suffix, REG_ADDRESS, value);
  } else
    read_modify_write(p, buf + n, size - (size_t)n, random_chance(p, 70) ? "ATOMG.E" : "RED.E", REG_ADDRESS, a->bytes);
}

static void shared_private(struct random_program *p, char *buf, size_t size) {
  const struct access *a = &accesses[random_below(p, 8)];
  unsigned off = random_below(p, SHARED_THREAD_BYTES / a->bytes) * a->bytes;
  char g[8], rd[8];
  if (random_chance(p, 50)) {
    const char *to = into(p, a->words, rd);
    snprintf(buf, size, "%sLDS%s %s, [R%u+0x%x] ;\n", pick_guard(p, g), a->suffix, to, REG_SHARED, SHARED_AT + off);
  } else {
    const unsigned value = draw_data_tuple(p, a->words);
    snprintf(buf, size, "%sSTS%s [R%u+0x%x], R%u ;\n", pick_guard(p, g), a->suffix, REG_SHARED, SHARED_AT + off, value);
  }
}

static void shared_warp(struct random_program *p, char *buf, size_t size) {
  const struct access *a = &accesses[random_below(p, 8)];
  char g[8], rd[8];
  int n = warp_index(p, buf, size, a->bytes, SHARED_WARP_BYTES);
  n += snprintf(buf + n, size - (size_t)n, "IADD3 R%u, R%u, R%u, RZ ;\n", REG_ADDRESS + 3, REG_ADDRESS + 2,
                REG_WARP_SHARED);
  unsigned what = random_below(p, 3);
  if (what == 0) {
    const char *to = into(p, a->words, rd);
    snprintf(buf + n, size - (size_t)n, "%sLDS%s %s, [R%u] ;\n", pick_guard(p, g), a->suffix, to, REG_ADDRESS + 3);
  } else if (what == 1 || a->bytes < 4) {
    const unsigned value = draw_data_tuple(p, a->words);
    snprintf(buf + n, size - (size_t)n, "%sSTS%s [R%u], R%u ;\n", pick_guard(p, g), a->suffix, REG_ADDRESS + 3, value);
  } else
    read_modify_write(p, buf + n, size - (size_t)n, "ATOMS", REG_ADDRESS + 3, a->bytes);
}

/* Lanes that happen to have the same place store to different words of their own memory. */
static void local_private(struct random_program *p, char *buf, size_t size) {
  const struct access *a = &accesses[random_below(p, 8)];
  char g[8], rd[8], place[16];
  const unsigned off = random_below(p, LOCAL_BYTES / 2 / a->bytes) * a->bytes;
  int n = 0;
  switch (random_below(p, 4)) {
  case 0:
    snprintf(place, sizeof place, "[RZ+0x%x]", off);
    break;
  case 1: /* from above */
    n = snprintf(buf, size, "MOV R%u, 0x%x ;\n", REG_ADDRESS + 2, LOCAL_BYTES);
    snprintf(place, sizeof place, "[R%u-0x%x]", REG_ADDRESS + 2, off + a->bytes);
    break;
  default:
    n = warp_index(p, buf, size, a->bytes, LOCAL_BYTES / 2);
    snprintf(place, sizeof place, "[R%u+0x%x]", REG_ADDRESS + 2, off);
    break;
  }
  if (random_chance(p, 50)) {
    const char *to = into(p, a->words, rd);
    snprintf(buf + n, size - (size_t)n, "%sLDL%s %s, %s ;\n", pick_guard(p, g), a->suffix, to, place);
  } else {
    const char *value = from(p, a->words, rd);
    snprintf(buf + n, size - (size_t)n, "%sSTL%s %s, %s ;\n", pick_guard(p, g), a->suffix, place, value);
  }
}

/* Through generic addresses: the lanes of one instruction go to global, shared and local memory, each to its own bytes.
 */
static void generic_private(struct random_program *p, char *buf, size_t size) {
  const struct access *a = &accesses[random_below(p, 8)];
  const unsigned off = random_below(p, SHARED_THREAD_BYTES / a->bytes) * a->bytes;
  const unsigned shared = random_below(p, PRED_DATA_COUNT), local = random_below(p, PRED_DATA_COUNT);
  char g[8], rd[8];
  int n =
      snprintf(buf, size,
               "IADD3 R%u, P6, PT, R%u, 0x%x, RZ ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n"
               "@P%u IADD3 R%u, R%u, 0x%x, RZ ;\n@P%u MOV R%u, 0x%x ;\n@P%u MOV R%u, RZ ;\n@P%u MOV R%u, 0x%x ;\n",
               REG_ADDRESS, REG_OWN, OWN_AT, REG_ADDRESS + 1, REG_OWN + 1, shared, REG_ADDRESS, REG_SHARED, SHARED_AT,
               shared, REG_ADDRESS + 1, WINDOW_SHARED, local, REG_ADDRESS, local, REG_ADDRESS + 1, WINDOW_LOCAL);
  if (random_chance(p, 50)) {
    const char *to = into(p, a->words, rd), *strong = draw_strength(p);
    snprintf(buf + n, size - (size_t)n, "%sLD.E%s%s %s, [R%u+0x%x] ;\n", pick_guard(p, g), a->suffix, strong, to,
             REG_ADDRESS, off);
  } else {
    const unsigned value = draw_data_tuple(p, a->words);
    const char *strong = draw_strength(p);
    snprintf(buf + n, size - (size_t)n, "%sST.E%s%s [R%u+0x%x], R%u ;\n", pick_guard(p, g), a->suffix, strong,
             REG_ADDRESS, off, value);
  }
}

/* The same where lanes of one warp meet, in global or in shared memory. */
static void generic_warp(struct random_program *p, char *buf, size_t size) {
  const struct access *a = &accesses[random_below(p, 8)];
  const unsigned shared = random_below(p, PRED_DATA_COUNT);
  char g[8], rd[8];
  int n = warp_index(p, buf, size, a->bytes, SHARED_WARP_BYTES);
  n += snprintf(
      buf + n, size - (size_t)n,
      "IADD3 R%u, P6, PT, R%u, R%u, RZ ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n@P%u IADD3 R%u, R%u, R%u, RZ ;\n"
      "@P%u MOV R%u, 0x%x ;\n",
      REG_ADDRESS, REG_WARP, REG_ADDRESS + 2, REG_ADDRESS + 1, REG_WARP + 1, shared, REG_ADDRESS, REG_ADDRESS + 2,
      REG_WARP_SHARED, shared, REG_ADDRESS + 1, WINDOW_SHARED);
  if (a->bytes >= 4 && random_chance(p, 60))
    read_modify_write(p, buf + n, size - (size_t)n, "ATOM.E", REG_ADDRESS, a->bytes);
  else if (random_chance(p, 50)) {
    const char *to = into(p, a->words, rd);
    snprintf(buf + n, size - (size_t)n, "%sLD.E%s %s, [R%u] ;\n", pick_guard(p, g), a->suffix, to, REG_ADDRESS);
  } else {
    const unsigned value = draw_data_tuple(p, a->words);
    snprintf(buf + n, size - (size_t)n, "%sST.E%s [R%u], R%u ;\n", pick_guard(p, g), a->suffix, REG_ADDRESS, value);
  }
}

void random_generic(struct random_program *p, char *buf, size_t size) {
  if (random_chance(p, 60))
    generic_private(p, buf, size);
  else
    generic_warp(p, buf, size);
}

/* Changes nothing, wherever its address points. */
static void cache_control(struct random_program *p, char *buf, size_t size) {
  static const char *const what[] = {".PF", ".IV", ".IVALL"};
  char g[8];
  static const char *const off[] = {"", "+0x40", "-0x20"};
  const unsigned at = random_chance(p, 50) ? REG_OWN : draw_data_tuple(p, 2);
  const char *w = what[random_below(p, 3)], *add = off[random_below(p, 3)];
  if (random_chance(p, 10))
    snprintf(buf, size, "%sCCTL.E%s [RZ%s] ;\n", pick_guard(p, g), w, add);
  else
    snprintf(buf, size, "%sCCTL.E%s [R%u%s] ;\n", pick_guard(p, g), w, at, add);
}

/* A word of the read-only input at a random index. */
static void input_gather(struct random_program *p, char *buf, size_t size) {
  char g[8], rd[8];
  int n = snprintf(buf, size,
                   "LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nIADD3 R%u, P6, PT, R%u, c[0x0][input], RZ ;\n"
                   "IADD3.X R%u, RZ, c[0x0][input+4], RZ, P6, !PT ;\n",
                   REG_ADDRESS + 2, draw_data_tuple(p, 1), 4 * (INPUT_WORDS - 1), REG_ADDRESS, REG_ADDRESS + 2,
                   REG_ADDRESS + 1);
  const char *to = into(p, 1, rd), *strong = draw_strength(p);
  snprintf(buf + n, size - (size_t)n, "%sLDG.E%s %s, [R%u] ;\n", pick_guard(p, g), strong, to, REG_ADDRESS);
}

static void constant_load(struct random_program *p, char *buf, size_t size) {
  const struct access *a = &accesses[random_below(p, 8)];
  char g[8], rd[8];
  if (random_chance(p, 15)) {
    const unsigned at = random_below(p, 256 / a->bytes) * a->bytes;
    const char *to = into(p, a->words, rd);
    snprintf(buf, size, "%sLDC%s %s, c[0x3][RZ+0x%x] ;\n", pick_guard(p, g), a->suffix, to, at);
    return;
  }
  static const int behind[] = {0, 0, 0x40, -0x40};
  const int off = behind[random_below(p, 4)];
  int n = snprintf(buf, size, "LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\n", REG_ADDRESS + 2, draw_data_tuple(p, 1),
                   (off > 0 ? 127u : 255u) & ~(a->bytes - 1));
  if (off < 0)
    n += snprintf(buf + n, size - (size_t)n, "IADD3 R%u, R%u, 0x40, RZ ;\n", REG_ADDRESS + 2, REG_ADDRESS + 2);
  const char *to = into(p, a->words, rd);
  snprintf(buf + n, size - (size_t)n, "%sLDC%s %s, c[0x3][R%u%s] ;\n", pick_guard(p, g), a->suffix, to, REG_ADDRESS + 2,
           off == 0  ? ""
           : off > 0 ? "+0x40"
                     : "-0x40");
}

unsigned random_reach(char *buf, size_t size, unsigned pair, unsigned one, unsigned at) {
  buf[0] = '\0';
  if (heddle_isa_field_fits(ISA_F_OFF24, (int64_t)at + 7)) return at;
  (void)snprintf(buf, size, "MOV R%u, 0x1 ;\nIMAD.WIDE.U32 R%u, R%u, 0x%x, R%u ;\n", one, pair, one, at, pair);
  return 0;
}

/* Every thread of the grid counts, in words that nobody reads: each word by one operation, so that order is nothing. */
static void counter_add(struct random_program *p, char *buf, size_t size) {
  static const char *const op[] = {".ADD", ".ADD", ".ADD", ".MAX", ".MAX.S32", ".OR", ".XOR", ".MIN.S32"};
  const unsigned word = random_below(p, 16);
  char g[8], add[80];
  const unsigned value = draw_data_tuple(p, 1),
                 at = random_reach(add, sizeof add, REG_ADDRESS, REG_ADDRESS + 2, random_grid_at(p) + 4 * word);
  const char *strong = draw_strength(p);
  snprintf(buf, size, "MOV R%u, c[0x0][out] ;\nMOV R%u, c[0x0][out+4] ;\n%s%sRED.E%s%s [R%u+0x%x], R%u ;\n",
           REG_ADDRESS, REG_ADDRESS + 1, add, pick_guard(p, g), op[word % 8], strong, REG_ADDRESS, at, value);
}

static void draw_fence(struct random_program *p, char *buf, size_t size) {
  static const char *const scope[] = {".CTA", ".GPU", ".SYS"};
  char g[8];
  const char *of = scope[random_below(p, 3)];
  snprintf(buf, size, "%sMEMBAR%s ;\n", pick_guard(p, g), of);
}

void random_memory(struct random_program *p, char *buf, size_t size) {
  static void (*const kind[])(struct random_program *, char *, size_t) = {
      global_private, shared_private, input_gather, constant_load, counter_add, global_private, shared_private,
      input_gather, draw_fence, local_private, local_private, generic_private, generic_private, cache_control,
      /* where lanes of a warp meet */
      global_warp, shared_warp, shared_warp, generic_warp};
  const unsigned all = sizeof kind / sizeof *kind;
  if (random_has_async(p) && random_chance(p, 12)) {
    random_async(p, buf, size);
    return;
  }
  kind[random_below(p, p->place == PLACE_ANY ? all : all - 4)](p, buf, size);
}

/* The address as it stands, or a multiple of the size in a uniform register. */
void random_uniform_load(struct random_program *p, char *buf, size_t size) {
  const bool wide = random_chance(p, 40), from_above = random_chance(p, 20);
  const unsigned bytes = wide ? 8 : 4, rd = random_below(p, UREG_DATA_COUNT / (wide ? 2 : 1)) * (wide ? 2 : 1);
  char to[8], g[8] = "", load[40];
  (void)snprintf(to, sizeof to, "UR%u", rd);
  if (random_chance(p, 4)) (void)snprintf(to, sizeof to, "URZ");
  if (random_chance(p, 15)) {
    const unsigned ps = random_below(p, ISA_PT);
    (void)snprintf(g, sizeof g, "@%sUP%u ", random_chance(p, 50) ? "!" : "", ps);
  }
  if (random_chance(p, 2)) (void)snprintf(g, sizeof g, "@!UPT ");
  (void)snprintf(load, sizeof load, "%sULDC%s %s", g, wide ? ".64" : "", to);
  if (random_chance(p, 40)) {
    snprintf(buf, size, "%s, c[0x3][URZ+0x%x] ;\n", load, random_below(p, 256 / bytes) * bytes);
    return;
  }
  const unsigned off = random_below(p, 128 / bytes) * bytes;
  const int n =
      snprintf(buf, size, "ULOP3.LUT UR16, UR%u, 0x%x, URZ, 0xc0 ;\n", random_below(p, UREG_DATA_COUNT), 128 - bytes);
  if (from_above)
    snprintf(buf + n, size - (size_t)n, "UIADD3 UR16, UR16, 0x80, URZ ;\n%s, c[0x3][UR16-0x%x] ;\n", load, off + bytes);
  else
    snprintf(buf + n, size - (size_t)n, "%s, c[0x3][UR16+0x%x] ;\n", load, off);
}
