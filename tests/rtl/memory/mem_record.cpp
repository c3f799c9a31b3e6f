// SPDX-License-Identifier: Apache-2.0
// Accesses to global and shared memory where they take effect.
#include "tests/rtl/memory/atomics.h"
#include "tests/rtl/memory/mem_bench.h"

Ref Bench::find(unsigned slot, unsigned gen, uint32_t seq, const char *what) {
  auto i = by_id.find(key(slot, gen, seq));
  if (!checks.that(i != by_id.end() && !i->second->done, what, slot, seq)) return nullptr;
  return i->second;
}

void Bench::update(Instr &x, unsigned l, uint8_t *m) {
  uint64_t v = 0, b, c;
  std::memcpy(&v, m, x.size == 5 ? 8 : 4);
  std::memcpy(&b, x.data[l], 8);
  std::memcpy(&c, x.data[l] + 2, 8);
  std::memcpy(x.result[l], &v, 8);
  v = atomic_result(x.atom, x.size == 5, v, b, c);
  std::memcpy(m, &v, x.size == 5 ? 8 : 4);
}

void Bench::on_gmem(const heddle_line_port_record &r) {
  records++;
  progress = now;
  Ref p = find(r.slot, r.gen, r.seq, "global record of an instruction in flight");
  if (!p) return;
  Instr &x = *p;
  if (r.access >= 3) return on_local(x, r);
  uint64_t sector = uint64_t(r.sector) << 5;
  uint32_t group = 0;
  for (unsigned l = 0; l < 32; l++)
    if (x.in(l, GLOBAL) && x.at[l] >> 5 == sector >> 5) group |= 1u << l;
  unsigned kind = x.kind();
  if (!checks.that(x.expect == NORMAL && x.checked && r.access == kind, "global record kind", x.mem, x.expect)) return;
  if (!checks.that(r.lanes == group && group && (x.left & group) == group, "global record lanes", r.lanes, group))
    return;
  checks.that(!failing(sector), "no record of a failed access", sector);
  for (auto &o : warp[x.slot].flight) {
    if (o == p) break;
    for (unsigned l = 0; l < 32 && o->expect == NORMAL; l++)
      checks.that(!((o->left >> l & 1) && o->in(l, GLOBAL) && o->at[l] >> 5 == sector >> 5),
                  "a warp's accesses to one sector in order", o->seq, x.seq);
  }
  perform(x, group, sector - BASE, r);
}

void Bench::perform(Instr &x, uint32_t group, size_t at, const heddle_line_port_record &r) {
  const unsigned kind = x.kind();
  x.left &= ~group;
  uint8_t *m = &memory[at], before[32];
  std::memcpy(before, m, 32);
  uint32_t strb = 0;
  for (unsigned l = 0; l < 32; l++) {
    if (!(group >> l & 1)) continue;
    unsigned o = x.at[l] & 31;
    if (kind == 0)
      load(x, l, m + o);
    else if (kind == 1) {
      std::memcpy(m + o, x.data[l], x.bytes());
      strb |= ((1u << x.bytes()) - 1) << o;
    } else {
      update(x, l, m + o);
      strb |= ((1u << x.bytes()) - 1) << o;
    }
  }
  checks.that(r.wstrb == strb, "global record strobes", r.wstrb, strb);
  if (kind != 1) checks.that(!std::memcmp(r.rdata, before, 32), "global record read data", at, word(before, 0));
  for (unsigned i = 0; i < 32; i++)
    if (strb >> i & 1) checks.that(r.wdata[i] == m[i], "global record write data", at + i, m[i]);
}

