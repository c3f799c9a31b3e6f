/* SPDX-License-Identifier: Apache-2.0
 *
 * Short words: rows of the two tables that they name (isa/doc/13-short-words.md).
 */
#include <string.h>

#include "isa/gen/spec.h"

const char *const spec_short_kinds[] = {"none", "int", "high", "offset", "const", NULL};

static bool parse_hex_bits(const char *s, u128 *out) {
  const size_t n = strlen(s);
  *out = 0;
  if (n < 3 || n > 2 + SPEC_WORD_BITS / 4 || s[0] != '0' || s[1] != 'x') return false;
  for (s += 2; *s != '\0'; s++) {
    static const char digits[] = "0123456789abcdef";
    const char *at = strchr(digits, *s);
    if (at == NULL) return false;
    *out = *out << 4 | (u128)(unsigned)(at - digits);
  }
  return true;
}

static bool parse_pattern(struct spec *s, const struct line *l, struct diag *d) {
  if (l->n != 4) return diag_fail(d, l->at, "expected 'short pattern 0xBITS none|int|high|offset|const'");
  if (s->n_short_rows == SPEC_SHORT_ROWS)
    return diag_fail(d, l->at, "more than %d patterns of short words", SPEC_SHORT_ROWS);
  struct short_row *r = &s->short_row[s->n_short_rows];
  if (!parse_hex_bits(l->word[2], &r->bits))
    return diag_fail(d, l->at, "expected up to 128 bits as 0x..., found '%s'", l->word[2]);
  while (spec_short_kinds[r->kind] != NULL && strcmp(spec_short_kinds[r->kind], l->word[3]) != 0) r->kind++;
  if (spec_short_kinds[r->kind] == NULL)
    return diag_fail(d, l->at, "kind of number '%s' is unknown; use none, int, high, offset or const", l->word[3]);
  r->at = l->at;
  s->n_short_rows++;
  return true;
}

static bool parse_code(struct spec *s, const struct line *l, struct diag *d) {
  u128 bits;
  if (l->n != 3 || !parse_hex_bits(l->word[2], &bits) || bits >> 32 != 0)
    return diag_fail(d, l->at, "expected 'short code 0xBITS'");
  if (s->n_short_codes == SPEC_SHORT_CODES)
    return diag_fail(d, l->at, "more than %d control codes of short words", SPEC_SHORT_CODES);
  s->short_code[s->n_short_codes] = (struct short_code){(uint32_t)bits, l->at};
  s->n_short_codes++;
  return true;
}

bool spec_parse_short(struct spec *s, const struct line *l, struct diag *d) {
  if (l->n > 1 && strcmp(l->word[1], "pattern") == 0) return parse_pattern(s, l, d);
  if (l->n > 1 && strcmp(l->word[1], "code") == 0) return parse_code(s, l, d);
  return diag_fail(d, l->at, "expected 'short pattern ...' or 'short code ...'");
}

/* Bits of a long word that control codes take: in one piece. */
static bool find_code(struct spec *s, struct diag *d) {
  u128 mask = 0;
  for (unsigned i = 0; i < s->n_fields; i++) {
    const enum kind k = s->field[i].kind;
    if (k == K_STALL || k == K_YIELD || k == K_SBSET || k == K_SBWAIT || k == K_REUSE) mask |= field_mask(&s->field[i]);
  }
  s->short_code_lo = s->short_code_bits = 0;
  while (mask != 0 && (mask >> s->short_code_lo & 1) == 0) s->short_code_lo++;
  while (mask != 0 && s->short_code_lo + s->short_code_bits < SPEC_WORD_BITS &&
         (mask >> (s->short_code_lo + s->short_code_bits) & 1) != 0)
    s->short_code_bits++;
  const u128 piece = (((u128)1 << s->short_code_bits) - 1) << s->short_code_lo;
  return (mask != 0 && mask == piece && s->short_code_bits <= 32) ||
         diag_fail(d, s->short_row[0].at, "short words need control codes whose fields follow each other");
}

/* What a short word has a place for, each as wide as that. */
static const struct {
  const char *name;
  unsigned bits;
} placed[] = {{"pg", 4},   {"rd", 8},     {"ra", 8},    {"rb", 8},   {"rc", 8},
              {"imm", 32}, {"off24", 24}, {"coff", 16}, {"cbank", 5}};

static bool check_placed(const struct spec *s, struct diag *d) {
  for (size_t i = 0; i < sizeof placed / sizeof *placed; i++) {
    const unsigned f = spec_field(s, placed[i].name);
    if (f == SPEC_NONE || field_width(&s->field[f]) != placed[i].bits)
      return diag_fail(d, s->short_row[0].at, "short words need a field '%s' of %u bits", placed[i].name,
                       placed[i].bits);
  }
  return true;
}

bool spec_check_short(struct spec *s, struct diag *d) {
  if (s->n_short_rows == 0 && s->n_short_codes == 0) return true;
  if (s->n_short_rows == 0 || s->n_short_codes == 0) {
    const struct pos at = s->n_short_rows != 0 ? s->short_row[0].at : s->short_code[0].at;
    return diag_fail(d, at, "short words need patterns and control codes; there are none of the %s",
                     s->n_short_rows == 0 ? "former" : "latter");
  }
  if (!check_placed(s, d) || !find_code(s, d)) return false;
  const u128 code = (((u128)1 << s->short_code_bits) - 1) << s->short_code_lo;
  const u128 taken = code | field_mask(&s->field[spec_field(s, "pg")]) | (u128)1 << (SPEC_WORD_BITS - 1);
  for (unsigned i = 0; i < s->n_encs; i++)
    if ((s->enc[i].owned | s->enc[i].fixed) >> (SPEC_WORD_BITS - 1) != 0)
      return diag_fail(d, s->short_row[0].at, "bit %d tells pairs of short words; an encoding of %s owns it",
                       SPEC_WORD_BITS - 1, s->insn[s->enc[i].insn].name);
  for (unsigned i = 0; i < s->n_short_rows; i++)
    if ((s->short_row[i].bits & taken) != 0)
      return diag_fail(d, s->short_row[i].at, "a pattern has no bit of guard or control code, nor bit %d",
                       SPEC_WORD_BITS - 1);
  for (unsigned i = 0; i < s->n_short_codes; i++)
    if ((uint64_t)s->short_code[i].bits >> s->short_code_bits != 0)
      return diag_fail(d, s->short_code[i].at, "a control code has %u bits", s->short_code_bits);
  return true;
}
