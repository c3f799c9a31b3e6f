/* SPDX-License-Identifier: Apache-2.0
 *
 * Digests of a board (docs/digest-format.md): a reader of the bytes, and a judge. The judge lets the model execute the
 * launch in the reported order, makes the same digests, and compares.
 *
 * Input is not trusted: numbers are bounded, impossible values are reported, an impossible order ends in a report of
 * all waiting warps. Nothing here prints.
 */
#ifndef HEDDLE_DIGEST_H
#define HEDDLE_DIGEST_H

#include <stdio.h>

#include <heddle/api.h>
#include <heddle/error.h>
#include <heddle/model.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_DIGEST_FORMAT UINT32_C(0x44474401)
#define HEDDLE_DIGEST_PROFILE 128u
#define HEDDLE_DIGEST_SLOTS 16u  /* of warps, and of blocks, at most */
#define HEDDLE_DIGEST_WINDOW 64u /* instructions */

/* ---- the arithmetic ---- */

/* Contribution of item (kind, place, beat) of instruction seq to the digest of its window: its n words, d[0] first. */
enum heddle_digest_kind { HEDDLE_DIGEST_ISSUE, HEDDLE_DIGEST_WRITE, HEDDLE_DIGEST_PREDICATE, HEDDLE_DIGEST_UNIFORM };
HEDDLE_API uint32_t heddle_digest_item(uint32_t seq, enum heddle_digest_kind kind, unsigned place, unsigned beat,
                                       const uint32_t *d, unsigned n);

/* ---- reading ---- */

enum heddle_digest_code {
  HEDDLE_DIGEST_MARK_GLOBAL,
  HEDDLE_DIGEST_MARK_SHARED,
  HEDDLE_DIGEST_NEXT,
  HEDDLE_DIGEST_CORRECTION,
  HEDDLE_DIGEST_WARP_END,
  HEDDLE_DIGEST_CLOCK,
  HEDDLE_DIGEST_BLOCK_START,
  HEDDLE_DIGEST_BLOCK_END,
  HEDDLE_DIGEST_TRAP,
  HEDDLE_DIGEST_CODES
};

