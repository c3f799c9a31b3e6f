/* SPDX-License-Identifier: Apache-2.0
 *
 * A board by its connection: a serial device, or a program that simulates it. An opened board has been identified
 * and reset, and its memory is ready. */
#ifndef BOARD_OPEN_H
#define BOARD_OPEN_H

#include <sys/types.h>

#include <heddle/port.h>
#include "firmware/board/link.h"

#ifdef __cplusplus
extern "C" {
#endif

struct board {
  int fd;
  pid_t sim; /* of the program that simulates it; 0: hardware */
  struct board_link *link;
  struct board_identity id;
};

/* "tty:PATH" or "tty:PATH:BAUD" (1000000 if not said), "sim:PROGRAM": it is started with --fd N, the line's other end.
 * The trace goes to `trace`, which may be NULL. BOARD_OK, or *message says why; then nothing is open. */
enum board_status board_open(const char *name, board_trace_fn *trace, void *ctx, struct board *b, char *message,
                             size_t bytes);
/* The first half of it: the line is open, without any request. */
enum board_status board_open_line(const char *name, board_trace_fn *trace, void *ctx, struct board *b, char *message,
                                  size_t bytes);
/* The second: b->id is what it says of itself, it has been reset, and its memory is ready after so many milliseconds.
 */
enum board_status board_make_ready(struct board *b, uint32_t ms);
/* For a simulation its exit status, 0 if it found nothing wrong; for hardware 0. */
int board_close(struct board *b);

/* The driver's port (heddle/port.h) over the link: a board as the driver sees it. `l` is borrowed and `id` is what it
 * answered; the port lives as long as `l`. Why a call of the port failed: board_link_message. */
void board_port_bind(struct board_link *l, const struct board_identity *id, struct heddle_port *port);

#ifdef __cplusplus
}
#endif

#endif
