/* SPDX-License-Identifier: Apache-2.0
 *
 * Digests of a board (docs/digest-format.md): a reader of the bytes, and a judge that lets the model execute the launch
 * in the order that they tell, makes the same digests, and compares.
 *
 * Nothing that is read is believed: numbers are bounded, what cannot be is said, an order that nobody can obey ends in
 * a report of who waits for what. Nothing here prints.
 */
#ifndef HEDDLE_DIGEST_H
#define HEDDLE_DIGEST_H

#include <stdio.h>

#include <heddle/api.h>
#include <heddle/model.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DIGEST_FORMAT UINT32_C(0x44474401)
#define DIGEST_PROFILE 128u
#define DIGEST_SLOTS 16u  /* of warps, and of blocks, at most */
#define DIGEST_WINDOW 64u /* instructions */

/* ---- the arithmetic ---- */

/* What item (kind, place, beat) of instruction seq adds to the digest of its window: its n words, d[0] first. */
enum digest_kind { DIGEST_ISSUE, DIGEST_WRITE, DIGEST_PREDICATE, DIGEST_UNIFORM };
HEDDLE_API uint32_t digest_item(uint32_t seq, enum digest_kind kind, unsigned place, unsigned beat, const uint32_t *d,
                                unsigned n) HEDDLE_SYMBOL(digest_item);

/* ---- reading ---- */

enum digest_code {
  DIGEST_MARK_GLOBAL,
  DIGEST_MARK_SHARED,
  DIGEST_NEXT,
  DIGEST_CORRECTION,
  DIGEST_WARP_END,
  DIGEST_CLOCK,
  DIGEST_BLOCK_START,
  DIGEST_BLOCK_END,
  DIGEST_TRAP,
  DIGEST_CODES
};

/* One entry; of the fields those that its code has. */
struct digest_entry {
  enum digest_code code;
  uint8_t slot;      /* of a warp or a block */
  bool more;         /* marks: another one of the same cut follows */
  uint8_t cause;     /* trap */
  uint16_t window;   /* correction: mod 2^16 */
  uint16_t warps;    /* block start: a bit each slot */
  uint32_t count;    /* marks: accesses; warp end: instructions */
  uint32_t sum[2];   /* digests; a correction: what is added */
  uint32_t ctaid[3]; /* block start */
  uint32_t seq, pc, lanes;
  uint64_t value; /* the clock; a trap's address */
};

struct digest_state {
  bool begun, ended, lost;
  char why[96];                         /* of the loss; nothing is read behind it */
  uint64_t lost_offset;                 /* bytes before the frame that was lost */
  uint64_t bytes, frames, entries;      /* that have come, and were right */
  uint64_t end_cycle;                   /* as the end says */
  unsigned lanes, warps, blocks, banks; /* of the machine */
};

struct digest_decoder;
HEDDLE_API struct digest_decoder *digest_new(void) HEDDLE_SYMBOL(digest_new); /* NULL: no memory */
HEDDLE_API void digest_free(struct digest_decoder *d) HEDDLE_SYMBOL(digest_free);
/* Another launch follows: what state says begins anew, frame numbers go on. */
HEDDLE_API void digest_launch(struct digest_decoder *d) HEDDLE_SYMBOL(digest_launch);
/* Take bytes, up to the end of a frame at most; returns how many. Take all entries before the next call. */
HEDDLE_API size_t digest_give(struct digest_decoder *d, const uint8_t *p, size_t n) HEDDLE_SYMBOL(digest_give);
HEDDLE_API bool digest_next(struct digest_decoder *d, struct digest_entry *e) HEDDLE_SYMBOL(digest_next);
/* No byte comes any more: a launch that has not ended is lost. */
HEDDLE_API void digest_over(struct digest_decoder *d) HEDDLE_SYMBOL(digest_over);
HEDDLE_API const struct digest_state *digest_look(const struct digest_decoder *d) HEDDLE_SYMBOL(digest_look);
HEDDLE_API void digest_text(const struct digest_decoder *d, char *buf, size_t bytes) HEDDLE_SYMBOL(digest_text);
/* Do these bytes, of which there may be more, begin as digests do? */
HEDDLE_API bool digest_begins(const uint8_t *p, size_t n) HEDDLE_SYMBOL(digest_begins);

