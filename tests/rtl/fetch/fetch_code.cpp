// SPDX-License-Identifier: Apache-2.0
// The code that the benches of fetch run on, and what a short word means (isa/doc/13-short-words.md), written from the
// prose with its numbers of bits: it is the base encoding's.
#include <cstring>
#include <fstream>
#include <sstream>

#include "tests/rtl/fetch/fetch_bench.h"

namespace {

__extension__ typedef unsigned __int128 u128;

heddle_isa_word split(u128 x) {
  return {uint64_t(x), uint64_t(x >> 64)};
}

bool number(const std::string &text, u128 *out) {
  static const char digits[] = "0123456789abcdef";
  if (text.size() < 3 || text.size() > 34 || text.compare(0, 2, "0x") != 0) return false;
  *out = 0;
  for (char c : text.substr(2)) {
    const char *at = std::strchr(digits, c);
    if (at == nullptr) return false;
    *out = *out << 4 | unsigned(at - digits);
  }
  return true;
}

uint64_t bits(uint64_t word, unsigned hi, unsigned lo) {
  return word >> lo & ((UINT64_C(1) << (hi - lo + 1)) - 1);
}

// Of `from` bits a number with a sign, cut off to `to`.
u128 extended(uint64_t x, unsigned from, unsigned to) {
  const uint64_t y = bits(x, from - 1, from - 1) ? x | ~UINT64_C(0) << from : x;
  return y & ((UINT64_C(1) << to) - 1);
}

} // namespace

bool Rows::read(const char *path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first, what, value, kind;
    words >> first >> what >> value >> kind;
    u128 x = 0;
    if (first != "short") continue;
    if (!number(value, &x)) return false;
    if (what == "pattern")
      pattern.push_back({split(x), kind});
    else
      code.push_back(uint32_t(x));
  }
  return file.eof();
}

heddle_isa_word Rows::lengthen(uint64_t word) const {
  const uint64_t row = bits(word, 62, 55), ctl = bits(word, 54, 48), upper = bits(word, 43, 32), b = bits(word, 23, 16);
  if (word >> 63 == 0 || row >= pattern.size()) return {0, 0};
  const Pattern &p = pattern[row];
  u128 x = u128(p.bits.hi) << 64 | p.bits.lo;
  if (ctl < code.size()) x |= u128(code[ctl]) << 105;
  x |= u128(bits(word, 47, 44)) << 12 | u128(bits(word, 31, 24)) << 64;
  x |= u128(bits(word, 15, 8)) << 24 | u128(bits(word, 7, 0)) << 16;
  if (p.kind == "none") x |= u128(b) << 32;
  if (p.kind == "int") x |= extended(upper << 8 | b, 20, 32) << 32;
  if (p.kind == "high") x |= u128(upper << 8 | b) << 44;
  if (p.kind == "offset") x |= u128(b) << 32 | extended(upper, 12, 24) << 40;
  if (p.kind == "const") x |= u128(bits(word, 37, 32) << 8 | b) << 40 | u128(bits(word, 42, 38)) << 54;
  return split(x);
}

heddle_isa_word Code::word(uint32_t pc) const {
  const heddle_isa_word &x = place[pc / 16];
  return pair(pc) ? rows.lengthen(pc % 16 == 8 ? x.hi : x.lo) : x;
}

// Mostly of rows that are there; much of what a format does not own is 0, or most of them would be illegal: jumps above
// all, which own little.
static uint64_t random_short(Random &rnd, const Rows &rows, bool first) {
  const bool plain = rnd.percent(30);
  auto reg = [&](unsigned zero) -> uint64_t {
    return plain || rnd.percent(zero) ? 0 : rnd.percent(15) ? 255 : rnd.below(kRegs);
  };
  const uint32_t there = uint32_t(rows.pattern.size()), few = there < 48 ? there : 48; // the first are the usual ones
  const uint64_t row = rnd.percent(92) ? rnd.below(rnd.percent(50) ? few : there) : rnd.below(256);
  const uint64_t ctl = rnd.percent(92) ? rnd.below(uint32_t(rows.code.size())) : rnd.below(128);
  const uint64_t guard = plain || rnd.percent(50) ? 7 : rnd.below(16);
  const uint64_t upper = plain || rnd.percent(50) ? 0 : rnd.below(4096);
  const uint64_t marked = !first || rnd.percent(95);
  return marked << 63 | row << 55 | ctl << 48 | guard << 44 | upper << 32 | reg(60) << 24 | reg(20) << 16 |
         reg(60) << 8 | reg(40);
}

