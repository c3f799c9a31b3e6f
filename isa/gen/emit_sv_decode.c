/* SPDX-License-Identifier: Apache-2.0
 *
 * The decoder of isa_pkg.sv: parallel case statements on the opcode bits, one
 * for each group of outputs; opcodes with equal outputs share an arm. Encodings
 * that only the model knows are left out, so that their words are illegal; so
 * are, for a machine that lacks units or uniform registers, those that need them
 * (arguments `units`, `uni`: constants, so that nothing of them becomes logic).
 * Expressions are literals and slices of `word` only, and results are built by
 * concatenation: the subset that every synthesis front end agrees on. Over 400
 * lines: a function for each group of outputs, and the text of the type.
 */
#include <stdlib.h>
#include <string.h>

#include "isa/gen/emit.h"

/* Writes the right-hand side for one encoding. */
typedef void (*expr_fn)(const struct spec *s, const struct enc *e, FILE *f);

void emit_slice(const struct field *fl, FILE *f) {
  if (fl->hi == fl->lo)
    fprintf(f, "word[%u]", fl->lo);
  else
    fprintf(f, "word[%u:%u]", fl->hi, fl->lo);
}

/* What stands above the field in a concatenation of `width` bits: copies of its sign, or zeros. */
static void emit_above(const struct field *fl, unsigned width, FILE *f) {
  const unsigned more = width - field_width(fl);
  if (more != 0 && kind_is_signed(fl->kind)) fprintf(f, "{%u{word[%u]}}, ", more, fl->hi);
  if (more != 0 && !kind_is_signed(fl->kind)) fprintf(f, "%u'd0, ", more);
}

void emit_extended(const struct field *fl, unsigned width, FILE *f) {
  const bool whole = field_width(fl) == width;
  if (!whole) fprintf(f, "{");
  emit_above(fl, width, f);
  fprintf(f, "word[%u:%u]%s", fl->hi, fl->lo, whole ? "" : "}");
}

void emit_value(const struct spec *s, unsigned field, unsigned width, unsigned otherwise, FILE *f) {
  if (field == SPEC_NONE) {
    fprintf(f, "%u'd%u", width, otherwise);
    return;
  }
  const struct field *fl = &s->field[field];
  if (field_width(fl) < width) emit_above(fl, width, f);
  emit_slice(fl, f);
}

/* A register number: all ones of a narrower field is RZ too. */
void emit_reg(const struct spec *s, unsigned field, FILE *f) {
  if (field == SPEC_NONE) {
    fprintf(f, "8'd255");
    return;
  }
  const struct field *fl = &s->field[field];
  if (field_width(fl) == 8) {
    emit_slice(fl, f);
    return;
  }
  fprintf(f, "((&");
  emit_slice(fl, f);
  fprintf(f, ") ? 8'd255 : {");
  emit_value(s, field, 8, 0, f);
  fprintf(f, "})");
}

/* Words less one. */
void emit_words(const struct spec *s, const struct wide *w, FILE *f) {
  if (w->words != 0) {
    fprintf(f, "2'd%u", w->words - 1);
    return;
  }
  fprintf(f, "words_%s({", ident_lower(s->set[s->field[w->field].set].name).s);
  emit_value(s, w->field, 8, 0, f);
  fprintf(f, "})");
}

static void expr_id(const struct spec *s, const struct enc *e, FILE *f) {
  const struct insn *in = &s->insn[e->insn];
  fprintf(f, "{1'b1, 8'd%u, ", e->insn);
  if (in->wide_unit == SPEC_NONE) {
    fprintf(f, "4'd%u", in->unit);
  } else {
    fprintf(f, "((");
    for (unsigned i = 0; i < 4; i++) {
      if (i > 0) fprintf(f, " | ");
      emit_words(s, &in->wide[i], f);
    }
    fprintf(f, ") != 2'd0) ? 4'd%u : 4'd%u", in->wide_unit, in->unit);
  }
  fprintf(f, ", 4'd%u}", in->mem);
}

static void expr_resv(const struct spec *s, const struct enc *e, FILE *f) {
  (void)s;
  emit_hex128(f, ~(e->fixed | e->owned));
}

