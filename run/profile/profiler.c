/* SPDX-License-Identifier: Apache-2.0
 * A profile from its beginning to its files, and what these share: words for classes, lines of sources. */
#include "profiler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/file.h"
#include "run/profile/internal.h"

/* What each class of warp cycles means for who writes a kernel (docs/profile.md has the same in full). */

const struct class_words profile_words[HEDDLE_COUNTERS] = {
    [HEDDLE_COUNTER_ISSUED] = {"Issued", "the warp issues", "work: fewer instructions is what makes it less"},
    [HEDDLE_COUNTER_NOT_SELECTED] = {"Not selected", "it could issue, another warp was chosen",
                                     "enough warps are there; more of them would not help"},
    [HEDDLE_COUNTER_WAIT] = {"Wait", "for a result with a latency of its own: memory, special functions",
                             "load earlier, have more warps or more independent loads under way"},
    [HEDDLE_COUNTER_STALL] = {"Stall", "the stall count of the instruction before has not run out: a result of a pipe",
                              "more independent instructions in between, or more warps"},
    [HEDDLE_COUNTER_PIPE] = {"Pipe", "the operand stage is busy with other instructions",
                             "the machine is full here: fewer or wider instructions"},
    [HEDDLE_COUNTER_FETCH] = {"Fetch", "its next instruction has not been fetched",
                              "shorter code and loops, fewer jumps; at the start of a kernel it is the cold cache"},
    [HEDDLE_COUNTER_SYNC] = {"Sync", "a barrier, a branch that is being taken, a fence",
                             "fewer barriers, branches that do not diverge, work that is even among warps"},
    [HEDDLE_COUNTER_MEMORY] = {"Memory", "no place in the queue of memory instructions",
                               "fewer and wider accesses, coalesced; fewer bank conflicts"},
    [HEDDLE_COUNTER_CONST] = {"Constant", "a constant operand is not in its cache yet",
                              "use a parameter early and keep it; indices that do not wander"},
    [HEDDLE_COUNTER_OTHER] = {"Other", "issue is stopped: a trap, or the retire port is held (--hold)",
                              "nothing of the program's"},
};

/* Lines of source files, by the names that the program has of them; each file is read once. */

#define SOURCE_BYTES_MOST (16u << 20)

struct source_file {
  const char *name; /* as the program has it */
  char *text;       /* NULL: it cannot be read; owned. Ends of lines are 0 */
  char **line;      /* owned */
  size_t lines;
};

struct source_text {
  struct source_file *of;
  size_t n, room;
};

struct source_text *source_text_open(void) {
  return calloc(1, sizeof(struct source_text));
}

static void split_lines(struct source_file *s) {
  size_t room = 1;
  for (const char *c = s->text; *c != '\0'; c++) room += *c == '\n';
  s->line = calloc(room, sizeof *s->line);
  for (char *at = s->text; s->line != NULL && at != NULL && *at != '\0';) {
    s->line[s->lines++] = at;
    at = strchr(at, '\n');
    if (at != NULL) *at++ = '\0';
  }
}

static struct source_file *find_source(struct source_text *s, const char *file) {
  for (size_t i = 0; i < s->n; i++)
    if (strcmp(s->of[i].name, file) == 0) return &s->of[i];
  if (!array_room(&s->of, &s->room, s->n + 1, sizeof *s->of)) return NULL;
  size_t size;
  struct source_file *f = &s->of[s->n++];
  *f = (struct source_file){.name = file, .text = file_read_first(file, SOURCE_BYTES_MOST, &size)};
  if (f->text != NULL) split_lines(f);
  return f;
}

const char *source_text_line(struct source_text *s, const char *file, unsigned line) {
  const struct source_file *f = s != NULL && file != NULL && line != 0 ? find_source(s, file) : NULL;
  return f != NULL && line <= f->lines ? f->line[line - 1] : NULL;
}

void source_text_free(struct source_text *s) {
  for (size_t i = 0; s != NULL && i < s->n; i++) {
    free(s->of[i].line);
    free(s->of[i].text);
  }
  if (s != NULL) free(s->of);
  free(s);
}

/* A profile from its beginning to its files. */

struct profiler *profiler_new(const struct run_options *o) {
  struct profiler *p = calloc(1, sizeof *p);
  if (p == NULL) return NULL;
  p->options = o;
  p->machine = o->config;
  p->sms = o->config->sms;
  p->warps = o->config->warps;
  p->slot = calloc((size_t)p->sms * p->warps, sizeof *p->slot);
  p->counted = calloc(p->sms, sizeof *p->counted);
  bool ok = p->slot != NULL && p->counted != NULL;
  for (size_t i = 0; ok && i < (size_t)p->sms * p->warps; i++)
    ok = (p->slot[i].flight = calloc(PROFILE_FLIGHT, sizeof *p->slot[i].flight)) != NULL;
  if (ok) return p;
  profiler_free(p);
  return NULL;
}

