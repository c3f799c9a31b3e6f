/* SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "agent.h"
#include "base/splitmix64.h"

#define CAS 63u

static unsigned draw(struct rig *g, unsigned below) {
  return (unsigned)(splitmix64(&g->rng) >> 33) % below;
}

static uint64_t line_of(unsigned i) {
  return AGENT_BASE / HEDDLE_LINE_PORT_LINE + i;
}

static uint8_t *shadow_of(struct rig *g, uint64_t line) {
  return g->shadow + (line * HEDDLE_LINE_PORT_LINE - AGENT_BASE);
}

static uint64_t get(const uint8_t *p, unsigned bytes) {
  uint64_t v = 0;
  memcpy(&v, p, bytes);
  return v;
}

/* ---- requests ----------------------------------------------------------------------------------- */

/* Operations whose result is said here in another way than in the model. */
static const struct {
  uint8_t op;
  bool wide;
} ops[] = {{0, false}, {1, true}, {26, false}, {27, true}, {CAS, false}, {CAS, true}, {13, false}, {2, false}};

static uint64_t result(const struct job *j, unsigned l, uint64_t v) {
  const uint64_t b = j->b[l], c = j->c[l];
  float x, y;
  uint32_t u;
  switch (j->r.op) {
  case 0:
    return (uint32_t)(v + b);
  case 1:
    return v + b;
  case 13:
    return (int32_t)v > (int32_t)b ? v : b;
  case 2:
    u = (uint32_t)v, memcpy(&x, &u, 4);
    u = (uint32_t)b, memcpy(&y, &u, 4);
    x += y;
    memcpy(&u, &x, 4);
    return x != x ? 0x7fffffffu : u;
  case CAS:
    return v == b ? c : v;
  default:
    return b;
  }
}

static void write_beat(struct agent *a, const struct heddle_line_port_write *w) {
  assert_true(a->beats < AGENT_BEATS);
  a->beat[a->beats++] = *w;
}

static void send_operands(struct rig *g, struct agent *a, struct job *j) {
  const unsigned bytes = g->o.bits / 8, size = bytes < 16 ? bytes : 16;
  for (unsigned l = 0; l < 32; l++) {
    uint8_t operand[16];
    if ((j->r.lanes >> l & 1u) == 0) continue;
    memcpy(operand, &j->b[l], 8);
    memcpy(operand + 8, &j->c[l], 8);
    for (unsigned k = 0; k * size < 16; k++) {
      const unsigned from = k * size, words = j->r.wide ? 8 : 4;
      const bool counts = from < words || (j->r.op == CAS && from + size > 8 && from < 8 + words);
      if (!counts && draw(g, 2) != 0) continue; /* need not be sent */
      struct heddle_line_port_write w = {.atom = true, .lane = (uint8_t)l, .place = j->place[l], .piece = (uint8_t)k};
      memcpy(w.data, operand + from, size);
      write_beat(a, &w);
    }
  }
}

static void new_atom(struct rig *g, struct agent *a, struct job *j) {
  const unsigned k = draw(g, sizeof ops / sizeof *ops);
  j->r.op = ops[k].op;
  j->r.wide = ops[k].wide;
  j->r.gives = draw(g, 3) != 0;
  j->r.sectors = 0;
  for (unsigned l = 0; l < 32; l++) {
    j->place[l] = (uint8_t)(draw(g, 4) == 0 ? draw(g, 32) : draw(g, 4));
    if (j->r.wide) j->place[l] &= 30u;
    j->b[l] = draw(g, 4);
    j->c[l] = draw(g, 1000);
    if (!j->r.wide) continue;
    j->b[l] |= (uint64_t)draw(g, 2) << 40;
    j->c[l] |= (uint64_t)draw(g, 1000) << 40;
  }
  for (unsigned l = 0; l < 32; l++) {
    j->r.at[l] = j->place[l] / 8;
    if ((j->r.lanes >> l & 1u) != 0) j->r.sectors |= (uint8_t)(1u << j->r.at[l]);
  }
  send_operands(g, a, j);
}

