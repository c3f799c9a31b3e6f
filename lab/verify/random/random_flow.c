/* SPDX-License-Identifier: Apache-2.0
 * Parts of random programs that are about the order of a warp's paths: locks, and lanes that meet in unusual ways. Some
 * are for `its` alone.
 *
 * Under `its` paths in two arms use the convergence barriers of their depth at the same time, and wait for each other
 * there. So that none waits in a circle the inner one of two always has the lower number, b, and deeper ones have
 * numbers that only deeper paths use. */
#include "lab/verify/random/node.h"

#define E(...) random_emit(p, __VA_ARGS__)

enum { REG_LOCK = REG_ADDRESS, REG_GOT = REG_ADDRESS + 2, REG_VALUE = REG_ADDRESS + 3 };

/* Once it has the lock a lane counts up without an atomic, and leaves it. */
static void critical(struct random_program *p, unsigned at) {
  E("LDG.E.STRONG.GPU R%u, [R%u+0x%x] ;\nIADD3 R%u, R%u, 0x1, RZ ;\n", REG_VALUE, REG_LOCK, at + 4, REG_VALUE,
    REG_VALUE);
  E("STG.E.STRONG.GPU [R%u+0x%x], R%u ;\nMEMBAR.GPU ;\nSTG.E.STRONG.GPU [R%u+0x%x], RZ ;\n", REG_LOCK, at + 4,
    REG_VALUE, REG_LOCK, at);
}

static void try_lock(struct random_program *p, const struct node *n, unsigned at) {
  E("again_%u:\nMOV R%u, 0x1 ;\nATOMG.E.CAS R%u, [R%u+0x%x], RZ, R%u ;\n", n->id, REG_VALUE, REG_GOT, REG_LOCK, at,
    REG_VALUE);
}

/* The lanes meet after each attempt, so that it works under `stack`, too. */
static void lock_meeting(struct random_program *p, const struct node *n, unsigned b, unsigned at) {
  try_lock(p, n, at);
  E("BSSY B%u, skip_%u ;\nISETP.NE.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA skip_%u ;\n", b, n->id, REG_GOT, n->id);
  critical(p, at);
  E("skip_%u:\nBSYNC B%u ;\nISETP.NE.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA again_%u ;\n", n->id, b, REG_GOT, n->id);
}

/* its: those who have not got it spin by themselves. */
static void lock_spinning(struct random_program *p, const struct node *n, unsigned at) {
  try_lock(p, n, at);
  E("ISETP.NE.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA spin_%u ;\n", REG_GOT, n->id);
  critical(p, at);
  E("BRA out_%u ;\nspin_%u:\n", n->id, n->id);
  if (n->style & 4) E("NANOSLEEP 0x20 ;\n");
  E("BRA again_%u ;\n", n->id);
}

/* its: who has it waits for those who spin, until YIELD lets it go on. Nobody may wait at a convergence barrier for
 * these lanes then, since YIELD would let him go on as well: all lanes of the warp meet by WARPSYNC. */
static void lock_parked(struct random_program *p, const struct node *n, unsigned b, unsigned at) {
  E("BSSY B%u, got_%u ;\n", b, n->id);
  try_lock(p, n, at);
  E("ISETP.EQ.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA got_%u ;\nYIELD ;\nBRA again_%u ;\ngot_%u:\nBSYNC B%u ;\n", REG_GOT,
    n->id, n->id, n->id, b);
  critical(p, at);
}

/* A lock of the grid for two lanes of each warp, or one of the warp, for four lanes, rarely for more: lanes have it one
 * after the other, which takes long. */
static unsigned enter(struct random_program *p, const struct node *n) {
  const bool grid = n->trips == 1;
  if (grid || n->trips == 2 || n->style & 4) {
    const unsigned lanes = grid ? 2 : 4;
    E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nISETP.NE.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA out_%u ;\n", REG_VALUE,
      REG_LANE, 32 - lanes, REG_VALUE, lanes * n->pred, n->id);
  } else {
    E("@P%u BRA out_%u ;\n", n->pred, n->id);
  }
  if (grid)
    E("MOV R%u, c[0x0][out] ;\nMOV R%u, c[0x0][out+4] ;\n", REG_LOCK, REG_LOCK + 1);
  else
    E("MOV R%u, R%u ;\nMOV R%u, R%u ;\n", REG_LOCK, REG_WARP, REG_LOCK + 1, REG_WARP + 1);
  char add[80];
  const unsigned at = (grid ? random_grid_at(p) + SCRATCH_COUNTER_BYTES : SCRATCH_WARP_BYTES) + 8u * n->lock,
                 left = random_reach(add, sizeof add, REG_LOCK, REG_GOT, at);
  E("%s", add);
  return left;
}

void random_write_lock(struct random_program *p, const struct node *n, unsigned b, bool in_function) {
  const bool parked = p->limits.its && n->depth == 0 && !in_function && n->style & 2;
  if (!parked) E("BSSY B%u, out_%u ;\n", b + 1, n->id);
  const unsigned at = enter(p, n);
  if (parked)
    lock_parked(p, n, b, at);
  else if (p->limits.its && n->style & 1)
    lock_spinning(p, n, at);
  else
    lock_meeting(p, n, b, at);
  E("out_%u:\n", n->id);
  if (parked)
    E("WARPSYNC 0xffffffff ;\n");
  else
    E("BSYNC B%u ;\n", b + 1);
}

void random_write_save(struct random_program *p, const struct node *n, unsigned b, bool in_function) {
  const unsigned saved = REG_SAVED + n->depth + (in_function ? 3u : 0u);
  E("BSSY B%u, join_%u ;\nBMOV.GET.CLEAR R%u, B%u ;\n", b, n->id, saved, b);
  E("BSSY B%u, mid_%u ;\n@P%u BRA mid_%u ;\n", b, n->id, n->pred, n->id);
  random_write_list(p, n->child, in_function);
  E("mid_%u:\nBSYNC B%u ;\nBMOV.SET B%u, R%u ;\n", n->id, b, b, saved);
  E("@!P%u BRA join_%u ;\n", n->pred, n->id);
  random_write_list(p, n->child2, in_function);
  E("join_%u:\nBSYNC B%u ;\n", n->id, b);
}

void random_write_share(struct random_program *p, const struct node *n, unsigned b, bool in_function) {
  E("BSSY B%u, join_%u ;\nBSSY B%u, two_%u ;\n@P%u BRA two_%u ;\n", b + 1, n->id, b, n->id, n->pred, n->id);
  random_write_list(p, n->child, in_function);
  E("BSYNC B%u ;\nJMP join_%u ;\ntwo_%u:\n", b, n->id, n->id);
  random_write_list(p, n->child2, in_function);
  E("BSYNC B%u ;\njoin_%u:\nBSYNC B%u ;\n", b, n->id, b + 1);
}

void random_write_sync(struct random_program *p, const struct node *n, unsigned b) {
  E("BSSY B%u, join_%u ;\nBMOV.GET R%u, B%u ;\n@P%u BRA two_%u ;\n", b, n->id, REG_SAVED, b, n->pred, n->id);
  random_write_list(p, n->child, false);
  E("WARPSYNC R%u ;\nBRA join_%u ;\ntwo_%u:\n", REG_SAVED, n->id, n->id);
  random_write_list(p, n->child2, false);
  E("WARPSYNC R%u ;\njoin_%u:\nBSYNC B%u ;\n", REG_SAVED, n->id, b);
}
