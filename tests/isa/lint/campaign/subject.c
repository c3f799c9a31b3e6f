/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that the campaign works on: kernels, random and directed ones, the cases of tests/silicon.
 */
#include "subject.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "base/array.h"
#include "lab/verify/random/knobs.h"
#include "lab/verify/random/random_program.h"
#include "run/cases/kernel_run.h"
#include "run/command/tool.h"
#include "run/job/elements.h"

/* ---- for those */
static bool subject_wanted(const struct subjects *s, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = s->only; at != NULL; at = strchr(at, ',')) {
    at += *at == ',';
    if (strncmp(at, name, n) == 0 && (at[n] == ',' || at[n] == '\0')) return true;
  }
  return s->only == NULL;
}

static void errors_only(void *ctx, const struct heddle_message *m) {
  if (!m->warning) tool_message(ctx, m);
}

static struct heddle_program *subject_assemble(const struct subjects *s, const char *text, const char *name) {
  struct heddle_asm_options o = {.size = sizeof o, .message = errors_only, .long_words = true};
  memcpy(o.stall, s->stall, sizeof o.stall);
  struct heddle_program *p;
  (void)heddle_assemble(text, strlen(text), name, &o, &p);
  return p;
}

/* DIR/NAME.s assembled or DIR/NAME.ptx compiled for s->stall. NULL: message on stderr. */
static struct heddle_program *subject_load(const struct subjects *s, const char *path, unsigned level,
                                           enum heddle_ptx_target target) {
  size_t size;
  const char *dot = strrchr(path, '.');
  uint8_t *text = tool_read_file(path, 16u << 20, &size);
  struct heddle_program *p = NULL;
  if (!text) return NULL;
  if (dot && strcmp(dot, ".ptx") == 0) {
    struct heddle_ptx_options o = {.size = sizeof o,
                                   .target = target,
                                   .units = s->units,
                                   .level = level,
                                   .message = errors_only,
                                   .long_words = true};
    memcpy(o.stall, s->stall, sizeof o.stall);
    (void)heddle_ptx_compile((const char *)text, size, path, &o, &p, NULL, NULL);
  } else {
    struct heddle_asm_options o = {.size = sizeof o, .message = errors_only, .long_words = true};
    memcpy(o.stall, s->stall, sizeof o.stall);
    (void)heddle_assemble((const char *)text, size, path, &o, &p);
  }
  free(text);
  return p;
}

/* Takes the program and the case; NULL or an empty case counts as a failure. */
static void subject_add(struct subjects *s, const char *name, const char *kind, struct heddle_program *p,
                        struct kernel_case *c) {
  if (p && c->launches > 0 && array_room(&s->at, &s->room, s->count + 1, sizeof *s->at)) {
    struct subject *n = &s->at[s->count++];
    *n = (struct subject){.kind = kind, .program = p, .c = *c};
    snprintf(n->name, sizeof n->name, "%s", name);
    return;
  }
  tool_error("%s: cannot be loaded", name);
  s->failed = true;
  heddle_program_free(p);
  kernel_case_clear(c);
}

void subjects_free(struct subjects *s) {
  for (size_t i = 0; i < s->count; i++) {
    heddle_program_free(s->at[i].program);
    kernel_case_clear(&s->at[i].c);
    for (unsigned b = 0; b < 4; b++) free(s->at[i].bank[b]);
  }
  free(s->at);
  *s = (struct subjects){.at = NULL};
}

/* The kernels of firmware/kernels in every form they have. */

struct form {
  enum kernel_form from;
  const char *name;
  unsigned level;
  enum heddle_ptx_target target;
};

static void add_kernel(struct subjects *s, const char *dir, const struct kernel_info *k, const struct form *f) {
  char file[128], path[1024], name[48], lacks[64];
  struct kernel_case c;
  memset(&c, 0, sizeof c);
  kernel_file(k, f->from, file, sizeof file);
  snprintf(path, sizeof path, "%s/%s", dir, file);
  snprintf(name, sizeof name, "%.36s.%s", k->name, f->name);
  if (!subject_wanted(s, name)) return;
  struct heddle_program *p = subject_load(s, path, f->level, f->target);
  if (p && f->target == HEDDLE_PTX_TARGET_MODEL && rtl_lack(p, s->units, lacks, sizeof lacks) == 0) {
    heddle_program_free(p); /* nothing that the form for the RTL has not */
    return;
  }
  if (!kernel_prepare(k, f->from, s->seed, 0, &c)) c.launches = 0;
  subject_add(s, name, f->name, p, &c);
}

