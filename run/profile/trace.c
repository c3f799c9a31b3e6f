/* SPDX-License-Identifier: Apache-2.0
 * trace.json for Perfetto, kanata.log for Konata: the window, instruction by instruction. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include <heddle/asm.h>
#include "run/job/result.h"
#include "run/profile/internal.h"

/* trace.json: the window in the trace-event format, which Perfetto reads. A process is an SM, a thread a warp slot; on
 * it lies each instruction, from where its warp begins to wait for it to its issue, and on that what it waits for. A
 * cycle is a microsecond. */

#define BIN 16u /* cycles of a value of a counter track */

struct writer {
  FILE *f;
  bool more; /* an event was written */
  bool ok;
};

/* Takes j. */
static void put_event(struct writer *w, json_t *j) {
  if (w->more) fputs(",\n", w->f);
  w->more = true;
  w->ok = w->ok && j != NULL && json_dumpf(j, w->f, JSON_COMPACT | JSON_REAL_PRECISION(6)) == 0;
  json_decref(j);
}

static void put_names(struct writer *w, const struct profiler *p) {
  for (unsigned sm = 0; sm < p->sms; sm++) {
    put_event(w, json_pack("{s:s, s:s, s:i, s:{s:o}}", "ph", "M", "name", "process_name", "pid", (int)sm + 1, "args",
                           "name", json_sprintf("SM %u", sm)));
    for (unsigned k = 0; k < p->warps; k++)
      put_event(w, json_pack("{s:s, s:s, s:i, s:i, s:{s:o}}", "ph", "M", "name", "thread_name", "pid", (int)sm + 1,
                             "tid", (int)k + 1, "args", "name", json_sprintf("warp slot %u", k)));
  }
}

static void put_instruction(struct writer *w, const struct profiler *p, const struct traced *t) {
  char text[PROFILE_TEXT];
  const uint64_t from = t->waits_from > p->options->profile_from ? t->waits_from : p->options->profile_from;
  (void)heddle_disassemble_at(p->job->program, t->pc, text, sizeof text);
  put_event(w, json_pack("{s:s, s:s, s:s, s:i, s:i, s:I, s:I, s:{s:o, s:I, s:I}}", "ph", "X", "cat", "instruction",
                         "name", text, "pid", t->sm + 1, "tid", t->slot + 1, "ts", (json_int_t)from, "dur",
                         (json_int_t)(t->issued + 1 - from), "args", "pc", json_sprintf("0x%" PRIx32, t->pc), "seq",
                         (json_int_t)t->seq, "last_record", (json_int_t)t->end));
}

static void put_stretch(struct writer *w, const struct stretch *s) {
  put_event(w, json_pack("{s:s, s:s, s:s, s:i, s:i, s:I, s:I}", "ph", "X", "cat", "class", "name",
                         profile_name(s->state), "pid", s->sm + 1, "tid", s->slot + 1, "ts", (json_int_t)s->from, "dur",
                         (json_int_t)(s->to - s->from)));
}

/* Warps of each class, on average over a bin. */
static void put_bin(struct writer *w, unsigned sm, uint64_t time, const uint64_t cycles[HEDDLE_COUNTERS]) {
  json_t *of = json_object();
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++)
    (void)json_object_set_new(of, profile_name(i), json_real((double)cycles[i] / BIN));
  put_event(w, json_pack("{s:s, s:s, s:i, s:I, s:o}", "ph", "C", "name", "warps by class", "pid", (int)sm + 1, "ts",
                         (json_int_t)time, "args", of));
}

static void put_counters(struct writer *w, const struct profiler *p) {
  const uint64_t from = p->options->profile_from, to = from + p->options->profile_cycles;
  const size_t bins = p->end > from ? (size_t)(((p->end < to ? p->end : to) - from + BIN - 1) / BIN) : 0;
  uint64_t(*bin)[HEDDLE_COUNTERS] = calloc(p->sms * bins + 1, sizeof *bin);
  w->ok = w->ok && bin != NULL;
  for (size_t i = 0; i < p->stretches && bin != NULL; i++) {
    const struct stretch *s = &p->stretch[i];
    for (uint64_t at = s->from - from; at < s->to - from; at = at / BIN * BIN + BIN) {
      const uint64_t next = at / BIN * BIN + BIN, until = next < s->to - from ? next : s->to - from;
      bin[s->sm * bins + at / BIN][s->state] += until - at;
    }
  }
  for (unsigned sm = 0; sm < p->sms && bin != NULL; sm++)
    for (size_t i = 0; i < bins; i++) put_bin(w, sm, from + i * BIN, bin[sm * bins + i]);
  free(bin);
}

bool profile_write_trace(struct profiler *p, FILE *f) {
  struct writer w = {.f = f, .ok = true};
  fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", f);
  put_names(&w, p);
  for (size_t i = 0; i < p->traceds; i++) put_instruction(&w, p, &p->traced[i]);
  for (size_t i = 0; i < p->stretches; i++) put_stretch(&w, &p->stretch[i]);
  put_counters(&w, p);
  fputs("\n]}\n", f);
  return w.ok;
}

/* kanata.log: the instructions of the window one by one, for Konata: what each waits for (stages named as the classes),
 * its issue (Is), and then (X) up to its last record. */

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

static void put_stage(const struct profiler *p, FILE *f, const struct event *e, const struct traced *t) {
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
    put_stage(p, f, &e[i], of[e[i].insn]);
  }
  free(of);
  free(e);
  return ok;
}
