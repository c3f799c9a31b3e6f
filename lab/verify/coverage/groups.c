/* SPDX-License-Identifier: Apache-2.0
 *
 * The groups: what each counts, and its dimensions. never.c says which bins cannot be. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lab/verify/coverage/internal.h"

static const char *const what[GROUPS][2] = {
    [G_FORM] = {"form", "Warp instructions that some lane executes, by what the word shows: its form alone, `-`, or a "
                        "class of one field's values."},
    [G_LANES] = {"lanes", "Warp instructions issued: instruction and form by the lanes that execute: none, one, whole "
                          "beats, some, all 32."},
    [G_CODE] = {"code", "Control codes of issued words by unit: stall count, yield, the counters that are set and "
                        "awaited, operands kept for reuse."},
    [G_HAZARD] = {"hazard", "Reads of registers that the warp wrote, and how many issues later. By the unit of the "
                            "writer, that of the reader, the operand, the distance to the nearest writer (1: the next "
                            "issue), the dependency mode. Both have executing lanes."},
    [G_SPLIT] = {"split", "Instructions that lead elsewhere: lanes that they take along (none, all, a part, or "
                          "to several targets) by the paths that wait then."},
    [G_RELEASE] = {"release",
                   "Lanes parked at a convergence barrier or WARPSYNC go on: what let them go, how many paths "
                   "wait then, how many lanes go, under which divergence unit."},
    [G_SHARED] = {"shared",
                  "Accesses of shared memory: passes that the worst row of the load/store unit took (the degree "
                  "of its bank conflicts) by the width of a lane's access."},
    [G_GLOBAL] = {"global",
                  "Accesses of global memory by their addresses: sectors, bytes a lane, where the lowest lane "
                  "begins, whether lanes overlap."},
    [G_ORDER] = {"order",
                 "Neighbours at the point of order: accesses, the one before, warps, places. Local memory is left "
                 "out."},
    [G_BARRIER] = {"barrier",
                   "A named barrier lets its warps go: the warp that came last, how many warps of the block had ended, "
                   "whether the count was given."},
    [G_TRAP] = {"trap", "Traps by cause, and what still completed between the last issue and the trap's record."},
    [G_NUMBER] = {"number",
                  "Operands that are floating-point numbers, a lane each, raw: class by rounding, FTZ, SAT. In "
                  "FP16 pairs, both halves that the part suffix names."},
    [G_PAIR] = {"pair", "Classes of two operands of one lane together."},
    [G_BLOCK] = {"block", "Launches: threads of a block, and in how many dimensions it extends."},
    [G_GRID] = {"grid", "Launches: one block, as many as find room at a time, or more; how the grid extends."},
    [G_EDGE] = {"edge",
                "Accesses, a lane each, aligned: their place in their window (a region of the host's table, shared or "
                "local memory, directly or by a generic address), or beside it. Those that trap as well."},
    [G_BANK] = {"bank",
                "Constants, operands and by LDC, a lane each: which bank, and where in it. Those that trap as well."},
    [G_WHO] = {"who",
               "Traps of memory: the cause by requester: the instruction's word, a constant operand, an access."},
    [G_RELATION] = {"relation", "Operands a and b in registers, a lane each, of what compares them: how they relate."},
    [G_RESIDENT] = {"resident",
                    "A block begins: how many warps it has, and how many blocks are resident then, itself among them."},
    [G_HELD] = {"held", "A block begins and takes warp slots in a partition: how many of them are taken there then."},
    [G_LOOKUP] =
        {"lookup",
         "Loads that pass the cache, a line each: how many sectors of it, and their state: there, to be requested, "
         "to be joined; or the load passes the cache by for want of a place."},
    [G_JOIN] = {"join",
                "A load joins a sector that is under way: its requester, and whether it has been read at the point of "
                "order yet."},
    [G_FILL] =
        {"fill",
         "A sector that loads waited for, when all have read: how many they were, of how many warps, and whether it "
         "was dropped meanwhile."},
    [G_HIT] = {"hit", "A sector is read at once: the load that brought it, and whether it was read so before."},
    [G_DROP] = {"drop",
                "A sector is dropped: why, what of it was there, waiting warps: the warp alone of the access or fence "
                "it is, or others."},
    [G_EVICT] = {"evict",
                 "A sector is replaced: was it read again since it came, and does some load wait for another one."},
    [G_MISSES] = {"misses",
                  "A load begins to wait: requests for sectors that are under way then, this one among them, and loads "
                  "that wait, a line each. all: as many as the machine has tags."},
    [G_FENCE] =
        {"fence",
         "A fence or an emptying is done: the warp of stores acknowledged since the warp's instruction before it "
         "issued, and whether stores are under way still."},
    [G_LOCAL] = {"local",
                 "A sector of local memory is loaded: there by a store, by a fill, by a fill and stored to since. Or "
                 "requested, by a warp that has stored to it or not; joined, stored to meanwhile or not; past the "
                 "cache."},
    [G_COPY] = {"copy",
                "An asynchronous copy stores: how it has loaded, and whether others of its warp are under way."},
    [G_AWAIT] =
        {"await",
         "A warp that copies waits: by what, and whether a copy has stored since the instruction before that issued."},
    [G_QUEUE] = {"queue", "Queues, tables and counters of the RTL were seen empty, in use, full. Filled by devices of "
                          "variant `cover` alone."},
};

static const char *const masks[] = {"none", "one", "beats", "some", "all", NULL};
static const char *const places[] = {"a", "b", "c", "guard", "predicate", NULL};
static const char *const distances[] = {"1", "2", "3", "4", "5", "6", "7", "8", "more", NULL};
static const char *const modes[] = {"control", "scoreboard", NULL};
static const char *const outcomes[] = {"nobody", "all", "part", "targets", NULL};
static const char *const depths[] = {"0", "1", "2-7", "8-31", NULL};
static const char *const releases[] = {"BSYNC", "BREAK", "EXIT", "KILL", "WARPSYNC", "BMOV.SET", "YIELD", NULL};
static const char *const released[] = {"one", "some", "all", NULL};
static const char *const divs[] = {"stack", "its", NULL};
static const char *const shared_access[] = {"load", "store", "atomic", "matrix", NULL};
static const char *const global_access[] = {"load", "store", "atomic", "reduction", NULL};
static const char *const widths[] = {"1", "2", "4", "8", "16", NULL};
static const char *const spreads[] = {"1", "2", "3-4", "5-8", "9-16", "17-32", NULL};
static const char *const starts[] = {"line", "sector", "inside", NULL};
static const char *const overlaps[] = {"apart", "overlap", NULL};
static const char *const kinds[] = {"load", "store", "atomic", NULL};
static const char *const whos[] = {"instruction", "warp", "other", NULL};
static const char *const wheres[] = {"sector", "line", "elsewhere", NULL};
static const char *const bys[] = {"BAR.SYNC", "BAR.ARV", "BAR.RED", "BAR.RED.POPC", "exit", NULL};
static const char *const few[] = {"none", "one", "several", NULL};
static const char *const counts[] = {"block", "given", NULL};
static const char *const flights[] = {"nothing", "result", "shared", "load", "store", "atomic", NULL};
static const char *const classes[] = {"+0",        "+denormal", "+normal", "+inf", "+nan", "-0",
                                      "-denormal", "-normal",   "-inf",    "-nan", NULL};
static const char *const roundings[] = {"RN", "RM", "RP", "RZ", NULL};
static const char *const ftz[] = {"-", "FTZ", NULL}, *const sat[] = {"-", "SAT", NULL};
static const char *const pairs[] = {"a,b", "a,c", "b,c", NULL};
static const char *const threads[] = {"1", "2-31", "32", "warps-and-part", "warps", "most", NULL};
static const char *const extents[] = {"x", "xy", "xyz", NULL};
static const char *const blocks[] = {"one", "resident", "more", NULL};
static const char *const block_warps[] = {"1", "2", "3", "4-7", "more", NULL};
static const char *const windows[] = {"writable",       "read-only",        "shared",
                                      "local",          "generic-writable", "generic-read-only",
                                      "generic-shared", "generic-local",    NULL};
static const char *const places_of_window[] = {"first", "inside", "last", "across", "behind", "below", "upper", NULL};
static const char *const banks_by[] = {"operand", "LDC", NULL};
static const char *const banks[] = {"0", "1", "2", "3", "4-7", "8-15", "16-31", NULL};
static const char *const places_of_bank[] = {"first", "inside", "last", "across", "behind", NULL};
static const char *const memory_causes[] = {"misaligned",  "out_of_range", "write_protected",
                                            "const_range", "bus_error",    NULL};
static const char *const who_asks[] = {"word",    "operand",      "LDC",    "load",  "store", "atomic",
                                       "generic", "generic-atom", "shared", "local", NULL};
static const char *const relations[] = {"equal",   "one-above", "one-below", "sign",
                                        "negated", "inverted",  "other",     NULL};
static const char *const cache_access[] = {"load", "local", "copy", NULL};
static const char *const line_sectors[] = {"1", "2-3", "4", NULL};
static const char *const found[] = {"hit", "asks", "joins", "hit+asks", "hit+joins", "asks+joins", "all", "by", NULL};
static const char *const askers[] = {"own", "other", NULL}, *const comes[] = {"coming", "read", NULL};
static const char *const cache_memory[] = {"global", "local", NULL};
static const char *const waiters[] = {"1", "2", "3-more", NULL}, *const waiting_warps[] = {"one", "several", NULL};
static const char *const overtaken[] = {"kept", "overtaken", NULL};
static const char *const brought[] = {"own", "other", "store", NULL}, *const times[] = {"first", "again", NULL};
static const char *const drop_causes[] = {"store",    "atomic", "strong",   "by",    "fence",
                                          "emptying", "launch", "replaced", "error", NULL};
static const char *const dropped[] = {"absent", "coming", "here", NULL};
static const char *const dropped_waits[] = {"nobody", "own", "others", NULL};
static const char *const read_again[] = {"once", "again", NULL}, *const meanwhile[] = {"nobody", "others", NULL};
static const char *const misses_of[] = {"requests", "loads", NULL};
static const char *const misses_many[] = {"1", "2", "some", "all", NULL};
static const char *const fence_scopes[] = {"CTA", "GPU", "emptying", NULL};
static const char *const acked[] = {"none", "own", "others", "both", NULL}, *const left[] = {"none", "some", NULL};
static const char *const local_found[] = {
    "stored", "filled", "filled+stored", "asks", "asks+stored", "joins", "joins+stored", "by", NULL};
static const char *const copy_loads[] = {"hit", "waited", "by", "mixed", NULL};
static const char *const copy_others[] = {"alone", "others", NULL};
static const char *const await_by[] = {"DEPBAR-0", "DEPBAR-more", "fence", NULL};
static const char *const await_came[] = {"none", "some", NULL};
static const char *const queue_states[] = {"empty", "some", "full", NULL};

/* ---- building dimensions */

