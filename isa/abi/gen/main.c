/* SPDX-License-Identifier: Apache-2.0
 *
 * layout-gen DIR FILE.layout ...  writes DIR/heddle/NAME.h (the folder exists), DIR/NAME_pkg.sv and DIR/NAME.md
 * of each. Exit status 0, 1 (output failed), 2 (usage or a fault in a file).
 */
#include <stdio.h>

#include "isa/abi/gen/layout.h"

static bool write_one(const struct layout *l, const char *dir, struct diag *d) {
  static const struct {
    const char *form;
    void (*emit)(const struct layout *l, FILE *f);
  } outputs[] = {{"heddle/%s.h", layout_emit_c}, {"%s_pkg.sv", layout_emit_sv}, {"%s.md", layout_emit_markdown}};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
    char name[2 * TEXT_NAME_MAX];
    (void)snprintf(name, sizeof name, outputs[i].form, l->name);
    FILE *f = text_create(dir, name, d);
    if (f == NULL) return false;
    outputs[i].emit(l, f);
    if (!text_close(f, name, d)) return false;
  }
  return true;
}

int main(int argc, char **argv) {
  static struct layout l;
  struct diag d = {0};
  int status = 0;
  if (argc < 3) {
    fprintf(stderr, "usage: layout-gen DIR FILE.layout ...\n");
    return 2;
  }
  for (int i = 2; i < argc && status == 0; i++)
    status = !layout_load(argv[i], &l, &d) ? 2 : write_one(&l, argv[1], &d) ? 0 : 1;
  if (d.failed) fprintf(stderr, "%s\n", d.text);
  return status;
}
