/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known when everything has been compiled: where functions begin, how many registers and how much stack a
 * kernel needs with all that it may come to call.
 */
#include <string.h>

#include "compiler/calls/call.h"
#include <heddle/isa_tables.h>
#include <heddle/program.h>

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
  return heddle_program_note(p, n);
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

/* Registers above all that are ever saved need no value (call_frame.c). */
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
    if (!note_fixup(p, x)) ptx_fatal(d, (struct ptx_pos){0, 0}, "out of memory");
  }
  for (uint32_t k = 0, n; k < g->nodes; k += n) {
    struct call_node *first = g->order[k];
    for (n = 1; k + n < g->nodes && g->order[k + n]->component == first->component;) n++;
    needs[first->component] = needs_of(&g->order[k], n, needs);
    if (first->function && first->function->entry && first->compiled && first->makes_calls)
      finish_kernel(g, d, first, &p->kernel[first->kernel], &needs[first->component], stack);
  }
}
