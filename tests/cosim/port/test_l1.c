/* SPDX-License-Identifier: Apache-2.0
 *
 * The L1 in C without a bug: random traffic under the oracle.
 *   tests_cosim l1 [SEEDS [FIRST]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/test.h"
#include "tests/cosim/port/l1_rig.h"

/* Options as text. */
static bool parses(const char *text, bool good) {
  struct l1_options o;
  char err[160] = "";
  heddle_l1_usual(&o, 64, 12, 2);
  if (heddle_l1_parse(&o, text, err, sizeof err) == good && (err[0] == 0) == good) return true;
  printf("'%s': %s\n", text, err);
  return false;
}

static bool test_options(void) {
  struct l1_options o;
  char err[160];
  heddle_l1_usual(&o, 64, 12, 2);
  if (!heddle_l1_parse(&o, "1024,ways=2,mshrs=3,epoch=1,bug=drop_lost", err, sizeof err) || o.bytes != 1024 ||
      o.ways != 2 || o.mshrs != 3 || o.epoch_bits != 1 || strcmp(heddle_l1_bug_name(o.bug), "drop_lost") != 0 ||
      heddle_l1_tags(&o) != 15)
    return false;
  return parses("512", true) && parses("16384,mshrs=64", true) && parses("", false) && parses("x", false) &&
         parses("1000", false) && parses("256", false) && parses("512,ways=3", false) &&
         parses("512,mshrs=65", false) && parses("512,epoch=0", false) && parses("512,bug=none", false) &&
         parses("512,lines=4", false) && parses("2097152", false);
}

/* A memory that never answers: the cache says who waits for what. */
static bool test_still(void) {
  struct l1_options o;
  heddle_l1_usual(&o, 64, 2, 1);
  struct l1 *c = heddle_l1_new(&o);
  const struct heddle_line_port_out credit = {.credit_valid = true}, none = {.credit_valid = false};
  struct heddle_line_port_in in = {.answer_ready = true};
  in.request = (struct heddle_line_port_request){.line = 7, .sectors = 1, .seq = 5, .lanes = 1};
  for (unsigned i = 0; i < 100100 && heddle_l1_error(c) == NULL; i++) {
    in.request_valid = i == 9;
    heddle_l1_offer(c, &in);
    heddle_l1_hear(c, i < 2 ? &credit : &none);
    heddle_l1_clock(c);
  }
  const bool said =
      heddle_l1_error(c) != NULL && strstr(heddle_l1_error(c), "tag 0 (slot 0 seq 5 line 0x7) for fills") != NULL;
  if (!said) printf("said: %s\n", heddle_l1_error(c) != NULL ? heddle_l1_error(c) : "nothing");
  heddle_l1_free(c);
  return said;
}

int TEST_MAIN(int argc, char **argv) {
  const unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 150, first = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
  if (!test_options() || !test_still()) return 1;
  struct l1_stats all = {.loads = 0};
  uint64_t judged = 0;
  for (unsigned seed = first; seed < first + seeds; seed++) {
    struct rig *g = rig_new(seed, 0);
    rig_run(g, 2, 1500);
    if (g->wrong[0] != 0) printf("seed %u: %s\n", seed, g->wrong);
    if (g->wrong[0] != 0) return 1;
    judged += g->judged;
    all.loads += g->stats.loads, all.hits += g->stats.hits, all.joined += g->stats.joined, all.fills += g->stats.fills;
    all.replaced += g->stats.replaced, all.overtaken += g->stats.overtaken, all.walks += g->stats.walks;
    all.fences += g->stats.fences, all.strong += g->stats.strong;
    rig_free(g);
  }
  printf("%llu bytes judged; SM 0: %llu loads, %llu hits, %llu joined, %llu fills, %llu replaced, %llu overtaken, %llu "
         "fences, "
         "%llu walks, %llu strong\n",
         (unsigned long long)judged, (unsigned long long)all.loads, (unsigned long long)all.hits,
         (unsigned long long)all.joined, (unsigned long long)all.fills, (unsigned long long)all.replaced,
         (unsigned long long)all.overtaken, (unsigned long long)all.fences, (unsigned long long)all.walks,
         (unsigned long long)all.strong);
  return all.hits == 0 || all.joined == 0 || all.replaced == 0 || all.overtaken == 0 || all.walks == 0;
}
