/* SPDX-License-Identifier: Apache-2.0
 * Which machine instructions the RTL has, and the machine: the ISA file knows, and its units. */
#include "compiler/ir/mir.h"

static bool adds_floats(const struct heddle_isa_encoding *enc, const struct mir_insn *i) {
  for (unsigned k = 0; k < enc->n_fields; k++) {
    const enum heddle_isa_field field = (enum heddle_isa_field)enc->fields[k];
    if (field != ISA_F_AOP && field != ISA_F_ROP) continue; /* RED has the numbers of ATOM */
    const uint64_t v = mir_get(i, field);
    return v == ISA_AOP_ADD_F32 || v == ISA_AOP_ADD_F64 || v == ISA_AOP_ADD_F16X2;
  }
  return false;
}

bool mir_in_rtl(const struct mir_function *f, const struct mir_insn *i) {
  const int e = mir_encoding(i);
  if (e < 0) return false;
  if (f->units != 0 && (f->units >> mir_unit(i) & 1) == 0) return false;
  const struct heddle_isa_encoding *enc = heddle_isa_encoding_info((enum heddle_isa_enc)e);
  if (enc->only_model) return false;
  if (f->units != 0 && (f->units >> ISA_PART_FATOM & 1) == 0 && adds_floats(enc, i)) return false;
  const bool copies = i->op == ISA_OP_LDGSTS_E || i->op == ISA_OP_LDGDEPBAR;
  if (f->units != 0 && (f->units >> ISA_PART_ASYNC & 1) == 0 && copies) return false;
  for (unsigned k = 0; k < enc->n_fields; k++) {
    const enum heddle_isa_field field = (enum heddle_isa_field)enc->fields[k];
    const struct heddle_isa_field_info *info = heddle_isa_field_info(field);
    const bool uniform = info->kind >= ISA_K_UGPR_READ && info->kind <= ISA_K_UGUARD;
    if (uniform && f->units != 0 && (f->units >> ISA_UNIT_UNI & 1) == 0) return false;
    if (info->kind != ISA_K_SET) continue;
    const uint64_t v = mir_get(i, field);
    if (v < 256 && heddle_isa_field_legal(field, v) &&
        !(heddle_isa_set_info((enum heddle_isa_set_id)info->set)->rtl[v / 64] >> v % 64 & 1))
      return false;
  }
  return true;
}

bool mir_usable(const struct mir_function *f, const struct mir_insn *i) {
  return f->whole_machine || mir_in_rtl(f, i);
}
