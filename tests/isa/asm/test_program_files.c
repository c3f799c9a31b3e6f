/* SPDX-License-Identifier: Apache-2.0
 *
 * Program files: what is saved loads back; what is broken is refused with a message, whatever byte is wrong; what
 * kernels need of a machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/asm.h>
#include <heddle/isa_tables.h>
#include <heddle/needs.h>
#include "tests/test.h"

static uint8_t image[1 << 16];
static size_t image_size;
static struct heddle_program *original;

static int make(void **state) {
  (void)state;
  static const char text[] =
      ".const t u32 5\n.kernel first\n.param u64 a align 16\n.param u32 n\n.shared s 64\n.local 40\n"
      ".reqntid 32 4 1\n.maxntid 200\n.minnctapersm 3\n MOV R7, c[0x0][n] ;\n"
      " BAR.SYNC 0x3 ;\n EXIT ;\n.end\n.func helper\n RET R20 ;\n.end\n.kernel second\n EXIT ;\n.end\n";
  struct heddle_asm_options o = {.size = sizeof o, .stall = {5, 6, 8, 6}};
  if (heddle_assemble(text, sizeof text - 1, "t.s", &o, &original) != HEDDLE_SUCCESS) return -1;
  original->ordered = true; /* as if a compiler had made it */
  if (heddle_program_add_order(original, 16, HEDDLE_ORDER_FENCE_CTA) != HEDDLE_SUCCESS ||
      heddle_program_add_order(original, 48, HEDDLE_ORDER_WAIT) != HEDDLE_SUCCESS)
    return -1;
  char path[] = "/tmp/heddle-test-XXXXXX";
  int fd = mkstemp(path);
  if (fd < 0) return -1;
  close(fd);
  struct heddle_message m;
  bool ok = heddle_program_save(original, path, &m) == HEDDLE_SUCCESS;
  FILE *f = fopen(path, "rb");
  image_size = f ? fread(image, 1, sizeof image, f) : 0;
  if (f) fclose(f);
  unlink(path);
  return ok && image_size > 0 ? 0 : -1;
}

static int drop(void **state) {
  (void)state;
  heddle_program_free(original);
  return 0;
}

static void saved_programs_load_back(void **state) {
  (void)state;
  struct heddle_program *p;
  struct heddle_message m;
  assert_int_equal(heddle_program_load_memory(image, image_size, "x.elf", &p, &m), HEDDLE_SUCCESS);
  assert_int_equal(p->code_bytes, original->code_bytes);
  assert_memory_equal(p->code, original->code, p->code_bytes);
  assert_int_equal(p->const_bytes, 4);
  assert_int_equal(p->kernels, 3);
  const struct heddle_kernel *k = heddle_program_kernel(p, "first");
  assert_non_null(k);
  assert_int_equal(k->regs, 22);
  assert_int_equal(k->barriers, 4);
  assert_int_equal(k->shared_bytes, 64);
  assert_int_equal(k->params, 2);
  assert_string_equal(k->param[1].name, "n");
  assert_int_equal(k->param[1].offset, 8);
  assert_true(k->param[0].size == 8 && k->param[0].align == 16 && k->param[1].align == 0);
  assert_int_equal(k->stall[HEDDLE_STALL_FMA_REG], 8);
  assert_int_equal(k->stall[HEDDLE_STALL_UNI_REG], 12); /* assumed where nothing is known */
  assert_int_equal(k->local_bytes, 48);                 /* rounded up to 16 */
  assert_int_equal(heddle_program_kernel(p, "second")->local_bytes, 0);
  static const struct heddle_promise none = {.threads = 0}, promised = {{32, 4, 1}, 200, 3};
  assert_memory_equal(&k->promise, &promised, sizeof promised);
  assert_memory_equal(&heddle_program_kernel(p, "second")->promise, &none, sizeof none);
  assert_null(heddle_program_kernel(p, "helper"));
  assert_int_equal(heddle_program_kernel(p, "second")->entry_pc, 64);
  assert_true(p->ordered);
  assert_int_equal(p->orders, 2);
  assert_int_equal(heddle_program_order(p, 16), HEDDLE_ORDER_FENCE_CTA);
  assert_int_equal(heddle_program_order(p, 32), HEDDLE_ORDER_WORD);
  assert_int_equal(heddle_program_order(p, 48), HEDDLE_ORDER_WAIT);
  heddle_program_free(p);
}

