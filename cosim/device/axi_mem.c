/* SPDX-License-Identifier: Apache-2.0
 *
 * The AXI memory: ports of five channels each, one clock. See axi_mem.h for the contract.
 */
#include <stdlib.h>
#include <string.h>

#include "cosim/device/axi_internal.h"
#include "base/options.h"

void heddle_axi_mem_calm(struct heddle_axi_mem_config *c) {
  struct heddle_axi_mem_config own;
  if (!options_take(&own, sizeof own, c)) return;
  own.seed = 1;
  own.latency_min = own.latency_max = 1;
  memset(own.stall, 0, sizeof own.stall);
  own.reorder = own.interleave = own.hold_aw = own.any_error = false;
  options_give(c, sizeof own, &own);
}

void heddle_axi_mem_adversarial(struct heddle_axi_mem_config *c, uint64_t seed) {
  struct heddle_axi_mem_config own;
  if (!options_take(&own, sizeof own, c)) return;
  own.seed = seed;
  own.latency_min = 1;
  own.latency_max = 60;
  for (unsigned i = 0; i < HEDDLE_AXI_CHANNELS; i++) own.stall[i] = (uint16_t)(150 + 90 * i);
  own.reorder = own.interleave = own.hold_aw = own.any_error = true;
  options_give(c, sizeof own, &own);
}

static bool memory_config_ok(const struct heddle_axi_mem_config *c) {
  const unsigned n = c->data_bytes;
  bool ok = c->ports <= HEDDLE_AXI_MEM_PORTS && (c->ports & (c->ports - 1)) == 0 && n >= 4 &&
            n <= HEDDLE_AXI_MEM_MAX_BYTES && (n & (n - 1)) == 0 && c->bytes != 0 && c->base + c->bytes > c->base &&
            c->latency_min <= c->latency_max && c->base % n == 0 && c->bytes % n == 0;
  for (unsigned i = 0; i < HEDDLE_AXI_CHANNELS; i++) ok = ok && c->stall[i] < 1000;
  return ok;
}

static bool begin_port(struct heddle_axi_mem *m, unsigned number) {
  struct axi_port *q = &m->port[number];
  q->m = m;
  q->number = number;
  q->out = &m->out[number];
  q->stats = &m->stats[number];
  q->rng = (m->cfg.seed + 0x100000001ull * number) * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull;
  q->ahead = calloc(HEDDLE_AXI_MEM_AHEAD, sizeof *q->ahead);
  q->data = calloc(HEDDLE_AXI_MEM_QUEUE, sizeof *q->data); /* megabytes, of which few are ever touched */
  return q->ahead != NULL && q->data != NULL;
}

static bool begin_memory(struct heddle_axi_mem *m) {
  m->bytes = calloc(1, m->cfg.bytes);
  m->port = calloc(m->cfg.ports, sizeof *m->port);
  m->out = calloc(m->cfg.ports, sizeof *m->out);
  m->stats = calloc(m->cfg.ports + 1, sizeof *m->stats);
  bool ok = m->bytes != NULL && m->port != NULL && m->out != NULL && m->stats != NULL;
  for (unsigned i = 0; ok && i < m->cfg.ports; i++) ok = begin_port(m, i);
  return ok;
}

struct heddle_axi_mem *heddle_axi_mem_new(const struct heddle_axi_mem_config *given) {
  struct heddle_axi_mem_config own;
  if (!options_take(&own, sizeof own, given)) return NULL;
  if (own.ports == 0) own.ports = 1;
  if (!memory_config_ok(&own)) return NULL;
  struct heddle_axi_mem *m = calloc(1, sizeof *m);
  if (m == NULL) return NULL;
  m->cfg = own;
  m->calm = !own.hold_aw;
  for (unsigned i = 0; i < HEDDLE_AXI_CHANNELS; i++) m->calm = m->calm && own.stall[i] == 0;
  if (begin_memory(m)) {
    heddle_axi_mem_reset(m);
    return m;
  }
  heddle_axi_mem_free(m);
  return NULL;
}

