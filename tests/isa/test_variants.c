/* SPDX-License-Identifier: Apache-2.0
 *
 * Uniform registers and predicates, short immediates, part suffixes, and what the RTL does not know: what is derived
 * from them, and every way to get them wrong.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "isa/gen/emit.h"
#include "tests/isa/isa_text.h"
#include "tests/test.h"

/* Behind the prelude: cases append lines from 41 on. */
static const char more[] = "unit uni fixed\n"
                           "set half -|.H1_H0=0 .H0_H0=1 .H1_H1=2*\n"
                           "set mode .A=0 .B=1 .C=2* .D=3*\n"
                           "field upg 15:12 uguard\n"
                           "field urd 21:16 ugpr.write\n"
                           "field ura 29:24 ugpr.read\n"
                           "field urb 37:32 ugpr.read\n"
                           "field upd0 83:81 upred.write\n"
                           "field ups0 90:87 upred.read\n"
                           "field pd0 83:81 pred.write\n"
                           "field ps0 90:87 pred.read\n"
                           "field pd1 86:84 pred.write\n"
                           "field hb 97:96 set half\n"
                           "field mode 99:98 set mode\n"
                           "field s5 44:40 u5\n"
                           "field s13 57:45 u13\n"
                           "field coff 53:38 coff\n"
                           "field cbank 58:54 cbank\n"
                           "format UU form=1 upg urd a=ura b=urb only=model\n"
                           "format RP form=2 pg rd a=ra b=rb,nb,,hb\n";

static char *both(void) {
  size_t n = strlen(isa_prelude) + sizeof more;
  char *text = malloc(n);
  assert_non_null(text);
  (void)snprintf(text, n, "%s%s", isa_prelude, more);
  return text;
}

static const struct enc *find_enc(const struct spec *s, const char *insn, const char *format) {
  for (unsigned i = 0; i < s->n_encs; i++)
    if (strcmp(s->insn[s->enc[i].insn].name, insn) == 0 && strcmp(s->format[s->enc[i].format].name, format) == 0)
      return &s->enc[i];
  fail_msg("no %s %s", insn, format);
  return NULL;
}

static void test_declarations(void **state) {
  char *start = *state;
  static const struct bad cases[] = {
      {"field f 4:0 uguard", "t.isa:41: error: field 'f' is 5 bits wide; kind 'uguard' needs 4"},
      {"field f 2:0 upred.read", "t.isa:41: error: field 'f' is 3 bits wide; kind 'upred.read' needs 4"},
      {"field f 3:0 upred.write", "t.isa:41: error: field 'f' is 4 bits wide; kind 'upred.write' needs 3"},
      {"field f 8:0 ugpr.read", "t.isa:41: error: field 'f' is 9 bits wide; at most 8 for kind 'ugpr.read'"},
      {"field f 8:0 ugpr.write", "t.isa:41: error: field 'f' is 9 bits wide; at most 8 for kind 'ugpr.write'"},
      {"field up 2:0 upred.write", "t.isa:41: error: field 'up': a field of kind 'upred.write' is named upd0 or upd1"},
      {"field up 3:0 upred.read",
       "t.isa:41: error: field 'up': a field of kind 'upred.read' is named ups0, ups1 or ups2"},
      {"field f 2:0 coff", "t.isa:41: error: field 'f' is 3 bits wide; a constant's offset needs 4 or more"},
      {"set s -=0*", "t.isa:41: error: set 's': the value that prints nothing cannot be starred; the RTL has it"},
      {"set s -|.A=0* .B=1",
       "t.isa:41: error: set 's': the value that prints nothing cannot be starred; the RTL has it"},
      {"set s .A=*", "t.isa:41: error: set 's': expected TOKEN=VALUE, found '.A=*'"},
      {"set s .A=0**", "t.isa:41: error: set 's': expected TOKEN=VALUE, found '.A=0**'"},
      {"set s .A=256*", "t.isa:41: error: set 's': value 256 is out of range; the largest is 255"},
      {"set pred .A=0", "t.isa:41: error: set name 'pred' is used by the generated code; rename it"},
  };
  CHECK(start, cases);
}

