/* SPDX-License-Identifier: Apache-2.0
 * heddle board: a board at the other end of a serial line. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/board/board_tests.h"
#include "tools/board/bring_up.h"
#include <heddle/config.h>
#include "run/command/json_out.h"
#include "run/cases/kernel_run.h"
#include "firmware/board/open.h"
#include "run/command/option.h"

static const struct tool_option own[] = {
    {"form", "FORM", "of the kernels: asm, ptx, or O0 (default asm where there is one, else ptx)", 'f', "asm ptx O0"},
    {"scale", "N", "size of the kernels: 0 small (default), 1 at least 10,000 warp instructions", 'x', NULL},
    {"seed", "N", "of their data (default 1)", 's', NULL},
    {"limit", "SECONDS", "a launch that takes longer is stopped, exit status 4 (default 600)", 'l', NULL},
    {"march", "WORDS", "try so many words of 64 bits of the memory, where the board has its march test", 'm', NULL},
    {"registers", NULL, "write and read the launch registers; where the core is not in, start and end a grid", 'r',
     NULL},
    {"bring-up", NULL,
     "test the board step by step, from the line to random programs, and say which part of it is broken; --json FILE "
     "is "
     "the report",
     'b', NULL},
    {"campaign", "SECONDS", "of random programs at the end of --bring-up (default 10; 0: none)", 'p', NULL},
    {0}};
static const struct tool_option judging[] = {
    {"check", NULL,
     "the core sends what it retires, and the model judges it while it runs; the core waits for the line. A board "
     "that sends digests is judged when a launch has ended",
     'c', NULL},
    {"trace", "FILE", "as --check, of one kernel, and keep what came for 'heddle check FILE'", 't', NULL},
    {"drop", NULL, "as --check, but the core waits for nothing: what finds no room is lost, which is never a pass", 'd',
     NULL},
    {"json", "FILE", "the result as JSON (-: on stdout)", 'j', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {"Judged by the model:", judging}, {0}};
static const char *const usage[] = {"NAME [KERNEL ...] [options]", NULL};
static const char *const examples[] = {"heddle board tty:/dev/ttyUSB0 vecadd sgemm",
                                       "heddle board tty:/dev/ttyUSB0 --bring-up --json report.json",
                                       "heddle board tty:/dev/ttyUSB0 vecadd --check --json verdict.json",
                                       "heddle board sim:build/bin/board_sim_tiny vecadd --trace vecadd.stream && \\",
                                       "  heddle check vecadd.stream",
                                       NULL};
static const char about[] =
    "Open the board NAME, reset it, say what it is, and run kernels of firmware/kernels on it by the host driver. "
    "Their results in memory are compared with what the host computes. NAME: tty:PATH[:BAUD], a serial device (1000000 "
    "baud if not said), or sim:PROGRAM, a program that simulates a board. Each kernel is loaded again, over what the "
    "one before has left. docs/first-bitstream.md says how a board comes to answer, docs/bring-up.md what --bring-up "
    "says of one that does not.\n"
    "With --check the exit status is that of lockstep: 1 a difference, 3 the program's fault; and 2 where what the "
    "board "
    "sent was not whole. A program of your own: heddle run FILE --on board --board NAME.";

struct request {
  const char *name, *trace, *json;
  enum kernel_form form;
  bool any_form, check, drop;
  uint64_t scale, seed, march, limit, campaign;
  bool registers, bring_up, any_campaign;
  unsigned passed, failed, lacking;
  bool seen[TOOL_MISSING + 1]; /* exit statuses of kernels */
  struct board_judge *judge;   /* NULL: nobody judges */
  struct board *board;
  json_t *results;
};

static const char *form_name(const struct request *q, const struct kernel_info *k, enum kernel_form *form) {
  *form = !q->any_form ? q->form : kernel_has(k, KERNEL_ASM) ? KERNEL_ASM : KERNEL_PTX;
  return kernel_form_name(*form);
}

/* What the checker says, below the line of the kernel. */
static void say_verdict(const struct request *q, const struct heddle_verdict *v) {
  if (v->kind == HEDDLE_VERDICT_OK && q->board->id.feed == BOARD_FEED_DIGEST)
    printf("  %s", v->report);
  else if (v->kind == HEDDLE_VERDICT_OK)
    printf("  judged live: %" PRIu64 " warp instructions, %" PRIu64 " lanes compared; profile %s\n", v->retired,
           v->lanes_compared, v->profile);
  else
    (void)fputs(v->report, stderr);
}

