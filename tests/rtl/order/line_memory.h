// SPDX-License-Identifier: Apache-2.0
// Memory behind AXI that does everything the standard allows, and checks that its master keeps to it. It takes bursts
// of any beats of a line of 128 bytes; latency is random, ids answer out of order, beats interleave, W precedes AW.
// Lines from err_base to err_limit answer with an error, reads and writes, or what can fail says. Behind a cache
// (`cache`) ids of reads and of writes are apart, RREADY may fall, and a line is not under way both ways at a time.
#pragma once
#include <functional>

#include "tests/rtl/memory/bench.h"

constexpr unsigned LINE = 128;

template <class Top> class LineMemory {
public:
  uint64_t base, err_base = 0, err_limit = 0;
  std::vector<uint8_t> data;
  unsigned beat_bytes;
  bool adversarial = true;
  bool cache = false;
  uint64_t lost_base = 0, lost_limit = 0; // of a cache: these lines cannot be written; those above cannot be read
  // A write that failed: its line, its bytes, what of them is meant.
  std::function<void(uint64_t addr, unsigned bytes, const bool *strb)> refused;
  unsigned latency = 0; // when not adversarial: from address to data, from the last data to B
  uint64_t reads = 0, writes = 0, read_beats = 0, write_beats = 0;

  LineMemory(Random &r, Checks &c, uint64_t b, size_t size, unsigned bits)
      : base(b), data(size), beat_bytes(bits / 8), rnd(r), checks(c) {}

  bool idle() const { return rd.empty() && aw.empty() && w.empty() && b.empty() && !rnow && !bnow; }

  // This cycle's inputs of the device.
  void drive(Top &t, uint64_t now) {
    if (adversarial && now % 256 == 0) pressure = rnd.below(4) == 0 ? 5 : 30 + rnd.below(71);
    const unsigned ready = adversarial ? pressure : 100;
    t.arready_i = rnd.percent(ready);
    t.awready_i = rnd.percent(ready);
    t.wready_i = rnd.percent(ready);
    if (!rnow) pick_read(now, ready);
    t.rvalid_i = rnow;
    if (rnow) {
      Read &q = rd[rindex];
      if (!q.sampled) sample_line(q);
      t.rid_i = static_cast<uint8_t>(q.id);
      t.rlast_i = q.sent + 1 == q.beats;
      // One wrong beat is enough.
      t.rresp_i = failing(q.addr) && q.sent == q.wrong ? 2 + rnd.below(2) : 0;
      std::memcpy(bytes(t.rdata_i), q.bytes + q.sent * beat_bytes, beat_bytes);
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
      t.bresp_i = unwritable(b[bindex].addr) ? 2 + rnd.below(2) : 0;
    }
  }

  // Its outputs, before the edge.
  void sample(Top &t, uint64_t now) {
    stable(0, t.arvalid_o && !t.arready_i, t.arvalid_o,
           t.araddr_o ^ uint64_t(t.arid_o) << 56 ^ uint64_t(t.arlen_o) << 48);
    stable(1, t.awvalid_o && !t.awready_i, t.awvalid_o,
           t.awaddr_o ^ uint64_t(t.awid_o) << 56 ^ uint64_t(t.awlen_o) << 48);
    stable(2, t.wvalid_o && !t.wready_i, t.wvalid_o, hash(bytes(t.wdata_o), bytes(t.wstrb_o)) ^ t.wlast_o);
    checks.that((t.rready_o || cache) && t.bready_o, "RREADY and BREADY are high");
    if (t.arvalid_o && t.arready_i) {
      reads++;
      shape(t.araddr_o, t.arlen_o, t.arsize_o, t.arburst_o);
      alone(t.arid_o, true);
      if (cache) apart(t.araddr_o, true);
      Read q{};
      q.id = t.arid_o;
      q.addr = t.araddr_o;
      q.beats = t.arlen_o + 1u;
      q.due = now + delay();
      q.wrong = rnd.below(q.beats);
      rd.push_back(q);
      if (adversarial && rnd.percent(50)) sample_line(rd.back());
    }
    if (t.awvalid_o && t.awready_i) {
      shape(t.awaddr_o, t.awlen_o, t.awsize_o, t.awburst_o);
      alone(t.awid_o, false);
      if (cache) apart(t.awaddr_o, false);
      Write x{};
      x.id = t.awid_o;
      x.addr = t.awaddr_o;
      x.beats = t.awlen_o + 1u;
      aw.push_back(x);
    }
    if (t.wvalid_o && t.wready_i) {
      Beat x{};
      std::memcpy(x.data, bytes(t.wdata_o), beat_bytes);
      std::memcpy(x.strb, bytes(t.wstrb_o), (beat_bytes + 7) / 8);
      x.last = t.wlast_o;
      w.push_back(x);
      write_beats++;
    }
    if (rnow && t.rready_o) {
      rnow = false;
      read_beats++;
      if (++rd[rindex].sent == rd[rindex].beats) rd.erase(rd.begin() + static_cast<long>(rindex));
    }
    if (bnow && t.bready_o) {
      bnow = false;
      b.erase(b.begin() + static_cast<long>(bindex));
    }
  }

private:
  struct Read {
    unsigned id, beats, sent, wrong;
    uint64_t addr, due;
    bool sampled;
    uint8_t bytes[LINE];
  };
  struct Write {
    unsigned id, beats;
    uint64_t addr, due;
    uint8_t bytes[LINE];
    bool strb[LINE];
  };
  struct Beat {
    uint8_t data[LINE], strb[LINE / 8];
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
  bool unwritable(uint64_t addr) const { return cache ? addr >= lost_base && addr < lost_limit : failing(addr); }
  uint64_t delay() { return adversarial ? (rnd.below(8) == 0 ? rnd.below(120) : rnd.below(12)) : latency; }
  uint64_t hash(const uint8_t *p, const uint8_t *s) const {
    uint64_t h = 0;
    for (unsigned i = 0; i < beat_bytes; i++) h = h * 0x100000001b3u ^ p[i];
    for (unsigned i = 0; i < (beat_bytes + 7) / 8; i++) h = h * 0x100000001b3u ^ s[i];
    return h;
  }
  void stable(unsigned channel, bool hold, bool valid, uint64_t value) {
    if (held[channel])
      checks.that(valid && value == held_value[channel], "an AXI channel changed while it waited", channel);
    held[channel] = hold;
    held_value[channel] = value;
  }
  void shape(uint64_t addr, unsigned len, unsigned size, unsigned burst) {
    checks.that(addr % beat_bytes == 0 && (1u << size) == beat_bytes && burst == 1, "burst shape", addr, len);
    checks.that(addr % LINE + (len + 1) * beat_bytes <= LINE, "a burst stays in its line", addr, len);
    if (!checks.that(addr >= base && addr + LINE <= base + data.size() + LINE - 1, "AXI address inside memory", addr))
      std::exit(1);
  }
  // An id is used once at a time.
  void alone(unsigned id, bool read) {
    bool used = false;
    for (auto &q : rd) used |= q.id == id && (read || !cache);
    for (auto &q : aw) used |= q.id == id && (!read || !cache);
    for (auto &q : b) used |= q.id == id && (!read || !cache);
    checks.that(!used, "an id is used once at a time", id);
  }
  // No master reads a line that is being written, nor writes one that is being read or written.
  void apart(uint64_t addr, bool read) {
    bool met = false;
    for (auto &q : rd) met |= !read && q.addr / LINE == addr / LINE;
    for (auto &q : aw) met |= q.addr / LINE == addr / LINE;
    for (auto &q : b) met |= q.addr / LINE == addr / LINE;
    checks.that(!met, "a line is under way once", addr);
  }
  void sample_line(Read &q) {
    std::memcpy(q.bytes, &data[q.addr - base], q.beats * beat_bytes);
    q.sampled = true;
  }
  // Any read may go on; beats of several interleave.
  void pick_read(uint64_t now, unsigned ready) {
    if (rd.empty() || !rnd.percent(ready)) return;
    size_t start = adversarial ? rnd.below(static_cast<uint32_t>(rd.size())) : 0;
    for (size_t k = 0; k < rd.size(); k++) {
      size_t i = (start + k) % rd.size();
      if (now < rd[i].due) continue;
      rindex = i;
      rnow = true;
      return;
    }
  }
  void match_writes(uint64_t now) {
    while (!aw.empty() && w.size() >= aw.front().beats) {
      Write x = aw.front();
      aw.pop_front();
      for (unsigned k = 0; k < x.beats; k++) {
        checks.that(w.front().last == (k + 1 == x.beats), "wlast", k);
        std::memcpy(x.bytes + k * beat_bytes, w.front().data, beat_bytes);
        for (unsigned i = 0; i < beat_bytes; i++) x.strb[k * beat_bytes + i] = w.front().strb[i / 8] >> i % 8 & 1;
        w.pop_front();
      }
      x.due = now + delay();
      b.push_back(x);
      writes++;
    }
    checks.that(w.size() < 3 * LINE / beat_bytes + 4, "write data does not run far ahead");
  }
  void perform(const Write &x) {
    if (unwritable(x.addr)) {
      if (refused) refused(x.addr, x.beats * beat_bytes, x.strb);
      return;
    }
    for (unsigned i = 0; i < x.beats * beat_bytes; i++)
      if (x.strb[i]) data[x.addr - base + i] = x.bytes[i];
  }
};
