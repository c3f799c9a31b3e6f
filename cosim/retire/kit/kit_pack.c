/* SPDX-License-Identifier: Apache-2.0
 *
 * retire_pack_KIND.v: a port for each field, the record's vector out of them. Plain Verilog-2001, which every simulator
 * takes; arrays are flat vectors, element 0 lowest.
 */
#include <stdarg.h>

#include "cosim/retire/kit/kit.h"

enum { PIECES_MAX = 512, PIECE_MAX = 96 };

/* What the vector is made of, lowest first. */
struct pieces {
  unsigned n;
  char text[PIECES_MAX][PIECE_MAX];
};

__attribute__((format(printf, 2, 3))) static void add(struct pieces *p, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  if (p->n < PIECES_MAX) (void)vsnprintf(p->text[p->n++], PIECE_MAX, fmt, ap);
  va_end(ap);
}

static void pad(struct pieces *p, uint32_t bytes) {
  if (bytes != 0) add(p, "%u'd0", 8 * bytes);
}

/* Element i of `n` of a struct: its fields, each a port of its own. */
static void add_struct(const struct records *r, const struct records_field *x, uint32_t i, uint32_t n,
                       struct pieces *p) {
  const struct records_shape *s = &r->shape[x->shape];
  uint32_t at = 0;
  for (unsigned k = s->first; k < s->first + s->fields; k++) {
    const struct records_field *y = &r->field[k];
    pad(p, y->offset - at);
    if (n == 1)
      add(p, "%s_%s", x->name, y->name);
    else
      add(p, "%s_%s[%u:%u]", x->name, y->name, (i + 1) * y->bits - 1, i * y->bits);
    at = y->offset + y->size;
  }
  pad(p, s->bytes - at);
}

static void collect_pieces(const struct records *r, const struct records_shape *s, struct pieces *p) {
  uint32_t at = 0;
  for (unsigned k = s->first; k < s->first + s->fields; k++) {
    const struct records_field *x = &r->field[k];
    const uint32_t n = kit_elements(r, x);
    if (!x->sized || at < s->head) pad(p, x->offset - at);
    if (x->shape == RECORDS_NONE)
      add(p, "%s", x->name);
    else
      for (uint32_t i = 0; i < n; i++) add_struct(r, x, i, n, p);
    at = (x->sized && at > s->head ? at : x->offset) + n * x->size;
  }
  if (!s->sized) pad(p, s->bytes - at);
}

static void port(const char *name, const char *part, uint32_t bits, const char *text, FILE *f) {
  fprintf(f, "  input  wire [%u:0] %s%s%s, // %s\n", bits - 1, name, part[0] != '\0' ? "_" : "", part, text);
}

static void emit_ports(const struct records *r, const struct records_shape *s, FILE *f) {
  for (unsigned k = s->first; k < s->first + s->fields; k++) {
    const struct records_field *x = &r->field[k];
    const uint32_t n = kit_elements(r, x);
    if (x->shape == RECORDS_NONE) {
      port(x->name, "", n * x->bits, x->text, f);
      continue;
    }
    const struct records_shape *t = &r->shape[x->shape];
    for (unsigned i = t->first; i < t->first + t->fields; i++)
      port(x->name, r->field[i].name, n * r->field[i].bits, r->field[i].text, f);
  }
}

void kit_emit_pack(const struct records *r, const struct records_shape *s, FILE *f) {
  static struct pieces p;
  p.n = 0;
  const struct records_shape *own = records_fields_of(r, s);
  collect_pieces(r, own, &p);
  kit_banner(r, s->text, f);
  fprintf(f, "`default_nettype none\n\nmodule retire_pack_%s (\n", s->name);
  emit_ports(r, own, f);
  fprintf(f, "  output wire [%u:0] record\n);\n\n  assign record = {", kit_bits(r, s) - 1);
  for (unsigned i = p.n; i-- > 0;) fprintf(f, "\n    %s%s", p.text[i], i != 0 ? "," : "");
  fprintf(f, "};\n\nendmodule\n\n`default_nettype wire\n");
}