static void store_beat(struct rig *g, struct agent *a, struct job *j, unsigned s) {
  const unsigned bytes = g->o.bits / 8, beat = (32 * s + draw(g, 32)) / bytes;
  struct heddle_line_port_write w = {.beat = (uint8_t)beat};
  bool some = false;
  for (unsigned i = 0; i < bytes; i++) {
    const unsigned at = beat * bytes + i;
    w.data[i] = (uint8_t)draw(g, 256);
    if ((j->r.sectors >> (at / 32) & 1) == 0 || (draw(g, 3) == 0 && at % 32 != 0)) continue;
    some = true;
    w.strb[i / 64] |= UINT64_C(1) << i % 64;
    j->store[at] = w.data[i];
    j->strb[at / 64] |= UINT64_C(1) << at % 64;
  }
  if (some) write_beat(a, &w);
}

static void new_store(struct rig *g, struct agent *a, struct job *j) {
  for (unsigned s = 0; s < 4; s++) {
    if ((j->r.sectors >> s & 1) == 0) continue;
    while ((uint32_t)(j->strb[s / 2] >> (32 * (s % 2))) == 0) store_beat(g, a, j, s);
    for (unsigned n = draw(g, 4); n != 0; n--) store_beat(g, a, j, s);
  }
}

/* Each sector has a lane. */
static void spread_lanes(struct rig *g, struct job *j) {
  j->r.lanes = 0;
  for (unsigned l = 0; l < 32; l++) {
    j->r.at[l] = (uint8_t)(j->r.is_local ? l / 8 : l % 4);
    if ((j->r.sectors >> j->r.at[l] & 1) != 0 && (draw(g, 2) != 0 || l % 8 == l / 8)) j->r.lanes |= 1u << l;
  }
}

static void choose_line(struct rig *g, struct job *j) {
  const unsigned i = draw(g, AGENT_LINES);
  j->r.line = line_of(i);
  if (j->r.kind == HEDDLE_LINE_PORT_FETCH) j->r.line = line_of(AGENT_LINES + i);
  if (draw(g, 20) == 0) {
    j->r.line = line_of(3 * AGENT_LINES + i);
    j->err = true;
  } else if (j->r.kind <= HEDDLE_LINE_PORT_STORE && draw(g, 4) == 0) {
    j->r.is_local = true;
    j->r.line = line_of(2 * AGENT_LINES + i);
    j->r.word = i / 2;
    j->r.slot = (uint8_t)(i % 2);
  }
}

static void new_job(struct rig *g, unsigned n) {
  struct agent *a = &g->sm[n];
  const unsigned tag = draw(g, AGENT_TAGS);
  struct job *j = &a->job[tag];
  const unsigned kind = draw(g, 4);
  if (j->busy || a->credits == 0 || (kind == HEDDLE_LINE_PORT_ATOM && a->atoms == 0)) return;
  memset(j, 0, sizeof *j);
  j->busy = true;
  j->r = (struct heddle_line_port_request){.sm = (uint8_t)n, .tag = (uint16_t)tag, .kind = (uint8_t)kind};
  j->r.slot = (uint8_t)draw(g, 3);
  j->r.gen = (uint8_t)draw(g, 256);
  j->r.scope = (uint8_t)draw(g, 4);
  j->r.sectors = (uint8_t)(1 + draw(g, 15));
  choose_line(g, j);
  spread_lanes(g, j);
  a->making = (int)tag;
  a->beats = a->sent = 0;
  if (kind == HEDDLE_LINE_PORT_ATOM) new_atom(g, a, j);
  if (kind == HEDDLE_LINE_PORT_STORE) new_store(g, a, j);
}

