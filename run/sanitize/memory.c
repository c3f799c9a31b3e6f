/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses outside of what they may touch. */
#include "run/sanitize/memory.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/explain.h>
#include <heddle/isa_tables.h>
#include "run/job/explained.h"
#include "run/job/job.h"

#define SPACE_SHIFT 56u
#define RANGE_NAME 96u

/* A range of shared memory that the program may use. */
struct range {
  uint64_t begin, end;
  char name[RANGE_NAME];
};

struct memory {
  struct findings *to;
  const struct heddle_kernel *own; /* of whose threads' own arrays all is known */
  bool whole;                      /* shared memory is one range */
  unsigned ranges, last;
  struct range range[];
};

static const char *const access_names[] = {
    [HEDDLE_ACCESS_LOAD] = "load",        [HEDDLE_ACCESS_STORE] = "store",         [HEDDLE_ACCESS_ATOMIC] = "atomic",
    [HEDDLE_ACCESS_REDUCTION] = "atomic", [HEDDLE_ACCESS_COMPARE_SWAP] = "atomic", [HEDDLE_ACCESS_LOAD_MATRIX] = "load",
    [HEDDLE_ACCESS_COPY] = "copy"};

/* Which buffer is missed, by how much: as a trap is explained. */
static void explain_miss(const struct memory *m, const struct heddle_observed_access *a, const char *cause,
                         uint32_t bad, uint64_t addr, struct finding *x) {
  struct run_result r = {.fault = {.known = true}};
  struct explained e;
  r.fault.fault = (struct heddle_fault){.size = sizeof r.fault.fault,
                                        .kind = HEDDLE_FAULT_TRAP,
                                        .has_place = true,
                                        .pc = a->by.pc,
                                        .warp = a->by.warp,
                                        .lanes = bad,
                                        .has_address = true,
                                        .address = addr};
  snprintf(r.fault.cause, sizeof r.fault.cause, "%s", cause);
  snprintf(x->what, sizeof x->what, "%s", cause);
  if (!explained_make(&e, m->to->job, &r)) return;
  if (e.x.place[0])
    snprintf(x->what, sizeof x->what, "%s of %s memory: %s", e.x.missed ? "out of bounds" : cause, e.x.space,
             e.x.place);
  snprintf(x->more, sizeof x->more, "%s", e.x.advice);
  x->space = e.x.space ? e.x.space : "global";
  explained_clear(&e);
}

/* ---- arrays of shared memory */

/* Its name is the caller's to say. */
static char *add_named_range(struct memory *m, uint64_t begin, uint64_t end) {
  struct range *r = &m->range[m->ranges++];
  *r = (struct range){.begin = begin, .end = end};
  return r->name;
}

/* Arrays of functions that are not inlined are not known. */
static const struct heddle_kernel *known_arrays(const struct job *j) {
  static const struct heddle_kernel none = {.arrays = 0};
  for (uint32_t i = 0; i < j->program->kernels; i++)
    if (j->program->kernel[i].is_function) return &none;
  return j->kernel;
}

static void list_ranges(struct memory *m, const struct job *j) {
  const struct heddle_kernel *k = j->kernel;
  const uint32_t arrays = known_arrays(j)->arrays;
  char text[80];
  for (uint32_t i = 0; i < arrays; i++) {
    const struct heddle_array *a = &k->array[i];
    char *name = add_named_range(m, a->offset, (uint64_t)a->offset + a->bytes);
    snprintf(name, RANGE_NAME, "array \"%s\"", heddle_name_text(a->name, text, sizeof text));
  }
  char *name = add_named_range(m, arrays != 0 ? k->shared_bytes : 0, (uint64_t)k->shared_bytes + j->dynamic_shared);
  snprintf(name, RANGE_NAME, "%s shared memory", arrays != 0 ? "dynamic" : "the kernel's");
  for (unsigned i = 0; i < j->args; i++) {
    if (j->arg[i].kind != JOB_LOCAL) continue;
    name = add_named_range(m, j->addr[i], j->addr[i] + j->arg[i].bytes);
    snprintf(name, RANGE_NAME, "argument %u", i);
  }
}

struct memory *memory_new(struct findings *to) {
  const struct job *j = to->job;
  const size_t most = (size_t)j->kernel->arrays + j->args + 1;
  struct memory *m = calloc(1, sizeof *m + most * sizeof *m->range);
  if (!m) return NULL;
  m->to = to;
  m->own = known_arrays(j);
  list_ranges(m, j);
  m->whole = m->ranges == 1 && m->range[0].end == j->launch.shared_bytes;
  return m;
}

void memory_free(struct memory *m) {
  free(m);
}

static bool in_some_range(struct memory *m, uint64_t at, unsigned bytes) {
  for (unsigned k = 0; k < m->ranges; k++) {
    const struct range *r = &m->range[(m->last + k) % m->ranges];
    if (at < r->begin || at + bytes > r->end) continue;
    m->last = (m->last + k) % m->ranges;
    return true;
  }
  return false;
}

