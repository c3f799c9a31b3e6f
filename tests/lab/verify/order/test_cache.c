/* SPDX-License-Identifier: Apache-2.0
 *
 * Scenes of a core with a cache, each a few words, and what the axioms say of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cosim/kit/conform/set.h"
#include "tests/lab/verify/order/stage.h"
#include "tests/test.h"
#include "lab/verify/oracle/order/order.h"

/* Scenes: what is right, and what breaks each axiom. The language is below. */

struct scene {
  const char *name, *text;
  uint32_t promises;      /* of the cache */
  enum order_axiom axiom; /* that is broken; ORDER_AXIOM_NONE: it holds */
  uint32_t room;          /* sectors of the cache; 0: 64 */
};

#define HOLDS ORDER_AXIOM_NONE
/* A fills the sector of words 0 to 7, and reads it. */
#define READ "A=0.load:1 A.merge:1 fill:1:1 A.hit:1 A.get "
/* A flag: the data is word 1, its flag word 40. Warp 0 writes, warp 2 is of another block. */
#define RELEASE "W=0.store:1 W.drop W.do W.ack F=0.gpu F.fence X=0.store:40 X.drop X.do X.ack "

static const struct scene scenes[] = {
    /* ---- right ---- */
    {"miss", READ, 1, HOLDS, 0},
    {"hit", READ "B=1.load:2 B.hit:1 B.get C=2.load:1 C.hit:1 C.get", 1, HOLDS, 0},
    {"joins",
     "A=0.load:1 A.merge:1 B=1.load:3 B.merge:1 fill:1:1 C=2.load:1 C.merge:1 A.hit:1 B.hit:1 C.hit:1 "
     "A.get B.get C.get",
     1, HOLDS, 0},
    {"overtaken",
     "A=0.load:1 A.merge:1 B=1.store:1 B.drop fill:1:1 B.do B.ack C=1.load:1 C.merge:2 A.hit:1 A.get "
     "fill:2:1 C.hit:2 C.get",
     1, HOLDS, 0},
    {"taken_late", "A=0.load:1 A.merge:1 fill:1:1 B=1.store:1 B.drop B.do A.hit:1 A.get B.ack", 1, HOLDS, 0},
    {"own_store", READ "B=0.store:1 B.drop C=0.load:1 C.merge:2 B.do fill:2:1 C.hit:2 C.get B.ack", 1, HOLDS, 0},
    {"evicted", READ "evict:1 B=0.load:1 B.merge:2 fill:2:1 B.hit:2 B.get", 1, HOLDS, 1},
    {"two_lines", READ "B=0.load:40 B.merge:2 fill:2:40 B.hit:2 B.get C=0.load:1 C.hit:1 C.get", 1, HOLDS, 2},
    {"atomic", READ "B=1.atomic:1 B.drop B.do B.ack B.get C=1.load:1 C.merge:2 fill:2:1 C.hit:2 C.get", 1, HOLDS, 0},
    {"strong", READ "B=1.strong:1 B.drop B.do B.get C=1.load:1 C.merge:2 fill:2:1 C.hit:2 C.get", 1, HOLDS, 0},
    {"fence", READ "B=1.store:9 B.drop F=0.gpu B.do B.ack F.fence C=0.load:1 C.merge:2 fill:2:1 C.hit:2 C.get", 1,
     HOLDS, 0},
    {"fence_cta",
     "A=0.load:1 A.merge:1 B=0.store:9 B.drop S=0.strong:40 S.drop F=0.cta fill:1:1 A.hit:1 B.do S.do F.fence A.get "
     "S.get B.ack",
     1, HOLDS, 0},
    {"fence_cta_of_others",
     "A=1.load:1 A.merge:1 B=1.store:9 B.drop M=0.lload:0 M.merge:2 L=0.lstore:0 F=0.cta F.fence fill:1:1 A.hit:1 "
     "A.get B.do B.ack L.do lfill:2:0 M.hit:2 M.get",
     1, HOLDS, 0},
    {"bar_not_for_local",
     "K=1.load:1 K.merge:1 fill:1:1 K.hit:1 K.get M=0.lload:0 M.merge:2 L=0.lstore:0 C=0.bar D=1.bar bar L.do "
     "lfill:2:0 M.hit:2 M.get",
     1, HOLDS, 0},
    {"emptied", READ "F=1.empty F.fence C=0.load:1 C.merge:2 fill:2:1 C.hit:2 C.get", 1, HOLDS, 0},
    {"barrier", READ "B=1.store:1 B.drop C=0.bar B.do D=1.bar bar E=0.load:1 E.merge:2 fill:2:1 E.hit:2 E.get B.ack", 1,
     HOLDS, 0},
    {"read_before_barrier",
     "A=0.load:1 A.merge:1 fill:1:1 A.hit:1 B=0.bar A.get C=1.bar bar D=1.store:1 D.drop D.do D.ack", 1, HOLDS, 0},
    {"message",
     READ RELEASE "B=2.strong:40 B.drop B.do B.get G=2.gpu G.fence C=2.load:1 C.merge:2 fill:2:1 C.hit:2 "
                  "C.get",
     1, HOLDS, 0},
    {"local",
     "K=1.load:1 K.merge:1 fill:1:1 K.hit:1 K.get A=0.lstore:0 B=0.lload:0 B.hit:0 B.get A.do C=0.lload:0 "
     "C.merge:2 D=0.lstore:0 D.do lfill:2:0 C.hit:2 C.get",
     1, HOLDS, 0},
    {"local_drop", READ "B=0.lstore:0 B.drop B.do C=0.lload:0 C.merge:2 lfill:2:0 C.hit:2 C.get", 1, HOLDS, 0},
    {"by", READ "B=1.load:2 B.drop B.do B.get C=2.load:1 C.merge:2 fill:2:1 C.hit:2 C.get", 1, HOLDS, 0},
    {"fence_holds", "F=0.gpu A=0.load:1 F.fence A.merge:1 fill:1:1 A.hit:1 A.get", 1, HOLDS, 0},
    {"fence_for_two", "F=0.gpu G=0.gpu G.fence", 1, HOLDS, 0},
    {"fence_over_bar", "F=0.gpu C=0.bar D=1.bar bar F.fence", 1, HOLDS, 0},
    {"fence_from_before", READ "B=3.store:9 B.drop F=0.gpu F.fence B.do B.ack", 1, HOLDS, 0},
    {"shared", READ "S=0.sstore:3 S.do B=0.bar C=1.bar bar", 1, HOLDS, 0},
    {"ack_after_block", "A=0.store:1 A.drop A.do A.ack", 1, HOLDS, 0},
    {"error", READ "B=1.load:9 B.merge:2 error:9 C=2.load:2 C.hit:1 C.get B.trap", 1, HOLDS, 0},
    {"local_line", READ "levict:1 B=1.load:1 B.hit:1 B.get", 1, HOLDS, 0},
    /* Without promises: nobody knows of the store, or of more than it has to. */
    {"lazy", READ "B=1.store:1 B.drop B.do B.ack", 0, HOLDS, 0},
    {"lazy_unknown", "A=2.load:1 A.merge:1 fill:1:1 B=1.store:1 B.drop B.do B.ack A.hit:1 A.get", 0, HOLDS, 0},
    {"lazy_other_bytes", "C=0.load:1 C.merge:1 fill:1:1 B=0.store:2 C.hit:1 C.get B.drop B.do B.ack", 0, HOLDS, 0},
    {"lazy_message",
     "H=2.load:1 H.merge:1 fill:1:1 " RELEASE "B=2.strong:40 B.drop B.do B.get C=3.load:1 C.merge:1 "
     "C.hit:1 C.get H.hit:1 H.get",
     0, HOLDS, 0},
    {"lazy_forward",
     "A=0.load:1 A.merge:1 fill:1:1 B=1.store:1 B.drop B.do B.ack C=0.load:1 C.merge:2 fill:2:1 "
     "C.hit:2 A.hit:1 A.get C.get",
     0, HOLDS, 0},

    /* ---- reads-from ---- */
    {"wrong_byte", "A=0.load:1 A.merge:1 fill:1:1 A.hit:1 A.bad", 1, ORDER_READS_FROM, 0},
    {"local_value", "A=0.lstore:0 B=0.lload:0 B.hit:0 B.bad A.do", 1, ORDER_READS_FROM, 0},
    {"local_drop_twice", "A=0.lstore:0 A.do A.drop", 1, ORDER_RECORD, 0},
    /* ---- visibility: 1 program order, 2 barriers, 3 what was acquired ---- */
    {"misses_own",
     "H=1.load:1 H.merge:1 fill:1:1 B=0.store:1 B.drop B.do B.ack C=0.load:1 C.merge:1 C.hit:1 C.get "
     "H.hit:1 H.get",
     0, ORDER_VISIBILITY, 0},
    {"misses_own_open",
     "H=1.load:1 H.merge:1 fill:1:1 B=0.store:1 B.drop C=0.load:1 C.merge:1 C.hit:1 C.get H.hit:1 "
     "H.get B.do B.ack",
     0, ORDER_VISIBILITY, 0},
    {"misses_known",
     "H=3.load:1 H.merge:1 fill:1:1 B=1.store:1 B.drop B.do B.ack C=0.bar D=1.bar bar E=0.load:1 "
     "E.merge:1 E.hit:1 E.get H.hit:1 H.get",
     0, ORDER_VISIBILITY, 0},
    {"misses_acquired",
     "H=3.load:1 H.merge:1 fill:1:1 " RELEASE "B=2.strong:40 B.drop B.do B.get G=2.gpu G.fence "
     "C=2.load:1 C.merge:1 C.hit:1 C.get H.hit:1 H.get",
     0, ORDER_VISIBILITY, 0},
    {"acquired_by_copy",
     "H=3.load:1 H.merge:1 fill:1:1 " RELEASE "B=2.load:40 B.merge:2 fill:2:40 B.hit:2 B.get "
     "G=2.gpu G.fence C=2.load:1 C.merge:1 C.hit:1 C.get H.hit:1 H.get",
     0, ORDER_VISIBILITY, 0},
    {"sees_own_younger", "A=0.load:1 A.merge:1 D=0.store:1 D.drop D.do fill:1:1 A.hit:1 A.get D.ack", 1, ORDER_PROGRAM,
     0},
    {"acquired_by_barrier",
     "H=0.load:1 H.merge:1 fill:1:1 W=2.store:1 W.drop W.do W.ack F=2.gpu F.fence X=2.store:40 "
     "X.drop X.do X.ack B=0.strong:40 B.drop B.do B.get K=3.load:1 K.merge:1 H.hit:1 H.get "
     "G=0.gpu G.fence C=0.bar D=1.bar bar E=1.load:1 E.merge:1 E.hit:1 E.get K.hit:1 K.get",
     0, ORDER_VISIBILITY, 0},
    {"overtakes_load", "A=0.load:1 B=0.store:2 B.drop B.do A.merge:1 fill:1:1 A.hit:1 A.get B.ack", 1, ORDER_PROGRAM,
     0},
    /* ---- backwards ---- */
    {"back",
     "H=1.load:1 H.merge:1 fill:1:1 B=1.store:1 B.drop B.do B.ack A=0.strong:1 A.drop A.do A.get C=0.load:1 "
     "C.merge:1 C.hit:1 C.get H.hit:1 H.get",
     0, ORDER_BACKWARDS, 0},
    {"back_by_copy",
     "H=1.load:1 H.merge:1 fill:1:1 B=1.store:1 B.drop B.do B.ack A=0.load:1 A.merge:2 fill:2:1 A.hit:2 "
     "A.get C=0.load:1 C.merge:1 C.hit:1 C.get H.hit:1 H.get",
     0, ORDER_BACKWARDS, 0},
    {"back_late",
     "H=1.load:1 H.merge:1 fill:1:1 B=1.store:1 B.drop B.do B.ack A=0.load:1 A.merge:2 C=0.load:1 "
     "C.merge:1 C.hit:1 C.get fill:2:1 A.hit:2 A.get H.hit:1 H.get",
     0, ORDER_BACKWARDS, 0},
    /* ---- dropped ---- */
    {"joins_stored", READ "B=1.store:1 B.drop C=2.load:1 C.hit:1 C.get B.do B.ack", 1, ORDER_DROPPED, 0},
    {"joins_overtaken",
     "A=0.load:1 A.merge:1 B=1.store:1 B.drop C=2.load:1 C.merge:1 fill:1:1 A.hit:1 C.hit:1 A.get "
     "C.get B.do B.ack",
     1, ORDER_DROPPED, 0},
    {"joins_strong", READ "B=1.strong:1 B.drop B.do B.get C=2.load:1 C.hit:1 C.get", 1, ORDER_DROPPED, 0},
    {"joins_evicted", READ "evict:1 B=0.load:1 B.hit:1 B.get", 1, ORDER_DROPPED, 0},
    {"joins_over_fence", READ "F=1.gpu F.fence C=2.load:1 C.hit:1 C.get", 1, ORDER_DROPPED, 0},
    {"joins_emptied", READ "F=1.empty F.fence C=2.load:1 C.hit:1 C.get", 1, ORDER_DROPPED, 0},
    {"merges_over_fence",
     "A=0.load:1 A.merge:1 F=1.gpu F.fence C=2.load:1 C.merge:1 fill:1:1 A.hit:1 A.get C.hit:1 C.get", 1, ORDER_DROPPED,
     0},
    {"never_passed", "A=0.store:1 A.do A.ack", 1, ORDER_DROPPED, 0},
    {"passes_twice", "A=0.store:1 A.drop A.drop A.do A.ack", 1, ORDER_DROPPED, 0},
    {"joins_local", "A=0.lload:0 A.merge:1 F=1.gpu F.fence B=0.lload:0 B.merge:1 lfill:1:0 A.hit:1 A.get B.hit:1 B.get",
     1, ORDER_DROPPED, 0},
    /* ---- fill ---- */
    {"number", "A=0.load:1 A.merge:2 fill:2:1 A.hit:2 A.get", 1, ORDER_FILL, 0},
    {"unasked", READ "fill:2:9", 1, ORDER_FILL, 0},
    {"other_sector", "A=0.load:1 A.merge:1 fill:1:9 A.hit:1 A.get", 1, ORDER_FILL, 0},
    {"twice", "A=0.load:1 A.merge:1 fill:1:1 fill:1:1 A.hit:1 A.get", 1, ORDER_FILL, 0},
    {"too_soon", "A=0.load:1 A.merge:1 A.hit:1 A.get fill:1:1", 1, ORDER_FILL, 0},
    {"waits_twice", "A=0.load:1 A.merge:1 A.merge:2 fill:1:1 A.hit:1 A.get fill:2:1", 1, ORDER_FILL, 0},
    {"waits_for_other",
     "A=0.load:1 A.merge:1 fill:1:1 E=1.store:1 E.drop B=1.load:1 B.merge:2 E.do fill:2:1 A.hit:2 "
     "A.get B.hit:2 B.get E.ack",
     1, ORDER_FILL, 0},
    {"too_many", READ "B=0.load:40 B.merge:2 fill:2:40 B.hit:2 B.get", 1, ORDER_FILL, 1},
    {"never_asked", "A=0.load:1 A.hit:7 A.get", 1, ORDER_FILL, 0},
    {"asks_again", READ "B=1.load:1 B.merge:2 fill:2:1 B.hit:2 B.get", 1, ORDER_FILL, 0},
    {"gone", READ "B=1.store:1 B.drop B.do B.ack C=2.load:1 C.hit:1 C.get", 0, ORDER_FILL, 0},
    {"no_errors", READ "error:9", 1, ORDER_FILL, 0},
    /* ---- acknowledged ---- */
    {"ack_early", "A=0.store:1 A.drop A.ack A.do", 1, ORDER_ACKNOWLEDGED, 0},
    {"ack_twice", "A=0.store:1 A.drop A.do A.ack A.ack", 1, ORDER_ACKNOWLEDGED, 0},
    {"ack_missing", "A=0.store:1 A.drop A.do", 1, ORDER_ACKNOWLEDGED, 0},
    {"ack_of_load", READ "A.ack", 1, ORDER_ACKNOWLEDGED, 0},
    {"ack_of_local", "A=0.lstore:0 A.do A.ack", 1, ORDER_ACKNOWLEDGED, 0},
    /* ---- fence ---- */
    {"fence_store", "B=0.store:9 B.drop F=0.gpu F.fence B.do B.ack", 1, ORDER_FENCE, 0},
    {"fence_ack", "B=0.store:9 B.drop B.do F=0.gpu F.fence B.ack", 1, ORDER_FENCE, 0},
    {"fence_other_warp", "B=3.store:9 B.drop B.do S=0.sstore:3 S.do F=0.gpu F.fence B.ack", 1, ORDER_FENCE, 0},
    {"fence_known", "B=1.store:9 B.drop B.do C=0.bar D=1.bar bar F=0.gpu F.fence B.ack", 1, ORDER_FENCE, 0},
    {"fence_load", "A=0.load:1 A.merge:1 F=0.gpu F.fence fill:1:1 A.hit:1 A.get", 1, ORDER_FENCE, 0},
    {"fence_answer", "A=0.load:1 A.merge:1 fill:1:1 A.hit:1 F=0.gpu F.fence A.get", 1, ORDER_FENCE, 0},
    {"fence_cta_store", "B=0.store:9 F=0.cta F.fence B.drop B.do B.ack", 1, ORDER_FENCE, 0},
    {"fence_cta_passed", "B=0.store:9 B.drop F=0.cta F.fence B.do B.ack", 1, ORDER_FENCE, 0},
    {"fence_cta_atomic", "B=0.reduce:9 B.drop F=0.cta F.fence B.do B.ack", 1, ORDER_FENCE, 0},
    {"fence_cta_waits", "A=0.load:1 A.merge:1 fill:1:1 F=0.cta F.fence A.hit:1 A.get", 1, ORDER_FENCE, 0},
    {"fence_cta_strong", "A=0.strong:1 A.drop F=0.cta F.fence A.do A.get", 1, ORDER_FENCE, 0},
    {"fence_cta_shared", "B=0.sstore:3 F=0.cta F.fence B.do", 1, ORDER_FENCE, 0},
    {"bar_store", "B=0.store:9 C=0.bar B.drop B.do B.ack D=1.bar bar", 1, ORDER_FENCE, 0},
    {"bar_load", "B=0.load:9 C=0.bar B.merge:1 fill:1:9 B.hit:1 B.get D=1.bar bar", 1, ORDER_FENCE, 0},
    {"bar_passed", "B=0.store:9 B.drop C=0.bar B.do B.ack D=1.bar bar", 1, ORDER_FENCE, 0},
    {"bar_atomic", "B=0.reduce:9 B.drop C=0.bar B.do B.ack D=1.bar bar", 1, ORDER_FENCE, 0},
    {"bar_waits", "A=0.load:1 A.merge:1 fill:1:1 C=0.bar A.hit:1 A.get D=1.bar bar", 1, ORDER_FENCE, 0},
    {"bar_strong", "A=0.strong:1 A.drop C=0.bar A.do A.get D=1.bar bar", 1, ORDER_FENCE, 0},
    {"fence_missing", "F=0.gpu A=0.load:1 A.merge:1 fill:1:1 A.hit:1 A.get", 1, ORDER_FENCE, 0},
    {"fence_stops", "F=0.gpu A=0.load:1 F.fence A.merge:1 fill:1:1 A.hit:1 A.get", 3, ORDER_FENCE, 0},
    {"fence_passed_by", "F=0.gpu A=0.store:1 A.drop F.fence A.do A.ack", 1, ORDER_FENCE, 0},
    {"fence_twice", "F=0.gpu F.fence F.fence", 1, ORDER_FENCE, 0},
    /* ---- as without a cache ---- */
    {"by_and_through", "A=0.load:1 A.drop A.merge:1 fill:1:1 A.hit:1 A.get", 1, ORDER_ONCE, 0},
    {"past_the_cache", "A=0.load:1 A.do A.get", 1, ORDER_ONCE, 0},
    {"reads_twice", READ "A.hit:1", 1, ORDER_ONCE, 0},
    {"no_cache_for_it", "A=0.strong:1 A.merge:1 fill:1:1 A.hit:1 A.get", 1, ORDER_ONCE, 0},
    {"never_read", "A=0.load:1 A.merge:1 fill:1:1", 1, ORDER_BLOCK, 0},
};
static const unsigned scene_count = sizeof scenes / sizeof *scenes;

