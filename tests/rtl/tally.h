// SPDX-License-Identifier: Apache-2.0
// How many vectors of each operation and rounding a bench has compared: conversions by their types, too. A long run
// must have enough of each.
#pragma once
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

#include "tests/rtl/pipe_bench.h"

class Tally {
public:
  void add(const Operation &o, uint64_t vectors) {
    if (!last_ || !(last_op_ == o)) {
      last_ = &counts_[kind_of(o)];
      last_op_ = o;
    }
    *last_ += vectors;
  }

  // A line each.
  void print(const char *bench) const {
    for (const auto &[kind, n] : counts_)
      std::printf("%s: %-24s %9llu vectors\n", bench, kind.c_str(), static_cast<unsigned long long>(n));
  }

  // How many operations and roundings have fewer than `least` vectors; each is printed. FP16 operands are 65,536.
  unsigned lacking(const char *bench, uint64_t least) const {
    constexpr uint64_t halves = 65536;
    unsigned few = 0;
    for (const auto &[kind, n] : counts_) {
      const bool one_half = kind.find(" of F16") != std::string::npos;
      if (n >= (one_half && halves < least ? halves : least)) continue;
      std::printf("%s: only %llu vectors of %s\n", bench, static_cast<unsigned long long>(n), kind.c_str());
      few++;
    }
    if (counts_.empty()) std::printf("%s: no vectors\n", bench);
    return counts_.empty() ? 1 : few;
  }

private:
  static std::string rounding(const Operation &o, heddle_isa_field field) {
    static const char *const names[4] = {" RN", " RM", " RP", " RZ"};
    return names[heddle_isa_get(o.word, field) & 3];
  }
  static std::string integer(const Operation &o, heddle_isa_field field) {
    static const char *const names[8] = {"S32", "U32", "S64", "U64", "S8", "U8", "S16", "U16"};
    return names[heddle_isa_get(o.word, field) & 7];
  }
  static std::string format(const Operation &o, heddle_isa_field field) {
    static const char *const names[4] = {"F32", "F64", "F16", "?"};
    return names[heddle_isa_get(o.word, field) & 3];
  }
  // "DFMA RP", "I2F to F32 of S64 RZ"
  static std::string kind_of(const Operation &o) {
    const std::string name = heddle_isa_op_name(o.op);
    switch (o.op) {
    case ISA_OP_FADD:
    case ISA_OP_FMUL:
    case ISA_OP_FFMA:
    case ISA_OP_DADD:
    case ISA_OP_DMUL:
    case ISA_OP_DFMA:
    case ISA_OP_F2FP_F16_F32_PACK_AB:
      return name + rounding(o, ISA_F_RND);
    case ISA_OP_I2F:
      return name + " to " + format(o, ISA_F_FLT) + " of " + integer(o, ISA_F_ISRC) + rounding(o, ISA_F_RND);
    case ISA_OP_F2I:
      return name + " to " + integer(o, ISA_F_DINT) + " of " + format(o, ISA_F_FLT) + rounding(o, ISA_F_IRND);
    case ISA_OP_F2F:
      return name + " to " + format(o, ISA_F_FDST) + " of " + format(o, ISA_F_FSRC) + rounding(o, ISA_F_RND);
    case ISA_OP_FRND:
      return name + " of " + format(o, ISA_F_RINT) + rounding(o, ISA_F_IRND);
    default:
      return name;
    }
  }
  std::map<std::string, uint64_t> counts_;
  uint64_t *last_ = nullptr; // of the operation before
  Operation last_op_{ISA_OP_MOV};
};
