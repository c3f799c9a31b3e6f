/* SPDX-License-Identifier: Apache-2.0
 * heddle ptx: PTX to ELF, and the list of the PTX that it takes. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "compiler/list.h"
#include "run/command/json_out.h"
#include "run/command/tool.h"
#include "run/options/options.h"
#include "run/runner/conclude.h"

/* The PTX that the compiler takes, as text and as JSON. */

enum { LINE = 700 };

/* Long lists of alternatives, by how they begin: a name instead. */
static const struct {
  const char *begin, *name;
} classes[] = {{"const|", "SPACE"},   {"global|", "SPACE"}, {"acq", "ORDER"}, {"relaxed|", "ORDER"},
               {"cluster|", "SCOPE"}, {"ca|", "CACHE"},     {"eq|", "CMP"}};

static const char *class_of_words(const char *words) {
  for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
    if (strncmp(words, classes[k].begin, strlen(classes[k].begin)) == 0) return classes[k].name;
  return NULL;
}

/* "rn|rm" to ".rn|.rm", in brackets when `optional`. */
static void add_group(char *to, const char *words, size_t n, bool optional) {
  const size_t used = strlen(to);
  const char *class = memchr(words, '|', n) ? class_of_words(words) : NULL;
  char *end = to + used;
  if (used + 2 * n + 16 > LINE) return;
  if (used) *end++ = ' ';
  if (optional) *end++ = '[';
  *end++ = '.';
  if (class) end += snprintf(end, 8, "%s", class);
  for (size_t k = 0; k < n && !class; k++) {
    *end++ = words[k];
    if (words[k] == '|') *end++ = '.';
  }
  if (optional) *end++ = ']';
  *end = 0;
}

static void dotted(char *to, const char *words, bool optional) {
  for (size_t n; *words; words += n + (words[n] == ' ')) {
    n = strcspn(words, " ");
    if (n > 0) add_group(to, words, n, optional);
  }
}

static void put_text(void *ctx, const struct ptx_listed *r) {
  char types[LINE] = "", words[LINE] = "", operands[20];
  (void)ctx;
  dotted(types, r->types, false);
  dotted(words, r->required, false);
  dotted(words, r->optional, true);
  if (r->least == r->most)
    snprintf(operands, sizeof operands, "%u", r->least);
  else
    snprintf(operands, sizeof operands, "%u-%u", r->least, r->most);
  printf("%-14s %-4s %s%s%s%s%s\n", r->name, operands, *types ? types : "-", *words ? "; " : "", words,
         *r->note ? "  # " : "", r->note);
}

/* on stdout */
static void ptx_list_text(void) {
  const char *name;
  printf("# instruction, operands, types; modifiers, [optional ones]  # what else.\n"
         "# SPACE: a state space. SCOPE: cta, gpu, cluster (as gpu), sys. CACHE: operators and hints, dropped.\n"
         "# ORDER: weak, volatile, relaxed, acquire, release, acq_rel, sc, as PTX has them there. CMP: eq, ne, ...\n");
  ptx_list(put_text, NULL);
  printf("# special registers\n");
  for (unsigned k = 0; (name = ptx_list_register(k)) != NULL; k++) printf("%s%s", k ? " " : "", name);
  printf("\n");
}

/* A list of what stands between the separators. */
static json_t *parts_json(const char *text, const char *separators, json_t *(*one)(const char *text, size_t n)) {
  json_t *list = json_array();
  for (const char *s = text; *s;) {
    const size_t n = strcspn(s, separators);
    if (n > 0) (void)json_array_append_new(list, one(s, n));
    s += n + (s[n] != 0);
  }
  return list;
}

static json_t *word_json(const char *text, size_t n) {
  return json_stringn(text, n);
}

static json_t *alternatives(const char *text, size_t n) {
  char copy[LINE];
  snprintf(copy, sizeof copy, "%.*s", (int)n, text);
  return parts_json(copy, "|", word_json);
}

static void put_json(void *ctx, const struct ptx_listed *r) {
  (void)json_array_append_new(ctx, json_pack("{s:s, s:o, s:b, s:i, s:o, s:o, s:[i, i], s:s}", "name", r->name, "types",
                                             parts_json(r->types, " ", r->sequence ? alternatives : word_json),
                                             "types_in_sequence", r->sequence, "types_written", (int)r->written,
                                             "required", parts_json(r->required, " ", alternatives), "optional",
                                             parts_json(r->optional, " ", alternatives), "operands", (int)r->least,
                                             (int)r->most, "note", r->note));
}

/* false: told */
static bool ptx_list_json(const char *path) {
  const char *name;
  json_t *instructions = json_array(), *registers = json_array();
  ptx_list(put_json, instructions);
  for (unsigned k = 0; (name = ptx_list_register(k)) != NULL; k++)
    (void)json_array_append_new(registers, json_string(name));
  return json_out_dump(path, json_pack("{s:o, s:o}", "instructions", instructions, "special_registers", registers));
}

/* heddle ptx: PTX to ELF. */

