// SPDX-License-Identifier: Apache-2.0
// Random instructions, where their lanes go, and what the reference expects of each.
#include "atomics.h"
#include "mem_bench.h"

unsigned Bench::judge_global(const Instr &x, uint64_t a) const {
  if (a % x.bytes()) return MISALIGNED;
  if (a >> 40) return OUT_OF_RANGE;
  bool in = false, ok = false;
  for (auto &r : regions)
    if (a >= r.base && a + x.bytes() <= r.limit) {
      in = true;
      ok = ok || r.write;
    }
  if (!in) return OUT_OF_RANGE;
  return (x.store() || x.atomic()) && !ok ? WRITE_PROTECTED : 0;
}

unsigned Bench::judge(const Instr &x, uint64_t a) const {
  if (x.global()) return judge_global(x, a);
  if (a % x.bytes()) return MISALIGNED;
  if (x.shared()) return a + x.bytes() > shared_bytes ? OUT_OF_RANGE : 0;
  return x.cbank > 3 || a + x.bytes() > cbank_bytes[x.cbank] ? CONST_RANGE : 0;
}

Ref Bench::make(unsigned s, unsigned mem, unsigned size) {
  auto p = std::make_shared<Instr>();
  Instr &x = *p;
  x.slot = s;
  x.gen = warp[s].gen;
  x.seq = warp[s].seq++;
  x.mem = mem;
  x.size = x.atomic() ? 4 : size;
  if (x.atomic()) x.atom = ATOMICS[rnd.below(mem == GATOM ? ATOMIC_KINDS : ATOMIC_KINDS_SHARED)];
  x.pc = rnd.u32() & ~15u;
  x.cbank = rnd.percent(97) ? (rnd.percent(90) ? (rnd.percent(50) ? 0 : 3) : 1) : rnd.below(32);
  x.wbar = rnd.below(8) == 6 ? 7 : rnd.below(6);
  x.rd_n = x.words() - 1;
  x.rd = x.returns() && rnd.percent(95) ? rnd.below(60) * 4 : 255;
  x.rbase = rnd.u32() & 0xffff;
  x.exec = rnd.percent(50) ? 0xffffffffu : rnd.percent(10) ? 0 : rnd.percent(50) ? rnd.u32() : 1u << rnd.below(32);
  x.off = rnd.u32() & 0xffffff;
  return p;
}

void Bench::place(Instr &x) {
  uint64_t lo, n;
  if (x.global()) {
    const Region *r = &regions[rnd.below(16)];
    for (int i = 0; i < 50 && (r->limit < r->base + 32 || ((x.store() || x.atomic()) && !r->write)); i++)
      r = &regions[rnd.below(16)];
    lo = r->base;
    n = r->limit > r->base ? r->limit - r->base : 1;
    if (rnd.percent(50) && n > 256) n = 256;
  } else {
    lo = 0;
    n = x.shared() ? shared_bytes : x.cbank < 4 ? cbank_bytes[x.cbank] : 64;
    if (n == 0) n = 64;
    if (rnd.percent(30) && n > 128) n = 128;
  }
  unsigned pattern = rnd.below(6), b = x.bytes();
  uint64_t at = rnd.below(static_cast<uint32_t>(n));
  for (unsigned l = 0; l < 32; l++) {
    uint64_t o;
    switch (pattern) {
    case 0:
    case 1:
      o = (at + l * b) % n;
      break;
    case 2:
      o = at;
      break;
    case 3:
      o = (at + l * 128 + (l % 3) * 4) % n;
      break;
    case 4:
      o = (at + (l % 2) * 256) % n;
      break;
    default:
      o = rnd.below(static_cast<uint32_t>(n));
    }
    uint64_t a = lo + o;
    a -= a % b;
    if (a < lo) a += b;
    if (a + b > lo + n && n > 2 * b) a -= b;
    x.addr[l] = a;
  }
  unsigned bad = rnd.below(100);
  if (bad < 6) {
    for (unsigned k = 0; k < 1 + rnd.below(3); k++) {
      unsigned l = rnd.below(32);
      switch (rnd.below(5)) {
      case 0:
        x.addr[l] += 1 + rnd.below(3);
        break;
      case 1:
        x.addr[l] = x.global() ? x.addr[l] + (1ull << (40 + rnd.below(24))) : 0xfffffff0u + rnd.below(16);
        break;
      case 2:
        x.addr[l] += 0x10000 * (1 + rnd.below(64));
        break;
      case 3:
        x.addr[l] = x.global() ? regions[rnd.below(16)].limit - rnd.below(4) : n - rnd.below(4);
        break;
      default:
        x.addr[l] = x.global() ? regions[rnd.below(16)].base - 1 + rnd.below(3) : rnd.u32();
      }
    }
  }
  // Operand a so that the sum with the offset is the address.
  int64_t off = x.mem == CLOAD ? int64_t(int16_t(x.off)) : int64_t(int32_t(x.off << 8) >> 8);
  x.off = static_cast<uint32_t>(off) & 0xffffff;
  for (unsigned l = 0; l < 32; l++) {
    uint64_t a = x.addr[l] - static_cast<uint64_t>(off);
    if (!x.global()) x.addr[l] &= 0xffffffffu;
    x.a_lo[l] = static_cast<uint32_t>(a);
    x.a_hi[l] = x.global() ? static_cast<uint32_t>(a >> 32) : rnd.u32();
    for (unsigned w = 0; w < 4; w++) x.data[l][w] = rnd.u32();
  }
}

