/* SPDX-License-Identifier: Apache-2.0
 *
 * LLVM's text: kernels that kernels call, what it says of kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "firmware/host/opencl/internal.h"
#include "firmware/host/opencl/ir_required.h"

/* A kernel that kernels call. PTX has no call of an entry, so LLVM's text gets a copy of it as a function, and calls go
 * to the copy. Lines of the copy are not known: two functions cannot share what says of lines. */

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

/* What LLVM's text says of kernels. A define line names numbered lines, each a list:
 *
 *   define ... spir_kernel void @saxpy(...) ... !kernel_arg_type !17 ... {
 *   !17 = !{!"float*", !"float"}
 *
 * Both kinds of lines are kept, an empty line behind each object's; the rest of the text is not looked at again. What a
 * binary says may be anything: nothing is trusted. */

enum { ARGUMENTS_MAX = 4096, KERNELS_MAX = 65536 };

static const char *const tags[] = {"!kernel_arg_addr_space", "!kernel_arg_type", "!kernel_arg_type_qual",
                                   "!kernel_arg_name",       "!vec_type_hint",   "!work_group_size_hint",
                                   "!reqd_work_group_size"};
enum tag { SPACE, TYPE, QUALIFIERS, NAME, VECTOR_HINT, SIZE_HINT, SIZE, TAGS };

static const char *line_end(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end : line + strlen(line);
}

/* The number behind a tag in a define line; false: it is not there. */
static bool tag_number(const char *line, const char *tag, unsigned long *number) {
  const char *end = line_end(line);
  const size_t n = strlen(tag);
  for (const char *at = strstr(line, tag); at && at + n + 2 < end; at = strstr(at + n, tag)) {
    char *stop;
    if (at[n] != ' ' || at[n + 1] != '!') continue;
    *number = strtoul(at + n + 2, &stop, 10);
    return stop != at + n + 2;
  }
  return false;
}

static bool is_kernel(const char *line) {
  const char *end = line_end(line), *at = strncmp(line, "define ", 7) == 0 ? strstr(line, " spir_kernel ") : NULL;
  return at && at < end;
}

/* ---- what is kept */

static bool keep_list(const char *ir, unsigned long number, struct text *meta) {
  char begin[40];
  const int n = snprintf(begin, sizeof begin, "\n!%lu = ", number);
  const char *at = strstr(ir, begin);
  if (!at) return true;
  if (meta->at && strstr(meta->at, begin)) return true;
  return n > 0 && text_add(meta, at, (size_t)(line_end(at + 1) - at));
}

bool ocl_meta_extract(const char *ir, struct text *meta) {
  struct text own = {0};
  bool well = true;
  for (const char *line = ir; well && *line; line = *line_end(line) ? line_end(line) + 1 : line_end(line)) {
    if (!is_kernel(line)) continue;
    for (unsigned t = 0; well && t < TAGS; t++) {
      unsigned long number;
      if (tag_number(line, tags[t], &number)) well = keep_list(ir, number, &own);
    }
    well = well && text_put(&own, "\n") && text_add(&own, line, (size_t)(line_end(line) - line));
  }
  if (well && own.bytes > 0) well = text_put(&own, "\n\n") && text_add(meta, own.at, own.bytes);
  text_free(&own);
  return well;
}

/* ---- lists */

struct list {
  const char *at, *end; /* between its braces */
};

/* Numbers are an object's own: they are looked for up to `end`. */
static bool find_list(const char *object, const char *end, unsigned long number, struct list *l) {
  char begin[40];
  snprintf(begin, sizeof begin, "\n!%lu = !{", number);
  const char *at = strstr(object, begin);
  if (!at || at >= end) return false;
  l->at = at + strlen(begin);
  l->end = line_end(l->at);
  while (l->end > l->at && l->end[-1] != '}') l->end--;
  if (l->end > l->at) l->end--;
  return true;
}

/* i32 N */
static bool take_int(struct list *l, unsigned long *v) {
  while (l->at < l->end && (*l->at == ' ' || *l->at == ',')) l->at++;
  if (l->end - l->at < 5 || strncmp(l->at, "i32 ", 4) != 0) return false;
  char *stop;
  *v = strtoul(l->at + 4, &stop, 10);
  l->at = stop;
  return true;
}