/* ---- judging ---- */

enum digest_outcome {
  DIGEST_PASS,
  DIGEST_DIFFERENCE,
  DIGEST_TRAPPED,   /* the program trapped, and the model agrees */
  DIGEST_LOST,      /* no difference, but something was lost, or there is no end: not a pass */
  DIGEST_UNDEFINED, /* the program depends on what nobody has written */
  DIGEST_REFUSED,   /* no launch or machine that digests are for */
  DIGEST_LIMIT,     /* more instructions, or more memory, than the limits say */
  DIGEST_NO_MEMORY
};
HEDDLE_API const char *digest_outcome_name(enum digest_outcome o) HEDDLE_SYMBOL(digest_outcome_name);

enum digest_reason {
  DIGEST_WRONG_SUM,   /* the digest is another */
  DIGEST_WRONG_COUNT, /* the warp has another number of instructions */
  DIGEST_WRONG_TRAP,  /* one of both traps here, or otherwise */
  DIGEST_WRONG_STUCK, /* here the warp stands and the order that was told cannot be obeyed */
  DIGEST_WRONG_CLOCK  /* a clock is read that was not told, or the other way round */
};
HEDDLE_API const char *digest_reason_text(enum digest_reason r) HEDDLE_SYMBOL(digest_reason_text);

/* A window that is wrong: seq 64 window to seq 64 window + instructions - 1 of that warp. */
struct digest_wrong {
  enum digest_reason reason;
  uint32_t ctaid[3], warp; /* in its block */
  uint32_t window, instructions;
  uint32_t pc_low, pc_high; /* where they lie, as the model executed them; low above high: it has not */
  uint32_t told, made;      /* digests, or numbers of instructions */
};

struct digest_stats {
  uint64_t instructions; /* that the model executed */
  uint64_t windows, windows_right;
  uint64_t windows_unjudged; /* told, but not to be judged: undefined values, or not final when it stopped */
  uint64_t marks, cuts[2], corrections, accesses[2];
  bool memory_compared;
};

struct digest_limits {
  uint64_t instructions; /* of a launch; 0: none */
  uint64_t bytes;        /* that is kept of what was told; 0: 1 GiB */
};

struct digest_machine {
  unsigned lanes, warp_slots, block_slots;
};

/* The judge of one launch: entries in, then the verdict. */
struct digest_judge;
/* `l` and `memory` (bytes from base on, as the launch begins) are borrowed. NULL: no memory, or (err) no machine for
 * digests. */
HEDDLE_API struct digest_judge *digest_judge_new(const struct digest_machine *m, const struct heddle_launch *l,
                                                 uint64_t base, const uint8_t *memory, uint64_t bytes,
                                                 const struct digest_limits *limits, char *err, size_t err_bytes)
    HEDDLE_SYMBOL(digest_judge_new);
HEDDLE_API void digest_judge_free(struct digest_judge *j) HEDDLE_SYMBOL(digest_judge_free);
/* False: it says what cannot be, or it is more than the limit; what comes behind is not looked at. */
HEDDLE_API bool digest_judge_entry(struct digest_judge *j, const struct digest_entry *e)
    HEDDLE_SYMBOL(digest_judge_entry);
/* All has come. `whole`: the launch has ended, nothing is lost. `after`: memory as the host read it at the end, or
 * NULL: it is not compared; so it is not of a launch that trapped, or is not whole. */
HEDDLE_API enum digest_outcome digest_judge_finish(struct digest_judge *j, bool whole, const uint8_t *after)
    HEDDLE_SYMBOL(digest_judge_finish);
HEDDLE_API const char *digest_judge_message(const struct digest_judge *j) HEDDLE_SYMBOL(digest_judge_message);
HEDDLE_API const struct digest_stats *digest_judge_stats(const struct digest_judge *j)
    HEDDLE_SYMBOL(digest_judge_stats);
