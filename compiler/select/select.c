/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction selection: the walk over a kernel.
 */
#include "select.h"

typedef void selector(struct select *s);

/* ADD and its kin are of integers or of floats. */
static void dispatch_sum(struct select *s) {
  if (sel_is_float(s->insn->type))
    select_float(s);
  else
    select_add(s);
}

static void dispatch_product(struct select *s) {
  if (sel_is_float(s->insn->type))
    select_float(s);
  else
    select_mul(s);
}

static void quotient(struct select *s) {
  if (sel_is_float(s->insn->type))
    select_special(s);
  else
    select_divide(s);
}

static void absolute(struct select *s) {
  if (sel_is_float(s->insn->type))
    select_float(s);
  else
    select_abs(s);
}

static void dispatch_minmax(struct select *s) {
  if (sel_is_float(s->insn->type))
    select_float(s);
  else
    select_minmax(s);
}

static selector *const selectors[IR_OPS] = {
    [IR_COPY] = select_copy,
    [IR_UNDEF] = select_undef,
    [IR_ADDRESS] = select_address,
    [IR_GENERIC] = select_generic,
    [IR_ISSPACEP] = select_isspacep,
    [IR_SREG] = select_sreg,
    [IR_PARAM] = select_param,
    [IR_ARGUMENT] = select_argument,
    [IR_CODE] = select_code,
    [IR_PACK] = select_pack,
    [IR_UNPACK] = select_unpack,
    [IR_ADD] = dispatch_sum,
    [IR_SUB] = dispatch_sum,
    [IR_NEG] = dispatch_sum,
    [IR_MUL] = dispatch_product,
    [IR_MAD] = dispatch_product,
    [IR_FMA] = select_float,
    [IR_MULHI] = select_mulhi,
    [IR_MADHI] = select_mulhi,
    [IR_MULWIDE] = select_mulwide,
    [IR_MADWIDE] = select_mulwide,
    [IR_DIV] = quotient,
    [IR_REM] = select_divide,
    [IR_SAD] = select_sad,
    [IR_ABS] = absolute,
    [IR_MIN] = dispatch_minmax,
    [IR_MAX] = dispatch_minmax,
    [IR_SQRT] = select_special,
    [IR_RCP] = select_special,
    [IR_RSQRT] = select_special,
    [IR_EX2] = select_special,
    [IR_LG2] = select_special,
    [IR_SIN] = select_special,
    [IR_COS] = select_special,
    [IR_TANH] = select_special,
    [IR_COPYSIGN] = select_float,
    [IR_TESTP] = select_testp,
    [IR_ADDC] = select_carry,
    [IR_SUBC] = select_carry,
    [IR_MADC] = select_carry,
    [IR_AND] = select_logic,
    [IR_OR] = select_logic,
    [IR_XOR] = select_logic,
    [IR_NOT] = select_logic,
    [IR_LOP3] = select_logic,
    [IR_SHL] = select_shift,
    [IR_SHR] = select_shift,
    [IR_SHF] = select_funnel,
    [IR_BFE] = select_bfe,
    [IR_BFI] = select_bfi,
    [IR_BFIND] = select_bfind,
    [IR_POPC] = select_count,
    [IR_CLZ] = select_count,
    [IR_BREV] = select_count,
    [IR_PRMT] = select_bytes,
    [IR_DP4A] = select_bytes,
    [IR_SETP] = select_setp,
    [IR_SELP] = select_selp,
    [IR_CVT] = select_cvt,
    [IR_LD] = select_ld,
    [IR_ST] = select_st,
    [IR_ATOM] = select_atom,
    [IR_RED] = select_atom,
    [IR_FENCE] = select_fence,
    [IR_PREFETCH] = select_prefetch,
    [IR_ASYNC_COPY] = select_async_copy,
    [IR_ASYNC_CLOSE] = select_async_close,
    [IR_ASYNC_WAIT] = select_async_wait,
    [IR_SHFL] = select_warp,
    [IR_VOTE] = select_warp,
    [IR_MATCH] = select_warp,
    [IR_REDUX] = select_warp,
    [IR_ACTIVEMASK] = select_warp,
    [IR_MMA] = select_mma,
    [IR_LDSM] = select_ldsm,
    [IR_WARPSYNC] = select_warp,
    [IR_BAR] = select_bar,
    [IR_NANOSLEEP] = select_nanosleep,
    [IR_CALL] = select_call,
    [IR_RET] = select_ret,
    [IR_BR] = select_control,
    [IR_CBR] = select_control,
    [IR_BRX] = select_control,
    [IR_EXIT] = select_control,
    [IR_TRAP] = select_control,
    [IR_BSSY] = select_control,
    [IR_BSYNC] = select_control,
    [IR_BREAK] = select_control,
    [IR_YIELD] = select_control,
};

