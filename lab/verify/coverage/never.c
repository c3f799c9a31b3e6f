/* SPDX-License-Identifier: Apache-2.0
 *
 * Bins that cannot be hit, and why. One that is hit all the same is reported: then this file is wrong.
 */
#include <string.h>
#include "lab/verify/coverage/internal.h"

/* Bins of caches and of asynchronous copies that cannot be hit, and why (never.c). */

static const char *const no_cache = "the machine has no cache";
static const char *const no_copies = "the machine has no asynchronous copies";
static const char *const one_warp = "a line of local memory is one warp's";

static bool has_cache(const struct cov *c) {
  return c->machine->l1_bytes != 0;
}

static bool has_copies(const struct cov *c) {
  return (c->machine->pipes & HEDDLE_PIPE_ASYNC) != 0;
}

static const char *access_never(const struct cov *c, unsigned access) {
  if (!has_cache(c)) return no_cache;
  return access == CACHE_COPY && !has_copies(c) ? no_copies : NULL;
}

static const char *lookup_never(const struct cov *c, const unsigned *v) {
  const bool mixed = v[2] >= FOUND_HIT_ASKS && v[2] <= FOUND_ALL;
  if (access_never(c, v[0]) != NULL) return access_never(c, v[0]);
  return v[1] == 0 && mixed ? "one sector is found in one state" : NULL;
}

static const char *join_never(const struct cov *c, const unsigned *v) {
  if (access_never(c, v[0]) != NULL) return access_never(c, v[0]);
  return v[0] == CACHE_LOCAL && v[1] == 1 ? one_warp : NULL;
}

static const char *fill_never(const struct cov *c, const unsigned *v) {
  if (!has_cache(c)) return no_cache;
  if (v[2] == 1 && v[1] == 0) return "one load is of one warp";
  return v[2] == 1 && v[0] == 1 ? one_warp : NULL;
}

static const char *hit_never(const struct cov *c, const unsigned *v) {
  if (access_never(c, v[0]) != NULL) return access_never(c, v[0]);
  if (v[0] != CACHE_LOCAL && v[1] == 2) return "a store to global memory leaves nothing in the cache";
  return v[0] == CACHE_LOCAL && v[1] == 1 ? one_warp : NULL;
}

static const char *drop_never(const struct cov *c, const unsigned *v) {
  const unsigned cause = v[0], local = v[1], sector = v[2], waits = v[3];
  if (!has_cache(c)) return no_cache;
  if (sector == DROPPED_ABSENT && waits != WAITS_NOBODY) return "what is not there is not waited for";
  if (sector == DROPPED_COMING && waits == WAITS_NOBODY) return "what is under way is waited for";
  if (local != 0 && cause == DROP_ATOMIC) return "local memory has no atomics";
  if (local != 0 && waits == WAITS_OTHERS && cause <= DROP_BY) return one_warp;
  if (local != 0 && sector == DROPPED_ABSENT && cause >= DROP_FENCE && cause <= DROP_LAUNCH)
    return "an empty cache is counted once";
  if (cause == DROP_FENCE && waits == WAITS_OWN) return "it is done when its warp's loads have been answered";
  if (cause >= DROP_LAUNCH && waits == WAITS_OWN) return "it is no warp's access or fence";
  if (cause == DROP_LAUNCH && waits != WAITS_NOBODY) return "it begins when nothing is under way";
  if (cause == DROP_ERROR && waits != WAITS_OTHERS) return "the requester waits until it is answered";
  if (cause == DROP_REPLACED && waits != WAITS_NOBODY)
    return "a place with loads that have not been read is given to no other line (rtl/cache)";
  return cause == DROP_REPLACED && sector == DROPPED_ABSENT && local == 0 ? "what is not there is not replaced" : NULL;
}

/* and of others that every cache can hit */
static const char *evict_never(const struct cov *c, const unsigned *v) {
  (void)v;
  return has_cache(c) ? NULL : no_cache;
}

static const char *misses_never(const struct cov *c, const unsigned *v) {
  if (!has_cache(c)) return no_cache;
  return v[1] == 2 && c->machine->gmem_lines < 4 ? "the machine has no more tags" : NULL;
}

static const char *copy_never(const struct cov *c, const unsigned *v) {
  if (!has_copies(c)) return no_copies;
  return !has_cache(c) && v[0] != ASYNC_BY ? no_cache : NULL;
}

static const char *await_never(const struct cov *c, const unsigned *v) {
  (void)v;
  return has_copies(c) ? NULL : no_copies;
}