static void drive(struct rig *g, unsigned n, struct heddle_line_port_in *in) {
  struct agent *a = &g->sm[n];
  if (a->making < 0 && !g->draining && draw(g, 3) != 0) new_job(g, n);
  if (a->making < 0) return;
  if (a->sent < a->beats && draw(g, 5) != 0) {
    in->write_valid = true;
    in->write = a->beat[a->sent++];
  }
  if (a->sent != a->beats || draw(g, 3) == 0) return;
  struct job *j = &a->job[a->making];
  j->number = ++g->requests;
  j->r.seq = (uint32_t)j->number;
  in->request_valid = true;
  in->request = j->r;
  a->credits--;
  if (j->r.kind == HEDDLE_LINE_PORT_ATOM) a->atoms--;
  a->making = -1;
}

/* ---- what comes back ---------------------------------------------------------------------------- */

static struct job *job_of(struct rig *g, const struct heddle_line_port_record *r) {
  for (unsigned t = 0; t < AGENT_TAGS; t++) {
    struct job *j = &g->sm[r->sm].job[t];
    if (j->busy && j->number != 0 && j->r.seq == r->seq) return j;
  }
  fail_msg("a record of no request: SM %u seq %u", r->sm, r->seq);
  return NULL;
}

/* Nobody older of that line is left, but loads of other warps if this is one. */
static void judge_order(struct rig *g, const struct job *j) {
  for (unsigned i = 0; i < AGENT_SMS * AGENT_TAGS; i++) {
    const struct job *o = &g->sm[i / AGENT_TAGS].job[i % AGENT_TAGS];
    const bool loads = o->r.kind == HEDDLE_LINE_PORT_LOAD && j->r.kind == HEDDLE_LINE_PORT_LOAD;
    if (!o->busy || o->number == 0 || o->number >= j->number || o->performed || o->r.line != j->r.line) continue;
    assert_true(loads && (o->r.sm != j->r.sm || o->r.slot != j->r.slot));
  }
}

static void apply_atom(struct job *j, const struct heddle_line_port_record *r, uint8_t *line) {
  const unsigned bytes = j->r.wide ? 8 : 4;
  uint32_t strb = 0;
  for (unsigned l = 0; l < 32; l++) {
    if ((r->lanes >> l & 1u) == 0) continue;
    uint8_t *at = line + 4u * j->place[l];
    j->old[l] = get(at, bytes);
    const uint64_t v = result(j, l, j->old[l]);
    memcpy(at, &v, bytes);
    strb |= ((1u << bytes) - 1) << (4u * j->place[l]) % 32;
  }
  assert_int_equal(r->wstrb, strb);
}

static void judge_sector(struct rig *g, struct job *j, const struct heddle_line_port_record *r, unsigned s) {
  static const uint8_t zero[32];
  uint8_t *line = shadow_of(g, j->r.line), *at = line + 32 * s;
  const bool store = j->r.kind == HEDDLE_LINE_PORT_STORE;
  assert_memory_equal(r->rdata, store ? zero : at, 32);
  memcpy(j->want + 32 * s, at, 32);
  if (j->r.kind == HEDDLE_LINE_PORT_ATOM) apply_atom(j, r, line);
  if (store) {
    assert_int_equal(r->wstrb, (uint32_t)(j->strb[s / 2] >> (32 * (s % 2))));
    for (unsigned i = 0; i < 32; i++) {
      if ((r->wstrb >> i & 1u) != 0) at[i] = j->store[32 * s + i];
      assert_int_equal(r->wdata[i], (r->wstrb >> i & 1u) != 0 ? at[i] : 0);
    }
  } else {
    assert_memory_equal(r->wdata, j->r.kind == HEDDLE_LINE_PORT_LOAD ? zero : at, 32);
  }
}

