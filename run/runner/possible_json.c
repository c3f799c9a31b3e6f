/* SPDX-License-Identifier: Apache-2.0
 * What a machine lacks for a job, and who has it, as JSON. What is not known is not there. */
#include "run/runner/possible.h"

#include <heddle/asm.h>

static json_t *first_json(const struct heddle_program *p, uint32_t pc) {
  char word[200] = "";
  const char *file;
  unsigned line;
  json_t *j = json_pack("{s:o}", "pc", json_sprintf("0x%x", pc));
  heddle_disassemble_at(p, pc, word, sizeof word);
  (void)json_object_set_new(j, "instruction", json_string(word));
  if (!heddle_program_line(p, pc, &file, &line)) return j;
  (void)json_object_set_new(j, "file", json_string(file));
  (void)json_object_set_new(j, "line", json_integer((json_int_t)line));
  return j;
}

static json_t *unit_json(const struct heddle_program *p, const struct heddle_lack *l) {
  json_t *j = json_pack("{s:s, s:I}", "unit", heddle_isa_need_name(l->bit), "instructions", (json_int_t)l->words);
  if (l->pc < p->code_bytes) (void)json_object_set_new(j, "first", first_json(p, l->pc));
  return j;
}

/* As the limits are called in isa/configs/NAME.cfg; registers are those of a thread, of so many warps. */
static json_t *limit_json(const struct heddle_lack *l) {
  static const char *const limit[] = {
      [HEDDLE_LACK_WARPS] = "warps", [HEDDLE_LACK_REGS] = "regs", [HEDDLE_LACK_SHARED] = "shared_bytes"};
  return json_pack("{s:s, s:I, s:I, s:I}", "limit", limit[l->kind], "wants", (json_int_t)l->wants, "has",
                   (json_int_t)l->has, "warps", (json_int_t)l->warps);
}

/* All of them, or those that are built for where the options run. */
static json_t *machines(const struct run_options *o, const struct job *j, bool built) {
  const uint32_t *b = j->launch.block;
  struct heddle_lack list[HEDDLE_LACKS_MAX];
  json_t *all = json_array();
  for (size_t i = 0; i < heddle_config_count(); i++) {
    struct heddle_machine m;
    heddle_machine_of(heddle_config_at(i), &m);
    if (built && !run_machine_built(o, m.name)) continue;
    if (heddle_machine_lacks(&m, j->program, j->kernel, b[0] * b[1] * b[2], j->launch.shared_bytes, list) == 0)
      (void)json_array_append_new(all, json_string(m.name));
  }
  return all;
}

json_t *run_refused_json(const struct run_options *o, const struct job *j) {
  const uint32_t *b = j->launch.block;
  struct heddle_lack list[HEDDLE_LACKS_MAX];
  struct heddle_machine m;
  run_machine(o, &m);
  const unsigned n = heddle_machine_lacks(&m, j->program, j->kernel, b[0] * b[1] * b[2], j->launch.shared_bytes, list);
  if (n == 0) return NULL;
  json_t *units = json_array(), *limits = json_array();
  for (unsigned i = 0; i < n; i++)
    if (list[i].kind == HEDDLE_LACK_UNIT)
      (void)json_array_append_new(units, unit_json(j->program, &list[i]));
    else
      (void)json_array_append_new(limits, limit_json(&list[i]));
  return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "kernel", j->kernel->name, "machine", m.name, "units", units,
                   "limits", limits, "configurations", machines(o, j, false), "built", machines(o, j, true));
}
