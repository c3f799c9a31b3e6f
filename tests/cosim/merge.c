/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams of records, merged in another order than that in which things happened.
 */
#include "merge.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include <heddle/record.h>
#include "base/splitmix64.h"

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