struct names {
  char **at;
  unsigned n;
  size_t room;
  bool failed;
};

static void add_value_name(struct names *t, const char *text) {
  if (!array_room(&t->at, &t->room, t->n + 1, sizeof *t->at)) {
    t->failed = true;
    return;
  }
  t->at[t->n] = strdup(text);
  if (t->at[t->n] == NULL)
    t->failed = true;
  else
    t->n++;
}

/* The dimension owns the names from now on. */
static bool close_dim(struct group *g, const char *name, const struct names *t) {
  g->dim[g->dims++] = (struct dim){name, t->n, t->at};
  return !t->failed;
}

static bool dim_of(struct group *g, const char *name, const char *const *values) {
  struct names t = {0};
  for (; *values != NULL; values++) add_value_name(&t, *values);
  return close_dim(g, name, &t);
}

static bool dim_items(struct cov *c) {
  struct names t = {0};
  char text[COV_BIN_BYTES], cls[64];
  for (unsigned i = 0; i < c->menu.items; i++) {
    const struct item *it = &c->menu.item[i];
    const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)it->enc);
    const char *op = heddle_isa_op_name((enum heddle_isa_op)e->op);
    if (it->field == ISA_FIELD_NONE)
      snprintf(text, sizeof text, "%s/%s/-", op, e->format);
    else
      snprintf(text, sizeof text, "%s/%s/%s=%s", op, e->format,
               heddle_isa_field_info((enum heddle_isa_field)it->field)->name,
               field_class_name(it->field, it->cls, cls, sizeof cls));
    add_value_name(&t, text);
  }
  return close_dim(&c->group[G_FORM], "what", &t);
}

