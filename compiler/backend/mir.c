/* SPDX-License-Identifier: Apache-2.0
 * Machine IR: building functions, blocks and instructions; which encoding an instruction takes. */
#include "compiler/ir/mir.h"

#include <assert.h>
#include <string.h>

struct mir_operand mir_new(struct mir_function *f, enum mir_class c, unsigned words) {
  assert(words == 1 || words == 2 || words == 4);
  if (f->vregs == f->vreg_room) {
    uint32_t room = f->vreg_room ? 2 * f->vreg_room : 64;
    struct mir_vreg *bigger = ptx_alloc(f->arena, room * sizeof *bigger);
    if (f->vregs) memcpy(bigger, f->vreg, f->vregs * sizeof *bigger);
    f->vreg = bigger;
    f->vreg_room = room;
  }
  f->vreg[f->vregs] = (struct mir_vreg){.class = (uint8_t)c, .words = (uint8_t)words, .fixed = -1, .phys = -1};
  return (struct mir_operand){.kind = MIR_REG, .words = (uint8_t)words, .reg = f->vregs++, .class = (uint8_t)c};
}

struct mir_operand mir_none(void) {
  return (struct mir_operand){.kind = MIR_NONE};
}

struct mir_operand mir_zero(void) {
  return (struct mir_operand){.kind = MIR_ZERO, .words = 1};
}

struct mir_operand mir_imm(uint32_t v) {
  return (struct mir_operand){.kind = MIR_IMM, .words = 1, .imm = v};
}

struct mir_operand mir_imm_f64(uint32_t upper) {
  return (struct mir_operand){.kind = MIR_IMM, .words = 2, .imm = upper};
}

struct mir_operand mir_const(unsigned bank, uint32_t offset, unsigned words) {
  return (struct mir_operand){
      .kind = MIR_CONST, .words = (uint8_t)words, .bank = (uint8_t)bank, .offset = (uint16_t)offset};
}

struct mir_operand mir_part(struct mir_operand wide, unsigned word, unsigned words) {
  assert(wide.kind == MIR_REG && word + words <= wide.words && word % words == 0);
  wide.sub = (uint8_t)(wide.sub + word);
  wide.words = (uint8_t)words;
  return wide;
}

/* The bits of the word as they are: neg and abs of a wide float belong to the whole and do not pass on. */
struct mir_operand mir_word(struct mir_operand wide, unsigned word) {
  bool whole = wide.words <= 1;
  switch (wide.kind) {
  case MIR_REG:
    if (!whole) wide.neg = wide.abs = false;
    return mir_part(wide, word, 1);
  case MIR_IMM:
    return word == wide.words - 1u ? mir_imm(wide.imm) : mir_zero();
  case MIR_CONST:
    return mir_const(wide.bank, wide.offset + 4 * word, 1);
  default:
    return mir_zero();
  }
}

struct mir_operand mir_not(struct mir_operand p) {
  p.neg = !p.neg;
  return p;
}

void mir_append(struct mir_block *b, struct mir_insn *i) {
  mir_insert_before(b, NULL, i);
}

void mir_insert_before(struct mir_block *b, struct mir_insn *where, struct mir_insn *i) {
  i->next = where;
  i->prev = where ? where->prev : b->last;
  if (i->prev)
    i->prev->next = i;
  else
    b->first = i;
  if (where)
    where->prev = i;
  else
    b->last = i;
}

void mir_remove(struct mir_block *b, struct mir_insn *i) {
  if (i->prev)
    i->prev->next = i->next;
  else
    b->first = i->next;
  if (i->next)
    i->next->prev = i->prev;
  else
    b->last = i->prev;
  i->prev = i->next = NULL;
}

struct mir_insn *mir_add(struct mir_builder *m, enum heddle_isa_op op, struct mir_operand rd, struct mir_operand a,
                         struct mir_operand b, struct mir_operand c) {
  struct mir_insn *i = ptx_alloc(m->f->arena, sizeof *i);
  i->op = (uint16_t)op;
  i->guard = m->guard;
  i->keeps_old = m->keeps_old && m->guard.kind != MIR_NONE;
  i->pos = m->pos;
  i->rd = rd;
  i->src[0] = a;
  i->src[1] = b;
  i->src[2] = c;
  mir_append(m->b, i);
  return i;
}

struct mir_insn *mir_branch(struct mir_builder *m, enum heddle_isa_op op, struct mir_block *target) {
  struct mir_insn *i = mir_add(m, op, mir_none(), mir_none(), mir_none(), mir_none());
  i->target = target;
  i->keeps_old = false;
  return i;
}

void mir_set(struct mir_insn *i, enum heddle_isa_field f, uint64_t value) {
  unsigned at = 0;
  while (at < i->fields && i->field[at].field != (uint8_t)f) at++;
  assert(at < MIR_FIELDS_MAX);
  i->field[at] = (struct mir_field){.field = (uint8_t)f, .value = value};
  if (at == i->fields) i->fields++;
}

