// SPDX-License-Identifier: Apache-2.0
#include "lanes.h"

#include <cstring>

#include <Vtop.h>
#include <heddle/isa_gen.h>
#include "cosim/verilator/fault_number.hpp"
#include <verilated.h>
extern "C" {
#include <heddle/isa.h>
}

Lanes::Lanes(unsigned fault, uint64_t seed) {
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed));
  if (fault != 0) heddle_fault() = fault;
  top_ = std::make_unique<Vtop>();
  top_->op_valid_i = 0;
  top_->rst_ni = 0;
  for (int i = 0; i < 4; i++) clock();
  top_->rst_ni = 1;
  width_ = top_->width_o;
  ranks_ = top_->ranks_o;
}

Lanes::~Lanes() {
  top_->final();
}

void Lanes::clock() {
  top_->clk_i = 0;
  top_->eval();
  top_->clk_i = 1;
  top_->eval();
}

void Lanes::run(const Function &f, uint64_t n, const std::function<void(uint64_t, uint32_t *)> &in,
                const std::function<void(uint64_t, const uint32_t *)> &out) {
  const heddle_isa_word word = heddle_isa_put(heddle_isa_word{0, 0}, ISA_F_MUFU, f.mufu);
  const uint64_t parts[2] = {word.lo, word.hi};
  std::memcpy(&top_->op_word_i[0], parts, sizeof parts);
  top_->op_neg_i = f.neg;
  top_->op_abs_i = f.abs;
  // The result of a pass stands after ranks_ edges, that of its own cycle among them.
  const uint64_t behind = uint64_t{ranks_ - 1} * width_;
  for (uint64_t first = 0; first < n + behind; first += width_) {
    top_->op_valid_i = first < n;
    if (first < n) in(first, &top_->op_b_i[0]);
    clock();
    if (first >= behind) out(first - behind, &top_->ex_lo_o[0]);
  }
  top_->op_valid_i = 0;
}

std::vector<uint32_t> Lanes::of(const Function &f, const std::vector<uint32_t> &x) {
  const uint64_t n = (x.size() + width_ - 1) / width_ * width_;
  std::vector<uint32_t> r(n);
  run(
      f, n,
      [&](uint64_t first, uint32_t *b) {
        for (unsigned l = 0; l < width_; l++) b[l] = x[(first + l) % x.size()];
      },
      [&](uint64_t first, const uint32_t *lo) { std::memcpy(&r[first], lo, width_ * sizeof *lo); });
  r.resize(x.size());
  return r;
}