void profiler_free(struct profiler *p) {
  if (p == NULL) return;
  for (size_t i = 0; p->slot != NULL && i < (size_t)p->sms * p->warps; i++) {
    free(p->slot[i].issue);
    free(p->slot[i].open);
    free(p->slot[i].flight);
  }
  free(p->slot);
  free(p->counted);
  free(p->place);
  free(p->charge);
  free(p->stretch);
  free(p->traced);
  bounds_counts_free(p->bounds);
  free(p);
}

void profiler_watch(struct profiler *p, struct heddle_session_config *c) {
  if (p == NULL) return;
  c->observe = profile_observe;
  c->classes = profile_classes;
  c->observe_ctx = p;
  p->before_read = p->before_write = 0; /* its memory counts anew */
}

void profiler_begin(struct profiler *p, const struct job *job) {
  p->job = job;
  p->jobs++;
  p->places = job->program->code_bytes / ISA_STEP;
  free(p->place);
  free(p->charge);
  p->place = calloc((size_t)p->places + 1, sizeof *p->place);
  p->charge = calloc((size_t)p->sms * p->places + 1, sizeof *p->charge);
  memset(p->counted, 0, p->sms * sizeof *p->counted);
  memset(p->bucket, 0, sizeof p->bucket);
  p->width = 16;
  p->start = p->base = p->end = p->cycles = p->launches = p->insns = p->lost = 0;
  p->read_beats = p->write_beats = 0;
  p->stretches = p->traceds = 0;
  bounds_counts_free(p->bounds);
  p->bounds = bounds_counts_new(p->machine);
  p->no_memory = p->place == NULL || p->charge == NULL || p->bounds == NULL;
  p->unread = false;
  if (!p->no_memory) profile_places(p);
}

void profiler_launched(struct profiler *p, struct heddle_session *s, const struct heddle_session_result *r) {
  uint32_t counter[HEDDLE_SESSION_COUNTERS];
  profile_settle(p);
  for (unsigned sm = 0; sm < p->sms; sm++) {
    if (!heddle_session_counters(s, sm, counter)) p->unread = true;
    for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) p->counted[sm].cycles[i] += counter[i];
  }
  p->launches++;
  p->cycles += r->cycles;
  p->insns += r->insns;
  p->read_beats += r->memory.read_beats - p->before_read;
  p->write_beats += r->memory.write_beats - p->before_write;
  p->before_read = r->memory.read_beats;
  p->before_write = r->memory.write_beats;
}

bool profiler_is_counted(const struct profiler *p, char *why, size_t n) {
  if (p->no_memory) snprintf(why, n, "profile: no memory");
  if (p->unread) snprintf(why, n, "profile: the event counters cannot be read");
  return !p->no_memory && !p->unread && charge_is_counted(p, why, n);
}

static bool make_profile_folder(const char *path, char *why, size_t n) {
  if (mkdir(path, 0777) == 0 || errno == EEXIST) return true;
  snprintf(why, n, "%s: %s", path, strerror(errno));
  return false;
}

static bool write_file(struct profiler *p, const char *dir, const char *name, bool (*put)(struct profiler *, FILE *),
                       char *why, size_t n) {
  char path[4096];
  snprintf(path, sizeof path, "%.3900s/%s", dir, name);
  FILE *f = fopen(path, "w");
  const bool ok = f != NULL && put(p, f) && ferror(f) == 0;
  if ((f != NULL && fclose(f) != 0) || !ok) {
    snprintf(why, n, "%s: %s", path, errno != 0 ? strerror(errno) : "cannot be written");
    return false;
  }
  return true;
}

bool profiler_write(struct profiler *p, char *why, size_t n) {
  static const struct {
    const char *name;
    bool (*put)(struct profiler *p, FILE *f);
  } file[] = {{"profile.txt", profile_write_text},
              {"profile.json", profile_write_json},
              {"profile.html", profile_write_html},
              {"trace.json", profile_write_trace},
              {"kanata.log", profile_write_kanata}};
  char dir[4096];
  if (!make_profile_folder(p->options->profile_out, why, n)) return false;
  if (!p->options->profile_folders)
    snprintf(dir, sizeof dir, "%.3900s", p->options->profile_out);
  else
    snprintf(dir, sizeof dir, "%.3600s/%03u-%.200s", p->options->profile_out, p->jobs, p->job->kernel->name);
  bool ok = make_profile_folder(dir, why, n);
  for (size_t i = 0; ok && i < sizeof file / sizeof file[0]; i++)
    ok = write_file(p, dir, file[i].name, file[i].put, why, n);
  return ok;
}