static void test_formats(void **state) {
  char *start = *state;
  static const struct bad cases[] = {
      {"format F pg a=ra,nb,nb,hb,hb", "t.isa:41: error: 'a=ra,nb,nb,hb,hb': expected OPERAND=SLOT[,NEG[,ABS[,PART]]]"},
      {"format F pg a=ra,,,nb", "t.isa:41: error: field 'nb' is of kind 'neg'; here a field of kind 'set' is needed"},
      {"format F pg a=s5,,,hb",
       "t.isa:41: error: 'a=s5,,,hb': an immediate carries its own sign; remove the negate field"},
      {"field wide 40:0 u41\nformat F pg a=wide",
       "t.isa:42: error: field 'wide' is 41 bits wide; an immediate operand has at most 32"},
      {"format F pg a=ups0", "t.isa:41: error: field 'ups0' is of kind 'upred.read'; an operand is in a 'gpr.read', "
                             "'ugpr.read', 'imm32' or 'uN' field or in 'const'"},
      {"format F pg only=rtl", "t.isa:41: error: only 'rtl' is unknown; use only=model"},
  };
  CHECK(start, cases);
}

static void test_instructions(void **state) {
  char *start = *state;
  static const struct bad cases[] = {
      {"insn S op=3 UU \"{urd}, {a}, {b}\" unit=uni sem=s only=model only=model",
       "t.isa:41: error: 'only=' is given twice; remove one"},
      {"insn S op=3 UU \"{urd}, {a}, {b}\" unit=uni sem=s only=rtl",
       "t.isa:41: error: only 'rtl' is unknown; use only=model"},
      {"insn S op=3 RR \"{rd}, {a}, {b:.}\" unit=alu sem=s",
       "t.isa:41: error: S RR: the format has no part field for operand 'b'"},
      {"insn S op=3 RP \"{rd}, {a}, {b:..}\" unit=alu sem=s",
       "t.isa:41: error: S: operand flags '.' are not of - | ~ ., each once"},
      {"insn S op=3 RP hb \"{rd}, {a}, {b:.}\" unit=alu sem=s",
       "t.isa:41: error: S RP: field 'hb' is printed twice; remove it from the field list"},
      {"insn S op=3 RP \"{rd}, {a}, {b:.}, {hb}\" unit=alu sem=s",
       "t.isa:41: error: S RP: field 'hb' is printed twice; remove {hb} from the syntax"},
      {"insn S op=3 RR \"{rd}, {b}[, {a}]\" unit=alu sem=s",
       "t.isa:41: error: S: operand 'a' is in an optional group; operands cannot be left out"},
      {"format N form=3 rd a=ra\ninsn S op=3 N \"{rd}, {a}\" unit=alu sem=s",
       "t.isa:42: error: S N: owns no guard; add a field of kind 'guard' or 'uguard'"},
      {"field pg2 103:100 guard\nformat N form=3 pg pg2 rd a=ra\ninsn S op=3 N \"{rd}, {a}\" unit=alu sem=s",
       "t.isa:43: error: S N: owns 2 fields of kind 'guard' or 'uguard'; one is possible"},
      {"field u2 103:100 ugpr.write\nformat N form=3 pg rd u2 a=ra\ninsn S op=3 N \"{rd}, {u2}, {a}\" unit=alu sem=s",
       "t.isa:43: error: S N: owns 2 fields of kind 'gpr.write' or 'ugpr.write'; one is possible"},
      {"field upd1 86:84 upred.write\ninsn S op=3 RR \"{rd}, {pd0}, {upd1}, {a}, {b}\" unit=alu sem=s only=model",
       "t.isa:42: error: S RR: 'pd0' is a predicate of the thread and 'upd1' one of the warp; use one kind"},
      {"field ps1 103:100 pred.read\ninsn S op=3 RR \"{rd}, {ps1}, {ups0}, {a}, {b}\" unit=alu sem=s only=model",
       "t.isa:42: error: S RR: 'ps1' is a predicate of the thread and 'ups0' one of the warp; use one kind"},
      {"format N form=3 pg rd a=ra ura\ninsn S op=3 N \"{rd}, {a}\" unit=alu sem=s only=model",
       "t.isa:41: error: N: fields 'ura' and 'ra' both own bit 24"},
      {"format N form=3 pg rd b=rb ura\ninsn S op=3 N \"{rd}, {b}\" unit=alu sem=s only=model",
       "t.isa:42: error: S N: field 'ura' of kind 'ugpr.read' is not behind an operand; write a=ura in the format"},
      {"format R2 form=3 pg rd a=rb b=ra\ninsn S op=3 RR R2 \"{rd}, {a}, {b}\" unit=alu sem=s",
       "t.isa:42: error: S: formats 'RR' and 'R2' have the same kinds of operands; remove one"},
      {"insn S op=3 UU \"{urd}, {a}, {b}\" unit=uni sem=s wide=c:2",
       "t.isa:41: error: S UU: wide names 'c', which the encoding does not have"},
      {"format RI form=4 pg rd a=ra b=imm\ninsn S op=3 RI \"{rd}, {a}, {b}\" unit=alu sem=s",
       "t.isa:42: error: S RI: operand 'b' is an immediate; add imm=TYPE"},
  };
  CHECK(start, cases);
}

