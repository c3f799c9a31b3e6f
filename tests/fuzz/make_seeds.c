/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeds out of what the tree already has: sources for the assembler, the ELF files and words made of them, words and
 * text of every encoding, ISA and configuration files.
 * usage: fuzz_make_seeds DIR FILE.s|FILE.isa|FILE.cfg|FILE.layout|FILE.records|FILE.ptx ...
 * (DIR/assemble, elf, decode, isa, config, layout, records, ptx exist)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include <heddle/isa_tables.h>
#include "tests/fuzz/checks.h"

enum { TEXT_MAX = 1 << 20, WORDS_IN_FILE = 16, TRIES = 64 };

static void die(const char *path) {
  perror(path);
  exit(1);
}

static void write_seed(const char *dir, const char *target, const char *name, const void *data, size_t size) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s/%s", dir, target, name);
  FILE *f = fopen(path, "wb");
  if (f == NULL || fwrite(data, 1, size, f) != size || fclose(f) != 0) die(path);
}

static void save_elf(const char *dir, const char *name, const struct heddle_program *p) {
  char path[1024];
  struct heddle_message m;
  snprintf(path, sizeof path, "%s/elf/%s.elf", dir, name);
  if (heddle_program_save(p, path, &m) == HEDDLE_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", path, m.text);
  exit(1);
}

/* A source, and what it assembles to, if it does. */
static void from_source(const char *dir, const char *name, const char *text, size_t size) {
  write_seed(dir, "assemble", name, text, size);
  struct heddle_program *p = fuzz_assembled(text, size, NULL);
  if (p == NULL) return;
  save_elf(dir, name, p);
  write_seed(dir, "decode", name, p->code, p->code_bytes);
  heddle_program_free(p);
}

static size_t read_file(const char *path, char *text, size_t room) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) die(path);
  const size_t n = fread(text, 1, room, f);
  (void)fclose(f);
  return n;
}

/* "import ../FILE" of a variant becomes "import FILE", and that file follows (fuzz_isa.c says how). */
static void from_isa(const char *dir, const char *name, const char *path, char *text, size_t size) {
  static const char import[] = "import ../";
  char base[256] = "", base_path[1024];
  text[size] = '\0';
  char *p = strstr(text, import);
  if (p != NULL && sscanf(p + strlen(import), "%255[A-Za-z0-9_.]", base) == 1) {
    snprintf(base_path, sizeof base_path, "%.*s/../%s", (int)(strrchr(path, '/') - path), path, base);
    memmove(p + strlen("import "), p + strlen(import), strlen(p + strlen(import)) + 1);
    size = strlen(text);
    size += (size_t)snprintf(text + size, TEXT_MAX - size, "=== %s\n", base);
    size += read_file(base_path, text + size, TEXT_MAX - size);
  }
  write_seed(dir, "isa", name, text, size);
}

static void from_file(const char *dir, const char *path) {
  static char text[TEXT_MAX + 1];
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path, *dot = strrchr(name, '.');
  if (slash == NULL || dot == NULL) die(path);
  const size_t size = read_file(path, text, TEXT_MAX);
  if (strcmp(dot, ".s") == 0)
    from_source(dir, name, text, size);
  else if (strcmp(dot, ".isa") == 0)
    from_isa(dir, name, path, text, size);
  else if (strcmp(dot, ".cfg") == 0)
    write_seed(dir, "config", name, text, size);
  else if (strcmp(dot, ".layout") == 0)
    write_seed(dir, "layout", name, text, size);
  else if (strcmp(dot, ".records") == 0)
    write_seed(dir, "records", name, text, size);
  else if (strcmp(dot, ".ptx") == 0)
    write_seed(dir, "ptx", name, text, size);
}

static void put(void *ctx, const char *s) {
  (void)fputs(s, ctx);
}

/* Words and their listing: a few of each of the encodings from `first` on. */
static void from_encodings(const char *dir, unsigned first, uint64_t *state) {
  uint8_t code[WORDS_IN_FILE * ISA_WORD_BYTES];
  char name[32], *text = NULL;
  size_t size = 0;
  struct heddle_kernel k = {.name = "words", .regs = 255, .stall = {5, 6, 8, 6, 6, 12}};
  struct heddle_program p = {.code = code, .kernel = &k, .kernels = 1, .isa_hash = heddle_isa_hash()};
  for (unsigned e = first; e < first + WORDS_IN_FILE && e < ISA_ENC_COUNT; e++) {
    struct heddle_isa_dec d;
    struct heddle_isa_word w = heddle_isa_encoding_info((enum heddle_isa_enc)e)->match;
    for (unsigned t = 0; t < TRIES && !heddle_isa_decode(w, &d); t++) w = fuzz_word_of(e, state);
    memcpy(code + p.code_bytes, &w.lo, 8); /* little-endian hosts */
    memcpy(code + p.code_bytes + 8, &w.hi, 8);
    p.code_bytes += ISA_WORD_BYTES;
  }
  snprintf(name, sizeof name, "words%04u", first);
  write_seed(dir, "decode", name, code, p.code_bytes);
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) die(name);
  heddle_disassemble_program(&p, put, f);
  if (fclose(f) != 0) die(name);
  write_seed(dir, "assemble", name, text, size);
  free(text);
}

int main(int argc, char **argv) {
  uint64_t state = 1;
  if (argc < 2) return 2;
  for (int i = 2; i < argc; i++) from_file(argv[1], argv[i]);
  for (unsigned e = 0; e < ISA_ENC_COUNT; e += WORDS_IN_FILE) from_encodings(argv[1], e, &state);
  return 0;
}
