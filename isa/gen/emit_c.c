/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle/isa_gen.h (enumerations) and isa_sem.h (operation list).
 */

#include "isa/gen/emit.h"
#include "isa/gen/names.h"

bool emit_field_has_check(const struct spec *s, const struct field *f, bool rtl) {
  if (f->kind == K_SBSET || f->kind == K_COFF) return true;
  if (f->kind != K_SET) return false;
  const bool *known = rtl ? s->set[f->set].rtl : s->set[f->set].legal;
  for (unsigned v = 0; v < (1u << field_width(f)); v++)
    if (!known[v]) return true;
  return false;
}

unsigned emit_owned(const struct spec *s, const struct enc *e, const char *name) {
  unsigned f = spec_field(s, name);
  return f != SPEC_NONE && enc_owns(e, f) ? f : SPEC_NONE;
}

unsigned emit_coff_field(const struct spec *s, const struct enc *e) {
  unsigned f = enc_field_of_kind(s, e, K_COFF);
  if (f != SPEC_NONE || enc_field_of_kind(s, e, K_CBANK) == SPEC_NONE) return f;
  return emit_owned(s, e, "coff16");
}

static void emit_banner(FILE *f, const char *what) {
  fprintf(f, "/* Generated from the ISA file; do not edit. %s */\n", what);
}

static void enums(const struct spec *s, FILE *f) {
  fprintf(f, "\nenum heddle_isa_op {\n");
  for (unsigned i = 0; i < s->n_insns; i++) fprintf(f, "  ISA_OP_%s = %u,\n", ident_upper(s->insn[i].name).s, i);
  fprintf(f, "  ISA_OP_COUNT = %u\n};\n\nenum heddle_isa_unit {\n", s->n_insns);
  for (unsigned i = 0; i < s->n_units; i++) fprintf(f, "  ISA_UNIT_%s = %u,\n", ident_upper(s->unit[i].name).s, i);
  fprintf(f, "  ISA_UNIT_COUNT = %u\n};\n\n/* Instruction and format. */\nenum heddle_isa_enc {\n", s->n_units);
  for (unsigned i = 0; i < s->n_encs; i++) fprintf(f, "  ISA_ENC_%s = %u,\n", ident_enc(s, &s->enc[i]).s, i);
  fprintf(f, "  ISA_ENC_COUNT = %u\n};\n\nenum heddle_isa_field {\n", s->n_encs);
  for (unsigned i = 0; i < s->n_fields; i++) fprintf(f, "  ISA_F_%s = %u,\n", ident_upper(s->field[i].name).s, i);
  fprintf(f, "  ISA_F_COUNT = %u\n};\n\n/* Space and kind of a memory access. */\nenum heddle_isa_mem {\n",
          s->n_fields);
  for (unsigned i = 0; i <= s->n_mems; i++) fprintf(f, "  ISA_MEM_%s = %u,\n", ident_mem(s, i).s, i);
  fprintf(f, "  ISA_MEM_COUNT = %u\n};\n\n", s->n_mems + 1);
  fprintf(f, "/* Where a warp goes on; see isa/doc/00-isa-file.md. */\nenum heddle_isa_flow {\n");
  for (unsigned i = 0; spec_flows[i] != NULL; i++) fprintf(f, "  ISA_FLOW_%s = %u,\n", ident_upper(spec_flows[i]).s, i);
  fprintf(f, "};\n\nenum heddle_isa_set_id {\n");
  for (unsigned i = 0; i < s->n_sets; i++) fprintf(f, "  ISA_SET_%s = %u,\n", ident_upper(s->set[i].name).s, i);
  fprintf(f, "  ISA_SET_COUNT = %u\n};\n", s->n_sets);
}

void emit_gen_h(const struct spec *s, FILE *f) {
  emit_banner(f, "Enumerations of the instruction set.");
  fprintf(
      f,
      "#ifndef ISA_GEN_H\n#define ISA_GEN_H\n\n#define ISA_NAME \"%s\"\n#define ISA_STEP %uu /* bytes: of it, PCs are "
      "multiples */\n",
      s->name, s->n_short_rows != 0 ? 8u : 16u);
  enums(s, f);
  for (unsigned i = 0; i < s->n_sets; i++) {
    const struct set *set = &s->set[i];
    fprintf(f, "\nenum heddle_isa_%s {\n", ident_lower(set->name).s);
    const char *comma = "";
    for (unsigned v = 0; v < SPEC_TOKENS_MAX; v++) {
      if (!set->legal[v]) continue;
      fprintf(f, "%s  ISA_%s = %u", comma, ident_value(set, v).s, v);
      comma = ",\n";
    }
    fprintf(f, "\n};\n");
  }
  fprintf(f, "\n#endif\n");
}

void emit_sem_h(const struct spec *s, FILE *f) {
  emit_banner(f, "X(op, sem): the C function that each instruction needs.");
  fprintf(f, "#ifndef ISA_SEM_H\n#define ISA_SEM_H\n\n#define ISA_SEM_LIST(X)");
  for (unsigned i = 0; i < s->n_insns; i++)
    fprintf(f, " \\\n  X(%s, %s)", ident_upper(s->insn[i].name).s, s->insn[i].sem);
  fprintf(f, "\n\n#endif\n");
}

/* GTKWave translate filters: "value text" a line, values in the radix that the wave shows (hex). */
void emit_wave_ops(const struct spec *s, FILE *f) {
  for (unsigned i = 0; i < s->n_insns; i++) fprintf(f, "%02X %s\n", i, s->insn[i].name);
}

void emit_wave_units(const struct spec *s, FILE *f) {
  for (unsigned i = 0; i < s->n_units; i++) fprintf(f, "%X %s\n", i, ident_upper(s->unit[i].name).s);
}

/* Mappings of Surfer: a name, the width of the signals that they are for, "value text" a line. */
void emit_surfer_ops(const struct spec *s, FILE *f) {
  fprintf(f, "Name = Heddle op\nBits = 8\n");
  for (unsigned i = 0; i < s->n_insns; i++) fprintf(f, "0x%02x %s\n", i, s->insn[i].name);
}

void emit_surfer_units(const struct spec *s, FILE *f) {
  fprintf(f, "Name = Heddle unit\nBits = 4\n");
  for (unsigned i = 0; i < s->n_units; i++) fprintf(f, "0x%x %s\n", i, ident_upper(s->unit[i].name).s);
}
