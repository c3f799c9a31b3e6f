/* SPDX-License-Identifier: Apache-2.0
 *
 * cfg-gen DIR FILE.cfg ...  writes DIR/NAME/cfg_pkg.sv for each (the folders
 * exist) and DIR/config_table.c for all, in the order given.
 * Exit status 0, 1 (output failed), 2 (usage or a fault in a file).
 */
#include <stdio.h>
#include <string.h>

#include "isa/configs/gen/cfg.h"

enum { CONFIGS_MAX = 64 };

static bool write_outputs(const char *dir, const struct cfg *c, unsigned n, struct diag *d) {
  for (unsigned i = 0; i < n; i++) {
    char name[2 * TEXT_NAME_MAX];
    (void)snprintf(name, sizeof name, "%.31s/cfg_pkg.sv", c[i].name);
    FILE *f = text_create(dir, name, d);
    if (f == NULL) return false;
    cfg_emit_sv(&c[i], f);
    if (!text_close(f, name, d)) return false;
  }
  FILE *f = text_create(dir, "config_table.c", d);
  if (f == NULL) return false;
  cfg_emit_c(c, n, f);
  return text_close(f, "config_table.c", d);
}

int main(int argc, char **argv) {
  static struct cfg c[CONFIGS_MAX];
  struct diag d = {0};
  if (argc < 3 || argc - 2 > CONFIGS_MAX) {
    fprintf(stderr, "usage: cfg-gen DIR FILE.cfg ...\n");
    return 2;
  }
  unsigned n = (unsigned)argc - 2;
  for (unsigned i = 0; i < n && !d.failed; i++) {
    (void)cfg_load(argv[i + 2], &c[i], &d);
    for (unsigned k = 0; k < i && !d.failed; k++)
      if (strcmp(c[k].name, c[i].name) == 0)
        diag_fail(&d, (struct pos){argv[i + 2], 0}, "configuration '%s' is given twice", c[i].name);
  }
  int status = d.failed ? 2 : write_outputs(argv[1], c, n, &d) ? 0 : 1;
  if (d.failed) fprintf(stderr, "%s\n", d.text);
  return status;
}
