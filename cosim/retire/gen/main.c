/* SPDX-License-Identifier: Apache-2.0
 *
 * records-gen DIR FILE.records  writes DIR/heddle/NAME_records.h, NAME_fields.h, NAME_stream.h and NAME_ports.hpp,
 * DIR/NAME_pkg.sv, DIR/NAME_stream_pkg.sv, DIR/NAME_tables.py and DIR/NAME.md. Exit status 0, 1 (output failed), 2
 * (usage or a fault in the file).
 */
#include <stdio.h>

#include "cosim/retire/gen/records.h"

static bool write_generated(const struct records *r, const char *dir, struct diag *d) {
  static const struct {
    const char *form;
    void (*emit)(const struct records *r, FILE *f);
  } outputs[] = {{"heddle/%s_records.h", records_emit_c},
                 {"heddle/%s_fields.h", records_emit_table},
                 {"heddle/%s_ports.hpp", records_emit_cpp},
                 {"%s_pkg.sv", records_emit_sv},
                 {"%s.md", records_emit_markdown},
                 {"%s_tables.py", records_emit_python},
                 {"heddle/%s_stream.h", records_emit_stream_c},
                 {"%s_stream_pkg.sv", records_emit_stream_sv}};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
    char name[2 * TEXT_NAME_MAX];
    (void)snprintf(name, sizeof name, outputs[i].form, r->name);
    FILE *f = text_create(dir, name, d);
    if (f == NULL) return false;
    outputs[i].emit(r, f);
    if (!text_close(f, name, d)) return false;
  }
  return true;
}

int main(int argc, char **argv) {
  static struct records r;
  struct diag d = {0};
  if (argc != 3) {
    fprintf(stderr, "usage: records-gen DIR FILE.records\n");
    return 2;
  }
  const int status = !records_load(argv[2], &r, &d) ? 2 : write_generated(&r, argv[1], &d) ? 0 : 1;
  if (d.failed) fprintf(stderr, "%s\n", d.text);
  return status;
}
