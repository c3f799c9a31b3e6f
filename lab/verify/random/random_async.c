/* SPDX-License-Identifier: Apache-2.0
 * Random asynchronous copies (isa/doc/14-asynchronous-copies.md): into a thread's or a warp's own shared memory,
 * awaited at once, or, in programs whose results may depend on an order (races), later by somebody's DEPBAR, or by
 * nobody: what reads the bytes meanwhile has a race, whose outcome in lockstep the records tell; alone the model copies
 * at once. */
#include <stdio.h>

#include <heddle/isa_tables.h>
#include "lab/verify/random/node.h"

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

void random_async(struct random_program *p, char *buf, size_t size) {
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