/* What the package's decoded word has no place for must be marked. */
static void test_must_be_marked(void **state) {
  char *start = *state;
  static const struct bad cases[] = {
      {"format SR form=3 pg rd a=s5 b=rb\ninsn S op=3 SR \"{rd}, {a}, {b}\" unit=alu sem=s",
       "t.isa:42: error: S SR: has a short immediate as operand a, which the RTL cannot take yet; add only=model"},
      {"field s17 56:40 u17\nformat RS form=3 pg rd a=ra b=s17\ninsn S op=3 RS \"{rd}, {a}, {b}\" unit=alu sem=s",
       "t.isa:43: error: S RS: has a short immediate of more than 16 bits, which the RTL cannot take yet; add "
       "only=model"},
  };
  CHECK(start, cases);
}

static void test_derived(void **state) {
  struct diag d;
  struct spec *s = load_isa(*state,
                            "format SS form=3 pg rd a=ra b=s5 c=s13\n"
                            "insn UADD op=3 UU \"{urd}, {a}, {b}\" unit=uni sem=s\n"
                            "insn SH op=4 SS \"{rd}, {a}, {b}, {c}\" unit=alu sem=s only=model\n"
                            "insn H op=5 RP mode \"{rd}, {a}, {b:-.}\" unit=alu sem=s\n"
                            "insn HX op=6 RP \"{rd}, {a}, {b:-}\" unit=alu sem=s",
                            &d);
  if (s == NULL) fail_msg("%s", d.text);
  const struct enc *u = find_enc(s, "UADD", "UU"), *h = find_enc(s, "H", "RP"), *sh = find_enc(s, "SH", "SS");
  assert_true(u->only_model); /* by its format */
  assert_false(s->insn[u->insn].only_model);
  assert_true(sh->only_model); /* by its instruction */
  assert_false(h->only_model);
  assert_int_equal(u->src[0].kind, SLOT_UREG);
  assert_true(slot_is_register(&u->src[1]));
  assert_true(slot_is_short(s, &sh->src[1]) && slot_is_short(s, &sh->src[2]));
  assert_int_equal(h->src[1].part, spec_field(s, "hb"));
  assert_true(enc_owns(h, spec_field(s, "hb")));
  assert_false(enc_owns(find_enc(s, "HX", "RP"), spec_field(s, "hb"))); /* the template does not allow it */
  const struct set *half = &s->set[spec_set(s, "half")];
  assert_true(half->legal[2] && !half->rtl[2] && half->rtl[1] && !half->legal[3]);
  spec_free(s);
}

