/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets of gdb's remote serial protocol: "$TEXT#XX", XX the sum of the bytes of TEXT. Input is not to be trusted. */
#ifndef HEDDLE_DEBUG_PACKET_H
#define HEDDLE_DEBUG_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACKET_MAX 16384u /* bytes of TEXT, either way */

enum packet_event {
  PACKET_MORE,     /* nothing yet */
  PACKET_WHOLE,    /* text, n: a packet, with a zero behind it */
  PACKET_BAD,      /* its sum is wrong, or it is too long */
  PACKET_INTERRUPT /* Ctrl-C, outside of packets */
};

struct packet_reader {
  char text[PACKET_MAX + 1];
  size_t n;
  uint8_t sum, wanted;
  enum { PACKET_OUTSIDE, PACKET_TEXT, PACKET_SUM_1, PACKET_SUM_2 } state;
  bool too_long;
};

enum packet_event packet_take(struct packet_reader *r, uint8_t byte); /* r begins zeroed */

/* An answer; what does not fit is cut off, and `full` says so. */
struct packet {
  char text[PACKET_MAX + 1];
  size_t n;
  bool full;
};

void packet_clear(struct packet *p);
void packet_put(struct packet *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void packet_hex(struct packet *p, const void *bytes, size_t n);
/* Bytes as they are, with an escape in front of those that mean something; how many of them found room. */
size_t packet_bytes(struct packet *p, const void *bytes, size_t n);
/* The whole packet as it goes over the line, p->n + 4 bytes. How many. */
size_t packet_frame(const struct packet *p, char *out);

/* Hex digits at *text, which moves behind them; false: none, or more than 16. */
bool packet_number(const char **text, uint64_t *value);
/* 2 n hex digits; false: others, or the end. */
bool packet_unhex(const char **text, uint8_t *out, size_t n);

#endif
