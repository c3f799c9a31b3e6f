/* SPDX-License-Identifier: Apache-2.0
 *
 * Several SMs with an L1 each, played at random.
 */
#include "cached_several.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include <heddle/record.h>
#include <heddle/trace.h>
#include "base/splitmix64.h"
#include "tests/cosim/cached_sm_internal.h"
#include "tests/test.h"

struct several {
  const struct several_config *cfg;
  struct cached x;
  struct sm sm[CACHED_SMS];
  bool runs[CACHED_SMS];
  unsigned blocks, begun;
  uint64_t rng;
  struct stream shown, merged;
  struct several_outcome *out;
  /* memory that is wrong */
  bool planted;
};

static unsigned draw(struct several *m, unsigned below) {
  return (unsigned)(splitmix64(&m->rng) >> 33) % below;
}

/* ---- the grid */

static void begin(struct several *m, unsigned k) {
  m->runs[k] = m->begun < m->blocks;
  if (!m->runs[k]) return;
  cached_block_on(&m->x, m->begun++, 0, m->sm[k].first);
  m->out->blocks++;
}

static void setup(struct several *m, uint64_t seed) {
  const struct several_config *cfg = m->cfg;
  const unsigned warps = 1 + draw(m, 2);
  m->blocks = cfg->sms + draw(m, cfg->sms + 1);
  for (unsigned k = 0; k < cfg->sms; k++) {
    struct sm *s = &m->sm[k];
    const bool wrong = k == 1 && (cfg->what == SEVERAL_SM || cfg->what == SEVERAL_SILENT);
    *s = (struct sm){.x = &m->x,
                     .at = k,
                     .first = k * CACHED_WARPS,
                     .rng = seed * 64 + k,
                     .fault = wrong ? cfg->fault : SM_RIGHT,
                     .tells = cfg->promises == 0,
                     .silent = wrong && cfg->what == SEVERAL_SILENT,
                     .warps = warps,
                     .out = &m->out->of};
  }
  char *text = sm_program(&m->sm[0], true);
  m->x.sms = cfg->sms;
  m->x.banks = cfg->banks;
  m->x.shown = &m->shown;
  m->x.later = true;
  cached_begin(&m->x, text, m->blocks, 32 * warps, NULL);
  free(text);
  for (unsigned k = 0; k < cfg->sms; k++) begin(m, k);
}

/* ---- memory that is wrong */

/* A store or atomic that has been shown is forgotten again: who asks later reads what was there before. */
static void forget_store(struct several *m, const uint8_t *before, size_t shown) {
  if (m->planted || m->shown.n == shown || draw(m, 12) != 0) return;
  const struct heddle_retire_record *r = &m->shown.r[m->shown.n - 1];
  while (r->kind == HEDDLE_RECORD_WRITE && r > &m->shown.r[shown]) r--; /* an atomic's result comes with it */
  if (r->kind != HEDDLE_RECORD_GLOBAL || r->u.global.access == HEDDLE_RECORD_LOAD ||
      r->u.global.access > HEDDLE_RECORD_ATOMIC)
    return;
  const size_t at = r->u.global.sector * HEDDLE_RECORD_SECTOR - FAKE_BASE;
  if (memcmp(before + at, heddle_model_memory(m->x.m) + at, HEDDLE_RECORD_SECTOR) == 0) return;
  memcpy(heddle_model_memory(m->x.m) + at, before + at, HEDDLE_RECORD_SECTOR);
  m->planted = m->out->of.planted = true;
}

static void step(struct several *m) {
  static uint8_t before[FAKE_BYTES];
  const unsigned k = draw(m, m->cfg->sms);
  struct sm *s = &m->sm[k];
  const size_t shown = m->shown.n;
  if (!m->runs[k]) return;
  if (m->cfg->what == SEVERAL_LOST) memcpy(before, heddle_model_memory(m->x.m), sizeof before);
  sm_step(s);
  if (m->cfg->what == SEVERAL_LOST) forget_store(m, before, shown);
  if (!sm_over(s)) return;
  cached_block_end_on(&m->x, k, 0);
  begin(m, k);
}

