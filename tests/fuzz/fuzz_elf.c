/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes into the reader of program files. What it accepts is saved, loaded again (the same program) and listed.
 */
#include "fuzz.h"
#include "checks.h"

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
  for (uint32_t i = 0; i < k->params; i++)
    FUZZ_CHECK(k->param[i].offset + k->param[i].size <= k->param_bytes, "%s: parameter %u ends behind the last",
               k->name, i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct heddle_program *p, *q;
  struct heddle_message m;
  if (!heddle_program_load_memory(data, size, "fuzz.elf", &p, &m)) {
    FUZZ_CHECK(p == NULL && m.text[0] != '\0', "refused without a word");
    return 0;
  }
  for (uint32_t i = 0; i < p->kernels; i++) check_kernel(p, &p->kernel[i]);
  const char *path = fuzz_path("fuzz.elf");
  FUZZ_CHECK(heddle_program_save(p, path, &m), "what was loaded cannot be saved: %s", m.text);
  FUZZ_CHECK(heddle_program_load(path, &q, &m), "what was saved cannot be loaded: %s", m.text);
  fuzz_same_program(p, q, "file");
  heddle_program_free(q);
  size_t characters = 0;
  heddle_disassemble_program(p, count, &characters);
  FUZZ_CHECK(characters > 0, "an empty listing");
  heddle_program_free(p);
  return 0;
}
