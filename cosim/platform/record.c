/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of a host, kept: memory before and after, each as a case of a list.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <heddle/explain.h>
#include <heddle/host.h>
#include <heddle/program.h>
#include "base/file.h"
#include "cosim/platform/watch.h"
#include "cosim/trace/wire.h"
#include "isa/lib/message.h"

/* A launch as a case of a list. */

enum { PATH = 4096, NAME = 64, NUMBER = 24 };

static json_t *json_hex(uint64_t v) {
  char text[NUMBER];
  snprintf(text, sizeof text, "0x%" PRIx64, v);
  return json_string(text);
}

static json_t *bytes_text(const uint8_t *value, size_t bytes) {
  char *text = malloc(2 * bytes + 1);
  if (!text) return NULL;
  for (size_t i = 0; i < bytes; i++) snprintf(text + 2 * i, 3, "%02x", value[i]);
  json_t *j = json_string(text);
  free(text);
  return j;
}

/* A number by its bits, a structure by its bytes. */
static json_t *argument(const void *value, uint32_t bytes) {
  char type[NUMBER];
  uint64_t bits = 0;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
    return json_pack("{s:o}", "bytes", bytes_text(value, bytes));
  memcpy(&bits, value, bytes);
  snprintf(type, sizeof type, "b%u", 8 * bytes);
  return json_pack("{s:s, s:o}", "scalar", type, "bits", json_hex(bits));
}

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* "0003_scale" of the third launch, of scale(float*, int): what a shell takes as a word. */
static json_t *case_name(const char *kernel, uint64_t number) {
  char text[NAME], full[400];
  (void)heddle_name_text(kernel, full, sizeof full);
  full[strcspn(full, "(<")] = '\0';
  const char *space = strrchr(full, ' '); /* a template has its type in front */
  int n = snprintf(text, sizeof text, "%04" PRIu64 "_", number);
  for (const char *c = space ? space + 1 : full; *c && n < NAME - 1; c++)
    if (is_name(*c)) text[n++] = *c;
  text[n] = '\0';
  return json_string(text);
}

/* What the launch says: name, kernel, sizes, arguments. Without its program and memory. NULL: no memory. */
static json_t *record_case(const struct heddle_seen_launch *l, uint64_t number) {
  const struct heddle_host_launch *r = l->registers;
  const struct heddle_kernel *k = l->kernel;
  json_t *args = json_array();
  for (uint32_t i = 0; i < k->params; i++) (void)json_array_append_new(args, argument(l->params[i], k->param[i].size));
  json_t *j =
      json_pack("{s:o, s:s, s:[iii], s:[iii], s:i, s:o}", "name", case_name(k->name, number), "kernel", k->name, "grid",
                (int)r->grid[0], (int)r->grid[1], (int)r->grid[2], "block", (int)r->block[0], (int)r->block[1],
                (int)r->block[2], "shared", (int)(r->shared_bytes - k->shared_bytes), "args", args);
  if (j && l->globals != 0)
    (void)json_object_set_new(
        j, "variables", json_pack("{s:o, s:i}", "at", json_hex(l->globals), "bytes", (int)l->program->global_bytes));
  return j;
}

/* ---- files */

static bool put_case_file(const char *dir, const char *name, const void *data, size_t bytes) {
  char path[PATH + NAME];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  if (access(path, F_OK) == 0) return true;
  FILE *f = file_create(path);
  const bool whole = f && fwrite(data, 1, bytes, f) == bytes;
  return f && fclose(f) == 0 && whole;
}

/* `bytes` into DIR/NAME, where NAME, 64 bytes, is made of what they are and `end`; what is there already stays. */
static bool record_file(const char *dir, const void *data, size_t bytes, const char *end, char *name) {
  snprintf(name, NAME, "%016" PRIx64 "-%zu.%s", trace_sum(TRACE_SUM_START, data, bytes), bytes, end);
  return put_case_file(dir, name, data, bytes);
}

