// SPDX-License-Identifier: Apache-2.0
// Random memory instructions of all warps against mem_top, with instruction fetches and constant operands beside them.
// The reference lives here: records say when an access happens (never what it reads); memory, shared memory, results,
// traps and ends of instructions are computed from the instructions. --fault N expects the injected fault to be found.
// --perf measures latency and throughput instead.
#include <map>
#include <memory>

#include "Vtop.h"
#include "bench.h"
#include "heddle/isa.h"
#include "verilated.h"

namespace {

enum Mem {
  GLOAD = ISA_MEM_GLOBAL_LOAD,
  GSTORE = ISA_MEM_GLOBAL_STORE,
  SLOAD = ISA_MEM_SHARED_LOAD,
  SSTORE = ISA_MEM_SHARED_STORE,
  CLOAD = ISA_MEM_CONST_LOAD,
  GATOM = ISA_MEM_GLOBAL_ATOM,
  SATOM = ISA_MEM_SHARED_ATOM,
  GRED = ISA_MEM_GLOBAL_RED
};
enum Expect { NORMAL, EMPTY, TRAP, REFUSED };
enum Cause { MISALIGNED = 3, OUT_OF_RANGE, WRITE_PROTECTED, CONST_RANGE, BUS = 10 };

constexpr uint64_t BASE = 0x1234500000u;
constexpr size_t MEMORY = 1 << 17;
constexpr unsigned CODE = 0x4000, CODE_BYTES = 0x4000; // offsets in memory
constexpr unsigned CONSTS = 0x8000, CONST_BYTES = 0x4000;
constexpr unsigned DATA = 0xc000;

struct Region {
  uint64_t base, limit;
  bool write;
};

struct Instr {
  unsigned slot, gen, mem, size, cbank, rd, rd_n, wbar, rbase;
  uint32_t seq, pc, exec, off;
  uint64_t addr[32]; // as the unit must form it
  uint32_t a_lo[32], a_hi[32], data[32][4];
  Expect expect;
  unsigned cause;
  uint32_t lanes;
  uint64_t trap_addr;
  bool error = false, may_refuse = false;
  // progress
  uint32_t left = 0, result[32][4] = {}, rows[4] = {};
  uint64_t last_row = 0;
  bool checked = false, done = false, sent = false;
  unsigned bytes() const { return size < 2 ? 1 : size < 4 ? 2 : size == 4 ? 4 : size == 5 ? 8 : 16; }
  unsigned words() const { return size == 5 ? 2 : size == 6 ? 4 : 1; }
  bool global() const { return mem == GLOAD || mem == GSTORE || mem == GATOM || mem == GRED; }
  bool shared() const { return mem == SLOAD || mem == SSTORE || mem == SATOM; }
  bool atomic() const { return mem == GATOM || mem == SATOM || mem == GRED; }
  bool store() const { return mem == GSTORE || mem == SSTORE; }
  bool returns() const { return !store() && mem != GRED; }
};
using Ref = std::shared_ptr<Instr>;

class Bench {
public:
  Vtop top;
  Random rnd;
  Checks checks;
  AxiMemory<Vtop> axi;
  unsigned lanes, beats, warps, shared_size, banks;
  std::vector<uint8_t> memory, shared; // the reference
  std::vector<Region> regions;
  uint32_t shared_bytes = 0;
  uint64_t code_base = 0, cbank_base[4] = {};
  uint32_t cbank_bytes[4] = {};
  struct Warp {
    unsigned gen = 0, shm_base = 0, refused = 0;
    uint32_t seq = 0;
    bool live = false, dead = false, maybe = false;
    std::deque<Ref> flight, unchecked;
  };
  std::vector<Warp> warp;
  std::map<uint64_t, Ref> by_id;
  std::deque<Ref> queue; // to send
  unsigned beat = 0;
  uint64_t now = 0, instructions = 0, traps = 0, refused = 0, progress = 0, fetches = 0, constants = 0, records = 0;
  unsigned wb_pressure = 80, fetch_pressure = 50;
  bool errors_on = false;

  explicit Bench(uint64_t seed, unsigned axi_bits)
      : rnd{seed}, axi(rnd, checks, BASE, MEMORY, axi_bits), memory(MEMORY) {
    top.eval();
    lanes = top.cfg_lanes_o;
    beats = 32 / lanes;
    warps = top.cfg_warps_o;
    shared_size = top.cfg_shared_o;
    banks = top.cfg_banks_o;
    axi.axi_bytes = top.cfg_axi_o / 8;
    axi.beats = 256 / top.cfg_axi_o;
    axi.caches = top.cfg_ids_o;
    shared.resize(shared_size);
    warp.resize(warps);
    for (auto &x : memory) x = static_cast<uint8_t>(rnd.u32());
    axi.data = memory;
  }