static unsigned hex_digit_value(char c) {
  return c >= '0' && c <= '9' ? (unsigned)(c - '0') : ((unsigned)c | 32u) - 'a' + 10;
}

/* !"text", where \22 is a quote; owned by the caller. NULL: there is none, or no memory. */
static char *take_quoted_text(struct list *l) {
  while (l->at < l->end && (*l->at == ' ' || *l->at == ',')) l->at++;
  if (l->end - l->at < 3 || l->at[0] != '!' || l->at[1] != '"') return NULL;
  const char *from = l->at + 2, *stop = memchr(from, '"', (size_t)(l->end - from));
  char *text = stop ? malloc((size_t)(stop - from) + 1) : NULL, *to = text;
  if (!text) return NULL;
  for (; from < stop; from++) {
    *to++ = *from;
    if (*from == '\\' && stop - from > 2) {
      to[-1] = (char)(hex_digit_value(from[1]) << 4 | hex_digit_value(from[2]));
      from += 2;
    }
  }
  *to = '\0';
  l->at = stop + 1;
  return text;
}

/* ---- kernels */

static cl_kernel_arg_address_qualifier space_of(unsigned long v) {
  return v == 1   ? CL_KERNEL_ARG_ADDRESS_GLOBAL
         : v == 2 ? CL_KERNEL_ARG_ADDRESS_CONSTANT
         : v == 3 ? CL_KERNEL_ARG_ADDRESS_LOCAL
                  : CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

static cl_kernel_arg_type_qualifier qualifiers_of(const char *text) {
  return (strstr(text, "const") ? CL_KERNEL_ARG_TYPE_CONST : 0) |
         (strstr(text, "restrict") ? CL_KERNEL_ARG_TYPE_RESTRICT : 0) |
         (strstr(text, "volatile") ? CL_KERNEL_ARG_TYPE_VOLATILE : 0);
}

static bool read_arguments(const struct list lists[TAGS], struct ocl_kernel_info *k) {
  struct list space = lists[SPACE], type = lists[TYPE], qualifiers = lists[QUALIFIERS], name = lists[NAME];
  unsigned long v;
  cl_uint n = 0;
  for (struct list l = space; n < ARGUMENTS_MAX && take_int(&l, &v);) n++;
  k->argument = calloc(n + 1, sizeof *k->argument);
  if (!k->argument) return false;
  k->arguments = n;
  for (cl_uint i = 0; i < n; i++) {
    struct ocl_kernel_argument *a = &k->argument[i];
    (void)take_int(&space, &v);
    a->space = space_of(v);
    a->type = take_quoted_text(&type);
    a->name = take_quoted_text(&name);
    char *words = take_quoted_text(&qualifiers);
    if (words) a->qualifiers = qualifiers_of(words);
    free(words);
    if (!a->type) return false;
  }
  return true;
}

static bool add_sizes(struct text *t, const char *what, const unsigned long v[3]) {
  char words[100];
  snprintf(words, sizeof words, "%s%s(%lu,%lu,%lu)", t->bytes > 0 ? " " : "", what, v[0], v[1], v[2]);
  return text_put(t, words);
}

static bool three(struct list l, unsigned long v[3]) {
  return take_int(&l, &v[0]) && take_int(&l, &v[1]) && take_int(&l, &v[2]);
}

/* <4 x float> undef, i32 0: the last says whether it has a sign. */
static bool add_vector(struct text *t, struct list l) {
  static const struct {
    const char *llvm, *name;
    bool whole;
  } types[] = {{"i8", "char", true},    {"i16", "short", true},    {"i32", "int", true},       {"i64", "long", true},
               {"half", "half", false}, {"float", "float", false}, {"double", "double", false}};
  char text[100], words[160], element[16] = "";
  unsigned n = 1, is_signed = 1;
  snprintf(text, sizeof text, "%.*s", (int)(l.end - l.at < 99 ? l.end - l.at : 99), l.at);
  if (sscanf(text, "<%u x %15[a-z0-9]>", &n, element) != 2 && sscanf(text, "%15[a-z0-9]", element) != 1) return true;
  const char *last = strrchr(text, ' ');
  if (last) is_signed = last[1] != '0';
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (strcmp(types[i].llvm, element) != 0) continue;
    const int used = snprintf(words, sizeof words, "%svec_type_hint(%s%s", t->bytes > 0 ? " " : "",
                              types[i].whole && !is_signed ? "u" : "", types[i].name);
    if (n > 1)
      snprintf(words + used, sizeof words - (size_t)used, "%u)", n);
    else
      snprintf(words + used, sizeof words - (size_t)used, ")");
    return text_put(t, words);
  }
  return true;
}

