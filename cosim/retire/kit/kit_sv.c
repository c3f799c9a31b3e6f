/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilog about the port: packers, an interface, assertions of its bounds, a bind file.
 */
#include <stdarg.h>
#include <string.h>
#include "cosim/retire/kit/kit.h"

/* retire_pack_KIND.v: a port for each field, the record's vector out of them. Plain Verilog-2001, which every simulator
 * takes; arrays are flat vectors, element 0 lowest. */

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
  fprintf(f, "module retire_pack_%s (\n", s->name);
  emit_ports(r, own, f);
  fprintf(f, "  output wire [%u:0] record\n);\n\n  assign record = {", kit_bits(r, s) - 1);
  for (unsigned i = p.n; i-- > 0;) fprintf(f, "\n    %s%s", p.text[i], i != 0 ? "," : "");
  fprintf(f, "};\n\nendmodule\n");
}

/* SystemVerilog about the port: an interface, assertions of its bounds, a bind file. */

/* "ret_KIND_valid, ret_KIND" of every kind, a line each. */
static void list_nets(const struct records *r, const char *before, const char *last, FILE *f) {
  const struct records_shape *s;
  for (unsigned k = 0; (s = kit_record(r, k)) != NULL; k++)
    fprintf(f, "%sret_%s_valid, ret_%s%s\n", before, s->name, s->name, kit_record(r, k + 1) != NULL ? "," : last);
}

void kit_emit_if(const struct records *r, FILE *f) {
  const struct records_shape *s;
  kit_banner(r, "The retire port as an interface. Cycles are counted from reset.", f);
  fprintf(f, "interface retire_if (input wire clk, input wire rst_n);\n\n"
             "  logic        ret_ready; // 0: stop issuing\n  logic [63:0] cycle;\n");
  for (unsigned k = 0; (s = kit_record(r, k)) != NULL; k++) {
    fprintf(f, "\n  // %s\n  logic [%u:0] ret_%s_valid;\n", s->text, kit_instances(r, s) - 1, s->name);
    fprintf(f, "  retire_pkg::%s_t [%u:0] ret_%s;\n", s->name, kit_instances(r, s) - 1, s->name);
  }
  fprintf(f, "\n  always @(posedge clk) cycle <= rst_n ? cycle + 1 : 0;\n\n"
             "  modport core (input clk, rst_n, ret_ready, output\n");
  list_nets(r, "    ", ");", f);
  fprintf(f, "  modport judge (output ret_ready, input clk, rst_n, cycle,\n");
  list_nets(r, "    ", ");", f);
  fprintf(f, "\nendinterface\n");
}

/* ---- bounds ---- */

static const char check_macro[] =
    "// The same twice: as a concurrent assertion, and as a clocked `if` for simulators without them.\n"
    "`define RETIRE_CHECK(NAME, WHEN, HOLDS, TEXT) \\\n"
    "  if (CONCURRENT) begin : NAME``_sva \\\n"
    "    holds: assert property (@(posedge clk) disable iff (!rst_n) (WHEN) |-> (HOLDS)) else $error(TEXT); \\\n"
    "  end else begin : NAME``_if \\\n"
    "    always @(posedge clk) if (rst_n && (WHEN) && !(HOLDS)) $error(TEXT); \\\n"
    "  end\n\n";

/* A place in a record: where it stands in SystemVerilog, what it is called, the condition under which it is there. */
struct place {
  char expr[128], name[96], when[160];
  unsigned profile;
};

static void emit_check(const struct place *p, const char *suffix, const char *holds, const char *what, FILE *f) {
  char flat[96];
  (void)snprintf(flat, sizeof flat, "%s", p->name);
  for (char *c = flat; *c != '\0'; c++)
    if (*c == '.' || *c == '[' || *c == ']') *c = '_';
  fprintf(f, "    `RETIRE_CHECK(%s_%s, %s", flat, suffix, p->when);
  if (p->profile != 0) fprintf(f, " && PROFILE >= %u", p->profile);
  fprintf(f, ",\n      %s, \"retire: %s %s\")\n", holds, p->name, what);
}

