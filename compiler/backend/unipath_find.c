/* SPDX-License-Identifier: Apache-2.0
 *
 * Which virtual registers could live on the uniform datapath.
 */
#include "compiler/backend/unipath.h"

/* Where the threads of a warp that have not ended are together, by the rules of select_demand.c, over machine
 * instructions: no convergence barrier is open, and since no branch parted them outside of one. Here the branches and
 * barriers of expansions count too. */

#define LOST (UINT32_C(1) << 16)

static uint32_t open_behind(const struct mir_insn *i, uint32_t open) {
  const bool guarded = i->guard.kind != MIR_NONE;
  switch (i->op) {
  case ISA_OP_BSSY:
    return guarded ? LOST : open | UINT32_C(1) << (i->breg & 15);
  case ISA_OP_BSYNC:
    return guarded ? LOST : open & ~(UINT32_C(1) << (i->breg & 15));
  case ISA_OP_BREAK:
  case ISA_OP_YIELD:
    return open | LOST;
  default:
    return open;
  }
}

static bool only_ends(const struct mir_block *b) {
  return b->first && b->first->op == ISA_OP_EXIT && b->first->guard.kind == MIR_NONE;
}

/* A branch that only leads some to their end leaves the others together. */
static bool parts_warp(const struct mir_block *b) {
  bool guarded = false;
  unsigned ways = 0;
  for (const struct mir_insn *i = b->first; i; i = i->next) {
    if (i->uniform) continue;
    if (i->op == ISA_OP_BRX) return true;
    guarded = guarded || (i->op == ISA_OP_BRA && i->guard.kind != MIR_NONE);
  }
  for (unsigned k = 0; k < b->succs; k++) ways += !only_ends(b->succ[k]);
  return guarded && ways > 1;
}

static uint32_t through(const struct mir_block *b, uint32_t open) {
  for (const struct mir_insn *i = b->first; i; i = i->next) open = open_behind(i, open);
  return open == 0 && parts_warp(b) ? LOST : open;
}

static void mark_block(struct unipath *u, const struct mir_block *b, uint32_t open) {
  for (const struct mir_insn *i = b->first; i; i = i->next) {
    open = open_behind(i, open);
    u->site[i->mark].together = open == 0;
  }
}

void unipath_together(struct unipath *u) {
  const struct mir_function *f = u->f;
  const struct mir_block **queue = live_alloc(f, (f->blocks + 1) * sizeof(struct mir_block *));
  bool *queued = live_alloc(f, f->blocks + 1), *reached = live_alloc(f, f->blocks + 1);
  uint32_t *open = live_alloc(f, (f->blocks + 1) * sizeof *open), count = 0;
  queue[count++] = f->first; /* not all at once: in front of its BSSY a branch would seem to stand outside of it */
  while (count) {
    const struct mir_block *b = queue[--count];
    const uint32_t out = through(b, open[b->id]);
    queued[b->id] = false;
    reached[b->id] = true;
    for (unsigned k = 0; k < b->succs; k++) {
      const struct mir_block *to = b->succ[k];
      if (reached[to->id] && (open[to->id] | out) == open[to->id]) continue;
      open[to->id] |= out;
      if (queued[to->id]) continue;
      queued[to->id] = true;
      queue[count++] = to;
    }
  }
  for (const struct mir_block *b = f->first; b; b = b->next) mark_block(u, b, reached[b->id] ? open[b->id] : LOST);
}

/* What the uniform datapath can do, and how ordinary instructions read its registers: one operand, in one or two
 * places. Which encodings there are is asked of the ISA tables. */

