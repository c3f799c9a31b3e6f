/* SPDX-License-Identifier: Apache-2.0
 *
 * From source to an object, from objects to an executable, that to machine code: by clang, or remembered.
 * clang is a child process: source to LLVM's text, that to bitcode, bitcode to PTX. Files are memory of this process
 * that the child inherits. The options are those of `heddle cc` (run/programs/cc.c). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <heddle/ptx.h>
#include "base/file.h"
#include "base/process.h"
#include "cosim/device/folder.h"
#include "firmware/host/opencl/internal.h"

#define CLANG_LIBRARY "/usr/lib/clc/nvptx64--nvidiacl.bc"
enum { CLANG_ARGUMENTS = 2200 }; /* links of 512 objects */

struct clang {
  char program[4096], header[4096];
};

struct clang_arguments {
  const char *at[CLANG_ARGUMENTS]; /* borrowed; too many are cut, which clang tells */
  size_t count;
};

static const struct folder_places places = {"HEDDLE_DATA", {DATA_FOLDER, NULL}, DATA_FOLDER_INSTALLED};

/* ---- where clang is */

static bool in_path(const char *program, char *found, size_t bytes) {
  const char *path = strchr(program, '/') ? "" : getenv("PATH");
  if (path && !*path) return snprintf(found, bytes, "%s", program) < (int)bytes && access(found, X_OK) == 0;
  while (path && *path) {
    const size_t n = strcspn(path, ":");
    if (snprintf(found, bytes, "%.*s/%s", (int)n, path, program) < (int)bytes && access(found, X_OK) == 0) return true;
    path += n + (path[n] == ':');
  }
  return false;
}

/* False: the log says what is not installed. */
static bool clang_find(struct clang *c, struct text *log) {
  static const char *const names[] = {"clang-19", "clang-14"};
  const char *given = getenv("HEDDLE_CLANG");
  char folder[3072];
  bool found = given && *given ? in_path(given, c->program, sizeof c->program) : false;
  for (size_t i = 0; !(given && *given) && !found && i < sizeof names / sizeof *names; i++)
    found = in_path(names[i], c->program, sizeof c->program);
  if (!found) {
    (void)text_put(log, "OpenCL C needs clang: 'apt-get install clang-19 libclc-14' installs it\n");
    return false;
  }
  if (!folder_find(&places, folder, sizeof folder) ||
      snprintf(c->header, sizeof c->header, "%s/cc/opencl.h", folder) >= (int)sizeof c->header ||
      access(c->header, R_OK) != 0) {
    (void)text_put(log, "the headers of 'heddle cc' are not installed\n");
    return false;
  }
  if (access(CLANG_LIBRARY, R_OK) == 0) return true;
  (void)text_put(log, "OpenCL C needs " CLANG_LIBRARY ": 'apt-get install libclc-14' installs it\n");
  return false;
}

static void add_file(struct ocl_key *k, const char *path) {
  struct stat s;
  ocl_key_add(k, path, strlen(path));
  if (stat(path, &s) != 0) return;
  ocl_key_add(k, &s.st_size, sizeof s.st_size);
  ocl_key_add(k, &s.st_mtim, sizeof s.st_mtim);
}

/* Which ones they are, as part of a key. */
static void clang_identify(const struct clang *c, struct ocl_key *k) {
  static const char *const included[] = {"opencl_atomic.h", "opencl_math.h", "borders.h", "trig.h", "coefficients.h"};
  const char *const end = strrchr(c->header, '/');
  add_file(k, c->program);
  add_file(k, c->header);
  for (size_t i = 0; i < sizeof included / sizeof *included; i++) {
    char path[sizeof c->header + 16];
    snprintf(path, sizeof path, "%.*s/%s", end ? (int)(end - c->header) : 0, c->header, included[i]);
    add_file(k, path);
  }
  add_file(k, CLANG_LIBRARY);
}

/* ---- arguments */

static void clang_add(struct clang_arguments *a, const char *text) {
  if (a->count < CLANG_ARGUMENTS - 1) a->at[a->count++] = text;
}

/* to its inner program, past its driver */
static void clang_add_inner(struct clang_arguments *a, const char *text) {
  clang_add(a, "-Xclang");
  clang_add(a, text);
}

