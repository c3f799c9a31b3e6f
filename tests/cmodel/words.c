/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include <heddle/isa_tables.h>

static struct heddle_isa_word defaults(enum heddle_isa_enc enc) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info(enc);
  struct heddle_isa_word w = e->match;
  for (unsigned i = 0; i < e->n_fields; i++) {
    const enum heddle_isa_field f = (enum heddle_isa_field)e->fields[i];
    switch (heddle_isa_field_info(f)->kind) {
    case ISA_K_GPR_READ:
    case ISA_K_GPR_WRITE:
    case ISA_K_UGPR_READ:
    case ISA_K_UGPR_WRITE:
      w = heddle_isa_put(w, f, ~UINT64_C(0));
      break;
    case ISA_K_GUARD:
    case ISA_K_UGUARD:
    case ISA_K_UPRED_READ:
    case ISA_K_UPRED_WRITE:
    case ISA_K_PRED_READ:
    case ISA_K_PRED_WRITE:
    case ISA_K_SBSET:
      w = heddle_isa_put(w, f, 7);
      break;
    default:
      break;
    }
  }
  return w;
}

struct heddle_isa_word word_make(enum heddle_isa_enc enc, unsigned n, const uint64_t *pairs) {
  struct heddle_isa_word w = defaults(enc);
  for (unsigned i = 0; i < n; i++) w = heddle_isa_put(w, (enum heddle_isa_field)pairs[2 * i], pairs[2 * i + 1]);
  return w;
}

struct heddle_isa_word word_guard(struct heddle_isa_word w, unsigned p, bool neg) {
  return heddle_isa_put(w, ISA_F_PG, p | (neg ? 8u : 0));
}