/* What bounds one number: nothing, where its bits can hold no more. */
static void emit_bounds(const struct records *r, const struct records_field *x, const struct place *p, FILE *f) {
  char holds[256], what[96];
  const uint32_t below = x->below[0] != '\0' ? kit_number(r, x->below) : 0;
  const uint32_t bits = x->mask_of[0] != '\0' ? kit_number(r, x->mask_of) : x->bits;
  if (below != 0 && (x->bits >= 32 || below < (1u << x->bits))) {
    (void)snprintf(holds, sizeof holds, "%s < %u", p->expr, below);
    (void)snprintf(what, sizeof what, "is not below %s, %u", x->below, below);
    emit_check(p, "below", holds, what, f);
  }
  if (bits < x->bits) {
    (void)snprintf(holds, sizeof holds, "(%s >> %u) == 0", p->expr, bits);
    (void)snprintf(what, sizeof what, "has bits at or above %s, %u", x->mask_of, bits);
    emit_check(p, "bits", holds, what, f);
  }
}

static bool bounded(const struct records *r, const struct records_field *x) {
  if (x->shape == RECORDS_NONE) return x->below[0] != '\0' || x->mask_of[0] != '\0';
  const struct records_shape *s = &r->shape[x->shape];
  for (unsigned i = s->first; i < s->first + s->fields; i++)
    if (bounded(r, &r->field[i])) return true;
  return false;
}

/* One element of a field: a number, or the numbers of a struct. */
static void emit_element(const struct records *r, const struct records_field *x, const struct place *p, FILE *f) {
  if (x->shape == RECORDS_NONE) {
    emit_bounds(r, x, p, f);
    return;
  }
  const struct records_shape *s = &r->shape[x->shape];
  for (unsigned i = s->first; i < s->first + s->fields; i++) {
    struct place q = *p;
    (void)snprintf(q.expr, sizeof q.expr, "%.90s.%s", p->expr, r->field[i].name);
    (void)snprintf(q.name, sizeof q.name, "%.60s.%s", p->name, r->field[i].name);
    emit_bounds(r, &r->field[i], &q, f);
  }
}

static void emit_field_bound(const struct records *r, const struct records_shape *s, const struct records_field *x,
                             FILE *f) {
  const uint32_t n = x->dims == 0 ? 1 : kit_port_size(r, x->dim[0]);
  if (!bounded(r, x) || x->dims > 1) return;
  for (uint32_t i = 0; i < n; i++) {
    struct place p = {.profile = x->profile > s->profile ? x->profile : s->profile};
    char index[16] = "";
    if (x->dims != 0) (void)snprintf(index, sizeof index, "[%u]", i);
    (void)snprintf(p.expr, sizeof p.expr, "ret_%s[i].%s%s", s->name, x->name, index);
    (void)snprintf(p.name, sizeof p.name, "%s.%s%s", s->name, x->name, index);
    (void)snprintf(p.when, sizeof p.when, "ret_%s_valid[i]", s->name);
    if (x->when != RECORDS_NONE)
      (void)snprintf(p.when, sizeof p.when, "ret_%s_valid[i] && ret_%s[i].%s[%u]", s->name, s->name,
                     r->field[x->when].name, i);
    emit_element(r, x, &p, f);
  }
}

static void emit_record(const struct records *r, const struct records_shape *s, FILE *f) {
  const struct records_shape *own = records_fields_of(r, s);
  const uint32_t n = kit_instances(r, s);
  fprintf(f, "\n  // %s\n", s->text);
  fprintf(f, "  `RETIRE_CHECK(%s_valid_known, 1'b1,\n    !$isunknown(ret_%s_valid), \"retire: valid of %s is X\")\n",
          s->name, s->name, s->name);
  fprintf(f, "  for (genvar i = 0; i < %u; i++) begin : gen_%s\n", n, s->name);
  for (unsigned k = own->first; k < own->first + own->fields; k++) emit_field_bound(r, s, &r->field[k], f);
  fprintf(f, "  end\n");
}

