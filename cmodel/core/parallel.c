/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of a grid on several threads of the host.
 *
 * The result must not depend on how many. So only programs run this way whose
 * blocks cannot see each other's order: their accesses to global memory are
 * weak (two blocks that meet in such an access have a data race, which the
 * memory model leaves open anyway), and their atomics return nothing and commute
 * exactly: integer RED. All others, and whatever ends in a trap, at a limit or with a
 * diagnosis, run on one thread, from the memory as it was at the start: a page of
 * it is kept before the first store there.
 *
 * Each thread has a view of the model: the same memory, program and launch, but
 * one block slot and its warp slots for itself. Blocks come from one counter.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include "parallel.h"
#include "base/process.h"

/* ---- may blocks run side by side? ---- */

static bool commutes(const struct heddle_isa_dec *d) {
  switch (heddle_isa_get(d->word, ISA_F_ROP)) {
  case ISA_ROP_ADD:
  case ISA_ROP_ADD_64:
  case ISA_ROP_MIN:
  case ISA_ROP_MIN_S32:
  case ISA_ROP_MIN_U64:
  case ISA_ROP_MIN_S64:
  case ISA_ROP_MAX:
  case ISA_ROP_MAX_S32:
  case ISA_ROP_MAX_U64:
  case ISA_ROP_MAX_S64:
  case ISA_ROP_AND:
  case ISA_ROP_AND_64:
  case ISA_ROP_OR:
  case ISA_ROP_OR_64:
  case ISA_ROP_XOR:
  case ISA_ROP_XOR_64:
    return true;
  default:
    return false; /* floating point rounds by order; .INC and .DEC wrap by it */
  }
}

static bool memory_apart(const struct dop *op, const struct heddle_isa_dec *d) {
  if (op->space == ISA_SPACE_SHARED || op->space == ISA_SPACE_LOCAL || op->space == ISA_SPACE_CONST) return true;
  if (heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, ISA_F_STRONG) &&
      heddle_isa_get(d->word, ISA_F_STRONG) != ISA_STRONG_WEAK && op->access != SEM_RED)
    return false;
  if (op->access == SEM_RED) return commutes(d);
  return op->access == SEM_LOAD || op->access == SEM_STORE || op->access == SEM_COPY;
}

/* A warp slot is not the same when more threads share the slots; of several SMs, which one it is. */
static bool names_slot(const struct heddle_model *m, const struct heddle_isa_dec *d) {
  if (heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, ISA_F_SREG)) {
    const uint64_t n = heddle_isa_get(d->word, ISA_F_SREG);
    return n == ISA_SREG_SR_WARPID || (m->shown > 1 && n == ISA_SREG_SR_SMID);
  }
  if (!heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, ISA_F_USREG)) return false;
  const uint64_t n = heddle_isa_get(d->word, ISA_F_USREG);
  return n == ISA_USREG_SR_WARPID || (m->shown > 1 && n == ISA_USREG_SR_SMID);
}

static bool blocks_apart(const struct heddle_model *m) {
  for (uint32_t i = 0; i < m->ops; i++) {
    const struct dop *op = &m->op[i];
    if (op->kind == DOP_MEMORY && !memory_apart(op, &m->dec[i])) return false;
    if (op->kind == DOP_ROW && names_slot(m, &m->dec[i])) return false;
  }
  return true;
}

/* Blocks that an SM has slots for. */
static unsigned resident(const struct heddle_model *m, unsigned block_warps) {
  const unsigned n = m->sm_warps / block_warps;
  return n < m->sm_blocks ? n : m->sm_blocks;
}

static unsigned useful_threads(const struct heddle_model *m, unsigned block_warps) {
  unsigned n = m->threads;
  if (n > m->shown * resident(m, block_warps)) n = m->shown * resident(m, block_warps);
  return n > m->grid_blocks ? (unsigned)m->grid_blocks : n;
}

/* ---- the memory as it was ---- */

#define PAGE_BYTES 4096u

enum { PAGE_UNTOUCHED, PAGE_BEING_KEPT, PAGE_KEPT };

static uint64_t page_bytes(const struct block_queue *q, uint64_t page) {
  const uint64_t left = q->bytes - page * PAGE_BYTES;
  return left < PAGE_BYTES ? left : PAGE_BYTES;
}

/* The first thread that comes keeps the page; the others wait for that before they store. */
static void page_keep(struct block_queue *q, uint64_t page) {
  unsigned char was = PAGE_UNTOUCHED;
  if (atomic_compare_exchange_strong(&q->page[page], &was, PAGE_BEING_KEPT)) {
    memcpy(q->before + page * PAGE_BYTES, q->memory + page * PAGE_BYTES, page_bytes(q, page));
    atomic_store_explicit(&q->page[page], PAGE_KEPT, memory_order_release);
  }
  while (atomic_load_explicit(&q->page[page], memory_order_acquire) != PAGE_KEPT) (void)sched_yield();
}

