/* SPDX-License-Identifier: Apache-2.0
 *
 * What accesses to shared, global and local memory have in common: who may perform now, and the model's own access.
 */
#include <string.h>

#include "cosim/checker/internal.h"

/* How records show an access. */
static enum heddle_record_access shown(unsigned access) {
  if (access == HEDDLE_ACCESS_LOAD || access == HEDDLE_ACCESS_LOAD_MATRIX) return HEDDLE_RECORD_LOAD;
  return access == HEDDLE_ACCESS_STORE ? HEDDLE_RECORD_STORE : HEDDLE_RECORD_ATOMIC;
}

/* Lanes of a generic access are each where their address says; of one that is paid nobody knows any more. */
static bool check_generic(struct heddle_checker *c, enum heddle_isa_space space, uint32_t lanes) {
  const struct entry *e = c->e;
  const uint32_t in = space == ISA_SPACE_GLOBAL ? e->in_global : space == ISA_SPACE_SHARED ? e->in_shared : e->in_local;
  return no_lanes(c, HEDDLE_CHECKER_PERFORM_ACCESS, "space", e->open ? lanes & ~in : 0,
                  "performed in a memory that their addresses do not name");
}

/* A copy loads from global memory, and stores to shared memory. */
static bool check_copy(struct heddle_checker *c, enum heddle_isa_space space, unsigned access) {
  const unsigned want = space == ISA_SPACE_SHARED ? HEDDLE_RECORD_STORE : HEDDLE_RECORD_LOAD;
  const enum heddle_isa_space in = space == ISA_SPACE_SHARED ? space : ISA_SPACE_GLOBAL;
  return same(c, HEDDLE_CHECKER_PERFORM_ACCESS, "space and access", (uint64_t)in << 8 | want,
              (uint64_t)space << 8 | access);
}

static bool check_access(struct heddle_checker *c, enum heddle_isa_space space, unsigned access, uint32_t lanes) {
  const struct entry *e = c->e;
  if (entry_copies(e)) return check_copy(c, space, access);
  const bool generic = e->mem_space == ISA_SPACE_GENERIC;
  const uint64_t want = (uint64_t)(generic ? space : e->mem_space) << 8 | (uint64_t)shown(e->mem_kind);
  return same(c, HEDDLE_CHECKER_PERFORM_ACCESS, "space and access", want, (uint64_t)space << 8 | access) &&
         (!generic || check_generic(c, space, lanes));
}

static bool check_trap(struct heddle_checker *c, uint32_t lanes) {
  const bool late = c->w->trapped && c->e->seq > c->w->trap_seq;
  if (c->w->performed <= c->e->seq) c->w->performed = c->e->seq + 1;
  return no_lanes(c, HEDDLE_CHECKER_PERFORM_TRAP, "access", late ? lanes : 0,
                  "performed behind an address trap of its warp");
}

static bool check_access_extra(struct heddle_checker *c, uint32_t lanes) {
  return no_lanes(c, HEDDLE_CHECKER_PERFORM_EXTRA, "access", lanes & ~c->e->mem_lanes,
                  "performed in lanes that have no access");
}

static bool check_access_double(struct heddle_checker *c, enum heddle_isa_space space, uint32_t lanes) {
  const bool store = entry_copies(c->e) && space == ISA_SPACE_SHARED;
  const uint32_t again = lanes & c->e->mem_lanes & ~(store ? c->e->store_open : c->e->mem_open);
  return no_lanes(c, HEDDLE_CHECKER_PERFORM_DOUBLE, "access", again, "performed a second time");
}

bool perform_admit(struct heddle_checker *c, enum heddle_isa_space space, unsigned access, uint32_t lanes) {
  return check_trap(c, lanes) && check_access_extra(c, lanes) && check_access(c, space, access, lanes) &&
         check_access_double(c, space, lanes);
}

bool perform_loads_row(const struct heddle_checker *c) {
  return c->e->mem_kind == HEDDLE_ACCESS_LOAD && c->performed.rd_words != 0;
}

void perform_row_bytes(struct heddle_checker *c, uint32_t lanes) {
  struct heddle_performed *p = &c->performed;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    for (unsigned k = 0; k < p->rd_words && k < 4; k++) memcpy(p->old_bytes[l] + 4 * k, &p->rd_value[k][l], 4);
  }
}

/* Where the model reads a load from, and what of a copy it does. */
enum { FROM_MEMORY = -1, COPY_STORE = -2 };

static enum heddle_status model_performs(struct heddle_checker *c, uint32_t lanes, int copy) {
  const unsigned slot = warp_at(c, c->w);
  if (copy == COPY_STORE) return heddle_perform_store(c->model, slot, c->e->seq, lanes, &c->performed);
  if (copy < 0) return heddle_perform_values(c->model, slot, c->e->seq, lanes, &c->performed);
  return heddle_perform_copy(c->model, slot, c->e->seq, lanes, (unsigned)copy, &c->performed);
}

bool perform_values(struct heddle_checker *c, uint32_t lanes) {
  return perform_from(c, lanes, FROM_MEMORY);
}

bool perform_from(struct heddle_checker *c, uint32_t lanes, int copy) {
  struct entry *e = c->e;
  struct heddle_performed *p = &c->performed;
  const enum heddle_status s = model_performs(c, lanes, copy);
  if (s == HEDDLE_UNDEFINED && checker_on(c, HEDDLE_CHECKER_UNDEFINED_READ))
    return differ(c, HEDDLE_CHECKER_UNDEFINED_READ, "undefined", "%s", heddle_model_diag(c->model));
  if (s != HEDDLE_OK) return checker_on(c, HEDDLE_CHECKER_MODEL_STATE) && refused(c, s, "perform");
  for (unsigned k = 0; k < p->rd_words && k < 4; k++) {
    if ((p->rd_done & 1u << k) == 0) continue;
    e->fx.rd_unknown[k] = (e->fx.rd_unknown[k] & ~p->rd_lanes) | p->rd_unknown[k];
    for (uint32_t rest = p->rd_unknown[k]; rest != 0; rest &= rest - 1)
      e->fx.rd_bits[k][__builtin_ctz(rest)] = p->rd_bits[k][__builtin_ctz(rest)];
    if (p->rd_lanes == 0xffffffffu) {
      memcpy(e->fx.rd_value[k], p->rd_value[k], sizeof e->fx.rd_value[k]);
      continue;
    }
    for (uint32_t rest = p->rd_lanes; rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      e->fx.rd_value[k][l] = p->rd_value[k][l];
    }
  }
  c->stats.performs++;
  c->stats.bytes_compared += (uint64_t)p->bytes * count_lanes(lanes);
  return true;
}

bool perform_store(struct heddle_checker *c, uint32_t lanes) {
  if (!perform_from(c, lanes, COPY_STORE)) return false;
  ledger_store(c->w, c->e, lanes);
  return true;
}

bool perform_do(struct heddle_checker *c, uint32_t lanes) {
  if (!perform_values(c, lanes)) return false;
  if (c->e->mem_kind == HEDDLE_ACCESS_LOAD_MATRIX) {
    c->e->known = c->e->exec;
    c->e->words_known |= c->performed.rd_done;
  } else {
    c->e->known |= lanes;
  }
  ledger_perform(c->w, c->e, lanes);
  return true;
}
