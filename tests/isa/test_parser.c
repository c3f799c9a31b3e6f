/* SPDX-License-Identifier: Apache-2.0
 *
 * Every way to get an ISA file wrong, with the exact message and line.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"
#include "tests/isa/isa_text.h"

static void test_good(void **state) {
  (void)state;
  struct diag d;
  struct spec *s = load_isa(isa_prelude, "# nothing more", &d);
  assert_non_null(s);
  assert_int_equal(s->n_encs, 1);
  assert_true(s->enc[0].match == 0x202);
  assert_int_equal(s->key_bits, 12);
  uint64_t hash = s->hash;
  spec_free(s);
  s = load_isa(isa_prelude, "field spare 127:126 u2", &d);
  assert_non_null(s);
  assert_true(s->hash != hash);
  spec_free(s);
}

static void test_declarations(void **state) {
  (void)state;
  static const struct bad cases[] = {
      {"frob x", "t.isa:21: error: declaration 'frob' is unknown; see isa/doc/00-isa-file.md"},
      {"isa u 128", "t.isa:21: error: second 'isa' declaration; there is one per instruction set"},
      {"unit alu fixed", "t.isa:21: error: unit 'alu' is declared twice; remove one"},
      {"unit fma quick", "t.isa:21: error: unit latency 'quick' is unknown; use fixed, variable or control"},
      {"set rnd .A=0", "t.isa:21: error: set 'rnd' is declared twice; remove one"},
      {"set s .A", "t.isa:21: error: set 's': expected TOKEN=VALUE, found '.A'"},
      {"set s .A=0 .A=1", "t.isa:21: error: set 's': token '.A' appears twice; remove one"},
      {"set s .A=0 .B=0", "t.isa:21: error: set 's': value 0 has two tokens; write A|B=0 for an alias"},
      {"set s .A=256", "t.isa:21: error: set 's': value 256 is out of range; the largest is 255"},
      {"set s .A;=0", "t.isa:21: error: set 's': token '.A;' holds ';'; use letters, digits, '_' and '.'"},
      {"set sem .A=0", "t.isa:21: error: set name 'sem' is used by the generated code; rename it"},
      {"width size 0:1", "t.isa:21: error: set 'size' has two width tables; remove one"},
      {"width nope 0:1", "t.isa:21: error: set 'nope' is not declared"},
      {"width rnd 0:3", "t.isa:21: error: '0:3': an access fills 1, 2 or 4 registers"},
      {"width rnd 5:1", "t.isa:21: error: set 'rnd' has no value 5"},
      {"width rnd 0:1", "t.isa:21: error: set 'rnd': value 1 has no width; add 1:1"},
      {"field rd 1:0 u2", "t.isa:21: error: field 'rd' is declared twice; remove one"},
      {"field f 128 u1", "t.isa:21: error: '128': bits are 0 to 127"},
      {"field f 3:5 u3", "t.isa:21: error: '3:5': the high bit comes first"},
      {"field f 3:x u3", "t.isa:21: error: expected HI:LO, found '3:x'"},
      {"field f 3:0 u3", "t.isa:21: error: field 'f' is 4 bits wide but its kind is 'u3'"},
      {"field f 3:0 frob", "t.isa:21: error: field 'f': kind 'frob' is unknown; see isa/doc/00-isa-file.md"},
      {"field f 3:0 set nope", "t.isa:21: error: field 'f': set 'nope' is not declared"},
      {"field f 4:0 guard", "t.isa:21: error: field 'f' is 5 bits wide; kind 'guard' needs 4"},
      {"field f 8:0 gpr.read", "t.isa:21: error: field 'f' is 9 bits wide; at most 8 for kind 'gpr.read'"},
      {"field f 3:0 u4 more", "t.isa:21: error: field 'f': unexpected 'more' at the end of the line"},
      {"field a 3:0 u4", "t.isa:21: error: 'a' names an operand; choose another field name"},
      {"field pz 2:0 pred.write", "t.isa:21: error: field 'pz': a field of kind 'pred.write' is named pd0 or pd1"},
      {"field f 3:0 u4 \"open", "t.isa:21: error: string is not closed; add the missing \""},
      {"always nope", "t.isa:21: error: field 'nope' is not declared"},
      {"always stall", "t.isa:21: error: field 'stall' is listed twice"},
      {"move nope 3:0", "t.isa:21: error: field 'nope' is not declared; import the file that declares it first"},
      {"move rd 24:16",
       "t.isa:21: error: field 'rd' would grow from 8 to 9 bits; a move keeps the width or narrows it"},
      {"move pg 2:0", "t.isa:21: error: field 'pg' is 3 bits wide; kind 'guard' needs 4"},
      {"set Rnd .RM=0", "t.isa:21: error: two things would both be called SET_RND in the generated code; rename one"},
      {"\001", "t.isa:21: error: control character 0x01; the file must be plain text"},
  };
  CHECK(isa_prelude, cases);
}

static void test_formats(void **state) {
  (void)state;
  static const struct bad cases[] = {
      {"format RR pg", "t.isa:21: error: format 'RR' is declared twice; remove one"},
      {"format F nope", "t.isa:21: error: 'nope' is neither a field nor a format"},
      {"format F pg pg", "t.isa:21: error: field 'pg' is listed twice; remove one"},
      {"format F op", "t.isa:21: error: field 'op' is of kind 'opcode'; give it a value: op=V"},
      {"format F rd=1",
       "t.isa:21: error: field 'rd' is of kind 'gpr.write'; only 'opcode' and 'fixed' fields are given values"},
      {"format F form=z", "t.isa:21: error: 'form=z': the value is not a number"},
      {"format F form=1 form=2", "t.isa:21: error: field 'form' is given two values; remove one"},
      {"format F a=ra a=rb", "t.isa:21: error: operand 'a' is given two slots; remove one"},
      {"format F a=rd", "t.isa:21: error: field 'rd' is of kind 'gpr.write'; an operand is in a 'gpr.read', "
                        "'ugpr.read', 'imm32' or 'uN' field or in 'const'"},
      {"format F a=ra,rnd", "t.isa:21: error: field 'rnd' is of kind 'set'; here a field of kind 'neg' is needed"},
      {"format F a=imm,nb", "t.isa:21: error: 'a=imm,nb': an immediate carries its own sign; remove the negate field"},
      {"format F form=1 a=const", "t.isa:21: error: slot 'const' needs a field of kind 'cbank' and one of kind 'coff'"},
      {"format FIF form=4 b=imm a=rb", "t.isa:21: error: FIF: fields 'rb' and 'imm' both own bit 32"},
      {"format F form=4 stall", "t.isa:21: error: F: fields 'stall' and 'stall' both own bit 105"},
  };
  CHECK(isa_prelude, cases);
}

static void test_instructions(void **state) {
  (void)state;
  static const struct bad cases[] = {
      {"insn ADD op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s",
       "t.isa:21: error: instruction 'ADD' is declared twice (first at line 20); remove one"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu", "t.isa:21: error: SUB: sem is missing; add sem=FUNCTION"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" sem=s", "t.isa:21: error: SUB: unit is missing; add unit=NAME"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s sem=t",
       "t.isa:21: error: 'sem=' is given twice; remove one"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=fpu sem=s", "t.isa:21: error: unit 'fpu' is not declared"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s frob",
       "t.isa:21: error: 'frob' is unknown after the syntax; use unit=, wide_unit=, imm=, mem=, sem=, wide=, only=, "
       "part=, flow= or drains"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s part=fatom",
       "t.isa:21: error: part 'fatom' is unknown; use part=async"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s mem=shared",
       "t.isa:21: error: mem 'shared' is unknown; use global|shared|local|generic|const.load|store|atom|red|copy"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s mem=shared.loads",
       "t.isa:21: error: mem 'shared.loads' is unknown; use "
       "global|shared|local|generic|const.load|store|atom|red|copy"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s mem=.load",
       "t.isa:21: error: mem '.load' is unknown; use global|shared|local|generic|const.load|store|atom|red|copy"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s "
       "mem=a_space_with_a_name_that_is_longer_than_any_other_in_the_file.load",
       "t.isa:21: error: mem 'a_space_with_a_name_that_is_longer_than_any_other_in_the_file.load' is unknown; use "
       "global|shared|local|generic|const.load|store|atom|red|copy"},
      {"insn SUB op=3 RR unit=alu sem=s", "t.isa:21: error: field 'unit' is not declared"},
      {"insn SUB op=3 RR", "t.isa:21: error: SUB: the syntax template is missing; write \"\" if it has no operands"},
      {"insn SUB op=3 \"\" unit=alu sem=s", "t.isa:21: error: SUB: no format is listed"},
      {"insn SUB op=3 RR RR \"{rd}, {a}, {b}\" unit=alu sem=s",
       "t.isa:21: error: format 'RR' is listed twice; remove one"},
      {"insn SUB op=3 RX \"\" unit=alu sem=s", "t.isa:21: error: 'RX' is neither a field nor a format"},
      {"insn SUB op=512 RR \"{rd}, {a}, {b}\" unit=alu sem=s",
       "t.isa:21: error: SUB RR: value 0x200 does not fit field 'op' of 9 bits"},
      {"insn SUB RR \"{rd}, {a}, {b}\" unit=alu sem=s",
       "t.isa:21: error: SUB RR: opcode field 'op' has no value; add op=V"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b:|}\" unit=alu sem=s",
       "t.isa:21: error: SUB RR: the format has no absolute field for operand 'b'"},
      {"insn SUB op=3 RR \"{rd}, {a:-}, {b}\" unit=alu sem=s",
       "t.isa:21: error: SUB RR: the format has no negate field for operand 'a'"},
      {"insn SUB op=3 RR \"{rd}, {a}\" unit=alu sem=s",
       "t.isa:21: error: SUB RR: the format has operand 'b', which the syntax does not print"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}, {c}\" unit=alu sem=s",
       "t.isa:21: error: SUB RR: the syntax prints operand 'c', which the format does not have"},
      {"insn SUB op=3 RR \"{a}, {b}\" unit=alu sem=s",
       "t.isa:21: error: SUB RR: field 'rd' is owned but nothing prints it; add {rd} to the syntax"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}, {rb}\" unit=alu sem=s",
       "t.isa:21: error: SUB RR: field 'rb' is printed twice; remove {rb} from the syntax"},
      {"insn SUB op=3 RR \"{rd}, {a}, {a}, {b}\" unit=alu sem=s", "t.isa:21: error: SUB: '{a}' is twice in the syntax"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b:-~}\" unit=alu sem=s",
       "t.isa:21: error: SUB: - and ~ use the same bit; allow one of them"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b:+}\" unit=alu sem=s",
       "t.isa:21: error: SUB: operand flags '+' are not of - | ~ ., each once"},
      {"insn SUB op=3 RR \"{rd:-}, {a}, {b}\" unit=alu sem=s",
       "t.isa:21: error: SUB: '{rd}' is a field; only operands take flags"},
      {"insn SUB op=3 RR \"{rd, {a}, {b}\" unit=alu sem=s",
       "t.isa:21: error: SUB: '{rd, {a}' is neither a field nor an operand"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b\" unit=alu sem=s", "t.isa:21: error: SUB: '{' is not closed in the syntax"},
      {"insn SUB op=3 RR \"{rd}[, {a}[, {b}]]\" unit=alu sem=s",
       "t.isa:21: error: SUB: '[' is nested or not closed in the syntax"},
      {"insn SUB op=3 RR \"{rd}], {a}, {b}\" unit=alu sem=s", "t.isa:21: error: SUB: ']' without '[' in the syntax"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s imm=i32",
       "t.isa:21: error: SUB: imm= is given but no format has an immediate; remove it"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s imm=i7",
       "t.isa:21: error: immediate type 'i7' is unknown; use i32, u32, f32, f16x2 or f64"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s mem=moon.load",
       "t.isa:21: error: mem 'moon.load' is unknown; use global|shared|local|generic|const.load|store|atom|red|copy"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s wide=rd:3",
       "t.isa:21: error: wide: 'rd' spans 3 registers; use 2 or 4"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s wide=q:2",
       "t.isa:21: error: wide: operand 'q' is unknown; use a, b, c or rd"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s wide=c:2",
       "t.isa:21: error: SUB RR: wide names 'c', which the encoding does not have"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s wide=rd:rnd",
       "t.isa:21: error: wide: field 'rnd' has no width table; declare 'width'"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s wide=rd:size",
       "t.isa:21: error: SUB RR: wide uses field 'size', which the encoding does not own"},
      {"insn A.B op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s\ninsn A_B op=4 RR \"{rd}, {a}, {b}\" unit=alu sem=s",
       "t.isa:22: error: two things would both be called OP_A_B in the generated code; rename one"},
  };
  CHECK(isa_prelude, cases);
}

/* Bits owned twice within one encoding, words matched by two encodings. */
/* Another unit for wide words: only where there are narrow ones, too. */
static void test_wide_unit(void **state) {
  (void)state;
  static const struct bad cases[] = {
      {"insn SUB op=3 RR size \"{rd}, {a}, {b}\" unit=alu wide_unit=fpu sem=s wide=rd:size",
       "t.isa:21: error: wide_unit 'fpu' is not declared"},
      {"unit fpu variable\ninsn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu wide_unit=fpu sem=s wide=rd:2",
       "t.isa:22: error: SUB: wide_unit= is for instructions with a field in wide=; use unit= alone"},
      {"insn SUB op=3 RR size \"{rd}, {a}, {b}\" unit=alu wide_unit=alu sem=s wide=rd:size",
       "t.isa:21: error: SUB: wide_unit= is the same as unit=; remove it"},
      {"unit br control\ninsn SUB op=3 RR size \"{rd}, {a}, {b}\" unit=alu wide_unit=br sem=s wide=rd:size",
       "t.isa:22: error: SUB: wide_unit= and unit= name a control unit; its instructions have one unit"},
      {"unit fpu fixed\ninsn SUB op=3 RR size \"{rd}, {a}, {b}\" unit=alu wide_unit=fpu wide_unit=fpu sem=s",
       "t.isa:22: error: 'wide_unit=' is given twice; remove one"},
  };
  CHECK(isa_prelude, cases);
  /* Programs are scheduled for a unit: the hash knows both. */
  struct diag d;
  uint64_t hash[2];
  static const char *const lines[2] = {
      "unit fpu variable\ninsn SUB op=3 RR size \"{rd}, {a}, {b}\" unit=alu sem=s wide=rd:size",
      "unit fpu variable\ninsn SUB op=3 RR size \"{rd}, {a}, {b}\" unit=alu wide_unit=fpu sem=s wide=rd:size"};
  for (unsigned i = 0; i < 2; i++) {
    struct spec *s = load_isa(isa_prelude, lines[i], &d);
    assert_non_null(s);
    hash[i] = s->hash;
    spec_free(s);
  }
  assert_true(hash[0] != hash[1]);
}

