/* SPDX-License-Identifier: Apache-2.0
 * heddle isa doc: the manual, as Markdown or as JSON. */
#include <jansson.h>

#include "tools/cmd_isa.h"
#include "run/command/json_out.h"
#include "isa/gen/emit.h"

static bool write_markdown(const struct spec *s, const char *path) {
  FILE *f = isa_open(path);
  if (!f) return false;
  emit_manual(s, f);
  return isa_close(f, path);
}

int isa_doc(int argc, char **argv) {
  struct isa_options o;
  if (!isa_take_options(argc, argv, "oj", 1, &o)) return TOOL_USAGE;
  struct spec *s = isa_load(o.file[0]);
  bool ok = s;
  if (ok && o.json) ok = json_out_dump(o.json, doc_json(s));
  if (ok && (o.out || !o.json)) ok = write_markdown(s, o.out);
  spec_free(s);
  return ok ? TOOL_OK : TOOL_USAGE;
}
