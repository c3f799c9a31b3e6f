/* SPDX-License-Identifier: Apache-2.0
 * Accesses outside of what they may touch, and the heap of the device. */
#include <stdlib.h>
#include <string.h>

#include <heddle/explain.h>
#include <heddle/isa_tables.h>
#include "base/array.h"
#include "run/job/job.h"
#include "run/job/result.h"
#include "run/sanitize/checks.h"

/* The device's heap. */

#define UNIT 16u    /* bytes; in front of a block lies one that is the library's, */
#define BYTES_AT 8u /* ... with the block's bytes here */
#define FAR 65536u  /* units that are looked through for the block before an address */
#define SPACE_SHIFT 56u

/* Somebody who called malloc or free. */
struct caller {
  struct heddle_actor by;
  unsigned lane;
};

struct block {
  uint64_t at, bytes;
  bool freed;
  struct caller got, gave;
};

struct heap {
  struct findings *to;
  void (*fresh)(void *ctx, uint64_t addr, uint64_t bytes);
  void *ctx;
  uint64_t base, bytes;                /* of the heap */
  uint64_t variables, variables_bytes; /* of the module, which the heap is one of */
  struct block *block;
  size_t blocks, room;
  uint32_t *of; /* of each unit: 0, or its block's number plus 1 */
};

struct heap *heap_new(struct findings *to, void (*fresh)(void *ctx, uint64_t addr, uint64_t bytes), void *ctx) {
  const struct job *j = to->job;
  const struct heddle_global *v = heddle_program_global(j->program, "heddle_heap");
  struct heap *h = v ? calloc(1, sizeof *h) : NULL;
  if (h) h->of = calloc(v->size / UNIT + 1, sizeof *h->of);
  if (v && (!h || !h->of)) {
    to->lost = true;
    heap_free(h);
    return NULL;
  }
  if (!h) return NULL;
  h->to = to;
  h->fresh = fresh;
  h->ctx = ctx;
  h->base = j->global_addr + v->offset;
  h->bytes = v->size;
  h->variables = j->global_addr;
  h->variables_bytes = j->program->global_bytes;
  return h;
}

void heap_free(struct heap *h) {
  if (!h) return;
  free(h->block);
  free(h->of);
  free(h);
}

/* ---- which block */

static struct block *block_of(const struct heap *h, uint64_t addr) {
  const uint32_t n = addr - h->base < h->bytes ? h->of[(addr - h->base) / UNIT] : 0;
  return n ? &h->block[n - 1] : NULL;
}

static uint64_t distance_to_block(const struct block *b, uint64_t addr) {
  if (!b) return UINT64_MAX;
  return addr < b->at ? b->at - addr : addr >= b->at + b->bytes ? addr - (b->at + b->bytes) : 0;
}

/* The one that the address is in, or nearest to. */
static struct block *nearest(const struct heap *h, uint64_t addr) {
  struct block *before = block_of(h, addr), *behind = block_of(h, addr + UNIT);
  for (uint64_t k = 1; !before && k < FAR && addr - h->base >= k * UNIT; k++) before = block_of(h, addr - k * UNIT);
  return distance_to_block(behind, addr) < distance_to_block(before, addr) ? behind : before;
}

/* ---- findings */

static void place_caller(struct finding_place *p, const struct caller *c, const char *does) {
  finding_put(p, &c->by, 1u << c->lane, does);
}

/* NULL: it was told before. `other`: who called, or NULL. */
static struct finding *add_finding(struct heap *h, const struct heddle_observed_access *a, unsigned lane,
                                   const char *does, const struct caller *other, const char *did) {
  bool is_new;
  struct finding *x = findings_add(h->to, SANITIZE_MEMORY, a->by.pc, other ? other->by.pc : a->by.pc, &is_new);
  if (!x || !is_new) return NULL;
  finding_put(&x->at[0], &a->by, 1u << lane, does);
  if (other) place_caller(&x->at[1], other, did);
  x->places = other ? 2 : 1;
  x->has_address = true;
  x->address = a->addr[lane];
  x->space = "global";
  return x;
}

