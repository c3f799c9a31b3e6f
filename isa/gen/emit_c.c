/* SPDX-License-Identifier: Apache-2.0
 *
 * For C: heddle/isa_gen.h, isa_sem.h, isa_tables.c, and the lists of wave viewers; names in the generated code.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "isa/gen/emit.h"

static struct ident convert_case(const char *name, int (*f)(int)) {
  struct ident id = {""};
  size_t n = 0;
  for (; name[n] != '\0' && n + 1 < sizeof id.s; n++) id.s[n] = name[n] == '.' ? '_' : (char)f((unsigned char)name[n]);
  id.s[n] = '\0';
  return id;
}

struct ident ident_upper(const char *name) {
  return convert_case(name, toupper);
}
struct ident ident_lower(const char *name) {
  return convert_case(name, tolower);
}

struct ident ident_value(const struct set *set, unsigned value) {
  const char *text = "";
  for (unsigned i = 0; i < set->n_tokens && text[0] == '\0'; i++)
    if (set->token[i].value == value) text = set->token[i].text;
  struct ident token = ident_upper(text[0] == '\0' ? "NONE" : text + (text[0] == '.'));
  struct ident id = ident_upper(set->name);
  size_t n = strlen(id.s);
  (void)snprintf(id.s + n, sizeof id.s - n, "_%.31s", token.s);
  return id;
}

/* OP_FORMAT */
static struct ident ident_enc(const struct spec *s, const struct enc *e) {
  struct ident id = ident_upper(s->insn[e->insn].name), f = ident_upper(s->format[e->format].name);
  size_t n = strlen(id.s);
  (void)snprintf(id.s + n, sizeof id.s - n, "_%.31s", f.s);
  return id;
}

struct ident ident_mem(const struct spec *s, unsigned mem) {
  return ident_upper(mem == 0 ? "none" : s->mem[mem - 1]);
}

/* A growing list of identifiers with where they came from. */
struct bag {
  size_t n, room;
  struct ident *id;
};

static bool put_ident(struct bag *b, const char *prefix, struct ident id, struct pos at, struct diag *d) {
  struct ident full;
  (void)snprintf(full.s, sizeof full.s, "%s%.*s", prefix, (int)(sizeof full.s - 8), id.s);
  for (size_t i = 0; i < b->n; i++)
    if (strcmp(b->id[i].s, full.s) == 0)
      return diag_fail(d, at, "two things would both be called %s in the generated code; rename one", full.s);
  if (!array_room(&b->id, &b->room, b->n + 1, sizeof *b->id)) return diag_fail(d, at, "out of memory");
  b->id[b->n++] = full;
  return true;
}

static bool put_all(const struct spec *s, struct bag *b, struct diag *d) {
  const struct pos top = {s->file[0], 0};
  for (unsigned i = 0; i < s->n_units; i++)
    if (!put_ident(b, "UNIT_", ident_upper(s->unit[i].name), top, d)) return false;
  for (unsigned i = 0; i <= s->n_mems; i++)
    if (!put_ident(b, "MEM_", ident_mem(s, i), top, d)) return false;
  for (unsigned i = 0; i < s->n_insns; i++)
    if (!put_ident(b, "OP_", ident_upper(s->insn[i].name), s->insn[i].at, d)) return false;
  for (unsigned i = 0; i < s->n_encs; i++)
    if (!put_ident(b, "ENC_", ident_enc(s, &s->enc[i]), s->insn[s->enc[i].insn].at, d)) return false;
  for (unsigned i = 0; i < s->n_fields; i++)
    if (!put_ident(b, "F_", ident_upper(s->field[i].name), s->field[i].at, d)) return false;
  for (unsigned i = 0; i < s->n_sets; i++) {
    if (!put_ident(b, "SET_", ident_upper(s->set[i].name), s->set[i].at, d)) return false;
    for (unsigned v = 0; v < SPEC_TOKENS_MAX; v++)
      if (s->set[i].legal[v] && !put_ident(b, "", ident_value(&s->set[i], v), s->set[i].at, d)) return false;
  }
  return true;
}

