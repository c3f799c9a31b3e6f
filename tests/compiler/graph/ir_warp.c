/* SPDX-License-Identifier: Apache-2.0
 *
 * A warp that executes a graph: instructions lane by lane (ir_eval.c), divergence by one of the two units.
 *
 * A PC is an instruction. Phis happen on the edge that is taken. BSYNC parks its lanes; released lanes go on behind it.
 */
#include "ir_warp.h"

#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"

enum { BARRIERS = 17, W = 16, WAITING_MOST = 32 };

struct path {
  uint32_t mask;
  const struct ir_insn *pc;
};

struct barrier {
  uint32_t members, parked;
  const struct ir_insn *park_pc; /* the stack unit's */
};

struct warp {
  struct ir_warp *r;
  uint64_t *value;   /* [lane * values + id] */
  uint64_t *uniform; /* by id: a register of the warp, written by whoever writes a value marked uniform */
  uint64_t random;
  uint32_t active, exited, all;
  const struct ir_insn *pc; /* of the active lanes */
  struct path waiting[WAITING_MOST + 1];
  unsigned depth;
  const struct ir_insn *at[32]; /* the ITS unit's: each lane's own */
  struct barrier b[BARRIERS];
  const char *trap;
};

static uint64_t *slot(struct warp *w, unsigned lane, const struct ir_value *v) {
  return &w->value[(size_t)lane * (w->r->f->values + 1) + v->id];
}

static uint64_t read(struct warp *w, unsigned lane, const struct ir_operand *o) {
  return o->kind == IR_VALUE ? *slot(w, lane, o->value) : o->bits;
}

static unsigned lowest(uint32_t mask) {
  return (unsigned)__builtin_ctz(mask);
}