bool emit_is_register(const struct slot *sl) {
  return sl->kind == SLOT_REG || sl->kind == SLOT_UREG;
}

/* The field of the first name that the encoding has one of; uniform: it is of the second. */
unsigned emit_one_of(const struct spec *s, const struct enc *e, const char *name, const char *uname, bool *uniform) {
  const unsigned field = emit_owned(s, e, name);
  if (field != SPEC_NONE) return field;
  const unsigned other = emit_owned(s, e, uname);
  if (other != SPEC_NONE) *uniform = true;
  return other;
}

static void expr_src(const struct spec *s, const struct enc *e, FILE *f) {
  const struct insn *in = &s->insn[e->insn];
  fprintf(f, "{");
  for (unsigned i = 0; i < 3; i++) fprintf(f, "3'd%d, ", (int)e->src[i].kind);
  for (unsigned i = 0; i < 3; i++) {
    emit_reg(s, emit_is_register(&e->src[i]) ? e->src[i].field : SPEC_NONE, f);
    fprintf(f, ", ");
  }
  for (unsigned i = 0; i < 3; i++) {
    emit_words(s, &in->wide[i], f);
    fprintf(f, ", ");
  }
  for (unsigned i = 0; i < 3; i++) {
    emit_value(s, e->src[i].neg, 1, 0, f);
    fprintf(f, ", ");
    emit_value(s, e->src[i].abs, 1, 0, f);
    fprintf(f, i == 2 ? "}" : ", ");
  }
}

/* Operand i as a short immediate; zero when it is none. */
static void short_value(const struct spec *s, const struct enc *e, unsigned i, FILE *f) {
  emit_value(s, slot_is_short(s, &e->src[i]) ? e->src[i].field : SPEC_NONE, SPEC_SHORT_BITS_MAX, 0, f);
}

static void expr_part(const struct spec *s, const struct enc *e, FILE *f) {
  fprintf(f, "{");
  for (unsigned i = 0; i < 3; i++) {
    emit_value(s, e->src[i].part, 2, 0, f);
    fprintf(f, i == 2 ? "}" : ", ");
  }
}

static void expr_num(const struct spec *s, const struct enc *e, FILE *f) {
  const bool is_short = slot_is_short(s, &e->src[1]) || slot_is_short(s, &e->src[2]);
  fprintf(f, "{1'b%d, ", is_short);
  if (is_short) {
    short_value(s, e, 2, f);
    fprintf(f, ", ");
    short_value(s, e, 1, f);
  } else {
    emit_value(s, enc_field_of_kind(s, e, K_IMM32), 32, 0, f);
  }
  fprintf(f, ", ");
  emit_value(s, enc_field_of_kind(s, e, K_CBANK), 5, 0, f);
  fprintf(f, ", ");
  emit_value(s, emit_coff_field(s, e), 16, 0, f);
  fprintf(f, "}");
}

static void expr_dst(const struct spec *s, const struct enc *e, FILE *f) {
  bool rd_uni = enc_field_of_kind(s, e, K_UGPR_WRITE) != SPEC_NONE, pd_uni = false;
  unsigned rd = enc_field_of_kinds(s, e, K_GPR_WRITE, K_UGPR_WRITE);
  unsigned pd0 = emit_one_of(s, e, "pd0", "upd0", &pd_uni), pd1 = emit_one_of(s, e, "pd1", "upd1", &pd_uni);
  fprintf(f, "{1'b%d, 1'b%d, ", rd != SPEC_NONE, rd_uni);
  emit_reg(s, rd, f);
  fprintf(f, ", ");
  emit_words(s, &s->insn[e->insn].wide[3], f);
  fprintf(f, ", 1'b%d, 1'b%d, 1'b%d, ", pd0 != SPEC_NONE, pd1 != SPEC_NONE, pd_uni);
  emit_value(s, pd0, 3, 7, f);
  fprintf(f, ", ");
  emit_value(s, pd1, 3, 7, f);
  fprintf(f, "}");
}

