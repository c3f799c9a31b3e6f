/* SPDX-License-Identifier: Apache-2.0
 * heddle isa: about an instruction set description. */
#include "cmd_isa.h"
#include "run/command/json_out.h"

#include <errno.h>
#include <string.h>

static const struct tool_option own[] = {
    {"o", "FILE",
     "doc, short: where it goes (default: stdout); report of several, try: folder of report.json, report.html", 'o',
     NULL},
    {"json", "FILE", "doc, report: as JSON (-: on stdout)", 'j', NULL},
    {"svg", "FILE", "map: as a picture", 's', NULL},
    {"encodings", NULL, "map: each encoding", 'e', NULL},
    {"tree", "DIR", "report of several, try: the source tree, whose PTX and RTL are measured (default: .)", 't', NULL},
    {"config", "NAME", "report of several, try: the machine whose instruction cache it is (default: fpga)", 'c', NULL},
    {"no-synth", NULL, "report of several, try: nothing is mapped, which takes minutes", 'n', NULL},
    {"cache", "DIR", "report of several, try: what is mapped stays there (default: isa-report beside the program)", 'k',
     NULL},
    {"jobs", "N", "report of several, try: mappings side by side (default 2)", 'J', NULL},
    {"depth", "DEPTH", "try: what is tested: isa (default; the assembler too), model, rtl (the hardware too)", 'D',
     "isa model rtl"},
    {"patterns", "N", "short: rows of patterns (default 256)", 'P', NULL},
    {"codes", "N", "short: rows of control codes (default 128)", 'C', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"lint FILE.isa",
                                    "report FILE.isa [--json FILE]",
                                    "report BASE.isa A.isa ... [-o DIR] [--no-synth]",
                                    "doc FILE.isa [-o FILE] [--json FILE]",
                                    "map FILE.isa [--encodings] [--svg FILE]",
                                    "short BASE.isa [--patterns N] [--codes N] [-o FILE]",
                                    "try OVERLAY.isa [-o DIR] [--depth DEPTH] [--no-synth]",
                                    NULL};
static const char *const examples[] = {"heddle isa report isa/variants/r62.isa",
                                       "heddle isa report isa/heddle.isa isa/variants/r62.isa --no-synth -o /tmp/r62",
                                       NULL};
static const char about[] =
    "About an instruction set description (isa/doc/00-isa-file.md).\nlint: check it: syntax, overlapping fields, "
    "ambiguous encodings.\nreport: free and reserved bits of each format, opcodes left, what the RTL does not know "
    "yet; of a variant also what it changed against its base. Of several files: what each costs and brings over all "
    "PTX of the tree: bytes, entropy of fields, numbers that do not fit, spills, decoder and issue logic mapped to an "
    "ECP5, instruction cache by size, shorter forms.\ndoc: each bit of each instruction, as Markdown or JSON.\nmap: a "
    "picture of the "
    "word, one line of 128 columns for each format (--encodings: each encoding).\nshort: rows for short words "
    "(isa/doc/13-short-words.md), chosen for all PTX of the tree: a variant of BASE.isa for isa/variants.\ntry: the "
    "report of an overlay "
    "against the "
    "base, then a build with it and its tests (scripts/test-variant.sh).";

struct spec *isa_load(const char *path) {
  struct diag d = {0};
  struct spec *s = spec_load(path, &d);
  if (!s) {
    fprintf(stderr, "%s\n", d.text);
    json_out_error(d.text);
  }
  return s;
}

static bool take_isa_count(const char *text, unsigned most, unsigned *to) {
  uint64_t n;
  if (!tool_number(text, most, &n) || n == 0) return false;
  *to = (unsigned)n;
  return true;
}

bool isa_take_options(int argc, char **argv, const char *allowed, unsigned most, struct isa_options *o) {
  *o = (struct isa_options){
      .tree = ".", .config = "fpga", .depth = "isa", .jobs = 2, .patterns = SPEC_SHORT_ROWS, .codes = SPEC_SHORT_CODES};
  optind = 1;
  for (int c; (c = tool_option_next("isa", groups, argc, argv)) != -1;) {
    if (c == '?') return false;
    if (!strchr(allowed, c)) {
      tool_usage("isa", "%s: one of its options is of another command", argv[0]);
      return false;
    }
    if (c == 'o') o->out = optarg;
    if (c == 'j') o->json = json_out_take(optarg);
    if (c == 's') o->svg = optarg;
    if (c == 'e') o->encodings = true;
    if (c == 't') o->tree = optarg;
    if (c == 'k') o->cache = optarg;
    if (c == 'c') o->config = optarg;
    if (c == 'n') o->no_synth = true;
    if (c == 'D') o->depth = optarg;
    if (c == 'J' && !take_isa_count(optarg, 1024, &o->jobs)) return tool_option_bad("isa", groups, 'J') == TOOL_OK;
    if (c == 'P' && !take_isa_count(optarg, SPEC_SHORT_ROWS, &o->patterns))
      return tool_option_bad("isa", groups, 'P') == TOOL_OK;
    if (c == 'C' && !take_isa_count(optarg, SPEC_SHORT_CODES, &o->codes))
      return tool_option_bad("isa", groups, 'C') == TOOL_OK;
  }
  o->file = (const char *const *)(argv + optind);
  o->files = (unsigned)(argc - optind);
  if (o->files >= 1 && o->files <= most) return true;
  if (most == 1)
    tool_usage("isa", "%s: one FILE.isa is needed", argv[0]);
  else
    tool_usage("isa", "%s: FILE.isa is needed, %u at most", argv[0], most);
  return false;
}

FILE *isa_open(const char *path) {
  FILE *f = path ? fopen(path, "w") : stdout;
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
  if (!isa_take_options(argc, argv, "", 1, &o)) return TOOL_USAGE;
  struct spec *s = isa_load(o.file[0]);
  spec_free(s);
  return s ? TOOL_OK : TOOL_USAGE;
}

static int isa_main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
  } table[] = {{"lint", isa_lint}, {"report", isa_report}, {"doc", isa_doc},
               {"map", isa_map},   {"short", isa_short},   {"try", isa_try}};
  for (unsigned i = 0; argc > 1 && i < sizeof table / sizeof *table; i++)
    if (strcmp(argv[1], table[i].name) == 0) return table[i].run(argc - 1, argv + 1);
  return tool_usage("isa", "expected: lint, report, doc, map, short or try, and FILE.isa");
}

const struct tool_command cmd_isa = {"isa",    "check, measure, print and draw an instruction set description",
                                     isa_main, usage,
                                     about,    groups,
                                     examples, "lint report doc map short try"};
