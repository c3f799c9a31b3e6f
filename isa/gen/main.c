/* SPDX-License-Identifier: Apache-2.0
 *
 * isa-gen FILE.isa DIR    write every generated file into DIR
 * isa-gen --check FILE    only check
 * isa-gen --canonical FILE  print the text that the hash is taken of
 * Exit status 0, 1 (output failed), 2 (usage or a fault in the file).
 */
#include <stdio.h>
#include <string.h>

#include "isa/gen/emit.h"

static const struct {
  const char *name;
  void (*emit)(const struct spec *s, FILE *f);
} outputs[] = {{"heddle/isa_gen.h", emit_gen_h},       {"isa_sem.h", emit_sem_h},
               {"isa_tables.c", emit_tables},          {"isa_pkg.sv", emit_sv},
               {"isa_manual.md", emit_manual},         {"isa_vectors.txt", emit_vectors},
               {"isa_wave_op.txt", emit_wave_ops},     {"isa_wave_unit.txt", emit_wave_units},
               {"isa_surfer_op.txt", emit_surfer_ops}, {"isa_surfer_unit.txt", emit_surfer_units}};

static int write_all(const struct spec *s, const char *dir, struct diag *d) {
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
    FILE *f = text_create(dir, outputs[i].name, d);
    if (f == NULL) return 1;
    outputs[i].emit(s, f);
    if (!text_close(f, outputs[i].name, d)) return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: isa-gen FILE.isa DIR | --check FILE.isa | --canonical FILE.isa\n");
    return 2;
  }
  bool option = strncmp(argv[1], "--", 2) == 0;
  struct diag d = {0};
  struct spec *s = spec_load(option ? argv[2] : argv[1], &d);
  int status = s == NULL ? 2 : 0;
  if (s != NULL && !option)
    status = spec_buildable(s, &d) ? write_all(s, argv[2], &d) : 2;
  else if (s != NULL && strcmp(argv[1], "--canonical") == 0)
    spec_canonical(s, stdout);
  if (d.failed) fprintf(stderr, "%s\n", d.text);
  spec_free(s);
  return status;
}
