/* SPDX-License-Identifier: Apache-2.0
 *
 * An allocated function as words at the end of a program, with control codes, and its kernel entry.
 */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/ptx.h>
#include "compiler/calls/call.h"
#include "compiler/ir/debug.h"
#include "compiler/ir/mir.h"

/* An allocated machine instruction as a word. What it does not name has the default of its field. */

static bool put_register(const struct mir_function *f, struct heddle_isa_word *w, unsigned field,
                         const struct mir_operand *x) {
  const uint64_t zero = heddle_isa_field_default((enum heddle_isa_field)field);
  uint64_t raw = zero;
  if (x->kind == MIR_REG) {
    int phys = f->vreg[x->reg].phys + x->sub;
    if (f->vreg[x->reg].phys < 0 || (uint64_t)phys + x->words > zero || phys % x->words != 0) return false;
    raw = (uint64_t)phys;
  }
  *w = heddle_isa_put(*w, (enum heddle_isa_field)field, raw);
  return true;
}

static bool put_operand(const struct mir_function *f, const struct heddle_isa_encoding *enc, unsigned slot,
                        const struct mir_operand *x, struct heddle_isa_word *w) {
  const struct heddle_isa_slot *s = &enc->src[slot];
  if (s->kind == ISA_NONE) return true;
  if (s->neg != ISA_FIELD_NONE) *w = heddle_isa_put(*w, (enum heddle_isa_field)s->neg, x->neg);
  if (s->abs != ISA_FIELD_NONE) *w = heddle_isa_put(*w, (enum heddle_isa_field)s->abs, x->abs);
  if (s->part != ISA_FIELD_NONE) *w = heddle_isa_put(*w, (enum heddle_isa_field)s->part, x->part);
  switch (s->kind) {
  case ISA_IMM:
    *w = heddle_isa_put(*w, (enum heddle_isa_field)s->field, x->imm);
    return true;
  case ISA_CONST:
    *w = heddle_isa_put(heddle_isa_put(*w, (enum heddle_isa_field)enc->cbank, x->bank),
                        (enum heddle_isa_field)enc->coff, x->offset);
    return heddle_isa_field_fits((enum heddle_isa_field)enc->cbank, x->bank) &&
           heddle_isa_field_fits((enum heddle_isa_field)enc->coff, x->offset);
  default:
    return put_register(f, w, s->field, x);
  }
}

/* Index, and for a read the negate bit above it. NONE and ZERO are PT. */
static bool put_predicate(const struct mir_function *f, struct heddle_isa_word *w, unsigned field,
                          const struct mir_operand *x) {
  if (field == ISA_FIELD_NONE) return x->kind == MIR_NONE;
  unsigned raw = ISA_PT;
  if (x->kind == MIR_REG) {
    if (f->vreg[x->reg].phys < 0 || f->vreg[x->reg].phys >= (int)ISA_PT) return false;
    raw = (unsigned)f->vreg[x->reg].phys;
  }
  if (x->neg && heddle_isa_field_width((enum heddle_isa_field)field) < 4) return false;
  *w = heddle_isa_put(*w, (enum heddle_isa_field)field, raw | (x->neg ? 8u : 0u));
  return true;
}

static bool put_named(const struct mir_insn *i, enum heddle_isa_enc e, struct heddle_isa_word *w) {
  for (unsigned k = 0; k < i->fields; k++) {
    enum heddle_isa_field f = (enum heddle_isa_field)i->field[k].field;
    if (!heddle_isa_enc_owns(e, f) || !heddle_isa_field_fits(f, (int64_t)i->field[k].value)) return false;
    *w = heddle_isa_put(*w, f, i->field[k].value);
  }
  return true;
}