void subjects_kernels(struct subjects *s, const char *dir) {
  static const struct form form[] = {{KERNEL_ASM, "asm", 1, HEDDLE_PTX_TARGET_RTL},
                                     {KERNEL_PTX, "ptx", 1, HEDDLE_PTX_TARGET_RTL},
                                     {KERNEL_PTX_O0, "O0", 0, HEDDLE_PTX_TARGET_RTL},
                                     {KERNEL_PTX, "uniform", 1, HEDDLE_PTX_TARGET_MODEL}};
  for (const struct kernel_info *k = kernel_table; k->name != NULL; k++)
    for (size_t i = 0; i < sizeof form / sizeof *form; i++)
      if (kernel_has(k, form[i].from)) add_kernel(s, dir, k, &form[i]);
}

/* Small random programs of lab/verify/random. */

enum { THREADS_MOST = 64, SHARED_MOST = 4096 };

/* Short, since each of their codes is tried with many seeds. All end, and what they leave is the same on the model and
 * on the machine: memory is what tells whether a weaker code was right. Two buffers, no small regions beside. */
static bool knobs(struct random_knobs *k) {
  static const char text[] = "body.instructions = 20..50\nprogram.traps = 0\nprogram.machine = 0\nmemory.edges = 0\n";
  char err[200];
  random_knobs_default(k);
  if (random_knobs_read(k, text, sizeof text - 1, "random programs of the campaign", err, sizeof err)) return true;
  tool_error("%s", err);
  return false;
}

static bool buffer(struct kernel_case *c, size_t bytes, const uint8_t *init) {
  struct kernel_buffer *b = &c->buffer[c->buffers++];
  b->bytes = bytes;
  b->init = calloc(1, bytes);
  b->expect = calloc(1, bytes); /* the model says what must be there (campaign.h) */
  b->read_only = init != NULL;
  if (b->init && init) memcpy(b->init, init, bytes);
  return b->init && b->expect;
}

/* Where buffers begin is the trial's own choice: the program does not know. */
static bool prepare(struct kernel_case *c, const struct random_launch *l) {
  if (l->launches > KERNEL_LAUNCHES) return false;
  while (c->launches < l->launches) {
    struct kernel_launch *n = &c->launch[c->launches++];
    n->entry = "fuzz";
    memcpy(n->grid, l->grid, sizeof n->grid);
    memcpy(n->block, l->block, sizeof n->block);
    for (unsigned i = 0; i < 2; i++) n->arg[n->args++] = (struct kernel_arg){.kind = KERNEL_ARG_BUFFER, .buffer = i};
  }
  return buffer(c, l->out_bytes, NULL) && buffer(c, l->input_bytes, l->input);
}

static bool copy_banks(struct subject *s, const struct random_launch *l) {
  for (unsigned b = 1; b < 3; b++) {
    if (!l->bank[b]) continue;
    s->bank[b] = malloc(l->bank_bytes[b]);
    if (!s->bank[b]) return false;
    memcpy(s->bank[b], l->bank[b], l->bank_bytes[b]);
    s->bank_bytes[b] = l->bank_bytes[b];
  }
  return true;
}

static void add_random(struct subjects *s, const char *name, struct random_program *r) {
  struct kernel_case c;
  const struct random_launch *l = random_program_launch(r);
  const size_t before = s->count;
  memset(&c, 0, sizeof c);
  struct heddle_program *p = subject_assemble(s, random_program_text(r), name);
  if (p && (l->trap != 0 || l->order_dependent || !prepare(&c, l))) c.launches = 0;
  subject_add(s, name, "random", p, &c);
  if (s->count == before) return;
  s->at[before].model_expects = true;
  if (!copy_banks(&s->at[before], l)) s->failed = true;
}

void subjects_random(struct subjects *s, unsigned programs, const struct heddle_config *c) {
  struct random_knobs k;
  struct random_limits limits = {.max_threads = THREADS_MOST,
                                 .max_regs = 255,
                                 .max_shared = c->shared_bytes < SHARED_MOST ? c->shared_bytes : SHARED_MOST,
                                 .warp_regs = c->regs,
                                 .units = s->units,
                                 .knobs = &k};
  memcpy(limits.stall, s->stall, sizeof limits.stall);
  s->failed = !knobs(&k) || s->failed;
  for (unsigned i = 0; i < programs && !s->failed; i++) {
    char name[48];
    snprintf(name, sizeof name, "random.%u", i);
    if (!subject_wanted(s, name)) continue;
    struct random_program *r = random_program_new(s->seed, i, &limits);
    if (r)
      add_random(s, name, r);
    else
      s->failed = true;
    random_program_free(r);
  }
}

