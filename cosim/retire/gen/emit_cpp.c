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
  fprintf(f,
          "\n// %s\ntemplate <class D, class Port> inline void %s(heddle_record_%s &to, const Port &port, unsigned "
          "at)\n{\n",
          s->text, s->name, of->name);
  for (unsigned i = of->first; i < of->first + of->fields; i++)
    fprintf(f, "  static_assert(offsetof(heddle_record_%s, %s) == %u, \"as the port has it\");\n", of->name,
            r->field[i].name, r->field[i].offset);
  fprintf(f, "  static_assert(sizeof(heddle_record_%s) == %u, \"as the port has it\");\n", of->name, of->bytes);
  fprintf(f, "  ports::slice(&to, port, at, %u);\n", of->head / 4);
  if (left > 0) fprintf(f, "  at += %u;\n", of->head / 4);
  for (unsigned i = of->first; i < of->first + of->fields; i++)
    if (r->field[i].sized) emit_sized(r, &r->field[i], --left == 0, f);
  fprintf(f, "}\n");
}

/* How many of it one copy of its group has. */
static void emit_n(const struct records *r, const struct records_shape *s, FILE *f) {
  const bool many = s->group != RECORDS_NONE && r->group[s->group].dim != RECORDS_NONE;
  fprintf(f, "1");
  for (unsigned k = many ? 1 : 0; k < s->dims; k++) fprintf(f, " * D::%s", r->dim[s->dim[k]].name);
}

/* Places of a group's records, or of those of none, above those of `below`. What emit_sv.c lists last is lowest. */
static void emit_places(const struct records *r, int group, bool bank, const char *name, const char *below, FILE *f) {
  const int dim = group == RECORDS_NONE ? RECORDS_NONE : r->group[group].dim;
  const char *lower = NULL;
  fprintf(f, "  static constexpr unsigned %s_copies = %s%s", name,
          dim == RECORDS_NONE ? "1" : "D::", dim == RECORDS_NONE ? "" : r->dim[dim].name);
  for (unsigned words = 0; words < 2; words++) {
    fprintf(f, ", %s_%s = 0", name, words ? "words" : "bits");
    for (unsigned i = 0; i < r->shapes; i++) {
      if (!records_from(&r->shape[i], group, bank)) continue;
      fprintf(f, " + ");
      emit_n(r, &r->shape[i], f);
      if (words) fprintf(f, " * words<D>::%s", r->shape[i].name);
    }
  }
  if (below == NULL)
    fprintf(f, ", %s_bit = 0, %s_at = 2;\n", name, name);
  else
    fprintf(f, ", %s_bit = %s_bit + %s_copies * %s_bits, %s_at = %s_at + %s_copies * %s_words;\n", name, below, below,
            below, name, below, below, below);
  for (unsigned i = r->shapes; i-- > 0;) {
    const struct records_shape *s = &r->shape[i];
    if (!records_from(s, group, bank)) continue;
    fprintf(f, "  static constexpr place %s{", s->name);
    if (lower == NULL)
      fprintf(f, "%s_bit, %s_at, ", name, name);
    else
      fprintf(f, "%s.bit + %s.n, %s.at + %s.n * %s.words, ", lower, lower, lower, lower, lower);
    emit_n(r, s, f);
    fprintf(f, ", words<D>::%s, %s_copies, %s_bits, %s_words};\n", s->name, name, name, name);
    lower = s->name;
  }
}

static void emit_port(const struct records *r, const char *port, bool bank, FILE *f) {
  char alone[TEXT_NAME_MAX];
  (void)snprintf(alone, sizeof alone, "%s_alone", port);
  const char *below = alone;
  emit_places(r, RECORDS_NONE, bank, alone, NULL, f);
  for (unsigned i = r->groups; i-- > 0 && !bank; below = r->group[i].name)
    emit_places(r, (int)i, bank, r->group[i].name, below, f);
  fprintf(f, "  static constexpr unsigned %s_words = %s_at + %s_copies * %s_words;\n", port, below, below, below);
  fprintf(f, "  static_assert(%s_bit + %s_copies * %s_bits < 64, \"valid bits are one number\");\n", below, below,
          below);
}