static bool dim_forms(struct cov *c) {
  struct names t = {0};
  char text[COV_BIN_BYTES];
  for (unsigned i = 0; i < c->menu.encs; i++) {
    const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)c->menu.enc[i]);
    snprintf(text, sizeof text, "%s/%s", heddle_isa_op_name((enum heddle_isa_op)e->op), e->format);
    add_value_name(&t, text);
  }
  return close_dim(&c->group[G_LANES], "form", &t);
}

static bool dim_units(struct cov *c, enum group_id id, const char *name) {
  struct names t = {0};
  for (unsigned i = 0; i < c->menu.units; i++)
    add_value_name(&t, heddle_isa_unit_name((enum heddle_isa_unit)c->menu.unit[i]));
  return close_dim(&c->group[id], name, &t);
}

static bool dim_codes(struct cov *c) {
  static const char *const reuse[] = {"none", "a", "b", "c", "several"};
  struct names t = {0};
  char text[32];
  for (unsigned k = 0; k < CODES; k++) {
    const unsigned sb = k < CODE_RBAR ? k - CODE_WBAR : k < CODE_WAIT ? k - CODE_RBAR : k - CODE_WAIT;
    const char *what_set = k < CODE_RBAR ? "wbar" : k < CODE_WAIT ? "rbar" : "wait";
    if (k < CODE_YIELD)
      snprintf(text, sizeof text, "stall=%u", k - CODE_STALL);
    else if (k < CODE_WBAR)
      snprintf(text, sizeof text, "yield=%u", k - CODE_YIELD);
    else if (k >= CODE_REUSE)
      snprintf(text, sizeof text, "reuse=%s", reuse[k - CODE_REUSE]);
    else if (sb < 6)
      snprintf(text, sizeof text, "%s=SB%u", what_set, sb);
    else
      snprintf(text, sizeof text, "%s=%s", what_set, sb == 6 ? "none" : "several");
    add_value_name(&t, text);
  }
  return close_dim(&c->group[G_CODE], "code", &t);
}

