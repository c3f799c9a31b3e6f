/* SPDX-License-Identifier: Apache-2.0
 *
 * A program as this study looks at it: which words move lanes, where to, and where paths meet again. A word's number
 * is its PC divided by ISA_STEP: where a word is longer, the numbers inside it are no instructions.
 */
#ifndef DIVERGENCE_CODE_H
#define DIVERGENCE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/isa.h>

#define CODE_NONE UINT32_MAX /* no word */

enum code_kind {
  CODE_PLAIN,    /* goes on at the next word, whatever its lanes are */
  CODE_BRANCH,   /* BRA, JMP, CALL.REL: to `target` */
  CODE_INDIRECT, /* BRX, CALL.ABS, RET: a register says where to */
  CODE_EXIT,
  CODE_BSSY,
  CODE_BSYNC,
  CODE_BREAK,
  CODE_WARPSYNC, /* `target` is its mask */
  CODE_YIELD,
  CODE_SLEEP,
  CODE_BARRIER, /* BAR.SYNC of all warps */
  CODE_STRANGE, /* what no issue record tells enough of: see code_refusal */
  CODE_ILLEGAL  /* no instruction */
};

struct code_word {
  uint8_t kind;    /* enum code_kind */
  uint8_t step;    /* the next word's number is so much more */
  uint8_t x;       /* barrier that BSSY, BSYNC, BREAK, BAR.SYNC name */
  bool guarded;    /* lanes may leave it out; else all active ones execute it, or (`never`) none */
  bool never;      /* @!PT */
  bool call;       /* comes back to the next word */
  bool uniform;    /* guarded by a uniform predicate: once for the warp */
  bool across;     /* lanes see each other's values: shuffles, votes, matrices */
  uint32_t target; /* see above */
  uint32_t meet;   /* where all ways from here meet again: the immediate post-dominator; CODE_NONE: only at the end */
};

/* A way that an indirect jump was seen to take. */
struct code_way {
  uint32_t from, to;
};

struct code {
  struct code_word *at;
  uint32_t words;
  struct code_way *way;
  size_t ways, ways_room;
};

/* False: no memory. The bytes may be anything; words that are no instructions are CODE_ILLEGAL. */
bool code_read(struct code *c, const uint8_t *bytes, uint32_t size);
void code_free(struct code *c);

/* An indirect jump went this way. False: no memory. */
bool code_saw(struct code *c, uint32_t from, uint32_t to);

/* Fills `meet` of every word, from direct branches and the ways that were seen (returns among them). A call goes on at
 * the next word, as if the function were not there. False: no memory. */
bool code_find_meets(struct code *c);

/* Why word w cannot be studied: "BMOV.SET takes ..."; NULL: it can. */
const char *code_refusal(const struct code *c, uint32_t w, const uint8_t *bytes);

#endif