/* A name of 4,096 characters comes back, and of its parameter one more: file, listing and assembler have them. */
static void long_names_come_back(void **state) {
  (void)state;
  static char text[4 * HEDDLE_SYMBOL_MAX], name[HEDDLE_SYMBOL_MAX + 2];
  struct heddle_asm_options o = {.size = sizeof o};
  struct heddle_message m;
  struct heddle_program *q;
  char path[] = "/tmp/heddle-test-XXXXXX";
  memset(name, 'n', HEDDLE_NAME_MAX);
  snprintf(text, sizeof text, ".globals 8\n.global %sg 4 4\n.kernel %s\n.param u32 %sp\n EXIT ;\n.end\n", name, name,
           name);
  struct heddle_program *p;
  assert_int_equal(heddle_assemble(text, strlen(text), "t.s", &o, &p), HEDDLE_SUCCESS);
  close(mkstemp(path));
  assert_int_equal(heddle_program_save(p, path, &m), HEDDLE_SUCCESS);
  if (heddle_program_load(path, &q, &m) != HEDDLE_SUCCESS) fail_msg("%s", m.text);
  unlink(path);
  const struct heddle_kernel *k = heddle_program_kernel(q, name);
  assert_non_null(k);
  assert_int_equal(strlen(k->param[0].name), HEDDLE_NAME_MAX + 1);
  assert_string_equal(k->param[0].name, p->kernel[0].param[0].name);
  assert_string_equal(q->variable[0].name, p->variable[0].name);
  heddle_program_free(p);
  heddle_program_free(q);
  name[HEDDLE_NAME_MAX] = 'n';
  snprintf(text, sizeof text, ".kernel %s\n EXIT ;\n.end\n", name);
  assert_int_equal(heddle_assemble(text, strlen(text), "t.s", &o, &p), HEDDLE_ERROR_INVALID_IMAGE);
  assert_null(p);
  memset(name, 'n', HEDDLE_SYMBOL_MAX + 1);
  snprintf(text, sizeof text, ".kernel k\n%s: EXIT ;\n.end\n", name);
  assert_int_equal(heddle_assemble(text, strlen(text), "t.s", &o, &p), HEDDLE_ERROR_INVALID_IMAGE);
  assert_null(p);
}

static void refuse(const uint8_t *bytes, size_t size, const char *words) {
  struct heddle_program *p;
  struct heddle_message m;
  assert_int_equal(heddle_program_load_memory(bytes, size, "x.elf", &p, &m), HEDDLE_ERROR_INVALID_IMAGE);
  assert_null(p);
  if (!strstr(m.text, words)) fail_msg("'%s' does not contain '%s'", m.text, words);
}