static void clang_add_all(struct clang_arguments *a, const char *const *all) {
  for (; *all; all++) clang_add(a, *all);
}

/* ---- the child */

static bool read_file(int fd, struct text *out) {
  size_t bytes;
  enum file_end end;
  char *all = file_read_open(fd, SIZE_MAX, &bytes, &end);
  const bool well = all && (bytes == 0 || text_add(out, all, bytes));
  free(all);
  return well;
}

/* `in` is what it reads; what it writes is added to out, what it says to the log. */
static bool clang_run(const struct clang_arguments *a, const char *in, size_t bytes, const int *keep, size_t kept,
                      struct text *out, struct text *log) {
  int fd[3] = {file_in_memory(in, bytes), file_in_memory(NULL, 0), file_in_memory(NULL, 0)};
  bool well = fd[0] >= 0 && fd[1] >= 0 && fd[2] >= 0;
  if (well) {
    const struct process p = {.words = a->at, .in = fd[0], .out = fd[1], .err = fd[2], .keep = keep, .kept = kept};
    const int status = process_run(&p);
    well = read_file(fd[2], log) && status == 0 && read_file(fd[1], out);
    if (status < 0 || status > 127) (void)text_put(log, "clang did not end well\n");
  }
  for (unsigned i = 0; i < 3; i++)
    if (fd[i] >= 0) (void)close(fd[i]);
  return well;
}

/* Arguments and results need not be defined, as `heddle cc` has it. */
static void clang_add_undefined(struct clang_arguments *a, const struct clang *c) {
  const struct clang_arguments ask = {.at = {c->program, "-dumpversion"}, .count = 2};
  struct text version = {0}, log = {0};
  const bool is_14 =
      clang_run(&ask, "", 0, NULL, 0, &version, &log) && version.at && strncmp(version.at, "14.", 3) == 0;
  clang_add_inner(a, is_14 ? "-disable-noundef-analysis" : "-no-enable-noundef-analysis");
  text_free(&version);
  text_free(&log);
}

enum { PRINTF_BYTES = 1 << 20, DRAFT = 8 }; /* a change of what is remembered takes another number */

static void add_machine(struct clang_arguments *a) {
  static const char *const all[] = {"-target",
                                    "nvptx64--nvcl",
                                    "-Xclang",
                                    "-target-cpu",
                                    "-Xclang",
                                    "sm_70",
                                    "-Xclang",
                                    "-target-feature",
                                    "-Xclang",
                                    "+ptx63",
                                    "-fno-crash-diagnostics",
                                    NULL};
  clang_add_all(a, all);
}

/* ---- source to an object */

static void add_language(struct clang_arguments *a, const struct clang *c, cl_device_id d, bool cl3) {
  static const char *const all[] = {"-cl-no-stdinc", "-include", "opencl-c.h", "-include", NULL};
  static const char *const rest[] = {"-D__HEDDLE__=1",
                                     "-D__HEDDLE_OPENCL__=1",
                                     "-gdwarf-2",
                                     "-gline-tables-only",
                                     "-D__OPENCL_VERSION__=300",
                                     "-D__opencl_c_atomic_order_acq_rel=1",
                                     "-D__opencl_c_atomic_order_seq_cst=1",
                                     "-D__opencl_c_atomic_scope_device=1",
                                     NULL};
  clang_add_all(a, all);
  clang_add(a, c->header);
  clang_add_all(a, rest);
  /* opencl-c.h wants images in 3.0; opencl.h takes the macro back. */
  clang_add_inner(
      a, cl3 && ocl_has_fp64(d) ? "-cl-ext=+cl_khr_fp16,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,"
                                  "+__opencl_c_images"
         : cl3                  ? "-cl-ext=+cl_khr_fp16,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,"
                                  "+__opencl_c_images,-cl_khr_fp64,-__opencl_c_fp64"
         : ocl_has_fp64(d)      ? "-cl-ext=+cl_khr_fp16,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics"
                                : "-cl-ext=+cl_khr_fp16,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,"
                                  "-cl_khr_fp64");
  if (!ocl_is_full(d)) clang_add(a, "-D__EMBEDDED_PROFILE__=1");
}

/* -g and what clang has no word for need no saying. Nothing is optimised before the link, which knows whether to;
 * without -O clang would leave inline functions out. */
