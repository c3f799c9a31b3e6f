/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory behind the AXI4 masters of a device: its own allocation, seeded, adversarial by choice. Each of several
 * ports is a bus with its own queues and times. Line n of HEDDLE_AXI_MEM_LINE bytes is of port n mod ports, and no
 * burst crosses a line.
 *
 * All outputs are registered. The caller drives heddle_axi_mem_out of the present cycle onto the bus, and samples the
 * master's outputs of each port (heddle_axi_mem_in). It calls heddle_axi_mem_clock once for the rising edge; then the
 * next outputs are there. Protocol errors of the master are counted, the first one is kept in words; nothing is
 * printed.
 */
#ifndef HEDDLE_AXI_MEM_H
#define HEDDLE_AXI_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_AXI_MEM_MAX_BYTES 128u /* widest data bus */
#define HEDDLE_AXI_MEM_PORTS 4u       /* at most */
#define HEDDLE_AXI_MEM_LINE 128u      /* bytes; of which port they are */
#define HEDDLE_AXI_MEM_QUEUE 256u     /* transactions outstanding in each direction of a port; one more waits */
#define HEDDLE_AXI_MEM_AHEAD 64u      /* beats of W, one less of which may come before their address */
enum { HEDDLE_AXI_AW, HEDDLE_AXI_W, HEDDLE_AXI_B, HEDDLE_AXI_AR, HEDDLE_AXI_R, HEDDLE_AXI_CHANNELS };

struct heddle_axi_mem_config {
  size_t size;          /* sizeof(struct heddle_axi_mem_config) */
  uint64_t base, bytes; /* the addresses that exist; others answer DECERR */
  unsigned data_bytes;  /* of the bus: 4, 8, 16, 32, 64 or 128 (set by the device itself) */
  uint64_t seed;        /* one seed and one sequence of inputs: the same outputs in every cycle */
  /* Cycles between the one in which the last beat of a request is taken and the one of its first answer, if nothing
   * is withheld and the channel is free. With both equal to L, exactly L are between. The last beat is AR; for a
   * write the later of AW and its last W. */
  uint32_t latency_min, latency_max;
  uint16_t stall[HEDDLE_AXI_CHANNELS]; /* per mille of cycles in which ready (AW, W, AR) or valid (B, R) is withheld */
  bool reorder;    /* answer different ids in any order, one of the HEDDLE_AXI_MEM_CHOICE oldest that may be
                    * answered; one id stays in order */
  bool interleave; /* mix R beats of different ids */
  bool hold_aw;    /* often refuse AW until its W beats have been taken */
  uint64_t error_base, error_limit; /* accesses in [base, limit) answer SLVERR; both 0 = none */
  bool any_error;                   /* ... or DECERR, for a read in each of its beats or only in those of that
                                     * address */
  unsigned ports;                   /* 1, 2 or 4; 0 counts as 1 (set by the device itself) */
};

/* Calm: latency 1, always ready. Adversarial: everything on. Both leave base, bytes, data_bytes, errors alone, and need
 * c->size. */
HEDDLE_API void heddle_axi_mem_calm(struct heddle_axi_mem_config *c);
HEDDLE_API void heddle_axi_mem_adversarial(struct heddle_axi_mem_config *c, uint64_t seed);

#define HEDDLE_AXI_MEM_CHOICE 64u

/* Bursts: INCR, 1 to 256 beats, each as wide as the bus or narrower, the first from any byte on; none crosses 4 KiB. */
struct heddle_axi_mem_addr {
  bool valid;
  uint8_t len, size, burst; /* as on the bus: beats - 1, log2 bytes, 1 = INCR */
  uint32_t id;
  uint64_t addr;
};

struct heddle_axi_mem_in { /* driven by the master */
  struct heddle_axi_mem_addr aw, ar;
  bool w_valid, w_last, b_ready, r_ready;
  uint32_t w_strb[HEDDLE_AXI_MEM_MAX_BYTES / 32]; /* the first data_bytes bits */
  uint8_t w_data[HEDDLE_AXI_MEM_MAX_BYTES];
};

struct heddle_axi_mem_out { /* driven by the memory */
  bool aw_ready, w_ready, ar_ready, b_valid, r_valid, r_last;
  uint8_t b_resp, r_resp;
  uint32_t b_id, r_id;
  uint8_t r_data[HEDDLE_AXI_MEM_MAX_BYTES];
};

struct heddle_axi_mem_stats {
  uint64_t reads, writes, read_beats, write_beats;
  uint64_t w_before_aw;              /* W beats taken before their AW */
  uint64_t r_reordered, b_reordered; /* responses that passed an older one of another id */
  uint64_t r_interleaved;
  uint64_t held[HEDDLE_AXI_CHANNELS]; /* cycles in which something was there and had to wait: ready withheld, or on B
                                       * and R by the master or on the way */
  uint64_t error_responses;
  uint64_t protocol_errors;
};

struct heddle_axi_mem;
HEDDLE_API struct heddle_axi_mem *
heddle_axi_mem_new(const struct heddle_axi_mem_config *c); /* zeroed contents; NULL: no memory, or a bad config, or one
                                                            * of another release */
