// SPDX-License-Identifier: Apache-2.0
// What the benches of the memory folder share: random numbers, checks, access to packed ports, and an AXI memory that
// does everything the standard lets it do: random latency, answers out of order among ids, interleaved read beats, W
// before AW.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "random.h"

// Counts checks; prints the first failures.
struct Checks {
  uint64_t done = 0, failed = 0, cycle = 0;
  bool quiet = false;
  bool that(bool ok, const char *what, uint64_t a = 0, uint64_t b = 0) {
    done++;
    if (!ok && failed++ < 12 && !quiet)
      std::printf("cycle %llu: failed: %s (%llx, %llx)\n", static_cast<unsigned long long>(cycle), what,
                  static_cast<unsigned long long>(a), static_cast<unsigned long long>(b));
    return ok;
  }
};

// Bytes of a port, whatever type Verilator gave it (little-endian hosts).
template <class P> uint8_t *bytes(P &port) {
  return reinterpret_cast<uint8_t *>(&port);
}
template <class P> const uint8_t *bytes(const P &port) {
  return reinterpret_cast<const uint8_t *>(&port);
}

inline void put_bits(uint8_t *p, unsigned lsb, unsigned width, uint64_t value) {
  for (unsigned i = 0; i < width; i++) {
    unsigned bit = lsb + i;
    uint8_t m = static_cast<uint8_t>(1u << (bit % 8));
    p[bit / 8] = static_cast<uint8_t>(((value >> i) & 1) ? p[bit / 8] | m : p[bit / 8] & ~m);
  }
}

inline uint32_t word(const uint8_t *p, unsigned i) {
  uint32_t v;
  std::memcpy(&v, p + 4 * i, 4);
  return v;
}
inline void set_word(uint8_t *p, unsigned i, uint32_t v) {
  std::memcpy(p + 4 * i, &v, 4);
}

