/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames of the link (lab/fpga/board/link/README.md): between two END bytes channel, sequence number, length, payload,
 * CRC-32, numbers low byte first, END and ESC inside as two bytes each. Nothing here waits, allocates or prints. */
#ifndef BOARD_FRAME_H
#define BOARD_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  FRAME_END = 0xc0,
  FRAME_ESC = 0xdb,
  FRAME_ESC_END = 0xdc,
  FRAME_ESC_ESC = 0xdd,
  FRAME_HEAD = 7, /* bytes before the payload */
  FRAME_TAIL = 4,
  FRAME_DATA = 1024, /* of one access to memory, or of one echo */
  FRAME_PAYLOAD = FRAME_DATA + 6,
  FRAME_BYTES = FRAME_HEAD + FRAME_PAYLOAD + FRAME_TAIL,
  FRAME_WIRE = 2 * FRAME_BYTES + 2 /* at most, on the line */
};
enum frame_channel { FRAME_COMMANDS = 0, FRAME_TRACE = 1 };

/* A frame as it goes over the line; returns its bytes. `n` is at most FRAME_PAYLOAD. */
size_t frame_encode(uint8_t channel, uint32_t seq, const uint8_t *payload, size_t n, uint8_t wire[FRAME_WIRE]);

uint32_t frame_u32(const uint8_t *bytes); /* low byte first */
uint64_t frame_u64(const uint8_t *bytes);
void frame_put(uint8_t *bytes, uint64_t value, unsigned n); /* the low n bytes of it */

/* Parser of frames from bytes. All zero at first. */
struct frame_reader {
  uint8_t bytes[FRAME_BYTES];
  size_t n;
  bool escape, wrong;
  uint64_t bad; /* frames that were dropped: CRC, length, escapes */
};
struct frame {
  uint8_t channel;
  uint32_t seq;
  const uint8_t *payload; /* inside the reader, until the next byte */
  size_t n;
};
/* One byte further. True: a frame is whole and right. */
bool frame_read(struct frame_reader *r, uint8_t byte, struct frame *f);

#ifdef __cplusplus
}
#endif

#endif
