/* SPDX-License-Identifier: Apache-2.0
 *
 * The forms of ops/ops.json as programs on the model, against what an NVIDIA H200 returned: 2,048 inputs each.
 * forms.txt says which instruction a form is.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/silicon/form_file.h"
#include "tests/silicon/form_run.h"
#include "tests/silicon/form_text.h"

enum { F32, F64, I32, I64, CLASSES };
static const char *const class_name[CLASSES] = {"f32", "f64", "i32", "i64"};

struct silicon {
  json_t *root, *ops;
  struct form_table table;
  unsigned count;
  uint8_t *input[CLASSES][3];
};

static unsigned width_of(unsigned class) {
  return class == F64 || class == I64 ? 8 : 4;
}

static const char *member(const json_t *op, const char *key) {
  return json_string_value(json_object_get(op, key)); /* NULL: null */
}

/* b32, u32 and s32 all read i32. */
static unsigned class_of(const char *type) {
  const bool wide = strcmp(type + 1, "64") == 0;
  if (!wide && strcmp(type + 1, "32") != 0) fail_msg("ops.json: type '%s'", type);
  return type[0] == 'f' ? (wide ? F64 : F32) : (wide ? I64 : I32);
}

static int open_silicon(void **state) {
  struct silicon *s = calloc(1, sizeof *s);
  assert_non_null(s);
  json_error_t error;
  char *text = form_file_text(SILICON_DIR "/ops/ops.json");
  s->root = json_loads(text, 0, &error);
  free(text);
  if (s->root == NULL) fail_msg("ops.json: line %d: %s", error.line, error.text);
  s->ops = json_object_get(s->root, "ops");
  assert_true(json_is_array(s->ops));
  s->count = (unsigned)json_integer_value(json_object_get(s->root, "count"));
  for (unsigned k = 0; k < CLASSES; k++)
    for (unsigned slot = 0; slot < 3; slot++) {
      char path[512];
      (void)snprintf(path, sizeof path, "%s/ops/%s.%u.bin", SILICON_DIR, class_name[k], slot);
      s->input[k][slot] = form_file_bytes(path, (size_t)s->count * width_of(k));
    }
  form_table_read(&s->table, SILICON_DIR "/forms.txt");
  *state = s;
  return 0;
}

static int close_silicon(void **state) {
  struct silicon *s = *state;
  for (unsigned k = 0; k < CLASSES; k++)
    for (unsigned slot = 0; slot < 3; slot++) free(s->input[k][slot]);
  form_table_free(&s->table);
  json_decref(s->root);
  free(s);
  return 0;
}

/* form_table_read refuses a form listed twice; here: none is missing, none unknown, and most are one instruction. */
static void every_form_is_listed_once(void **state) {
  struct silicon *s = *state;
  unsigned kinds[3] = {0}, missing = 0, unknown = 0;
  for (size_t i = 0; i < json_array_size(s->ops); i++) {
    const char *name = member(json_array_get(s->ops, i), "op");
    struct form_line *f = form_table_find(&s->table, name);
    if (f == NULL) {
      print_error("forms.txt lacks %s\n", name);
      missing++;
      continue;
    }
    assert_false(f->used); /* ops.json names it twice */
    f->used = true;
    kinds[f->kind]++;
  }
  for (unsigned i = 0; i < s->table.lines; i++)
    if (!s->table.line[i].used) {
      print_error("forms.txt:%u: %s is no form of ops.json\n", s->table.line[i].line, s->table.line[i].name);
      unknown++;
    }
  print_message("%u forms are one instruction, %u are sequences: %u written out, %u in words\n", kinds[FORM_ONE],
                kinds[FORM_SEQUENCE] + kinds[FORM_WORDS], kinds[FORM_SEQUENCE], kinds[FORM_WORDS]);
  assert_int_equal(missing, 0);
  assert_int_equal(unknown, 0);
  assert_int_equal(s->table.lines, 385);
  assert_true(kinds[FORM_ONE] >= 275);
}

/* What may stand around an instruction under test: an instruction that the PTX form contains too. MOV moves whole
 * registers into place (a pair, a uniform register) and works on no bits. */
