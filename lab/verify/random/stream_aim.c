/* SPDX-License-Identifier: Apache-2.0
 * For the stream of codes by hand: an instruction that writes, some that do not touch its results, and one that reads
 * one of them as a given operand: any unit after any other at any distance. */
#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include "lab/verify/random/streams.h"

#define TRIES 8u
enum { DISTANCE_MOST = 9, TEXT_BYTES = 400, OPTIONS_MOST = 12 };

static void ignore(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  (void)m;
}

unsigned hazard_take(const char *lines, struct heddle_isa_dec *insn, unsigned room) {
  char text[TEXT_BYTES + 100];
  const struct heddle_asm_options o = {.size = sizeof o, .message = ignore};
  unsigned n = 0;
  (void)snprintf(text, sizeof text, ".kernel k\n.param u64 out\n.param u64 input\n%s.end\n", lines);
  struct heddle_program *made;
  (void)heddle_assemble(text, strlen(text), "stream", &o, &made);
  for (uint32_t pc = 0; made && pc < made->code_bytes && n < room; pc = heddle_program_next(made, pc))
    n += heddle_isa_decode(heddle_program_word(made, pc), &insn[n]);
  heddle_program_free(made);
  return n;
}

/* ---- results */

static void note_place(void *ctx, unsigned place) {
  struct hazard_results *r = ctx;
  r->n += !r->at[place];
  r->at[place] = true;
}

static void hazard_find_results(const struct heddle_isa_dec *d, struct hazard_results *r) {
  memset(r, 0, sizeof *r);
  heddle_hazard_each_reg_result(d, note_place, r);
  heddle_hazard_each_pred_result(d, note_place, r);
}

/* A result of a file, any of them; `count` places from `first` on. False: there is none. */
static bool draw_result(struct random_program *p, const struct hazard_results *r, unsigned first, unsigned count,
                        unsigned *which) {
  unsigned n = 0;
  for (unsigned i = 0; i < count; i++)
    if (r->at[first + i] && random_below(p, ++n) == 0) *which = i;
  return n > 0;
}

/* ---- who writes, who reads, as text */

/* All 32 lanes of every warp are there. */
static bool matrices_fit(const struct random_program *p) {
  return random_has(p, ISA_UNIT_TENSOR) && random_whole_warps(p) && !p->leaves;
}

/* Units of random instructions. Those of the uniform datapath and across lanes fit here: all lanes are together. */
static unsigned draw_unit(struct random_program *p) {
  static const uint8_t units[] = {ISA_UNIT_ALU,  ISA_UNIT_FMA,  ISA_UNIT_CVT, ISA_UNIT_HALF,  ISA_UNIT_SFU,
                                  ISA_UNIT_FP64, ISA_UNIT_WARP, ISA_UNIT_UNI, ISA_UNIT_TENSOR};
  unsigned u;
  do u = units[random_below(p, sizeof units)];
  while (!random_has(p, u) || (u == ISA_UNIT_TENSOR && !matrices_fit(p)));
  return u;
}

static void insn_of_any_unit(struct random_program *p, char *buf, size_t size) {
  const unsigned u = draw_unit(p);
  if (u == ISA_UNIT_TENSOR)
    random_insn_tensor(p, buf, size);
  else
    random_insn_unit(p, u, buf, size);
}

void random_carry(struct random_program *p, char *buf, size_t size, unsigned to, unsigned from, bool alike) {
  const unsigned last = random_bregs() - 1;
  unsigned how = random_below(p, alike ? 8 : 7);
  if (how == 2 && !random_has(p, ISA_UNIT_CVT)) how = 0;
  switch (how) {
  case 0:
    (void)snprintf(buf, size, "MOV R%u, R%u ;\n", to, from);
    break;
  case 1:
    (void)snprintf(buf, size, "IMAD R%u, R%u, 0x1, RZ ;\n", to, from);
    break;
  case 2:
    (void)snprintf(buf, size, "I2F.U32 R%u, R%u ;\nF2I.U32.TRUNC R%u, R%u ;\n", to, from, to, to);
    break;
  case 3:
    (void)snprintf(buf, size, "STL [RZ+0x%x], R%u ;\nLDL R%u, [RZ+0x%x] ;\n", LOCAL_BYTES, from, to, LOCAL_BYTES);
    break;
  case 4:
    if (random_has(p, ISA_UNIT_WARP))
      (void)snprintf(buf, size, "SHFL.IDX PT, R%u, R%u, R%u, 0x1f ;\n", to, from, REG_LANE);
    else
      (void)snprintf(buf, size, "IMAD R%u, RZ, RZ, R%u ;\n", to, from);
    break;
  case 5: /* as sums with zero: no half is a NaN in so small a number */
    if (random_has(p, ISA_UNIT_HALF))
      (void)snprintf(buf, size, "HADD2 R%u, R%u, RZ ;\n", to, from);
    else
      (void)snprintf(buf, size, "IADD3 R%u, R%u, RZ, RZ ;\n", to, from);
    break;
  case 6:
    if (random_has(p, ISA_UNIT_FP64))
      (void)snprintf(buf, size, "DADD R%u, R%u, RZ ;\n", to, from);
    else
      (void)snprintf(buf, size, "IADD3 R%u, RZ, R%u, RZ ;\n", to, from);
    break;
  default:
    (void)snprintf(buf, size, "BMOV.SET B%u, R%u ;\nBMOV.GET R%u, B%u ;\n", last, from, to, last);
    break;
  }
}

