/* SPDX-License-Identifier: Apache-2.0 */
#include "map.h"

#include <ctype.h>
#include <string.h>

const struct map_key map_legend[] = {{'o', "opcode and other fixed values", "#d9d9d9"},
                                     {'g', "guard", "#fdb462"},
                                     {'d', "destination register", "#fb8072"},
                                     {'a', "operand a", "#8dd3c7"},
                                     {'b', "operand b", "#80b1d3"},
                                     {'c', "operand c", "#bebada"},
                                     {'p', "predicate", "#ffed6f"},
                                     {'n', "number", "#b3de69"},
                                     {'s', "suffix", "#fccde5"},
                                     {'k', "control code", "#bc80bd"},
                                     {'.', "reserved: zero (of a format: or left to its instructions)", "#ffffff"},
                                     {0, NULL, NULL}};

static void paint(const struct spec *s, struct map_row *r, unsigned field, char what) {
  if (field == SPEC_NONE) return;
  for (unsigned b = s->field[field].lo; b <= s->field[field].hi; b++) r->cell[b] = (struct map_cell){what, field};
}

static char letter(const struct field *f) {
  if (kind_is_register(f->kind)) return 'd'; /* sources lie behind operands, which are painted later */
  if (f->kind == K_GUARD || f->kind == K_UGUARD) return 'g';
  if (kind_is_pred(f->kind)) return 'p';
  if (f->kind == K_SET) return 's';
  return f->kind >= K_STALL && f->kind <= K_REUSE ? 'k' : 'n';
}

static void paint_list(const struct spec *s, struct map_row *r, const uint8_t *list, unsigned n) {
  for (unsigned i = 0; i < n; i++) paint(s, r, list[i], letter(&s->field[list[i]]));
}

static void paint_fixed(const struct spec *s, struct map_row *r, const struct fixed *list, unsigned n) {
  for (unsigned i = 0; i < n; i++) paint(s, r, list[i].field, 'o');
}

static void paint_slots(const struct spec *s, struct map_row *r, const struct slot src[3]) {
  for (unsigned o = 0; o < 3; o++) {
    char what = (char)('a' + o);
    if (src[o].kind == SLOT_NONE) continue;
    for (unsigned i = 0; src[o].kind == SLOT_CONST && i < s->n_fields; i++)
      if (s->field[i].kind == K_COFF || s->field[i].kind == K_CBANK) paint(s, r, i, what);
    paint(s, r, src[o].field, what);
    paint(s, r, src[o].neg, what);
    paint(s, r, src[o].abs, what);
    paint(s, r, src[o].part, what);
  }
}

unsigned map_count(const struct spec *s, enum map_rows rows) {
  return rows == MAP_FORMATS ? s->n_formats : s->n_encs;
}

void map_row(const struct spec *s, enum map_rows rows, unsigned i, struct map_row *out) {
  const struct enc *e = rows == MAP_ENCODINGS ? &s->enc[i] : NULL;
  const struct format *f = &s->format[e != NULL ? e->format : i];
  for (unsigned b = 0; b < SPEC_WORD_BITS; b++) out->cell[b] = (struct map_cell){'.', SPEC_NONE};
  if (e == NULL) {
    (void)snprintf(out->label, sizeof out->label, "%s", f->name);
    paint_list(s, out, s->key, s->n_keys);
    paint_list(s, out, s->always, s->n_always);
    paint_list(s, out, f->owned, f->n_owned);
  } else {
    (void)snprintf(out->label, sizeof out->label, "%s %s", s->insn[e->insn].name, f->name);
    paint_list(s, out, e->fields, e->n_fields);
    paint_fixed(s, out, s->insn[e->insn].fixed, s->insn[e->insn].n_fixed);
  }
  paint_fixed(s, out, f->fixed, f->n_fixed);
  paint_slots(s, out, e != NULL ? e->src : f->src);
  for (unsigned k = 0; k < s->n_keys; k++) paint(s, out, s->key[k], 'o');
}

