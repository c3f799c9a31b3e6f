/* SPDX-License-Identifier: Apache-2.0
 * Bring-up: the steps, one after the other, and what is said of them. */
#include "bring_up.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/board/bring.h"
#include <heddle/config.h>
#include "run/command/tool.h"

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
                     "the board has started anew by itself: it counts %u commands, not %" PRIu64, c.done,
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
