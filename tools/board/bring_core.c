/* SPDX-License-Identifier: Apache-2.0
 * Bring-up: the core, from its registers to kernels. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "firmware/board/open.h"
#include "tools/board/board_kernel.h"
#include "tools/board/board_registers.h"
#include "run/programs/source.h"
#include "run/command/tool.h"
#include "tools/board/bring.h"

bool bring_registers(struct bring *g) {
  char seen[300];
  bool core = false;
  if (!board_registers(&g->b, &core, seen, sizeof seen)) return bring_blame(g, 1u << LAYER_REGISTERS, "", "%s", seen);
  if (core) g->rung = RUNG_CORE;
  return bring_saw(g, "%s", seen);
}

/* ---- one case by the driver */

struct driver {
  struct heddle_port port;
  struct heddle_system *system;
  struct heddle_device *device;
  struct heddle_context *context;
};

static bool start_driver(struct bring *g, bool judged, struct driver *d) {
  const struct board_judge_options o = {.file = NULL};
  char why[300];
  if (!judged)
    board_port_bind(g->b.link, &g->b.id, &d->port);
  else if (!board_judge_begin(g->judge, &g->b, &o, &d->port, why, sizeof why))
    return bring_blame(g, 1u << LAYER_CORE, "", "%s", why);
  if (heddle_init(&d->port, 1, &d->system) == HEDDLE_SUCCESS &&
      heddle_device_get(d->system, 0, &d->device) == HEDDLE_SUCCESS &&
      heddle_context_create(d->device, &d->context) == HEDDLE_SUCCESS)
    return true;
  return bring_blame(g, 1u << LAYER_CORE, "", "the driver finds no core: %s", board_link_message(g->b.link));
}

static void stop_driver(struct driver *d) {
  heddle_context_destroy(d->context);
  heddle_shutdown(d->system);
}

/* The first line of a report, without its end. */
static void first_line(char *to, size_t size, const char *report) {
  snprintf(to, size, "%.*s", (int)strcspn(report, "\n"), report);
}

/* What is wrong with a case that was judged, if anything is; memory alone may be: that is `why`. */
static bool judged_right(struct bring *g, const char *name) {
  struct heddle_verdict v;
  char line[300];
  board_judge_verdict(g->judge, &v);
  const int status = board_judge_exit(v.kind);
  first_line(line, sizeof line, v.report);
  if (status == TOOL_OK) return true;
  json_decref(g->difference);
  g->difference = board_judge_json(g->judge);
  if (status == TOOL_USAGE)
    return bring_blame(g, 1u << LAYER_LINE, "from the board", "%s: what the core sent of it is not whole: %s", name,
                       line);
  return bring_blame(g, 1u << LAYER_CORE, "", "%s: %s", name, line);
}

/* *lacking: the machine has no unit that it needs. */
static bool run_case(struct bring *g, const char *name, const char *elf, const struct kernel_case *k, bool judged,
                     struct board_totals *t, bool *lacking) {
  struct driver d = {.system = NULL};
  struct board_patience p = {
      .name = name, .link = g->b.link, .seconds = g->o->limit, .judge = judged ? g->judge : NULL};
  char why[300] = "";
  bool ok = start_driver(g, judged, &d);
  const bool begun = ok;
  const bool right = ok && board_kernel_run(d.context, elf, k, &p, t, lacking, why, sizeof why);
  ok = ok && (*lacking || !judged || judged_right(g, name));
  if (ok && !*lacking && !right) ok = bring_blame(g, 1u << LAYER_CORE, "", "%s: %s", name, why);
  if (begun && judged) (void)board_judge_end(g->judge);
  stop_driver(&d);
  return ok;
}

static bool judges(const struct bring *g) {
  return g->b.id.feed == BOARD_FEED_STREAM || g->b.id.feed == BOARD_FEED_DIGEST;
}

/* ---- one instruction that is seen: a store */

bool bring_instruction(struct bring *g) {
  static const char text[] = ".kernel one\n.param u64 out\n"
                             "        MOV R2, c[0x0][out] ;\n        MOV R3, c[0x0][out+4] ;\n"
                             "        MOV R0, 0x600d1dea ;\n        STG.E [R2], R0 ;\n        EXIT ;\n.end\n";
  static const uint32_t stored = 0x600d1dea;
  uint8_t init[64] = {0}, expect[64] = {0};
  memcpy(expect, &stored, sizeof stored);
  const struct kernel_case k = {
      .buffers = 1,
      .buffer = {{.init = init, .expect = expect, .bytes = sizeof init}},
      .launches = 1,
      .launch = {
          {.entry = "one", .grid = {1, 1, 1}, .block = {1, 1, 1}, .args = 1, .arg = {{.kind = KERNEL_ARG_BUFFER}}}}};
  const struct source_options with = {.target = HEDDLE_PTX_TARGET_RTL, .level = 1};
  struct heddle_message m;
  struct heddle_program *p = source_assemble(text, "one.s", &with, &m);
  struct board_totals t = {0};
  bool lacking = false;
  char elf[TEMPORARY_PATH];
  const bool made = board_program_save(p, elf);
  heddle_program_free(p);
  if (!made) return bring_blame(g, 0, "", "its program cannot be written to /tmp");
  const bool ok = run_case(g, "one", elf, &k, judges(g), &t, &lacking);
  temporary_remove(elf);
  return ok && bring_saw(g, "a thread has stored 0x%08x; %" PRIu64 " warp instructions, %" PRIu64 " cycles", stored,
                         t.retired, t.cycles);
}

/* ---- kernels */

static bool try_kernel(struct bring *g, const struct kernel_info *k, bool judged, struct board_totals *t,
                       bool *lacking) {
  const enum kernel_form form = kernel_has(k, KERNEL_ASM) ? KERNEL_ASM : KERNEL_PTX;
  struct kernel_case *c = calloc(1, sizeof *c);
  char elf[TEMPORARY_PATH];
  const bool prepared = c && kernel_prepare(k, form, g->o->seed, 0, c);
  const bool saved = prepared && board_kernel_save(k, form, elf);
  const bool ok = saved ? run_case(g, k->name, elf, c, judged, t, lacking)
                        : bring_blame(g, 0, "", "%s: its program cannot be made", k->name);
  if (saved) temporary_remove(elf);
  if (prepared) kernel_case_clear(c);
  free(c);
  return ok;
}

bool bring_kernel(struct bring *g) {
  struct board_totals t = {0};
  bool lacking = false;
  return try_kernel(g, kernel_find("vecadd"), judges(g), &t, &lacking) &&
         bring_saw(g, "vecadd: %" PRIu64 " warp instructions, %" PRIu64 " cycles%s", t.retired, t.cycles,
                   judges(g) ? ", judged by the model" : "");
}

/* By what they leave in memory: a line takes long to carry what all of them retire. */
bool bring_kernels(struct bring *g) {
  struct board_totals t = {0};
  unsigned ran = 0, lacked = 0;
  for (const struct kernel_info *k = kernel_table; k->name; k++) {
    bool lacking = false;
    if (!try_kernel(g, k, false, &t, &lacking)) return false;
    *(lacking ? &lacked : &ran) += 1;
  }
  return bring_saw(g, "%u kernels, %" PRIu64 " warp instructions; %u need what this machine lacks", ran, t.retired,
                   lacked);
}
