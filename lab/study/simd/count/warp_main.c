/* SPDX-License-Identifier: Apache-2.0
 *
 * simd_warp: how often each instruction of a kernel is executed on Heddle's model, and with how many lanes.
 */
#include <heddle/model.h>
#include <heddle/program.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "lab/study/simd/count/listing.h"
#include "run/command/tool.h"
#include "run/job/job.h"
#include "run/programs/source.h"
#include "run/runner/launch_options.h"

/* Counting on Heddle's model. */

#define INSNS_MAX 100000000u

static bool add_word(struct simd_listing *l, const struct heddle_program *p, uint32_t pc) {
  struct heddle_isa_dec d;
  const struct heddle_isa_word w = heddle_program_word(p, pc);
  struct simd_insn *i = heddle_isa_decode(w, &d) ? simd_listing_add(l) : NULL;
  if (!i) return false;
  i->at = pc;
  i->bytes = heddle_program_next(p, pc) - pc;
  (void)snprintf(i->mnemonic, sizeof i->mnemonic, "%s", heddle_isa_op_name((enum heddle_isa_op)d.op));
  (void)heddle_disassemble_at(p, pc, i->text, sizeof i->text);
  return true;
}

/* A kernel's code as a listing; addresses are PCs. False: an illegal word, or no memory. */
static bool simd_warp_listing(struct simd_listing *l, const struct heddle_program *p, const struct heddle_kernel *k,
                              char err[SIMD_ERROR]) {
  uint32_t end = p->code_bytes;
  for (uint32_t i = 0; i < p->kernels; i++)
    if (p->kernel[i].entry_pc > k->entry_pc && p->kernel[i].entry_pc < end) end = p->kernel[i].entry_pc;
  (void)snprintf(l->function, sizeof l->function, "%.63s", k->name);
  l->start = k->entry_pc;
  l->bytes = end - k->entry_pc;
  for (uint32_t pc = k->entry_pc; pc < end; pc = heddle_program_next(p, pc))
    if (!add_word(l, p, pc)) {
      (void)snprintf(err, SIMD_ERROR, "%s: no instruction at 0x%x, or no memory", l->function, pc);
      return false;
    }
  return true;
}

struct grid {
  struct simd_listing *l;
  struct heddle_model *m;
  unsigned warps; /* of a block */
  uint64_t issued;
  char *err;
};

static bool stop_grid(struct grid *g, const char *why) {
  const char *diag = heddle_model_diag(g->m);
  (void)snprintf(g->err, SIMD_ERROR, "%s: %s (%.*s)", g->l->function, why, (int)strcspn(diag, "\n"), diag);
  return false;
}

static bool count_effect(struct grid *g, const struct heddle_effect *e) {
  struct simd_insn *i = simd_listing_at(g->l, e->pc);
  if (!i) return stop_grid(g, "it leaves its code: the study has no functions");
  i->executed++;
  if (i->kind == SIMD_SCALAR) return true;
  i->width += HEDDLE_LANES;
  i->lanes += (unsigned)__builtin_popcount(e->exec);
  return true;
}

/* Until the warp ends. */
static bool run_warp(struct grid *g, unsigned w) {
  struct heddle_effect e;
  struct heddle_performed done;
  do {
    if (++g->issued > INSNS_MAX) return stop_grid(g, "too many instructions");
    if (heddle_warp_waiting(g->m, w)) return stop_grid(g, "it waits at a barrier: the study has none");
    if (heddle_warp_issue(g->m, w, &e) != HEDDLE_SUCCESS || e.traps) return stop_grid(g, "the program is at fault");
    if (!count_effect(g, &e)) return false;
    if (heddle_perform_whole(g->m, w, &e, &done) != HEDDLE_SUCCESS)
      return stop_grid(g, "an access cannot be performed");
  } while (!e.warp_ended);
  return true;
}

static bool run_model_block(struct grid *g, const uint32_t at[3]) {
  uint8_t slot[32];
  for (unsigned w = 0; w < g->warps; w++) slot[w] = (uint8_t)w;
  if (heddle_block_start(g->m, 0, at, slot, g->warps) != HEDDLE_SUCCESS) return stop_grid(g, "a block does not start");
  for (unsigned w = 0; w < g->warps; w++)
    if (!run_warp(g, w)) return false;
  return heddle_block_end(g->m, 0) == HEDDLE_SUCCESS || stop_grid(g, "a block does not end");
}

/* Runs the launch, which `m` has got, block after block, and counts. Uniform instructions count as scalar ones. Memory
 * is left as the kernel leaves it. False: a trap, an undefined value, a barrier (of which the kernels of the study have
 * none), or an instruction outside the listing. */