static bool read_attributes(const struct list lists[TAGS], struct ocl_kernel_info *k) {
  struct text t = {0};
  unsigned long v[3];
  bool well = text_put(&t, "");
  if (lists[SIZE].at && three(lists[SIZE], v)) {
    well = well && add_sizes(&t, "reqd_work_group_size", v);
    for (unsigned i = 0; i < 3; i++) k->required[i] = v[i];
  }
  if (lists[SIZE_HINT].at && three(lists[SIZE_HINT], v)) well = well && add_sizes(&t, "work_group_size_hint", v);
  if (lists[VECTOR_HINT].at) well = well && add_vector(&t, lists[VECTOR_HINT]);
  k->attributes = t.at;
  return well;
}

static char *name_of_kernel(const char *line) {
  const char *at = strchr(line, '@');
  if (!at || at > line_end(line)) return NULL;
  const size_t n = strcspn(++at, "(\" \n");
  return n > 0 ? strndup(at, n) : NULL;
}

static bool read_kernel(const char *object, const char *end, const char *line, struct ocl_kernels *out) {
  struct list lists[TAGS] = {{NULL, NULL}};
  if (out->count == KERNELS_MAX) return false;
  struct ocl_kernel_info *more = realloc(out->at, (out->count + 1) * sizeof *more);
  if (!more) return false;
  out->at = more;
  struct ocl_kernel_info *k = &out->at[out->count++];
  *k = (struct ocl_kernel_info){.name = name_of_kernel(line)};
  for (unsigned t = 0; t < TAGS; t++) {
    unsigned long number;
    if (tag_number(line, tags[t], &number)) (void)find_list(object, end, number, &lists[t]);
  }
  return k->name && read_arguments(lists, k) && read_attributes(lists, k);
}

bool ocl_meta_parse(const char *meta, struct ocl_kernels *out) {
  for (const char *object = meta; *object;) {
    const char *gap = strstr(object, "\n\n"), *end = gap ? gap : object + strlen(object);
    for (const char *line = object; line < end; line = *line_end(line) ? line_end(line) + 1 : line_end(line))
      if (is_kernel(line) && !read_kernel(object, end, line, out)) return false;
    object = gap ? gap + 2 : end;
  }
  return true;
}

bool ocl_meta_fits(const struct ocl_kernels *k, const struct heddle_program *p) {
  for (cl_uint i = 0; i < k->count; i++) {
    const struct ocl_kernel_info *info = &k->at[i];
    const struct heddle_kernel *code = heddle_program_kernel(p, info->name);
    if (code && code->params != info->arguments) return false;
    for (cl_uint a = 0; code && a < info->arguments; a++)
      if (info->argument[a].space != CL_KERNEL_ARG_ADDRESS_PRIVATE && code->param[a].size > sizeof(uint64_t))
        return false;
  }
  return true;
}

void ocl_kernels_free(struct ocl_kernels *k) {
  for (cl_uint i = 0; i < k->count; i++) {
    for (cl_uint a = 0; a < k->at[i].arguments; a++) {
      free(k->at[i].argument[a].type);
      free(k->at[i].argument[a].name);
    }
    free(k->at[i].argument);
    free(k->at[i].name);
    free(k->at[i].attributes);
  }
  free(k->at);
  *k = (struct ocl_kernels){NULL, 0};
}
