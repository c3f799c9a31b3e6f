/* SPDX-License-Identifier: Apache-2.0
 *
 * cfg_pkg.sv of one configuration, C table of all.
 */
#include <ctype.h>
#include <inttypes.h>

#include "isa/configs/gen/cfg.h"

/* Bits of an index 0 .. n-1; at least one, so that a vector can be declared. */
static unsigned index_width(unsigned n) {
  unsigned w = 1;
  while (((n - 1) >> w) != 0) w++;
  return w;
}

struct name {
  char s[TEXT_NAME_MAX];
};

static struct name upper_name(const char *s) {
  struct name n = {""};
  for (unsigned i = 0; s[i] != '\0' && i + 1 < sizeof n.s; i++) n.s[i] = (char)toupper((unsigned char)s[i]);
  return n;
}

static void param(FILE *f, const char *name, unsigned v) {
  fprintf(f, "  localparam int unsigned %s = %u;\n", name, v);
}

/* A number for each of `n`, the first in the lowest bits. */
static void params(FILE *f, const char *name, const unsigned *v, unsigned n) {
  fprintf(f, "  localparam logic [%u:0][31:0] %s = {", n - 1, name);
  for (unsigned i = n; i-- > 0;) fprintf(f, "32'd%u%s", v[i], i == 0 ? "};\n" : ", ");
}

/* For each pipe the constant of its own, so that what replaces that one changes both. */
static void emit_named(FILE *f, const char *name, const char *before, const char *after, const struct cfg_fixed *x) {
  fprintf(f, "  localparam logic [%u:0][31:0] %s = {", x->pipes - 1, name);
  for (unsigned i = CFG_FIXED; i-- > 0;)
    if (x->number[i] < x->pipes)
      fprintf(f, "%s%s%s%s", before, upper_name(cfg_pipe_names[i].name).s, after, x->number[i] == 0 ? "};\n" : ", ");
}

static unsigned largest_of(const unsigned *v, unsigned n) {
  unsigned m = v[0];
  for (unsigned i = 1; i < n; i++) m = v[i] > m ? v[i] : m;
  return m;
}

static void emit_fixed(const struct cfg *c, FILE *f) {
  const struct cfg_fixed x = cfg_fixed(c);
  fprintf(f, "\n  // Pipes of fixed latency by number, one that the machine lacks above all; groups of which one\n"
             "  // has a result in a cycle; how many instructions of them end in a cycle.\n");
  param(f, "PIPES", x.pipes);
  for (unsigned i = 0; i < CFG_FIXED; i++) {
    const struct name up = upper_name(cfg_pipe_names[i].name);
    fprintf(f, "  localparam int unsigned PIPE_%s = %u;\n", up.s, x.number[i]);
    if (x.number[i] < x.pipes) fprintf(f, "  localparam int unsigned %s_PASSES = %u;\n", up.s, x.passes[x.number[i]]);
  }
  params(f, "PIPE_UNIT", x.unit, x.pipes);
  emit_named(f, "PIPE_LATENCY", "LATENCY_", "", &x);
  emit_named(f, "PIPE_PASSES", "", "_PASSES", &x);
  params(f, "PIPE_GROUP", x.group, x.pipes);
  param(f, "GROUPS", x.groups);
  params(f, "GROUP_LEADER", x.leader, x.groups);
  param(f, "LATENCY_MAX", largest_of(x.latency, x.pipes));
  param(f, "PASSES_MAX", largest_of(x.passes, x.pipes));
  param(f, "FIXED_ENDS", x.ends);
}

