/* SPDX-License-Identifier: Apache-2.0
 *
 * The AXI memory: five channels, one clock. See axi_mem.h for the contract.
 */
#include <stdlib.h>
#include <string.h>

#include "cosim/device/axi_internal.h"
#include "isa/util/options.h"

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

static bool config_ok(const struct heddle_axi_mem_config *c) {
  const unsigned n = c->data_bytes;
  bool ok = n >= 4 && n <= HEDDLE_AXI_MEM_MAX_BYTES && (n & (n - 1)) == 0 && c->bytes != 0 &&
            c->base + c->bytes > c->base && c->latency_min <= c->latency_max && c->base % n == 0 && c->bytes % n == 0;
  for (unsigned i = 0; i < HEDDLE_AXI_CHANNELS; i++) ok = ok && c->stall[i] < 1000;
  return ok;
}

struct heddle_axi_mem *heddle_axi_mem_new(const struct heddle_axi_mem_config *given) {
  struct heddle_axi_mem_config own;
  const struct heddle_axi_mem_config *c = &own;
  if (!options_take(&own, sizeof own, given) || !config_ok(c)) return NULL;
  struct heddle_axi_mem *m = calloc(1, sizeof *m);
  if (m == NULL) return NULL;
  m->cfg = *c;
  m->rng = c->seed * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull;
  m->bytes = calloc(1, c->bytes);
  m->ahead = calloc(HEDDLE_AXI_MEM_AHEAD, sizeof *m->ahead);
  m->data = calloc(HEDDLE_AXI_MEM_QUEUE, sizeof *m->data); /* megabytes, of which few are ever touched */
  heddle_axi_mem_reset(m);
  m->calm = !c->hold_aw;
  for (unsigned i = 0; i < HEDDLE_AXI_CHANNELS; i++) m->calm = m->calm && c->stall[i] == 0;
  if (m->bytes != NULL && m->ahead != NULL && m->data != NULL) return m;
  heddle_axi_mem_free(m);
  return NULL;
}

void heddle_axi_mem_free(struct heddle_axi_mem *m) {
  if (m == NULL) return;
  free(m->bytes);
  free(m->ahead);
  free(m->data);
  free(m->answer);
  free(m->missing);
  free(m);
}

void heddle_axi_mem_reset(struct heddle_axi_mem *m) {
  memset(&m->out, 0, sizeof m->out);
  memset(&m->prev, 0, sizeof m->prev);
  axi_table_clear(&m->write, m->cfg.reorder || m->outside != NULL);
  axi_table_clear(&m->read, m->cfg.reorder || m->outside != NULL);
  m->filling = m->answered = m->r_current = AXI_NONE;
  m->ahead_head = m->ahead_count = 0;
  m->held_aw = 0;
  m->hold = false;
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
  return &m->out;
}
const struct heddle_axi_mem_stats *heddle_axi_mem_statistics(const struct heddle_axi_mem *m) {
  return &m->stats;
}
const char *heddle_axi_mem_protocol_error(const struct heddle_axi_mem *m) {
  return m->stats.protocol_errors != 0 ? m->error : NULL;
}

bool heddle_axi_mem_idle(const struct heddle_axi_mem *m) {
  return m->write.count == 0 && m->read.count == 0 && m->ahead_count == 0 && !m->out.b_valid && !m->out.r_valid;
}

