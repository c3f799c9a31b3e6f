/* SPDX-License-Identifier: Apache-2.0
 * simd_warp: how often each instruction of a kernel is executed on Heddle's model, and with how many lanes. */
#include <stdlib.h>
#include <string.h>

#include "lab/study/simd/count/classes.h"
#include "run/job/job.h"
#include "run/runner/launch_options.h"
#include "run/programs/source.h"
#include "lab/study/simd/count/tally.h"
#include "run/command/tool.h"
#include "lab/study/simd/count/warp.h"

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
  bool ok = heddle_model_launch(m, &j->launch) == HEDDLE_OK;
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