void heddle_axi_mem_free(struct heddle_axi_mem *m) {
  if (m == NULL) return;
  for (unsigned i = 0; m->port != NULL && i < m->cfg.ports; i++) {
    free(m->port[i].ahead);
    free(m->port[i].data);
    free(m->port[i].answer);
  }
  free(m->port);
  free(m->out);
  free(m->stats);
  free(m->bytes);
  free(m->missing);
  free(m);
}

static void reset_port(struct axi_port *q, bool any_order) {
  memset(q->out, 0, sizeof *q->out);
  memset(&q->prev, 0, sizeof q->prev);
  axi_table_clear(&q->write, any_order);
  axi_table_clear(&q->read, any_order);
  q->filling = q->answered = q->r_current = AXI_NONE;
  q->ahead_head = q->ahead_count = 0;
  q->held_aw = 0;
  q->hold = false;
}

void heddle_axi_mem_reset(struct heddle_axi_mem *m) {
  for (unsigned i = 0; i < m->cfg.ports; i++) reset_port(&m->port[i], m->cfg.reorder || m->outside != NULL);
}

uint8_t *heddle_axi_mem_bytes(struct heddle_axi_mem *m) {
  return m->bytes;
}
const uint8_t *heddle_axi_mem_view(const struct heddle_axi_mem *m) {
  return m->bytes;
}
const struct heddle_axi_mem_config *heddle_axi_mem_configuration(const struct heddle_axi_mem *m) {
  return &m->cfg;
}
const struct heddle_axi_mem_out *heddle_axi_mem_outputs(const struct heddle_axi_mem *m) {
  return m->out;
}
const struct heddle_axi_mem_stats *heddle_axi_mem_port_statistics(const struct heddle_axi_mem *m, unsigned port) {
  return &m->stats[port];
}

static void add_stats(struct heddle_axi_mem_stats *to, const struct heddle_axi_mem_stats *s) {
  to->reads += s->reads;
  to->writes += s->writes;
  to->read_beats += s->read_beats;
  to->write_beats += s->write_beats;
  to->w_before_aw += s->w_before_aw;
  to->r_reordered += s->r_reordered;
  to->b_reordered += s->b_reordered;
  to->r_interleaved += s->r_interleaved;
  for (unsigned i = 0; i < HEDDLE_AXI_CHANNELS; i++) to->held[i] += s->held[i];
  to->error_responses += s->error_responses;
  to->protocol_errors += s->protocol_errors;
}

static void sum_statistics(struct heddle_axi_mem *m) {
  struct heddle_axi_mem_stats *sum = &m->stats[m->cfg.ports];
  memset(sum, 0, sizeof *sum);
  for (unsigned i = 0; i < m->cfg.ports; i++) add_stats(sum, &m->stats[i]);
}

const struct heddle_axi_mem_stats *heddle_axi_mem_statistics(const struct heddle_axi_mem *m) {
  return &m->stats[m->cfg.ports == 1 ? 0 : m->cfg.ports];
}

const char *heddle_axi_mem_protocol_error(const struct heddle_axi_mem *m) {
  return m->error[0] != '\0' ? m->error : NULL;
}

static bool idle(const struct axi_port *q) {
  return q->write.count == 0 && q->read.count == 0 && q->ahead_count == 0 && !q->out->b_valid && !q->out->r_valid;
}

bool heddle_axi_mem_idle(const struct heddle_axi_mem *m) {
  bool all = true;
  for (unsigned i = 0; i < m->cfg.ports; i++) all = all && idle(&m->port[i]);
  return all;
}

bool heddle_axi_mem_writing(const struct heddle_axi_mem *m) {
  bool any = false;
  for (unsigned i = 0; i < m->cfg.ports; i++) any = any || m->port[i].write.count != 0 || m->port[i].ahead_count != 0;
  return any;
}

void heddle_axi_mem_writable(struct heddle_axi_mem *m, const struct heddle_axi_mem_range *r, unsigned n) {
  m->ranges = n < HEDDLE_AXI_MEM_RANGES ? n : HEDDLE_AXI_MEM_RANGES;
  if (m->ranges != 0) memcpy(m->range, r, m->ranges * sizeof *r);
  m->strayed = false;
}

