/* SPDX-License-Identifier: Apache-2.0
 *
 * A layer between a session and a device of tiny: it passes on requests, and errs where a test wants it to.
 */
#ifndef SESSION_BETWEEN_H
#define SESSION_BETWEEN_H

#include <heddle/host_regs.h>
#include <heddle/session.h>

struct between {
  struct heddle_dut *device;
  bool all_writable;          /* the host bus says so of every region, whatever the session writes */
  uint32_t lie_at, lie_bits;  /* a register of the host bus that is read with these bits set; 0: none is */
  uint32_t no_write, no_read; /* that one register is answered with an error; 0: none is */
  uint64_t host_seed;         /* of the session */
  uint8_t read_age, pred_age; /* what the device says of its port; 0: what it is */
  enum {
    HONEST,
    TAKES_PARTS,      /* a write of some bytes is answered as if it had been taken */
    WRITES_PARTS,     /* answered with an error, but it is written */
    FORGETS_ABORT,    /* ABORT does nothing */
    SECOND_STOPS,     /* START while a grid runs gives it up */
    NEVER_REFUSES,    /* what does not fit becomes something that does */
    OTHER_REASON,     /* STATUS names another reason for a refusal */
    KEEPS_REGISTERS,  /* a reset leaves launch registers as they are */
    WRITES_RUNNING,   /* launch registers can be written while a grid runs: they read so */
    READ_TAKES_WRITE, /* what is read beside a write is what was written */
    READ_IS_LOST,     /* a read beside a write is not answered */
    WRITE_IS_LOST,    /* a write beside a read is not */
    COUNTER_FALLS,    /* while a grid runs: a counter is less each time, */
    COUNTS_AHEAD,     /* instructions are counted that have not issued, */
    CYCLES_FALL,      /* CYCLES is less each time, */
    CYCLES_AHEAD,     /* or ahead of the clock, */
    TRAP_EARLY,       /* there is a trap that STATUS does not report, */
    LOST_NOTHING,     /* STATUS says lost */
    COUNTER_MOVES,    /* a counter goes on when the grid has ended, */
    TRAP_MOVES,       /* and the trap is another each time */
    HABITS
  } habit;
  uint32_t grid_x, before_reset; /* what is read instead */
  uint64_t waited;               /* cycles from the end of a block to the session's look, the longest */
  unsigned blocks;               /* that have ended */
  uint32_t times;                /* that it has lied */
};

extern struct between *between_asked; /* the one with the device described; set by between_run */
extern const struct heddle_dut_ops between_ops;

/* Six blocks; `writable`: the region that they write into. */
enum heddle_session_outcome between_run(struct between *b, enum heddle_session_mode mode, bool writable,
                                        struct heddle_session_result *r);

/* session_between.c: 0 when all pass */
int session_busy(void);

/* A queue in front of a device that has none: launches that wait are kept here, and begun when the one before has
 * ended. rtl/gpu/README.md says what the registers must hold. A session's use of a queue can so be tested on the
 * smallest machine, and with a queue that errs. */

#define QUEUE_WORDS ((0x300 - HEDDLE_REG_GRID_X) / 4) /* of launch registers */

struct queue_between {
  struct heddle_dut *device;
  uint32_t stage[QUEUE_WORDS], slot[HEDDLE_ENDED_KEPT + 1][QUEUE_WORDS]; /* of number n: slot n mod their number */
  uint32_t launches, ended;
  uint32_t how[HEDDLE_ENDED_KEPT];
  uint64_t cycles[HEDDLE_ENDED_KEPT];
  bool running, stopped;
  unsigned most; /* that have been under way at once */
  /* Its error, where `number` is not 0. */
  uint32_t number;
  enum { QUEUE_OTHER_GRID, QUEUE_OTHER_NUMBER, QUEUE_OTHER_CYCLES, QUEUE_OTHER_HOW, QUEUE_LEFT_OUT } wrong;
};

/* The device is that of `config`, with `bytes` of memory from `base` on. */
struct heddle_dut *queue_between_open(struct queue_between *b, const char *config, uint64_t base, uint64_t bytes,
                                      uint64_t seed);
void queue_between_close(struct queue_between *b, struct heddle_dut *d);

#endif