  // ---- launch
  // ----------------------------------------------------------------------------------------------------------
  void launch(bool whole_shared) {
    regions.clear();
    regions.push_back({BASE + DATA, BASE + DATA + 0x1000, true});
    regions.push_back({BASE + DATA + 0x1000, BASE + DATA + 0x1800, false});
    regions.push_back({BASE + DATA + 0x1400, BASE + DATA + 0x1500, true}); // writable inside a read-only one
    regions.push_back({BASE + DATA + 0x1800 + rnd.below(64), BASE + DATA + 0x2000 - rnd.below(64), true});
    regions.push_back({BASE + DATA + 0x3000, BASE + DATA + 0x3000 + 1 + rnd.below(300), true});
    while (regions.size() < 16) {
      uint64_t b = BASE + DATA + 0x4000 + rnd.below(0x3000);
      regions.push_back(rnd.percent(40) ? Region{b, 0, true} : Region{b, b + rnd.below(0x400), rnd.percent(60)});
    }
    for (size_t i = regions.size() - 1; i > 0; i--)
      std::swap(regions[i], regions[rnd.below(static_cast<uint32_t>(i + 1))]);
    shared_bytes = whole_shared ? shared_size : 256 + 4 * rnd.below(shared_size / 16);
    code_base = BASE + CODE + 64 * rnd.below(32) + 16 * rnd.below(4);
    for (unsigned i = 0; i < 4; i++) {
      cbank_base[i] = BASE + CONSTS + i * (CONST_BYTES / 4) + 4 * rnd.below(64);
      cbank_bytes[i] = i == 2 ? 0 : 4 * rnd.below(CONST_BYTES / 16 - 64);
    }
    // The host rewrites code and constants between grids.
    for (unsigned i = CODE; i < DATA; i++)
      if (rnd.percent(10)) axi.data[i] = memory[i] = static_cast<uint8_t>(rnd.u32());
    top.shared_bytes_i = shared_bytes;
    top.code_base_i = code_base;
    top.region_write_i = 0;
    for (unsigned i = 0; i < 16; i++) {
      put_bits(bytes(top.region_base_i), 40 * i, 40, regions[i].base);
      put_bits(bytes(top.region_limit_i), 41 * i, 41, regions[i].limit);
      top.region_write_i = static_cast<uint16_t>(top.region_write_i | (regions[i].write << i));
    }
    for (unsigned i = 0; i < 4; i++) {
      put_bits(bytes(top.cbank_base_i), 40 * i, 40, cbank_base[i]);
      put_bits(bytes(top.cbank_bytes_i), 17 * i, 17, cbank_bytes[i]);
    }
    axi.err_base = axi.err_limit = 0;
    if (errors_on) {
      unsigned where = rnd.below(3);
      axi.err_base = (BASE + (where == 0   ? DATA + rnd.below(0x800)
                              : where == 1 ? CODE + rnd.below(CODE_BYTES)
                                           : CONSTS + rnd.below(CONST_BYTES))) &
                     ~31ull;
      axi.err_limit = axi.err_base + 32 * (1 + rnd.below(4));
    }
    top.invalidate_i = 1;
    cycle();
    top.invalidate_i = 0;
    unsigned blocks = std::max(1u, shared_size / ((shared_bytes + 127) / 128 * 128));
    for (unsigned s = 0; s < warps; s++) {
      unsigned block = rnd.below(blocks);
      start(s, block * ((shared_bytes + 127) / 128 * 128));
    }
  }

  void start(unsigned s, unsigned shm_base) {
    top.start_valid_i = 1;
    top.start_slot_i = static_cast<uint8_t>(s);
    top.start_shm_base_i = shm_base;
    cycle();
    top.start_valid_i = 0;
    warp[s].gen = (warp[s].gen + 1) & 255;
    warp[s].shm_base = shm_base;
    warp[s].seq = 0;
    warp[s].live = true;
    warp[s].dead = warp[s].maybe = false;
    warp[s].refused = 0;
  }

  // ---- instructions
  // ------------------------------------------------------------------------------------------------------
  static uint64_t key(unsigned slot, unsigned gen, uint32_t seq) {
    return (uint64_t(slot) << 40) | (uint64_t(gen) << 32) | seq;
  }
  bool failing(uint64_t a) const { return a >= axi.err_base && a < axi.err_limit; }

