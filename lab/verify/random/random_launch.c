/* SPDX-License-Identifier: Apache-2.0
 * What a random program is launched with: sizes of blocks and grids in one to three dimensions, what limits how many
 * blocks run at a time, input, constant banks. A job is made of it later (docs/how-a-launch-travels.md, before A 3). */
#include <stdlib.h>

#include "lab/verify/random/node.h"
#include "base/splitmix64.h"

#define WARPS_MOST 32u /* of a grid: programs stay cheap */
#define FILLS_MOST 48u /* of one that fills the machine: half as many again as the largest has */
#define BLOCK_THREADS_MOST 1024u
#define BLOCK_Z_MOST 64u  /* more is refused: isa/doc/06-abi.md; cosim/session/host_launch.c asks for it */
#define BLOCK_Z_LARGE 17u /* split_extents() draws less */
#define SPREAD_MOST 4096u
#define REGS_MOST heddle_isa_registers(false)

unsigned random_threads(const struct random_program *p) {
  const uint32_t *b = p->launch.block;
  return b[0] * b[1] * b[2];
}

unsigned random_warps(const struct random_program *p) {
  return (random_threads(p) + 31) / 32;
}

unsigned random_blocks(const struct random_program *p) {
  const uint32_t *g = p->launch.grid;
  return g[0] * g[1] * g[2];
}

unsigned random_grid_at(const struct random_program *p) {
  return random_blocks(p) * random_warps(p) * WARP_BYTES;
}

unsigned random_neighbours_at(const struct random_program *p) {
  return random_grid_at(p) + SCRATCH_GRID_BYTES + 16;
}

unsigned random_local(const struct random_program *p) {
  return LOCAL_BYTES + LOCAL_STACK_BYTES + p->local_more;
}

/* A few, so that what follows in memory is near, or many; of both also the most there may be. */
uint32_t random_local_more(const struct random_limits *l, uint64_t drawn) {
  const uint32_t used = LOCAL_BYTES + LOCAL_STACK_BYTES, most = l->max_local, any = (uint32_t)(drawn >> 8);
  if (most < used + 16) return 0;
  const uint32_t room = most - used,
                 all[] = {16, 16 * (1 + any % 32), 16 * (1 + any % 512), 16 * (1 + any % 4096), room};
  const uint32_t bytes = all[drawn % 16 == 0 ? 4 : drawn % 4];
  return bytes < room ? bytes : room;
}

bool random_whole_warps(const struct random_program *p) {
  return random_threads(p) % 32 == 0;
}

static unsigned draw_threads(struct random_program *p, unsigned most, unsigned extent) {
  static const enum knob kinds[] = {KNOB_BLOCK_SMALL, KNOB_BLOCK_RAGGED, KNOB_BLOCK_MEDIUM, KNOB_BLOCK_FULL};
  unsigned n;
  switch (random_pick(p, kinds, sizeof kinds / sizeof *kinds)) {
  case 1:
    n = random_chance(p, 40) ? 1 + random_below(p, 31) : 1 + random_below(p, random_chance(p, 75) ? 64 : 160);
    if (extent > 1) n = (n + 3) / 4 * 4; /* so that there are factors */
    if (n % 32 == 0) n -= extent > 1 ? 4 : 1;
    if (extent == 1 && random_chance(p, 10)) n = 1;
    break;
  case 2:
    n = 32 * (3 + random_below(p, 6));
    break;
  case 3:
    n = most;
    break;
  default:
    n = 32 * (1 + random_below(p, 3) / 2);
    break;
  }
  return n < most ? n : most;
}

/* In how many dimensions: one most often. */
static unsigned draw_extent(struct random_program *p) {
  return random_chance(p, 55) ? 1 : 2 + random_below(p, 2);
}

/* `n` as a product of so many, if it has the factors. */
static void split_extents(struct random_program *p, unsigned n, uint32_t out[3], unsigned extent, unsigned most_z) {
  out[1] = out[2] = 1;
  for (unsigned d = extent - 1; d > 0; d--) { /* the last first: one of two in three dimensions is z */
    unsigned by = 2 + random_below(p, 15);
    while (by > 1 && (n % by != 0 || (d == 2 && by > most_z))) by--;
    out[d] = by;
    n /= by;
  }
  out[0] = n;
}