/* Where a warp goes on is said of the instructions of control units, and of no other. */
static void test_flow(void **state) {
  (void)state;
  static const struct bad cases[] = {
      {"unit br control\ninsn GO op=3 RR \"{rd}, {a}, {b}\" unit=br sem=s",
       "t.isa:22: error: GO: flow is missing; 'br' is a control unit: add flow=next, sync, branch, call, return, exit "
       "or trap"},
      {"unit br control\ninsn GO op=3 RR \"{rd}, {a}, {b}\" unit=br sem=s flow=up",
       "t.isa:22: error: flow 'up' is unknown; use next, sync, branch, call, return, exit or trap"},
      {"unit br control\ninsn GO op=3 RR \"{rd}, {a}, {b}\" unit=br sem=s flow=next drains=1",
       "t.isa:22: error: 'drains=1': drains takes no value"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s flow=next",
       "t.isa:21: error: SUB: flow= is for instructions of a control unit, which 'alu' is not; remove it"},
      {"insn SUB op=3 RR \"{rd}, {a}, {b}\" unit=alu sem=s drains",
       "t.isa:21: error: SUB: drains is for instructions of a control unit, which 'alu' is not; remove it"},
      {"set flow .A=0 .B=1", "t.isa:21: error: set name 'flow' is used by the generated code; rename it"},
  };
  CHECK(isa_prelude, cases);
}

