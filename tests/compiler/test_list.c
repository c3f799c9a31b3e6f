/* SPDX-License-Identifier: Apache-2.0
 *
 * What `heddle ptx --list` says is true: of every instruction in the list each type, each alternative of each modifier,
 * each optional one; the words must be taken (operands need not be right). And all names of the table are in it.
 */
#include "tests/test.h"
#include "compiler/list.h"
#include "compiler/lower/lower.h"
#include "tests/compiler/lower/lowered.h"

enum { GROUPS = 12, ROOM = 400 };

struct tried {
  unsigned rows, texts;
  char name[64];
};

/* "a|b c|d" in groups; the n-th alternative of a group. */
static unsigned alternatives(const char *text, unsigned group) {
  unsigned n = *text != 0;
  for (; *text && group; text++) group -= *text == ' ';
  for (; *text && *text != ' '; text++) n += *text == '|';
  return n;
}

static unsigned groups(const char *text) {
  unsigned n = *text != 0;
  for (; *text; text++) n += *text == ' ';
  return n;
}

static void append(char *to, const char *text, unsigned group, unsigned n) {
  const size_t used = strlen(to);
  for (; *text && group; text++) group -= *text == ' ';
  for (; *text && n; text++) n -= *text == '|';
  snprintf(to + used, ROOM - used, ".%.*s", (int)strcspn(text, " |"), text);
}

/* Does a word stand in the way? */
static void check(const struct ptx_listed *r, const char *opcode) {
  static const char *const wrong[] = {" is not supported here", "this instruction", "this combination of type",
                                      "missing at the end",     "for these types",  "for this type"};
  const size_t count =
      sizeof wrong / sizeof *wrong - (strstr(r->required, "sync aligned") ? 0 : 2); /* notes say more */
  char text[2000] = "";
  struct lowered l;
  const size_t head = (size_t)snprintf(text, sizeof text, "%s%s", OPEN, opcode);
  size_t used = head;
  for (unsigned k = 0; k < r->least; k++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%%r1", k ? ", " : " ");
  snprintf(text + used, sizeof text - used, ";%s", CLOSE);
  (void)lowered(&l, text, false);
  for (unsigned m = 0; m < l.p.messages && m < 1; m++)
    for (size_t k = 0; k < count; k++)
      if (strstr(l.p.message[m].text, wrong[k]) && (k > 0 || strstr(l.p.message[m].text, ": .")))
        fail_msg("listed, but: %s", l.p.message[m].text);
  lowered_free(&l);
}

/* Types in place: `choice` of those that vary; then the instruction is tried. */
static void with_types(const struct ptx_listed *r, const char *words, unsigned choice) {
  char opcode[ROOM];
  snprintf(opcode, sizeof opcode, "%s%s", r->name, words);
  for (unsigned k = 0; k < r->written; k++) {
    const unsigned group = r->sequence ? k : choice;
    append(opcode, r->types, group, r->sequence ? choice % alternatives(r->types, group) : 0);
  }
  check(r, opcode);
}

static unsigned type_choices(const struct ptx_listed *r) {
  unsigned most = 1;
  if (!r->sequence) return r->written ? groups(r->types) : 1;
  for (unsigned k = 0; k < r->written; k++)
    if (alternatives(r->types, k) > most) most = alternatives(r->types, k);
  return most;
}

/* Every choice of the required words, by a counter with a digit for each group. */
static void each_required(const struct ptx_listed *r, const char *optional, unsigned *texts) {
  const unsigned n = groups(r->required);
  unsigned digit[GROUPS] = {0}, k;
  assert_true(n <= GROUPS);
  do {
    char words[ROOM] = "";
    for (k = 0; k < n; k++) append(words, r->required, k, digit[k]);
    snprintf(words + strlen(words), ROOM - strlen(words), "%s", optional);
    for (unsigned t = 0; t < type_choices(r); t++, (*texts)++) with_types(r, words, t);
    for (k = 0; k < n && ++digit[k] == alternatives(r->required, k); k++) digit[k] = 0;
  } while (k < n);
}

/* Words of matrices stand at places of their own: their optional ones are tried by other tests. */
static void put(void *ctx, const struct ptx_listed *r) {
  struct tried *t = ctx;
  t->rows++;
  if (strcmp(t->name, r->name) != 0) assert_true(strcmp(t->name, r->name) < 0);
  snprintf(t->name, sizeof t->name, "%s", r->name);
  each_required(r, "", &t->texts);
  for (unsigned g = 0; g < groups(r->optional) && lower_row(0); g++)
    for (unsigned k = 0; k < alternatives(r->optional, g) && strncmp(r->required, "async", 5) != 0 &&
                         !strstr(r->required, "sync aligned");
         k++) {
      char words[ROOM] = "";
      append(words, r->optional, g, k);
      each_required(r, words, &t->texts);
    }
}

static void is_true(void **state) {
  struct tried t = {0};
  (void)state;
  ptx_list(put, &t);
  print_message("%u rows, %u texts\n", t.rows, t.texts);
  assert_true(t.rows > 150);
}

struct search {
  const char *name;
  bool found;
};

static void look(void *ctx, const struct ptx_listed *r) {
  struct search *s = ctx;
  s->found = s->found || strcmp(s->name, r->name) == 0;
}

static void is_complete(void **state) {
  const struct row *r;
  (void)state;
  for (unsigned k = 0; (r = lower_row(k)) != NULL; k++) {
    struct search s = {r->name, false};
    ptx_list(look, &s);
    if (!s.found) fail_msg("%s is not in the list", r->name);
  }
  assert_string_equal(ptx_list_register(0), "%tid.x");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(is_true), cmocka_unit_test(is_complete)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
