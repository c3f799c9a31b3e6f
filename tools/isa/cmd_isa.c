/* SPDX-License-Identifier: Apache-2.0
 * heddle isa: about an instruction set description. */
#include "cmd_isa.h"
#include "json_out.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

static const char help[] =
    "usage: heddle isa lint FILE.isa\n"
    "       heddle isa report FILE.isa [--json FILE]\n"
    "       heddle isa doc FILE.isa [-o FILE]\n"
    "       heddle isa map FILE.isa [--encodings] [--svg FILE]\n\n"
    "About an instruction set description (isa/doc/00-isa-file.md).\n\n"
    "  lint      check it: syntax, overlapping fields, ambiguous encodings\n"
    "  report    free and reserved bits of each format, opcodes left, what the RTL does not know yet; of a variant "
    "also\n"
    "            what it changed against its base\n"
    "  doc       the manual, as Markdown\n"
    "  map       a picture of the word: one line of 128 columns for each format (--encodings: each encoding)\n\n"
    "example: heddle isa report isa/variants/r62.isa\n";

struct spec *isa_load(const char *path) {
  struct diag d = {0};
  struct spec *s = spec_load(path, &d);
  if (!s) fprintf(stderr, "%s\n", d.text);
  return s;
}

bool isa_take_options(int argc, char **argv, const char *allowed, struct isa_options *o) {
  static const struct option options[] = {{"json", required_argument, NULL, 'j'},
                                          {"svg", required_argument, NULL, 's'},
                                          {"encodings", no_argument, NULL, 'e'},
                                          {NULL, 0, NULL, 0}};
  *o = (struct isa_options){0};
  optind = 1;
  for (int c; (c = getopt_long(argc, argv, "o:", options, NULL)) != -1;) {
    if (!strchr(allowed, c)) {
      tool_usage("isa", "%s: bad option", argv[0]);
      return false;
    }
    if (c == 'o') o->out = optarg;
    if (c == 'j') o->json = json_out_take(optarg);
    if (c == 's') o->svg = optarg;
    if (c == 'e') o->encodings = true;
  }
  o->file = argv[optind];
  if (optind + 1 == argc) return true;
  tool_usage("isa", "%s: one FILE.isa is needed", argv[0]);
  return false;
}

FILE *isa_open(const char *path) {
  FILE *f = path ? json_out_open(path) : stdout;
  if (!f) tool_error("%s: %s", path, strerror(errno));
  return f;
}

bool isa_close(FILE *f, const char *path) {
  bool ok = ferror(f) == 0;
  if (path ? fclose(f) != 0 : fflush(f) != 0) ok = false;
  if (!ok) tool_error("%s: writing failed", path ? path : "stdout");
  return ok;
}

int isa_lint(int argc, char **argv) {
  struct isa_options o;
  if (!isa_take_options(argc, argv, "", &o)) return TOOL_USAGE;
  struct spec *s = isa_load(o.file);
  spec_free(s);
  return s ? TOOL_OK : TOOL_USAGE;
}

static int run(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
  } table[] = {{"lint", isa_lint}, {"report", isa_report}, {"doc", isa_doc}, {"map", isa_map}};
  for (unsigned i = 0; argc > 1 && i < sizeof table / sizeof *table; i++)
    if (strcmp(argv[1], table[i].name) == 0) return table[i].run(argc - 1, argv + 1);
  return tool_usage("isa", "expected: lint, report, doc or map, and FILE.isa");
}

const struct tool_command cmd_isa = {"isa", "check, measure, print and draw an instruction set description", help, run};