/* The last line is the one. Barriers are for all warps, which are together here. */
void hazard_writer(struct random_program *p, char *buf, size_t size) {
  const unsigned ps = random_below(p, PRED_DATA_COUNT), what = random_below(p, 100);
  if (what < 62)
    insn_of_any_unit(p, buf, size);
  else if (what < 77)
    random_memory(p, buf, size);
  else {
    const unsigned barrier = random_below(p, what < 85 ? random_bregs() : random_barriers());
    if (what < 85)
      (void)snprintf(buf, size, "BMOV.GET R%u, B%u ;\n", random_data(p), barrier);
    else if (what < 93)
      (void)snprintf(buf, size, "BAR.RED.POPC R%u, 0x%x, 0x0, P%u ;\n", random_data(p), barrier, ps);
    else
      (void)snprintf(buf, size, "BAR.RED.OR P%u, 0x%x, 0x0, P%u ;\n", random_below(p, PRED_DATA_COUNT), barrier, ps);
  }
}

void hazard_reader(struct random_program *p, char *buf, size_t size) {
  const unsigned r = random_data(p);
  switch (random_below(p, 16)) {
  case 7:
    (void)snprintf(buf, size, "ATOMS.CAS R%u, [R%u+0x%x], RZ, R%u ;\n", r, REG_SHARED, SHARED_AT, r);
    break;
  case 0:
    (void)snprintf(buf, size, "STS [R%u+0x%x], R%u ;\n", REG_SHARED, SHARED_AT, r);
    break;
  case 1:
    (void)snprintf(buf, size, "STG.E [R%u+0x%x], R%u ;\n", REG_OWN, OWN_AT, r);
    break;
  case 2:
    (void)snprintf(buf, size, "ATOMG.E.CAS R%u, [R%u+0x%x], R%u, R%u ;\n", r, REG_OWN, OWN_AT, r, random_data(p));
    break;
  case 3:
    (void)snprintf(buf, size, "NANOSLEEP R%u ;\n", r);
    break;
  case 4:
    (void)snprintf(buf, size, "BMOV.SET B%u, R%u ;\n", random_bregs() - 1, r);
    break;
  case 5:
    (void)snprintf(buf, size, "BAR.RED.POPC R%u, 0x%x, 0x0, P0 ;\n", r, random_below(p, random_barriers()));
    break;
  case 6:
    (void)snprintf(buf, size, "LDS R%u, [R%u+0x%x] ;\n", r, REG_SHARED, SHARED_AT);
    break;
  default:
    insn_of_any_unit(p, buf, size);
    break;
  }
}

/* ---- the reader's operand */

struct option {
  enum heddle_isa_field field;
  uint64_t value;
};

static bool is_barrier(const struct heddle_isa_dec *d) {
  return d->op == ISA_OP_BAR_RED || d->op == ISA_OP_BAR_RED_POPC;
}

static unsigned register_options(struct random_program *p, const struct heddle_isa_dec *d,
                                 const struct hazard_results *r, struct option *out) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)d->enc);
  unsigned n = 0, which = 0;
  for (unsigned o = d->unit == ISA_UNIT_MEM ? 1 : 0; o < 3; o++) { /* an address is not just anything */
    const struct heddle_isa_slot *s = &e->src[o];
    const bool uniform = s->kind == ISA_UREG;
    if (s->kind != ISA_REG && !uniform) continue;
    if (!draw_result(p, r, uniform ? HEDDLE_HAZARD_UR : HEDDLE_HAZARD_R,
                     uniform ? UREG_DATA_COUNT : REG_DATA + REG_DATA_COUNT, &which))
      continue;
    out[n++] = (struct option){(enum heddle_isa_field)s->field, which / d->src[o].words * d->src[o].words};
  }
  return n;
}

