/* SPDX-License-Identifier: Apache-2.0
 * heddle isa report: what an encoding costs, and what a variant changed. */
#include <jansson.h>

#include "tools/cmd_isa.h"
#include "run/compare/compare.h"
#include "run/command/json_out.h"
#include "isa/gen/report.h"

/* The base of a variant; NULL when it is none, or imports only a part. */
static struct spec *load_base(const struct spec *s) {
  struct diag ignored = {0};
  return report_base(s) ? spec_load(report_base(s), &ignored) : NULL;
}

static bool write_report_json(const struct isa_options *o, const struct spec *s, const struct spec *base) {
  if (!o->json || !s) return true; /* what is wrong with it is among the errors */
  return json_out_dump(o->json, report_json(s, base));
}

static int report_several(const struct isa_options *o) {
  const struct compare_request q = {.file = o->file,
                                    .files = o->files,
                                    .tree = o->tree,
                                    .out = o->out,
                                    .cache = o->cache,
                                    .config = o->config,
                                    .jobs = o->jobs,
                                    .synth = !o->no_synth};
  return isa_compare(&q, o->json);
}

int isa_report(int argc, char **argv) {
  struct isa_options o;
  if (!isa_take_options(argc, argv, "jotkcnJ", COMPARE_MOST, &o)) return TOOL_USAGE;
  if (o.files > 1) return report_several(&o);
  struct spec *s = isa_load(o.file[0]), *base = s ? load_base(s) : NULL;
  bool ok = write_report_json(&o, s, base) && s;
  if (ok) report_text(s, base, stdout);
  ok = ok && isa_close(stdout, NULL);
  spec_free(base);
  spec_free(s);
  return ok ? TOOL_OK : TOOL_USAGE;
}
