/* SPDX-License-Identifier: Apache-2.0
 *
 * The checker can fail: every injected fault, and every wrong control code, is stopped and named as a list says
 * (expected.txt); without it both sides agree, in both dependency modes. One process for all: each launch has a device
 * of its own, which takes the number of its fault when it is opened.
 * usage: expect_fail [--list FILE] CONFIG ...          devices: HEDDLE_DEVICES, or those of the build
 * SKIP="PROGRAM ...": programs that make no sense in another encoding, since they hold words in hex. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "run/runner/launch_options.h"
#include "run/runner/possible.h"
#include "run/runner/runner.h"

enum { WORD = 96, WORDS = 64, TEXT = 4096, CLEANS = 1024, SHOWN = 24 };

/* A line of the list, its fields in their order. */
struct line {
  unsigned fault;
  char name[WORD], program[WORD], where[WORD], mode[WORD], kind[WORD];
  char place[5][WORD]; /* warp block seq pc lanes */
  const char *says;
};

/* A program and what its head says. */
struct program {
  const char *name;
  char path[TEXT], launch[TEXT], traps[WORD];
  struct heddle_program *code; /* NULL: it does not assemble */
};

/* What has come of a launch. */
struct seen {
  int status; /* enum tool_exit */
  struct run_result r;
  char place[5][WORD];
};

static unsigned passed, failed;
static char cleans[CLEANS][3 * WORD]; /* "PROGRAM CONFIG MODE" that have been run without a fault */
static unsigned cleaned;

static const char *report_of(const struct seen *s) {
  return s->r.report ? s->r.report : s->r.message;
}

static void judge(const char *what, const char *wrong, const char *well, const struct seen *s) {
  unsigned n = 0;
  if (wrong[0] == '\0') {
    passed++;
    printf("ok      %s: %s\n", what, well);
    return;
  }
  failed++;
  printf("FAILED  %s: %s\n", what, wrong);
  for (const char *at = s ? report_of(s) : ""; *at && n < SHOWN; n++) {
    const int length = (int)strcspn(at, "\n");
    printf("        | %.*s\n", length, at);
    at += length + (at[length] != '\0');
  }
}

/* "tiny, fpga, cached, quad, paged and backed/mid/duo, sm and gpu/wide": the value for this configuration. */
static void pick(const char *values, const char *config, char out[WORD]) {
  static const char *const like[] = {" tiny fpga cached quad paged backed ", " mid ", " duo sm gpu "};
  char of[4][WORD], more[2], asked[WORD];
  unsigned k = 0;
  snprintf(out, WORD, "%s", values);
  if (sscanf(values, "%95[^/]/%95[^/]/%95[^/]/%95[^/]%1s", of[0], of[1], of[2], of[3], more) != 4) return;
  snprintf(asked, sizeof asked, " %.90s ", config);
  while (k < 3 && !strstr(like[k], asked)) k++;
  memcpy(out, of[k], WORD);
}

/* Is this word one of those between the separators? */
static bool among(const char *list, char separator, const char *word) {
  const size_t n = strlen(word);
  for (const char *at = list; at; at = strchr(at, separator), at += at != NULL)
    if (strncmp(at, word, n) == 0 && (at[n] == separator || at[n] == '\0')) return true;
  return false;
}

/* What stands behind this word in a line of the program's text; "": there is no such line. */
static void head(const char *text, const char *word, char *out, size_t size) {
  const char *at = strstr(text, word);
  out[0] = '\0';
  if (at) snprintf(out, size, "%.*s", (int)strcspn(at + strlen(word), "\n"), at + strlen(word));
}

/* Programs whose codes are wrong are warned of. */
static void tell_error(void *ctx, const struct heddle_message *m) {
  if (!m->warning) tool_message(ctx, m);
}

