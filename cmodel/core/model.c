/* SPDX-License-Identifier: Apache-2.0
 *
 * The model as an object: making it, launching on it, looking into it.
 */
#include <stdlib.h>
#include <string.h>

#include <heddle/value.h>
#include "base/number.h"
#include "base/options.h"
#include "cmodel/core/livelock.h"
#include "cmodel/core/marks.h"
#include "cmodel/core/pages.h"
#include "cmodel/core/straight.h"
#include "cmodel/sem/sem.h"

#define GLOBAL_LIMIT (UINT64_C(1) << 40)
#define CODE_MAX (16u << 20)
#define LOCAL_MAX (512u << 10)
#define ROOT_BYTES 8192u
#define SEEN_MAX (UINT64_C(1) << 30) /* blocks of which "started twice" is noticed */

static void *zeroed_aligned(size_t bytes) {
  const size_t room = (bytes + 63) / 64 * 64;
  void *p = aligned_alloc(64, room == 0 ? 64 : room);
  if (p != NULL) memset(p, 0, room);
  return p;
}

static bool config_ok(const struct heddle_model_config *c) {
  const bool memory = c->base <= GLOBAL_LIMIT && c->bytes <= GLOBAL_LIMIT - c->base;
  const bool slots = c->warp_slots != 0 && c->warp_slots <= 256 && c->block_slots != 0;
  const bool known = (unsigned)c->divergence <= HEDDLE_ITS && (unsigned)c->tell <= HEDDLE_TELL_STORES;
  return memory && slots && c->shown <= HEDDLE_MODEL_SMS && known;
}

struct heddle_model *heddle_model_new(const struct heddle_model_config *given) {
  struct heddle_model_config own;
  const struct heddle_model_config *c = &own;
  if (!options_take(&own, sizeof own, given) || !config_ok(c)) return NULL;
  struct heddle_model *m = calloc(1, sizeof *m);
  if (m == NULL) return NULL;
  m->base = c->base;
  m->bytes = c->bytes;
  m->shown = c->shown == 0 ? 1 : c->shown;
  m->sm_warps = c->warp_slots;
  m->sm_blocks = c->block_slots;
  m->warp_slots = c->warp_slots * m->shown;
  m->block_slots = c->block_slots * m->shown;
  m->sm = c->sm;
  m->sms = c->sms == 0 ? 1 : c->sms;
  m->its = c->divergence == HEDDLE_ITS;
  m->threads = c->threads;
  m->tell = c->tell;
  m->memory = calloc(1, m->bytes == 0 ? 1 : m->bytes);
  m->warp = zeroed_aligned(m->warp_slots * sizeof *m->warp);
  m->block = calloc(m->block_slots, sizeof *m->block);
  m->sem = sem_best();
  for (unsigned i = 0; i < m->warp_slots && m->warp != NULL; i++) {
    m->warp[i].slot = i % m->sm_warps;
    m->warp[i].smid = m->sm + i / m->sm_warps;
  }
  if (m->memory != NULL && m->warp != NULL && m->block != NULL) return m;
  heddle_model_free(m);
  return NULL;
}

static void launch_free(struct heddle_model *m) {
  for (unsigned i = 0; i < m->warp_slots && m->warp != NULL; i++) {
    pending_clear(m, &m->warp[i]);
    m->warp[i].used = false;
  }
  for (unsigned i = 0; i < m->block_slots && m->block != NULL; i++) {
    free(m->block[i].shared);
    free(m->block[i].shared_defined);
    free(m->block[i].shared_from);
    m->block[i] = (struct block){.used = false};
  }
  for (unsigned i = 0; i < BANKS; i++) {
    free(m->bank[i]);
    m->bank[i] = NULL;
  }
  local_free(m);
  pages_free(m);
  free(m->global_defined);
  free(m->global_from);
  m->global_defined = NULL;
  m->global_from = NULL;
  m->now.mark_stores = 0;
  free(m->op);
  free(m->half);
  free(m->straight);
  free(m->issued);
  free(m->run_rows);
  free(m->line);
  free(m->place);
  free(m->dec);
  free(m->pool);
  free(m->block_seen);
  m->op = m->half = NULL;
  m->straight = NULL;
  m->issued = NULL;
  m->line = m->place = NULL;
  m->run_rows = NULL;
  m->dec = NULL;
  m->pool = NULL;
  m->block_seen = NULL;
  m->launched = m->now.by_steps = m->now.waits = m->now.paused = false;
  m->now.retired = m->now.passed = 0;
  watch_end(m); /* of a run that was not brought to its end */
  m->now.next_sm = 0;
  m->now.trap = (struct heddle_trap){.cause = HEDDLE_TRAP_NONE};
  for (unsigned k = 0; k < m->shown; k++) {
    m->now.stopped[k] = false;
    m->now.trap_of[k] = m->now.trap;
  }
  m->now.blocks_started = m->now.blocks_ended = 0;
}

