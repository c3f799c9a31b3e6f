/* SPDX-License-Identifier: Apache-2.0
 *
 * Machine IR: building it, which encoding an instruction takes, whether a function is well formed, what the RTL has.
 */
#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include "compiler/ir/mir.h"

/* Machine IR: building functions, blocks and instructions; which encoding an instruction takes. */

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

/* Is a machine function well formed? Operands of the kinds, classes and widths that the encoding wants, fields that it
 * owns, lists linked both ways, and after allocation physical numbers that fit. */

struct check {
  const struct mir_function *f;
  bool allocated;
  char text[160];
};

__attribute__((format(printf, 2, 3))) static bool bad(struct check *c, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(c->text, sizeof c->text, format, ap);
  va_end(ap);
  return false;
}

static bool register_ok(struct check *c, const struct mir_operand *x, enum mir_class class, unsigned words,
                        const char *what) {
  if (x->kind != MIR_REG) return true;
  if (x->reg >= c->f->vregs) return bad(c, "%s: no virtual register %u", what, x->reg);
  const struct mir_vreg *v = &c->f->vreg[x->reg];
  if (v->class != x->class || x->class != class) return bad(c, "%s: register %u is of another class", what, x->reg);
  if (x->words != words) return bad(c, "%s: register %u: %u words where %u are wanted", what, x->reg, x->words, words);
  if (x->sub + x->words > v->words || x->sub % x->words)
    return bad(c, "%s: words %u to %u of register %u", what, x->sub, x->sub + x->words - 1, x->reg);
  if (!c->allocated) return true;
  unsigned end = class == MIR_R || class == MIR_UR ? heddle_isa_registers(class == MIR_UR) : ISA_PT;
  if (v->phys < 0 || v->phys % v->words || (unsigned)v->phys + v->words > end)
    return bad(c, "%s: register %u has the physical number %d", what, x->reg, v->phys);
  return true;
}

static bool predicate_ok(struct check *c, const struct mir_operand *x, unsigned field, bool uniform, const char *what) {
  if (x->kind == MIR_NONE) return true;
  if (field == ISA_FIELD_NONE) return bad(c, "%s: the encoding has none", what);
  if (x->kind != MIR_ZERO && x->kind != MIR_REG) return bad(c, "%s: no predicate", what);
  if (x->neg && heddle_isa_field_width((enum heddle_isa_field)field) < 4) return bad(c, "%s: negated", what);
  return register_ok(c, x, uniform ? MIR_UP : MIR_P, 1, what);
}

static bool predicates_ok(struct check *c, const struct mir_insn *i, const struct heddle_isa_encoding *enc) {
  bool ok = predicate_ok(c, &i->guard, enc->guard, enc->uniform, "guard");
  for (unsigned k = 0; k < 2; k++) ok = ok && predicate_ok(c, &i->pd[k], enc->pd[k], enc->pd_uniform, "pd");
  for (unsigned k = 0; k < 3; k++) ok = ok && predicate_ok(c, &i->ps[k], enc->ps[k], enc->ps_uniform, "ps");
  return ok;
}

static bool fields_ok(struct check *c, const struct mir_insn *i, enum heddle_isa_enc e) {
  for (unsigned k = 0; k < i->fields; k++) {
    enum heddle_isa_field f = (enum heddle_isa_field)i->field[k].field;
    if (f >= ISA_F_COUNT || !heddle_isa_enc_owns(e, f))
      return bad(c, "field %s is not of this encoding", f < ISA_F_COUNT ? heddle_isa_field_info(f)->name : "?");
    if (heddle_isa_field_info(f)->kind == ISA_K_SET && !heddle_isa_field_legal(f, i->field[k].value))
      return bad(c, "field %s has no value %llu", heddle_isa_field_info(f)->name,
                 (unsigned long long)i->field[k].value);
  }
  return true;
}

static enum mir_class slot_class(const struct heddle_isa_slot *s) {
  return s->kind == ISA_UREG ? MIR_UR : MIR_R;
}

static bool target_ok(struct check *c, const struct mir_insn *i, const struct heddle_isa_encoding *enc) {
  bool wants = false;
  for (unsigned k = 0; k < enc->n_fields; k++)
    wants |= heddle_isa_field_info((enum heddle_isa_field)enc->fields[k])->kind == ISA_K_REL;
  if (wants && !i->target && !(i->call && i->call->callee)) return bad(c, "no target");
  return i->breg == 0 || i->breg < heddle_isa_convergence_barriers() || bad(c, "barrier %u", i->breg);
}