bool names_check(const struct spec *s, struct diag *d) {
  /* Prefixes that the generated code uses for itself. */
  static const char *const taken[] = {
      "src",  "isa", "sem",   "rz",       "pt",     "word",      "hash",       "k",          "e",   "op",   "flow",
      "unit", "enc", "field", "mem",      "kind",   "imm_type",  "elem",       "token",      "set", "slot", "instr",
      "pred", "ctl", "dec",   "encoding", "set_id", "elem_kind", "field_kind", "field_info", NULL};
  for (unsigned i = 0; i < s->n_sets; i++)
    for (unsigned k = 0; taken[k] != NULL; k++)
      if (strcmp(ident_lower(s->set[i].name).s, taken[k]) == 0)
        return diag_fail(d, s->set[i].at, "set name '%s' is used by the generated code; rename it", s->set[i].name);
  struct bag b = {0};
  bool ok = put_all(s, &b, d);
  free(b.id);
  return ok;
}

/* heddle/isa_gen.h (enumerations) and isa_sem.h (operation list). */

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

/* isa_tables.c: the data behind isa.h and isa_tables.h. */

/* As a C string literal; the language has no quotes inside strings, but backslashes may occur. */
static void quote(FILE *f, const char *s) {
  fputc('"', f);
  for (; *s != '\0'; s++) {
    if (*s == '"' || *s == '\\' || *s == '?') fputc('\\', f);
    fputc(*s, f);
  }
  fputc('"', f);
}

static void emit_u128(FILE *f, u128 v) {
  fprintf(f, "{UINT64_C(0x%016" PRIx64 "), UINT64_C(0x%016" PRIx64 ")}", (uint64_t)v, (uint64_t)(v >> 64));
}

static void emit_byte_list(FILE *f, const char *name, unsigned id, const uint8_t *v, unsigned n) {
  fprintf(f, "static const uint8_t %s_%u[] = {", name, id);
  for (unsigned i = 0; i < n; i++) fprintf(f, "%s%u", i == 0 ? "" : ", ", v[i]);
  fprintf(f, "%s};\n", n == 0 ? "0" : "");
}

static void bitmap(FILE *f, const bool set[SPEC_TOKENS_MAX]) {
  for (unsigned w = 0; w < 4; w++) {
    uint64_t bits = 0;
    for (unsigned b = 0; b < 64; b++) bits |= (uint64_t)set[64 * w + b] << b;
    fprintf(f, "%sUINT64_C(0x%" PRIx64 ")", w == 0 ? "" : ", ", bits);
  }
}

static void sets(const struct spec *s, FILE *f) {
  for (unsigned i = 0; i < s->n_sets; i++) {
    const struct set *set = &s->set[i];
    fprintf(f, "static const struct heddle_isa_token tokens_%u[] = {\n", i);
    for (unsigned k = 0; k < set->n_tokens; k++) {
      fprintf(f, "  {");
      quote(f, set->token[k].text);
      fprintf(f, ", %u, %s},\n", set->token[k].value, set->token[k].canonical ? "true" : "false");
    }
    fprintf(f, "};\n");
    if (set->has_words) emit_byte_list(f, "words", i, set->words, SPEC_TOKENS_MAX);
  }
  fprintf(f, "\nconst struct heddle_isa_set isa_set_table[ISA_SET_COUNT] = {\n");
  for (unsigned i = 0; i < s->n_sets; i++) {
    const struct set *set = &s->set[i];
    fprintf(f, "  {\"%s\", tokens_%u, %u, ", set->name, i, set->n_tokens);
    if (set->has_words)
      fprintf(f, "words_%u, {", i);
    else
      fprintf(f, "NULL, {");
    bitmap(f, set->legal);
    fprintf(f, "}, {");
    bitmap(f, set->rtl);
    fprintf(f, "}},\n");
  }
  fprintf(f, "};\n\n");
}

