/* SPDX-License-Identifier: Apache-2.0
 * Names of a language for where a thread is, in the debug data that gdb reads: variables of CUDA C (`blockIdx.x`), in
 * memory that is there for debuggers alone (TARGET_NAMES); for OpenCL C macros over them (`get_global_id(0)`). Being
 * memory they can be in conditions that the target evaluates, for every lane. */
#include <string.h>

#include "run/debug/server_internal.h"

enum { TAG_BASE = 0x24, TAG_MEMBER = 0x0d, TAG_STRUCTURE = 0x13, TAG_UNIT = 0x11, TAG_VARIABLE = 0x34 };
enum { AT_LOCATION = 0x02, AT_NAME = 0x03, AT_BYTES = 0x0b, AT_LANGUAGE = 0x13, AT_PRODUCER = 0x25 };
enum { AT_MEMBER_AT = 0x38, AT_ENCODING = 0x3e, AT_EXTERNAL = 0x3f, AT_MACROS = 0x43, AT_TYPE = 0x49 };
enum { FORM_DATA2 = 0x05, FORM_DATA4 = 0x06, FORM_STRING = 0x08, FORM_BLOCK1 = 0x0a, FORM_DATA1 = 0x0b };
enum { FORM_FLAG = 0x0c, FORM_REF4 = 0x13, OP_ADDR = 0x03, OP_PLUS = 0x23, UNSIGNED = 0x07 };
enum { LANG_C99 = 0x0c, LANG_OPENCL = 0x15, MACRO_DEFINE = 1, MACRO_FILE = 3, MACRO_FILE_END = 4 };
enum { UNIT_HEADER = 11 }; /* bytes, of DWARF 2 to 4 */

static void byte(struct bytes *b, unsigned v) {
  bytes_add(b, &(uint8_t){(uint8_t)v}, 1);
}

static void add_little(struct bytes *b, uint64_t v, unsigned n) {
  for (unsigned i = 0; i < n; i++) byte(b, (unsigned)(v >> (8 * i)) & 0xff);
}

static void add_text(struct bytes *b, const char *s) {
  bytes_add(b, s, strlen(s) + 1);
}

/* ---- variables: a unit of their own */

static void write_abbrev(struct bytes *b) {
  static const uint8_t all[] = {1,
                                TAG_UNIT,
                                1,
                                AT_PRODUCER,
                                FORM_STRING,
                                AT_LANGUAGE,
                                FORM_DATA2,
                                AT_NAME,
                                FORM_STRING,
                                0,
                                0, //
                                2,
                                TAG_BASE,
                                0,
                                AT_NAME,
                                FORM_STRING,
                                AT_ENCODING,
                                FORM_DATA1,
                                AT_BYTES,
                                FORM_DATA1,
                                0,
                                0, //
                                3,
                                TAG_STRUCTURE,
                                1,
                                AT_NAME,
                                FORM_STRING,
                                AT_BYTES,
                                FORM_DATA1,
                                0,
                                0,
                                4,
                                TAG_MEMBER,
                                0,
                                AT_NAME,
                                FORM_STRING,
                                AT_TYPE,
                                FORM_REF4,
                                AT_MEMBER_AT,
                                FORM_BLOCK1,
                                0,
                                0, //
                                5,
                                TAG_VARIABLE,
                                0,
                                AT_NAME,
                                FORM_STRING,
                                AT_TYPE,
                                FORM_REF4,
                                AT_EXTERNAL,
                                FORM_FLAG,
                                AT_LOCATION,
                                FORM_BLOCK1,
                                0,
                                0,
                                0};
  bytes_add(b, all, sizeof all);
}

static void write_members(struct bytes *b, uint32_t type) {
  static const char *const names[] = {"x", "y", "z"};
  for (unsigned i = 0; i < 3; i++) {
    byte(b, 4);
    add_text(b, names[i]);
    add_little(b, type, 4);
    byte(b, 2);
    byte(b, OP_PLUS);
    byte(b, 4 * i);
  }
  byte(b, 0);
}

static void write_unit(struct bytes *b, uint32_t abbrev) {
  static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"}; /* as target.c has them */
  const size_t at = b->size;
  add_little(b, 0, 4);
  add_little(b, 2, 2); /* version */
  add_little(b, abbrev, 4);
  byte(b, 8);
  byte(b, 1);
  add_text(b, "heddle");
  add_little(b, LANG_C99, 2);
  add_text(b, "names");
  const uint32_t word = (uint32_t)(b->size - at);
  byte(b, 2);
  add_text(b, "unsigned int");
  byte(b, UNSIGNED);
  byte(b, 4);
  const uint32_t three = (uint32_t)(b->size - at);
  byte(b, 3);
  add_text(b, "dim3");
  byte(b, 12);
  write_members(b, word);
  for (unsigned i = 0; i < TARGET_NAMES_COUNT; i++) {
    byte(b, 5);
    add_text(b, names[i]);
    add_little(b, three, 4);
    byte(b, 1);
    byte(b, 9);
    byte(b, OP_ADDR);
    add_little(b, TARGET_NAMES + (uint64_t)i * TARGET_NAMES_STEP, 8);
  }
  byte(b, 0);
  if (!b->bad) put_u32(b->at + at, (uint32_t)(b->size - at - 4));
}

