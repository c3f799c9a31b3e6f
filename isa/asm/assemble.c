/* SPDX-License-Identifier: Apache-2.0
 *
 * The assembler's two passes and what follows them: short words in pairs, control codes.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include <heddle/program.h>
#include "base/array.h"
#include "base/options.h"
#include "base/text.h"
#include "isa/asm/internal.h"

/* Two short words in a place, and all that names places of code. */

static bool pack_begin(struct pack *k, size_t words) {
  *k = (struct pack){calloc(words + 1, sizeof *k->at), words, 0};
  return k->at != NULL;
}

/* False: no memory. */
static void pack_end(struct pack *k) {
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

/* Pairs, first to last, and places. Words are as long ones, one behind the other, would be. */
static void pack_lay_out(struct pack *k) {
  for (size_t i = 0; i < k->words; i++) {
    uint64_t ignored;
    if (!heddle_isa_shorten(k->at[i].word, &ignored)) k->at[i].stays = true;
  }
  place_all(k);
}

/* Code from the words as they are where they came to lie. False: one of a pair has no short form; the pairs have been
 * chosen anew then, and words depend on them. */
static bool pack_store(struct pack *k, uint8_t *code) {
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

/* Where what lay at this address lies now, if words were long; an address outside of the code, or within a word, stays
 * what it is. */
static uint64_t pack_moved(const struct pack *k, uint64_t address) {
  if (address % ISA_WORD_BYTES != 0 || address / ISA_WORD_BYTES > k->words) return address;
  return k->at[address / ISA_WORD_BYTES].pc;
}

/* ---- a program that a compiler has made */

enum heddle_error heddle_program_note(struct heddle_program *p, struct heddle_pack_note n) {
  if (ISA_STEP == ISA_WORD_BYTES) return HEDDLE_SUCCESS;
  if (!array_room(&p->note, &p->notes_room, p->notes + 1, sizeof *p->note)) return HEDDLE_ERROR_HOST_MEMORY;
  p->note[p->notes++] = n;
  return HEDDLE_SUCCESS;
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

enum heddle_error heddle_pack(struct heddle_program *p) {
  if (ISA_STEP == ISA_WORD_BYTES) return HEDDLE_SUCCESS;
  struct pack k = {0};
  uint8_t *code = calloc((size_t)p->code_bytes + 1, 1);
  if (code == NULL || !pack_begin(&k, p->code_bytes / ISA_WORD_BYTES)) {
    free(code);
    return HEDDLE_ERROR_HOST_MEMORY;
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
  return HEDDLE_SUCCESS;
}

/* ---- the two passes */

static void message(struct assembler *a, unsigned line, unsigned column, bool warning, const char *format, va_list ap) {
  struct heddle_message m = {.line = line, .column = column, .warning = warning};
  if (!warning && ++a->errors > ASM_ERRORS_MAX) return;
  snprintf(m.file, sizeof m.file, "%s", a->file);
  message_text(m.text, sizeof m.text, format, ap);
  if (a->options->message) a->options->message(a->options->ctx, &m);
}

void asm_error(struct assembler *a, const struct cursor *c, const char *format, ...) {
  struct cursor place = *c;
  va_list ap;
  lex_blank(&place); /* point at the thing, not at the blank before it */
  va_start(ap, format);
  message(a, c->line, c->at ? (unsigned)(place.at - c->line_start) + 1 : 0, false, format, ap);
  va_end(ap);
}

void asm_warn_item(struct assembler *a, const struct item *i, const char *format, ...) {
  va_list ap;
  if (a->places) return; /* it has been said of the long words */
  va_start(ap, format);
  message(a, i->line, i->column, true, format, ap);
  va_end(ap);
}

bool asm_room(struct assembler *a, void *list, size_t *room, size_t need, size_t each) {
  if (!array_room(list, room, need, each)) a->out_of_memory = true;
  return !a->out_of_memory;
}

const char *asm_keep_name(struct assembler *a, const char *name) {
  const char *kept = heddle_program_name(a->p, name, strlen(name));
  if (!kept) a->out_of_memory = true;
  return kept;
}

uint32_t asm_pc(const struct assembler *a, size_t item) {
  return a->places ? a->places->at[item].pc : (uint32_t)item * ISA_WORD_BYTES;
}

static struct item *new_item(struct assembler *a, const struct cursor *c) {
  if (a->items >= HEDDLE_CODE_MAX / ISA_WORD_BYTES) {
    asm_error(a, c, "more than %u MiB of code", HEDDLE_CODE_MAX >> 20);
    return NULL;
  }
  if (!asm_room(a, &a->item, &a->items_room, a->items + 1, sizeof *a->item)) return NULL;
  struct item *i = &a->item[a->items];
  *i = (struct item){.line = c->line, .label = a->pending_label, .stays = a->unpacked};
  a->pending_label = false;
  return i;
}

/* `name:`, or `.name:`, at the start of a statement */
static bool take_label(struct assembler *a, struct cursor *c) {
  struct cursor probe = *c;
  char name[HEDDLE_SYMBOL_MAX + 1];
  lex_blank(&probe);
  struct cursor start = probe;
  lex_char(&probe, '.');
  if (!lex_name(&probe, name, sizeof name) || !lex_char(&probe, ':')) return false;
  symbol_define(a, &start, name, (int64_t)a->items * ISA_WORD_BYTES, true);
  a->pending_label = true;
  *c = probe;
  return true;
}

/* .word 0x<128 bits in hex>: an instruction that the assembler would refuse. */
static bool take_raw_word(struct assembler *a, struct cursor *c, struct item *i) {
  struct cursor start = *c;
  lex_blank(c);
  if (!lex_text(c, "0x")) {
    asm_error(a, &start, "expected '.word 0x' and up to 32 hex digits");
    return false;
  }
  unsigned digits = 0;
  for (; c->at < c->end && digits < 33; c->at++, digits++) {
    char ch = *c->at;
    unsigned v = ch >= '0' && ch <= '9'   ? (unsigned)(ch - '0')
                 : ch >= 'a' && ch <= 'f' ? (unsigned)(ch - 'a') + 10
                 : ch >= 'A' && ch <= 'F' ? (unsigned)(ch - 'A') + 10
                                          : 16;
    if (v == 16) break;
    i->word.hi = i->word.hi << 4 | i->word.lo >> 60;
    i->word.lo = i->word.lo << 4 | v;
  }
  i->raw = true;
  if (digits > 0 && digits <= 32) return true;
  asm_error(a, &start, "expected '.word 0x' and up to 32 hex digits");
  return false;
}

static bool take_statement(struct assembler *a, struct cursor *c) {
  while (take_label(a, c)) {}
  if (lex_done(c)) return true;
  bool word = lex_text(c, ".word");
  if (!word && lex_char(c, '.')) return asm_directive(a, c);
  if (a->scope == 0) {
    asm_error(a, c, "instruction outside a kernel; start one with '.kernel NAME'");
    return false;
  }
  struct item *i = new_item(a, c);
  if (!i) return false;
  bool ok = word ? take_raw_word(a, c, i) : asm_instruction(a, c, asm_pc(a, a->items + 1), i);
  a->items++;
  return ok;
}

static bool has_long_word(const struct cursor *c) {
  const char *end = memchr(c->at, '\n', (size_t)(c->end - c->at));
  return (end ? end : c->end) - c->at > (ptrdiff_t)HEDDLE_SYMBOL_MAX && lex_long_word(c, HEDDLE_SYMBOL_MAX);
}

static void run_pass(struct assembler *a, const char *text, size_t size) {
  struct cursor c = {.at = text, .end = text + size, .line_start = text, .line = 1};
  a->items = 0;
  a->scope = 0;
  a->pending_label = false;
  a->unpacked = a->options->long_words;
  a->kernels_seen = 0;
  a->p->const_bytes = 0;
  while (c.at < c.end && !a->out_of_memory && a->errors <= ASM_ERRORS_MAX) {
    bool ok = !has_long_word(&c);
    if (!ok) asm_error(a, &c, "a name of more than %u characters", HEDDLE_SYMBOL_MAX);
    ok = ok && take_statement(a, &c);
    if (ok && !lex_done(&c)) asm_error(a, &c, "unexpected text at the end of the statement");
    if (!ok || !lex_done(&c)) /* go on behind this line */
      while (c.at < c.end && *c.at != '\n') c.at++;
    if (c.at < c.end && *c.at++ == '\n') {
      c.line++;
      c.line_start = c.at;
    }
  }
  if (a->scope > 0) asm_error(a, &c, "'.end' is missing at the end of the file");
  const struct heddle_program *p = a->p;
  if (!a->places && p->kernels > 0 && p->kernel[p->kernels - 1].entry_pc == a->items * ISA_WORD_BYTES)
    asm_error(a, &c, "'%s' has no instructions", p->kernel[p->kernels - 1].name);
  asm_close_kernel(a);
}

static bool put_lines(struct assembler *a) {
  uint32_t source;
  enum heddle_error e = heddle_program_add_source(a->p, a->file, &source);
  for (size_t i = 0; i < a->items && e == HEDDLE_SUCCESS; i++)
    e = heddle_program_add_line(a->p, asm_pc(a, i), source, a->item[i].line);
  return e == HEDDLE_SUCCESS;
}

static bool any_stall(const uint8_t stall[8]) {
  static const uint8_t none[8] = {0};
  return memcmp(stall, none, sizeof none) != 0;
}

/* What was left to us: register and barrier counts, the code bytes. */
static void finish_program(struct assembler *a) {
  struct heddle_program *p = a->p;
  int top = -1;
  uint32_t barriers = 0;
  for (size_t i = 0; i < a->items; i++) {
    struct heddle_isa_dec d;
    struct heddle_isa_word w = a->item[i].word;
    if (!a->places) heddle_isa_word_store(p->code + i * ISA_WORD_BYTES, w);
    if (!heddle_isa_decode(w, &d)) continue;
    if (heddle_isa_max_reg(&d) > top) top = heddle_isa_max_reg(&d);
    if (heddle_isa_enc_owns((enum heddle_isa_enc)d.enc, ISA_F_BARID) && heddle_isa_get(w, ISA_F_BARID) >= barriers)
      barriers = (uint32_t)heddle_isa_get(w, ISA_F_BARID) + 1;
  }
  for (uint32_t k = 0; k < p->kernels; k++) {
    struct heddle_kernel *kernel = &p->kernel[k];
    if (kernel->is_function) continue;
    /* Functions of the file may be called from any kernel, so counts go over the whole file. */
    if (kernel->regs == 0) kernel->regs = top < 0 ? 1 : top >= (int)ISA_RZ ? ISA_RZ : (uint32_t)top + 1;
    if (kernel->barriers == ASM_BARRIERS_UNSAID) kernel->barriers = barriers;
    if (!any_stall(kernel->stall) && any_stall(a->options->stall))
      memcpy(kernel->stall, a->stall, sizeof kernel->stall);
  }
}

/* Labels have moved: the text once more, with all that names them. */
static bool pass_again(struct assembler *a, struct pack *k, const char *text, size_t size) {
  a->places = k;
  run_pass(a, text, size);
  if (a->errors > 0 || a->out_of_memory) return false;
  asm_schedule(a);
  for (size_t i = 0; i < a->items; i++) k->at[i].word = a->item[i].word;
  return true;
}

static bool pack(struct assembler *a, struct pack *k, const char *text, size_t size) {
  struct heddle_program *p = a->p;
  if (!pack_begin(k, a->items)) {
    a->out_of_memory = true;
    return false;
  }
  for (size_t i = 0; i < a->items; i++) k->at[i].word = a->item[i].word, k->at[i].stays = a->item[i].stays;
  for (uint32_t i = 0; i < p->kernels; i++) k->at[p->kernel[i].entry_pc / ISA_WORD_BYTES].begins = true;
  pack_lay_out(k);
  do
    if (!pass_again(a, k, text, size)) return false;
  while (!pack_store(k, p->code));
  for (uint32_t i = 0; i < p->kernels; i++) p->kernel[i].entry_pc = (uint32_t)pack_moved(k, p->kernel[i].entry_pc);
  p->code_bytes = asm_pc(a, a->items);
  return true;
}

static bool assemble_text(struct assembler *a, struct pack *k, const char *text, size_t size) {
  struct cursor start = {.line_start = text};
  if (size > ASM_TEXT_MAX) {
    asm_error(a, &start, "the file is larger than %u MiB", ASM_TEXT_MAX >> 20);
    return false;
  }
  a->first_pass = true;
  run_pass(a, text, size);
  if (a->errors > 0 || a->out_of_memory) return false;
  symbols_seal(a);
  a->first_pass = false;
  a->p->konst = calloc(a->p->const_bytes + 1, 1);
  a->p->code = calloc(a->items + 1, ISA_WORD_BYTES);
  if (!a->p->konst || !a->p->code) {
    a->out_of_memory = true;
    return false;
  }
  a->p->code_bytes = (uint32_t)a->items * ISA_WORD_BYTES;
  run_pass(a, text, size);
  if (a->errors == 0 && a->items == 0) asm_error(a, &start, "no instructions");
  if (a->errors > 0 || a->out_of_memory) return false;
  heddle_hazard_fill_stalls(a->options->stall, a->stall);
  asm_schedule(a);
  if (ISA_STEP != ISA_WORD_BYTES && !pack(a, k, text, size)) return false;
  finish_program(a);
  if (!put_lines(a)) a->out_of_memory = true;
  return a->errors == 0 && !a->out_of_memory;
}

enum heddle_error heddle_assemble(const char *text, size_t size, const char *file,
                                  const struct heddle_asm_options *options, struct heddle_program **out) {
  struct heddle_asm_options own;
  *out = NULL;
  if (!options_take(&own, sizeof own, options)) return HEDDLE_ERROR_INVALID_VALUE;
  struct assembler a = {.file = file, .options = &own, .p = calloc(1, sizeof(struct heddle_program))};
  struct pack places = {0};
  enum heddle_error e = HEDDLE_ERROR_INVALID_IMAGE;
  if (a.p) {
    a.p->isa_hash = heddle_isa_hash();
    if (assemble_text(&a, &places, text, size)) e = HEDDLE_SUCCESS;
  }
  if (!a.p || a.out_of_memory) {
    struct cursor nowhere = {0};
    asm_error(&a, &nowhere, "out of memory");
    e = HEDDLE_ERROR_HOST_MEMORY;
  }
  symbols_free(&a);
  pack_end(&places);
  free(a.item);
  if (e == HEDDLE_SUCCESS)
    *out = a.p;
  else
    heddle_program_free(a.p);
  return e;
}