/* Programs for the classes of hazards that few kernels have: every kind of result is used in every way that there is.
 * Buffer: word i of `buf` is 4 * (i % 64), so that what is loaded is an offset, too. */

enum { WORDS = 8192 };

#define HEAD(name)                                                                                                     \
  ".kernel " name "\n.param u64 buf\n.shared area 512\n S2R R0, SR_TID.X ;\n SHF.L.U32 R1, R0, 0x2, RZ ;\n"            \
  " LOP3.LUT R1, R1, 0xfc, RZ, 0xc0 ;\n MOV R2, c[0x0][buf] ;\n MOV R3, c[0x0][buf+4] ;\n"                             \
  " S2R R4, SR_CTAID.X ;\n SHF.L.U32 R4, R4, 0x6, RZ ;\n IADD3 R4, R4, R0, RZ ;\n IMAD.WIDE R4, R4, 0x4, R2 ;\n"       \
  " STS [R1+area], R1 ;\n STS [R1+area+0x100], R1 ;\n BAR.SYNC 0x0 ;\n"
#define TAIL " EXIT ;\n.end\n"

/* Loads: operand, address, stored data, overwritten; from global, shared and constant memory, and of atomics. The
 * products at the end have been fetched long before the loads that they wait for are there, so their stall counts
 * matter. */
static const char memory[] = HEAD(
    "memory") " LDG.E R6, [R4] ;\n IADD3 R7, R6, 0x1, RZ ;\n LDG.E R8, [R4+0x1000] ;\n LDS R9, [R8+area] ;\n"
              " LDS R10, [R9+area] ;\n STG.E [R4+0x2000], R10 ;\n LDG.E R11, [R4+0x2000] ;\n STS [R1+area], R11 ;\n"
              " ATOMS.ADD R12, [R1+area], R7 ;\n STG.E [R4+0x3000], R12 ;\n ATOMG.E.ADD.STRONG.GPU R13, [R4+0x3000], "
              "R12 ;\n"
              " IADD3 R14, R13, R12, RZ ;\n LDG.E R15, [R4] ;\n MOV R15, R14 ;\n LDS R16, [R1+area] ;\n LDG.E R16, "
              "[R4] ;\n"
              " STG.E [R4+0x4000], R16 ;\n LDC R17, c[0x0][R9] ;\n IADD3 R22, R17, R15, RZ ;\n"
              " STG.E [R4+0x5000], R22 ;\n LDG.E.64 R18, [R2] ;\n LDG.E R20, [R2+0x40] ;\n MOV R19, RZ ;\n"
              " IMAD R21, R18, R20, R19 ;\n IMAD R21, R21, R20, R21 ;\n STG.E [R4+0x6000], R21 ;\n" TAIL;

/* Predicates: guard of each kind of instruction, source, overwritten. */
static const char predicates[] = HEAD(
    "predicates") " ISETP.LT.AND P0, PT, R0, 0x10, PT ;\n@P0 IADD3 R6, R0, 0x1, RZ ;\n@!P0 MOV R6, R1 ;\n"
                  " ISETP.GT.AND P1, P2, R0, 0x7, P0 ;\n SEL R7, R6, R1, P1 ;\n FSETP.LT.AND P3, PT, R6, R7, P2 ;\n"
                  "@P3 LDG.E R6, [R4] ;\n IADD3 R8, P4, PT, R6, R7, RZ ;\n IADD3.X R9, R8, R6, RZ, P4, !PT ;\n"
                  " LOP3.LUT P5, R10, R9, 0x4, RZ, 0xc0 ;\n ISETP.EQ.AND P5, PT, R9, R8, PT ;\n@P5 BRA over ;\n"
                  " ISETP.NE.AND P5, PT, R9, 0x3, P5 ;\n@P5 STG.E [R4], R9 ;\nover:\n ISETP.LT.AND P6, PT, R9, R10, PT "
                  ";\n"
                  " ISETP.GE.AND P6, PT, R9, R7, PT ;\n PLOP3.LUT P0, PT, P6, P3, PT, 0x80, 0x0 ;\n SEL R11, R9, R10, "
                  "P0 ;\n"
                  " STG.E [R4+0x1000], R11 ;\n ISETP.LT.AND P1, PT, R0, 0x20, PT ;\n@!P1 EXIT ;\n STG.E [R4+0x2000], "
                  "R9 ;\n" TAIL;