HEDDLE_API void heddle_axi_mem_free(struct heddle_axi_mem *m);
HEDDLE_API uint8_t *heddle_axi_mem_bytes(struct heddle_axi_mem *m);
HEDDLE_API const uint8_t *heddle_axi_mem_view(const struct heddle_axi_mem *m);
HEDDLE_API const struct heddle_axi_mem_config *heddle_axi_mem_configuration(const struct heddle_axi_mem *m);
HEDDLE_API void heddle_axi_mem_reset(struct heddle_axi_mem *m); /* drops transactions; contents stay */
/* `ports` of each. */
HEDDLE_API const struct heddle_axi_mem_out *heddle_axi_mem_outputs(const struct heddle_axi_mem *m);
HEDDLE_API void heddle_axi_mem_clock(struct heddle_axi_mem *m, const struct heddle_axi_mem_in *in);
HEDDLE_API bool heddle_axi_mem_idle(const struct heddle_axi_mem *m);    /* nothing outstanding */
HEDDLE_API bool heddle_axi_mem_writing(const struct heddle_axi_mem *m); /* ... of writes something is */
/* Counts of all ports, and of one; valid as long as the memory, and updated. */
HEDDLE_API const struct heddle_axi_mem_stats *heddle_axi_mem_statistics(const struct heddle_axi_mem *m);
HEDDLE_API const struct heddle_axi_mem_stats *heddle_axi_mem_port_statistics(const struct heddle_axi_mem *m,
                                                                             unsigned port);
HEDDLE_API const char *heddle_axi_mem_protocol_error(const struct heddle_axi_mem *m); /* the first one, or NULL */

/* The same bytes without the bus, for a memory system in its place. `n` at most 128; bit i of `strb` (two words):
 * byte i is written. False: some of them do not exist; then nothing has happened. Error answers are that memory
 * system's own. */
HEDDLE_API bool heddle_axi_mem_load(const struct heddle_axi_mem *m, uint64_t at, void *to, unsigned n);
HEDDLE_API bool heddle_axi_mem_store(struct heddle_axi_mem *m, uint64_t at, const void *from, const uint64_t *strb,
                                     unsigned n);

/* From now on the bytes that the master may write are those of `n` ranges, at most HEDDLE_AXI_MEM_RANGES; 0: all. A
 * write elsewhere is performed all the same, and the first such byte is recorded. */
#define HEDDLE_AXI_MEM_RANGES 17u
struct heddle_axi_mem_range {
  uint64_t base, limit;
};
HEDDLE_API void heddle_axi_mem_writable(struct heddle_axi_mem *m, const struct heddle_axi_mem_range *r, unsigned n);
/* From now on accesses in [base, limit) answer with errors; both 0: none. Earlier errors are dropped. */
HEDDLE_API void heddle_axi_mem_errors(struct heddle_axi_mem *m, uint64_t base, uint64_t limit);
HEDDLE_API bool heddle_axi_mem_strayed(const struct heddle_axi_mem *m,
                                       uint64_t *addr); /* since then; *addr: of the first such byte */

/* Has a write been refused since then? *addr: where the first began of which the master has taken the answer, of
 * several ports' in one cycle that of the lowest. */
HEDDLE_API bool heddle_axi_mem_refused(const struct heddle_axi_mem *m, uint64_t *addr);
/* Is what was last to be written there not there, since it was refused? */
HEDDLE_API bool heddle_axi_mem_missing(const struct heddle_axi_mem *m, uint64_t addr);

/* ---- bytes of another owner: a platform's memory, in its own time. Channels, checks and the order of an id stay
 * here. Each burst goes out whole, once its address (read) or its last beat (write) has been taken, and is answered
 * by heddle_axi_mem_answer, of different ids in any order. Times, errors and range of the configuration are not
 * used. */
struct heddle_axi_mem_ask {
  bool write;
  uint16_t at; /* names it in its direction until the bus has its answer */
  uint64_t addr;
  unsigned bytes;               /* as many as its beats have, at most 32,768 */
  const uint8_t *data, *strobe; /* of a write: `bytes` each, a strobe 0 or 255; until `ask` returns */
};
struct heddle_axi_mem_outside {
  size_t size; /* sizeof(struct heddle_axi_mem_outside) */
  void *self;
  void (*ask)(void *self, const struct heddle_axi_mem_ask *a);
  /* Once a rising edge, after its requests went out and before answers for the next cycle are chosen: here time
   * passes, and answers are given. */
  void (*pass)(void *self);
};
/* From now on; `o` is copied. There is nothing outstanding, and no reset while there is. False: no memory, or `o` is of
 * another release. */
HEDDLE_API bool heddle_axi_mem_set_outside(struct heddle_axi_mem *m, const struct heddle_axi_mem_outside *o);
/* resp: as on the bus. data: of a read, its bytes. */
HEDDLE_API void heddle_axi_mem_answer(struct heddle_axi_mem *m, bool write, uint16_t at, uint8_t resp,
                                      const uint8_t *data);

#ifdef __cplusplus
}
#endif

#endif