// A word of some lanes' local memory.
void Bench::on_local(Instr &x, const heddle_line_port_record &r) {
  uint64_t sector = r.sector;
  unsigned slot = static_cast<unsigned>(sector >> 20), w = sector >> 2 & 0x3ffff, k = w % x.words();
  uint32_t group = 0, strb = 0;
  auto here = [&](const Instr &y, unsigned l) { // the lane has that word
    return y.in(l, LOCAL) && l / 8 == sector % 4 && w - y.at[l] / 4 < y.words();
  };
  for (unsigned l = 0; l < 32; l++)
    if (here(x, l)) group |= 1u << l;
  if (!checks.that(x.expect == NORMAL && x.checked && slot == x.slot && r.access == x.kind() + 3 && r.lanes == group &&
                       group && (x.local_left[k] & group) == group,
                   "local record", r.lanes, group))
    return;
  for (auto &o : warp[x.slot].flight) {
    if (o.get() == &x) break;
    for (unsigned l = 0; l < 32 && o->expect == NORMAL; l++)
      checks.that(!(here(*o, l) && (o->local_left[w % o->words()] >> l & 1)), "a thread's accesses to a word in order",
                  o->seq, x.seq);
  }
  x.local_left[k] &= ~group;
  for (unsigned l = 0; l < 32; l++) {
    if (!(group >> l & 1)) continue;
    uint8_t *m = &memory[local_at(slot, l, x.at[l] + 4 * k)];
    unsigned n = std::min(4u, x.bytes()), o = l % 8 * 4 + x.at[l] % 4;
    if (!x.store()) {
      checks.that(!std::memcmp(r.rdata + o, m, n), "local record read data", w, l);
      load_word(x, l, k, m);
    } else {
      std::memcpy(m, &x.data[l][k], n);
      strb |= ((1u << n) - 1) << o;
      checks.that(!std::memcmp(r.wdata + o, m, n), "local record write data", w, l);
    }
    if (!((x.local_left[0] | x.local_left[1] | x.local_left[2] | x.local_left[3]) >> l & 1)) x.left &= ~(1u << l);
  }
  checks.that(r.wstrb == strb, "local record strobes", r.wstrb, strb);
}

void Bench::on_shared() {
  records++;
  progress = now;
  Ref p = find(top.shm_slot_o, top.shm_gen_o, top.shm_seq_o, "shared record of an instruction in flight");
  if (p) on_shared(*p, p);
}

// x: p, or what of it is one of shared memory alone.
void Bench::on_shared(Instr &x, const Ref &p) {
  unsigned kind = x.kind();
  uint32_t group = top.shm_lanes_o, mine = 0;
  for (unsigned l = 0; l < 32; l++)
    if (x.in(l, SHARED)) mine |= x.left & 1u << l;
  if (!checks.that(x.expect == NORMAL && x.checked && top.shm_kind_o == kind, "shared record kind", x.mem, x.expect))
    return;
  if (!checks.that(group && (mine & group) == group, "shared record lanes", group, mine)) return;
  for (auto &o : warp[x.slot].flight) {
    if (o == p) break;
    for (unsigned l = 0; l < 32; l++)
      checks.that(!(o->in(l, SHARED) && o->expect == NORMAL && (o->left >> l & 1)), "a warp's shared accesses in order",
                  o->seq, x.seq);
  }
  x.left &= ~group;
  uint32_t en = 0, row[32] = {}, before[32] = {};
  uint8_t strb[32] = {};
  for (unsigned l = 0; l < 32; l++) {
    if (!(group >> l & 1)) continue;
    for (unsigned w = 0; w < x.words(); w++) {
      uint32_t a = warp[x.slot].shm_base + static_cast<uint32_t>(x.at[l]) + 4 * w;
      unsigned b = a / 4 % banks;
      if (en >> b & 1) checks.that(row[b] == a / 4 / banks, "one row of a bank in a pass", b, l);
      en |= 1u << b;
      row[b] = a / 4 / banks;
      before[b] = word(shared.data(), a / 4);
    }
  }
  for (unsigned l = 0; l < 32; l++) {
    if (!(group >> l & 1)) continue;
    uint32_t a = warp[x.slot].shm_base + static_cast<uint32_t>(x.at[l]);
    if (x.matrix())
      std::memcpy(x.read[l], &shared[a], 16);
    else if (kind == 0)
      load(x, l, &shared[a]);
    else if (kind == 1) {
      std::memcpy(&shared[a], x.data[l], x.bytes());
      for (unsigned i = 0; i < x.bytes(); i++) strb[(a + i) / 4 % banks] |= static_cast<uint8_t>(1u << ((a + i) % 4));
    } else {
      update(x, l, &shared[a]);
      for (unsigned w = 0; w < x.words(); w++) strb[(a / 4 + w) % banks] = 15;
    }
  }
  if (x.matrix()) scatter(x);
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