/* Values with which an instruction traps before it issues. */
static const char *value_never(const struct item *it, unsigned op) {
  const bool ones = it->cls == 1, zero = it->cls == 0;
  if (it->field == ISA_F_BARCNT && ones) return "4,095 is no multiple of 32: it traps before it issues";
  if (it->field == ISA_F_BARCNT && zero && op == ISA_OP_BAR_ARV)
    return "it traps before it issues: BAR.ARV wants a count";
  if (it->field == ISA_F_ABS32 && ones) return "no code address: it traps before it issues";
  return NULL;
}

static const char *form_never(const struct cov *c, const unsigned *v) {
  const struct item *it = &c->menu.item[v[0]];
  const unsigned op = heddle_isa_encoding_info((enum heddle_isa_enc)it->enc)->op;
  if (heddle_isa_instr_info((enum heddle_isa_op)op)->flow == ISA_FLOW_TRAP && !item_is_false_guard(it))
    return "it traps before it issues";
  return value_never(it, op);
}

static const char *lanes_never(const struct cov *c, const unsigned *v) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)c->menu.enc[v[0]]);
  const struct heddle_isa_instr *i = heddle_isa_instr_info((enum heddle_isa_op)e->op);
  const unsigned mask = v[1];
  if (mask == MASK_BEATS && c->machine->beats == 1) return "a warp takes one beat";
  if (i->flow == ISA_FLOW_TRAP && mask != MASK_NONE) return "it traps before it issues";
  if (mask == MASK_NONE || mask == MASK_ALL) return NULL;
  if (e->uniform) return "the uniform datapath executes for the warp, or not at all";
  if (i->unit == ISA_UNIT_TENSOR || e->op == ISA_OP_LDSM_16)
    return "matrices want all lanes or none: it traps before it issues";
  return NULL;
}

static const char *code_never(const struct cov *c, const unsigned *v) {
  if (v[1] <= CODE_REUSE) return NULL;
  const unsigned kept = c->menu.reuses[c->menu.unit[v[0]]];
  return (kept >> (v[1] - CODE_REUSE - 1) & 1) != 0 ? NULL : "no word of the unit can keep such an operand";
}

static const char *hazard_never(const struct cov *c, const unsigned *v) {
  const struct menu *m = &c->menu;
  const unsigned written = m->writes[m->unit[v[0]]], read = m->reads[m->unit[v[1]]][v[2]];
  if (read == 0) return "no instruction of the reader's unit has such an operand";
  return (written & read) == 0 ? "the writer's unit writes no register or predicate that is read there" : NULL;
}

static const char *split_never(const struct cov *c, const unsigned *v) {
  const struct heddle_isa_instr *i = heddle_isa_instr_info((enum heddle_isa_op)c->menu.split_op[v[0]]);
  const bool by_register = heddle_isa_encoding_info((enum heddle_isa_enc)i->first_enc)->src[0].kind == ISA_REG;
  return v[1] == OUT_TARGETS && !by_register ? "the word names one target for all" : NULL;
}

static const char *release_never(const struct cov *c, const unsigned *v) {
  (void)c;
  if (v[0] == REL_YIELD && v[3] == 0) return "under `stack` YIELD is a hint";
  const bool stays = v[0] == REL_BREAK || v[0] == REL_BMOV || v[0] == REL_YIELD;
  if (v[2] == 2 && stays) return "the lanes that execute it live and are not among those that go";
  if (v[2] == 2 && v[1] != 0) return "where all live lanes go, no path waits";
  return NULL;
}

static const char *shared_never(const struct cov *c, const unsigned *v) {
  static const unsigned least[SPREADS] = {1, 2, 3, 5, 9, 17};
  const bool atomic = v[0] == SA_ATOM, matrix = v[0] == SA_MATRIX;
  if (atomic && v[1] != 2 && v[1] != 3) return "atomics are of 4 or 8 bytes";
  if (matrix && v[1] != 4) return "a row of a matrix has 16 bytes";
  if (least[v[2]] > c->machine->lsu_lanes) return "a row has no more lanes, and a pass serves one at least";
  return NULL;
}

static const char *global_never(const struct cov *c, const unsigned *v) {
  (void)c;
  const bool atomic = v[0] == GA_ATOM || v[0] == GA_RED;
  if (atomic && v[1] != 2 && v[1] != 3) return "atomics are of 4 or 8 bytes";
  return NULL;
}

