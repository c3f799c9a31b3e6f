/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes into the reader of program files. What it accepts is saved, loaded again (the same program) and listed.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/checks.h"
#include <heddle/needs.h>

static void count(void *ctx, const char *text) {
  for (; *text != '\0'; text++) ++*(size_t *)ctx;
}

static void check_kernel(const struct heddle_program *p, const struct heddle_kernel *k) {
  FUZZ_CHECK(k->entry_pc < p->code_bytes && k->entry_pc % ISA_WORD_BYTES == 0, "%s begins at 0x%x", k->name,
             k->entry_pc);
  FUZZ_CHECK(k->name[0] != '\0', "a kernel without a name");
  if (k->is_function) return;
  FUZZ_CHECK(k->regs >= 1 && k->regs <= 255 && k->barriers <= 16 && k->param_bytes <= 4096 &&
                 k->params <= HEDDLE_PARAMS_MAX && k->shared_bytes <= 16u << 20,
             "%s has numbers out of range", k->name);
  const struct heddle_promise *b = &k->promise;
  FUZZ_CHECK(!b->block[0] == !b->block[1] && !b->block[0] == !b->block[2] && b->block[0] <= HEDDLE_PROMISE_MAX,
             "%s promises half a block", k->name);
  for (uint32_t i = 0; i < k->params; i++)
    FUZZ_CHECK(k->param[i].offset + k->param[i].size <= k->param_bytes, "%s: parameter %u ends behind the last",
               k->name, i);
}

enum { FILLED_MAX = 1 << 20 };

static void fill(const struct heddle_program *p) {
  uint8_t *memory = malloc(p->global_bytes); /* not one byte more, so that writing behind the end is seen */
  FUZZ_CHECK(memory != NULL, "no memory");
  heddle_program_fill_globals(p, UINT64_C(0x7f40000000), memory);
  free(memory);
}

/* They can be given a place, and each lies in it. */
static void check_globals(const struct heddle_program *p) {
  if (p->global_bytes > 0 && p->global_bytes <= FILLED_MAX) fill(p);
  for (uint32_t i = 0; i < p->variables; i++) {
    const struct heddle_global *v = &p->variable[i];
    FUZZ_CHECK(v->offset <= p->global_bytes && v->size <= p->global_bytes - v->offset, "%s lies outside", v->name);
    FUZZ_CHECK(heddle_program_global(p, v->name) == v, "%s is not found", v->name);
  }
}

/* A note may say anything that can be; one that we wrote says what the words need, and nobody's first word is no word.
 */
static void check_needs(const struct heddle_program *p, const struct heddle_program *saved) {
  for (uint32_t i = 0; i < p->kernels; i++) {
    const struct heddle_kernel *k = &p->kernel[i], *s = k->is_function ? NULL : heddle_program_kernel(saved, k->name);
    struct heddle_needs n;
    uint32_t words = 0;
    if (k->is_function) continue;
    FUZZ_CHECK(!k->noted || k->needs.uniform_regs <= 63, "%s: uniform registers", k->name);
    FUZZ_CHECK(heddle_kernel_needs(p, k, &n) == HEDDLE_SUCCESS, "no memory");
    FUZZ_CHECK(s && s->noted && s->needs.units == n.units && s->needs.uniform_regs == n.uniform_regs,
               "%s: the note says something else than the words", k->name);
    const uint32_t pc = heddle_kernel_first(p, k, n.units, &words);
    FUZZ_CHECK((n.units == 0) == (pc == UINT32_MAX) && (n.units == 0 || pc < p->code_bytes), "%s: first word", k->name);
  }
}

int fuzz_elf(const uint8_t *data, size_t size) {
  struct heddle_program *p, *q;
  struct heddle_message m;
  if (heddle_program_load_memory(data, size, "fuzz.elf", &p, &m) != HEDDLE_SUCCESS) {
    FUZZ_CHECK(p == NULL && m.text[0] != '\0', "refused without a word");
    return 0;
  }
  for (uint32_t i = 0; i < p->kernels; i++) check_kernel(p, &p->kernel[i]);
  check_globals(p);
  const char *path = fuzz_path("fuzz.elf");
  FUZZ_CHECK(heddle_program_save(p, path, &m) == HEDDLE_SUCCESS, "what was loaded cannot be saved: %s", m.text);
  FUZZ_CHECK(heddle_program_load(path, &q, &m) == HEDDLE_SUCCESS, "what was saved cannot be loaded: %s", m.text);
  fuzz_same_program(p, q, "file");
  check_needs(p, q);
  heddle_program_free(q);
  size_t characters = 0;
  heddle_disassemble_program(p, count, &characters);
  FUZZ_CHECK(characters > 0, "an empty listing");
  heddle_program_free(p);
  return 0;
}
