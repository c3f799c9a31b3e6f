/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction words and whole programs as text, driven by the syntax templates of the ISA file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/isa_tables.h>
#include "isa/asm/internal.h"

/* One instruction word as text, driven by the syntax templates of the ISA file. */

static void print_reg(struct text_room *p, const char *prefix, unsigned reg) {
  if (reg == ISA_RZ)
    text_print(p, "%sZ", prefix);
  else
    text_print(p, "%s%u", prefix, reg);
}

/* The top bit of four negates; a predicate that is written has three. */
static void print_pred(struct text_room *p, const char *prefix, unsigned raw) {
  if (raw & 8) text_print(p, "!");
  if ((raw & 7) == ISA_PT)
    text_print(p, "%sT", prefix);
  else
    text_print(p, "%s%u", prefix, raw & 7);
}

static void print_offset(struct text_room *p, int64_t v) {
  if (v > 0) text_print(p, "+0x%llx", (unsigned long long)v);
  if (v < 0) text_print(p, "-0x%llx", (unsigned long long)-v);
}

static void print_imm(struct text_room *p, const struct heddle_isa_dec *d, unsigned operand) {
  const struct heddle_isa_slot *slot = &heddle_isa_encoding_info((enum heddle_isa_enc)d->enc)->src[operand];
  bool is_short = heddle_isa_field_info((enum heddle_isa_field)slot->field)->kind != ISA_K_IMM32;
  print_immediate(p, d->src[operand].imm,
                  is_short ? ISA_IMM_U32 : heddle_isa_instr_info((enum heddle_isa_op)d->op)->imm);
}

static void print_part(struct text_room *p, const struct heddle_isa_dec *d, unsigned operand) {
  unsigned f = heddle_isa_encoding_info((enum heddle_isa_enc)d->enc)->src[operand].part;
  if (f == ISA_FIELD_NONE) return;
  text_print(p, "%s",
             heddle_isa_set_text((enum heddle_isa_set_id)heddle_isa_field_info((enum heddle_isa_field)f)->set,
                                 d->src[operand].part));
}

