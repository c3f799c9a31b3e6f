/* SPDX-License-Identifier: Apache-2.0
 *
 * Accessors to the tables: names, lookups.
 */
#include <assert.h>
#include <string.h>

#include "isa/lib/isa_internal.h"

const char *heddle_isa_op_name(enum heddle_isa_op op) {
  return heddle_isa_instr_info(op)->name;
}

const char *heddle_isa_unit_name(enum heddle_isa_unit u) {
  assert((unsigned)u < ISA_UNIT_COUNT);
  return isa_unit_names[u];
}

bool heddle_isa_unit_is_variable(enum heddle_isa_unit u) {
  assert((unsigned)u < ISA_UNIT_COUNT);
  return isa_unit_latency[u] == 1;
}

uint64_t heddle_isa_hash(void) {
  return isa_hash_value;
}

const struct heddle_isa_instr *heddle_isa_instr_info(enum heddle_isa_op op) {
  assert((unsigned)op < ISA_OP_COUNT);
  return &isa_instr_table[op];
}

const struct heddle_isa_encoding *heddle_isa_encoding_info(enum heddle_isa_enc enc) {
  assert((unsigned)enc < ISA_ENC_COUNT);
  return &isa_encoding_table[enc];
}

const struct heddle_isa_field_info *heddle_isa_field_info(enum heddle_isa_field f) {
  assert((unsigned)f < ISA_F_COUNT);
  return &isa_field_table[f];
}

const struct heddle_isa_set *heddle_isa_set_info(enum heddle_isa_set_id s) {
  assert((unsigned)s < ISA_SET_COUNT);
  return &isa_set_table[s];
}

unsigned heddle_isa_field_width(enum heddle_isa_field f) {
  const struct heddle_isa_field_info *fi = heddle_isa_field_info(f);
  return fi->hi - fi->lo + 1u;
}

static bool is_signed(enum heddle_isa_field f) {
  const unsigned kind = heddle_isa_field_info(f)->kind;
  return kind == ISA_K_SINT || kind == ISA_K_REL;
}

int64_t heddle_isa_value(struct heddle_isa_word w, enum heddle_isa_field f) {
  return is_signed(f) ? heddle_isa_get_signed(w, f) : (int64_t)heddle_isa_get(w, f);
}

int64_t heddle_isa_field_most(enum heddle_isa_field f) {
  const unsigned bits = heddle_isa_field_width(f) - (is_signed(f) ? 1 : 0);
  return bits >= 63 ? INT64_MAX : (INT64_C(1) << bits) - 1;
}

bool heddle_isa_field_fits(enum heddle_isa_field f, int64_t value) {
  const int64_t most = heddle_isa_field_most(f);
  return value <= most && value >= (is_signed(f) ? -most - 1 : 0);
}

/* The smallest of the highest numbers that fields of either kind hold. */
static int64_t least_most(unsigned kind, unsigned other) {
  int64_t least = INT64_MAX;
  for (unsigned f = 0; f < ISA_F_COUNT; f++)
    if (isa_field_table[f].kind == kind || isa_field_table[f].kind == other) {
      const int64_t most = heddle_isa_field_most((enum heddle_isa_field)f);
      if (most < least) least = most;
    }
  return least;
}

unsigned heddle_isa_registers(bool uniform) {
  return (unsigned)least_most(uniform ? ISA_K_UGPR_READ : ISA_K_GPR_READ, uniform ? ISA_K_UGPR_WRITE : ISA_K_GPR_WRITE);
}

unsigned heddle_isa_convergence_barriers(void) {
  return (unsigned)least_most(ISA_K_BREG, ISA_K_BREG) + 1;
}

const char *heddle_isa_kind_prefix(unsigned kind) {
  switch (kind) {
  case ISA_K_GPR_READ:
  case ISA_K_GPR_WRITE:
    return "R";
  case ISA_K_UGPR_READ:
  case ISA_K_UGPR_WRITE:
    return "UR";
  case ISA_K_GUARD:
  case ISA_K_PRED_READ:
  case ISA_K_PRED_WRITE:
    return "P";
  case ISA_K_UGUARD:
  case ISA_K_UPRED_READ:
  case ISA_K_UPRED_WRITE:
    return "UP";
  case ISA_K_BREG:
    return "B";
  default:
    return NULL;
  }
}

uint64_t heddle_isa_field_default(enum heddle_isa_field f) {
  switch (heddle_isa_field_info(f)->kind) {
  case ISA_K_GUARD:
  case ISA_K_UGUARD:
  case ISA_K_PRED_READ:
  case ISA_K_PRED_WRITE:
  case ISA_K_UPRED_READ:
  case ISA_K_UPRED_WRITE:
    return ISA_PT;
  case ISA_K_SBSET:
    return 7;
  case ISA_K_GPR_READ:
  case ISA_K_GPR_WRITE:
  case ISA_K_UGPR_READ:
  case ISA_K_UGPR_WRITE:
    return (UINT64_C(1) << heddle_isa_field_width(f)) - 1;
  default:
    return 0;
  }
}

bool heddle_isa_enc_owns(enum heddle_isa_enc enc, enum heddle_isa_field f) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info(enc);
  return memchr(e->fields, (int)f, e->n_fields) != NULL;
}

bool heddle_isa_enc_reads_preds(enum heddle_isa_enc enc) {
  const uint8_t *ps = heddle_isa_encoding_info(enc)->ps;
  return ps[0] != ISA_FIELD_NONE || ps[1] != ISA_FIELD_NONE || ps[2] != ISA_FIELD_NONE;
}

enum heddle_isa_op heddle_isa_op_find(const char *name) {
  unsigned op = 0;
  while (op < ISA_OP_COUNT && strcmp(isa_instr_table[op].name, name) != 0) op++;
  return (enum heddle_isa_op)op;
}

const char *heddle_isa_set_text(enum heddle_isa_set_id s, unsigned value) {
  const struct heddle_isa_set *set = heddle_isa_set_info(s);
  for (unsigned i = 0; i < set->n_tokens; i++)
    if (set->tokens[i].value == value && set->tokens[i].canonical) return set->tokens[i].text;
  return NULL;
}

bool heddle_isa_set_value(enum heddle_isa_set_id s, const char *text, unsigned *value) {
  const struct heddle_isa_set *set = heddle_isa_set_info(s);
  for (unsigned i = 0; i < set->n_tokens; i++)
    if (strcmp(set->tokens[i].text, text) == 0) {
      *value = set->tokens[i].value;
      return true;
    }
  return false;
}

const char *heddle_isa_mem_name(enum heddle_isa_mem m) {
  assert((unsigned)m < ISA_MEM_COUNT);
  return isa_mem_names[m];
}