static bool over(const struct several *m) {
  bool all = true;
  for (unsigned k = 0; k < m->cfg->sms; k++) all = all && !m->runs[k];
  return all;
}

/* ---- what is shown wrong */

static bool same_sector(const struct heddle_retire_record *a, const struct heddle_retire_record *b) {
  if (a->kind != HEDDLE_RECORD_GLOBAL || b->kind != HEDDLE_RECORD_GLOBAL || a->u.global.sector != b->u.global.sector)
    return false;
  const bool local = a->u.global.access > HEDDLE_RECORD_ATOMIC || b->u.global.access > HEDDLE_RECORD_ATOMIC;
  const bool writes = a->u.global.access != HEDDLE_RECORD_LOAD || b->u.global.access != HEDDLE_RECORD_LOAD;
  return !local && writes && a->u.global.id.sm != b->u.global.id.sm;
}

/* Two accesses of SMs to one sector, one behind the other in their bank, are shown in the other order. The one that is
 * shown too early must have been asked for. */
static bool swap(struct several *m, struct stream *s, bool stamps) {
  for (unsigned tries = 0; tries < 200; tries++) {
    const size_t n = draw(m, (unsigned)s->n);
    size_t k = n + 1, asked = 0;
    while (k < s->n && !same_sector(&s->r[n], &s->r[k])) {
      if (s->r[n].kind == HEDDLE_RECORD_GLOBAL && s->r[k].kind == HEDDLE_RECORD_GLOBAL &&
          s->r[k].u.global.sector == s->r[n].u.global.sector)
        k = s->n;
      else
        k++;
    }
    if (k >= s->n || s->r[n].kind != HEDDLE_RECORD_GLOBAL) continue;
    for (size_t i = 0; i < k; i++)
      if (s->r[i].kind == HEDDLE_RECORD_DROP &&
          memcmp(&s->r[i].u.drop.id, &s->r[k].u.global.id, sizeof(struct heddle_record_id)) == 0)
        asked = i;
    if (asked > n) continue;
    const struct heddle_retire_record first = s->r[n];
    struct heddle_retire_record second = s->r[k];
    const uint64_t cycle = second.cycle;
    second.cycle = first.cycle;
    if (!stamps) second.u.global.stamp = first.u.global.stamp;
    stream_drop(s, k);
    stream_insert(s, n, &second);
    s->r[n + 1].cycle = first.cycle;
    (void)cycle;
    return true;
  }
  return false;
}

static bool other_sm(struct several *m, struct stream *s) {
  for (unsigned tries = 0; tries < 200; tries++) {
    struct heddle_retire_record *r = &s->r[draw(m, (unsigned)s->n)];
    if (r->kind != HEDDLE_RECORD_ISSUE && r->kind != HEDDLE_RECORD_GLOBAL && r->kind != HEDDLE_RECORD_HIT &&
        r->kind != HEDDLE_RECORD_ACK && r->kind != HEDDLE_RECORD_FILL)
      continue;
    uint8_t *sm = r->kind == HEDDLE_RECORD_FILL ? &r->u.fill.sm : (uint8_t *)&heddle_record_id_of(r)->sm;
    *sm = (uint8_t)((*sm + 1) % m->cfg->sms);
    return true;
  }
  return false;
}

static bool begun_twice(struct several *m, struct stream *s) {
  const struct heddle_retire_record *first = NULL;
  for (size_t i = 0; i < s->n; i++) {
    struct heddle_retire_record *r = &s->r[i];
    if (r->kind != HEDDLE_RECORD_BLOCK_START) continue;
    if (first != NULL && first->u.block_start.sm != r->u.block_start.sm && draw(m, 2) == 0) {
      memcpy(r->u.block_start.ctaid, first->u.block_start.ctaid, sizeof r->u.block_start.ctaid);
      return true;
    }
    if (first == NULL || draw(m, 2) == 0) first = r;
  }
  return false;
}