/* Programs stay valid when the RTL learns something. */
static void test_hash(void **state) {
  (void)state;
  static const char *const same[] = {"set s .A=0 .B=1\ninsn S op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s",
                                     "set s .A=0 .B=1*\ninsn S op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s",
                                     "set s .A=0 .B=1\ninsn S op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s only=model"};
  uint64_t hash[3];
  for (unsigned i = 0; i < 3; i++) {
    struct diag d;
    struct spec *s = load_isa(isa_prelude, same[i], &d);
    assert_non_null(s);
    hash[i] = s->hash;
    spec_free(s);
  }
  assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static char *emitted(const struct spec *s, void (*emit)(const struct spec *s, FILE *f)) {
  struct diag d = {0};
  FILE *f = text_create(".", "out.txt", &d);
  assert_non_null(f);
  emit(s, f);
  assert_true(text_close(f, "out.txt", &d));
  char *text = text_read("out.txt", (struct pos){"out.txt", 0}, &d);
  assert_non_null(text);
  assert_int_equal(unlink("out.txt"), 0);
  return text;
}

/* Text between two marks. */
static char *between(const char *text, const char *from, const char *to) {
  const char *a = strstr(text, from), *b = a == NULL ? NULL : strstr(a, to);
  assert_non_null(b);
  return strndup(a, (size_t)(b - a));
}

/* The package lists everything by name, but its decoder knows neither the encoding nor the value. */
static void test_package(void **state) {
  struct diag d;
  struct spec *s = load_isa(*state,
                            "format RC form=5 pg rd a=ra b=const\n"
                            "insn UADD op=0x123 UU \"{urd}, {a}, {b}\" unit=uni sem=s\n"
                            "insn H op=0x124 RP mode \"{rd}, {a}, {b:.}\" unit=alu sem=s\n"
                            "insn W op=0x125 RC size \"{rd}, {a}, {b}\" unit=alu sem=s wide=b:2\n"
                            "insn V op=0x126 RC size \"{rd}, {a}, {b}\" unit=alu sem=s wide=b:size",
                            &d);
  if (s == NULL) fail_msg("%s", d.text);
  char *sv = emitted(s, emit_sv), *id = between(sv, "function automatic logic [16:0] dec_id", "endfunction");
  assert_non_null(strstr(sv, "OP_UADD = 8'd1"));
  assert_non_null(strstr(id, "12'h922")); /* H: op 0x124, form 2 */
  assert_null(strstr(id, "12'h919"));     /* UADD: op 0x123, form 1 */
  char *mode = between(sv, "function automatic logic ok_mode", "endfunction");
  char *half = between(sv, "function automatic logic ok_half", "endfunction");
  char *ok = between(sv, "function automatic logic [0:0] dec_ok", "endfunction");
  assert_non_null(strstr(mode, "8'd0, 8'd1: ok_mode"));
  assert_non_null(strstr(half, "8'd0, 8'd1: ok_half"));
  assert_non_null(strstr(ok, "ok_mode({6'd0, word[99:98]})")); /* all four values are legal in C */
  assert_non_null(strstr(ok, "aligned({6'd0, word[41:40]}, 2'd1)"));
  assert_non_null(strstr(ok, "aligned({6'd0, word[41:40]}, words_size("));
  free(sv), free(id), free(mode), free(half), free(ok);
  spec_free(s);
}

static void test_manual(void **state) {
  struct diag d;
  struct spec *s = load_isa(*state,
                            "insn UADD op=3 UU \"{urd}, {a}, {b}\" unit=uni sem=s\n"
                            "insn H op=4 RP mode \"{rd}, {a}, {b:.}\" unit=alu sem=s only=model",
                            &d);
  assert_non_null(s);
  char *text = emitted(s, emit_manual);
  assert_non_null(strstr(text, "2 `.C`\\*"));
  assert_non_null(strstr(text, "Format UU (not in the RTL yet)"));
  assert_non_null(strstr(text, "Unit alu; meaning: `s`. Not in the RTL yet."));
  free(text);
  spec_free(s);
}

/* Each form has every bit once, from the top down; what the RTL lacks is said. */
static void test_json(void **state) {
  struct diag d;
  struct spec *s = load_isa(*state,
                            "insn UADD op=3 UU \"{urd}, {a}, {b}\" unit=uni sem=s\n"
                            "insn H op=4 RP mode \"{rd}, {a}, {b:.}\" unit=alu sem=s only=model",
                            &d);
  assert_non_null(s);
  json_t *j = doc_json(s), *insns = json_object_get(j, "instructions"), *in, *form, *run;
  size_t i, k, n;
  unsigned forms = 0;
  json_array_foreach(insns, i, in) json_array_foreach(json_object_get(in, "forms"), k, form) {
    json_int_t next = 127;
    json_array_foreach(json_object_get(form, "bits"), n, run) {
      assert_int_equal(json_integer_value(json_object_get(run, "hi")), next);
      next = json_integer_value(json_object_get(run, "lo")) - 1;
    }
    assert_int_equal(next, -1);
    forms++;
  }
  assert_int_equal(forms, s->n_encs);
  in = json_array_get(insns, json_array_size(insns) - 1);
  assert_string_equal(json_string_value(json_object_get(in, "name")), "H");
  assert_false(json_is_true(json_object_get(in, "rtl")));
  json_decref(j);
  spec_free(s);
}

static int setup(void **state) {
  *state = both();
  return 0;
}

static int teardown(void **state) {
  free(*state);
  return 0;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

/* The variants that ship: what they move, and what they leave alone. Each field of the base by itself, narrower by one
 * bit and by four. And every way to write a shuffle or a `least` wrong. */

static struct spec *load_file(const char *path) {
  struct diag d = {0};
  struct spec *s = spec_load(path, &d);
  if (s == NULL) fail_msg("%s", d.text);
  return s;
}

/* Same names, kinds, formats and instructions; the hash tells them apart. */
static void assert_same_language(const struct spec *a, const struct spec *b) {
  assert_int_equal(a->n_fields, b->n_fields);
  assert_int_equal(a->n_encs, b->n_encs);
  assert_int_equal(a->n_insns, b->n_insns);
  assert_true(a->hash != b->hash);
  for (unsigned i = 0; i < a->n_fields; i++) {
    assert_string_equal(a->field[i].name, b->field[i].name);
    assert_int_equal(a->field[i].kind, b->field[i].kind);
  }
  for (unsigned i = 0; i < a->n_encs; i++) {
    assert_int_equal(a->enc[i].key, b->enc[i].key);
    assert_int_equal(a->enc[i].n_fields, b->enc[i].n_fields);
  }
}

static void test_scatter(void **state) {
  (void)state;
  struct spec *a = load_file(ISA_DIR "/heddle.isa"), *b = load_file(ISA_DIR "/variants/scatter.isa");
  assert_same_language(a, b);
  for (unsigned i = 0; i < a->n_fields; i++) {
    const struct field *f = &a->field[i], *g = &b->field[i];
    if (g->lo == f->lo) fail_msg("'%s' stayed at %u:%u", f->name, f->hi, f->lo);
    assert_int_equal(field_width(g), field_width(f));
  }
  spec_free(a);
  spec_free(b);
}

static void test_r62(void **state) {
  (void)state;
  struct spec *a = load_file(ISA_DIR "/heddle.isa"), *b = load_file(ISA_DIR "/variants/r62.isa");
  assert_same_language(a, b);
  for (unsigned i = 0; i < a->n_fields; i++) {
    const struct field *f = &a->field[i], *g = &b->field[i];
    bool general = f->kind == K_GPR_READ || f->kind == K_GPR_WRITE;
    if (field_width(g) != (general ? 6 : field_width(f)))
      fail_msg("'%s' has %u bits; add a move to variants/r62.isa", f->name, field_width(g));
    assert_int_equal(g->lo, f->lo);
  }
  spec_free(a);
  spec_free(b);
}

/* Rows of short words are all that is new: full tables, no row twice, each of some instruction. */
static void test_pairs(void **state) {
  (void)state;
  struct spec *a = load_file(ISA_DIR "/heddle.isa"), *b = load_file(ISA_DIR "/variants/pairs.isa");
  assert_same_language(a, b);
  for (unsigned i = 0; i < a->n_fields; i++) assert_true(field_mask(&a->field[i]) == field_mask(&b->field[i]));
  assert_int_equal(a->n_short_rows, 0);
  assert_int_equal(b->n_short_rows, SPEC_SHORT_ROWS);
  assert_int_equal(b->n_short_codes, SPEC_SHORT_CODES);
  for (unsigned i = 0; i < b->n_short_rows; i++) {
    const struct short_row *r = &b->short_row[i];
    unsigned e = 0;
    while (e < b->n_encs && ((r->bits ^ b->enc[e].match) & b->enc[e].fixed) != 0) e++;
    if (e == b->n_encs) fail_msg("row %u is of no instruction", i);
    for (unsigned k = 0; k < i; k++)
      if (r->bits == b->short_row[k].bits && r->kind == b->short_row[k].kind) fail_msg("rows %u and %u are one", i, k);
  }
  spec_free(a);
  spec_free(b);
}

#define ROWS "import " ISA_DIR "/heddle.isa\nshort pattern 0x802 int\nshort code 0x7e1\n"

static void test_wrong_rows(void **state) {
  (void)state;
  static const struct bad cases[] = {
      {"short", "t.isa:4: error: expected 'short pattern ...' or 'short code ...'"},
      {"short pattern 0x802", "t.isa:4: error: expected 'short pattern 0xBITS none|int|high|offset|const'"},
      {"short pattern 802 int", "t.isa:4: error: expected up to 128 bits as 0x..., found '802'"},
      {"short pattern 0x802 wide",
       "t.isa:4: error: kind of number 'wide' is unknown; use none, int, high, offset or const"},
      {"short pattern 0x80000000000000000000000000000802 int",
       "t.isa:4: error: a pattern has no bit of guard or control code, nor bit 127"},
      {"short pattern 0x7802 int", "t.isa:4: error: a pattern has no bit of guard or control code, nor bit 127"},
      {"short code 0x100000", "t.isa:4: error: a control code has 20 bits"},
      {"short code", "t.isa:4: error: expected 'short code 0xBITS'"},
      {"move rd 21:16", "t.isa:2: error: short words need a field 'rd' of 8 bits"},
  };
  CHECK(ROWS, cases);
}

/* Fields that are narrower somewhere lie in the variant `narrow`, too: nothing else keeps a width by heart from
 * passing. */
static void expect_verdict(const struct field *f, unsigned by, bool in_narrow) {
  char lines[200];
  struct diag d;
  snprintf(lines, sizeof lines, "import " ISA_DIR "/heddle.isa\nmove %s %u:%u", f->name, f->hi - by, f->lo);
  struct spec *s = load_isa("", lines, &d);
  const bool fixed = f->kind == K_OPCODE || f->kind == K_FIXED;
  if (s == NULL && strncmp(d.text, "t.isa:2: error: ", 16) != 0) fail_msg("%s by %u: %s", f->name, by, d.text);
  if (s == NULL && !fixed && !strstr(d.text, f->name)) fail_msg("%s by %u: %s", f->name, by, d.text);
  if (s != NULL && !in_narrow) fail_msg("'%s' less %u bits is taken; add a move to variants/narrow.isa", f->name, by);
  if (s != NULL && f->least > field_width(f) - by) fail_msg("'%s' less %u bits is taken", f->name, by);
  spec_free(s);
}

static void test_narrow(void **state) {
  (void)state;
  struct spec *a = load_file(ISA_DIR "/heddle.isa"), *b = load_file(ISA_DIR "/variants/narrow.isa");
  assert_same_language(a, b);
  for (unsigned i = 0; i < a->n_fields; i++) {
    const struct field *f = &a->field[i];
    assert_int_equal(b->field[i].declared, field_width(f));
    for (unsigned by = 1; by <= 4; by += 3)
      if (field_width(f) > by) expect_verdict(f, by, field_width(&b->field[i]) < field_width(f));
  }
  spec_free(a);
  spec_free(b);
}

/* The package's functions give what the base declares: by the sign of what is left, or by zeros. */
static void test_extended(void **state) {
  (void)state;
  struct diag d;
  struct spec *s = load_isa("", "import " ISA_DIR "/heddle.isa\nmove off24 59:44\nmove bx 18:16\nmove aop 91:87", &d);
  assert_non_null(s);
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  assert_non_null(f);
  emit_sv(s, f);
  assert_int_equal(fclose(f), 0);
  assert_non_null(
      strstr(text, "logic [23:0] f_off24(logic [127:0] word);\n    f_off24 = {{8{word[59]}}, word[59:44]};"));
  assert_non_null(strstr(text, "logic [3:0] f_bx(logic [127:0] word);\n    f_bx = {1'd0, word[18:16]};"));
  assert_non_null(strstr(text, "logic [31:0] f_rel(logic [127:0] word);\n    f_rel = word[63:32];"));
  assert_non_null(strstr(text, "localparam logic [5:0] AOP_EXCH = 6'd26;"));
  free(text);
  spec_free(s);
}

static void test_least(void **state) {
  (void)state;
  static const struct bad cases[] = {
      {"least rd 6 \"calls\"\nmove rd 20:16",
       "t.isa:22: error: field 'rd' of 5 bits is too narrow: it needs 6, for calls"},
      {"move op 11:3", "t.isa:21: error: opcode fields 'op' and 'form' overlap"},
      {"least rd 6", "t.isa:21: error: expected 'least FIELD BITS \"REASON\"': how narrow a variant may make it"},
      {"least rd six \"calls\"",
       "t.isa:21: error: expected 'least FIELD BITS \"REASON\"': how narrow a variant may make it"},
      {"least nope 6 \"calls\"", "t.isa:21: error: field 'nope' is not declared"},
      {"least rd 9 \"calls\"", "t.isa:21: error: field 'rd' has 8 bits; it cannot need 9"},
      {"least rd 0 \"calls\"", "t.isa:21: error: field 'rd' has 8 bits; it cannot need 0"},
      {"least rd 6 \"calls\"\nleast rd 7 \"calls\"", "t.isa:22: error: second 'least' of field 'rd'; remove one"},
  };
  CHECK(isa_prelude, cases);
  struct diag d;
  struct spec *s = load_isa(isa_prelude, "least rd 6 \"calls\"\nsketch \"only measured\"\nmove rd 20:16", &d);
  assert_non_null(s);
  spec_free(s);
}

static void test_shuffle(void **state) {
  (void)state;
  struct diag d;
  struct spec *s = load_isa(isa_prelude, "shuffle 63:0 127:64", &d);
  assert_non_null(s);
  assert_int_equal(s->field[spec_field(s, "op")].lo, 64);
  assert_int_equal(s->field[spec_field(s, "stall")].hi, 44);
  assert_true(s->enc[0].match == (u128)0x202 << 64);
  spec_free(s);
  static const struct bad cases[] = {
      {"shuffle 63:0 127:65", "t.isa:21: error: bit 64 is in no block; add it"},
      {"shuffle 63:0 127:64 3", "t.isa:21: error: bit 3 is in blocks '63:0' and '3'; each bit is in one"},
      {"shuffle 20:0 127:21", "t.isa:21: error: field 'rd' 23:16 is in blocks '127:21' and '20:0'; join them"},
      {"shuffle 0:63 127:64", "t.isa:21: error: '0:63': the high bit comes first"},
      {"shuffle 128:64 63:0", "t.isa:21: error: '128:64': bits are 0 to 127"},
      {"shuffle", "t.isa:21: error: bit 127 is in no block; add it"},
  };
  CHECK(isa_prelude, cases);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {TEST(test_declarations),
                                     TEST(test_formats),
                                     TEST(test_instructions),
                                     TEST(test_must_be_marked),
                                     TEST(test_derived),
                                     TEST(test_hash),
                                     TEST(test_package),
                                     TEST(test_manual),
                                     TEST(test_json),
                                     cmocka_unit_test(test_scatter),
                                     cmocka_unit_test(test_r62),
                                     cmocka_unit_test(test_pairs),
                                     cmocka_unit_test(test_wrong_rows),
                                     cmocka_unit_test(test_shuffle),
                                     cmocka_unit_test(test_narrow),
                                     cmocka_unit_test(test_extended),
                                     cmocka_unit_test(test_least)};
  return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