/* It is said of what is done, not of how a word is read: programs stay valid. */
static void test_flow_is_not_hashed(void **state) {
  (void)state;
  struct diag d;
  struct spec *s =
      load_isa(isa_prelude, "unit br control\ninsn GO op=3 RR \"{rd}, {a}, {b}\" unit=br sem=s flow=exit", &d);
  assert_non_null(s);
  const uint64_t hash = s->hash;
  assert_string_equal(spec_flows[s->insn[1].flow], "exit");
  assert_false(s->insn[1].drains);
  spec_free(s);
  s = load_isa(isa_prelude, "unit br control\ninsn GO op=3 RR \"{rd}, {a}, {b}\" unit=br sem=s flow=next drains", &d);
  assert_non_null(s);
  assert_string_equal(spec_flows[s->insn[1].flow], "next");
  assert_true(s->insn[1].drains);
  assert_true(s->hash == hash);
  spec_free(s);
}

static void test_overlap_and_ambiguity(void **state) {
  (void)state;
  static const struct bad cases[] = {
      {"field y 79:76 u4\ninsn SUB op=3 RR rnd \"{rd}, {a}, {b}, {y}\" unit=alu sem=s",
       "t.isa:22: error: SUB RR: fields 'rnd' and 'y' both own bit 78"},
      {"format FIF form=4 pg rd b=imm a=ra\nmove ra 56:49",
       "t.isa:21: error: FIF: fields 'ra' and 'imm' both own bit 49 ('ra' was moved at t.isa:22)"},
      {"insn SUB op=2 RR \"{rd}, {a}, {b}\" unit=alu sem=s",
       "t.isa:21: error: SUB RR and ADD RR (t.isa:20) both match 0x00000000000000000000000000000202; give them "
       "different fixed fields"},
      {"insn SUB op=2 x=0 RR \"{rd}, {a}, {b}\" unit=alu sem=s",
       "t.isa:21: error: SUB RR and ADD RR (t.isa:20) both match 0x00000000000000000000000000000202; give them "
       "different fixed fields"},
      {"field y 74 u1\ninsn SUB op=3 RR \"{rd}, {a}, {b}, {y}\" unit=alu sem=s\ninsn SUB.X op=3 x=1 RR \"{rd}, {a}, "
       "{b}\" unit=alu sem=s",
       "t.isa:23: error: SUB.X RR and SUB RR (t.isa:22) both match 0x00000000000004000000000000000203; give them "
       "different fixed fields"},
  };
  CHECK(isa_prelude, cases);
  struct diag d;
  struct spec *s = load_isa(isa_prelude, "insn ADD.X op=2 x=1 RR \"{rd}, {a}, {b}\" unit=alu sem=s", &d);
  assert_non_null(s); /* bit 74 is reserved-zero in ADD, one in ADD.X */
  spec_free(s);
}

