/* SPDX-License-Identifier: Apache-2.0
 *
 * isa_pkg.sv: enumerations, set values, field accessors, short words. Only constructs that both Verilator 5.006 and
 * Yosys take.
 */
#include <inttypes.h>
#include <string.h>
#include "isa/gen/emit.h"

/* Short words in isa_pkg.sv (isa/doc/13-short-words.md): how far instructions lie
 * apart, the rows of both tables for a memory, and functions that make the long
 * word of a short one, from its rows (lengthen_by) or at once (lengthen). */

static const struct field *field_named(const struct spec *s, const char *name) {
  return &s->field[spec_field(s, name)];
}

/* What a field of the long word has besides its row. */
static void adds(const struct spec *s, const char *name, const char *value, FILE *f) {
  const struct field *fl = field_named(s, name);
  fprintf(f, "lengthen_by[%u:%u] |= %s;\n", fl->hi, fl->lo, value);
}

static void emit_short_numbers(const struct spec *s, FILE *f) {
  fprintf(f, "      case (short_e'(row[130:128]))\n        SHORT_INT: ");
  adds(s, "imm", "{{12{word[43]}}, word[43:32], word[23:16]}", f);
  fprintf(f, "        SHORT_HIGH: ");
  adds(s, "imm", "{word[43:32], word[23:16], 12'd0}", f);
  fprintf(f, "        SHORT_OFFSET: begin\n          ");
  adds(s, "off24", "{{12{word[43]}}, word[43:32]}", f);
  fprintf(f, "          ");
  adds(s, "rb", "word[23:16]", f);
  fprintf(f, "        end\n        SHORT_CONST: begin\n          ");
  adds(s, "coff", "{word[37:32], word[23:16], 2'd0}", f);
  fprintf(f, "          ");
  adds(s, "cbank", "word[42:38]", f);
  fprintf(f, "        end\n        default: ");
  adds(s, "rb", "word[23:16]", f);
  fprintf(f, "      endcase\n");
}

static void functions(const struct spec *s, FILE *f) {
  static const struct {
    const char *field, *value;
  } placed[] = {{"pg", "word[47:44]"}, {"rc", "word[31:24]"}, {"ra", "word[15:8]"}, {"rd", "word[7:0]"}};
  fprintf(f,
          "  // The long word of a short one with its rows found: what no row or field has is 0.\n"
          "  function automatic logic [127:0] lengthen_by(logic [63:0] word, logic [SHORT_ROW_W-1:0] row,\n"
          "      logic [SHORT_CODE_W-1:0] code);\n"
          "    lengthen_by = '0;\n"
          "    if (word[63] && short_e'(row[130:128]) != SHORT_ABSENT) begin\n"
          "      lengthen_by = row[127:0];\n"
          "      lengthen_by[%u:%u] |= code;\n",
          s->short_code_lo + s->short_code_bits - 1, s->short_code_lo);
  for (size_t i = 0; i < sizeof placed / sizeof *placed; i++) {
    fprintf(f, "      ");
    adds(s, placed[i].field, placed[i].value, f);
  }
  emit_short_numbers(s, f);
  fprintf(f, "    end\n  endfunction\n\n"
             "  function automatic logic [127:0] lengthen(logic [63:0] word);\n"
             "    logic [SHORT_ROW_W-1:0]  row;\n"
             "    logic [SHORT_CODE_W-1:0] code;\n"
             "    row  = 32'(word[62:55]) < SHORT_ROWS ? SHORT_ROW[32'(word[62:55]) %% SHORT_ROWS] : '0;\n"
             "    code = 32'(word[54:48]) < SHORT_CODES ? SHORT_CODE[32'(word[54:48]) %% SHORT_CODES] : '0;\n"
             "    lengthen = lengthen_by(word, row, code);\n"
             "  endfunction\n\n");
}

static void tables(const struct spec *s, FILE *f) {
  fprintf(f, "  localparam logic [SHORT_ROW_W-1:0] SHORT_ROW [SHORT_ROWS] = '{\n");
  for (unsigned i = 0; i < s->n_short_rows; i++) {
    fprintf(f, "    {3'd%u, ", (unsigned)s->short_row[i].kind + 1);
    emit_hex128(f, s->short_row[i].bits);
    fprintf(f, "}%s\n", i + 1 == s->n_short_rows ? "};" : ",");
  }
  fprintf(f, "  localparam logic [SHORT_CODE_W-1:0] SHORT_CODE [SHORT_CODES] = '{\n");
  for (unsigned i = 0; i < s->n_short_codes; i++)
    fprintf(f, "    %u'h%" PRIx32 "%s\n", s->short_code_bits, s->short_code[i].bits,
            i + 1 == s->n_short_codes ? "};\n" : ",");
}

