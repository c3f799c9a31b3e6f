/* SPDX-License-Identifier: Apache-2.0
 * Which machine instructions the RTL has: the ISA file knows. */
#include "mir.h"

bool mir_in_rtl(const struct mir_insn *i) {
  const int e = mir_encoding(i);
  if (e < 0) return false;
  const struct isa_encoding *enc = isa_encoding_info((enum isa_enc)e);
  if (enc->only_model) return false;
  for (unsigned k = 0; k < enc->n_fields; k++) {
    const enum isa_field f = (enum isa_field)enc->fields[k];
    const struct isa_field_info *info = isa_field_info(f);
    if (info->kind != ISA_K_SET) continue;
    const uint64_t v = mir_get(i, f);
    if (v < 256 && isa_field_legal(f, v) && !(isa_set_info((enum isa_set_id)info->set)->rtl[v / 64] >> v % 64 & 1))
      return false;
  }
  return true;
}

bool mir_usable(const struct mir_function *f, const struct mir_insn *i) {
  return f->whole_machine || mir_in_rtl(i);
}