static void test_whole_file(void **state) {
  (void)state;
  static const struct bad cases[] = {
      {"", "t.isa: error: empty instruction set: no 'isa' declaration"},
      {"isa t 128", "t.isa: error: empty instruction set: no 'insn' declaration"},
      {"unit alu fixed", "t.isa:1: error: the first declaration must be 'isa NAME 128' or an import"},
      {"isa t 64", "t.isa:1: error: word width '64' is not supported; write 128"},
      {"import t.isa", "t.isa:1: error: 't.isa' imports itself; remove the cycle"},
      {"import ./t.isa", "t.isa:1: error: './t.isa' imports itself; remove the cycle"},
      {"import absent.isa", "t.isa:1: error: cannot open 'absent.isa': No such file or directory"},
  };
  CHECK("", cases);
}

/* A variant: import and move. A narrower register field keeps RZ at all ones. */
static void test_import_and_move(void **state) {
  (void)state;
  struct diag d;
  spec_free(load_isa(isa_prelude, "", &d));
  FILE *f = fopen("v.isa", "w");
  assert_non_null(f);
  fprintf(f, "import t.isa\nmove rb 94:88\n");
  assert_int_equal(fclose(f), 0);
  struct spec *s = spec_load("v.isa", &d);
  assert_non_null(s);
  const struct field *rb = &s->field[spec_field(s, "rb")];
  assert_int_equal(rb->lo, 88);
  assert_int_equal(field_width(rb), 7);
  assert_true((s->enc[0].mask >> 32 & 0xff) == 0xff); /* the old place became reserved */
  spec_free(s);
  assert_int_equal(unlink("v.isa"), 0);
}