void heddle_axi_mem_errors(struct heddle_axi_mem *m, uint64_t base, uint64_t limit) {
  m->cfg.error_base = base;
  m->cfg.error_limit = limit;
  m->refused = false;
  free(m->missing);
  m->missing = NULL;
}

bool heddle_axi_mem_refused(const struct heddle_axi_mem *m, uint64_t *addr) {
  *addr = m->refused_at;
  return m->refused;
}

bool heddle_axi_mem_missing(const struct heddle_axi_mem *m, uint64_t addr) {
  return m->missing != NULL && addr - m->cfg.base < m->cfg.bytes && m->missing[addr - m->cfg.base] != 0;
}

bool heddle_axi_mem_strayed(const struct heddle_axi_mem *m, uint64_t *addr) {
  *addr = m->stray;
  return m->strayed;
}

static bool writable(const struct heddle_axi_mem *m, uint64_t from, uint64_t limit) {
  for (unsigned i = 0; i < m->ranges; i++)
    if (from >= m->range[i].base && limit <= m->range[i].limit) return true;
  return m->ranges == 0;
}

static void note_stray(struct heddle_axi_mem *m, uint64_t addr) {
  if (m->strayed || writable(m, addr, addr + 1)) return;
  m->strayed = true;
  m->stray = addr;
}

static bool exist(const struct heddle_axi_mem *m, uint64_t at, unsigned n) {
  return at >= m->cfg.base && at + n <= m->cfg.base + m->cfg.bytes && at + n > at;
}

bool heddle_axi_mem_load(const struct heddle_axi_mem *m, uint64_t at, void *to, unsigned n) {
  if (!exist(m, at, n)) return false;
  memcpy(to, m->bytes + (at - m->cfg.base), n);
  return true;
}

bool heddle_axi_mem_store(struct heddle_axi_mem *m, uint64_t at, const void *from, const uint64_t *strb, unsigned n) {
  if (!exist(m, at, n)) return false;
  uint8_t *to = m->bytes + (at - m->cfg.base);
  for (unsigned i = 0; i < n; i++) {
    if ((strb[i / 64] >> i % 64 & 1u) == 0) continue;
    to[i] = ((const uint8_t *)from)[i];
    note_stray(m, at + i);
  }
  return true;
}

static uint32_t draw_below(struct axi_port *q, uint32_t below) {
  q->rng ^= q->rng << 13;
  q->rng ^= q->rng >> 7;
  q->rng ^= q->rng << 17;
  return (uint32_t)((q->rng >> 32) * below >> 32);
}

static bool stalled(struct axi_port *q, unsigned channel) {
  return q->m->cfg.stall[channel] != 0 && draw_below(q, 1000) < q->m->cfg.stall[channel];
}

static uint64_t due(struct axi_port *q) {
  const uint32_t span = q->m->cfg.latency_max - q->m->cfg.latency_min;
  return q->m->cycle + q->m->cfg.latency_min + (span != 0 ? draw_below(q, span + 1) : 0);
}

static bool in_error(const struct heddle_axi_mem *m, uint64_t from, uint64_t end) {
  return from < m->cfg.error_limit && end > m->cfg.error_base;
}

/* Which error it is, and whether each beat of a read has it, is open where the bytes are there. */
static void respond(struct axi_port *q, struct axi_burst *b) {
  if (q->m->outside != NULL) return;
  const uint64_t from = b->a.addr, end = axi_burst_end(&b->a);
  if (in_error(q->m, from, end)) {
    b->resp = q->m->cfg.any_error && draw_below(q, 2) != 0 ? AXI_DECERR : AXI_SLVERR;
    b->in_part = q->m->cfg.any_error && draw_below(q, 2) != 0;
  }
  if (from < q->m->cfg.base || end > q->m->cfg.base + q->m->cfg.bytes || end < from) {
    b->resp = AXI_DECERR;
    b->in_part = false;
  }
  if (b->resp != AXI_OKAY) q->stats->error_responses++;
}