void cfg_emit_sv(const struct cfg *c, FILE *f) {
  fprintf(
      f,
      "// SPDX-License-Identifier: Apache-2.0\n// Generated from isa/configs/%s.cfg; do not edit.\n// The machine's "
      "sizes and latencies; *_W is the width of an index.\n",
      c->name);
  fprintf(f, "package cfg_pkg;\n\n  /* verilator lint_off UNUSEDPARAM */\n\n");
  for (unsigned k = 0; k < CFG_KEYS; k++) {
    const struct name up = upper_name(cfg_key_names[k]);
    const char *name = up.s;
    if (k == CFG_WARPS || k == CFG_REGS) {
      fprintf(f, "  localparam int unsigned SM_%s = %u;   // of all partitions\n", name, c->value[k]);
      param(f, name, c->value[k] / c->value[CFG_PARTITIONS]);
    } else {
      param(f, name, c->value[k]);
    }
  }
  fprintf(f, "\n");
  param(f, "BEATS", 32 / c->value[CFG_LANES]);
  param(f, "LSU_BEATS", 32 / c->value[CFG_LSU_LANES]);
  param(f, "LANE_W", index_width(c->value[CFG_LANES]));
  param(f, "BEAT_W", index_width(32 / c->value[CFG_LANES]));
  param(f, "PART_W", index_width(c->value[CFG_PARTITIONS]));
  param(f, "WARP_W", index_width(c->value[CFG_WARPS] / c->value[CFG_PARTITIONS]));
  param(f, "SM_WARP_W", index_width(c->value[CFG_WARPS]));
  param(f, "REG_W", index_width(c->value[CFG_REGS] / c->value[CFG_PARTITIONS]));
  param(f, "BANK_W", index_width(c->value[CFG_BANKS]));
  param(f, "BLOCK_W", index_width(c->value[CFG_BLOCKS]));
  emit_fixed(c, f);
  fprintf(f, "\n  localparam int unsigned SCHED = %u; // host_regs_pkg::POLICY_*\n", c->sched);
  fprintf(f, "  localparam logic HAS_ITS = 1'b%u;\n", c->its);
  for (unsigned i = 0; i < CFG_PIPES; i++)
    fprintf(f, "  localparam logic HAS_%s = 1'b%u;\n", upper_name(cfg_pipe_names[i].name).s,
            (c->pipes & (unsigned)cfg_pipe_names[i].pipe) != 0);
  fprintf(f, "  localparam logic [31:0] UNITS = 32'h%08x; // of these a bit for each of isa_pkg::unit_e\n",
          c->pipes & ~(unsigned)(CFG_PIPE_ASYNC | CFG_PIPE_FATOM));
  fprintf(f, "\n");
  fprintf(f, "  localparam logic [63:0] CFG_HASH     = 64'h%016" PRIx64 ";\n", c->hash);
  fprintf(f, "  localparam logic [63:0] LATENCY_HASH = 64'h%016" PRIx64 ";\n", c->latency_hash);
  fprintf(f, "\n  /* verilator lint_on UNUSEDPARAM */\nendpackage\n");
}

void cfg_emit_c(const struct cfg *c, unsigned n, FILE *f) {
  fprintf(
      f, "/* Generated from isa/configs/NAME.cfg; do not edit. */\n#include \"isa/configs/lib/config_internal.h\"\n\n");
  fprintf(f, "const size_t heddle_config_table_size = %u;\n\nconst struct heddle_config heddle_config_table[] = {\n",
          n);
  for (unsigned i = 0; i < n; i++) {
    fprintf(f, "  {.name = \"%s\",\n   .beats = %u,\n", c[i].name, 32 / c[i].value[CFG_LANES]);
    for (unsigned k = 0; k < CFG_KEYS; k++) fprintf(f, "   .%s = %u,\n", cfg_key_names[k], c[i].value[k]);
    const struct cfg_fixed x = cfg_fixed(&c[i]);
    fprintf(f, "   .latency_max = %u,\n", largest_of(x.latency, x.pipes));
    fprintf(f, "   .sched = %u,\n   .its = %s,\n   .pipes = %u,\n", c[i].sched, c[i].its ? "true" : "false",
            c[i].pipes);
    fprintf(f, "   .hash = UINT64_C(0x%016" PRIx64 "),\n   .latency_hash = UINT64_C(0x%016" PRIx64 ")},\n", c[i].hash,
            c[i].latency_hash);
  }
  fprintf(f, "};\n");
}
