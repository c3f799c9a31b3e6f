/* SPDX-License-Identifier: Apache-2.0
 * Many independent cases: a list of them from a folder, and several processes that run them. */
#include "suite.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <heddle/asm.h>
#include "base/file.h"
#include "base/process.h"
#include "run/cases/suite_report.h"
#include "run/job/case_data.h"
#include "run/runner/fidelity.h"
#include "run/runner/possible.h"

enum { CASE_CYCLES_MOST = 100000000 }; /* of a launch, unless --max-cycles says */

const char *suite_list_text(const json_t *j, const char *key) {
  return json_string_value(json_object_get(j, key));
}

const char *suite_list_name(void *list, size_t item) {
  const struct suite_list *l = list;
  const char *name = suite_list_text(l->item[item], l->kind->name);
  return name ? name : "?";
}

const struct tool_option suite_list_options[] = {
    {"only", "NAME", "one of them", 'o', NULL},
    {"compared", "FILE",
     "add a line for each instruction form that worked on a case's inputs: how (equal, bound, differs), inputs, case",
     'p', NULL},
    {0}};

void suite_list_compared(const struct suite_list *l, size_t item, const struct heddle_program *p,
                         const struct run_result *r, struct suite_verdict *v, uint64_t inputs) {
  if (!l->compared || (v->status != RUN_OK && v->status != RUN_DIFFERENCE)) return;
  const char *how = v->status != RUN_OK ? "differs" : v->note[0] != '\0' ? "bound" : "equal";
  if (!issued_compared(l->compared, p, r, how, inputs, suite_list_name((void *)l, item)))
    suite_fail(v, "%s cannot be written", l->compared);
}

static int load_list(struct suite_list *l) {
  char path[4096], why[512];
  json_error_t e;
  size_t bytes = 0;
  snprintf(path, sizeof path, "%s/%s", l->dir, l->kind->file);
  uint8_t *text = case_data_read_path(path, CASE_DATA_MOST, &bytes, why, sizeof why);
  if (!text) {
    tool_error("%s: %s", path, why);
    return TOOL_USAGE;
  }
  l->root = json_loadb((const char *)text, bytes, 0, &e);
  free(text);
  if (!l->root) {
    tool_error("%s:%d:%d: %s", path, e.line, e.column, e.text);
    return TOOL_USAGE;
  }
  const json_t *all = json_object_get(l->root, l->kind->list);
  const char *missing = l->kind->head ? l->kind->head(l) : NULL;
  if (!json_is_array(all) || missing) {
    tool_error("%s: expected a list \"%s\"%s%s", path, l->kind->list, missing ? " and " : "", missing ? missing : "");
    return TOOL_USAGE;
  }
  l->item = calloc(json_array_size(all) + 1, sizeof *l->item);
  if (!l->item) return TOOL_USAGE;
  for (size_t i = 0; i < json_array_size(all); i++) {
    l->item[l->items] = json_array_get(all, i);
    if (!l->only || strcmp(l->only, suite_list_name(l, l->items)) == 0) l->items++;
  }
  return TOOL_OK;
}

static int parse_list_options(struct suite_list *l, int argc, char **argv) {
  static const struct tool_group groups[] = {{NULL, suite_list_options}, {NULL, run_option_table}, {0}};
  const char *command = l->kind->command;
  l->run.max_cycles = CASE_CYCLES_MOST;
  for (int o; (o = tool_option_next(command, groups, argc, argv)) != -1;) {
    if (o == 'o') {
      l->only = optarg;
      continue;
    }
    if (o == 'p') {
      l->compared = optarg;
      l->run.issued = true;
      continue;
    }
    const int status = run_options_take(&l->run, command, o, optarg);
    if (status != TOOL_OK) return status;
  }
  if (optind + 1 != argc) return tool_usage(command, "one folder is needed");
  l->dir = argv[optind];
  if (!l->only && (l->run.wave || l->run.trace || l->run.stream))
    return tool_usage(command, "--wave, --trace and --stream go with --only");
  const int status = run_options_serve(l->run.on, command, groups, argc, argv);
  return status == TOOL_OK ? run_options_finish(&l->run, command) : status;
}

