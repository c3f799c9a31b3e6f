/* SPDX-License-Identifier: Apache-2.0
 * heddle as: assembly to ELF. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/config.h>
#include "run/command/option.h"
#include "run/command/tool.h"

static const struct tool_option own[] = {
    {"o", "FILE", "the program", 'o', NULL},
    {"config", "NAME", "schedule for this configuration alone (default: for the slowest of all)", 'c', NULL},
    {"g", "LEVEL", "0: no lines of the source in the program", 'g', "0 1"},
    {"long", NULL, "no short words, if the encoding has them, whatever .pack says", 'l', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"FILE.s -o FILE.elf [options]", NULL};
static const char *const examples[] = {"heddle as firmware/kernels/vecadd.s -o /tmp/vecadd.elf", NULL};
static const char about[] = "Assemble. Instructions without a control code [B------:R-:W-:-:S01] get one; written "
                            "codes are kept and checked. The lines of the file go into the program, as DWARF.";

/* Warnings of an assembly for every machine, each with the machines that need what it asks for. */
#define WARNINGS_MAX 64u
struct warnings {
  struct heddle_message said[WARNINGS_MAX];
  char machines[WARNINGS_MAX][80];
  const char *last[WARNINGS_MAX]; /* of them */
  unsigned n;
  const char *machine; /* whose assembly runs now; NULL: the one for all of them */
};

/* In one place there may be several warnings, and two machines may ask for different numbers. */
static void name_machine(struct warnings *w, const struct heddle_message *m) {
  for (unsigned i = 0; i < w->n; i++) {
    char *names = w->machines[i];
    const size_t used = strlen(names), room = sizeof w->machines[i] - used;
    if (w->said[i].line != m->line || w->said[i].column != m->column || w->last[i] == w->machine) continue;
    (void)snprintf(names + used, room, "%s%s", used != 0 ? ", " : "", w->machine);
    w->last[i] = w->machine;
  }
}

static void keep_warning(void *ctx, const struct heddle_message *m) {
  struct warnings *w = ctx;
  if (w->machine && m->warning)
    name_machine(w, m);
  else if (!w->machine && m->warning && w->n < WARNINGS_MAX)
    w->said[w->n++] = *m;
  else if (!w->machine)
    tool_message(NULL, m);
}

static void print_warnings(const struct warnings *w) {
  for (unsigned i = 0; i < w->n; i++) {
    struct heddle_message m = w->said[i];
    const size_t used = strlen(m.text);
    if (w->machines[i][0] != '\0')
      (void)snprintf(m.text + used, sizeof m.text - used, " on %s (--config NAME is for one machine alone)",
                     w->machines[i]);
    tool_message(NULL, &m);
  }
}

/* For the slowest of all machines; what that asks of codes by hand, one machine alone may not. */
static struct heddle_program *assemble_for_all(const char *text, size_t size, const char *file, bool long_words) {
  struct warnings *w = calloc(1, sizeof *w);
  struct heddle_asm_options o = {.size = sizeof o, .message = keep_warning, .ctx = w, .long_words = long_words};
  if (!w) return NULL;
  (void)tool_stalls(NULL, o.stall);
  struct heddle_program *p;
  (void)heddle_assemble(text, size, file, &o, &p);
  for (size_t i = 0; p && w->n != 0 && i < heddle_config_count(); i++) {
    struct heddle_program *other;
    w->machine = heddle_config_at(i)->name;
    (void)tool_stalls(w->machine, o.stall);
    (void)heddle_assemble(text, size, file, &o, &other);
    heddle_program_free(other);
  }
  print_warnings(w);
  free(w);
  return p;
}

static struct heddle_program *assemble_for(const char *text, size_t size, const char *file, const char *config,
                                           bool long_words) {
  struct heddle_asm_options o = {.size = sizeof o, .message = tool_message, .long_words = long_words};
  if (!config) return assemble_for_all(text, size, file, long_words);
  (void)tool_stalls(config, o.stall);
  struct heddle_program *p;
  (void)heddle_assemble(text, size, file, &o, &p);
  return p;
}

static int as_main(int argc, char **argv) {
  const char *out = NULL, *config = NULL;
  bool lines = true, long_words = false;
  for (int o; (o = tool_option_next("as", groups, argc, argv)) != -1;) {
    if (o == 'o')
      out = optarg;
    else if (o == 'c')
      config = optarg;
    else if (o == 'g' && (strcmp(optarg, "0") == 0 || strcmp(optarg, "1") == 0))
      lines = optarg[0] == '1';
    else if (o == 'l')
      long_words = true;
    else
      return tool_option_bad("as", groups, o);
  }
  if (optind + 1 != argc || !out) return tool_usage("as", "one input file and -o FILE are needed");
  uint8_t stall[8];
  if (!tool_stalls(config, stall)) {
    tool_error("configuration '%s' is not built; 'heddle configs' lists those that are", config ? config : "");
    return TOOL_MISSING;
  }
  size_t size;
  uint8_t *text = tool_read_file(argv[optind], 16u << 20, &size);
  if (!text) return TOOL_USAGE;
  struct heddle_program *p = assemble_for((const char *)text, size, argv[optind], config, long_words);
  free(text);
  if (!p) return TOOL_USAGE;
  if (!lines) heddle_program_drop_lines(p);
  struct heddle_message m;
  bool ok = heddle_program_save(p, out, &m) == HEDDLE_SUCCESS;
  if (!ok) tool_message(NULL, &m);
  heddle_program_free(p);
  return ok ? TOOL_OK : TOOL_USAGE;
}

const struct tool_command cmd_as = {"as", "assemble FILE.s to FILE.elf", as_main, usage, about, groups, examples, NULL};