static void broken_files_are_refused(void **state) {
  (void)state;
  static uint8_t copy[1 << 16];
  refuse((const uint8_t *)"hello", 5, "not an ELF file");
  refuse(image, 0, "not an ELF file");
  memcpy(copy, image, image_size);
  copy[18] = 0x3e; /* e_machine */
  copy[19] = 0;
  refuse(copy, image_size, "machine");
  memcpy(copy, image, image_size);
  copy[4] = 1; /* ELFCLASS32 */
  refuse(copy, image_size, "ELF");
  /* another instruction set: the hash in the note */
  uint64_t hash = heddle_isa_hash();
  memcpy(copy, image, image_size);
  bool found = false;
  for (size_t i = 0; i + 8 <= image_size; i++)
    if (memcmp(copy + i, &hash, 8) == 0) {
      copy[i] ^= 1;
      found = true;
    }
  assert_true(found);
  refuse(copy, image_size, "another instruction set");
  static const uint8_t stall_and_local[12] = {5, 6, 8, 6, 6, 12, 0, 0, 48, 0, 0, 0};
  memcpy(copy, image, image_size);
  for (size_t i = 0; i + 12 <= image_size; i++)
    if (memcmp(copy + i, stall_and_local, 12) == 0) copy[i + 8] = 49;
  refuse(copy, image_size, "49 local bytes");
  static const uint8_t orders[8] = {16 | HEDDLE_ORDER_FENCE_CTA, 0, 0, 0, 48 | HEDDLE_ORDER_WAIT, 0, 0, 0};
  static const uint8_t wrong[] = {16 | HEDDLE_ORDER_WAIT, 48, 48 | HEDDLE_ORDER_KINDS}; /* not behind, no kind */
  for (unsigned w = 0; w < sizeof wrong; w++) {
    memcpy(copy, image, image_size);
    for (size_t i = 0; i + 8 <= image_size; i++)
      if (memcmp(copy + i, orders, 8) == 0) copy[i + 4] = wrong[w];
    refuse(copy, image_size, ".order");
  }
}

/* One word of the promise of `first` is spoiled. */
static void promises_that_cannot_be_are_refused(void **state) {
  (void)state;
  static uint8_t copy[1 << 16];
  static const uint8_t promise[20] = {32, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 200, 0, 0, 0, 3};
  size_t at = 0;
  while (at + sizeof promise <= image_size && memcmp(image + at, promise, sizeof promise) != 0) at++;
  assert_true(at + sizeof promise <= image_size);
  for (unsigned word = 0; word < 5; word++) {
    memcpy(copy, image, image_size);
    copy[at + 4 * word + 3] = 0x80; /* more than 2^31 */
    refuse(copy, image_size, "kernel first: it promises blocks of");
  }
  memcpy(copy, image, image_size);
  copy[at + 4] = 0; /* a shape of one and a half sizes */
  refuse(copy, image_size, "32x0x1, of 200 threads, 3 at once: no such promise");
  memcpy(copy, image, image_size);
  static const uint8_t power[] = {0, 1, 2, 5, 31, 32, 255}; /* 0: then nothing is promised */
  for (size_t i = 0; i < sizeof power; i++) {
    assert_int_equal(copy[at + sizeof promise + 4], 8);
    copy[at + sizeof promise + 6] = power[i];
    if (i > 0) refuse(copy, image_size, "kernel first: parameter 0 has no such alignment");
  }
  copy[at + sizeof promise + 6] = 4;
  copy[at + sizeof promise + 4] = 4; /* no address */
  refuse(copy, image_size, "kernel first: parameter 0 has no such alignment");
  memcpy(copy, image, image_size);
  const size_t version = at - 13 * 4;
  assert_int_equal(image[version], 3);
  for (uint8_t other = 2; other <= 4; other += 2) { /* 2: without a promise */
    copy[version] = other;
    refuse(copy, image_size, ", this reads 3; make the file again");
  }
}

/* Neither truncation nor a wrong byte anywhere may do worse than a message. Run under sanitizers this is the proof. */
static void damage_is_survived(void **state) {
  (void)state;
  static uint8_t copy[1 << 16];
  struct heddle_program *p;
  struct heddle_message m;
  unsigned refused = 0;
  for (size_t n = 0; n < image_size; n++) {
    bool ok = heddle_program_load_memory(image, n, "x.elf", &p, &m) == HEDDLE_SUCCESS;
    if (!ok) refused++;
    heddle_program_free(p);
  }
  assert_int_equal(refused, image_size);
  for (size_t i = 0; i < image_size; i++) {
    static const uint8_t wrong[] = {0x00, 0xff, 0x80, 0x01};
    for (unsigned w = 0; w < sizeof wrong; w++) {
      memcpy(copy, image, image_size);
      copy[i] = (uint8_t)(copy[i] ^ wrong[w]);
      if (heddle_program_load_memory(copy, image_size, "x.elf", &p, &m) != HEDDLE_SUCCESS) assert_true(m.text[0] != 0);
      heddle_program_free(p);
    }
  }
}

