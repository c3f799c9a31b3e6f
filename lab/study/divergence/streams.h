/* SPDX-License-Identifier: Apache-2.0
 *
 * A program as this study looks at it: which words move lanes, where to, and where paths meet again. A word's number
 * is its PC divided by ISA_STEP: where a word is longer, the numbers inside it are no instructions.
 */
#ifndef HEDDLE_LAB_STUDY_DIVERGENCE_STREAMS_H
#define HEDDLE_LAB_STUDY_DIVERGENCE_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/isa.h>
#include <heddle/record.h>
#include <heddle/trace.h>

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
  CODE_STRANGE, /* events that issue records do not show enough: see code_refusal */
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

/* Instructions of each thread, recovered from the records of a launch: the words that it came by, in order, and
 * whether it executed them (its guard). The records are checked on the way: a mask with an impossible lane is
 * refused, and so is one that lacks a necessary lane. */

#define LANES 32u

/* One issue, as it was recorded. */
struct issue {
  uint32_t word, active;
};

/* Each entry is a word, shifted by one, and in bit 0 whether the thread executed it. An indirect jump of a thread
 * counts once, even if the thread came to it several times because others of its warp went elsewhere first. */
struct thread_stream {
  uint32_t *at;
  size_t n, room;
};

static inline uint32_t stream_word(uint32_t entry) {
  return entry >> 1;
}
static inline bool stream_executes(uint32_t entry) {
  return (entry & 1) != 0;
}

struct warp_stream {
  uint32_t lanes; /* those that the warp starts with */
  struct issue *issue;
  size_t issues, room;
  struct thread_stream t[LANES];
};

struct block_stream {
  unsigned warps;
  struct warp_stream *warp;
};

struct streams {
  struct code code;
  uint8_t *bytes; /* of the code */
  uint32_t entry; /* word at which threads start */
  struct block_stream *block;
  size_t blocks, room;
  uint64_t issues;
};
void streams_free(struct streams *s);

/* Every thread's every entry, as one number: equal if each thread did the same. */
uint64_t streams_hash(const struct streams *s);

#define STREAMS_WHY 512u

/* Records of one launch after the other, into one streams after the other. */
struct streams_reader;
struct streams_reader *streams_reader_new(void);
void streams_reader_free(struct streams_reader *r);
/* The launch of which records will come; `lanes` of a beat. Into *s, which the caller frees, also on failure. */
bool streams_begin(struct streams_reader *r, const struct heddle_launch *l, unsigned lanes, struct streams *s);
bool streams_take(struct streams_reader *r, const struct heddle_retire_record *record);
bool streams_end(struct streams_reader *r);
/* After false: what is wrong and where, "launch 0, record 17, cycle 55: warp slot 3, seq 9, pc 0x0090: lane 4 ..." */
const char *streams_why(const struct streams_reader *r);

/* The streams of threads again, under other rules of joint issue. Each function fills in the number of issue slots,
 * and of lanes in them; an instruction without a slot is not needed by the launch. */

struct slots {
  uint64_t issues, lanes;
};

/* A branch under `stack`, by its word. */
struct branch {
  uint64_t executed;      /* issues */
  uint64_t diverged;      /* ... with lanes at several places afterwards */
  uint64_t taken, passed; /* lanes, summed over these: where the first executing lane goes; elsewhere */
  struct slots within;    /* issues of lanes that its divergence parted, until they meet (or another parts them) */
};

struct replay_why {
  char text[STREAMS_WHY];
};

/* The two units of isa/doc/03-divergence.md, warp by warp; `its` in the order of the RTL. `compare`: each issue must
 * be the recorded one, and no warp has one more or less. `branch` has an entry a word, added to; NULL: not
 * requested. False: the difference, or a lane that its stream does not lead to its place in the unit. */
bool replay_unit(const struct streams *s, bool its, bool compare, struct slots *out, struct branch *branch,
                 struct replay_why *why);

/* Dynamic warp formation. Threads of all live blocks of the machine are the pool. After each issue its threads join
 * the youngest warp that waits at their next word, as far as it has room for them; the others begin a new one. */
enum policy {
  POLICY_MAJORITY, /* the word at which most threads wait, until none is left there */
  POLICY_PC        /* the lowest word, found at each issue */
};
struct formation {
  enum policy policy;
  unsigned warps; /* of blocks that live at once; a larger block lives alone */
  bool lanes;     /* a thread keeps its lane: registers are in the lane's bank */
  bool any;       /* threads join whichever warp there has room, not only the youngest: a search that no table does */
};
bool replay_formation(const struct streams *s, const struct formation *f, struct slots *out, struct replay_why *why);

/* Thread-block compaction: one stack of a block, with a set of its threads at one word as an entry. When an entry
 * comes to the top its threads are packed into as few warps as their lanes allow. `*apart` counts the instructions
 * BAR.SYNC that an entry met while another held threads of the block: hardware would wait for ever. */
bool replay_compaction(const struct streams *s, struct slots *out, uint64_t *apart, struct replay_why *why);

/* Threads' instructions in all: what a machine without warps would issue, 32 a slot. `across`: those of instructions
 * by which lanes see each other. */
struct thread_work {
  uint64_t all, across;
};
struct thread_work streams_work(const struct streams *s);

#endif
