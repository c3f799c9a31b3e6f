/* SPDX-License-Identifier: Apache-2.0
 *
 * What counts instructions: listings, classes, symbols, logs; a debugger's port.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Listings, classes, symbols and logs made by hand; every expected number can be counted on the page. */

/* cmocka wants those before it */

#include "tests/test.h"
#include "lab/study/simd/count/listing.h"
#include "lab/study/simd/count/remote.h"

static char err[SIMD_ERROR];

static FILE *text(const char *s) {
  FILE *f = fmemopen((void *)(uintptr_t)s, strlen(s), "r");
  assert_non_null(f);
  return f;
}

static void write_file(char path[32], const void *data, size_t size) {
  strcpy(path, "/tmp/simd-test-XXXXXX");
  const int fd = mkstemp(path);
  assert_true(fd >= 0 && write(fd, data, size) == (ssize_t)size);
  (void)close(fd);
}

/* Five instructions, 13 bytes from 0x1000 on. */
static const char listing[] = "a.elf:\tfile format elf64-x86-64\n\n0000000000001000 <f>:\n"
                              "    1000: c5 fc 10 06            \tvmovups\t(%rsi), %ymm0\n"
                              "    1004: c5 fc 58 c0            \tvaddps\t%ymm0, %ymm0, %ymm0 # twice\n"
                              "    1008: 48 ff c9               \tdecq\t%rcx\n"
                              "    100b: 75 f3                  \tjne\t0x1000 <f>\n"
                              "    100d: c3                     \tretq\n"
                              "    100e: 66 90                  \tnop\n";
static const char classes[] = "# by hand\nguarded %rsi\nvmovups memory packed 4\nvaddps float packed 4\n"
                              "dec* integer scalar\nj* control scalar\nret* control scalar\n";

static bool read_listing(struct simd_listing *l, const char *from, uint64_t bytes) {
  *l = (struct simd_listing){.function = "f", .start = 0x1000, .bytes = bytes};
  FILE *f = text(from);
  const bool ok = simd_listing_read(l, f, err);
  (void)fclose(f);
  return ok;
}

static void a_listing_is_read(void **state) {
  (void)state;
  struct simd_listing l;
  assert_true(read_listing(&l, listing, 14));
  assert_int_equal(l.insns, 5);
  assert_string_equal(l.insn[1].mnemonic, "vaddps");
  assert_string_equal(l.insn[1].text, "vaddps %ymm0, %ymm0, %ymm0");
  assert_int_equal(l.insn[3].bytes, 2);
  assert_ptr_equal(simd_listing_at(&l, 0x100b), &l.insn[3]);
  assert_null(simd_listing_at(&l, 0x100c));
  assert_null(simd_listing_at(&l, 0x2000));
  simd_listing_free(&l);
}

static void a_gap_is_refused(void **state) {
  (void)state;
  struct simd_listing l;
  static const char gap[] = "1000: c3 \tretq\n1002: c3 \tretq\n";
  assert_false(read_listing(&l, gap, 3));
  assert_non_null(strstr(err, "no whole instruction at 0x1001"));
  simd_listing_free(&l);
  assert_false(read_listing(&l, "1000: c3 \tretq\n", 2));
  assert_non_null(strstr(err, "ends at 0x1001, the function at 0x1002"));
  simd_listing_free(&l);
}

static bool classify(struct simd_listing *l, const char *rules) {
  char path[32];
  write_file(path, rules, strlen(rules));
  const bool ok = simd_classify(l, path, err);
  (void)unlink(path);
  return ok;
}

static void rules_that_are_none_are_refused(void **state) {
  (void)state;
  struct simd_listing l;
  assert_true(read_listing(&l, listing, 14));
  assert_false(classify(&l, "vmovups memory packed\n"));
  assert_non_null(strstr(err, ":1: expected"));
  assert_false(classify(&l, "vmovups money packed 4\n"));
  assert_false(classify(&l, "vmovups memory packed 3\n"));
  assert_false(classify(&l, "vmovups memory packed 4\n"));
  assert_non_null(strstr(err, "no line for 'vaddps"));
  assert_false(simd_classify(&l, "/nowhere/rules", err));
  simd_listing_free(&l);
}

static int64_t number(const json_t *j, const char *part, const char *name) {
  return json_integer_value(json_object_get(json_object_get(j, part), name));
}

