/* SPDX-License-Identifier: Apache-2.0
 * One case of a kernel on the model, warps in turns; what it leaves must be right. */
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "kernel_run.h"

enum { SEED = 1, SCALE = 1 };

static bool launch(struct comparison *c, struct compare_program *p, const struct heddle_program *code,
                   const struct kernel_case *k, unsigned number, uint8_t *const now[], char *why, size_t n) {
  const struct kernel_launch *l = &k->launch[number];
  struct job j = {0};
  bool ok = kernel_job(&j, code, k, number, now, why, n);
  uint8_t *image = ok ? malloc(j.mem_bytes) : NULL;
  ok = image && turns_run(&p->launch[number], &j, c->warps, image, why, n);
  for (unsigned i = 0; ok && i < l->args; i++)
    if (l->arg[i].kind == KERNEL_ARG_BUFFER)
      memcpy(now[l->arg[i].buffer], image + (j.addr[i] - j.mem_base), k->buffer[l->arg[i].buffer].bytes);
  free(image);
  job_clear(&j);
  return ok;
}

static bool right(const struct kernel_case *k, uint8_t *const now[], char *why, size_t n) {
  for (unsigned i = 0; i < k->buffers; i++) {
    size_t at;
    if (kernel_matches(&k->buffer[i], now[i], &at)) continue;
    (void)snprintf(why, n, "buffer %u differs from the host's result at byte %zu", i, at);
    return false;
  }
  return true;
}

static bool run_case(struct comparison *c, struct compare_program *p, const struct heddle_program *code,
                     const struct kernel_case *k, char *why, size_t n) {
  uint8_t *now[KERNEL_BUFFERS] = {0};
  bool ok = k->launches <= COMPARE_LAUNCHES;
  for (unsigned i = 0; i < k->buffers; i++) {
    now[i] = malloc(k->buffer[i].bytes + 1);
    if (now[i]) memcpy(now[i], k->buffer[i].init, k->buffer[i].bytes);
    ok = ok && now[i];
  }
  for (unsigned l = 0; ok && l < k->launches; l++) {
    p->launches = l + 1;
    ok = launch(c, p, code, k, l, now, why, n);
  }
  ok = ok && right(k, now, why, n);
  for (unsigned i = 0; i < k->buffers; i++) free(now[i]);
  return ok;
}

bool compare_run_kernel(struct comparison *c, struct compare_program *p, const struct heddle_program *code,
                        const struct kernel_info *k) {
  char why[512] = "out of memory";
  struct kernel_case *of = malloc(sizeof *of);
  bool ok = of && kernel_prepare(k, KERNEL_PTX, SEED, SCALE, of);
  if (ok) {
    ok = run_case(c, p, code, of, why, sizeof why);
    kernel_case_clear(of);
  }
  free(of);
  if (!ok) tool_error("%s on the model: %s", p->name, why);
  return ok;
}
