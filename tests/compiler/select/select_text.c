/* SPDX-License-Identifier: Apache-2.0 */
#include "select_text.h"

#include <stdio.h>
#include <string.h>

#include "tests/compiler/select/select_run.h"
#include "tests/test.h"

const struct space text_spaces[SPACES] = {
    {".global", "add.u64 %d1, %d0, 0;"},
    {"", "add.u64 %d1, %d0, 0;"},
    {".shared", "mov.u64 %d1, there; mad.wide.u32 %d1, %r0, 64, %d1;"},
    {"", "mov.u64 %d1, there; mad.wide.u32 %d1, %r0, 64, %d1; cvta.shared.u64 %d1, %d1;"},
    {".local", "mov.u64 %d1, mine;"},
    {"", "mov.u64 %d1, mine; cvta.local.u64 %d1, %d1;"},
    {".volatile.global", "add.u64 %d1, %d0, 0;"},
    {".relaxed.gpu.global", "add.u64 %d1, %d0, 0;"},
    {".volatile.shared", "mov.u64 %d1, there; mad.wide.u32 %d1, %r0, 64, %d1;"},
};

void say(struct text *t, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  size_t at = strlen(t->s);
  (void)vsnprintf(t->s + at, sizeof t->s - at, format, ap);
  va_end(ap);
}

uint64_t get_le(const uint8_t *from, unsigned bytes) {
  uint64_t v = 0;
  for (unsigned k = 0; k < bytes; k++) v |= (uint64_t)from[k] << (8 * k);
  return v;
}

uint8_t some_byte(unsigned k) {
  return (uint8_t)(k * 37 + (k >> 3) * 101 + 0x81);
}

uint8_t text_param(unsigned k) {
  return (uint8_t)((k + 16) * 7 + 200);
}

static void launch(const struct text *t, struct heddle_program *p, unsigned *late, uint8_t memory[THREADS * RECORD]) {
  uint8_t param[80];
  for (unsigned k = 0; k < 16; k++) param[k] = (uint8_t)(k < 8 ? BASE >> (8 * k) : 0);
  for (unsigned k = 0; k < 64; k++) param[16 + k] = text_param(k);
  const struct select_job job = {.base = BASE,
                                 .global = memory,
                                 .bytes = THREADS * RECORD,
                                 .blocks = 1,
                                 .threads = THREADS,
                                 .param = param,
                                 .param_bytes = sizeof param,
                                 .late = late};
  const char *wrong = select_launch(p, &job);
  if (wrong) fail_msg("%s\n%s", wrong, t->s);
  heddle_program_free(p);
}

void text_run(const struct text *t, unsigned level, uint8_t memory[THREADS * RECORD]) {
  launch(t, select_compile(t->s, level, t->s), NULL, memory);
}

unsigned text_run_late(const struct text *t, unsigned level, uint8_t memory[THREADS * RECORD]) {
  unsigned copies = 0;
  launch(t, select_compile_whole(t->s, level, t->s), &copies, memory);
  return copies;
}
