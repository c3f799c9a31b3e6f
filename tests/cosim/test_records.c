/* SPDX-License-Identifier: Apache-2.0
 *
 * Records files: what is made of a small one, each way to get one wrong, and what the built header says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/record.h>
#include "tests/test.h"
#include "cosim/retire/gen/records.h"

#define HEAD "records some 7 \"Some records.\"\n"
#define FIRST                                                                                                          \
  HEAD "dim LANES 32 cfg_pkg::LANES 4 \"lanes\"\ndim TWO 4 2 1 \"few\"\ndim SAME 3 3 1 \"three\"\ndim MANY 32 32 1 "   \
       "\"many\"\n"

static bool load(const char *text, struct records *r, struct diag *d) {
  FILE *f = fopen("x.records", "w");
  assert_non_null(f);
  assert_true(fputs(text, f) >= 0);
  assert_int_equal(fclose(f), 0);
  memset(d, 0, sizeof *d);
  const bool well = records_load("x.records", r, d);
  (void)remove("x.records"); /* wherever it was started */
  return well;
}

static const char small[] = FIRST "const AGE 5 \"old\"   # a comment\n"
                                  "bound FEW cfg_pkg::FEW \"few of them\"\n"
                                  "reserve later 40 \"not yet\"\n"
                                  "group many TWO \"Those of many.\"\n"
                                  "group few \"Those of few.\"\n"
                                  "struct who \"Who.\"\n"
                                  "field a u8 \"first\"\n"
                                  "field b u32 \"second\" below=FEW\n"
                                  "record one TWO SAME from=many \"One.\"\n"
                                  "field id who \"who\"\n"
                                  "field used u8 \"rows\" bits=TWO\n"
                                  "field big u128 \"wide\" profile=2\n"
                                  "field three u16 SAME \"fixed\"\n"
                                  "field pad u16 \"fills up\"\n"
                                  "field row u32 TWO LANES \"rows of lanes\" when=used\n"
                                  "field byte u8 LANES \"bytes\"\n"
                                  "record four kind=3 unit=odd by=bank \"Four.\"\n"
                                  "field f u8 \"only\"\n"
                                  "record two like=one from=few profile=1 \"Two.\"\n"
                                  "record three \"Three.\"\n"
                                  "field c u8 \"alone\"\n"
                                  "field d u8 MANY \"bytes\"\n"
                                  "field e u8 \"odd\"\n";

static const struct records_field *field_of(const struct records *r, const char *name) {
  for (unsigned i = 0; i < r->fields; i++)
    if (strcmp(r->field[i].name, name) == 0) return &r->field[i];
  fail_msg("no field %s", name);
  return NULL;
}

static void test_reads(void **state) {
  (void)state;
  static struct records r;
  struct diag d;
  if (!load(small, &r, &d)) fail_msg("%s", d.text);
  assert_string_equal(r.name, "some");
  assert_int_equal(r.version, 7);
  assert_int_equal(r.shapes, 5);
  assert_int_equal(field_of(&r, "b")->offset, 4);
  assert_int_equal(r.shape[0].bytes, 8);
  assert_int_equal(field_of(&r, "used")->offset, 8);
  assert_int_equal(field_of(&r, "big")->offset, 16); /* as a C compiler aligns it */
  assert_int_equal(field_of(&r, "three")->offset, 32);
  assert_int_equal(field_of(&r, "pad")->offset, 38);
  assert_int_equal(field_of(&r, "row")->offset, 40);
  assert_int_equal(field_of(&r, "byte")->offset, 40 + 4 * 4 * 32);
  assert_true(field_of(&r, "row")->sized && !field_of(&r, "three")->sized);
  assert_int_equal(r.shape[1].head, 40);
  assert_int_equal(r.shape[1].bytes, 40 + 4 * 4 * 32 + 32);
  assert_ptr_equal(records_fields_of(&r, &r.shape[3]), &r.shape[1]);
  assert_int_equal(r.shape[4].bytes, 36); /* whole words */
  for (unsigned k = 0; k < 4; k++) assert_int_equal(records_of_kind(&r, k)->kind, k);
  assert_string_equal(records_of_kind(&r, 3)->unit, "odd");
  assert_string_equal(records_of_kind(&r, 2)->name, "three");
  assert_null(records_of_kind(&r, 4));
  assert_int_equal(records_count(&r), 4);
  assert_int_equal(records_kinds(&r), 4);
}

