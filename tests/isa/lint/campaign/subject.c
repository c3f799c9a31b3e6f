/* SPDX-License-Identifier: Apache-2.0 */
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include <heddle/asm.h>
#include "run/command/tool.h"

bool subject_wanted(const struct subjects *s, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = s->only; at != NULL; at = strchr(at, ',')) {
    at += *at == ',';
    if (strncmp(at, name, n) == 0 && (at[n] == ',' || at[n] == '\0')) return true;
  }
  return s->only == NULL;
}

static void errors_only(void *ctx, const struct heddle_message *m) {
  if (!m->warning) tool_message(ctx, m);
}

struct heddle_program *subject_assemble(const struct subjects *s, const char *text, const char *name) {
  struct heddle_asm_options o = {.size = sizeof o, .message = errors_only, .long_words = true};
  memcpy(o.stall, s->stall, sizeof o.stall);
  return heddle_assemble(text, strlen(text), name, &o);
}

struct heddle_program *subject_load(const struct subjects *s, const char *path, unsigned level,
                                    enum heddle_ptx_target target) {
  size_t size;
  const char *dot = strrchr(path, '.');
  uint8_t *text = tool_read_file(path, 16u << 20, &size);
  struct heddle_program *p = NULL;
  if (!text) return NULL;
  if (dot && strcmp(dot, ".ptx") == 0) {
    struct heddle_ptx_options o = {.size = sizeof o,
                                   .target = target,
                                   .units = s->units,
                                   .level = level,
                                   .message = errors_only,
                                   .long_words = true};
    memcpy(o.stall, s->stall, sizeof o.stall);
    p = heddle_ptx_compile((const char *)text, size, path, &o, NULL, NULL);
  } else {
    struct heddle_asm_options o = {.size = sizeof o, .message = errors_only, .long_words = true};
    memcpy(o.stall, s->stall, sizeof o.stall);
    p = heddle_assemble((const char *)text, size, path, &o);
  }
  free(text);
  return p;
}

void subject_add(struct subjects *s, const char *name, const char *kind, struct heddle_program *p,
                 struct kernel_case *c) {
  if (p && c->launches > 0 && array_room(&s->at, &s->room, s->count + 1, sizeof *s->at)) {
    struct subject *n = &s->at[s->count++];
    *n = (struct subject){.kind = kind, .program = p, .c = *c};
    snprintf(n->name, sizeof n->name, "%s", name);
    return;
  }
  tool_error("%s: cannot be loaded", name);
  s->failed = true;
  heddle_program_free(p);
  kernel_case_clear(c);
}

void subjects_free(struct subjects *s) {
  for (size_t i = 0; i < s->count; i++) {
    heddle_program_free(s->at[i].program);
    kernel_case_clear(&s->at[i].c);
    for (unsigned b = 0; b < 4; b++) free(s->at[i].bank[b]);
  }
  free(s->at);
  *s = (struct subjects){.at = NULL};
}
