/* SPDX-License-Identifier: Apache-2.0
 *
 * A file of digests: a trace with a stream in place of records, each launch to the judge.
 */
#include <string.h>

#include "heddle/trace.h"
#include "internal.h"

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
  struct digest_decoder *d;
  struct digest_judge *j; /* of the present launch */
  const struct digest_limits *limits;
  uint8_t *memory; /* as the launch began */
  bool foreign;    /* the digests are of another machine than the file */
  FILE *sink;
  size_t most;
  struct digest_file *out;
};

static bool say(struct reading *q, enum digest_outcome o, const char *what, const char *detail) {
  q->out->outcome = o;
  snprintf(q->out->message, sizeof q->out->message, "%s%s", what, detail);
  return false;
}

static bool same_machine(const struct reading *q) {
  const struct digest_state *s = digest_look(q->d);
  const struct trace_header *h = trace_read_header(q->t);
  return !s->begun || (s->lanes == h->lanes && s->warps == h->warp_slots && s->blocks == h->block_slots);
}

static bool take(void *ctx, const uint8_t *p, size_t n) {
  struct reading *q = ctx;
  struct digest_entry e;
  q->out->bytes += n;
  for (size_t at = 0; at < n;) {
    at += digest_give(q->d, p + at, n - at);
    q->foreign = q->foreign || !same_machine(q);
    while (digest_next(q->d, &e))
      if (q->j != NULL && !q->foreign) (void)digest_judge_entry(q->j, &e);
  }
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
  const char *no = refused(h);
  uint64_t bytes;
  const uint8_t *memory = trace_memory(q->t, &bytes);
  if (no != NULL) return say(q, DIGEST_REFUSED, "digests are not for ", no);
  if (code != NULL && (l->code_bytes != code_bytes || memcmp(l->code, code, code_bytes) != 0))
    return say(q, DIGEST_REFUSED, "the digests are of another program", "");
  free(q->memory);
  q->memory = malloc((size_t)bytes + 1);
  if (q->memory == NULL) return say(q, DIGEST_NO_MEMORY, "no memory", "");
  memcpy(q->memory, memory, bytes);
  const struct digest_machine m = {h->lanes, h->warp_slots, h->block_slots};
  q->j = digest_judge_new(&m, l, trace_memory_base(q->t), q->memory, bytes, q->limits, q->out->message,
                          sizeof q->out->message);
  if (q->j == NULL) q->out->outcome = DIGEST_REFUSED;
  digest_launch(q->d);
  q->out->launches++;
  return q->j != NULL;
}

static void sum(struct digest_stats *to, const struct digest_stats *s) {
  to->instructions += s->instructions;
  to->windows += s->windows;
  to->windows_right += s->windows_right;
  to->windows_unjudged += s->windows_unjudged;
  to->marks += s->marks;
  to->corrections += s->corrections;
  for (unsigned i = 0; i < SPACES; i++) {
    to->cuts[i] += s->cuts[i];
    to->accesses[i] += s->accesses[i];
  }
  to->memory_compared = s->memory_compared;
}

/* The wrong windows of the last launch, kept beyond its judge. */
static void keep_wrong(struct reading *q) {
  size_t n;
  const struct digest_wrong *w = digest_judge_wrong(q->j, &n);
  if (n == 0 || (q->out->wrong = malloc(n * sizeof *w)) == NULL) return;
  memcpy(q->out->wrong, w, n * sizeof *w);
  q->out->wrongs = n;
}

/* False: no more launches. */
static bool end(struct reading *q) {
  char text[256];
  uint64_t bytes;
  digest_over(q->d);
  digest_text(q->d, text, sizeof text);
  if (q->foreign) return say(q, DIGEST_REFUSED, "the digests are of another machine than the file", "");
  const bool whole = !digest_look(q->d)->lost;
  const enum digest_outcome o = digest_judge_finish(q->j, whole, trace_memory(q->t, &bytes));
  sum(&q->out->stats, digest_judge_stats(q->j));
  q->out->trap = *digest_judge_trap(q->j);
  if (o != DIGEST_PASS && o != DIGEST_TRAPPED && q->sink != NULL) digest_judge_report(q->j, q->sink, q->most);
  keep_wrong(q);
  (void)say(q, o, o == DIGEST_LOST ? "the digests are " : "", o == DIGEST_LOST ? text : digest_judge_message(q->j));
  digest_judge_free(q->j);
  q->j = NULL;
  return o == DIGEST_PASS || o == DIGEST_TRAPPED;
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

enum digest_outcome digest_file_check(const char *path, const uint8_t *code, uint32_t code_bytes,
                                      const struct digest_limits *limits, FILE *sink, size_t most,
                                      struct digest_file *out) {
  *out = (struct digest_file){.outcome = DIGEST_PASS};
  struct reading q = {.limits = limits, .sink = sink, .most = most, .out = out};
  q.t = trace_open(path, out->message, sizeof out->message);
  q.d = digest_new();
  if (q.t == NULL)
    out->outcome = DIGEST_LOST;
  else if (q.d == NULL)
    (void)say(&q, DIGEST_NO_MEMORY, "no memory", "");
  else if (!trace_take_bytes(q.t, take, &q))
    (void)say(&q, DIGEST_REFUSED, "it has records, and no digests", "");
  else
    read_all(&q, code, code_bytes);
  digest_judge_free(q.j);
  digest_free(q.d);
  free(q.memory);
  trace_free(q.t);
  return out->outcome;
}

void digest_file_clear(struct digest_file *f) {
  free(f->wrong);
  *f = (struct digest_file){.outcome = DIGEST_PASS};
}
