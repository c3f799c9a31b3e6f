/* SPDX-License-Identifier: Apache-2.0
 *
 * A run of a random program: made, judged, saved.
 */
#include "fuzz_case.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <heddle/asm.h>
#include "base/splitmix64.h"
#include "lab/fuzz/fuzz_shrink.h"

/* A run of a random program: made, judged. */

/* Warp instructions that a program may take on the model alone; random ones take thousands. */
#define MODEL_MOST UINT64_C(20000000)
/* Cycles for a start, and for each warp instruction at most: adversarial memory and a held port make 71 of them on
 * average, but 32 lanes whose atomics meet at one word take it in turn, 75 cycles each with --latency 60. What stands
 * still is found by the session long before: this bounds what goes round in circles. */
#define CYCLES_BASE UINT64_C(100000)
#define CYCLES_EACH UINT64_C(5000)

/* 1 .. 2^32-1; programs that lie side by side, and the purposes of one, have nothing to do with each other. */
static uint64_t derived(uint64_t seed, uint64_t index, unsigned purpose) {
  const uint64_t program = splitmix64_mix(splitmix64_mix(seed + 1) + index);
  const uint64_t v = splitmix64_mix(program + purpose) >> 32;
  return v != 0 ? v : 1;
}

void fuzz_case_options(struct run_options *o, uint64_t index) {
  if (o->memory_seed == 0) o->memory_seed = derived(o->seed, index, 1);
  if (o->init_seed == 0) o->init_seed = derived(o->seed, index, 2);
  if (o->ready_seed == 0) o->ready_seed = derived(o->seed, index, 3);
}

struct random_program *fuzz_case_program(const struct fuzz_case *c) {
  const struct random_limits l = fuzz_limits(&c->run, c->knobs);
  struct random_program *p = random_program_new(c->run.seed, c->index, &l);
  if (!p || c->other == 0) return p;
  struct random_program *other = fuzz_other_program(c, random_program_launch(p), c->other);
  random_program_free(p);
  return other;
}

static bool copy_input(uint8_t **to, const uint8_t *from, size_t n) {
  *to = from ? malloc(n + 1) : NULL;
  if (*to) memcpy(*to, from, n);
  return *to || !from;
}

bool fuzz_program_init(struct fuzz_program *p, struct random_program *from) {
  struct random_launch *l = &p->launch;
  memset(p, 0, sizeof *p);
  *l = *random_program_launch(from);
  p->text = strdup(random_program_text(from));
  bool ok = p->text && copy_input(&p->input, l->input, l->input_bytes);
  l->input = p->input;
  for (unsigned b = 0; b < 4; b++) {
    ok = ok && copy_input(&p->bank[b], l->bank[b], l->bank_bytes[b]);
    l->bank[b] = p->bank[b];
  }
  return ok;
}

void fuzz_program_clear(struct fuzz_program *p) {
  free(p->text);
  free(p->input);
  for (unsigned b = 0; b < 4; b++) free(p->bank[b]);
  memset(p, 0, sizeof *p);
}

/* Nothing is waited for that the scoreboard should. Of asynchronous copies and their groups nothing else tells: their
 * counters stay. `counted`: those of all others, too, and DEPBAR waits for them. */
static void strip_codes(struct heddle_program *p, bool counted) {
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_word w = heddle_program_word(p, pc);
    struct heddle_isa_dec d;
    if (!heddle_isa_decode(w, &d)) continue; /* it may be illegal by its code alone, and is meant to trap */
    w = heddle_isa_put(heddle_isa_put(w, ISA_F_STALL, 1), ISA_F_WAIT, 0);
    if (!counted)
      w = heddle_isa_put(heddle_isa_put(w, ISA_F_WBAR, heddle_isa_is_async(&d) ? d.ctl.wbar : 7), ISA_F_RBAR, 7);
    (void)heddle_isa_replace(p->code, pc, w); /* without a short form its code stays: it is as good as any */
  }
}

/* Of codes by hand the assembler warns where a counter is waited for instead of a stall count; lint knows better. */
static void errors_only(void *ctx, const struct heddle_message *m) {
  if (!m->warning) tool_message(ctx, m);
}

