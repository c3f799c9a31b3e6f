/* SPDX-License-Identifier: Apache-2.0
 *
 * Life of a checker, and the way of a record to the function that judges it.
 */
#include "cosim/checker/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/checker.h>
#include <heddle/record.h>
#include <heddle/retire_fields.h>
#include "base/options.h"
#include "base/text.h"
#include "cosim/checker/internal.h"
#include "cosim/checker/pages.h"

/* The sizes of the checker's tables, from what the machine is made of. */

#define PORTS 4u    /* write ports that records can name, one a bank; UNKNOWN of a device that does not name them */
#define PARTS 4u    /* partitions of an SM, at most */
#define PIPES 5u    /* of fixed latency */
#define UNIFORM 9u  /* uniform registers and predicates that a partition can write in a cycle */
#define STAGES 8u   /* pipeline registers of a stage, before and after what it is named for */
#define UNITS 64u   /* instructions in units of a partition with a latency of their own: some pipeline registers each */
#define LSU 112u    /* instructions in the load/store unit: three queues of 16 rows at most, and 64 global slots */
#define UNKNOWN 64u /* of anything that the configuration does not tell */

static unsigned known_or(unsigned n, unsigned otherwise) {
  return n != 0 ? n : otherwise;
}

/* An instruction is under way from its issue record to the last record that it owes. Meanwhile it is in one of these
 * places, each of which holds so many; the second to the fourth exist in each partition:
 *   control, one a warp                                          warps
 *   operand stage: being read, or in one of its two queues       2 collectors + STAGES
 *   units of the partition with a latency of their own           UNITS
 *   a pipe: one a cycle at most, until the write port shows it   PIPES (latency + beats + STAGES)
 *   load/store unit                                              LSU
 *   point of order: an outstanding request at least              gmem_lines
 * Twice that are kept, since records may come some cycles after what they show. */
static unsigned under_way(const struct heddle_checker_config *cfg) {
  const unsigned beats = HEDDLE_RECORD_LANES / cfg->lanes;
  const unsigned parts = known_or(cfg->partitions, PARTS);
  const unsigned operand = parts * (2 * known_or(cfg->collectors, UNKNOWN) + STAGES);
  const unsigned pipes = parts * PIPES * (known_or(cfg->latency, UNKNOWN) + beats + STAGES);
  return 2 * (cfg->warp_slots + operand + parts * UNITS + pipes + LSU + known_or(cfg->gmem_lines, UNKNOWN));
}

/* Each port of each partition shows one write a cycle, and a read looks back read_age cycles; its predicate port shows
 * one record a cycle, with all predicates at the most, and so does its port of uniform results. */
#define SECTORS 8u /* that an instruction under way touches, on the average */

static struct capacity capacity_of(const struct heddle_checker_config *cfg) {
  const unsigned read_age = known_or(cfg->read_age, 1), pred_age = known_or(cfg->pred_age, 1);
  const unsigned parts = known_or(cfg->partitions, PARTS);
  const unsigned entries = known_or(cfg->in_flight, under_way(cfg));
  const unsigned waits = cfg->cache_sectors != 0 ? SECTORS * entries : 0;
  return (struct capacity){
      .entries = entries,
      .copies = cfg->cache_sectors + waits,
      .waits = waits,
      .writes = parts * known_or(cfg->banks, heddle_record_profile(cfg->hidden) < 2 ? UNKNOWN : PORTS) * read_age,
      .predicates = parts * (HEDDLE_RECORD_PREDICATES + UNIFORM) * pred_age};
}

/* The table of checks: stable names, and what each compares. */

static const char *const name[HEDDLE_CHECKER_KIND_COUNT + 1] = {
#define X(id, text, what) text,
    HEDDLE_CHECKER_KINDS(X)
#undef X
        "none"};

static const char *const what_of[HEDDLE_CHECKER_KIND_COUNT + 1] = {
#define X(id, text, what) what,
    HEDDLE_CHECKER_KINDS(X)
#undef X
        "no difference"};

