/* SPDX-License-Identifier: Apache-2.0
 *
 * What is made of a layout: heddle/NAME.h, NAME_pkg.sv, NAME.md.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include "isa/abi/gen/layout.h"

/* heddle/NAME.h: offsets, fields, values, and what a word that can be written keeps. */

static void lower(char to[TEXT_NAME_MAX], const char *from) {
  unsigned n = 0;
  for (; from[n] != '\0'; n++) to[n] = (char)tolower((unsigned char)from[n]);
  to[n] = '\0';
}

static void copy_upper(char to[TEXT_NAME_MAX], const char *from) {
  unsigned n = 0;
  for (; from[n] != '\0'; n++) to[n] = (char)toupper((unsigned char)from[n]);
  to[n] = '\0';
}

static void emit_offset(const struct layout *l, const struct layout_item *i, const char *half, uint32_t add, FILE *f) {
  if (i->count > 1)
    fprintf(f, "#define HEDDLE_%s_%s%s(i) (0x%03xu + %uu * (uint32_t)(i))", l->word, i->name, half, i->offset + add,
            i->every);
  else
    fprintf(f, "#define HEDDLE_%s_%s%s 0x%03xu", l->word, i->name, half, i->offset + add);
}

static void emit_c_word(const struct layout *l, const struct layout_item *i, FILE *f) {
  emit_offset(l, i, "", 0, f);
  fprintf(f, " /* %s */\n", i->text);
  if (!layout_is_wide(i)) return;
  emit_offset(l, i, "_HI", 4, f);
  fprintf(f, "\n");
}

static void emit_c_field(const struct layout_item *i, FILE *f) {
  if (i->high == i->low) {
    fprintf(f, "#define HEDDLE_%s 0x%" PRIx64 "u /* %s */\n", i->name, UINT64_C(1) << i->low, i->text);
    return;
  }
  const uint64_t ones = i->high - i->low == 63 ? UINT64_MAX : (UINT64_C(1) << (i->high - i->low + 1)) - 1;
  fprintf(f, "#define HEDDLE_%s_SHIFT %u /* %s */\n", i->name, i->low, i->text);
  fprintf(f, "#define HEDDLE_%s_MASK 0x%" PRIx64 "u\n", i->name, ones << i->low);
}

/* A value as a word of a command line: TWO_LEVEL of set POLICY, whose name is POLICY_TWO_LEVEL, is twolevel. */
static void value_word(char to[TEXT_NAME_MAX], const struct layout_item *set, const struct layout_item *value) {
  unsigned n = 0;
  for (const char *c = value->name + strlen(set->name) + 1; *c != '\0'; c++)
    if (*c != '_') to[n++] = (char)tolower((unsigned char)*c);
  to[n] = '\0';
}

/* The `n` values behind the set at `i`, if they count from 0: strings by number, one string of all but the first, one
 * of all, and one with their meanings. */
static void emit_value_words(const struct layout_item *i, unsigned n, FILE *f) {
  char word[TEXT_NAME_MAX];
  const char *const part[] = {"NAMES", "CHOICES", "WORDS", "MEANINGS"};
  for (unsigned k = 0; k < n; k++)
    if (i[1 + k].value != k) return;
  for (unsigned p = 0; p < 4; p++) {
    fprintf(f, "#define HEDDLE_%s_%s", i->name, part[p]);
    for (unsigned k = p == 1 ? 1 : 0; k < n; k++) {
      value_word(word, i, &i[1 + k]);
      if (p == 0) fprintf(f, "%s \"%s\"", k == 0 ? "" : ",", word);
      if (p == 1 || p == 2) fprintf(f, " \"%s%s\"", k == (p == 1 ? 1 : 0) ? "" : " ", word);
      if (p == 3) fprintf(f, " \"%s%s (%s)\"", k == 0 ? "" : ", ", word, i[1 + k].text);
    }
    fprintf(f, "\n");
  }
}