/* Names that generate blocks nobody elaborates have all the same. */
static void none(FILE *f) {
  fprintf(f, "  localparam logic [SHORT_ROW_W-1:0]  SHORT_ROW [SHORT_ROWS]   = '{'0};\n"
             "  localparam logic [SHORT_CODE_W-1:0] SHORT_CODE [SHORT_CODES] = '{'0};\n\n"
             "  function automatic logic [127:0] lengthen_by(logic [63:0] word, logic [SHORT_ROW_W-1:0] row,\n"
             "      logic [SHORT_CODE_W-1:0] code);\n"
             "    lengthen_by = '0;\n"
             "  endfunction\n\n"
             "  function automatic logic [127:0] lengthen(logic [63:0] word);\n"
             "    lengthen = '0;\n"
             "  endfunction\n\n");
}

/* short words */
static void emit_sv_short(const struct spec *s, FILE *f) {
  const bool any = s->n_short_rows != 0;
  fprintf(
      f,
      "  // ---- short words: two in 16 bytes, if there are any. A row of the first table is {kind of number, bits of "
      "the\n"
      "  // long word}, one of the second a control code; rows beyond those given are not there, and 0.\n"
      "  localparam bit HAS_SHORT = 1'b%d;\n"
      "  localparam int unsigned ISA_STEP = %d;   // a PC is a multiple of it\n"
      "  localparam int unsigned SHORT_ROWS = %u, SHORT_CODES = %u, SHORT_ROW_W = 131, SHORT_CODE_W = %u;\n"
      "  typedef enum logic [2:0] {SHORT_ABSENT = 3'd0, SHORT_NONE = 3'd1, SHORT_INT = 3'd2, SHORT_HIGH = 3'd3,\n"
      "    SHORT_OFFSET = 3'd4, SHORT_CONST = 3'd5} short_e;\n\n",
      any, any ? 8 : 16, any ? s->n_short_rows : 1, any ? s->n_short_codes : 1, any ? s->short_code_bits : 1);
  if (any) {
    tables(s, f);
    functions(s, f);
  } else {
    none(f);
  }
}

/* The package: enumerations, set values, field accessors. */

void emit_hex128(FILE *f, u128 v) {
  fprintf(f, "128'h%016" PRIx64 "%016" PRIx64, (uint64_t)(v >> 64), (uint64_t)v);
}

static void enum_start(FILE *f, unsigned bits) {
  fprintf(f, "  typedef enum logic [%u:0] {", bits - 1);
}

static void enum_item(FILE *f, unsigned i, const char *prefix, const char *name, unsigned bits) {
  fprintf(f, "%s    %s_%s = %u'd%u", i == 0 ? "\n" : ",\n", prefix, name, bits, i);
}

static void enums(const struct spec *s, FILE *f) {
  enum_start(f, 8);
  for (unsigned i = 0; i < s->n_insns; i++) enum_item(f, i, "OP", ident_upper(s->insn[i].name).s, 8);
  fprintf(f, "\n  } op_e;\n\n");
  enum_start(f, 4);
  for (unsigned i = 0; i < s->n_units; i++) enum_item(f, i, "UNIT", ident_upper(s->unit[i].name).s, 4);
  fprintf(f,
          "\n  } unit_e;\n\n  // What is no unit, and has a bit among those of the units (decode_for): asynchronous "
          "copies.\n"
          "  localparam int unsigned PART_ASYNC = %d;\n\n  // Space and kind of a memory access.\n",
          EMIT_PART_ASYNC);
  enum_start(f, 4);
  for (unsigned i = 0; i <= s->n_mems; i++) enum_item(f, i, "MEM", ident_mem(s, i).s, 4);
  fprintf(f, "\n  } mem_e;\n\n  // How a source operand is supplied.\n");
  fprintf(
      f,
      "  typedef enum logic [2:0] {SRC_NONE = 3'd0, SRC_REG = 3'd1, SRC_IMM = 3'd2, SRC_CONST = 3'd3, SRC_UREG = 3'd4} "
      "src_e;\n\n");
}

/* What decides how an instruction is issued, of those that the RTL knows. Functions of the instruction: nobody has to
 * carry the answer along. */
static void flows(const struct spec *s, FILE *f) {
  fprintf(f, "  // Where a warp goes on (isa/doc/00-isa-file.md).\n");
  enum_start(f, 3);
  for (unsigned i = 0; spec_flows[i] != NULL; i++) enum_item(f, i, "FLOW", ident_upper(spec_flows[i]).s, 3);
  fprintf(f, "\n  } flow_e;\n\n  function automatic flow_e op_flow(op_e op);\n    case (op)\n");
  for (unsigned i = 0; i < s->n_insns; i++)
    if (s->insn[i].flow != 0 && !s->insn[i].only_model)
      fprintf(f, "      OP_%s: op_flow = FLOW_%s;\n", ident_upper(s->insn[i].name).s,
              ident_upper(spec_flows[s->insn[i].flow]).s);
  fprintf(f, "      default: op_flow = FLOW_NEXT;\n    endcase\n  endfunction\n\n");
  fprintf(f, "  // Takes effect when all earlier accesses of the warp have been performed.\n"
             "  function automatic logic op_drains(op_e op);\n    op_drains = 1'b0");
  for (unsigned i = 0; i < s->n_insns; i++)
    if (s->insn[i].drains && !s->insn[i].only_model) fprintf(f, " || op == OP_%s", ident_upper(s->insn[i].name).s);
  fprintf(f, ";\n  endfunction\n\n");
}

