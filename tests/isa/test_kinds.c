/* SPDX-License-Identifier: Apache-2.0
 *
 * Uniform registers and predicates, short immediates, part suffixes, and what the RTL does not know: what is derived
 * from them, and every way to get them wrong.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"
#include "isa/gen/doc_json.h"
#include "isa/gen/emit.h"
#include "tests/isa/isa_text.h"

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
      {"set s -=0*", "t.isa:41: error: set 's': the value that prints nothing cannot be starred; the RTL knows it"},
      {"set s -|.A=0* .B=1",
       "t.isa:41: error: set 's': the value that prints nothing cannot be starred; the RTL knows it"},
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
      {"format F pg a=ra,,,nb", "t.isa:41: error: field 'nb' is of kind 'neg'; here stands a field of kind 'set'"},
      {"format F pg a=s5,,,hb",
       "t.isa:41: error: 'a=s5,,,hb': an immediate carries its own sign; remove the negate field"},
      {"field wide 40:0 u41\nformat F pg a=wide",
       "t.isa:42: error: field 'wide' is 41 bits wide; an immediate operand has at most 32"},
      {"format F pg a=ups0", "t.isa:41: error: field 'ups0' is of kind 'upred.read'; an operand lies in a 'gpr.read', "
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
       "t.isa:41: error: S: operand 'a' stands in an optional group; operands cannot be left out"},
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

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {TEST(test_declarations),   TEST(test_formats), TEST(test_instructions),
                                     TEST(test_must_be_marked), TEST(test_derived), TEST(test_hash),
                                     TEST(test_package),        TEST(test_manual),  TEST(test_json)};
  return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
