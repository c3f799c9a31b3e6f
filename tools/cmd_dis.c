/* SPDX-License-Identifier: Apache-2.0
 * heddle dis: ELF to assembly that assembles to the same bytes; or hex words to instructions. */
#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include "run/command/option.h"
#include "run/command/tool.h"

static const struct tool_option own[] = {
    {"words", NULL, "hex words on stdin, a line each; the text of each on stdout", 'w', NULL}, {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"FILE.elf", "--words", NULL};
static const char *const examples[] = {"heddle dis /tmp/vecadd.elf", NULL};
static const char about[] =
    "The listing assembles back to the same bytes. --words serves wave viewers as a translate filter.";

static void put_text_line(void *ctx, const char *text) {
  fputs(text, ctx);
}

static bool parse_word(const char *line, struct heddle_isa_word *w) {
  *w = (struct heddle_isa_word){0};
  unsigned digits = 0;
  for (; *line && *line != '\n'; line++, digits++) {
    const char *hex = "0123456789abcdef";
    char ch = *line >= 'A' && *line <= 'F' ? (char)(*line - 'A' + 'a') : *line;
    const char *at = strchr(hex, ch);
    if (!at || digits >= 32) return false;
    w->hi = w->hi << 4 | w->lo >> 60;
    w->lo = w->lo << 4 | (uint64_t)(at - hex);
  }
  return digits > 0;
}

static int words(void) {
  char line[128], text[256];
  struct heddle_isa_word w;
  while (fgets(line, sizeof line, stdin)) {
    if (parse_word(line, &w)) {
      heddle_disassemble(w, 0, text, sizeof text);
      puts(text);
    } else {
      line[strcspn(line, "\n")] = 0;
      puts(line); /* x and z values pass through */
    }
    fflush(stdout);
  }
  return TOOL_OK;
}

static int dis_main(int argc, char **argv) {
  bool filter = false;
  for (int o; (o = tool_option_next("dis", groups, argc, argv)) != -1; filter = true)
    if (o == '?') return TOOL_USAGE;
  if (filter && optind == argc) return words();
  if (filter || optind + 1 != argc) return tool_usage("dis", "one ELF file is needed");
  struct heddle_program *p;
  struct heddle_message m;
  if (heddle_program_load(argv[optind], &p, &m) != HEDDLE_SUCCESS) {
    tool_message(NULL, &m);
    return TOOL_USAGE;
  }
  heddle_disassemble_program(p, put_text_line, stdout);
  heddle_program_free(p);
  return ferror(stdout) ? TOOL_USAGE : TOOL_OK;
}

const struct tool_command cmd_dis = {"dis", "disassemble FILE.elf", dis_main, usage, about, groups, examples, NULL};
