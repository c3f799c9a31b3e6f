/* SPDX-License-Identifier: Apache-2.0
 * heddle isa report BASE A B ...: what is asked for, and the files that come out. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/cmd_isa.h"
#include "run/compare/compare.h"
#include <heddle/config.h>
#include <heddle/isa.h>
#include "run/command/json_out.h"

enum { MEMORY_LATENCY = 100, ON_THE_WAY = 20, LINE_BITS = 512 }; /* cycles; rtl/memory/icache.sv has the formula */

static void say_progress(const char *what, const char *name) {
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[Kheddle isa: %s %s", what, name);
}

static void said(void) {
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
}

/* isa-report beside the program. */
static bool beside_program(char *path, size_t n) {
  const ssize_t len = readlink("/proc/self/exe", path, n - 32);
  if (len <= 0) return false;
  path[len] = '\0';
  char *slash = strrchr(path, '/');
  if (!slash) return false;
  strcpy(slash, "/isa-report");
  return true;
}

/* The instruction set that this program's compiler writes: a file of the tree with its hash. */
static struct spec *own_spec(const struct comparison *c) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/isa/heddle.isa", c->q.tree);
  struct spec *s = isa_load(path);
  if (s && s->hash == heddle_isa_hash()) return s;
  if (s)
    tool_error("%s is not what this program was built of; build heddle of that tree, with HEDDLE_ISA=heddle", path);
  spec_free(s);
  return NULL;
}

static bool take_machine(struct comparison *c) {
  const struct heddle_config *m = heddle_config_find(c->q.config);
  if (!m) {
    tool_error("no configuration '%s'; 'heddle configs' lists them", c->q.config);
    return false;
  }
  c->warps = m->warps > TURNS_WARPS_MAX ? TURNS_WARPS_MAX : m->warps;
  c->beats = 32 / m->lanes;
  c->ahead = m->icache_misses;
  c->latency = MEMORY_LATENCY + ON_THE_WAY + LINE_BITS / m->axi_bits;
  return true;
}

static void name_encoding(struct compare_encoding *e, const char *path) {
  const char *slash = strrchr(path, '/');
  (void)snprintf(e->name, sizeof e->name, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(e->name, '.');
  if (dot && strcmp(dot, ".isa") == 0) *dot = '\0';
}

static int measure_all(struct comparison *c) {
  for (unsigned i = 0; i < c->q.files; i++) {
    struct compare_encoding *e = &c->encoding[i];
    e->spec = isa_load(c->q.file[i]);
    if (!e->spec) return TOOL_USAGE;
    name_encoding(e, c->q.file[i]);
    c->encodings++;
  }
  for (unsigned i = 0; i < c->encodings; i++) {
    say_progress("measuring", c->encoding[i].name);
    if (!compare_measure(c, &c->encoding[i])) return TOOL_USAGE;
  }
  if (!c->q.synth) return TOOL_OK;
  say_progress("mapping decoders and issue logic:", "minutes where nothing is kept of an earlier run");
  return compare_synthesis(c);
}

static bool write_one(const struct comparison *c, const char *name, bool html) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s", c->q.out, name);
  FILE *f = isa_open(path);
  if (!f) return false;
  json_t *j = html ? NULL : compare_json(c);
  bool ok = html || (j && json_dumpf(j, f, JSON_INDENT(1) | JSON_SORT_KEYS) == 0 && fputc('\n', f) != EOF);
  if (html) compare_html(c, f);
  json_decref(j);
  if (!ok) tool_error("%s: cannot write JSON", path);
  return isa_close(f, path) && ok;
}

static int write_reports(const struct comparison *c, const char *json) {
  compare_text(c, stdout);
  bool ok = isa_close(stdout, NULL);
  if (json) ok = json_out_dump(json, compare_json(c)) && ok;
  if (!c->q.out) return ok ? TOOL_OK : TOOL_USAGE;
  if (mkdir(c->q.out, 0777) != 0 && errno != EEXIST) {
    tool_error("%s: %s", c->q.out, strerror(errno));
    return TOOL_USAGE;
  }
  return ok && write_one(c, "report.json", false) && write_one(c, "report.html", true) ? TOOL_OK : TOOL_USAGE;
}

void compare_close(struct comparison *c) {
  if (!c) return;
  for (unsigned i = 0; i < COMPARE_MOST; i++) {
    spec_free(c->encoding[i].spec);
    free(c->encoding[i].cost);
    compact_clear(&c->encoding[i].compact);
    compare_programs_clear(&c->programs[i]);
  }
  spec_free(c->own);
  free(c);
}

struct comparison *compare_open(const struct compare_request *q) {
  struct comparison *c = calloc(1, sizeof *c);
  if (!c) {
    tool_error("out of memory");
    return NULL;
  }
  c->q = *q;
  if (take_machine(c) && (c->own = own_spec(c)) != NULL) return c;
  compare_close(c);
  return NULL;
}

int isa_compare(const struct compare_request *q, const char *json) {
  char cache[4096];
  struct compare_request own = *q;
  if (!own.cache && beside_program(cache, sizeof cache)) own.cache = cache;
  if (q->files > COMPARE_MOST) tool_error("%u encodings at most", COMPARE_MOST);
  struct comparison *c = q->files <= COMPARE_MOST && own.cache ? compare_open(&own) : NULL;
  int status = c ? measure_all(c) : TOOL_USAGE;
  said();
  if (status == TOOL_OK) status = write_reports(c, json);
  compare_close(c);
  return status;
}
