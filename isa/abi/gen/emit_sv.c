/* SPDX-License-Identifier: Apache-2.0
 *
 * NAME_pkg.sv: the same as word numbers (byte offset / 4), bits, values, and what a word keeps of what is written.
 */
#include "isa/abi/gen/layout.h"

static unsigned index_bits(const struct layout *l) {
  unsigned w = 1;
  while (((l->bytes / 4 - 1) >> w) != 0) w++;
  return w;
}

static void emit_sv_word(const struct layout_item *i, unsigned w, FILE *f) {
  for (unsigned half = 0; half <= layout_is_wide(i); half++)
    fprintf(f, "  localparam logic [%u:0] W_%s%s = %u'h%03x; // %s\n", w - 1, i->name, half > 0 ? "_HI" : "", w,
            i->offset / 4 + half, half > 0 ? "its high word" : i->text);
  if (i->count > 1) fprintf(f, "  localparam logic [%u:0] EVERY_%s = %u'd%u;\n", w - 1, i->name, w, i->every / 4);
}

static void emit_sv_field(const struct layout_item *i, FILE *f) {
  fprintf(f, "  localparam int unsigned %s = %u; // ", i->name, i->low);
  if (i->high > i->low) fprintf(f, "to %u: ", i->high);
  fprintf(f, "%s\n", i->text);
}

static void emit_kept_case(const struct layout_item *i, unsigned half, unsigned w, FILE *f) {
  const uint32_t mask = layout_mask(i, half);
  for (unsigned k = 0; k < i->count; k++)
    fprintf(f, "%s%u'h%03x",
            k == 0       ? "      "
            : k % 8 == 0 ? ",\n      "
                         : ", ",
            w, (i->offset + k * i->every) / 4 + half);
  if (i->saturates)
    fprintf(f, ": kept = data[31:%u] != '0 ? 32'h%08x : data;", i->bits, mask);
  else if (mask == UINT32_MAX)
    fprintf(f, ": kept = data;");
  else
    fprintf(f, ": kept = data & 32'h%08x;", mask);
  fprintf(f, " // %s%s\n", i->name, half > 0 ? "_HI" : "");
}

static void emit_kept(const struct layout *l, unsigned w, FILE *f) {
  fprintf(f,
          "\n  // What is left of a value that is written to a word: bits that it lacks are dropped, or the largest\n"
          "  // value taken; 0 where no word can be written and read.\n");
  fprintf(f, "  function automatic logic [31:0] kept(input logic [%u:0] word, input logic [31:0] data);\n", w - 1);
  fprintf(f, "    case (word)\n");
  for (unsigned k = 0; k < l->items; k++) {
    const struct layout_item *i = &l->item[k];
    if (!layout_is_kept(i)) continue;
    for (unsigned half = 0; half <= layout_is_wide(i); half++) emit_kept_case(i, half, w, f);
  }
  fprintf(f, "      default: kept = '0;\n    endcase\n  endfunction\n");
}

void layout_emit_sv(const struct layout *l, FILE *f) {
  const unsigned w = index_bits(l);
  fprintf(f, "// SPDX-License-Identifier: Apache-2.0\n// Generated from %s.layout; do not edit.\n// %s\n", l->name,
          l->text);
  fprintf(f, "// W_* are word numbers, EVERY_* words from one to the next, the rest bits and values.\n");
  fprintf(f, "`default_nettype none\n\npackage %s_pkg;\n\n  /* verilator lint_off UNUSEDPARAM */\n", l->name);
  for (unsigned k = 0; k < l->items; k++) {
    const struct layout_item *i = &l->item[k];
    if (i->kind == LAYOUT_PART || i->kind == LAYOUT_VALUES) fprintf(f, "\n  // %s\n", i->text);
    if (i->kind == LAYOUT_CONST)
      fprintf(f, "  localparam logic [31:0] %s = 32'h%08x; // %s\n", i->name, i->value, i->text);
    if (i->kind == LAYOUT_WORD) emit_sv_word(i, w, f);
    if (i->kind == LAYOUT_FIELD) emit_sv_field(i, f);
    if (i->kind == LAYOUT_VALUE) fprintf(f, "  localparam int unsigned %s = %u; // %s\n", i->name, i->value, i->text);
  }
  fprintf(f, "\n  /* verilator lint_on UNUSEDPARAM */\n");
  if (layout_keeps(l)) emit_kept(l, w, f);
  fprintf(f, "\nendpackage\n\n`default_nettype wire\n");
}
