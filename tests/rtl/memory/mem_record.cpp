// SPDX-License-Identifier: Apache-2.0
// Accesses to global and shared memory where they take effect.
#include "atomics.h"
#include "mem_bench.h"

Ref Bench::find(unsigned slot, unsigned gen, uint32_t seq, const char *what) {
  auto i = by_id.find(key(slot, gen, seq));
  if (!checks.that(i != by_id.end() && !i->second->done, what, slot, seq)) return nullptr;
  return i->second;
}

void Bench::on_gmem() {
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
      set_word(m, o / 4, atomic_result(x.atom, x.result[l][0], x.data[l][0], x.data[l][2]));
      strb |= 15u << o;
    }
  }
  checks.that(top.gmem_wstrb_o == strb, "global record strobes", top.gmem_wstrb_o, strb);
  if (kind != 1)
    checks.that(!std::memcmp(bytes(top.gmem_rdata_o), before, 32), "global record read data", sector, word(before, 0));
  for (unsigned i = 0; i < 32; i++)
    if (strb >> i & 1) checks.that(bytes(top.gmem_wdata_o)[i] == m[i], "global record write data", sector + i, m[i]);
}

void Bench::on_shared() {
  records++;
  progress = now;
  Ref p = find(top.shm_slot_o, top.shm_gen_o, top.shm_seq_o, "shared record of an instruction in flight");
  if (!p) return;
  Instr &x = *p;
  unsigned kind = x.mem == SLOAD ? 0 : x.mem == SSTORE ? 1 : 2;
  uint32_t group = top.shm_lanes_o;
  if (!checks.that(x.expect == NORMAL && x.shared() && x.checked && top.shm_kind_o == kind, "shared record kind", x.mem,
                   x.expect))
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
      set_word(shared.data(), a / 4, atomic_result(x.atom, x.result[l][0], x.data[l][0], 0));
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
