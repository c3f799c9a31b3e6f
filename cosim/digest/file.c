/* SPDX-License-Identifier: Apache-2.0
 *
 * A file of digests: a trace with a stream in place of records, each launch to the judge.
 */
#include <string.h>

#include <heddle/trace.h>
#include "cosim/digest/internal.h"

/* The first frame is all that is asked for; it may come in parts. */
struct peek {
  uint8_t at[64];
  size_t n;
  bool ours;
};

static bool peeked(void *ctx, const uint8_t *p, size_t n) {
  struct peek *k = ctx;
  const size_t room = sizeof k->at - k->n, part = n < room ? n : room;
  memcpy(k->at + k->n, p, part);
  k->n += part;
  k->ours = digest_begins(k->at, k->n);
  return !k->ours && k->n < sizeof k->at;
}

bool digest_file_is(const char *path) {
  char err[64];
  struct retire_record r;
  struct peek k = {.n = 0};
  struct trace_reader *t = trace_open(path, err, sizeof err);
  if (t == NULL) return false;
  if (trace_take_bytes(t, peeked, &k)) {
    enum trace_item item = TRACE_LAUNCH;
    while (item != TRACE_ERROR && item != TRACE_DONE && (item != TRACE_END || k.n == 0)) item = trace_next(t, &r);
  }
  trace_free(t);
  return k.ours;
}

struct reading {
  struct trace_reader *t;
  struct digest_launches *s; /* NULL: none has begun */
  const struct digest_limits *limits;
  FILE *sink;
  size_t most;
  struct digest_file *out;
};

/* The file itself says it. */
static bool say(struct reading *q, enum digest_outcome o, const char *what, const char *detail) {
  q->out->outcome = o;
  snprintf(q->out->message, sizeof q->out->message, "%s%s", what, detail);
  return false;
}

static bool take(void *ctx, const uint8_t *p, size_t n) {
  struct reading *q = ctx;
  if (q->s != NULL) (void)digest_launches_bytes(q->s, p, n);
  return true;
}

static const char *refused(const struct trace_header *h) {
  if (h->its) return "divergence unit its: the choice of a path is not told";
  if (h->sms > 1 || h->shown > 1) return "several SMs";
  if (h->partitions > 1) return "an SM of several partitions";
  if (h->cache_sectors != 0) return "a machine with a cache";
  return NULL;
}

static bool begin(struct reading *q, const uint8_t *code, uint32_t code_bytes) {
  const struct heddle_launch *l = trace_launched(q->t);
  const struct trace_header *h = trace_read_header(q->t);
  const struct digest_machine m = {h->lanes, h->warp_slots, h->block_slots};
  const char *no = refused(h);
  uint64_t bytes;
  const uint8_t *memory = trace_memory(q->t, &bytes);
  if (no != NULL) return say(q, DIGEST_REFUSED, "digests are not for ", no);
  if (code != NULL && (l->code_bytes != code_bytes || memcmp(l->code, code, code_bytes) != 0))
    return say(q, DIGEST_REFUSED, "the digests are of another program", "");
  if (q->s == NULL) q->s = digest_launches_new(&m, q->limits, q->sink, q->most);
  if (q->s == NULL) return say(q, DIGEST_NO_MEMORY, "no memory", "");
  return digest_launches_begin(q->s, l, trace_memory_base(q->t), memory, bytes);
}

/* False: no more launches. */
static bool end(struct reading *q) {
  uint64_t bytes;
  return digest_launches_end(q->s, trace_memory(q->t, &bytes));
}

static void read_all(struct reading *q, const uint8_t *code, uint32_t code_bytes) {
  struct retire_record r;
  for (bool on = true; on;) {
    switch (trace_next(q->t, &r)) {
    case TRACE_LAUNCH:
      on = begin(q, code, code_bytes);
      break;
    case TRACE_END:
      on = end(q);
      break;
    case TRACE_DONE:
      return;
    default:
      on = say(q, DIGEST_LOST, "the file: ", trace_error(q->t));
      break;
    }
  }
}

/* What was found of launches, with what the file itself says, if it says anything. */
static void conclude(struct reading *q) {
  struct digest_file *out = q->out, own = *out;
  if (q->s == NULL) return;
  digest_launches_take(q->s, out);
  if (own.outcome == DIGEST_PASS) return;
  out->outcome = own.outcome;
  memcpy(out->message, own.message, sizeof out->message);
}

enum digest_outcome digest_file_check(const char *path, const uint8_t *code, uint32_t code_bytes,
                                      const struct digest_limits *limits, FILE *sink, size_t most,
                                      struct digest_file *out) {
  *out = (struct digest_file){.outcome = DIGEST_PASS};
  struct reading q = {.limits = limits, .sink = sink, .most = most, .out = out};
  q.t = trace_open(path, out->message, sizeof out->message);
  if (q.t == NULL)
    out->outcome = DIGEST_LOST;
  else if (!trace_take_bytes(q.t, take, &q))
    (void)say(&q, DIGEST_REFUSED, "it has records, and no digests", "");
  else
    read_all(&q, code, code_bytes);
  conclude(&q);
  digest_launches_free(q.s);
  trace_free(q.t);
  return out->outcome;
}

void digest_file_clear(struct digest_file *f) {
  free(f->wrong);
  *f = (struct digest_file){.outcome = DIGEST_PASS};
}