/* One entry; of the fields those that its code has. */
struct heddle_digest_entry {
  enum heddle_digest_code code;
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

struct heddle_digest_state {
  bool begun, ended, lost;
  char why[96];                         /* of the loss; nothing is read behind it */
  uint64_t lost_offset;                 /* bytes before the frame that was lost */
  uint64_t bytes, frames, entries;      /* that have come, and were right */
  uint64_t end_cycle;                   /* as the end says */
  unsigned lanes, warps, blocks, banks; /* of the machine */
};

struct heddle_digest_decoder;
HEDDLE_API struct heddle_digest_decoder *heddle_digest_new(void); /* NULL: no memory */
HEDDLE_API void heddle_digest_free(struct heddle_digest_decoder *d);
/* Another launch follows: its state begins again, frame numbers go on. */
HEDDLE_API void heddle_digest_launch(struct heddle_digest_decoder *d);
/* Take bytes, up to the end of a frame at most; returns how many. Take all entries before the next call. */
HEDDLE_API size_t heddle_digest_give(struct heddle_digest_decoder *d, const uint8_t *p, size_t n);
HEDDLE_API bool heddle_digest_next(struct heddle_digest_decoder *d, struct heddle_digest_entry *e);
/* No byte comes any more: a launch that has not ended is lost. */
HEDDLE_API void heddle_digest_over(struct heddle_digest_decoder *d);
HEDDLE_API const struct heddle_digest_state *heddle_digest_look(const struct heddle_digest_decoder *d);
HEDDLE_API void heddle_digest_text(const struct heddle_digest_decoder *d, char *buf, size_t bytes);
/* Do these bytes, of which there may be more, begin as digests do? */
HEDDLE_API bool heddle_digest_begins(const uint8_t *p, size_t n);

/* ---- judging ---- */

enum heddle_digest_outcome {
  HEDDLE_DIGEST_PASS,
  HEDDLE_DIGEST_DIFFERENCE,
  HEDDLE_DIGEST_TRAPPED,   /* the program trapped, and the model agrees */
  HEDDLE_DIGEST_LOST,      /* no difference, but something was lost, or there is no end: not a pass */
  HEDDLE_DIGEST_UNDEFINED, /* the program depends on unwritten data */
  HEDDLE_DIGEST_REFUSED,   /* no launch or machine that digests are for */
  HEDDLE_DIGEST_LIMIT,     /* more instructions, or more memory, than the limits say */
  HEDDLE_DIGEST_NO_MEMORY
};
HEDDLE_API const char *heddle_digest_outcome_name(enum heddle_digest_outcome o);

enum heddle_digest_reason {
  HEDDLE_DIGEST_WRONG_SUM,   /* the digest is another */
  HEDDLE_DIGEST_WRONG_COUNT, /* the warp has another number of instructions */
  HEDDLE_DIGEST_WRONG_TRAP,  /* one of both traps here, or otherwise */
  HEDDLE_DIGEST_WRONG_STUCK, /* the warp is here and the reported order is impossible */
  HEDDLE_DIGEST_WRONG_CLOCK  /* a clock is read that was not reported, or the other way round */
};
HEDDLE_API const char *heddle_digest_reason_text(enum heddle_digest_reason r);

/* A window that is wrong: seq 64 window to seq 64 window + instructions - 1 of that warp. */
struct heddle_digest_wrong {
  enum heddle_digest_reason reason;
  uint32_t ctaid[3], warp; /* in its block */
  uint32_t window, instructions;
  uint32_t pc_low, pc_high; /* their addresses, as the model executed them; low above high: it has not */
  uint32_t told, made;      /* digests, or numbers of instructions */
};

struct heddle_digest_stats {
  uint64_t instructions; /* that the model executed */
  uint64_t windows, windows_right;
  uint64_t windows_unjudged; /* reported, but not to be judged: undefined values, or not final when it stopped */
  uint64_t marks, cuts[2], corrections, accesses[2];
  bool memory_compared;
};

struct heddle_digest_limits {
  size_t size;           /* sizeof(struct heddle_digest_limits) */
  uint64_t instructions; /* of a launch; 0: none */
  uint64_t bytes;        /* limit of the stored reports; 0: 1 GiB */
};

struct heddle_digest_machine {
  size_t size; /* sizeof(struct heddle_digest_machine) */
  unsigned lanes, warp_slots, block_slots;
};

/* The judge of one launch: entries in, then the verdict. */
struct heddle_digest_judge;
/* `launch` is copied, its code and banks are borrowed, as `memory` is (bytes from base on, as the launch begins).
 * NOT_SUPPORTED: no machine for digests; INVALID_VALUE: a struct of another release. */
HEDDLE_API enum heddle_error heddle_digest_judge_new(const struct heddle_digest_machine *m,
                                                     const struct heddle_launch *launch, uint64_t base,
                                                     const uint8_t *memory, uint64_t bytes,
                                                     const struct heddle_digest_limits *limits,
                                                     struct heddle_digest_judge **out, struct heddle_message *msg);
HEDDLE_API void heddle_digest_judge_free(struct heddle_digest_judge *j);
/* False: it says what cannot be, or it is more than the limit; what comes behind is not looked at. */
HEDDLE_API bool heddle_digest_judge_entry(struct heddle_digest_judge *j, const struct heddle_digest_entry *e);
/* All has come. `whole`: the launch has ended, nothing is lost. `after`: memory as the host read it at the end, or
 * NULL: it is not compared; so it is not of a launch that trapped, or is not whole. */
HEDDLE_API enum heddle_digest_outcome heddle_digest_judge_finish(struct heddle_digest_judge *j, bool whole,
                                                                 const uint8_t *after);
HEDDLE_API const char *heddle_digest_judge_message(const struct heddle_digest_judge *j);
HEDDLE_API const struct heddle_digest_stats *heddle_digest_judge_stats(const struct heddle_digest_judge *j);
HEDDLE_API const struct heddle_digest_wrong *heddle_digest_judge_wrong(const struct heddle_digest_judge *j, size_t *n);
/* Waiting warps, if the reported order was impossible; else "". */
HEDDLE_API const char *heddle_digest_judge_waiting(const struct heddle_digest_judge *j);
HEDDLE_API const struct heddle_trap *heddle_digest_judge_trap(const struct heddle_digest_judge *j);
/* For people: a table of the wrong windows, `most` lines of it, and waiting warps. */
HEDDLE_API void heddle_digest_judge_report(const struct heddle_digest_judge *j, FILE *sink, size_t most);

/* ---- launches ---- */

/* Results of launches, of a file or as they come: up to the first one that is no pass. */
struct heddle_digest_file {
  size_t size; /* sizeof(struct heddle_digest_file) */
  enum heddle_digest_outcome outcome;
  char message[512];
  struct heddle_digest_stats stats;  /* of all launches */
  struct heddle_digest_wrong *wrong; /* of the last one; owned */
  size_t wrongs;
  uint64_t launches, bytes;
  uint64_t told;           /* windows reported before their warps ended: so much has issued, at least */
  struct heddle_trap trap; /* HEDDLE_DIGEST_TRAPPED */
};

/* Launches as they come, from a board or a file: the same judge. `limits` (may be NULL) is copied. Where one is no
 * pass, a table of at most `most` lines goes to `sink` (may be NULL), and what comes behind is not judged. NULL: no
 * memory, or a struct of another release. */
struct heddle_digest_launches;
HEDDLE_API struct heddle_digest_launches *heddle_digest_launches_new(const struct heddle_digest_machine *m,
                                                                     const struct heddle_digest_limits *limits,
                                                                     FILE *sink, size_t most);
HEDDLE_API void heddle_digest_launches_free(struct heddle_digest_launches *s);
/* A launch begins; nothing is borrowed. False: it is not judged, heddle_digest_launches_found says why. */
HEDDLE_API bool heddle_digest_launches_begin(struct heddle_digest_launches *s, const struct heddle_launch *l,
                                             uint64_t base, const uint8_t *memory, uint64_t bytes);
/* Its bytes. False: whatever comes, it is no pass. */
HEDDLE_API bool heddle_digest_launches_bytes(struct heddle_digest_launches *s, const uint8_t *p, size_t n);
/* Its end has come. */
HEDDLE_API bool heddle_digest_launches_ended(const struct heddle_digest_launches *s);
/* Nothing more comes of it: it is judged, with `after` as in heddle_digest_judge_finish. False: it is no pass. */
HEDDLE_API bool heddle_digest_launches_end(struct heddle_digest_launches *s, const uint8_t *after);
/* Results so far; valid until the next call. */
HEDDLE_API const struct heddle_digest_file *heddle_digest_launches_found(const struct heddle_digest_launches *s);
/* ... becomes the caller's (heddle_digest_file_clear). False: its size is none. */
HEDDLE_API bool heddle_digest_launches_take(struct heddle_digest_launches *s, struct heddle_digest_file *out);

/* ---- files ---- */

/* Is it a file of a stream (docs/stream-format.md) that begins as digests do? */
HEDDLE_API bool heddle_digest_file_is(const char *path);

/* `code` (may be NULL): the program that it must be of. The report goes to `sink` (may be NULL), a table of at most
 * `most` lines. *out is filled in any case but REFUSED for a size that is none. */
HEDDLE_API enum heddle_digest_outcome heddle_digest_file_check(const char *path, const uint8_t *code,
                                                               uint32_t code_bytes,
                                                               const struct heddle_digest_limits *limits, FILE *sink,
                                                               size_t most, struct heddle_digest_file *out);
HEDDLE_API void heddle_digest_file_clear(struct heddle_digest_file *f);

#ifdef __cplusplus
}
#endif

#endif