static const struct tool_option own[] = {
    {"o", "FILE", "the program (may be left out with --dump or --figures)", 'o', NULL},
    {"O", "LEVEL", "0: straightforward code; 1 to 3: everything on (default)", 'O', "0 1 2 3"},
    {"maxregs", "N", "registers of a thread, 16 to 254; what does not fit lives in local memory", 'r', NULL},
    {"target", "MACHINE",
     "rtl: all units that an RTL may have, other instructions only where there is no other way; model: everything "
     "(default: the units of --config)",
     't', "rtl model"},
    {"stack", "N",
     "bytes of stack of a thread for recursion and the like, where the depth is not known (default 1024); a thread "
     "that needs more traps (out_of_range)",
     's', NULL},
    {"printf", "BYTES", "room for what a kernel prints (default 65536); what finds none is counted", 'p', NULL},
    {"heap", "BYTES", SOURCE_HEAP_HELP, 'h', NULL},
    {"no-inline", NULL, "compile every function by itself, also those that are better inlined", 'n', NULL},
    {"without", "PASSES", SOURCE_WITHOUT, 'w', NULL},
    {"config", "NAME",
     "for this configuration alone, its units and its latencies (default: units of fpga, the default of 'heddle run', "
     "and the slowest latencies of all, so that control codes suffice anywhere)",
     'c', NULL},
    {"g", "LEVEL",
     "0: without the lines of the source (.loc; else of FILE.ptx), which addr2line and messages of runs otherwise "
     "name, and without what the sanitizer needs of the source's orders",
     'g', "0 1"},
    {"figures", NULL, "instructions, registers, spills, stall cycles of each kernel", 'f', NULL},
    {"json", "FILE", "the same as JSON (-: on stdout)", 'j', NULL},
    {"list", NULL, "the instructions that it takes: types, modifiers, operands; special registers", 'l', NULL},
    {"dump", "WHAT",
     "on stdout: ast (as parsed), ir (calls inlined), ssa (optimised), mir (machine instructions over virtual "
     "registers), alloc (over physical ones), asm (the program)",
     'd', "ast ir ssa mir alloc asm"},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"FILE.ptx -o FILE.elf [options]", "--list [--json FILE]", NULL};
static const char *const examples[] = {"heddle ptx tests/silicon/kernels/sgemm.ptx -o /tmp/sgemm.elf --figures", NULL};
static const char about[] =
    "Compile every .entry of a PTX module. Unsupported statements are refused by name, line and column.";

enum { TEXT_MAX = 64 << 20, REGS_LEAST = 16, REGS_MOST = 254, STACK_MOST = HEDDLE_LOCAL_MAX };

struct request {
  const char *in, *out, *config, *json;
  bool figures, dump_asm, list, no_lines, target_given;
  struct heddle_ptx_options options;
};

static bool take_dump(struct request *q, const char *what) {
  static const struct {
    const char *name;
    enum heddle_ptx_dump dump;
  } table[] = {{"ast", HEDDLE_PTX_DUMP_AST}, {"ir", HEDDLE_PTX_DUMP_IR},           {"ssa", HEDDLE_PTX_DUMP_SSA},
               {"mir", HEDDLE_PTX_DUMP_MIR}, {"alloc", HEDDLE_PTX_DUMP_ALLOCATED}, {"asm", HEDDLE_PTX_DUMP_NONE}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (strcmp(what, table[i].name) != 0) continue;
    q->options.dump = table[i].dump;
    q->options.dump_to = stdout;
    q->dump_asm = table[i].dump == HEDDLE_PTX_DUMP_NONE;
    return true;
  }
  return false;
}

static bool take_option(struct request *q, int o, const char *value) {
  uint64_t n = 0;
  switch (o) {
  case 'o':
    q->out = value;
    return true;
  case 'c':
    q->config = value;
    return true;
  case 'j':
    q->json = json_out_take(value);
    return true;
  case 'f':
    q->figures = true;
    return true;
  case 'l':
    q->list = true;
    return true;
  case 'd':
    return take_dump(q, value);
  case 'p':
    return source_printf(value, &q->options.printf_bytes);
  case 'h':
    return source_heap(value, &q->options.heap_bytes);
  case 't':
    q->target_given = true;
    return run_target_find(value, &q->options.target);
  case 'O':
    q->options.level = (unsigned)(value[0] - '0');
    return value[0] >= '0' && value[0] <= '3' && value[1] == '\0';
  case 'g':
    q->no_lines = strcmp(value, "0") == 0;
    return q->no_lines || strcmp(value, "1") == 0;
  case 'r':
    if (!tool_number(value, REGS_MOST, &n) || n < REGS_LEAST) return false;
    q->options.max_regs = (unsigned)n;
    return true;
  case 's':
    if (!tool_number(value, STACK_MOST, &n) || n == 0) return false;
    q->options.stack_bytes = (uint32_t)n;
    return true;
  case 'n':
    q->options.no_inline = true;
    return true;
  case 'w':
    return heddle_ptx_passes(value, &q->options.without, NULL) == HEDDLE_SUCCESS;
  default:
    return false;
  }
}