/* Scenes of a core with a cache, each a few words, and what the axioms say of it. A word is one record:
 *
 * - A=0.load:9: warp 0 issues a load of word 9 by lane 0; it is called A. Others: strong store atomic bar cta gpu
 * empty, lload lstore of local memory, sstore of shared. Stores write 0xa0 for A, 0xa1 for B ...
 * - A.drop A.do A.ack A.fence: passes; is performed; is acknowledged; is done.
 * - A.merge:1 A.hit:1: waits for fill 1; reads what it brought.
 * - A.get A.bad: its register is written, by what A read; by something else.
 * - A.trap: a bus error of A, the last record.
 * - fill:1:9 lfill:2:0: fill 1 takes the sector of word 9; fill 2 that of local word 0 of warp 0.
 * - evict:9 error:9: the sector of word 9 is replaced; is answered with an error.
 * - levict:9: of local memory, the line with the number of that of word 9.
 * - bar: the barrier of block 0 lets go. It has warps 0 and 1, block 1 has 2 and 3.
 *
 * Words 0 to 7 are a sector, 0 to 31 a line. At the end all warps exit, and their blocks end. */

static char path[] = "/tmp/heddle_order_XXXXXX", list[] = "/tmp/heddle_list_XXXXXX";

struct actor {
  unsigned slot;
  enum stage_op op;
  uint32_t seq, word, got;
};