static const char *order_never(const struct cov *c, const unsigned *v) {
  (void)c;
  if (v[2] == 0 && v[0] != v[1]) return "an instruction does one thing";
  if (v[2] == 0 && v[3] == 0) return "lanes of one sector are served at once";
  return NULL;
}

static const char *barrier_never(const struct cov *c, const unsigned *v) {
  (void)c;
  if (v[0] == BY_EXIT && v[1] == 0) return "a warp has ended";
  if (v[0] == BY_EXIT && v[2] == 1) return "ended warps do not change a count that was given";
  if (v[0] == BY_ARV && v[2] == 0) return "BAR.ARV gives a count";
  return NULL;
}

static bool number_has(const struct cov *c, const struct number *n, enum heddle_isa_field a, enum heddle_isa_field b) {
  const struct heddle_isa_instr *i = heddle_isa_instr_info((enum heddle_isa_op)n->op);
  for (unsigned e = i->first_enc; e < i->first_enc + i->n_encs; e++)
    if (c->menu.has[e] &&
        (heddle_isa_enc_owns((enum heddle_isa_enc)e, a) || heddle_isa_enc_owns((enum heddle_isa_enc)e, b)))
      return true;
  return false;
}

static const char *number_never(const struct cov *c, const unsigned *v) {
  const struct number *n = &c->menu.number[v[0]];
  if (v[2] != 0 && !number_has(c, n, ISA_F_RND, ISA_F_IRND)) return "it has no rounding field";
  if (v[3] != 0 && !number_has(c, n, ISA_F_FTZ, ISA_F_FTZ)) return "it has no .FTZ";
  if (v[4] != 0 && !number_has(c, n, ISA_F_SAT, ISA_F_SAT)) return "it has no .SAT";
  return NULL;
}

static const char *pair_never(const struct cov *c, const unsigned *v) {
  static const uint8_t first[PAIRS] = {0, 0, 1}, second[PAIRS] = {1, 2, 2};
  unsigned found = 0;
  for (unsigned k = 0; k < c->menu.numbers; k++) {
    const struct number *n = &c->menu.number[k];
    if (n->op == c->menu.pair_op[v[0]]) found |= 1u << n->operand;
  }
  const bool both = (found >> first[v[1]] & found >> second[v[1]] & 1) != 0;
  return both ? NULL : "it has no such operands";
}

static const char *block_never(const struct cov *c, const unsigned *v) {
  if (v[0] == 0 && v[1] != 0) return "one thread has no extent";
  if (v[0] == 3 && c->machine->warps < 2) return "the machine holds one warp";
  return NULL;
}

static const char *resident_never(const struct cov *c, const unsigned *v) {
  static const unsigned least_warps[BLOCK_WARPS] = {1, 2, 3, 4, 8}, least_blocks[SPREADS] = {1, 2, 3, 5, 9, 17};
  if (least_blocks[v[1]] > c->machine->blocks) return "the machine has no more block slots";
  return least_warps[v[0]] * least_blocks[v[1]] > c->machine->warps ? "the machine has no more warp slots" : NULL;
}

static const char *grid_never(const struct cov *c, const unsigned *v) {
  (void)c;
  return v[0] == 0 && v[1] != 0 ? "one block has no extent" : NULL;
}

/* The caches take no more while 14 requests wait. Two groups a partition are asked for, or single words for all places.
 */
static bool few_fetches(const struct heddle_config *c) {
  return (c->fetch_words == 1 ? c->warps * c->ibuf : 2 * c->partitions) < 14;
}

/* A constant a warp, a word for each lane of LDC. */
static bool few_constants(const struct heddle_config *c) {
  return c->warps + c->lsu_lanes < 14;
}

/* At most 8 gslots, two queues of units of 3 places, two queues of 4, 8 of unit sfu; pipes of 10 cycles. */
static bool narrow(const struct heddle_config *c) {
  return c->lsu_lanes <= 8 && c->partitions == 1 && c->fp64_lanes == 0 && c->tensor_cycles == 0;
}

