/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX through the whole compiler, as it stands and optimised, with plenty of registers or hardly any. It takes what it
 * takes in bounded time, or refuses it in words. What comes out is legal, proven by lint, loads, and can be launched.
 * One thread alone computes the same whatever the level was.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <heddle/asm.h>
#include <heddle/host.h>
#include <heddle/lint.h>
#include <heddle/model.h>
#include <heddle/program.h>
#include <heddle/ptx.h>
#include "base/splitmix64.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/ptx_text.h"

enum { EXECUTE_BYTES = 1 << 15 };

struct execution {
  enum heddle_error status;
  struct heddle_trap trap;
  char diag[256];
  uint8_t memory[EXECUTE_BYTES];
};

/* Parameters of eight bytes point into memory, which holds the same noise each time and the module's variables; others
 * are small numbers. */
void execute(const struct heddle_program *p, const struct heddle_kernel *k, uint32_t threads, uint64_t most_insns,
             struct execution *out);

#define BASE UINT64_C(0x7f40000000)
enum { STRIDE = 4096, DYNAMIC_SHARED = 256, BANK_MAX = HEDDLE_BANK0_PARAMS + (8 << 10) };

static void put_param(uint8_t *bank, const struct heddle_param *p, unsigned k) {
  const uint64_t pointer = BASE + (uint64_t)k * STRIDE % (EXECUTE_BYTES - STRIDE) + STRIDE / 2;
  uint8_t *at = bank + HEDDLE_BANK0_PARAMS + p->offset;
  if (p->size == 8)
    memcpy(at, &pointer, 8);
  else
    for (uint32_t b = 0; b < p->size; b++) at[b] = b == 0 ? (uint8_t)(k * 5 + 3) : 0;
}

/* Module variables lie in the second half; what does not fit there has no place, and traps. */
static uint64_t put_globals(const struct heddle_program *p, uint8_t *memory) {
  enum { AT = EXECUTE_BYTES / 2 };
  if (p->global_bytes == 0 || p->global_bytes > EXECUTE_BYTES - AT) return 0;
  heddle_program_fill_globals(p, BASE + AT, memory + AT);
  return BASE + AT;
}

/* Bank 0; its size. */
static uint32_t fill_bank(uint8_t *bank, const struct heddle_kernel *k, const struct heddle_launch *l,
                          uint64_t globals) {
  const uint32_t bytes = heddle_bank0_bytes(k);
  FUZZ_CHECK(bytes <= BANK_MAX, "%u bytes of parameters", k->param_bytes);
  heddle_bank0_fill(bank, k, l->grid, l->block, globals);
  for (uint32_t i = 0; i < k->params; i++) {
    FUZZ_CHECK(k->param[i].offset + k->param[i].size <= k->param_bytes, "parameter %u lies outside", i);
    put_param(bank, &k->param[i], i);
  }
  return bytes;
}

/* Small integers, ordinary floats, and noise. */
static void fill_memory(uint8_t *memory) {
  uint64_t state = 1;
  for (size_t at = 0; at < EXECUTE_BYTES; at += 8) {
    uint64_t v = splitmix64(&state);
    if (v % 3 == 0) v = v >> 32 & 0x3f0000003f;
    if (v % 3 == 1) v = (v & UINT64_C(0x007fff00007fff00)) | UINT64_C(0x3f8000003f800000);
    memcpy(memory + at, &v, 8);
  }
}

static void launch(struct heddle_model *m, const struct heddle_program *p, const struct heddle_kernel *k,
                   uint32_t threads, uint64_t most_insns, struct execution *out) {
  uint8_t bank[BANK_MAX] = {0};
  struct heddle_launch l = {.size = sizeof l,
                            .grid = {1, 1, 1},
                            .block = {threads, 1, 1},
                            .entry_pc = k->entry_pc,
                            .regs = k->regs,
                            .shared_bytes = k->shared_bytes + DYNAMIC_SHARED,
                            .code = p->code,
                            .code_bytes = p->code_bytes,
                            .region = {{BASE, BASE + EXECUTE_BYTES, true}},
                            .regions = 1,
                            .units = ~0u,
                            .local_bytes = k->local_bytes};
  fill_memory(heddle_model_memory(m));
  l.cbank[0] = bank;
  l.cbank_bytes[0] = fill_bank(bank, k, &l, put_globals(p, heddle_model_memory(m)));
  l.cbank[3] = p->konst;
  l.cbank_bytes[3] = p->const_bytes;
  out->status = heddle_model_launch(m, &l);
  FUZZ_CHECK(out->status == HEDDLE_SUCCESS, "%s cannot be launched: %s", k->name, heddle_model_diag(m));
  out->status = heddle_model_run(m, most_insns, NULL);
  snprintf(out->diag, sizeof out->diag, "%s", heddle_model_diag(m));
}