struct play {
  struct stage st;
  struct actor actor[26];
  uint32_t copy[16][8]; /* what each fill has taken */
  bool trapped;
};

static uint32_t value_of(const struct play *p, const struct actor *a) {
  return 0xa0u + (unsigned)(a - p->actor);
}

static enum stage_op op_of(const char *name) {
  static const char *const names[] = {"load", "strong", "store", "atomic", "reduce", "bar",
                                      "cta",  "gpu",    "empty", "lload",  "lstore", "sstore"};
  for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(names[k], name) == 0) return (enum stage_op)k;
  fail_msg("no operation %s", name);
  return STAGE_OPS;
}

static void issue(struct play *p, struct actor *a, const char *text) {
  char name[16];
  uint32_t addr[32] = {0}, data[32] = {0};
  assert_true(sscanf(text, "%u.%15[a-z]:%u", &a->slot, name, &a->word) >= 2);
  a->op = op_of(name);
  addr[0] = a->word;
  data[0] = value_of(p, a);
  const bool memory = stage_accesses(a->op) || a->op >= STAGE_LOCAL_LOAD;
  const bool gives = a->op == STAGE_LOAD || a->op == STAGE_STRONG || a->op == STAGE_LOCAL_LOAD;
  a->seq = stage_issue(&p->st, a->slot, a->op, memory || a->op == STAGE_EMPTY ? 1 : ~0u, memory ? addr : NULL,
                       gives ? NULL : data);
}

