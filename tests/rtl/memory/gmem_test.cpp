// SPDX-License-Identifier: Apache-2.0
// The point of order and the AXI master alone: sector transactions on a few hot sectors under the most hostile memory.
// Accepted order is the order of each sector: the reference performs a request when it is accepted, so read data,
// answers of atomics and final memory are known beforehand, whatever AXI does. Records must come once for each, in that
// order. The bytes of a store come ahead of its request, in pieces.
#include <memory>

#include "Vtop.h"
#include "atomics.h"
#include "bench.h"
#include "verilated.h"

namespace {

// A word of a sector, or two.
uint64_t number(const uint8_t *m, unsigned index, bool wide) {
  return word(m, index) | (wide ? uint64_t(word(m, index + 1)) << 32 : 0);
}
constexpr uint64_t BASE = 0x0900000000u;

struct Request {
  unsigned slot, kind, gslot;
  uint32_t seq, lanes, wstrb, atom = 0, unsent = 0; // unsent: bytes of a store
  unsigned index[32];                               // word of the sector, by lane
  uint64_t sector;
  uint8_t wdata[32], before[32], after[32];
  uint64_t operand[32], swap[32], old[32]; // of an atomic
  bool wide = false;
  uint32_t given = 0;
  bool failing, ended = false, shown = false;
};
} // namespace

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1,
           count = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 30000;
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed));
  auto top = std::make_unique<Vtop>();
  Vtop &t = *top;
  Random rnd{seed};
  Checks checks;
  t.eval();
  unsigned lanes = t.cfg_lanes_o, beats = 32 / lanes;
  AxiMemory<Vtop> axi(rnd, checks, BASE, 1 << 14, t.cfg_axi_o);
  axi.caches = t.cfg_ids_o;
  for (auto &x : axi.data) x = static_cast<uint8_t>(rnd.u32());
  std::vector<uint8_t> memory = axi.data;
  axi.err_base = BASE + 96;
  axi.err_limit = BASE + 128;
  std::deque<std::shared_ptr<Request>> flight;
  std::shared_ptr<Request> offer;
  std::deque<uint64_t> fetched;
  unsigned fetch_beat = 0, row_beat = 0, sectors = 8;
  uint64_t sent = 0, records = 0, together = 0, now = 0, progress = 0;
  uint64_t busy = 0; // gslots in use, one request each
  uint64_t met[COMPARE_SWAP + 1] = {}, swapped = 0;
  unsigned deaf = 0; // cycles in which no answer is taken: long enough for writes to come back from memory
  bool took = false, st_took = false;

  t.rst_ni = 0;
  t.fault_i = 0;
  t.rq_valid_i = t.row_valid_i = t.st_valid_i = t.ic_valid_i = t.rs_ready_i = t.rvalid_i = t.bvalid_i = 0;
  for (int i = 0; i < 3; i++) {
    t.clk_i = 1;
    t.eval();
    t.clk_i = 0;
    t.eval();
  }
  t.rst_ni = 1;

  while ((sent < count || !flight.empty()) && checks.failed < 20 && now - progress < 20000) {
    checks.cycle = now;
    if (now % 2048 == 0) sectors = rnd.percent(50) ? 1 + rnd.below(8) : 256;
    if (took) {
      t.rq_valid_i = 0;
      took = false;
    }
    // Operands of an atomic are written before its request is offered.
    t.row_valid_i = 0;
    if (!offer && sent < count && busy != (1ull << t.cfg_gslots_o) - 1 && rnd.percent(90)) {
      offer = std::make_shared<Request>();
      Request &r = *offer;
      r.slot = rnd.below(t.cfg_warps_o);
      r.kind = rnd.below(3);
      r.seq = static_cast<uint32_t>(sent);
      do r.gslot = rnd.below(t.cfg_gslots_o);
      while (busy >> r.gslot & 1);
      busy |= 1ull << r.gslot;
      r.lanes = rnd.percent(30) ? 0xffffffffu : rnd.u32() | 1u << rnd.below(32);
      r.sector = BASE / 32 + rnd.below(sectors);
      r.failing = r.sector * 32 == axi.err_base;
      r.wstrb = rnd.u32();
      for (auto &x : r.wdata) x = static_cast<uint8_t>(rnd.u32());
      r.atom = ATOMICS[rnd.below(ATOMIC_KINDS)];
      // As an instruction has it: words of whole numbers, and no others in its sector.
      r.wide = r.kind == 2 && (r.atom == COMPARE_SWAP ? rnd.percent(50) : atomic_is_wide(r.atom));
      for (unsigned l = 0; l < 32; l++) {
        r.index[l] = rnd.percent(50) ? l % 8 : rnd.below(8);
        if (r.wide) r.index[l] &= ~1u;
        r.operand[l] = atomic_operand(rnd, number(&axi.data[r.sector * 32 - BASE], r.index[l], r.wide));
        r.swap[l] = rnd.next();
      }
      row_beat = 0;
      r.unsent = r.kind == 1 ? r.wstrb : 0;
    }
    // A piece of a store: some of its bytes, with the data at every place of that width, or all of them; bytes of a
    // word may come one after the other.
    if (st_took) t.st_valid_i = 0;
    st_took = false;
    if (offer && !t.rq_valid_i && !t.st_valid_i && offer->unsent && rnd.percent(80)) {
      Request &r = *offer;
      unsigned piece = t.cfg_st_bits_o / 8, p = 0;
      uint32_t all = piece == 32 ? 0xffffffffu : (1u << piece) - 1;
      while (!(r.unsent >> (piece * p) & all)) p++;
      t.st_strb_i = r.unsent & all << (piece * p);
      if (uint32_t some = t.st_strb_i & rnd.u32(); some && rnd.percent(30)) t.st_strb_i = some;
      std::memcpy(bytes(t.st_data_i), r.wdata + piece * p, piece);
      t.st_valid_i = 1;
    }
    if (offer && !t.rq_valid_i && !t.st_valid_i && !offer->unsent) {
      Request &r = *offer;
      if (row_beat < beats) {
        t.row_valid_i = 1;
        t.row_i = static_cast<uint8_t>(r.gslot * beats + row_beat);
        t.row_atom_i = static_cast<uint8_t>(r.atom);
        t.row_wide_i = r.wide;
        for (unsigned l = 0; l < lanes; l++) {
          put_bits(bytes(t.row_word_i), 3 * l, 3, r.index[row_beat * lanes + l]);
          for (unsigned k = 0; k < 2; k++) {
            set_word(bytes(t.row_operand_i), k * lanes + l,
                     static_cast<uint32_t>(r.operand[row_beat * lanes + l] >> 32 * k));
            set_word(bytes(t.row_swap_i), k * lanes + l, static_cast<uint32_t>(r.swap[row_beat * lanes + l] >> 32 * k));
          }
        }
        row_beat++;
      } else {
        t.rq_valid_i = 1;
        t.rq_slot_i = static_cast<uint8_t>(r.slot);
        t.rq_gen_i = 7;
        t.rq_seq_i = r.seq;
        t.rq_kind_i = static_cast<uint8_t>(r.kind);
        t.rq_sector_i = r.sector;
        t.rq_lanes_i = r.lanes;
        t.rq_gslot_i = static_cast<uint8_t>(r.gslot);
        t.rq_wstrb_i = r.wstrb;
      }
    }
    if (!t.ic_valid_i && fetched.empty() && rnd.percent(30)) {
      t.ic_valid_i = 1;
      t.ic_line_i = BASE / 64 + 128 + rnd.below(100);
    }
    if (deaf)
      deaf--;
    else if (rnd.percent(1))
      deaf = rnd.below(100);
    t.rs_ready_i = !deaf && rnd.percent(now / 1024 % 2 ? 100 : 30);
    axi.drive(t, now);
    t.eval();
    axi.sample(t, now);

    if (t.gmem_valid_o) {
      records++;
      progress = now;
      std::shared_ptr<Request> p;
      for (auto &q : flight)
        if (q->seq == t.gmem_seq_o) p = q;
      if (checks.that(p && !p->shown && !p->failing, "a record of a request in flight, once", t.gmem_seq_o)) {
        Request &r = *p;
        r.shown = true;
        for (auto &q : flight) {
          if (q == p) break;
          checks.that(q->sector != r.sector || q->shown || (q->kind == 0 && r.kind == 0 && q->slot != r.slot),
                      "records of a sector in order", q->seq, r.seq);
        }
        checks.that(t.gmem_slot_o == r.slot && t.gmem_gen_o == 7 && t.gmem_kind_o == r.kind &&
                        t.gmem_lanes_o == r.lanes && t.gmem_sector_o == r.sector,
                    "identity", r.seq);
        if (r.kind != 1)
          checks.that(!std::memcmp(bytes(t.gmem_rdata_o), r.before, 32), "read data of the record", r.seq, r.kind);
        uint32_t strb = r.kind == 0 ? 0 : r.wstrb;
        checks.that(t.gmem_wstrb_o == strb, "strobes of the record", t.gmem_wstrb_o, strb);
        for (unsigned i = 0; i < 32; i++)
          if (strb >> i & 1) checks.that(bytes(t.gmem_wdata_o)[i] == r.after[i], "write data of the record", r.seq, i);
      }
    }
    if (t.rs_valid_o && t.rs_ready_i) {
      progress = now;
      std::shared_ptr<Request> p;
      for (auto &q : flight)
        if (q->gslot == t.rs_gslot_o && !q->ended) p = q;
      if (checks.that(p != nullptr, "an answer to a request in flight", t.rs_gslot_o)) {
        Request &r = *p;
        checks.that(!t.rs_done_o || t.rs_sector_o == r.sector, "sector of the answer", t.rs_sector_o, r.sector);
        if (t.rs_give_o) {
          for (unsigned l = 0; l < 32; l++) {
            if (!(t.rs_lanes_o >> l & 1)) continue;
            uint64_t want = r.kind == 2 ? r.old[l] : word(r.before, r.index[l]);
            checks.that(number(bytes(t.rs_rdata_o), r.index[l], r.wide) == want, "value for a lane", r.seq, l);
            checks.that(!(r.given >> l & 1), "a lane once", l);
          }
          r.given |= t.rs_lanes_o;
        }
        if (t.rs_done_o) {
          checks.that(t.rs_err_o == r.failing, "bus error", r.seq);
          if (!r.failing && r.kind != 1)
            checks.that(r.given == r.lanes, "all lanes have their value", r.given, r.lanes);
          r.ended = true;
          busy &= ~(1ull << r.gslot);
        }
      }
    }
    if (t.st_valid_i && t.st_ready_o) {
      offer->unsent &= ~t.st_strb_i;
      st_took = true;
    }
    if (t.rq_valid_i && t.rq_ready_o) {
      Request &r = *offer;
      for (auto &q : flight)
        if (q->sector == r.sector && !q->ended) together++;
      uint8_t *m = &memory[r.sector * 32 - BASE];
      std::memcpy(r.before, m, 32);
      if (!r.failing) {
        if (r.kind == 1)
          for (unsigned i = 0; i < 32; i++)
            if (r.wstrb >> i & 1) m[i] = r.wdata[i];
        if (r.kind == 2) r.wstrb = 0;
        for (unsigned l = 0; l < 32 && r.kind == 2; l++) {
          if (!(r.lanes >> l & 1)) continue;
          r.old[l] = number(m, r.index[l], r.wide);
          met[r.atom]++;
          const uint64_t mask = r.wide ? ~0ull : 0xffffffffu;
          swapped += r.atom == COMPARE_SWAP && r.old[l] == (r.operand[l] & mask);
          uint64_t sum = atomic_result(r.atom, r.wide, r.old[l], r.operand[l], r.swap[l]);
          std::memcpy(m + 4 * r.index[l], &sum, r.wide ? 8 : 4);
          r.wstrb |= (r.wide ? 255u : 15u) << (4 * r.index[l]);
        }
      }
      std::memcpy(r.after, m, 32);
      flight.push_back(offer);
      offer = nullptr;
      took = true;
      sent++;
      progress = now;
    }
    if (t.ic_beat_valid_o && checks.that(!fetched.empty(), "a beat that the cache asked for")) {
      uint64_t a = fetched.front() * 64 + fetch_beat * axi.axi_bytes;
      checks.that(!std::memcmp(bytes(t.ic_beat_data_o), &axi.data[a - BASE], axi.axi_bytes) && !t.ic_beat_err_o,
                  "the cache's data in order", a);
      if (++fetch_beat == 2 * axi.beats) {
        fetch_beat = 0;
        fetched.pop_front();
      }
    }
    bool cache_took = t.ic_valid_i && t.ic_ready_o;
    if (cache_took) fetched.push_back(t.ic_line_i);
    while (!flight.empty() && flight.front()->ended && (flight.front()->shown || flight.front()->failing))
      flight.pop_front();
    t.clk_i = 1;
    t.eval();
    t.clk_i = 0;
    if (cache_took) t.ic_valid_i = 0;
    now++;
  }
  checks.that(sent == count && flight.empty(), "all requests ended", sent, flight.size());
  checks.that(axi.data == memory, "memory equals the reference");
  checks.that(together > 0, "loads of several warps share a sector");
  for (unsigned op : ATOMICS) checks.that(met[op] > 100, "every operation in a hundred lanes", op, met[op]);
  checks.that(swapped > 10 && swapped < met[COMPARE_SWAP], "comparisons that hold, and others", swapped);
  std::printf("gmem seed %llu: %llu requests, %llu records, %llu cycles, %llu checks, %llu failed\n",
              (unsigned long long)seed, (unsigned long long)sent, (unsigned long long)records, (unsigned long long)now,
              (unsigned long long)checks.done, (unsigned long long)checks.failed);
  return checks.failed ? 1 : 0;
}
