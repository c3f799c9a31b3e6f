/* SPDX-License-Identifier: Apache-2.0 */
#include "case_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run/job/elements.h"

static void give_up(const char *path) {
  fprintf(stderr, "make_cases: cannot write %s: %s\n", path, strerror(errno));
  exit(1);
}

static void write_file(const struct case_folder *f, const char *name, const void *data, size_t bytes) {
  char path[2048];
  (void)snprintf(path, sizeof path, "%s/%s", f->path, name);
  FILE *out = fopen(path, "wb");
  if (out == NULL) give_up(path);
  const size_t written = fwrite(data, 1, bytes, out);
  if (fclose(out) != 0 || written != bytes) give_up(path);
}

void case_folder_open(struct case_folder *f, const char *dir, const char *name) {
  (void)snprintf(f->path, sizeof f->path, "%s/%s", dir, name);
  if (mkdir(f->path, 0777) != 0 && errno != EEXIST) give_up(f->path);
  f->cases = json_array();
}

void case_folder_close(struct case_folder *f) {
  json_t *root = json_pack("{s:O}", "cases", f->cases);
  char *text = root != NULL ? json_dumps(root, JSON_INDENT(1)) : NULL;
  if (text == NULL) give_up(f->path);
  write_file(f, "cases.json", text, strlen(text));
  free(text);
  json_decref(root);
  json_decref(f->cases);
}

void case_source(const struct case_folder *f, const char *name, const char *ending, const char *text) {
  char file[256];
  (void)snprintf(file, sizeof file, "%s.%s", name, ending);
  write_file(f, file, text, strlen(text));
}

json_t *case_new(struct case_folder *f, const char *name, const char *file, const char *kernel, size_t blocks,
                 unsigned threads) {
  json_t *c = json_pack("{s:s, s:s, s:s, s:[I,i,i], s:[i,i,i], s:s, s:[]}", "name", name, "ptx", file, "kernel", kernel,
                        "grid", (json_int_t)blocks, 1, 1, "block", (int)threads, 1, 1, "compare", "exact", "args");
  if (c == NULL || json_array_append_new(f->cases, c) != 0) give_up(f->path);
  return c;
}

/* NAME.SLOT.bin holds the contents. */
static json_t *buffer(const struct case_folder *f, const json_t *c, char slot, const char *type, const void *data,
                      size_t count, const char *kind) {
  char file[256];
  (void)snprintf(file, sizeof file, "%s.%c.bin", json_string_value(json_object_get(c, "name")), slot);
  write_file(f, file, data, count * element_width(type));
  return json_pack("{s:s, s:s, s:I, s:s}", "buffer", file, "type", type, "count", (json_int_t)count, "kind", kind);
}

static void add(json_t *c, json_t *argument) {
  if (argument == NULL || json_array_append_new(json_object_get(c, "args"), argument) != 0) give_up("a case");
}

void case_input(const struct case_folder *f, json_t *c, char slot, const char *type, const void *data, size_t count) {
  add(c, buffer(f, c, slot, type, data, count, "in"));
}

void case_output(const struct case_folder *f, json_t *c, char slot, const char *type, const void *gold, size_t count) {
  char file[256];
  const size_t bytes = count * element_width(type);
  void *first = malloc(bytes);
  if (first == NULL) give_up("a case");
  memset(first, 0xa5, bytes);
  json_t *b = buffer(f, c, slot, type, first, count, "out");
  free(first);
  (void)snprintf(file, sizeof file, "%s.%c.gold.bin", json_string_value(json_object_get(c, "name")), slot);
  write_file(f, file, gold, bytes);
  if (b == NULL || json_object_set_new(b, "golden", json_string(file)) != 0) give_up("a case");
  add(c, b);
}

void case_no_operand(json_t *c) {
  add(c, json_pack("{s:s, s:s}", "scalar", "u64", "bits", "0x0"));
}
