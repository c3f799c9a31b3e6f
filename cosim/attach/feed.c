/* SPDX-License-Identifier: Apache-2.0
 *
 * Records, time, and memory at the end.
 */
#include "cosim/attach/attached.h"

static bool running(struct heddle_attach *a, const char *what) {
  return a->state == ATTACH_RUNNING || attach_wrong(a, HEDDLE_VERDICT_MISUSE, "%s comes while no launch runs", what);
}

static bool differs(struct heddle_attach *a) {
  const struct heddle_checker_difference *d = heddle_checker_first(a->checker);
  const bool program = d->kind == HEDDLE_CHECKER_UNDEFINED_READ;
  return attach_wrong(a, program ? HEDDLE_VERDICT_PROGRAM : HEDDLE_VERDICT_DIFFERENCE, "%s",
                      heddle_checker_kind_name(d->kind));
}

bool heddle_attach_record(struct heddle_attach *a, const struct heddle_retire_record *r) {
  return running(a, "a record") && (heddle_checker_record(a->checker, r) || differs(a));
}

bool heddle_attach_port(struct heddle_attach *a, uint64_t cycle, unsigned kind, const uint32_t *word, size_t words) {
  struct heddle_retire_record r;
  if (!running(a, "a record")) return false;
  if (!attach_unpack(&a->core, kind, word, words, &r))
    return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "a record of kind %u in %zu words: %s", kind, words,
                        HEDDLE_RECORD_IS_KIND(kind) ? "more than it has at this core's port" : "there is no such kind");
  r.cycle = cycle;
  return heddle_attach_record(a, &r);
}

size_t heddle_attach_port_words(const struct heddle_attach *a, unsigned kind) {
  return attach_words(&a->core, kind);
}

bool heddle_attach_step(struct heddle_attach *a, uint64_t cycle) {
  if (!running(a, "a step")) return false;
  if (!heddle_checker_look(a->checker, cycle)) return differs(a);
  return !heddle_checker_deadlock(a->checker) ||
         attach_wrong(a, HEDDLE_VERDICT_PROGRAM, "deadlock: all warps wait at barriers that not enough will reach");
}

bool heddle_attach_ended(const struct heddle_attach *a) {
  return a->state == ATTACH_RUNNING && (heddle_checker_done(a->checker) || heddle_checker_trapped(a->checker));
}

static void add_statistics(struct heddle_attach *a) {
  const struct heddle_checker_stats *s = heddle_checker_statistics(a->checker);
  a->total.launches++;
  a->total.records += s->records;
  a->total.issued += s->issued;
  a->total.retired += s->retired;
  a->total.lanes_compared += s->lanes_compared;
  a->total.performs += s->performs;
}

bool heddle_attach_memory(struct heddle_attach *a, uint64_t cycle, const uint8_t *memory) {
  const bool streamed = a->streamed;
  if (!running(a, "memory") || !attach_stream_whole(a)) return false;
  if (streamed) cycle = heddle_stream_look(a->stream)->end_cycle;
  if (!heddle_checker_finish(a->checker, cycle) || !heddle_checker_memory(a->checker, a->base, memory, a->bytes))
    return differs(a);
  a->trapped = heddle_checker_trapped(a->checker);
  add_statistics(a);
  a->state = ATTACH_BETWEEN;
  return true;
}