static void emit_field_table(const struct spec *s, FILE *f) {
  fprintf(f, "const struct heddle_isa_field_info isa_field_table[ISA_F_COUNT] = {\n");
  for (unsigned i = 0; i < s->n_fields; i++) {
    const struct field *fl = &s->field[i];
    fprintf(f, "  {\"%s\", %u, %u, %d, %u, ", fl->name, fl->hi, fl->lo, (int)fl->kind,
            fl->kind == K_SET ? fl->set : SPEC_NONE);
    quote(f, fl->note);
    fprintf(f, "},\n");
  }
  fprintf(f, "};\n\n");
}

static void elems(const struct insn *in, unsigned id, FILE *f) {
  fprintf(f, "static const struct heddle_isa_elem elems_%u[] = {\n", id);
  for (unsigned k = 0; k < in->n_elems; k++) {
    const struct elem *e = &in->elem[k];
    fprintf(f, "  {%d, %u, %u, %d, %d, %d, %d, ", (int)e->kind, e->operand, e->kind == E_FIELD ? e->field : SPEC_NONE,
            e->neg, e->abs, e->inv, e->part);
    quote(f, e->text);
    fprintf(f, "},\n");
  }
  fprintf(f, "%s};\n", in->n_elems == 0 ? "  {0, 0, 0, 0, 0, 0, 0, \"\"}" : "");
  emit_byte_list(f, "suffixes", id, in->suffix, in->n_suffix);
}

/* How minus and bars act: by what the template allows and what the operands are. */
static enum modify modify_of(const struct insn *in) {
  bool inverts = false, signs = false, wide = false;
  for (unsigned k = 0; k < in->n_elems; k++) {
    inverts = inverts || in->elem[k].inv;
    signs = signs || in->elem[k].neg || in->elem[k].abs;
  }
  for (unsigned k = 0; k < 3; k++) wide = wide || in->wide[k].words != 1;
  if (inverts) return MODIFY_NOT;
  if (!signs) return MODIFY_NONE;
  if (wide || in->imm == 0) return MODIFY_OWN;
  const char *type = spec_imm_types[in->imm - 1];
  if (strcmp(type, "f16x2") == 0) return MODIFY_HALF;
  return strcmp(type, "f32") == 0 ? MODIFY_FLOAT : MODIFY_INT;
}

static void insns(const struct spec *s, FILE *f) {
  for (unsigned i = 0; i < s->n_insns; i++) elems(&s->insn[i], i, f);
  fprintf(f, "\nconst struct heddle_isa_instr isa_instr_table[ISA_OP_COUNT] = {\n");
  for (unsigned i = 0; i < s->n_insns; i++) {
    const struct insn *in = &s->insn[i];
    fprintf(f, "  {\"%s\", \"%s\", ", in->name, in->sem);
    quote(f, in->syntax);
    fprintf(f, ", %u, %u, %u, %u, %d, %u, %u, %u, %d, %u, %u, elems_%u, suffixes_%u, %u, %u, %d},\n", in->unit,
            in->wide_unit == SPEC_NONE ? in->unit : in->wide_unit, in->mem, in->imm, (int)modify_of(in),
            in->mem == 0 ? 0u : s->mem_space[in->mem - 1], in->mem == 0 ? 0u : s->mem_kind[in->mem - 1], in->flow,
            in->drains, in->n_elems, in->n_suffix, i, i, in->first_enc, in->n_encs, in->only_model);
  }
  fprintf(f, "};\n\n");
}

static void slot(FILE *f, const struct slot *sl, const struct wide *w) {
  fprintf(f, "{%d, %u, %u, %u, %u, %u, %u}", (int)sl->kind, sl->field, sl->neg, sl->abs, sl->part, w->words, w->field);
}

/* Of a predicate and its uniform kin, the one that the encoding owns. */
static unsigned either(const struct spec *s, const struct enc *e, const char *plain, const char *uniform) {
  unsigned f = emit_owned(s, e, plain);
  return f != SPEC_NONE ? f : emit_owned(s, e, uniform);
}