int suite_list_main(const struct suite_list_kind *kind, void *ctx, int argc, char **argv) {
  struct suite_list l = {.kind = kind, .ctx = ctx};
  run_options_init(&l.run);
  int status = parse_list_options(&l, argc, argv);
  if (status == TOOL_OK) status = load_list(&l);
  const struct suite s = {.command = kind->command,
                          .what = kind->what,
                          .dir = l.dir,
                          .run = &l.run,
                          .items = l.items,
                          .name = suite_list_name,
                          .one = kind->one,
                          .ctx = &l};
  if (status == TOOL_OK) status = suite_run(&s);
  free(l.item);
  json_decref(l.root);
  return status;
}

/* Cases in processes: each worker has every jobs-th case, and says its verdicts through one pipe. One that dies takes
 * the case it was at with it; another goes on behind that. */

struct worker {
  pid_t pid;
  int from;    /* its end of the pipe to read, or -1 */
  bool said;   /* all that it had to say: the end of its pipe is no death */
  size_t next; /* item */
};

struct run {
  const struct suite *s;
  struct suite_verdict *verdict;
  bool *done;
  size_t said;
  struct worker *worker;
  unsigned workers;
};

void suite_fail(struct suite_verdict *v, const char *format, ...) {
  va_list ap;
  v->passed = false;
  if (v->status == RUN_OK) v->status = RUN_DIFFERENCE;
  va_start(ap, format);
  vsnprintf(v->why, sizeof v->why, format, ap);
  va_end(ap);
}

bool suite_can_run(struct suite_verdict *v, const struct run_options *run, const struct job *j) {
  if (run_possible(run, j, NULL, v->why, sizeof v->why)) return true;
  v->passed = false;
  v->status = RUN_BAD_INPUT;
  snprintf(v->diagnosis.kind, sizeof v->diagnosis.kind, "refused");
  v->refused = run_refused_json(run, j);
  return false;
}

bool suite_take_result(struct suite_verdict *v, const struct run_result *r, const struct heddle_program *p) {
  v->status = r->status;
  v->retired = r->retired;
  v->cycles = r->cycles;
  memcpy(v->counter, r->counter, sizeof v->counter);
  if (r->status == RUN_OK) return false;
  if (r->status == RUN_TRAP) {
    char insn[200] = "", line[300] = "";
    const char *file;
    unsigned number;
    if (r->trap.pc < p->code_bytes) heddle_disassemble_at(p, r->trap.pc, insn, sizeof insn);
    if (heddle_program_line(p, r->trap.pc, &file, &number)) snprintf(line, sizeof line, ", %.250s:%u", file, number);
    suite_fail(v, "trap %s at pc 0x%04x (%s)%s, block %u,%u,%u warp %u lanes 0x%08x address 0x%" PRIx64,
               heddle_cause_name(r->trap.cause), r->trap.pc, insn, line, r->trap.ctaid[0], r->trap.ctaid[1],
               r->trap.ctaid[2], r->trap.warp_in_block, r->trap.lanes, r->trap.addr);
  } else if (r->status == RUN_UNDEFINED && r->fault.fault.has_place) {
    char where[300];
    heddle_explain_pc(p, r->fault.fault.pc, where, sizeof where);
    suite_fail(v, "undefined: %s at %s, block %u,%u,%u warp %u lanes 0x%08x", r->fault.cause, where,
               r->fault.fault.ctaid[0], r->fault.fault.ctaid[1], r->fault.fault.ctaid[2], r->fault.fault.warp,
               r->fault.fault.lanes);
  } else {
    suite_fail(v, "%s: %.400s%s%.500s", run_status_name(r->status), r->message, r->report ? "\n" : "",
               r->report ? r->report : "");
  }
  return true;
}

/* ---- in the worker */

/* The verdict, then what refuses it as text with its length before it: 0, nothing does. */
static bool send_verdict(int to, struct suite_verdict *v) {
  char *text = v->refused ? json_dumps(v->refused, JSON_COMPACT) : NULL;
  const size_t bytes = text ? strlen(text) : 0;
  json_decref(v->refused);
  v->refused = NULL;
  const bool ok = descriptor_write(to, v, sizeof *v) && descriptor_write(to, &bytes, sizeof bytes) &&
                  descriptor_write(to, text, bytes);
  free(text);
  return ok;
}

/* Items of one worker. */
struct share {
  const struct suite *s;
  size_t first, by;
};

static int run_share(void *ctx, int to) {
  const struct share *all = ctx;
  const struct suite *s = all->s;
  int status = TOOL_OK;
  struct runner *r = s->alone ? NULL : runner_new(s->run, &status);
  if (!r && !s->alone) return status;
  bool heard = true;
  for (size_t i = all->first; i < s->items && heard; i += all->by) {
    struct suite_verdict v = {.item = i, .passed = true};
    const double start = seconds_now();
    s->one(s->ctx, i, r, &v);
    v.seconds = seconds_now() - start;
    heard = send_verdict(to, &v) && !s->alone;
  }
  runner_free(r);
  return TOOL_OK;
}