/* Where it goes, and its convergence barrier. */
static bool put_control(const struct mir_insn *i, const struct heddle_isa_encoding *enc, uint32_t pc,
                        uint32_t target_pc, struct heddle_isa_word *w) {
  for (unsigned k = 0; k < enc->n_fields; k++) {
    enum heddle_isa_field f = (enum heddle_isa_field)enc->fields[k];
    int64_t v;
    if (heddle_isa_field_info(f)->kind == ISA_K_REL)
      v = (int64_t)target_pc - pc - ISA_WORD_BYTES;
    else if (heddle_isa_field_info(f)->kind == ISA_K_BREG)
      v = i->breg;
    else if (f == ISA_F_ABS32 && i->target)
      v = target_pc;
    else
      continue;
    if (!heddle_isa_field_fits(f, v)) return false;
    *w = heddle_isa_put(*w, f, (uint64_t)v);
  }
  return true;
}

static bool put_predicates(const struct mir_function *f, const struct mir_insn *i,
                           const struct heddle_isa_encoding *enc, struct heddle_isa_word *w) {
  bool ok = put_predicate(f, w, enc->guard, &i->guard);
  for (unsigned k = 0; k < 2; k++) ok = ok && put_predicate(f, w, enc->pd[k], &i->pd[k]);
  for (unsigned k = 0; k < 3; k++) ok = ok && put_predicate(f, w, enc->ps[k], &i->ps[k]);
  return ok;
}

bool mir_encode(const struct mir_function *f, const struct mir_insn *i, uint32_t pc, uint32_t target_pc,
                struct heddle_isa_word *w) {
  int e = mir_encoding(i);
  if (e < 0) return false;
  const struct heddle_isa_encoding *enc = heddle_isa_encoding_info((enum heddle_isa_enc)e);
  struct heddle_isa_dec d;
  *w = enc->match;
  for (unsigned k = 0; k < enc->n_fields; k++) {
    enum heddle_isa_field field = (enum heddle_isa_field)enc->fields[k];
    *w = heddle_isa_put(*w, field, heddle_isa_field_default(field));
  }
  /* Named fields may be registers too (BMOV): operands come after them. */
  bool ok =
      put_named(i, (enum heddle_isa_enc)e, w) && put_control(i, enc, pc, target_pc, w) && put_predicates(f, i, enc, w);
  if (enc->rd.kind != ISA_NONE)
    ok = ok && put_register(f, w, enc->rd.field, &i->rd);
  else
    ok = ok && i->rd.kind == MIR_NONE;
  for (unsigned k = 0; k < 3; k++) ok = ok && put_operand(f, enc, k, &i->src[k], w);
  return ok && heddle_isa_decode(*w, &d);
}

/* An allocated function as words at the end of a program, with control codes, and its kernel entry. */

struct emitter {
  struct mir_function *f;
  struct heddle_program *p;
  struct block_layout *layout;
  uint32_t *pc; /* by block id; UINT32_MAX: not in the program */
  uint32_t first, end;
};

static struct ptx_pos function_pos(const struct mir_function *f) {
  return f->first->first ? f->first->first->pos : (struct ptx_pos){0, 0};
}

/* Bytes of code of which every address has a place in every field that names one. */
static uint64_t code_most(void) {
  static const enum heddle_isa_field of[] = {ISA_F_REL, ISA_F_OFF32, ISA_F_ABS32};
  uint64_t most = HEDDLE_CODE_MAX;
  for (unsigned k = 0; k < sizeof of / sizeof *of; k++)
    if ((uint64_t)heddle_isa_field_most(of[k]) < most) most = (uint64_t)heddle_isa_field_most(of[k]);
  return most;
}

static bool lay_out_blocks(struct emitter *e) {
  const uint64_t most = code_most();
  uint64_t pc = e->p->code_bytes;
  e->first = e->p->code_bytes;
  e->pc = ptx_alloc(e->f->arena, (e->f->blocks + 1) * sizeof *e->pc);
  memset(e->pc, 0xff, (e->f->blocks + 1) * sizeof *e->pc);
  for (uint32_t k = 0; k < e->layout->blocks; k++) {
    e->pc[e->layout->order[k]->id] = (uint32_t)pc;
    for (struct mir_insn *i = e->layout->order[k]->first; i; i = i->next) pc += ISA_WORD_BYTES;
    if (pc > most) {
      ptx_error(e->f->diag, function_pos(e->f),
                "more than %llu bytes of code, which this instruction set does not reach", (unsigned long long)most);
      return false;
    }
  }
  e->end = (uint32_t)pc;
  return true;
}

