/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands as isa/doc/02-instructions.md reads them, and arithmetic on them.
 */
#include <string.h>

#include "lab/verify/oracle/threads/internal.h"

bool threads_guard(const struct warp *w, const struct heddle_isa_dec *d, unsigned lane) {
  const bool *p = d->uniform ? w->up : w->t[lane].p;
  return p[d->guard.index] != d->guard.neg;
}

bool threads_source(const struct warp *w, const struct heddle_isa_dec *d, unsigned k, unsigned lane) {
  const bool *p = d->ps_uniform ? w->up : w->t[lane].p;
  return p[d->ps[k].index] != d->ps[k].neg;
}

static uint32_t bank_word(const uint8_t *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool lies_in_bank(const struct machine *m, const struct heddle_isa_dec *d, uint32_t bytes) {
  const uint32_t size = d->cbank < 4 ? m->l->cbank_bytes[d->cbank] : 0;
  return size >= bytes && d->coff <= size - bytes;
}

/* Raw word k of an operand. */
static uint32_t raw_operand(const struct machine *m, const struct warp *w, const struct heddle_isa_dec *d,
                            const struct heddle_isa_src *s, unsigned k, unsigned lane) {
  switch (s->kind) {
  case ISA_REG:
    return s->reg == ISA_RZ ? 0 : w->t[lane].r[s->reg + k];
  case ISA_UREG:
    return s->reg == ISA_RZ ? 0 : w->ur[s->reg + k];
  case ISA_CONST:
    return lies_in_bank(m, d, 4 * (k + 1)) ? bank_word(m->l->cbank[d->cbank] + d->coff + 4 * k) : 0;
  case ISA_IMM: { /* of a number of 64 bits the upper word, of an integer the lower one */
    const unsigned type = heddle_isa_instr_info((enum heddle_isa_op)d->op)->imm;
    const bool number = type == ISA_IMM_F64 || type == ISA_IMM_F32;
    return k == (s->words == 2 && number ? 1u : 0u) ? s->imm : 0;
  }
  default:
    return 0;
  }
}

uint32_t threads_operand(const struct machine *m, const struct warp *w, const struct heddle_isa_dec *d, unsigned slot,
                         unsigned k, unsigned lane) {
  const struct heddle_isa_src *s = &d->src[slot];
  uint32_t v = raw_operand(m, w, d, s, k, lane);
  switch (heddle_isa_instr_info((enum heddle_isa_op)d->op)->modify) {
  case ISA_MODIFY_INT:
    return s->neg ? ~v + 1 : v;
  case ISA_MODIFY_NOT:
    return s->neg ? ~v : v;
  case ISA_MODIFY_FLOAT:
    if (s->abs) v &= 0x7fffffff;
    return s->neg ? v ^ 0x80000000 : v;
  case ISA_MODIFY_HALF:
    if (s->abs) v &= 0x7fff7fff;
    return s->neg ? v ^ 0x80008000 : v;
  default:
    return v;
  }
}

void threads_set(struct warp *w, const struct heddle_isa_dec *d, unsigned k, unsigned lane, uint32_t value) {
  if (!d->has_rd || d->rd == ISA_RZ) return;
  if (d->rd_uniform)
    w->ur[d->rd + k] = value;
  else
    w->t[lane].r[d->rd + k] = value;
}

void threads_set_pred(struct warp *w, const struct heddle_isa_dec *d, unsigned k, unsigned lane, bool value) {
  const unsigned i = k == 0 ? d->pd0 : d->pd1;
  if (!(k == 0 ? d->has_pd0 : d->has_pd1) || i == ISA_PT) return;
  if (d->pd_uniform)
    w->up[i] = value;
  else
    w->t[lane].p[i] = value;
}

static uint32_t threads_special(const struct machine *m, const struct warp *w, unsigned sreg, unsigned lane) {
  const uint32_t eq = 1u << lane, lt = eq - 1;
  switch (sreg) {
  case ISA_SREG_SR_LANEID:
    return lane;
  case ISA_SREG_SR_TID_X:
  case ISA_SREG_SR_TID_Y:
  case ISA_SREG_SR_TID_Z:
    return w->t[lane].tid[sreg - ISA_SREG_SR_TID_X];
  case ISA_SREG_SR_CTAID_X:
  case ISA_SREG_SR_CTAID_Y:
  case ISA_SREG_SR_CTAID_Z:
    return m->ctaid[sreg - ISA_SREG_SR_CTAID_X];
  case ISA_SREG_SR_EQMASK:
    return eq;
  case ISA_SREG_SR_LTMASK:
    return lt;
  case ISA_SREG_SR_LEMASK:
    return lt | eq;
  case ISA_SREG_SR_GTMASK:
    return ~(lt | eq);
  case ISA_SREG_SR_GEMASK:
    return ~lt;
  case ISA_SREG_SR_WARPID: /* the machine's own: programs that are compared do not show it */
    return w->index;
  case ISA_SREG_SR_NWARPID:
    return m->h->warp_slots;
  case ISA_SREG_SR_NSMID:
    return 1;
  case ISA_SREG_SR_CLOCKLO:
    return (uint32_t)w->clock;
  case ISA_SREG_SR_CLOCKHI:
    return (uint32_t)(w->clock >> 32);
  default:
    return 0;
  }
}

/* S2R, CS2R, S2UR. */
static bool read_special(struct machine *m, struct warp *w, const struct heddle_isa_dec *d, unsigned lane) {
  if (d->op == ISA_OP_CS2R) {
    const bool clock = heddle_isa_get(d->word, ISA_F_SREG2) == ISA_SREG2_SR_CLOCKLO;
    threads_set(w, d, 0, lane, clock ? (uint32_t)w->clock : 0);
    threads_set(w, d, 1, lane, clock ? (uint32_t)(w->clock >> 32) : 0);
    return true;
  }
  if (d->op != ISA_OP_S2R && d->op != ISA_OP_S2UR) return false;
  const unsigned sreg = (unsigned)heddle_isa_get(d->word, d->op == ISA_OP_S2R ? ISA_F_SREG : ISA_F_USREG);
  threads_set(w, d, 0, lane, threads_special(m, w, sreg, lane));
  return true;
}

struct rows {
  _Alignas(64) uint32_t a[3][4][LANES], d[4][LANES];
};

static void gather_rows(const struct machine *m, const struct warp *w, const struct heddle_isa_dec *d, struct rows *x,
                        struct heddle_value_rows *r) {
  for (uint32_t rest = r->exec; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    for (unsigned s = 0; s < 3; s++)
      for (unsigned k = 0; k < d->src[s].words && d->src[s].kind != ISA_NONE; k++)
        x->a[s][k][l] = threads_operand(m, w, d, s, k, l);
    for (unsigned k = 0; k < 3; k++) r->ps[k] |= (uint32_t)threads_source(w, d, k, l) << l;
    const bool *p = d->uniform ? w->up : w->t[l].p;
    for (unsigned k = 0; k < 7; k++) r->p[k] |= (uint32_t)p[k] << l;
  }
}

static void scatter(struct warp *w, const struct heddle_isa_dec *d, const struct rows *x,
                    const struct heddle_value_rows *r) {
  for (uint32_t rest = r->exec; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    for (unsigned k = 0; k < d->rd_words && d->has_rd; k++) threads_set(w, d, k, l, x->d[k][l]);
    for (unsigned k = 0; k < 2; k++) threads_set_pred(w, d, k, l, (r->pd[k] >> l & 1u) != 0);
    bool *p = d->uniform ? w->up : w->t[l].p;
    for (unsigned k = 0; k < 7; k++)
      if ((r->p_written[k] >> l & 1u) != 0) p[k] = (r->p[k] >> l & 1u) != 0;
  }
}

/* A constant operand lies in its bank. */
static bool in_bank(struct machine *m, const struct heddle_isa_dec *d, uint32_t pc) {
  for (unsigned s = 0; s < 3; s++) {
    if (d->src[s].kind != ISA_CONST) continue;
    if (!lies_in_bank(m, d, 4u * d->src[s].words)) return threads_trap(m, "a constant operand out of its bank", pc);
  }
  return true;
}

bool threads_value(struct machine *m, struct warp *w, const struct step *s, uint32_t who) {
  const struct heddle_isa_dec *d = &s->d;
  const unsigned lane = (unsigned)__builtin_ctz(who);
  if (read_special(m, w, d, lane)) return true;
  if (!in_bank(m, d, w->t[lane].pc)) return false;
  struct rows x;
  memset(&x, 0, sizeof x);
  struct heddle_value_rows r = {.a = x.a[0][0], .b = x.a[1][0], .c = x.a[2][0], .d = x.d[0], .exec = who};
  gather_rows(m, w, d, &x, &r);
  if (!heddle_value(d, &r))
    return threads_wrong(m, "%s at pc 0x%x has no meaning here", heddle_isa_op_name((enum heddle_isa_op)d->op),
                         w->t[lane].pc);
  scatter(w, d, &x, &r);
  return true;
}
