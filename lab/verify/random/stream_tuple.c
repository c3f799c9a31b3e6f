/* SPDX-License-Identifier: Apache-2.0
 * For the stream of codes by hand: what is written twice before it is read. Registers of a tuple by instructions that
 * write one, two or four of them, a slow one before a fast one and the other way round; predicates alike; an operand
 * that is kept for reuse while a slow one writes it. What must be there in the end follows from program order. */
#include <stdio.h>

#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include "lab/verify/random/streams.h"

enum { TRIES = 40, TEXT_BYTES = 400, WRITERS_MOST = 3, TUPLE = 4 };

/* What was written last; no words: nothing yet, and the word at which something shall be. */
struct span {
  bool uniform;
  unsigned at, words;
};

/* How long the next one should take. */
enum pace { ANY_PACE, SLOW, FAST };

static bool has_pace(const struct heddle_isa_dec *d, enum pace pace) {
  return pace == ANY_PACE || heddle_isa_unit_is_variable((enum heddle_isa_unit)d->unit) == (pace == SLOW);
}

/* Another destination, that has some word of `s`, but is not just `s`: some of its words, or more of the tuple that
 * begins at `base`. One to RZ is left alone: what it does not return may depend on an order. */
static bool write_part(struct random_program *p, struct heddle_isa_dec *d, unsigned base, const struct span *s) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)d->enc);
  struct heddle_isa_dec made;
  if (!d->has_rd || d->rd_uniform != s->uniform || d->rd_words == s->words || d->rd == ISA_RZ) return false;
  const unsigned in = s->at + (d->rd_words < s->words ? random_below(p, s->words / d->rd_words) * d->rd_words : 0);
  const unsigned at = base + (in - base) / d->rd_words * d->rd_words;
  if (!heddle_isa_decode(heddle_isa_put(d->word, (enum heddle_isa_field)e->rd.field, at), &made)) return false;
  *d = made;
  return true;
}

/* Lines of which the last writes a part. How many words; 0: nothing of that pace does. */
static unsigned writer(struct random_program *p, struct heddle_isa_dec *insn, unsigned room, unsigned base,
                       const struct span *s, enum pace pace) {
  char text[TEXT_BYTES];
  for (unsigned i = 0; i < TRIES; i++) {
    hazard_writer(p, text, sizeof text);
    const unsigned n = hazard_take(text, insn, room);
    if (n > 0 && has_pace(&insn[n - 1], pace) && write_part(p, &insn[n - 1], base, s)) return n;
  }
  return 0;
}

static enum pace draw_pace(struct random_program *p) {
  return random_chance(p, 20) ? ANY_PACE : random_chance(p, 60) ? SLOW : FAST;
}

/* Who reads that place alone. */
static unsigned read_place(struct random_program *p, struct heddle_isa_dec *insn, unsigned room, unsigned place) {
  char text[TEXT_BYTES];
  struct hazard_results one = {.n = 1};
  one.at[place] = true;
  for (unsigned i = 0; i < TRIES && room > 0; i++) {
    hazard_reader(p, text, sizeof text);
    if (hazard_take(text, insn, 1) == 1 && hazard_point_at(p, insn, &one)) return 1;
  }
  return 0;
}

/* All places from `first` on, in either direction, beginning anywhere. */
static unsigned read_all_places(struct random_program *p, struct heddle_isa_dec *insn, unsigned room, unsigned first,
                                unsigned count) {
  const unsigned from = random_below(p, count), step = random_chance(p, 50) ? 1 : count - 1;
  unsigned n = 0;
  for (unsigned i = 0; i < count; i++) n += read_place(p, insn + n, room - n, first + (from + i * step) % count);
  return n;
}

static unsigned fill_between(struct random_program *p, struct heddle_isa_dec *insn, unsigned room, unsigned first,
                             unsigned count) {
  struct hazard_results r = {.n = count};
  unsigned n = 0;
  for (unsigned i = 0; i < count; i++) r.at[first + i] = true;
  for (unsigned k = random_chance(p, 60) ? 0 : 1 + random_below(p, 2); k > 0 && n < room; k--)
    n += hazard_fill(p, &insn[n], &r);
  return n;
}

/* No two neighbours of the writers write the same words. */
static unsigned rewrite_tuple(struct random_program *p, struct heddle_isa_dec *insn, unsigned room) {
  const bool uniform = random_has_uniform(p) && random_chance(p, 25);
  const unsigned count = uniform ? 2 : TUPLE, tuples = uniform ? UREG_DATA_COUNT / 2 : REG_DATA_COUNT / TUPLE;
  const unsigned base = (uniform ? 0 : REG_DATA) + count * random_below(p, tuples);
  const unsigned first = (uniform ? HEDDLE_HAZARD_UR : HEDDLE_HAZARD_R) + base,
                 writers = 2 + random_below(p, WRITERS_MOST - 1);
  struct span s = {.uniform = uniform, .at = base + random_below(p, count)};
  enum pace pace = draw_pace(p);
  unsigned n = 0;
  for (unsigned i = 0; i < writers; i++) {
    const unsigned more = writer(p, insn + n, room - n, base, &s, uniform ? ANY_PACE : pace);
    if (more == 0) return n;
    n += more;
    s.at = insn[n - 1].rd;
    s.words = insn[n - 1].rd_words;
    pace = pace == ANY_PACE ? ANY_PACE : pace == SLOW ? FAST : SLOW;
    n += fill_between(p, insn + n, room - n, first, count);
  }
  return n + read_all_places(p, insn + n, room - n, first, count);
}