HEDDLE_API const struct digest_wrong *digest_judge_wrong(const struct digest_judge *j, size_t *n)
    HEDDLE_SYMBOL(digest_judge_wrong);
/* Who waits for what, where the order that was told could not be obeyed; else "". */
HEDDLE_API const char *digest_judge_waiting(const struct digest_judge *j) HEDDLE_SYMBOL(digest_judge_waiting);
HEDDLE_API const struct heddle_trap *digest_judge_trap(const struct digest_judge *j) HEDDLE_SYMBOL(digest_judge_trap);
/* For people: a table of the windows that are wrong, `most` lines of it, and who waits. */
HEDDLE_API void digest_judge_report(const struct digest_judge *j, FILE *sink, size_t most)
    HEDDLE_SYMBOL(digest_judge_report);

/* ---- launches ---- */

/* What is said of launches, of a file or as they come: of those up to the first one that is no pass. */
struct digest_file {
  enum digest_outcome outcome;
  char message[512];
  struct digest_stats stats;  /* of all launches */
  struct digest_wrong *wrong; /* of the last one; owned */
  size_t wrongs;
  uint64_t launches, bytes;
  uint64_t told;           /* windows that were told before their warps ended: so much has issued, at least */
  struct heddle_trap trap; /* DIGEST_TRAPPED */
};

/* Launches as they come, from a board or a file: the same judge. `limits` (may be NULL) is copied. Where one is no
 * pass, a table of at most `most` lines goes to `sink` (may be NULL), and what comes behind is not judged. NULL: no
 * memory. */
struct digest_launches;
HEDDLE_API struct digest_launches *digest_launches_new(const struct digest_machine *m,
                                                       const struct digest_limits *limits, FILE *sink, size_t most)
    HEDDLE_SYMBOL(digest_launches_new);
HEDDLE_API void digest_launches_free(struct digest_launches *s) HEDDLE_SYMBOL(digest_launches_free);
/* A launch begins; nothing is borrowed. False: it is not judged, digest_launches_found says why. */
HEDDLE_API bool digest_launches_begin(struct digest_launches *s, const struct heddle_launch *l, uint64_t base,
                                      const uint8_t *memory, uint64_t bytes) HEDDLE_SYMBOL(digest_launches_begin);
/* Its bytes. False: whatever comes, it is no pass. */
HEDDLE_API bool digest_launches_bytes(struct digest_launches *s, const uint8_t *p, size_t n)
    HEDDLE_SYMBOL(digest_launches_bytes);
/* Its end has come. */
HEDDLE_API bool digest_launches_ended(const struct digest_launches *s) HEDDLE_SYMBOL(digest_launches_ended);
/* Nothing more comes of it: it is judged, with `after` as in digest_judge_finish. False: it is no pass. */
HEDDLE_API bool digest_launches_end(struct digest_launches *s, const uint8_t *after) HEDDLE_SYMBOL(digest_launches_end);
/* What was found so far; valid until the next call. */
HEDDLE_API const struct digest_file *digest_launches_found(const struct digest_launches *s)
    HEDDLE_SYMBOL(digest_launches_found);
/* ... becomes the caller's (digest_file_clear). */
HEDDLE_API void digest_launches_take(struct digest_launches *s, struct digest_file *out)
    HEDDLE_SYMBOL(digest_launches_take);

/* ---- files ---- */

/* Is it a file of a stream (docs/stream-format.md) that begins as digests do? */
HEDDLE_API bool digest_file_is(const char *path) HEDDLE_SYMBOL(digest_file_is);

/* `code` (may be NULL): the program that it must be of. The report goes to `sink` (may be NULL), a table of at most
 * `most` lines. *out is filled in any case. */
HEDDLE_API enum digest_outcome digest_file_check(const char *path, const uint8_t *code, uint32_t code_bytes,
                                                 const struct digest_limits *limits, FILE *sink, size_t most,
                                                 struct digest_file *out) HEDDLE_SYMBOL(digest_file_check);
HEDDLE_API void digest_file_clear(struct digest_file *f) HEDDLE_SYMBOL(digest_file_clear);

#ifdef __cplusplus
}
#endif

#endif
