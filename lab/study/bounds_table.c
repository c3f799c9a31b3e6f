/* SPDX-License-Identifier: Apache-2.0
 * heddle study bounds in words: Markdown, and JSON. */
#include "run/profile/bounds.h"

#include <inttypes.h>

#include "run/runner/conclude.h"

static double share_of_bound(const struct bounded *b, enum bound i) {
  return b->cycles != 0 ? b->bound[i] / (double)b->cycles : 0;
}

static void write_bound_row(FILE *f, const struct bounded *b, bool shared) {
  const enum bound holds = bounds_holds(b);
  const double cycles = b->cycles != 0 ? (double)b->cycles : 1;
  fprintf(f, "| %s | %" PRIu64 " | %.1f | %s | %.2f | %.2f | %.2f | %.2f |", b->name, b->cycles,
          (double)b->lanes / cycles, bound_name(holds), share_of_bound(b, holds), share_of_bound(b, BOUND_LATENCY),
          share_of_bound(b, BOUND_OPERANDS), share_of_bound(b, BOUND_ROWS));
  if (shared)
    fprintf(f, " %.2f | %.2f | %.2f |", share_of_bound(b, BOUND_L1), share_of_bound(b, BOUND_CHANNEL),
            share_of_bound(b, BOUND_BANK));
  fprintf(f, " %.2f | %.2f | %u of %u |\n", share_of_bound(b, BOUND_READ), share_of_bound(b, BOUND_WRITE), b->warps,
          b->slots);
}

void bounds_table(FILE *f, const struct bounds *s) {
  const bool shared = s->shared;
  fprintf(f, "| kernel | cycles | lanes a cycle | bound | its share | latency | operands | rows |%s R | W | warps |\n",
          shared ? " L1 | channel | bank |" : "");
  fprintf(f, "|---|---|---|---|---|---|---|---|%s---|---|---|\n", shared ? "---|---|---|" : "");
  for (size_t k = 0; k < s->n; k++)
    if (s->of[k].lacks[0] == '\0') write_bound_row(f, &s->of[k], shared);
  for (size_t k = 0; k < s->n; k++)
    if (s->of[k].lacks[0] != '\0') fprintf(f, "\n%s is not among them: %s\n", s->of[k].name, s->of[k].lacks);
}

static json_t *bounded_json(const struct bounded *b) {
  if (b->lacks[0] != '\0') return json_pack("{s:s, s:s}", "kernel", b->name, "lacking", b->lacks);
  json_t *bound = json_object();
  for (unsigned i = 0; i < BOUNDS; i++) (void)json_object_set_new(bound, bound_name(i), json_real(b->bound[i]));
  return json_pack("{s:s, s:I, s:I, s:I, s:I, s:i, s:s, s:o}", "kernel", b->name, "cycles", (json_int_t)b->cycles,
                   "issued", (json_int_t)b->issued, "lanes", (json_int_t)b->lanes, "bytes", (json_int_t)b->bytes,
                   "warps", (int)b->warps, "holds", bound_name(bounds_holds(b)), "bounds", bound);
}

json_t *bounds_json(const struct bounds_request *q, const struct bounds *s) {
  json_t *root = result_header(&q->run), *list = json_array();
  for (size_t k = 0; k < s->n; k++) (void)json_array_append_new(list, bounded_json(&s->of[k]));
  (void)json_object_set_new(root, "study", json_string("bounds"));
  (void)json_object_set_new(root, "latency", json_integer((json_int_t)q->run.latency));
  (void)json_object_set_new(root, "kernels", list);
  return root;
}
