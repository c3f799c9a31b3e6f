/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames, when registers have their numbers. A function takes its frame from the stack at its beginning and gives it
 * back at each return; at the frame's top it keeps the registers that its caller counts on, and the return address if
 * it calls others. A kernel takes its frame from the top of local memory, where constant bank 0 says that the stack
 * begins; nobody gets it back. The stack ends at address 0: what is below is out of range, and traps.
 *
 * What a function saves for its caller the caller may never have written. Kernels give a value to all registers that
 * outlast calls, the highest first: when it is known which of them are ever saved, the entry moves down to the highest
 * of those (call_link.c).
 */
#include "compiler/calls/call.h"
#include <heddle/program.h>
#include "compiler/ir/mir.h"

enum { SAVED_MOST = 32 };

struct finish {
  struct mir_function *f;
  struct mir_block *b;
  struct mir_insn *before;
  struct ptx_pos pos;
  uint32_t bytes, saved_at;
  struct { /* of the save area */
    uint8_t first, words;
  } save[SAVED_MOST];
  unsigned saves;
};

static struct mir_insn *insert_insn(struct finish *e, enum heddle_isa_op op, struct mir_operand rd,
                                    struct mir_operand a, struct mir_operand b) {
  struct mir_insn *i = ptx_alloc(e->f->arena, sizeof *i);
  *i = (struct mir_insn){.op = (uint16_t)op, .rd = rd, .src = {a, b}, .pos = e->pos};
  mir_insert_before(e->b, e->before, i);
  return i;
}

static void move_stack(struct finish *e, uint32_t by) {
  struct mir_operand r = e->f->frame->stack;
  insert_insn(e, ISA_OP_IADD3, r, r, mir_imm(by))->src[2] = mir_zero();
}

static struct mir_operand physical(struct finish *e, unsigned first, unsigned words) {
  struct mir_operand r = mir_new(e->f, MIR_R, words);
  e->f->vreg[r.reg].fixed = e->f->vreg[r.reg].phys = (int16_t)first;
  return r;
}

static void access_saved(struct finish *e, bool load) {
  uint32_t at = e->saved_at;
  for (unsigned k = 0; k < e->saves; k++) {
    struct mir_operand r = physical(e, e->save[k].first, e->save[k].words), none = mir_none();
    struct mir_insn *i =
        insert_insn(e, load ? ISA_OP_LDL : ISA_OP_STL, load ? r : none, e->f->frame->stack, load ? none : r);
    mir_set(i, ISA_F_SIZE, e->save[k].words == 2 ? ISA_SIZE_64 : ISA_SIZE_32);
    mir_set(i, ISA_F_OFF24, at);
    at += 4u * e->save[k].words;
  }
}

/* Pairs first: their places are aligned. */
static void choose_saved(struct finish *e) {
  bool used[256] = {0};
  for (uint32_t v = 0; v < e->f->vregs; v++) {
    const struct mir_vreg *r = &e->f->vreg[v];
    for (unsigned w = 0; r->class == MIR_R && r->phys >= 0 && w < r->words; w++) used[r->phys + (int)w] = true;
  }
  for (unsigned r = 0; r < 256; r++) {
    if (used[r]) e->f->frame->registers = r + 1;
    used[r] =
        (used[r] && r != CALL_STACK && mir_survives_call(MIR_R, r)) || (r / 2 == CALL_RETURN / 2 && e->f->frame->calls);
    if (!e->f->frame->is_function) used[r] = false;
  }
  for (unsigned words = 2; words > 0; words--)
    for (unsigned r = 0; r + words <= 256; r += words) {
      if (!used[r] || (words == 2 && !used[r + 1])) continue;
      used[r] = used[r + words - 1] = false;
      e->f->frame->saved |= (words == 2 ? 3u : 1u) << r;
      e->save[e->saves].first = (uint8_t)r;
      e->save[e->saves++].words = (uint8_t)words;
    }
}

static void lay_out_frame(struct finish *e) {
  const uint32_t align = e->f->frame->graph->stack_align;
  e->saved_at = (e->f->local_bytes + 7) / 8 * 8;
  e->bytes = e->saves ? e->saved_at : e->f->local_bytes;
  for (unsigned k = 0; k < e->saves; k++) e->bytes += 4u * e->save[k].words;
  e->bytes = (e->bytes + align - 1) / align * align;
  const uint32_t reach = (uint32_t)heddle_isa_field_most(ISA_F_OFF24); /* of the loads of what is saved */
  const uint32_t most = e->saves && reach < HEDDLE_LOCAL_MAX ? reach : HEDDLE_LOCAL_MAX;
  if (e->bytes > most) ptx_fatal(e->f->diag, e->pos, "the frame of '%s' has more than %u bytes", e->f->name, most);
  e->f->frame->bytes = e->bytes;
}

static void begin_frame(struct finish *e) {
  struct mir_operand none = mir_none();
  e->b = e->f->first;
  e->before = e->b->first;
  if (!e->f->frame->is_function) {
    for (unsigned r = CALL_SURVIVORS_END; r-- > CALL_SURVIVORS;)
      if (mir_survives_call(MIR_R, r)) insert_insn(e, ISA_OP_MOV, physical(e, r, 1), none, mir_zero());
    insert_insn(e, ISA_OP_MOV, e->f->frame->stack, none, mir_const(0, HEDDLE_BANK0_STACK, 1));
  }
  if (e->bytes) move_stack(e, 0u - e->bytes);
  access_saved(e, false);
}

static bool is_idle(const struct mir_function *f, const struct mir_insn *i) {
  const struct mir_operand *s = &i->src[1], *d = &i->rd;
  return i->op == ISA_OP_MOV && d->kind == MIR_REG && s->kind == MIR_REG && d->class == s->class &&
         f->vreg[d->reg].phys + d->sub == f->vreg[s->reg].phys + s->sub;
}

/* Copies between registers that the allocator made one. */
static void drop_idle(struct mir_function *f) {
  for (struct mir_block *b = f->first; b; b = b->next)
    for (struct mir_insn *i = b->first, *next; i; i = next) {
      next = i->next;
      if (is_idle(f, i)) mir_remove(b, i);
    }
}

void mir_frame_finish(struct mir_function *f) {
  struct finish e = {.f = f, .pos = f->first->first ? f->first->first->pos : (struct ptx_pos){0, 0}};
  if (!f->frame) return;
  f->vreg[f->frame->stack.reg].phys = CALL_STACK;
  drop_idle(f);
  choose_saved(&e);
  lay_out_frame(&e);
  begin_frame(&e);
  for (e.b = f->first; e.b && f->frame->is_function; e.b = e.b->next)
    for (struct mir_insn *i = e.b->first; i; i = i->next) {
      if (i->op != ISA_OP_RET) continue;
      e.before = i;
      access_saved(&e, true);
      if (e.bytes) move_stack(&e, e.bytes);
    }
}
