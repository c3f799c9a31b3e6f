/* SPDX-License-Identifier: Apache-2.0
 *
 * A file of digests: a trace with a stream in place of records, each launch to the judge.
 */
#include <string.h>

#include <heddle/trace.h>
#include "cosim/digest/internal.h"
#include "base/options.h"

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
  k->ours = heddle_digest_begins(k->at, k->n);
  return !k->ours && k->n < sizeof k->at;
}

bool heddle_digest_file_is(const char *path) {
  struct heddle_retire_record r;
  struct peek k = {.n = 0};
  struct heddle_trace_reader *t;
  if (heddle_trace_open(path, &t, NULL) != HEDDLE_SUCCESS) return false;
  if (heddle_trace_take_bytes(t, peeked, &k)) {
    enum heddle_trace_item item = HEDDLE_TRACE_LAUNCH;
    while (item != HEDDLE_TRACE_ERROR && item != HEDDLE_TRACE_DONE && (item != HEDDLE_TRACE_END || k.n == 0))
      item = heddle_trace_next(t, &r);
  }
  heddle_trace_free(t);
  return k.ours;
}

struct reading {
  struct heddle_trace_reader *t;
  struct heddle_digest_launches *s; /* NULL: none has begun */
  const struct heddle_digest_limits *limits;
  FILE *sink;
  size_t most;
  struct heddle_digest_file *out;
};

/* The file itself says it. */
static bool say_of_file(struct reading *q, enum heddle_digest_outcome o, const char *what, const char *detail) {
  q->out->outcome = o;
  snprintf(q->out->message, sizeof q->out->message, "%s%s", what, detail);
  return false;
}

static bool take_stream_bytes(void *ctx, const uint8_t *p, size_t n) {
  struct reading *q = ctx;
  if (q->s != NULL) (void)heddle_digest_launches_bytes(q->s, p, n);
  return true;
}

static const char *refusal_reason(const struct heddle_trace_header *h) {
  if (h->its) return "divergence unit its: the choice of a path is not recorded";
  if (h->sms > 1 || h->shown > 1) return "several SMs";
  if (h->partitions > 1) return "an SM of several partitions";
  if (h->cache_sectors != 0) return "a machine with a cache";
  return NULL;
}

static bool begin_digest_launch(struct reading *q, const uint8_t *code, uint32_t code_bytes) {
  const struct heddle_launch *l = heddle_trace_launched(q->t);
  const struct heddle_trace_header *h = heddle_trace_read_header(q->t);
  const struct heddle_digest_machine m = {sizeof m, h->lanes, h->warp_slots, h->block_slots};
  const char *no = refusal_reason(h);
  uint64_t bytes;
  const uint8_t *memory = heddle_trace_memory(q->t, &bytes);
  if (no != NULL) return say_of_file(q, HEDDLE_DIGEST_REFUSED, "digests are not for ", no);
  if (code != NULL && (l->code_bytes != code_bytes || memcmp(l->code, code, code_bytes) != 0))
    return say_of_file(q, HEDDLE_DIGEST_REFUSED, "the digests are of another program", "");
  if (q->s == NULL) q->s = heddle_digest_launches_new(&m, q->limits, q->sink, q->most);
  if (q->s == NULL) return say_of_file(q, HEDDLE_DIGEST_NO_MEMORY, "no memory", "");
  return heddle_digest_launches_begin(q->s, l, heddle_trace_memory_base(q->t), memory, bytes);
}

/* False: no more launches. */
static bool end_digest_launch(struct reading *q) {
  uint64_t bytes;
  return heddle_digest_launches_end(q->s, heddle_trace_memory(q->t, &bytes));
}

static void read_launches(struct reading *q, const uint8_t *code, uint32_t code_bytes) {
  struct heddle_retire_record r;
  for (bool on = true; on;) {
    switch (heddle_trace_next(q->t, &r)) {
    case HEDDLE_TRACE_LAUNCH:
      on = begin_digest_launch(q, code, code_bytes);
      break;
    case HEDDLE_TRACE_END:
      on = end_digest_launch(q);
      break;
    case HEDDLE_TRACE_DONE:
      return;
    default:
      on = say_of_file(q, HEDDLE_DIGEST_LOST, "the file: ", heddle_trace_error(q->t));
      break;
    }
  }
}

/* What was found of launches, with what the file itself says, if it says anything. */
static void conclude_file(struct reading *q) {
  struct heddle_digest_file *out = q->out, own = *out;
  if (q->s == NULL) return;
  (void)heddle_digest_launches_take(q->s, out);
  if (own.outcome == HEDDLE_DIGEST_PASS) return;
  out->outcome = own.outcome;
  memcpy(out->message, own.message, sizeof out->message);
}

enum heddle_digest_outcome heddle_digest_file_check(const char *path, const uint8_t *code, uint32_t code_bytes,
                                                    const struct heddle_digest_limits *limits, FILE *sink, size_t most,
                                                    struct heddle_digest_file *out) {
  struct heddle_digest_file own = {.size = sizeof own, .outcome = HEDDLE_DIGEST_PASS};
  struct reading q = {.limits = limits, .sink = sink, .most = most, .out = &own};
  if (!options_sized(out) || (limits != NULL && !options_sized(limits))) return HEDDLE_DIGEST_REFUSED;
  struct heddle_message msg;
  if (heddle_trace_open(path, &q.t, &msg) != HEDDLE_SUCCESS)
    (void)say_of_file(&q, HEDDLE_DIGEST_LOST, msg.text, "");
  else if (!heddle_trace_take_bytes(q.t, take_stream_bytes, &q))
    (void)say_of_file(&q, HEDDLE_DIGEST_REFUSED, "it has records, and no digests", "");
  else
    read_launches(&q, code, code_bytes);
  conclude_file(&q);
  heddle_digest_launches_free(q.s);
  heddle_trace_free(q.t);
  options_give(out, sizeof own, &own);
  return own.outcome;
}

void heddle_digest_file_clear(struct heddle_digest_file *f) {
  const struct heddle_digest_file none = {.size = sizeof none, .outcome = HEDDLE_DIGEST_PASS};
  free(f->wrong);
  options_give(f, sizeof none, &none);
}
