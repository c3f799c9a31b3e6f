/* SPDX-License-Identifier: Apache-2.0
 * heddle configs: what machines there are, and which of them are built. */
#include <stdio.h>
#include <string.h>

#include <heddle/config.h>
#include <heddle/device.h>
#include <heddle/needs.h>
#include <heddle/host_regs.h>
#include "run/command/json_out.h"
#include "run/command/option.h"
#include "run/command/tool.h"

static const struct tool_option own[] = {{"names", NULL, "names alone, a line each", 'n', NULL},
                                         {"units", NULL, "the units of each, a line each", 'u', NULL},
                                         {"built", NULL, "only machines of which a device is built", 'b', NULL},
                                         {"json", "FILE", "the same as JSON (-: on stdout)", 'j', NULL},
                                         {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"[options]", NULL};
static const char *const examples[] = {"heddle configs", NULL};
static const char about[] =
    "The machines that --config can name: every isa/configs/NAME.cfg. The model runs as each of them. The RTL does "
    "where a "
    "device of it is built, which the last column says: verilator for --on rtl and lockstep, systemc for --on "
    "systemc. 'cmake --build build --target device_verilator_NAME' builds one. --units says what each can execute "
    "('readelf -p .note.heddle FILE.elf' what a program needs).";

static const char *const backend[] = {"verilator", "systemc"};
enum { BACKENDS = 2, UNITS = 256 };

static const char *const sched[] = {HEDDLE_POLICY_NAMES};

static void print_row(const struct heddle_config *c, const bool built[BACKENDS]) {
  printf("%-8s %5u %5u %5u %5u %7u %6u %5u %8s %5u %4u %6u  %s%s%s\n", c->name, c->lanes, c->warps, c->regs, c->banks,
         c->shared_bytes, c->axi_bits, c->axi_ports, sched[c->sched], c->partitions, c->sms, c->l2_bytes,
         built[0] ? backend[0] : "", built[0] && built[1] ? ", " : "",
         built[1]   ? backend[1]
         : built[0] ? ""
                    : "-");
}

static const char *units_of(const struct heddle_config *c, char text[UNITS]) {
  heddle_needs_text(heddle_config_units(c), text, UNITS);
  const size_t n = strlen(text);
  if (c->mmu != 0) snprintf(text + n, UNITS - n, " mmu");
  return text;
}

static void add_timing(json_t *to, const char *unit, unsigned cycles, const char *what, unsigned latency) {
  if (cycles != 0)
    (void)json_object_set_new(to, unit, json_pack("{s:i, s:i}", "cycles", (int)cycles, what, (int)latency));
}

/* Of each unit of a partition with known timing: cycles that an instruction keeps it; the stall count, of units of
 * fixed latency, or the latency after which its result is there; of tensor those of an HMMA.16816. */
static json_t *timing(const struct heddle_config *c) {
  json_t *to = json_object();
  const unsigned own = c->pipes;
  add_timing(to, "alu", 32 / c->alu_lanes, "stall", c->stall_alu_reg);
  (void)json_object_set_new(json_object_get(to, "alu"), "stall_predicate", json_integer(c->stall_alu_pred));
  add_timing(to, "fma", own & HEDDLE_PIPE_FMA ? 32 / c->fma_lanes : 0, "stall", c->stall_fma_reg);
  add_timing(to, "cvt", own & HEDDLE_PIPE_CVT ? 32 / c->cvt_lanes : 0, "stall", c->stall_cvt_reg);
  add_timing(to, "half", own & HEDDLE_PIPE_HALF ? c->beats : 0, "stall", c->stall_half_reg);
  add_timing(to, "uni", own & HEDDLE_PIPE_UNI ? 1 : 0, "stall", c->stall_uni_reg);
  add_timing(to, "sfu", heddle_config_sfu_busy(c), "latency", heddle_config_sfu_latency(c));
  add_timing(to, "fp64", heddle_config_fp64_busy(c), "latency", heddle_config_fp64_latency(c));
  if (c->tensor_cycles != 0)
    (void)json_object_set_new(to, "tensor", json_pack("{s:i}", "cycles", (int)c->tensor_cycles));
  return to;
}

static json_t *config_json(const struct heddle_config *c, const bool built[BACKENDS]) {
  json_t *list = json_array();
  char units[UNITS];
  for (unsigned b = 0; b < BACKENDS; b++)
    if (built[b]) (void)json_array_append_new(list, json_string(backend[b]));
  return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:s, s:i, s:i, s:i, s:s, s:o, s:o}", "name", c->name,
                   "lanes", (int)c->lanes, "warps", (int)c->warps, "registers", (int)c->regs, "banks", (int)c->banks,
                   "shared_bytes", (int)c->shared_bytes, "axi_bits", (int)c->axi_bits, "axi_ports", (int)c->axi_ports,
                   "sched", sched[c->sched], "partitions", (int)c->partitions, "sms", (int)c->sms, "l2_bytes",
                   (int)c->l2_bytes, "units", units_of(c, units), "timing", timing(c), "built", list);
}