static bool dim_ops(struct cov *c, enum group_id id, const uint16_t *op, unsigned n) {
  struct names t = {0};
  for (unsigned i = 0; i < n; i++) add_value_name(&t, heddle_isa_op_name((enum heddle_isa_op)op[i]));
  return close_dim(&c->group[id], "instruction", &t);
}

static bool dim_numbers(struct cov *c) {
  static const char *const format[] = {"", "F16", "F32", "F64"};
  struct names t = {0};
  char text[80];
  for (unsigned i = 0; i < c->menu.numbers; i++) {
    const struct number *n = &c->menu.number[i];
    snprintf(text, sizeof text, "%s.%c/%s", heddle_isa_op_name((enum heddle_isa_op)n->op), 'a' + n->operand,
             format[n->format]);
    add_value_name(&t, text);
  }
  return close_dim(&c->group[G_NUMBER], "operand", &t);
}

static bool dim_causes(struct cov *c) {
  struct names t = {0};
  for (unsigned k = HEDDLE_TRAP_NONE + 1; k < COV_CAUSES; k++)
    add_value_name(&t, heddle_cause_name((enum heddle_cause)k));
  return close_dim(&c->group[G_TRAP], "cause", &t);
}

/* Partitions from 0, their warp slots from 1. */
static bool dim_range(struct group *g, const char *name, unsigned first, unsigned n) {
  struct names t = {0};
  char text[16];
  for (unsigned k = first; k < first + n; k++) {
    snprintf(text, sizeof text, "%u", k);
    add_value_name(&t, text);
  }
  return close_dim(g, name, &t);
}

