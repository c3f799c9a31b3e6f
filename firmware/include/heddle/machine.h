/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine for makers, checkers and launchers of programs, and whether it can run one. The compiler's target,
 * `heddle run`, lint, the driver and the platform's model all describe theirs like this. */
#ifndef HEDDLE_MACHINE_H
#define HEDDLE_MACHINE_H

#include <heddle/api.h>
#include <heddle/config.h>
#include <heddle/host_regs.h>
#include <heddle/program.h>

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_machine {
  size_t size;                       /* sizeof(struct heddle_machine), also where a call fills the rest */
  char name[64];                     /* "fpga", for messages */
  uint32_t units;                    /* heddle_isa_needs: its units; all ones: not checked */
  uint32_t lanes, partitions, warps; /* warp slots, shared by the partitions in equal parts */
  uint32_t regs, shared_bytes, blocks, axi_bits;
  uint8_t stall[8];      /* by enum heddle_stall: latencies that control codes must cover */
  unsigned fp64_latency; /* cycles; 0: it has no unit fp64 */
  uint64_t config_hash, latency_hash;
  uint32_t sms; /* SMs, each of these sizes; 0 counts as 1 */
  bool mmu;     /* launches may have pages (isa/doc/18-virtual-memory.md) */
};

/* Everything that the instruction set has, in a roomy machine without latencies: the model's own. */
HEDDLE_API void heddle_machine_whole(struct heddle_machine *m);
HEDDLE_API void heddle_machine_of(const struct heddle_config *c, struct heddle_machine *m);
/* The configuration's, or that of one of its devices ("fpga_cover"). False: there is none of that name. */
HEDDLE_API bool heddle_machine_find(const char *name, struct heddle_machine *m);
/* The slowest of all in each latency: codes made for it run on every machine. The rest is that of the whole one. */
HEDDLE_API void heddle_machine_slowest(struct heddle_machine *m);

/* Are the kernel's control codes made for latencies as long as these? */
HEDDLE_API bool heddle_machine_covered(const struct heddle_machine *m, const struct heddle_kernel *k);

/* Why it refuses a launch with `regs` registers a thread and `shared_bytes` of shared memory a block; _NONE: it does
 * not. */
HEDDLE_API enum heddle_refuse heddle_machine_refuses(const struct heddle_machine *m, const uint32_t grid[3],
                                                     const uint32_t block[3], uint32_t regs, uint32_t shared_bytes);

/* ---- can it run a kernel? */

enum heddle_lack_kind { HEDDLE_LACK_UNIT, HEDDLE_LACK_WARPS, HEDDLE_LACK_REGS, HEDDLE_LACK_SHARED };

struct heddle_lack {
  enum heddle_lack_kind kind;
  unsigned bit;       /* UNIT: of heddle_isa_needs */
  uint32_t pc, words; /* UNIT: the first instruction that needs it (UINT32_MAX: unknown), and how many do */
  uint32_t warps;     /* of a block */
  uint64_t wants, has;
};
#define HEDDLE_LACKS_MAX 40u /* units, and three limits */

/* Lacks of the machine for a launch of `k` with blocks of `threads` (0: as many as fit) and `shared_bytes` of shared
 * memory, the kernel's own included. Units come first, in the order of their bits. 0: it can run. Words that are no
 * instruction do not count: they trap on any machine. */
HEDDLE_API unsigned heddle_machine_lacks(const struct heddle_machine *m, const struct heddle_program *p,
                                         const struct heddle_kernel *k, uint32_t threads, uint64_t shared_bytes,
                                         struct heddle_lack list[HEDDLE_LACKS_MAX]);

/* One of these as a sentence without its full stop: "kernel k needs unit uni, which fpga lacks: 2 instructions, the
 * first at 0x0050 (k.s:7), UMOV UR4, 0x1". Returns text. */
HEDDLE_API const char *heddle_lack_text(const struct heddle_machine *m, const struct heddle_program *p,
                                        const struct heddle_kernel *k, const struct heddle_lack *lack, char *text,
                                        size_t size);

/* Names of all configurations that can run it, "duo, sm" ("" if there is none), cut to `size`; how many. `has`, unless
 * NULL, leaves out those for which it is false. */
HEDDLE_API unsigned heddle_machines_for(const struct heddle_program *p, const struct heddle_kernel *k, uint32_t threads,
                                        uint64_t shared_bytes, bool (*has)(void *ctx, const char *name), void *ctx,
                                        char *names, size_t size);

#ifdef __cplusplus
}
#endif

#endif
