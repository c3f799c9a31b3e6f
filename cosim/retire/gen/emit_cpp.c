/* SPDX-License-Identifier: Apache-2.0
 *
 * NAME_ports.hpp: from the words of a port to the C struct. The head is copied as it is, then the arrays whose size the
 * configuration gives; of rows that may be absent, those that are there.
 */
#include <ctype.h>
#include <string.h>

#include "cosim/retire/gen/records.h"

static void emit_elements(const struct records *r, const struct records_field *x, FILE *f) {
  fprintf(f, "%u", x->size);
  for (unsigned k = 0; k < x->dims; k++) fprintf(f, " * D::%s", r->dim[x->dim[k]].name);
}

static void emit_words(const struct records *r, const struct records_shape *s, FILE *f) {
  const struct records_shape *of = records_fields_of(r, s);
  fprintf(f, "  static constexpr unsigned %s = (%u", s->name, of->head);
  for (unsigned i = of->first; i < of->first + of->fields; i++) {
    const struct records_field *x = &r->field[i];
    if (!x->sized) continue;
    fprintf(f, " + ");
    emit_elements(r, x, f);
  }
  fprintf(f, ") / 4;\n");
}

/* How many of it a cycle shows, each a bit of its valid vector: of each SM, or of each bank of memory, as many as it
 * has dimensions. */
static void emit_count(const struct records *r, const struct records_shape *s, FILE *f) {
  fprintf(f, "  static constexpr unsigned %s_ports = D::%s", s->name, s->of_bank ? "MEM_BANKS" : "SMS");
  for (unsigned k = 0; k < s->dims; k++) fprintf(f, " * D::%s", r->dim[s->dim[k]].name);
  fprintf(f, ";\n");
}

static void emit_rows(const struct records *r, const struct records_field *x, FILE *f) {
  const struct records_dim *rows = &r->dim[x->dim[0]], *row = &r->dim[x->dim[1]];
  fprintf(f, "  constexpr unsigned %s_row = %u * D::%s / 4;\n", x->name, x->size, row->name);
  fprintf(f, "  for (uint64_t rest = to.%s & ((uint64_t{1} << D::%s) - 1); rest != 0; rest &= rest - 1) {\n",
          r->field[x->when].name, rows->name);
  fprintf(f, "    const unsigned k = static_cast<unsigned>(__builtin_ctzll(rest));\n");
  fprintf(f, "    ports::slice(to.%s[k], port, at + k * %s_row, %s_row);\n  }\n", x->name, x->name, x->name);
}

static void emit_sized(const struct records *r, const struct records_field *x, bool last, FILE *f) {
  if (x->dims == 2 && x->when != RECORDS_NONE)
    emit_rows(r, x, f);
  else {
    fprintf(f, "  ports::slice(to.%s, port, at, ", x->name);
    emit_elements(r, x, f);
    fprintf(f, " / 4);\n");
  }
  if (last) return;
  fprintf(f, "  at += ");
  emit_elements(r, x, f);
  fprintf(f, " / 4;\n");
}

static void emit_copy(const struct records *r, const struct records_shape *s, FILE *f) {
  const struct records_shape *of = records_fields_of(r, s);
  unsigned left = 0;
  for (unsigned i = of->first; i < of->first + of->fields; i++) left += r->field[i].sized;
  fprintf(f, "\n// %s\ntemplate <class D, class Port> inline void %s(record_%s &to, const Port &port, unsigned i)\n{\n",
          s->text, s->name, of->name);
  for (unsigned i = of->first; i < of->first + of->fields; i++)
    fprintf(f, "  static_assert(offsetof(record_%s, %s) == %u, \"as the port has it\");\n", of->name, r->field[i].name,
            r->field[i].offset);
  fprintf(f, "  static_assert(sizeof(record_%s) == %u, \"as the port has it\");\n", of->name, of->bytes);
  fprintf(f, "  unsigned at = i * words<D>::%s;\n  ports::slice(&to, port, at, %u);\n", s->name, of->head / 4);
  if (left > 0) fprintf(f, "  at += %u;\n", of->head / 4);
  for (unsigned i = of->first; i < of->first + of->fields; i++)
    if (r->field[i].sized) emit_sized(r, &r->field[i], --left == 0, f);
  fprintf(f, "}\n");
}

/* Bits of each port, as a list for templates. */
static void emit_bits(const struct records *r, FILE *f) {
  bool first = true;
  fprintf(f, "\n// Bits of the ports.\ntemplate <class D> using bits = std::integer_sequence<int");
  for (unsigned i = 0; i < r->shapes; i++) {
    const char *name = r->shape[i].name;
    if (!r->shape[i].record) continue;
    fprintf(f, ",%sint{32 * words<D>::%s * words<D>::%s_ports}", first ? " " : "\n  ", name, name);
    first = false;
  }
  fprintf(f, ">;\n");
}

