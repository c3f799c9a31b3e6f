/* SPDX-License-Identifier: Apache-2.0
 * control-recode: the command of recode.h. */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/study/control/recode.h"

enum { DONE = 0, REFUSED = 1, USAGE = 2 };

static const char help[] =
    "usage: control-recode FILE.elf [-o FILE.elf] [options]\n"
    "\n"
    "Write a program with other control codes, proven sufficient. Without -o nothing is written.\n"
    "\n"
    "  -o FILE          the program\n"
    "  --by-counters    every result is awaited by a counter, no stall count is above 1\n"
    "  --stalls N       stall counts for results of fixed latency that take N cycles, 1 to 15\n"
    "  --counters N     N counters are left (1 to 6), each for what several were for\n"
    "  --clear PARTS    these are cleared: stall,yield,wbar,rbar,wait,reuse or all\n"
    "  --yield-waits    an instruction that waits for a counter yields\n"
    "  --scoreboard     for scoreboard mode: not proven, and the notes of its kernels say so\n"
    "  --json FILE      what its codes hold (-: on stdout)\n"
    "  --help           this\n"
    "\n"
    "example: control-recode vecadd.elf --clear reuse -o without.elf\n"
    "\n"
    "exit status: 0 ok, 1 the codes would not suffice (nothing is written), 2 usage or bad input\n";

struct request {
  struct recode r;
  const char *in, *out, *json;
};

static int refuse_word(const char *what, const char *word) {
  fprintf(stderr, "control-recode: error: %s '%s'; --help says how it is used\n", what, word);
  return USAGE;
}

static bool parse_small_number(const char *text, unsigned most, unsigned *value) {
  char *end;
  const unsigned long v = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || v < 1 || v > most) return false;
  *value = (unsigned)v;
  return true;
}

static int take_parts(char *text, unsigned *mask) {
  char *rest;
  for (char *t = strtok_r(text, ",", &rest); t; t = strtok_r(NULL, ",", &rest)) {
    const unsigned part = recode_part(t);
    if (part == 0) return refuse_word("--clear: no part of a control code is called", t);
    *mask |= part;
  }
  return *mask ? DONE : refuse_word("--clear: which parts? not", text);
}

static int take_recode_option(struct request *q, int option) {
  switch (option) {
  case 'o':
    q->out = optarg;
    return DONE;
  case 'c':
    q->r.by_counters = true;
    return DONE;
  case 's':
    return parse_small_number(optarg, 15, &q->r.stalls) ? DONE : refuse_word("--stalls: expected 1 to 15, not", optarg);
  case 'n':
    return parse_small_number(optarg, 6, &q->r.counters) ? DONE
                                                         : refuse_word("--counters: expected 1 to 6, not", optarg);
  case 'x':
    return take_parts(optarg, &q->r.clear);
  case 'y':
    q->r.yield_waits = true;
    return DONE;
  case 'b':
    q->r.scoreboard = true;
    return DONE;
  case 'j':
    q->json = optarg;
    return DONE;
  default:
    return USAGE; /* getopt has said why */
  }
}

static int parse_request(struct request *q, int argc, char **argv) {
  static const struct option options[] = {
      {"by-counters", no_argument, NULL, 'c'},    {"stalls", required_argument, NULL, 's'},
      {"counters", required_argument, NULL, 'n'}, {"clear", required_argument, NULL, 'x'},
      {"yield-waits", no_argument, NULL, 'y'},    {"scoreboard", no_argument, NULL, 'b'},
      {"json", required_argument, NULL, 'j'},     {0}};
  for (int o; (o = getopt_long(argc, argv, "o:", options, NULL)) != -1;) {
    const int status = take_recode_option(q, o);
    if (status != DONE) return status;
  }
  if (optind + 1 != argc) return refuse_word("one program is needed, not", optind < argc ? argv[optind + 1] : "none");
  q->in = argv[optind];
  if (q->r.by_counters && q->r.stalls > 0) return refuse_word("--stalls says nothing beside", "--by-counters");
  return DONE;
}

static int write_counts(const struct request *q, const struct recode_counts *n) {
  json_t *j = json_pack("{s:i, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "version", 1, "file", q->in,
                        "instructions", (json_int_t)n->instructions, "stalls", (json_int_t)n->stalls, "stall_cycles",
                        (json_int_t)n->stall_cycles, "yields", (json_int_t)n->yields, "wbars", (json_int_t)n->wbars,
                        "rbars", (json_int_t)n->rbars, "waits", (json_int_t)n->waits, "reuses", (json_int_t)n->reuses);
  FILE *f = strcmp(q->json, "-") == 0 ? stdout : fopen(q->json, "w");
  bool ok = j && f && json_dumpf(j, f, JSON_INDENT(1)) == 0 && fputc('\n', f) != EOF;
  if (f && f != stdout) ok = fclose(f) == 0 && ok;
  json_decref(j);
  return ok ? DONE : refuse_word("cannot write", q->json);
}

static int report_file_error(const char *file, const struct heddle_message *m) {
  fprintf(stderr, "control-recode: error: %s: %s\n", file, m->text);
  return USAGE;
}

static int recode_file(const struct request *q, struct heddle_program *p) {
  struct recode_counts n;
  struct heddle_message m;
  char why[320] = "";
  if (!recode(p, &q->r, why, sizeof why)) {
    fprintf(stderr, "control-recode: refused: %s: %s\n", q->in, why);
    return REFUSED;
  }
  if (q->out && heddle_program_save(p, q->out, &m) != HEDDLE_SUCCESS) return report_file_error(q->out, &m);
  recode_count(p, &n);
  return q->json ? write_counts(q, &n) : DONE;
}

int main(int argc, char **argv) {
  struct request q = {.r = RECODE_DEFAULT};
  struct heddle_program *p;
  struct heddle_message m;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0) return fputs(help, stdout) == EOF ? USAGE : DONE;
  int status = parse_request(&q, argc, argv);
  if (status != DONE) return status;
  if (heddle_program_load(q.in, &p, &m) != HEDDLE_SUCCESS) return report_file_error(q.in, &m);
  status = recode_file(&q, p);
  heddle_program_free(p);
  return status;
}
