/* SPDX-License-Identifier: Apache-2.0
 * Random matrix instructions, for whole warps: loads out of the bytes of shared memory that the lanes of a warp have in
 * common and each on its own, and what unit tensor does. */
#include <stdio.h>

#include <heddle/isa_tables.h>

#include "lab/verify/random/node.h"

/* All lanes or none: always, never, or as a predicate says that all of them have alike. */
static const char *draw_guard(struct random_program *p, char buf[80]) {
  const bool first = random_chance(p, 50), no = random_chance(p, 50);
  buf[0] = '\0';
  if (random_chance(p, 5))
    (void)snprintf(buf, 80, "@!PT ");
  else if (random_chance(p, 20))
    (void)snprintf(buf, 80, "ISETP.%s.U32.AND P6, PT, R%u, RZ, PT ;\n@%sP6 ", first ? "EQ" : "GE", REG_WARP_INDEX,
                   no ? "!" : "");
  return buf;
}

/* Rows in order, each lane's own bytes; or anywhere in the warp's common ones, where they meet; or one for all lanes,
 * of the block's first warp. */
static void load_matrix(struct random_program *p, char *buf, size_t size) {
  const unsigned matrices = 1u << random_below(p, 3), off = 16 * random_below(p, 3);
  const unsigned rd = REG_DATA + random_below(p, REG_DATA_COUNT / matrices) * matrices;
  const char *turned = random_chance(p, 50) ? ".MT88" : ".M88";
  char to[8], g[80];
  (void)snprintf(to, sizeof to, "R%u", rd);
  if (random_chance(p, 4)) (void)snprintf(to, sizeof to, "RZ");
  switch (random_below(p, 8)) {
  case 0:
    (void)snprintf(buf, size, "ISETP.EQ.U32.AND P6, PT, R%u, RZ, PT ;\n@P6 LDSM.16%s.%u %s, [RZ+0x%x] ;\n",
                   REG_WARP_INDEX, turned, matrices, to, off);
    break;
  case 1:
    (void)snprintf(buf, size, "IADD3 R%u, R%u, 0x100, RZ ;\n%sLDSM.16%s.%u %s, [R%u-0x%x] ;\n", REG_ADDRESS + 3,
                   REG_SHARED, draw_guard(p, g), turned, matrices, to, REG_ADDRESS + 3, 0x100 - SHARED_AT);
    break;
  case 2:
  case 3:
  case 4:
    (void)snprintf(buf, size, "%sLDSM.16%s.%u %s, [R%u+0x%x] ;\n", draw_guard(p, g), turned, matrices, to, REG_SHARED,
                   SHARED_AT);
    break;
  default: {
    const char *guard = draw_guard(p, g);
    (void)snprintf(buf, size,
                   "LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nIADD3 R%u, R%u, R%u, RZ ;\n%sLDSM.16%s.%u %s, [R%u+0x%x] ;\n",
                   REG_ADDRESS + 2, random_data(p), (SHARED_WARP_BYTES / 2 - 1) & ~15u, REG_ADDRESS + 3,
                   REG_ADDRESS + 2, REG_WARP_SHARED, guard, turned, matrices, to, REG_ADDRESS + 3, off);
    break;
  }
  }
}

/* The word draws whether always or never. */
static void multiply_matrix(struct random_program *p, char *buf, size_t size) {
  char insn[240], g[80] = "";
  random_insn_tensor(p, insn, sizeof insn);
  (void)snprintf(buf, size, "%s%s", insn[0] == '@' ? "" : draw_guard(p, g), insn);
}

/* A product, then the same with the first subtracted: of each sum nothing is left, and the sign is that of nothing. */
static void cancel(struct random_program *p, char *buf, size_t size) {
  enum { TUPLES = REG_DATA_COUNT / 4 };
  const unsigned place = random_below(p, TUPLES), d = REG_DATA + 4 * place;
  const unsigned a = REG_DATA + 4 * ((place + 1 + random_below(p, TUPLES - 1)) % TUPLES);
  const unsigned b = REG_DATA + 4 * ((place + 1 + random_below(p, TUPLES - 1)) % TUPLES);
  int n = snprintf(buf, size, "QMMA.16832.F32.E4M3.E4M3 R%u, R%u, R%u, RZ ;\n", d, a, b);
  for (unsigned i = 0; i < 4; i++)
    n += snprintf(buf + n, size - (size_t)n, "LOP3.LUT R%u, R%u, 0x80000000, RZ, 0x3c ;\n", d + i, d + i);
  (void)snprintf(buf + n, size - (size_t)n, "QMMA.16832.F32.E4M3.E4M3 R%u, R%u, R%u, R%u ;\n", d, a, b, d);
}

void random_matrix(struct random_program *p, char *buf, size_t size) {
  if (!random_has(p, ISA_UNIT_TENSOR) || !random_chance(p, 60))
    load_matrix(p, buf, size);
  else if (random_chance(p, 6))
    cancel(p, buf, size);
  else
    multiply_matrix(p, buf, size);
}
