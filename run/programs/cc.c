/* SPDX-License-Identifier: Apache-2.0
 * OpenCL C and CUDA C to PTX by clang, with room between local arrays where a sanitizer wants it. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "firmware/host/opencl/ir_required.h"
#include "run/command/tool.h"
#include "run/programs/source.h"

/* Room between local arrays. A line is enough to know an alloca; its size is LLVM's to say, as an expression. */

enum { FIRST_OPAQUE = 15, NAME_MAX_SHOWN = 60 };

struct function {
  char name[512]; /* "": none, or one whose local memory is not known */
  bool in_entry;  /* static variables are declared in its first block */
  unsigned parts, arrays;
};

struct gaps {
  unsigned gap, arrays; /* of all functions */
  FILE *text;           /* what becomes of it; tables at its end */
  FILE *numbers, *names, *tables;
  char *text_at, *numbers_at, *names_at, *tables_at;
  size_t text_size, numbers_size, names_size, tables_size, name_bytes;
  struct function f;
};

static bool has_opaque_pointers(const char *text) {
  const char *version = strstr(text, "clang version ");
  return version && strtoul(version + 14, NULL, 10) >= FIRST_OPAQUE;
}

/* "define ... @NAME(" */
static void begin_function(struct gaps *g, const char *line) {
  const char *at = strchr(line, '@');
  const size_t n = at ? strcspn(at + 1, "(\n\"") : 0;
  g->f = (struct function){.in_entry = true};
  if (at && at[1 + n] == '(' && n < sizeof g->f.name) memcpy(g->f.name, at + 1, n);
  if (fseek(g->numbers, 0, SEEK_SET) != 0 || fseek(g->names, 0, SEEK_SET) != 0) g->f.name[0] = '\0'; /* no room then */
  g->name_bytes = 0;
}

/* The table of the function, if it has arrays: see compiler/lower/lower_layout.c. */
static void end_function(struct gaps *g) {
  fflush(g->numbers);
  fflush(g->names);
  if (g->f.name[0] && g->f.arrays > 0)
    fprintf(g->tables,
            "@heddle_locals_%s = addrspace(1) constant <{ i64, [%u x i64], [%zu x i8] }> "
            "<{ i64 %u, [%u x i64] [%.*s], [%zu x i8] c\"%.*s\" }>\n",
            g->f.name, 3 * g->f.parts, g->name_bytes, g->f.parts, 3 * g->f.parts, (int)ftell(g->numbers), g->numbers_at,
            g->name_bytes, (int)ftell(g->names), g->names_at);
  g->f = (struct function){.parts = 0};
}

/* A name of C, or nothing where LLVM's own is none; without what inlining put behind it. */
static void put_name(struct gaps *g, const char *name) {
  size_t n = 0;
  while (n < NAME_MAX_SHOWN && (isalnum((unsigned char)name[n]) || name[n] == '_')) n++;
  if (isdigit((unsigned char)name[0])) n = 0;
  fprintf(g->names, "%.*s\\00", (int)n, name);
  g->name_bytes += n + 1;
}

/* Length of a type; 0: something stands behind it but an alignment, so that it is no variable of fixed size. */
static size_t type_length(const char *type) {
  int depth = 0;
  size_t n = 0;
  for (; type[n] && type[n] != '\n' && (depth > 0 || type[n] != ','); n++)
    depth += (strchr("[{(<", type[n]) != NULL) - (strchr("]})>", type[n]) != NULL);
  return strncmp(type + n, ", align ", 8) == 0 ? n : 0;
}

/* Where the type of an alloca begins, "  %NAME = alloca TYPE, align N"; NULL: the line is none. */
static const char *alloca_type(const char *line, size_t length) {
  static const char word[] = "= alloca ";
  const char *equals = memchr(line, '=', length);
  return equals && strncmp(equals, word, sizeof word - 1) == 0 ? equals + sizeof word - 1 : NULL;
}

