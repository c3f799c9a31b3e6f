/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside device/ only: the transactions of one direction, HEDDLE_AXI_MEM_QUEUE at most. Nothing here walks all of them
 * in a cycle: a burst is found by its age, its id or the cycle in which it is due.
 *
 * `able` are those that may be answered: the oldest of its id, complete, due. Where order is kept the oldest of all is
 * enough, and `able` stays empty (`any_order` false). */
#ifndef HEDDLE_AXI_TABLE_H
#define HEDDLE_AXI_TABLE_H

#include <heddle/axi_mem.h>

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

#endif
