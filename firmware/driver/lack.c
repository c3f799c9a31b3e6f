/* SPDX-License-Identifier: Apache-2.0
 * What the device lacks for a launch, as data. */
#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/isa.h>
#include "firmware/driver/internal.h"

static void tell_first(const struct heddle_program *p, const struct heddle_lack *l, struct heddle_lack_info *info) {
  char word[200] = "";
  unsigned line = 0;
  info->unit = heddle_isa_need_name(l->bit);
  info->pc = l->pc;
  info->words = l->words;
  if (l->pc >= p->code_bytes) return;
  heddle_disassemble_at(p, l->pc, word, sizeof word);
  snprintf(info->instruction, sizeof info->instruction, "%s", word);
  if (!heddle_program_line(p, l->pc, &info->file, &line)) info->file = NULL;
  info->line = line;
}

enum heddle_error heddle_function_lack_sized(const struct heddle_function *f, struct heddle_size block,
                                             uint32_t dynamic_shared, unsigned index, struct heddle_lack_info *out,
                                             size_t bytes) {
  const uint32_t b[3] = {block.x, block.y, block.z}, one[3] = {1, 1, 1};
  if (!f || !out || heddle_host_check_shape(one, b) != HEDDLE_REFUSE_NONE) return HEDDLE_ERROR_INVALID_VALUE;
  const struct heddle_program *p = f->module->program;
  const uint32_t threads = block.x * block.y * block.z;
  const uint64_t shared = (uint64_t)f->kernel->shared_bytes + dynamic_shared;
  struct heddle_lack list[HEDDLE_LACKS_MAX];
  struct heddle_machine m;
  (void)driver_machine(f->module->context->device, &m);
  if (index >= heddle_machine_lacks(&m, p, f->kernel, threads, shared, list)) return HEDDLE_ERROR_NOT_FOUND;
  const struct heddle_lack *l = &list[index];
  struct heddle_lack_info info = {.kind = l->kind, .pc = UINT32_MAX, .wants = l->wants, .has = l->has};
  if (l->kind == HEDDLE_LACK_UNIT) tell_first(p, l, &info);
  (void)heddle_machines_for(p, f->kernel, threads, shared, NULL, NULL, info.configurations, sizeof info.configurations);
  return driver_give_out(out, bytes, &info, sizeof info);
}