static const struct {
  uint16_t op, uniform;
} forms[] = {{ISA_OP_MOV, ISA_OP_UMOV},
             {ISA_OP_SEL, ISA_OP_USEL},
             {ISA_OP_S2R, ISA_OP_S2UR},
             {ISA_OP_LDC, ISA_OP_ULDC},
             {ISA_OP_IADD3, ISA_OP_UIADD3},
             {ISA_OP_IADD3_X, ISA_OP_UIADD3_X},
             {ISA_OP_IMAD, ISA_OP_UIMAD},
             {ISA_OP_IMAD_WIDE, ISA_OP_UIMAD_WIDE},
             {ISA_OP_IMAD_HI, ISA_OP_UIMAD_HI},
             {ISA_OP_LOP3_LUT, ISA_OP_ULOP3_LUT},
             {ISA_OP_SHF, ISA_OP_USHF},
             {ISA_OP_LEA, ISA_OP_ULEA},
             {ISA_OP_LEA_HI, ISA_OP_ULEA_HI},
             {ISA_OP_LEA_HI_X, ISA_OP_ULEA_HI_X},
             {ISA_OP_IMNMX, ISA_OP_UIMNMX},
             {ISA_OP_IABS, ISA_OP_UIABS},
             {ISA_OP_PRMT, ISA_OP_UPRMT},
             {ISA_OP_SGXT, ISA_OP_USGXT},
             {ISA_OP_BMSK, ISA_OP_UBMSK},
             {ISA_OP_POPC, ISA_OP_UPOPC},
             {ISA_OP_FLO, ISA_OP_UFLO},
             {ISA_OP_BREV, ISA_OP_UBREV},
             {ISA_OP_ISETP, ISA_OP_UISETP},
             {ISA_OP_ISETP_EX, ISA_OP_UISETP_EX},
             {ISA_OP_PLOP3_LUT, ISA_OP_UPLOP3_LUT},
             {ISA_OP_VOTE, ISA_OP_VOTEU}};

static bool uniform_op(uint16_t op, uint16_t *to) {
  for (unsigned k = 0; k < sizeof forms / sizeof *forms; k++)
    if (forms[k].op == op) {
      *to = forms[k].uniform;
      return true;
    }
  return false;
}

static struct mir_operand uniform_operand(struct mir_operand x) {
  if (x.kind == MIR_CONST) {
    x.kind = MIR_REG;
    x.class = MIR_UR;
    x.reg = 0;
    x.sub = 0;
  } else if (x.kind == MIR_REG) {
    x.class = x.class == MIR_R ? MIR_UR : x.class == MIR_P ? MIR_UP : x.class;
  }
  return x;
}

/* A MOV of a word of the constant bank is a load there. */
static void make_load(struct mir_insn *m) {
  const struct mir_operand c = m->src[1];
  m->op = ISA_OP_ULDC;
  m->src[0] = mir_zero();
  m->src[1] = mir_none();
  mir_set(m, ISA_F_CBANK, c.bank);
  mir_set(m, ISA_F_COFF16, c.offset);
  mir_set(m, ISA_F_USIZE, ISA_USIZE_32);
}

/* ULDC's offset has a sign, and pairs are aligned. */
static bool is_in_reach(const struct mir_operand *x) {
  return x->kind != MIR_CONST || (heddle_isa_field_fits(ISA_F_COFF16, x->offset) && x->offset % (4u * x->words) == 0);
}

static bool is_load(const struct mir_insn *i) {
  return i->op == ISA_OP_MOV && i->src[1].kind == MIR_CONST;
}

/* Fields of which the uniform datapath has its own. */
static void rename_fields(struct mir_insn *m) {
  for (unsigned k = 0; k < m->fields; k++) {
    if (m->field[k].field == ISA_F_SREG) m->field[k].field = ISA_F_USREG;
    if (m->field[k].field == ISA_F_SIZE) m->field[k].field = ISA_F_USIZE;
  }
}

static bool fields_fit(const struct mir_insn *m, enum heddle_isa_enc e) {
  for (unsigned k = 0; k < m->fields; k++) {
    const enum heddle_isa_field f = (enum heddle_isa_field)m->field[k].field;
    if (!heddle_isa_enc_owns(e, f)) return false;
    if (heddle_isa_field_info(f)->kind == ISA_K_SET && !heddle_isa_field_legal(f, m->field[k].value)) return false;
  }
  return true;
}

