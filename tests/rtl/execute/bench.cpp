// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include <cstdio>
#include <cstring>

#include <Vtop.h>
#include "tests/rtl/silicon_data.h"
#include "cosim/verilator/fault_number.hpp"
#include <verilated.h>

Bench::Bench(const Options &options) : random_{options.seed ^ 0xbe9c4u} {
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(options.seed));
  if (options.fault != 0) heddle_fault() = options.fault;
  top_ = std::make_unique<Vtop>();
  top_->op_valid_i = 0;
  top_->rst_ni = 0;
  for (int i = 0; i < 4; i++) {
    top_->clk_i = 0;
    top_->eval();
    top_->clk_i = 1;
    top_->eval();
  }
  top_->rst_ni = 1;
  lanes_ = top_->lanes_o;
  ranks_ = top_->latency_o - 1;
  passes_ = top_->passes_o;
}

Bench::~Bench() {
  top_->final();
}

void Bench::check(const Operation &op, const Vector &in, const Expected &want) {
  if (open_.valid && (!(open_.op == op) || open_.in.size() == lanes_)) flush();
  open_.valid = true;
  open_.op = op;
  open_.in.push_back(in);
  open_.want.push_back(want);
  vectors_++;
}

void Bench::flush() {
  Beat beat = std::move(open_);
  open_ = Beat();
  while (random_.one_in(8)) cycle(Beat());
  beats_++;
  beat.first = random_.below(lanes_);
  beat.odd = random_.one_in(2);
  cycle(std::move(beat));
}

void Bench::cycle(Beat &&beat) {
  top_->clk_i = 0;
  top_->op_valid_i = beat.valid;
  if (beat.valid) {
    top_->op_op_i = static_cast<CData>(beat.op.op);
    top_->op_odd_i = beat.odd;
    top_->op_neg_i = static_cast<CData>(beat.op.neg);
    top_->op_abs_i = static_cast<CData>(beat.op.abs);
    top_->op_word_i[0] = static_cast<uint32_t>(beat.op.word.lo);
    top_->op_word_i[1] = static_cast<uint32_t>(beat.op.word.lo >> 32);
    top_->op_word_i[2] = static_cast<uint32_t>(beat.op.word.hi);
    top_->op_word_i[3] = static_cast<uint32_t>(beat.op.word.hi >> 32);
    uint32_t ps0 = 0, ps1 = 0, ps2 = 0;
    // On the bus an operand that an instruction has not is zero in all lanes, and a pipe may ask for that.
    for (unsigned l = 0; l < lanes_; l++) top_->op_c_i[l] = 0;
    for (unsigned i = 0; i < beat.in.size(); i++) {
      const unsigned l = (beat.first + i) % lanes_;
      const Vector &v = beat.in[i];
      top_->op_a_i[l] = v.a;
      top_->op_b_i[l] = v.b;
      top_->op_c_i[l] = v.c;
      top_->op_c_hi_i[l] = v.c_hi;
      ps0 |= static_cast<uint32_t>(v.ps0) << l;
      ps1 |= static_cast<uint32_t>(v.ps1) << l;
      ps2 |= static_cast<uint32_t>(v.ps2) << l;
    }
    top_->op_ps0_i = ps0;
    top_->op_ps1_i = ps1;
    top_->op_ps2_i = ps2;
  } else {
    // What stands at the inputs while nothing is dispatched must not matter.
    top_->op_op_i = static_cast<CData>(random_.below(32));
    top_->op_odd_i = random_.one_in(2);
    top_->op_a_i[0] = random_.u32();
    top_->op_b_i[0] = random_.u32();
  }
  const unsigned more = beat.valid ? passes_ - 1 : 0;
  edge(std::move(beat));
  for (unsigned i = 0; i < more; i++) {
    top_->clk_i = 0;
    top_->op_valid_i = 0;
    edge(Beat());
  }
}

void Bench::edge(Beat &&beat) {
  top_->eval();
  top_->clk_i = 1;
  top_->eval();
  flight_.push_back(std::move(beat));
  if (flight_.size() >= ranks_) {
    if (flight_.front().valid) compare(flight_.front());
    flight_.pop_front();
  }
}

void Bench::compare(const Beat &beat) {
  tally_.add(beat.op, beat.in.size());
  for (unsigned i = 0; i < beat.in.size(); i++) {
    const unsigned l = (beat.first + i) % lanes_;
    const Expected &w = beat.want[i];
    // Of fma the word for a bank of the other parity is the second one, or where there is none the first again.
    const bool fma = top_->by_bank_o, odd = fma && beat.odd;
    const bool want_hi = w.has_hi || (fma && w.has_lo);
    const uint32_t high = w.has_hi ? w.hi : w.lo;
    const uint32_t lo = odd ? top_->ex_hi_o[l] : top_->ex_lo_o[l], hi = odd ? top_->ex_lo_o[l] : top_->ex_hi_o[l];
    const bool pd0 = top_->ex_pd0_o >> l & 1, pd1 = top_->ex_pd1_o >> l & 1;
    if ((w.has_lo && lo != w.lo) || (want_hi && hi != high) || (w.has_pd0 && pd0 != w.pd0) ||
        (w.has_pd1 && pd1 != w.pd1)) {
      const Vector &v = beat.in[i];
      if (errors_++ < 20) {
        std::printf("%s word %016llx%016llx neg %u abs %u a %08x b %08x c %08x:%08x ps %d%d%d lane %u: ",
                    heddle_isa_op_name(beat.op.op), static_cast<unsigned long long>(beat.op.word.hi),
                    static_cast<unsigned long long>(beat.op.word.lo), beat.op.neg, beat.op.abs, v.a, v.b, v.c_hi, v.c,
                    v.ps0, v.ps1, v.ps2, l);
        std::printf("got %08x:%08x %d %d, expected %08x:%08x %d %d\n", hi, lo, pd0, pd1, high, w.lo, w.pd0, w.pd1);
      }
    }
  }
}

