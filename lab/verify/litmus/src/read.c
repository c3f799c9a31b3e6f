/* SPDX-License-Identifier: Apache-2.0
 * A litmus file as a whole: its name, what memory begins with, the table of threads, the condition. */
#include <ctype.h>
#include <stdlib.h>

#include "base/file.h"
#include "lab/verify/litmus/src/read_parts.h"

#define TEXT_MAX 65536u

/* The rest of the first line; then perhaps a text between quotes. */
static bool read_title(struct reader *r) {
  size_t n = 0;
  if (!read_is(r, "PTX")) return read_fail(r, &r->w, "expected PTX and the test's name%s", "");
  while (*r->at == ' ' || *r->at == '\t') r->at++;
  for (; *r->at != '\0' && *r->at != '\n' && *r->at != '\r'; r->at++)
    if (n + 1 < TEST_NAME && isgraph((unsigned char)*r->at)) r->t->name[n++] = *r->at;
  read_next(r);
  if (!read_is(r, "\"")) return true;
  const struct word at = r->w;
  while (*r->at != '\0' && *r->at != '"') {
    r->line += *r->at == '\n';
    r->column = *r->at == '\n' ? 1 : r->column + 1;
    r->at++;
  }
  if (*r->at == '\0') return read_fail(r, &at, "this text has no end%s", "");
  r->at++;
  r->column++;
  read_next(r);
  return true;
}

/* x=0; shared x=0; P0:r1=0; registers must begin with 0 */
static bool contents(struct reader *r) {
  if (!read_take(r, "{")) return false;
  while (!r->bad && !read_is(r, "}")) {
    const bool shared = read_is(r, "shared");
    char name[TEST_WORD];
    uint32_t value = 0;
    if (shared) read_next(r);
    const struct word at = r->w;
    if (!read_name(r, name, sizeof name)) return false;
    const bool reg = read_is(r, ":");
    if (reg) {
      read_next(r);
      if (!read_name(r, name, sizeof name)) return false;
    }
    if (read_is(r, "=")) {
      read_next(r);
      if (!read_number(r, &value)) return false;
    }
    if (reg && value != 0) return read_fail(r, &at, "registers begin with 0%s", "");
    if (!reg) {
      if (r->t->locs == TEST_LOCS) return read_fail(r, &at, "more than 6 locations%s", "");
      if (read_loc(r->t, name) >= 0) return read_fail(r, &at, "'%s' stands here twice", name);
      r->t->shared[r->t->locs] = shared;
      r->t->first[r->t->locs] = value;
      memcpy(r->t->loc_name[r->t->locs++], name, sizeof name);
    }
    if (!read_is(r, "}") && !read_take(r, ";")) return false;
  }
  return read_take(r, "}");
}

/* P0@warp 1,cta 0,gpu 0 */
static bool thread_head(struct reader *r) {
  struct test_thread *t = &r->t->thread[r->t->threads];
  char name[8], own[8];
  const struct word at = r->w;
  if (r->t->threads == TEST_THREADS) return read_fail(r, &at, "more than 6 threads%s", "");
  (void)snprintf(own, sizeof own, "P%u", r->t->threads);
  if (!read_name(r, name, sizeof name) || strcmp(name, own) != 0) return read_fail(r, &at, "expected %s", own);
  if (!read_take(r, "@")) return false;
  t->warp = 0xff; /* a warp of its own */
  for (bool more = true; more;) {
    const struct word which = r->w;
    uint32_t n;
    if (!read_name(r, name, sizeof name) || !read_number(r, &n)) return false;
    if (n >= TEST_THREADS) return read_fail(r, &which, "%s: numbers up to 5", name);
    if (strcmp(name, "cta") == 0)
      t->cta = (uint8_t)n;
    else if (strcmp(name, "warp") == 0)
      t->warp = (uint8_t)n;
    else if (strcmp(name, "gpu") != 0 || n != 0)
      return read_fail(r, &which, "'%s': threads are in warps and blocks (cta) of one GPU (gpu 0)", name);
    more = read_is(r, ",");
    if (more) read_next(r);
  }
  r->t->threads++;
  return true;
}

static bool read_table_row(struct reader *r, bool first) {
  for (unsigned k = 0; !r->bad; k++) {
    if (first) {
      if (!thread_head(r)) return false;
    } else if (k >= r->t->threads) {
      return read_fail(r, &r->w, "more columns than threads%s", "");
    } else if (!read_is(r, "|") && !read_is(r, ";") && !read_insn(r, k)) {
      return false;
    }
    if (read_is(r, ";")) {
      read_next(r);
      return !r->bad;
    }
    if (!read_is(r, "|")) return read_fail(r, &r->w, "expected | or ; but found '%s'", r->w.text);
    read_next(r);
  }
  return false;
}

static bool is_condition(const struct reader *r) {
  return r->w.text[0] == '\0' || read_is(r, "exists") || read_is(r, "forall") || read_is(r, "~");
}

/* Warps of those that named none: each its own, in its block. */
static void own_warps(struct test *t) {
  for (unsigned k = 0; k < t->threads; k++) {
    if (t->thread[k].warp != 0xff) continue;
    uint8_t warp = 0;
    for (unsigned j = 0; j < t->threads; j++)
      if (j != k && t->thread[j].cta == t->thread[k].cta && t->thread[j].warp != 0xff && t->thread[j].warp >= warp)
        warp = (uint8_t)(t->thread[j].warp + 1);
    t->thread[k].warp = warp;
  }
}

static bool bounded(struct reader *r) {
  unsigned n = 0;
  for (unsigned k = 0; k < r->t->threads; k++)
    for (unsigned j = 0; j < r->t->thread[k].insns; j++) n += test_accesses(&r->t->thread[k].insn[j]);
  return n <= TEST_ACCESSES || read_fail(r, &r->w, "more than 20 accesses in all%s", "");
}

bool read_test(const char *text, const char *path, struct test *t, struct condition *c, struct heddle_message *m) {
  struct reader r = {.path = path, .at = text, .line = 1, .column = 1, .m = m, .t = t};
  memset(t, 0, sizeof *t);
  memset(c, 0, sizeof *c);
  *m = (struct heddle_message){0};
  read_next(&r);
  if (!r.bad && read_title(&r) && contents(&r) && read_table_row(&r, true)) {
    while (!r.bad && !is_condition(&r)) (void)read_table_row(&r, false);
    if (!r.bad && r.w.text[0] != '\0') (void)read_condition(&r, c);
    if (!r.bad && r.w.text[0] != '\0') (void)read_fail(&r, &r.w, "'%s' behind the end", r.w.text);
    if (!r.bad) (void)bounded(&r);
  }
  own_warps(t);
  test_number_ctas(t);
  return !r.bad;
}

bool read_test_file(const char *path, struct test *t, struct condition *c, struct heddle_message *m) {
  size_t n;
  enum file_end end;
  char *text = file_read(path, TEXT_MAX, &n, &end);
  bool ok = text != NULL && strlen(text) == n;
  if (ok) {
    ok = read_test(text, path, t, c, m);
  } else {
    *m = (struct heddle_message){.line = 1, .column = 1};
    (void)snprintf(m->file, sizeof m->file, "%s", path);
    (void)snprintf(m->text, sizeof m->text, "this is no text of at most 65536 bytes that can be read");
  }
  free(text);
  return ok;
}
