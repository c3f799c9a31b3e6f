/* SPDX-License-Identifier: Apache-2.0
 * Random matrix instructions, for whole warps: loads out of the bytes of shared memory that the lanes of a warp have in
 * common and each on its own, and what unit tensor does. */
#include <stdio.h>

#include "heddle/isa_tables.h"

#include "node.h"

/* Rows in order, each lane's own bytes; or anywhere in the warp's common ones, where they meet. */
static void load_matrix(struct random_program *p, char *buf, size_t size) {
  const unsigned matrices = 1u << random_below(p, 3), off = 16 * random_below(p, 3);
  const unsigned rd = REG_DATA + random_below(p, REG_DATA_COUNT / matrices) * matrices;
  const char *turned = random_chance(p, 50) ? ".MT88" : ".M88", *never = random_chance(p, 5) ? "@!PT " : "";
  if (random_chance(p, 50))
    snprintf(buf, size, "%sLDSM.16%s.%u R%u, [R%u+0x%x] ;\n", never, turned, matrices, rd, REG_SHARED, SHARED_AT);
  else
    snprintf(buf, size,
             "LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nIADD3 R%u, R%u, R%u, RZ ;\n%sLDSM.16%s.%u R%u, [R%u+0x%x] ;\n",
             REG_ADDRESS + 2, REG_DATA + random_below(p, REG_DATA_COUNT), (SHARED_WARP_BYTES / 2 - 1) & ~15u,
             REG_ADDRESS + 3, REG_ADDRESS + 2, REG_WARP_SHARED, never, turned, matrices, rd, REG_ADDRESS + 3, off);
}

void random_matrix(struct random_program *p, char *buf, size_t size) {
  if (random_has(p, ISA_UNIT_TENSOR) && random_chance(p, 60))
    random_insn_tensor(p, buf, size);
  else
    load_matrix(p, buf, size);
}
