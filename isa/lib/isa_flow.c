/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a decoded word leads, from what the ISA file says of its instruction.
 */
#include <heddle/isa_tables.h>

static bool is_guarded(const struct isa_dec *d) {
  return d->guard.index != ISA_PT || d->guard.neg;
}

static bool is_never(const struct isa_dec *d) {
  return d->guard.index == ISA_PT && d->guard.neg;
}

enum isa_flow isa_flow_of(const struct isa_dec *d) {
  return is_never(d) ? ISA_FLOW_NEXT : (enum isa_flow)isa_instr_info((enum isa_op)d->op)->flow;
}

bool isa_flow_passes(const struct isa_dec *d) {
  const enum isa_flow f = isa_flow_of(d);
  return f == ISA_FLOW_NEXT || f == ISA_FLOW_SYNC || is_guarded(d);
}

bool isa_flow_target(const struct isa_dec *d, uint32_t next, int64_t *target) {
  const enum isa_flow f = isa_flow_of(d);
  const struct isa_encoding *e = isa_encoding_info((enum isa_enc)d->enc);
  if (f != ISA_FLOW_BRANCH && f != ISA_FLOW_CALL) return false;
  if (e->src[0].kind != ISA_NONE) return false; /* a register says it */
  *target = isa_enc_owns((enum isa_enc)d->enc, ISA_F_ABS32) ? (int64_t)isa_get(d->word, ISA_F_ABS32)
                                                            : (int64_t)next + isa_get_signed(d->word, ISA_F_REL);
  return true;
}