/* RZ stands where no encoding with a register is: the uniform forms read it as URZ. */
static bool kind_fits(const struct heddle_isa_slot *slot, const struct mir_operand *x) {
  switch (x->kind) {
  case MIR_NONE:
    return slot->kind == ISA_NONE;
  case MIR_ZERO:
    return slot->kind == ISA_REG || slot->kind == ISA_UREG;
  case MIR_REG:
    return slot->kind == (x->class == MIR_R    ? ISA_REG
                          : x->class == MIR_UR ? ISA_UREG
                                               : ISA_NONE) &&
           slot->kind != ISA_NONE;
  case MIR_IMM:
    return slot->kind == ISA_IMM &&
           (uint64_t)x->imm >> (heddle_isa_field_width((enum heddle_isa_field)slot->field) & 63) == 0;
  default:
    return slot->kind == ISA_CONST;
  }
}

static bool slot_fits(const struct heddle_isa_slot *slot, const struct mir_operand *x) {
  return kind_fits(slot, x) && (!x->neg || slot->neg != ISA_FIELD_NONE) && (!x->abs || slot->abs != ISA_FIELD_NONE) &&
         (!x->part || slot->part != ISA_FIELD_NONE);
}

static int choose_encoding(enum heddle_isa_op op, const struct mir_operand src[3]) {
  const struct heddle_isa_instr *in = heddle_isa_instr_info(op);
  for (unsigned i = 0; i < in->n_encs; i++) {
    const struct heddle_isa_encoding *enc = heddle_isa_encoding_info((enum heddle_isa_enc)(in->first_enc + i));
    if (slot_fits(&enc->src[0], &src[0]) && slot_fits(&enc->src[1], &src[1]) && slot_fits(&enc->src[2], &src[2]))
      return in->first_enc + (int)i;
  }
  return -1;
}

int mir_encoding(const struct mir_insn *i) {
  return choose_encoding((enum heddle_isa_op)i->op, i->src);
}

bool mir_fits(enum heddle_isa_op op, struct mir_operand a, struct mir_operand b, struct mir_operand c) {
  return choose_encoding(op, (struct mir_operand[3]){a, b, c}) >= 0;
}

uint64_t mir_get(const struct mir_insn *i, enum heddle_isa_field f) {
  for (unsigned k = 0; k < i->fields; k++)
    if (i->field[k].field == (uint8_t)f) return i->field[k].value;
  return heddle_isa_field_default(f);
}

unsigned mir_words(const struct mir_insn *i, unsigned slot) {
  int e = mir_encoding(i);
  if (e < 0) return 0;
  const struct heddle_isa_encoding *enc = heddle_isa_encoding_info((enum heddle_isa_enc)e);
  const struct heddle_isa_slot *s = slot == 3 ? &enc->rd : &enc->src[slot];
  if (s->kind == ISA_NONE) return 0;
  if (s->words) return s->words;
  const struct heddle_isa_set *set =
      heddle_isa_set_info((enum heddle_isa_set_id)heddle_isa_field_info((enum heddle_isa_field)s->words_field)->set);
  uint64_t v = mir_get(i, (enum heddle_isa_field)s->words_field);
  return heddle_isa_field_legal((enum heddle_isa_field)s->words_field, v) ? set->words[v] : 0;
}

enum heddle_isa_unit mir_unit(const struct mir_insn *i) {
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)i->op);
  bool wide = false;
  for (unsigned slot = 0; slot < 4 && info->wide_unit != info->unit; slot++) wide = wide || mir_words(i, slot) > 1;
  return (enum heddle_isa_unit)(wide ? info->wide_unit : info->unit);
}

struct mir_operand mir_reg(struct mir_builder *m, struct mir_operand x) {
  if (x.kind == MIR_REG || x.kind == MIR_ZERO) return x;
  struct mir_operand r = mir_new(m->f, MIR_R, x.words);
  for (unsigned w = 0; w < x.words; w++) {
    struct mir_operand word = mir_word(x, w);
    mir_add(m, ISA_OP_MOV, mir_part(r, w, 1), mir_none(), word, mir_none());
  }
  return r;
}

struct mir_operand mir_wide(struct mir_builder *m, uint64_t v) {
  struct mir_operand r = mir_new(m->f, MIR_R, 2);
  for (unsigned w = 0; w < 2; w++) {
    uint32_t word = (uint32_t)(v >> (32 * w));
    mir_add(m, ISA_OP_MOV, mir_part(r, w, 1), mir_none(), word ? mir_imm(word) : mir_zero(), mir_none());
  }
  return r;
}

struct mir_block *mir_block_new(struct mir_function *f) {
  struct mir_block *b = ptx_alloc(f->arena, sizeof *b);
  b->id = f->blocks++;
  return b;
}

void mir_block_place(struct mir_block *after, struct mir_block *b) {
  b->next = after->next;
  after->next = b;
}

/* A list that is full when its length is a power of two. */
static struct mir_block **append_block(struct ptx_arena *a, struct mir_block **list, unsigned n, struct mir_block *b) {
  if ((n & (n - 1)) == 0) {
    struct mir_block **bigger = ptx_alloc(a, (n ? 2 * (size_t)n : 1) * sizeof(struct mir_block *));
    if (n) memcpy(bigger, list, n * sizeof *bigger);
    list = bigger;
  }
  list[n] = b;
  return list;
}

void mir_edge(struct mir_function *f, struct mir_block *from, struct mir_block *to) {
  from->succ = append_block(f->arena, from->succ, from->succs, to);
  from->succs++;
  to->pred = append_block(f->arena, to->pred, to->preds, from);
  to->preds++;
}