static uint64_t line_of(const struct actor *a) {
  return a->op == STAGE_LOCAL_LOAD || a->op == STAGE_LOCAL_STORE ? ((uint64_t)a->slot << 18) + a->word
                                                                 : STAGE_LINE0 + a->word / 32;
}

static void visit(struct play *p, struct actor *a, enum heddle_record_kind kind, uint32_t number) {
  const bool local = a->op == STAGE_LOCAL_LOAD;
  const unsigned s = local ? 0 : a->word / 8 % 4;
  struct stage_visit v = {.lanes = 1, .used = (uint8_t)(1u << s)};
  v.number[s] = number;
  stage_visit(&p->st, kind, a->slot, a->seq, line_of(a), &v, local);
  if (kind == HEDDLE_RECORD_HIT && !local) a->got = p->copy[number % 16][a->word % 8];
  if (kind == HEDDLE_RECORD_HIT && local)
    for (const struct actor *b = p->actor; b < a; b++)
      if (b->op == STAGE_LOCAL_STORE && b->slot == a->slot && b->word == a->word && b->seq < a->seq)
        a->got = value_of(p, b);
}

static void perform(struct play *p, struct actor *a) {
  uint32_t addr[32] = {a->word}, data[32] = {value_of(p, a)}, old[32];
  if (a->op == STAGE_LOCAL_STORE)
    stage_local(&p->st, a->slot, a->seq, a->word, 1, data);
  else if (a->op == STAGE_SHARED_STORE)
    stage_shared(&p->st, a->slot, a->seq, a->word, data[0]);
  else {
    stage_global(&p->st, a->slot, a->seq, a->op == STAGE_LOAD ? STAGE_STRONG : a->op, STAGE_SECTOR0 + a->word / 8, 1,
                 addr, data, old);
    a->got = old[0];
  }
}