static bool put_alloca(struct gaps *g, const char *line, const char *type, size_t length) {
  const size_t n = type_length(type);
  const char *behind = type + n;
  const unsigned long align = n ? strtoul(behind + 8, NULL, 10) : 0;
  if (align == 0 || strncmp(line, "  %", 3) != 0) {
    g->f.name[0] = '\0';
    return false;
  }
  const bool array = strchr("[{<%", type[0]) != NULL;
  if (array)
    fprintf(g->text, "%.*s{ %.*s, [%u x i8] }%.*s", (int)(type - line), line, (int)n, type, g->gap,
            (int)(length - (size_t)(behind - line)), behind);
  fprintf(g->numbers, "%si64 ptrtoint (ptr getelementptr (%.*s, ptr null, i32 1) to i64), ", g->f.parts ? ", " : "",
          (int)n, type);
  if (array)
    fprintf(g->numbers, "i64 ptrtoint (ptr getelementptr ({ %.*s, [%u x i8] }, ptr null, i32 1) to i64), i64 %lu",
            (int)n, type, g->gap, align);
  else
    fprintf(g->numbers, "i64 ptrtoint (ptr getelementptr (%.*s, ptr null, i32 1) to i64), i64 %lu", (int)n, type,
            align);
  put_name(g, line + 3);
  g->f.parts++;
  g->f.arrays += array;
  g->arrays += array;
  return array;
}

/* A label ends the first block. */
static bool is_label(const char *line, size_t length) {
  return length > 1 && line[0] != ' ' && line[0] != ';' && memchr(line, ':', length) != NULL;
}

static void put_ir_line(struct gaps *g, const char *line, size_t length, bool first) {
  const char *type = g->f.in_entry ? alloca_type(line, length) : NULL;
  if (strncmp(line, "define ", 7) == 0) begin_function(g, line);
  if (g->f.in_entry && !first && is_label(line, length)) g->f.in_entry = false;
  if (line[0] == '}') end_function(g);
  if (!type || !put_alloca(g, line, type, length)) fwrite(line, 1, length, g->text);
}

static bool open_all(struct gaps *g) {
  g->text = open_memstream(&g->text_at, &g->text_size);
  g->numbers = open_memstream(&g->numbers_at, &g->numbers_size);
  g->names = open_memstream(&g->names_at, &g->names_size);
  g->tables = open_memstream(&g->tables_at, &g->tables_size);
  return g->text && g->numbers && g->names && g->tables;
}

/* False: something did not fit into memory. */
static bool close_all(struct gaps *g) {
  FILE *const all[] = {g->text, g->numbers, g->names, g->tables};
  bool well = true;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) well = all[i] && fclose(all[i]) == 0 && well;
  return well;
}

/* The text with `gap` bytes behind each array; the caller's. NULL: there is none, or no memory, or it is of an LLVM
 * whose pointers have types (before 15), which would not fit any more. */
static char *local_gaps(const char *text, unsigned gap) {
  struct gaps g = {.gap = gap};
  if (!has_opaque_pointers(text)) return NULL;
  bool well = open_all(&g), first = false; /* first: the line behind a "define" may be its first label */
  for (const char *line = text; well && *line;) {
    const size_t length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
    put_ir_line(&g, line, length, first);
    first = strncmp(line, "define ", 7) == 0;
    line += length;
  }
  if (well) {
    fflush(g.tables);
    fwrite(g.tables_at, 1, (size_t)ftell(g.tables), g.text);
  }
  well = close_all(&g) && well && g.arrays > 0;
  free(g.numbers_at);
  free(g.names_at);
  free(g.tables_at);
  if (well) return g.text_at;
  free(g.text_at);
  return NULL;
}

/* clang, started with a pipe; of OpenCL C twice, with LLVM's text between, since its own way loses work-group sizes. */

#define ARGUMENTS_MAX (CC_MORE_MAX + 64u)
#define PTX_MAX (64u << 20)
#define LIBCLC "/usr/lib/clc/nvptx64--nvidiacl.bc"

