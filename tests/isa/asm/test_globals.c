/* SPDX-License-Identifier: Apache-2.0
 * Module variables: the directives, program files with them, listings; what is broken is refused. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"

#include <heddle/asm.h>

#define CODE ".kernel k\n EXIT ;\n.end\n"
/* 24 bytes: a number, an address (of `zero`, 16), 4 bytes that are only memory and 4 of nobody. */
#define TEXT                                                                                                           \
  ".globals 24 16\n.global number 0 4\n.global where 8 8\n.global zero 16 4\n.initial 0 5, 0, 0, 0\n"                  \
  ".initial 8 0x10\n.address 8\n" CODE

enum { IMAGE = 1 << 14 };

struct image {
  uint8_t at[IMAGE];
  size_t size;
};

static char message[256];

static void keep(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  if (!m->warning && !message[0]) snprintf(message, sizeof message, "%u:%u: %s", m->line, m->column, m->text);
}

static struct heddle_program *assemble(const char *text) {
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {5, 6, 8, 6, 6, 12}, .message = keep};
  message[0] = '\0';
  struct heddle_program *p;
  (void)heddle_assemble(text, strlen(text), "t.s", &o, &p);
  return p;
}

static void save(const struct heddle_program *p, struct image *to) {
  char path[] = "/tmp/heddle-test-XXXXXX";
  struct heddle_message m;
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  assert_int_equal(heddle_program_save(p, path, &m), HEDDLE_SUCCESS);
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  to->size = fread(to->at, 1, IMAGE, f);
  fclose(f);
  unlink(path);
  assert_true(to->size > 0 && to->size < IMAGE);
}

static struct image made_of(const char *text) {
  struct image x;
  struct heddle_program *p = assemble(text);
  assert_non_null(p);
  save(p, &x);
  heddle_program_free(p);
  return x;
}

static struct image made(void) {
  return made_of(TEXT);
}

static void must_be(const struct heddle_program *p) {
  static const uint8_t first[16] = {5, [8] = 16};
  assert_int_equal(p->global_bytes, 24);
  assert_int_equal(p->global_initial, 16);
  assert_memory_equal(p->global, first, 16);
  assert_int_equal(p->variables, 3);
  assert_string_equal(p->variable[1].name, "where");
  assert_int_equal(p->variable[1].offset, 8);
  assert_int_equal(p->variable[1].size, 8);
  assert_int_equal(p->addresses, 1);
  assert_int_equal(p->address[0], 8);
}

static void files_keep_variables(void **state) {
  (void)state;
  struct heddle_program *p;
  struct heddle_message m;
  const struct image x = made();
  if (heddle_program_load_memory(x.at, x.size, "x.elf", &p, &m) != HEDDLE_SUCCESS) fail_msg("%s", m.text);
  must_be(p);
  assert_ptr_equal(heddle_program_global(p, "zero"), &p->variable[2]);
  assert_null(heddle_program_global(p, "k"));
  heddle_program_free(p);
}

static void a_place_is_given(void **state) {
  (void)state;
  struct heddle_program *p = assemble(TEXT);
  uint8_t got[25];
  static const uint8_t want[25] = {5, [8] = 0x10, [9] = 0xff, [12] = 0x7f, [24] = 0xaa};
  memset(got, 0xaa, sizeof got);
  heddle_program_fill_globals(p, UINT64_C(0x7f0000ff00), got);
  assert_memory_equal(got, want, sizeof want);
  heddle_program_free(p);
}

struct text {
  char at[4096];
  size_t size;
};

static void put(void *ctx, const char *s) {
  struct text *t = ctx;
  assert_true(t->size + strlen(s) < sizeof t->at);
  strcpy(t->at + t->size, s);
  t->size += strlen(s);
}

static void listings_assemble_back(void **state) {
  (void)state;
  static struct text t;
  struct heddle_program *p = assemble(TEXT);
  heddle_disassemble_program(p, put, &t);
  struct heddle_program *q = assemble(t.at);
  if (!q) fail_msg("%s\n%s", message, t.at);
  must_be(q);
  assert_non_null(strstr(t.at, ".global where 0x8 8\n"));
  heddle_program_free(p);
  heddle_program_free(q);
}

static void directives_are_checked(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
  } t[] = {{".globals 67108865\n" CODE, "1:10: expected a number of bytes, at most 67108864"},
           {".globals 8 9\n" CODE, "1:12: expected a number of bytes with values, at most 8"},
           {".globals 33554432 16777217\n" CODE, "at most 16777216"},
           {".globals 8\n.globals 8\n" CODE, "2:10: a second '.globals'"},
           {".global x 0 4\n" CODE, "1:13: expected a number of bytes, at most 0"},
           {".globals 8\n.global x 9 0\n" CODE, "2:11: expected an offset inside"},
           {".globals 8\n.global x 4 5\n" CODE, "2:13: expected a number of bytes, at most 4"},
           {".globals 8\n.global 4 4\n" CODE, "'.global NAME OFFSET BYTES'"},
           {".globals 8\n.global x 0 4\n.global x 4 4\n" CODE, "'x' is defined twice"},
           {".globals 8 2\n.initial 3 1\n" CODE, "2:10: expected an offset inside"},
           {".globals 8 2\n.initial 1 1, 2\n" CODE, "gives 2 bytes values"},
           {".globals 8 2\n.initial 0 256\n" CODE, "a byte, at most 255"},
           {".initial 0 1\n" CODE, "gives 0 bytes values"},
           {".globals 16 15\n.address 8\n" CODE, "8 bytes each"},
           {".globals 32 32\n.address 8\n.address 15\n" CODE, "3:10: addresses have 8 bytes each, in ascending order"}};
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    struct heddle_program *p = assemble(t[i].text);
    if (p) fail_msg("taken: %s", t[i].text);
    if (!strstr(message, t[i].words)) fail_msg("'%s' does not contain '%s'", message, t[i].words);
  }
}

