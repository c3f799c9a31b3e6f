/* SPDX-License-Identifier: Apache-2.0
 * The kernels of firmware/kernels in every form they have. */
#include <stdio.h>
#include <string.h>

#include "run/cases/kernel_run.h"
#include "tests/isa/lint/campaign/subject.h"

struct form {
  enum kernel_form from;
  const char *name;
  unsigned level;
  enum heddle_ptx_target target;
};

static void add(struct subjects *s, const char *dir, const struct kernel_info *k, const struct form *f) {
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
      if (kernel_has(k, form[i].from)) add(s, dir, k, &form[i]);
}
