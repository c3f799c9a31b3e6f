/* SPDX-License-Identifier: Apache-2.0
 * Programs from files. */
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/machine.h>
#include "base/file.h"
#include "run/command/tool.h"

#define TEXT_MAX (64u << 20)

bool source_printf(const char *text, uint32_t *bytes) {
  uint64_t v;
  if (!tool_number(text, 16u << 20, &v) || v < 64) return false;
  *bytes = (uint32_t)v;
  return true;
}

bool source_heap(const char *text, uint32_t *bytes) {
  uint64_t v;
  if (!tool_number(text, HEDDLE_GLOBAL_MAX, &v) || v < 64) return false;
  *bytes = (uint32_t)v;
  return true;
}

static void keep_first(void *ctx, const struct heddle_message *m) {
  struct heddle_message *first = ctx;
  if (!m->warning && first->text[0] == '\0') *first = *m;
}

static void keep_first_and_warn(void *ctx, const struct heddle_message *m) {
  if (m->warning) tool_message(NULL, m);
  keep_first(ctx, m);
}

static struct heddle_program *no_program(const char *path, struct heddle_message *first, const char *why) {
  if (first->text[0] != '\0') return NULL;
  snprintf(first->file, sizeof first->file, "%s", path);
  snprintf(first->text, sizeof first->text, "%s", why);
  return NULL;
}

static struct heddle_program *compile_text(const char *text, size_t size, const char *path,
                                           const struct source_options *with, struct heddle_message *first) {
  struct heddle_ptx_options o = {.size = sizeof o,
                                 .target = with->target,
                                 .units = with->units,
                                 .level = with->level,
                                 .no_inline = with->no_inline,
                                 .without = with->without,
                                 .printf_bytes = with->printf_bytes,
                                 .heap_bytes = with->heap_bytes,
                                 .shared_gap = with->shared_gap,
                                 .fp64_latency = tool_fp64_latency(with->config),
                                 .message = with->warns ? keep_first_and_warn : keep_first,
                                 .ctx = first};
  (void)tool_stalls(with->config, o.stall);
  struct heddle_program *p;
  (void)heddle_ptx_compile(text, size, path, &o, &p, NULL, NULL);
  return p;
}

static struct heddle_program *assemble_text(const char *text, size_t size, const char *path,
                                            const struct source_options *with, struct heddle_message *first) {
  struct heddle_asm_options o = {.size = sizeof o, .message = keep_first, .ctx = first};
  (void)tool_stalls(with->config, o.stall);
  struct heddle_program *p;
  (void)heddle_assemble(text, size, path, &o, &p);
  return p;
}

static bool ends_in(const char *path, const char *end) {
  const size_t n = strlen(path), m = strlen(end);
  return n > m && strcmp(path + n - m, end) == 0;
}

static struct heddle_program *through_clang(const char *path, const struct source_options *o,
                                            struct heddle_message *first) {
  struct cc_options cc = {.level = 2};
  char *ptx, why[sizeof first->text];
  size_t size;
  if (o->cc) cc = *o->cc;
  cc.local_gap = o->shared_gap;
  const int status = cc_to_ptx(path, &cc, &ptx, &size, why, sizeof why);
  if (status == TOOL_MISSING && o->missing) *o->missing = true;
  if (status != TOOL_OK) return no_program(path, first, why);
  struct heddle_program *p = source_compile(ptx, path, o, first);
  free(ptx);
  return p;
}

struct heddle_program *source_load_with(const char *path, const struct source_options *o,
                                        struct heddle_message *first) {
  struct heddle_program *p = NULL;
  *first = (struct heddle_message){.line = 0};
  if (cc_is_source(path)) return through_clang(path, o, first);
  if (!ends_in(path, ".ptx") && !ends_in(path, ".s")) return (void)heddle_program_load(path, &p, first), p;
  size_t size;
  enum file_end end;
  char *text = file_read(path, TEXT_MAX - 1, &size, &end);
  if (!text)
    return no_program(path, first,
                      end == FILE_TOO_LARGE ? "cannot be read, or is larger than 64 MiB" : strerror(errno));
  p = ends_in(path, ".s") ? assemble_text(text, size, path, o, first) : compile_text(text, size, path, o, first);
  free(text);
  return p ? p : no_program(path, first, "no program");
}

uint32_t source_units(const char *config, bool target_given) {
  struct heddle_machine m = {.size = sizeof m};
  if (!config && target_given) return 0;
  return heddle_machine_find(config ? config : RUN_CONFIG, &m) ? m.units : 0;
}

struct heddle_program *source_compile(const char *text, const char *name, const struct source_options *o,
                                      struct heddle_message *first) {
  *first = (struct heddle_message){.line = 0};
  struct heddle_program *p = compile_text(text, strlen(text), name, o, first);
  return p ? p : no_program(name, first, "no program");
}

struct heddle_program *source_assemble(const char *text, const char *name, const struct source_options *o,
                                       struct heddle_message *first) {
  *first = (struct heddle_message){.line = 0};
  struct heddle_program *p = assemble_text(text, strlen(text), name, o, first);
  return p ? p : no_program(name, first, "no program");
}