struct heddle_program *fuzz_assemble(const struct fuzz_case *c, const struct fuzz_program *p, bool quiet) {
  char name[32];
  struct heddle_asm_options o = {.size = sizeof o, .message = quiet ? NULL : errors_only};
  tool_stalls(c->run.config->name, o.stall); /* no more than this machine needs */
  snprintf(name, sizeof name, "program-%" PRIu64, c->index);
  struct heddle_program *program;
  (void)heddle_assemble(p->text, strlen(p->text), name, &o, &program);
  if (program && c->run.scoreboard) strip_codes(program, c->index % 4 == 3);
  return program;
}

/* "alone." in front says that the model alone, or lint, found it. */
static void say_where(struct fuzz_verdict *v) {
  char text[sizeof v->why], kind[sizeof v->diagnosis.kind];
  snprintf(text, sizeof text, "on the model alone: %.550s", v->why);
  snprintf(kind, sizeof kind, "alone.%.40s", v->diagnosis.kind);
  memcpy(v->why, text, sizeof text);
  memcpy(v->diagnosis.kind, kind, sizeof kind);
}

static void take_result(struct fuzz_verdict *v, const struct random_launch *l, struct run_result *r) {
  v->diagnosis = r->diagnosis;
  snprintf(v->why, sizeof v->why, "%s", r->message);
  if (r->status == RUN_TRAP)
    snprintf(v->why, sizeof v->why, "trap %s at pc 0x%x", heddle_cause_name(r->trap.cause), r->trap.pc);
  v->status = fuzz_expected(l, r, v->why, sizeof v->why);
  if (v->status == RUN_OK) memset(&v->diagnosis, 0, sizeof v->diagnosis);
  if (v->status != RUN_OK && r->status == RUN_OK) snprintf(v->diagnosis.kind, sizeof v->diagnosis.kind, "trap.none");
  v->report = r->report;
  r->report = NULL;
}

static bool run_alone(const struct fuzz_case *c, const struct random_launch *l, const struct job *j, uint8_t *image,
                      struct fuzz_verdict *v) {
  struct run_options o = c->run;
  struct run_result r = {0};
  int status;
  const bool only = o.on == ON_MODEL;
  o.on = ON_MODEL;
  if (!only || !fuzz_comparable(l)) o.trace = NULL; /* of the device, or what an order of its own has left */
  if (!only || o.max_cycles == 0) o.max_cycles = MODEL_MOST;
  struct runner *m = runner_new(&o, &status);
  if (!m) return false;
  const struct random_launch alone = fuzz_without_device(l);
  runner_run(m, j, image, &r);
  take_result(v, &alone, &r);
  if (v->status != RUN_OK && !only) say_where(v);
  v->retired = r.retired;
  run_result_clear(&r);
  runner_free(m);
  return v->status == RUN_OK && !only;
}

/* A program that the device runs: one of the others, or, the last of them, the one at hand. */
struct part {
  const struct random_launch *launch;
  struct job *job;
  uint8_t *alone;  /* what it left on the model alone */
  uint64_t cycles; /* that it may take */
};

struct parts {
  struct part part[FUZZ_OTHERS + 1];
  unsigned n;
  uint8_t *image;
};

/* Which of them failed, before what it says of itself. */
static void say_which(struct fuzz_verdict *v, unsigned k) {
  char text[sizeof v->why];
  v->other = k + 1;
  snprintf(text, sizeof text, "other program %u, on the same device: %.500s", v->other, v->why);
  memcpy(v->why, text, sizeof text);
}

static void compare_alone(const struct part *p, const uint8_t *image, struct fuzz_verdict *v) {
  if (v->status != RUN_OK || !fuzz_comparable(p->launch)) return;
  if (memcmp(p->alone, image, p->job->mem_bytes) == 0) return;
  v->status = RUN_DIFFERENCE;
  snprintf(v->why, sizeof v->why, "the model alone leaves other memory");
  snprintf(v->diagnosis.kind, sizeof v->diagnosis.kind, "alone.memory");
}

