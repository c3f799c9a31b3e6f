/* SPDX-License-Identifier: Apache-2.0
 * Two short words in a place, and all that names places of code. */
#include "pack.h"

#include <stdlib.h>

#include "base/array.h"
#include <heddle/isa_tables.h>
#include <heddle/program.h>

bool pack_begin(struct pack *k, size_t words) {
  *k = (struct pack){calloc(words + 1, sizeof *k->at), words, 0};
  return k->at != NULL;
}

void pack_end(struct pack *k) {
  free(k->at);
  *k = (struct pack){0};
}

/* Words that stay long are told once, before the first layout; no word becomes short later. */
static void place_all(struct pack *k) {
  uint32_t pc = 0;
  for (size_t i = 0; i < k->words;) {
    struct pack_word *w = &k->at[i];
    const bool pair = i + 1 < k->words && !w->stays && !w[1].stays && !w[1].begins;
    w->paired = pair;
    w->pc = pc;
    if (pair) w[1].paired = true;
    if (pair) w[1].pc = pc + ISA_WORD_BYTES / 2;
    pc += ISA_WORD_BYTES;
    i += pair ? 2 : 1;
  }
  k->at[k->words].pc = pc;
}

void pack_lay_out(struct pack *k) {
  for (size_t i = 0; i < k->words; i++) {
    uint64_t ignored;
    if (!heddle_isa_shorten(k->at[i].word, &ignored)) k->at[i].stays = true;
  }
  place_all(k);
}

bool pack_store(struct pack *k, uint8_t *code) {
  bool all = true;
  for (size_t i = 0; i < k->words; i++) {
    struct pack_word *w = &k->at[i];
    struct heddle_isa_word place = w->word;
    if (w->paired) {
      if (!heddle_isa_shorten(w[0].word, &place.lo)) w[0].stays = true;
      if (!heddle_isa_shorten(w[1].word, &place.hi)) w[1].stays = true;
      all = all && !w[0].stays && !w[1].stays;
      i++;
    }
    heddle_isa_word_store(code + w->pc, place);
  }
  if (all) return true;
  k->rounds++;
  for (size_t i = 0; i < k->words && k->rounds >= PACK_ROUNDS; i++) k->at[i].stays = true;
  place_all(k);
  return false;
}

uint64_t pack_moved(const struct pack *k, uint64_t address) {
  if (address % ISA_WORD_BYTES != 0 || address / ISA_WORD_BYTES > k->words) return address;
  return k->at[address / ISA_WORD_BYTES].pc;
}

/* ---- a program that a compiler has made */

bool heddle_program_note(struct heddle_program *p, struct heddle_pack_note n) {
  if (ISA_STEP == ISA_WORD_BYTES) return true;
  if (!array_room(&p->note, &p->notes_room, p->notes + 1, sizeof *p->note)) return false;
  p->note[p->notes++] = n;
  return true;
}

/* The relative target of word `i`, which lay behind long words only. */
static struct heddle_isa_word aim(const struct pack *k, size_t i, struct heddle_isa_word w) {
  struct heddle_isa_dec d;
  if (!heddle_isa_decode(w, &d)) return w;
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)d.enc);
  for (unsigned f = 0; f < e->n_fields; f++) {
    const enum heddle_isa_field field = (enum heddle_isa_field)e->fields[f];
    if (heddle_isa_field_info(field)->kind != ISA_K_REL) continue;
    const uint32_t target = (uint32_t)((i + 1) * ISA_WORD_BYTES) + (uint32_t)heddle_isa_get_signed(w, field);
    w = heddle_isa_put(w, field, (uint32_t)pack_moved(k, target) - k->at[i + 1].pc);
  }
  return w;
}

static void aim_all(struct pack *k, const struct heddle_program *p) {
  for (size_t i = 0; i < k->words; i++) k->at[i].word = aim(k, i, heddle_isa_word_load(p->code + i * ISA_WORD_BYTES));
  for (size_t n = 0; n < p->notes; n++) {
    const struct heddle_pack_note *x = &p->note[n];
    if (x->kind != HEDDLE_PACK_FIELD) continue;
    struct heddle_isa_word *w = &k->at[x->at / ISA_WORD_BYTES].word;
    *w = heddle_isa_put(*w, (enum heddle_isa_field)x->field,
                        pack_moved(k, heddle_isa_get(*w, (enum heddle_isa_field)x->field)));
  }
}

static void move_data(const struct pack *k, const struct heddle_program *p) {
  for (size_t n = 0; n < p->notes; n++) {
    const struct heddle_pack_note *x = &p->note[n];
    if (x->kind != HEDDLE_PACK_CONST && x->kind != HEDDLE_PACK_GLOBAL) continue;
    uint8_t *at = (x->kind == HEDDLE_PACK_CONST ? p->konst : p->global) + x->at;
    uint64_t v = 0;
    for (unsigned b = x->bytes; b-- > 0;) v = v << 8 | at[b];
    v = pack_moved(k, v);
    for (unsigned b = 0; b < x->bytes; b++) at[b] = (uint8_t)(v >> (8 * b));
  }
}

static void begin_places(struct pack *k, const struct heddle_program *p) {
  for (size_t i = 0; i < k->words; i++) k->at[i].word = heddle_isa_word_load(p->code + i * ISA_WORD_BYTES);
  for (uint32_t i = 0; i < p->kernels; i++) k->at[p->kernel[i].entry_pc / ISA_WORD_BYTES].begins = true;
  for (size_t n = 0; n < p->notes; n++)
    if (p->note[n].kind == HEDDLE_PACK_LONG) k->at[p->note[n].at / ISA_WORD_BYTES].stays = true;
}

bool heddle_pack(struct heddle_program *p) {
  if (ISA_STEP == ISA_WORD_BYTES) return true;
  struct pack k = {0};
  uint8_t *code = calloc((size_t)p->code_bytes + 1, 1);
  if (code == NULL || !pack_begin(&k, p->code_bytes / ISA_WORD_BYTES)) {
    free(code);
    return false;
  }
  begin_places(&k, p);
  pack_lay_out(&k);
  do aim_all(&k, p);
  while (!pack_store(&k, code));
  move_data(&k, p);
  for (uint32_t i = 0; i < p->kernels; i++) p->kernel[i].entry_pc = (uint32_t)pack_moved(&k, p->kernel[i].entry_pc);
  for (uint32_t i = 0; i < p->lines; i++) p->line[i].pc = (uint32_t)pack_moved(&k, p->line[i].pc);
  for (size_t i = 0; i < p->orders; i++) p->order[i].pc = (uint32_t)pack_moved(&k, p->order[i].pc);
  free(p->code);
  free(p->note);
  p->code = code;
  p->code_bytes = k.at[k.words].pc;
  p->note = NULL;
  p->notes = p->notes_room = 0;
  pack_end(&k);
  return true;
}