#define FOR_LANES(lane, mask)                                                                                          \
  for (uint32_t lanes_##lane = (mask), lane = 0; lanes_##lane && (lane = lowest(lanes_##lane), true);                  \
       lanes_##lane &= lanes_##lane - 1)

static void write(struct warp *w, unsigned lane, const struct ir_insn *i, unsigned k, uint64_t x) {
  unsigned bits = ir_eval_bits(i, k);
  uint64_t mask = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
  x &= mask;
  if (bits == 8 || bits == 16)
    x |= splitmix64_mix(w->r->seed + i->dst[k]->id) << bits & 0xffffffff; /* nobody may care */
  *slot(w, lane, i->dst[k]) = x;
}

/* ---- memory ---- */

static uint8_t *place(struct warp *w, unsigned lane, unsigned space, uint64_t at, unsigned bytes) {
  uint8_t *base = w->r->global;
  uint64_t size = WARP_GLOBAL;
  if (space == PTX_GENERIC) {
    space = at >> 56 == 0 ? PTX_GLOBAL : at >> 56 == 1 ? PTX_SHARED : PTX_LOCAL;
    if (space != PTX_GLOBAL) at &= (UINT64_C(1) << 56) - 1;
  } else if (space != PTX_GLOBAL) {
    at &= 0xffffffff;
  }
  if (space == PTX_SHARED) base = w->r->shared, size = WARP_SHARED;
  if (space == PTX_LOCAL) base = w->r->local[lane], size = WARP_LOCAL;
  if (space == PTX_CONST || space == PTX_PARAM) base = w->r->param, size = WARP_PARAM;
  if (at % bytes || at >= size || bytes > size - at) {
    w->trap = at % bytes ? "misaligned" : "out_of_range";
    return NULL;
  }
  return base + at;
}

static uint64_t load_bytes(const uint8_t *p, unsigned type) {
  unsigned bytes = ptx_type_bytes((enum ptx_type)type);
  uint64_t x = 0;
  memcpy(&x, p, bytes);
  if (type == PTX_S8) return (uint64_t)(int64_t)(int8_t)x & UINT32_MAX;
  if (type == PTX_S16) return (uint64_t)(int64_t)(int16_t)x & UINT32_MAX;
  return x;
}

static void load_store(struct warp *w, unsigned lane, const struct ir_insn *i) {
  unsigned bytes = ptx_type_bytes((enum ptx_type)i->type), n = i->memory.vector ? i->memory.vector : 1;
  uint8_t *p = place(w, lane, i->memory.space, read(w, lane, &i->src[0]) + (uint64_t)i->memory.offset, bytes * n);
  for (unsigned k = 0; p && k < n; k++) {
    if (i->op == IR_LD) {
      write(w, lane, i, k, load_bytes(p + k * bytes, i->type));
      continue;
    }
    uint64_t x = read(w, lane, &i->src[k + 1]);
    memcpy(p + k * bytes, &x, bytes);
  }
}

/* Of 32 bits. */
static void atomic(struct warp *w, unsigned lane, const struct ir_insn *i) {
  uint8_t *p = place(w, lane, i->memory.space, read(w, lane, &i->src[0]) + (uint64_t)i->memory.offset, 4);
  uint32_t old, b = (uint32_t)read(w, lane, &i->src[1]), x;
  if (!p) return;
  memcpy(&old, p, 4);
  x = old;
  if (i->memory.atom == IR_A_ADD)
    x += b;
  else if (i->memory.atom == IR_A_XOR)
    x ^= b;
  else if (i->memory.atom == IR_A_OR)
    x |= b;
  else if (i->memory.atom == IR_A_AND)
    x &= b;
  else if (i->memory.atom == IR_A_EXCH)
    x = b;
  else if (i->memory.atom == IR_A_CAS)
    x = old == b ? (uint32_t)read(w, lane, &i->src[2]) : old;
  else
    w->trap = "an atomic that the interpreter does not know";
  memcpy(p, &x, 4);
  if (i->dsts) write(w, lane, i, 0, old);
}

/* ---- lanes and warps ---- */

static uint64_t special(const struct warp *w, unsigned lane, unsigned sreg) {
  switch (sreg) {
  case IR_TID_X:
  case IR_LANEID:
    return lane;
  case IR_NTID_X:
    return 32;
  case IR_CTAID_X:
    return 5;
  case IR_NCTAID_X:
    return 9;
  case IR_LANEMASK_EQ:
    return UINT64_C(1) << lane;
  case IR_LANEMASK_LT:
    return (UINT64_C(1) << lane) - 1;
  case IR_CLOCK:
    return w->r->steps;
  default:
    return sreg >= IR_NTID_Y && sreg <= IR_NTID_Z ? 1 : 0;
  }
}

static uint32_t votes(struct warp *w, const struct ir_operand *o, uint32_t exec) {
  uint32_t v = 0;
  FOR_LANES(lane, exec) v |= (uint32_t)(read(w, lane, o) & 1) << lane;
  return v;
}

static void shuffle(struct warp *w, const struct ir_insn *i, uint32_t exec) {
  uint64_t result[32];
  bool in_range[32];
  FOR_LANES(lane, exec) {
    uint32_t b = read(w, lane, &i->src[1]) & 31, c = (uint32_t)read(w, lane, &i->src[2]), clamp = c & 31,
             seg = c >> 8 & 31;
    uint32_t low = lane & seg, high = low | (clamp & ~seg), j = lane;
    bool p;
    if (i->lanes.mode == IR_SHFL_UP)
      j = lane - b, p = (int32_t)j >= (int32_t)high;
    else if (i->lanes.mode == IR_SHFL_DOWN)
      j = lane + b, p = (int32_t)j <= (int32_t)high;
    else if (i->lanes.mode == IR_SHFL_BFLY)
      j = lane ^ b, p = (int32_t)j <= (int32_t)high;
    else
      j = low | (b & ~seg), p = (int32_t)j <= (int32_t)high;
    if (!p) j = lane;
    if (!(exec >> (j & 31) & 1)) j = lane, p = false;
    result[lane] = read(w, j & 31, &i->src[0]);
    in_range[lane] = p;
  }
  FOR_LANES(lane, exec) {
    write(w, lane, i, 0, result[lane]);
    if (i->dsts > 1) write(w, lane, i, 1, in_range[lane]);
  }
}

static void vote(struct warp *w, const struct ir_insn *i, uint32_t exec) {
  uint32_t v = votes(w, &i->src[0], exec);
  uint64_t x = i->lanes.mode == IR_VOTE_ALL   ? v == exec
               : i->lanes.mode == IR_VOTE_ANY ? v != 0
               : i->lanes.mode == IR_VOTE_UNI ? v == 0 || v == exec
                                              : v;
  FOR_LANES(lane, exec) write(w, lane, i, 0, x);
}

static void reduce(struct warp *w, const struct ir_insn *i, uint32_t exec) {
  uint32_t x = 0;
  FOR_LANES(lane, exec) x += (uint32_t)read(w, lane, &i->src[0]);
  if (i->lanes.mode != IR_REDUX_ADD) w->trap = "a reduction that the interpreter does not know";
  FOR_LANES(lane, exec) write(w, lane, i, 0, x);
}

static void barrier(struct warp *w, const struct ir_insn *i, uint32_t exec) {
  if (exec != (w->all & ~w->exited)) {
    w->trap = "barrier_misuse";
    return;
  }
  w->r->barriers++;
  uint32_t v = i->sources > 2 ? votes(w, &i->src[2], exec) : 0;
  uint64_t x = i->lanes.mode == IR_BAR_RED_POPC  ? (unsigned)__builtin_popcount(v)
               : i->lanes.mode == IR_BAR_RED_AND ? v == exec
                                                 : v != 0;
  FOR_LANES(lane, exec) if (i->dsts) write(w, lane, i, 0, x);
}

/* ---- ordinary instructions ---- */

static void one_lane(struct warp *w, unsigned lane, const struct ir_insn *i) {
  uint64_t s[IR_SRC_MAX] = {0}, d[IR_DST_MAX] = {0};
  switch (i->op) {
  case IR_LD:
  case IR_ST:
    load_store(w, lane, i);
    return;
  case IR_ATOM:
  case IR_RED:
    atomic(w, lane, i);
    return;
  case IR_SREG:
    d[0] = special(w, lane, i->sreg);
    break;
  case IR_PARAM:
    d[0] = load_bytes(w->r->param + i->place.at, i->type);
    break;
  case IR_UNDEF:
    d[0] = splitmix64_mix(w->r->seed ^ i->dst[0]->id ^ (uint64_t)lane << 32);
    break;
  case IR_FENCE:
  case IR_PREFETCH:
  case IR_NANOSLEEP:
    return;
  default:
    for (unsigned k = 0; k < i->sources; k++) s[k] = read(w, lane, &i->src[k]);
    if (!ir_eval(i, s, d)) w->trap = ir_op_name((enum ir_op)i->op);
    break;
  }
  for (unsigned k = 0; k < i->dsts; k++) write(w, lane, i, k, d[k]);
}

/* A value that is marked uniform could live in a register of the warp: writes go there too, reads must find the same.
 */
static void write_uniform(struct warp *w, const struct ir_insn *i, uint32_t mask) {
  for (unsigned k = 0; k < i->dsts; k++) {
    if (!i->dst[k]->uniform || !mask) continue;
    uint64_t first = w->uniform[i->dst[k]->id] = *slot(w, lowest(mask), i->dst[k]);
    FOR_LANES(lane, mask) if (*slot(w, lane, i->dst[k]) != first) w->trap = "not uniform";
  }
}

static void read_uniform(struct warp *w, const struct ir_value *v, uint32_t mask) {
  if (w->r->check_uniform < 2 || !v || !v->uniform) return;
  FOR_LANES(lane, mask) if (*slot(w, lane, v) != w->uniform[v->id]) w->trap = "not uniform when it is read";
}

static void read_uniforms(struct warp *w, const struct ir_insn *i, uint32_t mask) {
  read_uniform(w, i->guard, mask);
  for (unsigned k = 0; k < i->sources && i->op != IR_PHI; k++)
    if (i->src[k].kind == IR_VALUE) read_uniform(w, i->src[k].value, mask);
  for (unsigned k = 0; i->guard && k < i->dsts; k++)
    if (i->old[k].kind == IR_VALUE) read_uniform(w, i->old[k].value, mask);
}

static void ordinary(struct warp *w, const struct ir_insn *i, uint32_t exec, uint32_t group) {
  FOR_LANES(lane, group & ~exec)
  for (unsigned k = 0; k < i->dsts; k++)
    if (i->old[k].kind != IR_NONE) *slot(w, lane, i->dst[k]) = read(w, lane, &i->old[k]);
  if (!exec && w->r->check_uniform) write_uniform(w, i, group);
  if (!exec) return;
  switch (i->op) {
  case IR_SHFL:
    shuffle(w, i, exec);
    break;
  case IR_VOTE:
    vote(w, i, exec);
    break;
  case IR_REDUX:
    reduce(w, i, exec);
    break;
  case IR_BAR:
    barrier(w, i, exec);
    break;
  case IR_ACTIVEMASK:
    w->r->least_mask &= exec | ~w->all | w->exited;
    FOR_LANES(lane, exec) write(w, lane, i, 0, exec);
    break;
  default:
    FOR_LANES(lane, exec) one_lane(w, lane, i);
    break;
  }
  if (w->r->check_uniform && !w->trap) write_uniform(w, i, group);
}

/* ---- control ---- */

static const struct ir_insn *body(const struct ir_block *b) {
  const struct ir_insn *i = b->first;
  while (i->op == IR_PHI) i = i->next;
  return i;
}

/* The phis of b for lanes that come from `from`. */
static void enter(struct warp *w, const struct ir_block *from, const struct ir_block *b, uint32_t lanes) {
  uint64_t fresh[256];
  unsigned p = 0, n = 0;
  if (b->first->op != IR_PHI) return;
  while (b->pred[p] != from) p++;
  for (const struct ir_insn *i = b->first; i->op == IR_PHI; i = i->next)
    if (i->many[p].kind == IR_VALUE) read_uniform(w, i->many[p].value, lanes);
  FOR_LANES(lane, lanes) {
    n = 0;
    for (const struct ir_insn *i = b->first; i->op == IR_PHI && n < 256; i = i->next)
      fresh[n++] = read(w, lane, &i->many[p]);
    n = 0;
    for (const struct ir_insn *i = b->first; i->op == IR_PHI; i = i->next) {
      if (n == 256)
        w->trap = "too many phis";
      else
        *slot(w, lane, i->dst[0]) = fresh[n++];
    }
  }
  for (const struct ir_insn *i = b->first; w->r->check_uniform && i->op == IR_PHI && !w->trap; i = i->next)
    write_uniform(w, i, lanes);
}

static void push(struct warp *w, uint32_t mask, const struct ir_insn *pc) {
  if (!mask) return;
  if (w->depth > WAITING_MOST)
    w->trap = "more than 31 waiting paths";
  else
    w->waiting[w->depth++] = (struct path){mask, pc};
}

static void move(struct warp *w, uint32_t lanes, const struct ir_insn *pc) {
  FOR_LANES(lane, lanes) w->at[lane] = pc;
}

static void release(struct warp *w, struct barrier *b) {
  uint32_t go = b->parked & b->members;
  if (!go || (b->members & ~w->exited & ~b->parked)) return;
  if (w->r->unit == WARP_STACK)
    push(w, go, b->park_pc->next);
  else
    FOR_LANES(lane, go) w->at[lane] = w->at[lane]->next;
  b->parked &= ~go;
  b->members &= ~go;
}

static void park(struct warp *w, struct barrier *b, const struct ir_insn *i, uint32_t exec) {
  bool other = w->r->unit == WARP_STACK && b->parked && b->park_pc != i;
  if ((exec & ~b->members) || other) {
    w->trap = "divergence_misuse";
    return;
  }
  b->parked |= exec;
  b->park_pc = i;
  w->active &= ~exec;
  release(w, b);
}

static uint32_t parked(const struct warp *w) {
  uint32_t p = 0;
  for (unsigned k = 0; k < BARRIERS; k++) p |= w->b[k].parked;
  return p;
}

/* ITS: parked lanes go when every member is parked, has exited or is here. */
static void yield(struct warp *w, uint32_t exec) {
  if (w->r->unit != WARP_ITS || !exec) return;
  for (unsigned k = 0; k < BARRIERS; k++) {
    struct barrier *b = &w->b[k];
    if (!b->parked || (b->members & ~w->exited & ~b->parked & ~exec)) continue;
    FOR_LANES(lane, b->parked) w->at[lane] = w->at[lane]->next;
    b->members &= ~b->parked;
    b->parked = 0;
  }
}

static void go_on(struct warp *w, uint32_t lanes, const struct ir_insn *pc) {
  if (!lanes) return;
  if (w->r->unit == WARP_STACK)
    w->pc = pc;
  else
    move(w, lanes, pc);
}

/* Lanes that leave for one place, others for another; which side is "taken" the seed says. */
static void branch(struct warp *w, const struct ir_insn *i, uint32_t to_first) {
  const struct ir_block *s[2] = {i->block->succ[0], i->block->succ[1]};
  uint32_t lanes[2] = {w->active & to_first, w->active & ~to_first};
  for (unsigned k = 0; k < 2; k++)
    if (lanes[k]) enter(w, i->block, s[k], lanes[k]);
  unsigned taken = splitmix64_mix(w->r->seed + i->block->id) & 1;
  if (w->r->unit == WARP_ITS) {
    for (unsigned k = 0; k < 2; k++) move(w, lanes[k], body(s[k]));
  } else if (!lanes[taken]) {
    w->pc = body(s[!taken]);
  } else {
    push(w, lanes[!taken], body(s[!taken]));
    w->active = lanes[taken];
    w->pc = body(s[taken]);
  }
}

static void branch_indexed(struct warp *w, const struct ir_insn *i) {
  uint32_t same = 0, lanes = w->active;
  FOR_LANES(lane, lanes) if (read(w, lane, &i->src[0]) >= i->block->succs) w->trap = "a branch index out of range";
  if (w->trap) return;
  const struct ir_block *to = i->block->succ[read(w, lowest(lanes), &i->src[0])];
  FOR_LANES(lane, lanes) if (i->block->succ[read(w, lane, &i->src[0])] == to) same |= UINT32_C(1) << lane;
  enter(w, i->block, to, same);
  if (w->r->unit == WARP_STACK) push(w, lanes & ~same, i);
  if (w->r->unit == WARP_STACK) w->active = same;
  go_on(w, same, body(to));
}

static void leave(struct warp *w, const struct ir_insn *i, uint32_t exec) {
  uint32_t rest = w->active & ~exec;
  w->exited |= exec;
  w->active = rest;
  if (rest) {
    enter(w, i->block, i->block->succ[0], rest);
    go_on(w, rest, body(i->block->succ[0]));
  }
  for (unsigned k = 0; exec && k < BARRIERS; k++) release(w, &w->b[k]);
}

static uint32_t executing(struct warp *w, const struct ir_insn *i) {
  if (!i->guard) return w->active;
  uint32_t exec = 0;
  FOR_LANES(lane, w->active) exec |= (uint32_t)((*slot(w, lane, i->guard) & 1) != i->guard_invert) << lane;
  return exec;
}

static void sync_on(struct warp *w, unsigned k, const struct ir_insn *i, uint32_t exec) {
  uint32_t rest = w->active & ~exec;
  if (rest) go_on(w, rest, i->next);
  if (exec) park(w, &w->b[k], i, exec);
}

static void step(struct warp *w, const struct ir_insn *i) {
  uint32_t exec = executing(w, i);
  read_uniforms(w, i, w->active);
  if (w->r->check_uniform && !i->next && i->op != IR_BRX && i->block->together && w->active != (w->all & ~w->exited))
    w->trap = "not together";
  switch (i->op) {
  case IR_BR:
    enter(w, i->block, i->block->succ[0], w->active);
    go_on(w, w->active, body(i->block->succ[0]));
    break;
  case IR_CBR: {
    uint32_t first = votes(w, &i->src[0], w->active);
    branch(w, i, i->invert ? ~first : first);
    break;
  }
  case IR_BRX:
    branch_indexed(w, i);
    break;
  case IR_EXIT:
  case IR_TRAP:
    leave(w, i, exec);
    break;
  case IR_BSSY:
    w->b[i->converging.barrier].members |= exec;
    go_on(w, w->active, i->next);
    break;
  case IR_BREAK:
    w->b[i->converging.barrier].members &= ~exec;
    go_on(w, w->active, i->next);
    release(w, &w->b[i->converging.barrier]);
    break;
  case IR_BSYNC:
    sync_on(w, (unsigned)i->converging.barrier, i, exec);
    break;
  case IR_WARPSYNC: {
    uint32_t m = exec ? (uint32_t)read(w, lowest(exec), &i->src[0]) : 0;
    if (w->b[W].parked && w->b[W].members != m) w->trap = "divergence_misuse";
    if (exec && !w->b[W].parked) w->b[W].members = m;
    sync_on(w, W, i, exec);
    break;
  }
  case IR_YIELD:
    go_on(w, w->active, i->next);
    yield(w, exec);
    break;
  default:
    ordinary(w, i, exec, w->active);
    go_on(w, w->active, i->next);
    break;
  }
}

/* Stack: when no lane is active, the top waiting path is. ITS: any group. False: the warp has ended, or trap. */
static bool choose(struct warp *w) {
  uint32_t live = w->all & ~w->exited;
  if (!live || w->trap) return false;
  if (w->r->unit == WARP_STACK) {
    if (w->active) return true;
    if (!w->depth)
      w->trap = "deadlock";
    else
      w->active = w->waiting[--w->depth].mask, w->pc = w->waiting[w->depth].pc;
    return !w->trap;
  }
  uint32_t runnable = live & ~parked(w);
  if (!runnable) return w->trap = "deadlock", false;
  unsigned pick = lowest(runnable);
  for (uint64_t n = splitmix64(&w->random) % (unsigned)__builtin_popcount(runnable), m = runnable; n; n--)
    m &= m - 1, pick = lowest((uint32_t)m);
  w->pc = w->at[pick];
  w->active = 0;
  FOR_LANES(lane, runnable) if (w->at[lane] == w->pc) w->active |= UINT32_C(1) << lane;
  return true;
}

const char *ir_warp_run(struct ir_warp *r) {
  struct warp *w = calloc(1, sizeof *w);
  w->r = r;
  w->value = calloc((size_t)32 * (r->f->values + 1), sizeof *w->value);
  w->uniform = calloc(r->f->values + 1, sizeof *w->uniform);
  w->random = r->seed;
  w->all = w->active = r->lanes;
  w->pc = r->f->first->first;
  move(w, r->lanes, w->pc);
  r->steps = r->barriers = 0;
  r->least_mask = ~UINT32_C(0);
  while (choose(w)) {
    if (r->steps++ >= r->steps_most)
      w->trap = "steps";
    else
      step(w, r->where = w->pc);
  }
  const char *trap = w->trap;
  free(w->value);
  free(w->uniform);
  free(w);
  return trap;
}