void heddle_model_free(struct heddle_model *m) {
  if (m == NULL) return;
  launch_free(m);
  while (m->spare != NULL) {
    struct pending *p = m->spare;
    m->spare = p->next;
    free(p);
  }
  free(m->memory);
  free(m->copy);
  marks_free(m);
  free(m->warp);
  free(m->block);
  free(m);
}

static bool virtual_ok(uint64_t at, uint64_t bytes) {
  return at <= GLOBAL_LIMIT && bytes <= GLOBAL_LIMIT - at;
}

/* In place of regions, code and constants, which lie in memory. */
static enum heddle_error pages_check(struct heddle_model *m, const struct heddle_launch *l) {
  bool ok = virtual_ok(l->code_at, l->code_bytes);
  for (unsigned i = 0; i < BANKS; i++) ok = ok && virtual_ok(l->cbank_at[i], l->cbank_bytes[i]);
  if (!ok)
    return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "code or constants are beyond 40 bits of the address space");
  if (l->page_root % ROOT_BYTES != 0 || l->page_root >= GLOBAL_LIMIT)
    return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "page_root 0x%llx", (unsigned long long)l->page_root);
  if (l->errors.limit != 0) return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "errors of memory, in an address space");
  return HEDDLE_SUCCESS;
}

static enum heddle_error places_check(struct heddle_model *m, const struct heddle_launch *l) {
  for (unsigned i = 0; i < l->regions; i++) {
    const struct heddle_region *r = &l->region[i];
    if (r->base > r->limit || r->base < m->base || r->limit > m->base + m->bytes)
      return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "region %u is outside the memory", i);
  }
  for (unsigned i = 0; i < BANKS; i++)
    if (l->cbank[i] == NULL && l->cbank_bytes[i] != 0)
      return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "constant bank %u without bytes", i);
  return HEDDLE_SUCCESS;
}

static enum heddle_error launch_check(struct heddle_model *m, const struct heddle_launch *l) {
  const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
  const bool sides = l->block[0] <= 1024 && l->block[1] <= 1024 && l->block[2] <= 64;
  if (!sides || threads == 0 || threads > 1024)
    return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "block size outside 1 .. 1024 threads");
  if (l->grid[0] == 0 || l->grid[1] == 0 || l->grid[2] == 0)
    return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "empty grid");
  if (l->regs > 255) return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "%u registers", l->regs);
  if ((l->code == NULL && !l->pages) || l->code_bytes == 0 || l->code_bytes > CODE_MAX ||
      l->code_bytes % ISA_WORD_BYTES != 0)
    return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "%u bytes of code", l->code_bytes);
  if (l->local_bytes % 16 != 0 || l->local_bytes > LOCAL_MAX)
    return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "%u bytes of local memory", l->local_bytes);
  if (l->regions > REGIONS_MAX) return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "%u regions", l->regions);
  return l->pages ? pages_check(m, l) : places_check(m, l);
}

static bool copy_banks(struct heddle_model *m, const struct heddle_launch *l) {
  for (unsigned i = 0; i < BANKS; i++) {
    m->bank[i] = malloc(l->cbank_bytes[i] + 1u);
    if (m->bank[i] == NULL) return false;
    if (l->cbank_bytes[i] != 0 && !l->pages) memcpy(m->bank[i], l->cbank[i], l->cbank_bytes[i]);
    m->launch.cbank[i] = m->bank[i];
  }
  return true;
}

static bool blocks_prepare(struct heddle_model *m, const struct heddle_launch *l) {
  m->shared_room = l->shared_bytes;
  if (!local_allocate(m)) return false;
  for (unsigned i = 0; i < m->block_slots && l->shared_bytes != 0; i++) {
    m->block[i].shared = calloc(1, l->shared_bytes);
    m->block[i].shared_defined = calloc(1, l->shared_bytes);
    if (m->block[i].shared == NULL || m->block[i].shared_defined == NULL) return false;
  }
  m->grid_blocks = (uint64_t)l->grid[0] * l->grid[1]; /* 64 bits hold two sides; three may not fit */
  if (m->grid_blocks > UINT64_MAX / l->grid[2]) return false;
  m->grid_blocks *= l->grid[2];
  if (m->grid_blocks > SEEN_MAX) return true;
  m->block_seen = calloc(1, (size_t)(m->grid_blocks / 8 + 1));
  return m->block_seen != NULL;
}

