/* SPDX-License-Identifier: Apache-2.0
 *
 * Run-time compilation: the source and its headers in a folder of their own, heddle-nvcc as a child. */
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/process.h"
#include "firmware/host/cuda/include/nvrtc.h"

/* heddle-nvcc as a child. It lies beside this library, as built or as installed, or in the PATH. */

static char *child_folder(void) {
  char path[TEMPORARY_PATH];
  return temporary_folder(path, "nvrtc") ? strdup(path) : NULL;
}

/* with all in it; frees the name */
static void child_remove(char *folder) {
  temporary_remove(folder);
  free(folder);
}

static FILE *child_file(const char *folder, const char *name) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return NULL;
  for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = '\0';
    if (mkdir(path, S_IRWXU) == 0) (void)chmod(path, S_IRWXU); /* it may be there */
    *slash = '/';
  }
  FILE *f = file_create(path);
  if (f) (void)fchmod(fileno(f), S_IRUSR | S_IWUSR);
  return f;
}

/* A file below the folder, written anew; folders between are made. */
/* all of it, to be freed; NULL: not there */
static char *child_text(const char *folder, const char *name) {
  char path[PATH_MAX];
  size_t size;
  enum file_end end;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return file_read(path, SIZE_MAX, &size, &end);
}

/* Where this library lies, and from there. */
static const char *find_compiler(char path[PATH_MAX]) {
  static const char *const places[] = {"../heddle-nvcc", "../bin/heddle-nvcc", "../../bin/heddle-nvcc"};
  Dl_info here;
  char library[PATH_MAX];
  if (dladdr((const void *)&child_folder, &here) == 0 || !here.dli_fname || !realpath(here.dli_fname, library))
    return "heddle-nvcc";
  *strrchr(library, '/') = '\0';
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
    if (snprintf(path, PATH_MAX, "%s/%s", library, places[i]) < PATH_MAX && access(path, X_OK) == 0) return path;
  return "heddle-nvcc";
}

/* Runs heddle-nvcc there; words[0] is replaced, NULL ends them; *said is what it says, to be freed, or NULL. Its exit
 * status, or -1: it did not run. */
static int child_run(const char *folder, const char **words, char **said) {
  char path[PATH_MAX];
  words[0] = find_compiler(path);
  (void)fflush(NULL);
  const int out = file_in_memory(NULL, 0);
  const struct process p = {.words = words, .folder = folder, .in = -1, .out = out, .err = out};
  const int status = out >= 0 ? process_run(&p) : -1;
  size_t size;
  enum file_end end;
  *said = out >= 0 ? file_read_open(out, SIZE_MAX, &size, &end) : NULL;
  if (out >= 0) (void)close(out);
  return status;
}

/* ---- programs, and their compilation */

struct name {
  struct name *next;
  char *expression, *lowered; /* lowered: NULL before it is compiled */
};
struct header {
  char *text, *name;
};
struct heddle_nvrtc_program {
  char *source, *name, *ptx, *log;
  struct header *header;
  int headers;
  struct name *names; /* the last one first */
  bool compiled;
};

const char *nvrtcGetErrorString(nvrtcResult result) {
  static const char *const words[] = {"NVRTC_SUCCESS",
                                      "NVRTC_ERROR_OUT_OF_MEMORY",
                                      "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                      "NVRTC_ERROR_INVALID_INPUT",
                                      "NVRTC_ERROR_INVALID_PROGRAM",
                                      "NVRTC_ERROR_INVALID_OPTION",
                                      "NVRTC_ERROR_COMPILATION",
                                      "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                      "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                      "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                      "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                      "NVRTC_ERROR_INTERNAL_ERROR"};
  return (unsigned)result < sizeof words / sizeof *words ? words[result] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = 11;
  *minor = 0;
  return NVRTC_SUCCESS;
}

/* ---- a program */

static void destroy(struct heddle_nvrtc_program *p) {
  for (int i = 0; i < p->headers; i++) {
    free(p->header[i].text);
    free(p->header[i].name);
  }
  while (p->names) {
    struct name *n = p->names;
    p->names = n->next;
    free(n->expression);
    free(n->lowered);
    free(n);
  }
  free(p->header);
  free(p->source);
  free(p->name);
  free(p->ptx);
  free(p->log);
  free(p);
}

/* Below the folder and nowhere else. */
static bool is_inside(const char *name) {
  return *name != '\0' && *name != '/' && !strstr(name, "..");
}