static bool predicates_fit(const struct mir_insn *m, const struct heddle_isa_encoding *enc) {
  for (unsigned k = 0; k < 2; k++)
    if (m->pd[k].kind == MIR_REG && enc->pd[k] == ISA_FIELD_NONE) return false;
  for (unsigned k = 0; k < 3; k++)
    if (m->ps[k].kind != MIR_NONE && enc->ps[k] == ISA_FIELD_NONE) return false;
  return true;
}

static bool widths_fit(const struct mir_insn *m) {
  if (m->rd.kind == MIR_REG && m->rd.words != mir_words(m, 3)) return false;
  for (unsigned k = 0; k < 3; k++)
    if (m->src[k].kind == MIR_REG && m->src[k].words != mir_words(m, k)) return false;
  return true;
}

static bool well_formed(const struct mir_insn *m) {
  const int e = mir_encoding(m);
  return e >= 0 && fields_fit(m, (enum heddle_isa_enc)e) &&
         predicates_fit(m, heddle_isa_encoding_info((enum heddle_isa_enc)e)) && widths_fit(m);
}

static bool overwrites_guard(const struct mir_insn *i) {
  for (unsigned k = 0; k < 2; k++)
    if (i->guard.kind == MIR_REG && i->pd[k].kind == MIR_REG && i->pd[k].reg == i->guard.reg) return true;
  return false;
}

bool unipath_form(const struct mir_function *f, const struct mir_insn *i, struct mir_insn *made) {
  *made = *i;
  if (i->ordered || i->target || overwrites_guard(i) || !uniform_op(i->op, &made->op)) return false;
  const bool vote = i->op == ISA_OP_VOTE; /* of each thread's own predicate, among those that are here */
  if (vote && i->guard.kind != MIR_NONE) return false;
  if (is_load(i))
    make_load(made);
  else
    rename_fields(made);
  for (unsigned k = 0; k < 3; k++) {
    if (!is_in_reach(&i->src[k])) return false;
    made->src[k] = uniform_operand(made->src[k]);
    if (!vote) made->ps[k] = uniform_operand(made->ps[k]);
  }
  made->rd = uniform_operand(made->rd);
  for (unsigned k = 0; k < 2; k++) made->pd[k] = uniform_operand(made->pd[k]);
  made->guard = uniform_operand(made->guard);
  return well_formed(made) && mir_usable(f, made);
}

bool unipath_constant(const struct mir_insn *i, const struct mir_insn *made, unsigned slot) {
  return i->src[slot].kind == MIR_CONST && made->src[slot].kind == MIR_REG;
}

/* ---- ordinary instructions ---- */

/* The table of LOP3 with two of its operands (by their bit of the index) exchanged. */
static uint64_t exchanged_lut(uint64_t lut, unsigned x, unsigned y) {
  uint64_t to = 0;
  for (unsigned n = 0; n < 8; n++) {
    unsigned from = n & ~(1u << x | 1u << y);
    from |= (n >> x & 1) << y | (n >> y & 1) << x;
    to |= (lut >> from & 1) << n;
  }
  return to;
}

static unsigned mirrored(unsigned cmp) {
  static const uint8_t integer[8] = {
      [ISA_ICMP_F] = ISA_ICMP_F,   [ISA_ICMP_LT] = ISA_ICMP_GT, [ISA_ICMP_EQ] = ISA_ICMP_EQ,
      [ISA_ICMP_LE] = ISA_ICMP_GE, [ISA_ICMP_GT] = ISA_ICMP_LT, [ISA_ICMP_NE] = ISA_ICMP_NE,
      [ISA_ICMP_GE] = ISA_ICMP_LE, [ISA_ICMP_T] = ISA_ICMP_T};
  return integer[cmp & 7];
}

