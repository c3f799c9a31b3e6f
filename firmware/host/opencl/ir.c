/* SPDX-License-Identifier: Apache-2.0
 * A kernel that kernels call. PTX has no call of an entry, so LLVM's text gets a copy of it as a function, and calls go
 * to the copy. Lines of the copy are not known: two functions cannot share what says of lines. */
#include "firmware/host/opencl/internal.h"
#include "firmware/host/opencl/ir_required.h"

#include <stdlib.h>
#include <string.h>

#define CALL "call spir_kernel void @"
#define CALLED "__heddle_called_"

static size_t name_length(const char *at) {
  return strcspn(at, "( \n");
}

static bool add_name(struct ocl_names *n, const char *at) {
  const size_t length = name_length(at);
  for (size_t i = 0; i < n->count; i++)
    if (strncmp(n->at[i], at, length) == 0 && n->at[i][length] == '\0') return true;
  char **more = realloc(n->at, (n->count + 1) * sizeof *more);
  if (!more) return false;
  n->at = more;
  n->at[n->count] = strndup(at, length);
  return n->at[n->count] && ++n->count > 0;
}

static bool add_span(struct text *out, const char *from, const char *to) {
  return text_add(out, from, (size_t)(to - from));
}

/* The text with its calls of kernels turned; ", !dbg !N" is left out, where asked. */
static bool add_turned(struct text *out, const char *from, const char *end, bool no_lines) {
  static const char call[] = CALL, line[] = ", !dbg !";
  while (from < end) {
    const char *c = strstr(from, call), *d = no_lines ? strstr(from, line) : NULL;
    if (c && c >= end) c = NULL;
    if (d && d >= end) d = NULL;
    if (!c && !d) return add_span(out, from, end);
    const bool is_call = c && (!d || c < d);
    const char *at = is_call ? c : d;
    if (!add_span(out, from, at)) return false;
    from = at + strlen(is_call ? call : line);
    if (is_call && !text_put(out, "call spir_func void @" CALLED)) return false;
    if (!is_call) from += strspn(from, "0123456789");
  }
  return true;
}

/* Its definition or declaration as a function of another name. */
static bool add_copy(const char *ir, const char *name, struct text *out) {
  static const char kind[] = " spir_kernel void @", called[] = " spir_func void @" CALLED;
  const size_t n = strlen(name);
  const char *at = ir, *line;
  do {
    at = strstr(at, kind);
    if (!at) return true; /* of another object */
    at += strlen(kind);
    line = at;
    while (line > ir && line[-1] != '\n') line--;
  } while (strncmp(at, name, n) != 0 || at[n] != '(' || *line == ' ');
  const bool defined = strncmp(line, "define ", 7) == 0;
  const char *stop = strstr(at, defined ? " {\n" : "\n"), *end = defined ? strstr(at, "\n}\n") : stop,
             *marks = strstr(at, " !");
  if (!stop || !end) return false;
  if (!marks || marks > stop) marks = stop;
  return text_put(out, defined ? "\ndefine" : "\ndeclare") && text_put(out, called) && add_span(out, at, marks) &&
         (defined ? add_turned(out, stop, end + 3, true) : text_put(out, "\n"));
}

bool ocl_ir_calls(const char *ir, struct ocl_names *names) {
  for (const char *c = strstr(ir, CALL); c; c = strstr(c + 1, CALL))
    if (!add_name(names, c + strlen(CALL))) return false;
  return true;
}

bool ocl_ir_callable(const char *ir, const struct ocl_names *called, struct text *out) {
  bool well = add_turned(out, ir, ir + strlen(ir), false);
  for (size_t i = 0; well && i < called->count; i++) well = add_copy(ir, called->at[i], out);
  return well;
}

static void keep_inline(char *ir) {
  static const char lost[] = "\ndefine available_externally ", kept[] = "\ndefine linkonce_odr         ";
  _Static_assert(sizeof lost == sizeof kept, "in its place");
  for (char *at = ir; (at = strstr(at, lost)) != NULL; at += sizeof kept - 1) memcpy(at, kept, sizeof kept - 1);
}

bool ocl_ir_finish(struct text *ir) {
  if (!ir->at) return true;
  keep_inline(ir->at);
  ir->at = ir_required(ir->at);
  ir->bytes = ir->at ? strlen(ir->at) : 0;
  ir->room = ir->at ? ir->bytes + 1 : 0;
  return ir->at != NULL;
}

void ocl_names_free(struct ocl_names *n) {
  for (size_t i = 0; i < n->count; i++) free(n->at[i]);
  free(n->at);
  *n = (struct ocl_names){NULL, 0};
}
