/* SPDX-License-Identifier: Apache-2.0
 *
 * Short words in isa_pkg.sv (isa/doc/13-short-words.md): how far instructions lie
 * apart, the rows of both tables for a memory, and functions that make the long
 * word of a short one, from its rows (lengthen_by) or at once (lengthen).
 */
#include <inttypes.h>

#include "isa/gen/emit.h"

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
          "  // The long word of a short one, whose rows are found: what no row or field has is 0.\n"
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

void emit_sv_short(const struct spec *s, FILE *f) {
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