void execute(const struct heddle_program *p, const struct heddle_kernel *k, uint32_t threads, uint64_t most_insns,
             struct execution *out) {
  const struct heddle_model_config c = {
      .size = sizeof c, .base = BASE, .bytes = EXECUTE_BYTES, .warp_slots = 4, .block_slots = 1};
  struct heddle_model *m = heddle_model_new(&c);
  FUZZ_CHECK(m != NULL, "no memory for the model");
  memset(out, 0, sizeof *out);
  launch(m, p, k, threads, most_insns, out);
  if (out->status == HEDDLE_ERROR_TRAPPED) out->trap = *heddle_model_trap(m);
  memcpy(out->memory, heddle_model_memory(m), EXECUTE_BYTES);
  heddle_model_free(m);
}

enum { INPUT_BYTES = 16 << 10, RUN_WORDS = 4000, RUN_KERNELS = 2, RUN_INSNS = 3000, SLACK = 4, REFUSED_KEPT = 16 };
static const double most_seconds = 2.0; /* of processor time, sanitizers included */

struct made {
  struct heddle_program *program; /* NULL: refused */
  struct heddle_message last;
  unsigned errors;
  char *text; /* what was asked for on the way */
};

static double seconds(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void in_time(double since, const char *what) {
  const double took = seconds() - since;
  FUZZ_CHECK(took < most_seconds, "%s took %.2f s", what, took);
}

static void take(void *ctx, const struct heddle_message *m) {
  struct made *x = ctx;
  FUZZ_CHECK(m->text[0] != '\0', "a message without words");
  FUZZ_CHECK(strstr(m->text, "internal error") == NULL, "%u:%u: %s", m->line, m->column, m->text);
  if (m->warning) return;
  x->last = *m;
  x->errors++;
}

static struct made compile(const uint8_t *data, size_t size, unsigned level, unsigned max_regs,
                           enum heddle_ptx_dump dump) {
  struct made x = {0};
  size_t bytes = 0;
  struct heddle_ptx_options o = {
      .size = sizeof o, .level = level, .max_regs = max_regs, .message = take, .ctx = &x, .check = true};
  o.dump = dump;
  o.dump_to = dump == HEDDLE_PTX_DUMP_NONE ? NULL : open_memstream(&x.text, &bytes);
  FUZZ_CHECK(dump == HEDDLE_PTX_DUMP_NONE || o.dump_to != NULL, "no memory");
  const double since = seconds();
  (void)heddle_ptx_compile((const char *)data, size, "fuzz.ptx", &o, &x.program, NULL, NULL);
  in_time(since, "the compiler");
  if (o.dump_to != NULL) FUZZ_CHECK(fclose(o.dump_to) == 0, "no memory");
  FUZZ_CHECK((x.program == NULL) == (x.errors > 0), "%s, with %u errors", x.program ? "taken" : "refused", x.errors);
  return x;
}

static void drop(struct made *x) {
  heddle_program_free(x->program);
  free(x->text);
}

/* ---- what came out ---- */

static void finding(void *ctx, const struct heddle_lint_finding *f) {
  char text[200];
  const struct heddle_program *p = ctx;
  heddle_disassemble(heddle_program_word(p, f->pc), f->pc, text, sizeof text);
  fuzz_fail("lint: 0x%x: %s: %s: %s", f->pc, text, f->place, f->advice);
}

static void check_words(const struct heddle_program *p) {
  char text[200];
  FUZZ_CHECK(p->code_bytes % ISA_WORD_BYTES == 0, "%u bytes of code", p->code_bytes);
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    const struct heddle_isa_word w = heddle_program_word(p, pc);
    FUZZ_CHECK(heddle_isa_decode(w, &d), "0x%x is no instruction", pc);
    FUZZ_CHECK(heddle_disassemble(w, pc, text, sizeof text) > 0, "0x%x has no text", pc);
  }
}

static void check_file(const struct heddle_program *p) {
  struct heddle_message m;
  struct heddle_program *again = NULL;
  const char *path = fuzz_path("compiled.elf");
  FUZZ_CHECK(heddle_program_save(p, path, &m) == HEDDLE_SUCCESS, "not saved: %s", m.text);
  FUZZ_CHECK(heddle_program_load(path, &again, &m) == HEDDLE_SUCCESS, "not loaded: %s", m.text);
  FUZZ_CHECK(again->code_bytes == p->code_bytes && again->kernels == p->kernels, "another program in the file");
  heddle_program_free(again);
}

static void check_program(struct heddle_program *p) {
  const struct heddle_lint_options o = {.size = sizeof o, .finding = finding, .ctx = p};
  const double since = seconds();
  FUZZ_CHECK(p->kernels > 0, "a program without kernels");
  check_words(p);
  const enum heddle_lint_verdict v = heddle_lint(p, &o, NULL);
  FUZZ_CHECK(v == HEDDLE_LINT_PROVEN, "lint: verdict %d", v);
  in_time(since, "lint");
}

/* ---- what it does ---- */

/* Nothing that the compiler makes goes wrong in these ways, whatever the program wants; a barrier in divided code may
 * stand still, and members that are not the right ones are the program's fault. */