/* The last dimension as large as it may be, or nearly; or the middle one. */
static void make_tall(struct random_program *p) {
  const unsigned n = random_threads(p), any = BLOCK_Z_LARGE + random_below(p, BLOCK_Z_MOST - BLOCK_Z_LARGE + 1);
  const unsigned z = random_chance(p, 40) ? BLOCK_Z_MOST : any, most = z < n ? z : n < BLOCK_Z_MOST ? n : BLOCK_Z_MOST;
  uint32_t *b = p->launch.block;
  b[0] = b[1] = b[2] = 1;
  if (random_chance(p, 25))
    b[1] = n;
  else
    b[2] = most, b[random_below(p, 2)] = n / most;
}

/* Fewer blocks fit when each takes more than it needs. */
static void limit_occupancy(struct random_program *p) {
  if (!random_knob_chance(p, KNOB_OCCUPANCY_LIMITED)) return;
  if (random_warps(p) == 1 && p->limits.warp_regs >= REGS_MOST && p->limits.max_regs >= REGS_MOST &&
      random_chance(p, 15)) {
    p->regs = REGS_MOST;
    return;
  }
  const unsigned warps = (random_warps(p) + 3) / 4 * 4; /* each partition takes whole warps */
  unsigned regs = p->limits.max_regs;
  if (p->limits.warp_regs / warps < regs) regs = p->limits.warp_regs / warps;
  const unsigned shared = random_warps(p) * WARP_SHARED_BYTES, room = p->limits.max_shared;
  if (random_chance(p, 50) && regs > REG_COUNT)
    p->regs = REG_COUNT + 1 + random_below(p, regs - REG_COUNT);
  else if (room >= shared + 16)
    p->pad = 16 * (1 + random_below(p, (room - shared) / 16));
}

/* Where it fits: 32 lanes as far apart as the banks of the largest machine. */
static void make_spread(struct random_program *p) {
  const unsigned warps = random_warps(p), used = warps * WARP_SHARED_BYTES + p->pad, room = p->limits.max_shared;
  if (!random_knob_chance(p, KNOB_SHARED_SPREAD)) return;
  for (p->spread = SPREAD_MOST; p->spread >= 512 && used + warps * p->spread > room;) p->spread /= 2;
  if (p->spread < 512) p->spread = 0;
}

/* Small regions, sizes of which no access is a divisor, and some bytes of shared memory at its end. */
static void make_edges(struct random_program *p) {
  struct random_launch *l = &p->launch;
  const unsigned warps = random_warps(p), used = warps * (WARP_SHARED_BYTES + p->spread) + p->pad;
  const unsigned room = p->limits.max_shared - used, most = room < 48 ? room : 48;
  if (!random_knob_chance(p, KNOB_MEMORY_EDGES)) return;
  l->more = random_chance(p, 20) ? RANDOM_MORE : 1 + random_below(p, RANDOM_MORE);
  l->more_writable = random_below(p, 1u << RANDOM_MORE);
  for (unsigned i = 0; i < l->more; i++)
    l->more_bytes[i] = random_chance(p, 50) ? 4 * (1 + random_below(p, 24)) : 1 + random_below(p, 70);
  if (most > 0) p->shared_edge = 1 + random_below(p, most);
  l->input_bytes += random_below(p, 16);
}

/* So many warps of each partition at a time that a register more would not fit; often those of one block. */
static void fill_registers(struct random_program *p) {
  const unsigned parts = p->limits.partitions != 0 ? p->limits.partitions : 4, each = p->limits.warp_regs / parts;
  const unsigned need = (random_warps(p) + parts - 1) / parts, all = p->limits.max_threads / 32 / parts;
  if (need > all) return;
  const unsigned more = random_below(p, all - need + 1);
  unsigned at_once = random_chance(p, 40) ? need : need + more;
  if (random_chance(p, 70)) /* without a rest */
    while (at_once < all && each % at_once != 0) at_once++;
  unsigned regs = each / at_once < p->limits.max_regs ? each / at_once : p->limits.max_regs;
  if (regs > REGS_MOST) regs = REGS_MOST;
  if (regs > REG_COUNT) p->regs = regs;
}

