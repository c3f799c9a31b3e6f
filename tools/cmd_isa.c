/* SPDX-License-Identifier: Apache-2.0
 * heddle isa: about an instruction set description. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <heddle/config.h>
#include <heddle/isa.h>
#include "isa/gen/emit.h"
#include "isa/gen/emit.h"
#include "isa/gen/map.h"
#include "isa/gen/report.h"
#include "isa/gen/spec.h"
#include "isa/measure/shorts.h"
#include "run/command/json_out.h"
#include "run/command/option.h"
#include "run/command/tool.h"
#include "run/compare/compare.h"

/* Options of a subcommand with `least` to `most` FILE.isa: `allowed` are the values of its own. False: usage, told. */
struct isa_options {
  const char *const *file;
  unsigned files;
  const char *out, *json, *svg, *tree, *cache, *config, *depth;
  unsigned jobs, patterns, codes;
  bool encodings, no_synth;
};

static const struct tool_option own[] = {
    {"o", "FILE",
     "doc, short: where it goes (default: stdout); report of several, try: folder of report.json, report.html", 'o',
     NULL},
    {"json", "FILE", "doc, report: as JSON (-: on stdout)", 'j', NULL},
    {"svg", "FILE", "map: as a picture", 's', NULL},
    {"encodings", NULL, "map: each encoding", 'e', NULL},
    {"tree", "DIR", "report of several, try: the source tree with the PTX and RTL to measure (default: .)", 't', NULL},
    {"config", "NAME", "report of several, try: the machine with the instruction cache (default: fpga)", 'c', NULL},
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
    "ambiguous encodings.\nreport: free and reserved bits of each format, opcodes left, what the RTL lacks. For a "
    "variant also its changes against its base. For several files the cost of each over all "
    "PTX of the tree: bytes, entropy of fields, numbers that do not fit, spills. Also decoder and issue logic mapped "
    "to an "
    "ECP5, instruction cache by size, shorter forms.\ndoc: each bit of each instruction, as Markdown or JSON.\nmap: a "
    "picture of the word, one line of 128 columns for each format (--encodings: each encoding).\nshort: rows for short "
    "words "
    "(isa/doc/13-short-words.md), chosen for all PTX of the tree: a variant of BASE.isa for isa/variants.\ntry: the "
    "report of an overlay "
    "against the "
    "base, then a build with it and its tests (scripts/test-variant.sh).";

/* A checked description, or NULL: the complaint is on stderr. spec_free it. */
static struct spec *isa_load(const char *path) {
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

static bool isa_take_options(int argc, char **argv, const char *allowed, unsigned most, struct isa_options *o) {
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

/* `path` for writing, or stdout when NULL; NULL with a complaint. isa_close says false when writing failed. */
static FILE *isa_open(const char *path) {
  FILE *f = path ? fopen(path, "w") : stdout;
  if (!f) tool_error("%s: %s", path, strerror(errno));
  return f;
}

static bool isa_close(FILE *f, const char *path) {
  bool ok = ferror(f) == 0;
  if (path ? fclose(f) != 0 : fflush(f) != 0) ok = false;
  if (!ok) tool_error("%s: writing failed", path ? path : "stdout");
  return ok;
}

/* heddle isa report BASE A B ...: what is asked for, and the files that come out. */

enum { MEMORY_LATENCY = 100, ON_THE_WAY = 20, LINE_BITS = 512 }; /* cycles; rtl/memory/icache.sv has the formula */

static void say_progress(const char *what, const char *name) {
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[Kheddle isa: %s %s", what, name);
}

static void said(void) {
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
}

/* isa-report beside the program. */
static bool beside_program(char *path, size_t n) {
  const ssize_t len = readlink("/proc/self/exe", path, n - 32);
  if (len <= 0) return false;
  path[len] = '\0';
  char *slash = strrchr(path, '/');
  if (!slash) return false;
  strcpy(slash, "/isa-report");
  return true;
}

/* The instruction set that this program's compiler writes: a file of the tree with its hash. */
static struct spec *own_spec(const struct comparison *c) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/isa/heddle.isa", c->q.tree);
  struct spec *s = isa_load(path);
  if (s && s->hash == heddle_isa_hash()) return s;
  if (s)
    tool_error("%s is not what this program was built of; build heddle of that tree, with HEDDLE_ISA=heddle", path);
  spec_free(s);
  return NULL;
}

static bool take_machine(struct comparison *c) {
  const struct heddle_config *m = heddle_config_find(c->q.config);
  if (!m) {
    tool_error("no configuration '%s'; 'heddle configs' lists them", c->q.config);
    return false;
  }
  c->warps = m->warps > TURNS_WARPS_MAX ? TURNS_WARPS_MAX : m->warps;
  c->beats = 32 / m->lanes;
  c->ahead = m->icache_misses;
  c->latency = MEMORY_LATENCY + ON_THE_WAY + LINE_BITS / m->axi_bits;
  return true;
}

static void name_encoding(struct compare_encoding *e, const char *path) {
  const char *slash = strrchr(path, '/');
  (void)snprintf(e->name, sizeof e->name, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(e->name, '.');
  if (dot && strcmp(dot, ".isa") == 0) *dot = '\0';
}

static int measure_all(struct comparison *c) {
  for (unsigned i = 0; i < c->q.files; i++) {
    struct compare_encoding *e = &c->encoding[i];
    e->spec = isa_load(c->q.file[i]);
    if (!e->spec) return TOOL_USAGE;
    name_encoding(e, c->q.file[i]);
    c->encodings++;
  }
  for (unsigned i = 0; i < c->encodings; i++) {
    say_progress("measuring", c->encoding[i].name);
    if (!compare_measure(c, &c->encoding[i])) return TOOL_USAGE;
  }
  if (!c->q.synth) return TOOL_OK;
  say_progress("mapping decoders and issue logic:", "minutes where nothing is kept of an earlier run");
  return compare_synthesis(c);
}

static bool write_one(const struct comparison *c, const char *name, bool html) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s", c->q.out, name);
  FILE *f = isa_open(path);
  if (!f) return false;
  json_t *j = html ? NULL : compare_json(c);
  bool ok = html || (j && json_dumpf(j, f, JSON_INDENT(1) | JSON_SORT_KEYS) == 0 && fputc('\n', f) != EOF);
  if (html) compare_html(c, f);
  json_decref(j);
  if (!ok) tool_error("%s: cannot write JSON", path);
  return isa_close(f, path) && ok;
}

static int write_reports(const struct comparison *c, const char *json) {
  compare_text(c, stdout);
  bool ok = isa_close(stdout, NULL);
  if (json) ok = json_out_dump(json, compare_json(c)) && ok;
  if (!c->q.out) return ok ? TOOL_OK : TOOL_USAGE;
  if (mkdir(c->q.out, 0777) != 0 && errno != EEXIST) {
    tool_error("%s: %s", c->q.out, strerror(errno));
    return TOOL_USAGE;
  }
  return ok && write_one(c, "report.json", false) && write_one(c, "report.html", true) ? TOOL_OK : TOOL_USAGE;
}

static void compare_close(struct comparison *c) {
  if (!c) return;
  for (unsigned i = 0; i < COMPARE_MOST; i++) {
    spec_free(c->encoding[i].spec);
    free(c->encoding[i].cost);
    compact_clear(&c->encoding[i].compact);
    compare_programs_clear(&c->programs[i]);
  }
  spec_free(c->own);
  free(c);
}

/* What all measuring begins with: the machine, this program's own encoding. NULL: a message on stderr. */
static struct comparison *compare_open(const struct compare_request *q) {
  struct comparison *c = calloc(1, sizeof *c);
  if (!c) {
    tool_error("out of memory");
    return NULL;
  }
  c->q = *q;
  if (take_machine(c) && (c->own = own_spec(c)) != NULL) return c;
  compare_close(c);
  return NULL;
}

/* Several encodings beside each other (compare.h); `json`: as of json_out_take, or NULL. */
static int isa_compare(const struct compare_request *q, const char *json) {
  char cache[4096];
  struct compare_request own = *q;
  if (!own.cache && beside_program(cache, sizeof cache)) own.cache = cache;
  if (q->files > COMPARE_MOST) tool_error("%u encodings at most", COMPARE_MOST);
  struct comparison *c = q->files <= COMPARE_MOST && own.cache ? compare_open(&own) : NULL;
  int status = c ? measure_all(c) : TOOL_USAGE;
  said();
  if (status == TOOL_OK) status = write_reports(c, json);
  compare_close(c);
  return status;
}

/* heddle isa doc: the manual, as Markdown or as JSON. */

static bool write_markdown(const struct spec *s, const char *path) {
  FILE *f = isa_open(path);
  if (!f) return false;
  emit_manual(s, f);
  return isa_close(f, path);
}

static int isa_doc(int argc, char **argv) {
  struct isa_options o;
  if (!isa_take_options(argc, argv, "oj", 1, &o)) return TOOL_USAGE;
  struct spec *s = isa_load(o.file[0]);
  bool ok = s;
  if (ok && o.json) ok = json_out_dump(o.json, doc_json(s));
  if (ok && (o.out || !o.json)) ok = write_markdown(s, o.out);
  spec_free(s);
  return ok ? TOOL_OK : TOOL_USAGE;
}

/* heddle isa map: a picture of the word. */

static int isa_map(int argc, char **argv) {
  struct isa_options o;
  if (!isa_take_options(argc, argv, "se", 1, &o)) return TOOL_USAGE;
  struct spec *s = isa_load(o.file[0]);
  FILE *f = s ? isa_open(o.svg) : NULL;
  bool ok = f;
  if (ok) {
    (o.svg ? map_svg : map_text)(s, o.encodings ? MAP_ENCODINGS : MAP_FORMATS, f);
    ok = isa_close(f, o.svg);
  }
  spec_free(s);
  return ok ? TOOL_OK : TOOL_USAGE;
}

/* heddle isa report: what an encoding costs, and what a variant changed. */

/* The base of a variant; NULL when it is none, or imports only a part. */
static struct spec *load_base(const struct spec *s) {
  struct diag ignored = {0};
  return report_base(s) ? spec_load(report_base(s), &ignored) : NULL;
}

static bool write_report_json(const struct isa_options *o, const struct spec *s, const struct spec *base) {
  if (!o->json || !s) return true; /* what is wrong with it is among the errors */
  return json_out_dump(o->json, report_json(s, base));
}

static int report_several(const struct isa_options *o) {
  const struct compare_request q = {.file = o->file,
                                    .files = o->files,
                                    .tree = o->tree,
                                    .out = o->out,
                                    .cache = o->cache,
                                    .config = o->config,
                                    .jobs = o->jobs,
                                    .synth = !o->no_synth};
  return isa_compare(&q, o->json);
}

static int isa_report(int argc, char **argv) {
  struct isa_options o;
  if (!isa_take_options(argc, argv, "jotkcnJ", COMPARE_MOST, &o)) return TOOL_USAGE;
  if (o.files > 1) return report_several(&o);
  struct spec *s = isa_load(o.file[0]), *base = s ? load_base(s) : NULL;
  bool ok = write_report_json(&o, s, base) && s;
  if (ok) report_text(s, base, stdout);
  ok = ok && isa_close(stdout, NULL);
  spec_free(base);
  spec_free(s);
  return ok ? TOOL_OK : TOOL_USAGE;
}

/* heddle isa short: the rows that short words name, chosen for the programs of the tree. */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void write_head(const struct isa_options *o, const struct shorts *t, FILE *f) {
  fprintf(f, "# Short words, two in 16 bytes (isa/doc/13-short-words.md). Rows chosen by\n");
  fprintf(f, "#   heddle isa short isa/%s --patterns %u --codes %u\n", base_name(o->file[0]), o->patterns, o->codes);
  fprintf(f,
          "# of %u patterns and %u control codes in all PTX of the tree, after each how many words have it and are\n",
          t->patterns, t->control_codes);
  fprintf(f,
          "# short: %" PRIu64 " of %" PRIu64 " words (%.1f %%), as executed by the kernels %.1f %%; %" PRIu64
          " in pairs,\n",
          t->short_words, t->words, compare_percent((double)t->short_words, (double)t->words),
          compare_percent((double)t->short_runs, (double)t->runs), t->paired);
  fprintf(f, "# so that code is %.1f %% smaller.\n", compare_percent((double)(t->words - t->places), (double)t->words));
  fprintf(f, "import ./%s\n\n", base_name(o->file[0]));
}

static bool is_own(const struct comparison *c, const char *path) {
  struct spec *s = isa_load(path);
  const bool same = s && s->hash == c->own->hash;
  if (s && !same) tool_error("%s is not the instruction set that this program's compiler writes", path);
  spec_free(s);
  return same;
}

static bool choose_shorts(struct comparison *c, const struct isa_options *o, struct shorts *t) {
  const struct compare_programs *p = compare_programs(c, 0);
  if (!p) return false;
  if (shorts_choose(&p->corpus, o->patterns, o->codes, t)) return true;
  tool_error("%s: no memory, or its control codes are not in one piece", o->file[0]);
  return false;
}

static int isa_short(int argc, char **argv) {
  struct isa_options o;
  if (!isa_take_options(argc, argv, "otPC", 1, &o)) return TOOL_USAGE;
  const struct compare_request q = {.file = o.file, .files = 1, .tree = o.tree, .config = o.config};
  struct comparison *c = compare_open(&q);
  static struct shorts t;
  bool ok = c && is_own(c, o.file[0]) && choose_shorts(c, &o, &t);
  FILE *f = ok ? isa_open(o.out) : NULL;
  if (f) {
    write_head(&o, &t, f);
    shorts_print(c->own, &t, f);
    ok = isa_close(f, o.out);
  }
  compare_close(c);
  return ok && f ? TOOL_OK : TOOL_USAGE;
}

/* heddle isa try: an overlay reported against the base, then built and tested. */

static bool is_depth(const char *text) {
  return strcmp(text, "isa") == 0 || strcmp(text, "model") == 0 || strcmp(text, "rtl") == 0;
}

/* The suite by its script, and how long it took. */
static int test_variant(const struct isa_options *o) {
  char script[4096], file[4096], depth[8];
  char *argument[] = {script, file, depth, NULL};
  struct timespec from, to;
  (void)snprintf(script, sizeof script, "%s/scripts/test-variant.sh", o->tree);
  (void)snprintf(file, sizeof file, "%s", o->file[0]);
  (void)snprintf(depth, sizeof depth, "%s", o->depth);
  (void)clock_gettime(CLOCK_MONOTONIC, &from);
  const int status = compare_start(script, argument);
  (void)clock_gettime(CLOCK_MONOTONIC, &to);
  printf("\n%s: %s with its build took %lld s: %s\n", o->file[0], o->depth, (long long)(to.tv_sec - from.tv_sec),
         status == 0 ? "ok" : "FAILED");
  if (!isa_close(stdout, NULL)) return TOOL_USAGE;
  if (status == 0) return TOOL_OK;
  tool_error("%s ended with status %d", script, status);
  return status == 1 ? TOOL_DIFFERENCE : TOOL_MISSING;
}

static int isa_try(int argc, char **argv) {
  struct isa_options o;
  char base[4096];
  if (!isa_take_options(argc, argv, "otkcnJDj", 1, &o)) return TOOL_USAGE;
  if (!is_depth(o.depth)) return tool_usage("isa", "--depth is isa, model or rtl, not '%s'", o.depth);
  (void)snprintf(base, sizeof base, "%s/isa/heddle.isa", o.tree);
  const char *const file[] = {base, o.file[0]};
  const struct compare_request q = {.file = file,
                                    .files = 2,
                                    .tree = o.tree,
                                    .out = o.out,
                                    .cache = o.cache,
                                    .config = o.config,
                                    .jobs = o.jobs,
                                    .synth = !o.no_synth};
  const int status = isa_compare(&q, o.json);
  if (status != TOOL_OK) return status;
  struct diag d = {0};
  struct spec *s = isa_load(o.file[0]);
  const bool built = s && spec_buildable(s, &d);
  if (s && !built) tool_error("%s", d.text);
  spec_free(s);
  return built ? test_variant(&o) : TOOL_USAGE;
}

/* heddle isa lint, and which of them it is. argv[0] is the name; TOOL_USAGE for arguments and descriptions that are
 * wrong. */

static int isa_lint(int argc, char **argv) {
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
