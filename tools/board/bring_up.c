/* SPDX-License-Identifier: Apache-2.0
 * Bring-up: the core, from its registers to random programs; then the steps one after the other. */
#include "bring_up.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/config.h>
#include "base/process.h"
#include "firmware/board/open.h"
#include "run/command/tool.h"
#include "run/programs/source.h"
#include "tools/board/board_tests.h"

/* The last step of a bring-up: random programs, of the laboratory. */

#ifdef HEDDLE_LAB
#include "lab/fuzz/fuzz_case.h"

/* Small ones, and such as a board can run: its memory answers with no errors, its host does nothing beside. */
static void small(struct random_knobs *k) {
  static const char *const knobs[] = {"body.instructions=10..20", "block.small=100", "block.medium=0", "block.full=0",
                                      "grid.blocks=1..1",         "grid.fills=0",    "memory.edges=0", "launches=1..1",
                                      "program.host=0",           "program.traps=0"};
  random_knobs_default(k);
  for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++) (void)fuzz_knob(k, knobs[i]);
}

static bool try_program(struct bring *g, const struct random_knobs *knobs, uint64_t index, uint64_t *retired) {
  struct fuzz_case c = {.knobs = knobs, .index = index};
  struct fuzz_program whole = {0};
  struct fuzz_verdict v = {.status = RUN_BAD_INPUT};
  run_options_init(&c.run);
  c.run.on = ON_BOARD;
  c.run.board = g->o->name;
  c.run.board_base = g->b.id.memory_base;
  c.run.config = g->machine;
  c.run.config_name = g->machine->name;
  c.run.config_given = true;
  c.run.seed = g->o->seed;
  fuzz_case_options(&c.run, index);
  struct random_program *p = fuzz_case_program(&c);
  if (p && fuzz_program_init(&whole, p)) fuzz_judge(&c, &whole, true, &v);
  const bool ok =
      v.status == RUN_OK ||
      bring_blame(g, 1u << LAYER_CORE, "", "program %" PRIu64 " of seed %" PRIu64 ": %s", index, g->o->seed, v.why);
  *retired += v.retired;
  fuzz_verdict_clear(&v);
  fuzz_program_clear(&whole);
  random_program_free(p);
  return ok;
}

/* closes the board */
static bool bring_campaign(struct bring *g) {
  struct random_knobs knobs;
  uint64_t programs = 0, retired = 0;
  const uint64_t until = (uint64_t)seconds_now() + g->o->campaign;
  const struct board_identity id = g->b.id;
  const int closed = board_close(&g->b); /* each program opens it anew */
  g->b.id = id;
  small(&knobs);
  if (closed != 0) return bring_blame(g, 1u << LAYER_COMMAND, "", "the simulated SDRAM saw a rule broken");
  do
    if (!try_program(g, &knobs, programs++, &retired)) return false;
  while ((uint64_t)seconds_now() < until);
  return bring_saw(g, "%" PRIu64 " random programs, %" PRIu64 " warp instructions, judged by the model", programs,
                   retired);
}
#else
bool bring_campaign(struct bring *g) {
  return bring_saw(g, "left out"); /* never called: bring_up.c leaves the step out */
}
#endif

/* Bring-up: the core, from its registers to kernels. */

