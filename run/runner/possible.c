/* SPDX-License-Identifier: Apache-2.0
 * What a machine lacks for a job, who has it, and the command that works. */
#include "possible.h"

#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/device.h>
#include "base/text.h"

/* What a machine lacks for a job, and who has it, as JSON. What is not known is not there. */

/* Is there such a machine where the options run? On the model there is every one. */
static bool run_machine_built(const struct run_options *o, const char *name) {
  return o->on == ON_MODEL || o->on == ON_BOARD ||
         heddle_dut_built(NULL, o->on == ON_SYSTEMC ? "systemc" : "verilator", name);
}

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
    struct heddle_machine m = {.size = sizeof m};
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
  struct heddle_machine m = {.size = sizeof m};
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

/* What a machine lacks for a job, who has it, and the command that works. */

/* As a shell takes it. */
static void say_quoted(struct text_room *w, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (*word != '\0' && strspn(word, plain) == strlen(word)) {
    text_print(w, " %s", word);
    return;
  }
  text_print(w, " '");
  for (; *word; word++)
    if (*word == '\'')
      text_print(w, "'\\''");
    else
      text_print(w, "%c", *word);
  text_print(w, "'");
}

/* "--config", "--on", or a shorter form of it that getopt takes; with "=" its value is in the same word. */
static bool is_option(const char *word, const char *option, size_t least) {
  const size_t n = strcspn(word, "=");
  return n >= least && n <= strlen(option) && strncmp(word, option, n) == 0;
}

/* The command on another machine: `config`, or with NULL the model with everything. */
static void say_command(struct text_room *w, const struct run_options *o, const struct command_line *typed,
                        const char *config) {
  const bool elsewhere = config == NULL && o->on != ON_MODEL;
  if (!typed && config) text_print(w, "--config %s", config);
  if (!typed && !config) text_print(w, elsewhere ? "--on model" : "no --config");
  if (!typed) return;
  text_print(w, "heddle");
  for (int i = 0; i < typed->argc; i++) {
    const char *word = typed->argv[i];
    const bool drops = is_option(word, "--config", 5) || (elsewhere && is_option(word, "--on", 4));
    if (!drops) say_quoted(w, word);
    if (drops && !strchr(word, '=')) i++;
  }
  if (elsewhere) text_print(w, " --on model");
  if (config) text_print(w, " --config %s", config);
}

static bool is_built(void *ctx, const char *name) {
  return run_machine_built(ctx, name);
}

static bool anyone(void *ctx, const char *name) {
  (void)ctx;
  return name != NULL;
}

/* Who can run it, and what to type. */
static void say_who(struct text_room *w, const struct run_options *o, const struct job *j,
                    const struct command_line *typed) {
  const uint32_t *b = j->launch.block, threads = b[0] * b[1] * b[2];
  struct run_options asked = *o;
  struct heddle_lack list[HEDDLE_LACKS_MAX];
  struct heddle_machine whole = {.size = sizeof whole};
  char names[200], first[64];
  unsigned n = heddle_machines_for(j->program, j->kernel, threads, j->launch.shared_bytes, is_built, &asked, names,
                                   sizeof names);
  if (n > 0) {
    snprintf(first, sizeof first, "%.*s", (int)strcspn(names, ","), names);
    text_print(w,
               ". %s that can run it: %s. This works: ", o->on == ON_MODEL ? "Configurations" : "Built configurations",
               names);
    say_command(w, o, typed, first);
    return;
  }
  n = heddle_machines_for(j->program, j->kernel, threads, j->launch.shared_bytes, anyone, NULL, names, sizeof names);
  if (n > 0)
    text_print(w, ". %s could run it and %s not built ('cmake --build build --target device_verilator_%.*s')", names,
               n == 1 ? "is" : "are", (int)strcspn(names, ","), names);
  else
    text_print(w, ". No configuration can run it");
  heddle_machine_whole(&whole);
  if (heddle_machine_lacks(&whole, j->program, j->kernel, threads, j->launch.shared_bytes, list) > 0) return;
  text_print(w, "; the model can: ");
  say_command(w, o, typed, NULL);
}

/* The source that lines name, if a compiler made the program of it elsewhere; else NULL. */
static const char *compiled_from(const struct job *j, const struct command_line *typed, const char **command) {
  const char *source, *end, *given = typed ? strrchr(typed->file, '.') : NULL;
  unsigned line;
  if (!given || strcmp(given, ".elf") != 0) return NULL;
  if (!heddle_program_line(j->program, j->kernel->entry_pc, &source, &line)) return NULL;
  end = strrchr(source, '.');
  if (!end) return NULL;
  *command = strcmp(end, ".ptx") == 0 ? "ptx" : strcmp(end, ".cl") == 0 || strcmp(end, ".cu") == 0 ? "cc" : NULL;
  return *command ? source : NULL;
}

static void say_compile(struct text_room *w, const struct run_options *o, const struct job *j,
                        const struct command_line *typed) {
  const char *command, *source = compiled_from(j, typed, &command);
  if (!source) return;
  text_print(w, ". Compiled for %s it may do without: heddle %s", o->config->name, command);
  say_quoted(w, source);
  text_print(w, " -o");
  say_quoted(w, typed->file);
  text_print(w, " --config %s", o->config->name);
}

bool run_possible(const struct run_options *o, const struct job *j, const struct command_line *typed, char *text,
                  size_t size) {
  const uint32_t *b = j->launch.block;
  struct heddle_lack list[HEDDLE_LACKS_MAX];
  struct heddle_machine m = {.size = sizeof m};
  struct text_room w = {.at = text, .size = size};
  char one[700];
  run_machine(o, &m);
  const unsigned n = heddle_machine_lacks(&m, j->program, j->kernel, b[0] * b[1] * b[2], j->launch.shared_bytes, list);
  if (n == 0) return true;
  text_print(&w, "%s", heddle_lack_text(&m, j->program, j->kernel, &list[0], one, sizeof one));
  for (unsigned i = 1; i < n; i++)
    if (list[i].kind == HEDDLE_LACK_UNIT)
      text_print(&w, "%s%s", i == 1 ? "; and unit " : ", ", heddle_isa_need_name(list[i].bit));
    else
      text_print(&w, "; %s", heddle_lack_text(&m, j->program, j->kernel, &list[i], one, sizeof one));
  say_who(&w, o, j, typed);
  if (list[0].kind == HEDDLE_LACK_UNIT) say_compile(&w, o, j, typed);
  return false;
}