static void passes(struct play *p, const struct actor *a) {
  if (a->op == STAGE_LOCAL_STORE) {
    stage_drop_own(&p->st, a->slot, a->seq, line_of(a), HEDDLE_RECORD_DROP_STORE);
    return;
  }
  const bool loads = a->op == STAGE_STRONG || a->op == STAGE_LOAD;
  const enum heddle_record_cause cause = a->op == STAGE_STORE ? HEDDLE_RECORD_DROP_STORE
                                         : loads              ? HEDDLE_RECORD_DROP_STRONG
                                                              : HEDDLE_RECORD_DROP_ATOMIC;
  stage_drop(&p->st, a->slot, a->seq, line_of(a), 1u << a->word / 8 % 4, cause);
}

static void act(struct play *p, struct actor *a, const char *what, uint32_t number) {
  uint32_t value[32] = {a->got};
  if (strcmp(what, "drop") == 0)
    passes(p, a);
  else if (strcmp(what, "do") == 0)
    perform(p, a);
  else if (strcmp(what, "ack") == 0)
    stage_ack(&p->st, a->slot, a->seq, line_of(a));
  else if (strcmp(what, "merge") == 0)
    visit(p, a, HEDDLE_RECORD_MERGE, number);
  else if (strcmp(what, "trap") == 0) {
    stage_trap(&p->st, a->slot, a->seq, 10);
    p->trapped = true;
  } else if (strcmp(what, "hit") == 0)
    visit(p, a, HEDDLE_RECORD_HIT, number);
  else if (strcmp(what, "fence") == 0)
    stage_fence(&p->st, a->slot, a->seq,
                a->op == STAGE_CTA   ? HEDDLE_RECORD_SCOPE_CTA
                : a->op == STAGE_GPU ? HEDDLE_RECORD_SCOPE_GPU
                                     : HEDDLE_RECORD_SCOPE_EMPTYING);
  else {
    if (strcmp(what, "bad") == 0) value[0] ^= 0x40;
    stage_write(&p->st, a->slot, a->seq, 1, value);
  }
}