static void spoil(struct several *m) {
  bool done = false;
  switch (m->cfg->what) {
  case SEVERAL_SWAPPED:
  case SEVERAL_STAMP:
    done = swap(m, &m->merged, m->cfg->what == SEVERAL_STAMP);
    break;
  case SEVERAL_OTHER_SM:
    done = other_sm(m, &m->merged);
    break;
  case SEVERAL_BEGUN_TWICE:
    done = begun_twice(m, &m->merged);
    break;
  default:
    return;
  }
  m->out->of.planted = done;
}

/* ---- the judge */

static struct heddle_checker_config judged_as(const struct several *m) {
  struct heddle_checker_config cfg = {.cache_sectors = ROOM,
                                      .cache_promises = m->cfg->promises,
                                      .shown = m->cfg->sms,
                                      .reorder = m->cfg->reorder,
                                      .memory_banks = m->cfg->banks};
  cfg = cached_config(&cfg);
  cfg.hidden.options &= ~(1u << HEDDLE_RECORD_OPTION_GLOBAL_BANK | 1u << HEDDLE_RECORD_OPTION_GLOBAL_STAMP);
  return cfg;
}

static void judge(struct several *m) {
  const struct heddle_checker_config cfg = judged_as(m);
  struct heddle_model *model = cached_model(&m->x);
  struct heddle_checker *c = heddle_checker_new(model, &m->x.p.launch, &cfg);
  assert_non_null(c);
  uint64_t cycle = 0;
  bool ok = true;
  for (size_t i = 0; i < m->merged.n && ok; i++) {
    if (m->merged.r[i].cycle > cycle) cycle = m->merged.r[i].cycle;
    ok = heddle_checker_record(c, &m->merged.r[i]);
  }
  ok = ok && heddle_checker_finish(c, cycle) &&
       heddle_checker_memory(c, FAKE_BASE, heddle_model_memory(m->x.m), FAKE_BYTES);
  const struct heddle_checker_difference *d = heddle_checker_first(c);
  m->out->of.kind = d->kind;
  m->out->of.records = heddle_checker_statistics(c)->records;
  (void)snprintf(m->out->of.note, sizeof m->out->of.note, "%s: %s", d->subject, d->note);
  heddle_checker_free(c);
  heddle_model_free(model);
}

static struct several *run(uint64_t seed, const struct several_config *cfg, struct several_outcome *out) {
  static struct several m;
  struct stream shown = m.shown, merged = m.merged; /* their room is used again */
  memset(&m, 0, sizeof m);
  memset(out, 0, sizeof *out);
  shown.n = merged.n = 0;
  m.shown = shown;
  m.merged = merged;
  m.cfg = cfg;
  m.rng = seed;
  m.out = out;
  setup(&m, seed);
  for (unsigned n = 0; n < 2000000 && !over(&m); n++) step(&m);
  if (!over(&m)) fail_msg("seed %llu: it does not end", (unsigned long long)seed);
  (cfg->reorder != 0 ? merge_loosely : merge_streams)(&m.shown, cfg->sms, cfg->banks, seed, cfg->window, cfg->skew,
                                                      &m.merged);
  spoil(&m);
  return &m;
}

void several_run(uint64_t seed, const struct several_config *cfg, struct several_outcome *out) {
  struct several *m = run(seed, cfg, out);
  judge(m);
  cached_free(&m->x);
}

