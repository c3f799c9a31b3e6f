/* SPDX-License-Identifier: Apache-2.0
 * PTX instruction forms as whole kernels. */
#include "form_source.h"

#include <stdio.h>
#include <stdlib.h>

#include "run/job/elements.h"

/* The address of this thread's element of an operand in x, and what is done there. */
static void at_element(FILE *f, char operand, const char *type) {
  fprintf(f, "ld.param.u64 x,[p%c]; mul.wide.u32 y,i,%u; add.u64 x,x,y; ", operand, element_width(type));
}

static void write_kernel(FILE *f, const char *const type[4], const char *statement) {
  fputs(".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 pa,.param .u64 pb,.param .u64 pc,.param .u64 pd){\n"
        ".reg .u64 x,y; .reg .u32 i,j,n;\n",
        f);
  for (unsigned k = 0; k < 4; k++)
    if (type[k]) fprintf(f, ".reg .%s %c;\n", type[k], "abcd"[k]);
  fputs("mov.u32 i,%tid.x; mov.u32 j,%ctaid.x; mov.u32 n,%ntid.x; mad.lo.u32 i,j,n,i;\n", f);
  for (unsigned k = 0; k < 3; k++)
    if (type[k]) {
      at_element(f, "abc"[k], type[k]);
      fprintf(f, "ld.global.%s %c,[x];\n", type[k], "abc"[k]);
    }
  fprintf(f, "%s\n", statement);
  at_element(f, 'd', type[3]);
  fprintf(f, "st.global.%s [x],d;\nret;}\n", type[3]);
}

char *form_source(const char *const type[4], const char *statement) {
  for (unsigned k = 0; k < 4; k++)
    if (type[k] ? element_width(type[k]) == 0 : k == 3) return NULL;
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  if (!f) return NULL;
  write_kernel(f, type, statement);
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}