void parallel_keep(struct block_queue *q, uint64_t place, uint64_t bytes) {
  if (place >= q->bytes || bytes > q->bytes - place) return; /* it is no access */
  for (uint64_t page = place / PAGE_BYTES; page <= (place + bytes - 1) / PAGE_BYTES; page++)
    if (atomic_load_explicit(&q->page[page], memory_order_acquire) != PAGE_KEPT) page_keep(q, page);
}

/* Room for all of it, of which the host gives what is used. */
static bool queue_begin(struct block_queue *q, const struct heddle_model *m) {
  const uint64_t pages = (m->bytes + PAGE_BYTES - 1) / PAGE_BYTES;
  *q = (struct block_queue){.blocks = m->grid_blocks, .memory = m->memory, .bytes = m->bytes};
  atomic_init(&q->next, 0);
  atomic_init(&q->stop, false);
  q->before = malloc(m->bytes + 1);
  q->page = calloc(pages + 1, sizeof *q->page);
  return q->before != NULL && q->page != NULL;
}

static void queue_end(struct block_queue *q, bool back) {
  const uint64_t pages = (q->bytes + PAGE_BYTES - 1) / PAGE_BYTES;
  for (uint64_t k = 0; k < pages && back; k++)
    if (atomic_load(&q->page[k]) == PAGE_KEPT)
      memcpy(q->memory + k * PAGE_BYTES, q->before + k * PAGE_BYTES, page_bytes(q, k));
  free(q->before);
  free(q->page);
}

/* As after the launch: no block has begun. */
static void forget_blocks(struct heddle_model *m) {
  for (unsigned i = 0; i < m->warp_slots; i++) m->warp[i].used = false;
  for (unsigned i = 0; i < m->block_slots; i++) m->block[i].used = false;
  m->now.blocks_started = m->now.blocks_ended = 0;
}

/* ---- threads ---- */

struct worker {
  struct heddle_model view;
  uint64_t limit, retired;
  enum heddle_error status;
  pthread_t thread;
  bool runs;
};

static void *run_worker(void *arg) {
  struct worker *w = arg;
  w->status = run_blocks(&w->view, w->limit, UINT64_MAX, &w->retired);
  if (w->status != HEDDLE_SUCCESS) atomic_store(&w->view.queue->stop, true);
  return NULL;
}

static void worker_begin(struct worker *w, const struct heddle_model *m, struct block_queue *q, unsigned number,
                         unsigned block_warps, uint64_t limit) {
  const unsigned each = resident(m, block_warps), k = number / each, in = number % each;
  w->view = *m;
  w->view.queue = q;
  w->view.sm = m->sm + k;
  w->view.shown = 1;
  w->view.warp = m->warp + (size_t)k * m->sm_warps + (size_t)in * block_warps;
  w->view.warp_slots = block_warps;
  w->view.block = m->block + (size_t)k * m->sm_blocks + in;
  w->view.block_slots = 1;
  w->view.block_seen = NULL; /* the counter hands out each block once */
  w->view.spare = NULL;
  w->limit = limit;
  w->status = HEDDLE_SUCCESS;
}

/* True when every block ran to its end. */
static bool run_threads(struct heddle_model *m, struct block_queue *q, struct worker *w, unsigned n,
                        unsigned block_warps, uint64_t limit, uint64_t *retired) {
  for (unsigned i = 0; i < n; i++) worker_begin(&w[i], m, q, i, block_warps, limit);
  for (unsigned i = 1; i < n; i++) w[i].runs = thread_start(&w[i].thread, run_worker, &w[i]);
  run_worker(&w[0]);
  for (unsigned i = 1; i < n; i++)
    if (w[i].runs) (void)pthread_join(w[i].thread, NULL);
  bool ok = true;
  uint64_t count = 0, ended = 0;
  for (unsigned i = 0; i < n; i++) {
    ok = ok && w[i].status == HEDDLE_SUCCESS;
    count += w[i].retired;
    ended += w[i].view.now.blocks_ended;
  }
  *retired = count;
  m->now.blocks_started = m->now.blocks_ended = ended;
  return ok && ended == m->grid_blocks && count <= limit;
}

bool parallel_run(struct heddle_model *m, uint64_t limit, uint64_t *retired) {
  const uint64_t threads = (uint64_t)m->launch.block[0] * m->launch.block[1] * m->launch.block[2];
  const unsigned block_warps = (unsigned)((threads + HEDDLE_LANES - 1) / HEDDLE_LANES);
  const unsigned n = useful_threads(m, block_warps);
  if (n < 2 || m->pages != NULL || m->observer.size != 0 || !blocks_apart(m)) return false;
  struct block_queue q;
  struct worker *w = calloc(n, sizeof *w);
  const bool ready = queue_begin(&q, m);
  const bool done = ready && w != NULL && run_threads(m, &q, w, n, block_warps, limit, retired);
  if (!done) forget_blocks(m);
  queue_end(&q, ready && !done);
  free(w);
  return done;
}