/* The program's own file, as ELF. */
static bool record_program(const char *dir, const struct heddle_program *p, char *name) {
  struct heddle_message m;
  char path[PATH + NAME];
  uint64_t sum = trace_sum(TRACE_SUM_START, p->code, p->code_bytes);
  sum = trace_sum(sum, p->konst, p->const_bytes);
  for (uint32_t k = 0; k < p->kernels; k++) {
    sum = trace_sum(sum, (const uint8_t *)p->kernel[k].name, strlen(p->kernel[k].name));
    sum = trace_sum(sum, (const uint8_t *)&p->kernel[k].promise, sizeof p->kernel[k].promise);
    for (uint32_t i = 0; i < p->kernel[k].params; i++)
      sum = trace_sum(sum, (const uint8_t *)&p->kernel[k].param[i].align, sizeof p->kernel[k].param[i].align);
  }
  snprintf(name, NAME, "%016" PRIx64 ".elf", sum);
  snprintf(path, sizeof path, "%s/%s", dir, name);
  return access(path, F_OK) == 0 || heddle_program_save(p, path, &m) == HEDDLE_SUCCESS;
}

/* ---- the list */

static const char tail[] = "\n]}\n";

static FILE *record_list_open(const char *dir) {
  char path[PATH + NAME];
  snprintf(path, sizeof path, "%s/cases.json", dir);
  FILE *f = file_create(path);
  if (f && (fprintf(f, "{\"cases\": [%s", tail) < 0 || fflush(f) != 0)) {
    (void)fclose(f);
    return NULL;
  }
  return f;
}

/* DIR/cases.json with one case more at its end; the file is whole after each. */
static bool record_list_add(FILE *list, const json_t *one, bool first) {
  if (fseek(list, -(long)strlen(tail), SEEK_END) != 0 || fputs(first ? "\n" : ",\n", list) < 0) return false;
  return json_dumpf(one, list, JSON_COMPACT) == 0 && fputs(tail, list) >= 0 && fflush(list) == 0;
}

/* Launches of a host, kept: memory before, as the host left it; after, where it ended well. */

/* The PTX of a program that is loaded. */
struct source {
  struct source *next;
  const struct heddle_program *program;
  char *ptx;
  size_t bytes;
};

struct record {
  struct heddle_port port;
  char *board, *dir, *capsules; /* dir: NULL: failures alone */
  bool seeded, zero, quiet, broken;
  uint64_t seed, most, launches, kept; /* most: cycles of a launch, or 0 */
  FILE *list;
  struct source *sources;
  /* The launch that runs. */
  json_t *one; /* NULL: none */
  const struct heddle_program *program;
  bool scoreboard;
  uint64_t base[HEDDLE_REGIONS], limit[HEDDLE_REGIONS];
  uint8_t *before[HEDDLE_REGIONS]; /* NULL: no such region */
};

static void report_break(struct record *r, const char *what, const char *where) {
  if (!r->broken && !r->quiet) fprintf(stderr, "heddle: %s %s: %s\n", where, what, strerror(errno));
  r->broken = true;
}

/* ---- opening */

static enum heddle_error make_record_folder(const char *dir, struct heddle_message *msg) {
  if (!dir || mkdir(dir, 0777) == 0 || errno == EEXIST) return HEDDLE_SUCCESS;
  return message_fail(msg, HEDDLE_ERROR_FILE, NULL, "%.300s cannot be made: %s", dir, strerror(errno));
}

static enum heddle_error open_folders(struct record *r, struct heddle_message *msg) {
  enum heddle_error e = make_record_folder(r->dir, msg);
  if (e == HEDDLE_SUCCESS) e = make_record_folder(r->capsules, msg);
  if (e != HEDDLE_SUCCESS || !r->dir || (r->list = record_list_open(r->dir))) return e;
  return message_fail(msg, HEDDLE_ERROR_FILE, NULL, "%.300s/cases.json: %s", r->dir, strerror(errno));
}

enum heddle_error record_new(const struct record_options *o, const struct heddle_port *port, struct record **out,
                             struct heddle_message *msg) {
  struct record *r = *out = calloc(1, sizeof *r);
  if (!r) return message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "no memory");
  *r = (struct record){.port = *port,
                       .board = strdup(o->board),
                       .dir = o->dir ? strdup(o->dir) : NULL,
                       .capsules = strdup(o->capsules ? o->capsules : o->dir),
                       .seeded = o->seeded,
                       .zero = o->zero,
                       .quiet = o->quiet,
                       .seed = o->seed,
                       .most = o->limit};
  const enum heddle_error e = r->board && r->capsules && (!o->dir || r->dir)
                                  ? open_folders(r, msg)
                                  : message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "no memory");
  if (e == HEDDLE_SUCCESS) return e;
  record_close(r);
  *out = NULL;
  return e;
}