static bool dim_queues(struct cov *c) {
  struct names t = {0};
  for (unsigned k = 0; k < c->menu.queues; k++) add_value_name(&t, queue_table[c->menu.queue[k]].name);
  return close_dim(&c->group[G_QUEUE], "queue", &t);
}

/* ---- the groups */

static bool words_make(struct cov *c) {
  struct group *g = c->group;
  return dim_items(c) && dim_forms(c) && dim_of(&g[G_LANES], "lanes", masks) && dim_units(c, G_CODE, "unit") &&
         dim_codes(c) && dim_units(c, G_HAZARD, "writer") && dim_units(c, G_HAZARD, "reader") &&
         dim_of(&g[G_HAZARD], "operand", places) && dim_of(&g[G_HAZARD], "distance", distances) &&
         dim_of(&g[G_HAZARD], "mode", modes);
}

static bool flow_make(struct cov *c) {
  struct group *g = c->group;
  return dim_ops(c, G_SPLIT, c->menu.split_op, c->menu.split_ops) && dim_of(&g[G_SPLIT], "takes", outcomes) &&
         dim_of(&g[G_SPLIT], "waiting", depths) && dim_of(&g[G_RELEASE], "by", releases) &&
         dim_of(&g[G_RELEASE], "waiting", depths) && dim_of(&g[G_RELEASE], "lanes", released) &&
         dim_of(&g[G_RELEASE], "unit", divs) && dim_of(&g[G_BARRIER], "last", bys) &&
         dim_of(&g[G_BARRIER], "ended", few) && dim_of(&g[G_BARRIER], "count", counts) && dim_causes(c) &&
         dim_of(&g[G_TRAP], "completed", flights);
}

static bool memory_make(struct cov *c) {
  struct group *g = c->group;
  return dim_of(&g[G_SHARED], "access", shared_access) && dim_of(&g[G_SHARED], "bytes", widths) &&
         dim_of(&g[G_SHARED], "passes", spreads) && dim_of(&g[G_GLOBAL], "access", global_access) &&
         dim_of(&g[G_GLOBAL], "bytes", widths) && dim_of(&g[G_GLOBAL], "sectors", spreads) &&
         dim_of(&g[G_GLOBAL], "begins", starts) && dim_of(&g[G_GLOBAL], "lanes", overlaps) &&
         dim_of(&g[G_ORDER], "after", kinds) && dim_of(&g[G_ORDER], "came", kinds) &&
         dim_of(&g[G_ORDER], "of-the-same", whos) && dim_of(&g[G_ORDER], "in-the-same", wheres);
}

static bool others_make(struct cov *c) {
  struct group *g = c->group;
  return dim_numbers(c) && dim_of(&g[G_NUMBER], "class", classes) && dim_of(&g[G_NUMBER], "rounding", roundings) &&
         dim_of(&g[G_NUMBER], "ftz", ftz) && dim_of(&g[G_NUMBER], "sat", sat) &&
         dim_ops(c, G_PAIR, c->menu.pair_op, c->menu.pair_ops) && dim_of(&g[G_PAIR], "operands", pairs) &&
         dim_of(&g[G_PAIR], "first", classes) && dim_of(&g[G_PAIR], "second", classes) &&
         dim_of(&g[G_BLOCK], "threads", threads) && dim_of(&g[G_BLOCK], "extent", extents) &&
         dim_of(&g[G_GRID], "blocks", blocks) && dim_of(&g[G_GRID], "extent", extents) && dim_queues(c) &&
         dim_of(&g[G_QUEUE], "state", queue_states);
}

static bool edges_make(struct cov *c) {
  struct group *g = c->group;
  return dim_of(&g[G_EDGE], "window", windows) && dim_of(&g[G_EDGE], "access", global_access) &&
         dim_of(&g[G_EDGE], "place", places_of_window) && dim_of(&g[G_BANK], "by", banks_by) &&
         dim_of(&g[G_BANK], "bank", banks) && dim_of(&g[G_BANK], "place", places_of_bank) &&
         dim_of(&g[G_WHO], "cause", memory_causes) && dim_of(&g[G_WHO], "who", who_asks) &&
         dim_ops(c, G_RELATION, c->menu.related_op, c->menu.related_ops) &&
         dim_of(&g[G_RELATION], "relation", relations);
}