static void missing_files_are_reported(void **state) {
  (void)state;
  struct heddle_program *p;
  struct heddle_message m;
  assert_int_equal(heddle_program_load("/nonexistent/x.elf", &p, &m), HEDDLE_ERROR_FILE);
  assert_non_null(strstr(m.text, "cannot open"));
  assert_int_equal(heddle_program_save(original, "/nonexistent/x.elf", &m), HEDDLE_ERROR_FILE);
  assert_int_equal(heddle_program_save(original, "/nonexistent/x.elf", NULL), HEDDLE_ERROR_FILE);
  assert_non_null(strstr(m.text, "cannot create"));
}

/* What kernels need: along the ways that a launch may take, as notes say it, and notes that lie. */

#define UNIT(u) (1u << ISA_UNIT_##u)

static const char text[] =
    ".kernel plain\n IADD3 R0, RZ, 0x1, RZ ;\n EXIT ;\n FADD R0, R0, R0 ;\n.end\n" /* never reached */
    ".func sine\n MUFU.SIN R4, R4 ;\n RET R20 ;\n.end\n"
    ".kernel calls\n@P0 BRA over ;\n EXIT ;\nover:\n CALL.REL sine ;\n VOTE.ALL P0, P0 ;\n EXIT ;\n.end\n"
    ".kernel uniform\n UMOV UR5, 0x7 ;\n MOV R1, UR5 ;\n EXIT ;\n.end\n"
    ".kernel guest\n IADD3 R0, R1, UR40, RZ ;\n EXIT ;\n.end\n" /* a uniform operand of another unit */
    ".kernel anywhere\n BRX R2 ;\n DADD R2, R2, R2 ;\n EXIT ;\n.end\n"
    ".kernel adds\n ATOMG.E.ADD.F32 R6, [R2], R5 ;\n EXIT ;\n.end\n"
    ".kernel copies\n LDGSTS.E [R4], [R2] ;\n LDGDEPBAR ;\n EXIT ;\n.end\n"
    ".kernel parks\n BSSY B0, far ;\n EXIT ;\nfar:\n HADD2 R2, R2, R2 ;\n EXIT ;\n.end\n";

static struct heddle_program *program;
static uint8_t needs_image[1 << 16];
static size_t needs_size;

static void complain(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  fprintf(stderr, "%s:%u: %s\n", m->file, m->line, m->text);
}

static int make_needs(void **state) {
  (void)state;
  struct heddle_asm_options o = {.size = sizeof o, .stall = {5, 6, 8, 6}, .message = complain, .long_words = true};
  char path[] = "/tmp/heddle-test-XXXXXX";
  struct heddle_message m;
  (void)heddle_assemble(text, sizeof text - 1, "t.s", &o, &program);
  const int fd = program ? mkstemp(path) : -1;
  if (fd < 0) return -1;
  close(fd);
  const bool ok = heddle_program_save(program, path, &m) == HEDDLE_SUCCESS;
  FILE *f = fopen(path, "rb");
  needs_size = f ? fread(needs_image, 1, sizeof needs_image, f) : 0;
  if (f) fclose(f);
  unlink(path);
  return ok && needs_size > 0 ? 0 : -1;
}

static int drop_needs(void **state) {
  (void)state;
  heddle_program_free(program);
  return 0;
}

