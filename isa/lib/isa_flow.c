/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a decoded word leads, from what the ISA file says of its instruction.
 */
#include <heddle/isa_tables.h>

static bool is_guarded(const struct heddle_isa_dec *d) {
  return d->guard.index != ISA_PT || d->guard.neg;
}

static bool is_never(const struct heddle_isa_dec *d) {
  return d->guard.index == ISA_PT && d->guard.neg;
}

enum heddle_isa_flow heddle_isa_flow_of(const struct heddle_isa_dec *d) {
  return is_never(d) ? ISA_FLOW_NEXT : (enum heddle_isa_flow)heddle_isa_instr_info((enum heddle_isa_op)d->op)->flow;
}

bool heddle_isa_flow_passes(const struct heddle_isa_dec *d) {
  const enum heddle_isa_flow f = heddle_isa_flow_of(d);
  return f == ISA_FLOW_NEXT || f == ISA_FLOW_SYNC || is_guarded(d);
}

bool heddle_isa_flow_target(const struct heddle_isa_dec *d, uint32_t next, int64_t *target) {
  const enum heddle_isa_flow f = heddle_isa_flow_of(d);
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)d->enc);
  if (f != ISA_FLOW_BRANCH && f != ISA_FLOW_CALL) return false;
  if (e->src[0].kind != ISA_NONE) return false; /* a register says it */
  *target = heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, ISA_F_ABS32)
                ? (int64_t)heddle_isa_get(d->word, ISA_F_ABS32)
                : (int64_t)next + heddle_isa_get_signed(d->word, ISA_F_REL);
  return true;
}
