/* SPDX-License-Identifier: Apache-2.0
 * heddle board: a board at the other end of a serial line. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board_kernel.h"
#include "board_march.h"
#include "board_registers.h"
#include "data.h"
#include "heddle/config.h"
#include "kernel_run.h"
#include "open.h"
#include "option.h"
#include "port.h"

static const struct tool_option own[] = {
    {"form", "FORM", "of the kernels: asm, ptx, or O0 (default asm where there is one, else ptx)", 'f', "asm ptx O0"},
    {"scale", "N", "size of the kernels: 0 small (default), 1 at least 10,000 warp instructions", 'x', NULL},
    {"seed", "N", "of their data (default 1)", 's', NULL},
    {"march", "WORDS", "try so many words of 64 bits of the memory, where the board has its march test", 'm', NULL},
    {"registers", NULL, "write and read the launch registers; where the core is not in, start and end a grid", 'r',
     NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"NAME [KERNEL ...] [options]", NULL};
static const char *const examples[] = {"heddle board tty:/dev/ttyUSB0 vecadd sgemm",
                                       "heddle board sim:build/bin/board_sim_tiny vecadd", NULL};
static const char about[] =
    "Open the board NAME, reset it, say what it is, and run kernels of firmware/kernels on it by the host driver; what "
    "they leave in memory is compared with what the host computes. NAME: tty:PATH[:BAUD], a serial device (1000000 "
    "baud if not said), or sim:PROGRAM, a program that simulates a board. Each kernel is loaded anew, over what the "
    "one before has left. docs/first-bitstream.md says how a board comes to answer.";

struct request {
  const char *name;
  enum kernel_form form;
  bool any_form;
  uint64_t scale, seed, march;
  bool registers;
  unsigned passed, failed, lacking;
};

static const char *form_name(const struct request *q, const struct kernel_info *k, enum kernel_form *form) {
  *form = !q->any_form ? q->form : kernel_has(k, KERNEL_ASM) ? KERNEL_ASM : KERNEL_PTX;
  return kernel_form_name(*form);
}

/* The driver takes files. */
static bool saved(const struct kernel_info *k, enum kernel_form form, char path[64]) {
  char folder[4096];
  struct heddle_message m;
  bool ok = false;
  strcpy(path, "/tmp/heddle-board-XXXXXX");
  const int fd = mkstemp(path);
  if (fd < 0 || !data_path("kernels", folder, sizeof folder)) return false;
  close(fd);
  const struct source_options with = {.target = PTX_TARGET_RTL, .level = 1, .config = NULL};
  struct heddle_program *p = kernel_program(folder, k, form, &with);
  if (p) {
    ok = heddle_program_save(p, path, &m);
    if (!ok) tool_message(NULL, &m);
  }
  heddle_program_free(p);
  return ok;
}

static int kernel(struct request *q, struct heddle_context *c, const struct kernel_info *k) {
  enum kernel_form form;
  const char *of = form_name(q, k, &form);
  char elf[64], why[512] = "";
  struct board_totals t = {0};
  bool lacking = false;
  if (!kernel_has(k, form)) return tool_usage("board", "kernel '%s' has no form %s", k->name, of);
  struct kernel_case *cases = calloc(1, sizeof *cases);
  const bool made = saved(k, form, elf) && cases && kernel_prepare(k, form, q->seed, (unsigned)q->scale, cases);
  const bool right = made && board_kernel_run(c, elf, cases, &t, &lacking, why, sizeof why);
  if (made) kernel_case_clear(cases);
  free(cases);
  (void)unlink(elf);
  if (!made) return TOOL_USAGE;
  printf("%s.%s: %" PRIu64 " launches, %" PRIu64 " warp instructions, %" PRIu64 " cycles: %s\n", k->name, of,
         t.launches, t.retired, t.cycles,
         right     ? "ok"
         : lacking ? "not on this board"
                   : "FAILED");
  fflush(stdout);
  if (!right) tool_error("%s: %s", k->name, why);
  *(right ? &q->passed : lacking ? &q->lacking : &q->failed) += 1;
  return TOOL_OK;
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
  printf("core: of a configuration that this program does not know, %" PRIu64 " lanes\n", lanes);
}