/* Lanes outside of every array, though inside of the block's shared memory. */
static uint32_t between_arrays(struct memory *m, const struct heddle_observed_access *a) {
  const uint64_t *addr = a->copy_addr ? a->copy_addr : a->addr;
  uint32_t out = 0;
  if (m->whole || a->space == ISA_SPACE_LOCAL || (a->space == ISA_SPACE_GLOBAL && !a->copy_addr)) return 0;
  for (uint32_t rest = a->by.lanes & ~a->bad; rest != 0; rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctz(rest);
    if (a->space == ISA_SPACE_GENERIC && !a->copy_addr && addr[i] >> SPACE_SHIFT != 1) continue;
    if (!in_some_range(m, addr[i] & UINT32_MAX, a->bytes)) out |= 1u << i;
  }
  return out;
}

/* The array that the address is nearest behind. */
static void say_array(const struct memory *m, const struct heddle_observed_access *a, uint64_t at, struct finding *x) {
  struct range best = {.name = "no array"};
  for (unsigned k = 0; k < m->ranges; k++) {
    const struct range *r = &m->range[k];
    if (r->begin <= at && r->end > r->begin && r->begin >= best.begin) best = *r;
  }
  x->space = "shared";
  snprintf(x->what, sizeof x->what,
           "out of bounds of shared memory: %s (%llu bytes at 0x%llx): %llu bytes beyond its end", best.name,
           (unsigned long long)(best.end - best.begin), (unsigned long long)best.begin,
           (unsigned long long)(at + a->bytes - best.end));
}

/* ---- arrays of a thread's own */

/* The array behind which these bytes of local memory lie, where nobody has any. */
static const struct heddle_array *own_before(const struct heddle_kernel *k, uint64_t at, unsigned bytes) {
  for (uint32_t i = 0; i < k->owns; i++) {
    const struct heddle_array *a = &k->own[i];
    const uint64_t end = (uint64_t)a->offset + a->bytes;
    if (at < end + a->gap && at + bytes > end) return a;
  }
  return NULL;
}

static bool local_address(const struct heddle_observed_access *a, unsigned lane, uint64_t *at) {
  *at = a->addr[lane] & UINT32_MAX;
  return a->space == ISA_SPACE_LOCAL || (a->space == ISA_SPACE_GENERIC && a->addr[lane] >> SPACE_SHIFT == 2);
}

/* Lanes that leave an array of their own, though not their local memory. */
static uint32_t behind_own(const struct memory *m, const struct heddle_observed_access *a) {
  uint32_t out = 0;
  if (m->own->owns == 0 || (a->space != ISA_SPACE_LOCAL && a->space != ISA_SPACE_GENERIC)) return 0;
  for (uint32_t rest = a->by.lanes & ~a->bad; rest != 0; rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctz(rest);
    uint64_t at;
    if (local_address(a, i, &at) && own_before(m->own, at, a->bytes)) out |= 1u << i;
  }
  return out;
}

static void say_own(const struct memory *m, const struct heddle_observed_access *a, unsigned lane, struct finding *x) {
  uint64_t at;
  (void)local_address(a, lane, &at);
  const struct heddle_array *o = own_before(m->own, at, a->bytes);
  x->space = "local";
  snprintf(x->what, sizeof x->what, "out of bounds of local memory: array \"%s\" (%u bytes): %llu bytes beyond its end",
           o->name, o->bytes, (unsigned long long)(at + a->bytes - (o->offset + o->bytes)));
}

enum outside { OUTSIDE_ALL, OUTSIDE_SHARED, OUTSIDE_OWN };

static void find_memory(struct memory *m, const struct heddle_observed_access *a, uint32_t bad, enum outside outside) {
  bool is_new;
  struct finding *x = findings_add(m->to, SANITIZE_MEMORY, a->by.pc, a->by.pc, &is_new);
  const unsigned lane = (unsigned)__builtin_ctz(bad);
  if (!x) return;
  x->count += (uint64_t)__builtin_popcount(bad) - 1;
  if (!is_new) return;
  finding_put(&x->at[0], &a->by, bad, access_names[a->kind]);
  x->at[1] = x->at[0];
  x->has_address = true;
  x->address = (outside == OUTSIDE_SHARED && a->copy_addr ? a->copy_addr : a->addr)[lane];
  if (outside == OUTSIDE_SHARED)
    say_array(m, a, x->address & UINT32_MAX, x);
  else if (outside == OUTSIDE_OWN)
    say_own(m, a, lane, x);
  else
    explain_miss(m, a, heddle_cause_name(a->cause), bad, x->address, x);
}

uint32_t memory_access(struct memory *m, const struct heddle_observed_access *a) {
  const uint32_t shared = between_arrays(m, a), own = behind_own(m, a);
  if (a->bad != 0) find_memory(m, a, a->bad, OUTSIDE_ALL);
  if (shared != 0) find_memory(m, a, shared, OUTSIDE_SHARED);
  if (own != 0) find_memory(m, a, own, OUTSIDE_OWN);
  return a->bad | shared | own;
}
