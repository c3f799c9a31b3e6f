/* SPDX-License-Identifier: Apache-2.0
 * The table. */
#include "kernels.h"

#include <stdio.h>
#include <string.h>

#include "firmware/kernels/host/host.h"

const struct kernel_info kernel_table[] = {
    {"vecadd", "vector add with an odd tail", vecadd_prepare, vecadd_prepare},
    {"ifelse", "the textbook's divergent conditional", ifelse_prepare, ifelse_prepare},
    {"nested", "nested divergence, data-dependent loop, BREAK, a call by part of a warp", nested_prepare,
     nested_prepare},
    {"reduce", "tree reduction in shared memory with barriers", reduce_assembly, reduce_prepare},
    {"sgemm", "tiled matrix multiply", sgemm_assembly, sgemm_prepare},
    {"histogram", "shared and global atomics", histogram_assembly, histogram_prepare},
    {"permute", "a[i] = b[c[i]]: uncoalesced loads", permute_prepare, permute_prepare},
    {"saxpy", "a loop that strides by the grid", NULL, saxpy_prepare},
    {"transpose", "a rectangular matrix through padded tiles", NULL, transpose_prepare},
    {"mandelbrot", "a loop that each lane leaves when it likes; division", NULL, mandelbrot_prepare},
    {"scan", "work-efficient prefix sum over many blocks, three launches", NULL, scan_prepare},
    {"bitonic", "bitonic sort, steps in local memory and over launches", NULL, bitonic_prepare},
    {"spmv", "sparse matrix times vector, a thread a row and 32 threads a row", NULL, spmv_prepare},
    {"bfs", "breadth-first search, a launch a level, compare-and-swap and a queue", NULL, bfs_prepare},
    {"conv2d", "5 x 5 filters from constant memory, tiles with a halo", NULL, conv2d_prepare},
    {"nbody", "all pairs of bodies, tiles in shared memory; exact and approximate roots", NULL, nbody_prepare},
    {"blackscholes", "call and put options, by own polynomials and by the OpenCL library", NULL, blackscholes_prepare},
    {"sha256", "digests of messages of any length", NULL, sha256_prepare},
    {"fft", "512 points a block, radix 8, both ways", NULL, fft_prepare},
    {"fft_clc", "256 points a block, radix 2, roots of one by the OpenCL library", NULL, fft_clc_prepare},
    {"vm", "an interpreter: a switch, calls, private stacks, a program of its own for each thread", NULL, vm_prepare},
    {"sgemm8x8", "matrix multiply, 8 by 8 results a thread in registers", sgemm8x8_assembly, sgemm8x8_prepare},
    {"hgemm_mma", "product of 16-bit floats by matrix instructions", NULL, hgemm_mma_prepare},
    {"gemv_async", "matrix times vector, tiles copied asynchronously while others are used", NULL, gemv_async_prepare},
    {NULL, NULL, NULL, NULL}};

/* NAME.ptx without a NAME.cl. */
static bool by_hand(const struct kernel_info *k) {
  return strcmp(k->name, "hgemm_mma") == 0 || strcmp(k->name, "gemv_async") == 0;
}

const struct kernel_info *kernel_find(const char *name) {
  for (const struct kernel_info *k = kernel_table; k->name; k++)
    if (strcmp(k->name, name) == 0) return k;
  return NULL;
}

bool kernel_has(const struct kernel_info *k, enum kernel_form form) {
  if (form == KERNEL_PTX_O0 && by_hand(k)) return false;
  return (form == KERNEL_ASM ? k->assembly : k->compiled) != NULL;
}

const char *kernel_form_name(enum kernel_form form) {
  static const char *const names[KERNEL_FORMS] = {"asm", "ptx", "O0"};
  return names[form];
}

void kernel_file(const struct kernel_info *k, enum kernel_form form, char *path, size_t size) {
  static const char *const patterns[KERNEL_FORMS][2] = {{"", ".s"}, {"", ".ptx"}, {"O0/", ".ptx"}};
  snprintf(path, size, "%s%s%s", patterns[form][0], k->name, patterns[form][1]);
}

bool kernel_prepare(const struct kernel_info *k, enum kernel_form form, uint64_t seed, unsigned scale,
                    struct kernel_case *c) {
  memset(c, 0, sizeof *c);
  /* Different kernels and seeds must not share a stream of numbers. */
  for (const char *p = k->name; *p; p++) seed = (seed ^ (uint64_t)(unsigned char)*p) * 0x100000001b3u;
  kernel_prepare_fn *prepare = form == KERNEL_ASM ? k->assembly : k->compiled;
  if (prepare && prepare(c, seed, scale)) return true;
  kernel_case_clear(c);
  return false;
}