static void judge_record(struct rig *g, const struct heddle_line_port_record *r, unsigned s) {
  struct job *j = job_of(g, r);
  uint32_t lanes = 0;
  const uint64_t line = j->r.is_local ? (uint64_t)j->r.slot << 18 | j->r.word : j->r.line;
  uint64_t *stamp = &g->stamp[j->r.line - line_of(0)];
  for (unsigned l = 0; l < 32; l++)
    if ((j->r.lanes >> l & 1u) != 0 && j->r.at[l] == s) lanes |= 1u << l;
  assert_false(j->err);
  assert_int_equal(r->sector, 4 * line + s);
  assert_int_equal(r->lanes, lanes);
  assert_int_equal(r->access, j->r.kind + (j->r.is_local ? 3 : 0));
  assert_true(r->slot == j->r.slot && r->gen == j->r.gen && r->bank == g->o.bank);
  assert_true(r->stamp == heddle_line_port_cycle(g->p) && r->stamp >= *stamp);
  *stamp = r->stamp;
  judge_order(g, j);
  judge_sector(g, j, r, s);
  g->records++;
}

/* All sectors of a request follow each other. */
static void judge_records(struct rig *g) {
  const struct heddle_line_port_record *r;
  const unsigned n = heddle_line_port_records(g->p, &r);
  for (unsigned i = 0; i < n;) {
    struct job *j = job_of(g, &r[i]);
    assert_false(j->performed);
    for (unsigned s = 0; s < 4; s++)
      if ((j->r.sectors >> s & 1) != 0) {
        assert_true(i < n && r[i].seq == j->r.seq && r[i].sm == j->r.sm);
        judge_record(g, &r[i++], s);
      }
    j->performed = true;
    j->performed_at = heddle_line_port_cycle(g->p);
  }
}

static struct job *in_flight(struct agent *a, unsigned tag) {
  assert_true(tag < AGENT_TAGS && a->job[tag].busy && a->job[tag].number != 0);
  return &a->job[tag];
}

static void judge_beat(struct rig *g, struct agent *a, const struct heddle_line_port_read *b) {
  struct job *j = in_flight(a, b->tag);
  const unsigned bytes = g->o.bits / 8, first = b->beat * bytes;
  bool asked = false;
  assert_true((j->r.kind == HEDDLE_LINE_PORT_LOAD && (j->performed || j->err)) || j->r.kind == HEDDLE_LINE_PORT_FETCH);
  assert_true(first < HEDDLE_LINE_PORT_LINE && (j->beats >> b->beat & 1u) == 0);
  for (unsigned at = first; at < first + bytes; at++) asked = asked || (j->r.sectors >> (at / 32) & 1) != 0;
  assert_true(asked);
  j->beats |= 1u << b->beat;
  j->last_beat = heddle_line_port_cycle(g->p);
  memcpy(j->got + first, b->data, bytes);
}

static void judge_line(struct rig *g, const struct job *j) {
  const uint8_t *want = j->r.kind == HEDDLE_LINE_PORT_FETCH ? shadow_of(g, j->r.line) : j->want;
  for (unsigned s = 0; s < 4; s++) {
    if ((j->r.sectors >> s & 1) == 0) continue;
    for (unsigned k = 32 * s / (g->o.bits / 8); k * g->o.bits / 8 < 32 * (s + 1); k++)
      assert_true((j->beats >> k & 1u) != 0);
    assert_memory_equal(j->got + 32 * s, want + 32 * s, 32);
  }
}

static void judge_end(struct rig *g, struct agent *a, struct job *j, const struct heddle_line_port_answer *w) {
  const bool loads = j->r.kind == HEDDLE_LINE_PORT_LOAD || j->r.kind == HEDDLE_LINE_PORT_FETCH;
  assert_int_equal(w->err, j->err);
  assert_true(j->err || j->r.kind == HEDDLE_LINE_PORT_FETCH ||
              (j->performed && j->performed_at < heddle_line_port_cycle(g->p)));
  if (loads && !j->err) judge_line(g, j);
  if (loads && j->beats != 0) assert_true(j->last_beat < heddle_line_port_cycle(g->p));
  if (!j->err) assert_int_equal(j->answered, j->r.kind == HEDDLE_LINE_PORT_ATOM && j->r.gives ? j->r.lanes : 0);
  g->ended[j->r.kind]++;
  if (j->err) g->errs++;
  j->busy = false;
  (void)a;
}

