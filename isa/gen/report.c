/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting, and the comparison of a variant with its base. The text of both is in report_print.c.
 */
#include "report.h"

#include <string.h>

static unsigned bits_in(u128 v) {
  unsigned n = 0;
  for (; v != 0; v &= v - 1) n++;
  return n;
}

static u128 reserved(const struct enc *e) {
  return ~(e->fixed | e->owned);
}

/* Bits that hold numbers: immediates, offsets, branch distances, constant addresses. */
static unsigned number_bits(const struct spec *s, const struct enc *e) {
  unsigned n = 0;
  for (unsigned i = 0; i < e->n_fields; i++) {
    const struct field *f = &s->field[e->fields[i]];
    if (f->kind == K_IMM32 || f->kind == K_UINT || f->kind == K_SINT || f->kind == K_REL || f->kind == K_COFF ||
        f->kind == K_CBANK)
      n += field_width(f);
  }
  return n;
}

static u128 slot_mask(const struct spec *s, const struct slot *sl) {
  u128 m = 0;
  if (sl->kind != SLOT_NONE && sl->kind != SLOT_CONST) m |= field_mask(&s->field[sl->field]);
  for (unsigned i = 0; sl->kind == SLOT_CONST && i < s->n_fields; i++)
    if (s->field[i].kind == K_COFF || s->field[i].kind == K_CBANK) m |= field_mask(&s->field[i]);
  return m;
}

/* What the format owns whatever the instruction: negate, absolute and part fields are up to that. */
static u128 format_mask(const struct spec *s, const struct format *f) {
  u128 m = 0;
  for (unsigned i = 0; i < f->n_fixed; i++) m |= field_mask(&s->field[f->fixed[i].field]);
  for (unsigned i = 0; i < f->n_owned; i++) m |= field_mask(&s->field[f->owned[i]]);
  for (unsigned i = 0; i < 3; i++) m |= slot_mask(s, &f->src[i]);
  for (unsigned i = 0; i < s->n_always; i++) m |= field_mask(&s->field[s->always[i]]);
  for (unsigned i = 0; i < s->n_keys; i++) m |= field_mask(&s->field[s->key[i]]);
  return m;
}

static void count_encoding(const struct spec *s, const struct enc *e, struct report *r) {
  struct format_report *f = &r->format[e->format];
  unsigned n = bits_in(reserved(e)), numbers = number_bits(s, e);
  if (f->encodings == 0 || n < f->reserved_least) f->reserved_least = n;
  if (n > f->reserved_most) f->reserved_most = n;
  if (numbers > f->immediate_bits) f->immediate_bits = numbers;
  f->reserved_always &= reserved(e);
  f->encodings++;
  f->only_model += e->only_model;
  if (n < r->reserved_least) r->reserved_least = n;
  if (n > r->reserved_most) r->reserved_most = n;
  r->never_used &= reserved(e);
  r->model_encodings += e->only_model;
}

/* Registers that every field of the kinds can name; all ones is RZ. 0: no such field. */
static unsigned nameable_registers(const struct spec *s, enum kind read, enum kind write) {
  unsigned least = 0;
  for (unsigned i = 0; i < s->n_fields; i++) {
    const struct field *f = &s->field[i];
    unsigned n = (1u << (field_width(f) & 31u)) - 1;
    if ((f->kind == read || f->kind == write) && (least == 0 || n < least)) least = n;
  }
  return least;
}

static unsigned opcodes_used(const struct spec *s) {
  unsigned n = 0;
  for (unsigned i = 0; i < s->n_encs; i++) {
    bool first = true;
    for (unsigned k = 0; k < i; k++) first = first && s->enc[k].key != s->enc[i].key;
    n += first;
  }
  return n;
}

static unsigned model_values(const struct spec *s) {
  unsigned n = 0;
  for (unsigned i = 0; i < s->n_sets; i++)
    for (unsigned v = 0; v < SPEC_TOKENS_MAX; v++) n += s->set[i].legal[v] && !s->set[i].rtl[v];
  return n;
}

void report_make(const struct spec *s, struct report *r) {
  *r = (struct report){.instructions = s->n_insns,
                       .encodings = s->n_encs,
                       .model_values = model_values(s),
                       .opcode_bits = s->key_bits,
                       .opcodes_used = opcodes_used(s),
                       .registers = nameable_registers(s, K_GPR_READ, K_GPR_WRITE),
                       .uniform_registers = nameable_registers(s, K_UGPR_READ, K_UGPR_WRITE),
                       .reserved_least = SPEC_WORD_BITS,
                       .never_used = ~(u128)0};
  r->opcodes_free = (1u << s->key_bits) - r->opcodes_used;
  for (unsigned i = 0; i < s->n_formats; i++) {
    r->format[i].free_bits = SPEC_WORD_BITS - bits_in(format_mask(s, &s->format[i]));
    r->format[i].reserved_always = ~(u128)0;
  }
  for (unsigned i = 0; i < s->n_encs; i++) count_encoding(s, &s->enc[i], r);
  for (unsigned i = 0; i < s->n_insns; i++) r->model_instructions += s->insn[i].only_model;
}

const char *report_base(const struct spec *s) {
  return s->n_files > 1 ? s->file[1] : NULL;
}

/* Registers that can no longer be named. */
static unsigned lost(unsigned before, unsigned now) {
  return now < before ? before - now : 0;
}

static unsigned added(unsigned before, unsigned now) {
  return lost(now, before);
}

void report_compare(const struct spec *base, const struct spec *s, struct changes *c) {
  *c = (struct changes){.registers_lost = lost(nameable_registers(base, K_GPR_READ, K_GPR_WRITE),
                                               nameable_registers(s, K_GPR_READ, K_GPR_WRITE)),
                        .uniform_registers_lost = lost(nameable_registers(base, K_UGPR_READ, K_UGPR_WRITE),
                                                       nameable_registers(s, K_UGPR_READ, K_UGPR_WRITE)),
                        .instructions_added = added(base->n_insns, s->n_insns),
                        .encodings_added = added(base->n_encs, s->n_encs)};
  for (unsigned i = 0; i < s->n_fields; i++) {
    unsigned k = spec_field(base, s->field[i].name);
    struct field_change f = {k == SPEC_NONE ? NULL : &base->field[k], &s->field[i]};
    if (f.was == NULL)
      c->added++;
    else if (field_width(f.is) < field_width(f.was))
      c->narrowed++;
    else if (f.is->lo != f.was->lo)
      c->moved++;
    else
      continue;
    c->field[c->n++] = f;
  }
}