/* What a queue can hold, and what must stand elsewhere while it is full (rtl/README.md has the blocks). */
static const struct {
  const char *queue;
  bool (*fits)(const struct heddle_config *c); /* NULL: every machine */
  const char *reason;
} never_full[] = {
    {"order.waiting", NULL, "what the first one waits for is in flight and holds an entry; else it goes at once"},
    {"order.ended", NULL, "one goes in four cycles, unless the load/store unit has answers; their tags are in use"},
    {"order.start", NULL, "the atomic unit takes one when it is free, and holds its place until it is written"},
    {"order.write", NULL, "places of refills are among the entries, and refills write nothing"},
    {"order.written", NULL, "places of refills are among the entries, and refills write nothing"},
    {"track.order", NULL, "the instruction that is walked holds a gslot, and the next is taken when none is walked"},
    {"icache.parked", few_fetches, "fewer than 14 are requested at a time"},
    {"ccache.parked", few_constants, "fewer than 14 are requested at a time"},
    {"dep.counters", narrow, "gslots, queues and pipes hold fewer than 62 instructions"},
};

static const char *queue_never(const struct cov *c, const unsigned *v) {
  const char *name = queue_table[c->menu.queue[v[0]]].name;
  if (v[1] == 1 && strcmp(name, "icache.lines") == 0 && c->machine->icache_misses == 1) return "it has one place";
  if (v[1] == 1 && strcmp(name, "ccache.lines") == 0 && c->machine->ccache_misses == 1) return "it has one place";
  if (v[1] != QUEUE_STATES - 1) return NULL;
  for (unsigned i = 0; i < sizeof never_full / sizeof *never_full; i++)
    if (strcmp(never_full[i].queue, name) == 0 && (never_full[i].fits == NULL || never_full[i].fits(c->machine)))
      return never_full[i].reason;
  return NULL;
}

static const char *edge_never(const struct cov *c, const unsigned *v) {
  const unsigned window = v[0] % WIN_GENERIC;
  const bool generic = v[0] >= WIN_GENERIC, memory = window == WIN_SHARED || window == WIN_LOCAL;
  (void)c;
  if (v[1] == GA_RED && (generic || memory)) return "RED is of global memory, and not generic";
  if (!generic && window == WIN_LOCAL && v[1] == GA_ATOM) return "local memory has no atomics";
  if (window == WIN_LOCAL && v[2] == AT_ACROSS) return "local memory is a multiple of 16 bytes";
  if (v[2] == AT_UPPER && !generic && memory) return "an address of 32 bits";
  if (v[2] == AT_UPPER && window == WIN_READ_ONLY) return "an address that no region holds counts as writable";
  return NULL;
}

static const char *bank_never(const struct cov *c, const unsigned *v) {
  (void)c;
  if (v[1] > 3 && v[2] != AT_BEHIND) return "there are four banks";
  if (v[1] == 0 && v[2] == AT_ACROSS) return "bank 0 is a multiple of 16 bytes";
  return NULL;
}

static const char *who_never(const struct cov *c, const unsigned *v) {
  const bool access = v[1] > WHO_OPERAND;
  (void)c;
  switch (v[0] + 1) {
  case 1:
    return access ? NULL : "its address is a multiple of its size";
  case 2:
    return access && v[1] != WHO_CONSTANT ? NULL : "it traps for another cause there";
  case 3:
    return v[1] > WHO_GLOBAL && v[1] < WHO_SHARED ? NULL : "it writes no region";
  case 4:
    return v[1] == WHO_OPERAND || v[1] == WHO_CONSTANT ? NULL : "it is no constant";
  default:
    return v[1] == WHO_SHARED ? "shared memory is no memory behind the bus" : NULL;
  }
}

const never_fn group_never[GROUPS] = {
    [G_FORM] = form_never,   [G_LANES] = lanes_never,     [G_CODE] = code_never,         [G_HAZARD] = hazard_never,
    [G_SPLIT] = split_never, [G_RELEASE] = release_never, [G_SHARED] = shared_never,     [G_GLOBAL] = global_never,
    [G_ORDER] = order_never, [G_BARRIER] = barrier_never, [G_NUMBER] = number_never,     [G_PAIR] = pair_never,
    [G_BLOCK] = block_never, [G_GRID] = grid_never,       [G_QUEUE] = queue_never,       [G_EDGE] = edge_never,
    [G_BANK] = bank_never,   [G_WHO] = who_never,         [G_RESIDENT] = resident_never, [G_LOOKUP] = lookup_never,
    [G_JOIN] = join_never,   [G_FILL] = fill_never,       [G_HIT] = hit_never,           [G_DROP] = drop_never,
    [G_EVICT] = evict_never, [G_MISSES] = misses_never,   [G_FENCE] = evict_never,       [G_LOCAL] = evict_never,
    [G_COPY] = copy_never,   [G_AWAIT] = await_never,
};
