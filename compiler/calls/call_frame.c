/* SPDX-License-Identifier: Apache-2.0
 *
 * Where arguments lie, frames of functions, and what a kernel needs with all that it may call.
 */
#include <string.h>

#include <heddle/isa_tables.h>
#include <heddle/program.h>
#include "compiler/calls/call.h"
#include "compiler/ir/mir.h"

/* Where the arguments and results of a function are; the rules are at the head of call.h. */

enum { STACKED_MOST = 1 << 16, COUNT_MOST = 4096 };

bool call_in_memory(const struct ptx_variable *v) {
  return v->space == PTX_PARAM && (v->array || v->vector > 1);
}

static struct call_place argument_place(const struct ptx_variable *v) {
  bool address = call_in_memory(v);
  return (struct call_place){.address = address, .wide = !address && ptx_type_bytes(v->type) == 8};
}

/* The words that the places take, the first `limit` of them in registers, others behind each other in memory. */
static uint32_t assign(struct call_place *p, uint32_t n, uint32_t limit, uint32_t *stacked) {
  uint32_t word = 0, byte = 0;
  bool full = false;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t words = p[k].wide ? 2 : 1, at = (word + words - 1) / words * words;
    full = full || at + words > limit;
    p[k].stacked = full;
    if (full) {
      byte = (byte + 4 * words - 1) / (4 * words) * (4 * words);
      p[k].at = byte;
      byte += 4 * words;
    } else {
      p[k].at = at;
      word = at + words;
    }
  }
  *stacked = byte;
  return word;
}

static uint32_t count_variables(const struct ptx_variable *v, uint32_t *in_memory) {
  uint32_t n = 0;
  *in_memory = 0;
  for (; v && n <= COUNT_MOST; v = v->next, n++) *in_memory += call_in_memory(v);
  return n;
}

const char *call_layout(struct ptx_arena *a, const struct ptx_function *f, struct call_layout *y) {
  uint32_t none, arrays, k = 0, stacked = 0;
  *y = (struct call_layout){0};
  y->arguments = count_variables(f->parameters, &none);
  uint32_t results = count_variables(f->results, &arrays);
  if (y->arguments > COUNT_MOST || results > COUNT_MOST) return "has too many parameters or results";
  y->memory_results = arrays;
  y->results = results - arrays;
  if (y->results > IR_DST_MAX) return "has more than 8 results that are no arrays";
  y->place = ptx_alloc(a, ((size_t)y->arguments + arrays + 1) * sizeof *y->place);
  y->result = ptx_alloc(a, ((size_t)y->results + 1) * sizeof *y->result);
  for (const struct ptx_variable *v = f->parameters; v; v = v->next) y->place[k++] = argument_place(v);
  for (const struct ptx_variable *v = f->results; v; v = v->next)
    if (call_in_memory(v)) y->place[k++] = argument_place(v);
  k = 0;
  for (const struct ptx_variable *v = f->results; v; v = v->next)
    if (!call_in_memory(v)) y->result[k++] = argument_place(v);
  const uint32_t places = y->arguments + arrays;
  y->stacked_word = assign(y->place, places, CALL_WORDS, &y->stacked_bytes);
  if (y->stacked_bytes) y->stacked_word = assign(y->place, places, CALL_WORDS - 1, &y->stacked_bytes);
  (void)assign(y->result, y->results, CALL_WORDS, &stacked);
  if (stacked) return "has results of more than 12 words";
  return y->stacked_bytes > STACKED_MOST ? "has too many parameters" : NULL;
}

/* Frames, when registers have their numbers. A function takes its frame from the stack at its beginning and gives it
 * back at each return; at the frame's top it keeps the registers that its caller counts on, and the return address if
 * it calls others. A kernel takes its frame from the top of local memory, where constant bank 0 says that the stack
 * begins; nobody gets it back. The stack ends at address 0: what is below is out of range, and traps.
 *
 * What a function saves for its caller the caller may never have written. Kernels give a value to all registers that
 * outlast calls, the highest first: when it is known which of them are ever saved, the entry moves down to the highest
 * of those. */

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

/* What is known when everything has been compiled: where functions begin, how many registers and how much stack a
 * kernel needs with all that it may come to call. */

struct needs { /* of a function and all below it */
  uint32_t registers, barriers, saved;
  uint64_t stack;
  bool unbounded; /* nobody knows how deep */
};

void call_fixup_add(struct call_graph *g, enum call_fixup_kind kind, uint32_t at, struct call_node *to, int64_t addend,
                    unsigned bytes) {
  struct call_fixup *x = ptx_alloc(g->arena, sizeof *x);
  *x = (struct call_fixup){.at = at, .kind = kind, .to = to, .addend = addend, .bytes = bytes, .next = g->fixups};
  g->fixups = x;
}

static void put_bytes(uint8_t *to, uint64_t v, unsigned bytes) {
  for (unsigned b = 0; b < bytes; b++) to[b] = (uint8_t)(v >> (8 * b));
}

/* The field of a MOV's immediate. */
static enum heddle_isa_field immediate_of(struct heddle_isa_word w) {
  struct heddle_isa_dec d;
  (void)heddle_isa_decode(w, &d);
  return (enum heddle_isa_field)heddle_isa_encoding_info((enum heddle_isa_enc)d.enc)->src[1].field;
}