static void print_operand(struct text_room *p, const struct heddle_isa_dec *d, unsigned operand,
                          const struct heddle_isa_elem *e) {
  const struct heddle_isa_src *s = &d->src[operand];
  if (s->neg) text_print(p, e->may_not ? "~" : "-");
  if (s->abs) text_print(p, "|");
  switch (s->kind) {
  case ISA_REG:
    print_reg(p, "R", s->reg);
    break;
  case ISA_UREG:
    print_reg(p, "UR", s->reg);
    break;
  case ISA_IMM:
    print_imm(p, d, operand);
    break;
  case ISA_CONST:
    text_print(p, "c[0x%x][0x%x]", d->cbank, d->coff);
    break;
  default:
    break;
  }
  if (s->abs) text_print(p, "|");
  print_part(p, d, operand);
  if (s->kind == ISA_REG && (d->ctl.reuse >> operand & 1)) text_print(p, ".reuse");
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void print_field(struct text_room *p, const struct heddle_isa_dec *d, enum heddle_isa_field f, uint32_t next) {
  const struct heddle_isa_field_info *info = heddle_isa_field_info(f);
  uint64_t raw = heddle_isa_get(d->word, f);
  const char *prefix = heddle_isa_kind_prefix(info->kind);
  switch (info->kind) {
  case ISA_K_GPR_WRITE:
  case ISA_K_UGPR_WRITE:
    print_reg(p, prefix, raw == heddle_isa_field_default(f) ? ISA_RZ : (unsigned)raw);
    break;
  case ISA_K_PRED_READ:
  case ISA_K_PRED_WRITE:
  case ISA_K_UPRED_READ:
  case ISA_K_UPRED_WRITE:
    print_pred(p, prefix, (unsigned)raw);
    break;
  case ISA_K_BREG:
    text_print(p, "%s%u", prefix, (unsigned)raw);
    break;
  case ISA_K_SET:
    text_print(p, "%s", heddle_isa_set_text((enum heddle_isa_set_id)info->set, (unsigned)raw));
    break;
  case ISA_K_SINT:
    print_offset(p, heddle_isa_get_signed(d->word, f));
    break;
  case ISA_K_REL:
    text_print(p, "0x%x", next + (uint32_t)heddle_isa_get_signed(d->word, f));
    break;
  default:
    /* Behind a letter the number is part of a name: SB0. */
    text_print(p, p->used > 0 && is_letter(p->at[p->used - 1]) ? "%llu" : "0x%llx", (unsigned long long)raw);
    break;
  }
}

/* Does an optional group hold nothing but defaults? */
static bool group_is_default(const struct heddle_isa_dec *d, const struct heddle_isa_elem *e) {
  for (; e->kind != ISA_E_OPT_END; e++)
    if (e->kind == ISA_E_FIELD && heddle_isa_get(d->word, (enum heddle_isa_field)e->field) !=
                                      heddle_isa_field_default((enum heddle_isa_field)e->field))
      return false;
  return true;
}

static void print_elements(struct text_room *p, const struct heddle_isa_dec *d, uint32_t next) {
  const struct heddle_isa_instr *in = heddle_isa_instr_info((enum heddle_isa_op)d->op);
  for (unsigned i = 0; i < in->n_elems; i++) {
    const struct heddle_isa_elem *e = &in->elems[i];
    switch (e->kind) {
    case ISA_E_TEXT:
      text_print(p, "%s", e->text);
      break;
    case ISA_E_FIELD:
      print_field(p, d, (enum heddle_isa_field)e->field, next);
      break;
    case ISA_E_OPERAND:
      print_operand(p, d, e->operand, e);
      break;
    case ISA_E_OPT_BEGIN:
      if (group_is_default(d, e + 1))
        while (in->elems[i].kind != ISA_E_OPT_END) i++;
      break;
    case ISA_E_ADDR_BEGIN:
      text_print(p, "[");
      break;
    case ISA_E_ADDR_END:
      text_print(p, "]");
      break;
    default:
      break;
    }
  }
}

static unsigned print_disassembly(struct heddle_isa_word w, uint32_t next, char *buf, size_t size) {
  struct text_room p = {.at = buf, .size = size};
  struct heddle_isa_dec d;
  buf[0] = 0;
  if (!heddle_isa_decode(w, &d)) {
    text_print(&p, ".word 0x%016llx%016llx", (unsigned long long)w.hi, (unsigned long long)w.lo);
    return (unsigned)p.used;
  }
  if (d.guard.index != ISA_PT || d.guard.neg) {
    text_print(&p, "@");
    print_pred(&p, d.uniform ? "UP" : "P", d.guard.index | (d.guard.neg ? 8u : 0u));
    text_print(&p, " ");
  }
  const struct heddle_isa_instr *in = heddle_isa_instr_info((enum heddle_isa_op)d.op);
  text_print(&p, "%s", in->name);
  for (unsigned i = 0; i < in->n_suffixes; i++) print_field(&p, &d, (enum heddle_isa_field)in->suffixes[i], next);
  if (in->n_elems > 0) text_print(&p, " ");
  print_elements(&p, &d, next);
  return (unsigned)p.used;
}

unsigned heddle_disassemble(struct heddle_isa_word w, uint32_t pc, char *buf, size_t size) {
  return print_disassembly(w, pc + ISA_WORD_BYTES, buf, size);
}

unsigned heddle_disassemble_at(const struct heddle_program *p, uint32_t pc, char *buf, size_t size) {
  return print_disassembly(heddle_program_word(p, pc), heddle_program_next(p, pc), buf, size);
}

unsigned heddle_control_text(const struct heddle_isa_ctl *c, char *buf, size_t size) {
  struct text_room p = {.at = buf, .size = size};
  text_print(&p, "[B");
  for (unsigned i = 0; i < 6; i++) text_print(&p, "%c", c->wait >> i & 1 ? (int)('0' + i) : '-');
  text_print(&p, c->rbar == 7 ? ":R-" : ":R%u", c->rbar);
  text_print(&p, c->wbar == 7 ? ":W-" : ":W%u", c->wbar);
  text_print(&p, ":%c:S%02u]", c->yield ? 'Y' : '-', c->stall);
  return (unsigned)p.used;
}

/* A whole program as assembly text. */

struct listing {
  const struct heddle_program *p;
  char prefix[16]; /* of labels: no name of the program begins with it */
  bool *target;    /* one a place of ISA_STEP: some branch goes there */
  void (*write)(void *, const char *);
  void *ctx;
};

/* Does a kernel's, function's, variable's or parameter's name begin so? */
static bool some_name_begins(const struct heddle_program *p, const char *prefix) {
  size_t n = strlen(prefix);
  for (uint32_t i = 0; i < p->variables; i++)
    if (strncmp(p->variable[i].name, prefix, n) == 0) return true;
  for (uint32_t i = 0; i < p->kernels; i++) {
    const struct heddle_kernel *k = &p->kernel[i];
    if (strncmp(k->name, prefix, n) == 0) return true;
    for (uint32_t m = 0; m < k->params; m++)
      if (strncmp(k->param[m].name, prefix, n) == 0) return true;
  }
  return false;
}

/* "L_", or "L1_", "L2_", ... where that is taken. */
static void choose_prefix(struct listing *l) {
  snprintf(l->prefix, sizeof l->prefix, "L_");
  for (unsigned i = 1; some_name_begins(l->p, l->prefix); i++) snprintf(l->prefix, sizeof l->prefix, "L%u_", i);
}

/* Legal, but without text: reuse flags of what is no register (without effect), a target between two words and a pair
 * or quad that begins below RZ and reaches it (traps). */
static bool has_text(const struct heddle_isa_dec *d) {
  const struct heddle_isa_encoding *enc = heddle_isa_encoding_info((enum heddle_isa_enc)d->enc);
  unsigned registers = 0;
  for (unsigned o = 0; o < 3; o++) registers |= (d->src[o].kind == ISA_REG ? 1u : 0u) << o;
  for (unsigned i = 0; i < enc->n_fields; i++) {
    enum heddle_isa_field f = (enum heddle_isa_field)enc->fields[i];
    if (heddle_isa_field_info(f)->kind == ISA_K_REL && heddle_isa_get(d->word, f) % ISA_STEP != 0) return false;
  }
  return (d->ctl.reuse & ~registers) == 0 && heddle_isa_max_reg(d) < (int)ISA_RZ;
}

static bool half_as_assembled(uint64_t half) {
  struct heddle_isa_dec d;
  uint64_t again;
  const struct heddle_isa_word w = heddle_isa_lengthen(half);
  return heddle_isa_decode(w, &d) && has_text(&d) && heddle_isa_shorten(w, &again) && again == half;
}

/* A long word lies at `pc`, or two short ones there, or around it, that are what the assembler would make of their
 * text. Others, and what stands for no instruction, are written as a place of 16 bytes. */
static bool as_assembled(const struct heddle_program *p, uint32_t pc) {
  const struct heddle_isa_word place = heddle_isa_word_load(p->code + pc / ISA_WORD_BYTES * ISA_WORD_BYTES);
  if (ISA_STEP == ISA_WORD_BYTES || place.hi >> 63 == 0) return true;
  return half_as_assembled(place.lo) && half_as_assembled(place.hi);
}

/* The relative target of a word, if it has one inside the code. */
static bool rel_target(const struct heddle_program *p, uint32_t pc, uint32_t *target, enum heddle_isa_field *field) {
  struct heddle_isa_dec d;
  if (!heddle_isa_decode(heddle_program_word(p, pc), &d)) return false;
  const struct heddle_isa_encoding *enc = heddle_isa_encoding_info((enum heddle_isa_enc)d.enc);
  for (unsigned i = 0; i < enc->n_fields; i++) {
    if (heddle_isa_field_info((enum heddle_isa_field)enc->fields[i])->kind != ISA_K_REL) continue;
    *field = (enum heddle_isa_field)enc->fields[i];
    *target = heddle_program_next(p, pc) + (uint32_t)heddle_isa_get_signed(d.word, *field);
    return heddle_program_begins(p, *target) && (*target % ISA_WORD_BYTES == 0 || as_assembled(p, *target));
  }
  return false;
}

static void emit_header(const struct listing *l, const struct heddle_kernel *k) {
  static const char *const type[] = {[1] = "b8", [2] = "b16", [4] = "b32", [8] = "b64"};
  char buf[HEDDLE_SYMBOL_MAX + 64]; /* a directive and a name */
  struct text_room p = {.at = buf, .size = sizeof buf};
  text_print(&p, "%s %s\n", k->is_function ? ".func" : ".kernel", k->name);
  l->write(l->ctx, buf);
  if (k->is_function) return;
  p.used = 0;
  text_print(&p, ".regs %u\n.barriers %u\n.stalls", k->regs, k->barriers);
  for (unsigned i = 0; i < HEDDLE_STALL_COUNT; i++) text_print(&p, " %u", k->stall[i]);
  text_print(&p, "\n");
  if (k->shared_bytes > 0) text_print(&p, ".shared %u\n", k->shared_bytes);
  if (k->local_bytes > 0) text_print(&p, ".local %u\n", k->local_bytes);
  const struct heddle_promise *b = &k->promise;
  if (b->block[0] > 0) text_print(&p, ".reqntid %u %u %u\n", b->block[0], b->block[1], b->block[2]);
  if (b->threads > 0) text_print(&p, ".maxntid %u\n", b->threads);
  if (b->blocks > 0) text_print(&p, ".minnctapersm %u\n", b->blocks);
  l->write(l->ctx, buf);
  uint32_t end = 0; /* of the parameter before */
  for (uint32_t i = 0; i < k->params; i++) {
    const struct heddle_param *q = &k->param[i];
    bool plain = q->size == 1 || q->size == 2 || q->size == 4 || q->size == 8;
    /* Blobs are aligned to 8 bytes, a short one too. */
    plain = plain && q->offset == (end + q->size - 1) / q->size * q->size;
    end = q->offset + q->size;
    p.used = 0;
    if (plain)
      text_print(&p, ".param %s %s", type[q->size], q->name);
    else
      text_print(&p, ".param blob%u %s", q->size, q->name);
    if (q->align > 0) text_print(&p, " align %u", q->align);
    text_print(&p, "\n");
    l->write(l->ctx, buf);
  }
}

static void emit_insn_line(const struct listing *l, uint32_t pc) {
  char text[256], ctl[40] = "", line[400];
  struct heddle_isa_word w = heddle_program_word(l->p, pc);
  struct heddle_isa_dec d;
  enum heddle_isa_field field = (enum heddle_isa_field)0;
  uint32_t target = 0;
  bool legal = heddle_isa_decode(w, &d), plain = !legal || has_text(&d);
  heddle_disassemble_at(l->p, pc, text, sizeof text);
  if (legal) heddle_control_text(&d.ctl, ctl, sizeof ctl);
  if (rel_target(l->p, pc, &target, &field)) { /* the last thing printed is the target: name it */
    char *number = strrchr(text, '0');
    while (number && strncmp(number, "0x", 2) != 0) number = number > text ? number - 1 : NULL;
    if (number) snprintf(number, sizeof text - (size_t)(number - text), "%s%04x", l->prefix, target);
  }
  struct text_room p = {.at = line, .size = sizeof line};
  if (l->target[pc / ISA_STEP]) text_print(&p, "%s%04x:\n", l->prefix, pc);
  if (!plain) text_print(&p, "  .word 0x%016llx%016llx ; // ", (unsigned long long)w.hi, (unsigned long long)w.lo);
  text_print(&p, plain ? "  %s %s ; // %04x\n" : "%s %s (%04x)\n", ctl, text, pc);
  l->write(l->ctx, line);
}

/* Would the assembler make a pair of the long word at `pc` and the one behind it? */
static bool would_pack(const struct heddle_program *p, uint32_t pc) {
  uint64_t ignored;
  const uint32_t next = heddle_program_next(p, pc);
  if (ISA_STEP == ISA_WORD_BYTES || next - pc != ISA_WORD_BYTES || next >= p->code_bytes) return false;
  for (uint32_t k = 0; k < p->kernels; k++)
    if (p->kernel[k].entry_pc == next) return false;
  return heddle_isa_shorten(heddle_program_word(p, pc), &ignored) &&
         heddle_isa_shorten(heddle_program_word(p, next), &ignored);
}

/* Bytes that are two short words of another making. */
static void emit_place(const struct listing *l, uint32_t pc) {
  char text[2][256], line[700];
  const struct heddle_isa_word w = heddle_isa_word_load(l->p->code + pc);
  for (unsigned i = 0; i < 2; i++) heddle_disassemble_at(l->p, pc + i * ISA_STEP, text[i], sizeof text[i]);
  struct text_room p = {.at = line, .size = sizeof line};
  if (l->target[pc / ISA_STEP]) text_print(&p, "%s%04x:\n", l->prefix, pc);
  text_print(&p, "  .word 0x%016llx%016llx ; // two: %s ; %s (%04x)\n", (unsigned long long)w.hi,
             (unsigned long long)w.lo, text[0], text[1], pc);
  l->write(l->ctx, line);
}

static void emit_constants(const struct listing *l) {
  char buf[64];
  snprintf(buf, sizeof buf, ".const %sconst3 u8 ", some_name_begins(l->p, "const3") ? l->prefix : "");
  if (l->p->const_bytes > 0) l->write(l->ctx, buf);
  for (uint32_t i = 0; i < l->p->const_bytes; i++) {
    snprintf(buf, sizeof buf, "%s0x%02x", i == 0 ? "" : ", ", l->p->konst[i]);
    l->write(l->ctx, buf);
  }
  if (l->p->const_bytes > 0) l->write(l->ctx, "\n");
}

enum { ROW = 16 }; /* bytes of variables in a line */

static void emit_initial(const struct listing *l, uint32_t at) {
  static const uint8_t zero[ROW];
  const uint32_t left = l->p->global_initial - at, n = left < ROW ? left : ROW;
  char buf[160];
  struct text_room p = {.at = buf, .size = sizeof buf};
  if (memcmp(l->p->global + at, zero, n) == 0) return;
  text_print(&p, ".initial 0x%x ", at);
  for (uint32_t i = 0; i < n; i++) text_print(&p, "%s0x%02x", i == 0 ? "" : ", ", l->p->global[at + i]);
  text_print(&p, "\n");
  l->write(l->ctx, buf);
}

static void emit_globals(const struct listing *l) {
  const struct heddle_program *p = l->p;
  char buf[HEDDLE_SYMBOL_MAX + 64];
  if (p->global_bytes == 0) return;
  snprintf(buf, sizeof buf, ".globals %u %u\n", p->global_bytes, p->global_initial);
  l->write(l->ctx, buf);
  for (uint32_t i = 0; i < p->variables; i++) {
    snprintf(buf, sizeof buf, ".global %s 0x%x %u\n", p->variable[i].name, p->variable[i].offset, p->variable[i].size);
    l->write(l->ctx, buf);
  }
  for (uint32_t at = 0; at < p->global_initial; at += ROW) emit_initial(l, at);
  for (uint32_t i = 0; i < p->addresses; i++) {
    snprintf(buf, sizeof buf, ".address 0x%x\n", p->address[i]);
    l->write(l->ctx, buf);
  }
}

/* What lies at `pc`, so that it becomes the same again. */
static void emit_at(const struct listing *l, uint32_t pc) {
  if (!as_assembled(l->p, pc)) {
    if (pc % ISA_WORD_BYTES == 0) emit_place(l, pc);
    return;
  }
  const bool stays = would_pack(l->p, pc);
  if (stays) l->write(l->ctx, ".pack off\n");
  emit_insn_line(l, pc);
  if (stays) l->write(l->ctx, ".pack on\n");
}

void heddle_disassemble_program(const struct heddle_program *p, void (*write)(void *, const char *), void *ctx) {
  const uint32_t places = p->code_bytes / ISA_STEP;
  struct listing l = {.p = p, .write = write, .ctx = ctx, .target = calloc(places + 1, sizeof(bool))};
  if (!l.target) {
    write(ctx, "// out of memory\n");
    return;
  }
  choose_prefix(&l);
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    uint32_t target = 0;
    enum heddle_isa_field field;
    if (rel_target(p, pc, &target, &field)) l.target[target / ISA_STEP] = true;
  }
  emit_constants(&l);
  emit_globals(&l);
  bool open = false;
  uint32_t k = 0;
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    for (; k < p->kernels && p->kernel[k].entry_pc == pc; k++, open = true) {
      if (open) write(ctx, ".end\n\n");
      emit_header(&l, &p->kernel[k]);
    }
    emit_at(&l, pc);
  }
  if (open) write(ctx, ".end\n");
  free(l.target);
}
