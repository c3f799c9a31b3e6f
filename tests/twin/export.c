/* SPDX-License-Identifier: Apache-2.0
 * Programs as files for another machine. */
#include "export.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "tests/twin/ops.h"

struct place {
  const char *dir, *part; /* part: of the program, in its files' names */
  const struct twin *t;
};

static FILE *begin(const struct place *p, const char *ending, struct suite_verdict *v) {
  char path[400];
  (void)snprintf(path, sizeof path, "%s/%" PRIu64 "-%" PRIu64 "%s.%s", p->dir, p->t->seed, p->t->index, p->part,
                 ending);
  FILE *to = fopen(path, "wb");
  if (!to) suite_fail(v, "%s: %s", path, strerror(errno));
  return to;
}

static bool end(FILE *to, bool right, struct suite_verdict *v) {
  right = fclose(to) == 0 && right;
  if (!right) suite_fail(v, "cannot write: %s", strerror(errno));
  return right;
}

static bool write_bytes(const struct place *p, const char *ending, const uint8_t *first, size_t bytes,
                        const uint8_t *more, size_t more_bytes, struct suite_verdict *v) {
  FILE *to = begin(p, ending, v);
  if (!to) return false;
  bool right = fwrite(first, 1, bytes, to) == bytes;
  if (more) right = fwrite(more, 1, more_bytes, to) == more_bytes && right;
  return end(to, right, v);
}

static bool begins(const char *op, const char *with) {
  return strncmp(op, with, strlen(with)) == 0;
}

/* What a statement may show of NVIDIA's assembler rather than of the machine. */
static unsigned open_of(const struct twin_node *n) {
  if (n->kind == N_ACTIVE) return OPEN_ACTIVE;
  if (n->kind != N_OP) return 0;
  const char *op = twin_rows[n->v.row].ptx;
  bool guarded = n->guard != TWIN_NONE, sets = begins(op, "set") && !begins(op, "setp");
  if (guarded && (sets || begins(op, "testp"))) return OPEN_GUARD;
  if (guarded && (begins(op, "abs") || begins(op, "neg"))) return OPEN_FOLD;
  if (begins(op, "slct") && n->src[2].imm) return OPEN_FOLD;
  if (begins(op, "bfi") && n->src[3].imm && (n->src[3].bits & 0xff) > 32) return OPEN_FOLD;
  bool same = !n->src[0].imm && !n->src[1].imm && n->src[0].reg == n->src[1].reg;
  return same && (begins(op, "min") || begins(op, "max")) ? OPEN_FOLD : 0;
}

/* Names of what the twin met, and of what stands in the program. */
static json_t *open_names(const struct twin *t, unsigned open) {
  static const char *const names[] = {"nans", "shuffle", "tiny_sum", "active", "guard", "fold"};
  for (uint32_t n = 0; n < t->nodes; n++)
    if (!t->node[n].removed) open |= open_of(&t->node[n]);
  json_t *list = json_array();
  for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
    if (open >> k & 1) (void)json_array_append_new(list, json_string(names[k]));
  return list;
}

static bool write_launch(const struct place *p, const struct expected *e, unsigned open, struct suite_verdict *v) {
  FILE *to = begin(p, "json", v);
  if (!to) return false;
  json_t *params = json_array();
  char hex[24];
  for (unsigned k = 0; k < TWIN_PARAMS; k++) { /* as text: JSON's numbers have a sign */
    (void)snprintf(hex, sizeof hex, "0x%" PRIx64, p->t->param[k]);
    (void)json_array_append_new(params, json_string(hex));
  }
  json_t *o = json_pack("{s:i, s:i, s:I, s:o, s:o}", "block", (int)p->t->block, "grid", (int)p->t->grid, "out",
                        (json_int_t)e->out_bytes, "params", params, "open", open_names(p->t, open));
  bool right = o && json_dumpf(o, to, JSON_COMPACT) == 0;
  json_decref(o);
  return end(to, right, v);
}

static bool export_part(const struct place *p, native_twin native, struct suite_verdict *v) {
  struct expected e = {0};
  uint8_t cell[8 * TWIN_CELLS];
  ops_open = 0;
  bool right = expected_make(&e, p->t, native);
  if (!right) suite_fail(v, "no memory");
  unsigned open = ops_open;
  twin_cells(p->t, cell);
  FILE *to = right ? begin(p, "ptx", v) : NULL;
  if (to) {
    twin_write_ptx(p->t, to);
    right = end(to, true, v) && write_bytes(p, "in", e.in, TWIN_IN_BYTES, NULL, 0, v) &&
            write_bytes(p, "cells", cell, sizeof cell, NULL, 0, v) &&
            write_bytes(p, "want", e.out, e.out_bytes, e.acc, sizeof e.acc, v) && write_launch(p, &e, open, v);
  }
  expected_free(&e);
  return right && to;
}

bool export_program(const char *dir, const struct twin *t, native_twin native, struct suite_verdict *v) {
  return export_part(&(struct place){.dir = dir, .part = "", .t = t}, native, v);
}

bool export_prefixes(const char *dir, struct twin *t, struct suite_verdict *v) {
  char part[16], why[300];
  bool right = true;
  for (uint32_t n = t->node[t->body].child; n != TWIN_NO_NODE; n = t->node[n].next) t->node[n].removed = true;
  uint32_t next = t->node[t->body].child;
  for (unsigned k = 0; right; k++) {
    struct native x;
    (void)snprintf(part, sizeof part, ".%02u", k);
    right = native_make(&x, &t, 1, NULL, why, sizeof why);
    if (!right) suite_fail(v, "%s", why);
    right = right && export_part(&(struct place){.dir = dir, .part = part, .t = t}, native_find(&x, 0), v);
    native_free(&x);
    if (next == TWIN_NO_NODE) break;
    t->node[next].removed = false;
    next = t->node[next].next;
  }
  return right;
}