void Bench::submit(Ref p) {
  Instr &x = *p;
  Warp &w = warp[x.slot];
  x.cause = 0;
  x.lanes = 0;
  for (unsigned l = 0; l < 32; l++) {
    unsigned c = x.exec >> l & 1 ? judge(x, x.addr[l]) : 0;
    if (c && !x.lanes) {
      x.cause = c;
      x.trap_addr = x.addr[l];
    }
    if (c) x.lanes |= 1u << l;
  }
  x.may_refuse = w.maybe;
  x.expect = w.dead ? REFUSED : x.lanes ? TRAP : x.exec ? NORMAL : EMPTY;
  if (x.expect == NORMAL) {
    if (!(x.mem == CLOAD)) x.left = x.exec;
    for (unsigned l = 0; l < 32; l++) {
      if (!(x.exec >> l & 1)) continue;
      if (x.global()) x.error |= failing(x.addr[l]);
      if (x.atomic())
        x.data[l][0] = atomic_operand(rnd, x.global() ? word(&memory[x.addr[l] - BASE], 0)
                                                      : word(&shared[w.shm_base + x.addr[l]], 0));
      if (x.mem == CLOAD) {
        uint64_t m = cbank_base[x.cbank] + x.addr[l];
        for (unsigned k = 0; k < x.bytes(); k++) x.error |= line_failing(m + k);
        load(x, l, &memory[m - BASE]);
      }
    }
    if (x.error) w.maybe = true;
  }
  if (x.expect == TRAP) w.dead = true;
  if (x.expect == TRAP || x.expect == NORMAL || x.expect == EMPTY) w.unchecked.push_back(p);
  w.flight.push_back(p);
  by_id[key(x.slot, x.gen, x.seq)] = p;
  queue.push_back(p);
  instructions++;
}

void Bench::load(Instr &x, unsigned l, const uint8_t *m) {
  uint32_t v = 0;
  std::memcpy(&v, m, std::min(4u, x.bytes()));
  if (x.size == 1) v = static_cast<uint32_t>(int32_t(int8_t(v)));
  if (x.size == 3) v = static_cast<uint32_t>(int32_t(int16_t(v)));
  x.result[l][0] = v;
  for (unsigned w = 1; w < x.words(); w++) std::memcpy(&x.result[l][w], m + 4 * w, 4);
}

void Bench::generate() {
  unsigned s = rnd.below(warps);
  Warp &w = warp[s];
  if ((w.dead && w.refused++ >= 3) || w.maybe) {
    if (w.flight.empty() && w.maybe == false)
      start(s, w.shm_base);
    else if (w.flight.empty())
      start(s, w.shm_base);
    else if (w.maybe && w.refused++ < 4) { /* a few more behind a bus error */
    } else
      return;
  }
  if (w.flight.size() > 12) return;
  static const unsigned kinds[] = {GLOAD,  GLOAD,  GLOAD, GSTORE, GSTORE, SLOAD, SLOAD, SLOAD,
                                   SSTORE, SSTORE, CLOAD, CLOAD,  GATOM,  SATOM, GRED};
  Ref p = make(s, kinds[rnd.below(15)], rnd.percent(40) ? 4 : rnd.below(7));
  place(*p);
  submit(p);
}
