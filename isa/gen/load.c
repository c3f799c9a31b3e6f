/* SPDX-License-Identifier: Apache-2.0
 *
 * All steps together, and the canonical text whose hash programs carry: what
 * decoding depends on, without comments, notes and file names. What the RTL does
 * not know yet is not part of it: programs outlive that.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "isa/gen/spec.h"

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
