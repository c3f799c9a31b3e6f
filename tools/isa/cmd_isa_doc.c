/* SPDX-License-Identifier: Apache-2.0
 * heddle isa doc: the manual. */
#include "tools/isa/cmd_isa.h"
#include "isa/gen/emit.h"

int isa_doc(int argc, char **argv) {
  struct isa_options o;
  if (!isa_take_options(argc, argv, "o", 1, &o)) return TOOL_USAGE;
  struct spec *s = isa_load(o.file[0]);
  FILE *f = s ? isa_open(o.out) : NULL;
  bool ok = f;
  if (ok) {
    emit_manual(s, f);
    ok = isa_close(f, o.out);
  }
  spec_free(s);
  return ok ? TOOL_OK : TOOL_USAGE;
}
