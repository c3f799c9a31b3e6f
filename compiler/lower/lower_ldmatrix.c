/* SPDX-License-Identifier: Apache-2.0
 *
 * ldmatrix, stmatrix, movmatrix: 8x8 matrices of 16-bit elements. The machine has the first; the others are lanes that
 * tell each other addresses or elements.
 */
#include "compiler/lower/lower_matrix.h"

bool ldmatrix_form(unsigned k, struct matrix_form *f) {
  static const struct matrix_form forms[] = {
      {"ldmatrix", "trans shared|shared::cta", "", "sync aligned m8n8 x1|x2|x4", "b16", 2, 2, true},
      {"stmatrix", "trans shared|shared::cta", "", "sync aligned m8n8 x1|x2|x4", "b16", 2, 2, true},
      {"movmatrix", "", "", "sync aligned m8n8 trans", "b16", 2, 2, true}};
  if (k < sizeof forms / sizeof *forms) *f = forms[k];
  return k < sizeof forms / sizeof *forms;
}

/* A generic address: it must be one of shared memory. */
static void in_shared(struct lower *l, struct address *a) {
  if (a->space != PTX_GENERIC) return;
  struct ir_insn *g = lower_temp(l, IR_GENERIC, PTX_B64, IR_32, 1, &a->base);
  g->memory.space = PTX_SHARED;
  g->memory.inverse = true;
  a->base = lower_result(g);
  a->space = PTX_SHARED;
}

/* "m8n8.x4.trans.shared.b16", behind ".sync.aligned". False: told. */
static bool read_access(struct lower *l, const struct insn *in, unsigned *n, bool *transposed, enum ptx_space *space) {
  static const char *const counts[] = {"x1", "x2", "x4"};
  struct matrix_words w = matrix_words_of(l, in);
  matrix_sync(&w);
  matrix_expect(&w, "m8n8");
  *n = 1u << matrix_choose(&w, counts, 3);
  *transposed = matrix_take(&w, "trans");
  *space = matrix_space(&w, false);
  matrix_expect(&w, "b16");
  matrix_end(&w);
  if (!w.wrong && in->operands != 2) lower_refuse(l, in, "2 operands are wanted");
  return !w.wrong && in->operands == 2;
}

void lower_ldmatrix(struct lower *l, const struct insn *in) {
  struct ptx_operand list[4];
  struct address a;
  struct ir_value *to[4];
  unsigned n;
  bool transposed;
  enum ptx_space space;
  if (!read_access(l, in, &n, &transposed, &space) || !matrix_registers(l, &in->o[0], n, list) ||
      !lower_address(l, in, &in->o[1], space, &a))
    return;
  in_shared(l, &a);
  for (unsigned k = 0; k < n; k++) to[k] = lower_write(l, &list[k], PTX_B32);
  struct ir_insn *i = lower_emit(l, IR_LDSM, PTX_B32);
  for (unsigned k = 0; k < n; k++) lower_dst(i, to[k]);
  lower_src(i, a.base);
  i->memory.offset = a.offset;
  i->memory.space = PTX_SHARED;
  i->memory.transposed = transposed;
}

/* Under the guard: who does not get here is not waited for. */
static struct ir_operand from_lane(struct lower *l, struct ir_operand a, struct ir_operand lane) {
  const struct ir_operand src[4] = {a, lane, ir_bits(31), ir_bits(UINT32_MAX)};
  struct ir_insn *i = lower_into(l, ir_value_new(l->f, IR_32), IR_SHFL, PTX_B32, 4, src);
  i->lanes.mode = IR_SHFL_IDX;
  return lower_result(i);
}

static struct ir_operand lane_id(struct lower *l) {
  struct ir_insn *id = lower_temp(l, IR_SREG, PTX_U32, IR_32, 0, NULL);
  id->sreg = IR_LANEID;
  return lower_result(id);
}

/* Element `half` of register k of a lane belongs into row `row` of the matrix, whose address lane 8 k + row gives. */
static void store_part(struct lower *l, struct address a, enum ptx_type t, struct ir_operand row, unsigned k,
                       struct ir_operand column, struct ir_operand v) {
  struct ir_operand from = lower_two(l, IR_ADD, PTX_U32, row, ir_bits(8 * (uint64_t)k));
  a.base = lower_three(l, IR_MAD, PTX_U32, column, ir_bits(2), from_lane(l, a.base, from));
  lower_store(l, a, t, v);
}

/* Lane 4 r + c: elements 2 c and 2 c + 1 of row r; transposed: element r of rows 2 c and 2 c + 1. */
void lower_stmatrix(struct lower *l, const struct insn *in) {
  struct ptx_operand list[4];
  struct address a;
  unsigned n;
  bool transposed;
  enum ptx_space space;
  if (!read_access(l, in, &n, &transposed, &space) || !matrix_registers(l, &in->o[1], n, list) ||
      !lower_address(l, in, &in->o[0], space, &a))
    return;
  in_shared(l, &a);
  struct ir_operand lane = lane_id(l), r = lower_two(l, IR_SHR, PTX_U32, lane, ir_bits(2));
  struct ir_operand c = lower_two(l, IR_AND, PTX_B32, lane, ir_bits(3)), c2 = lower_two(l, IR_ADD, PTX_U32, c, c);
  for (unsigned k = 0; k < n; k++) {
    struct ir_operand v = lower_read(l, &list[k], PTX_B32);
    if (!transposed) {
      store_part(l, a, PTX_B32, r, k, c2, v);
      continue;
    }
    store_part(l, a, PTX_U16, c2, k, r, v);
    store_part(l, a, PTX_U16, lower_two(l, IR_ADD, PTX_U32, c2, ir_bits(1)), k, r,
               lower_two(l, IR_SHR, PTX_U32, v, ir_bits(16)));
  }
}

/* Lane 4r + c holds elements 2c and 2c + 1 of row r. Of the transposed matrix those lie in half r mod 2 of the lanes
 * 8c + r / 2 and 4 further. */
void lower_movmatrix(struct lower *l, const struct insn *in) {
  enum { LOWER_HALVES = 0x5410, UPPER_HALVES = 0x7632 };
  struct matrix_words w = matrix_words_of(l, in);
  matrix_sync(&w);
  matrix_expect(&w, "m8n8");
  matrix_expect(&w, "trans");
  matrix_expect(&w, "b16");
  matrix_end(&w);
  if (w.wrong) return;
  if (in->operands != 2) {
    lower_refuse(l, in, "2 operands are wanted");
    return;
  }
  struct ir_operand a = lower_read(l, &in->o[1], PTX_B32);
  struct ir_operand lane = lane_id(l);
  struct ir_operand column = lower_two(l, IR_AND, PTX_B32, lane, ir_bits(3));
  struct ir_operand first =
      lower_three(l, IR_MAD, PTX_U32, column, ir_bits(8), lower_two(l, IR_SHR, PTX_U32, lane, ir_bits(3)));
  struct ir_operand x = from_lane(l, a, first);
  struct ir_operand y = from_lane(l, a, lower_two(l, IR_ADD, PTX_U32, first, ir_bits(4)));
  struct ir_operand odd = lower_three(l, IR_BFE, PTX_U32, lane, ir_bits(2), ir_bits(1));
  struct ir_operand halves =
      lower_three(l, IR_MAD, PTX_U32, odd, ir_bits(UPPER_HALVES - LOWER_HALVES), ir_bits(LOWER_HALVES));
  lower_copy(l, lower_write(l, &in->o[0], PTX_B32), lower_three(l, IR_PRMT, PTX_B32, x, y, halves));
}