static void fill(struct play *p, uint32_t number, uint32_t word, bool local) {
  stage_fill(&p->st, local ? ((uint64_t)word << 18) * 4 : STAGE_SECTOR0 + word / 8, number, local);
  if (!local) memcpy(p->copy[number % 16], &p->st.memory[word / 8 * 8], 32);
}

static void step(struct play *p, const char *word) {
  char what[16];
  unsigned a = 0, b = 0;
  if (word[1] == '=') {
    issue(p, &p->actor[word[0] - 'A'], word + 2);
  } else if (word[1] == '.') {
    assert_true(sscanf(word + 2, "%15[a-z]:%u", what, &a) >= 1);
    act(p, &p->actor[word[0] - 'A'], what, a);
  } else if (sscanf(word, "fill:%u:%u", &a, &b) == 2) {
    fill(p, a, b, false);
  } else if (sscanf(word, "lfill:%u:%u", &a, &b) == 2) {
    fill(p, a, b, true);
  } else if (sscanf(word, "evict:%u", &a) == 1) {
    stage_drop(&p->st, 0, 0, STAGE_LINE0 + a / 32, 1u << a / 8 % 4, HEDDLE_RECORD_DROP_REPLACED);
  } else if (sscanf(word, "levict:%u", &a) == 1) {
    stage_drop_local(&p->st, STAGE_LINE0 + a / 32);
  } else if (sscanf(word, "error:%u", &a) == 1) {
    stage_drop(&p->st, 0, 0, STAGE_LINE0 + a / 32, 1u << a / 8 % 4, HEDDLE_RECORD_DROP_ERROR);
  } else {
    assert_string_equal(word, "bar");
    stage_barrier(&p->st, 0);
  }
}