void several_trace(uint64_t seed, const struct several_config *cfg, const char *path) {
  struct several_outcome out;
  struct several *m = run(seed, cfg, &out);
  const struct heddle_checker_config is = judged_as(m);
  const struct heddle_trace_header h = {.size = sizeof h,
                                        .isa_hash = heddle_isa_hash(),
                                        .sms = cfg->sms,
                                        .shown = cfg->sms,
                                        .memory_banks = cfg->banks,
                                        .reorder = cfg->reorder,
                                        .lanes = is.lanes,
                                        .warp_slots = is.warp_slots,
                                        .block_slots = is.block_slots,
                                        .partitions = 1,
                                        .hidden = is.hidden,
                                        .cache_sectors = is.cache_sectors,
                                        .cache_promises = is.cache_promises};
  struct heddle_model *first = cached_model(&m->x);
  struct heddle_message msg;
  uint64_t cycle = 0;
  struct heddle_trace_writer *w;
  if (heddle_trace_create(path, &h, &w, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  assert_int_equal(heddle_trace_launch(w, &m->x.p.launch, FAKE_BASE, heddle_model_memory(first), FAKE_BYTES, NULL),
                   HEDDLE_SUCCESS);
  for (size_t i = 0; i < m->merged.n; i++) {
    if (m->merged.r[i].cycle > cycle) cycle = m->merged.r[i].cycle;
    assert_int_equal(heddle_trace_record(w, &m->merged.r[i], NULL), HEDDLE_SUCCESS);
  }
  assert_int_equal(heddle_trace_launch_end(w, heddle_model_memory(m->x.m), cycle, NULL), HEDDLE_SUCCESS);
  assert_int_equal(heddle_trace_close(w, NULL), HEDDLE_SUCCESS);
  heddle_model_free(first);
  cached_free(&m->x);
}

/* Streams of records, merged in another order than that in which things happened. */

enum { STREAMS = 32 };

struct merge {
  const struct stream *in;
  unsigned sms, streams;
  size_t *next;         /* by record: the next one of its stream, or in->n */
  size_t head[STREAMS]; /* the first that is left */
  bool loosely;
};

static bool of_bank(const struct heddle_retire_record *r) {
  return r->kind == HEDDLE_RECORD_GLOBAL || r->kind == HEDDLE_RECORD_FILL;
}

static unsigned stream_of(const struct merge *m, const struct heddle_retire_record *r) {
  if (r->kind == HEDDLE_RECORD_GLOBAL) return m->sms + r->u.global.bank;
  return r->kind == HEDDLE_RECORD_FILL ? m->sms + r->u.fill.bank : heddle_record_sm(r);
}

static bool same_insn(const struct heddle_retire_record *a, const struct heddle_retire_record *b) {
  const struct heddle_record_id *x = heddle_record_id_of(a), *y = heddle_record_id_of(b);
  return x != NULL && y != NULL && memcmp(x, y, sizeof *x) == 0;
}

/* Does the SM's record `a` lead to the bank's record `b`? */
static bool leads(const struct heddle_retire_record *a, const struct heddle_retire_record *b) {
  if (b->kind == HEDDLE_RECORD_GLOBAL) return same_insn(a, b);
  if (a->kind != HEDDLE_RECORD_MERGE || a->u.merge.id.sm != b->u.fill.sm) return false;
  const unsigned s = (unsigned)(b->u.fill.sector % 4);
  return a->u.merge.number[s] == b->u.fill.number && a->u.merge.line == b->u.fill.sector / 4;
}

static bool is_barrier(const struct heddle_retire_record *r) {
  struct heddle_isa_dec d;
  return heddle_isa_decode((struct heddle_isa_word){r->u.issue.word[0], r->u.issue.word[1]}, &d) &&
         d.op != ISA_OP_MEMBAR && heddle_isa_instr_info((enum heddle_isa_op)d.op)->drains;
}

/* An access to global memory of the warp that issues, or fences, with `b`. */
static bool own_access(const struct heddle_retire_record *a, const struct heddle_retire_record *b) {
  const struct heddle_record_id *x = heddle_record_id_of(a), *y = heddle_record_id_of(b);
  return a->kind == HEDDLE_RECORD_GLOBAL && a->u.global.access <= HEDDLE_RECORD_ATOMIC && x->slot == y->slot &&
         x->gen == y->gen;
}

/* Does the SM's record `b` follow from the bank's record `a`? */
static bool follows(const struct heddle_retire_record *a, const struct heddle_retire_record *b) {
  if (heddle_record_sm(a) != heddle_record_sm(b)) return false;
  if (b->kind == HEDDLE_RECORD_FENCE) return b->u.fence.scope == HEDDLE_RECORD_SCOPE_GPU || own_access(a, b);
  if (b->kind == HEDDLE_RECORD_ISSUE) return is_barrier(b) && own_access(a, b);
  if (b->kind == HEDDLE_RECORD_BLOCK_END) return true;
  if (b->kind == HEDDLE_RECORD_WRITE || b->kind == HEDDLE_RECORD_ACK) return same_insn(a, b);
  if (b->kind != HEDDLE_RECORD_HIT || a->kind != HEDDLE_RECORD_FILL) return false;
  const unsigned s = (unsigned)(a->u.fill.sector % 4);
  return b->u.merge.number[s] == a->u.fill.number && b->u.merge.line == a->u.fill.sector / 4;
}

/* All that must come before record n has. Whatever is first of all that is left may come. */
static bool ready(const struct merge *m, size_t n) {
  if (m->loosely) return true;
  const struct heddle_retire_record *r = m->in->r, *me = &r[n];
  const unsigned from = of_bank(me) ? 0 : m->sms, to = of_bank(me) ? m->sms : m->streams;
  for (unsigned s = from; s < to; s++)
    for (size_t k = m->head[s]; k < n; k = m->next[k])
      if (of_bank(me) ? leads(&r[k], me) : follows(&r[k], me)) return false;
  return true;
}

static size_t lowest(const struct merge *m) {
  size_t n = m->in->n;
  for (unsigned s = 0; s < m->streams; s++)
    if (m->head[s] < n) n = m->head[s];
  return n;
}

static void merge(const struct stream *in, unsigned sms, unsigned banks, uint64_t seed, unsigned window, unsigned skew,
                  struct stream *out, bool loosely) {
  struct merge m = {.in = in, .sms = sms, .streams = sms + banks, .loosely = loosely};
  uint64_t shift[STREAMS], rng = seed;
  size_t last[STREAMS];
  m.next = malloc((in->n + 1) * sizeof *m.next);
  for (unsigned s = 0; s < m.streams; s++) {
    shift[s] = skew == 0 ? 0 : splitmix64(&rng) % skew;
    m.head[s] = last[s] = in->n;
  }
  for (size_t i = 0; i < in->n; i++) {
    const unsigned s = stream_of(&m, &in->r[i]);
    *(last[s] == in->n ? &m.head[s] : &m.next[last[s]]) = i;
    m.next[i] = in->n;
    last[s] = i;
  }
  for (size_t done = 0; done < in->n;) {
    const size_t first = lowest(&m);
    const unsigned s = (unsigned)(splitmix64(&rng) % m.streams);
    size_t n = m.head[s];
    if (n == in->n || n > first + window || !ready(&m, n)) continue;
    struct heddle_retire_record r = in->r[n];
    r.cycle += shift[s];
    stream_insert(out, out->n, &r);
    m.head[s] = m.next[n];
    done++;
  }
  free(m.next);
}

void merge_streams(const struct stream *in, unsigned sms, unsigned banks, uint64_t seed, unsigned window, unsigned skew,
                   struct stream *out) {
  merge(in, sms, banks, seed, window, skew, out, false);
}

void merge_loosely(const struct stream *in, unsigned sms, unsigned banks, uint64_t seed, unsigned window, unsigned skew,
                   struct stream *out) {
  merge(in, sms, banks, seed, window, skew, out, true);
}