static void add_options(struct clang_arguments *a, const struct ocl_words *w) {
  static const char *const left_out[] = {"-g", "-cl-strict-aliasing", "-cl-no-subgroup-ifp", "-cl-opt-disable"};
  for (size_t i = 0; i < w->count; i++) {
    bool out = false;
    for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++) out = out || strcmp(w->at[i], left_out[k]) == 0;
    if (!out) clang_add(a, w->at[i]);
  }
  clang_add(a, "-O2");
}

static bool has_option(const struct ocl_words *w, const char *option) {
  for (size_t i = 0; i < w->count; i++)
    if (strcmp(w->at[i], option) == 0) return true;
  return false;
}

/* What it includes is not in the key: such a source is compiled anew. A line may be broken anywhere. */
static bool includes(const char *source) {
  static const char word[] = "include";
  size_t at = 0;
  for (const char *s = source; *s; s++) {
    if (s[0] == '\\' && s[1] == '\n') {
      s++;
      continue;
    }
    if (s[0] == '?' && s[1] == '?') return true; /* trigraphs break lines, too */
    at = *s == word[at] ? at + 1 : *s == word[0];
    if (word[at] == '\0') return true;
  }
  return false;
}

static void key_of(struct ocl_key *k, const struct clang *c, cl_device_id d, const char *source, const char *options) {
  const unsigned draft = DRAFT, kind = (unsigned)ocl_has_fp64(d) | (unsigned)ocl_is_full(d) << 1;
  ocl_key_start(k);
  clang_identify(c, k);
  ocl_key_add(k, &draft, sizeof draft);
  ocl_key_add(k, &kind, sizeof kind);
  ocl_key_add(k, options ? options : "", options ? strlen(options) : 0);
  ocl_key_add(k, source, strlen(source));
}

static bool write_header(const char *folder, const struct ocl_header *h) {
  char path[4096];
  if (h->name[0] == '/' || strstr(h->name, "..")) return false;
  if (snprintf(path, sizeof path, "%s/%s", folder, h->name) >= (int)sizeof path) return false;
  for (char *s = path + strlen(folder) + 1; *s; s++)
    if (*s == '/') {
      *s = '\0';
      if (mkdir(path, 0700) == 0) (void)chmod(path, 0700); /* whatever the host's umask */
      *s = '/';
    }
  FILE *f = file_create(path);
  if (!f) return false;
  (void)fchmod(fileno(f), 0600);
  const bool well = fwrite(h->text, 1, strlen(h->text), f) == strlen(h->text);
  return fclose(f) == 0 && well;
}

static bool compile_source(const struct clang *c, cl_device_id d, const char *source, const struct ocl_words *w,
                           const char *folder, struct ocl_build *b) {
  struct clang_arguments a = {.count = 0};
  bool std = false;
  for (size_t i = 0; i < w->count; i++) std = std || strncmp(w->at[i], "-cl-std=", 8) == 0;
  clang_add(&a, c->program);
  clang_add(&a, "-x");
  clang_add(&a, "cl");
  if (!std) clang_add(&a, "-cl-std=CL1.2");
  add_machine(&a);
  add_language(&a, c, d, has_option(w, "-cl-std=CL3.0"));
  if (folder) clang_add(&a, "-I"), clang_add(&a, folder);
  add_options(&a, w);
  clang_add_undefined(&a, c);
  clang_add_inner(&a, "-disable-llvm-passes");
  static const char *const rest[] = {"-S", "-emit-llvm", "-o", "-", "-", NULL};
  clang_add_all(&a, rest);
  const bool well = clang_run(&a, source, strlen(source), NULL, 0, &b->body, &b->log);
  return well && ocl_ir_finish(&b->body);
}

static bool compile_with(const struct clang *c, cl_device_id d, const char *source, const struct ocl_words *w,
                         const struct ocl_header *headers, cl_uint count, struct ocl_build *b) {
  char folder[TEMPORARY_PATH];
  bool well = true;
  if (!temporary_folder(folder, "opencl")) return text_put(&b->log, "no folder for headers\n"), false;
  for (cl_uint i = 0; i < count; i++)
    if (!write_header(folder, &headers[i])) {
      (void)text_put(&b->log, "a header cannot be written: ");
      (void)text_put(&b->log, headers[i].name);
      (void)text_put(&b->log, "\n");
      well = false;
    }
  well = well && compile_source(c, d, source, w, folder, b);
  temporary_remove(folder);
  return well;
}