static void emit_shown(const struct records *r, FILE *f) {
  fprintf(
      f,
      "\n// Where records of a kind lie in what an SM or a bank shows (%s_pkg::sm_t, bank_t): `n` of them, each of as\n"
      "// many words, and that in as many copies of the group that shows it, which has so many bits and words.\n"
      "struct place {\n  unsigned bit, at, n, words, copies, group_bits, group_words;\n"
      "  constexpr uint64_t mask() const\n  {\n    uint64_t m = 0;\n"
      "    for (unsigned c = 0; c < copies; c++) m |= ((uint64_t{1} << n) - 1) << (bit + c * group_bits);\n"
      "    return m;\n  }\n"
      "  constexpr unsigned word(unsigned of_bit) const\n  {\n    const unsigned i = of_bit - bit;\n"
      "    return at + i / group_bits * group_words + i %% group_bits * words;\n  }\n};\n"
      "template <class D> struct shown {\n",
      r->name);
  emit_port(r, "sm", false, f);
  emit_port(r, "bank", true, f);
  fprintf(f, "};\n\n// Bits of these ports.\ntemplate <class D> using bits = std::integer_sequence<int, "
             "int{32 * D::SMS * shown<D>::sm_words},\n  int{32 * D::MEM_BANKS * shown<D>::bank_words}>;\n");
}

/* The records of a kind that a cycle shows: a core has a port of its own for each kind, or none, where it does not show
 * it; of the machine what an SM and what a bank shows is one. */
static void emit_show(const struct records *r, const struct records_shape *s, FILE *f) {
  const char *of = records_fields_of(r, s)->name, *n = s->name, *port = s->of_bank ? "bank" : "sm";
  char kind[TEXT_NAME_MAX];
  size_t k = 0;
  for (; n[k] != '\0'; k++) kind[k] = (char)toupper((unsigned char)n[k]);
  kind[k] = '\0';
  fprintf(
      f,
      "\ntemplate <class D, class Port, class Sink> inline void one_%s(const Port &port, unsigned at, Sink &sink)\n{\n"
      "  heddle_record_%s &to = sink.add(HEDDLE_RECORD_%s).u.%s;\n  %s<D>(to, port, at);\n  sink.shown(to);\n}\n",
      n, of, kind, of, n);
  fprintf(f,
          "template <class D, class Top, class Sink>\n"
          "inline auto show_%s(const Top &t, Sink &sink, int) -> decltype(t.ret_%s_valid_o, void())\n{\n"
          "  each<words<D>::%s_ports>(t.ret_%s_valid_o,\n"
          "    [&](unsigned i) { one_%s<D>(t.ret_%s_o, i * words<D>::%s, sink); });\n}\n",
          n, n, n, n, n, n, n);
  fprintf(f,
          "template <class D, class Top, class Sink>\n"
          "inline auto show_%s(const Top &t, Sink &sink, int) -> decltype(t.ret_%s_o, void())\n{\n"
          "  for (unsigned of = 0; of < D::%s; of++)\n"
          "    each_of<shown<D>::%s.mask()>(t.ret_%s_o, of * shown<D>::%s_words, [&](unsigned bit) {\n"
          "      one_%s<D>(t.ret_%s_o, of * shown<D>::%s_words + shown<D>::%s.word(bit), sink);\n    });\n}\n",
          n, port, s->of_bank ? "MEM_BANKS" : "SMS", n, port, port, n, port, port, n);
  fprintf(f, "template <class D, class Top, class Sink> inline void show_%s(const Top &, Sink &, long) {}\n", n);
}

/* The bits of a valid vector. */
static void emit_each(FILE *f) {
  fprintf(f, "\n// Each bit that is set of a vector of N.\n"
             "template <unsigned N, class Port, class Do> inline void each(const Port &port, Do &&act)\n{\n"
             "  static_assert(N <= 64, \"a core is one SM\");\n"
             "  if constexpr (N == 1) {\n    if (ports::value(port) != 0) act(0);\n"
             "  } else {\n    for (uint64_t rest = ports::value(port); rest != 0; rest &= rest - 1)\n"
             "      act(static_cast<unsigned>(__builtin_ctzll(rest)));\n  }\n}\n");
  fprintf(
      f,
      "\n// ... of those of MASK among the bits that what an SM or a bank shows begins with.\n"
      "template <uint64_t MASK, class Port, class Do> inline void each_of(const Port &port, unsigned at, Do &&act)\n{\n"
      "  uint64_t valid;\n  ports::slice(&valid, port, at, 2);\n"
      "  for (uint64_t rest = valid & MASK; rest != 0; rest &= rest - 1)\n"
      "    act(static_cast<unsigned>(__builtin_ctzll(rest)));\n}\n");
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
  emit_shown(r, f);
  emit_cycle(r, f);
  fprintf(f, "\n} // namespace %s\n\n#endif\n", r->name);
}
