/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside device/ only: transactions of the AXI memory.
 */
#ifndef HEDDLE_AXI_INTERNAL_H
#define HEDDLE_AXI_INTERNAL_H

#include "cosim/device/axi_table.h"

#define AXI_BEATS 256u
#define AXI_BURST (AXI_BEATS * HEDDLE_AXI_MEM_MAX_BYTES)
enum { AXI_OKAY = 0, AXI_SLVERR = 2, AXI_DECERR = 3 };

struct axi_w_beat {
  uint8_t data[HEDDLE_AXI_MEM_MAX_BYTES];
  uint32_t strb[HEDDLE_AXI_MEM_MAX_BYTES / 32];
  bool last;
};

/* A port: five channels of its own, and when it answers. */
struct axi_port {
  struct heddle_axi_mem *m;
  unsigned number;
  uint64_t rng;
  struct heddle_axi_mem_out *out;     /* its place among those of the memory, */
  struct heddle_axi_mem_stats *stats; /* and among these */
  struct heddle_axi_mem_in prev;      /* what was shown in the last cycle and not taken: valid, with its payload */
  struct axi_table write, read;
  uint16_t filling;         /* the oldest write that lacks data, or AXI_NONE */
  uint16_t answered;        /* the write that B belongs to */
  struct axi_w_beat *ahead; /* HEDDLE_AXI_MEM_AHEAD beats that came before their address */
  unsigned ahead_head, ahead_count;
  struct axi_w_beat (*data)[AXI_BEATS]; /* of writes, by their place in the table */
  unsigned held_aw;                     /* cycles for which AW has been refused on purpose */
  bool hold;                            /* the present AW shall wait for its data */
  uint16_t r_current;                   /* read that R beats belong to, or AXI_NONE */
  bool sleeps;                          /* in this cycle nothing happens here */
  uint8_t (*answer)[AXI_BURST];         /* what reads were answered from outside, by their place in the table */
};

struct heddle_axi_mem {
  struct heddle_axi_mem_config cfg;
  uint8_t *bytes;
  uint64_t cycle;
  struct axi_port *port;              /* cfg.ports of them */
  struct heddle_axi_mem_out *out;     /* one of each */
  struct heddle_axi_mem_stats *stats; /* the same, and behind them their sum */
  bool calm;                          /* no channel ever stalls */
  char error[192];
  struct heddle_axi_mem_range range[HEDDLE_AXI_MEM_RANGES]; /* that may be written; none: all */
  unsigned ranges;
  bool strayed;
  uint64_t stray;                               /* the first byte that was written outside of them */
  uint8_t *missing;                             /* not 0: the byte was last written in vain; NULL: none yet */
  bool refused;                                 /* a write has been, */
  uint64_t refused_at;                          /* the first one's address */
  const struct heddle_axi_mem_outside *outside; /* whose the bytes are, `others`; NULL: `bytes` */
  struct heddle_axi_mem_outside others;
};

/* axi_outside.c */
void axi_ask_read(struct axi_port *q, uint16_t at);
void axi_ask_write(struct axi_port *q, uint16_t at);
void axi_present_answer(struct axi_port *q, const struct axi_burst *b); /* on r_data */

/* axi_check.c */
void axi_error(struct axi_port *q, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void axi_check_stable(struct axi_port *q, const struct heddle_axi_mem_in *in); /* valid holds its payload until ready */
void axi_check_burst(struct axi_port *q, const struct heddle_axi_mem_addr *a, const char *channel);
void axi_check_hazard(struct axi_port *q, const struct heddle_axi_mem_addr *a, bool is_write);

#endif