static void wrong_access(struct heap *h, const struct heddle_observed_access *a, unsigned lane, const struct block *b) {
  const bool writes = a->kind == HEDDLE_ACCESS_STORE;
  const char *does = a->kind == HEDDLE_ACCESS_LOAD || a->kind == HEDDLE_ACCESS_COPY ? "load"
                     : writes                                                       ? "store"
                                                                                    : "atomic";
  const uint64_t addr = a->addr[lane];
  if (b && b->freed) {
    struct finding *x = add_finding(h, a, lane, does, &b->gave, "freed");
    if (x)
      snprintf(x->what, sizeof x->what, "use after free of a block of %llu bytes of the device's heap",
               (unsigned long long)b->bytes);
    return;
  }
  struct finding *x = add_finding(h, a, lane, does, b ? &b->got : NULL, "allocated");
  if (!x) return;
  if (!b)
    snprintf(x->what, sizeof x->what, "out of bounds of the device's heap: there is no block");
  else if (addr < b->at)
    snprintf(x->what, sizeof x->what,
             "out of bounds of a block of %llu bytes of the device's heap: %llu bytes before it",
             (unsigned long long)b->bytes, (unsigned long long)(b->at - addr));
  else
    snprintf(x->what, sizeof x->what,
             "out of bounds of a block of %llu bytes of the device's heap: %llu bytes beyond its end",
             (unsigned long long)b->bytes, (unsigned long long)(addr + a->bytes - (b->at + b->bytes)));
}

static void wrong_free(struct heap *h, const struct heddle_observed_access *a, unsigned lane, uint64_t of) {
  const struct block *b = block_of(h, of);
  const bool again = b && b->freed && b->at == of;
  struct finding *x = add_finding(h, a, lane, "free",
                                  again ? &b->gave
                                  : b   ? &b->got
                                        : NULL,
                                  again ? "freed" : "allocated");
  if (!x) return;
  x->address = of;
  if (again)
    snprintf(x->what, sizeof x->what, "double free of a block of %llu bytes of the device's heap",
             (unsigned long long)b->bytes);
  else if (b)
    snprintf(x->what, sizeof x->what, "free of an address %llu bytes inside of a block of %llu bytes",
             (unsigned long long)(of - b->at), (unsigned long long)b->bytes);
  else
    snprintf(x->what, sizeof x->what, "free of an address that malloc did not give");
}

/* ---- malloc and free */

static void got(struct heap *h, const struct heddle_observed_access *a, unsigned lane, uint64_t at, uint64_t bytes) {
  const uint64_t first = (at - h->base) / UNIT, units = (bytes + UNIT - 1) / UNIT;
  if (bytes == 0 || first + units > h->bytes / UNIT) return;
  if (!array_room(&h->block, &h->room, h->blocks + 1, sizeof *h->block)) {
    h->to->lost = true;
    return;
  }
  h->block[h->blocks++] = (struct block){.at = at, .bytes = bytes, .got = {a->by, lane}};
  for (uint64_t k = 0; k < units; k++) h->of[first + k] = (uint32_t)h->blocks;
  h->fresh(h->ctx, at, bytes);
}

/* False: it may not. */
static bool gave(struct heap *h, const struct heddle_observed_access *a, unsigned lane, uint64_t of) {
  struct block *b = block_of(h, of);
  const bool right = b && b->at == of && !b->freed;
  if (!right) {
    wrong_free(h, a, lane, of);
    return false;
  }
  b->freed = true;
  b->gave = (struct caller){a->by, lane};
  return true;
}

static bool is_global(const struct heddle_observed_access *a, uint64_t addr) {
  return a->space == ISA_SPACE_GLOBAL || (a->space == ISA_SPACE_GENERIC && addr >> SPACE_SHIFT == 0);
}

/* By the library: false where a lane may not. */
static bool library_access(struct heap *h, const struct heddle_observed_access *a, unsigned lane) {
  const uint64_t addr = a->addr[lane];
  const bool global = is_global(a, addr), inside = global && addr - h->base < h->bytes;
  const bool of_module = global && addr - h->variables < h->variables_bytes;
  if (a->bytes != 4) return true;
  if (a->kind == HEDDLE_ACCESS_STORE && inside && addr % UNIT == BYTES_AT)
    got(h, a, lane, addr + UNIT - BYTES_AT, a->data[0][lane]);
  if (a->kind == HEDDLE_ACCESS_ATOMIC && (inside || !of_module)) return gave(h, a, lane, addr + UNIT - BYTES_AT);
  return true;
}

/* By the program. */
static bool own_access(struct heap *h, const struct heddle_observed_access *a, unsigned lane) {
  const uint64_t addr = a->addr[lane];
  if (!is_global(a, addr) || addr - h->base >= h->bytes) return true;
  const struct block *b = block_of(h, addr);
  if (b && !b->freed && addr + a->bytes <= b->at + b->bytes) return true;
  wrong_access(h, a, lane, b ? b : nearest(h, addr));
  return false;
}

uint32_t heap_access(struct heap *h, const struct heddle_observed_access *a) {
  const bool library = heddle_program_order(h->to->job->program, a->by.pc) == HEDDLE_ORDER_LIBRARY;
  uint32_t wrong = 0;
  for (uint32_t rest = a->by.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    if (!(library ? library_access(h, a, lane) : own_access(h, a, lane))) wrong |= 1u << lane;
  }
  return wrong;
}

/* Accesses outside of what they may touch. */

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