/* The set at `i` with its values; returns how many items that were. */
static unsigned emit_values(const struct layout_item *i, const struct layout_item *end, FILE *f) {
  char name[TEXT_NAME_MAX];
  unsigned n = 1;
  lower(name, i->name);
  fprintf(f, "\n/* %s */\nenum heddle_%s {\n", i->text, name);
  for (; i + n < end && i[n].kind == LAYOUT_VALUE; n++)
    fprintf(f, "  HEDDLE_%s = %u, /* %s */\n", i[n].name, i[n].value, i[n].text);
  fprintf(f, "};\n");
  emit_value_words(i, n - 1, f);
  return n;
}

static void emit_kept_words(const struct layout *l, FILE *f) {
  for (unsigned k = 0; k < l->items; k++) {
    const struct layout_item *i = &l->item[k];
    if (!layout_is_kept(i)) continue;
    for (unsigned half = 0; half <= layout_is_wide(i); half++)
      fprintf(f, "    {0x%03xu, %uu, %uu, 0x%xu, %u}, /* %s%s */\n", i->offset + 4 * half, i->count,
              i->every > 0 ? i->every : 4, layout_mask(i, half), i->saturates, i->name, half > 0 ? "_HI" : "");
  }
}

static void emit_kept_function(const struct layout *l, FILE *f) {
  fprintf(f, "\n/* What is left of a value that is written to the word at `offset`, in *kept: bits that it lacks are\n"
             " * dropped, or the largest value taken. False: no word there can be written and read. */\n");
  fprintf(f, "static inline bool heddle_%s_kept(uint32_t offset, uint32_t value, uint32_t *kept) {\n", l->name);
  fprintf(f, "  static const struct {\n    uint32_t at, count, every, mask;\n    bool saturates;\n  } word[] = {\n");
  emit_kept_words(l, f);
  fprintf(
      f,
      "  };\n  for (size_t i = 0; i < sizeof word / sizeof *word; i++) {\n"
      "    const uint32_t from = offset - word[i].at;\n"
      "    if (offset < word[i].at || from %% word[i].every != 0 || from / word[i].every >= word[i].count) continue;\n"
      "    *kept = word[i].saturates && value > word[i].mask ? word[i].mask : value & word[i].mask;\n"
      "    return true;\n  }\n  return false;\n}\n");
}

void layout_emit_c(const struct layout *l, FILE *f) {
  char guard[TEXT_NAME_MAX];
  copy_upper(guard, l->name);
  fprintf(f, "/* SPDX-License-Identifier: Apache-2.0 */\n/* Generated from %s.layout; do not edit. */\n", l->name);
  fprintf(f, "/* %s */\n#ifndef HEDDLE_%s_H\n#define HEDDLE_%s_H\n\n", l->text, guard, guard);
  fprintf(f, "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n");
  fprintf(f, "#define HEDDLE_%s_BYTES 0x%xu /* size of the table */\n", l->word, l->bytes);
  for (unsigned k = 0; k < l->items; k++) {
    const struct layout_item *i = &l->item[k];
    if (i->kind == LAYOUT_PART) fprintf(f, "\n/* %s */\n", i->text);
    if (i->kind == LAYOUT_CONST) fprintf(f, "#define HEDDLE_%s 0x%xu /* %s */\n", i->name, i->value, i->text);
    if (i->kind == LAYOUT_WORD) emit_c_word(l, i, f);
    if (i->kind == LAYOUT_FIELD) emit_c_field(i, f);
    if (i->kind == LAYOUT_VALUES) k += emit_values(i, l->item + l->items, f) - 1;
  }
  if (layout_keeps(l)) emit_kept_function(l, f);
  fprintf(f, "\n#endif\n");
}

/* NAME_pkg.sv: the same as word numbers (byte offset / 4), bits, values, and what a word keeps of what is written. */

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
  if (i->high > i->low) fprintf(f, "  localparam int unsigned %s_W = %u;\n", i->name, i->high - i->low + 1);
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