static void expr_pred(const struct spec *s, const struct enc *e, FILE *f) {
  static const char *const ps[] = {"ps0", "ps1", "ps2"}, *const ups[] = {"ups0", "ups1", "ups2"};
  unsigned source[3];
  bool uni = false;
  for (unsigned i = 0; i < 3; i++) source[i] = emit_one_of(s, e, ps[i], ups[i], &uni);
  fprintf(f, "{1'b%d, ", enc_field_of_kind(s, e, K_UGUARD) != SPEC_NONE);
  emit_value(s, enc_field_of_kinds(s, e, K_GUARD, K_UGUARD), 4, 7, f);
  fprintf(f, ", 1'b%d", uni);
  for (unsigned i = 0; i < 3; i++) {
    fprintf(f, ", ");
    emit_value(s, source[i], 4, 7, f);
  }
  fprintf(f, "}");
}

static void expr_ctl(const struct spec *s, const struct enc *e, FILE *f) {
  fprintf(f, "{");
  emit_value(s, enc_field_of_kind(s, e, K_STALL), 4, 0, f);
  fprintf(f, ", ");
  emit_value(s, enc_field_of_kind(s, e, K_YIELD), 1, 0, f);
  fprintf(f, ", ");
  emit_value(s, emit_owned(s, e, "wbar"), 3, 7, f);
  fprintf(f, ", ");
  emit_value(s, emit_owned(s, e, "rbar"), 3, 7, f);
  fprintf(f, ", ");
  emit_value(s, enc_field_of_kind(s, e, K_SBWAIT), 6, 0, f);
  fprintf(f, ", ");
  emit_value(s, enc_field_of_kind(s, e, K_REUSE), 4, 0, f);
  fprintf(f, "}");
}

void emit_check(const struct spec *s, const struct field *fl, FILE *f) {
  fprintf(f, " && ");
  if (fl->kind == K_SET) {
    fprintf(f, "ok_%s({", ident_lower(s->set[fl->set].name).s);
    if (field_width(fl) < 8) fprintf(f, "%u'd0, ", 8 - field_width(fl));
    emit_slice(fl, f);
    fprintf(f, "})");
  } else if (fl->kind == K_SBSET) {
    fprintf(f, "(");
    emit_slice(fl, f);
    fprintf(f, " != 3'd6)");
  } else {
    fprintf(f, "(word[%u:%u] == 2'd0)", fl->lo + 1, fl->lo);
  }
}

/* The offset of a wide constant operand, in words, starts at a multiple of the size. */
static void const_aligned(const struct spec *s, const struct enc *e, const struct wide *w, FILE *f) {
  const struct field *fl = &s->field[enc_field_of_kind(s, e, K_COFF)];
  fprintf(f, " && aligned({6'd0, word[%u:%u]}, ", fl->lo + 3, fl->lo + 2);
  emit_words(s, w, f);
  fprintf(f, ")");
}

static void expr_ok(const struct spec *s, const struct enc *e, FILE *f) {
  const struct insn *in = &s->insn[e->insn];
  fprintf(f, "1'b1");
  for (unsigned i = 0; i < e->n_fields; i++)
    if (emit_field_has_check(s, &s->field[e->fields[i]], true)) emit_check(s, &s->field[e->fields[i]], f);
  for (unsigned i = 0; i < 4; i++) {
    unsigned field = i == 3                         ? enc_field_of_kinds(s, e, K_GPR_WRITE, K_UGPR_WRITE)
                     : emit_is_register(&e->src[i]) ? e->src[i].field
                                                    : SPEC_NONE;
    if (field == SPEC_NONE || in->wide[i].words == 1) continue;
    const enum kind k = s->field[field].kind;
    fprintf(f, k == K_UGPR_READ || k == K_UGPR_WRITE ? " && aligned_%u(" : " && aligned(",
            field_width(&s->field[field]));
    emit_reg(s, field, f);
    fprintf(f, ", ");
    emit_words(s, &in->wide[i], f);
    fprintf(f, ")");
  }
  for (unsigned i = 0; i < 3; i++)
    if (e->src[i].kind == SLOT_CONST && in->wide[i].words != 1) const_aligned(s, e, &in->wide[i], f);
}

static char *expr_text(const struct spec *s, const struct enc *e, expr_fn expr) {
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (f == NULL) abort();
  expr(s, e, f);
  if (fclose(f) != 0) abort();
  return text;
}