static void grow_code(struct emitter *e) {
  uint8_t *code = realloc(e->p->code, e->end + 1);
  if (!code) ptx_no_memory(e->f->diag, function_pos(e->f));
  e->p->code = code;
}

/* Addresses of code: that of functions is known when all are there (call_frame.c). */
static void note_address(struct emitter *e, struct mir_insn *i, uint32_t pc) {
  if (i->call && i->call->callee) call_fixup_add(e->f->frame->graph, CALL_FIX_REL, pc, i->call->callee, 0, 0);
  if (i->code) call_fixup_add(e->f->frame->graph, CALL_FIX_IMM, pc, i->code, 0, 0);
  if (!i->address_behind) return;
  const struct mir_insn *c = i;
  for (; c && !mir_is_call(c); c = c->next) pc += ISA_WORD_BYTES;
  i->src[1] = mir_imm(pc + ISA_WORD_BYTES);
}

/* For packing: a field that holds an address of code. */
static void note_field(struct emitter *e, uint32_t pc, unsigned field) {
  if (heddle_program_note(e->p, (struct heddle_pack_note){HEDDLE_PACK_FIELD, pc, field, 0}) != HEDDLE_SUCCESS)
    ptx_no_memory(e->f->diag, function_pos(e->f));
}

static void note_fields(struct emitter *e, const struct mir_insn *i, uint32_t pc, struct heddle_isa_word w) {
  struct heddle_isa_dec d;
  if (!heddle_isa_decode(w, &d)) return;
  if (i->address_behind) note_field(e, pc, heddle_isa_encoding_info((enum heddle_isa_enc)d.enc)->src[1].field);
  if (i->op == ISA_OP_BRX && i->target) note_field(e, pc, ISA_F_OFF32);
  if (i->target && heddle_isa_enc_owns((enum heddle_isa_enc)d.enc, ISA_F_ABS32)) note_field(e, pc, ISA_F_ABS32);
}

/* A table of branches is entered by index: its words are of one size. */
static void note_table(struct emitter *e, const struct mir_block *table) {
  uint32_t pc = e->pc[table->id];
  for (const struct mir_insn *i = table->first; i && pc != UINT32_MAX; i = i->next, pc += ISA_WORD_BYTES)
    if (heddle_program_note(e->p, (struct heddle_pack_note){HEDDLE_PACK_LONG, pc, 0, 0}) != HEDDLE_SUCCESS)
      ptx_no_memory(e->f->diag, function_pos(e->f));
}

/* What the word does not say of how it orders. */
static void note_order(struct emitter *e, const struct mir_insn *i, uint32_t pc) {
  if (i->order != HEDDLE_ORDER_WORD &&
      heddle_program_add_order(e->p, pc, (enum heddle_order)i->order) != HEDDLE_SUCCESS)
    ptx_no_memory(e->f->diag, function_pos(e->f));
}

static bool put_insn(struct emitter *e, struct mir_insn *i, uint32_t pc) {
  note_address(e, i, pc);
  uint32_t target = i->target ? e->pc[i->target->id] : UINT32_MAX;
  struct heddle_isa_word w;
  if (target == UINT32_MAX) target = pc + ISA_WORD_BYTES; /* the end of a region that nobody reaches */
  if (i->op == ISA_OP_BRX && i->target) mir_set(i, ISA_F_OFF32, target);
  if (mir_encode(e->f, i, pc, target, &w)) {
    heddle_isa_word_store(e->p->code + pc, w);
    note_fields(e, i, pc, w);
    note_order(e, i, pc);
    if (i->op == ISA_OP_BRX && i->target) note_table(e, i->target);
    return true;
  }
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (to) mir_print_insn(e->f, i, to);
  if (to) fclose(to);
  ptx_error(e->f->diag, i->pos, "internal error: no encoding for '%s'", text ? text : "?");
  free(text);
  return false;
}

