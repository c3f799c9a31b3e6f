/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of a board one after another, as bytes come: each to the judge, up to the first one that is no pass. What
 * such a launch is made of: run/board/board_judge.c (docs/how-a-launch-travels.md).
 */
#include <string.h>

#include "cosim/digest/internal.h"
#include "base/options.h"

struct heddle_digest_launches {
  struct heddle_digest_machine machine;
  struct heddle_digest_limits limits;
  FILE *sink;
  size_t most;
  struct heddle_digest_decoder *d;
  struct heddle_digest_judge *j; /* of the present launch; NULL: none is under way */
  struct heddle_launch l;        /* its code, banks and memory are these */
  uint8_t *code, *bank[4], *memory;
  bool impossible; /* it says what cannot be, or more than the limit */
  bool foreign;    /* the digests are of another machine */
  bool stopped;    /* there was one that is no pass: no more is judged */
  struct heddle_digest_file found;
};

struct heddle_digest_launches *heddle_digest_launches_new(const struct heddle_digest_machine *m,
                                                          const struct heddle_digest_limits *limits, FILE *sink,
                                                          size_t most) {
  struct heddle_digest_launches *s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;
  const bool known = options_take(&s->machine, sizeof s->machine, m) &&
                     (limits == NULL || options_take(&s->limits, sizeof s->limits, limits));
  s->sink = sink;
  s->most = most;
  s->limits.size = sizeof s->limits;
  s->found.size = sizeof s->found;
  s->d = known ? heddle_digest_new() : NULL;
  if (s->d != NULL) return s;
  free(s);
  return NULL;
}

static void forget_launch(struct heddle_digest_launches *s) {
  heddle_digest_judge_free(s->j);
  s->j = NULL;
  free(s->code);
  free(s->memory);
  s->code = s->memory = NULL;
  for (unsigned i = 0; i < 4; i++) {
    free(s->bank[i]);
    s->bank[i] = NULL;
  }
}

void heddle_digest_launches_free(struct heddle_digest_launches *s) {
  if (s == NULL) return;
  forget_launch(s);
  heddle_digest_free(s->d);
  heddle_digest_file_clear(&s->found);
  free(s);
}

static bool say_found(struct heddle_digest_launches *s, enum heddle_digest_outcome o, const char *what,
                      const char *detail) {
  s->found.outcome = o;
  snprintf(s->found.message, sizeof s->found.message, "%s%s", what, detail);
  s->stopped = o != HEDDLE_DIGEST_PASS && o != HEDDLE_DIGEST_TRAPPED;
  return !s->stopped;
}

static bool copy_launch_bytes(uint8_t **to, const uint8_t **from, uint64_t bytes) {
  if (*from == NULL) return true;
  *to = malloc((size_t)bytes + 1);
  if (*to == NULL) return false;
  memcpy(*to, *from, bytes);
  *from = *to;
  return true;
}

bool heddle_digest_launches_begin(struct heddle_digest_launches *s, const struct heddle_launch *l, uint64_t base,
                                  const uint8_t *memory, uint64_t bytes) {
  if (s->stopped) return false;
  forget_launch(s);
  if (!options_take(&s->l, sizeof s->l, l)) return say_found(s, HEDDLE_DIGEST_REFUSED, "a launch ", OPTIONS_FOREIGN);
  s->impossible = false;
  bool ok = copy_launch_bytes(&s->code, &s->l.code, s->l.code_bytes) && copy_launch_bytes(&s->memory, &memory, bytes);
  for (unsigned i = 0; i < 4; i++) ok = ok && copy_launch_bytes(&s->bank[i], &s->l.cbank[i], s->l.cbank_bytes[i]);
  if (!ok) return say_found(s, HEDDLE_DIGEST_NO_MEMORY, "no memory", "");
  struct heddle_message msg;
  heddle_digest_launch(s->d);
  if (heddle_digest_judge_new(&s->machine, &s->l, base, s->memory, bytes, &s->limits, &s->j, &msg) != HEDDLE_SUCCESS)
    return say_found(s, HEDDLE_DIGEST_REFUSED, msg.text, "");
  s->found.launches++;
  return true;
}

static bool foreign(const struct heddle_digest_launches *s) {
  const struct heddle_digest_state *is = heddle_digest_look(s->d);
  const struct heddle_digest_machine *m = &s->machine;
  return is->begun && (is->lanes != m->lanes || is->warps != m->warp_slots || is->blocks != m->block_slots);
}

bool heddle_digest_launches_bytes(struct heddle_digest_launches *s, const uint8_t *p, size_t n) {
  struct heddle_digest_entry e;
  s->found.bytes += n;
  for (size_t at = 0; at < n;) {
    at += heddle_digest_give(s->d, p + at, n - at);
    s->foreign = s->foreign || foreign(s);
    while (heddle_digest_next(s->d, &e)) {
      if (e.code == HEDDLE_DIGEST_NEXT) s->found.told++;
      if (s->j != NULL && !s->foreign && !heddle_digest_judge_entry(s->j, &e)) s->impossible = true;
    }
  }
  return !s->impossible && !s->foreign && !s->stopped && !heddle_digest_look(s->d)->lost;
}

bool heddle_digest_launches_ended(const struct heddle_digest_launches *s) {
  return heddle_digest_look(s->d)->ended;
}

static void sum_stats(struct heddle_digest_stats *to, const struct heddle_digest_stats *s) {
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
static void keep_wrong(struct heddle_digest_launches *s) {
  size_t n;
  const struct heddle_digest_wrong *w = heddle_digest_judge_wrong(s->j, &n);
  free(s->found.wrong);
  s->found.wrong = NULL;
  s->found.wrongs = 0;
  if (n == 0 || (s->found.wrong = malloc(n * sizeof *w)) == NULL) return;
  memcpy(s->found.wrong, w, n * sizeof *w);
  s->found.wrongs = n;
}

bool heddle_digest_launches_end(struct heddle_digest_launches *s, const uint8_t *after) {
  char text[256];
  if (s->j == NULL) return !s->stopped;
  heddle_digest_over(s->d);
  heddle_digest_text(s->d, text, sizeof text);
  if (s->foreign) return say_found(s, HEDDLE_DIGEST_REFUSED, "the digests are of another machine", "");
  const enum heddle_digest_outcome o = heddle_digest_judge_finish(s->j, !heddle_digest_look(s->d)->lost, after);
  sum_stats(&s->found.stats, heddle_digest_judge_stats(s->j));
  s->found.trap = *heddle_digest_judge_trap(s->j);
  if (o != HEDDLE_DIGEST_PASS && o != HEDDLE_DIGEST_TRAPPED && s->sink != NULL)
    heddle_digest_judge_report(s->j, s->sink, s->most);
  keep_wrong(s);
  const bool on = say_found(s, o, o == HEDDLE_DIGEST_LOST ? "the digests are " : "",
                            o == HEDDLE_DIGEST_LOST ? text : heddle_digest_judge_message(s->j));
  forget_launch(s);
  return on;
}

const struct heddle_digest_file *heddle_digest_launches_found(const struct heddle_digest_launches *s) {
  return &s->found;
}

bool heddle_digest_launches_take(struct heddle_digest_launches *s, struct heddle_digest_file *out) {
  if (!options_sized(out)) return false;
  options_give(out, sizeof s->found, &s->found);
  s->found = (struct heddle_digest_file){.size = sizeof s->found, .outcome = HEDDLE_DIGEST_PASS};
  return true;
}