/* Operands x and y of *m change places, if that can be. */
static bool exchange_operands(struct mir_insn *m, unsigned x, unsigned y) {
  struct mir_operand t = m->src[x];
  switch (m->op) {
  case ISA_OP_IADD3:
  case ISA_OP_IADD3_X:
    break;
  case ISA_OP_LOP3_LUT:
    mir_set(m, ISA_F_LUT, exchanged_lut(mir_get(m, ISA_F_LUT), 2 - x, 2 - y));
    break;
  case ISA_OP_ISETP:
    mir_set(m, ISA_F_ICMP, mirrored((unsigned)mir_get(m, ISA_F_ICMP)));
    break;
  case ISA_OP_SEL:
    m->ps[0] = mir_not(m->ps[0].kind == MIR_NONE ? mir_zero() : m->ps[0]);
    break;
  case ISA_OP_IMAD:
  case ISA_OP_IMAD_WIDE:
  case ISA_OP_IMAD_HI:
  case ISA_OP_FFMA:
  case ISA_OP_FADD:
  case ISA_OP_FMUL:
  case ISA_OP_IMNMX:
  case ISA_OP_FMNMX:
    if (x + y != 1) return false;
    break;
  default:
    return false;
  }
  m->src[x] = m->src[y];
  m->src[y] = t;
  return true;
}

/* With the operands `keep` as uniform registers. */
static bool reads(const struct unipath *u, const struct mir_insn *m, unsigned keep) {
  struct mir_insn t = *m;
  for (unsigned k = 0; k < 3; k++)
    if (keep >> k & 1) t.src[k].class = MIR_UR;
  return mir_encoding(&t) >= 0 && widths_fit(&t) && mir_usable(u->f, &t);
}

static unsigned uniform_operands(const struct unipath *u, const struct mir_insn *i) {
  unsigned mask = 0;
  for (unsigned k = 0; k < 3; k++)
    if (i->src[k].kind == MIR_REG && i->src[k].class == MIR_R && u->in[i->src[k].reg] && !u->handed[i->src[k].reg])
      mask |= 1u << k;
  return mask;
}

bool unipath_fit(const struct unipath *u, const struct mir_insn *i, struct mir_insn *made, unsigned *moved) {
  static const uint8_t way[4][2] = {{0, 0}, {0, 1}, {1, 2}, {0, 2}};
  *made = *i;
  *moved = uniform_operands(u, i);
  if (!*moved) return false;
  for (unsigned n = 0; n < 4; n++) {
    struct mir_insn m = *i;
    if (way[n][0] != way[n][1] && !exchange_operands(&m, way[n][0], way[n][1])) continue;
    const unsigned all = uniform_operands(u, &m);
    for (unsigned k = 0; k < 3; k++) { /* more than one is never read */
      if (!(all >> k & 1) || !reads(u, &m, 1u << k)) continue;
      *made = m;
      *moved = all & ~(1u << k);
      return true;
    }
  }
  return true;
}

/* Which virtual registers could live on the uniform datapath: the largest set in which everything is written by
 * instructions that it can do, from constants and members of the set, where all of the warp is together. */

static bool is_candidate(const struct unipath *u, const struct mir_operand *x) {
  return x->kind != MIR_REG || (x->class != MIR_R && x->class != MIR_P) || u->in[x->reg];
}

bool unipath_goes(const struct unipath *u, const struct mir_insn *i) {
  struct mir_insn made;
  if (!u->site[i->mark].together || !unipath_form(u->f, i, &made)) return false;
  if (i->rd.kind != MIR_REG && i->pd[0].kind != MIR_REG && i->pd[1].kind != MIR_REG) return false;
  bool all = is_candidate(u, &i->guard) && is_candidate(u, &i->rd);
  for (unsigned k = 0; k < 3; k++) {
    all = all && is_candidate(u, &i->src[k]);
    if (i->op != ISA_OP_VOTE) all = all && is_candidate(u, &i->ps[k]);
  }
  for (unsigned k = 0; k < 2; k++) all = all && is_candidate(u, &i->pd[k]);
  return all;
}

/* ---- who writes and reads what ---- */

static void note_register(uint32_t *first, uint32_t *list, uint32_t reg, uint32_t number, bool count) {
  if (count)
    first[reg + 2]++;
  else
    list[first[reg + 1]++] = number;
}

static void note_insn(struct unipath *u, struct mir_insn *i, bool count) {
  struct mir_operand *x[LIVE_USES_MAX];
  unsigned n = live_defs(i, x);
  for (unsigned k = 0; k < n; k++) note_register(u->writers, u->writer_list, x[k]->reg, i->mark, count);
  n = live_uses(i, x);
  for (unsigned k = 0; k < n; k++) note_register(u->readers, u->reader_list, x[k]->reg, i->mark, count);
}