int Bench::finish(const char *name) {
  if (open_.valid) flush();
  for (unsigned i = 0; i < ranks_; i++) cycle(Beat());
  std::printf("%s: %llu vectors in %llu beats of %u lanes, %llu errors\n", name,
              static_cast<unsigned long long>(vectors_), static_cast<unsigned long long>(beats_), lanes_,
              static_cast<unsigned long long>(errors_));
  return errors_ == 0 && vectors_ != 0 ? 0 : 1;
}

int Bench::finish_long(const char *name, const Options &options) {
  const int status = finish(name);
  if (!options.full) return status;
  tally_.print(name);
  return tally_.lacking(name, Options::LONG) == 0 ? status : 1;
}

// ---- Measured results ----------------------------------------------------------------------------
// classes: one letter an operand, 'f' or 'i'.
std::vector<Measured> read_measured(const std::string &dir, const std::string &op, const char *classes) {
  const std::vector<uint64_t> gold = read_elements(dir + "/ops/" + op + ".gold.bin", 4);
  std::vector<Measured> out(gold.size());
  for (size_t k = 0; k < gold.size(); k++) out[k].result = static_cast<uint32_t>(gold[k]);
  for (unsigned slot = 0; slot < std::strlen(classes); slot++) {
    const char *name = classes[slot] == 'f' ? "f32." : "i32.";
    const std::vector<uint64_t> in = read_elements(dir + "/ops/" + name + std::to_string(slot) + ".bin", 4);
    for (size_t k = 0; k < out.size() && k < in.size(); k++)
      (slot == 0 ? out[k].in.a : slot == 1 ? out[k].in.b : out[k].in.c) = static_cast<uint32_t>(in[k]);
  }
  return out;
}

std::vector<Measured> read_nans(const std::string &dir, const std::string &op) {
  std::vector<Measured> out;
  for (const NanRow &row : read_nan_rows(dir, op)) {
    Measured m{};
    m.in.a = static_cast<uint32_t>(row.in[0]);
    m.in.b = static_cast<uint32_t>(row.in[1]);
    m.in.c = static_cast<uint32_t>(row.in[2]);
    m.result = static_cast<uint32_t>(row.result);
    out.push_back(m);
  }
  return out;
}

// ---- Operands ------------------------------------------------------------------------------------
const std::vector<uint32_t> edges_f32 = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x00000002, 0x007fffff, 0x807fffff, 0x00400000, 0x00800000,
    0x80800000, 0x00800001, 0x00ffffff, 0x01000000, 0x0c800000, 0x33000000, 0x33800000, 0xb3800000, 0x34000000,
    0x3effffff, 0x3f000000, 0x3f000001, 0x3f7fffff, 0xbf7fffff, 0x3f800000, 0xbf800000, 0x3f800001, 0x3fc00000,
    0x40000000, 0xc0000000, 0x40400000, 0x4b7fffff, 0x4b800000, 0x4b800001, 0x4effffff, 0x4f000000, 0xcf000000,
    0xcf000001, 0x4f7fffff, 0x4f800000, 0x7e800000, 0x7effffff, 0x7f000000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
    0xff800000, 0x7f800001, 0x7fc00000, 0xffffffff, 0x7fffffff};
const std::vector<uint32_t> edges_i32 = {0x00000000, 0x00000001, 0x00000002, 0x00000003, 0x0000001f, 0x00000020,
                                         0x00000021, 0x0000003f, 0x00000040, 0x00000041, 0x000000ff, 0x00007fff,
                                         0x00008000, 0x0000ffff, 0x00010000, 0x00ffffff, 0x01000000, 0x01000001,
                                         0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xaaaaaaaa, 0x55555555,
                                         0xfffffffe, 0xffffffff, 0xffffff80, 0xffff0000, 0xffff8000, 0x12345678};

uint32_t random_f32(Random &r) {
  const uint32_t x = r.u32();
  switch (r.below(8)) {
  case 0:
    return x; // anything
  case 1:
    return edges_f32[r.below(static_cast<uint32_t>(edges_f32.size()))];
  case 2:
    return (x & 0x807fffff); // subnormal
  case 3:
    return (x & 0x80000000) | (r.below(4) << 23) | (x & 0x7fffff); // near the smallest
  case 4:
    return (x & 0x80000000) | ((251 + r.below(4)) << 23) | (x & 0x7fffff); // near the largest
  case 5:
    return (x & 0x80000000) | ((120 + r.below(16)) << 23) | (0x7fffffu << r.below(24) & 0x7fffff);
  default:
    return (x & 0x80000000) | ((96 + r.below(64)) << 23) | (x & 0x7fffff);
  }
}

uint32_t random_i32(Random &r) {
  const uint32_t x = r.u32();
  switch (r.below(6)) {
  case 0:
    return edges_i32[r.below(static_cast<uint32_t>(edges_i32.size()))];
  case 1:
    return x >> r.below(32);
  case 2:
    return ~(x >> r.below(32));
  case 3:
    return 1u << r.below(32);
  case 4:
    return x & r.u32() & r.u32();
  default:
    return x;
  }
}