const char *heddle_checker_kind_name(enum heddle_checker_kind k) {
  return k < HEDDLE_CHECKER_KIND_COUNT ? name[k] : name[HEDDLE_CHECKER_NONE];
}
const char *heddle_checker_kind_what(enum heddle_checker_kind k) {
  return k < HEDDLE_CHECKER_KIND_COUNT ? what_of[k] : what_of[HEDDLE_CHECKER_NONE];
}

/* What a device does not show: its profile, and words for it. */

static bool covers(struct heddle_record_hidden h, struct heddle_record_hidden allowed) {
  return (h.kinds & ~allowed.kinds) == 0 && (h.options & ~allowed.options) == 0;
}

int heddle_record_profile(struct heddle_record_hidden h) {
  if (covers(h, HEDDLE_RECORD_HIDDEN_P2)) return 2;
  if (covers(h, HEDDLE_RECORD_HIDDEN_P1)) return 1;
  return covers(h, HEDDLE_RECORD_HIDDEN_P0) ? 0 : -1;
}

const char *heddle_record_profile_name(struct heddle_record_hidden h) {
  static const char *const name[] = {"none", "P0", "P1", "P2"};
  return name[heddle_record_profile(h) + 1];
}

static void add_name(struct text_room *t, const char *name) {
  text_print(t, "%s%s", t->used == 0 ? "" : ", ", name);
}

/* Of a kind that is not shown the fields go without saying. */
void heddle_record_hidden_text(struct heddle_record_hidden h, char *buf, size_t bytes) {
  struct text_room t = {buf, bytes, 0};
  if (bytes == 0) return;
  buf[0] = '\0';
  for (unsigned i = 0; i < HEDDLE_RECORD_KINDS; i++)
    if (HEDDLE_RECORD_IS_KIND(i) && !heddle_record_shows(h, (enum heddle_record_kind)i))
      add_name(&t, record_layouts[i].name);
  for (unsigned i = 0; i < HEDDLE_RECORD_OPTIONS; i++)
    if (!heddle_record_shows_field(h, (enum heddle_record_option)i)) add_name(&t, record_option_names[i]);
}

/* Life of a checker, and the way of a record to the function that judges it. */

static bool config_ok(const struct heddle_checker_config *f) {
  const bool power = f->lanes == 4 || f->lanes == 8 || f->lanes == 16 || f->lanes == 32;
  const bool banks = (f->banks & (f->banks - 1)) == 0 && f->partitions <= HEDDLE_RECORD_WARPS;
  const unsigned sms = f->shown == 0 ? 1 : f->shown;
  const bool ages = sms <= HEDDLE_MODEL_SMS && f->sm + sms - 1 <= UINT8_MAX &&
                    f->memory_banks <= HEDDLE_CHECKER_BANKS_MAX && f->reorder <= HEDDLE_CHECKER_REORDER_MAX &&
                    f->read_age <= HEDDLE_RECORD_AGE_MAX && f->pred_age <= HEDDLE_RECORD_AGE_MAX &&
                    heddle_record_profile(f->hidden) >= 0;
  return power && banks && ages && f->warp_slots >= 1 && f->warp_slots <= HEDDLE_RECORD_WARPS && f->block_slots >= 1 &&
         f->block_slots <= HEDDLE_RECORD_WARPS && f->cache_sectors <= HEDDLE_CHECKER_CACHE_MAX &&
         (f->cache_promises & ~HEDDLE_CHECKER_CACHE_PROMISES) == 0 && capacity_of(f).entries <= CAPACITY_MOST;
}

/* The k-th SM's part of the tables. */
static void sm_begin(struct heddle_checker *c, unsigned k) {
  struct sm *s = &c->sm[k];
  const unsigned n = c->capacity.entries;
  *s = (struct sm){.number = c->cfg.sm + k,
                   .warp = c->warp + (size_t)k * c->cfg.warp_slots,
                   .block = c->block + (size_t)k * c->cfg.block_slots,
                   .entries = c->entries + (size_t)k * n,
                   .spare = c->spare + (size_t)k * n,
                   .spares = n,
                   .shadow = c->shadows + (size_t)k * c->capacity.writes};
  for (unsigned i = 0; i < n; i++) s->spare[i] = &s->entries[n - 1 - i];
  for (unsigned i = 0; i < c->cfg.warp_slots; i++) s->warp[i].sm = s;
}