static void typed_ports(const struct records *r, FILE *f) {
  const struct records_shape *s;
  for (unsigned k = 0; (s = kit_record(r, k)) != NULL; k++) {
    const uint32_t n = kit_instances(r, s);
    fprintf(f, "  input wire [%u:0] ret_%s_valid,\n", n - 1, s->name);
    fprintf(f, "  input wire retire_pkg::%s_t [%u:0] ret_%s%s\n", s->name, n - 1, s->name,
            kit_record(r, k + 1) != NULL ? "," : "");
  }
}

void kit_emit_assert(const struct records *r, FILE *f) {
  const struct records_shape *s;
  kit_banner(r, "Bounds of each number of a record (below=, bits=, when=), and that valid is no X.", f);
  fprintf(f, "// Fields of a profile above PROFILE are not looked at. Order and identity: retire_protocol.sv.\n%s",
          check_macro);
  fprintf(f, "module retire_assert #(\n  parameter bit          CONCURRENT = 1,\n"
             "  parameter int unsigned PROFILE    = 2\n) (\n  input wire clk,\n  input wire rst_n,\n");
  typed_ports(r, f);
  fprintf(f, ");\n");
  for (unsigned k = 0; (s = kit_record(r, k)) != NULL; k++) emit_record(r, s, f);
  fprintf(f, "\nendmodule\n\n`undef RETIRE_CHECK\n");
}

/* ---- bind ---- */

static const char bind_head[] =
    "// Define RETIRE_CORE, the module that has the port; and what differs of the rest.\n"
    "`ifndef RETIRE_CORE\n  `error_define_RETIRE_CORE_as_the_module_that_shows_records\n`endif\n"
    "`ifndef RETIRE_CLK\n  `define RETIRE_CLK clk\n`endif\n`ifndef RETIRE_RST_N\n  `define RETIRE_RST_N rst_n\n`endif\n"
    "`ifndef RETIRE_LAUNCH // high in the cycle in which a launch begins; reset says so too\n"
    "  `define RETIRE_LAUNCH 1'b0\n`endif\n`ifndef RETIRE_READY\n  `define RETIRE_READY ret_ready\n`endif\n"
    "`ifndef RETIRE_PROFILE\n  `define RETIRE_PROFILE 2\n`endif\n`ifndef RETIRE_CONCURRENT\n"
    "  `define RETIRE_CONCURRENT 1\n`endif\n\n";

void kit_emit_bind(const struct records *r, FILE *f) {
  const struct records_shape *s;
  kit_banner(r, "Both modules of assertions beside a core with ports named ret_KIND_valid and ret_KIND.", f);
  fprintf(f,
          "%sbind `RETIRE_CORE retire_assert #(.CONCURRENT(`RETIRE_CONCURRENT), .PROFILE(`RETIRE_PROFILE))\n"
          "  retire_assert_i (.clk(`RETIRE_CLK), .rst_n(`RETIRE_RST_N)",
          bind_head);
  for (unsigned k = 0; (s = kit_record(r, k)) != NULL; k++)
    fprintf(f, ",\n    .ret_%s_valid, .ret_%s", s->name, s->name);
  fprintf(f, ");\n\nbind `RETIRE_CORE retire_protocol #(.CONCURRENT(`RETIRE_CONCURRENT))\n"
             "  retire_protocol_i (.clk(`RETIRE_CLK), .rst_n(`RETIRE_RST_N), .launch(`RETIRE_LAUNCH),\n"
             "    .ret_ready(`RETIRE_READY), .any_valid(|{");
  for (unsigned k = 0; (s = kit_record(r, k)) != NULL; k++)
    fprintf(f, "%sret_%s_valid", k % 4 != 0 ? ", " : k == 0 ? "" : ",\n      ", s->name);
  fprintf(f, "}),\n");
  static const char *const used[] = {"block_start", "barrier", "issue", "trap", "block_end"};
  for (unsigned k = 0; k < 5; k++) fprintf(f, "    .ret_%s_valid, .ret_%s%s\n", used[k], used[k], k < 4 ? "," : ");");
}