/* Does the RTL know encoding i, and has it these opcode bits? */
bool emit_in_rtl(const struct spec *s, unsigned i, unsigned key) {
  return !s->enc[i].only_model && s->enc[i].key == key;
}

/* Bits beyond the opcode by which the encodings of one opcode differ. */
u128 emit_key_extra(const struct spec *s, unsigned key) {
  u128 extra = 0, opcode = 0;
  for (unsigned i = 0; i < s->n_keys; i++) opcode |= field_mask(&s->field[s->key[i]]);
  for (unsigned i = 0; i < s->n_encs; i++)
    if (emit_in_rtl(s, i, key)) extra |= s->enc[i].fixed & ~opcode;
  return extra;
}

static void condition(const struct enc *e, u128 extra, FILE *f) {
  const char *sep = "";
  fprintf(f, "({");
  for (unsigned b = SPEC_WORD_BITS; b-- > 0;)
    if (((e->mask & extra) >> b & 1) != 0) {
      fprintf(f, "%sword[%u]", sep, b);
      sep = ", ";
    }
  unsigned n = 0;
  for (unsigned b = 0; b < SPEC_WORD_BITS; b++) n += ((e->mask & extra) >> b & 1) != 0;
  fprintf(f, "} == %u'b", n);
  for (unsigned b = SPEC_WORD_BITS; b-- > 0;)
    if (((e->mask & extra) >> b & 1) != 0) fputc((e->match >> b & 1) != 0 ? '1' : '0', f);
  fprintf(f, ")");
}

/* What one opcode assigns: a plain assignment, or a choice among its encodings. */
static char *arm(const struct spec *s, unsigned key, const char *name, unsigned width, expr_fn expr) {
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (f == NULL) abort();
  char *first = NULL;
  bool same = true;
  for (unsigned i = 0; i < s->n_encs; i++) {
    if (!emit_in_rtl(s, i, key)) continue;
    char *t = expr_text(s, &s->enc[i], expr);
    same = same && (first == NULL || strcmp(first, t) == 0);
    if (first == NULL)
      first = t;
    else
      free(t);
  }
  u128 extra = emit_key_extra(s, key);
  /* A lone encoding with fixed bits beyond the opcode must still see them for dec_id. */
  if (same && (extra == 0 || expr != expr_id)) {
    fprintf(f, "      %s = %s;\n", name, first);
  } else {
    const char *word = "if";
    for (unsigned i = 0; i < s->n_encs; i++) {
      if (!emit_in_rtl(s, i, key)) continue;
      fprintf(f, "      %s ", word);
      condition(&s->enc[i], extra, f);
      char *t = expr_text(s, &s->enc[i], expr);
      fprintf(f, " %s = %s;\n", name, t);
      free(t);
      word = "else if";
    }
    fprintf(f, "      else %s = %u'd0;\n", name, width);
  }
  free(first);
  if (fclose(f) != 0) abort();
  return text;
}

/* Does the encoding name a uniform register or predicate? */
bool emit_is_uniform(const struct spec *s, const struct enc *e) {
  static const char *const pred[] = {"upd0", "upd1", "ups0", "ups1", "ups2"};
  bool uni = enc_field_of_kind(s, e, K_UGPR_WRITE) != SPEC_NONE || enc_field_of_kind(s, e, K_UGUARD) != SPEC_NONE;
  for (unsigned i = 0; i < 3; i++) uni = uni || e->src[i].kind == SLOT_UREG;
  for (unsigned i = 0; i < sizeof pred / sizeof pred[0]; i++) uni = uni || emit_owned(s, e, pred[i]) != SPEC_NONE;
  return uni;
}

unsigned emit_units(const struct insn *in) {
  if (in->async) return 1u << EMIT_PART_ASYNC;
  return 1u << in->unit | (in->wide_unit != SPEC_NONE ? 1u << in->wide_unit : 0);
}

/* What a machine must have for the words of an opcode: one of these units; and, where all of its encodings do, uniform
 * registers. */