  // What the region table says: 0 fine, else the cause.
  unsigned judge_global(const Instr &x, uint64_t a) const {
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
  unsigned judge(const Instr &x, uint64_t a) const {
    if (x.global()) return judge_global(x, a);
    if (a % x.bytes()) return MISALIGNED;
    if (x.shared()) return a + x.bytes() > shared_bytes ? OUT_OF_RANGE : 0;
    return x.cbank > 3 || a + x.bytes() > cbank_bytes[x.cbank] ? CONST_RANGE : 0;
  }

  Ref make(unsigned s, unsigned mem, unsigned size) {
    auto p = std::make_shared<Instr>();
    Instr &x = *p;
    x.slot = s;
    x.gen = warp[s].gen;
    x.seq = warp[s].seq++;
    x.mem = mem;
    x.size = x.atomic() ? 4 : size;
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

  // Where the lanes go: mostly good places of the space, with patterns that collide, broadcast, stride or scatter.
  void place(Instr &x) {
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

  void submit(Ref p) {
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
  bool line_failing(uint64_t a) const {
    return (a & ~63ull) < axi.err_limit && (a | 63) >= axi.err_base && axi.err_limit;
  }

  // A lane's registers from the bytes at its address.
  static void load(Instr &x, unsigned l, const uint8_t *m) {
    uint32_t v = 0;
    std::memcpy(&v, m, std::min(4u, x.bytes()));
    if (x.size == 1) v = static_cast<uint32_t>(int32_t(int8_t(v)));
    if (x.size == 3) v = static_cast<uint32_t>(int32_t(int16_t(v)));
    x.result[l][0] = v;
    for (unsigned w = 1; w < x.words(); w++) std::memcpy(&x.result[l][w], m + 4 * w, 4);
  }

  void generate() {
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

  // ---- records
  // -----------------------------------------------------------------------------------------------------------
  Ref find(unsigned slot, unsigned gen, uint32_t seq, const char *what) {
    auto i = by_id.find(key(slot, gen, seq));
    if (!checks.that(i != by_id.end() && !i->second->done, what, slot, seq)) return nullptr;
    return i->second;
  }

  void on_gmem() {
    records++;
    progress = now;
    Ref p = find(top.gmem_slot_o, top.gmem_gen_o, top.gmem_seq_o, "global record of an instruction in flight");
    if (!p) return;
    Instr &x = *p;
    uint64_t sector = uint64_t(top.gmem_sector_o) << 5;
    uint32_t group = 0;
    for (unsigned l = 0; l < 32; l++)
      if ((x.exec >> l & 1) && x.addr[l] >> 5 == sector >> 5) group |= 1u << l;
    unsigned kind = x.mem == GLOAD ? 0 : x.mem == GSTORE ? 1 : 2;
    if (!checks.that(x.expect == NORMAL && x.global() && x.checked && top.gmem_kind_o == kind, "global record kind",
                     x.mem, x.expect))
      return;
    if (!checks.that(top.gmem_lanes_o == group && group && (x.left & group) == group, "global record lanes",
                     top.gmem_lanes_o, group))
      return;
    checks.that(!failing(sector), "no record of a failed access", sector);
    for (auto &o : warp[x.slot].flight) {
      if (o == p) break;
      for (unsigned l = 0; l < 32 && o->global() && o->expect == NORMAL; l++)
        checks.that(!((o->left >> l & 1) && o->addr[l] >> 5 == sector >> 5), "a warp's accesses to one sector in order",
                    o->seq, x.seq);
    }
    x.left &= ~group;
    uint8_t *m = &memory[sector - BASE], before[32];
    std::memcpy(before, m, 32);
    uint32_t strb = 0;
    for (unsigned l = 0; l < 32; l++) {
      if (!(group >> l & 1)) continue;
      unsigned o = x.addr[l] & 31;
      if (x.mem == GLOAD)
        load(x, l, m + o);
      else if (x.mem == GSTORE) {
        std::memcpy(m + o, x.data[l], x.bytes());
        strb |= ((1u << x.bytes()) - 1) << o;
      } else {
        x.result[l][0] = word(m, o / 4);
        set_word(m, o / 4, x.result[l][0] + x.data[l][0]);
        strb |= 15u << o;
      }
    }
    checks.that(top.gmem_wstrb_o == strb, "global record strobes", top.gmem_wstrb_o, strb);
    if (kind != 1)
      checks.that(!std::memcmp(bytes(top.gmem_rdata_o), before, 32), "global record read data", sector,
                  word(before, 0));
    for (unsigned i = 0; i < 32; i++)
      if (strb >> i & 1) checks.that(bytes(top.gmem_wdata_o)[i] == m[i], "global record write data", sector + i, m[i]);
  }

  void on_shared() {
    records++;
    progress = now;
    Ref p = find(top.shm_slot_o, top.shm_gen_o, top.shm_seq_o, "shared record of an instruction in flight");
    if (!p) return;
    Instr &x = *p;
    unsigned kind = x.mem == SLOAD ? 0 : x.mem == SSTORE ? 1 : 2;
    uint32_t group = top.shm_lanes_o;
    if (!checks.that(x.expect == NORMAL && x.shared() && x.checked && top.shm_kind_o == kind, "shared record kind",
                     x.mem, x.expect))
      return;
    if (!checks.that(group && (x.left & group) == group, "shared record lanes", group, x.left)) return;
    for (auto &o : warp[x.slot].flight) {
      if (o == p) break;
      checks.that(!(o->shared() && o->expect == NORMAL && o->left), "a warp's shared accesses in order", o->seq, x.seq);
    }
    x.left &= ~group;
    uint32_t en = 0, row[32] = {}, before[32] = {};
    uint8_t strb[32] = {};
    for (unsigned l = 0; l < 32; l++) {
      if (!(group >> l & 1)) continue;
      for (unsigned w = 0; w < x.words(); w++) {
        uint32_t a = warp[x.slot].shm_base + static_cast<uint32_t>(x.addr[l]) + 4 * w;
        unsigned b = a / 4 % banks;
        if (en >> b & 1) checks.that(row[b] == a / 4 / banks, "one row of a bank in a pass", b, l);
        en |= 1u << b;
        row[b] = a / 4 / banks;
        before[b] = word(shared.data(), a / 4);
      }
    }
    for (unsigned l = 0; l < 32; l++) {
      if (!(group >> l & 1)) continue;
      uint32_t a = warp[x.slot].shm_base + static_cast<uint32_t>(x.addr[l]);
      if (x.mem == SLOAD)
        load(x, l, &shared[a]);
      else if (x.mem == SSTORE) {
        std::memcpy(&shared[a], x.data[l], x.bytes());
        for (unsigned i = 0; i < x.bytes(); i++) strb[(a + i) / 4 % banks] |= static_cast<uint8_t>(1u << ((a + i) % 4));
      } else {
        x.result[l][0] = word(shared.data(), a / 4);
        set_word(shared.data(), a / 4, x.result[l][0] + x.data[l][0]);
        strb[a / 4 % banks] = 15;
      }
    }
    checks.that(top.shm_bank_en_o == en, "shared record banks", top.shm_bank_en_o, en);
    for (unsigned b = 0; b < banks; b++) {
      unsigned got = bytes(top.shm_wstrb_o)[b / 2] >> (4 * (b % 2)) & 15;
      checks.that(got == strb[b], "shared record strobes", got, strb[b]);
      if (!(en >> b & 1)) continue;
      uint16_t r;
      std::memcpy(&r, bytes(top.shm_row_o) + 2 * b, 2);
      checks.that(r == row[b], "shared record row", r, row[b]);
      if (kind != 1)
        checks.that(word(bytes(top.shm_rdata_o), b) == before[b], "shared record read data",
                    word(bytes(top.shm_rdata_o), b), before[b]);
      for (unsigned i = 0; i < 4; i++)
        if (strb[b] >> i & 1)
          checks.that(bytes(top.shm_wdata_o)[4 * b + i] == shared[(row[b] * banks + b) * 4 + i],
                      "shared record write data", b, i);
    }
  }

  void on_row() {
    progress = now;
    Ref p = find(top.wb_slot_o, top.wb_gen_o, top.wb_seq_o, "row of an instruction in flight");
    if (!p) return;
    Instr &x = *p;
    unsigned w = static_cast<unsigned>(top.wb_rd_o - x.rd), k = top.wb_beat_o;
    if (!checks.that(x.expect == NORMAL && x.returns() && x.rd != 255 && w <= x.rd_n && k < beats,
                     "row of a register that is wanted", x.rd, top.wb_rd_o))
      return;
    uint32_t all = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1, mask = (x.exec >> (k * lanes)) & all;
    checks.that(top.wb_mask_o == mask && mask, "row mask", top.wb_mask_o, mask);
    checks.that(top.wb_rbase_o == x.rbase, "row base", top.wb_rbase_o, x.rbase);
    checks.that(!(x.rows[w] >> k & 1), "a row once", k, w);
    x.rows[w] |= 1u << k;
    x.last_row = now;
    for (unsigned l = 0; l < lanes; l++) {
      if (!(mask >> l & 1)) continue;
      unsigned lane = k * lanes + l;
      checks.that(!(x.left >> lane & 1), "a row after its accesses", lane);
      if (!(x.error && x.mem == CLOAD))
        checks.that(word(bytes(top.wb_data_o), l) == x.result[lane][w], "row data", word(bytes(top.wb_data_o), l),
                    x.result[lane][w]);
    }
  }

  bool complete(const Instr &x) const {
    if (x.left || !x.checked) return false;
    if (!x.returns() || x.rd == 255) return true;
    for (unsigned w = 0; w <= x.rd_n; w++)
      for (unsigned k = 0; k < beats; k++) {
        uint32_t all = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
        if (((x.exec >> (k * lanes)) & all) && !(x.rows[w] >> k & 1)) return false;
      }
    return x.last_row < now;
  }

  void finish(const Ref &p) {
    Warp &w = warp[p->slot];
    p->done = true;
    for (size_t i = 0; i < w.flight.size(); i++)
      if (w.flight[i] == p) w.flight.erase(w.flight.begin() + static_cast<long>(i--));
    for (size_t i = 0; i < w.unchecked.size(); i++)
      if (w.unchecked[i] == p) w.unchecked.erase(w.unchecked.begin() + static_cast<long>(i--));
    by_id.erase(key(p->slot, p->gen, p->seq));
  }

  void on_done() {
    progress = now;
    Warp &w = warp[top.done_slot_o];
    if (top.trap_valid_o) {
      traps++;
      Ref p = find(top.trap_slot_o, top.trap_gen_o, top.trap_seq_o, "trap of an instruction in flight");
      if (!p) return;
      Instr &x = *p;
      checks.that(top.done_slot_o == x.slot && top.done_wbar_o == x.wbar && top.trap_pc_o == x.pc, "trap's end and pc",
                  x.slot, x.pc);
      if (x.expect == NORMAL && x.error) {
        checks.that(top.trap_cause_o == BUS && !(x.global() && !failing(top.trap_addr_o)), "bus error",
                    top.trap_cause_o, top.trap_addr_o);
        uint32_t group = 0;
        for (unsigned l = 0; l < 32; l++)
          if ((x.exec >> l & 1) && x.addr[l] >> 5 == top.trap_addr_o >> 5) group |= 1u << l;
        if (x.global()) {
          checks.that(group && top.trap_lanes_o == group, "lanes of the bus error", top.trap_lanes_o, group);
          for (unsigned l = 0; l < 32; l++)
            if (x.left >> l & 1) checks.that(failing(x.addr[l]), "the other sectors were performed", l);
        }
        w.dead = true;
      } else {
        checks.that(x.expect == TRAP, "a trap was due", x.expect, x.mem);
        checks.that(top.trap_cause_o == x.cause, "cause", top.trap_cause_o, x.cause);
        checks.that(top.trap_lanes_o == x.lanes, "lanes at fault", top.trap_lanes_o, x.lanes);
        checks.that(top.trap_addr_o == x.trap_addr, "address", top.trap_addr_o, x.trap_addr);
        checks.that(!x.checked && !w.unchecked.empty() && w.unchecked.front() == p, "a trap in order", x.seq);
      }
      finish(p);
      return;
    }
    for (auto &p : w.flight) {
      Instr &x = *p;
      bool untouched = x.left == (x.mem == CLOAD ? 0 : x.exec) && !x.rows[0] && !x.checked;
      bool ready = x.sent && (x.expect == EMPTY ? x.checked
                              : x.expect == REFUSED
                                  ? true
                                  : x.expect == NORMAL && ((complete(x) && !x.error) || (x.may_refuse && untouched)));
      if (x.expect == TRAP && x.may_refuse && x.sent) ready = true;
      if (x.expect == EMPTY && x.may_refuse && x.sent) ready = true;
      bool has = x.returns() && x.rd != 255;
      if (ready && top.done_wbar_o == x.wbar && top.done_has_rd_o == has && top.done_rd_o == x.rd &&
          top.done_rd_n_o == x.rd_n) {
        if (x.expect == REFUSED) refused++;
        Ref keep = p;
        finish(keep);
        return;
      }
    }
    checks.that(false, "an end of an instruction that is complete", top.done_slot_o, top.done_rd_o);
  }

  void on_checked() {
    Warp &w = warp[top.checked_slot_o];
    if (!checks.that(!w.unchecked.empty(), "a check of an instruction", top.checked_slot_o)) return;
    Ref p = w.unchecked.front();
    checks.that(p->sent && p->expect != TRAP, "checked in order", p->seq, p->expect);
    p->checked = true;
    w.unchecked.pop_front();
  }

  // ---- fetch and constant operands
  // -----------------------------------------------------------------------------------------
  std::deque<uint32_t> fetch_queue;
  std::deque<std::pair<unsigned, unsigned>> const_queue;
  uint32_t next_pc = 0;

  void drive_clients() {
    if (!top.if_req_valid_i) {
      top.if_req_valid_i = fetch_queue.size() < 8 && rnd.percent(fetch_pressure);
      if (rnd.percent(10)) next_pc = 16 * rnd.below(0x3000 / 16);
      top.if_req_pc_i = next_pc;
      next_pc = (next_pc + 16) % 0x3000;
    }
    if (!top.if_cst_valid_i) {
      top.if_cst_valid_i = const_queue.size() < 8 && rnd.percent(fetch_pressure);
      top.if_cst_bank_i = static_cast<uint8_t>(rnd.percent(95) ? rnd.below(4) : rnd.below(32));
      top.if_cst_off_i = static_cast<uint16_t>(rnd.percent(90) ? 4 * rnd.below(CONST_BYTES / 16) : rnd.u32());
    }
  }
  void sample_clients() {
    if (top.ic_rsp_valid_o && checks.that(!fetch_queue.empty(), "an instruction that was asked for")) {
      uint64_t a = code_base + fetch_queue.front();
      fetch_queue.pop_front();
      fetches++;
      if (top.ic_rsp_err_o)
        checks.that(line_failing(a), "no fetch error without cause", a);
      else
        checks.that(!line_failing(a) && !std::memcmp(bytes(top.ic_rsp_word_o), &memory[a - BASE], 16),
                    "instruction word", a);
    }
    if (top.cc_cst_valid_o && checks.that(!const_queue.empty(), "a constant that was asked for")) {
      auto [bank, off] = const_queue.front();
      const_queue.pop_front();
      constants++;
      bool range = bank > 3 || off % 4 || off + 4 > cbank_bytes[bank & 3];
      uint64_t a = cbank_base[bank & 3] + off;
      checks.that(top.cc_cst_range_o == (range || line_failing(a)), "range of a constant", bank, off);
      if (!top.cc_cst_range_o)
        checks.that(top.cc_cst_data_o == word(&memory[a - BASE], 0), "constant", top.cc_cst_data_o,
                    word(&memory[a - BASE], 0));
    }
    if (top.if_req_valid_i && top.if_req_ready_o) {
      fetch_queue.push_back(top.if_req_pc_i);
      took_fetch = true;
    }
    if (top.if_cst_valid_i && top.if_cst_ready_o) {
      const_queue.push_back({top.if_cst_bank_i, top.if_cst_off_i});
      took_const = true;
    }
  }
  bool took_fetch = false, took_const = false, took_op = false;
  bool clients = true;

  // ---- the clock
  // -----------------------------------------------------------------------------------------------------------
  void drive_op() {
    if (top.op_valid_i) return;
    if (queue.empty() || !rnd.percent(op_pressure)) return;
    Instr &x = *queue.front();
    top.op_valid_i = 1;
    top.op_slot_i = static_cast<uint8_t>(x.slot);
    top.op_gen_i = static_cast<uint8_t>(x.gen);
    top.op_seq_i = x.seq;
    top.op_pc_i = x.pc;
    top.op_mem_i = static_cast<uint8_t>(x.mem);
    top.op_size_i = static_cast<uint8_t>(x.size);
    top.op_off_i = x.off;
    top.op_cbank_i = static_cast<uint8_t>(x.cbank);
    top.op_rd_i = static_cast<uint8_t>(x.rd);
    top.op_rd_n_i = static_cast<uint8_t>(x.rd_n);
    top.op_wbar_i = static_cast<uint8_t>(x.wbar);
    top.op_exec_i = x.exec;
    top.op_rbase_i = static_cast<uint16_t>(x.rbase);
    top.op_beat_i = static_cast<uint8_t>(beat);
    for (unsigned l = 0; l < lanes; l++) {
      unsigned lane = beat * lanes + l;
      set_word(bytes(top.op_data_i), l, x.a_lo[lane]);
      set_word(bytes(top.op_data_i), lanes + l, x.a_hi[lane]);
      for (unsigned w = 0; w < 4; w++) set_word(bytes(top.op_data_i), (2 + w) * lanes + l, x.data[lane][w]);
    }
  }
  unsigned op_pressure = 100;

  void cycle() {
    checks.cycle = now;
    if (took_op) top.op_valid_i = 0;
    if (took_fetch) top.if_req_valid_i = 0;
    if (took_const) top.if_cst_valid_i = 0;
    took_op = took_fetch = took_const = false;
    drive_op();
    if (clients) drive_clients();
    top.wb_ready_i = rnd.percent(wb_pressure);
    axi.drive(top, now);
    top.eval();
    axi.sample(top, now);
    if (top.gmem_valid_o) on_gmem();
    if (top.shm_valid_o) on_shared();
    if (held) checks.that(top.wb_valid_o && held_value == wb_hash(), "a row changed while it waited");
    held = top.wb_valid_o && !top.wb_ready_i;
    held_value = held ? wb_hash() : 0;
    if (top.wb_valid_o && top.wb_ready_i) on_row();
    if (top.checked_valid_o) on_checked();
    checks.that(!top.trap_valid_o || top.done_valid_o, "a trap comes with the end");
    if (top.done_valid_o) on_done();
    sample_clients();
    if (top.op_valid_i && top.op_ready_o) {
      took_op = true;
      if (++beat == beats) {
        beat = 0;
        queue.front()->sent = true;
        last_sent = now;
        queue.pop_front();
      }
    }
    if (top.idle_o) checks.that(axi.idle(), "idle means that nothing is outstanding");
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    now++;
  }
  bool held = false;
  uint64_t held_value = 0, last_sent = 0;
  uint64_t wb_hash() {
    uint64_t h = top.wb_seq_o ^ (uint64_t(top.wb_rd_o) << 32) ^ (uint64_t(top.wb_beat_o) << 40);
    for (unsigned l = 0; l < lanes; l++) h = h * 31 + word(bytes(top.wb_data_o), l);
    return h;
  }

  bool in_flight() const { return !by_id.empty() || !queue.empty() || !fetch_queue.empty() || !const_queue.empty(); }

  // Until nothing is left; false when it hangs.
  bool drain() {
    bool c = clients;
    clients = false;
    progress = now;
    while (in_flight() || top.if_req_valid_i || top.if_cst_valid_i || took_fetch || took_const) {
      cycle();
      if (!checks.that(now - progress < 20000, "progress", by_id.size(), queue.size())) return false;
      if (checks.failed > 500) return false;
    }
    for (int i = 0; i < 20 && !top.idle_o; i++) cycle();
    checks.that(top.idle_o && axi.idle(), "idle at the end");
    clients = c;
    return true;
  }

  void reset() {
    top.rst_ni = 0;
    top.op_valid_i = top.if_req_valid_i = top.if_cst_valid_i = top.start_valid_i = top.invalidate_i = 0;
    top.rvalid_i = top.bvalid_i = 0;
    for (int i = 0; i < 4; i++) cycle_raw();
    top.rst_ni = 1;
  }
  void cycle_raw() {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
    now++;
  }

  // All of shared memory gets defined contents.
  void fill_shared() {
    launch(true);
    for (unsigned s = 1; s < warps; s++) warp[s].live = false;
    start(0, 0);
    for (unsigned a = 0; a < shared_size; a += 512) {
      Ref p = make(0, SSTORE, 6);
      place(*p);
      p->exec = 0xffffffffu;
      p->off = 0;
      for (unsigned l = 0; l < 32; l++) p->addr[l] = p->a_lo[l] = a + 16 * l;
      submit(p);
    }
    drain();
  }
};

int random_test(Bench &b, uint64_t count, bool fault) {
  b.fill_shared();
  unsigned phase = 0;
  while (b.instructions < count && b.checks.failed == 0) {
    b.errors_on = !fault && phase % 4 == 3;
    b.axi.adversarial = phase % 8 != 5;
    b.axi.latency = b.rnd.below(40);
    b.launch(false);
    b.wb_pressure = b.rnd.percent(50) ? 100 : 5 + b.rnd.below(96);
    b.op_pressure = b.rnd.percent(70) ? 100 : 5 + b.rnd.below(96);
    b.fetch_pressure = b.rnd.below(101);
    uint64_t until = b.instructions + 300 + b.rnd.below(600);
    b.progress = b.now;
    while (b.instructions < until && b.checks.failed == 0) {
      if (b.queue.size() < 4) b.generate();
      b.cycle();
      if (!b.checks.that(b.now - b.progress < 20000, "progress")) break;
    }
    if (!b.drain()) break;
    b.checks.that(b.axi.data == b.memory, "memory equals the reference at the end", phase);
    phase++;
  }
  return b.checks.failed ? 1 : 0;
}

// ---- latency and throughput
// -----------------------------------------------------------------------------------------------
struct Shape {
  const char *name;
  unsigned mem, size;
  uint64_t (*addr)(unsigned lane);
};

void measure(Bench &b) {
  b.clients = false;
  b.axi.adversarial = false;
  b.wb_pressure = 100;
  b.fill_shared();
  b.launch(true);
  b.regions[0] = {BASE + DATA, BASE + DATA + 0x8000, true};
  put_bits(bytes(b.top.region_base_i), 0, 40, b.regions[0].base);
  put_bits(bytes(b.top.region_limit_i), 0, 41, b.regions[0].limit);
  b.top.region_write_i |= 1;
  b.cbank_bytes[0] = 1024;
  put_bits(bytes(b.top.cbank_bytes_i), 0, 17, 1024);
  static const Shape shapes[] = {
      {"LDS, no conflict", SLOAD, 4, [](unsigned l) -> uint64_t { return 4 * l; }},
      {"LDS, broadcast", SLOAD, 4, [](unsigned) -> uint64_t { return 64; }},
      {"LDS, 2-way conflict", SLOAD, 4, [](unsigned l) -> uint64_t { return 8 * l; }},
      {"LDS.64", SLOAD, 5, [](unsigned l) -> uint64_t { return 8 * l; }},
      {"LDS.128", SLOAD, 6, [](unsigned l) -> uint64_t { return 16 * l; }},
      {"LDS.128, broadcast", SLOAD, 6, [](unsigned) -> uint64_t { return 64; }},
      {"STS", SSTORE, 4, [](unsigned l) -> uint64_t { return 4 * l; }},
      {"ATOMS, distinct", SATOM, 4, [](unsigned l) -> uint64_t { return 4 * l; }},
      {"ATOMS, one word", SATOM, 4, [](unsigned) -> uint64_t { return 64; }},
      {"LDC, one word", CLOAD, 4, [](unsigned) -> uint64_t { return 64; }},
      {"LDC, 32 words", CLOAD, 4, [](unsigned l) -> uint64_t { return 4 * l; }},
      {"LDG, coalesced", GLOAD, 4, [](unsigned l) -> uint64_t { return BASE + DATA + 4 * l; }},
      {"LDG.128, coalesced", GLOAD, 6, [](unsigned l) -> uint64_t { return BASE + DATA + 16 * l; }},
      {"LDG, one word", GLOAD, 4, [](unsigned) -> uint64_t { return BASE + DATA; }},
      {"LDG, 32 sectors", GLOAD, 4, [](unsigned l) -> uint64_t { return BASE + DATA + 32 * l; }},
      {"STG, coalesced", GSTORE, 4, [](unsigned l) -> uint64_t { return BASE + DATA + 4 * l; }},
      {"ATOMG, coalesced", GATOM, 4, [](unsigned l) -> uint64_t { return BASE + DATA + 4 * l; }},
      {"ATOMG, one word", GATOM, 4, [](unsigned) -> uint64_t { return BASE + DATA; }},
  };
  std::printf("%-22s %8s %8s %10s %14s\n", "instruction", "row", "done", "cycles/in", "cycles/sector");
  for (unsigned latency : {0u, 40u}) {
    b.axi.latency = latency;
    std::printf("memory latency %u:\n", latency);
    for (auto &s : shapes) {
      if (latency && s.mem != GLOAD && s.mem != GSTORE && s.mem != GATOM) continue;
      uint64_t row = 0, done = 0, per = 0, sectors = 0;
      for (unsigned round = 0; round < 3; round++) { // warm up, one alone, many
        unsigned n = round < 2 ? 1 : 64;
        uint64_t from = b.now, r0 = b.axi.reads + b.axi.writes;
        Ref first;
        for (unsigned i = 0; i < n; i++) {
          Ref p = b.make(i % b.warps, s.mem, s.size);
          b.place(*p);
          p->exec = 0xffffffffu;
          p->off = 0;
          p->cbank = 0;
          p->rd = p->returns() ? 8 : 255;
          for (unsigned l = 0; l < 32; l++) {
            // Different warps use different global memory, so that sectors are not serialised.
            p->addr[l] = s.addr(l) + (p->global() ? (i % b.warps) * 1024 : 0);
            p->a_lo[l] = static_cast<uint32_t>(p->addr[l]);
            p->a_hi[l] = static_cast<uint32_t>(p->addr[l] >> 32);
          }
          b.submit(p);
          if (!first) first = p;
        }
        while (!b.by_id.empty() && b.now < from + 100000) {
          b.cycle();
          if (round == 1 && first->rows[0] && !row) row = first->last_row - b.last_sent;
        }
        if (round == 1) done = b.now - 1 - b.last_sent;
        if (round == 2) {
          per = (b.now - from) * 100 / n;
          sectors = b.axi.reads + b.axi.writes - r0;
        }
        for (unsigned i = 0; i < 20; i++) b.cycle();
      }
      std::printf("%-22s %8llu %8llu %7llu.%02llu", s.name, (unsigned long long)row, (unsigned long long)done,
                  (unsigned long long)(per / 100), (unsigned long long)(per % 100));
      if (sectors) std::printf(" %11.2f", double(per) * 64 / 100 / double(sectors));
      std::printf("\n");
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  uint64_t seed = 1, count = 20000;
  unsigned fault = 0;
  bool perf = false;
  for (int i = 1; i < argc; i++) {
    std::string a = argv[i];
    if (a == "--seed" && i + 1 < argc)
      seed = std::strtoull(argv[++i], nullptr, 0);
    else if (a == "--count" && i + 1 < argc)
      count = std::strtoull(argv[++i], nullptr, 0);
    else if (a == "--fault" && i + 1 < argc)
      fault = static_cast<unsigned>(std::strtoul(argv[++i], nullptr, 0));
    else if (a == "--perf")
      perf = true;
    else {
      std::printf("usage: %s [--seed N] [--count N] [--fault N] [--perf]\n", argv[0]);
      return 2;
    }
  }
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed));
  auto b = std::make_unique<Bench>(seed, 64);
  b->checks.quiet = fault != 0;
  b->reset();
  b->top.fault_i = static_cast<uint8_t>(fault);
  if (perf) {
    measure(*b);
    return b->checks.failed ? 1 : 0;
  }
  int rc = random_test(*b, count, fault != 0);
  std::printf("seed %llu: %llu instructions, %llu records, %llu traps, %llu refused, %llu fetches, %llu constants, "
              "%llu cycles, "
              "%llu checks, %llu failed\n",
              (unsigned long long)seed, (unsigned long long)b->instructions, (unsigned long long)b->records,
              (unsigned long long)b->traps, (unsigned long long)b->refused, (unsigned long long)b->fetches,
              (unsigned long long)b->constants, (unsigned long long)b->now, (unsigned long long)b->checks.done,
              (unsigned long long)b->checks.failed);
  if (fault) {
    std::printf("fault %u %s\n", fault, rc ? "found" : "NOT FOUND");
    return rc ? 0 : 1;
  }
  return rc;
}