/* For the check that every instruction has its case in a decoder; nothing of it becomes hardware. */
static void duties(const struct spec *s, FILE *f) {
  size_t longest = 1;
  fprintf(f, "  // Does the RTL have the instruction, and is the unit to carry it out?\n"
             "  function automatic logic op_is_for(op_e op, unit_e unit);\n    case (op)\n");
  for (unsigned i = 0; i < s->n_insns; i++) {
    const struct insn *in = &s->insn[i];
    bool in_rtl = false;
    for (unsigned k = 0; k < in->n_encs; k++) in_rtl = in_rtl || !s->enc[in->first_enc + k].only_model;
    if (strlen(in->name) > longest) longest = strlen(in->name);
    if (!in_rtl) continue;
    fprintf(f, "      OP_%s: op_is_for = unit == UNIT_%s", ident_upper(in->name).s,
            ident_upper(s->unit[in->unit].name).s);
    if (in->wide_unit != SPEC_NONE) fprintf(f, " || unit == UNIT_%s", ident_upper(s->unit[in->wide_unit].name).s);
    fprintf(f, ";\n");
  }
  fprintf(f, "      default: op_is_for = 1'b0;\n    endcase\n  endfunction\n\n");
  fprintf(f, "  // As text, for messages.\n  function automatic logic [%zu:0] op_name(op_e op);\n    case (op)\n",
          8 * longest - 1);
  for (unsigned i = 0; i < s->n_insns; i++)
    fprintf(f, "      OP_%s: op_name = %zu'(\"%s\");\n", ident_upper(s->insn[i].name).s, 8 * longest, s->insn[i].name);
  fprintf(f, "      default: op_name = '0;\n    endcase\n  endfunction\n\n");
}

/* Width of the fields that take their values from a set. */
static unsigned set_width(const struct spec *s, unsigned set) {
  unsigned w = 0;
  for (unsigned i = 0; i < s->n_fields; i++) {
    const struct field *fl = &s->field[i];
    if (fl->kind == K_SET && fl->set == set && fl->declared > w) w = fl->declared;
  }
  return w == 0 ? 8 : w;
}

static void set_values(const struct spec *s, FILE *f) {
  for (unsigned i = 0; i < s->n_sets; i++) {
    unsigned w = set_width(s, i);
    fprintf(f, "  // %s\n", s->set[i].name);
    for (unsigned v = 0; v < SPEC_TOKENS_MAX; v++)
      if (s->set[i].legal[v])
        fprintf(f, "  localparam logic [%u:0] %s = %u'd%u;\n", w - 1, ident_value(&s->set[i], v).s, w, v);
  }
  fprintf(f, "\n");
}

/* A function takes the whole word, so all but a few bits look unused to lint. Its value has the width that the base
 * declares, whatever a variant makes of the field: nobody else extends. */
static void accessors(const struct spec *s, FILE *f) {
  for (unsigned i = 0; i < s->n_fields; i++) {
    const struct field *fl = &s->field[i];
    struct ident id = ident_lower(fl->name);
    if (fl->note[0] != '\0') fprintf(f, "  // %s\n", fl->note);
    fprintf(f, "  function automatic logic [%u:0] f_%s(logic [127:0] word);\n    f_%s = ", fl->declared - 1, id.s,
            id.s);
    emit_extended(fl, fl->declared, f);
    fprintf(f, ";\n  endfunction\n");
  }
  fprintf(f, "\n");
}

void emit_sv(const struct spec *s, FILE *f) {
  fprintf(f, "// SPDX-License-Identifier: Apache-2.0\n// Generated from the ISA file; do not edit.\n");
  fprintf(f, "// The instruction set: names, field accessors f_NAME(word), decode(word).\n");
  fprintf(f, "package isa_pkg;\n\n");
  fprintf(f, "  // Users pick what they need; an accessor looks at a few bits of the word.\n");
  fprintf(f, "  /* verilator lint_off UNUSEDPARAM */\n  /* verilator lint_off UNUSEDSIGNAL */\n\n");
  fprintf(f, "  localparam logic [63:0] ISA_HASH = 64'h%016" PRIx64 ";\n\n", s->hash);
  fprintf(f,
          "  localparam int unsigned OP_COUNT = %u;\n  localparam logic [7:0] RZ = 8'd255;\n  localparam logic [2:0] "
          "PT = 3'd7;\n\n",
          s->n_insns);
  enums(s, f);
  flows(s, f);
  duties(s, f);
  set_values(s, f);
  accessors(s, f);
  emit_sv_decode(s, f);
  emit_sv_table(s, f);
  emit_sv_short(s, f);
  fprintf(f, "  /* verilator lint_on UNUSEDSIGNAL */\n  /* verilator lint_on UNUSEDPARAM "
             "*/\nendpackage\n");
}