static struct slot destination_slot(const struct spec *s, const struct enc *e) {
  unsigned rd = enc_field_of_kind(s, e, K_GPR_WRITE), urd = enc_field_of_kind(s, e, K_UGPR_WRITE);
  if (urd != SPEC_NONE) return (struct slot){SLOT_UREG, urd, SPEC_NONE, SPEC_NONE, SPEC_NONE};
  return (struct slot){rd == SPEC_NONE ? SLOT_NONE : SLOT_REG, rd, SPEC_NONE, SPEC_NONE, SPEC_NONE};
}

/* Encodings of one opcode form a chain; the next one has a higher number. */
static unsigned next_of(const struct spec *s, unsigned i) {
  for (unsigned k = i + 1; k < s->n_encs; k++)
    if (s->enc[k].key == s->enc[i].key) return k;
  return 0xffff;
}

static void enc_fields(const struct spec *s, unsigned i, FILE *f) {
  const struct enc *e = &s->enc[i];
  static const char *const named[] = {"pd0", "pd1", "ps0", "ps1", "ps2"};
  static const char *const uniform[] = {"upd0", "upd1", "ups0", "ups1", "ups2"};
  fprintf(f, "%d, %d, %d, %d, ", e->only_model, enc_field_of_kind(s, e, K_UGUARD) != SPEC_NONE,
          enc_field_of_kind(s, e, K_UPRED_WRITE) != SPEC_NONE, enc_field_of_kind(s, e, K_UPRED_READ) != SPEC_NONE);
  fprintf(f, "%u, {", enc_field_of_kinds(s, e, K_GUARD, K_UGUARD));
  for (unsigned k = 0; k < 5; k++)
    fprintf(f, "%s%u", k == 0 ? "" : k == 2 ? "}, {" : ", ", either(s, e, named[k], uniform[k]));
  fprintf(f, "}, %u, %u, %u,\n   ", enc_field_of_kind(s, e, K_IMM32), enc_field_of_kind(s, e, K_CBANK),
          emit_coff_field(s, e));
  fprintf(f, "%u, %u, %u, %u, %u, %u", enc_field_of_kind(s, e, K_STALL), enc_field_of_kind(s, e, K_YIELD),
          emit_owned(s, e, "wbar"), emit_owned(s, e, "rbar"), enc_field_of_kind(s, e, K_SBWAIT),
          enc_field_of_kind(s, e, K_REUSE));
}

static void encs(const struct spec *s, FILE *f) {
  unsigned n_checks[SPEC_ENCS_MAX];
  for (unsigned i = 0; i < s->n_encs; i++) {
    uint8_t checks[SPEC_LIST_MAX];
    n_checks[i] = 0;
    for (unsigned k = 0; k < s->enc[i].n_fields; k++)
      if (emit_field_has_check(s, &s->field[s->enc[i].fields[k]], false)) checks[n_checks[i]++] = s->enc[i].fields[k];
    emit_byte_list(f, "fields", i, s->enc[i].fields, s->enc[i].n_fields);
    emit_byte_list(f, "checks", i, checks, n_checks[i]);
  }
  fprintf(f, "\nconst struct heddle_isa_encoding isa_encoding_table[ISA_ENC_COUNT] = {\n");
  for (unsigned i = 0; i < s->n_encs; i++) {
    const struct enc *e = &s->enc[i];
    const struct insn *in = &s->insn[e->insn];
    struct slot rd = destination_slot(s, e);
    fprintf(f, "  {%u, %u, \"%s\", ", e->insn, next_of(s, i), s->format[e->format].name);
    emit_u128(f, e->match);
    fprintf(f, ",\n   ");
    emit_u128(f, e->mask);
    fprintf(f, ", ");
    emit_u128(f, e->fixed);
    fprintf(f, ",\n   fields_%u, checks_%u, %u, %u, {", i, i, e->n_fields, n_checks[i]);
    for (unsigned k = 0; k < 3; k++) {
      slot(f, &e->src[k], &in->wide[k]);
      fprintf(f, k < 2 ? ", " : "},\n   ");
    }
    slot(f, &rd, &in->wide[3]);
    fprintf(f, ", ");
    enc_fields(s, i, f);
    fprintf(f, "},\n");
  }
  fprintf(f, "};\n\n");
}