/* Most write one predicate or two; R2P several. */
static unsigned predicate_writer(struct random_program *p, struct heddle_isa_dec *insn, unsigned room, unsigned which) {
  char text[TEXT_BYTES];
  if (room == 0) return 0;
  if (random_chance(p, 30)) {
    const unsigned mask = (1u << which) | random_below(p, 1u << PRED_DATA_COUNT);
    (void)snprintf(text, sizeof text, "R2P PR, R%u, 0x%x ;\n", random_data(p), mask);
    return hazard_take(text, insn, 1);
  }
  for (unsigned i = 0; i < TRIES; i++) {
    hazard_writer(p, text, sizeof text);
    if (hazard_take(text, insn, 1) != 1 || insn->pd_uniform || (!insn->has_pd0 && !insn->has_pd1)) continue;
    const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)insn->enc);
    const unsigned k = insn->has_pd0 && insn->has_pd1 ? random_below(p, 2) : insn->has_pd0 ? 0 : 1;
    if (heddle_isa_decode(heddle_isa_put(insn->word, (enum heddle_isa_field)e->pd[k], which), insn)) return 1;
  }
  return 0;
}

static unsigned rewrite_predicate(struct random_program *p, struct heddle_isa_dec *insn, unsigned room) {
  const unsigned which = random_below(p, PRED_DATA_COUNT);
  unsigned n = 0;
  for (unsigned i = 2 + random_below(p, WRITERS_MOST - 1); i > 0; i--) {
    n += predicate_writer(p, insn + n, room - n, which);
    n += fill_between(p, insn + n, room - n, HEDDLE_HAZARD_P + which, 1);
  }
  n += read_place(p, insn + n, room - n, HEDDLE_HAZARD_P + which);
  return n + read_place(p, insn + n, room - n, HEDDLE_HAZARD_P + (which + 1) % PRED_DATA_COUNT);
}

unsigned hazard_tuple(struct random_program *p, struct heddle_isa_dec *insn, unsigned room) {
  return random_chance(p, 80) ? rewrite_tuple(p, insn, room) : rewrite_predicate(p, insn, room);
}

/* One that reads `reg` as operand `o` of so many words, kept for reuse or not. */
static unsigned read_kept_operand(struct random_program *p, struct heddle_isa_dec *insn, unsigned room, unsigned o,
                                  unsigned reg, unsigned words, bool kept) {
  char text[TEXT_BYTES];
  for (unsigned i = 0; i < TRIES && room > 0; i++) {
    hazard_reader(p, text, sizeof text);
    if (hazard_take(text, insn, 1) != 1 || insn->unit == ISA_UNIT_MEM) continue;
    const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)insn->enc);
    if (e->reuse == ISA_FIELD_NONE || e->src[o].kind != ISA_REG || insn->src[o].words != words) continue;
    const uint64_t others = heddle_isa_get(insn->word, (enum heddle_isa_field)e->reuse) & ~((uint64_t)1 << o);
    struct heddle_isa_word w = heddle_isa_put(insn->word, (enum heddle_isa_field)e->src[o].field, reg);
    w = heddle_isa_put(w, (enum heddle_isa_field)e->reuse, others | (uint64_t)kept << o);
    if (heddle_isa_decode(w, insn)) return 1;
  }
  return 0;
}

/* It is read and kept; one that is slow, most often, writes it, or a word of it, in all lanes or some; then it is read
 * in the same place again, as soon as it may be, and once more, out of what the second one has kept. */
unsigned hazard_kept(struct random_program *p, struct heddle_isa_dec *insn, unsigned room) {
  const unsigned words = random_chance(p, 85) ? 1 : 2, o = random_below(p, 3);
  const unsigned reg = REG_DATA + words * random_below(p, REG_DATA_COUNT / words), base = reg / TUPLE * TUPLE;
  const struct span s = {.at = reg + (words == 2 ? random_below(p, 2) : 0)};
  unsigned n = 0;
  for (unsigned i = 1 + random_below(p, 2); i > 0; i--)
    n += read_kept_operand(p, insn + n, room - n, o, reg, words, true);
  if (n == 0) return 0;
  const unsigned more = writer(p, insn + n, room - n, base, &s, random_chance(p, 80) ? SLOW : FAST);
  n += more;
  n += read_kept_operand(p, insn + n, room - n, o, reg, words, random_chance(p, 70));
  return n + read_kept_operand(p, insn + n, room - n, o, reg, words, false);
}
