/* SPDX-License-Identifier: Apache-2.0
 * What a machine must have to execute a word. */
#include <stddef.h>

#include <heddle/isa_tables.h>

bool heddle_isa_adds_floats(const struct heddle_isa_dec *d) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)d->enc);
  for (unsigned i = 0; i < e->n_fields; i++) {
    if (e->fields[i] != ISA_F_AOP && e->fields[i] != ISA_F_ROP) continue;
    const uint64_t v = heddle_isa_get(d->word, (enum heddle_isa_field)e->fields[i]);
    if (e->fields[i] == ISA_F_AOP) return v == ISA_AOP_ADD_F32 || v == ISA_AOP_ADD_F64 || v == ISA_AOP_ADD_F16X2;
    return v == ISA_ROP_ADD_F32 || v == ISA_ROP_ADD_F64 || v == ISA_ROP_ADD_F16X2;
  }
  return false;
}

bool heddle_isa_is_async(const struct heddle_isa_dec *d) {
  return d->op == ISA_OP_LDGSTS_E || d->op == ISA_OP_LDGDEPBAR;
}

static bool names_uniform(const struct heddle_isa_dec *d) {
  bool any = d->uniform || d->rd_uniform || d->pd_uniform || d->ps_uniform;
  for (unsigned i = 0; i < 3; i++) any = any || d->src[i].kind == ISA_UREG;
  return any;
}

/* Of what any machine of RTL may have or not. */
static uint32_t needs_units(const struct heddle_isa_dec *d) {
  const uint32_t uniform = names_uniform(d) ? 1u << ISA_UNIT_UNI : 0;
  const uint32_t adders = heddle_isa_adds_floats(d) ? 1u << ISA_PART_FATOM : 0;
  const uint32_t copies = heddle_isa_is_async(d) ? 1u << ISA_PART_ASYNC : 0;
  return 1u << d->unit | uniform | adders | copies;
}

uint32_t heddle_isa_needs(const struct heddle_isa_dec *d) {
  return needs_units(d) | (heddle_isa_in_rtl(d) ? 0 : 1u << ISA_PART_MODEL);
}

const char *heddle_isa_need_name(unsigned bit) {
  if (bit < ISA_UNIT_COUNT) return heddle_isa_unit_name((enum heddle_isa_unit)bit);
  if (bit == ISA_PART_ASYNC) return "async";
  return bit == ISA_PART_FATOM ? "fatom" : bit == ISA_PART_MODEL ? "model" : NULL;
}

bool heddle_isa_has_units(const struct heddle_isa_dec *d, uint32_t units) {
  return (needs_units(d) & ~units) == 0;
}

bool heddle_isa_in_machine(const struct heddle_isa_dec *d, uint32_t units) {
  return heddle_isa_has_units(d, units) && heddle_isa_in_rtl(d);
}

static int last_uniform(uint8_t reg, uint8_t words) {
  return reg == ISA_RZ ? -1 : reg + words - 1;
}

int heddle_isa_max_uniform(const struct heddle_isa_dec *d) {
  int most = d->has_rd && d->rd_uniform ? last_uniform(d->rd, d->rd_words) : -1;
  for (unsigned i = 0; i < 3; i++) {
    const int last = d->src[i].kind == ISA_UREG ? last_uniform(d->src[i].reg, d->src[i].words) : -1;
    if (last > most) most = last;
  }
  return most;
}