static enum order_outcome play(const struct scene *s, unsigned profile, const char *to, struct order_result *r) {
  static struct play p;
  char text[1024], *rest = text;
  memset(&p, 0, sizeof p);
  stage_open(&p.st, 2, 2);
  p.st.promises = s->promises;
  p.st.errors = strstr(s->text, ".trap") != NULL;
  p.st.hidden = conform_profile[profile];
  if (s->room != 0) p.st.sectors = s->room;
  assert_true(strlen(s->text) < sizeof text);
  strcpy(text, s->text);
  for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) step(&p, word);
  for (unsigned w = 0; w < 4 && !p.trapped; w++) (void)stage_issue(&p.st, w, STAGE_EXIT, ~0u, NULL, NULL);
  for (unsigned b = 0; b < 2 && !p.trapped; b++) stage_block_end(&p.st, b);
  const enum order_outcome out = stage_judge(&p.st, path, to, r);
  stage_close(&p.st);
  return out;
}

static void test_scenes(void **state) {
  (void)state;
  unsigned failed = 0;
  for (unsigned n = 0; n < CONFORM_PROFILES * scene_count; n++) {
    const struct scene *s = &scenes[n / CONFORM_PROFILES];
    const unsigned profile = n % CONFORM_PROFILES;
    struct order_result r;
    const enum order_outcome out = play(s, profile, NULL, &r),
                             want = s->axiom == ORDER_AXIOM_NONE ? ORDER_HOLDS : ORDER_BROKEN;
    if (out != want || r.axiom != s->axiom) {
      print_error("%s at P%u: want %s, got %s in cycle %u: %s\n", s->name, profile, order_axiom_name(s->axiom),
                  order_axiom_name(r.axiom), (unsigned)r.cycle, r.what);
      failed++;
    }
    if (getenv("ORDER_SAY") != NULL && profile == 2 && out == ORDER_BROKEN) {
      printf("%s: %s: %s\n", s->name, order_axiom_name(r.axiom), r.what);
      for (unsigned k = 0; k < r.steps; k++) printf("  %u. %s\n     %s\n", k + 1, r.step[k].who, r.step[k].then);
    }
  }
  assert_int_equal(failed, 0);
}

/* A right scene holds as a list, too; where nothing is promised there is none. */
static void test_lists(void **state) {
  (void)state;
  for (unsigned k = 0; k < scene_count; k++) {
    const struct scene *s = &scenes[k];
    struct order_result r;
    const struct order_options o = {.accesses = 0};
    if (s->axiom != ORDER_AXIOM_NONE) continue;
    const enum order_outcome out = play(s, 2, list, &r);
    assert_int_equal(out, s->promises != 0 ? ORDER_HOLDS : ORDER_REFUSED);
    if (s->promises == 0)
      assert_non_null(strstr(r.what, "does not promise"));
    else if (order_check(list, &o, &r) != ORDER_HOLDS)
      fail_msg("%s, as a list: %s: %s", s->name, order_axiom_name(r.axiom), r.what);
  }
}

static int make_path(void **state) {
  (void)state;
  const int fd = mkstemp(path), of = mkstemp(list);
  if (fd < 0 || of < 0) return -1;
  close(of);
  return close(fd);
}

static int remove_path(void **state) {
  (void)state;
  return unlink(path) | unlink(list);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_scenes), cmocka_unit_test(test_lists)};
  return cmocka_run_group_tests(tests, make_path, remove_path);
}
