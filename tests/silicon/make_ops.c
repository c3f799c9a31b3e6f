/* SPDX-License-Identifier: Apache-2.0
 *
 * make_ops OPS.json DIR: each form of the list as a kernel, DIR/OP.ptx, as it was run on silicon. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "run/cases/form.h"

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
  json_error_t error;
  json_t *root = argc == 3 ? json_load_file(argv[1], 0, &error) : NULL;
  if (!root) return fprintf(stderr, "usage: make_ops OPS.json DIR\n"), 2;
  const json_t *op;
  size_t i;
  bool ok = true;
  json_array_foreach(json_object_get(root, "ops"), i, op) ok = make(op, argv[2]) && ok;
  json_decref(root);
  return ok ? 0 : 1;
}