/* All of them on one device, until one fails. */
static void run_parts(const struct run_options *o, const struct parts *all, struct fuzz_verdict *v) {
  uint64_t retired = 0, cycles = 0;
  int status;
  v->status = RUN_MISSING;
  struct runner *d = runner_new(o, &status);
  bool good = d != NULL;
  for (unsigned k = 0; good; k++) {
    struct run_result r = {0};
    fuzz_verdict_clear(v);
    runner_run(d, all->part[k].job, all->image, &r);
    const struct random_launch there = fuzz_on_machine(all->part[k].launch, o->config, &r);
    take_result(v, &there, &r);
    retired += r.retired;
    cycles += r.cycles;
    run_result_clear(&r);
    compare_alone(&all->part[k], all->image, v);
    if (v->status != RUN_OK && k + 1 < all->n) say_which(v, k);
    good = v->status == RUN_OK && k + 1 < all->n;
  }
  v->retired = retired;
  v->cycles = cycles;
  runner_free(d);
}

static void run_device(const struct fuzz_case *c, const struct parts *all, struct fuzz_verdict *v) {
  struct run_options o = c->run;
  uint64_t most = 0;
  for (unsigned k = 0; k < all->n; k++)
    if (all->part[k].cycles > most) most = all->part[k].cycles;
  v->max_cycles = o.max_cycles = o.max_cycles != 0 ? o.max_cycles : most;
  o.single = true; /* as much memory as the largest has */
  run_parts(&o, all, v);
}

/* Each on the model alone; what it leaves there is kept. False: the verdict is there. */
static bool run_all_alone(const struct fuzz_case *c, struct parts *all, struct fuzz_verdict *v) {
  for (unsigned k = all->n; k-- > 0;) {
    struct part *p = &all->part[k];
    p->alone = malloc(p->job->mem_bytes);
    fuzz_verdict_clear(v);
    const bool good = p->alone && run_alone(c, p->launch, p->job, p->alone, v);
    if (!good && v->status != RUN_OK && k + 1 < all->n) say_which(v, k);
    if (!good) return false;
    p->cycles = CYCLES_BASE + CYCLES_EACH * v->retired;
  }
  return true;
}

static void judge_parts(const struct fuzz_case *c, struct parts *all, struct fuzz_verdict *v) {
  uint64_t bytes = 0;
  for (unsigned k = 0; k < all->n; k++)
    if (all->part[k].job->mem_bytes > bytes) bytes = all->part[k].job->mem_bytes;
  for (unsigned k = 0; k < all->n; k++) all->part[k].job->mem_bytes = bytes;
  all->image = malloc(bytes);
  if (all->image && run_all_alone(c, all, v)) run_device(c, all, v);
  for (unsigned k = 0; k < all->n; k++) free(all->part[k].alone);
  free(all->image);
}

static void judge_job(const struct fuzz_case *c, const struct random_launch *l, struct job *j, struct fuzz_verdict *v) {
  struct fuzz_others others;
  struct parts all = {0};
  if (fuzz_others_make(c, l, &others, v->why, sizeof v->why)) {
    for (unsigned k = 0; k < others.n; k++)
      all.part[all.n++] = (struct part){.launch = &others.other[k].p.launch, .job = &others.other[k].job};
    all.part[all.n++] = (struct part){.launch = l, .job = j};
    judge_parts(c, &all, v);
  } else {
    v->status = RUN_BAD_INPUT;
    snprintf(v->diagnosis.kind, sizeof v->diagnosis.kind, "unbuilt");
  }
  fuzz_others_clear(&others);
}

void fuzz_judge(const struct fuzz_case *c, const struct fuzz_program *p, bool quiet, struct fuzz_verdict *v) {
  struct job j = {0};
  char err[512] = "";
  memset(v, 0, sizeof *v);
  v->status = RUN_BAD_INPUT;
  snprintf(v->diagnosis.kind, sizeof v->diagnosis.kind, "unbuilt");
  struct heddle_program *program = fuzz_assemble(c, p, quiet);
  if (!program || !fuzz_job(&j, program, &p->launch, err, sizeof err)) {
    snprintf(v->why, sizeof v->why, "the program cannot be built%s%s", err[0] != '\0' ? ": " : "", err);
  } else if (!fuzz_proven(&c->run, program, v->why, sizeof v->why)) {
    v->status = RUN_DIFFERENCE;
    snprintf(v->diagnosis.kind, sizeof v->diagnosis.kind, "alone.lint");
  } else {
    judge_job(c, &p->launch, &j, v);
  }
  job_clear(&j);
  heddle_program_free(program);
}