static bool allocate_tables(struct heddle_checker *c) {
  const size_t sms = c->sms, late = c->capacity.predicates;
  c->sm = calloc(sms, sizeof *c->sm);
  c->warp = calloc(c->warps, sizeof *c->warp);
  c->block = calloc(sms * c->cfg.block_slots, sizeof *c->block);
  c->entries = malloc(sms * c->capacity.entries * sizeof *c->entries);
  c->slots = calloc(c->launch->code_bytes / ISA_STEP + 1u, sizeof *c->slots);
  c->spare = malloc(sms * c->capacity.entries * sizeof(struct entry *));
  c->pasts = calloc((size_t)c->warps * RING, sizeof *c->pasts);
  c->shadows = calloc(sms * c->capacity.writes, sizeof *c->shadows);
  c->lates = calloc(c->warps * late, sizeof *c->lates);
  c->seen = calloc(1, (size_t)(c->grid_blocks / 8 + 1));
  if (c->sm == NULL || c->warp == NULL || c->block == NULL || c->entries == NULL || c->slots == NULL ||
      c->spare == NULL || c->pasts == NULL || c->shadows == NULL || c->lates == NULL || c->seen == NULL ||
      !stamps_allocate(c) || !local_image_allocate(c) || !cache_allocate(c) || !paging_allocate(c) || !reorder_new(c) ||
      !kept_allocate(c))
    return false;
  for (unsigned k = 0; k < c->sms; k++) sm_begin(c, k);
  for (unsigned i = 0; i < c->warps; i++) {
    c->warp[i].ring = c->pasts + (size_t)i * RING;
    c->warp[i].late = c->lates + i * late;
    c->warp[i].known_id = NOBODY;
  }
  return true;
}

/* What the comparisons ask of an instruction, from the tables of the ISA file. */
static void read_tables(struct heddle_checker *c) {
  for (unsigned i = 0; i < ISA_OP_COUNT; i++) {
    const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)i);
    c->drains[i] = info->drains;
    c->has_strong[i] = info->n_encs > 0 && heddle_isa_enc_owns((enum heddle_isa_enc)info->first_enc, ISA_F_STRONG);
    for (unsigned k = 0; k < info->n_encs; k++)
      if (heddle_isa_enc_owns((enum heddle_isa_enc)(info->first_enc + k), ISA_F_SREG) ||
          heddle_isa_enc_owns((enum heddle_isa_enc)(info->first_enc + k), ISA_F_USREG))
        c->reads_special[i] = true;
  }
}

/* What the machine's sizes say of every record. */
static void read_machine(struct heddle_checker *c) {
  if (c->cfg.banks != 0) c->bank_shift = (unsigned)__builtin_ctz(c->cfg.banks);
  c->partitions_may =
      c->cfg.partitions != 0 ? UINT64_C(1) << (c->cfg.partitions - 1) : (1u << HEDDLE_RECORD_PARTITIONS) - 1;
}

struct heddle_checker *heddle_checker_new(struct heddle_model *m, const struct heddle_launch *launch,
                                          const struct heddle_checker_config *given) {
  struct heddle_launch taken;
  const struct heddle_launch *l = &taken;
  struct heddle_checker_config own;
  const struct heddle_checker_config *cfg = &own;
  if (m == NULL || launch == NULL || !options_take(&taken, sizeof taken, launch)) return NULL;
  if (!options_take(&own, sizeof own, given) || !config_ok(cfg)) return NULL;
  const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
  const uint64_t xy = (uint64_t)l->grid[0] * l->grid[1];
  if (threads == 0 || threads > 1024 || xy == 0 || l->grid[2] == 0 || xy > (1ull << 40) / l->grid[2]) return NULL;
  struct heddle_checker *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  c->model = m;
  c->taken = taken;
  c->launch = &c->taken;
  c->cfg = *cfg;
  c->sms = cfg->shown == 0 ? 1 : cfg->shown;
  c->one_clock = c->sms == 1 && cfg->reorder == 0;
  c->warps = c->sms * cfg->warp_slots;
  if (c->cfg.read_age == 0) c->cfg.read_age = 1;
  c->stats.read_age = c->cfg.read_age;
  c->stats.pred_age = c->cfg.pred_age;
  c->stats.hidden = c->cfg.hidden;
  c->capacity = capacity_of(cfg);
  c->first.kind = HEDDLE_CHECKER_NONE;
  read_tables(c);
  read_machine(c);
  c->warps_per_block = (uint32_t)((threads + 31) / 32);
  c->grid_blocks = xy * l->grid[2];
  if (!allocate_tables(c)) {
    heddle_checker_free(c);
    return NULL;
  }
  return c;
}

