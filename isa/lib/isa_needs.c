/* SPDX-License-Identifier: Apache-2.0
 * What a machine must have to execute a word. */
#include <stddef.h>

#include <heddle/isa_tables.h>

bool isa_adds_floats(const struct isa_dec *d) {
  const struct isa_encoding *e = isa_encoding_info((enum isa_enc)d->enc);
  for (unsigned i = 0; i < e->n_fields; i++) {
    if (e->fields[i] != ISA_F_AOP && e->fields[i] != ISA_F_ROP) continue;
    const uint64_t v = isa_get(d->word, (enum isa_field)e->fields[i]);
    if (e->fields[i] == ISA_F_AOP) return v == ISA_AOP_ADD_F32 || v == ISA_AOP_ADD_F64 || v == ISA_AOP_ADD_F16X2;
    return v == ISA_ROP_ADD_F32 || v == ISA_ROP_ADD_F64 || v == ISA_ROP_ADD_F16X2;
  }
  return false;
}

bool isa_is_async(const struct isa_dec *d) {
  return d->op == ISA_OP_LDGSTS_E || d->op == ISA_OP_LDGDEPBAR;
}

static bool names_uniform(const struct isa_dec *d) {
  bool any = d->uniform || d->rd_uniform || d->pd_uniform || d->ps_uniform;
  for (unsigned i = 0; i < 3; i++) any = any || d->src[i].kind == ISA_UREG;
  return any;
}

/* Of what any machine of RTL may have or not. */
static uint32_t needs_units(const struct isa_dec *d) {
  const uint32_t uniform = names_uniform(d) ? 1u << ISA_UNIT_UNI : 0;
  const uint32_t adders = isa_adds_floats(d) ? 1u << ISA_PART_FATOM : 0;
  const uint32_t copies = isa_is_async(d) ? 1u << ISA_PART_ASYNC : 0;
  return 1u << d->unit | uniform | adders | copies;
}

uint32_t isa_needs(const struct isa_dec *d) {
  return needs_units(d) | (isa_in_rtl(d) ? 0 : 1u << ISA_PART_MODEL);
}

const char *isa_need_name(unsigned bit) {
  if (bit < ISA_UNIT_COUNT) return isa_unit_name((enum isa_unit)bit);
  if (bit == ISA_PART_ASYNC) return "async";
  return bit == ISA_PART_FATOM ? "fatom" : bit == ISA_PART_MODEL ? "model" : NULL;
}

bool isa_has_units(const struct isa_dec *d, uint32_t units) {
  return (needs_units(d) & ~units) == 0;
}

bool isa_in_machine(const struct isa_dec *d, uint32_t units) {
  return isa_has_units(d, units) && isa_in_rtl(d);
}

static int last_uniform(uint8_t reg, uint8_t words) {
  return reg == ISA_RZ ? -1 : reg + words - 1;
}

int isa_max_uniform(const struct isa_dec *d) {
  int most = d->has_rd && d->rd_uniform ? last_uniform(d->rd, d->rd_words) : -1;
  for (unsigned i = 0; i < 3; i++) {
    const int last = d->src[i].kind == ISA_UREG ? last_uniform(d->src[i].reg, d->src[i].words) : -1;
    if (last > most) most = last;
  }
  return most;
}