static void visit_all(struct unipath *u, bool count) {
  for (uint32_t n = 0; n < u->l->numbers; n++)
    if (u->site[n].insn) note_insn(u, u->site[n].insn, count);
}

static void make_lists(struct unipath *u) {
  const uint32_t n = u->f->vregs;
  u->writers = live_alloc(u->f, ((size_t)n + 3) * sizeof *u->writers);
  u->readers = live_alloc(u->f, ((size_t)n + 3) * sizeof *u->readers);
  visit_all(u, true);
  for (uint32_t v = 0; v < n; v++) {
    u->writers[v + 2] += u->writers[v + 1];
    u->readers[v + 2] += u->readers[v + 1];
  }
  u->writer_list = live_alloc(u->f, ((size_t)u->writers[n + 1] + 1) * sizeof *u->writer_list);
  u->reader_list = live_alloc(u->f, ((size_t)u->readers[n + 1] + 1) * sizeof *u->reader_list);
  visit_all(u, false);
}

/* ---- what cannot go, and what then cannot either ---- */

static void push_register(struct unipath *u, uint32_t v, uint32_t *depth) {
  if (!u->in[v] || u->seen[v] == u->stamp) return;
  u->seen[v] = u->stamp;
  u->stack[(*depth)++] = v;
}

static void push_results(struct unipath *u, struct mir_insn *i, uint32_t *depth) {
  struct mir_operand *x[LIVE_DEFS_MAX];
  const unsigned n = live_defs(i, x);
  for (unsigned k = 0; k < n; k++) push_register(u, x[k]->reg, depth);
}

/* Votes take each thread's own predicate, wherever it is. */
static bool needs(const struct mir_insn *i, uint32_t v) {
  if (i->op != ISA_OP_VOTE || i->guard.kind == MIR_REG) return true;
  for (unsigned k = 0; k < 3; k++)
    if (i->ps[k].kind == MIR_REG && i->ps[k].reg == v) return false;
  return true;
}

uint32_t unipath_closure(struct unipath *u, uint32_t v) {
  uint32_t depth = 0;
  u->stamp++;
  push_register(u, v, &depth);
  for (uint32_t k = 0; k < depth && u->budget > 0; k++) {
    v = u->stack[k];
    for (uint32_t n = u->writers[v]; n < u->writers[v + 1]; n++)
      push_results(u, u->site[u->writer_list[n]].insn, &depth);
    for (uint32_t n = u->readers[v]; n < u->readers[v + 1]; n++) {
      struct mir_insn *i = u->site[u->reader_list[n]].insn;
      if (needs(i, v)) push_results(u, i, &depth);
      u->budget -= u->budget > 0;
    }
  }
  return depth;
}

void unipath_drop(struct unipath *u, uint32_t v) {
  const uint32_t n = unipath_closure(u, v);
  for (uint32_t k = 0; k < n; k++) u->in[u->stack[k]] = 0;
}

static void mark_candidates(struct unipath *u) {
  for (uint32_t v = 0; v < u->f->vregs; v++) {
    const struct mir_vreg *r = &u->f->vreg[v];
    const bool written = u->writers[v] < u->writers[v + 1];
    u->in[v] = written && r->fixed < 0 && ((r->class == MIR_R && r->words <= 2) || r->class == MIR_P);
  }
}

void unipath_find(struct unipath *u) {
  struct mir_operand *x[LIVE_DEFS_MAX];
  make_lists(u);
  mark_candidates(u);
  for (uint32_t n = 0; n < u->l->numbers && u->budget > 0; n++) {
    struct mir_insn *i = u->site[n].insn;
    if (!i || unipath_goes(u, i)) continue;
    const unsigned defs = live_defs(i, x);
    for (unsigned k = 0; k < defs; k++)
      if (u->in[x[k]->reg]) unipath_drop(u, x[k]->reg);
  }
}