static int status_of_launch(const struct request *q, const struct heddle_verdict *v, const struct board_patience *p,
                            bool right, bool trapped) {
  const int judged = q->judge ? board_judge_exit(v->kind) : TOOL_OK;
  if (judged == TOOL_DIFFERENCE) return judged;
  if (p->given_up) return TOOL_LIMIT;
  if (judged != TOOL_OK) return judged;
  return right ? TOOL_OK : trapped && q->judge ? TOOL_TRAPPED : TOOL_DIFFERENCE;
}

static void keep_result(struct request *q, const char *kernel, const char *form, const struct board_totals *t,
                        const struct heddle_verdict *v, int status, const char *why) {
  if (!q->results) return;
  json_t *j = json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:s}", "kernel", kernel, "form", form, "status",
                        tool_exit_name((enum tool_exit)status), "launches", (json_int_t)t->launches,
                        "warp_instructions", (json_int_t)t->retired, "cycles", (json_int_t)t->cycles, "message", why);
  if (q->judge)
    (void)json_object_set_new(j, "verdict",
                              json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:s}", "kind",
                                        board_judge_word(v->kind), "profile", v->profile, "not_judged", v->not_judged,
                                        "records", (json_int_t)v->records, "warp_instructions", (json_int_t)v->retired,
                                        "lanes", (json_int_t)v->lanes_compared, "performs", (json_int_t)v->performs,
                                        "stream_bytes", (json_int_t)board_judge_got(q->judge), "report", v->report));
  json_t *difference = q->judge ? board_judge_json(q->judge) : NULL;
  if (difference) (void)json_object_set_new(j, "difference", difference);
  json_t *digests = q->judge ? board_judge_digests(q->judge) : NULL;
  if (digests) (void)json_object_set_new(j, "digests", digests);
  (void)json_array_append_new(q->results, j);
}

static bool begin_judging(struct request *q, bool kept, struct heddle_port *port) {
  const struct board_judge_options o = {.drop = q->drop, .file = kept ? q->trace : NULL};
  char why[512];
  if (board_judge_begin(q->judge, q->board, &o, port, why, sizeof why)) return true;
  tool_error("%s: %s", q->name, why);
  return false;
}

static int run_board_kernel(struct request *q, struct heddle_context *c, const struct kernel_info *k) {
  enum kernel_form form;
  const char *of = form_name(q, k, &form);
  char elf[TEMPORARY_PATH] = "", why[512] = "";
  struct board_totals t = {0};
  struct board_patience patience = {.name = k->name, .link = q->board->link, .seconds = q->limit, .judge = q->judge};
  struct heddle_verdict v = {.kind = HEDDLE_VERDICT_OK};
  struct heddle_trap_info trap;
  struct heddle_port port;
  bool lacking = false;
  if (!kernel_has(k, form)) return tool_usage("board", "kernel '%s' has no form %s", k->name, of);
  if (q->judge && !begin_judging(q, true, &port)) return TOOL_USAGE;
  struct kernel_case *cases = calloc(1, sizeof *cases);
  const bool made =
      board_kernel_save(k, form, elf) && cases && kernel_prepare(k, form, q->seed, (unsigned)q->scale, cases);
  const bool right = made && board_kernel_run(c, elf, cases, &patience, &t, &lacking, why, sizeof why);
  const bool trapped = heddle_trap_last(c, &trap) == HEDDLE_SUCCESS;
  if (made) kernel_case_clear(cases);
  free(cases);
  temporary_remove(elf);
  if (!made) return TOOL_USAGE;
  if (q->judge && !lacking) board_judge_verdict(q->judge, &v);
  const int status = lacking ? TOOL_OK : status_of_launch(q, &v, &patience, right, trapped);
  printf("%s.%s: %" PRIu64 " launches, %" PRIu64 " warp instructions, %" PRIu64 " cycles: %s\n", k->name, of,
         t.launches, t.retired, t.cycles,
         status != TOOL_OK ? "FAILED"
         : lacking         ? "not on this board"
                           : "ok");
  if (q->judge && !lacking) say_verdict(q, &v);
  fflush(stdout);
  if (!right) tool_error("%s: %s", k->name, why);
  keep_result(q, k->name, of, &t, &v, status, why);
  if (q->judge && !board_judge_end(q->judge)) tool_error("%s: the file of the stream is not complete", k->name);
  q->seen[status] = true;
  *(status != TOOL_OK ? &q->failed : lacking ? &q->lacking : &q->passed) += 1;
  return TOOL_OK;
}

