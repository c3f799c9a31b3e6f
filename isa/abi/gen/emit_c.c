/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle/NAME.h: offsets, fields, values, and what a word that can be written keeps.
 */
#include <ctype.h>
#include <inttypes.h>

#include "isa/abi/gen/layout.h"

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

/* The set at `i` with its values; returns how many items that were. */
static unsigned emit_values(const struct layout_item *i, const struct layout_item *end, FILE *f) {
  char name[TEXT_NAME_MAX];
  unsigned n = 1;
  lower(name, i->name);
  fprintf(f, "\n/* %s */\nenum heddle_%s {\n", i->text, name);
  for (; i + n < end && i[n].kind == LAYOUT_VALUE; n++)
    fprintf(f, "  HEDDLE_%s = %u, /* %s */\n", i[n].name, i[n].value, i[n].text);
  fprintf(f, "};\n");
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

static void emit_kept(const struct layout *l, FILE *f) {
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
  if (layout_keeps(l)) emit_kept(l, f);
  fprintf(f, "\n#endif\n");
}