/* ---- programs */

void record_compiled(struct record *r, const struct heddle_program *p, const char *ptx, size_t bytes) {
  struct source **s = &r->sources;
  while (*s && (*s)->program != p) s = &(*s)->next;
  if (*s) {
    struct source *old = *s;
    *s = old->next;
    free(old->ptx);
    free(old);
  }
  struct source *n = ptx ? calloc(1, sizeof *n) : NULL;
  if (!n) return;
  *n = (struct source){.next = r->sources, .program = p, .ptx = malloc(bytes + 1), .bytes = bytes};
  if (n->ptx) memcpy(n->ptx, ptx, bytes);
  r->sources = n;
}

static bool put_program(const struct record *r, const char *dir, char *name) {
  for (const struct source *s = r->sources; s; s = s->next)
    if (s->program == r->program && s->ptx) return record_file(dir, s->ptx, s->bytes, "ptx", name);
  return record_program(dir, r->program, name);
}

/* ---- memory */

static uint8_t *read_region(const struct record *r, unsigned i) {
  const uint64_t bytes = r->limit[i] - r->base[i];
  uint8_t *data = malloc(bytes + 1);
  if (data && r->port.read(r->port.self, r->base[i], data, bytes)) return data;
  free(data);
  return NULL;
}

static void drop_launch(struct record *r) {
  json_decref(r->one);
  r->one = NULL;
  for (unsigned i = 0; i < HEDDLE_REGIONS; i++) {
    free(r->before[i]);
    r->before[i] = NULL;
  }
}

static bool take_memory(struct record *r, const struct heddle_host_launch *l) {
  for (unsigned i = 0; i < HEDDLE_REGIONS; i++) {
    if (l->region_limit[i] <= l->region_base[i]) continue;
    r->base[i] = l->region_base[i];
    r->limit[i] = l->region_limit[i];
    if (!(r->before[i] = read_region(r, i))) return false;
  }
  return true;
}

void record_begins(struct record *r, const struct heddle_seen_launch *l) {
  drop_launch(r);
  r->launches++;
  r->one = record_case(l, r->launches);
  r->program = l->program;
  r->scoreboard = (l->registers->mode & HEDDLE_MODE_SCOREBOARD) != 0;
  const bool pages = (l->registers->mode & HEDDLE_MODE_PAGES) != 0; /* of the host's memory, too: a case has none */
  if (!pages && take_memory(r, l->registers)) return;
  drop_launch(r);
  errno = pages ? ENOTSUP : ENOMEM;
  report_break(r, "is not recorded whole", "a launch");
}

/* All regions, with what they hold now if it is to be compared. */
static bool put_memory(struct record *r, const char *dir, bool golden) {
  char name[NAME], at[24];
  json_t *list = json_array();
  bool ok = list != NULL;
  for (unsigned i = 0; i < HEDDLE_REGIONS && ok; i++) {
    if (!r->before[i]) continue;
    const size_t bytes = (size_t)(r->limit[i] - r->base[i]);
    snprintf(at, sizeof at, "0x%" PRIx64, r->base[i]);
    ok = record_file(dir, r->before[i], bytes, "bin", name);
    json_t *j = json_pack("{s:s, s:s, s:s, s:I, s:s}", "buffer", name, "at", at, "type", "b8", "count",
                          (json_int_t)bytes, "kind", "inout");
    uint8_t *after = golden ? read_region(r, i) : NULL;
    if (golden) ok = ok && after && record_file(dir, after, bytes, "bin", name);
    if (golden) (void)json_object_set_new(j, "golden", json_string(name));
    free(after);
    (void)json_array_append_new(list, j);
  }
  (void)json_object_set_new(r->one, "memory", list);
  return ok;
}

static bool put_all(struct record *r, const char *dir, bool golden) {
  char name[NAME];
  if (!put_program(r, dir, name)) return false;
  (void)json_object_set_new(r->one, "ptx", json_string(name));
  return put_memory(r, dir, golden);
}