static int kernels(struct request *q, const struct board *b, char **names, int n) {
  struct heddle_port port;
  struct heddle_system *system = NULL;
  struct heddle_device *device = NULL;
  struct heddle_context *c = NULL;
  int status = TOOL_OK;
  board_port_bind(b->link, &b->id, &port);
  if (heddle_init(&port, 1, &system) != HEDDLE_SUCCESS || heddle_device_get(system, 0, &device) != HEDDLE_SUCCESS ||
      heddle_context_create(device, &c) != HEDDLE_SUCCESS) {
    tool_error("%s: the driver finds no core there: %s", q->name, board_link_message(b->link));
    status = TOOL_DIFFERENCE;
  } else {
    say_core(device);
  }
  for (int i = 0; i < n && status == TOOL_OK; i++) status = kernel(q, c, kernel_find(names[i]));
  heddle_context_destroy(c);
  heddle_shutdown(system);
  if (status != TOOL_OK) return status;
  printf("%u passed, %u failed", q->passed, q->failed);
  if (q->lacking > 0) printf(", %u not on this board", q->lacking);
  printf("\n");
  return q->failed > 0 || q->passed == 0 ? TOOL_DIFFERENCE : TOOL_OK;
}

static void say(const struct board *b) {
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
}

static int work(struct request *q, struct board *b, char **names, int n) {
  uint8_t bytes[1024];
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 7 ^ i >> 8);
  say(b);
  if (board_link_echo(b->link, bytes, sizeof bytes) != BOARD_OK) {
    tool_error("%s: %s", q->name, board_link_message(b->link));
    return TOOL_DIFFERENCE;
  }
  printf("echo: 1024 bytes came back\n");
  int status = TOOL_OK;
  if (q->march > 0) status = board_march(b, q->march) ? TOOL_OK : TOOL_DIFFERENCE;
  if (q->registers && status == TOOL_OK) status = board_registers(b) ? TOOL_OK : TOOL_DIFFERENCE;
  if (n > 0 && status == TOOL_OK) status = kernels(q, b, names, n);
  say_line(b);
  return status;
}

static int parse(struct request *q, int argc, char **argv) {
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
    } else if (o == 'm') {
      good = tool_number(optarg, 1u << 28, &q->march) && q->march > 0;
    } else {
      good = false;
    }
    if (!good) return tool_option_bad("board", groups, o);
  }
  if (optind == argc) return tool_usage("board", "which board? tty:PATH, tty:PATH:BAUD or sim:PROGRAM");
  q->name = argv[optind++];
  for (int i = optind; i < argc; i++)
    if (!kernel_find(argv[i])) return tool_usage("board", "no kernel '%s'", argv[i]);
  return TOOL_OK;
}

static int run(int argc, char **argv) {
  struct request q = {.any_form = true, .seed = 1};
  struct board b;
  char why[512];
  int status = parse(&q, argc, argv);
  if (status != TOOL_OK) return status;
  if (board_open(q.name, NULL, NULL, &b, why, sizeof why) != BOARD_OK) {
    tool_error("%s", why);
    return TOOL_MISSING;
  }
  status = work(&q, &b, argv + optind, argc - optind);
  fflush(stdout); /* before what a simulation says in the end */
  if (board_close(&b) != 0) {
    tool_error("%s: the simulation saw a rule broken (above)", q.name);
    status = TOOL_DIFFERENCE;
  }
  return status;
}

const struct tool_command cmd_board = {
    "board", "kernels on a board at the other end of a serial line", run, usage, about, groups, examples, NULL};