static unsigned predicate_options(struct random_program *p, const struct heddle_isa_dec *d,
                                  const struct hazard_results *r, struct option *out) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)d->enc);
  unsigned n = 0, which = 0;
  const uint64_t negated = random_chance(p, 50) ? 8 : 0;
  if (e->guard != ISA_FIELD_NONE && !is_barrier(d) && d->unit != ISA_UNIT_TENSOR &&
      draw_result(p, r, e->uniform ? HEDDLE_HAZARD_UP : HEDDLE_HAZARD_P, ISA_PT, &which))
    out[n++] = (struct option){(enum heddle_isa_field)e->guard, which | negated};
  for (unsigned i = 0; i < 3; i++)
    if (e->ps[i] != ISA_FIELD_NONE &&
        draw_result(p, r, e->ps_uniform ? HEDDLE_HAZARD_UP : HEDDLE_HAZARD_P, ISA_PT, &which))
      out[n++] = (struct option){(enum heddle_isa_field)e->ps[i], which | negated};
  return n;
}

bool hazard_point_at(struct random_program *p, struct heddle_isa_dec *d, const struct hazard_results *r) {
  struct option option[OPTIONS_MOST];
  unsigned n = register_options(p, d, r, option);
  n += predicate_options(p, d, r, option + n);
  if (n == 0) return false;
  const struct option *o = &option[random_below(p, n)];
  struct heddle_isa_dec made;
  if (!heddle_isa_decode(heddle_isa_put(d->word, o->field, o->value), &made)) return false;
  *d = made;
  return true;
}

static bool touches(const struct heddle_isa_dec *d, const struct hazard_results *r) {
  struct hazard_results mine;
  hazard_find_results(d, &mine);
  for (unsigned i = 0; i < HEDDLE_HAZARD_PLACES; i++)
    if (mine.at[i] && r->at[i]) return true;
  return false;
}

bool hazard_fill(struct random_program *p, struct heddle_isa_dec *d, const struct hazard_results *r) {
  char text[TEXT_BYTES];
  if (random_chance(p, 12)) return hazard_take(HAZARD_ANY_DEPBAR, d, 1) == 1;
  for (unsigned i = 0; i < TRIES; i++) {
    random_insn(p, text, sizeof text);
    if (hazard_take(text, d, 1) == 1 && !touches(d, r)) return true;
  }
  return hazard_take("NOP ;\n", d, 1) == 1;
}

/* An address goes through a unit, and is used. */
static unsigned aim_address(struct random_program *p, struct heddle_isa_dec *insn, unsigned room) {
  enum { AT = REG_STREAM + 2 };
  static const char *const use[] = {"LDS R%u, [R%u+0x%x] ;\n", "ATOMS.ADD R%u, [R%u+0x%x], R8 ;\n"};
  const unsigned distance = 1 + random_below(p, DISTANCE_MOST);
  char text[TEXT_BYTES];
  struct hazard_results r;
  random_carry(p, text, sizeof text, AT, REG_SHARED, true);
  unsigned n = hazard_take(text, insn, room);
  if (n == 0 || n + distance > room) return 0;
  hazard_find_results(&insn[n - 1], &r);
  for (unsigned i = 1; i < distance; i++) n += hazard_fill(p, &insn[n], &r);
  const unsigned rd = random_data(p);
  (void)snprintf(text, sizeof text, use[random_below(p, 2)], rd, AT, SHARED_AT);
  return n + hazard_take(text, &insn[n], 1);
}

/* Whether a matrix is multiplied: a predicate that all lanes have alike, of any unit that writes one. */
static unsigned aim_guard(struct random_program *p, struct heddle_isa_dec *insn, unsigned room) {
  static const struct {
    uint8_t unit;
    const char *text;
  } writer[] = {{ISA_UNIT_ALU, "ISETP.%s.U32.AND P6, PT, RZ, RZ, PT ;\n"},
                {ISA_UNIT_HALF, "HSETP2.%s.AND P6, PT, RZ, RZ, PT ;\n"},
                {ISA_UNIT_FP64, "DSETP.%s.AND P6, PT, RZ, RZ, PT ;\n"},
                {ISA_UNIT_WARP, "VOTE.ANY RZ, P6, P0 ;\n"},
                {ISA_UNIT_BR, "BAR.RED.OR P6, 0x1, 0x0, P0 ;\n"}};
  const unsigned distance = 1 + random_below(p, DISTANCE_MOST);
  const char *no = random_chance(p, 50) ? "!" : "", *how = random_chance(p, 50) ? "EQ" : "NE";
  char text[TEXT_BYTES], insn_text[TEXT_BYTES - 8];
  struct hazard_results r;
  unsigned k;
  do k = random_below(p, sizeof writer / sizeof *writer);
  while (writer[k].unit != ISA_UNIT_BR && !random_has(p, writer[k].unit));
  (void)snprintf(text, sizeof text, writer[k].text, how);
  unsigned n = hazard_take(text, insn, room);
  if (n == 0 || n + distance > room) return 0;
  hazard_find_results(&insn[0], &r);
  for (unsigned i = 1; i < distance; i++) n += hazard_fill(p, &insn[n], &r);
  do random_insn_tensor(p, insn_text, sizeof insn_text);
  while (insn_text[0] == '@');
  (void)snprintf(text, sizeof text, "@%sP6 %s", no, insn_text);
  return n + hazard_take(text, &insn[n], 1);
}

