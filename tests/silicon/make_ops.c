/* SPDX-License-Identifier: Apache-2.0
 *
 * make_ops OPS DIR: each form of the list, OPS/ops.json, as a kernel, DIR/OP.ptx, as it was run on silicon; the list
 * goes beside them. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "run/cases/form.h"
#include "run/job/case_data.h"

static bool make(const json_t *op, const char *dir) {
  static const char *const slot[4] = {"a", "b", "c", "d"};
  const char *name = json_string_value(json_object_get(op, "op")), *type[4];
  const char *statement = json_string_value(json_object_get(op, "ptx"));
  for (unsigned k = 0; k < 4; k++) type[k] = json_string_value(json_object_get(op, slot[k]));
  char *text = name && statement ? form_source(type, statement) : NULL;
  char path[4096];
  FILE *f = NULL;
  if (text && snprintf(path, sizeof path, "%s/%s.ptx", dir, name) < (int)sizeof path) f = fopen(path, "wb");
  bool ok = f && fputs(text, f) >= 0;
  if (f && fclose(f) != 0) ok = false;
  free(text);
  if (!ok) fprintf(stderr, "make_ops: %s: no kernel of it, or it cannot be written\n", name ? name : "a form");
  return ok;
}

int main(int argc, char **argv) {
  char path[4096], why[512] = "not a list of forms";
  size_t bytes = 0;
  if (argc != 3) return fprintf(stderr, "usage: make_ops OPS DIR\n"), 2;
  char *text = (char *)case_data_read(argv[1], "ops.json", CASE_DATA_MOST, &bytes, why, sizeof why);
  json_t *root = text ? json_loadb(text, bytes, 0, NULL) : NULL;
  free(text);
  if (!root) return fprintf(stderr, "make_ops: %s/ops.json: %s\n", argv[1], why), 1;
  const json_t *op;
  size_t i;
  bool ok = true;
  json_array_foreach(json_object_get(root, "ops"), i, op) ok = make(op, argv[2]) && ok;
  ok = ok && snprintf(path, sizeof path, "%s/ops.json", argv[2]) < (int)sizeof path &&
       json_dump_file(root, path, 0) == 0;
  json_decref(root);
  return ok ? 0 : 1;
}
