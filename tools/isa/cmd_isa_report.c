/* SPDX-License-Identifier: Apache-2.0
 * heddle isa report: what an encoding costs, and what a variant changed. */
#include <jansson.h>

#include "cmd_isa.h"
#include "json_out.h"
#include "report.h"

/* The base of a variant; NULL when it is none, or imports only a part. */
static struct spec *load_base(const struct spec *s) {
  struct diag ignored = {0};
  return report_base(s) ? spec_load(report_base(s), &ignored) : NULL;
}

static bool write_json(const struct isa_options *o, const struct spec *s, const struct spec *base) {
  if (!o->json || !s) return true; /* what is wrong with it is among the errors */
  return json_out_dump(o->json, report_json(s, base));
}

int isa_report(int argc, char **argv) {
  struct isa_options o;
  if (!isa_take_options(argc, argv, "j", &o)) return TOOL_USAGE;
  struct spec *s = isa_load(o.file), *base = s ? load_base(s) : NULL;
  bool ok = write_json(&o, s, base) && s;
  if (ok) report_text(s, base, stdout);
  ok = ok && isa_close(stdout, NULL);
  spec_free(base);
  spec_free(s);
  return ok ? TOOL_OK : TOOL_USAGE;
}
