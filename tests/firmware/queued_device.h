/* SPDX-License-Identifier: Apache-2.0
 *
 * A device with a queue of launches, behind a port: the model, in front of which launches wait. Each wait of the host
 * ends one of them. What the host may not touch while they run is refused (rtl/gpu/README.md): the running test
 * fails. */
#ifndef HEDDLE_TEST_QUEUED_DEVICE_H
#define HEDDLE_TEST_QUEUED_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include <heddle/host.h>
#include <heddle/host_regs.h>
#include <heddle/port.h>

enum { QUEUED_DEPTH = 8, QUEUED_HELD = 256 };

struct queued_device {
  struct heddle_port inner;
  uint32_t reg[HEDDLE_REG_LAUNCHES / 4]; /* as the host wrote them */
  struct heddle_host_launch launch[QUEUED_DEPTH + 1];
  unsigned waiting; /* with the one that runs */
  uint32_t status, launches, ended, how[HEDDLE_ENDED_KEPT];
  uint64_t cycles[HEDDLE_ENDED_KEPT];
  struct {
    uint64_t at, bytes;
  } held[QUEUED_HELD]; /* what caches may have of launches since the last rest */
  unsigned holds;
  bool race; /* the only launch ends just before the next START */
  long left; /* accesses until one fails; below 0: never */
  unsigned waits, reads, writes;
  uint32_t mask;       /* IRQ_MASK */
  unsigned mask_words; /* that were written there */
};

/* A port over q->inner, which is a model's. Launches are numbered from `before` + 1 on. */
void queued_device_bind(struct queued_device *q, uint32_t before, struct heddle_port *port);

#endif