static void take_write(struct axi_port *q, const struct heddle_axi_mem_addr *a) {
  axi_check_burst(q, a, "AW");
  axi_check_hazard(q, a, true);
  struct axi_burst b = {.a = *a};
  respond(q, &b);
  b.a.size &= 7u;
  const uint16_t at = axi_table_add(&q->write, &b);
  if (q->filling == AXI_NONE) q->filling = at;
  q->stats->writes++;
  q->held_aw = 0;
  q->hold = q->m->cfg.hold_aw && draw_below(q, 2) != 0;
}

static void take_read(struct axi_port *q, const struct heddle_axi_mem_addr *a) {
  axi_check_burst(q, a, "AR");
  axi_check_hazard(q, a, false);
  struct axi_burst b = {.a = *a, .ready = q->m->outside == NULL};
  respond(q, &b);
  b.a.size &= 7u;
  b.due = due(q);
  const uint16_t at = axi_table_add(&q->read, &b);
  if (q->m->outside != NULL) axi_ask_read(q, at);
  q->stats->reads++;
}

/* Beats go to the oldest write that still lacks some. */
static void place_beats(struct axi_port *q) {
  while (q->ahead_count != 0 && q->filling != AXI_NONE) {
    struct axi_burst *b = &q->write.item[q->filling];
    const struct axi_w_beat *w = &q->ahead[q->ahead_head];
    struct axi_w_beat *to = &q->data[q->filling][b->beat];
    memcpy(to->data, w->data, q->m->cfg.data_bytes);
    memcpy(to->strb, w->strb, sizeof to->strb);
    if (w->last != (b->beat == b->a.len))
      axi_error(q, "W: last is wrong at beat %u of %u", b->beat + 1u, b->a.len + 1u);
    q->ahead_head = (q->ahead_head + 1) % HEDDLE_AXI_MEM_AHEAD;
    q->ahead_count--;
    if (b->beat++ < b->a.len) continue;
    if (q->m->outside != NULL)
      axi_ask_write(q, q->filling);
    else
      axi_table_ready(&q->write, q->filling, due(q));
    q->filling = b->newer;
  }
}

static void take_beat(struct axi_port *q, const struct heddle_axi_mem_in *in) {
  struct axi_w_beat *w = &q->ahead[(q->ahead_head + q->ahead_count) % HEDDLE_AXI_MEM_AHEAD];
  memcpy(w->data, in->w_data, q->m->cfg.data_bytes);
  memcpy(w->strb, in->w_strb, sizeof w->strb);
  w->last = in->w_last;
  q->ahead_count++;
  q->stats->write_beats++;
  if (q->filling == AXI_NONE) q->stats->w_before_aw++;
}

static void count_held(struct axi_port *q, const struct heddle_axi_mem_in *in) {
  const struct heddle_axi_mem_out *o = q->out;
  q->stats->held[HEDDLE_AXI_AW] += in->aw.valid && !o->aw_ready;
  q->stats->held[HEDDLE_AXI_W] += in->w_valid && !o->w_ready;
  q->stats->held[HEDDLE_AXI_B] += o->b_valid && !in->b_ready;
  q->stats->held[HEDDLE_AXI_AR] += in->ar.valid && !o->ar_ready;
  q->stats->held[HEDDLE_AXI_R] += o->r_valid && !in->r_ready;
}

/* What is shown and not taken has to stay as it is. */
static void accept(struct axi_port *q, const struct heddle_axi_mem_in *in) {
  struct heddle_axi_mem_in *p = &q->prev;
  const bool aw = in->aw.valid && q->out->aw_ready, w = in->w_valid && q->out->w_ready,
             ar = in->ar.valid && q->out->ar_ready;
  p->aw.valid = in->aw.valid && !aw;
  p->ar.valid = in->ar.valid && !ar;
  p->w_valid = in->w_valid && !w;
  if (p->aw.valid) p->aw = in->aw;
  if (p->ar.valid) p->ar = in->ar;
  if (p->w_valid) {
    memcpy(p->w_data, in->w_data, q->m->cfg.data_bytes);
    memcpy(p->w_strb, in->w_strb, sizeof p->w_strb);
    p->w_last = in->w_last;
  }
  if (aw) take_write(q, &in->aw);
  if (w) take_beat(q, in);
  if (ar) take_read(q, &in->ar);
  if (q->ahead_count != 0) place_beats(q);
}

