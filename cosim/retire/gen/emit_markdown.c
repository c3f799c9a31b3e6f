/* SPDX-License-Identifier: Apache-2.0
 *
 * NAME.md: the tables that stand in the prose.
 */
#include "cosim/retire/gen/records.h"

static void emit_dims(const struct records *r, unsigned dims, const int dim[2], FILE *f) {
  for (unsigned k = 0; k < dims; k++) fprintf(f, "[%s]", r->dim[dim[k]].name);
}

static void emit_field_row(const struct records *r, const struct records_shape *s, const struct records_field *x,
                           FILE *f) {
  if (x->sized)
    fprintf(f, "| |");
  else
    fprintf(f, "| %u |", x->offset);
  fprintf(f, " %s", x->name);
  emit_dims(r, x->dims, x->dim, f);
  if (x->shape != RECORDS_NONE)
    fprintf(f, " | %s |", r->shape[x->shape].name);
  else
    fprintf(f, " | u%u |", x->bits);
  fprintf(f, " %s", x->text);
  if (x->when != RECORDS_NONE) fprintf(f, " (where set: %s)", r->field[x->when].name);
  if (x->below[0] != '\0') fprintf(f, "; below %s", x->below);
  if (x->mask_of[0] != '\0') fprintf(f, "; bits of %s", x->mask_of);
  if (x->profile > s->profile) fprintf(f, "; from P%u on", x->profile);
  fprintf(f, " |\n");
}

static void emit_shape(const struct records *r, const struct records_shape *s, FILE *f) {
  fprintf(f, "\n**%s**", s->name);
  emit_dims(r, s->dims, s->dim, f);
  if (s->record) fprintf(f, " (%u)", s->kind);
  fprintf(f, "%s %s", s->record ? "" : " (struct)", s->text);
  if (s->group != RECORDS_NONE) fprintf(f, " From `%s`.", r->group[s->group].name);
  if (s->unit[0] != '\0') fprintf(f, " Of unit `%s`.", s->unit);
  if (s->profile > 0) fprintf(f, " From P%u on.", s->profile);
  if (s->like != RECORDS_NONE) {
    fprintf(f, " Fields as %s.\n", r->shape[s->like].name);
    return;
  }
  fprintf(f, "\n\n| byte | field | type | meaning |\n|---|---|---|---|\n");
  for (unsigned i = s->first; i < s->first + s->fields; i++) emit_field_row(r, s, &r->field[i], f);
}

void records_emit_markdown(const struct records *r, FILE *f) {
  fprintf(f, "Version %u.\n", r->version);
  if (r->consts > 0) fprintf(f, "\n| constant | value | meaning |\n|---|---|---|\n");
  for (unsigned i = 0; i < r->consts; i++)
    fprintf(f, "| %s | %u | %s |\n", r->constant[i].name, r->constant[i].value, r->constant[i].text);
  if (r->dims > 0) fprintf(f, "\n| size | at the port | in C, in a trace | of |\n|---|---|---|---|\n");
  for (unsigned i = 0; i < r->dims; i++)
    fprintf(f, "| %s | %s | %u | %s |\n", r->dim[i].name, r->dim[i].port, r->dim[i].size, r->dim[i].text);
  if (r->bounds > 0) fprintf(f, "\n| bound | at the port | of |\n|---|---|---|\n");
  for (unsigned i = 0; i < r->bounds; i++)
    fprintf(f, "| %s | %s | %s |\n", r->bound[i].name, r->bound[i].port, r->bound[i].text);
  if (r->groups > 0) fprintf(f, "\n| shown by | of each | what |\n|---|---|---|\n");
  for (unsigned i = 0; i < r->groups; i++)
    fprintf(f, "| %s | %s | %s |\n", r->group[i].name,
            r->group[i].dim == RECORDS_NONE ? "" : r->dim[r->group[i].dim].name, r->group[i].text);
  for (unsigned i = 0; i < r->shapes; i++) emit_shape(r, &r->shape[i], f);
  if (r->reserves > 0) fprintf(f, "\n| kept for later | kind | meaning |\n|---|---|---|\n");
  for (unsigned i = 0; i < r->reserves; i++)
    fprintf(f, "| %s | %u | %s |\n", r->reserved[i].name, r->reserved[i].kind, r->reserved[i].text);
}