static void judge_answer(struct rig *g, struct agent *a, const struct heddle_line_port_answer *w, bool taken) {
  struct job *j = in_flight(a, w->tag);
  if (a->stood) assert_memory_equal(w, &a->standing, sizeof *w);
  a->standing = *w;
  a->stood = !taken;
  if (!taken) return;
  if (w->done) {
    judge_end(g, a, j, w);
    return;
  }
  assert_true(j->r.kind == HEDDLE_LINE_PORT_ATOM && j->r.gives && j->performed && (j->r.lanes >> w->lane & 1u) != 0);
  assert_true((uint64_t)j->answered < UINT64_C(1) << w->lane);
  assert_int_equal(w->old, j->old[w->lane]);
  j->answered |= 1u << w->lane;
}

void rig_cycle(struct rig *g) {
  judge_records(g);
  for (unsigned n = 0; n < g->o.sms; n++) {
    struct agent *a = &g->sm[n];
    const struct heddle_line_port_out *o = heddle_line_port_show(g->p, n);
    struct heddle_line_port_in in = {.answer_ready = draw(g, 4) != 0};
    if (o->credit_valid && o->credit_atom) a->atoms++;
    if (o->credit_valid && !o->credit_atom) a->credits++;
    if (a->credits > a->most_credits) a->most_credits = a->credits;
    if (a->atoms > a->most_atoms) a->most_atoms = a->atoms;
    if (o->read_valid) judge_beat(g, a, &o->read);
    if (a->stood) assert_true(o->answer_valid);
    if (o->answer_valid) judge_answer(g, a, &o->answer, in.answer_ready);
    drive(g, n, &in);
    heddle_line_port_offer(g->p, n, &in);
  }
  heddle_line_port_clock(g->p);
  if (heddle_line_port_error(g->p) != NULL) fail_msg("%s", heddle_line_port_error(g->p));
}

void rig_begin(struct rig *g, const struct heddle_line_port_options *o, uint64_t seed) {
  memset(g, 0, sizeof *g);
  g->o = *o;
  g->o.tags = AGENT_TAGS;
  if (g->o.atoms == 0) g->o.atoms = 3;
  g->o.base = AGENT_BASE;
  g->o.bytes = AGENT_MEMORY;
  g->o.error[1] = (struct heddle_line_port_range){AGENT_BASE + 3 * AGENT_MEMORY / 4 + 5, AGENT_BASE + AGENT_MEMORY};
  g->rng = seed;
  g->p = heddle_line_port_new(&g->o);
  assert_non_null(g->p);
  for (unsigned i = 0; i < AGENT_SMS; i++) g->sm[i].making = -1;
  if (heddle_line_port_contents(g->p) == NULL) return;
  for (size_t i = 0; i < AGENT_MEMORY; i++)
    heddle_line_port_contents(g->p)[i] = g->shadow[i] = (uint8_t)(i % 4 == 0 ? draw(g, 4) : 0);
}

void rig_end(struct rig *g) {
  g->draining = true;
  for (unsigned i = 0; i < 20000; i++) rig_cycle(g);
  assert_true(heddle_line_port_idle(g->p));
  for (unsigned n = 0; n < g->o.sms; n++) {
    const unsigned credits = g->o.credits != 0 ? g->o.credits : AGENT_TAGS;
    assert_true(g->sm[n].credits == credits && g->sm[n].most_credits == credits);
    assert_true(g->sm[n].atoms == g->o.atoms && g->sm[n].most_atoms == g->o.atoms);
    for (unsigned t = 0; t < AGENT_TAGS; t++) assert_false(g->sm[n].job[t].busy);
  }
  if (heddle_line_port_contents(g->p) != NULL)
    assert_memory_equal(heddle_line_port_contents(g->p), g->shadow, AGENT_MEMORY);
  heddle_line_port_free(g->p);
}
