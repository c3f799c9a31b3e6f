/* SPDX-License-Identifier: Apache-2.0
 *
 * The records as packed structs of SystemVerilog, and the C++ that reads them at a port.
 */
#include <ctype.h>
#include <string.h>
#include "cosim/retire/gen/records.h"

/* NAME_pkg.sv: packed structs with the bytes of the C structs. The first bytes are the lowest bits, so that fields
 * stand in reverse; what alignment leaves open is a field of its own, to be driven 0. */

static void emit_pad(unsigned *pads, uint32_t bytes, FILE *f) {
  if (bytes > 0) fprintf(f, "    logic [%u:0] pad%u;\n", 8 * bytes - 1, (*pads)++);
}

/* Many bytes, always as many, are one vector: a wave would show each of them as a signal. */
static bool is_flat(const struct records *r, const struct records_field *x) {
  return x->bits == 8 && x->dims == 1 && !x->sized && r->dim[x->dim[0]].size > 16;
}

static void emit_packed_field(const struct records *r, const struct records_field *x, FILE *f) {
  fprintf(f, "    ");
  if (x->shape == RECORDS_NONE)
    fprintf(f, "logic ");
  else
    fprintf(f, "%s_t ", r->shape[x->shape].name);
  if (is_flat(r, x)) {
    fprintf(f, "[8*%s-1:0] ", r->dim[x->dim[0]].name);
  } else {
    for (unsigned k = 0; k < x->dims; k++) fprintf(f, "[%s-1:0]", r->dim[x->dim[k]].name);
    if (x->shape == RECORDS_NONE)
      fprintf(f, "[%u:0] ", x->bits - 1);
    else if (x->dims > 0)
      fprintf(f, " ");
  }
  fprintf(f, "%s; // %s\n", x->name, x->text);
}

static uint32_t field_end(const struct records *r, const struct records_field *x) {
  uint32_t n = x->size;
  for (unsigned k = 0; k < x->dims; k++) n *= r->dim[x->dim[k]].size;
  return x->offset + n;
}

static void emit_shape(const struct records *r, const struct records_shape *s, FILE *f) {
  unsigned pads = 0;
  fprintf(f, "\n  // %s\n", s->text);
  if (s->like != RECORDS_NONE) {
    fprintf(f, "  typedef %s_t %s_t;\n", r->shape[s->like].name, s->name);
    return;
  }
  uint32_t below = s->head; /* where what has been written begins */
  fprintf(f, "  typedef struct packed {\n");
  for (unsigned i = s->first + s->fields; i-- > s->first;) {
    const struct records_field *x = &r->field[i];
    if (!x->sized) {
      emit_pad(&pads, below - field_end(r, x), f);
      below = x->offset;
    }
    emit_packed_field(r, x, f);
  }
  fprintf(f, "  } %s_t;\n", s->name);
}

/* Dimensions of a record in its group, which has one of each along the group's own. */
static unsigned first_dim(const struct records *r, const struct records_shape *s) {
  return s->group != RECORDS_NONE && r->group[s->group].dim != RECORDS_NONE ? 1 : 0;
}

static void emit_dims(const struct records *r, const struct records_shape *s, FILE *f) {
  for (unsigned k = first_dim(r, s); k < s->dims; k++) fprintf(f, "[%s-1:0]", r->dim[s->dim[k]].name);
  if (s->dims > first_dim(r, s)) fprintf(f, " ");
}

/* What a record's member of a port is called: `global` is a word of the language. */
static const char *member(const struct records_shape *s) {
  return strcmp(s->name, "global") == 0 ? "global_access" : s->name;
}

/* The members that the records of a group are, of valid bits or of records. */
static void emit_members(const struct records *r, int group, bool bank, bool valid, FILE *f) {
  for (unsigned i = 0; i < r->shapes; i++) {
    const struct records_shape *s = &r->shape[i];
    if (!records_from(s, group, bank)) continue;
    if (valid)
      fprintf(f, "    logic ");
    else
      fprintf(f, "    %s_t ", s->name);
    emit_dims(r, s, f);
    fprintf(f, "%s;\n", member(s));
  }
}

/* Valid bits apart from records, which are whole words: a simulator then copies a record without shifting it. */
static void emit_group(const struct records *r, unsigned n, FILE *f) {
  const struct records_group *g = &r->group[n];
  fprintf(f, "\n  // %s\n  // Which of its records are there, and the records.\n  typedef struct packed {\n", g->text);
  emit_members(r, (int)n, false, true, f);
  fprintf(f, "  } %s_valid_t;\n  typedef struct packed {\n", g->name);
  emit_members(r, (int)n, false, false, f);
  fprintf(f, "  } %s_ret_t;\n", g->name);
}

static void emit_port_struct(const struct records *r, const char *port, bool bank, bool valid, FILE *f) {
  const char *kind = valid ? "valid" : "ret";
  fprintf(f, "  typedef struct packed {\n");
  for (unsigned i = 0; i < r->groups && !bank; i++) {
    const struct records_group *g = &r->group[i];
    fprintf(f, "    %s_%s_t ", g->name, kind);
    if (g->dim != RECORDS_NONE) fprintf(f, "[%s-1:0] ", r->dim[g->dim].name);
    fprintf(f, "%s;\n", g->name);
  }
  emit_members(r, RECORDS_NONE, bank, valid, f);
  fprintf(f, "  } %s_%s_t;\n", port, kind);
}

