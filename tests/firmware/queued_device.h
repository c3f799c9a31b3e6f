/* SPDX-License-Identifier: Apache-2.0
 *
 * A device with a queue of launches, behind a port: the model, in front of which launches wait. Each wait of the host
 * ends one of them, or brings it to a page that it waits for. A host access not allowed while they run is refused
 * (rtl/gpu/README.md): the running test fails. So it does where the host takes a frame from a page in another order
 * than isa/doc/18-virtual-memory.md has: absent, invalidated, out of the shared cache, read or written. */
#ifndef HEDDLE_TEST_QUEUED_DEVICE_H
#define HEDDLE_TEST_QUEUED_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include <heddle/host.h>
#include <heddle/host_regs.h>
#include <heddle/port.h>

enum { QUEUED_DEPTH = 8, QUEUED_HELD = 256, QUEUED_FRAMES = 4096 };

/* How far the host has come with a frame since the grid began. */
enum queued_step { QUEUED_UNKNOWN, QUEUED_MAPPED, QUEUED_ABSENT, QUEUED_FORGOTTEN, QUEUED_OUT };

struct queued_device {
  struct heddle_port inner;
  uint32_t reg[HEDDLE_REG_LAUNCHES / 4]; /* as the host wrote them */
  struct heddle_host_launch launch[QUEUED_DEPTH + 1];
  unsigned waiting;  /* with the one that runs */
  bool begun;        /* that one has begun, and waits for pages */
  uint32_t l2;       /* what CAP_L2 says */
  uint32_t cache[4]; /* CACHE_BASE to CACHE_LIMIT_HI */
  struct {
    uint64_t at;
    enum queued_step step;
  } frame[QUEUED_FRAMES];
  unsigned frames, taken, invalidations, flushes, replays; /* taken: frames that went all the way */
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
