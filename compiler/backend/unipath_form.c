/* SPDX-License-Identifier: Apache-2.0
 * What the uniform datapath can do, and how ordinary instructions read its registers: one operand, in one or two
 * places. Which encodings there are is asked of the ISA tables. */
#include "compiler/backend/unipath.h"

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