static const struct {
  const char *kernel;
  uint32_t units, uniform_regs;
} wants[] = {{"plain", UNIT(ALU) | UNIT(BR), 0},
             {"calls", UNIT(BR) | UNIT(SFU) | UNIT(WARP), 0},
             {"uniform", UNIT(ALU) | UNIT(BR) | UNIT(UNI), 6},
             {"guest", UNIT(ALU) | UNIT(BR) | UNIT(UNI), 41},
             {"anywhere", UNIT(BR) | UNIT(FP64) | UNIT(SFU), 0},
             {"adds", UNIT(MEM) | UNIT(BR) | 1u << ISA_PART_FATOM, 0},
             {"copies", UNIT(MEM) | UNIT(BR) | 1u << ISA_PART_ASYNC, 0},
             {"parks", UNIT(BR) | UNIT(HALF), 0}};
enum { WANTS = sizeof wants / sizeof *wants };

static void words_say_what_they_need(void **state) {
  (void)state;
  for (size_t i = 0; i < WANTS; i++) {
    const struct heddle_kernel *k = heddle_program_kernel(program, wants[i].kernel);
    struct heddle_needs n;
    assert_non_null(k);
    assert_int_equal(heddle_kernel_needs(program, k, &n), HEDDLE_SUCCESS);
    if (n.units != wants[i].units) fail_msg("%s: 0x%x, not 0x%x", k->name, n.units, wants[i].units);
    assert_int_equal(n.uniform_regs, wants[i].uniform_regs);
  }
}

static void the_first_of_them_is_found(void **state) {
  (void)state;
  const struct heddle_kernel *k = heddle_program_kernel(program, "calls");
  uint32_t words = 9;
  assert_int_equal(heddle_kernel_first(program, k, UNIT(SFU), &words), 0x30); /* in the function */
  assert_int_equal(words, 1);
  assert_int_equal(heddle_kernel_first(program, k, UNIT(TENSOR), &words), UINT32_MAX);
  assert_int_equal(words, 0);
  k = heddle_program_kernel(program, "uniform");
  assert_int_equal(heddle_kernel_first(program, k, UNIT(UNI), &words), k->entry_pc);
  assert_int_equal(words, 2);
}

static void files_say_the_same(void **state) {
  (void)state;
  struct heddle_program *p;
  struct heddle_message m;
  assert_int_equal(heddle_program_load_memory(needs_image, needs_size, "x.elf", &p, &m), HEDDLE_SUCCESS);
  for (size_t i = 0; i < WANTS; i++) {
    const struct heddle_kernel *k = heddle_program_kernel(p, wants[i].kernel);
    assert_true(k->noted);
    assert_int_equal(k->needs.units, wants[i].units);
    assert_int_equal(k->needs.uniform_regs, wants[i].uniform_regs);
  }
  heddle_program_free(p);
}

/* Where the note of kernel `uniform` has its names: its version is 16 bytes before. */
static uint8_t *names_of_uniform(uint8_t *copy) {
  static const char names[] = "alu br uni";
  memcpy(copy, needs_image, needs_size);
  for (size_t i = 0; i + sizeof names <= needs_size; i++)
    if (memcmp(copy + i, names, sizeof names) == 0) return copy + i;
  return NULL;
}

static void load(const uint8_t *bytes, const char *refused) {
  struct heddle_program *p;
  struct heddle_message m;
  const bool ok = heddle_program_load_memory(bytes, needs_size, "x.elf", &p, &m) == HEDDLE_SUCCESS;
  assert_int_equal(ok, refused == NULL);
  if (refused && !strstr(m.text, refused)) fail_msg("'%s' does not contain '%s'", m.text, refused);
  heddle_program_free(p);
}

static void broken_notes_are_refused(void **state) {
  (void)state;
  static uint8_t copy[sizeof needs_image];
  uint8_t *at = names_of_uniform(copy);
  assert_non_null(at);
  load(copy, NULL);
  memcpy(at, "alu br unx", 10);
  load(copy, "kernel uniform: note of needs: a name of a unit is unknown");
  memcpy(at, "alu br alu", 10);
  load(copy, "is there twice");
  memcpy(at, "alu br    ", 10);
  load(copy, "is unknown");
  memset(at + 10, 'x', 2); /* two bytes of NUL are all that ends them */
  load(copy, "do not end");
  at = names_of_uniform(copy);
  at[-4] = 64;
  load(copy, "more uniform registers");
  at = names_of_uniform(copy);
  at[-8] = at[-7] = at[-6] = 0xff;
  load(copy, "belongs to no kernel");
  at = names_of_uniform(copy);
  at[-12] = 2; /* a later version says nothing here */
  load(copy, NULL);
}

