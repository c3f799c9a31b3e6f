/* SPDX-License-Identifier: Apache-2.0
 * kanata.log: the instructions of the window one by one, for Konata: what each waits for (stages named as the classes),
 * its issue (Is), and then (X) up to its last record. */
#include <inttypes.h>
#include <stdlib.h>

#include <heddle/asm.h>
#include "run/profile/internal.h"
#include "run/job/counters.h"

enum what { BEGINS, STAGE, ENDS };

struct event {
  uint64_t time;
  uint32_t insn; /* its number in the file: by its beginning */
  enum what what;
  const char *stage;
};

static int by_time(const void *a, const void *b) {
  const struct event *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  if (x->insn != y->insn) return x->insn < y->insn ? -1 : 1;
  return (int)x->what - (int)y->what;
}

static uint64_t begins(const struct profiler *p, const struct traced *t) {
  return t->waits_from > p->options->profile_from ? t->waits_from : p->options->profile_from;
}

static int by_begin(const void *a, const void *b) {
  const struct traced *x = *(const struct traced *const *)a, *y = *(const struct traced *const *)b;
  if (x->waits_from != y->waits_from) return x->waits_from < y->waits_from ? -1 : 1;
  return x < y ? -1 : x > y;
}

static size_t events_of(const struct profiler *p, const struct traced *t, uint32_t number, struct event *to) {
  size_t n = 0;
  to[n++] = (struct event){begins(p, t), number, BEGINS, NULL};
  for (size_t i = t->first; i < t->first + t->stretches; i++)
    if (p->stretch[i].state != HEDDLE_COUNTER_ISSUED)
      to[n++] = (struct event){p->stretch[i].from, number, STAGE, profile_name(p->stretch[i].state)};
  to[n++] = (struct event){t->issued, number, STAGE, "Is"};
  if (t->end > t->issued) to[n++] = (struct event){t->issued + 1, number, STAGE, "X"};
  to[n++] = (struct event){(t->end > t->issued ? t->end : t->issued) + 1, number, ENDS, NULL};
  return n;
}

static void put_event(const struct profiler *p, FILE *f, const struct event *e, const struct traced *t) {
  char text[PROFILE_TEXT];
  switch (e->what) {
  case BEGINS:
    (void)heddle_disassemble_at(p->job->program, t->pc, text, sizeof text);
    fprintf(f, "I\t%" PRIu32 "\t%" PRIu32 "\t%u\nL\t%" PRIu32 "\t0\tSM %u slot %u %04" PRIx32 ": %s\n", e->insn, t->seq,
            t->sm * p->warps + t->slot, e->insn, t->sm, t->slot, t->pc, text);
    break;
  case STAGE:
    fprintf(f, "S\t%" PRIu32 "\t0\t%s\n", e->insn, e->stage);
    break;
  case ENDS:
    fprintf(f, "R\t%" PRIu32 "\t%" PRIu32 "\t0\n", e->insn, e->insn);
    break;
  }
}

bool profile_write_kanata(struct profiler *p, FILE *f) {
  const struct traced **of = calloc(p->traceds + 1, sizeof *of);
  struct event *e = calloc(4 * p->traceds + p->stretches + 1, sizeof *e);
  size_t n = 0;
  const bool ok = of != NULL && e != NULL;
  for (size_t i = 0; i < p->traceds && ok; i++) of[i] = &p->traced[i];
  if (ok) qsort(of, p->traceds, sizeof *of, by_begin);
  for (size_t i = 0; i < p->traceds && ok; i++) n += events_of(p, of[i], (uint32_t)i, &e[n]);
  if (ok) qsort(e, n, sizeof *e, by_time);
  uint64_t now = n != 0 ? e[0].time : 0;
  fprintf(f, "Kanata\t0004\nC=\t%" PRIu64 "\n", now);
  for (size_t i = 0; i < n; i++) {
    if (e[i].time != now) fprintf(f, "C\t%" PRIu64 "\n", e[i].time - now);
    now = e[i].time;
    put_event(p, f, &e[i], of[e[i].insn]);
  }
  free(of);
  free(e);
  return ok;
}
