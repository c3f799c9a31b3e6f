// SPDX-License-Identifier: Apache-2.0
// Drives the datapath (sfu_lanes_tb.sv): a stream of operands of one function in, their results out, in order.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

class Vtop;

struct Function {
  unsigned mufu; // value of the field
  bool neg = false, abs = false;
};

class Lanes {
public:
  Lanes(unsigned fault, uint64_t seed);
  ~Lanes();
  unsigned width() const { return width_; }
  // n results (a multiple of width()) of f for the operands that `in` writes, `width()` at a time; `out` reads as many.
  void run(const Function &f, uint64_t n, const std::function<void(uint64_t first, uint32_t *x)> &in,
           const std::function<void(uint64_t first, const uint32_t *r)> &out);
  // The results of a few operands.
  std::vector<uint32_t> of(const Function &f, const std::vector<uint32_t> &x);

private:
  void clock();
  std::unique_ptr<Vtop> top_;
  unsigned width_, ranks_;
};
