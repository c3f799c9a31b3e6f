/* SPDX-License-Identifier: Apache-2.0
 * usage: compile FILE.ptx     prints the kernels of the program that the compiler makes of it */
#include <heddle/ptx.h>
#include <stdio.h>

static char text[1u << 20];

int main(int argc, char **argv) {
  FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (f == NULL) return 2;
  const size_t size = fread(text, 1, sizeof text, f);
  fclose(f);
  const struct heddle_ptx_options o = {.size = sizeof o, .level = 1, .stall = {6, 6, 6, 6, 6, 6}};
  struct heddle_program *p;
  if (heddle_ptx_compile(text, size, argv[1], &o, &p, NULL, NULL) != HEDDLE_SUCCESS) return 1;
  for (uint32_t k = 0; k < p->kernels; k++) puts(p->kernel[k].name);
  heddle_program_free(p);
  return 0;
}
