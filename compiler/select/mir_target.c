/* SPDX-License-Identifier: Apache-2.0
 * Which machine instructions the RTL has, and the machine: the ISA file knows, and its units. */
#include "mir.h"

/* Does the operand or result fill more than one register, by its encoding or by a field of the word? */
static bool slot_is_wide(const struct mir_insn *i, const struct isa_slot *s) {
  if (s->kind == ISA_NONE || s->words != 0) return s->words > 1;
  const enum isa_field f = (enum isa_field)s->words_field;
  return isa_set_info((enum isa_set_id)isa_field_info(f)->set)->words[mir_get(i, f)] > 1;
}

enum isa_unit mir_unit(const struct mir_insn *i) {
  const struct isa_instr *in = isa_instr_info((enum isa_op)i->op);
  const int e = in->wide_unit != in->unit ? mir_encoding(i) : -1;
  if (e < 0) return (enum isa_unit)in->unit;
  const struct isa_encoding *enc = isa_encoding_info((enum isa_enc)e);
  bool wide = slot_is_wide(i, &enc->rd);
  for (unsigned o = 0; o < 3; o++) wide = wide || slot_is_wide(i, &enc->src[o]);
  return (enum isa_unit)(wide ? in->wide_unit : in->unit);
}

bool mir_in_rtl(const struct mir_function *f, const struct mir_insn *i) {
  const int e = mir_encoding(i);
  if (e < 0) return false;
  if (f->units != 0 && (f->units >> mir_unit(i) & 1) == 0) return false;
  const struct isa_encoding *enc = isa_encoding_info((enum isa_enc)e);
  if (enc->only_model) return false;
  for (unsigned k = 0; k < enc->n_fields; k++) {
    const enum isa_field field = (enum isa_field)enc->fields[k];
    const struct isa_field_info *info = isa_field_info(field);
    if (info->kind != ISA_K_SET) continue;
    const uint64_t v = mir_get(i, field);
    if (v < 256 && isa_field_legal(field, v) && !(isa_set_info((enum isa_set_id)info->set)->rtl[v / 64] >> v % 64 & 1))
      return false;
  }
  return true;
}

bool mir_usable(const struct mir_function *f, const struct mir_insn *i) {
  return f->whole_machine || mir_in_rtl(f, i);
}
