/* SPDX-License-Identifier: Apache-2.0
 * A folder in the format of tests/silicon/kernels: cases.json, PTX, buffers, golden files. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/job/elements.h"
#include "tests/isa/lint/campaign/subject.h"
#include "run/command/tool.h"

static const char *text_of(const json_t *j, const char *key) {
  const char *t = json_string_value(json_object_get(j, key));
  return t ? t : "";
}

static void sizes(const json_t *j, const char *key, uint32_t size[3]) {
  const json_t *list = json_object_get(j, key);
  for (size_t d = 0; d < 3; d++) {
    const json_int_t n = json_integer_value(json_array_get(list, d));
    size[d] = n > 0 && n <= 65535 ? (uint32_t)n : 1;
  }
}

static bool take_buffer(struct kernel_case *c, const char *dir, const json_t *j) {
  char why[256];
  const json_int_t count = json_integer_value(json_object_get(j, "count"));
  const char *golden = text_of(j, "golden");
  struct kernel_buffer *b = &c->buffer[c->buffers++];
  if (count < 1 || count > 1 << 24) return false;
  b->bytes = (size_t)count * element_width(text_of(j, "type"));
  b->read_only = strcmp(text_of(j, "kind"), "in") == 0;
  b->init = element_file(dir, text_of(j, "buffer"), b->bytes, why, sizeof why);
  b->expect = element_file(dir, golden[0] ? golden : text_of(j, "buffer"), b->bytes, why, sizeof why);
  return b->init && b->expect;
}

static bool take(struct kernel_case *c, const char *dir, const json_t *j) {
  const json_t *list = json_object_get(j, "args");
  struct kernel_launch *l = &c->launch[c->launches++];
  l->entry = text_of(j, "kernel");
  sizes(j, "grid", l->grid);
  sizes(j, "block", l->block);
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *a = json_array_get(list, i);
    if (l->args >= KERNEL_ARGS || c->buffers >= KERNEL_BUFFERS) return false;
    struct kernel_arg *out = &l->arg[l->args++];
    const bool buffer = json_object_get(a, "buffer") != NULL;
    *out = (struct kernel_arg){.kind = buffer ? KERNEL_ARG_BUFFER : KERNEL_ARG_SCALAR, .buffer = c->buffers};
    if (buffer && !take_buffer(c, dir, a)) return false;
    if (buffer) continue;
    out->bytes = element_width(text_of(a, "scalar"));
    if (!tool_number(text_of(a, "bits"), UINT64_MAX, &out->scalar)) return false;
  }
  return true;
}

/* The launch names its entry by the program's own text, which outlives the JSON. */
static bool own_entry(struct kernel_launch *l, const struct heddle_program *p) {
  const struct heddle_kernel *k = p ? heddle_program_kernel(p, l->entry) : NULL;
  if (k) l->entry = k->name;
  return k != NULL;
}

static void add(struct subjects *s, const char *dir, const json_t *j, unsigned level) {
  char path[1024], name[48];
  struct kernel_case c;
  memset(&c, 0, sizeof c);
  snprintf(path, sizeof path, "%s/%s", dir, text_of(j, "ptx"));
  snprintf(name, sizeof name, "%.30s.silicon%s", text_of(j, "name"), level > 0 ? "" : "-0");
  if (!subject_wanted(s, name)) return;
  struct heddle_program *p = subject_load(s, path, level, HEDDLE_PTX_TARGET_RTL);
  if (!take(&c, dir, j) || !own_entry(&c.launch[0], p)) c.launches = 0;
  subject_add(s, name, "silicon", p, &c);
}

void subjects_cases(struct subjects *s, const char *dir) {
  char path[1024];
  json_error_t e;
  snprintf(path, sizeof path, "%s/cases.json", dir);
  json_t *root = json_load_file(path, 0, &e);
  const json_t *list = json_object_get(root, "cases");
  if (!json_is_array(list)) {
    tool_error("%s: no list of cases", path);
    s->failed = true;
  }
  for (size_t i = 0; i < json_array_size(list); i++)
    for (unsigned level = 0; level < 2; level++) add(s, dir, json_array_get(list, i), 1 - level);
  json_decref(root);
}