static int parse_ptx_options(struct request *q, int argc, char **argv) {
  for (int o; (o = tool_option_next("ptx", groups, argc, argv)) != -1;)
    if (!take_option(q, o, optarg)) return tool_option_bad("ptx", groups, o);
  if (q->list) return optind == argc && !q->out ? TOOL_OK : tool_usage("ptx", "--list takes no file");
  bool shows = q->figures || q->json || q->dump_asm || q->options.dump_to;
  if (optind + 1 != argc || !(q->out || shows)) return tool_usage("ptx", "one input file and -o FILE are needed");
  q->in = argv[optind];
  q->options.units = source_units(q->config, q->target_given);
  q->options.fp64_latency = tool_fp64_latency(q->config);
  if (tool_stalls(q->config, q->options.stall)) return TOOL_OK;
  tool_error("configuration '%s' is not built; 'heddle configs' lists those that are", q->config ? q->config : "");
  return TOOL_MISSING;
}

static void print_figures(const struct heddle_ptx_figures *f, size_t n) {
  printf("%-24s %12s %9s %7s %7s %6s %6s %6s %7s %6s\n", "kernel", "instructions", "registers", "uniform", "spilled",
         "loads", "stores", "local", "shared", "stalls");
  for (size_t i = 0; i < n; i++)
    printf("%s%-*s %12u %9u %7u %7u %6u %6u %6u %7u %6u\n", f[i].is_function ? ".func " : "",
           f[i].is_function ? 18 : 24, f[i].name, f[i].instructions, f[i].registers, f[i].uniform_registers,
           f[i].spilled_values, f[i].spill_loads, f[i].spill_stores, f[i].local_bytes, f[i].shared_bytes,
           f[i].stall_cycles);
}

static bool write_ptx_json(const struct request *q, const struct heddle_ptx_figures *f, size_t n, bool ok) {
  if (!q->json) return true;
  json_t *kernels = json_array();
  for (size_t i = 0; i < n; i++)
    (void)json_array_append_new(
        kernels, json_pack("{s:s, s:b, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "name", f[i].name, "function",
                           f[i].is_function, "instructions", (int)f[i].instructions, "registers", (int)f[i].registers,
                           "uniform_registers", (int)f[i].uniform_registers, "spilled_values", (int)f[i].spilled_values,
                           "spill_loads", (int)f[i].spill_loads, "spill_stores", (int)f[i].spill_stores, "local_bytes",
                           (int)f[i].local_bytes, "shared_bytes", (int)f[i].shared_bytes, "stall_cycles",
                           (int)f[i].stall_cycles));
  return json_out_dump(q->json, json_pack("{s:s, s:b, s:o}", "file", q->in, "ok", ok, "kernels", kernels));
}

static void put_dump(void *ctx, const char *text) {
  fputs(text, ctx);
}

static int finish_ptx(const struct request *q, const struct heddle_program *p, const struct heddle_ptx_figures *f,
                      size_t n) {
  struct heddle_message m;
  if (q->dump_asm) heddle_disassemble_program(p, put_dump, stdout);
  if (q->figures) print_figures(f, n);
  if (!q->out || heddle_program_save(p, q->out, &m) == HEDDLE_SUCCESS) return ferror(stdout) ? TOOL_USAGE : TOOL_OK;
  tool_message(NULL, &m);
  return TOOL_USAGE;
}

static int list_ptx_forms(const struct request *q) {
  if (q->json) return ptx_list_json(q->json) ? TOOL_OK : TOOL_USAGE;
  ptx_list_text();
  return ferror(stdout) ? TOOL_USAGE : TOOL_OK;
}

static int ptx_main(int argc, char **argv) {
  struct request q = {.options = {.size = sizeof(struct heddle_ptx_options), .level = 1, .message = tool_message}};
  int status = parse_ptx_options(&q, argc, argv);
  if (status != TOOL_OK) return status;
  if (q.list) return list_ptx_forms(&q);
  size_t size, kernels = 0;
  struct heddle_ptx_figures *figures = NULL;
  uint8_t *text = tool_read_file(q.in, TEXT_MAX, &size);
  if (!text) return TOOL_USAGE;
  struct heddle_program *p;
  (void)heddle_ptx_compile((const char *)text, size, q.in, &q.options, &p, &figures, &kernels);
  if (p && q.no_lines) heddle_program_drop_lines(p);
  if (p && q.no_lines) heddle_program_drop_orders(p);
  status = p ? finish_ptx(&q, p, figures, kernels) : TOOL_USAGE;
  if (!write_ptx_json(&q, figures, kernels, p != NULL)) status = TOOL_USAGE;
  heddle_program_free(p);
  free(figures);
  free(text);
  return status;
}

const struct tool_command cmd_ptx = {"ptx", "compile FILE.ptx to FILE.elf", ptx_main, usage, about, groups, examples,
                                     NULL};
