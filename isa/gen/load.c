/* SPDX-License-Identifier: Apache-2.0
 *
 * All steps together: short words, then the canonical text whose hash programs carry.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "isa/gen/spec.h"

/* Short words: rows of the two tables that they name (isa/doc/13-short-words.md). */

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
         diag_fail(d, s->short_row[0].at, "short words need control codes with fields that follow each other");
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

static bool spec_check_short(struct spec *s, struct diag *d) {
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
      return diag_fail(d, s->short_row[0].at, "bit %d marks pairs of short words; an encoding of %s owns it",
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

/* All steps together, and the canonical text whose hash programs carry: what
 * decoding depends on, without comments, notes and file names. What the RTL does
 * not know yet is not part of it: programs outlive that. */

static void canonical_insns(const struct spec *s, FILE *f) {
  for (unsigned i = 0; i < s->n_insns; i++) {
    const struct insn *in = &s->insn[i];
    fprintf(f, "insn %s '%s' unit=%s sem=%s imm=%u mem=%u", in->name, in->syntax, s->unit[in->unit].name, in->sem,
            in->imm, in->mem);
    if (in->wide_unit != SPEC_NONE) fprintf(f, " wide_unit=%s", s->unit[in->wide_unit].name);
    for (unsigned k = 0; k < 4; k++) fprintf(f, " %u:%u", in->wide[k].words, in->wide[k].field);
    for (unsigned k = 0; k < in->n_suffix; k++) fprintf(f, " %s", s->field[in->suffix[k]].name);
    fprintf(f, "\n");
  }
  for (unsigned i = 0; i < s->n_encs; i++) {
    const struct enc *e = &s->enc[i];
    fprintf(f, "enc %u %s %016" PRIx64 "%016" PRIx64 " %016" PRIx64 "%016" PRIx64, e->insn, s->format[e->format].name,
            (uint64_t)(e->match >> 64), (uint64_t)e->match, (uint64_t)(e->mask >> 64), (uint64_t)e->mask);
    for (unsigned k = 0; k < 3; k++)
      fprintf(f, " %d,%u,%u,%u,%u", (int)e->src[k].kind, e->src[k].field, e->src[k].neg, e->src[k].abs, e->src[k].part);
    for (unsigned k = 0; k < e->n_fields; k++) fprintf(f, " %u", e->fields[k]);
    fprintf(f, "\n");
  }
}

void spec_canonical(const struct spec *s, FILE *f) {
  fprintf(f, "isa %s\n", s->name);
  for (unsigned i = 0; i < s->n_units; i++) fprintf(f, "unit %s %u\n", s->unit[i].name, s->unit[i].latency);
  for (unsigned i = 0; i < s->n_mems; i++) fprintf(f, "mem %s\n", s->mem[i]);
  for (unsigned i = 0; i < s->n_sets; i++) {
    const struct set *set = &s->set[i];
    fprintf(f, "set %s", set->name);
    for (unsigned k = 0; k < set->n_tokens; k++)
      fprintf(f, " '%s'%c%u:%u", set->token[k].text, set->token[k].canonical ? '=' : '~', set->token[k].value,
              set->words[set->token[k].value]);
    fprintf(f, "\n");
  }
  for (unsigned i = 0; i < s->n_fields; i++) {
    const struct field *fl = &s->field[i];
    fprintf(f, "field %s %u:%u %d %u\n", fl->name, fl->hi, fl->lo, (int)fl->kind, fl->set);
  }
  canonical_insns(s, f);
  for (unsigned i = 0; i < s->n_short_rows; i++)
    fprintf(f, "short pattern %016" PRIx64 "%016" PRIx64 " %u\n", (uint64_t)(s->short_row[i].bits >> 64),
            (uint64_t)s->short_row[i].bits, (unsigned)s->short_row[i].kind);
  for (unsigned i = 0; i < s->n_short_codes; i++) fprintf(f, "short code %" PRIx32 "\n", s->short_code[i].bits);
}

static bool derive_hash(struct spec *s, struct diag *d) {
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (f == NULL) return diag_fail(d, (struct pos){s->file[0], 0}, "out of memory");
  spec_canonical(s, f);
  if (fclose(f) != 0)
    diag_fail(d, (struct pos){s->file[0], 0}, "out of memory");
  else
    s->hash = text_hash(TEXT_HASH_START, text);
  free(text);
  return !d->failed;
}

struct spec *spec_load(const char *path, struct diag *d) {
  struct spec *s = calloc(1, sizeof *s);
  if (s == NULL) {
    diag_fail(d, (struct pos){path, 0}, "out of memory");
    return NULL;
  }
  if (spec_parse(s, path, d) && spec_derive(s, d) && spec_check(s, d) && spec_check_short(s, d) && derive_hash(s, d))
    return s;
  spec_free(s);
  return NULL;
}

void spec_free(struct spec *s) {
  free(s);
}