static bool strobed(const struct axi_w_beat *w, unsigned byte) {
  return (w->strb[byte / 32] >> byte % 32 & 1u) != 0;
}

/* Of a write that is refused, and of one after it that is not. Pages that nobody touches are never there. */
static void note_missing(struct heddle_axi_mem *m, uint64_t addr, bool missing) {
  const uint64_t at = addr - m->cfg.base;
  if (at >= m->cfg.bytes || (m->missing == NULL && !missing)) return;
  if (m->missing == NULL) m->missing = calloc(1, m->cfg.bytes);
  if (m->missing != NULL) m->missing[at] = missing;
}

static void apply_write(struct axi_port *q, uint16_t at) {
  const struct axi_burst *b = &q->write.item[at];
  const unsigned n = q->m->cfg.data_bytes;
  const bool whole = writable(q->m, axi_burst_start(&b->a), axi_burst_end(&b->a));
  for (unsigned k = 0; k <= b->a.len; k++) {
    const struct axi_w_beat *w = &q->data[at][k];
    const uint64_t from = axi_beat_addr(&b->a, k), bus = from & ~(uint64_t)(n - 1), step = 1ull << b->a.size;
    const uint64_t low = from & ~(step - 1);
    for (unsigned j = 0; j < n; j++) {
      if (!strobed(w, j)) continue;
      if (bus + j < low || bus + j >= low + step) {
        axi_error(q, "W: a strobe outside of the transfer at 0x%llx", (unsigned long long)from);
      } else if (b->resp == AXI_OKAY) {
        q->m->bytes[bus + j - q->m->cfg.base] = w->data[j];
        if (!whole) note_stray(q->m, bus + j);
        if (q->m->missing != NULL) note_missing(q->m, bus + j, false);
      } else {
        note_missing(q->m, bus + j, true);
      }
    }
  }
}

/* A burst that may be answered now: by lot one of those that are able; where order is kept, the oldest of all; of those
 * answered outside, the oldest. */
static uint16_t choose_burst(struct axi_port *q, struct axi_table *t) {
  uint16_t pick = AXI_NONE;
  if (!t->any_order) {
    const struct axi_burst *b = &t->item[t->oldest];
    if (b->ready && b->due <= q->m->cycle && draw_below(q, 1) == 0) pick = t->oldest;
    return pick;
  }
  axi_table_wake(t, q->m->cycle);
  if (q->m->outside != NULL) return t->ables != 0 ? t->able[0] : AXI_NONE;
  for (unsigned i = 0; i < t->ables && i < HEDDLE_AXI_MEM_CHOICE; i++)
    if (draw_below(q, i + 1) == 0) pick = t->able[i];
  return pick;
}

/* A response that is there and held back for this cycle, as an interconnect on the way would. */
static bool withheld(struct axi_port *q, unsigned channel) {
  const bool hold = stalled(q, channel);
  q->stats->held[channel] += hold;
  return hold;
}

/* The master has taken the answer: its write is over. */
static void end_write(struct axi_port *q) {
  const struct axi_burst *b = &q->write.item[q->answered];
  if (b->resp != AXI_OKAY && !q->m->refused) {
    q->m->refused = true;
    q->m->refused_at = b->a.addr;
  }
  axi_table_remove(&q->write, q->answered);
}

static void drive_b(struct axi_port *q, const struct heddle_axi_mem_in *in) {
  if (q->out->b_valid && !in->b_ready) return;
  if (q->out->b_valid) end_write(q);
  q->out->b_valid = false;
  const uint16_t at = q->write.count > 0 ? choose_burst(q, &q->write) : AXI_NONE;
  if (at == AXI_NONE || withheld(q, HEDDLE_AXI_B)) return;
  if (q->m->outside == NULL) apply_write(q, at);
  if (at != q->write.oldest) q->stats->b_reordered++;
  q->answered = at;
  q->out->b_valid = true;
  q->out->b_id = q->write.item[at].a.id;
  q->out->b_resp = q->write.item[at].resp;
}

