/* SPDX-License-Identifier: Apache-2.0
 *
 * A wave of the last cycles before a failure (heddle_session_config.wave_last), without the run from its start. A
 * snapshot is a process that the host has copied (heddle_session_copies), with device, model, checker and memory as
 * they were. It waits on its line. After a failure the right one is told to go on, with the wave, up to the same
 * failure; the others find their lines closed, as all do when the run is killed, and end.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/minmax.h"
#include "cosim/session/internal.h"

/* Cycles from one snapshot to the next: at least these, at least a share of all so far, and so many as the wave is to
 * have. Then one of the last two lies far enough before any failure, and what is clocked again is little. */
#define SNAPSHOT_LEAST 65536u
#define SNAPSHOT_SHARE 64u
/* Cycles after which a run that is done again ought to have failed: turns, and what comes after the last of them. */
#define SNAPSHOT_LATE (4u * SESSION_STRETCH)

static bool failed(enum heddle_session_outcome o) {
  return o == HEDDLE_SESSION_DIFFERENCE || o == HEDDLE_SESSION_TRAPPED || o == HEDDLE_SESSION_UNDEFINED ||
         o == HEDDLE_SESSION_LIMIT || o == HEDDLE_SESSION_HUNG || o == HEDDLE_SESSION_DEVICE;
}

static bool wanted(const struct heddle_session *s) {
  return s->cfg.wave != NULL && s->cfg.wave_last != 0;
}

static struct snapshot_end snapshot_end_of(const struct heddle_session *s, enum heddle_session_outcome o) {
  struct snapshot_end e;
  memset(&e, 0, sizeof e);
  e.outcome = o;
  e.launch = s->launches;
  e.cycle = s->result.failed;
  if (o == HEDDLE_SESSION_DIFFERENCE) signature_of(&s->result.difference, &e.signature);
  if (o == HEDDLE_SESSION_TRAPPED) e.trap = s->result.trap;
  return e;
}

static bool same_trap(const struct heddle_trap *a, const struct heddle_trap *b) {
  return a->cause == b->cause && a->pc == b->pc && a->seq == b->seq && a->lanes == b->lanes && a->addr == b->addr &&
         a->warp_in_block == b->warp_in_block && a->sm == b->sm && memcmp(a->ctaid, b->ctaid, sizeof a->ctaid) == 0;
}

/* In which cycle, where a snapshot of cycle `from` goes on. */
static uint64_t wave_begins(const struct heddle_session *s, const struct snapshot_end *failure, uint64_t from) {
  return failure->cycle > s->cfg.wave_last ? max_u64(failure->cycle - s->cfg.wave_last, from) : from;
}

static void forget_snapshot(struct heddle_session *s, const struct snapshot *p) {
  (void)close(p->line);
  s->copies.await(s->copies.self, p->pid);
}

static _Noreturn void end(const struct heddle_session *s, bool well) {
  s->copies.end(s->copies.self, well);
  assert(false); /* else it is a second run */
}

void snapshots_drop(struct heddle_session *s) {
  if (s->again) end(s, true); /* whoever opens another session has passed the failure */
  while (s->snapshots > 0) forget_snapshot(s, &s->snapshot[--s->snapshots]);
}

/* All of it; a handler of the host that runs meanwhile does not count. */
static bool receive(int line, struct snapshot_end *e) {
  ssize_t n;
  do n = recv(line, e, sizeof *e, MSG_WAITALL);
  while (n < 0 && errno == EINTR);
  return n == (ssize_t)sizeof *e;
}

/* ---- the process that is a snapshot */

static void wait_for_failure(struct heddle_session *s, int line) {
  for (unsigned i = 0; i < s->snapshots; i++) (void)close(s->snapshot[i].line); /* so that the run alone holds them */
  s->snapshots = 0;
  if (!receive(line, &s->failure) || !s->copies.quiet(s->copies.self, line)) end(s, true);
  s->again = true;
  s->line = line;
  s->wave_due = true;
  s->wave_from = wave_begins(s, &s->failure, heddle_dut_cycle(s->device));
  session_wave_before_host(s);
  if (s->beside != NULL) s->beside = beside_new(s); /* threads are not in a snapshot */
}