struct arguments {
  const char *at[ARGUMENTS_MAX];
  unsigned count;
};

static void add_clang_word(struct arguments *a, const char *text) {
  if (a->count < ARGUMENTS_MAX - 1) a->at[a->count++] = text;
}

/* To clang's inner program, past its driver. */
static void add_inner(struct arguments *a, const char *text) {
  add_clang_word(a, "-Xclang");
  add_clang_word(a, text);
}

static bool ends_in(const char *path, const char *end) {
  const size_t n = strlen(path), m = strlen(end);
  return n > m && strcmp(path + n - m, end) == 0;
}

bool cc_is_source(const char *path) {
  return ends_in(path, ".cl") || ends_in(path, ".cu");
}

static bool is_in_path(const char *program) {
  const char *path = getenv("PATH");
  char name[4096];
  while (path && *path) {
    const size_t n = strcspn(path, ":");
    if (snprintf(name, sizeof name, "%.*s/%s", (int)n, path, program) < (int)sizeof name && access(name, X_OK) == 0)
      return true;
    path += n + (path[n] == ':');
  }
  return false;
}

/* Whichever is there, the newer first: libclc of 14 is good for both, that of 19 for the newer alone. */
static const char *find_clang(char *err, size_t n) {
  static const char *const names[] = {"clang-19", "clang-14"};
  const char *given = getenv("HEDDLE_CLANG");
  if (given && *given) return given;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is_in_path(names[i])) return names[i];
  snprintf(
      err, n,
      "OpenCL C and CUDA C need clang: 'apt-get install clang-19 libclc-14' installs it (libclc-19 on Debian 13; or "
      "clang-14; HEDDLE_CLANG can name another)");
  return NULL;
}

#define NOT_FOUND 127 /* as a shell says it */

/* Exit status of the program, above 128 if it died; -1: it did not start. It reads the file `in`; -1: nothing. *out is
 * what it writes, to be freed; NULL: too much, or no memory. */
static int start_program(const struct arguments *a, int in, char **out, size_t *size) {
  const int file = file_in_memory(NULL, 0);
  const struct process p = {.words = a->at, .in = in, .out = file, .err = STDERR_FILENO};
  enum file_end end;
  pid_t pid;
  if (file < 0) return -1;
  const bool started = process_start(&p, &pid);
  const int status = started ? process_wait(pid) : errno == ENOENT ? NOT_FOUND : -1;
  *out = file_read_open(file, PTX_MAX - 2, size, &end);
  (void)close(file);
  return status;
}

/* Products and sums of a CUDA program are contracted, as nvcc does it; not those of libclc, which count on roundings.
 */
static void add_contract(struct arguments *a, const struct cc_options *o, const char *path) {
  bool said = ends_in(path, ".cl");
  for (unsigned i = 0; i < o->mores; i++) said = said || strncmp(o->more[i], "-ffp-contract", 13) == 0;
  if (!said) add_inner(a, "-ffp-contract=fast-honor-pragmas");
}

/* Arguments and results need not be defined: of a warp one thread may have a value, and tell the others by a shuffle.
 * Else clang drops the branch around that thread's part. */
static void add_undefined(struct arguments *a) {
  const struct arguments ask = {.at = {a->at[0], "-dumpversion"}, .count = 2};
  char *version = NULL;
  size_t size;
  const bool is_14 = start_program(&ask, -1, &version, &size) == 0 && version && strncmp(version, "14.", 3) == 0;
  add_inner(a, is_14 ? "-disable-noundef-analysis" : "-no-enable-noundef-analysis");
  free(version);
  add_clang_word(a, "-fno-strict-return");
}

static void add_level(struct arguments *a, const struct cc_options *o) {
  static const char *const level[] = {"-O0", "-O1", "-O2", "-O3"};
  add_clang_word(a, level[o->level > 3 ? 3 : o->level]);
}

