/* SPDX-License-Identifier: Apache-2.0
 * Programs that keep one part of the model busy. */
#include "bench_kernels.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const names[BENCH_KERNELS] = {"ffma", "integer", "mixed", "divergent", "global", "shared", "gather"};

const char *bench_kernel_name(enum bench_kernel k) {
  return names[k];
}

/* R0 thread of the grid, R2:R3 its word in the first quarter of `out`, R4-R7 factors, R32-R59 data, R8 trips left. */
static void prologue(FILE *f, const char *name) {
  fprintf(f,
          ".kernel %s\n.param u64 out\n.param u32 n\n.shared room 4096\n"
          "  S2R R0, SR_CTAID.X ;\n  S2R R1, SR_TID.X ;\n  IMAD R0, R0, c[0x0][0x0], R1 ;\n"
          "  MOV R2, 0x4 ;\n  MOV R10, c[0x0][out] ;\n  MOV R11, c[0x0][out+4] ;\n"
          "  IMAD.WIDE R2, R0, R2, R10 ;\n  MOV R8, c[0x0][n] ;\n  LOP3.LUT R9, R1, 0xff, RZ, 0xc0 ;\n"
          "  SHF.L.U32 R9, R9, 0x2, RZ ;\n",
          name);
  for (unsigned i = 0; i < 4; i++) fprintf(f, "  MOV R%u, 0x%x ;\n", 4 + i, 0x3f800000 - i); /* near 1.0 */
  for (unsigned i = 0; i < 28; i++) fprintf(f, "  I2F.U32 R%u, R1 ;\n", 32 + i);
  fprintf(f, "  ISETP.GE.U32.AND P1, PT, R1, 0x10, PT ;\n  STS [R9], R32 ;\nloop:\n");
}

static void epilogue(FILE *f) {
  fprintf(f, "  IADD3 R8, R8, -1, RZ ;\n  ISETP.NE.U32.AND P0, PT, R8, 0x0, PT ;\n@P0 BRA loop ;\n  STG.E [R2], R32 "
             ";\n  EXIT ;\n.end\n");
}

/* An even step: what FFMA reads in `mixed` is what FFMA wrote. Integers would be subnormal numbers at times, over which
 * the host takes a hundred cycles. */
static void write_arithmetic(FILE *f, enum bench_kernel k) {
  static const char *const integer[] = {"IADD3 R%u, R%u, R%u, R%u ;\n", "LOP3.LUT R%u, R%u, R%u, R%u, 0x6a ;\n",
                                        "IMAD R%u, R%u, R%u, R%u ;\n", "IADD3 R%u, R%u, R%u, R%u ;\n"};
  static const char fma[] = "FFMA R%u, R%u, R%u, R%u ;\n";
  for (unsigned i = 0; i < 64; i++) {
    const char *form =
        k == BENCH_FFMA || (k == BENCH_MIXED && i % 2 == 0) ? fma : integer[k == BENCH_INTEGER ? i % 4 : 0];
    fprintf(f, form, 32 + i % 28, 32 + (i + 4) % 28, 4 + i % 4, 32 + i % 28);
  }
}

/* Two arms of four additions by lane, eight times, every other time one inside the other. */
static void divergent(FILE *f) {
  for (unsigned i = 0; i < 8; i++) {
    fprintf(f, "  BSSY B0, join%u ;\n@P1 BRA other%u ;\n", i, i);
    for (unsigned k = 0; k < 4; k++) fprintf(f, "  IADD3 R%u, R%u, R4, RZ ;\n", 32 + k, 33 + k);
    fprintf(f, "  BRA join%u ;\nother%u:\n", i, i);
    for (unsigned k = 0; k < 4; k++) fprintf(f, "  IADD3 R%u, R%u, R5, RZ ;\n", 40 + k, 41 + k);
    fprintf(f, "join%u:\n  BSYNC B0 ;\n", i);
  }
}

/* `quarter`: bytes from a thread's word to its next one. */
static void write_accesses(FILE *f, enum bench_kernel k, unsigned quarter) {
  for (unsigned i = 0; i < 8; i++) {
    const unsigned r = 32 + i, off = quarter * (i % 4);
    if (k == BENCH_GLOBAL) fprintf(f, "  STG.E [R2+0x%x], R%u ;\n  LDG.E R%u, [R2+0x%x] ;\n", off, r, r + 8, off);
    if (k == BENCH_SHARED)
      fprintf(f, "  STS [R9+0x%x], R%u ;\n  LDS R%u, [R9+0x%x] ;\n", 0x400 * (i % 4), r, r + 8, 0x400 * (i % 4));
    if (k == BENCH_GATHER) /* each lane its own place of the block's 4 KiB, scattered */
      fprintf(f, "  IMAD R12, R9, 0x%x, R9 ;\n  LOP3.LUT R12, R12, 0x3fc, RZ, 0xc0 ;\n  LDS R%u, [R12] ;\n", 2 * i + 5,
              r + 8);
  }
}

static void write_bench_kernel(FILE *f, enum bench_kernel k, unsigned quarter) {
  prologue(f, names[k]);
  if (k == BENCH_GATHER) fprintf(f, "  BAR.SYNC 0 ;\n");
  if (k <= BENCH_MIXED)
    write_arithmetic(f, k);
  else if (k == BENCH_DIVERGENT)
    divergent(f);
  else
    write_accesses(f, k, quarter);
  epilogue(f);
}

char *bench_kernel_text(unsigned threads, size_t *size) {
  char *text = NULL;
  FILE *f = open_memstream(&text, size);
  if (f == NULL) return NULL;
  for (unsigned k = 0; k < BENCH_KERNELS; k++) write_bench_kernel(f, (enum bench_kernel)k, 4 * threads);
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}