/* Assembled for the slowest machine, with the stall count of its head, if it has one, in place of ##. */
static void assemble(struct program *p, const char *name, const char *config) {
  char stalls[WORD], stall[WORD], *text;
  size_t size = 0;
  *p = (struct program){.name = name};
  snprintf(p->path, sizeof p->path, "%s/%s.s", EXPECT_FAIL_DIR, name);
  uint8_t *read = tool_read_file(p->path, 1u << 20, &size);
  if (!read) return;
  text = malloc(size + 1);
  if (text) memcpy(text, read, size), text[size] = '\0';
  free(read);
  if (!text) return;
  head(text, "\n// launch: ", p->launch, sizeof p->launch);
  head(text, "\n// traps: ", p->traps, sizeof p->traps);
  head(text, "\n// stall: ", stalls, sizeof stalls);
  pick(stalls, config, stall);
  for (char *at = text; (at = strstr(at, "S##")) != NULL;) {
    const int count = (int)(strtoul(stall, NULL, 10) % 100);
    at[1] = (char)('0' + count / 10);
    at[2] = (char)('0' + count % 10);
  }
  struct heddle_asm_options o = {.size = sizeof o, .message = tell_error, .long_words = true};
  (void)tool_stalls(NULL, o.stall);
  (void)heddle_assemble(text, size, p->path, &o, &p->code);
  free(text);
}

/* ---- a launch, as `heddle run` would do it ---- */

static const struct tool_option own[] = {{"launches", "N", "one behind the other, in the device's queue", 'n', NULL},
                                         {"bus-errors", "A:N", "where memory answers with errors", 'E', NULL},
                                         {0}};
static const struct tool_group groups[] = {{NULL, launch_option_table}, {NULL, own}, {NULL, run_option_table}, {0}};

static int take(struct run_options *run, struct launch_options *l, int option) {
  int status;
  uint64_t n = 0;
  if (launch_options_take(l, "run", option, &status)) return status;
  if (option == 'E') return bus_errors_take(&l->job, optarg);
  if (option != 'n') return run_options_take(run, "run", option, optarg);
  status = tool_number(optarg, 1000, &n) ? TOOL_OK : TOOL_USAGE;
  l->job.launches = (unsigned)n;
  return status;
}

static int parse(struct run_options *run, struct launch_options *l, int argc, char **argv) {
  int status = TOOL_OK;
  optind = 0; /* getopt begins anew */
  for (int o; status == TOOL_OK && (o = tool_option_next("run", groups, argc, argv)) != -1;) status = take(run, l, o);
  if (status == TOOL_OK) status = launch_options_finish(l, "run", argc, argv);
  return status == TOOL_OK ? run_options_finish(run, "run") : status;
}

static void run_job(struct run_options *run, struct launch_options *l, const struct program *p, struct seen *s) {
  s->status = TOOL_USAGE;
  if (!launch_options_build(l, p->code) || !bus_errors_fit(&l->job)) return;
  if (!run_possible(run, &l->job, NULL, s->r.message, sizeof s->r.message)) return;
  struct runner *r = runner_new(run, &s->status);
  if (!r) return;
  runner_run(r, &l->job, NULL, &s->r);
  s->status = run_exit_status(s->r.status);
  runner_free(r);
}

/* The words of the head, each output with a file to write, and ours. */
static void launch(const struct program *p, const char *config, const char *mode, unsigned fault, struct seen *s) {
  char words[TEXT], number[16], out[WORDS][WORD], *argv[WORDS + 24];
  int argc = 0, outs = 0;
  struct run_options run;
  struct launch_options l = {0};
  const char *const ours[] = {"--on",    "lockstep", "--config",     config,   "--dep", mode,
                              "--fault", number,     "--max-cycles", "200000", p->path};
  const char *const first[] = {"run", "--kernel", p->name, "--grid", "1"};
  memset(s, 0, sizeof *s);
  snprintf(number, sizeof number, "%u", fault);
  snprintf(words, sizeof words, "%s", p->launch);
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) argv[argc++] = (char *)first[i];
  for (char *w = strtok(words, " "); w && argc < WORDS; w = strtok(NULL, " ")) {
    snprintf(out[outs], WORD, "%.80s:/dev/null", w);
    argv[argc++] = strncmp(w, "out:", 4) == 0 ? out[outs++] : w;
  }
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) argv[argc++] = (char *)ours[i];
  argv[argc] = NULL;
  run_options_init(&run);
  launch_options_init(&l);
  s->status = parse(&run, &l, argc, argv);
  if (s->status == TOOL_OK) run_job(&run, &l, p, s);
  launch_options_clear(&l);
}