void fuzz_verdict_clear(struct fuzz_verdict *v) {
  free(v->report);
  v->report = NULL;
}

/* A shrunk program as files that need no generator. */

static void write_chunk(void *file, const char *text) {
  fputs(text, file);
}

static FILE *open_file(const char *path) {
  FILE *f = fopen(path, "w");
  if (!f) tool_error("%s: %s", path, strerror(errno));
  return f;
}

static bool close_file(FILE *f, const char *path) {
  const bool good = !ferror(f);
  if (fclose(f) == 0 && good) return true;
  tool_error("%s: cannot be written: %s", path, strerror(errno));
  return false;
}

static bool has_parameter(const struct heddle_kernel *k, const char *name) {
  for (uint32_t i = 0; i < k->params; i++)
    if (strcmp(k->param[i].name, name) == 0) return true;
  return false;
}

static void put_arguments(FILE *f, const struct fuzz_program *p, const struct heddle_kernel *k, const char *name) {
  for (uint32_t i = 0; i < k->params; i++) {
    const char *what = k->param[i].name;
    const unsigned more = fuzz_more(&p->launch, what);
    if (strcmp(what, "input") == 0)
      fprintf(f, " --arg \"in:$here/%s.bin\"", name);
    else if (more < p->launch.more && p->launch.more_writable >> more & 1)
      fprintf(f, " --arg out:%u:/dev/null", p->launch.more_bytes[more]);
    else if (more < p->launch.more)
      fprintf(f, " --arg \"in:$here/%s.more%u\"", name, more);
    else
      fprintf(f, " --arg out:%zu:/dev/null", p->launch.out_bytes);
  }
}

/* The first buffer lies where they begin. */
static void put_errors(FILE *f, const struct random_launch *l, const struct heddle_program *program) {
  static const char *const from[HEDDLE_ERRORS_IN] = {"", "code+", "bank0+", "bank1+", "bank2+", "bank3+", "local+"};
  const struct heddle_kernel *k = heddle_program_kernel(program, "fuzz");
  const bool out = k->params != 0 && strcmp(k->param[0].name, "out") == 0;
  const struct fuzz_errors e = fuzz_errors(l, program, out ? &l->base : NULL);
  if (e.limit != 0) fprintf(f, " --bus-errors %s0x%" PRIx64 ":%" PRIu64, from[e.in], e.base, e.limit - e.base);
}

static void put_launch(FILE *f, const struct random_launch *l, const char *name) {
  for (unsigned b = 1; b < 3; b++)
    if (l->bank_bytes[b] != 0) fprintf(f, " --bank \"%u:$here/%s.bank%u\"", b, name, b);
  if (l->base != 0) fprintf(f, " --base 0x%" PRIx64, l->base);
  if (l->launches > 1) fprintf(f, " --launches %u%s", l->launches, l->apart ? ":apart" : "");
  if (l->host != 0) fprintf(f, " --host %" PRIu64, l->host);
  if (l->trap != 0) fprintf(f, " --expect-trap %s", heddle_cause_name((enum heddle_cause)l->trap));
}

static void put_comment(FILE *f, const struct fuzz_small *s, const struct fuzz_verdict *v, const char *mark) {
  char signature[SIGNATURE_BYTES], options[400];
  fprintf(f, "%s %s\n", mark, signature_text(&v->diagnosis, signature));
  fprintf(f, "%s %.*s\n", mark, (int)strcspn(v->why, "\n"), v->why);
  if (s->c.other != 0) fprintf(f, "%s other program %u, which ran before\n", mark, s->c.other);
  fprintf(f, "%s program %" PRIu64 " of %s\n", mark, s->c.index, run_repeat_text(&s->c.run, options, sizeof options));
  fprintf(f, "%s %u instructions are left of %u\n", mark, s->instructions, s->before);
  if (s->p.launch.others != 0)
    fprintf(f, "%s It failed behind %u other program(s) on the same device, which are not here: heddle fuzz --only\n",
            mark, s->p.launch.others);
}

