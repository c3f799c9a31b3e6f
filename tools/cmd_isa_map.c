/* SPDX-License-Identifier: Apache-2.0
 * heddle isa map: a picture of the word. */
#include "tools/cmd_isa.h"
#include "isa/gen/map.h"

int isa_map(int argc, char **argv) {
  struct isa_options o;
  if (!isa_take_options(argc, argv, "se", 1, &o)) return TOOL_USAGE;
  struct spec *s = isa_load(o.file[0]);
  FILE *f = s ? isa_open(o.svg) : NULL;
  bool ok = f;
  if (ok) {
    (o.svg ? map_svg : map_text)(s, o.encodings ? MAP_ENCODINGS : MAP_FORMATS, f);
    ok = isa_close(f, o.svg);
  }
  spec_free(s);
  return ok ? TOOL_OK : TOOL_USAGE;
}
