/* SPDX-License-Identifier: Apache-2.0
 *
 * 16-byte words into the decoder. A legal word agrees with its tables; all words together are a program whose listing
 * assembles to the same words.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/checks.h"
#include <heddle/isa_tables.h>
#include "base/splitmix64.h"

enum { WORDS_MAX = 64 };

static struct heddle_isa_word put_get(struct heddle_isa_word w, enum heddle_isa_field f) {
  return heddle_isa_put(heddle_isa_put(w, f, 0), f, heddle_isa_get(w, f));
}

static void check_legal(struct heddle_isa_word w, const struct heddle_isa_dec *d) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)d->enc);
  enum heddle_isa_enc nearest;
  FUZZ_CHECK((w.lo & e->mask.lo) == e->match.lo && (w.hi & e->mask.hi) == e->match.hi, "the encoding does not match");
  FUZZ_CHECK(heddle_isa_nearest(w, &nearest), "a legal word without a near encoding");
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)d->op);
  FUZZ_CHECK(e->op == d->op && (d->unit == info->unit || d->unit == info->wide_unit), "another instruction or unit");
  FUZZ_CHECK(heddle_isa_max_reg(d) >= -1 && heddle_isa_max_reg(d) <= (int)ISA_RZ, "highest register %d",
             heddle_isa_max_reg(d));
  (void)heddle_isa_in_rtl(d);
  for (unsigned i = 0; i < e->n_fields; i++) {
    const enum heddle_isa_field f = (enum heddle_isa_field)e->fields[i];
    const struct heddle_isa_word same = put_get(w, f);
    FUZZ_CHECK(heddle_isa_field_legal(f, heddle_isa_get(w, f)), "field %s: an illegal value",
               heddle_isa_field_info(f)->name);
    FUZZ_CHECK(same.lo == w.lo && same.hi == w.hi, "field %s: what is read is not what was written",
               heddle_isa_field_info(f)->name);
  }
}

/* Text never overruns its buffer; what does not fit is cut. */
static void check_text(struct heddle_isa_word w, uint32_t pc) {
  char whole[256], part[16];
  const unsigned n = heddle_disassemble(w, pc, whole, sizeof whole);
  FUZZ_CHECK(n == strlen(whole) && n > 0 && n < sizeof whole - 1, "%u characters: %s", n, whole);
  const unsigned m = heddle_disassemble(w, pc, part, sizeof part);
  FUZZ_CHECK(m < sizeof part && strncmp(whole, part, m) == 0 && part[m] == '\0', "'%s' is not '%s' cut", part, whole);
}

static void check_word(struct heddle_isa_word w, uint32_t pc) {
  struct heddle_isa_dec d;
  if (heddle_isa_decode(w, &d)) check_legal(w, &d);
  check_text(w, pc);
}

int fuzz_decode(const uint8_t *data, size_t size) {
  size_t words = size / ISA_WORD_BYTES;
  if (words == 0) return 0;
  if (words > WORDS_MAX) words = WORDS_MAX;
  struct heddle_kernel k = {.name = "fuzz", .regs = 255, .barriers = 16, .stall = {5, 6, 8, 6, 6, 12}};
  struct heddle_program p = {.code_bytes = (uint32_t)(words * ISA_WORD_BYTES), .kernel = &k, .kernels = 1};
  p.code = malloc(p.code_bytes);
  FUZZ_CHECK(p.code != NULL, "no memory");
  memcpy(p.code, data, p.code_bytes);
  for (uint32_t pc = 0; pc < p.code_bytes; pc = heddle_program_next(&p, pc))
    check_word(heddle_program_word(&p, pc), pc);
  fuzz_listing(&p);
  free(p.code);
  return 0;
}

/* Random bytes are hardly ever legal words: every other time one word becomes one of some encoding. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  uint64_t state = seed;
  if ((splitmix64(&state) & 1) == 0 || most < ISA_WORD_BYTES) return LLVMFuzzerMutate(data, size, most);
  const size_t words = size / ISA_WORD_BYTES;
  size_t at = (size_t)(splitmix64(&state) % (words + 1)) * ISA_WORD_BYTES;
  if (at + ISA_WORD_BYTES > most) at = 0;
  const struct heddle_isa_word w = fuzz_word(&state);
  memcpy(data + at, &w.lo, 8); /* little-endian hosts */
  memcpy(data + at + 8, &w.hi, 8);
  return at + ISA_WORD_BYTES > size ? at + ISA_WORD_BYTES : size;
}