// Memory behind AXI. drive() sets this cycle's inputs of the device, sample() looks at the handshakes before the edge.
template <class Top> class AxiMemory {
public:
  uint64_t base;
  std::vector<uint8_t> data;
  uint64_t err_base = 0, err_limit = 0; // beats of sectors here answer with an error
  unsigned axi_bytes, beats;
  bool adversarial = true;
  unsigned latency = 0; // when not adversarial
  uint64_t reads = 0, writes = 0;

  AxiMemory(Random &r, Checks &c, uint64_t b, size_t size, unsigned axi_bits)
      : base(b), data(size), axi_bytes(axi_bits / 8), beats(256 / axi_bits), rnd(r), checks(c) {}

  bool idle() const { return rd.empty() && aw.empty() && w.empty() && b.empty() && !rnow && !bnow; }

  void drive(Top &t, uint64_t now) {
    unsigned ready = adversarial ? pressure : 100;
    if (adversarial && now % 256 == 0) pressure = (rnd.below(4) == 0) ? 5 : 30 + rnd.below(71);
    t.arready_i = rnd.percent(ready);
    t.awready_i = rnd.percent(ready);
    t.wready_i = rnd.percent(ready);
    if (!rnow) pick_read(now, ready);
    t.rvalid_i = rnow;
    if (rnow) {
      Read &q = rd[rindex];
      t.rid_i = static_cast<uint8_t>(q.id);
      t.rlast_i = q.sent + 1 == q.beats;
      t.rresp_i = failing((q.addr + q.sent * axi_bytes) & ~31ull) ? 2 + rnd.below(2) : 0;
      if (!q.sampled) {
        std::memcpy(q.bytes, &data[q.addr - base], q.beats * axi_bytes);
        q.sampled = true;
      }
      std::memcpy(bytes(t.rdata_i), q.bytes + q.sent * axi_bytes, axi_bytes);
    }
    match_writes(now);
    if (!bnow && !b.empty()) {
      size_t i = adversarial ? rnd.below(static_cast<uint32_t>(b.size())) : 0;
      if (now >= b[i].due && rnd.percent(ready)) {
        bindex = i;
        bnow = true;
        perform(b[i]);
      }
    }
    t.bvalid_i = bnow;
    if (bnow) {
      t.bid_i = static_cast<uint8_t>(b[bindex].id);
      t.bresp_i = failing(b[bindex].addr) ? 2 : 0;
    }
  }

  void sample(Top &t, uint64_t now) {
    stable(0, t.arvalid_o && !t.arready_i, t.arvalid_o, t.araddr_o ^ (uint64_t(t.arid_o) << 56));
    stable(1, t.awvalid_o && !t.awready_i, t.awvalid_o, t.awaddr_o ^ (uint64_t(t.awid_o) << 56));
    stable(2, t.wvalid_o && !t.wready_i, t.wvalid_o, hash(bytes(t.wdata_o)) ^ t.wlast_o);
    if (t.arvalid_o && t.arready_i) {
      reads++;
      unsigned whole = t.arid_o >= caches ? 2 * beats : beats; // a line of a cache is two sectors
      shape(t.araddr_o, t.arlen_o, t.arsize_o, t.arburst_o, whole);
      unsigned same = 0;
      for (auto &q : rd) same += q.id == t.arid_o;
      checks.that(same == 0, "a read id is used once at a time", t.arid_o);
      for (auto &q : b) checks.that(q.id != t.arid_o, "an id reads and writes at once", t.arid_o);
      rd.push_back({t.arid_o, t.araddr_o, now + delay(), 0, whole, adversarial && rnd.percent(50), {}});
      if (rd.back().sampled) std::memcpy(rd.back().bytes, &data[t.araddr_o - base], whole * axi_bytes);
    }
    if (t.awvalid_o && t.awready_i) {
      shape(t.awaddr_o, t.awlen_o, t.awsize_o, t.awburst_o, beats);
      aw.push_back({t.awid_o, t.awaddr_o, 0, {}, 0});
    }
    if (t.wvalid_o && t.wready_i) {
      Beat x{};
      std::memcpy(x.data, bytes(t.wdata_o), axi_bytes);
      std::memcpy(&x.strb, bytes(t.wstrb_o), (axi_bytes + 7) / 8);
      x.last = t.wlast_o;
      w.push_back(x);
    }
    if (rnow && t.rready_o) {
      rnow = false;
      if (++rd[rindex].sent == rd[rindex].beats) rd.erase(rd.begin() + static_cast<long>(rindex));
    }
    if (bnow && t.bready_o) {
      bnow = false;
      b.erase(b.begin() + static_cast<long>(bindex));
    }
  }

  unsigned caches = 14; // first id that belongs to a cache

private:
  struct Read {
    unsigned id;
    uint64_t addr, due;
    unsigned sent, beats;
    bool sampled;
    uint8_t bytes[64];
  };
  struct Write {
    unsigned id;
    uint64_t addr, due;
    uint8_t bytes[32];
    uint32_t strb;
  };
  struct Beat {
    uint8_t data[32];
    uint32_t strb;
    bool last;
  };

  Random &rnd;
  Checks &checks;
  std::deque<Read> rd;
  std::deque<Write> aw, b;
  std::deque<Beat> w;
  bool rnow = false, bnow = false;
  size_t rindex = 0, bindex = 0;
  unsigned pressure = 70;
  bool held[3] = {};
  uint64_t held_value[3] = {};

  bool failing(uint64_t addr) const { return addr >= err_base && addr < err_limit; }
  uint64_t delay() { return adversarial ? (rnd.below(8) == 0 ? rnd.below(120) : rnd.below(12)) : latency; }
  uint64_t hash(const uint8_t *p) const {
    uint64_t h = 0;
    for (unsigned i = 0; i < axi_bytes; i++) h = h * 0x100000001b3u ^ p[i];
    return h;
  }
  void stable(unsigned channel, bool hold, bool valid, uint64_t value) {
    if (held[channel])
      checks.that(valid && value == held_value[channel], "an AXI channel changed while it waited", channel);
    held[channel] = hold;
    held_value[channel] = value;
  }
  void shape(uint64_t addr, unsigned len, unsigned size, unsigned burst, unsigned whole) {
    uint64_t n = uint64_t(whole) * axi_bytes;
    checks.that(addr % n == 0 && len == whole - 1 && (1u << size) == axi_bytes && burst == 1, "burst shape", addr, len);
    if (!checks.that(addr >= base && addr + n <= base + data.size(), "AXI address inside memory", addr)) std::exit(1);
  }
  // Any id's oldest read may go on; beats of several interleave.
  void pick_read(uint64_t now, unsigned ready) {
    if (rd.empty() || !rnd.percent(ready)) return;
    size_t start = adversarial ? rnd.below(static_cast<uint32_t>(rd.size())) : 0;
    for (size_t k = 0; k < rd.size(); k++) {
      size_t i = (start + k) % rd.size();
      bool oldest = true;
      for (size_t j = 0; j < i; j++) oldest = oldest && rd[j].id != rd[i].id;
      if (oldest && now >= rd[i].due) {
        rindex = i;
        rnow = true;
        return;
      }
    }
  }
  void match_writes(uint64_t now) {
    while (!aw.empty() && w.size() >= beats) {
      Write x = aw.front();
      aw.pop_front();
      for (unsigned k = 0; k < beats; k++) {
        checks.that(w.front().last == (k + 1 == beats), "wlast", k);
        std::memcpy(x.bytes + k * axi_bytes, w.front().data, axi_bytes);
        x.strb |= w.front().strb << (k * axi_bytes);
        w.pop_front();
      }
      x.due = now + delay();
      b.push_back(x);
      writes++;
    }
  }
  void perform(const Write &x) {
    for (unsigned i = 0; i < 32 && !failing(x.addr); i++)
      if (x.strb >> i & 1) data[x.addr - base + i] = x.bytes[i];
  }
};