/* As many bytes of shared memory for each of so many blocks; of one alone to the last byte. */
static void fill_shared(struct random_program *p) {
  if (p->shared_edge == 0) p->shared_edge = 1 + random_below(p, 48);
  const unsigned used = random_warps(p) * (WARP_SHARED_BYTES + p->spread) + p->pad + p->shared_edge;
  const unsigned room = p->limits.max_shared, most = room / used;
  if (most == 0) {
    p->shared_edge = 0;
    return;
  }
  const unsigned blocks = 1 + random_below(p, most), bytes = blocks == 1 ? room : room / blocks / 16 * 16;
  if (bytes <= used) return;
  p->pad += (bytes - used) / 16 * 16; /* what is at the edge begins at a multiple of 16 */
  p->shared_edge += (bytes - used) % 16;
}

/* Words of all kinds: edges of FP32, of FP16 pairs, of the upper words of FP64, small numbers, anything. */
static bool fill_input(struct random_program *p) {
  struct random_launch *l = &p->launch;
  p->input = calloc(1, l->input_bytes);
  if (!p->input) return false;
  for (size_t i = 0; i < NUMBERS_AT; i += 4) {
    const uint32_t v = random_knob_chance(p, KNOB_OPERAND_EDGE) ? random_edge(p) : (uint32_t)splitmix64(&p->rng);
    for (unsigned b = 0; b < 4; b++) p->input[i + b] = (uint8_t)(v >> (8 * b));
  }
  random_fill_numbers(p, p->input + NUMBERS_AT);
  l->input = p->input;
  return true;
}

/* Bytes of a bank that every offset reaches. */
static uint32_t bank_most(void) {
  const int64_t operand = heddle_isa_field_most(ISA_F_COFF), load = heddle_isa_field_most(ISA_F_COFF16);
  return (uint32_t)(operand < load ? operand : load) + 1;
}

static bool fill_banks(struct random_program *p) {
  static const uint16_t sizes[] = {32, 256, 1024, 4096, 16384};
  struct random_launch *l = &p->launch;
  for (unsigned i = 1; i < 3; i++) {
    if (p->knobs.value[KNOB_STREAM_CONSTANT].high == 0) continue;
    /* A last word of its own, where two would be too many; or one that lies there in part. */
    const unsigned part = random_below(p, 16), last = random_chance(p, 30) ? 4 : random_chance(p, 25) ? part : 0;
    const uint32_t bytes = sizes[random_below(p, sizeof sizes / sizeof *sizes)] + last, most = bank_most();
    l->bank_bytes[i] = p->bank_used[i] = bytes < most ? bytes : most;
    p->bank[i] = malloc((l->bank_bytes[i] + 7u) / 8 * 8);
    if (!p->bank[i]) return false;
    for (uint32_t b = 0; b < l->bank_bytes[i]; b += 8) {
      const uint64_t v = splitmix64(&p->rng);
      for (unsigned k = 0; k < 8; k++) p->bank[i][b + k] = (uint8_t)(v >> (8 * k));
    }
    l->bank[i] = p->bank[i];
  }
  return true;
}

/* Across 4 GiB; in the middle, where bit 39 turns; as far up as code, constants and local memory behind leave room. */
static uint64_t draw_base(struct random_program *p) {
  static const uint64_t far[] = {0xffffe000, 0x7fffff8000, 0x8000000000, 0xfffb000000};
  if (p->limits.base != 0) return p->limits.base;
  if (!random_knob_chance(p, KNOB_MEMORY_FAR)) return 0x100000;
  return far[random_below(p, sizeof far / sizeof *far)];
}

/* Threads of one, two or three warps, now and then a part of the last; and as many blocks as the machine has warps for,
 * or up to half as many again. */