/* Between clang's two halves something is done to LLVM's text. */
static bool in_halves(const char *path, const struct cc_options *o) {
  return ends_in(path, ".cl") || o->local_gap != 0;
}

/* What is said last: what the caller adds, and where it goes. */
static void add_end(struct arguments *a, const struct cc_options *o, const char *path) {
  for (unsigned i = 0; i < o->mores; i++) add_clang_word(a, o->more[i]);
  add_clang_word(a, "-S");
  add_clang_word(a, "-o");
  add_clang_word(a, "-");
  add_clang_word(a, "--");
  add_clang_word(a, path);
}

static void add_common(struct arguments *a, const struct cc_options *o, const char *path, bool has_libclc) {
  add_level(a, o);
  add_clang_word(a, "-D__HEDDLE__=1");
  add_clang_word(a, "-gdwarf-2"); /* with a newer one clang 14 dies of calls that have no body */
  add_clang_word(a, "-gline-tables-only");
  add_clang_word(a, "-fno-crash-diagnostics");
  add_clang_word(a, "-Wno-linker-warnings"); /* libclc names another system than we do */
  if (has_libclc) {
    add_inner(a, "-mlink-builtin-bitcode");
    add_inner(a, LIBCLC);
  }
  add_inner(a, "-target-feature");
  add_inner(a, "+ptx63");
  add_contract(a, o, path);
  add_undefined(a);
  if (in_halves(path, o)) add_clang_word(a, "-emit-llvm");
  if (o->local_gap) add_clang_word(a, "-fno-discard-value-names");
  add_end(a, o, path);
}

/* LLVM's text to PTX, without any pass that it has gone through. */
static void add_back_end(struct arguments *a, const struct cc_options *o, const char *triple) {
  static const char *const all[] = {"-x", "ir", "-Wno-override-module", "-Qunused-arguments", "-fno-crash-diagnostics"};
  static const char *const inner[] = {"-disable-llvm-passes", "-target-cpu", "sm_70", "-target-feature", "+ptx63"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) add_clang_word(a, all[i]);
  for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) add_inner(a, inner[i]);
  if (o->local_gap) add_clang_word(a, "-mllvm");
  if (o->local_gap) add_clang_word(a, "-no-stack-coloring"); /* arrays of a thread do not share a place */
  add_clang_word(a, "-target");
  add_clang_word(a, triple);
  add_level(a, o);
  add_end(a, o, "-");
}

/* "nvcl": the system of which clang's back end knows that a __local parameter is an address of shared memory. Inline
 * functions have a body here, for calls that do not become copies. What 3.0 leaves open: opencl-c.h wants images there,
 * opencl.h takes the macro back; orders and scopes of atomics (opencl_atomic.h). */
static void add_opencl(struct arguments *a, const char *header) {
  static const char *const all[] = {"-x",
                                    "cl",
                                    "-cl-std=CL1.2",
                                    "-fgnu89-inline",
                                    "-target",
                                    "nvptx64--nvcl",
                                    "-cl-no-stdinc",
                                    "-include",
                                    "opencl-c.h",
                                    "-D__opencl_c_atomic_order_acq_rel=1",
                                    "-D__opencl_c_atomic_order_seq_cst=1",
                                    "-D__opencl_c_atomic_scope_device=1",
                                    "-include"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) add_clang_word(a, all[i]);
  add_clang_word(a, header);
  add_inner(a, "-target-cpu");
  add_inner(a, "sm_70");
  add_inner(a, "-cl-ext=+cl_khr_fp16,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,+__opencl_c_images");
}

static void add_cuda(struct arguments *a, const char *header, const char *folder) {
  static const char *const all[] = {"-x",
                                    "cuda",
                                    "-std=c++17",
                                    "--cuda-device-only",
                                    "--cuda-gpu-arch=sm_70",
                                    "-nocudainc",
                                    "-nocudalib",
                                    "-Wno-unknown-cuda-version",
                                    "-Xclang",
                                    "-target-sdk-version=11.0", /* how <<<>>> of a host part is called */
                                    "-isystem"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) add_clang_word(a, all[i]);
  add_clang_word(a, folder);
  add_clang_word(a, "-include");
  add_clang_word(a, header);
}

