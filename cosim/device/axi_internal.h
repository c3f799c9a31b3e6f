/* SPDX-License-Identifier: Apache-2.0
 *
 * The AXI memory inside: its transactions by age, id and due, its ports.
 */
#ifndef HEDDLE_COSIM_DEVICE_AXI_INTERNAL_H
#define HEDDLE_COSIM_DEVICE_AXI_INTERNAL_H

#include <heddle/axi_mem.h>

/* The transactions of one direction, HEDDLE_AXI_MEM_QUEUE at most. Nothing here walks all of them
 * in a cycle: a burst is found by its age, its id or the cycle in which it is due.
 *
 * `able` are those that may be answered: the oldest of its id, complete, due. Where order is kept the oldest of all is
 * enough, and `able` stays empty (`any_order` false). */

#define AXI_NONE UINT16_MAX
#define AXI_IDS 256u      /* chains of ids that are equal modulo this */
#define AXI_SECTORS 4096u /* counts of sectors that are equal modulo this */
#define AXI_SECTOR 32u

/* A burst between its address handshake and its last response. */
struct axi_burst {
  struct heddle_axi_mem_addr a;
  uint64_t due;  /* first cycle in which it may be answered */
  uint64_t age;  /* the lower, the older */
  unsigned beat; /* writes: data beats taken; reads: beats handed over */
  uint16_t older, newer;
  uint16_t next_of_id; /* the next newer one of its chain */
  uint8_t resp;
  bool in_part; /* reads: an error only in beats of which a byte is in error */
  bool ready;   /* writes: all data is here; reads: always. Both, where bytes are outside: answered */
};

struct axi_table {
  struct axi_burst item[HEDDLE_AXI_MEM_QUEUE]; /* a burst keeps its place */
  bool any_order;
  unsigned count;
  uint64_t ages;
  uint16_t unused[HEDDLE_AXI_MEM_QUEUE]; /* a stack of HEDDLE_AXI_MEM_QUEUE - count places */
  uint16_t oldest, newest;
  uint16_t first_of_id[AXI_IDS], last_of_id[AXI_IDS];
  uint16_t able[HEDDLE_AXI_MEM_QUEUE], ables;   /* oldest first */
  uint16_t later[HEDDLE_AXI_MEM_QUEUE], laters; /* a heap by due: these become able */
  uint16_t sector[AXI_SECTORS];                 /* bursts that touch one of those sectors */
};

void axi_table_clear(struct axi_table *t, bool any_order);
/* There is room (count < HEDDLE_AXI_MEM_QUEUE). A read comes ready, with its due, unless its bytes are outside. */
uint16_t axi_table_add(struct axi_table *t, const struct axi_burst *b);
void axi_table_ready(struct axi_table *t, uint16_t at, uint64_t due); /* a write has all its data; or as `ready` */
void axi_table_remove(struct axi_table *t, uint16_t at);
void axi_table_wake(struct axi_table *t, uint64_t cycle); /* `able` is that of this cycle */

static inline uint64_t axi_first_sector(const struct heddle_axi_mem_addr *a) {
  return a->addr / AXI_SECTOR;
}

static inline uint64_t axi_beat_addr(const struct heddle_axi_mem_addr *a, unsigned beat) {
  const uint64_t step = 1ull << a->size;
  return beat == 0 ? a->addr : (a->addr & ~(step - 1)) + beat * step;
}

static inline uint64_t axi_burst_start(const struct heddle_axi_mem_addr *a) {
  return a->addr & ~((1ull << a->size) - 1);
}

static inline uint64_t axi_burst_end(const struct heddle_axi_mem_addr *a) {
  return axi_burst_start(a) + ((a->len + 1ull) << a->size);
}

static inline uint64_t axi_last_sector(const struct heddle_axi_mem_addr *a) {
  return (axi_burst_end(a) - 1) / AXI_SECTOR;
}

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
  const struct heddle_axi_mem_outside *outside; /* ctx of `others`; NULL: `bytes` */
  struct heddle_axi_mem_outside others;
};

/* axi_transactions.c */
void axi_ask_read(struct axi_port *q, uint16_t at);
void axi_ask_write(struct axi_port *q, uint16_t at);
void axi_present_answer(struct axi_port *q, const struct axi_burst *b); /* on r_data */

/* axi_transactions.c */
void axi_error(struct axi_port *q, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void axi_check_stable(struct axi_port *q, const struct heddle_axi_mem_in *in); /* valid holds its payload until ready */
void axi_check_burst(struct axi_port *q, const struct heddle_axi_mem_addr *a, const char *channel);
void axi_check_hazard(struct axi_port *q, const struct heddle_axi_mem_addr *a, bool is_write);

#endif