static unsigned draw_filling(struct random_program *p, unsigned most, unsigned *blocks) {
  const unsigned each = p->limits.max_threads / 32 > 1 ? p->limits.max_threads / 32 : 1;
  const unsigned all = p->limits.sms > 1 ? each * p->limits.sms : each;
  unsigned warps = 1 + random_below(p, 3);
  while (warps > 1 && (warps > each || 32 * warps > most)) warps--;
  const unsigned room = all / warps;
  *blocks = room + random_below(p, room / 2 + 1);
  while (*blocks > 1 && *blocks * warps > FILLS_MOST) --*blocks;
  const unsigned threads = random_chance(p, 25) ? 32 * warps - 4 * random_below(p, 8) : 32 * warps;
  return threads < most ? threads : most;
}

/* The grid, in one to three dimensions. */
static void make_grid(struct random_program *p, unsigned blocks, unsigned most) {
  const unsigned extent = draw_extent(p);
  if (extent > 1 && blocks > 1) blocks = (blocks + 3) / 4 * 4;
  while (blocks > 1 && blocks * random_warps(p) > most) blocks--;
  split_extents(p, blocks, p->launch.grid, extent, UINT16_MAX);
}

static unsigned neighbour_bytes(const struct random_program *p) {
  const unsigned threads = random_blocks(p) * random_threads(p);
  return (threads > NEIGHBOUR_BYTES ? threads : NEIGHBOUR_BYTES) + NEIGHBOUR_GAP;
}

unsigned random_crowd_at(const struct random_program *p) {
  return (random_grid_at(p) + SCRATCH_GRID_BYTES + neighbour_bytes(p) + 127u) & ~127u;
}

unsigned random_crowd_warps(const struct random_program *p) {
  return (random_blocks(p) * random_threads(p) + 31) / 32;
}

unsigned random_crowd_bytes(const struct random_program *p) {
  return p->knobs.value[KNOB_STREAM_CROWD].low == 0 ? 0 : CROWD_AREAS * 128u * random_crowd_warps(p);
}

unsigned random_share_at(const struct random_program *p) {
  return random_crowd_bytes(p) != 0 ? random_crowd_at(p) + random_crowd_bytes(p)
                                    : random_grid_at(p) + SCRATCH_GRID_BYTES + neighbour_bytes(p);
}

bool random_make_launch(struct random_program *p) {
  struct random_launch *l = &p->launch;
  unsigned blocks = 0;
  unsigned most = p->limits.max_threads < BLOCK_THREADS_MOST ? p->limits.max_threads : BLOCK_THREADS_MOST;
  const unsigned by_shared = p->limits.max_shared / WARP_SHARED_BYTES * 32;
  if (by_shared < most) most = by_shared;
  const unsigned by_regs = p->limits.warp_regs / REG_COUNT * 32;
  if (p->limits.warp_regs != 0 && by_regs < most) most = by_regs;
  const unsigned extent = draw_extent(p);
  const unsigned threads = p->fills ? draw_filling(p, most, &blocks) : draw_threads(p, most, extent);
  split_extents(p, threads, l->block, extent, BLOCK_Z_MOST);
  if (p->tall) make_tall(p);
  if (!p->fills) blocks = random_between(p, KNOB_GRID_BLOCKS);
  if (p->brief)
    blocks = WARPS_MOST;
  else if (!p->fills && random_chance(p, 60))
    blocks = (blocks + 3) / 4; /* most grids are small */
  make_grid(p, blocks, p->fills ? FILLS_MOST : WARPS_MOST);
  l->launches = random_chance(p, 85) ? p->knobs.value[KNOB_LAUNCHES].low : random_between(p, KNOB_LAUNCHES);
  limit_occupancy(p);
  make_spread(p);
  l->base = draw_base(p);
  l->input_bytes = NUMBERS_AT + NUMBER_BYTES;
  make_edges(p);
  if (p->exact && random_chance(p, 60) && p->limits.warp_regs != 0)
    fill_registers(p);
  else if (p->exact)
    fill_shared(p);
  l->out_bytes = random_share_at(p) + share_bytes(p);
  return fill_input(p) && fill_banks(p);
}