/* Of all kernels: a difference first, then what could not be judged. */
static int status_of_kernels(const struct request *q) {
  static const int order[] = {TOOL_DIFFERENCE, TOOL_USAGE, TOOL_TRAPPED, TOOL_LIMIT};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    if (q->seen[order[i]]) return order[i];
  return q->passed == 0 ? TOOL_DIFFERENCE : TOOL_OK;
}

static void say_core(struct heddle_device *device) {
  uint64_t hash = 0, lanes = 0;
  (void)heddle_device_attribute(device, HEDDLE_ATTRIBUTE_CONFIG_HASH, &hash);
  (void)heddle_device_attribute(device, HEDDLE_ATTRIBUTE_LANES, &lanes);
  for (size_t i = 0; i < heddle_config_count(); i++)
    if (heddle_config_at(i)->hash == hash) {
      printf("core: %s, %" PRIu64 " lanes\n", heddle_config_at(i)->name, lanes);
      return;
    }
  printf("core: of a configuration that this program lacks, %" PRIu64 " lanes\n", lanes);
}

static int kernels(struct request *q, struct board *b, char **names, int n) {
  struct heddle_port port;
  struct heddle_system *system = NULL;
  struct heddle_device *device = NULL;
  struct heddle_context *c = NULL;
  int status = TOOL_OK;
  q->board = b;
  if (!q->judge)
    board_port_bind(b->link, &b->id, &port);
  else if (!begin_judging(q, false, &port))
    return TOOL_USAGE;
  if (heddle_init(&port, 1, &system) != HEDDLE_SUCCESS || heddle_device_get(system, 0, &device) != HEDDLE_SUCCESS ||
      heddle_context_create(device, &c) != HEDDLE_SUCCESS) {
    tool_error("%s: the driver finds no core there: %s", q->name, board_link_message(b->link));
    status = TOOL_DIFFERENCE;
  } else {
    say_core(device);
    fflush(stdout); /* what takes long is told on stderr */
  }
  for (int i = 0; i < n && status == TOOL_OK; i++) status = run_board_kernel(q, c, kernel_find(names[i]));
  heddle_context_destroy(c);
  heddle_shutdown(system);
  if (status != TOOL_OK) return status;
  printf("%u passed, %u failed", q->passed, q->failed);
  if (q->lacking > 0) printf(", %u not on this board", q->lacking);
  printf("\n");
  return status_of_kernels(q);
}

static void print_board(const struct board *b) {
  const struct board_identity *id = &b->id;
  printf("board %.4s, %.1f MHz, ", (const char *)&id->board, (double)id->clock_hz / 1e6);
  if (id->memory_bytes > 0)
    printf("%" PRIu64 " MB of memory from 0x%" PRIx64 " on\n", id->memory_bytes >> 20, id->memory_base);
  else
    printf("no memory\n");
}

/* Frames that both ends have dropped: a line that loses some is slow, one that loses many is broken. */
static void say_line(const struct board *b) {
  const struct board_traffic t = board_link_traffic(b->link);
  struct board_counters c;
  if (board_link_counters(b->link, &c) != BOARD_OK) return;
  printf("line: %" PRIu64 " bytes sent, %" PRIu64 " received; %" PRIu64 " commands sent again, %" PRIu64
         " frames damaged here, %u there\n",
         t.sent, t.received, t.repeats, t.bad, c.bad);
  if (t.trace_bytes > 0)
    printf("trace: %" PRIu64 " bytes of it, %" PRIu64 " times some were missing\n", t.trace_bytes, t.trace_gaps);
}

static int tried(const char *what, bool right, const char *seen) {
  if (right)
    printf("%s: %s\n", what, seen);
  else
    tool_error("%s: %s", what, seen);
  return right ? TOOL_OK : TOOL_DIFFERENCE;
}

static int work_on_board(struct request *q, struct board *b, char **names, int n) {
  uint8_t bytes[1024];
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 7 ^ i >> 8);
  print_board(b);
  if (board_link_echo(b->link, bytes, sizeof bytes) != BOARD_OK) {
    tool_error("%s: %s", q->name, board_link_message(b->link));
    return TOOL_DIFFERENCE;
  }
  printf("echo: 1024 bytes came back\n");
  int status = TOOL_OK;
  char seen[300];
  bool core;
  if (q->march > 0) status = tried("march", board_march(b, q->march, seen, sizeof seen), seen);
  if (q->registers && status == TOOL_OK)
    status = tried("registers", board_registers(b, &core, seen, sizeof seen), seen);
  if (n > 0 && status == TOOL_OK) status = kernels(q, b, names, n);
  say_line(b);
  return status;
}

