/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside device/ only: transactions of the AXI memory.
 */
#ifndef HEDDLE_AXI_INTERNAL_H
#define HEDDLE_AXI_INTERNAL_H

#include "heddle/axi_mem.h"

#define AXI_BEATS 256u
#define AXI_SECTOR 32u
enum { AXI_OKAY = 0, AXI_SLVERR = 2, AXI_DECERR = 3 };

/* A burst between its address handshake and its last response. */
struct axi_burst {
  struct axi_mem_addr a;
  uint64_t due;  /* first cycle in which it may be answered */
  unsigned beat; /* writes: data beats taken; reads: beats handed over */
  uint8_t resp;
  bool in_part; /* reads: an error only in beats of which a byte is in error */
  bool ready;   /* writes: all data is here */
};

/* Oldest first; a removal closes the gap. */
struct axi_list {
  struct axi_burst item[AXI_MEM_QUEUE];
  unsigned count;
};

struct axi_w_beat {
  uint8_t data[AXI_MEM_MAX_BYTES];
  uint64_t strb;
  bool last;
};

struct axi_mem {
  struct axi_mem_config cfg;
  uint8_t *bytes;
  uint64_t rng, cycle;
  struct axi_mem_out out;
  struct axi_mem_in prev; /* of the last cycle, and whether each was taken */
  bool aw_taken, w_taken, ar_taken;
  struct axi_list write, read;
  struct axi_w_beat *ahead; /* AXI_MEM_QUEUE beats that came before their address */
  unsigned ahead_head, ahead_count;
  uint8_t (*data)[AXI_BEATS * AXI_MEM_MAX_BYTES]; /* of writes, by `slot` */
  uint64_t (*strb)[AXI_BEATS];
  uint8_t slot[AXI_MEM_QUEUE]; /* data row of write.item[i] */
  uint64_t slots_used;
  unsigned held_aw; /* cycles for which AW has been refused on purpose */
  bool hold;        /* the present AW shall wait for its data */
  bool calm;        /* no channel ever stalls */
  int r_current;    /* read that R beats belong to, or -1 */
  struct axi_mem_stats stats;
  char error[192];
  struct axi_mem_range range[AXI_MEM_RANGES]; /* that may be written; none: all */
  unsigned ranges;
  bool strayed;
  uint64_t stray; /* the first byte that was written outside of them */
};

/* axi_check.c */
void axi_error(struct axi_mem *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void axi_check_stable(struct axi_mem *m, const struct axi_mem_in *in); /* valid holds its payload until ready */
void axi_check_burst(struct axi_mem *m, const struct axi_mem_addr *a, const char *channel);
void axi_check_hazard(struct axi_mem *m, const struct axi_mem_addr *a, bool is_write);

static inline uint64_t axi_beat_addr(const struct axi_mem_addr *a, unsigned beat) {
  const uint64_t step = 1ull << a->size;
  return beat == 0 ? a->addr : (a->addr & ~(step - 1)) + beat * step;
}

static inline uint64_t axi_burst_start(const struct axi_mem_addr *a) {
  return a->addr & ~((1ull << a->size) - 1);
}

static inline uint64_t axi_burst_end(const struct axi_mem_addr *a) {
  const uint64_t step = 1ull << a->size;
  return (a->addr & ~(step - 1)) + (a->len + 1u) * step;
}

#endif
