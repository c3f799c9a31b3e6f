// SPDX-License-Identifier: Apache-2.0
// Random instructions, where their lanes go, and what the reference expects of each.
#include "tests/rtl/memory/atomics.h"
#include "tests/rtl/memory/mem_bench.h"

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

void Bench::find_space(Instr &x, unsigned l) const {
  x.at[l] = x.addr[l];
  x.space[l] = x.global() ? GLOBAL : x.shared() ? SHARED : x.local() ? LOCAL : x.mem == CLOAD ? CONSTANT : NOWHERE;
  if (!x.generic()) return;
  uint64_t window = x.addr[l] >> 56;
  if (window == 0) {
    x.space[l] = GLOBAL;
  } else if ((window == 1 || (window == 2 && !x.atomic())) && !(x.addr[l] >> 32 & 0xffffff)) {
    x.space[l] = window == 1 ? SHARED : LOCAL;
    x.at[l] = x.addr[l] & 0xffffffffu;
  }
}

unsigned Bench::judge(const Instr &x, unsigned l) const {
  uint64_t a = x.at[l], n = x.bytes();
  if (x.mem == NOTHING) return 0;
  if (a % n) return MISALIGNED;
  switch (x.space[l]) {
  case GLOBAL:
    return judge_global(x, a);
  case SHARED:
    return a + n > shared_bytes ? OUT_OF_RANGE : 0;
  case LOCAL:
    return a + n > local_bytes ? OUT_OF_RANGE : 0;
  case CONSTANT:
    return x.cbank > 3 || a + n > cbank_bytes[x.cbank] ? CONST_RANGE : 0;
  default:
    return OUT_OF_RANGE;
  }
}