static void present_beat(struct axi_port *q, struct axi_burst *b) {
  const unsigned n = q->m->cfg.data_bytes;
  const uint64_t bus = axi_beat_addr(&b->a, b->beat) & ~(uint64_t)(n - 1);
  const bool spared = b->in_part && !in_error(q->m, bus, bus + n);
  const uint8_t resp = spared ? AXI_OKAY : b->resp;
  q->out->r_valid = true;
  q->out->r_id = b->a.id;
  q->out->r_resp = resp;
  q->out->r_last = b->beat == b->a.len;
  if (q->m->outside != NULL)
    axi_present_answer(q, b);
  else if (resp == AXI_OKAY)
    memcpy(q->out->r_data, q->m->bytes + (bus - q->m->cfg.base), n);
  else
    memset(q->out->r_data, 0xee, n);
  q->stats->read_beats++;
}

static void drive_r(struct axi_port *q, const struct heddle_axi_mem_in *in) {
  if (q->out->r_valid && !in->r_ready) return;
  if (q->out->r_valid) {
    struct axi_burst *b = &q->read.item[q->r_current];
    if (++b->beat > b->a.len) {
      axi_table_remove(&q->read, q->r_current);
      q->r_current = AXI_NONE;
    }
    q->out->r_valid = false;
  }
  if (q->read.count == 0) return;
  const uint16_t was = q->r_current;
  if (was == AXI_NONE || q->m->cfg.interleave) {
    const uint16_t at = choose_burst(q, &q->read);
    if (at != AXI_NONE) q->r_current = at;
  }
  if (q->r_current == AXI_NONE || withheld(q, HEDDLE_AXI_R)) return;
  if (was != AXI_NONE && q->r_current != was) q->stats->r_interleaved++;
  if (q->r_current != q->read.oldest && q->read.item[q->r_current].beat == 0) q->stats->r_reordered++;
  present_beat(q, &q->read.item[q->r_current]);
}

/* An address that shall wait for its data is refused until a beat has come, but not for ever. */
static bool aw_held(struct axi_port *q) {
  if (!q->m->cfg.hold_aw || !q->hold || q->ahead_count != 0) return false;
  if (q->prev.aw.valid) q->held_aw++;
  return q->held_aw < 64;
}

static void drive_ready(struct axi_port *q) {
  const bool hold = aw_held(q);
  q->out->aw_ready = q->write.count < HEDDLE_AXI_MEM_QUEUE && !hold && !stalled(q, HEDDLE_AXI_AW);
  q->out->w_ready = q->ahead_count + 1 < HEDDLE_AXI_MEM_AHEAD && !stalled(q, HEDDLE_AXI_W);
  q->out->ar_ready = q->read.count < HEDDLE_AXI_MEM_QUEUE && !stalled(q, HEDDLE_AXI_AR);
}

/* Nobody asks, nothing is under way, and nothing is drawn by lot: the outputs stay as they are. */
static bool asleep(const struct axi_port *q, const struct heddle_axi_mem_in *in) {
  const struct heddle_axi_mem_out *o = q->out;
  return q->m->calm && !in->aw.valid && !in->ar.valid && !in->w_valid && !q->prev.aw.valid && !q->prev.ar.valid &&
         !q->prev.w_valid && o->aw_ready && o->w_ready && o->ar_ready && idle(q);
}

static void take_requests(struct axi_port *q, const struct heddle_axi_mem_in *in) {
  q->sleeps = asleep(q, in);
  if (q->sleeps) return;
  axi_check_stable(q, in);
  count_held(q, in);
  accept(q, in);
}

static void drive(struct axi_port *q, const struct heddle_axi_mem_in *in) {
  if (q->sleeps) return;
  drive_b(q, in);
  drive_r(q, in);
  drive_ready(q);
}

void heddle_axi_mem_clock(struct heddle_axi_mem *m, const struct heddle_axi_mem_in *in) {
  m->cycle++;
  for (unsigned i = 0; i < m->cfg.ports; i++) take_requests(&m->port[i], &in[i]);
  if (m->outside != NULL) m->outside->pass(m->outside->self);
  for (unsigned i = 0; i < m->cfg.ports; i++) drive(&m->port[i], &in[i]);
  if (m->cfg.ports > 1) sum_statistics(m);
}