static void check_emitted(void (*emit)(const struct records *, FILE *), const char *const *lines) {
  static struct records r;
  struct diag d;
  char *text = NULL;
  size_t bytes = 0;
  assert_true(load(small, &r, &d));
  FILE *f = open_memstream(&text, &bytes);
  assert_non_null(f);
  emit(&r, f);
  assert_int_equal(fclose(f), 0);
  const char *at = text; /* in this order */
  for (; *lines != NULL; lines++) {
    at = strstr(at, *lines);
    if (at == NULL) fail_msg("no '%s' in its place in:\n%s", *lines, text);
  }
  free(text);
}

static void test_emits(void **state) {
  (void)state;
  static const char *const in_c[] = {
      "#define HEDDLE_RECORD_VERSION 7u",
      "#define HEDDLE_RECORD_AGE 5u ",
      "#define HEDDLE_RECORD_TWO 4u ",
      "  HEDDLE_RECORD_ONE = 0,\n  HEDDLE_RECORD_FOUR = 3,\n  HEDDLE_RECORD_TWO = 1,\n  HEDDLE_RECORD_THREE = 2,\n"
      "  HEDDLE_RECORD_KINDS = 4\n",
      "(0xfull >> (kind) & 1u)",
      "struct heddle_record_who {\n  uint8_t a; ",
      "  struct heddle_record_who id; ",
      "  uint64_t big[2]; ",
      "  uint32_t row[HEDDLE_RECORD_TWO][HEDDLE_RECORD_LANES]; ",
      "struct heddle_record_three {\n  uint8_t c; /* alone */\n  uint8_t d[HEDDLE_RECORD_MANY]; /* "
      "bytes */\n  uint8_t e; /* odd */\n  uint8_t tail_pad[2];\n};",
      "struct heddle_some_record {\n  uint32_t kind; ",
      "enum heddle_record_option {\n  HEDDLE_RECORD_OPTION_ONE_BIG,\n  HEDDLE_RECORD_OPTIONS\n};",
      "#define HEDDLE_RECORD_HIDDEN_P0 ((struct heddle_record_hidden){0x2u, 0x1u})",
      "#define HEDDLE_RECORD_HIDDEN_P1 ((struct heddle_record_hidden){0x0u, 0x1u})",
      "#define HEDDLE_RECORD_HIDDEN_P2 ((struct heddle_record_hidden){0x0u, 0x0u})",
      "#define HEDDLE_RECORD_RESERVED_LATER 40u /* not yet */",
      NULL};
  /* The first bytes are the lowest bits: fields in reverse, what alignment leaves open as fields of their own. */
  static const char *const in_sv[] = {"package some_pkg;",
                                      "localparam int unsigned LANES = cfg_pkg::LANES;",
                                      "localparam int unsigned TWO = 2;",
                                      "localparam int unsigned FEW = cfg_pkg::FEW; // few of them",
                                      "    logic [31:0] b; // second\n    logic [23:0] pad0;\n    logic [7:0] a; //",
                                      "    logic [LANES-1:0][7:0] byte; ",
                                      "    logic [TWO-1:0][LANES-1:0][31:0] row; ",
                                      "    logic [15:0] pad; ",
                                      "    logic [SAME-1:0][15:0] three; ",
                                      "    logic [127:0] big; // wide\n    logic [55:0] pad0;\n    logic [7:0] used; ",
                                      "    who_t id; // who\n  } one_t;",
                                      "typedef one_t two_t;",
                                      "    logic [15:0] pad0;\n    logic [7:0] e; // odd\n    logic [8*MANY-1:0] d; // "
                                      "bytes\n    logic [7:0] c; // alone\n  } three_t;",
                                      "logic [SAME-1:0] one;\n  } many_valid_t;",
                                      "one_t [SAME-1:0] one;\n  } many_ret_t;",
                                      "    logic two;\n  } few_valid_t;",
                                      "    two_t two;\n  } few_ret_t;",
                                      "    many_valid_t [TWO-1:0] many;\n    few_valid_t few;\n    logic three;\n  } "
                                      "sm_valid_t;",
                                      "    many_ret_t [TWO-1:0] many;\n    few_ret_t few;\n    three_t three;\n  } "
                                      "sm_ret_t;",
                                      "    sm_ret_t ret;\n    logic [63-$bits(sm_valid_t):0] pad;\n    sm_valid_t "
                                      "valid;\n  } sm_t;",
                                      "    logic four;\n  } bank_valid_t;",
                                      "    bank_valid_t valid;\n  } bank_t;",
                                      NULL};
  static const char *const in_cpp[] = {
      "static constexpr unsigned one = (40 + 4 * D::TWO * D::LANES + 1 * D::LANES) / 4;",
      "static constexpr unsigned one_ports = D::SMS * D::TWO * D::SAME;",
      "static constexpr unsigned four_ports = D::MEM_BANKS;", "inline void one(heddle_record_one &to,",
      "static_assert(offsetof(heddle_record_one, row) == 40,", "ports::slice(&to, port, at, 10);",
      "for (uint64_t rest = to.used & ((uint64_t{1} << D::TWO) - 1)",
      "ports::slice(to.byte, port, at, 1 * D::LANES / 4);", "inline void two(heddle_record_one &to,",
      /* The last member is lowest, above two words of valid bits. */
      "sm_alone_bits = 0 + 1, sm_alone_words = 0 + 1 * words<D>::three, sm_alone_bit = 0, sm_alone_at = 2;",
      "place three{sm_alone_bit, sm_alone_at, 1, words<D>::three, sm_alone_copies, sm_alone_bits, sm_alone_words};",
      "place two{few_bit, few_at, 1, ", "many_copies = D::TWO, many_bits = 0 + 1 * D::SAME,",
      "many_bit = few_bit + few_copies * few_bits,", "place one{many_bit, many_at, 1 * D::SAME, ",
      "unsigned sm_words = many_at + many_copies * many_words;", "place four{bank_alone_bit, bank_alone_at, 1, ",
      "inline auto show_three(const Top &t, Sink &sink, int) -> decltype(t.ret_three_valid_o, void())\n{\n"
      "  each<words<D>::three_ports>(t.ret_three_valid_o,",
      "inline auto show_three(const Top &t, Sink &sink, int) -> decltype(t.ret_sm_o, void())\n{\n"
      "  for (unsigned of = 0; of < D::SMS; of++)",
      NULL};
  static const char *const in_table[] = {"{\"id.a\", \"one\", 0, 1, 1, 8, 1, 8, -1, -1, 0, 0, -1},",
                                         "{\"big\", \"one\", 16, 8, 1, 16, 2, 8, -1, -1, 0, 0, 0},",
                                         "{\"three\", \"one\", 32, 2, 1, 6, 3, 2, 2, 2, 0, 0, -1},",
                                         "{\"row\", \"one\", 40, 4, 4, 128, 32, 4, 0, 1, 8, 1, -1},",
                                         "{\"c\", \"three\", 0, 1, 1, 1, 1, 1, -1, -1, 0, 0, -1},",
                                         "{\"one\", 0, 8, 0, 40},\n    {\"two\", 9, 8, 1, 40},\n    {\"three\", 17, 3, "
                                         "0, 36},\n    {\"four\", 8, 1, 0, 4},",
                                         "    \"one.big\",\n    0,\n",
                                         "{\"later\", 40},",
                                         NULL};
  static const char *const in_markdown[] = {"Version 7.",
                                            "| AGE | 5 | old |",
                                            "| LANES | cfg_pkg::LANES | 32 | lanes |",
                                            "| FEW | cfg_pkg::FEW | few of them |",
                                            "| many | TWO | Those of many. |\n| few |  | Those of few. |",
                                            "**one**[TWO][SAME] (0) One. From `many`.",
                                            "| 8 | used | u8 | rows; bits of TWO |",
                                            "| 16 | big | u128 | wide; from P2 on |",
                                            "| | row[TWO][LANES] | u32 | rows of lanes (where set: used) |",
                                            "**four** (3) Four. Of unit `odd`.",
                                            "**two** (1) Two. From `few`. From P1 on. Fields as one.",
                                            "| later | 40 | not yet |",
                                            NULL};
  static const char *const in_python[] = {"VERSION = 7\n",
                                          "\nTWO = 4\n",
                                          "        (\"id.a\", 1, 1, 1, None, None),\n",
                                          "        (\"big\", 8, 1, 2, None, 0),\n",
                                          "        (\"three\", 2, 1, 3, None, None),\n",
                                          "        (\"row\", 4, 4, LANES, \"used\", None),\n",
                                          "    1: (\"two\", (\n        (\"id.a\",",
                                          "OPTIONS = (\n    \"one.big\",\n)\n",
                                          "HIDDEN = (\n    (0x2, 0x1),\n    (0x0, 0x1),\n    (0x0, 0x0),\n)\n",
                                          "    40: \"later\",\n",
                                          NULL};
  check_emitted(records_emit_c, in_c);
  check_emitted(records_emit_sv, in_sv);
  check_emitted(records_emit_cpp, in_cpp);
  check_emitted(records_emit_table, in_table);
  check_emitted(records_emit_markdown, in_markdown);
  check_emitted(records_emit_python, in_python);
}