/* Results of the multiply-add and conversion pipes: operand, address, stored data, overwritten. */
static const char pipes[] =
    HEAD("pipes") " IMAD R6, R0, 0x3, R1 ;\n IADD3 R7, R6, R0, RZ ;\n FFMA R8, R6, R7, R7 ;\n FMUL R9, R8, R8 ;\n"
                  " IMAD R10, R0, 0x4, RZ ;\n LOP3.LUT R10, R10, 0xfc, RZ, 0xc0 ;\n IMAD R11, R10, 0x1, RZ ;\n"
                  " STS [R11+area], R9 ;\n FADD R12, R9, R8 ;\n STS [R1+area], R12 ;\n I2F R13, R1 ;\n FADD R14, R13, "
                  "R12 ;\n"
                  " F2I R15, R13 ;\n LDS R16, [R15+area] ;\n I2F R17, R0 ;\n STG.E [R4+0x1000], R17 ;\n FMUL R18, R9, "
                  "R13 ;\n"
                  " MOV R18, R16 ;\n I2F R19, R18 ;\n MOV R19, R18 ;\n FFMA R20, R9, R9, R8 ;\n I2F R20, R19 ;\n"
                  " IMAD.WIDE R22, R0, 0x4, R2 ;\n LDG.E R21, [R22+0x2000] ;\n IADD3 R21, R21, R20, R19 ;\n"
                  " FMNMX R24, R8, R9, PT ;\n FADD R25, R24, R24 ;\n ISETP.LT.AND P0, PT, R25, R14, PT ;\n"
                  " FMUL R26, R25, R9 ;\n FSETP.GT.AND P1, PT, R26, R25, P0 ;\n SEL R27, R26, R21, P1 ;\n"
                  " STG.E [R4+0x3000], R27 ;\n" TAIL;

/* Branches through registers whose numbers come from everywhere. */
static const char targets[] = HEAD(
    "targets") " MOV R6, first ;\n STG.E [R4], R6 ;\n MOV R9, RZ ;\n LDG.E R8, [R4] ;\n BRX R8 ;\n EXIT ;\nfirst:\n"
               " MOV R11, second ;\n MOV R13, RZ ;\n IMAD R12, R11, 0x1, RZ ;\n BRX R12 ;\n EXIT ;\nsecond:\n"
               " STG.E [R4+0x2000], R13 ;\n MOV R15, third ;\n I2F R16, R15 ;\n MOV R17, RZ ;\n F2I R16, R16 ;\n "
               "CALL.ABS R16 ;\n"
               "back:\n EXIT ;\nthird:\n MOV R20, back ;\n STS [R1+area], R20 ;\n MOV R21, RZ ;\n LDS R20, [R1+area] "
               ";\n"
               " RET R20 ;\n" TAIL;

/* Results on their way when such a branch is taken. */
static const char leaving[] =
    HEAD("leaving") " MOV R8, first ;\n MOV R9, RZ ;\n LDG.E R10, [R4] ;\n BRX R8 ;\n EXIT ;\nfirst:\n STG.E "
                    "[R4+0x1000], R10 ;\n"
                    " MOV R8, second ;\n ISETP.LT.AND P0, PT, R0, 0x10, PT ;\n CALL.ABS R8 ;\nback:\n IADD3 R15, R14, "
                    "0x1, RZ ;\n"
                    " STG.E [R4+0x3000], R15 ;\n EXIT ;\nsecond:\n@P0 STG.E [R4+0x2000], R10 ;\n MOV R12, back ;\n MOV "
                    "R13, RZ ;\n"
                    " FADD R16, R10, R10 ;\n I2F R17, R10 ;\n LDS R14, [R1+area] ;\n RET R12 ;\n" TAIL;

