/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the writers. */
#ifndef TWIN_WRITE_H
#define TWIN_WRITE_H

#include "tests/twin/twin.h"

struct ptx {
  FILE *to;
  const struct twin *t;
  bool in_function;
};

/* Where threads of the kernel load their first registers from: class, offset, factor of the thread's number. */
struct twin_start {
  char cls;
  uint16_t offset, factor;
  uint8_t bytes;
};
static const struct twin_start twin_starts[] = {{'r', 0, 52, 4},    {'d', 0, 56, 8},    {'f', 1024, 44, 4},
                                                {'g', 2048, 72, 8}, {'e', 3072, 38, 2}, {'x', 3072, 36, 4}};
enum { TWIN_STARTS = sizeof twin_starts / sizeof *twin_starts };
/* In functions: a register is the argument of its class times the factor plus the sum. */
#define TWIN_STEP 0x9e3779b1u

/* ptx_op.c */
void twin_ptx_op(const struct ptx *w, const struct twin_node *n);
void twin_ptx_carry(const struct ptx *w, const struct twin_node *n);
void twin_ptx_number(const struct twin_operand *o, char *text, size_t size);
/* ptx_flow.c; `mask`: the register with the lanes that are here, or NULL inside of what one thread does */
void twin_ptx_list(const struct ptx *w, uint32_t list, const char *mask);
/* ptx_together.c */
void twin_ptx_together(const struct ptx *w, const struct twin_node *n, const char *mask);
unsigned twin_cell_add(const struct twin *t); /* the cell that is added to in 32 bits */

struct cw {
  FILE *to;
  const struct twin *t;
  const char *wrong;
  bool in_function;
};
/* c_op.c */
void twin_c_op(const struct cw *w, const struct twin_node *n);
void twin_c_carry(const struct cw *w, const struct twin_node *n);
/* c_flow.c; depth: of the array of active threads, or -1 inside of what one thread does */
void twin_c_list(const struct cw *w, uint32_t list, int depth);
/* c_together.c */
void twin_c_together(const struct cw *w, const struct twin_node *n, int depth);

/* Modes by number. */
extern const char *const twin_shfl_names[4], *const twin_vote_names[4], *const twin_redux_names[6],
                                                                            *const twin_atom_names[10];
static const uint32_t twin_shfl_c[] = {0x1f, 0x1f, 0, 0x1c1f, 0x181f, 0x1c00, 0x1e1f, 0x0f};
static inline unsigned twin_shfl_limit(const struct twin_node *n) {
  return twin_shfl_c[n->k[2] % 8];
}

#endif
