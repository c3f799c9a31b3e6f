/* SPDX-License-Identifier: Apache-2.0
 * Shrinking: timing, then the tree, then the text. */
#include "fuzz_shrink.h"

#include <stdlib.h>
#include <string.h>

#include "base/process.h"
#include "lab/fuzz/fuzz_reduce.h"

static bool node_there(const struct reduction *r, unsigned n) {
  return random_program_has(r->tree, n);
}

static void put_node(struct reduction *r, unsigned n, bool gone) {
  random_program_remove(r->tree, n, gone);
}

/* Coarse nodes have low numbers and hold finer ones. */
static void shrink_tree(struct reduction *r) {
  const struct reduce_parts nodes = {random_program_nodes(r->tree), node_there, put_node};
  (void)reduce_parts(r, &nodes);
}

static bool to_lines(struct reduction *r) {
  const bool ok = fuzz_lines_init(&r->lines, random_program_text(r->tree));
  r->tree = NULL;
  return ok;
}

static void shrink_text(struct reduction *r, unsigned before) {
  bool again = true;
  (void)reduce_geometry(r);
  if (2 * fuzz_lines_instructions(&r->lines) > before) (void)reduce_room(r);
  while (again && !r->out_of_time && !r->no_memory) {
    again = reduce_lines(r);
    again = reduce_functions(r) || again;
    again = reduce_geometry(r) || again;
    again = reduce_words(r) || again;
    again = reduce_data(r) || again;
    again = reduce_timing(r) || again;
    again = again || reduce_stuck(r);
  }
}

/* The text as the lines have it: the last one that was judged may be another. */
static bool finish_shrinking(struct reduction *r, struct fuzz_small *out) {
  free(r->p.text);
  r->p.text = fuzz_lines_text(&r->lines);
  out->instructions = fuzz_lines_instructions(&r->lines);
  out->c = r->c;
  out->p = r->p;
  out->runs = r->runs;
  out->out_of_time = r->out_of_time;
  return out->p.text != NULL && !r->no_memory;
}

static unsigned instructions_of(const char *text) {
  unsigned n = 0;
  for (; *text; text++) n += *text == ';';
  return n;
}

bool fuzz_shrink(const struct fuzz_case *c, struct random_program *tree, const struct signature *want, double seconds,
                 struct fuzz_small *out) {
  struct reduction *r = calloc(1, sizeof *r);
  memset(out, 0, sizeof *out);
  if (!r) return false;
  r->until = seconds_now() + seconds;
  r->c = *c;
  r->c.run.wave = r->c.run.trace = r->c.run.stream = r->c.run.cov = NULL;
  r->tree = tree;
  r->want = *want;
  bool ok = fuzz_program_init(&r->p, tree);
  out->before = ok ? instructions_of(r->p.text) : 0;
  if (ok) (void)reduce_timing(r);
  if (ok) shrink_tree(r);
  ok = ok && to_lines(r);
  if (ok) shrink_text(r, out->before);
  ok = ok && finish_shrinking(r, out);
  if (!ok) fuzz_program_clear(&r->p);
  fuzz_lines_clear(&r->lines);
  free(r);
  if (!ok) memset(out, 0, sizeof *out);
  return ok;
}

void fuzz_small_clear(struct fuzz_small *s) {
  fuzz_program_clear(&s->p);
}