/* The object with what clang said, its length in front: a warning is told each time. */
static bool remembered(const struct ocl_key *k, struct ocl_build *b) {
  struct text t = {0};
  char *end = NULL;
  if (!ocl_cache_get(k, &t)) return false;
  const size_t n = strtoul(t.at, &end, 10), head = (size_t)(end - t.at) + 1;
  const bool well = head <= t.bytes && n <= t.bytes - head && text_add(&b->log, t.at + head, n) &&
                    text_add(&b->body, t.at + head + n, t.bytes - head - n);
  text_free(&t);
  return well;
}

static void remember_build(const struct ocl_key *k, const struct ocl_build *b) {
  struct text t = {0};
  char head[32];
  snprintf(head, sizeof head, "%zu\n", b->log.bytes);
  if (text_put(&t, head) && text_add(&t, b->log.at, b->log.bytes) && text_add(&t, b->body.at, b->body.bytes))
    ocl_cache_put(k, t.at, t.bytes);
  text_free(&t);
}

static bool compile_anew(const struct clang *c, cl_device_id d, const char *source, const struct ocl_words *w,
                         const struct ocl_header *headers, cl_uint count, struct ocl_build *b) {
  return count > 0 ? compile_with(c, d, source, w, headers, count, b) : compile_source(c, d, source, w, NULL, b);
}

bool ocl_clang_compile(cl_device_id d, const char *source, const char *options, const struct ocl_header *headers,
                       cl_uint count, struct ocl_build *b) {
  struct clang c;
  struct ocl_words w;
  struct ocl_key key;
  if (!clang_find(&c, &b->log) || !ocl_options_split(options, &w)) return false;
  const bool lasting = !includes(source) && count == 0;
  key_of(&key, &c, d, source, options);
  bool well = lasting && remembered(&key, b);
  if (!well) {
    well = compile_anew(&c, d, source, &w, headers, count, b);
    if (well && lasting) remember_build(&key, b);
  }
  ocl_words_free(&w);
  b->type = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
  return well;
}

/* ---- objects to an executable, or to a library */

static bool to_bitcode(const struct clang *c, const struct text *ir, struct text *out, struct text *log) {
  struct clang_arguments a = {.count = 0};
  static const char *const all[] = {"-x", "ir", NULL}, *const rest[] = {"-c", "-emit-llvm", "-o", "-", "-", NULL};
  clang_add(&a, c->program);
  clang_add_all(&a, all);
  add_machine(&a);
  clang_add_inner(&a, "-disable-llvm-passes");
  clang_add_all(&a, rest);
  return clang_run(&a, ir->at, ir->bytes, NULL, 0, out, log);
}

static bool link_bitcode(const struct clang *c, const int *fd, size_t count, bool optimise, bool library,
                         struct ocl_build *b) {
  struct clang_arguments a = {.count = 0};
  char(*names)[32] = calloc(count + 1, sizeof *names);
  if (!names) return false;
  static const char *const all[] = {"-x", "cl", "-cl-no-stdinc", "-Wno-linker-warnings", NULL};
  clang_add(&a, c->program);
  clang_add_all(&a, all);
  add_machine(&a);
  for (size_t i = 0; i < count; i++) {
    snprintf(names[i], sizeof *names, "/proc/self/fd/%d", fd[i]);
    clang_add_inner(&a, "-mlink-bitcode-file");
    clang_add_inner(&a, names[i]);
  }
  if (library) {
    clang_add_inner(&a, "-disable-llvm-passes");
    clang_add(&a, "-emit-llvm");
  } else {
    clang_add_inner(&a, "-mlink-builtin-bitcode");
    clang_add_inner(&a, CLANG_LIBRARY);
  }
  static const char *const rest[] = {"-gdwarf-2", "-gline-tables-only", "-S", "-o", "-", "-", NULL};
  clang_add(&a, optimise ? "-O2" : "-O0");
  clang_add_all(&a, rest);
  const bool well = clang_run(&a, "", 0, fd, count, &b->body, &b->log);
  free(names);
  return well;
}