void heddle_checker_free(struct heddle_checker *c) {
  if (c == NULL) return;
  free(c->seen);
  free(c->kept);
  free(c->entries);
  free(c->slots);
  free(c->spare);
  free(c->pasts);
  free(c->shadows);
  free(c->lates);
  stamps_free(c);
  local_image_free(c);
  cache_free(c);
  paging_free(c);
  reorder_free(c);
  free(c->block);
  free(c->warp);
  free(c->sm);
  free(c);
}

#ifdef COSIM_TEST_HOOKS
void checker_switch_off(struct heddle_checker *c, enum heddle_checker_kind k) {
  c->off[k] = true;
}
#endif

const struct heddle_checker_difference *heddle_checker_first(const struct heddle_checker *c) {
  return &c->first;
}
const struct heddle_checker_stats *heddle_checker_statistics(const struct heddle_checker *c) {
  return &c->stats;
}
bool heddle_checker_done(const struct heddle_checker *c) {
  return c->blocks_ended == c->grid_blocks;
}
bool heddle_checker_trapped(const struct heddle_checker *c) {
  return c->trap_seen;
}

const struct heddle_trap *heddle_checker_trap(const struct heddle_checker *c, uint64_t *cycle) {
  *cycle = c->over_cycle;
  return c->trap_seen ? &c->trap : NULL;
}

const char *sm_text(const struct heddle_checker *c, unsigned number, char text[SM_TEXT]) {
  text[0] = '\0';
  if (c->sms > 1) (void)snprintf(text, SM_TEXT, "SM %u ", number & 255u);
  return text;
}

bool sm_unknown(struct heddle_checker *c, unsigned number) {
  if (c->sms == 1)
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "SM", "a record of SM %u among those of SM %u", number, c->cfg.sm);
  return differ(c, HEDDLE_CHECKER_RECORD_FORM, "SM", "a record of SM %u among those of SM %u to %u", number, c->cfg.sm,
                c->cfg.sm + c->sms - 1);
}

bool refused(struct heddle_checker *c, enum heddle_error s, const char *what) {
  return differ_mask(c, HEDDLE_CHECKER_MODEL_STATE, what, 0, "the model refuses (status %d): %s", (int)s,
                     heddle_model_diag(c->model));
}

/* Warp slot w is one of partition w mod n. Where nobody has said how many there are, the slots that have been shown
 * leave some n; one that leaves none is wrong. */
static bool check_partition(struct heddle_checker *c, const struct heddle_record_id *id) {
  uint64_t may = 0;
  for (uint64_t rest = c->partitions_may; rest != 0; rest &= rest - 1)
    if (id->slot % ((unsigned)__builtin_ctzll(rest) + 1u) == id->partition) may |= rest & (0 - rest);
  if (may == 0 && checker_on(c, HEDDLE_CHECKER_IDENTITY_PARTITION))
    return differ(c, HEDDLE_CHECKER_IDENTITY_PARTITION, "partition", "warp slot %u cannot belong to partition %u",
                  id->slot, id->partition);
  if (may != 0) c->partitions_may = may;
  return true;
}