static bool bring_registers(struct bring *g) {
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

static bool bring_instruction(struct bring *g) {
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

static bool bring_kernel(struct bring *g) {
  struct board_totals t = {0};
  bool lacking = false;
  return try_kernel(g, kernel_find("vecadd"), judges(g), &t, &lacking) &&
         bring_saw(g, "vecadd: %" PRIu64 " warp instructions, %" PRIu64 " cycles%s", t.retired, t.cycles,
                   judges(g) ? ", judged by the model" : "");
}

/* By what they leave in memory: a line takes long to carry what all of them retire. */
static bool bring_kernels(struct bring *g) {
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

/* Bring-up: the steps, one after the other, and what is said of them. */

struct step {
  const char *name;
  enum bring_rung from; /* the first bit file that has it */
  bool (*run)(struct bring *g);
};
static const struct step steps[] = {{"link", RUNG_LED, bring_link},
                                    {"identity", RUNG_LINK, bring_identity},
                                    {"data lines", RUNG_MEMORY, bring_data},
                                    {"address lines", RUNG_MEMORY, bring_address},
                                    {"memory", RUNG_MEMORY, bring_memory},
                                    {"registers", RUNG_REGISTERS, bring_registers},
                                    {"instruction", RUNG_CORE, bring_instruction},
                                    {"kernel", RUNG_CORE, bring_kernel},
                                    {"kernels", RUNG_CORE, bring_kernels},
                                    {"campaign", RUNG_CORE, bring_campaign}};
enum { STEPS = sizeof steps / sizeof *steps };

static const char *const rung_name[] = {"led", "link", "memory", "registers", "core"};

static const struct {
  const char *id, *name, *next;
} layers[BRING_LAYERS] = {
    [LAYER_LINE] =
        {"line", "serial line",
         "cable, device and its baud rate, group dialout; light 3 shines where damaged frames come to the board"},
    [LAYER_CLOCK] =
        {"clock", "clock, reset or power",
         "light 0 blinks three times in two seconds, or the clock, the PLL or the reset button is to blame; the "
         "supply under load"},
    [LAYER_BITFILE] = {"bitfile", "bit file",
                       "make and load the bit file of this release (scripts/board.sh ladder STEP)"},
    [LAYER_INIT] = {"init", "initialisation of memory", "light 4; route the bit file again with another --seed"},
    [LAYER_COMMAND] = {"command", "memory: commands, its clock, its supply",
                       "RAS, CAS, WE, CS, CKE and the clock at the part's pins; their pins in the .lpf"},
    [LAYER_DATA] = {"data", "memory: data line", "its two joints, its neighbours, its pin in the .lpf"},
    [LAYER_ADDRESS] = {"address", "memory: address line", "its two joints, its neighbours, its pin in the .lpf"},
    [LAYER_BANK] = {"bank", "memory: bank line", "its two joints, its pin in the .lpf"},
    [LAYER_MASK] = {"mask", "memory: byte mask",
                    "its two joints, its pin in the .lpf; a board without masks wants MASKS 0"},
    [LAYER_TIMING] = {"timing", "memory: phase of its clock, or its latency",
                      "PHASE in the board's top, in steps of 15 degrees; the mode register"},
    [LAYER_REFRESH] = {"refresh", "memory: refresh", "tREFI of the part in lab/fpga/board/memory; heat"},
    [LAYER_CELL] = {"cell", "memory: cells", "the march test of the bit file 'memory', over all words; another part"},
    [LAYER_SIZE] = {"size", "memory: another size than the bit file is for",
                    "the part's name; geometry in lab/fpga/board/memory and in the board's top"},
    [LAYER_REGISTERS] = {"registers", "registers of the core",
                         "route the bit file again with another --seed; the supply"},
    [LAYER_CORE] = {"core", "core",
                    "the same kernel on heddle board sim:...; if it passes there, route again with another --seed, and "
                    "send the report"}};

/* What a broken board says may be anything; a report is text. */
static void make_text(char *text) {
  for (char *c = text; *c; c++)
    if (*c < ' ' || *c > '~') *c = '?';
}

bool bring_saw(struct bring *g, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(g->seen, sizeof g->seen, format, args);
  va_end(args);
  make_text(g->seen);
  return true;
}

bool bring_blame(struct bring *g, unsigned layer_bits, const char *where, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(g->what, sizeof g->what, format, args);
  va_end(args);
  make_text(g->what);
  g->layers = layer_bits;
  snprintf(g->where, sizeof g->where, "%s", where);
  return false;
}

bool bring_answered(struct bring *g, enum board_status s, enum bring_layer bus) {
  if (s == BOARD_OK) return true;
  g->silent = g->silent || s == BOARD_TIMEOUT || s == BOARD_CLOSED;
  const unsigned layer = s == BOARD_TIMEOUT || s == BOARD_CLOSED ? 1u << LAYER_LINE | 1u << LAYER_CLOCK
                         : s == BOARD_BUS || s == BOARD_DEAD     ? 1u << bus
                                                                 : 1u << LAYER_BITFILE;
  return bring_blame(g, layer, "", "%s: %s", board_status_text(s), board_link_message(g->b.link));
}

/* The board counts commands since its reset: fewer than were sent, and it has been reset since. */
static bool still_on(struct bring *g) {
  struct board_counters c;
  if (g->b.link == NULL || g->silent || g->rung == RUNG_LED || g->first.done == 0) return true;
  if (board_link_counters(g->b.link, &c) != BOARD_OK) return true;
  if (c.done - g->first.done >= board_link_traffic(g->b.link).commands - g->first_commands && c.done >= g->first.done)
    return true;
  return bring_blame(g, 1u << LAYER_CLOCK, "",
                     "the board has started again by itself: it counts %u commands, not %" PRIu64, c.done,
                     g->first.done + board_link_traffic(g->b.link).commands - g->first_commands);
}

/* NULL: it is not left out. */
static const char *left_out(const struct bring *g, const struct step *s) {
  static char why[64];
  if (s->from > g->rung) {
    snprintf(why, sizeof why, "not in the bit file '%s'", rung_name[g->rung]);
    return why;
  }
  if (s->run != bring_campaign) return NULL;
#ifdef HEDDLE_LAB
  if (g->b.id.feed == BOARD_FEED_NONE) return "the bit file sends nothing that can be judged (core --stream, --digest)";
  return g->o->campaign == 0 ? "no seconds for it" : NULL;
#else
  return "random programs are of the laboratory (cmake -DHEDDLE_LAB=ON)";
#endif
}

/* ---- what is said */

static json_t *layers_json(unsigned bits) {
  json_t *j = json_array();
  for (unsigned i = 0; i < BRING_LAYERS; i++)
    if (bits >> i & 1) (void)json_array_append_new(j, json_string(layers[i].id));
  return j;
}

static void say_verdict(const struct bring *g) {
  printf("verdict: ");
  for (unsigned i = 0, n = 0; i < BRING_LAYERS; i++)
    if (g->layers >> i & 1) printf("%s%s", n++ > 0 ? ", or " : "", layers[i].name);
  if (g->layers == 0) printf("not the board");
  printf("%s%s\n", g->where[0] ? ": " : "", g->where);
  for (unsigned i = 0; i < BRING_LAYERS; i++)
    if (g->layers >> i & 1) printf("look at: %s\n", layers[i].next);
}

static json_t *verdict_json(const struct bring *g, unsigned step) {
  json_t *j = json_pack("{s:i, s:s, s:o, s:s, s:s}", "step", (int)step + 1, "name", steps[step].name, "layers",
                        layers_json(g->layers), "where", g->where, "what", g->what);
  if (j && g->difference) (void)json_object_set(j, "difference", g->difference);
  return j;
}

static json_t *board_json(const struct bring *g) {
  const struct board_identity *id = &g->b.id;
  char letters[5];
  snprintf(letters, sizeof letters, "%.4s", (const char *)&id->board);
  make_text(letters);
  return json_pack("{s:s, s:s, s:I, s:I, s:i, s:s}", "name", letters, "bit_file", rung_name[g->rung], "clock_hz",
                   (json_int_t)id->clock_hz, "memory_bytes", (json_int_t)id->memory_bytes, "feed", (int)id->feed,
                   "machine", g->machine ? g->machine->name : "");
}

static json_t *line_json(const struct bring *g) {
  const struct board_traffic t = g->traffic;
  return json_pack("{s:I, s:I, s:I, s:I, s:I}", "sent", (json_int_t)t.sent, "received", (json_int_t)t.received,
                   "commands", (json_int_t)t.commands, "repeats", (json_int_t)t.repeats, "damaged", (json_int_t)t.bad);
}

static void keep_step(json_t *list, unsigned i, const char *result, const char *seen) {
  printf("%2u %-13s  %-6s  %s\n", i + 1, steps[i].name, strcmp(result, "fail") == 0 ? "FAIL" : result, seen);
  fflush(stdout);
  (void)json_array_append_new(list, json_pack("{s:i, s:s, s:s, s:s}", "step", (int)i + 1, "name", steps[i].name,
                                              "result", result, "seen", seen));
}

/* Steps until one fails. The index of that one; STEPS: none did. */
static unsigned take_steps(struct bring *g, json_t *list) {
  for (unsigned i = 0; i < STEPS; i++) {
    const char *why = left_out(g, &steps[i]);
    if (why) {
      keep_step(list, i, "absent", why);
      continue;
    }
    bool ok = steps[i].run(g);
    ok = still_on(g) && ok;
    if (g->b.link) g->traffic = board_link_traffic(g->b.link);
    keep_step(list, i, ok ? "pass" : "fail", ok ? g->seen : g->what);
    if (!ok) return i;
  }
  return STEPS;
}

int board_bring_up(const struct bring_up_options *o, json_t **report) {
  struct bring g = {.o = o, .judge = board_judge_new()};
  char why[512] = "no memory";
  *report = NULL;
  if (!g.judge || board_open_line(o->name, board_judge_bytes, g.judge, &g.b, why, sizeof why) != BOARD_OK) {
    tool_error("%s", why);
    board_judge_free(g.judge);
    return TOOL_MISSING;
  }
  json_t *list = json_array();
  const unsigned failed = take_steps(&g, list);
  if (failed != STEPS) say_verdict(&g);
  json_t *board = board_json(&g);
  fflush(stdout);
  const bool broken = g.b.link && board_close(&g.b) != 0;
  if (broken) tool_error("%s: the simulation saw a rule broken (above)", o->name);
  *report = json_pack("{s:o, s:o, s:o, s:o}", "identity", board, "line", line_json(&g), "steps", list, "verdict",
                      failed == STEPS ? json_null() : verdict_json(&g, failed));
  json_decref(g.difference);
  board_judge_free(g.judge);
  return failed == STEPS && !broken ? TOOL_OK : TOOL_DIFFERENCE;
}