/* Every eighth bit number, written from its own column to the right. */
static void ruler(FILE *f) {
  for (unsigned b = SPEC_WORD_BITS; b > 0; b -= 8) fprintf(f, "%-8u", b - 1);
  fprintf(f, "\n");
}

static bool starts_field(const struct map_row *r, unsigned bit) {
  return bit + 1 == SPEC_WORD_BITS || r->cell[bit].field != r->cell[bit + 1].field;
}

void map_text(const struct spec *s, enum map_rows rows, FILE *f) {
  ruler(f);
  for (unsigned i = 0; i < map_count(s, rows); i++) {
    struct map_row r;
    map_row(s, rows, i, &r);
    for (unsigned b = SPEC_WORD_BITS; b-- > 0;)
      fputc(starts_field(&r, b) ? toupper((unsigned char)r.cell[b].what) : r.cell[b].what, f);
    fprintf(f, "  %s\n", r.label);
  }
  fprintf(f, "\nA capital begins a field, at its top bit.\n");
  for (const struct map_key *k = map_legend; k->what != 0; k++) fprintf(f, "  %c  %s\n", k->what, k->text);
}

enum { BIT = 12, ROW = 20, LEFT = 190, TOP = 30, LETTER = 7 };

static const char *color(char what) {
  const struct map_key *k = map_legend;
  while (k->what != what && k[1].what != 0) k++;
  return k->color;
}

static void svg_box(unsigned column, unsigned line, unsigned bits, char what, const char *text, FILE *f) {
  unsigned x = LEFT + column * BIT, y = TOP + line * ROW, w = bits * BIT;
  fprintf(f, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\" fill=\"%s\"/>", x, y, w, ROW - 2, color(what));
  if (text[0] != '\0') {
    fprintf(f, "<text x=\"%u\" y=\"%u\" text-anchor=\"middle\"", x + w / 2, y + 13);
    if (strlen(text) * LETTER > w) fprintf(f, " textLength=\"%u\" lengthAdjust=\"spacingAndGlyphs\"", w - 2);
    fprintf(f, ">%s</text>", text);
  }
  fprintf(f, "\n");
}

static void svg_row(const struct spec *s, const struct map_row *r, unsigned line, FILE *f) {
  fprintf(f, "<text x=\"4\" y=\"%u\">%s</text>\n", TOP + line * ROW + 13, r->label);
  for (unsigned hi = SPEC_WORD_BITS; hi-- > 0;) {
    unsigned lo = hi, field = r->cell[hi].field;
    while (lo > 0 && !starts_field(r, lo - 1)) lo--;
    svg_box(SPEC_WORD_BITS - 1 - hi, line, hi - lo + 1, r->cell[hi].what,
            field == SPEC_NONE ? "" : s->field[field].name, f);
    hi = lo;
  }
}

/* Names hold letters, digits, '_' and '.': nothing that XML would mind. */
void map_svg(const struct spec *s, enum map_rows rows, FILE *f) {
  unsigned n = map_count(s, rows), keys = 0;
  while (map_legend[keys].what != 0) keys++;
  unsigned width = LEFT + SPEC_WORD_BITS * BIT + 10, height = TOP + (n + keys + 1) * ROW + 10;
  fprintf(f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" "
          "font-family=\"sans-serif\" font-size=\"11\" stroke-width=\"0.5\">\n"
          "<style>rect{stroke:#555}</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
          width, height, width, height);
  for (unsigned b = SPEC_WORD_BITS; b > 0; b -= 8)
    fprintf(f, "<text x=\"%u\" y=\"20\">%u</text>\n", LEFT + (SPEC_WORD_BITS - b) * BIT, b - 1);
  for (unsigned i = 0; i < n; i++) {
    struct map_row r;
    map_row(s, rows, i, &r);
    svg_row(s, &r, i, f);
  }
  for (unsigned k = 0; k < keys; k++) {
    svg_box(0, n + 1 + k, 2, map_legend[k].what, "", f);
    fprintf(f, "<text x=\"%u\" y=\"%u\">%s</text>\n", LEFT + 3 * BIT, TOP + (n + 1 + k) * ROW + 13, map_legend[k].text);
  }
  fprintf(f, "</svg>\n");
}