/* The first record of a warp, or one that names it wrongly. */
bool identify_first(struct heddle_checker *c, const struct heddle_record_id *id) {
  const struct sm *s = sm_numbered(c, id->sm);
  c->w = NULL;
  if (id->slot >= c->cfg.warp_slots)
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "slot", "warp slot %u does not exist", id->slot);
  if (s == NULL && c->sms > 1) return sm_unknown(c, id->sm);
  struct warp *w = &(s != NULL ? s : c->sm)->warp[id->slot];
  if (!w->live) {
    c->w = NULL;
    return !checker_on(c, HEDDLE_CHECKER_IDENTITY_SLOT)
               ? false
               : differ(c, HEDDLE_CHECKER_IDENTITY_SLOT, "slot", "no warp lives in slot %u (generation %u, seq %u)",
                        id->slot, id->gen, id->seq);
  }
  c->w = w;
  if (!same(c, HEDDLE_CHECKER_IDENTITY_GEN, "generation", w->gen, id->gen)) return false;
  if (s == NULL) return sm_unknown(c, id->sm);
  if (!check_partition(c, id)) return false;
  w->partition = id->partition;
  if (w->gen == id->gen) w->known_id = id_of_warp(id);
  return true;
}

bool entry_unknown(struct heddle_checker *c, uint32_t seq) {
  if (!checker_on(c, HEDDLE_CHECKER_SEQUENCE_UNKNOWN)) return false;
  return differ(c, HEDDLE_CHECKER_SEQUENCE_UNKNOWN, "seq",
                seq < c->w->next_seq ? "seq %u has retired long ago" : "seq %u has not issued", seq);
}

bool beat_form(struct heddle_checker *c, unsigned beat, uint32_t mask, uint32_t *lanes) {
  const unsigned n = c->cfg.lanes;
  *lanes = 0;
  if (beat >= HEDDLE_RECORD_LANES / n || (n < 32 && mask >> n != 0))
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "beat", "beat %u, mask 0x%x of a machine with %u lanes", beat, mask,
                  n);
  *lanes = mask << (beat * n);
  return true;
}

static bool check_shown(struct heddle_checker *c, const struct heddle_retire_record *r) {
  if (!HEDDLE_RECORD_IS_KIND(r->kind) || heddle_record_shows(c->cfg.hidden, (enum heddle_record_kind)r->kind))
    return true;
  return differ(c, HEDDLE_CHECKER_RECORD_FORM, "kind", "'%s' is shown by a device that says it shows none",
                heddle_record_kind_name(r->kind));
}

static bool judge_cache(struct heddle_checker *c, const struct heddle_retire_record *r) {
  if (c->cache == NULL)
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "kind", "'%s' is shown by a device that says it has no cache",
                  heddle_record_kind_name(r->kind));
  switch ((enum heddle_record_kind)r->kind) {
  case HEDDLE_RECORD_FILL:
    return judge_fill(c, &r->u.fill);
  case HEDDLE_RECORD_ACK:
    return judge_ack(c, &r->u.ack);
  case HEDDLE_RECORD_DROP:
    return judge_drop(c, &r->u.drop);
  case HEDDLE_RECORD_MERGE:
    return judge_merge(c, &r->u.merge);
  case HEDDLE_RECORD_HIT:
    return judge_hit(c, &r->u.merge);
  default:
    return judge_fence(c, &r->u.fence);
  }
}

