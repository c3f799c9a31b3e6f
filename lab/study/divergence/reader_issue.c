/* SPDX-License-Identifier: Apache-2.0
 * One issue record: may these lanes be there, and where does each go? */
#include <stdarg.h>
#include <stdio.h>

#include "base/array.h"
#include "lab/study/divergence/reader.h"

/* The instruction that the records are about, as messages name it. */
static bool refuse_at(struct streams_reader *r, const struct heddle_record_issue *i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse_at(struct streams_reader *r, const struct heddle_record_issue *i, const char *format, ...) {
  char text[256];
  va_list ap;
  va_start(ap, format);
  (void)vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  return reader_refuse(r, "warp slot %u, seq %u, pc 0x%04x: %s", i->id.slot, i->id.seq, i->pc, text);
}

/* Who it is, and that nothing was left out. */
static bool check_identity(struct streams_reader *r, const struct heddle_record_issue *i) {
  const struct code *c = &r->s->code;
  if (i->id.slot >= HEDDLE_RECORD_WARPS || !r->slot[i->id.slot].live)
    return refuse_at(r, i, "no block has started in this warp slot");
  struct slot *k = &r->slot[i->id.slot];
  if (k->issued && k->gen != i->id.gen) return refuse_at(r, i, "another generation than before, within a block");
  if (i->id.seq != k->seq) return refuse_at(r, i, "the next instruction of this warp is number %u", k->seq);
  if (i->pc % ISA_STEP != 0 || i->pc / ISA_STEP >= c->words) return refuse_at(r, i, "no code is there");
  struct heddle_isa_word w;
  uint32_t bytes;
  (void)heddle_isa_fetch(r->s->bytes, i->pc, &w, &bytes); /* in the middle of a word: no instruction, refused below */
  if (w.lo != i->word[0] || w.hi != i->word[1]) return refuse_at(r, i, "the word is not the one of the code");
  k->issued = true;
  k->gen = i->id.gen;
  return true;
}

static bool masks_fit(struct streams_reader *r, const struct heddle_record_issue *i, const struct code_word *w) {
  const struct slot *k = &r->slot[i->id.slot];
  const uint32_t word = i->pc / ISA_STEP;
  if (i->active == 0) return refuse_at(r, i, "it has no active lane");
  for (uint32_t rest = i->active; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    if (k->at[l] == AT_END)
      return refuse_at(r, i, "lane %u of active mask 0x%08x has exited, or no thread is in it", l, i->active);
    if (k->at[l] != AT_ANY && k->at[l] != word)
      return refuse_at(r, i, "lane %u of active mask 0x%08x cannot be here: by what it did before it stands at 0x%04x",
                       l, i->active, k->at[l] * ISA_STEP);
  }
  if (w->uniform) return true; /* exec says nothing of single lanes */
  if ((i->exec & ~i->active) != 0)
    return refuse_at(r, i, "executing lanes 0x%08x are not among the active ones, 0x%08x", i->exec, i->active);
  if (!w->guarded && i->exec != (w->never ? 0 : i->active))
    return refuse_at(r, i, "executing lanes 0x%08x: no guard leaves out any of 0x%08x", i->exec, i->active);
  return true;
}

/* Where a lane goes from word `at`. */
static uint32_t goes(const struct code_word *w, uint32_t at, bool executes) {
  if (!executes) return at + w->step;
  switch ((enum code_kind)w->kind) {
  case CODE_BRANCH:
    return w->target;
  case CODE_INDIRECT:
    return AT_ANY;
  case CODE_EXIT:
    return AT_END;
  default:
    return at + w->step;
  }
}

/* A lane comes by `word`. */
static bool put_word(struct streams_reader *r, struct thread_stream *t, uint32_t word, bool executes, bool after_jump) {
  struct code *c = &r->s->code;
  if (after_jump && t->n > 0) {
    const uint32_t from = stream_word(t->at[t->n - 1]);
    if (from == word)
      t->n--; /* others went first: it comes to the same jump again */
    else if (!code_saw(c, from, word))
      return false;
  }
  if (!array_room(&t->at, &t->room, t->n + 1, sizeof *t->at)) return false;
  t->at[t->n++] = word << 1 | executes;
  return true;
}

bool reader_issue(struct streams_reader *r, const struct heddle_record_issue *i) {
  struct streams *s = r->s;
  if (!check_identity(r, i)) return false;
  const uint32_t word = i->pc / ISA_STEP;
  const struct code_word *w = &s->code.at[word];
  if (w->kind == CODE_ILLEGAL) return refuse_at(r, i, "the word is no instruction");
  if (w->kind == CODE_STRANGE) return refuse_at(r, i, "not studied: %s", code_refusal(&s->code, word, s->bytes));
  if (!masks_fit(r, i, w)) return false;
  struct slot *k = &r->slot[i->id.slot];
  struct warp_stream *warp = &s->block[k->block].warp[k->warp];
  for (uint32_t rest = i->active; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const bool executes = (i->exec >> l & 1) != 0;
    if (!put_word(r, &warp->t[l], word, executes, k->at[l] == AT_ANY)) return refuse_at(r, i, "no memory");
    k->at[l] = goes(w, word, executes);
  }
  if (!array_room(&warp->issue, &warp->room, warp->issues + 1, sizeof *warp->issue))
    return refuse_at(r, i, "no memory");
  warp->issue[warp->issues++] = (struct issue){word, i->active};
  if (k->seq >= KEPT && !reader_operands_whole(r, i->id.slot, k->seq - KEPT)) return false;
  k->exec[k->seq % KEPT] = i->exec;
  k->shown[k->seq % KEPT] = 0;
  k->seq++;
  s->issues++;
  return true;
}

bool reader_operands_whole(struct streams_reader *r, unsigned slot, uint32_t seq) {
  const struct slot *k = &r->slot[slot];
  const uint32_t exec = k->exec[seq % KEPT], shown = k->shown[seq % KEPT];
  if (shown == 0 || shown == exec) return true;
  return reader_refuse(r, "warp slot %u, seq %u: lanes 0x%08x executed at its issue, operands were shown of 0x%08x",
                       slot, seq, exec, shown);
}

/* A beat may be shown in parts, lanes by lanes. */
bool reader_operands(struct streams_reader *r, const struct heddle_record_operands *o) {
  struct slot *k = o->id.slot < HEDDLE_RECORD_WARPS ? &r->slot[o->id.slot] : NULL;
  const uint32_t seq = o->id.seq;
  if (k == NULL || !k->live || !k->issued || k->gen != o->id.gen || seq >= k->seq || k->seq - seq > KEPT) return true;
  if (o->beat >= LANES / r->beat)
    return reader_refuse(r, "beat %u of operands: a warp has %u", o->beat, LANES / r->beat);
  const uint32_t of_beat = r->beat == LANES ? UINT32_MAX : (1u << r->beat) - 1;
  const uint32_t exec = k->exec[seq % KEPT] >> (o->beat * r->beat) & of_beat;
  k->shown[seq % KEPT] |= (o->mask & of_beat) << (o->beat * r->beat);
  if ((o->mask & ~exec) == 0) return true;
  return reader_refuse(r, "warp slot %u, seq %u: beat %u shows operands of lanes 0x%x, at its issue 0x%x executed",
                       o->id.slot, seq, o->beat, o->mask, exec);
}
