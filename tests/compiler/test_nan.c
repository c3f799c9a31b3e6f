/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of tests/silicon/nan.txt (special values crossed with each other), compiled from PTX: operands loaded, and
 * the first one as a parameter, which the machine takes at another place of its instructions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/silicon/form_file.h"
#include "tests/compiler/select_run.h"
#include "tests/test.h"

enum { ROWS_MOST = 8192, RECORD = 32, BLOCK = 128 };
#define BASE UINT64_C(0x7f40000000)

struct row {
  const char *form;
  unsigned bits[4]; /* of a, b, c, the result; 0: none */
  uint64_t value[4];
};

struct rows {
  char *text;
  struct row row[ROWS_MOST];
  unsigned rows;
};

static void read_row(struct row *r, char *line) {
  char *save = NULL;
  unsigned slot = 0;
  r->form = strtok_r(line, " ", &save);
  for (char *word; (word = strtok_r(NULL, " ", &save)) != NULL;) {
    if (strcmp(word, "->") == 0) {
      slot = 3;
      continue;
    }
    assert_true(slot < 4);
    r->value[slot] = strtoull(word, NULL, 16);
    r->bits[slot++] = 4 * (unsigned)strlen(word);
  }
  assert_true(r->form != NULL && r->bits[0] != 0 && r->bits[3] != 0);
}

static int open_rows(void **state) {
  struct rows *x = calloc(1, sizeof *x);
  assert_non_null(x);
  x->text = form_file_text(SILICON_DIR "/nan.txt");
  for (char *p = x->text, *next; *p != '\0'; p = next) {
    next = p + strcspn(p, "\n");
    if (*next != '\0') *next++ = '\0';
    if (*p == '\0' || *p == '#') continue;
    assert_true(x->rows < ROWS_MOST);
    read_row(&x->row[x->rows++], p);
  }
  *state = x;
  return 0;
}

static int close_rows(void **state) {
  struct rows *x = *state;
  free(x->text);
  free(x);
  return 0;
}

/* Row i of a launch: 32 bytes from p + 32 i on; operands at 0, 8, 16, the result at 24. */
static void write_text(char *text, size_t size, const struct row *r, bool parameter) {
  static const char *const names[] = {"%a", "%b", "%c"};
  char line[3][100] = {"", "", ""}, list[64] = "";
  for (unsigned k = 0; k < 3; k++) {
    if (r->bits[k] == 0) continue;
    if (k == 0 && parameter)
      (void)snprintf(line[k], sizeof line[k], "ld.param.b%u %s, [first];", r->bits[k], names[k]);
    else
      (void)snprintf(line[k], sizeof line[k], "ld.global.b%u %s, [%%p+%u];", r->bits[k], names[k], 8 * k);
    (void)snprintf(list + strlen(list), sizeof list - strlen(list), ", %s", names[k]);
  }
  (void)snprintf(text, size,
                 ".version 8.0\n.target sm_90\n.address_size 64\n"
                 ".visible .entry k(.param .u64 base, .param .b64 first) {\n"
                 ".reg .b%u %%a, %%b, %%c; .reg .b%u %%d; .reg .b64 %%p; .reg .b32 %%i, %%j, %%n;\n"
                 "mov.u32 %%i, %%tid.x; mov.u32 %%j, %%ctaid.x; mov.u32 %%n, %%ntid.x; mad.lo.u32 %%i, %%j, %%n, %%i;\n"
                 "ld.param.u64 %%p, [base]; mad.wide.u32 %%p, %%i, 32, %%p;\n%s\n%s\n%s\n%s %%d%s;\n"
                 "st.global.b%u [%%p+24], %%d; ret; }\n",
                 r->bits[0], r->bits[3], line[0], line[1], line[2], r->form, list, r->bits[3]);
}

static struct heddle_program *compile(const struct row *r, bool parameter, unsigned level) {
  char text[2000];
  write_text(text, sizeof text, r, parameter);
  return select_compile(text, level, r->form);
}

static void put_le(uint8_t *to, uint64_t v, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) to[i] = (uint8_t)(v >> (8 * i));
}

static uint64_t get_le(const uint8_t *from, unsigned bytes) {
  uint64_t v = 0;
  for (unsigned i = 0; i < bytes; i++) v |= (uint64_t)from[i] << (8 * i);
  return v;
}

/* Rows of one form; with a parameter, of one first operand too. */
static unsigned together(const struct rows *x, unsigned at, bool parameter) {
  unsigned n = 1;
  while (at + n < x->rows && strcmp(x->row[at + n].form, x->row[at].form) == 0 &&
         (!parameter || x->row[at + n].value[0] == x->row[at].value[0]))
    n++;
  return n;
}

static unsigned try_rows(uint8_t *memory, const struct heddle_program *p, const struct row *r, unsigned n) {
  uint8_t param[16];
  unsigned wrong = 0;
  for (unsigned k = 0; k < n; k++)
    for (unsigned slot = 0; slot < 3; slot++) put_le(memory + k * RECORD + 8 * slot, r[k].value[slot], 8);
  put_le(param, BASE, 8);
  put_le(param + 8, r[0].value[0], 8);
  const struct select_job job = {.base = BASE,
                                 .global = memory,
                                 .bytes = (n + BLOCK - 1) / BLOCK * BLOCK * RECORD,
                                 .blocks = (n + BLOCK - 1) / BLOCK,
                                 .threads = BLOCK,
                                 .param = param,
                                 .param_bytes = sizeof param};
  const char *bad = select_launch(p, &job);
  if (bad) fail_msg("%s: %s", r[0].form, bad);
  for (unsigned k = 0; k < n; k++) {
    uint64_t got = get_le(memory + k * RECORD + 24, r[k].bits[3] / 8);
    if (got == r[k].value[3] || wrong++ > 0) continue;
    print_error("%s %llx %llx %llx: got %llx, want %llx\n", r[k].form, (unsigned long long)r[k].value[0],
                (unsigned long long)r[k].value[1], (unsigned long long)r[k].value[2], (unsigned long long)got,
                (unsigned long long)r[k].value[3]);
  }
  return wrong;
}

static void every_row(const struct rows *x, bool parameter, unsigned level) {
  uint8_t *memory = calloc(ROWS_MOST, RECORD);
  struct heddle_program *p = NULL;
  unsigned wrong = 0;
  for (unsigned at = 0, n; at < x->rows; at += n) {
    n = together(x, at, parameter);
    if (p == NULL || strcmp(x->row[at].form, x->row[at - 1].form) != 0) {
      heddle_program_free(p);
      p = compile(&x->row[at], parameter, level);
    }
    wrong += try_rows(memory, p, &x->row[at], n);
  }
  heddle_program_free(p);
  free(memory);
  assert_true(x->rows > 6000);
  assert_int_equal(wrong, 0);
}

static void loaded(void **state) {
  every_row(*state, false, 0);
  every_row(*state, false, 1);
}

static void first_is_parameter(void **state) {
  every_row(*state, true, 0);
  every_row(*state, true, 1);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loaded), cmocka_unit_test(first_is_parameter)};
  return cmocka_run_group_tests(tests, open_rows, close_rows);
}
