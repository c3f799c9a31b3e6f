/* SPDX-License-Identifier: Apache-2.0
 * heddle lint: prove the control codes of a program sufficient, and say what its kernels need. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/host.h>
#include <heddle/lint.h>
#include <heddle/machine.h>
#include <heddle/needs.h>
#include "run/command/json_out.h"
#include "run/command/option.h"
#include "run/command/tool.h"
#include "run/programs/source.h"
#include "run/runner/conclude.h"

/* Kernels and machines; kernels and their notes. */

enum { NAMES = 160 };

static void tell_lack(const char *file, const char *kind, const struct heddle_kernel *k, const char *text,
                      json_t *list) {
  printf("%s: %s\n", file, text);
  (void)json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "kind", kind, "kernel", k->name, "text", text));
}

/* Threads of a block that the kernel requires; 0: any number, or one that no launch has. */
static uint32_t required(const struct heddle_kernel *k) {
  const uint32_t one[3] = {1, 1, 1}, *b = k->promise.block;
  return heddle_host_check_shape(one, b) == HEDDLE_REFUSE_NONE ? b[0] * b[1] * b[2] : 0;
}

static unsigned lacking(const char *file, const struct heddle_program *p, const struct heddle_kernel *k,
                        const struct heddle_machine *m, json_t *list) {
  struct heddle_lack lack[HEDDLE_LACKS_MAX];
  char text[700];
  const unsigned n = heddle_machine_lacks(m, p, k, required(k), k->shared_bytes, lack);
  for (unsigned i = 0; i < n; i++)
    tell_lack(file, "lacks", k, heddle_lack_text(m, p, k, &lack[i], text, sizeof text), list);
  return n;
}

static unsigned noted_wrong(const char *file, const struct heddle_program *p, const struct heddle_kernel *k,
                            json_t *list) {
  struct heddle_needs n;
  char noted[NAMES], words[NAMES], text[3 * NAMES + HEDDLE_NAME_MAX];
  if (!k->noted || heddle_kernel_needs(p, k, &n) != HEDDLE_SUCCESS) return 0;
  if (n.units == k->needs.units && n.uniform_regs == k->needs.uniform_regs) return 0;
  heddle_needs_text(k->needs.units, noted, sizeof noted);
  heddle_needs_text(n.units, words, sizeof words);
  snprintf(text, sizeof text,
           "kernel %s: its note says units '%s' and %u uniform registers, its words need '%s' and %u", k->name, noted,
           k->needs.uniform_regs, words, n.uniform_regs);
  tell_lack(file, "note", k, text, list);
  return 1;
}

/* Blocks of so many threads that an SM of the machine holds at once. */
static uint32_t held(const struct heddle_machine *m, const struct heddle_kernel *k, uint32_t threads) {
  const uint32_t warps = (threads + 31) / 32,
                 of[3] = {m->warps / warps, m->regs / (warps * k->regs),
                          k->shared_bytes > 0 ? m->shared_bytes / k->shared_bytes : m->blocks};
  uint32_t n = m->blocks;
  for (unsigned i = 0; i < 3; i++) n = of[i] < n ? of[i] : n;
  return n;
}

/* What its launches are held to; the number of blocks at once is a wish, which the machine may not grant. */
static void show_promise(const char *file, const struct heddle_kernel *k, const struct heddle_machine *m) {
  const struct heddle_promise *p = &k->promise;
  if (p->block[0] != 0)
    printf("%s: kernel %s requires blocks of %ux%ux%u (.reqntid)\n", file, k->name, p->block[0], p->block[1],
           p->block[2]);
  if (p->threads != 0)
    printf("%s: kernel %s takes blocks of at most %u threads (.maxntid)\n", file, k->name, p->threads);
  if (p->blocks == 0) return;
  const uint32_t threads = heddle_host_block_threads(p);
  printf("%s: kernel %s wants %u blocks of an SM at once (.minnctapersm)", file, k->name, p->blocks);
  if (m) printf("; %s holds %u of %u threads", m->name, held(m, k, threads), threads);
  putchar('\n');
}