static int parse_board_options(struct request *q, int argc, char **argv) {
  for (int o; (o = tool_option_next("board", groups, argc, argv)) != -1;) {
    bool good = true;
    if (o == 'f') {
      q->any_form = false;
      for (q->form = 0; q->form < KERNEL_FORMS && strcmp(optarg, kernel_form_name(q->form)) != 0;) q->form++;
      good = q->form < KERNEL_FORMS;
    } else if (o == 'x') {
      good = tool_number(optarg, 1, &q->scale);
    } else if (o == 's') {
      good = tool_number(optarg, UINT64_MAX, &q->seed);
    } else if (o == 'r') {
      q->registers = true;
    } else if (o == 'b') {
      q->bring_up = true;
    } else if (o == 'p') {
      q->any_campaign = good = tool_number(optarg, 1000000, &q->campaign);
    } else if (o == 'm') {
      good = tool_number(optarg, 1u << 28, &q->march) && q->march > 0;
    } else if (o == 'l') {
      good = tool_number(optarg, 1000000, &q->limit) && q->limit > 0;
    } else if (o == 'c' || o == 'd' || o == 't') {
      q->check = true;
      q->drop = q->drop || o == 'd';
      if (o == 't') q->trace = optarg;
    } else if (o == 'j') {
      q->json = json_out_take(optarg);
    } else {
      good = false;
    }
    if (!good) return tool_option_bad("board", groups, o);
  }
  if (optind == argc) return tool_usage("board", "which board? tty:PATH, tty:PATH:BAUD or sim:PROGRAM");
  q->name = argv[optind++];
  for (int i = optind; i < argc; i++)
    if (!kernel_find(argv[i]))
      return tool_usage("board", "no kernel '%s'; a program of your own: heddle run FILE --on board --board %s",
                        argv[i], q->name);
  if (q->check && optind == argc) return tool_usage("board", "--check, --trace, --drop: of which kernel?");
  if (q->bring_up && (q->check || q->registers || !q->any_form || optind != argc))
    return tool_usage("board", "--bring-up chooses what is run by itself");
  if (q->any_campaign && !q->bring_up) return tool_usage("board", "--campaign: of --bring-up");
  if (q->trace && optind + 1 != argc) return tool_usage("board", "--trace: a file has one kernel");
  return TOOL_OK;
}

static int open_and_work(struct request *q, char **names, int n) {
  struct board b;
  char why[512];
  if (q->check && !(q->judge = board_judge_new())) return TOOL_USAGE;
  if (board_open(q->name, q->check ? board_judge_bytes : NULL, q->judge, &b, why, sizeof why) != BOARD_OK) {
    tool_error("%s", why);
    return TOOL_MISSING;
  }
  int status = work_on_board(q, &b, names, n);
  fflush(stdout); /* before what a simulation says in the end */
  if (board_close(&b) != 0) {
    tool_error("%s: the simulation saw a rule broken (above)", q->name);
    status = TOOL_DIFFERENCE;
  }
  return status;
}

static int bring_up(const struct request *q) {
  const struct bring_up_options o = {
      .name = q->name, .march = q->march, .limit = q->limit, .campaign = q->campaign, .seed = q->seed};
  json_t *report = NULL;
  const int status = board_bring_up(&o, &report);
  if (!q->json || !report) {
    json_decref(report);
    return status;
  }
  return json_out_dump(q->json, json_pack("{s:s, s:o}", "board", q->name, "bring_up", report)) ? status : TOOL_USAGE;
}

static int board_main(int argc, char **argv) {
  struct request q = {.any_form = true, .seed = 1, .limit = 600, .campaign = 10};
  int status = parse_board_options(&q, argc, argv);
  if (status != TOOL_OK) return status;
  if (q.bring_up) return bring_up(&q);
  if (q.json) q.results = json_array();
  status = open_and_work(&q, argv + optind, argc - optind);
  board_judge_free(q.judge);
  if (q.json && !json_out_dump(q.json, json_pack("{s:s, s:o}", "board", q.name, "kernels", q.results)))
    status = TOOL_USAGE;
  return status;
}

const struct tool_command cmd_board = {
    "board", "kernels on a board at the other end of a serial line", board_main, usage, about, groups, examples, NULL};