/* 8 and 16 bits appear in memory operations and conversions only (ir.h). */
static bool is_narrow(const struct ir_insn *i) {
  if (i->op == IR_LD || i->op == IR_ST || i->op == IR_PARAM || i->op == IR_CVT || i->op == IR_UNPACK ||
      i->op == IR_COPY)
    return false;
  unsigned bytes = ptx_type_bytes((enum ptx_type)i->type);
  return (bytes == 1 || bytes == 2) && i->type != PTX_F16;
}

static void note_writes(struct select *s) {
  struct ir_insn *i = s->insn;
  for (unsigned k = 0; k < i->dsts; k++) {
    struct sel_value *v = sel_value(s, i->dst[k]);
    v->written = s->number;
    v->latest = i;
  }
}

/* An instruction that writes its own guard may take several to do so. */
static bool overwrites_guard(const struct ir_insn *i) {
  for (unsigned k = 0; k < i->dsts; k++)
    if (i->dst[k] == i->guard) return true;
  return false;
}

static void set_guard(struct select *s) {
  const struct ir_insn *i = s->insn;
  s->m.guard = mir_none();
  if (!i->guard) return;
  struct mir_operand p = sel_predicate(s, ir_use(i->guard));
  if (overwrites_guard(i)) {
    struct mir_operand own = sel_new_predicate(s);
    sel_plop3(s, own, p, mir_none(), mir_none(), 0xf0);
    p = own;
  }
  if (i->guard_invert) p = mir_not(p);
  if (p.kind != MIR_ZERO || p.neg) s->m.guard = p;
}

/* What is written under a guard and read elsewhere has some value everywhere. */
static void fill_exposed(struct select *s) {
  const struct mir_operand guard = s->m.guard;
  s->m.guard = mir_none();
  for (unsigned k = 0; k < s->insn->dsts; k++) {
    if (!sel_value(s, s->insn->dst[k])->exposed) continue;
    struct mir_operand d = sel_dst(s, k);
    if (d.class == MIR_P)
      sel_plop3(s, d, mir_none(), mir_none(), mir_none(), 0);
    else
      sel_mov(s, d, mir_zero());
  }
  s->m.guard = guard;
}

/* Nobody wants what it makes, and it does nothing else. */
static bool is_dead(struct select *s, const struct ir_insn *i) {
  if (i->dsts == 0 || ir_has_effect(i)) return false;
  for (unsigned k = 0; k < i->dsts; k++) {
    const struct sel_value *v = sel_value(s, i->dst[k]);
    if (v->uses > 0 && (i->dst[k]->class != IR_64 || (v->wants & SEL_BOTH))) return false;
  }
  return true;
}

static void select_instruction(struct select *s, struct ir_insn *i) {
  if (is_dead(s, i)) return;
  s->insn = i;
  s->number++;
  s->m.pos = i->pos;
  set_guard(s);
  sel_together(s);
  if (i->guard) fill_exposed(s);
  selector *f = i->op < IR_OPS && !is_narrow(i) ? selectors[i->op] : NULL;
  if (f)
    f(s);
  else
    sel_refuse(s, "is not supported");
  note_writes(s);
}

static void make_blocks(struct select *s) {
  struct mir_block *last = NULL;
  s->block = ptx_alloc(s->ir->arena, (s->ir->blocks + 1) * sizeof(struct mir_block *));
  for (struct ir_block *b = s->ir->first; b; b = b->next) {
    struct mir_block *m = mir_block_new(s->m.f);
    m->loop_depth = b->loop_depth;
    b->mark = 0;
    s->block[b->id] = m;
    if (last)
      mir_block_place(last, m);
    else
      s->m.f->first = m;
    last = m;
  }
}

static struct mir_function *make_function(const struct ir_function *f) {
  struct mir_function *m = ptx_alloc(f->arena, sizeof *m);
  m->name = f->name;
  m->arena = f->arena;
  m->diag = f->diag;
  m->whole_machine = f->whole_machine;
  m->units = f->units;
  m->fp64_latency = f->fp64_latency;
  m->local_bytes = f->local_bytes;
  m->shared_bytes = f->shared_bytes;
  m->barriers = f->barriers;
  m->param_bytes = f->param_bytes;
  if (f->framed) m->frame = mir_frame_new(m, f);
  return m;
}

struct mir_function *mir_select(struct ir_function *f) {
  const unsigned errors = ptx_errors(f->diag);
  struct select s = {.ir = f, .m = {.f = make_function(f)}};
  s.value = ptx_alloc(f->arena, (f->values + 1) * sizeof *s.value);
  sel_single(&s);
  sel_demand(&s);
  sel_find_factors(&s);
  sel_find_open(&s);
  make_blocks(&s);
  for (struct ir_block *b = f->first; b; b = b->next) {
    s.at = b;
    s.m.b = s.block[b->id];
    for (struct ir_insn *i = b->first; i; i = i->next) select_instruction(&s, i);
  }
  return ptx_errors(f->diag) == errors ? s.m.f : NULL;
}