unsigned hazard_aim(struct random_program *p, struct heddle_isa_dec *insn, unsigned room) {
  char text[TEXT_BYTES];
  struct hazard_results r = {0};
  unsigned n = 0;
  if (random_chance(p, 15)) return aim_address(p, insn, room);
  if (matrices_fit(p) && random_chance(p, 8)) return aim_guard(p, insn, room);
  for (unsigned i = 0; i < TRIES && r.n == 0; i++) {
    hazard_writer(p, text, sizeof text);
    n = hazard_take(text, insn, room);
    if (n > 0) hazard_find_results(&insn[n - 1], &r);
  }
  const unsigned distance = 1 + random_below(p, DISTANCE_MOST);
  if (r.n == 0 || n + distance > room) return 0;
  for (unsigned i = 1; i < distance; i++) n += hazard_fill(p, &insn[n], &r);
  for (unsigned i = 0; i < TRIES; i++) {
    hazard_reader(p, text, sizeof text);
    if (hazard_take(text, &insn[n], 1) == 1 && hazard_point_at(p, &insn[n], &r)) return n + 1;
  }
  return n;
}

/* Rows for every pipe of fixed latency by turns, each instruction with the result of one of the two before it: each
 * waits for rows of its own warp and of the others. A load now and then, whose result wants the write ports as well. */
unsigned hazard_rows(struct random_program *p, struct heddle_isa_dec *insn, unsigned room) {
  static const uint8_t turns[][4] = {{ISA_UNIT_FMA, ISA_UNIT_ALU, ISA_UNIT_FMA, ISA_UNIT_ALU},
                                     {ISA_UNIT_FMA, ISA_UNIT_CVT, ISA_UNIT_FMA, ISA_UNIT_CVT},
                                     {ISA_UNIT_CVT, ISA_UNIT_ALU, ISA_UNIT_ALU, ISA_UNIT_CVT},
                                     {ISA_UNIT_FMA, ISA_UNIT_FMA, ISA_UNIT_ALU, ISA_UNIT_CVT}};
  const uint8_t *turn = turns[random_below(p, sizeof turns / sizeof *turns)];
  const bool loads = random_chance(p, 60);
  char text[TEXT_BYTES];
  struct hazard_results r;
  unsigned n = 0;
  for (unsigned i = 0; n < room; i++) {
    const unsigned unit = random_has(p, turn[i % 4]) ? turn[i % 4] : (unsigned)ISA_UNIT_ALU, rd = random_data(p);
    (void)snprintf(text, sizeof text, "LDS R%u, [R%u+0x%x] ;\n", rd, REG_SHARED, SHARED_AT);
    if (loads && random_chance(p, 15)) {
      n += hazard_take(text, &insn[n], 1);
      continue;
    }
    random_insn_unit(p, unit, text, sizeof text);
    if (hazard_take(text, &insn[n], 1) == 0) continue;
    const unsigned back = 1 + random_below(p, 2);
    if (n >= back && insn[n - back].unit != ISA_UNIT_MEM) {
      hazard_find_results(&insn[n - back], &r);
      (void)hazard_point_at(p, &insn[n], &r);
    }
    n++;
  }
  return n;
}

/* Several of one unit, whose results come in the order of issue where it is one of those; each result is then used, the
 * first one first, as soon as DEPBAR says that so many are there. */
unsigned hazard_series(struct random_program *p, struct heddle_isa_dec *insn, unsigned room) {
  const unsigned wanted = random_chance(p, 50) ? ISA_UNIT_SFU : ISA_UNIT_FP64, length = 2 + random_below(p, 5);
  const unsigned unit = random_has(p, wanted) ? wanted : draw_unit(p);
  char text[TEXT_BYTES];
  struct hazard_results r;
  unsigned n = 0, made = 0;
  if (room < 3 * length || unit == ISA_UNIT_TENSOR) return 0;
  for (unsigned i = 0; i < length; i++) {
    random_insn_unit(p, unit, text, sizeof text);
    n += hazard_take(text, &insn[n], 1);
  }
  made = n;
  for (unsigned i = 0; i < made; i++) {
    n += hazard_take(HAZARD_ANY_DEPBAR, &insn[n], 1);
    hazard_find_results(&insn[i], &r);
    do hazard_reader(p, text, sizeof text);
    while (hazard_take(text, &insn[n], 1) == 0);
    n += r.n > 0 && hazard_point_at(p, &insn[n], &r);
  }
  return n;
}