/* Long lines, many words, deep imports: refused, not suffered. */
static void test_limits(void **state) {
  (void)state;
  struct diag d;
  char *big = calloc(1, TEXT_LINE_MAX + 16);
  assert_non_null(big);
  memset(big, 'x', TEXT_LINE_MAX + 8);
  assert_null(load_isa(isa_prelude, big, &d));
  assert_string_equal(d.text, "t.isa:21: error: line is longer than 4095 bytes");
  for (unsigned i = 0; i < TEXT_LINE_MAX - 8; i += 2) memcpy(big + i, "x ", 2);
  big[TEXT_LINE_MAX - 8] = '\0';
  assert_null(load_isa(isa_prelude, big, &d));
  assert_string_equal(d.text, "t.isa:21: error: more than 256 words in one line; split the declaration");
  free(big);
  for (unsigned i = 0; i < 10; i++) {
    char name[16];
    (void)snprintf(name, sizeof name, "d%u.isa", i);
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fprintf(f, "import d%u.isa\n", i + 1);
    assert_int_equal(fclose(f), 0);
  }
  d = (struct diag){0};
  assert_null(spec_load("d0.isa", &d));
  assert_string_equal(d.text, "d7.isa:1: error: imports are nested deeper than 8 files");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_good),
                                     cmocka_unit_test(test_declarations),
                                     cmocka_unit_test(test_formats),
                                     cmocka_unit_test(test_instructions),
                                     cmocka_unit_test(test_wide_unit),
                                     cmocka_unit_test(test_flow),
                                     cmocka_unit_test(test_flow_is_not_hashed),
                                     cmocka_unit_test(test_overlap_and_ambiguity),
                                     cmocka_unit_test(test_whole_file),
                                     cmocka_unit_test(test_import_and_move),
                                     cmocka_unit_test(test_limits)};
  return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
