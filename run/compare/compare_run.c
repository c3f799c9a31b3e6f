/* SPDX-License-Identifier: Apache-2.0
 * One case of a kernel on the model, warps in turns; what it leaves must be right. */
#include <stdlib.h>

#include "run/compare/compare.h"
#include "run/cases/kernel_run.h"

enum { SEED = 1, SCALE = 1 };

struct recording {
  const struct comparison *c;
  struct compare_program *p;
};

static bool record_launch(void *ctx, unsigned number, const struct job *j, uint8_t *image, char *why, size_t n) {
  const struct recording *x = ctx;
  x->p->launches = number + 1;
  return turns_run(&x->p->launch[number], j, x->c->warps, image, why, n);
}

bool compare_run_kernel(struct comparison *c, struct compare_program *p, const struct heddle_program *code,
                        const struct kernel_info *k) {
  char why[512] = "out of memory";
  struct kernel_case *of = malloc(sizeof *of);
  bool ok = of && kernel_prepare(k, KERNEL_PTX, SEED, SCALE, of);
  if (ok) {
    struct recording x = {c, p};
    ok = of->launches <= COMPARE_LAUNCHES && kernel_case_run(code, of, record_launch, &x, why, sizeof why);
    kernel_case_clear(of);
  }
  free(of);
  if (!ok) tool_error("%s on the model: %s", p->name, why);
  return ok;
}