static _Noreturn void answer_and_exit(struct heddle_session *s, enum heddle_session_outcome o) {
  const struct snapshot_end e = snapshot_end_of(s, o);
  (void)heddle_dut_wave(s->device, NULL);
  end(s, send(s->line, &e, sizeof e, MSG_NOSIGNAL) == (ssize_t)sizeof e);
}

/* ---- the run */

static bool due(const struct heddle_session *s, uint64_t now) {
  if (!wanted(s)) return false;
  if (s->snapshots == 0) return true;
  return now - s->snapshot[s->snapshots - 1].cycle >=
         max_u64(s->cfg.wave_last, max_u64(SNAPSHOT_LEAST, now / SNAPSHOT_SHARE));
}

void snapshot_look(struct heddle_session *s) {
  const uint64_t now = heddle_dut_cycle(s->device);
  int line, pid;
  if (s->again && s->failure.launch == s->launches && now > s->failure.cycle + SNAPSHOT_LATE)
    answer_and_exit(s, HEDDLE_SESSION_RUNNING);
  if (s->again || !due(s, now)) return;
  if (s->snapshots == SNAPSHOTS) {
    forget_snapshot(s, &s->snapshot[0]);
    s->snapshot[0] = s->snapshot[--s->snapshots];
  }
  if (!s->copies.make(s->copies.self, &pid, &line)) return; /* as if it were not due yet */
  if (pid == 0)
    wait_for_failure(s, line);
  else
    s->snapshot[s->snapshots++] = (struct snapshot){.pid = pid, .line = line, .cycle = now};
}

/* The last one that lies far enough before the failure, else the first; NULL: there is none at all. */
static const struct snapshot *snapshot_before(const struct heddle_session *s, const struct snapshot_end *failure) {
  for (unsigned i = s->snapshots; i-- > 0;)
    if (s->snapshot[i].cycle + s->cfg.wave_last <= failure->cycle || i == 0) return &s->snapshot[i];
  return NULL;
}

static void do_again(struct heddle_session *s, enum heddle_session_outcome o) {
  struct heddle_session_result *r = &s->result;
  const struct snapshot_end first = snapshot_end_of(s, o);
  const struct snapshot *p = snapshot_before(s, &first);
  struct snapshot_end second;
  if (p == NULL || send(p->line, &first, sizeof first, MSG_NOSIGNAL) != (ssize_t)sizeof first ||
      !receive(p->line, &second)) {
    snprintf(r->wave_wrong, sizeof r->wave_wrong, "there is no wave: no snapshot was left that could make it");
  } else if (second.outcome == HEDDLE_SESSION_FAILED) {
    snprintf(r->wave_wrong, sizeof r->wave_wrong, "the wave could not be written");
  } else {
    r->wave_from = wave_begins(s, &first, p->cycle);
    const bool same = second.outcome == first.outcome && second.launch == first.launch && second.cycle == first.cycle &&
                      signature_equal(&first.signature, &second.signature) && same_trap(&first.trap, &second.trap);
    if (!same)
      snprintf(r->wave_wrong, sizeof r->wave_wrong,
               "what was done again ended otherwise: %s in cycle %llu instead of %s in cycle %llu",
               heddle_session_outcome_name(second.outcome), (unsigned long long)second.cycle,
               heddle_session_outcome_name(first.outcome), (unsigned long long)first.cycle);
  }
}

void snapshot_launch_over(struct heddle_session *s, enum heddle_session_outcome o) {
  const bool passed = s->launches >= s->failure.launch || failed(o) || o == HEDDLE_SESSION_FAILED;
  if (s->again && passed) answer_and_exit(s, o);
  if (s->again || !wanted(s) || !failed(o)) return;
  do_again(s, o);
  snapshots_drop(s);
}