static bool rooms_make(struct cov *c) {
  struct group *g = c->group;
  const unsigned partitions = c->machine->partitions;
  return dim_of(&g[G_RESIDENT], "warps", block_warps) && dim_of(&g[G_RESIDENT], "blocks", spreads) &&
         dim_range(&g[G_HELD], "partition", 0, partitions) &&
         dim_range(&g[G_HELD], "slots", 1, c->machine->warps / partitions);
}

static bool cache_make(struct cov *c) {
  struct group *g = c->group;
  return dim_of(&g[G_LOOKUP], "access", cache_access) && dim_of(&g[G_LOOKUP], "sectors", line_sectors) &&
         dim_of(&g[G_LOOKUP], "found", found) && dim_of(&g[G_JOIN], "access", cache_access) &&
         dim_of(&g[G_JOIN], "asked-by", askers) && dim_of(&g[G_JOIN], "fill", comes) &&
         dim_of(&g[G_FILL], "memory", cache_memory) && dim_of(&g[G_FILL], "waiters", waiters) &&
         dim_of(&g[G_FILL], "warps", waiting_warps) && dim_of(&g[G_FILL], "then", overtaken) &&
         dim_of(&g[G_HIT], "access", cache_access) && dim_of(&g[G_HIT], "brought-by", brought) &&
         dim_of(&g[G_HIT], "time", times) && dim_of(&g[G_DROP], "cause", drop_causes) &&
         dim_of(&g[G_DROP], "memory", cache_memory) && dim_of(&g[G_DROP], "sector", dropped) &&
         dim_of(&g[G_DROP], "waits", dropped_waits) && dim_of(&g[G_EVICT], "memory", cache_memory) &&
         dim_of(&g[G_EVICT], "read", read_again) && dim_of(&g[G_EVICT], "waits", meanwhile) &&
         dim_of(&g[G_MISSES], "of", misses_of) && dim_of(&g[G_MISSES], "many", misses_many) &&
         dim_of(&g[G_FENCE], "scope", fence_scopes) && dim_of(&g[G_FENCE], "acknowledged", acked) &&
         dim_of(&g[G_FENCE], "left", left) && dim_of(&g[G_LOCAL], "found", local_found);
}

static bool async_make(struct cov *c) {
  struct group *g = c->group;
  return dim_of(&g[G_COPY], "loaded", copy_loads) && dim_of(&g[G_COPY], "beside", copy_others) &&
         dim_of(&g[G_AWAIT], "by", await_by) && dim_of(&g[G_AWAIT], "came", await_came);
}

static bool count_bins(struct cov *c, enum group_id id) {
  struct group *g = &c->group[id];
  unsigned v[COV_DIMENSIONS];
  g->bins = 1;
  for (unsigned d = 0; d < g->dims; d++) g->bins *= g->dim[d].n;
  g->count = calloc(g->bins, sizeof *g->count);
  g->never = calloc(g->bins, sizeof *g->never);
  if (g->count == NULL || g->never == NULL) return false;
  for (uint32_t b = 0; b < g->bins; b++) {
    uint32_t rest = b;
    for (unsigned d = g->dims; d-- > 0; rest /= g->dim[d].n) v[d] = rest % g->dim[d].n;
    g->never[b] = group_never[id] != NULL ? group_never[id](c, v) : NULL;
  }
  return true;
}

bool groups_make(struct cov *c) {
  for (unsigned id = 0; id < GROUPS; id++) {
    c->group[id].name = what[id][0];
    c->group[id].what = what[id][1];
  }
  bool ok = words_make(c) && flow_make(c) && memory_make(c) && others_make(c) && edges_make(c) && rooms_make(c) &&
            cache_make(c) && async_make(c);
  for (unsigned id = 0; ok && id < GROUPS; id++) ok = count_bins(c, (enum group_id)id);
  return ok;
}