/* The loop twice, then the return; what lies outside of the function does not count. */
static const char log_text[] = "Trace 0: 0x7f00 [0000000000000000/0000000000000fff/00000000/00000201] main\n"
                               "Trace 0: 0x7f00 [0000000000000000/0000000000001000/00000000/00000201] f\n"
                               "Trace 0: 0x7f10 [0000000000000000/0000000000001004/00000000/00000201] f\n"
                               "Trace 0: 0x7f20 [0000000000000000/0000000000001008/00000000/00000201] f\n"
                               "Trace 0: 0x7f30 [0000000000000000/000000000000100b/00000000/00000201] f\n"
                               "Trace 0: 0x7f00 [0000000000000000/0000000000001000/00000000/00000201] f\n"
                               "Trace 0: 0x7f10 [0000000000000000/0000000000001004/00000000/00000201] f\n"
                               "Trace 0: 0x7f20 [0000000000000000/0000000000001008/00000000/00000201] f\n"
                               "Trace 0: 0x7f30 [0000000000000000/000000000000100b/00000000/00000201] f\n"
                               "Trace 0: 0x7f40 [0000000000000000/000000000000100d/00000000/00000201] f\n"
                               "Trace 0: 0x7f50 [0000000000000000/000000000000100e/00000000/00000201] main\n";

static void a_log_is_counted(void **state) {
  (void)state;
  struct simd_listing l;
  assert_true(read_listing(&l, listing, 14));
  assert_true(classify(&l, classes));
  FILE *f = text(log_text);
  assert_true(simd_execlog_read(&l, f, err));
  (void)fclose(f);
  simd_tally_packed(&l);
  json_t *j = simd_tally_json(&l);
  assert_int_equal(number(j, "executed", "instructions"), 9);
  assert_int_equal(number(j, "executed", "bytes"), 2 * (4 + 4 + 3 + 2) + 1);
  assert_int_equal(number(j, "executed", "control"), 3);
  assert_int_equal(number(j, "executed", "guarded"), 2);
  assert_int_equal(number(j, "vector", "instructions"), 4);
  assert_int_equal(number(j, "vector", "lanes"), 4 * 8);
  assert_int_equal(number(j, "float", "lanes"), 2 * 8);
  assert_int_equal(number(j, "code", "bytes"), 14);
  json_decref(j);
  simd_listing_free(&l);
}

static bool log_refused(const char *log, const char *why) {
  struct simd_listing l;
  assert_true(read_listing(&l, listing, 14));
  FILE *f = text(log);
  const bool refused = !simd_execlog_read(&l, f, err) && strstr(err, why);
  (void)fclose(f);
  simd_listing_free(&l);
  return refused;
}

static void a_log_that_is_none_is_refused(void **state) {
  (void)state;
  assert_true(log_refused("Trace 0: 0x7f00 [0/0000000000001001/0/0] f\n", "begins at 0x1001"));
  assert_true(log_refused("Stopped execution of TB chain before 0x7f00 [0000000000001000]\n", "no executed"));
  assert_true(log_refused("Trace 0: 0x7f00 [0/zzz/0/0] f\n", "no executed"));
  assert_true(log_refused("Trace 0: 0x7f00 [0/0000000000002000/0/0] g\n", "no instruction of f"));
}

/* An ELF file of a table of symbols and its names: f, of 14 bytes at 0x1000, and g, which has no size. */
struct small_elf {
  Elf64_Ehdr header;
  Elf64_Shdr section[3];
  Elf64_Sym symbol[3];
  char names[8];
};

static void make_elf(struct small_elf *e) {
  *e = (struct small_elf){.names = "\0f\0g"};
  memcpy(e->header.e_ident, ELFMAG, SELFMAG);
  e->header.e_ident[EI_CLASS] = ELFCLASS64;
  e->header.e_ident[EI_DATA] = ELFDATA2LSB;
  e->header.e_ident[EI_VERSION] = EV_CURRENT;
  e->header.e_type = ET_EXEC;
  e->header.e_machine = EM_RISCV;
  e->header.e_version = EV_CURRENT;
  e->header.e_ehsize = sizeof e->header;
  e->header.e_shoff = offsetof(struct small_elf, section);
  e->header.e_shentsize = sizeof e->section[0];
  e->header.e_shnum = 3;
  e->section[1] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                               .sh_offset = offsetof(struct small_elf, symbol),
                               .sh_size = sizeof e->symbol,
                               .sh_link = 2,
                               .sh_addralign = 8,
                               .sh_entsize = sizeof e->symbol[0]};
  e->section[2] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
                               .sh_offset = offsetof(struct small_elf, names),
                               .sh_size = sizeof e->names,
                               .sh_addralign = 1};
  const unsigned char function = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
  e->symbol[1] = (Elf64_Sym){.st_name = 1, .st_info = function, .st_shndx = 1, .st_value = 0x1000, .st_size = 14};
  e->symbol[2] = (Elf64_Sym){.st_name = 3, .st_info = function, .st_shndx = 1, .st_value = 0x2000};
}