/* A line on stdout and a member of `list` for each kernel that `m` (NULL: no machine is asked about) cannot run with a
 * single warp, and for each whose note says something else than its words. How many. */
static unsigned lint_needs(const char *file, const struct heddle_program *p, const struct heddle_machine *m,
                           json_t *list) {
  unsigned n = 0;
  for (uint32_t i = 0; i < p->kernels; i++) {
    const struct heddle_kernel *k = &p->kernel[i];
    if (k->is_function) continue;
    show_promise(file, k, m);
    n += noted_wrong(file, p, k, list);
    if (m) n += lacking(file, p, k, m, list);
  }
  return n;
}

/* heddle lint: prove the control codes of a program sufficient. */

static const struct tool_option own[] = {
    {"config", "NAME", "prove it for this configuration's latencies instead, and say what the machine lacks", 'c',
     NULL},
    {"spare", NULL, "of a proven program: also print the parts of its codes that nothing depends on, and why", 's',
     NULL},
    {"json", "FILE", "findings as JSON, also when there are none (-: on stdout)", 'j', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"FILE [options]", NULL};
static const char *const examples[] = {"heddle lint /tmp/vecadd.elf", NULL};
static const char about[] =
    "FILE is a program (.elf), or what one is made of: .s, .ptx, .cl, .cu.\nProve that the control codes of a program "
    "suffice. Along every path, an access to a register or predicate waits for the result on its way there, "
    "by stall counts or by a counter. An access that is not covered is printed with a remedy, and the exit status is "
    "1. So is a use of a register or predicate that no way to there has written. Latencies are those that the "
    "kernels' notes assume. A note that says other units than the words need is a finding, too. Promises of kernels "
    "about their blocks are shown.";

#define SPARE_MAX 4096u /* instructions; each part costs a proof */

struct request {
  const char *file, *config, *json;
  bool spare;
  struct heddle_machine machine; /* if `config` */
  uint8_t stall[8];
  struct heddle_program *program;
  json_t *findings;
};

static const char *kind_name(enum heddle_lint_kind k) {
  static const char *const names[] = {"read", "write", "leave", "depbar", "unscheduled", "undefined"};
  return names[k];
}

static void disassemble_pc(const struct request *q, uint32_t pc, char *buf, size_t size) {
  snprintf(buf, size, "nothing");
  if (pc < q->program->code_bytes) heddle_disassemble_at(q->program, pc, buf, size);
}

/* What is wrong, without what to do. */
static void explain(const struct request *q, const struct heddle_lint_finding *f, char *text, size_t size) {
  char producer[200];
  disassemble_pc(q, f->producer, producer, sizeof producer);
  switch (f->kind) {
  case HEDDLE_LINT_READ:
    snprintf(text, size, "%s is read before 0x%04x '%s' has written it", f->place, f->producer, producer);
    break;
  case HEDDLE_LINT_WRITE:
    snprintf(text, size, "%s is written before 0x%04x '%s' has written it", f->place, f->producer, producer);
    break;
  case HEDDLE_LINT_LEAVE:
    snprintf(text, size, "%s of 0x%04x '%s' may not be written where this leads", f->place, f->producer, producer);
    break;
  case HEDDLE_LINT_DEPBAR:
    snprintf(text, size, "%s counts results that come in any order: waiting for some of them proves nothing", f->place);
    break;
  case HEDDLE_LINT_UNSCHEDULED:
    snprintf(text, size, "the kernel assumes no latencies");
    break;
  case HEDDLE_LINT_UNDEFINED:
    snprintf(text, size, "%s is used, and no way to here has written it", f->place);
    break;
  }
}

static void take_finding(void *ctx, const struct heddle_lint_finding *f) {
  struct request *q = ctx;
  char insn[200], text[600];
  const char *kernel = f->kernel ? f->kernel->name : "";
  disassemble_pc(q, f->pc, insn, sizeof insn);
  explain(q, f, text, sizeof text);
  const char *source = "";
  unsigned line = 0;
  const bool known = heddle_program_line(q->program, f->pc, &source, &line);
  printf("%s: %s: 0x%04x: %s: %s: %s", q->file, kernel, f->pc, insn, text, f->advice);
  if (known) printf(" (%s:%u)", source, line);
  putchar('\n');
  json_t *j = json_pack("{s:s, s:s, s:I, s:s, s:s, s:s, s:s}", "kind", kind_name(f->kind), "kernel", kernel, "pc",
                        (json_int_t)f->pc, "instruction", insn, "place", f->place, "text", text, "advice", f->advice);
  if (known) (void)json_object_set_new(j, "source", json_string(source));
  if (known) (void)json_object_set_new(j, "line", json_integer((json_int_t)line));
  if (f->producer != HEDDLE_LINT_NOWHERE)
    (void)json_object_set_new(j, "producer", json_integer((json_int_t)f->producer));
  if (f->missing > 0) (void)json_object_set_new(j, "missing", json_integer(f->missing));
  (void)json_array_append_new(q->findings, j);
}

static unsigned print_spare_part(const struct request *q, const struct heddle_lint_options *o,
                                 struct heddle_lint_weaker w, const char *what) {
  char reason[160], insn[200];
  if (!heddle_lint_spare(q->program, o, w, reason, sizeof reason)) return 0;
  disassemble_pc(q, w.pc, insn, sizeof insn);
  printf("%s: 0x%04x: %s: %s is spare: %s\n", q->file, w.pc, insn, what, reason);
  return 1;
}

static unsigned print_spare_of(const struct request *q, const struct heddle_lint_options *o, uint32_t pc) {
  struct heddle_isa_dec d;
  char what[40];
  unsigned n = 0;
  if (!heddle_isa_decode(heddle_program_word(q->program, pc), &d)) return 0;
  if (d.ctl.stall > 1) {
    snprintf(what, sizeof what, "a cycle of S%02u", d.ctl.stall);
    n += print_spare_part(q, o, (struct heddle_lint_weaker){pc, HEDDLE_LINT_STALL, 0}, what);
  }
  for (uint8_t c = 0; c < 6; c++) {
    if (!(d.ctl.wait >> c & 1)) continue;
    snprintf(what, sizeof what, "the wait on SB%u", c);
    n += print_spare_part(q, o, (struct heddle_lint_weaker){pc, HEDDLE_LINT_WAIT, c}, what);
  }
  snprintf(what, sizeof what, "W%u", d.ctl.wbar);
  if (d.ctl.wbar < 6) n += print_spare_part(q, o, (struct heddle_lint_weaker){pc, HEDDLE_LINT_WBAR, 0}, what);
  snprintf(what, sizeof what, "R%u", d.ctl.rbar);
  if (d.ctl.rbar < 6) n += print_spare_part(q, o, (struct heddle_lint_weaker){pc, HEDDLE_LINT_RBAR, 0}, what);
  return n;
}

static int print_spare(const struct request *q, const struct heddle_lint_options *o) {
  unsigned n = 0;
  if (q->program->code_bytes / ISA_STEP > SPARE_MAX) {
    tool_error("%s: more than %u instructions: too many for --spare", q->file, SPARE_MAX);
    return TOOL_USAGE;
  }
  for (uint32_t pc = 0; pc < q->program->code_bytes; pc = heddle_program_next(q->program, pc))
    n += print_spare_of(q, o, pc);
  printf("%u parts of control codes are spare\n", n);
  return TOOL_OK;
}

static bool write_lint_json(const struct request *q, const struct heddle_lint_totals *t, bool proven) {
  if (!q->json) return true;
  json_t *root = json_pack("{s:s, s:b, s:I, s:I, s:I, s:I, s:O}", "file", q->file, "proven", proven, "kernels",
                           (json_int_t)t->kernels, "instructions", (json_int_t)t->instructions, "results",
                           (json_int_t)t->results, "findings", (json_int_t)t->findings, "list", q->findings);
  return json_out_dump(q->json, root);
}

static int prove(struct request *q) {
  struct heddle_lint_options o = {
      .size = sizeof o, .stall = q->config ? q->stall : NULL, .undefined = true, .finding = take_finding, .ctx = q};
  struct heddle_lint_totals t = {.size = sizeof t};
  const enum heddle_lint_verdict v = heddle_lint(q->program, &o, &t);
  if (v == HEDDLE_LINT_NO_MEMORY) tool_error("%s: out of memory", q->file);
  if (v == HEDDLE_LINT_TOO_LARGE) tool_error("%s: not proven: too many paths to follow", q->file);
  const unsigned needs = lint_needs(q->file, q->program, q->config ? &q->machine : NULL, q->findings);
  if (v == HEDDLE_LINT_PROVEN || v == HEDDLE_LINT_FOUND)
    printf("%s: %u kernels, %u instructions, %u of them with results: %s%u findings\n", q->file, t.kernels,
           t.instructions, t.results, v == HEDDLE_LINT_PROVEN && needs == 0 ? "proven, " : "", t.findings + needs);
  t.findings += needs;
  if (!write_lint_json(q, &t, v == HEDDLE_LINT_PROVEN)) return TOOL_USAGE;
  o.undefined = false; /* of a part of a code it says nothing */
  if (v == HEDDLE_LINT_PROVEN && needs == 0 && q->spare) return print_spare(q, &o);
  return v == HEDDLE_LINT_PROVEN && needs == 0 ? TOOL_OK : TOOL_DIFFERENCE;
}

/* Latencies to prove it for: a unit that the machine lacks has none, and takes those of others. */
static void take_latencies(struct request *q) {
  struct heddle_machine slowest = {.size = sizeof slowest};
  heddle_machine_slowest(&slowest);
  for (unsigned i = 0; i < sizeof q->stall; i++)
    q->stall[i] = q->machine.stall[i] > 0 ? q->machine.stall[i] : slowest.stall[i];
}

static int parse_lint_options(struct request *q, int argc, char **argv) {
  for (int o; (o = tool_option_next("lint", groups, argc, argv)) != -1;) {
    if (o == 'c')
      q->config = optarg;
    else if (o == 's')
      q->spare = true;
    else if (o == 'j')
      q->json = json_out_take(optarg);
    else
      return tool_option_bad("lint", groups, o);
  }
  if (optind + 1 != argc) return tool_usage("lint", "one file is needed");
  q->file = argv[optind];
  if (!q->config) return TOOL_OK;
  if (tool_machine(q->config, &q->machine)) {
    take_latencies(q);
    return TOOL_OK;
  }
  tool_error("configuration '%s' is not built; 'heddle configs' lists those that are", q->config);
  return TOOL_MISSING;
}

static int lint_main(int argc, char **argv) {
  struct request q = {.machine.size = sizeof q.machine};
  struct heddle_message m;
  int status = parse_lint_options(&q, argc, argv);
  if (status != TOOL_OK) return status;
  bool missing = false;
  const struct source_options with = {.target = HEDDLE_PTX_TARGET_RTL,
                                      .units = source_units(q.config, false),
                                      .level = 1,
                                      .warns = true,
                                      .config = q.config,
                                      .missing = &missing};
  q.program = source_load_with(q.file, &with, &m);
  if (!q.program) {
    tool_message(NULL, &m);
    return missing ? TOOL_MISSING : TOOL_USAGE;
  }
  q.findings = json_array();
  status = prove(&q);
  json_decref(q.findings);
  heddle_program_free(q.program);
  return status;
}

const struct tool_command cmd_lint = {
    "lint", "prove the control codes of FILE.elf sufficient", lint_main, usage, about, groups, examples, NULL};