static void names_and_bits_are_the_same(void **state) {
  (void)state;
  uint32_t units;
  char names[80], cut[6];
  const uint32_t all = UNIT(ALU) | UNIT(UNI) | 1u << ISA_PART_ASYNC | 1u << ISA_PART_FATOM | 1u << ISA_PART_MODEL;
  heddle_needs_text(all, names, sizeof names);
  assert_string_equal(names, "alu uni async model fatom");
  assert_int_equal(heddle_needs_parse(names, &units, NULL), HEDDLE_SUCCESS);
  assert_int_equal(units, all);
  heddle_needs_text(units, cut, sizeof cut);
  assert_string_equal(cut, "alu u");
  heddle_needs_text(0, names, sizeof names);
  assert_string_equal(names, "");
  assert_int_equal(heddle_needs_parse("", &units, NULL), HEDDLE_SUCCESS);
  assert_int_equal(units, 0);
  struct heddle_message m;
  assert_int_equal(heddle_needs_parse(" alu", &units, NULL), HEDDLE_ERROR_INVALID_VALUE);
  assert_int_equal(heddle_needs_parse("alu alu", &units, &m), HEDDLE_ERROR_INVALID_VALUE);
  assert_string_equal(m.text, "'alu' is no unit, or is given twice");
}

/* A branch through a register may go to any word: a million of them are looked at once each. */
static void many_open_branches_take_no_time(void **state) {
  (void)state;
  const struct heddle_kernel *any = heddle_program_kernel(program, "anywhere");
  const struct heddle_isa_word branch = heddle_program_word(program, any->entry_pc);
  struct heddle_kernel kernel[2] = {{.name = "a", .regs = 8}, {.name = "b", .entry_pc = HEDDLE_CODE_MAX / 2}};
  struct heddle_program p = {.code_bytes = HEDDLE_CODE_MAX, .kernel = kernel, .kernels = 2};
  struct heddle_needs n;
  uint32_t words = 0;
  p.code = malloc(HEDDLE_CODE_MAX);
  assert_non_null(p.code);
  for (uint32_t at = 0; at < HEDDLE_CODE_MAX; at += ISA_WORD_BYTES) heddle_isa_word_store(p.code + at, branch);
  assert_int_equal(heddle_kernel_needs(&p, &kernel[0], &n), HEDDLE_SUCCESS);
  assert_int_equal(n.units, UNIT(BR));
  assert_int_equal(heddle_kernel_first(&p, &kernel[0], UNIT(BR), &words), 0);
  assert_int_equal(words, HEDDLE_CODE_MAX / 2 / ISA_WORD_BYTES);
  free(p.code);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest files[] = {
      cmocka_unit_test(saved_programs_load_back), cmocka_unit_test(long_names_come_back),
      cmocka_unit_test(broken_files_are_refused), cmocka_unit_test(promises_that_cannot_be_are_refused),
      cmocka_unit_test(damage_is_survived),       cmocka_unit_test(missing_files_are_reported)};
  const struct CMUnitTest needs[] = {
      cmocka_unit_test(words_say_what_they_need),    cmocka_unit_test(the_first_of_them_is_found),
      cmocka_unit_test(files_say_the_same),          cmocka_unit_test(broken_notes_are_refused),
      cmocka_unit_test(names_and_bits_are_the_same), cmocka_unit_test(many_open_branches_take_no_time)};
  const int failed = cmocka_run_group_tests(files, make, drop);
  return failed + cmocka_run_group_tests(needs, make_needs, drop_needs);
}