Ref Bench::make(unsigned s, unsigned mem, unsigned size) {
  auto p = std::make_shared<Instr>();
  Instr &x = *p;
  x.slot = s;
  x.gen = warp[s].gen;
  x.seq = warp[s].seq++;
  x.mem = mem;
  x.size = size;
  if (x.atomic()) {
    x.atom = ATOMICS[rnd.below(ATOMIC_KINDS)];
    x.size = (x.atom == COMPARE_SWAP ? rnd.percent(50) : atomic_is_wide(x.atom)) ? 5 : 4;
  }
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

void Bench::make_matrix(Instr &x, unsigned n, bool turned) {
  x.atom = turned ? MATRIX_TURNED : MATRIX;
  x.size = 6;
  x.rd_n = n - 1;
  if (x.exec) x.exec = n == 4 ? 0xffffffffu : n == 2 ? 0xffff : 0xff;
}

// Halves as the manual has them: element e of a row is half e mod 2 of word e / 2.
void Bench::scatter(Instr &x) {
  auto element = [&x](unsigned i, unsigned row, unsigned column) {
    return x.read[8 * i + row][column / 2] >> (column % 2 * 16) & 0xffff;
  };
  for (unsigned i = 0; i <= x.rd_n; i++)
    for (unsigned l = 0; l < 32; l++) {
      const unsigned line = l / 4, pair = 2 * (l % 4);
      x.result[l][i] = x.atom == MATRIX ? element(i, line, pair) | element(i, line, pair + 1) << 16
                                        : element(i, pair, line) | element(i, pair + 1, line) << 16;
    }
}

void Bench::global_range(const Instr &x, uint64_t *lo, uint64_t *n) {
  const Region *r = &regions[rnd.below(16)];
  for (int i = 0; i < 50 && (r->limit < r->base + 32 || ((x.store() || x.atomic()) && !r->write)); i++)
    r = &regions[rnd.below(16)];
  *lo = r->base;
  *n = r->limit > r->base ? r->limit - r->base : 1;
  if (rnd.percent(50) && *n > 256) *n = 256;
}

void Bench::place(Instr &x) {
  uint64_t lo_of[4] = {}, n_of[4] = {}, at_of[4];
  global_range(x, &lo_of[GLOBAL], &n_of[GLOBAL]);
  n_of[SHARED] = shared_bytes;
  n_of[LOCAL] = local_bytes;
  n_of[CONSTANT] = x.cbank < 4 && cbank_bytes[x.cbank] ? cbank_bytes[x.cbank] : 64;
  for (unsigned s = SHARED; s <= CONSTANT; s++)
    if (rnd.percent(30) && n_of[s] > 128) n_of[s] = 128;
  for (unsigned s = GLOBAL; s <= CONSTANT; s++) at_of[s] = rnd.below(static_cast<uint32_t>(n_of[s]));
  unsigned pattern = rnd.below(6), b = x.bytes(), most = x.atomic() ? 2 : 3, same = rnd.below(2 * most);
  for (unsigned l = 0; l < 32; l++) {
    uint64_t o;
    unsigned s = x.generic()  ? (same < most ? same : rnd.below(most))
                 : x.global() ? GLOBAL
                 : x.shared() ? SHARED
                 : x.local()  ? LOCAL
                              : CONSTANT;
    const uint64_t lo = lo_of[s], n = n_of[s], at = at_of[s];
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
    x.addr[l] = a | uint64_t(x.generic() ? s : 0) << 56;
  }
  const bool wide = x.global() || x.generic();
  unsigned bad = rnd.below(100);
  if (bad < 6) {
    for (unsigned k = 0; k < 1 + rnd.below(3); k++) {
      unsigned l = rnd.below(32);
      switch (rnd.below(5)) {
      case 0:
        x.addr[l] += 1 + rnd.below(3);
        break;
      case 1:
        x.addr[l] = wide ? x.addr[l] + (1ull << (32 + rnd.below(32))) : 0xfffffff0u + rnd.below(16);
        break;
      case 2:
        x.addr[l] += 0x10000 * (1 + rnd.below(64));
        break;
      case 3:
        x.addr[l] = x.global() ? regions[rnd.below(16)].limit - rnd.below(4)
                               : (x.addr[l] & 0xffull << 56) + n_of[x.local() ? LOCAL : SHARED] - rnd.below(4);
        break;
      default:
        x.addr[l] = wide ? regions[rnd.below(16)].base - 1 + rnd.below(3) : rnd.u32();
      }
    }
  }
  operands(x);
}

void Bench::operands(Instr &x) {
  const bool wide = x.global() || x.generic();
  int64_t off = x.mem == CLOAD ? int64_t(int16_t(x.off)) : int64_t(int32_t(x.off << 8) >> 8);
  x.off = static_cast<uint32_t>(off) & 0xffffff;
  for (unsigned l = 0; l < 32; l++) {
    uint64_t a = x.addr[l] - static_cast<uint64_t>(off);
    if (!wide) x.addr[l] &= 0xffffffffu;
    x.a_lo[l] = static_cast<uint32_t>(a);
    x.a_hi[l] = wide ? static_cast<uint32_t>(a >> 32) : rnd.u32();
    for (unsigned w = 0; w < 4; w++) x.data[l][w] = rnd.u32();
  }
}

void Bench::submit(Ref p) {
  Instr &x = *p;
  Warp &w = warp[x.slot];
  x.cause = 0;
  x.lanes = 0;
  for (unsigned l = 0; l < 32; l++) {
    find_space(x, l);
    unsigned c = x.exec >> l & 1 ? judge(x, l) : 0;
    if (c && !x.lanes) {
      x.cause = c;
      x.trap_addr = x.addr[l];
    }
    if (c) x.lanes |= 1u << l;
  }
  x.may_refuse = w.maybe;
  x.expect = w.dead ? REFUSED : x.lanes ? TRAP : x.exec ? NORMAL : EMPTY;
  if (x.expect == NORMAL) {
    if (!(x.mem == CLOAD || x.mem == NOTHING)) x.left = x.exec;
    for (unsigned l = 0; l < 32; l++) {
      if (!(x.exec >> l & 1)) continue;
      if (x.in(l, GLOBAL)) x.error |= request_failing(x, l);
      for (unsigned k = 0; k < x.words() && x.in(l, LOCAL); k++) x.local_left[k] |= 1u << l;
      if (x.atomic()) {
        const uint8_t *m = x.in(l, GLOBAL) ? &memory[byte_at(x.at[l])] : &shared[w.shm_base + x.at[l]];
        const uint64_t b = atomic_operand(rnd, word(m, 0) | (x.size == 5 ? uint64_t(word(m, 1)) << 32 : 0));
        std::memcpy(x.data[l], &b, 8);
      }
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

bool Bench::request_failing(const Instr &x, unsigned l) const {
  uint64_t from = x.at[l] & ~31ull, to = from + 32;
  for (unsigned k = 0; k < 32; k++) {
    if (!x.in(k, GLOBAL) || x.at[k] / 128 != x.at[l] / 128) continue;
    from = std::min<uint64_t>(from, x.at[k] & ~31ull);
    to = std::max<uint64_t>(to, (x.at[k] | 31) + 1);
  }
  return range_failing(from, to);
}

void Bench::load_word(Instr &x, unsigned l, unsigned w, const uint8_t *m) {
  uint32_t v = 0;
  std::memcpy(&v, m, std::min(4u, x.bytes()));
  if (x.size == 1) v = static_cast<uint32_t>(int32_t(int8_t(v)));
  if (x.size == 3) v = static_cast<uint32_t>(int32_t(int16_t(v)));
  x.result[l][w] = v;
}

void Bench::load(Instr &x, unsigned l, const uint8_t *m) {
  for (unsigned w = 0; w < x.words(); w++) load_word(x, l, w, m + 4 * w);
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
  static const unsigned kinds[] = {GLOAD,  GLOAD, GLOAD, GSTORE, GSTORE, SLOAD,  SLOAD,  SLOAD, SSTORE,
                                   SSTORE, CLOAD, CLOAD, GATOM,  SATOM,  GRED,   LLOAD,  EATOM, LSTORE,
                                   LSTORE, LLOAD, ELOAD, ELOAD,  ESTORE, ESTORE, NOTHING};
  Ref p = make(s, kinds[rnd.below(sizeof kinds / sizeof *kinds)], rnd.percent(40) ? 4 : rnd.below(7));
  if (p->mem == SLOAD && rnd.percent(25)) make_matrix(*p, 1u << rnd.below(3), rnd.percent(50));
  place(*p);
  submit(p);
}