/* A core that does not show a kind has no port for it: then there is nothing to look at. */
static void emit_show(const struct records *r, const struct records_shape *s, FILE *f) {
  const char *of = records_fields_of(r, s)->name;
  fprintf(f,
          "\ntemplate <class D, class Top, class Sink>\n"
          "inline auto show_%s(const Top &t, Sink &sink, int) -> decltype(t.ret_%s_valid_o, void())\n{\n"
          "  each<words<D>::%s_ports>(t.ret_%s_valid_o, [&](unsigned i) {\n    record_%s &to = sink.add(RECORD_",
          s->name, s->name, s->name, s->name, of);
  for (const char *c = s->name; *c != '\0'; c++) fputc(toupper((unsigned char)*c), f);
  fprintf(f, ").u.%s;\n    %s<D>(to, t.ret_%s_o, i);\n    sink.shown(to);\n  });\n}\n", of, s->name, s->name);
  fprintf(f, "template <class D, class Top, class Sink> inline void show_%s(const Top &, Sink &, long) {}\n", s->name);
}

/* The bits of a valid vector, which more than two words hold where there are many SMs. */
static void emit_each(FILE *f) {
  fprintf(f, "\n// Each bit that is set of a vector of N.\n"
             "template <unsigned N, class Port, class Do> inline void each(const Port &port, Do &&act)\n{\n"
             "  if constexpr (N == 1) {\n    if (ports::value(port) != 0) act(0);\n"
             "  } else if constexpr (N <= 64) {\n"
             "    for (uint64_t rest = ports::value(port); rest != 0; rest &= rest - 1)\n"
             "      act(static_cast<unsigned>(__builtin_ctzll(rest)));\n"
             "  } else {\n    uint32_t word[(N + 31) / 32];\n    ports::slice(word, port, 0, (N + 31) / 32);\n"
             "    for (unsigned w = 0; w < (N + 31) / 32; w++)\n"
             "      for (uint32_t rest = word[w]; rest != 0; rest &= rest - 1)\n"
             "        act(32 * w + static_cast<unsigned>(__builtin_ctz(rest)));\n  }\n}\n");
}

static void emit_cycle(const struct records *r, FILE *f) {
  emit_each(f);
  for (unsigned i = 0; i < r->shapes; i++)
    if (r->shape[i].record) emit_show(r, &r->shape[i], f);
  fprintf(
      f,
      "\n// All records of a cycle, in their order. sink.add(kind) gives a place for one, sink.shown(record) sees it.\n"
      "template <class D, class Top, class Sink> inline void cycle(const Top &t, Sink &sink)\n{\n");
  for (unsigned i = 0; i < r->shapes; i++)
    if (r->shape[i].record) fprintf(f, "  show_%s<D>(t, sink, 0);\n", r->shape[i].name);
  fprintf(f, "}\n");
}

/* Sizes at the port that no configuration changes. */
static void emit_sizes(const struct records *r, FILE *f) {
  fprintf(f, "// Sizes at the port that are the same in every configuration.\n");
  for (unsigned i = 0; i < r->dims; i++) {
    if (strchr(r->dim[i].port, ':') != NULL) continue;
    fprintf(f, "constexpr unsigned PORT_%s = %s;\n", r->dim[i].name, r->dim[i].port);
  }
  fprintf(f, "\n");
}

void records_emit_cpp(const struct records *r, FILE *f) {
  fprintf(f, "// SPDX-License-Identifier: Apache-2.0\n// Generated from %s.records; do not edit.\n// %s\n", r->name,
          r->text);
  fprintf(f, "// D names the sizes of a configuration (D::%s ...); ports::slice(to, port, first, n) copies n words.\n",
          r->dims > 0 ? r->dim[0].name : "LANES");
  fprintf(f,
          "#ifndef HEDDLE_PORTS_OF_RECORDS_HPP\n#define HEDDLE_PORTS_OF_RECORDS_HPP\n\n#include <cstddef>\n"
          "#include <cstdint>\n#include <utility>\n\nextern \"C\" {\n#include <heddle/%s_records.h>\n}\n\nnamespace "
          "%s {\n\n",
          r->name, r->name);
  emit_sizes(r, f);
  fprintf(f, "// 32-bit words of one record, and how many a cycle shows.\ntemplate <class D> struct words {\n");
  for (unsigned i = 0; i < r->shapes; i++)
    if (r->shape[i].record) emit_words(r, &r->shape[i], f);
  for (unsigned i = 0; i < r->shapes; i++)
    if (r->shape[i].record) emit_count(r, &r->shape[i], f);
  fprintf(f, "  static constexpr unsigned all_ports = 0");
  for (unsigned i = 0; i < r->shapes; i++)
    if (r->shape[i].record) fprintf(f, "%s + %s_ports", i % 5 == 0 ? "\n     " : "", r->shape[i].name);
  fprintf(f, ";\n};\n");
  for (unsigned i = 0; i < r->shapes; i++)
    if (r->shape[i].record) emit_copy(r, &r->shape[i], f);
  emit_bits(r, f);
  emit_cycle(r, f);
  fprintf(f, "\n} // namespace %s\n\n#endif\n", r->name);
}