/* Each stands after FIRST, which has five lines, unless it begins with "records". */
static const struct {
  const char *text, *message;
} wrong[] = {
    {"records some 7\n", "x.records:1: error: expected 'records NAME VERSION \"TITLE\"'"},
    {"records some 0 \"S.\"\n", "x.records:1: error: the version is '0'; use 1 to 255"},
    {"records Some 1 \"S.\"\n",
     "x.records:1: error: 'Some' is not a name; use small letters, digits and '_', at most 31"},
    {"records some 1 \"S.\"\nrecords some 1 \"S.\"\n", "x.records:2: error: 'records' is given twice; remove one"},
    {"records some 1 \"S.\"\n", "x.records: error: there is no record"},
    {"word a", "x.records:6: error: 'word' is unknown; use const, dim, bound, group, reserve, struct, record, field"},
    {"const A -1 \"a\"", "x.records:6: error: the value is '-1'; use 0 to 2147483647"},
    {"const LANES 1 \"a\"", "x.records:6: error: LANES is given twice; rename one"},
    {"const VERSION 1 \"a\"", "x.records:6: error: VERSION is given twice; rename one"},
    {"const A 1 a", "x.records:6: error: 'a': a meaning is in double quotes"},
    {"const A 1 \"a|b\"", "x.records:6: error: a meaning is plain ASCII without |, \\ and the end of a comment"},
    {"const A 1 \"a*/b\"", "x.records:6: error: a meaning is plain ASCII without |, \\ and the end of a comment"},
    {"dim A 1025 4 1 \"a\"", "x.records:6: error: the size is '1025'; use 1 to 1024"},
    {"dim A 4 0 1 \"a\"", "x.records:6: error: the size at the port is '0'; use a number or PACKAGE::NAME"},
    {"dim A 4 a::b::c 1 \"a\"", "x.records:6: error: the size at the port is 'a::b::c'; use a number or PACKAGE::NAME"},
    {"dim A 4 ::c 1 \"a\"", "x.records:6: error: the size at the port is '::c'; use a number or PACKAGE::NAME"},
    {"dim A 4 a:c 1 \"a\"", "x.records:6: error: the size at the port is 'a:c'; use a number or PACKAGE::NAME"},
    {"dim A 4 5 1 \"a\"", "x.records:6: error: the size at the port is 5: more than in C, or no multiple of 1"},
    {"dim A 6 6 4 \"a\"", "x.records:6: error: the size at the port is 6: more than in C, or no multiple of 4"},
    {"dim A 6 p::A 4 \"a\"", "x.records:6: error: 6 is no multiple of 4"},
    {"dim A 4 4 5 \"a\"", "x.records:6: error: the multiple is '5'; use 1 to 4"},
    {"group g LANES TWO \"g\"", "x.records:6: error: expected 'group NAME [DIM] \"MEANING\"'"},
    {"group g \"g\"\ngroup g \"g\"", "x.records:7: error: g is given twice; rename one"},
    {"group g g", "x.records:6: error: 'g': a meaning is in double quotes"},
    {"record r from=g \"r\"", "x.records:6: error: from=g: no such group above"},
    {"group g TWO \"g\"\nrecord r from=g \"r\"", "x.records:7: error: from=g: its first dimension is TWO"},
    {"group g TWO \"g\"\nrecord r SAME from=g \"r\"", "x.records:7: error: from=g: its first dimension is TWO"},
    {"field a u8 \"a\"", "x.records:6: error: a field comes after the struct or record it belongs to"},
    {"record r \"r\"", "x.records:6: error: r has no fields"},
    {"record r NONE \"r\"", "x.records:6: error: 'NONE' is no dimension that was given above"},
    {"record r TWO TWO TWO \"r\"", "x.records:6: error: more than two dimensions"},
    {"record r like=s \"r\"", "x.records:6: error: like=s: no record with fields of that name above"},
    {"record r \"r\"\nfield a u8 \"a\"\nrecord r \"r\"", "x.records:8: error: r is given twice; rename one"},
    {"record r \"r\"\nfield a u8 \"a\"\nrecord s like=r \"s\"\nfield b u8 \"b\"",
     "x.records:9: error: s has the fields of another record"},
    {"record r \"r\"\nfield a u9 \"a\"",
     "x.records:7: error: type is 'u9'; use u8, u16, u32, u64, u128, or a struct given above"},
    {"struct s \"s\"\nfield a s \"a\"",
     "x.records:7: error: type is 's'; use u8, u16, u32, u64, u128, or a struct given above"},
    {"record r \"r\"\nfield a u8 \"a\"\nfield a u8 \"a\"", "x.records:8: error: a is given twice; rename one"},
    {"record r \"r\"\nfield a u8 \"a\" later",
     "x.records:7: error: expected 'field NAME TYPE [DIM ...] \"MEANING\" [when=FIELD] [profile=N] [below=SIZE] "
     "[bits=SIZE] [lanes=FIELD] [of=FIELD]'"},
    {"bound A 4", "x.records:6: error: expected 'bound NAME PORT-SIZE \"MEANING\"'"},
    {"bound LANES 4 \"a\"", "x.records:6: error: LANES is given twice; rename one"},
    {"bound A 0 \"a\"", "x.records:6: error: the size at the port is '0'; use a number or PACKAGE::NAME"},
    {"reserve a 256 \"a\"", "x.records:6: error: the kind is '256'; use 0 to 255"},
    {"reserve a 9 \"a\"\nreserve b 9 \"b\"", "x.records:7: error: b or its number 9 is reserved twice"},
    {"reserve a 0 \"a\"\nrecord r \"r\"\nfield a u8 \"a\"",
     "x.records: error: kind 0 is reserved for a, and is that of r"},
    {"record r kind=64 \"r\"", "x.records:6: error: the kind is '64'; use 0 to 63"},
    {"record r profile=1 kind=32 \"r\"", "x.records:6: error: r: kinds from 32 on cannot be left out; use profile=0"},
    {"group g \"g\"\nrecord r from=g by=bank \"r\"", "x.records:7: error: r: by=bank, or of a group: not both"},
    {"record r unit=R \"r\"", "x.records:6: error: unit=R: use small letters and '_'"},
    {"record r \"r\"\nfield a u8 \"a\"\nrecord s like=r kind=0 \"s\"",
     "x.records:8: error: r and s are both of kind 0"},
    {"record r profile=3 \"r\"", "x.records:6: error: the profile is '3'; use 0 to 2"},
    {"record r profile=2 \"r\"\nfield a u8 \"a\" profile=1", "x.records:7: error: the profile is '1'; use 2 to 2"},
    {"record r \"r\"\nfield a u8 \"a\" below=NONE", "x.records:7: error: 'NONE' is no constant, dim or bound above"},
    {"record r \"r\"\nfield a u128 \"a\" bits=TWO", "x.records:7: error: a: only numbers have bounds"},
    {"record r \"r\"\nfield b u8 \"b\"\nfield a u32 LANES \"a\" lanes=c",
     "x.records:8: error: lanes=c: no such field above"},
    {"record r \"r\"\nfield b u8 \"b\"\nfield a u32 LANES \"a\" lanes=b",
     "x.records:8: error: lanes=b: a number with a bit for each entry of the last dimension"},
    {"record r \"r\"\nfield b u8 \"b\"\nfield a u128 \"a\" of=b",
     "x.records:8: error: of=b: a u32 above; and what is expected by it is a u128"},
    {"record r \"r\"\nfield a u32 LANES \"a\" when=b", "x.records:7: error: when=b: no such field above"},
    {"record r \"r\"\nfield b u8 \"b\"\nfield a u32 LANES \"a\" when=b",
     "x.records:8: error: when=b: a number with a bit for each element of an array"},
    {"record r \"r\"\nfield a u32 LANES \"a\"\nfield b u8 \"b\"",
     "x.records:8: error: b: arrays of variable size come last"},
    {"record r \"r\"\nfield a u8 TWO \"a\"",
     "x.records:7: error: a: an array of variable size consists of 32-bit words"},
    {"record r \"r\"\nfield b u8 \"b\"\nfield a u8 LANES \"a\"",
     "x.records:8: error: a: an array of variable size starts at a 32-bit word"},
    {"record r \"r\"\nfield a u64 LANES \"a\"",
     "x.records:7: error: a: an array of variable size starts at a 32-bit word"},
    {"record r \"r\"\nfield a u128 TWO \"a\"", "x.records:7: error: a: a record may have u128, one by itself"},
    {"struct s \"s\"\nfield a u8 SAME \"a\"\nrecord r \"r\"\nfield b s \"b\"",
     "x.records:7: error: a: fields of a struct are numbers"},
    {"dim BIG 1024 1024 1 \"b\"\nrecord r \"r\"\nfield a u64 BIG SAME \"a\"",
     "x.records:8: error: r has more than 8192 bytes"},
};

