/* SPDX-License-Identifier: Apache-2.0
 *
 * Scenes: what is right, and what breaks each axiom. The language is in test_cache.c.
 */
#include "scenes.h"

#define HOLDS ORDER_AXIOM_NONE
/* A fills the sector of words 0 to 7, and reads it. */
#define READ "A=0.load:1 A.merge:1 fill:1:1 A.hit:1 A.get "
/* A flag: the data is word 1, its flag word 40. Warp 0 writes, warp 2 is of another block. */
#define RELEASE "W=0.store:1 W.drop W.do W.ack F=0.gpu F.fence X=0.store:40 X.drop X.do X.ack "

const struct scene scenes[] = {
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
const unsigned scene_count = sizeof scenes / sizeof *scenes;
