/* SPDX-License-Identifier: Apache-2.0
 * A launch as a case of a list. */
#include "cosim/platform/record_case.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/explain.h>
#include <heddle/host.h>
#include <heddle/program.h>
#include "cosim/trace/wire.h"
#include "base/file.h"

enum { NAME = 64, NUMBER = 24 };

static json_t *json_hex(uint64_t v) {
  char text[NUMBER];
  snprintf(text, sizeof text, "0x%" PRIx64, v);
  return json_string(text);
}

static json_t *bytes_text(const uint8_t *value, size_t bytes) {
  char *text = malloc(2 * bytes + 1);
  if (!text) return NULL;
  for (size_t i = 0; i < bytes; i++) snprintf(text + 2 * i, 3, "%02x", value[i]);
  json_t *j = json_string(text);
  free(text);
  return j;
}

/* A number by its bits, a structure by its bytes. */
static json_t *argument(const void *value, uint32_t bytes) {
  char type[NUMBER];
  uint64_t bits = 0;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
    return json_pack("{s:o}", "bytes", bytes_text(value, bytes));
  memcpy(&bits, value, bytes);
  snprintf(type, sizeof type, "b%u", 8 * bytes);
  return json_pack("{s:s, s:o}", "scalar", type, "bits", json_hex(bits));
}

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* "0003_scale" of the third launch, of scale(float*, int): what a shell takes as a word. */
static json_t *case_name(const char *kernel, uint64_t number) {
  char text[NAME], full[400];
  (void)heddle_name_text(kernel, full, sizeof full);
  full[strcspn(full, "(<")] = '\0';
  const char *space = strrchr(full, ' '); /* a template has its type in front */
  int n = snprintf(text, sizeof text, "%04" PRIu64 "_", number);
  for (const char *c = space ? space + 1 : full; *c && n < NAME - 1; c++)
    if (is_name(*c)) text[n++] = *c;
  text[n] = '\0';
  return json_string(text);
}

json_t *record_case(const struct heddle_seen_launch *l, uint64_t number) {
  const struct heddle_host_launch *r = l->registers;
  const struct heddle_kernel *k = l->kernel;
  json_t *args = json_array();
  for (uint32_t i = 0; i < k->params; i++) (void)json_array_append_new(args, argument(l->params[i], k->param[i].size));
  json_t *j =
      json_pack("{s:o, s:s, s:[iii], s:[iii], s:i, s:o}", "name", case_name(k->name, number), "kernel", k->name, "grid",
                (int)r->grid[0], (int)r->grid[1], (int)r->grid[2], "block", (int)r->block[0], (int)r->block[1],
                (int)r->block[2], "shared", (int)(r->shared_bytes - k->shared_bytes), "args", args);
  if (j && l->globals != 0)
    (void)json_object_set_new(
        j, "variables", json_pack("{s:o, s:i}", "at", json_hex(l->globals), "bytes", (int)l->program->global_bytes));
  return j;
}

/* ---- files */

static bool put_case_file(const char *dir, const char *name, const void *data, size_t bytes) {
  char path[4096 + NAME];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  if (access(path, F_OK) == 0) return true;
  FILE *f = file_create(path);
  const bool whole = f && fwrite(data, 1, bytes, f) == bytes;
  return f && fclose(f) == 0 && whole;
}

bool record_file(const char *dir, const void *data, size_t bytes, const char *end, char *name) {
  snprintf(name, NAME, "%016" PRIx64 "-%zu.%s", trace_sum(TRACE_SUM_START, data, bytes), bytes, end);
  return put_case_file(dir, name, data, bytes);
}

bool record_program(const char *dir, const struct heddle_program *p, char *name) {
  struct heddle_message m;
  char path[4096 + NAME];
  uint64_t sum = trace_sum(TRACE_SUM_START, p->code, p->code_bytes);
  sum = trace_sum(sum, p->konst, p->const_bytes);
  for (uint32_t k = 0; k < p->kernels; k++) {
    sum = trace_sum(sum, (const uint8_t *)p->kernel[k].name, strlen(p->kernel[k].name));
    sum = trace_sum(sum, (const uint8_t *)&p->kernel[k].promise, sizeof p->kernel[k].promise);
    for (uint32_t i = 0; i < p->kernel[k].params; i++)
      sum = trace_sum(sum, (const uint8_t *)&p->kernel[k].param[i].align, sizeof p->kernel[k].param[i].align);
  }
  snprintf(name, NAME, "%016" PRIx64 ".elf", sum);
  snprintf(path, sizeof path, "%s/%s", dir, name);
  return access(path, F_OK) == 0 || heddle_program_save(p, path, &m);
}

/* ---- the list */

static const char tail[] = "\n]}\n";

FILE *record_list_open(const char *dir) {
  char path[4096 + NAME];
  snprintf(path, sizeof path, "%s/cases.json", dir);
  FILE *f = file_create(path);
  if (f && (fprintf(f, "{\"cases\": [%s", tail) < 0 || fflush(f) != 0)) {
    (void)fclose(f);
    return NULL;
  }
  return f;
}

bool record_list_add(FILE *list, const json_t *one, bool first) {
  if (fseek(list, -(long)strlen(tail), SEEK_END) != 0 || fputs(first ? "\n" : ",\n", list) < 0) return false;
  return json_dumpf(one, list, JSON_COMPACT) == 0 && fputs(tail, list) >= 0 && fflush(list) == 0;
}