/* ---- what is expected of it ---- */

/* The place that the report names; "-" for what it does not name. */
static void find_place(struct seen *s) {
  char(*place)[WORD] = s->place;
  for (unsigned i = 0; i < 5; i++) snprintf(place[i], WORD, "-");
  for (const char *at = report_of(s); *at; at += strcspn(at, "\n"), at += *at == '\n') {
    const char *warp = strncmp(at, "  warp ", 7) == 0 ? strstr(at, ", warp ") : NULL;
    if (warp && warp < at + strcspn(at, "\n"))
      (void)sscanf(warp, ", warp %90s of block (%90[0-9,]", place[0], place[1]);
    if (strncmp(at, "  at        seq", 15) == 0) (void)sscanf(at, "  at seq %90s pc %90s", place[2], place[3]);
    if (strncmp(at, "  lanes     0x", 14) == 0) (void)sscanf(at, "  lanes %90s", place[4]);
  }
}

static bool same(const char *want, const char *saw) {
  const bool hex = strncmp(want, "0x", 2) == 0 && strncmp(saw, "0x", 2) == 0;
  return strcmp(want, "-") == 0 || strcmp(want, "any") == 0 || strcmp(want, saw) == 0 ||
         (hex && strtoull(want, NULL, 16) == strtoull(saw, NULL, 16));
}

/* Is the difference of this kind? "device": a rule of the bus, which the memory is told. */
static bool is_kind(const char *report, const char *kind) {
  char line[WORD + 16];
  if (strcmp(kind, "device") == 0) return strncmp(report, "device: ", 8) == 0 || strstr(report, "\ndevice: ");
  snprintf(line, sizeof line, "difference: %s (", kind);
  return strstr(report, line) != NULL;
}

/* Without a fault both sides agree; each program, configuration and mode once. */
static void check_clean(const struct program *p, const char *config, const char *mode) {
  char what[3 * WORD], wrong[WORD] = "";
  struct seen s;
  snprintf(what, sizeof what, "%s %s %s", p->name, config, mode);
  for (unsigned i = 0; i < cleaned; i++)
    if (strcmp(cleans[i], what) == 0) return;
  if (cleaned < CLEANS) memcpy(cleans[cleaned++], what, sizeof what);
  launch(p, config, mode, 0, &s);
  const bool traps = p->traps[0] != '\0';
  const int want = traps ? TOOL_TRAPPED : TOOL_OK;
  if (s.status != want || (traps && strcmp(p->traps, heddle_cause_name(s.r.trap.cause)) != 0))
    snprintf(wrong, sizeof wrong, "status %d, want %d %.40s", s.status, want, p->traps);
  judge(what, wrong, "no fault, no difference", &s);
  run_result_clear(&s.r);
}