static void emit_kept_package(const struct layout *l, unsigned w, FILE *f) {
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

static unsigned values_of(const struct layout_item *set, const struct layout_item *end) {
  unsigned n = 0;
  while (set + n + 1 < end && set[n + 1].kind == LAYOUT_VALUE) n++;
  return n;
}

void layout_emit_sv(const struct layout *l, FILE *f) {
  const unsigned w = index_bits(l);
  fprintf(f, "// SPDX-License-Identifier: Apache-2.0\n// Generated from %s.layout; do not edit.\n// %s\n", l->name,
          l->text);
  fprintf(f, "// W_* are word numbers, EVERY_* words from one to the next, the rest bits and values.\n");
  fprintf(f, "package %s_pkg;\n\n  /* verilator lint_off UNUSEDPARAM */\n", l->name);
  for (unsigned k = 0; k < l->items; k++) {
    const struct layout_item *i = &l->item[k];
    if (i->kind == LAYOUT_PART || i->kind == LAYOUT_VALUES) fprintf(f, "\n  // %s\n", i->text);
    if (i->kind == LAYOUT_CONST)
      fprintf(f, "  localparam logic [31:0] %s = 32'h%08x; // %s\n", i->name, i->value, i->text);
    if (i->kind == LAYOUT_WORD) emit_sv_word(i, w, f);
    if (i->kind == LAYOUT_FIELD) emit_sv_field(i, f);
    if (i->kind == LAYOUT_VALUES)
      fprintf(f, "  localparam int unsigned %s_COUNT = %u;\n", i->name, values_of(i, l->item + l->items));
    if (i->kind == LAYOUT_VALUE) fprintf(f, "  localparam int unsigned %s = %u; // %s\n", i->name, i->value, i->text);
  }
  fprintf(f, "\n  /* verilator lint_on UNUSEDPARAM */\n");
  if (layout_keeps(l)) emit_kept_package(l, w, f);
  fprintf(f, "\nendpackage\n");
}

/* NAME.md: the table that stands in the prose. */

static void emit_fields(const struct layout *l, const struct layout_item *i, FILE *f) {
  for (i++; i < l->item + l->items && i->kind == LAYOUT_FIELD; i++) {
    /* A field's name holds its word's, which stands in the row already. */
    const struct layout_item *word = i;
    while (word->kind == LAYOUT_FIELD) word--;
    const char *name = i->name + strlen(word->name) + 1;
    if (i->high == i->low)
      fprintf(f, "; bit %u %s: %s", i->low, name, i->text);
    else
      fprintf(f, "; bits %u:%u %s: %s", i->high, i->low, name, i->text);
  }
}

static void emit_word_row(const struct layout *l, const struct layout_item *i, FILE *f) {
  fprintf(f, "| 0x%03x", i->offset);
  if (i->count > 1) fprintf(f, " + %u i, i = 0 to %u", i->every, i->count - 1);
  fprintf(f, " | %s | %u | %s%s | %s", i->name, i->bits, i->readable ? "r" : "", i->writable ? "w" : "", i->text);
  if (i->saturates) fprintf(f, "; what does not fit reads back as the largest value");
  emit_fields(l, i, f);
  fprintf(f, " |\n");
}

static void emit_constants(const struct layout *l, FILE *f) {
  bool first = true;
  for (unsigned k = 0; k < l->items; k++) {
    if (l->item[k].kind != LAYOUT_CONST) continue;
    if (first) fprintf(f, "\n| constant | value | meaning |\n|---|---|---|\n");
    fprintf(f, "| %s | 0x%x | %s |\n", l->item[k].name, l->item[k].value, l->item[k].text);
    first = false;
  }
}

void layout_emit_markdown(const struct layout *l, FILE *f) {
  fprintf(f, "| offset | name | bits | access | meaning |\n|---|---|---|---|---|\n");
  for (unsigned k = 0; k < l->items; k++)
    if (l->item[k].kind == LAYOUT_WORD) emit_word_row(l, &l->item[k], f);
  emit_constants(l, f);
  for (unsigned k = 0; k < l->items; k++) {
    const struct layout_item *i = &l->item[k];
    if (i->kind == LAYOUT_VALUES) fprintf(f, "\n%s\n\n| value | name | meaning |\n|---|---|---|\n", i->text);
    if (i->kind == LAYOUT_VALUE) fprintf(f, "| %u | %s | %s |\n", i->value, i->name, i->text);
  }
}
