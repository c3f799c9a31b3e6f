/* SPDX-License-Identifier: Apache-2.0
 *
 * isa-gen FILE.isa DIR    write every generated file into DIR
 * isa-gen --check FILE    only check
 * isa-gen --canonical FILE  print the text that the hash is taken of
 * Exit status 0, 1 (output failed), 2 (usage or a fault in the file).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "isa/gen/emit.h"

static const struct {
  const char *name;
  void (*emit)(const struct spec *s, FILE *f);
} outputs[] = {{"heddle/isa_gen.h", emit_gen_h},       {"isa_sem.h", emit_sem_h},
               {"isa_tables.c", emit_tables},          {"isa_pkg.sv", emit_sv},
               {"isa_manual.md", emit_manual},         {"isa_vectors.txt", emit_vectors},
               {"isa_wave_op.txt", emit_wave_ops},     {"isa_wave_unit.txt", emit_wave_units},
               {"isa_surfer_op.txt", emit_surfer_ops}, {"isa_surfer_unit.txt", emit_surfer_units}};

/* Does the file hold just this? */
static bool is_there(const char *dir, const char *name, const char *text, size_t n) {
  char path[TEXT_PATH_MAX];
  size_t bytes;
  enum file_end end;
  if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path) return false;
  char *now = file_read(path, n, &bytes, &end);
  const bool same = now != NULL && bytes == n && memcmp(now, text, n) == 0;
  free(now);
  return same;
}

/* What did not change keeps its time: of a variant that moves fields, C programs compile the tables alone. */
static bool write_one(const struct spec *s, const char *dir, size_t i, struct diag *d) {
  char *text = NULL;
  size_t n = 0;
  FILE *m = open_memstream(&text, &n);
  if (m == NULL) return diag_fail(d, (struct pos){outputs[i].name, 0}, "out of memory");
  outputs[i].emit(s, m);
  bool ok = fclose(m) == 0;
  if (ok && !is_there(dir, outputs[i].name, text, n)) {
    FILE *f = text_create(dir, outputs[i].name, d);
    ok = f != NULL;
    if (ok) (void)fwrite(text, 1, n, f);
    ok = ok && text_close(f, outputs[i].name, d);
  }
  free(text);
  return ok;
}

static int write_outputs(const struct spec *s, const char *dir, struct diag *d) {
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    if (!write_one(s, dir, i, d)) return 1;
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
    status = spec_buildable(s, &d) ? write_outputs(s, argv[2], &d) : 2;
  else if (s != NULL && strcmp(argv[1], "--canonical") == 0)
    spec_canonical(s, stdout);
  if (d.failed) fprintf(stderr, "%s\n", d.text);
  spec_free(s);
  return status;
}
