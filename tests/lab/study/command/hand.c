/* SPDX-License-Identifier: Apache-2.0
 * Streams written by hand. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "base/array.h"
#include "hand.h"

static struct code_word word_of(char kind) {
  struct code_word w = {.kind = CODE_PLAIN, .step = 1, .target = CODE_NONE, .meet = CODE_NONE};
  if (kind == 'x') w.kind = CODE_EXIT;
  if (kind == 'i') w.kind = CODE_INDIRECT;
  if (kind == 'b' || kind == 'c') w.kind = CODE_BARRIER, w.x = (uint8_t)(kind - 'b');
  if (kind >= 'A' && kind <= 'Z') w.kind = CODE_BRANCH, w.guarded = true, w.target = (uint32_t)(kind - 'A');
  if (kind >= 'k' && kind <= 'u') w.kind = CODE_BRANCH, w.target = (uint32_t)(kind - 'k');
  return w;
}

struct streams hand_code(const char *kinds) {
  struct streams s = {.code.words = (uint32_t)strlen(kinds)};
  s.code.at = calloc(s.code.words + 1, sizeof *s.code.at);
  assert_non_null(s.code.at);
  for (uint32_t w = 0; w < s.code.words; w++) s.code.at[w] = word_of(kinds[w]);
  assert_true(code_find_meets(&s.code));
  return s;
}

void hand_block(struct streams *s, unsigned warps) {
  assert_true(array_room(&s->block, &s->room, s->blocks + 1, sizeof *s->block));
  struct block_stream *b = &s->block[s->blocks++];
  *b = (struct block_stream){warps, calloc(warps, sizeof *b->warp)};
  assert_non_null(b->warp);
}

static void put(struct thread_stream *t, uint32_t word, bool executes) {
  assert_true(array_room(&t->at, &t->room, t->n + 1, sizeof *t->at));
  t->at[t->n++] = word << 1 | executes;
}

void hand_threads(struct streams *s, unsigned warp, uint32_t lanes, const char *way) {
  struct warp_stream *w = &s->block[s->blocks - 1].warp[warp];
  assert_int_equal(w->lanes & lanes, 0);
  w->lanes |= lanes;
  for (unsigned l = 0; l < LANES; l++)
    for (const char *at = way; *at != '\0' && (lanes >> l & 1) != 0; at++) {
      const struct code_word *c = &s->code.at[*at - 'A'];
      put(&w->t[l], (uint32_t)(*at - 'A'), c->kind != CODE_BRANCH || c->target == (uint32_t)(at[1] - 'A'));
    }
}