/* What lint calls spare: barriers and fences that await loads, read counters, results that nobody wants. */
static const char awaited[] = HEAD("awaited") " LDG.E R6, [R4] ;\n LDS R7, [R1+area] ;\n BAR.SYNC 0x0 ;\n IADD3 R8, "
                                              "R6, R7, RZ ;\n LDG.E R9, [R4+0x1000] ;\n"
                                              " MEMBAR.GPU ;\n IADD3 R9, R9, R8, RZ ;\n LDG.E R10, [R4] ;\n LDS R11, "
                                              "[R1+area] ;\n STG.E [R4+0x2000], R9 ;\n"
                                              " ISETP.LT.AND P0, PT, R9, R8, PT ;\n FMUL R12, R9, R9 ;\n" TAIL;

/* Operands that the very next instruction overwrites: stores, atomics, long-latency readers. */
static const char operands[] =
    HEAD("operands") "[B------:R-:W-:-:S15] MOV R6, R1 ;\n"
                     "[B------:R0:W-:-:S01] STG.E [R4], R6 ;\n[B------:R-:W-:-:S01] MOV R6, R0 ;\n"
                     "[B------:R1:W-:-:S01] STS [R1+area], R0 ;\n[B------:R-:W-:-:S15] SHF.L.U32 R1, R0, 0x2, RZ ;\n"
                     "[B------:R-:W-:-:S15] LOP3.LUT R1, R1, 0xfc, RZ, 0xc0 ;\n[B------:R-:W-:-:S15] IMAD.WIDE R12, "
                     "R0, 0x10, R2 ;\n"
                     "[B------:R2:W3:-:S01] LDG.E.128 R8, [R12+0x1000] ;\n[B------:R-:W-:-:S15] IADD3 R12, R4, 0x4000, "
                     "RZ ;\n"
                     "[B------:R-:W-:-:S15] MOV R13, R5 ;\n[B---3--:R3:W-:-:S01] STG.E [R12], R8 ;\n"
                     "[B------:R-:W-:-:S01] MOV R9, R0 ;\n[B------:R-:W-:-:S15] MOV R8, R1 ;\n"
                     "[B------:R4:W-:-:S01] RED.E.ADD.STRONG.GPU [R4], R8 ;\n[B------:R-:W-:-:S15] MOV R8, R11 ;\n"
                     "[B------:R5:W4:-:S01] ATOMG.E.ADD.STRONG.GPU R10, [R4+0x3000], R8 ;\n[B------:R-:W-:-:S01] MOV "
                     "R8, RZ ;\n"
                     "[B------:R-:W-:-:S15] MOV R4, R12 ;\n[B----4-:R-:W-:-:S15] IADD3 R9, R10, R11, RZ ;\n"
                     "[B-----5:R-:W-:-:S01] STG.E [R4+0x1000], R9 ;\n" TAIL;

/* A loop over loads that nothing awaits inside: a counter as full as it gets. */
static const char counters[] = HEAD(
    "counters") " MOV R6, 0x50 ;\nloop:\n[B------:R-:W-:-:S15] IADD3 R6, R6, -0x1, RZ ;\n[B0-----:R-:W0:-:S01] LDG.E "
                "R7, [R4] ;\n"
                "[B-1----:R-:W1:-:S01] STS [R1+area], R6 ;\n[B------:R-:W-:-:S15] ISETP.NE.AND P0, PT, R6, RZ, PT ;\n"
                "[B------:R-:W-:-:S01] @P0 BRA loop ;\n[B0-----:R-:W-:-:S01] STG.E [R4+0x1000], R7 ;\n" TAIL;

static const struct {
  const char *name, *text;
} table[] = {{"memory", memory},   {"predicates", predicates}, {"pipes", pipes},       {"targets", targets},
             {"leaving", leaving}, {"awaited", awaited},       {"operands", operands}, {"counters", counters}};

static bool fill(struct kernel_case *c) {
  struct kernel_buffer *b = &c->buffer[c->buffers++];
  b->bytes = WORDS * sizeof(uint32_t);
  b->init = malloc(b->bytes);
  b->expect = calloc(1, b->bytes); /* the model says what must be there (campaign.h) */
  if (!b->init || !b->expect) return false;
  for (uint32_t i = 0; i < WORDS; i++) {
    const uint32_t v = 4 * (i % 64);
    memcpy(b->init + i * sizeof v, &v, sizeof v);
  }
  return true;
}

