/* SPDX-License-Identifier: Apache-2.0
 * Which machine instructions the RTL has, and the machine: the ISA file knows, and its units. */
#include "mir.h"

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