static void test_wrong(void **state) {
  (void)state;
  static struct records r;
  struct diag d;
  char text[1024];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const bool whole = strncmp(wrong[i].text, "records", 7) == 0;
    snprintf(text, sizeof text, "%s%s\n", whole ? "" : FIRST, wrong[i].text);
    if (load(text, &r, &d)) fail_msg("accepted: %s", wrong[i].text);
    assert_string_equal(d.text, wrong[i].message);
  }
}

/* More of anything than there is room for is refused, not written over. */
static void test_bounds(void **state) {
  (void)state;
  static const struct {
    const char *before, *after, *message;
    unsigned n;
  } many[] = {{"const A", " 1 \"a\"\n", "more than 32 constants", 33},
              {"dim A", " 4 4 1 \"a\"\n", "more than 16 dimensions", 13},
              {"group a", " \"a\"\n", "more than 8 groups", 9},
              {"bound A", " 4 \"a\"\n", "more than 16 bounds", 17},
              {"record a", " \"a\"\nfield x u8 \"x\"\n", "more than 40 structs and records", 41},
              {"field a", " u8 \"a\"\n", "more than 256 fields", 257}};
  static struct records r;
  static char text[32768];
  struct diag d;
  for (size_t k = 0; k < sizeof many / sizeof *many; k++) {
    size_t at = (size_t)snprintf(text, sizeof text, "%srecord r \"r\"\n", FIRST);
    if (many[k].n == 41) at = strlen(FIRST);
    for (unsigned i = 0; i < many[k].n; i++) {
      const int n = snprintf(text + at, sizeof text - at, "%s%u%s", many[k].before, i, many[k].after);
      at += (size_t)n;
    }
    assert_false(load(text, &r, &d));
    if (strstr(d.text, many[k].message) == NULL) fail_msg("%s", d.text);
  }
}