void subjects_directed(struct subjects *s) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct kernel_case c;
    if (!subject_wanted(s, table[i].name)) continue;
    memset(&c, 0, sizeof c);
    if (fill(&c))
      c.launch[c.launches++] = (struct kernel_launch){.entry = table[i].name,
                                                      .grid = {2, 1, 1},
                                                      .block = {64, 1, 1},
                                                      .arg = {{.kind = KERNEL_ARG_BUFFER}},
                                                      .args = 1};
    subject_add(s, table[i].name, "directed", subject_assemble(s, table[i].text, table[i].name), &c);
    if (s->count > 0) s->at[s->count - 1].model_expects = true;
  }
}

/* A folder in the format of tests/silicon/kernels: cases.json, PTX, buffers, golden files. */

static const char *text_of(const json_t *j, const char *key) {
  const char *t = json_string_value(json_object_get(j, key));
  return t ? t : "";
}

static void sizes(const json_t *j, const char *key, uint32_t size[3]) {
  const json_t *list = json_object_get(j, key);
  for (size_t d = 0; d < 3; d++) {
    const json_int_t n = json_integer_value(json_array_get(list, d));
    size[d] = n > 0 && n <= 65535 ? (uint32_t)n : 1;
  }
}

static bool take_buffer(struct kernel_case *c, const char *dir, const json_t *j) {
  char why[256];
  const json_int_t count = json_integer_value(json_object_get(j, "count"));
  const char *golden = text_of(j, "golden");
  struct kernel_buffer *b = &c->buffer[c->buffers++];
  if (count < 1 || count > 1 << 24) return false;
  b->bytes = (size_t)count * element_width(text_of(j, "type"));
  b->read_only = strcmp(text_of(j, "kind"), "in") == 0;
  b->init = element_file(dir, text_of(j, "buffer"), b->bytes, why, sizeof why);
  b->expect = element_file(dir, golden[0] ? golden : text_of(j, "buffer"), b->bytes, why, sizeof why);
  return b->init && b->expect;
}

static bool take(struct kernel_case *c, const char *dir, const json_t *j) {
  const json_t *list = json_object_get(j, "args");
  struct kernel_launch *l = &c->launch[c->launches++];
  l->entry = text_of(j, "kernel");
  sizes(j, "grid", l->grid);
  sizes(j, "block", l->block);
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *a = json_array_get(list, i);
    if (l->args >= KERNEL_ARGS || c->buffers >= KERNEL_BUFFERS) return false;
    struct kernel_arg *out = &l->arg[l->args++];
    const bool buffer = json_object_get(a, "buffer") != NULL;
    *out = (struct kernel_arg){.kind = buffer ? KERNEL_ARG_BUFFER : KERNEL_ARG_SCALAR, .buffer = c->buffers};
    if (buffer && !take_buffer(c, dir, a)) return false;
    if (buffer) continue;
    out->bytes = element_width(text_of(a, "scalar"));
    if (!tool_number(text_of(a, "bits"), UINT64_MAX, &out->scalar)) return false;
  }
  return true;
}

/* The launch names its entry by the program's own text, which outlives the JSON. */
static bool own_entry(struct kernel_launch *l, const struct heddle_program *p) {
  const struct heddle_kernel *k = p ? heddle_program_kernel(p, l->entry) : NULL;
  if (k) l->entry = k->name;
  return k != NULL;
}

static void add_case(struct subjects *s, const char *dir, const json_t *j, unsigned level) {
  char path[1024], name[48];
  struct kernel_case c;
  memset(&c, 0, sizeof c);
  snprintf(path, sizeof path, "%s/%s", dir, text_of(j, "ptx"));
  snprintf(name, sizeof name, "%.30s.silicon%s", text_of(j, "name"), level > 0 ? "" : "-0");
  if (!subject_wanted(s, name)) return;
  struct heddle_program *p = subject_load(s, path, level, HEDDLE_PTX_TARGET_RTL);
  if (!take(&c, dir, j) || !own_entry(&c.launch[0], p)) c.launches = 0;
  subject_add(s, name, "silicon", p, &c);
}

void subjects_cases(struct subjects *s, const char *dir) {
  char path[1024];
  json_error_t e;
  snprintf(path, sizeof path, "%s/cases.json", dir);
  json_t *root = json_load_file(path, 0, &e);
  const json_t *list = json_object_get(root, "cases");
  if (!json_is_array(list)) {
    tool_error("%s: no list of cases", path);
    s->failed = true;
  }
  for (size_t i = 0; i < json_array_size(list); i++)
    for (unsigned level = 0; level < 2; level++) add_case(s, dir, json_array_get(list, i), 1 - level);
  json_decref(root);
}
