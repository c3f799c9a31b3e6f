/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread that judges records while the device goes on. It has the checker, the model and the trace for itself from
 * beside_give to beside_wait, and nobody else touches them; so what it finds does not depend on who is faster.
 */
#include <pthread.h>
#include <stdlib.h>

#include "cosim/session/internal.h"
#include "base/process.h"

struct beside {
  struct heddle_session *session;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t turn; /* `busy` or `ends` has changed */
  bool busy, ends;
  const struct heddle_retire_record *record;
  size_t count;
  enum heddle_session_outcome outcome;
};

static void *judge_beside(void *ctx) {
  struct beside *b = ctx;
  (void)pthread_mutex_lock(&b->lock);
  while (!b->ends) {
    if (b->busy) {
      (void)pthread_mutex_unlock(&b->lock);
      const enum heddle_session_outcome o = judge_records(b->session, b->record, b->count);
      (void)pthread_mutex_lock(&b->lock);
      b->outcome = o;
      b->busy = false;
      (void)pthread_cond_broadcast(&b->turn);
    } else {
      (void)pthread_cond_wait(&b->turn, &b->lock);
    }
  }
  (void)pthread_mutex_unlock(&b->lock);
  return NULL;
}

struct beside *beside_new(struct heddle_session *s) {
  struct beside *b = calloc(1, sizeof *b);
  if (b == NULL) return NULL;
  b->session = s;
  b->outcome = HEDDLE_SESSION_OK;
  const bool lock = pthread_mutex_init(&b->lock, NULL) == 0, turn = pthread_cond_init(&b->turn, NULL) == 0;
  if (lock && turn && thread_start(&b->thread, judge_beside, b)) return b;
  if (lock) (void)pthread_mutex_destroy(&b->lock);
  if (turn) (void)pthread_cond_destroy(&b->turn);
  free(b);
  return NULL;
}

void beside_give(struct beside *b, const struct heddle_retire_record *r, size_t n) {
  (void)pthread_mutex_lock(&b->lock);
  b->record = r;
  b->count = n;
  b->busy = true;
  (void)pthread_cond_broadcast(&b->turn);
  (void)pthread_mutex_unlock(&b->lock);
}

enum heddle_session_outcome beside_wait(struct beside *b) {
  (void)pthread_mutex_lock(&b->lock);
  while (b->busy) (void)pthread_cond_wait(&b->turn, &b->lock);
  const enum heddle_session_outcome o = b->outcome;
  (void)pthread_mutex_unlock(&b->lock);
  return o;
}

void beside_free(struct beside *b) {
  if (b == NULL) return;
  (void)beside_wait(b);
  (void)pthread_mutex_lock(&b->lock);
  b->ends = true;
  (void)pthread_cond_broadcast(&b->turn);
  (void)pthread_mutex_unlock(&b->lock);
  (void)pthread_join(b->thread, NULL);
  (void)pthread_cond_destroy(&b->turn);
  (void)pthread_mutex_destroy(&b->lock);
  free(b);
}