static void check_trap(const struct execution *e, const struct heddle_kernel *k, unsigned level, bool members) {
  const bool bad = e->status == HEDDLE_ERROR_TRAPPED &&
                   (e->trap.cause == HEDDLE_TRAP_ILLEGAL || e->trap.cause == HEDDLE_TRAP_BAD_PC ||
                    (e->trap.cause == HEDDLE_TRAP_DIVERGENCE && !members));
  FUZZ_CHECK(!bad, "%s, -O%u: trap %s at 0x%x", k->name, level, heddle_cause_name(e->trap.cause), e->trap.pc);
  FUZZ_CHECK(e->status <= HEDDLE_ERROR_UNDEFINED, "%s, -O%u: status %d: %s", k->name, level, e->status, e->diag);
}

/* The thread ends by itself in the plain program, nothing undefined was read: so must the other end, the same way. */
static void compare(const struct execution *plain, const struct execution *other, const struct heddle_kernel *k) {
  if (plain->status != HEDDLE_SUCCESS) return;
  FUZZ_CHECK(other->status == HEDDLE_SUCCESS, "%s: optimised, it ends with status %d, trap %s at 0x%x: %s", k->name,
             other->status, heddle_cause_name(other->trap.cause), other->trap.pc, other->diag);
  for (unsigned at = 0; at < EXECUTE_BYTES; at++)
    FUZZ_CHECK(plain->memory[at] == other->memory[at], "%s: memory + 0x%x: 0x%02x; optimised 0x%02x", k->name, at,
               plain->memory[at], other->memory[at]);
}

static bool has(const char *ssa, const char *const *words) {
  while (*words != NULL && strstr(ssa, *words) == NULL) words++;
  return *words != NULL;
}

/* A register read before it is written, the clock, and where code lies may differ from level to level. */
static bool comparable(const char *ssa) {
  return !has(ssa, (const char *const[]){"undef", "clock", "code", NULL});
}

static bool has_members(const char *ssa) {
  return has(ssa, (const char *const[]){"warpsync", "shfl", "vote", "match", "redux", "mma", "ldsm", NULL});
}

/* Module variables lie in the memory that is compared: with addresses of functions, perhaps. */
static bool has_code_in_memory(const struct heddle_program *p) {
  bool functions = false;
  for (uint32_t k = 0; k < p->kernels; k++) functions = functions || p->kernel[k].is_function;
  return functions && p->global_initial > 0;
}

static void run_both(const struct made *plain, const struct made *other) {
  struct execution *e = malloc(2 * sizeof *e);
  FUZZ_CHECK(e != NULL, "no memory");
  const bool members = has_members(plain->text);
  for (uint32_t k = 0; k < plain->program->kernels && k < RUN_KERNELS; k++) {
    const struct heddle_kernel *a = &plain->program->kernel[k], *b = heddle_program_kernel(other->program, a->name);
    if (a->is_function) continue;
    FUZZ_CHECK(b != NULL, "%s is missing", a->name);
    execute(plain->program, a, 1, RUN_INSNS, &e[0]);
    check_trap(&e[0], a, 0, members);
    execute(other->program, b, 1, RUN_INSNS * SLACK, &e[1]);
    check_trap(&e[1], b, 1, members);
    if (comparable(plain->text) && !has_code_in_memory(plain->program)) compare(&e[0], &e[1], a);
    execute(other->program, b, 48, RUN_INSNS, &e[1]);
    check_trap(&e[1], b, 1, members);
  }
  free(e);
}

static uint64_t hash(const uint8_t *data, size_t size) {
  uint64_t h = size;
  for (size_t k = 0; k < size; k++) h = (h ^ data[k]) * 0x100000001b3u;
  return splitmix64(&h);
}

static bool try(const uint8_t *data, size_t size, uint64_t way) {
  static const unsigned registers[] = {0, 0, 0, 0, 16, 20, 24, 40};
  static const enum heddle_ptx_dump dumps[16] = {HEDDLE_PTX_DUMP_AST, HEDDLE_PTX_DUMP_IR, HEDDLE_PTX_DUMP_MIR,
                                                 HEDDLE_PTX_DUMP_ALLOCATED};
  struct made plain = compile(data, size, 0, registers[way / 2 % 8], HEDDLE_PTX_DUMP_SSA);
  struct made other = compile(data, size, 1, registers[way / 16 % 8], dumps[way / 128 % 16]);
  if (plain.program != NULL) check_program(plain.program);
  if (other.program != NULL) check_program(other.program);
  if (other.program != NULL && way / 2048 % 8 == 0) check_file(other.program);
  const bool both = plain.program != NULL && other.program != NULL;
  if (both && plain.program->code_bytes <= RUN_WORDS * ISA_WORD_BYTES) run_both(&plain, &other);
  drop(&plain);
  drop(&other);
  return both;
}

int fuzz_compile(const uint8_t *data, size_t size) {
  if (size > INPUT_BYTES) return -1;
  uint64_t way = hash(data, size);
  bool taken;
  if (way % 2 == 0) {
    size_t bytes;
    char *text = text_define(data, size, &way, &bytes);
    taken = try((const uint8_t *)text, bytes, way);
    free(text);
  } else {
    taken = try(data, size, way);
  }
  /* -1: not into the corpus. Of what is refused a little is enough. */
  return taken || way / 16384 % REFUSED_KEPT == 0 ? 0 : -1;
}