/* What a top shows of an SM, or of a bank of memory: the same two, and both as one that is whole words. */
static void emit_port(const struct records *r, const char *port, bool bank, FILE *f) {
  fprintf(f, "\n  // Ports of a top, what %s shows: which records are there, the records, and both as one.\n",
          bank ? "a bank of memory" : "an SM");
  emit_port_struct(r, port, bank, true, f);
  emit_port_struct(r, port, bank, false, f);
  fprintf(f,
          "  typedef struct packed {\n    %s_ret_t ret;\n    logic [63-$bits(%s_valid_t):0] pad;\n    %s_valid_t "
          "valid;\n  } %s_t;\n",
          port, port, port, port);
}

/* The field of a record that says of which SM it is, or NULL. */
static const char *number_of(const struct records *r, const struct records_shape *s) {
  const struct records_shape *own = records_fields_of(r, s);
  for (unsigned i = own->first; i < own->first + own->fields; i++) {
    if (strcmp(r->field[i].name, "sm") == 0) return "sm";
    if (strcmp(r->field[i].name, "id") == 0 && r->field[i].shape != RECORDS_NONE) return "id.sm";
  }
  return NULL;
}

/* Nobody below a top knows which SM it is part of, so that all are one text; of a constant number wires are left. */
static void emit_number(const struct records *r, const struct records_shape *s, FILE *f) {
  const char *number = number_of(r, s);
  const bool grouped = s->group != RECORDS_NONE, many = first_dim(r, s) == 1;
  if (number == NULL || !s->record || s->of_bank) return;
  fprintf(f, "    ");
  for (unsigned k = 0; k < s->dims; k++)
    fprintf(f, "for (int unsigned i%u = 0; i%u < %s; i%u++) ", k, k, r->dim[s->dim[k]].name, k);
  fprintf(f, "sm_of.ret");
  if (grouped) fprintf(f, ".%s%s", r->group[s->group].name, many ? "[i0]" : "");
  fprintf(f, ".%s", member(s));
  for (unsigned k = many ? 1 : 0; k < s->dims; k++) fprintf(f, "[i%u]", k);
  fprintf(f, ".%s = number;\n", number);
}

static void emit_ports(const struct records *r, FILE *f) {
  emit_port(r, "sm", false, f);
  fprintf(f, "\n  // ... of the SM of that number, which is put into each record here.\n"
             "  function automatic sm_t sm_of(sm_valid_t valid, sm_ret_t ret, logic [7:0] number);\n"
             "    sm_of.valid = valid;\n    sm_of.pad   = '0;\n    sm_of.ret   = ret;\n");
  for (unsigned i = 0; i < r->shapes; i++) emit_number(r, &r->shape[i], f);
  fprintf(f, "  endfunction\n");
  emit_port(r, "bank", true, f);
}

static void emit_package(const struct records *r, bool whole, FILE *f) {
  fprintf(f, "// SPDX-License-Identifier: Apache-2.0\n// Generated from %s.records; do not edit.\n// %s\n", r->name,
          r->text);
  fprintf(f, "package %s_pkg;\n\n  /* verilator lint_off UNUSEDPARAM */\n", r->name);
  fprintf(f, "  localparam int unsigned VERSION = %u;\n", r->version);
  for (unsigned i = 0; i < r->consts; i++)
    fprintf(f, "  localparam int unsigned %s = %u; // %s\n", r->constant[i].name, r->constant[i].value,
            r->constant[i].text);
  for (unsigned i = 0; i < r->dims; i++)
    fprintf(f, "  localparam int unsigned %s = %s; // %s\n", r->dim[i].name, r->dim[i].port, r->dim[i].text);
  for (unsigned i = 0; i < r->bounds; i++)
    fprintf(f, "  localparam int unsigned %s = %s; // %s\n", r->bound[i].name, r->bound[i].port, r->bound[i].text);
  fprintf(f, "  /* verilator lint_on UNUSEDPARAM */\n");
  for (unsigned i = 0; i < r->shapes; i++) emit_shape(r, &r->shape[i], f);
  for (unsigned i = 0; i < r->groups && whole; i++) emit_group(r, i, f);
  if (whole) emit_ports(r, f);
  fprintf(f, "\nendpackage\n");
}

void records_emit_sv(const struct records *r, FILE *f) {
  emit_package(r, true, f);
}

void records_emit_sv_plain(const struct records *r, FILE *f) {
  emit_package(r, false, f);
}

/* NAME_ports.hpp: from the words of a port to the C struct. The head is copied as it is, then the arrays whose size the
 * configuration gives; of rows that may be absent, those that are there. */

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

static void emit_port_reader(const struct records *r, const char *port, bool bank, FILE *f) {
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
  emit_port_reader(r, "sm", false, f);
  emit_port_reader(r, "bank", true, f);
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