static bool insn_ok(struct check *c, const struct mir_insn *i) {
  static const char *const name[] = {"a", "b", "c"};
  if (i->op >= ISA_OP_COUNT) return bad(c, "no instruction %u", i->op);
  int e = mir_encoding(i);
  if (e < 0) return bad(c, "no encoding for these operands");
  const struct heddle_isa_encoding *enc = heddle_isa_encoding_info((enum heddle_isa_enc)e);
  if (!fields_ok(c, i, (enum heddle_isa_enc)e) || !predicates_ok(c, i, enc) || !target_ok(c, i, enc)) return false;
  if (enc->rd.kind == ISA_NONE ? i->rd.kind != MIR_NONE : i->rd.kind == MIR_IMM || i->rd.kind == MIR_CONST)
    return bad(c, "rd: wrong kind");
  if (!register_ok(c, &i->rd, slot_class(&enc->rd), mir_words(i, 3), "rd")) return false;
  for (unsigned k = 0; k < 3; k++)
    if (!register_ok(c, &i->src[k], slot_class(&enc->src[k]), mir_words(i, k), name[k])) return false;
  return true;
}

static bool has_block(struct mir_block *const *list, unsigned n, const struct mir_block *b) {
  while (n-- > 0)
    if (list[n] == b) return true;
  return false;
}

static bool block_ok(struct check *c, const struct mir_block *b) {
  for (unsigned k = 0; k < b->succs; k++)
    if (!has_block(b->succ[k]->pred, b->succ[k]->preds, b))
      return bad(c, "b%u is no predecessor of b%u", b->id, b->succ[k]->id);
  const struct mir_insn *prev = NULL;
  for (const struct mir_insn *i = b->first; i; prev = i, i = i->next) {
    if (i->prev != prev) return bad(c, "b%u: the list is broken", b->id);
    if (i->op == ISA_OP_BRA && !has_block(b->succ, b->succs, i->target))
      return bad(c, "b%u: BRA without an edge", b->id);
  }
  return b->last == prev || bad(c, "b%u: the last instruction is not the last", b->id);
}

/* "b3: FADD r1, r2, r3: what", in the arena. */
static const char *describe_insn(const struct check *c, const struct mir_block *b, const struct mir_insn *i) {
  enum { SIZE = 320 };
  char *text = ptx_alloc(c->f->arena, SIZE);
  snprintf(text, SIZE, "b%u: %s (line %u): %s", b->id,
           i->op < ISA_OP_COUNT ? heddle_isa_op_name((enum heddle_isa_op)i->op) : "?", i->pos.line, c->text);
  return text;
}

const char *mir_check(const struct mir_function *f, bool allocated) {
  struct check c = {.f = f, .allocated = allocated};
  for (const struct mir_block *b = f->first; b; b = b->next) {
    if (!block_ok(&c, b)) {
      char *text = ptx_alloc(f->arena, sizeof c.text);
      snprintf(text, sizeof c.text, "%s", c.text);
      return text;
    }
    for (const struct mir_insn *i = b->first; i; i = i->next)
      if (!insn_ok(&c, i)) return describe_insn(&c, b, i);
  }
  return NULL;
}

/* Which machine instructions the RTL has, and the machine: the ISA file knows, and its units. */

static bool adds_floats(const struct heddle_isa_encoding *enc, const struct mir_insn *i) {
  for (unsigned k = 0; k < enc->n_fields; k++) {
    const enum heddle_isa_field field = (enum heddle_isa_field)enc->fields[k];
    if (field != ISA_F_AOP && field != ISA_F_ROP) continue; /* RED has the numbers of ATOM */
    const uint64_t v = mir_get(i, field);
    return v == ISA_AOP_ADD_F32 || v == ISA_AOP_ADD_F64 || v == ISA_AOP_ADD_F16X2;
  }
  return false;
}

bool mir_in_rtl(const struct mir_function *f, const struct mir_insn *i) {
  const int e = mir_encoding(i);
  if (e < 0) return false;
  if (f->units != 0 && (f->units >> mir_unit(i) & 1) == 0) return false;
  const struct heddle_isa_encoding *enc = heddle_isa_encoding_info((enum heddle_isa_enc)e);
  if (enc->only_model) return false;
  if (f->units != 0 && (f->units >> ISA_PART_FATOM & 1) == 0 && adds_floats(enc, i)) return false;
  const bool copies = i->op == ISA_OP_LDGSTS_E || i->op == ISA_OP_LDGDEPBAR;
  if (f->units != 0 && (f->units >> ISA_PART_ASYNC & 1) == 0 && copies) return false;
  for (unsigned k = 0; k < enc->n_fields; k++) {
    const enum heddle_isa_field field = (enum heddle_isa_field)enc->fields[k];
    const struct heddle_isa_field_info *info = heddle_isa_field_info(field);
    const bool uniform = info->kind >= ISA_K_UGPR_READ && info->kind <= ISA_K_UGUARD;
    if (uniform && f->units != 0 && (f->units >> ISA_UNIT_UNI & 1) == 0) return false;
    if (info->kind != ISA_K_SET) continue;
    const uint64_t v = mir_get(i, field);
    if (v < 256 && heddle_isa_field_legal(field, v) &&
        !(heddle_isa_set_info((enum heddle_isa_set_id)info->set)->rtl[v / 64] >> v % 64 & 1))
      return false;
  }
  return true;
}

bool mir_usable(const struct mir_function *f, const struct mir_insn *i) {
  return f->whole_machine || mir_in_rtl(f, i);
}
