/* SPDX-License-Identifier: Apache-2.0
 *
 * make_forms FORMS DIR: the folder that 'heddle ops' runs, of forms that silicon ran. FORMS/forms.json is a list as
 * ops.json is one; a form with a `source` is that whole kernel. FORMS/gold.bin has their results, one after the other.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/job/elements.h"

#include "run/job/case_data.h"

static bool write_file(const char *dir, const char *name, const char *ending, const void *data, size_t bytes) {
  char path[4096];
  FILE *f = NULL;
  if (snprintf(path, sizeof path, "%s/%s%s", dir, name, ending) < (int)sizeof path) f = fopen(path, "wb");
  bool ok = f && fwrite(data, 1, bytes, f) == bytes;
  if (f && fclose(f) != 0) ok = false;
  return ok;
}

/* Results, one after the other: those of the forms that were made are taken. */
struct results {
  const uint8_t *next;
  size_t left;
};

/* What `gold` has left for this form, and its kernel. */
static bool make(const json_t *op, size_t count, struct results *gold, const char *dir) {
  const char *name = json_string_value(json_object_get(op, "op")), *d = json_string_value(json_object_get(op, "d"));
  const char *source = json_string_value(json_object_get(op, "source"));
  if (!name || !d || strchr(name, '/')) return false;
  const size_t bytes = count * element_width(d);
  bool ok = bytes && bytes <= gold->left && write_file(dir, name, ".gold.bin", gold->next, bytes);
  if (ok) *gold = (struct results){gold->next + bytes, gold->left - bytes};
  if (ok && source) ok = write_file(dir, name, ".ptx", source, strlen(source));
  if (!ok) fprintf(stderr, "make_forms: %s: its results are not in gold.bin, or it cannot be written\n", name);
  return ok;
}

/* Nothing is left of the results, and the list goes beside them. */
static bool finish(const json_t *root, const struct results *gold, const char *dir) {
  char path[4096];
  if (gold->left > 0) {
    fprintf(stderr, "make_forms: gold.bin: results of no form at its end\n");
    return false;
  }
  if (snprintf(path, sizeof path, "%s/ops.json", dir) >= (int)sizeof path) return false;
  return json_dump_file(root, path, JSON_COMPACT) == 0;
}

int main(int argc, char **argv) {
  char path[4096], why[512] = "not a list of forms";
  size_t bytes = 0;
  if (argc != 3) return fprintf(stderr, "usage: make_forms FORMS DIR\n"), 2;
  (void)snprintf(path, sizeof path, "%s/forms.json", argv[1]);
  char *text = (char *)case_data_read_path(path, CASE_DATA_MOST, &bytes, why, sizeof why);
  json_t *root = text ? json_loadb(text, bytes, 0, NULL) : NULL;
  free(text);
  uint8_t *data = root ? case_data_read(argv[1], "gold.bin", CASE_DATA_MOST, &bytes, why, sizeof why) : NULL;
  struct results gold = {data, bytes};
  const json_int_t count = json_integer_value(json_object_get(root, "count"));
  bool ok = data && count > 0 && count <= 65536;
  if (!ok) fprintf(stderr, "make_forms: %s: %s\n", path, why);
  const json_t *op;
  size_t i;
  json_array_foreach(json_object_get(root, "ops"), i, op) ok = ok && make(op, (size_t)count, &gold, argv[2]);
  ok = ok && finish(root, &gold, argv[2]);
  free(data);
  json_decref(root);
  return ok ? 0 : 1;
}
