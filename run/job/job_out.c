/* SPDX-License-Identifier: Apache-2.0
 * What a launch leaves in buffers: files of bytes, .npy files, columns of numbers on stdout. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/job/elements.h"
#include "run/job/job.h"
#include "run/command/tool.h"

/* The shortest text that reads back as the same number. */
static void print_float(double v, bool is_single) {
  char text[40];
  int digits = is_single ? 6 : 15;
  do snprintf(text, sizeof text, "%.*g", digits, v);
  while ((is_single ? (double)strtof(text, NULL) != v : strtod(text, NULL) != v) && ++digits <= 17);
  fputs(text, stdout);
}

static void print_element(const char *type, uint64_t bits, unsigned width) {
  const unsigned unused = 64 - 8 * width;
  double number;
  float single;
  const uint32_t word = (uint32_t)bits;
  memcpy(&number, &bits, sizeof number);
  memcpy(&single, &word, sizeof single);
  if (type[0] == 'f')
    print_float(width == 8 ? number : width == 4 ? (double)single : element_half_value((uint16_t)bits), width < 8);
  else if (type[0] == 's')
    printf("%" PRId64, (int64_t)(bits << unused) >> unused);
  else if (type[0] == 'u')
    printf("%" PRIu64, bits);
  else
    printf("0x%0*" PRIx64, (int)width * 2, bits);
}

/* A line for each index but the last; where there is only one, of eight. */
static bool print_array(const struct npy_array *a, const uint8_t *bytes, uint64_t size) {
  const char *type = a->type[0] != '\0' ? a->type : "b8";
  const unsigned width = element_width(type);
  const uint64_t line = a->dims > 1 ? a->shape[a->dims - 1] : 8, count = size / width;
  for (uint64_t i = 0; i < count; i++) {
    print_element(type, element_at(bytes, width, (size_t)i), width);
    putchar(i + 1 == count || (i + 1) % line == 0 ? '\n' : ' ');
  }
  return fflush(stdout) == 0;
}

static bool save_npy(const char *path, const struct npy_array *a, const uint8_t *bytes, uint64_t size) {
  char head[NPY_HEAD];
  const size_t n = npy_head(a, head);
  uint8_t *whole = malloc(n + (size_t)size);
  if (!whole) return false;
  memcpy(whole, head, n);
  memcpy(whole + n, bytes, (size_t)size);
  const bool ok = tool_write_file(path, whole, n + (size_t)size);
  free(whole);
  return ok;
}

bool job_save_outputs(const struct job *j, const uint8_t *image) {
  bool ok = true;
  for (unsigned i = 0; i < j->args && ok; i++) {
    const struct job_arg *a = &j->arg[i];
    const uint8_t *bytes = a->out_file ? image + (j->addr[i] - j->mem_base) : NULL;
    if (!bytes) continue;
    if (strcmp(a->out_file, "-") == 0)
      ok = print_array(&a->out, bytes, a->bytes);
    else if (npy_is_name(a->out_file))
      ok = save_npy(a->out_file, &a->out, bytes, a->bytes);
    else
      ok = tool_write_file(a->out_file, bytes, a->bytes);
  }
  return ok;
}