enum heddle_error heddle_model_launch(struct heddle_model *m, const struct heddle_launch *given) {
  struct heddle_launch own;
  const struct heddle_launch *l = &own;
  launch_free(m);
  m->diag[0] = '\0';
  if (!options_take(&own, sizeof own, given))
    return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "a launch " OPTIONS_FOREIGN);
  enum heddle_error s = launch_check(m, l);
  if (s != HEDDLE_SUCCESS) return s;
  m->launch = *l;
  m->observer = m->observer_next;
  if (l->pages) m->launch.regions = 0;
  memory_windows(m);
  if (!copy_banks(m, l) || !blocks_prepare(m, l) || (l->pages && !pages_new(m)))
    s = model_fail(m, HEDDLE_ERROR_HOST_MEMORY, "no memory for the launch");
  m->launch.code = m->pages != NULL ? m->pages->code : l->code;
  if (s == HEDDLE_SUCCESS) s = m->pages == NULL ? program_decode(m) : l->walks_told ? pages_look(m) : pages_settle(m);
  if (s != HEDDLE_SUCCESS) launch_free(m);
  if (m->pages == NULL) m->launch.code = NULL; /* read for the last time */
  m->launched = s == HEDDLE_SUCCESS;
  m->launches++;
  return s;
}

uint8_t *heddle_model_memory(struct heddle_model *m) {
  return m->memory;
}

void heddle_model_range(const struct heddle_model *m, uint64_t *base, uint64_t *bytes) {
  *base = m->base;
  *bytes = m->bytes;
}

bool heddle_model_issued(const struct heddle_model *m, uint32_t pc) {
  const uint32_t i = op_index(pc);
  return m->launched && i < m->ops && m->issued[line_at(m, i)] != 0;
}

bool heddle_warp_waiting(const struct heddle_model *m, unsigned w) {
  return w < m->warp_slots && m->warp[w].used && m->warp[w].waiting;
}

uint32_t heddle_reg(const struct heddle_model *m, unsigned w, unsigned reg, unsigned lane) {
  if (w >= m->warp_slots || reg >= ISA_RZ || lane >= HEDDLE_LANES) return 0;
  return m->warp[w].row[reg][lane];
}

bool heddle_pred(const struct heddle_model *m, unsigned w, unsigned p, unsigned lane) {
  if (p >= ISA_PT) return true;
  return w < m->warp_slots && lane < HEDDLE_LANES && (m->warp[w].pred[p] >> lane & 1) != 0;
}

uint32_t heddle_ureg(const struct heddle_model *m, unsigned w, unsigned ureg) {
  return w < m->warp_slots && ureg < UREGS ? m->warp[w].row[ROW_UR + ureg][0] : 0;
}

bool heddle_upred(const struct heddle_model *m, unsigned w, unsigned up) {
  return up >= ISA_PT || (w < m->warp_slots && (m->warp[w].pred[PRED_UP + up] & 1) != 0);
}

/* The row operations, for those who bring their own machine. */

static sem_fn *pick(const struct heddle_isa_dec *d, struct sem_par *p) {
  const struct sem_def *def = sem_best()->op[d->op];
  memset(p, 0, sizeof *p);
  return def->kind == SEM_ROW && def->pick != NULL ? def->pick(d, p) : NULL;
}

bool heddle_has_value(const struct heddle_isa_dec *d) {
  struct sem_par p;
  return pick(d, &p) != NULL;
}

bool heddle_value(const struct heddle_isa_dec *d, struct heddle_value_rows *r) {
  _Alignas(64) uint32_t on[SEM_LANES];
  struct sem_par p;
  sem_fn *fn = pick(d, &p);
  if (fn == NULL) return false;
  for (unsigned l = 0; l < SEM_LANES; l++) on[l] = 0u - (r->exec >> l & 1u);
  struct sem_io io = {.on = on, .exec = r->exec, .p = r->p};
  memcpy(io.ps, r->ps, sizeof io.ps);
  const number_unit host = number_unit_begin();
  fn(r->d, r->a, r->b, r->c, &io, &p);
  number_unit_end(host);
  memcpy(r->pd, io.pd, sizeof r->pd);
  memcpy(r->p_written, io.p_written, sizeof r->p_written);
  return true;
}