static bool take_headers(struct heddle_nvrtc_program *p, int n, const char *const *texts, const char *const *names) {
  p->header = calloc((size_t)n + 1, sizeof *p->header);
  if (!p->header) return false;
  for (p->headers = 0; p->headers < n; p->headers++) {
    struct header *h = &p->header[p->headers];
    h->text = strdup(texts[p->headers]);
    h->name = strdup(names[p->headers]);
    if (h->text && h->name) continue;
    p->headers++;
    return false;
  }
  return true;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int headers,
                               const char *const *texts, const char *const *names) {
  if (!program || !source || headers < 0 || (headers > 0 && (!texts || !names))) return NVRTC_ERROR_INVALID_INPUT;
  for (int i = 0; i < headers; i++)
    if (!texts[i] || !names[i] || !is_inside(names[i])) return NVRTC_ERROR_INVALID_INPUT;
  struct heddle_nvrtc_program *p = calloc(1, sizeof *p);
  if (!p) return NVRTC_ERROR_OUT_OF_MEMORY;
  p->source = strdup(source);
  p->name = strdup(name && *name ? name : "default_program");
  if (!p->source || !p->name || !take_headers(p, headers, texts, names)) {
    destroy(p);
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
  *program = p;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
  if (!program || !*program) return NVRTC_ERROR_INVALID_PROGRAM;
  destroy(*program);
  *program = NULL;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char *expression) {
  if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression) return NVRTC_ERROR_INVALID_INPUT;
  if (p->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  struct name *n = calloc(1, sizeof *n);
  if (n) n->expression = strdup(expression[0] == '&' ? expression + 1 : expression);
  if (!n || !n->expression) return free(n), NVRTC_ERROR_OUT_OF_MEMORY;
  n->next = p->names;
  p->names = n;
  return NVRTC_SUCCESS;
}

/* ---- compile */

#define MARK "heddle_nvrtc_name_"

/* The source as its author named it, and behind it a variable for each name that is asked for: its first value says in
 * PTX what the name has become. */
static bool write_source(const struct heddle_nvrtc_program *p, const char *folder) {
  FILE *f = child_file(folder, "program.cu");
  if (!f) return false;
  fprintf(f, "#line 1 \"%s\"\n%s\n", p->name, p->source);
  unsigned k = 0;
  for (const struct name *n = p->names; n; n = n->next, k++)
    fprintf(
        f,
        "#line 1 \"%s: a name that was asked for\"\nextern \"C\" __device__ __attribute__((used)) decltype(&(%s)) " MARK
        "%u = &(%s);\n",
        p->name, n->expression, k, n->expression);
  bool well = fclose(f) == 0;
  for (int i = 0; well && i < p->headers; i++) {
    f = child_file(folder, p->header[i].name);
    well = f && fputs(p->header[i].text, f) >= 0;
    if (f && fclose(f) != 0) well = false;
  }
  return well;
}

/* Takes the line with that variable out of the PTX: "… heddle_nvrtc_name_0 = generic(NAME);". */
static char *cut_name(char *ptx, unsigned k) {
  char mark[64];
  snprintf(mark, sizeof mark, " " MARK "%u = ", k);
  char *at = strstr(ptx, mark);
  if (!at) return NULL;
  static const char generic[] = "generic(";
  const char *from = at + strlen(mark);
  if (strncmp(from, generic, sizeof generic - 1) == 0) from += sizeof generic - 1;
  char *name = strndup(from, strcspn(from, ");\n"));
  while (at > ptx && at[-1] != '\n') at--;
  for (; *at != '\n' && *at != '\0'; at++) *at = ' ';
  return name;
}

static nvrtcResult take_result(struct heddle_nvrtc_program *p, const char *folder) {
  unsigned k = 0;
  p->ptx = child_text(folder, "program.ptx");
  if (!p->ptx) return NVRTC_ERROR_INTERNAL_ERROR;
  for (struct name *n = p->names; n; n = n->next, k++) n->lowered = cut_name(p->ptx, k);
  return NVRTC_SUCCESS;
}

static nvrtcResult compile_in(struct heddle_nvrtc_program *p, const char *folder, int count,
                              const char *const *options) {
  enum { ROOM = 4096 };
  static const char *const fixed[] = {"--ptx", "-x", "cu", "-I.", "-o", "program.ptx", "program.cu"};
  enum { FIXED = sizeof fixed / sizeof *fixed };
  if (!write_source(p, folder)) return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
  const char *words[ROOM];
  if (count > ROOM - FIXED - 2) return NVRTC_ERROR_INVALID_INPUT;
  unsigned n = 1;
  for (int i = 0; i < count; i++) words[n++] = options[i];
  for (unsigned i = 0; i < FIXED; i++) words[n++] = fixed[i];
  words[n] = NULL;
  free(p->log);
  const int status = child_run(folder, words, &p->log);
  if (status == 0) return take_result(p, folder);
  return status == 1 ? NVRTC_ERROR_COMPILATION : status == 2 ? NVRTC_ERROR_INVALID_OPTION : NVRTC_ERROR_INTERNAL_ERROR;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int count, const char *const *options) {
  if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
  if (count < 0 || (count > 0 && !options) || p->compiled) return NVRTC_ERROR_INVALID_INPUT;
  for (int i = 0; i < count; i++)
    if (!options[i]) return NVRTC_ERROR_INVALID_INPUT;
  char *folder = child_folder();
  if (!folder) return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  const nvrtcResult r = compile_in(p, folder, count, options);
  child_remove(folder);
  p->compiled = r == NVRTC_SUCCESS;
  return r;
}

/* ---- results */

static nvrtcResult size_of_text(const char *text, size_t *bytes) {
  if (!bytes) return NVRTC_ERROR_INVALID_INPUT;
  *bytes = text ? strlen(text) + 1 : 1;
  return NVRTC_SUCCESS;
}

static nvrtcResult copy_text_out(const char *text, char *out) {
  if (!out) return NVRTC_ERROR_INVALID_INPUT;
  if (text)
    memcpy(out, text, strlen(text) + 1);
  else
    *out = '\0';
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *bytes) {
  return p && p->compiled ? size_of_text(p->ptx, bytes) : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *ptx) {
  return p && p->compiled ? copy_text_out(p->ptx, ptx) : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *bytes) {
  return nvrtcGetPTXSize(p, bytes);
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *cubin) {
  return nvrtcGetPTX(p, cubin);
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *bytes) {
  return p ? size_of_text(p->log, bytes) : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log) {
  return p ? copy_text_out(p->log, log) : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char *expression, const char **name) {
  if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !name) return NVRTC_ERROR_INVALID_INPUT;
  if (!p->compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  if (*expression == '&') expression++;
  for (const struct name *n = p->names; n; n = n->next)
    if (strcmp(n->expression, expression) == 0 && n->lowered) return *name = n->lowered, NVRTC_SUCCESS;
  return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