static bool symbol(const void *data, size_t size, const char *name, struct simd_listing *l) {
  char path[32];
  write_file(path, data, size);
  *l = (struct simd_listing){0};
  const bool ok = simd_symbol(l, path, name, err);
  (void)unlink(path);
  return ok;
}

static void a_symbol_is_found(void **state) {
  (void)state;
  struct small_elf e;
  struct simd_listing l;
  make_elf(&e);
  assert_true(symbol(&e, sizeof e, "f", &l));
  assert_int_equal(l.start, 0x1000);
  assert_int_equal(l.bytes, 14);
  assert_false(symbol(&e, sizeof e, "h", &l));
  assert_non_null(strstr(err, "no function 'h'"));
  assert_false(symbol(&e, sizeof e, "g", &l));
  assert_non_null(strstr(err, "has no size"));
  assert_false(symbol("no such thing", 13, "f", &l));
  assert_non_null(strstr(err, "not an ELF file"));
  e.section[1].sh_size = UINT64_MAX / 2; /* more than there is */
  assert_false(symbol(&e, sizeof e, "f", &l));
  assert_false(symbol(&e, sizeof e.header + 8, "f", &l));
}

/* vtype: vlmul in bits 2:0, vsew in bits 5:3, vill in bit 63. */
static void lengths_follow_the_type(void **state) {
  (void)state;
  assert_int_equal(simd_vlmax(2 << 3, 32), 8);            /* e32, m1 of 256 bits */
  assert_int_equal(simd_vlmax(3 << 3 | 1, 32), 8);        /* e64, m2 */
  assert_int_equal(simd_vlmax(0 << 3 | 3, 16), 128);      /* e8, m8 */
  assert_int_equal(simd_vlmax(0 << 3 | 5, 32), 4);        /* e8, mf8 */
  assert_int_equal(simd_vlmax(2 << 3 | 7, 16), 2);        /* e32, mf2 */
  assert_int_equal(simd_vlmax(2 << 3 | 4, 32), 0);        /* reserved */
  assert_int_equal(simd_vlmax(4 << 3, 32), 0);            /* e128 */
  assert_int_equal(simd_vlmax(UINT64_C(1) << 63, 32), 0); /* vill */
  assert_int_equal(simd_whole("vl2re64.v", 0, 32), 8);
  assert_int_equal(simd_whole("vmv1r.v", 2 << 3, 128), 32);
  assert_int_equal(simd_whole("vs4r.v", 2 << 3, 16), 16);
  assert_int_equal(simd_whole("vle.v", 0, 16), 0);
}

static void masks_are_counted_up_to_vl(void **state) {
  (void)state;
  const uint8_t mask[2] = {0xa5, 0xff};
  assert_int_equal(simd_selected(mask, 2, 0), 0);
  assert_int_equal(simd_selected(mask, 2, 6), 3); /* bits 0, 2, 5 */
  assert_int_equal(simd_selected(mask, 2, 12), 8);
  assert_int_equal(simd_selected(mask, 2, 100), 12); /* no further than the register */
}

/* A debugger's port that answers right, wrong and not at all. */

/* cmocka wants those before it */

static struct simd_remote r;
static int far;

/* A port that has already said `text`: no question is read. */
static void port(const char *said) {
  int pair[2];
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  memset(&r, 0, sizeof r);
  r.fd = pair[0];
  far = pair[1];
  assert_int_equal(write(far, said, strlen(said)), (ssize_t)strlen(said));
  (void)shutdown(far, SHUT_WR);
}

static void hang_up(void) {
  simd_remote_close(&r);
  (void)close(far);
}

