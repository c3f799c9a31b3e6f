/* SPDX-License-Identifier: Apache-2.0
 * heddle isa report: what an encoding costs, and what a variant changed. */
#include <jansson.h>

#include "cmd_isa.h"
#include "report.h"

/* The base of a variant; NULL when it is none, or imports only a part. */
static struct spec *load_base(const struct spec *s) {
  struct diag ignored = {0};
  return report_base(s) ? spec_load(report_base(s), &ignored) : NULL;
}

static bool write_refusal(FILE *f) {
  json_t *j = json_pack("{s:i, s:s}", "version", 1, "error", "the description is wrong; heddle isa lint says where");
  const bool ok = json_dumpf(j, f, JSON_INDENT(1)) == 0 && fputc('\n', f) != EOF;
  json_decref(j);
  return ok;
}

static bool write_json(const struct isa_options *o, const struct spec *s, const struct spec *base) {
  if (!o->json) return true;
  FILE *f = isa_open(o->json);
  if (!f) return false;
  const bool ok = s ? report_json(s, base, f) : write_refusal(f);
  if (!ok) tool_error("%s: cannot be written as JSON; is a file's name no UTF-8?", o->json);
  return isa_close(f, o->json) && ok;
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