static bool simd_warp_run(struct simd_listing *l, struct heddle_model *m, const struct heddle_launch *launch,
                          char err[SIMD_ERROR]) {
  const uint32_t *n = launch->grid, threads = launch->block[0] * launch->block[1] * launch->block[2];
  struct grid g = {.l = l, .m = m, .warps = (threads + HEDDLE_LANES - 1) / HEDDLE_LANES, .err = err};
  if (g.warps > 32) return stop_grid(&g, "a block has at most 32 warps");
  for (uint32_t z = 0; z < n[2]; z++)
    for (uint32_t y = 0; y < n[1]; y++)
      for (uint32_t x = 0; x < n[0]; x++)
        if (!run_model_block(&g, (const uint32_t[3]){x, y, z})) return false;
  return heddle_model_end(m) == HEDDLE_SUCCESS || stop_grid(&g, "it leaves undefined memory");
}

static const char usage[] =
    "usage: simd_warp PROGRAM KERNEL CLASSES GRID BLOCK ARG ...\n\n"
    "Runs one kernel on the model, a warp after the other, and prints as JSON how often each of its instructions was\n"
    "executed and in how many lanes. PROGRAM, GRID, BLOCK and ARG are as of 'heddle run'; CLASSES is a file of\n"
    "lab/study/simd/classes. Kernels that wait at barriers are refused.\n\n"
    "example: simd_warp lab/study/simd/kernels/simd.ptx daxpy lab/study/simd/classes/heddle.txt 8 128 s32:1003 f64:1.7 "
    "\\\n"
    "           in:x.bin inout:y.bin:result.bin\n\n"
    "exit status: 0 ok, 2 usage or bad input\n";

static int report_warp_error(const char *why) {
  fprintf(stderr, "simd_warp: error: %s\n", why);
  return 2;
}

static bool take_job(struct job *j, const struct heddle_program *p, char **argv, char err[SIMD_ERROR]) {
  struct launch_size size = {0};
  for (char **a = argv + 6; *a; a++)
    if (!job_add_arg(j, *a, err, SIMD_ERROR)) return false;
  if (!launch_size_take(argv[4], size.grid) || !launch_size_take(argv[5], size.block)) {
    (void)snprintf(err, SIMD_ERROR, "%.40s %.40s: expected X,Y,Z, each at least 1", argv[4], argv[5]);
    return false;
  }
  return launch_size_finish(&size, NULL, err, SIMD_ERROR) &&
         job_build(j, p, argv[2], size.grid, size.block, err, SIMD_ERROR);
}

static bool run_job(struct simd_listing *l, const struct job *j, char err[SIMD_ERROR]) {
  const struct heddle_model_config c = {.size = sizeof c,
                                        .base = j->mem_base,
                                        .bytes = j->mem_bytes,
                                        .warp_slots = 32,
                                        .block_slots = 1,
                                        .divergence = HEDDLE_STACK};
  struct heddle_model *m = heddle_model_new(&c);
  if (!m) {
    (void)snprintf(err, SIMD_ERROR, "out of memory");
    return false;
  }
  job_store_inputs(j, heddle_model_memory(m));
  bool ok = heddle_model_launch(m, &j->launch) == HEDDLE_SUCCESS;
  if (!ok) (void)snprintf(err, SIMD_ERROR, "%.200s", heddle_model_diag(m));
  ok = ok && simd_warp_run(l, m, &j->launch, err);
  if (ok && !job_save_outputs(j, heddle_model_memory(m))) {
    (void)snprintf(err, SIMD_ERROR, "the results cannot be written");
    ok = false;
  }
  heddle_model_free(m);
  return ok;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(usage, stdout) == EOF;
  if (argc < 6) return fputs(usage, stderr) == EOF ? 2 : 2;
  struct heddle_message message;
  char err[SIMD_ERROR] = "";
  const struct source_options with = {.target = HEDDLE_PTX_TARGET_MODEL, .units = UINT32_MAX, .level = 1};
  struct heddle_program *p = source_load_with(argv[1], &with, &message);
  if (!p) {
    tool_message(NULL, &message);
    return 2;
  }
  struct job j = {0};
  struct simd_listing l = {0};
  int status = 2;
  if (take_job(&j, p, argv, err) && simd_warp_listing(&l, p, j.kernel, err) && simd_classify(&l, argv[3], err) &&
      run_job(&l, &j, err)) {
    json_t *json = simd_tally_json(&l);
    if (json && json_dumpf(json, stdout, JSON_INDENT(1) | JSON_SORT_KEYS) == 0 && putchar('\n') != EOF) status = 0;
    json_decref(json);
  }
  if (err[0] != '\0') (void)report_warp_error(err);
  simd_listing_free(&l);
  job_clear(&j);
  heddle_program_free(p);
  return status;
}