/* ---- the command that repeats it */

static const char *after_kind(const char *name, const char *kind) {
  const size_t n = strlen(kind);
  return strncmp(name, kind, n) == 0 ? name + n : NULL;
}

/* What `heddle cases` calls the board. */
static const char *config_of(const struct record *r, const char **on) {
  static const char *const kind[] = {"model", "lockstep", "rtl", "systemc"};
  *on = "model";
  for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
    const char *config = after_kind(r->board, kind[i]);
    if (!config || *config != ':') continue;
    *on = kind[i];
    return config + 1;
  }
  return NULL;
}

static void options_of(const struct record *r, FILE *to) {
  const char *on, *config = config_of(r, &on), *board = after_kind(r->board, "board:"), *fault = getenv("HEDDLE_FAULT");
  const bool hardware = config && strcmp(on, "model") != 0;
  fprintf(to, " --on %s", board ? "board" : on);
  if (board) fprintf(to, " --board %s", board);
  const char *faults = config && fault && atoi(fault) > 0 ? strstr(config, "_faults") : NULL;
  if (config) fprintf(to, " --config %.*s", faults ? (int)(faults - config) : (int)strcspn(config, "@"), config);
  if (faults) fprintf(to, " --fault %d", atoi(fault));
  if (hardware && r->scoreboard) fprintf(to, " --dep scoreboard");
  if (hardware && !r->seeded && strcmp(on, "lockstep") != 0) fprintf(to, " --calm");
  if (r->most > 0) fprintf(to, " --max-cycles %" PRIu64, r->most);
  fprintf(to, "%s --seed %" PRIu64 "\n", r->zero ? " --undefined off" : "", r->seed);
}

static void tell_capsule(struct record *r, const char *dir) {
  char name[400];
  if (r->quiet) return;
  (void)fflush(stdout);
  fprintf(stderr, "heddle: launch %" PRIu64 ", %s, is kept; repeat: heddle cases %s", r->launches,
          heddle_name_text(json_string_value(json_object_get(r->one, "kernel")), name, sizeof name), dir);
  options_of(r, stderr);
}

/* ---- its end */

static bool put_capsule(struct record *r, enum heddle_error e, const char *words, char *dir, size_t size) {
  snprintf(dir, size, "%s/%s", r->capsules, json_string_value(json_object_get(r->one, "name")));
  if (make_record_folder(dir, NULL) != HEDDLE_SUCCESS || !put_all(r, dir, false)) return false;
  FILE *f = record_list_open(dir);
  (void)json_object_set_new(r->one, "board", json_string(r->board));
  (void)json_object_set_new(r->one, "end", json_string(words[0] ? words : heddle_error_text(e)));
  const bool ok = f && record_list_add(f, r->one, true);
  return f && fclose(f) == 0 && ok;
}

static bool is_of_the_bus(enum heddle_error e) {
  return e == HEDDLE_ERROR_BUS || e == HEDDLE_ERROR_HOST_MEMORY;
}

void record_ends(struct record *r, enum heddle_error e, const char *words) {
  char dir[PATH];
  if (!r->one || r->broken) return; /* it never began */
  if (e != HEDDLE_SUCCESS && !is_of_the_bus(e)) {
    if (put_capsule(r, e, words, dir, sizeof dir))
      tell_capsule(r, dir);
    else
      report_break(r, "cannot be written", dir);
  } else if (e == HEDDLE_SUCCESS && r->list) {
    if (!put_all(r, r->dir, true) || !record_list_add(r->list, r->one, r->kept == 0))
      report_break(r, "cannot be written", r->dir);
    r->kept++;
  }
  drop_launch(r);
}

void record_close(struct record *r) {
  if (!r) return;
  drop_launch(r);
  if (r->list && !r->quiet) {
    fprintf(stderr, "heddle: %" PRIu64 " of %" PRIu64 " launches are in %s; repeat: heddle cases %s", r->kept,
            r->launches, r->dir, r->dir);
    options_of(r, stderr);
  }
  if (r->list) (void)fclose(r->list);
  while (r->sources) record_compiled(r, r->sources->program, NULL, 0);
  free(r->board);
  free(r->dir);
  free(r->capsules);
  free(r);
}