/* "$TEXT#XX" */
static const char *packet(const char *payload) {
  static char p[9000];
  unsigned sum = 0;
  for (const char *c = payload; *c; c++) sum += (unsigned char)*c;
  (void)snprintf(p, sizeof p, "+$%s#%02x", payload, sum & 255);
  return p;
}

static void registers_are_read(void **state) {
  (void)state;
  uint64_t value;
  uint8_t raw[SIMD_REGISTER_MAX];
  size_t bytes;
  port(packet("f811010000000080"));
  assert_true(simd_remote_word(&r, 32, &value));
  assert_int_equal(value, UINT64_C(0x80000000000111f8));
  char asked[32] = "";
  assert_true(read(far, asked, sizeof asked - 1) > 0);
  assert_non_null(strstr(asked, "$p20#d2")); /* 0x70 + 0x32 + 0x30 */
  hang_up();
  port(packet("a5ff"));
  assert_true(simd_remote_register(&r, 65, raw, &bytes));
  assert_int_equal(bytes, 2);
  assert_int_equal(raw[0], 0xa5);
  hang_up();
}

static void register_refused(const char *said, const char *why) {
  uint64_t value;
  port(said);
  assert_false(simd_remote_word(&r, 32, &value));
  if (!strstr(r.error, why)) fail_msg("'%s' does not say '%s'", r.error, why);
  hang_up();
}

static void wrong_answers_are_refused(void **state) {
  (void)state;
  register_refused("", "ended before");
  register_refused("+$f8110100", "ended before");
  register_refused("+$f811010000000080#00", "wrong checksum");
  register_refused(packet("f811"), "2 bytes, not 8");
  register_refused(packet("f81"), "no register 32");
  register_refused(packet(""), "no register 32");
  register_refused(packet("zz11010000000080"), "zz11");
  char longest[8900];
  memset(longest, '0', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  register_refused(packet(longest), "more than it may");
  longest[2 * (SIMD_REGISTER_MAX + 1)] = '\0';
  register_refused(packet(longest), "no register 32");
}

static void stops_are_told_apart(void **state) {
  (void)state;
  port(packet("T05thread:1;"));
  assert_true(simd_remote_step(&r));
  hang_up();
  port(packet("T0bthread:1;")); /* a fault */
  assert_false(simd_remote_step(&r));
  assert_non_null(strstr(r.error, "stopped by itself: T0b"));
  hang_up();
  port(packet("W00"));
  assert_false(simd_remote_step(&r));
  hang_up();
}

static void descriptions_are_read(void **state) {
  (void)state;
  unsigned number;
  port(packet("l<feature name=\"v\"><reg name=\"v0\" regnum=\"65\"/><reg name=\"vl\" regnum=\"101\"/></feature>"));
  assert_true(simd_remote_number(&r, "riscv-vector.xml", "vl", &number));
  assert_int_equal(number, 101);
  hang_up();
  port(packet("l<feature><reg name=\"v0\" regnum=\"65\"/></feature>"));
  assert_false(simd_remote_number(&r, "riscv-vector.xml", "vl", &number));
  assert_non_null(strstr(r.error, "does not name register vl"));
  hang_up();
  port(packet("l<feature><reg name=\"vl\""));
  assert_false(simd_remote_number(&r, "riscv-vector.xml", "vl", &number));
  hang_up();
  port(packet("E00"));
  assert_false(simd_remote_number(&r, "riscv-vector.xml", "vl", &number));
  assert_non_null(strstr(r.error, "does not describe"));
  hang_up();
  port(packet("m")); /* more to come, and nothing in it: for ever */
  assert_false(simd_remote_number(&r, "riscv-vector.xml", "vl", &number));
  hang_up();
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_listing_is_read),
                                     cmocka_unit_test(a_gap_is_refused),
                                     cmocka_unit_test(rules_that_are_none_are_refused),
                                     cmocka_unit_test(a_log_is_counted),
                                     cmocka_unit_test(a_log_that_is_none_is_refused),
                                     cmocka_unit_test(a_symbol_is_found),
                                     cmocka_unit_test(lengths_follow_the_type),
                                     cmocka_unit_test(masks_are_counted_up_to_vl),
                                     cmocka_unit_test(registers_are_read),
                                     cmocka_unit_test(wrong_answers_are_refused),
                                     cmocka_unit_test(stops_are_told_apart),
                                     cmocka_unit_test(descriptions_are_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
