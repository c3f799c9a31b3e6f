/* SPDX-License-Identifier: Apache-2.0
 *
 * SHFL against a reference that goes from lane to lane, and what an H200
 * returned.
 */
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/silicon_rows.h"
#include "tests/cmodel/warps.h"
#include "tests/cmodel/words.h"

static unsigned long random_cases;

static const uint64_t shfl_modes[4] = {ISA_SHFL_UP, ISA_SHFL_DOWN, ISA_SHFL_BFLY, ISA_SHFL_IDX};

/* The segment is bit by bit the lane's own where the mask is one; the bound takes the clamp's bits where it is zero. */
static int bound(int lane, uint32_t c) {
  int r = 0;
  for (int k = 0; k < 5; k++) {
    const bool keep = (c >> (8 + k) & 1) != 0;
    const bool bit = keep ? (lane >> k & 1) != 0 : (c >> k & 1) != 0;
    r |= bit ? 1 << k : 0;
  }
  return r;
}

static void ref_shfl(struct warp *w, unsigned mode) {
  for (int lane = 0; lane < 32; lane++) {
    const int distance = (int)(w->b[lane] % 32), end = bound(lane, w->c[lane]);
    const int first = bound(lane, w->c[lane] & ~31u), sum = first + (distance & ~(int)(w->c[lane] >> 8 & 31));
    const int from[4] = {lane - distance, lane + distance, lane ^ distance, sum};
    const bool in_range = mode == 0 ? from[0] >= end : from[mode] <= end;
    const int source = in_range ? from[mode] : lane;
    w->d[lane] = w->a[0][warp_runs(w, source) ? source : lane];
    if (in_range && warp_runs(w, source)) w->pd0 |= 1u << lane;
  }
}

static struct heddle_isa_word shfl_word(unsigned mode) {
  return WORD(ISA_ENC_SHFL_SRR, ISA_F_SHFL, shfl_modes[mode], ISA_F_PD0, 1);
}

static void shfl(void **state) {
  (void)state;
  for (unsigned m = 0; m < 4; m++) {
    struct warp w = {.word = shfl_word(m), .has_pd = true};
    warp_try(&w, ref_shfl, m, "SHFL", random_cases);
  }
}

/* The PTX form flips bit 31 of the result where the predicate is true. The reference must agree with it, and the model
 * with the reference. */
static void silicon(void **state) {
  (void)state;
  static const char *const op[4] = {"shfl.sync.up.b32", "shfl.sync.down.b32", "shfl.sync.bfly.b32",
                                    "shfl.sync.idx.b32"};
  for (unsigned m = 0; m < 4; m++)
    for (unsigned n = 0; n < SILICON_COUNT; n += 32) {
      struct warp w = warp_silicon(shfl_word(m), op[m], n);
      uint32_t gold[32];
      memcpy(gold, w.d, sizeof gold);
      w.has_pd = true;
      ref_shfl(&w, m);
      for (unsigned i = 0; i < 32; i++) assert_int_equal(w.d[i] ^ (w.pd0 >> i & 1) << 31, gold[i]);
      warp_run(&w, op[m]);
    }
}

int TEST_MAIN(int argc, char **argv) {
  random_cases = case_count(argc, argv, 100000);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shfl),
      cmocka_unit_test(silicon),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