/* Each as a file of bitcode, its number in fd. A library keeps calls of kernels as they are. */
static bool write_objects(const struct clang *c, const struct text *const *objects, size_t count, bool library, int *fd,
                          struct text *log) {
  struct ocl_names called = {NULL, 0};
  bool well = true;
  for (size_t i = 0; i < count; i++) fd[i] = -1;
  for (size_t i = 0; well && !library && i < count; i++) well = ocl_ir_calls(objects[i]->at, &called);
  for (size_t i = 0; well && i < count; i++) {
    struct text ir = {0}, bits = {0};
    well = library ? text_put(&ir, objects[i]->at) : ocl_ir_callable(objects[i]->at, &called, &ir);
    well = well && to_bitcode(c, &ir, &bits, log);
    if (well) fd[i] = file_in_memory(bits.at, bits.bytes);
    well = well && fd[i] >= 0;
    text_free(&ir);
    text_free(&bits);
  }
  ocl_names_free(&called);
  return well;
}

static bool link_anew(const struct clang *c, const struct text *const *objects, size_t count, bool optimise,
                      bool library, struct ocl_build *b) {
  int *fd = malloc(count * sizeof *fd);
  if (!fd || count > (CLANG_ARGUMENTS - 64) / 4) {
    free(fd);
    return text_put(&b->log, "too many objects\n"), false;
  }
  const bool well =
      write_objects(c, objects, count, library, fd, &b->log) && link_bitcode(c, fd, count, optimise, library, b);
  for (size_t i = 0; i < count; i++)
    if (fd[i] >= 0) (void)close(fd[i]);
  free(fd);
  return well;
}

bool ocl_clang_link(cl_device_id d, const struct text *const *objects, size_t count, const char *options, bool library,
                    struct ocl_build *b) {
  struct clang c;
  struct ocl_key key;
  const bool optimise = !options || !strstr(options, "-cl-opt-disable");
  if (!clang_find(&c, &b->log)) return false;
  key_of(&key, &c, d, library ? "library" : "executable", optimise ? "" : "-O0");
  for (size_t i = 0; i < count; i++) ocl_key_add(&key, objects[i]->at, objects[i]->bytes);
  bool well = true;
  for (size_t i = 0; well && i < count; i++) well = ocl_meta_extract(objects[i]->at, &b->meta);
  if (well && !ocl_cache_get(&key, &b->body)) {
    well = link_anew(&c, objects, count, optimise, library, b);
    if (well) ocl_cache_put(&key, b->body.at, b->body.bytes);
  }
  b->type = library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  return well;
}

/* ---- PTX to machine code */

static void listen(void *ctx, const struct heddle_message *m) {
  struct text *log = ctx;
  char line[sizeof m->text + 64];
  if (m->warning) return;
  snprintf(line, sizeof line, "ptx:%u:%u: error: %s\n", m->line, m->column, m->text);
  (void)text_put(log, line);
}

bool ocl_build_finish(cl_device_id d, struct ocl_build *b) {
  const bool model = (d->machine.units >> ISA_PART_MODEL & 1u) != 0;
  struct heddle_ptx_options o = {.size = sizeof o,
                                 .target = model ? HEDDLE_PTX_TARGET_MODEL : HEDDLE_PTX_TARGET_RTL,
                                 .units = model ? 0 : d->machine.units,
                                 .level = 1,
                                 .fp64_latency = d->machine.fp64_latency,
                                 .message = listen,
                                 .ctx = &b->log,
                                 .printf_bytes = PRINTF_BYTES};
  memcpy(o.stall, d->machine.stall, sizeof o.stall);
  if (!ocl_meta_parse(b->meta.at ? b->meta.at : "", &b->kernels)) return false;
  if (b->kernels.count == 0) return true; /* nothing that could be run */
  (void)heddle_ptx_compile(b->body.at, b->body.bytes, "program", &o, &b->code, NULL, NULL);
  const bool fits = b->code && ocl_meta_fits(&b->kernels, b->code);
  if (b->code && !fits) (void)text_put(&b->log, "the binary's kernels have other arguments than its PTX\n");
  b->loaded = fits ? b->code : NULL;
  return fits;
}