enum show { SHOW_ALL, SHOW_NAMES, SHOW_UNITS };

static void print_config(const struct heddle_config *c, enum show show, const bool built[BACKENDS]) {
  char units[UNITS];
  if (show == SHOW_NAMES)
    printf("%s\n", c->name);
  else if (show == SHOW_UNITS)
    printf("%-8s %s\n", c->name, units_of(c, units));
  else
    print_row(c, built);
}

/* Cores of somebody else's that lie in the folder of devices (heddle/core.h). */
struct listing {
  enum show show;
  json_t *list;
};

static void list_core(void *ctx, const struct heddle_dut_info *info) {
  const struct listing *l = ctx;
  const bool built[BACKENDS] = {true};
  struct heddle_config c;
  if (!heddle_dut_core_config(NULL, "verilator", info->config, &c)) return;
  print_config(&c, l->show, built);
  (void)json_array_append_new(l->list, config_json(&c, built));
}

static void list_all(enum show show, bool only_built, json_t *list) {
  if (show == SHOW_ALL)
    printf("%-8s %5s %5s %5s %5s %7s %6s %5s %8s %5s %4s %6s  %s\n", "name", "lanes", "warps", "regs", "banks",
           "shared", "axi", "ports", "sched", "parts", "sms", "l2", "built");
  for (size_t i = 0; i < heddle_config_count(); i++) {
    const struct heddle_config *c = heddle_config_at(i);
    bool built[BACKENDS];
    for (unsigned b = 0; b < BACKENDS; b++) built[b] = heddle_dut_built(NULL, backend[b], c->name);
    if (only_built && !built[0] && !built[1]) continue;
    print_config(c, show, built);
    (void)json_array_append_new(list, config_json(c, built));
  }
  struct listing l = {show, list};
  (void)heddle_dut_list(NULL, list_core, &l);
}

static int configs_main(int argc, char **argv) {
  enum show show = SHOW_ALL;
  bool built = false;
  const char *json = NULL;
  for (int o; (o = tool_option_next("configs", groups, argc, argv)) != -1;) {
    if (o == 'j')
      json = json_out_take(optarg);
    else if (o == '?')
      return TOOL_USAGE;
    if (o == 'n' || o == 'u') show = o == 'n' ? SHOW_NAMES : SHOW_UNITS;
    built = built || o == 'b';
  }
  if (optind != argc) return tool_usage("configs", "'%s' is not expected", argv[optind]);
  json_t *list = json_array();
  list_all(show, built, list);
  json_t *root = json_pack("{s:O}", "configs", list);
  json_decref(list);
  const bool written = !json || json_out_dump(json, root);
  if (!json) json_decref(root);
  return written ? TOOL_OK : TOOL_USAGE;
}

const struct tool_command cmd_configs = {"configs",    "list the machine configurations, and which of them are built",
                                         configs_main, usage,
                                         about,        groups,
                                         examples,     NULL};