static bool judge_by_kind(struct heddle_checker *c, const struct heddle_retire_record *r) {
  switch ((enum heddle_record_kind)r->kind) {
  case HEDDLE_RECORD_BLOCK_START:
    return judge_block_start(c, &r->u.block_start);
  case HEDDLE_RECORD_WARP_START:
    return judge_warp_start(c, &r->u.warp_start);
  case HEDDLE_RECORD_GLOBAL:
    return judge_global(c, &r->u.global);
  case HEDDLE_RECORD_SHARED:
    return judge_shared(c, &r->u.shared);
  case HEDDLE_RECORD_WRITE:
    return judge_write(c, &r->u.write);
  case HEDDLE_RECORD_PREDICATE:
    return judge_predicate(c, &r->u.predicate);
  case HEDDLE_RECORD_OPERANDS:
    return judge_operands(c, &r->u.operands, false);
  case HEDDLE_RECORD_OPERANDS_MEMORY:
    return judge_operands(c, &r->u.operands, true);
  case HEDDLE_RECORD_BARRIER:
    return judge_barrier(c, &r->u.barrier);
  case HEDDLE_RECORD_ISSUE:
    return judge_issue(c, &r->u.issue);
  case HEDDLE_RECORD_UNIFORM_READ:
    return judge_uniform_read(c, &r->u.uniform_read);
  case HEDDLE_RECORD_UNIFORM_WRITE:
    return judge_uniform_write(c, &r->u.uniform_write);
  case HEDDLE_RECORD_TRAP:
    return judge_trap(c, &r->u.trap);
  case HEDDLE_RECORD_BLOCK_END:
    return judge_block_end(c, &r->u.block_end);
  case HEDDLE_RECORD_FILL:
  case HEDDLE_RECORD_ACK:
  case HEDDLE_RECORD_DROP:
  case HEDDLE_RECORD_MERGE:
  case HEDDLE_RECORD_HIT:
  case HEDDLE_RECORD_FENCE:
    return judge_cache(c, r);
  case HEDDLE_RECORD_PAGES:
    return judge_pages(c, &r->u.pages);
  case HEDDLE_RECORD_KINDS:
    break;
  }
  return differ(c, HEDDLE_CHECKER_RECORD_FORM, "kind", "no record kind %u", r->kind);
}

/* The time that a record is of, where each SM and each bank has its own. */
static uint64_t *clock_of(struct heddle_checker *c, const struct heddle_retire_record *r) {
  if (r->kind == HEDDLE_RECORD_GLOBAL) return &c->bank_cycle[bank_of(c, r->u.global.bank) % HEDDLE_CHECKER_BANKS_MAX];
  if (r->kind == HEDDLE_RECORD_PAGES) return &c->bank_cycle[0];
  if (r->kind == HEDDLE_RECORD_FILL) return &c->bank_cycle[bank_of(c, r->u.fill.bank) % HEDDLE_CHECKER_BANKS_MAX];
  struct sm *s = sm_numbered(c, heddle_record_sm(r));
  return s != NULL ? &s->last_cycle : &c->last_cycle;
}

/* Time never falls, and the grid's trap is the last that its SM shows, but for warps of a block that was being started;
 * walks may go on. */
static bool in_time(struct heddle_checker *c, const struct heddle_retire_record *r) {
  uint64_t *last = c->one_clock ? &c->last_cycle : clock_of(c, r);
  if (r->cycle < *last)
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "cycle", "a record of cycle %llu behind one of cycle %llu",
                  (unsigned long long)r->cycle, (unsigned long long)*last);
  *last = r->cycle;
  if (c->last_cycle < r->cycle) c->last_cycle = r->cycle;
  if (!c->trap_seen || paging_shows(c, r) || !sm_stopped(c, heddle_record_sm(r)) ||
      r->kind == HEDDLE_RECORD_WARP_START || r->kind == HEDDLE_RECORD_ISSUE || !checker_on(c, HEDDLE_CHECKER_TRAP_LATE))
    return true;
  return differ(c, HEDDLE_CHECKER_TRAP_LATE, "record", "'%s' is shown behind the trap record",
                heddle_record_kind_name(r->kind));
}

static inline bool judge_now(struct heddle_checker *c, const struct heddle_retire_record *r) {
  if (c->first.kind != HEDDLE_CHECKER_NONE) return false;
  c->now = r;
  c->w = NULL;
  c->e = NULL;
  c->stats.records++;
  const bool ok = in_time(c, r) && check_shown(c, r) && judge_by_kind(c, r);
  c->now = NULL;
  if (ok && r->cycle >= c->look_at) (void)watch_all(c, r->cycle);
  return c->first.kind == HEDDLE_CHECKER_NONE;
}

bool judge_record(struct heddle_checker *c, const struct heddle_retire_record *r) {
  return judge_now(c, r);
}

bool heddle_checker_record(struct heddle_checker *c, const struct heddle_retire_record *r) {
  return __builtin_expect(c->reorder == NULL, 1) ? judge_now(c, r) : reorder_record(c, r);
}