static const char *reason_for(const char *mnemonic, unsigned length, const char *ptx) {
  static const struct {
    const char *mnemonic, *ptx[3];
  } known[] = {{"MOV", {"", NULL}},
               {"SEL", {"selp.", NULL}},
               {"ISETP.LT.U32.AND", {"setp.lt.u32", NULL}},
               {"LOP3.LUT", {"and.b32", "xor.b32", "cvt.u32.u16"}}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strlen(known[i].mnemonic) == length && memcmp(known[i].mnemonic, mnemonic, length) == 0)
      for (unsigned k = 0; k < 3 && known[i].ptx[k] != NULL; k++)
        if (strstr(ptx, known[i].ptx[k]) != NULL) return known[i].ptx[k];
  return NULL;
}

static unsigned unexplained(const struct form_line *f, const char *around, const char *ptx) {
  unsigned bad = 0;
  while (*around != '\0') {
    const char *mnemonic;
    const unsigned length = form_mnemonic(around, &mnemonic);
    if (reason_for(mnemonic, length, ptx) == NULL) {
      print_error("forms.txt:%u: %s: PTX has nothing like %.*s: %s\n", f->line, f->name, (int)length, mnemonic, ptx);
      bad++;
    }
    around += strcspn(around, ";");
    around += *around == ';';
  }
  return bad;
}

static void nothing_hides_around_an_instruction(void **state) {
  struct silicon *s = *state;
  unsigned bad = 0;
  for (size_t i = 0; i < json_array_size(s->ops); i++) {
    const json_t *op = json_array_get(s->ops, i);
    const struct form_line *f = form_table_find(&s->table, member(op, "op"));
    if (f == NULL) continue;
    bad += unexplained(f, f->before, member(op, "ptx"));
    bad += unexplained(f, f->after, member(op, "ptx"));
  }
  assert_int_equal(bad, 0);
}

static bool try_form(const struct silicon *s, const json_t *op, const struct form_line *f) {
  static const char *const slot_name[3] = {"a", "b", "c"};
  char path[512], why[512];
  struct form_job job = {.form = f, .count = s->count};
  for (unsigned slot = 0; slot < 3; slot++) {
    const char *type = member(op, slot_name[slot]);
    if (type == NULL) continue;
    const unsigned class = class_of(type);
    job.in[slot] = (struct form_column){s->input[class][slot], width_of(class)};
  }
  job.want.width = width_of(class_of(member(op, "d")));
  (void)snprintf(path, sizeof path, "%s/ops/%s.gold.bin", SILICON_DIR, f->name);
  uint8_t *gold = form_file_bytes(path, (size_t)s->count * job.want.width);
  job.want.bytes = gold;
  const bool same = form_run(&job, why, sizeof why);
  if (!same) print_error("%s = %s: %s\n", f->name, f->text, why);
  free(gold);
  return same;
}

static void run_kind(const struct silicon *s, enum form_kind kind, const char *what) {
  unsigned run = 0, passed = 0;
  for (size_t i = 0; i < json_array_size(s->ops); i++) {
    const json_t *op = json_array_get(s->ops, i);
    const struct form_line *f = form_table_find(&s->table, member(op, "op"));
    if (f == NULL || f->kind != kind) continue;
    run++;
    passed += try_form(s, op, f);
  }
  print_message("%s: %u of %u forms equal silicon on all %u inputs\n", what, passed, run, s->count);
  assert_true(run > 0);
  assert_int_equal(passed, run);
}

static void forms_of_one_instruction(void **state) {
  run_kind(*state, FORM_ONE, "one instruction");
}

static void forms_that_are_sequences(void **state) {
  run_kind(*state, FORM_SEQUENCE, "sequences");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_form_is_listed_once),
      cmocka_unit_test(nothing_hides_around_an_instruction),
      cmocka_unit_test(forms_of_one_instruction),
      cmocka_unit_test(forms_that_are_sequences),
  };
  return cmocka_run_group_tests(tests, open_silicon, close_silicon);
}
