/* SPDX-License-Identifier: Apache-2.0
 *
 * What the machine does element by element: pairs of F32 in a 64-bit register, atomics of vectors (PTX says of each
 * element alone that it is atomic), registers of 128 bits, which are two of 64.
 */
#include <string.h>

#include "compiler/lower/lower.h"

void lower_singles(struct lower *l, const struct insn *in) {
  struct ir_operand half[3][2], sum[2];
  const unsigned n = in->operands - 1;
  for (unsigned k = 0; k < n; k++) {
    struct ir_operand pair = lower_read(l, &in->o[k + 1], PTX_B64);
    struct ir_insn *i = lower_temp(l, IR_UNPACK, PTX_B64, IR_32, 1, &pair);
    lower_dst(i, ir_value_new(l->f, IR_32));
    for (unsigned h = 0; h < 2; h++) half[k][h] = ir_use(i->dst[h]);
  }
  for (unsigned h = 0; h < 2; h++) {
    struct ir_operand src[3];
    for (unsigned k = 0; k < n; k++) src[k] = half[k][h];
    struct ir_insn *i = lower_temp(l, (enum ir_op)in->row->op, PTX_F32, IR_32, n, src);
    i->arithmetic.round = in->w.value[K_ROUND];
    i->arithmetic.ftz = given(in, K_FTZ);
    sum[h] = lower_result(i);
  }
  lower_into(l, lower_write(l, &in->o[0], PTX_B64), IR_PACK, PTX_B64, 2, sum);
}

/* ---- atomics ---- */

static unsigned element_bytes(const struct insn *in) {
  if (given(in, K_BF16)) return in->w.value[K_BF16] == BF16_PAIR ? 4 : 2;
  return ptx_type_bytes(in->type);
}

/* What one element gets must not be what another adds. */
static bool elements_apart(const struct ptx_operand *got, const struct ptx_operand *added, unsigned n) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned j = k + 1; j < n; j++)
      if (got[k].kind == PTX_OP_NAME && added[j].kind == PTX_OP_NAME && got[k].name == added[j].name) return false;
  return true;
}

static void one_element(struct lower *l, const struct insn *in, struct ptx_operand *o, unsigned bytes) {
  struct insn each = *in;
  each.o = o;
  each.w.given &= ~GIVEN(K_VECTOR);
  if (bytes == 2 || given(in, K_BF16))
    lower_atom_loop(l, &each);
  else
    lower_atom(l, &each);
}

void lower_atom_vector(struct lower *l, const struct insn *in) {
  const unsigned n = in->w.value[K_VECTOR], bytes = element_bytes(in), first = in->row->op == IR_RED ? 0 : 1;
  struct ptx_operand got[8] = {{.kind = PTX_OP_SINK}}, added[8], o[3];
  if (!given(in, K_SPACE) || in->w.value[K_SPACE] != PTX_GLOBAL || in->operands != first + 2) {
    lower_refuse(l, in, "vectors are of .global memory");
    return;
  }
  if (!lower_elements(l, in, &in->o[first + 1], n, added)) return;
  if (first && in->o[0].kind != PTX_OP_SINK && !lower_elements(l, in, &in->o[0], n, got)) return;
  if (first && in->o[0].kind != PTX_OP_SINK && !elements_apart(got, added, n)) {
    lower_refuse(l, in, "a result that a later element adds is not supported");
    return;
  }
  struct ir_value *const guard = l->guard;
  const bool invert = l->guard_invert;
  for (unsigned k = 0; k < n; k++) {
    memcpy(o, in->o, in->operands * sizeof *o);
    if (first) o[0] = in->o[0].kind == PTX_OP_SINK ? in->o[0] : got[k];
    o[first].bits += (uint64_t)k * bytes;
    o[first + 1] = added[k];
    l->guard = guard; /* a loop uses it up */
    l->guard_invert = invert;
    one_element(l, in, o, bytes);
  }
}

/* ---- 128 bits ---- */

void lower_mov_128(struct lower *l, const struct insn *in) {
  struct ptx_operand to[2], from[2];
  struct ir_operand v[2];
  if (!lower_elements(l, in, &in->o[0], 2, to) || !lower_elements(l, in, &in->o[1], 2, from)) return;
  for (unsigned k = 0; k < 2; k++) v[k] = lower_one(l, IR_COPY, PTX_B64, lower_read(l, &from[k], PTX_B64));
  for (unsigned k = 0; k < 2; k++)
    if (to[k].kind != PTX_OP_SINK) lower_into(l, lower_write(l, &to[k], PTX_B64), IR_COPY, PTX_B64, 1, &v[k]);
}
