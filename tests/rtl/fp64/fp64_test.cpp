// SPDX-License-Identifier: Apache-2.0
// The FP64 unit against MPFR: edge values crossed, random values near each other, what silicon returned; latency and
// rate.
#include "tests/rtl/fp64/fp64_cases.h"

int main(int argc, char **argv) {
  const Options options(argc, argv, 2000);
  Bench bench(options);
  Reference ref;
  bench.rates();
  arithmetic(bench, ref, options);
  comparisons(bench, options);
  conversions(bench, ref, options);
  int status = 0;
  if (!options.silicon.empty()) status = silicon(bench, options.silicon);
  return bench.finish("fp64", options) | status;
}