/* For packing, which moves what is named. False: no memory. */
static bool note_fixup(struct heddle_program *p, const struct call_fixup *x) {
  struct heddle_pack_note n = {HEDDLE_PACK_FIELD, x->at, 0, x->bytes};
  if (x->kind == CALL_FIX_REL) return true; /* every relative target moves */
  if (x->kind == CALL_FIX_CONST) n.kind = HEDDLE_PACK_CONST;
  if (x->kind == CALL_FIX_GLOBAL) n.kind = HEDDLE_PACK_GLOBAL;
  if (x->kind == CALL_FIX_IMM) n.field = immediate_of(heddle_isa_word_load(p->code + x->at));
  return heddle_program_note(p, n) == HEDDLE_SUCCESS;
}

static void fix(struct heddle_program *p, const struct call_fixup *x) {
  const uint64_t value = x->to->entry_pc + (uint64_t)x->addend;
  if (x->kind == CALL_FIX_CONST || x->kind == CALL_FIX_GLOBAL) {
    put_bytes((x->kind == CALL_FIX_CONST ? p->konst : p->global) + x->at, value, x->bytes);
    return;
  }
  struct heddle_isa_word w = heddle_isa_word_load(p->code + x->at);
  if (x->kind == CALL_FIX_REL)
    w = heddle_isa_put(w, ISA_F_REL, x->to->entry_pc - x->at - ISA_WORD_BYTES);
  else
    w = heddle_isa_put(w, immediate_of(w), value);
  heddle_isa_word_store(p->code + x->at, w);
}

static void widen_needs(struct needs *n, const struct needs *by) {
  if (by->registers > n->registers) n->registers = by->registers;
  if (by->barriers > n->barriers) n->barriers = by->barriers;
  n->saved |= by->saved;
  n->unbounded = n->unbounded || by->unbounded;
}

/* Of a component: each function's frame once, and the deepest of what they call. */
static struct needs needs_of(struct call_node *const *member, uint32_t n, const struct needs *below) {
  struct needs all = {0};
  uint64_t deepest = 0;
  for (uint32_t k = 0; k < n; k++) {
    const struct call_node *m = member[k];
    all.stack += m->compiled ? m->frame_bytes : 0;
    widen_needs(&all,
                &(struct needs){
                    .registers = m->registers, .barriers = m->barriers, .saved = m->saved, .unbounded = m->recursive});
    for (const struct call_edge *e = m->calls; e; e = e->next) {
      if (e->to->component == m->component) continue;
      widen_needs(&all, &below[e->to->component]);
      if (below[e->to->component].stack > deepest) deepest = below[e->to->component].stack;
    }
  }
  all.stack += deepest;
  return all;
}

/* Registers above all that are ever saved need no value. */
static uint32_t idle_at_entry(uint32_t saved) {
  uint32_t words = 0;
  for (unsigned r = CALL_SURVIVORS_END; r-- > CALL_SURVIVORS && !(saved >> r & 1);) words += r / 2 != CALL_RETURN / 2;
  return words;
}

static void finish_kernel(const struct call_graph *g, struct ptx_diag *d, const struct call_node *n,
                          struct heddle_kernel *k, const struct needs *needs, uint32_t stack) {
  uint64_t bytes = needs->stack;
  if (needs->unbounded && bytes < stack + (uint64_t)n->frame_bytes) bytes = stack + (uint64_t)n->frame_bytes;
  if (n->allocates) bytes += stack;
  bytes = (bytes + g->stack_align - 1) / g->stack_align * g->stack_align;
  if (bytes > HEDDLE_LOCAL_MAX)
    ptx_error(d, n->function->pos, "'%s' and what it calls need %llu bytes of local memory; there are %u",
              n->function->name, (unsigned long long)bytes, HEDDLE_LOCAL_MAX);
  k->local_bytes = (uint32_t)bytes;
  k->entry_pc += idle_at_entry(needs->saved & ~(UINT32_C(3) << CALL_RETURN)) * ISA_WORD_BYTES;
  k->regs = needs->registers > k->regs ? needs->registers : k->regs;
  k->barriers = needs->barriers > k->barriers ? needs->barriers : k->barriers;
}

void call_link(struct call_graph *g, struct ptx_diag *d, struct heddle_program *p, uint32_t stack) {
  struct needs *needs = ptx_alloc(g->arena, ((size_t)g->components + 1) * sizeof *needs);
  for (const struct call_fixup *x = g->fixups; x; x = x->next) {
    fix(p, x);
    if (!note_fixup(p, x)) ptx_no_memory(d, (struct ptx_pos){0, 0});
  }
  for (uint32_t k = 0, n; k < g->nodes; k += n) {
    struct call_node *first = g->order[k];
    for (n = 1; k + n < g->nodes && g->order[k + n]->component == first->component;) n++;
    needs[first->component] = needs_of(&g->order[k], n, needs);
    if (first->function && first->function->entry && first->compiled && first->makes_calls)
      finish_kernel(g, d, first, &p->kernel[first->kernel], &needs[first->component], stack);
  }
}