/* What the built header says, where other code depends on it. */
static void test_built(void **state) {
  (void)state;
  assert_int_equal(HEDDLE_RECORD_VERSION, 9);
  assert_true(HEDDLE_RECORD_WORDS >= 10 && HEDDLE_RECORD_WORDS >= HEDDLE_RECORD_SLOTS);
  assert_int_equal(sizeof(struct heddle_record_id), 8);
  assert_int_equal(HEDDLE_RECORD_LANES, 32);
  assert_int_equal(offsetof(struct heddle_record_write, data), 20);
  assert_string_equal(heddle_record_kind_name(HEDDLE_RECORD_WARP_START), "warp start");
}

/* Each profile shows what docs/retire-port.md lists, and all that the lower ones do. */
static void test_profiles(void **state) {
  (void)state;
  const struct heddle_record_hidden h[] = {HEDDLE_RECORD_HIDDEN_P0, HEDDLE_RECORD_HIDDEN_P1, HEDDLE_RECORD_HIDDEN_P2};
  char text[256];
  for (int p = 0; p < 3; p++) assert_int_equal(heddle_record_profile(h[p]), p);
  heddle_record_hidden_text(h[0], text, sizeof text);
  assert_string_equal(text,
                      "warp_start, predicate, operands, operands_memory, uniform_read, global.stamp, global.bank, "
                      "write.row, write.port, write.bank, issue.ps, issue.dhash, issue.clock");
  heddle_record_hidden_text(h[1], text, sizeof text);
  assert_string_equal(text,
                      "warp_start, operands_memory, global.stamp, global.bank, write.row, write.port, write.bank, "
                      "issue.dhash, issue.clock");
  heddle_record_hidden_text(h[2], text, sizeof text);
  assert_string_equal(text, "");
  heddle_record_hidden_text(h[0], text, 12); /* cut */
  assert_string_equal(text, "warp_start,");
  const struct heddle_record_hidden less = {1u << HEDDLE_RECORD_WRITE, 0},
                                    between = {0, 1u << HEDDLE_RECORD_OPTION_ISSUE_PS};
  assert_int_equal(heddle_record_profile(less), -1);
  assert_string_equal(heddle_record_profile_name(less), "none");
  assert_string_equal(heddle_record_profile_name(between), "P0");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reads), cmocka_unit_test(test_emits),
                                     cmocka_unit_test(test_wrong), cmocka_unit_test(test_bounds),
                                     cmocka_unit_test(test_built), cmocka_unit_test(test_profiles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