static void emit_needs(const struct spec *s, unsigned key, FILE *f) {
  unsigned units = 0;
  bool uni = true;
  for (unsigned i = 0; i < s->n_encs; i++) {
    if (!emit_in_rtl(s, i, key)) continue;
    const struct insn *in = &s->insn[s->enc[i].insn];
    units |= emit_units(in);
    uni = uni && emit_is_uniform(s, &s->enc[i]);
  }
  fprintf(f, "%s(units & 16'h%04x) != 16'd0", uni ? "uni && " : "", units);
}

static char *needs_text(const struct spec *s, unsigned key) {
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (f == NULL) abort();
  emit_needs(s, key, f);
  if (fclose(f) != 0) abort();
  return text;
}

/* The assignment that most opcodes of a machine without uniform registers have: what all those that no arm names get,
 * too. Of an illegal word nobody looks at it, and a field that is the same in all instructions is a wire. */
static const char *most_common(const struct spec *s, char *const *text, char *const *needs) {
  const char *best = NULL;
  unsigned most = 0;
  for (unsigned i = 0; i < s->n_encs; i++) {
    if (text[i] == NULL || strchr(text[i], '\n')[1] != '\0') continue;
    unsigned n = 0;
    for (unsigned k = 0; k < s->n_encs; k++)
      n += text[k] != NULL && strcmp(text[i], text[k]) == 0 && strncmp(needs[k], "uni", 3) != 0;
    if (n > most) {
      most = n;
      best = text[i];
    }
  }
  return best;
}

static void emit_case(const struct spec *s, FILE *f, const char *what, const char *name, unsigned width, expr_fn expr) {
  char *text[SPEC_ENCS_MAX]; /* by the first encoding of each opcode; NULL: not first, or written */
  char *needs[SPEC_ENCS_MAX];
  for (unsigned i = 0; i < s->n_encs; i++) {
    text[i] = needs[i] = NULL;
    bool first = true;
    for (unsigned k = 0; k < i; k++) first = first && !emit_in_rtl(s, k, s->enc[i].key);
    if (!first || s->enc[i].only_model) continue;
    text[i] = arm(s, s->enc[i].key, name, width, expr);
    needs[i] = needs_text(s, s->enc[i].key);
  }
  /* Long: a simulator has it once, not wherever it is asked. (Parameters are made of parts; Debian 12's Verilator has
   * no such function of more than 64 bits.) */
  const char *once = expr == expr_part || width > 64 ? "" : "    // verilator no_inline_task\n";
  fprintf(f, "  // %s\n  function automatic logic [%u:0] %s(logic [127:0] word, logic [15:0] units, logic uni);\n%s",
          what, width - 1, name, once);
  const char *usual = expr == expr_id ? NULL : most_common(s, text, needs);
  char *otherwise = usual != NULL ? strdup(usual) : NULL;
  if (otherwise != NULL)
    fprintf(f, "%s", otherwise + 2);
  else
    fprintf(f, "    %s = %u'd0;\n", name, width);
  fprintf(f, "    case ({");
  for (unsigned i = 0; i < s->n_keys; i++) {
    fprintf(f, i == 0 ? "" : ", ");
    emit_slice(&s->field[s->key[i]], f);
  }
  fprintf(f, "})\n");
  for (unsigned i = 0; i < s->n_encs; i++) {
    if (text[i] == NULL) continue;
    if (otherwise != NULL && strcmp(text[i], otherwise) == 0) {
      free(text[i]);
      free(needs[i]);
      text[i] = needs[i] = NULL;
      continue;
    }
    fprintf(f, "    %u'h%03x", s->key_bits, s->enc[i].key);
    unsigned column = 1;
    for (unsigned k = i + 1; k < s->n_encs; k++) {
      if (text[k] == NULL || strcmp(text[i], text[k]) != 0 || strcmp(needs[i], needs[k]) != 0) continue;
      fprintf(f, "%s%u'h%03x", column++ % 10 == 0 ? ",\n    " : ", ", s->key_bits, s->enc[k].key);
      free(text[k]);
      free(needs[k]);
      text[k] = needs[k] = NULL;
    }
    fprintf(f, ": if (%s) begin\n%s    end\n", needs[i], text[i]);
    free(text[i]);
    free(needs[i]);
    text[i] = needs[i] = NULL;
  }
  fprintf(f, "    default: ;\n    endcase\n  endfunction\n\n");
  free(otherwise);
}