static void keys(const struct spec *s, FILE *f) {
  fprintf(f, "const uint8_t isa_key_fields[] = {");
  for (unsigned i = 0; i < s->n_keys; i++) fprintf(f, "%s%u", i == 0 ? "" : ", ", s->key[i]);
  fprintf(f,
          "};\nconst unsigned isa_key_field_count = %u;\n\n/* First encoding of each opcode, by the opcode fields "
          "strung together. */\nconst uint16_t isa_key_table[%u] = {",
          s->n_keys, 1u << s->key_bits);
  unsigned column = 0;
  for (unsigned k = 0; k < (1u << s->key_bits); k++) {
    unsigned first = 0xffff;
    for (unsigned i = s->n_encs; i-- > 0;)
      if (s->enc[i].key == k) first = i;
    fprintf(f, "%s%u,", column++ % 24 == 0 ? "\n  " : " ", first);
  }
  fprintf(f, "\n};\n");
}

/* Rows of short words; C has no empty array. */
static void shorts(const struct spec *s, FILE *f) {
  fprintf(f, "\nconst unsigned isa_short_row_count = %u, isa_short_code_count = %u;\n", s->n_short_rows,
          s->n_short_codes);
  fprintf(f, "const struct heddle_isa_word isa_short_code_mask = ");
  emit_u128(f, s->n_short_codes != 0 ? (((u128)1 << s->short_code_bits) - 1) << s->short_code_lo : 0);
  fprintf(f, ";\nconst struct short_row isa_short_rows[] = {\n");
  for (unsigned i = 0; i < s->n_short_rows; i++) {
    fprintf(f, "  {");
    emit_u128(f, s->short_row[i].bits);
    fprintf(f, ", %u},\n", (unsigned)s->short_row[i].kind);
  }
  fprintf(f, "%s};\nconst struct heddle_isa_word isa_short_codes[] = {\n",
          s->n_short_rows == 0 ? "  {{0, 0}, 0}\n" : "");
  for (unsigned i = 0; i < s->n_short_codes; i++) {
    fprintf(f, "  ");
    emit_u128(f, (u128)s->short_code[i].bits << s->short_code_lo);
    fprintf(f, ",\n");
  }
  fprintf(f, "%s};\n", s->n_short_codes == 0 ? "  {0, 0}\n" : "");
}

void emit_tables(const struct spec *s, FILE *f) {
  fprintf(f, "/* Generated from the ISA file; do not edit. */\n#include \"isa/lib/isa_internal.h\"\n\n");
  fprintf(f, "const uint64_t isa_hash_value = UINT64_C(0x%016" PRIx64 ");\n\n", s->hash);
  fprintf(f, "const char *const isa_unit_names[ISA_UNIT_COUNT] = {");
  for (unsigned i = 0; i < s->n_units; i++) fprintf(f, "%s\"%s\"", i == 0 ? "" : ", ", s->unit[i].name);
  fprintf(f, "};\nconst uint8_t isa_unit_latency[ISA_UNIT_COUNT] = {");
  for (unsigned i = 0; i < s->n_units; i++) fprintf(f, "%s%u", i == 0 ? "" : ", ", s->unit[i].latency);
  fprintf(f, "};\nconst char *const isa_mem_names[ISA_MEM_COUNT] = {\"none\"");
  for (unsigned i = 0; i < s->n_mems; i++) fprintf(f, ", \"%s\"", s->mem[i]);
  fprintf(f, "};\n\n");
  sets(s, f);
  emit_field_table(s, f);
  insns(s, f);
  encs(s, f);
  keys(s, f);
  shorts(s, f);
}