/* What later stages made for themselves is of the line before. */
static void put_insn_line(struct emitter *e, const struct mir_insn *i, uint32_t pc) {
  if (e->f->debug) ptx_debug_word(e->f->debug, pc, i->pos);
  if (e->f->lines && (pc == e->first || i->pos.line != 0) &&
      !ptx_lines_put(e->f->lines, e->p, pc, i->pos.line ? i->pos : e->f->pos))
    ptx_no_memory(e->f->diag, i->pos);
}

static bool put_code(struct emitter *e) {
  uint32_t pc = e->first;
  for (uint32_t k = 0; k < e->layout->blocks; k++)
    for (struct mir_insn *i = e->layout->order[k]->first; i; i = i->next, pc += ISA_WORD_BYTES) {
      if (!put_insn(e, i, pc)) return false;
      put_insn_line(e, i, pc);
    }
  e->p->code_bytes = e->end;
  return true;
}

static void add_kernel(struct emitter *e, const struct heddle_ptx_options *o, uint32_t registers) {
  struct heddle_program *p = e->p;
  struct heddle_kernel *more = realloc(p->kernel, (p->kernels + 1) * sizeof *more);
  const char *name = heddle_program_name(p, e->f->name, strlen(e->f->name));
  if (more) p->kernel = more;
  if (!more || !name) ptx_no_memory(e->f->diag, function_pos(e->f));
  struct heddle_kernel *k = &p->kernel[p->kernels++];
  memset(k, 0, sizeof *k);
  k->name = name;
  k->entry_pc = e->first;
  k->is_function = e->f->frame && e->f->frame->is_function;
  if (k->is_function) return;
  k->regs = registers;
  k->shared_bytes = e->f->shared_bytes;
  k->barriers = e->f->barriers;
  k->param_bytes = e->f->param_bytes;
  k->local_bytes = e->f->local_bytes;
  memcpy(k->stall, o->stall, sizeof k->stall);
}

/* Registers in use: the highest number that any instruction names. */
static uint32_t count_registers(const struct mir_function *f) {
  uint32_t n = 1;
  for (uint32_t v = 0; v < f->vregs; v++) {
    const struct mir_vreg *r = &f->vreg[v];
    if (r->class == MIR_R && r->phys >= 0 && (uint32_t)r->phys + r->words > n) n = (uint32_t)r->phys + r->words;
  }
  return n;
}

bool mir_emit(struct mir_function *f, struct heddle_program *p, const struct heddle_ptx_options *o,
              struct heddle_ptx_figures *figures) {
  struct emitter e = {.f = f, .p = p, .layout = block_layout_new(f)};
  uint32_t stalls = 0;
  if (o->level > 0 && (o->without >> HEDDLE_PTX_PASS_ROTATE & 1) == 0) block_layout_rotate(e.layout);
  block_layout_finish(e.layout);
  if (!lay_out_blocks(&e)) return false;
  grow_code(&e);
  if (!put_code(&e)) return false;
  const enum heddle_error coded = heddle_schedule(p, e.first, e.end, o->stall, &stalls);
  if (coded == HEDDLE_ERROR_HOST_MEMORY) ptx_no_memory(f->diag, function_pos(f));
  if (coded != HEDDLE_SUCCESS) {
    ptx_error(f->diag, function_pos(f), "internal error: no control codes for '%s'", f->name);
    return false;
  }
  if (figures) {
    figures->instructions = (e.end - e.first) / ISA_WORD_BYTES;
    figures->shared_bytes = f->shared_bytes;
    figures->stall_cycles = stalls;
  }
  struct call_node *n = f->frame ? f->frame->node : NULL;
  if (n) {
    n->compiled = true;
    n->entry_pc = e.first;
    n->frame_bytes = f->frame->bytes;
    n->registers = f->frame->registers;
    n->saved = f->frame->saved;
    n->barriers = f->barriers;
    n->kernel = e.p->kernels;
  }
  add_kernel(&e, o, f->frame ? f->frame->registers : count_registers(f));
  return true;
}