/* A uniform tuple does not reach URZ, the highest number of its field. */
static void uniform_aligned(const struct spec *s, FILE *f) {
  bool done[SPEC_WORD_BITS + 1] = {false};
  for (unsigned i = 0; i < s->n_fields; i++) {
    const unsigned w = field_width(&s->field[i]);
    if ((s->field[i].kind != K_UGPR_READ && s->field[i].kind != K_UGPR_WRITE) || done[w]) continue;
    done[w] = true;
    fprintf(
        f,
        "  // A uniform tuple of a field of %u bits starts at a multiple of its size and ends before URZ, or is URZ.\n"
        "  function automatic logic aligned_%u(logic [7:0] r, logic [1:0] n);\n"
        "    aligned_%u = aligned(r, n) && ((r == 8'd255) || (({1'b0, r} + {7'd0, n}) < 9'd%u));\n  endfunction\n\n",
        w, w, w, (1u << w) - 1u);
  }
}

static void set_functions(const struct spec *s, FILE *f) {
  for (unsigned i = 0; i < s->n_sets; i++) {
    const struct set *set = &s->set[i];
    struct ident id = ident_lower(set->name);
    fprintf(f, "  function automatic logic ok_%s(logic [7:0] v);\n    case (v)\n      ", id.s);
    unsigned n = 0;
    for (unsigned v = 0; v < SPEC_TOKENS_MAX; v++)
      if (set->rtl[v]) fprintf(f, "%s8'd%u", n++ == 0 ? "" : ", ", v);
    fprintf(f, ": ok_%s = 1'b1;\n", id.s);
    if (n != SPEC_TOKENS_MAX) fprintf(f, "      default: ok_%s = 1'b0;\n", id.s);
    fprintf(f, "    endcase\n  endfunction\n");
    if (!set->has_words) continue;
    fprintf(f,
            "  // Registers that an access fills, less one.\n  function automatic logic [1:0] words_%s(logic [7:0] "
            "v);\n    case (v)\n",
            id.s);
    for (unsigned v = 0; v < SPEC_TOKENS_MAX; v++)
      if (set->words[v] > 1) fprintf(f, "      8'd%u: words_%s = 2'd%u;\n", v, id.s, set->words[v] - 1u);
    fprintf(f, "      default: words_%s = 2'd0;\n    endcase\n  endfunction\n", id.s);
  }
  fprintf(f, "\n");
}

static const char dec_type[] =
    "  // A decoded word. *_n is the number of registers less one; without a register it is register 255.\n"
    "  // *_uni: the guard, the source predicates, rd, the predicates written are uniform ones.\n"
    "  // Set values and encodings that only the model has are illegal. imm_short: operand b is the lower half of\n"
    "  // imm where b_kind says immediate, c the upper half.\n"
    "  typedef struct packed {\n"
    "    logic        legal;\n    op_e         op;\n    unit_e       unit;\n    mem_e        mem;\n"
    "    src_e        a_kind, b_kind, c_kind;\n    logic [7:0]  a_reg, b_reg, c_reg;\n    logic [1:0]  a_n, b_n, c_n;\n"
    "    logic        a_neg, a_abs, b_neg, b_abs, c_neg, c_abs;\n    logic        imm_short;\n    logic [31:0] imm;\n  "
    "  logic [4:0]  cbank;\n"
    "    logic [15:0] coff;\n    logic        has_rd, rd_uni;\n    logic [7:0]  rd;\n    logic [1:0]  rd_n;\n"
    "    logic        has_pd0, has_pd1, pd_uni;\n    logic [2:0]  pd0, pd1;\n    logic        guard_uni;\n"
    "    logic [3:0]  guard;\n    logic        ps_uni;\n    logic [3:0]  ps0, ps1, ps2;\n"
    "    logic [3:0]  stall;\n    logic        yield;\n    logic [2:0]  wbar, rbar;\n    logic [5:0]  wait_mask;\n"
    "    logic [3:0]  reuse;\n  } dec_t;\n\n"
    "  // A register tuple starts at a multiple of its size, or is RZ.\n"
    "  function automatic logic aligned(logic [7:0] r, logic [1:0] n);\n"
    "    aligned = (r == 8'd255) || ((r[1:0] & n) == 2'd0);\n  endfunction\n\n";

