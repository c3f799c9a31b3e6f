/* SPDX-License-Identifier: Apache-2.0 */
#include "form_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/silicon/form_text.h"
#include <heddle/asm.h>
#include <heddle/model.h>

#define BASE UINT64_C(0x7f40000000)
#define PART (8u * FORM_COUNT_MAX) /* bytes between a, b, c and d */
#define BANK0 (HEDDLE_BANK0_PARAMS + 4u * 8u)

static void keep_first(void *ctx, const struct heddle_message *m) {
  struct heddle_message *first = ctx;
  if (!m->warning && first->text[0] == '\0') *first = *m;
}

static struct heddle_program *assemble(const struct form_job *job, char *why, size_t size) {
  char text[FORM_TEXT_MAX];
  const unsigned width[4] = {job->in[0].width, job->in[1].width, job->in[2].width, job->want.width};
  form_text(job->form, width, text);
  struct heddle_message first = {.text = ""};
  /* Stall counts only have to be large enough; the model does not look at them. */
  const struct heddle_asm_options o = {
      .size = sizeof o, .stall = {15, 15, 15, 15, 15, 15, 15, 15}, .message = keep_first, .ctx = &first};
  struct heddle_program *p;
  if (heddle_assemble(text, strlen(text), job->form->name, &o, &p) != HEDDLE_SUCCESS)
    (void)snprintf(why, size, "does not assemble: line %u: %s", first.line, first.text);
  return p;
}

static void put_le(uint8_t *to, uint64_t v, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) to[i] = (uint8_t)(v >> (8 * i));
}

static uint64_t get_le(const struct form_column *c, unsigned index) {
  uint64_t v = 0;
  for (unsigned i = 0; i < c->width; i++) v |= (uint64_t)c->bytes[(size_t)index * c->width + i] << (8 * i);
  return v;
}

/* The memory starts as zeros; d starts as a pattern, so that an element that nobody stores is seen. */
static void fill_memory(uint8_t *memory, const struct form_job *job) {
  for (unsigned slot = 0; slot < 3; slot++)
    if (job->in[slot].width != 0)
      memcpy(memory + slot * PART, job->in[slot].bytes, (size_t)job->count * job->in[slot].width);
  memset(memory + 3 * PART, 0xa5, PART);
}

static bool run_program(struct heddle_model *m, const struct heddle_program *p, unsigned count, char *why,
                        size_t size) {
  const unsigned blocks = (count + FORM_BLOCK - 1) / FORM_BLOCK;
  uint8_t bank[BANK0] = {0};
  put_le(bank + 0x00, FORM_BLOCK, 4);
  put_le(bank + 0x04, 1, 4);
  put_le(bank + 0x08, 1, 4);
  put_le(bank + 0x0c, blocks, 4);
  put_le(bank + 0x10, 1, 4);
  put_le(bank + 0x14, 1, 4);
  for (unsigned i = 0; i < 4; i++) put_le(bank + HEDDLE_BANK0_PARAMS + 8 * i, BASE + i * PART, 8);
  const struct heddle_launch launch = {
      .size = sizeof launch,
      .grid = {blocks, 1, 1},
      .block = {FORM_BLOCK, 1, 1},
      .entry_pc = p->kernel[0].entry_pc,
      .regs = p->kernel[0].regs,
      .code = p->code,
      .code_bytes = p->code_bytes,
      .cbank = {bank},
      .cbank_bytes = {sizeof bank},
      .region = {{BASE, BASE + 3 * PART, false}, {BASE + 3 * PART, BASE + 4 * PART, true}},
      .regions = 2,
      .units = ~0u};
  enum heddle_error s = heddle_model_launch(m, &launch);
  if (s == HEDDLE_SUCCESS) s = heddle_model_run(m, 1000000, NULL);
  if (s == HEDDLE_ERROR_TRAPPED) {
    const struct heddle_trap *t = heddle_model_trap(m);
    char word[256];
    (void)heddle_disassemble(heddle_program_word(p, t->pc), t->pc, word, sizeof word);
    (void)snprintf(why, size, "trap %s at '%s'", heddle_cause_name(t->cause), word);
  } else if (s != HEDDLE_SUCCESS) {
    (void)snprintf(why, size, "status %d: %s", (int)s, heddle_model_diag(m));
  }
  return s == HEDDLE_SUCCESS;
}

/* " a=0x... b=0x..." of one element. */
static void print_inputs(const struct form_job *job, unsigned index, char *out, size_t size) {
  out[0] = '\0';
  for (unsigned slot = 0; slot < 3; slot++) {
    const size_t used = strlen(out);
    if (job->in[slot].width != 0)
      (void)snprintf(out + used, size - used, " %c=%0*llx", 'a' + (int)slot, (int)(2 * job->in[slot].width),
                     (unsigned long long)get_le(&job->in[slot], index));
  }
}

static bool compare(const uint8_t *memory, const struct form_job *job, char *why, size_t size) {
  const struct form_column got = {memory + 3 * PART, job->want.width};
  unsigned first = 0, wrong = 0;
  for (unsigned i = job->count; i-- > 0;)
    if (get_le(&got, i) != get_le(&job->want, i)) {
      first = i;
      wrong++;
    }
  if (wrong == 0) return true;
  char inputs[128];
  print_inputs(job, first, inputs, sizeof inputs);
  const int digits = (int)(2 * job->want.width);
  (void)snprintf(why, size, "[%u]%s: got %0*llx, want %0*llx; %u of %u differ", first, inputs, digits,
                 (unsigned long long)get_le(&got, first), digits, (unsigned long long)get_le(&job->want, first), wrong,
                 job->count);
  return false;
}

bool form_run(const struct form_job *job, char *why, size_t size) {
  assert_true(job->count > 0 && job->count <= FORM_COUNT_MAX && job->want.width != 0);
  struct heddle_program *p = assemble(job, why, size);
  if (p == NULL) return false;
  const struct heddle_model_config c = {
      .size = sizeof c, .base = BASE, .bytes = 4 * PART, .warp_slots = 8, .block_slots = 2};
  struct heddle_model *m = heddle_model_new(&c);
  assert_non_null(m);
  fill_memory(heddle_model_memory(m), job);
  const bool same = run_program(m, p, job->count, why, size) && compare(heddle_model_memory(m), job, why, size);
  heddle_model_free(m);
  heddle_program_free(p);
  return same;
}