static void check_fault(const struct line *l, const struct program *p, const char *config) {
  static const char *const named[] = {"warp", "block", "seq", "pc", "lanes"};
  char what[6 * WORD], wrong[TEXT] = "", want[WORD];
  struct seen s;
  size_t n = 0;
  launch(p, config, l->mode, l->fault, &s);
  find_place(&s);
  if (s.status != TOOL_DIFFERENCE) n += (size_t)snprintf(wrong + n, sizeof wrong - n, "status %d, want 1; ", s.status);
  if (!is_kind(report_of(&s), l->kind)) n += (size_t)snprintf(wrong + n, sizeof wrong - n, "not named %s; ", l->kind);
  if (!strstr(report_of(&s), l->says))
    n += (size_t)snprintf(wrong + n, sizeof wrong - n, "does not say '%.400s'; ", l->says);
  for (unsigned i = 0; i < 5; i++) {
    pick(l->place[i], config, want);
    /* A difference without lanes must not show any. */
    const bool none = i == 4 && strcmp(want, "-") == 0 && strcmp(s.place[i], "-") != 0;
    if (none || !same(want, s.place[i]))
      n += (size_t)snprintf(wrong + n, sizeof wrong - n, "%s %s, want %s; ", named[i], s.place[i], want);
  }
  if (n > 0) wrong[n - 2] = '\0';
  if (l->fault != 0)
    snprintf(what, sizeof what, "fault %u %s: %s %s %s", l->fault, l->name, p->name, config, l->mode);
  else
    snprintf(what, sizeof what, "code: %s %s %s", p->name, config, l->mode);
  judge(what, wrong, l->kind, &s);
  run_result_clear(&s.r);
}

static void check(const struct line *l, const char *config) {
  const char *skip = getenv("SKIP");
  struct program p;
  if (strcmp(l->where, "all") != 0 && !among(l->where, ',', config)) return;
  if (skip && among(skip, ' ', l->program)) return;
  assemble(&p, l->program, config);
  if (!p.code) {
    judge(l->program, "does not assemble", "", NULL);
    return;
  }
  if (l->fault != 0) check_clean(&p, config, "control");
  check_clean(&p, config, "scoreboard");
  check_fault(l, &p, config);
  heddle_program_free(p.code);
}

static bool read_line(char *text, struct line *l) {
  char fault[WORD], more[2];
  char *says = strstr(text, " : ");
  if (!says) return false;
  *says = '\0';
  l->says = says + 3;
  if (sscanf(text, "%95s %95s %95s %95s %95s %95s %95s %95s %95s %95s %95s %1s", fault, l->name, l->program, l->where,
             l->mode, l->kind, l->place[0], l->place[1], l->place[2], l->place[3], l->place[4], more) != 11)
    return false;
  l->fault = (unsigned)strtoul(fault, NULL, 10);
  return fault[strspn(fault, "0123456789")] == '\0';
}

static bool check_list(const char *path, const char *config) {
  char text[TEXT], whole[TEXT];
  struct line l;
  FILE *f = fopen(path, "r");
  if (!f) {
    fprintf(stderr, "expect_fail: %s cannot be read\n", path);
    return false;
  }
  while (fgets(text, sizeof text, f)) {
    text[strcspn(text, "\n")] = '\0';
    if (text[0] == '\0' || text[0] == '#') continue;
    memcpy(whole, text, sizeof whole);
    if (read_line(text, &l))
      check(&l, config);
    else
      judge(path, whole, "", NULL);
  }
  (void)fclose(f);
  return true;
}

/* Loaded once, with faults and without: it is opened for each launch. */
static bool keep(const char *config) {
  struct run_options run;
  run_options_init(&run);
  run.config_name = config;
  if (!runner_keep_device(&run)) return false;
  run.fault = 1;
  return runner_keep_device(&run);
}

int main(int argc, char **argv) {
  const char *list = EXPECT_FAIL_DIR "/expected.txt";
  int i = 1;
  if (argc > 2 && strcmp(argv[1], "--list") == 0) list = argv[2], i = 3;
  if (i >= argc || argv[i][0] == '-') {
    fprintf(stderr, "usage: expect_fail [--list FILE] CONFIG ...\n");
    return TOOL_USAGE;
  }
  for (; i < argc; i++) {
    if (!keep(argv[i])) return TOOL_MISSING;
    if (!check_list(list, argv[i])) return TOOL_USAGE;
  }
  printf("%u passed, %u failed\n", passed, failed);
  return failed == 0 && passed > 0 ? TOOL_OK : TOOL_DIFFERENCE;
}