static const char dec_function[] =
    "  // For a machine that has these units (a bit for each of unit_e), and uniform registers or not: words that need "
    "others are\n"
    "  // illegal, and what they are decoded to besides means nothing. With constants nothing of them becomes logic.\n"
    "  function automatic dec_t decode_for(logic [127:0] word, logic [15:0] units, logic uni);\n"
    "    logic [16:0] id;\n    logic        legal;\n"
    "    id    = dec_id(word, units, uni);\n"
    "    legal = id[16] && ((word & dec_resv(word, units, uni)) == 128'd0) && dec_ok(word, units, uni);\n"
    "    decode_for = {legal, id[15:0], dec_src(word, units, uni), dec_num(word, units, uni), dec_dst(word, units, "
    "uni),\n"
    "                  dec_pred(word, units, uni), dec_ctl(word, units, uni)};\n"
    "  endfunction\n\n"
    "  function automatic dec_t decode(logic [127:0] word);\n"
    "    decode = decode_for(word, 16'hffff, 1'b1);\n"
    "  endfunction\n\n"
    "  // First register past a tuple; 0 for RZ and for no register at all.\n"
    "  function automatic logic [8:0] reg_end(logic [7:0] r, logic [1:0] n);\n"
    "    reg_end = (r == 8'd255) ? 9'd0 : ({1'b0, r} + {7'd0, n} + 9'd1);\n  endfunction\n\n"
    "  // Registers that a kernel must have for this instruction: the highest one touched plus one.\n"
    "  function automatic logic [8:0] max_reg(dec_t d);\n"
    "    logic [8:0] a, b, c, r, ab, cr;\n"
    "    a  = (d.a_kind == isa_pkg::SRC_UREG) ? 9'd0 : reg_end(d.a_reg, d.a_n);\n"
    "    b  = (d.b_kind == isa_pkg::SRC_UREG) ? 9'd0 : reg_end(d.b_reg, d.b_n);\n"
    "    c  = (d.c_kind == isa_pkg::SRC_UREG) ? 9'd0 : reg_end(d.c_reg, d.c_n);\n"
    "    r  = d.rd_uni ? 9'd0 : reg_end(d.rd, d.rd_n);\n"
    "    ab = (a > b) ? a : b;\n    cr = (c > r) ? c : r;\n"
    "    max_reg = (ab > cr) ? ab : cr;\n  endfunction\n\n"
    "  // Which halves of operands a, b, c are taken: the value of their part field, 0 without.\n"
    "  typedef struct packed {\n    logic [1:0]  a, b, c;\n  } parts_t;\n\n"
    "  function automatic parts_t parts(logic [127:0] word);\n    parts = dec_part(word, 16'hffff, 1'b1);\n  "
    "endfunction\n\n";

void emit_sv_decode(const struct spec *s, FILE *f) {
  fputs(dec_type, f);
  uniform_aligned(s, f);
  set_functions(s, f);
  emit_case(s, f, "Which instruction: {known, op, unit, mem}.", "dec_id", 17, expr_id);
  emit_case(s, f, "Reserved bits: any of them set makes the word illegal.", "dec_resv", 128, expr_resv);
  emit_case(s, f, "Field values that are assigned, registers that are aligned.", "dec_ok", 1, expr_ok);
  emit_case(s, f, "Sources: kinds, registers, sizes, {neg, abs} of a, b, c.", "dec_src", 45, expr_src);
  emit_case(s, f, "Parts of a, b, c, which no decoded word holds.", "dec_part", 6, expr_part);
  emit_case(s, f, "{imm_short, imm, cbank, coff}", "dec_num", 54, expr_num);
  emit_case(s, f, "{has_rd, rd_uni, rd, rd_n, has_pd0, has_pd1, pd_uni, pd0, pd1}", "dec_dst", 21, expr_dst);
  emit_case(s, f, "{guard_uni, guard, ps_uni, ps0, ps1, ps2}", "dec_pred", 18, expr_pred);
  emit_case(s, f, "{stall, yield, wbar, rbar, wait_mask, reuse}", "dec_ctl", 21, expr_ctl);
  fputs(dec_function, f);
}