/* ---- in the parent */

static bool start_worker(struct run *r, struct worker *w) {
  struct share all = {r->s, w->next, r->workers};
  w->from = -1;
  w->said = false;
  return w->next >= r->s->items || process_fork(run_share, &all, &w->pid, &w->from);
}

static void take_case_verdict(struct run *r, const struct suite_verdict *v) {
  if (v->item >= r->s->items || r->done[v->item]) return;
  r->verdict[v->item] = *v;
  r->done[v->item] = true;
  r->said++;
  suite_progress(r->s, r->said);
}

/* The worker's pipe has ended: all is said, or it died at its next item. */
static bool bury(struct run *r, struct worker *w) {
  enum { BY_SIGNAL = 128, SIGNAL_LAST = 64 };
  close(w->from);
  w->from = -1;
  const int s = process_wait(w->pid);
  if (w->next >= r->s->items) return true;
  if (w->said) return start_worker(r, w);
  struct suite_verdict v = {.item = w->next, .status = s == TOOL_MISSING ? RUN_MISSING : RUN_DIFFERENCE};
  if (s > BY_SIGNAL && s <= BY_SIGNAL + SIGNAL_LAST)
    suite_fail(&v, "its process was killed by signal %d", s - BY_SIGNAL);
  else
    suite_fail(&v, "its process ended with status %d", s);
  take_case_verdict(r, &v);
  w->next += r->workers;
  return start_worker(r, w);
}

static bool hear_refused(int from, struct suite_verdict *v) {
  size_t bytes;
  if (!descriptor_read(from, &bytes, sizeof bytes)) return false;
  if (bytes == 0) return true;
  char *text = malloc(bytes);
  const bool ok = text && descriptor_read(from, text, bytes);
  if (ok) v->refused = json_loadb(text, bytes, 0, NULL);
  free(text);
  return ok;
}

static bool hear(struct run *r, struct worker *w) {
  struct suite_verdict v;
  if (!descriptor_read(w->from, &v, sizeof v) || !hear_refused(w->from, &v)) return bury(r, w);
  take_case_verdict(r, &v);
  w->next = v.item + r->workers;
  w->said = r->s->alone;
  return true;
}

static bool hear_all(struct run *r) {
  struct pollfd p[256];
  for (;;) {
    nfds_t n = 0;
    unsigned who[256];
    for (unsigned i = 0; i < r->workers; i++) {
      if (r->worker[i].from < 0) continue;
      who[n] = i;
      p[n++] = (struct pollfd){.fd = r->worker[i].from, .events = POLLIN};
    }
    if (n == 0) return true;
    if (poll(p, n, -1) < 0 && errno != EINTR) return false;
    for (nfds_t k = 0; k < n; k++)
      if ((p[k].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !hear(r, &r->worker[who[k]])) return false;
  }
}

static bool run_cases(struct run *r) {
  for (unsigned i = 0; i < r->workers; i++) {
    r->worker[i].next = i;
    if (!start_worker(r, &r->worker[i])) return false;
  }
  return hear_all(r);
}

int suite_run(const struct suite *s) {
  struct run r = {.s = s, .workers = s->run->jobs < s->items ? s->run->jobs : (unsigned)s->items};
  if (s->items == 0) {
    tool_error("%s: no %s", s->dir ? s->dir : s->command, s->what);
    return TOOL_USAGE;
  }
  struct waivers *w;
  int status = waivers_open(s->run->waivers, &w);
  if (status != TOOL_OK) return status;
  if (!runner_keep_device(s->run)) {
    waivers_free(w);
    return TOOL_MISSING;
  }
  r.verdict = calloc(s->items, sizeof *r.verdict);
  r.done = calloc(s->items, sizeof *r.done);
  r.worker = calloc(r.workers, sizeof *r.worker);
  status = TOOL_USAGE;
  if (r.verdict && r.done && r.worker && run_cases(&r))
    status = suite_report(s, r.verdict, w);
  else
    tool_error("cannot start another process");
  for (size_t i = 0; r.verdict && i < s->items; i++) json_decref(r.verdict[i].refused);
  free(r.verdict);
  free(r.done);
  free(r.worker);
  waivers_free(w);
  return status;
}