uint32_t Code::target(uint32_t pc) const {
  heddle_isa_dec d;
  return known(pc, &d) ? direct_target(d, pc + size(pc)) : 0;
}

uint32_t Code::somewhere(Random &rnd, unsigned warp, unsigned warps) const {
  const auto end = uint32_t(place.size()) * 16;
  if (rnd.percent(5)) return end + 16 * rnd.below(20);
  if (rnd.percent(3)) return rnd.below(end) | (1 + rnd.below(step - 1));
  const uint32_t at = 16 * (warp * kStretch + rnd.below(warp + 1 < warps ? kStretch - kMargin : kStretch));
  if (step == 16 || rnd.percent(60)) return at;
  return at + (pair(at) || rnd.percent(5) ? 8 : 0);
}

// The word is, or could be taken for, a jump whose target stands in it.
static bool looks_direct(const heddle_isa_word &word) {
  heddle_isa_enc enc;
  heddle_isa_dec d{};
  if (!heddle_isa_nearest(word, &enc)) return false;
  d.op = heddle_isa_encoding_info(enc)->op;
  return is_direct(d);
}

// Direct jumps lead to the stretch of their warp, since they are followed; what only looks like one is none.
static void aim(Random &rnd, Code &code, uint32_t pc, unsigned warp, unsigned warps) {
  if (!looks_direct(code.word(pc))) return;
  heddle_isa_word &at = code.place[pc / 16];
  heddle_isa_dec d;
  if (code.known(pc, &d)) {
    const uint32_t to = code.somewhere(rnd, warp, warps), next = pc + code.size(pc);
    const uint32_t value = d.op == ISA_OP_JMP ? to : to - next;
    if (code.pair(pc)) {
      uint64_t &half = pc % 16 ? at.hi : at.lo;
      half = (half & ~UINT64_C(0xfff00ff0000)) | uint64_t(value >> 8 & 0xfff) << 32 | uint64_t(value & 0xff) << 16;
    } else {
      at = heddle_isa_put(at, d.op == ISA_OP_JMP ? ISA_F_ABS32 : ISA_F_REL, value);
    }
    if (code.known(pc, &d) && code.target(pc) == to) return;
  }
  // A row of zeros, which is no instruction.
  if (code.pair(pc))
    (pc % 16 ? at.hi : at.lo) |= UINT64_C(0xff) << 55;
  else
    at = {};
}

Code make_code(Random &rnd, unsigned warps, uint32_t units, unsigned step, const Rows &rows) {
  Code code;
  code.units = units;
  code.step = step;
  code.rows = rows;
  code.phase = rnd.below(kGroup);
  for (unsigned i = 0; i < warps * kStretch; i++) {
    heddle_isa_word x = random_legal(rnd, rnd.percent(90) ? kRegs : 255, 15, true, units);
    for (const bool jump = rnd.percent(8); jump && !looks_direct(x);) x = random_legal(rnd, kRegs, 15, true, units);
    if (rnd.percent(20)) (rnd.percent(50) ? x.lo : x.hi) ^= UINT64_C(1) << rnd.below(64);
    if (rnd.percent(3)) x.lo = rnd.next();
    if (step == 8 && rnd.percent(60)) x = {random_short(rnd, rows, true), random_short(rnd, rows, false)};
    code.place.push_back(x);
    code.error.push_back(i > 0 && code.number(16 * i) > 0 ? bool(code.error.back()) : rnd.percent(2));
  }
  for (unsigned i = 0; i < warps * kStretch; i++) {
    aim(rnd, code, 16 * i, i / kStretch, warps);
    if (code.pair(16 * i)) aim(rnd, code, 16 * i + 8, i / kStretch, warps);
  }
  return code;
}
