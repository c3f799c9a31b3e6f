// SPDX-License-Identifier: Apache-2.0
// Vectors for the FP64 unit, by subject: operands, and the reference's results.
#pragma once
#include <string>
#include <vector>

#include "tests/rtl/fp64/fp64_bench.h"
#include "tests/rtl/fp64/reference.h"

// Numbers where something turns in FP64 itself; random ones of all kinds.
extern const std::vector<uint64_t> edges;
uint64_t random_f64(Random &r);
// Vectors of each operation and rounding; in a long run as many as it takes for a million results that are seen.
uint64_t random_vectors(const Options &options);

void arithmetic(Bench &bench, Reference &ref, const Options &options);
void comparisons(Bench &bench, const Options &options);
void conversions(Bench &bench, Reference &ref, const Options &options); // with a 64-bit operand or result
int silicon(Bench &bench, const std::string &dir);                      // 0, or 1 where something was not measured