static bool save_assembly(const struct fuzz_small *s, const struct fuzz_verdict *v,
                          const struct heddle_program *program, const char *path) {
  FILE *f = open_file(path);
  if (!f) return false;
  fprintf(f, "// SPDX-License-Identifier: Apache-2.0\n");
  put_comment(f, s, v, "//");
  heddle_disassemble_program(program, write_chunk, f);
  return close_file(f, path);
}

/* Who reads the script may be in another folder; what PATH finds it finds there, too. */
static void put_program(FILE *f) {
  char *whole = strchr(tool_program, '/') ? realpath(tool_program, NULL) : NULL;
  fprintf(
      f,
      "# HEDDLE names another heddle than the one that wrote this; options of 'heddle run' may follow: --wave FILE\n");
  fprintf(f, "here=$(dirname \"$0\") heddle=${HEDDLE:-%s}\n", whole ? whole : tool_program);
  free(whole);
}

static bool save_command(const struct fuzz_small *s, const struct fuzz_verdict *v, const struct heddle_program *program,
                         const char *name, const char *path) {
  const uint32_t *g = s->p.launch.grid, *b = s->p.launch.block;
  char options[400];
  FILE *f = open_file(path);
  if (!f) return false;
  fprintf(f, "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n");
  put_comment(f, s, v, "#");
  put_program(f);
  fprintf(f, "\"$heddle\" as --config %s \"$here/%s.s\" -o \"$here/%s.elf\" || exit 2\n", s->c.run.config->name, name,
          name);
  fprintf(f, "exec \"$heddle\" run \"$here/%s.elf\" --kernel fuzz --grid %u,%u,%u --block %u,%u,%u", name, g[0], g[1],
          g[2], b[0], b[1], b[2]);
  put_arguments(f, &s->p, heddle_program_kernel(program, "fuzz"), name);
  put_launch(f, &s->p.launch, name);
  put_errors(f, &s->p.launch, program);
  struct run_options o = s->c.run;
  o.max_cycles = v->max_cycles;
  fprintf(f, " %s \"$@\"\n", run_repeat_text(&o, options, sizeof options));
  if (!close_file(f, path)) return false;
  (void)chmod(path, 0755);
  return true;
}

static bool save_all(const struct fuzz_small *s, const struct fuzz_verdict *v, const struct heddle_program *program,
                     const char *dir, const char *name) {
  char path[4096];
  const struct heddle_kernel *k = heddle_program_kernel(program, "fuzz");
  for (unsigned b = 1; b < 3; b++) {
    if (s->p.launch.bank_bytes[b] == 0) continue;
    (void)snprintf(path, sizeof path, "%s/%s.bank%u", dir, name, b);
    if (!tool_write_file(path, s->p.bank[b], s->p.launch.bank_bytes[b])) return false;
  }
  for (unsigned i = 0; i < s->p.launch.more; i++) {
    char more[16];
    (void)snprintf(more, sizeof more, "more%u", i);
    (void)snprintf(path, sizeof path, "%s/%s.%s", dir, name, more);
    if (has_parameter(k, more) && (s->p.launch.more_writable >> i & 1) == 0 &&
        !tool_write_file(path, s->p.input, s->p.launch.more_bytes[i]))
      return false;
  }
  (void)snprintf(path, sizeof path, "%s/%s.bin", dir, name);
  if (has_parameter(k, "input") && !tool_write_file(path, s->p.input, s->p.launch.input_bytes)) return false;
  (void)snprintf(path, sizeof path, "%s/%s.s", dir, name);
  if (!save_assembly(s, v, program, path)) return false;
  (void)snprintf(path, sizeof path, "%s/%s.sh", dir, name);
  return save_command(s, v, program, name, path);
}

bool fuzz_save(const struct fuzz_small *s, const struct fuzz_verdict *v, const char *dir, char *name, size_t size) {
  if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
    tool_error("%s: %s", dir, strerror(errno));
    return false;
  }
  const struct run_options *o = &s->c.run;
  (void)snprintf(name, size, "seed-%" PRIu64 "-program-%" PRIu64 "-%s", o->seed, s->c.index, o->config_name);
  struct heddle_program *program = fuzz_assemble(&s->c, &s->p, false);
  const bool ok = program && save_all(s, v, program, dir, name);
  heddle_program_free(program);
  return ok;
}