/* ---- files that nobody should make */

static Elf64_Shdr *section(struct image *x, const char *name) {
  Elf64_Ehdr *eh = (Elf64_Ehdr *)(void *)x->at;
  Elf64_Shdr *sh = (Elf64_Shdr *)(void *)(x->at + eh->e_shoff);
  const char *names = (const char *)x->at + sh[eh->e_shstrndx].sh_offset;
  for (unsigned i = 1; i < eh->e_shnum; i++)
    if (strcmp(names + sh[i].sh_name, name) == 0) return &sh[i];
  fail_msg("no section %s", name);
  return NULL;
}

static Elf64_Sym *symbol(struct image *x, unsigned i) { /* of variable i */
  return (Elf64_Sym *)(void *)(x->at + section(x, ".symtab")->sh_offset) + 2 + i;
}

static void refuse(const struct image *x, const char *words) {
  struct heddle_program *p;
  struct heddle_message m;
  assert_int_equal(heddle_program_load_memory(x->at, x->size, "x.elf", &p, &m), HEDDLE_ERROR_INVALID_IMAGE);
  assert_null(p);
  if (!strstr(m.text, words)) fail_msg("'%s' does not contain '%s'", m.text, words);
}

static void sections_are_bounded(void **state) {
  (void)state;
  struct image x = made();
  section(&x, ".global.zero")->sh_size = (64u << 20) - 15;
  refuse(&x, "16 + 67108849 bytes; at most 67108864");
  section(&x, ".global.zero")->sh_size = UINT64_MAX;
  refuse(&x, "at most 67108864");
  x = made();
  section(&x, ".global")->sh_size = UINT64_MAX;
  refuse(&x, "outside the file");
  x = made();
  section(&x, ".global")->sh_type = SHT_NOBITS;
  refuse(&x, ".global has no contents");
  x = made();
  section(&x, ".global.address")->sh_type = SHT_NOBITS;
  refuse(&x, ".global.address has no contents");
  x = made();
  section(&x, ".global.zero")->sh_name = section(&x, ".global")->sh_name;
  refuse(&x, ".global has no contents");
  x = made();
  section(&x, ".global.address")->sh_name = section(&x, ".global")->sh_name;
  refuse(&x, "two sections '.global'");
}

static void symbols_are_bounded(void **state) {
  (void)state;
  struct image x = made();
  symbol(&x, 2)->st_value = 21;
  refuse(&x, "zero is outside the 24 bytes");
  symbol(&x, 2)->st_value = UINT64_MAX - 1;
  refuse(&x, "zero is outside");
  x = made();
  symbol(&x, 0)->st_size = UINT64_C(1) << 32;
  refuse(&x, "number is outside");
  x = made();
  symbol(&x, 0)->st_name = symbol(&x, 1)->st_name;
  refuse(&x, "two module variables named where");
  x = made();
  symbol(&x, 0)->st_name = 0;
  refuse(&x, "without a usable name");
}

static void addresses_are_bounded(void **state) {
  (void)state;
  struct image x = made();
  uint8_t *list = x.at + section(&x, ".global.address")->sh_offset;
  list[0] = 9;
  refuse(&x, "an address at byte 0x9");
  memset(list, 0xff, 4);
  refuse(&x, "an address at byte 0xffffffff");
  x = made();
  section(&x, ".global.address")->sh_size = 3; /* no whole one: none */
  struct heddle_program *p;
  struct heddle_message m;
  assert_int_equal(heddle_program_load_memory(x.at, x.size, "x.elf", &p, &m), HEDDLE_SUCCESS);
  assert_int_equal(p->addresses, 0);
  heddle_program_free(p);
  x = made();
  section(&x, ".global.address")->sh_offset -= 8; /* two of whatever stands there, and then a third */
  section(&x, ".global.address")->sh_size = 12;
  refuse(&x, "12 bytes for 16 of variables");
  for (uint8_t second = 0; second < 16; second += 7) { /* in front of the first, the first, inside the first */
    x = made_of(".globals 32 32\n.address 7\n.address 16\n" CODE);
    x.at[section(&x, ".global.address")->sh_offset + 4] = second;
    refuse(&x, "or inside the one before");
  }
}

/* Under sanitizers this is the proof. */
static void damage_is_survived(void **state) {
  (void)state;
  const struct image whole = made();
  for (size_t i = 0; i < whole.size; i++) {
    static const uint8_t wrong[] = {0xff, 0x80, 0x01};
    for (unsigned w = 0; w < sizeof wrong; w++) {
      struct image x = whole;
      struct heddle_program *p;
      struct heddle_message m;
      uint8_t *memory;
      x.at[i] ^= wrong[w];
      if (heddle_program_load_memory(x.at, x.size, "x.elf", &p, &m) != HEDDLE_SUCCESS) continue;
      memory = malloc((size_t)p->global_bytes + 1);
      heddle_program_fill_globals(p, 0x1000, memory);
      free(memory);
      heddle_program_free(p);
    }
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_keep_variables),   cmocka_unit_test(a_place_is_given),
                                     cmocka_unit_test(listings_assemble_back), cmocka_unit_test(directives_are_checked),
                                     cmocka_unit_test(sections_are_bounded),   cmocka_unit_test(symbols_are_bounded),
                                     cmocka_unit_test(addresses_are_bounded),  cmocka_unit_test(damage_is_survived)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