/* Everything in front of the options of both languages; false: not installed, told in err. */
static bool add_language(struct arguments *a, bool opencl, bool has_libclc, char paths[2][4096], char *err, size_t n) {
  add_clang_word(a, find_clang(err, n));
  if (!a->at[0]) return false;
  snprintf(err, n, "the headers of 'heddle cc' are not installed");
  if (!data_path(opencl ? "cc/opencl.h" : "cc/cuda.h", paths[0], 4096)) return false;
  if (!opencl && !data_path("cc/include", paths[1], 4096)) return false;
  if (!opencl) add_cuda(a, paths[0], paths[1]);
  if (!opencl) return true;
  add_opencl(a, paths[0]);
  snprintf(err, n, "OpenCL C needs libclc (%s): 'apt-get install libclc-14' (or libclc-19) installs it", LIBCLC);
  return has_libclc;
}

/* "target triple = "nvptx64-nvidia-cuda"", into `triple`. */
static bool find_triple(const char *text, char triple[128]) {
  static const char head[] = "target triple = \"";
  const char *at = strstr(text, head);
  const size_t n = at ? strcspn(at + sizeof head - 1, "\"\n") : 0;
  return n > 0 && snprintf(triple, 128, "%.*s", (int)n, at + sizeof head - 1) < 128;
}

static int back_end(const char *clang, const char *text, const struct cc_options *o, char **ptx, size_t *size) {
  struct arguments a = {.count = 0};
  char triple[128];
  const int in = find_triple(text, triple) ? file_in_memory(text, strlen(text)) : -1;
  add_clang_word(&a, clang);
  add_back_end(&a, o, triple);
  const int status = in >= 0 ? start_program(&a, in, ptx, size) : -1;
  if (in >= 0) (void)close(in);
  return status;
}

/* The second half: *text becomes PTX. Room between arrays is given up where this clang does not take it. */
static int finish_halves(const char *clang, const char *path, const struct cc_options *o, char **text, size_t *size) {
  char *ir = ends_in(path, ".cl") ? ir_required(*text) : *text;
  char *apart = ir && o->local_gap ? local_gaps(ir, o->local_gap) : NULL;
  *text = NULL;
  int status = apart ? back_end(clang, apart, o, text, size) : -1;
  if (status != 0) free(*text);
  if (status != 0 && ir) status = back_end(clang, ir, o, text, size);
  free(apart);
  free(ir);
  return status;
}

int cc_to_ptx(const char *path, const struct cc_options *o, char **ptx, size_t *size, char *err, size_t n) {
  struct arguments a = {.count = 0};
  char paths[2][4096];
  const bool has_libclc = access(LIBCLC, R_OK) == 0;
  *ptx = NULL;
  if (!add_language(&a, ends_in(path, ".cl"), has_libclc, paths, err, n)) return TOOL_MISSING;
  add_common(&a, o, path, has_libclc);
  int status = start_program(&a, -1, ptx, size);
  if (status == 0 && *ptx && in_halves(path, o)) status = finish_halves(a.at[0], path, o, ptx, size);
  if (status == 0 && *ptx) return TOOL_OK;
  const bool missing = status == NOT_FOUND;
  if (missing)
    snprintf(err, n, "HEDDLE_CLANG: there is no program %s", a.at[0]);
  else if (status == 0)
    snprintf(err, n, "more than %u MiB of PTX", PTX_MAX >> 20);
  else
    snprintf(err, n, "%s makes no program of it", a.at[0]);
  free(*ptx);
  *ptx = NULL;
  return missing ? TOOL_MISSING : TOOL_USAGE;
}
