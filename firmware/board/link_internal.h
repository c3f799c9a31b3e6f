/* SPDX-License-Identifier: Apache-2.0
 * Parts of link.c, for a test that sends single frames, too. */
#ifndef BOARD_LINK_INTERNAL_H
#define BOARD_LINK_INTERNAL_H

#include "firmware/board/frame.h"
#include "firmware/board/link.h"

enum command {
  COMMAND_IDENTIFY = 1,
  COMMAND_ECHO,
  COMMAND_READ_REG,
  COMMAND_WRITE_REG,
  COMMAND_READ_MEM,
  COMMAND_WRITE_MEM,
  COMMAND_RESET,
  COMMAND_COUNTERS,
  COMMAND_TRACE_MODE /* 10 is reserved */
};
enum answer { ANSWER_OK, ANSWER_UNKNOWN, ANSWER_MALFORMED, ANSWER_BUS_ERROR, ANSWER_NO_ANSWER };
enum { LINK_VERSION = 1, LINK_INFO = 32 };

struct board_link {
  struct board_link_options o;
  uint32_t seq; /* of the last command */
  struct frame_reader reader;
  struct board_traffic traffic;
  uint32_t heddle_trace_next; /* the frame that follows those that came */
  bool trace_known;           /* heddle_trace_next means something */
  uint8_t answer[FRAME_PAYLOAD];
  size_t answer_bytes;
  bool answered;
  char message[256];
};

uint64_t link_now_ms(const struct board_link *l);
/* The payload `p` of `n` bytes is executed; its answer, without the state, is in l->answer and has `want` bytes. */
enum board_status link_transact(struct board_link *l, const uint8_t *p, size_t n, size_t want);
/* Take what comes until `until` (link_now_ms), or until an answer has come. */
enum board_status link_receive(struct board_link *l, uint64_t until, bool for_answer);

#endif