bool heddle_axi_mem_writing(const struct heddle_axi_mem *m) {
  return m->write.count != 0 || m->ahead_count != 0;
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

static uint32_t draw(struct heddle_axi_mem *m, uint32_t below) {
  m->rng ^= m->rng << 13;
  m->rng ^= m->rng >> 7;
  m->rng ^= m->rng << 17;
  return (uint32_t)((m->rng >> 32) * below >> 32);
}

static bool stalled(struct heddle_axi_mem *m, unsigned channel) {
  return m->cfg.stall[channel] != 0 && draw(m, 1000) < m->cfg.stall[channel];
}

static uint64_t due(struct heddle_axi_mem *m) {
  const uint32_t span = m->cfg.latency_max - m->cfg.latency_min;
  return m->cycle + m->cfg.latency_min + (span != 0 ? draw(m, span + 1) : 0);
}

static bool in_error(const struct heddle_axi_mem *m, uint64_t from, uint64_t end) {
  return from < m->cfg.error_limit && end > m->cfg.error_base;
}

/* Which error it is, and whether each beat of a read has it, is open where the bytes are there. */
static void respond(struct heddle_axi_mem *m, struct axi_burst *b) {
  if (m->outside != NULL) return;
  const uint64_t from = b->a.addr, end = axi_burst_end(&b->a);
  if (in_error(m, from, end)) {
    b->resp = m->cfg.any_error && draw(m, 2) != 0 ? AXI_DECERR : AXI_SLVERR;
    b->in_part = m->cfg.any_error && draw(m, 2) != 0;
  }
  if (from < m->cfg.base || end > m->cfg.base + m->cfg.bytes || end < from) {
    b->resp = AXI_DECERR;
    b->in_part = false;
  }
  if (b->resp != AXI_OKAY) m->stats.error_responses++;
}

static void take_write(struct heddle_axi_mem *m, const struct heddle_axi_mem_addr *a) {
  axi_check_burst(m, a, "AW");
  axi_check_hazard(m, a, true);
  struct axi_burst b = {.a = *a};
  respond(m, &b);
  b.a.size &= 7u;
  const uint16_t at = axi_table_add(&m->write, &b);
  if (m->filling == AXI_NONE) m->filling = at;
  m->stats.writes++;
  m->held_aw = 0;
  m->hold = m->cfg.hold_aw && draw(m, 2) != 0;
}

static void take_read(struct heddle_axi_mem *m, const struct heddle_axi_mem_addr *a) {
  axi_check_burst(m, a, "AR");
  axi_check_hazard(m, a, false);
  struct axi_burst b = {.a = *a, .ready = m->outside == NULL};
  respond(m, &b);
  b.a.size &= 7u;
  b.due = due(m);
  const uint16_t at = axi_table_add(&m->read, &b);
  if (m->outside != NULL) axi_ask_read(m, at);
  m->stats.reads++;
}

/* Beats go to the oldest write that still lacks some. */
static void place_beats(struct heddle_axi_mem *m) {
  while (m->ahead_count != 0 && m->filling != AXI_NONE) {
    struct axi_burst *b = &m->write.item[m->filling];
    const struct axi_w_beat *w = &m->ahead[m->ahead_head];
    struct axi_w_beat *to = &m->data[m->filling][b->beat];
    memcpy(to->data, w->data, m->cfg.data_bytes);
    memcpy(to->strb, w->strb, sizeof to->strb);
    if (w->last != (b->beat == b->a.len))
      axi_error(m, "W: last is wrong at beat %u of %u", b->beat + 1u, b->a.len + 1u);
    m->ahead_head = (m->ahead_head + 1) % HEDDLE_AXI_MEM_AHEAD;
    m->ahead_count--;
    if (b->beat++ < b->a.len) continue;
    if (m->outside != NULL)
      axi_ask_write(m, m->filling);
    else
      axi_table_ready(&m->write, m->filling, due(m));
    m->filling = b->newer;
  }
}

static void take_beat(struct heddle_axi_mem *m, const struct heddle_axi_mem_in *in) {
  struct axi_w_beat *w = &m->ahead[(m->ahead_head + m->ahead_count) % HEDDLE_AXI_MEM_AHEAD];
  memcpy(w->data, in->w_data, m->cfg.data_bytes);
  memcpy(w->strb, in->w_strb, sizeof w->strb);
  w->last = in->w_last;
  m->ahead_count++;
  m->stats.write_beats++;
  if (m->filling == AXI_NONE) m->stats.w_before_aw++;
}

static void count_held(struct heddle_axi_mem *m, const struct heddle_axi_mem_in *in) {
  const struct heddle_axi_mem_out *o = &m->out;
  m->stats.held[HEDDLE_AXI_AW] += in->aw.valid && !o->aw_ready;
  m->stats.held[HEDDLE_AXI_W] += in->w_valid && !o->w_ready;
  m->stats.held[HEDDLE_AXI_B] += o->b_valid && !in->b_ready;
  m->stats.held[HEDDLE_AXI_AR] += in->ar.valid && !o->ar_ready;
  m->stats.held[HEDDLE_AXI_R] += o->r_valid && !in->r_ready;
}

/* What is shown and not taken has to stay as it is. */
static void accept(struct heddle_axi_mem *m, const struct heddle_axi_mem_in *in) {
  struct heddle_axi_mem_in *p = &m->prev;
  const bool aw = in->aw.valid && m->out.aw_ready, w = in->w_valid && m->out.w_ready,
             ar = in->ar.valid && m->out.ar_ready;
  p->aw.valid = in->aw.valid && !aw;
  p->ar.valid = in->ar.valid && !ar;
  p->w_valid = in->w_valid && !w;
  if (p->aw.valid) p->aw = in->aw;
  if (p->ar.valid) p->ar = in->ar;
  if (p->w_valid) {
    memcpy(p->w_data, in->w_data, m->cfg.data_bytes);
    memcpy(p->w_strb, in->w_strb, sizeof p->w_strb);
    p->w_last = in->w_last;
  }
  if (aw) take_write(m, &in->aw);
  if (w) take_beat(m, in);
  if (ar) take_read(m, &in->ar);
  if (m->ahead_count != 0) place_beats(m);
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

static void apply_write(struct heddle_axi_mem *m, uint16_t at) {
  const struct axi_burst *b = &m->write.item[at];
  const unsigned n = m->cfg.data_bytes;
  const bool whole = writable(m, axi_burst_start(&b->a), axi_burst_end(&b->a));
  for (unsigned k = 0; k <= b->a.len; k++) {
    const struct axi_w_beat *w = &m->data[at][k];
    const uint64_t from = axi_beat_addr(&b->a, k), bus = from & ~(uint64_t)(n - 1), step = 1ull << b->a.size;
    const uint64_t low = from & ~(step - 1);
    for (unsigned j = 0; j < n; j++) {
      if (!strobed(w, j)) continue;
      if (bus + j < low || bus + j >= low + step) {
        axi_error(m, "W: a strobe outside of the transfer at 0x%llx", (unsigned long long)from);
      } else if (b->resp == AXI_OKAY) {
        m->bytes[bus + j - m->cfg.base] = w->data[j];
        if (!whole) note_stray(m, bus + j);
        if (m->missing != NULL) note_missing(m, bus + j, false);
      } else {
        note_missing(m, bus + j, true);
      }
    }
  }
}

/* A burst that may be answered now: by lot one of those that are able; where order is kept, the oldest of all; of those
 * answered outside, the oldest. */
static uint16_t choose(struct heddle_axi_mem *m, struct axi_table *t) {
  uint16_t pick = AXI_NONE;
  if (!t->any_order) {
    const struct axi_burst *b = &t->item[t->oldest];
    if (b->ready && b->due <= m->cycle && draw(m, 1) == 0) pick = t->oldest;
    return pick;
  }
  axi_table_wake(t, m->cycle);
  if (m->outside != NULL) return t->ables != 0 ? t->able[0] : AXI_NONE;
  for (unsigned i = 0; i < t->ables && i < HEDDLE_AXI_MEM_CHOICE; i++)
    if (draw(m, i + 1) == 0) pick = t->able[i];
  return pick;
}

/* A response that is there and held back for this cycle, as an interconnect on the way would. */
static bool withheld(struct heddle_axi_mem *m, unsigned channel) {
  const bool hold = stalled(m, channel);
  m->stats.held[channel] += hold;
  return hold;
}

/* The master has taken the answer: its write is over. */
static void end_write(struct heddle_axi_mem *m) {
  const struct axi_burst *b = &m->write.item[m->answered];
  if (b->resp != AXI_OKAY && !m->refused) {
    m->refused = true;
    m->refused_at = b->a.addr;
  }
  axi_table_remove(&m->write, m->answered);
}

static void drive_b(struct heddle_axi_mem *m, const struct heddle_axi_mem_in *in) {
  if (m->out.b_valid && !in->b_ready) return;
  if (m->out.b_valid) end_write(m);
  m->out.b_valid = false;
  const uint16_t at = m->write.count > 0 ? choose(m, &m->write) : AXI_NONE;
  if (at == AXI_NONE || withheld(m, HEDDLE_AXI_B)) return;
  if (m->outside == NULL) apply_write(m, at);
  if (at != m->write.oldest) m->stats.b_reordered++;
  m->answered = at;
  m->out.b_valid = true;
  m->out.b_id = m->write.item[at].a.id;
  m->out.b_resp = m->write.item[at].resp;
}

static void present_beat(struct heddle_axi_mem *m, struct axi_burst *b) {
  const unsigned n = m->cfg.data_bytes;
  const uint64_t bus = axi_beat_addr(&b->a, b->beat) & ~(uint64_t)(n - 1);
  const bool spared = b->in_part && !in_error(m, bus, bus + n);
  const uint8_t resp = spared ? AXI_OKAY : b->resp;
  m->out.r_valid = true;
  m->out.r_id = b->a.id;
  m->out.r_resp = resp;
  m->out.r_last = b->beat == b->a.len;
  if (m->outside != NULL)
    axi_present_answer(m, b);
  else if (resp == AXI_OKAY)
    memcpy(m->out.r_data, m->bytes + (bus - m->cfg.base), n);
  else
    memset(m->out.r_data, 0xee, n);
  m->stats.read_beats++;
}

static void drive_r(struct heddle_axi_mem *m, const struct heddle_axi_mem_in *in) {
  if (m->out.r_valid && !in->r_ready) return;
  if (m->out.r_valid) {
    struct axi_burst *b = &m->read.item[m->r_current];
    if (++b->beat > b->a.len) {
      axi_table_remove(&m->read, m->r_current);
      m->r_current = AXI_NONE;
    }
    m->out.r_valid = false;
  }
  if (m->read.count == 0) return;
  const uint16_t was = m->r_current;
  if (was == AXI_NONE || m->cfg.interleave) {
    const uint16_t at = choose(m, &m->read);
    if (at != AXI_NONE) m->r_current = at;
  }
  if (m->r_current == AXI_NONE || withheld(m, HEDDLE_AXI_R)) return;
  if (was != AXI_NONE && m->r_current != was) m->stats.r_interleaved++;
  if (m->r_current != m->read.oldest && m->read.item[m->r_current].beat == 0) m->stats.r_reordered++;
  present_beat(m, &m->read.item[m->r_current]);
}

/* An address that shall wait for its data is refused until a beat has come, but not for ever. */
static bool aw_held(struct heddle_axi_mem *m) {
  if (!m->cfg.hold_aw || !m->hold || m->ahead_count != 0) return false;
  if (m->prev.aw.valid) m->held_aw++;
  return m->held_aw < 64;
}

static void drive_ready(struct heddle_axi_mem *m) {
  const bool hold = aw_held(m);
  m->out.aw_ready = m->write.count < HEDDLE_AXI_MEM_QUEUE && !hold && !stalled(m, HEDDLE_AXI_AW);
  m->out.w_ready = m->ahead_count + 1 < HEDDLE_AXI_MEM_AHEAD && !stalled(m, HEDDLE_AXI_W);
  m->out.ar_ready = m->read.count < HEDDLE_AXI_MEM_QUEUE && !stalled(m, HEDDLE_AXI_AR);
}

/* Nobody asks, nothing is under way, and nothing is drawn by lot: the outputs stay as they are. */
static bool asleep(const struct heddle_axi_mem *m, const struct heddle_axi_mem_in *in) {
  const struct heddle_axi_mem_out *o = &m->out;
  return m->calm && !in->aw.valid && !in->ar.valid && !in->w_valid && !m->prev.aw.valid && !m->prev.ar.valid &&
         !m->prev.w_valid && o->aw_ready && o->w_ready && o->ar_ready && heddle_axi_mem_idle(m);
}

void heddle_axi_mem_clock(struct heddle_axi_mem *m, const struct heddle_axi_mem_in *in) {
  m->cycle++;
  const bool sleeps = asleep(m, in);
  if (!sleeps) {
    axi_check_stable(m, in);
    count_held(m, in);
    accept(m, in);
  }
  if (m->outside != NULL) m->outside->pass(m->outside->self);
  if (sleeps) return;
  drive_b(m, in);
  drive_r(m, in);
  drive_ready(m);
}
