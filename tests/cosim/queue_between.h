/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue in front of a device that has none: launches that wait are kept here, and begun when the one before has ended
 * (rtl/gpu/README.md says what the registers must hold). What a session asks of a queue can so be tested on the
 * smallest machine, and with a queue that errs.
 */
#ifndef QUEUE_BETWEEN_H
#define QUEUE_BETWEEN_H

#include <heddle/host_regs.h>
#include <heddle/session.h>

#define QUEUE_WORDS ((0x300 - HEDDLE_REG_GRID_X) / 4) /* of launch registers */

struct queue_between {
  struct heddle_dut *device;
  uint32_t stage[QUEUE_WORDS], slot[HEDDLE_ENDED_KEPT + 1][QUEUE_WORDS]; /* of number n: slot n mod their number */
  uint32_t launches, ended;
  uint32_t how[HEDDLE_ENDED_KEPT];
  uint64_t cycles[HEDDLE_ENDED_KEPT];
  bool running, stopped;
  unsigned most; /* that have been under way at once */
  /* What it does wrongly, where `number` is not 0. */
  uint32_t number;
  enum { QUEUE_OTHER_GRID, QUEUE_OTHER_NUMBER, QUEUE_OTHER_CYCLES, QUEUE_OTHER_HOW, QUEUE_LEFT_OUT } wrong;
};

/* The device is that of `config`, with `bytes` of memory from `base` on. NULL: err says why. */
struct heddle_dut *queue_between_open(struct queue_between *b, const char *config, uint64_t base, uint64_t bytes,
                                      uint64_t seed, char *err, size_t err_bytes);
void queue_between_close(struct queue_between *b, struct heddle_dut *d);

#endif