/* ---- OpenCL C */

/* The first unit, if it is one of OpenCL C as clang writes it: its first attributes are a producer's name, the language
 * and the name of the source. */
struct opencl {
  uint8_t *producer, *language;
  size_t producer_bytes; /* without the zero behind it */
  const char *source;
};

static bool find_opencl(const struct bytes *info, const struct bytes *abbrev, struct opencl *to) {
  static const uint8_t begins[] = {1,           TAG_UNIT,   1,       AT_PRODUCER, FORM_STRING,
                                   AT_LANGUAGE, FORM_DATA2, AT_NAME, FORM_STRING};
  if (abbrev->size < sizeof begins || memcmp(abbrev->at, begins, sizeof begins) != 0) return false;
  if (info->size <= UNIT_HEADER || info->at[UNIT_HEADER] != 1) return false;
  const size_t left = info->size - UNIT_HEADER - 1;
  to->producer = info->at + UNIT_HEADER + 1;
  to->producer_bytes = strnlen((const char *)to->producer, left);
  if (to->producer_bytes < 4 || left - to->producer_bytes < 4) return false;
  to->language = to->producer + to->producer_bytes + 1;
  to->source = (const char *)to->language + 2;
  const size_t room = left - to->producer_bytes - 3;
  return to->language[0] == LANG_OPENCL && to->language[1] == 0 && strnlen(to->source, room) < room;
}

/* Its number among the files of the lines, from 1, where names may have a folder in front. */
static unsigned number_of_source(const struct heddle_program *p, const char *source) {
  const size_t n = strlen(source);
  for (uint32_t i = 0; i < p->sources; i++) {
    const size_t m = strlen(p->source[i]);
    if (m >= n && strcmp(p->source[i] + m - n, source) == 0 && (m == n || p->source[i][m - n - 1] == '/')) return i + 1;
  }
  return 1;
}

static void write_macros(struct bytes *b, unsigned file) {
#define OF(name) "(&" name ".x)[d]"
  static const char *const all[] = {
      "get_local_id(d) ((unsigned long)" OF("threadIdx") ")",
      "get_group_id(d) ((unsigned long)" OF("blockIdx") ")",
      "get_local_size(d) ((unsigned long)" OF("blockDim") ")",
      "get_num_groups(d) ((unsigned long)" OF("gridDim") ")",
      "get_global_size(d) ((unsigned long)" OF("gridDim") "*" OF("blockDim") ")",
      "get_global_id(d) ((unsigned long)" OF("blockIdx") "*" OF("blockDim") "+" OF("threadIdx") ")"};
#undef OF
  byte(b, MACRO_FILE);
  byte(b, 0); /* in no line */
  for (; file >= 0x80; file >>= 7) byte(b, 0x80 | (file & 0x7f));
  byte(b, file);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    byte(b, MACRO_DEFINE);
    byte(b, 1); /* line */
    add_text(b, all[i]);
  }
  byte(b, MACRO_FILE_END);
  byte(b, 0);
}

/* The unit says where its macros are; offsets in it stay as they are, since its producer's name loses as many bytes. */
static void point_to_macros(struct opencl *u, struct bytes *abbrev) {
  static const uint8_t more[] = {AT_MACROS, FORM_DATA4};
  enum { PAIRS = 3 }; /* where they begin */
  bytes_add(abbrev, more, sizeof more);
  if (abbrev->bad) return;
  memmove(abbrev->at + PAIRS + sizeof more, abbrev->at + PAIRS, abbrev->size - PAIRS - sizeof more);
  memcpy(abbrev->at + PAIRS, more, sizeof more);
  memmove(u->producer + 4, u->producer, u->producer_bytes - 4);
  put_u32(u->producer, 0);
}

/* gdb's own evaluation of OpenCL C takes `1 && 0` for true, and makes no conditions for a target: its C does both. */
static void call_it_c(struct opencl *u) {
  u->language[0] = LANG_C99;
}

void names_add(const struct heddle_program *p, struct bytes *info, struct bytes *abbrev, struct bytes *macros) {
  struct opencl u;
  if (info->size == 0 || info->bad || abbrev->bad) return;
  if (find_opencl(info, abbrev, &u)) {
    call_it_c(&u);
    write_macros(macros, number_of_source(p, u.source));
    point_to_macros(&u, abbrev);
  }
  const uint32_t at = (uint32_t)abbrev->size;
  write_abbrev(abbrev);
  write_unit(info, at);
}
