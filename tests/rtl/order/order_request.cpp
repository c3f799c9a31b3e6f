// SPDX-License-Identifier: Apache-2.0
// Random requests: what they are, the beats ahead of them, and what memory is after them.
#include "tests/rtl/order/order_bench.h"

namespace {
uint64_t number(const uint8_t *m, unsigned index, bool wide) {
  return word(m, index) | (wide ? uint64_t(word(m, index + 1)) << 32 : 0);
}
} // namespace

// Bytes of a store: each row several times, with bytes that a later beat overwrites.
void Bench::store_beats(Request &r) {
  const unsigned rows = plain ? 1 : 1 + rnd.below(3);
  for (unsigned pass = 0; pass < rows; pass++) {
    for (unsigned i = 0; i < beats; i++) {
      WriteBeat x{};
      x.beat = i;
      bool some = false;
      const unsigned density = plain ? 100 : rnd.below(101);
      for (unsigned k = 0; k < beat_bytes; k++) {
        x.data[k] = static_cast<uint8_t>(rnd.u32());
        if (!(r.sectors >> (i * beat_bytes + k) / 32 & 1) || !rnd.percent(density)) continue;
        x.strb[k] = some = true;
      }
      if (some) r.beats.push_back(x);
    }
  }
  if (!plain && rnd.percent(50))
    for (size_t i = r.beats.size(); i > 1; i--) std::swap(r.beats[i - 1], r.beats[rnd.below(static_cast<uint32_t>(i))]);
}

// Operands: a lane after the other, of each the pieces with words that count.
void Bench::atom_beats(Request &r) {
  const unsigned words = std::min(4u, bits / 32);
  for (unsigned l = 0; l < 32; l++) {
    if (!(r.lanes >> l & 1)) continue;
    const bool swap = r.op == COMPARE_SWAP;
    uint32_t w[4] = {rnd.u32(), rnd.u32(), rnd.u32(), rnd.u32()};
    bool counts[4] = {true, r.wide, swap, swap && r.wide};
    for (unsigned k = 0; k < 4; k++)
      if (counts[k]) w[k] = static_cast<uint32_t>((k < 2 ? r.operand : r.swap)[l] >> 32 * (k % 2));
    for (unsigned p = 0; p < 4 / words; p++) {
      bool some = false;
      for (unsigned k = 0; k < words; k++) some |= counts[p * words + k];
      if (!some) continue;
      WriteBeat x{};
      x.atom = true;
      x.lane = l;
      x.place = r.place[l];
      x.piece = p;
      for (auto &y : x.data) y = static_cast<uint8_t>(rnd.u32());
      std::memcpy(x.data, w + p * words, 4 * words);
      r.beats.push_back(x);
    }
  }
}

Pointer Bench::make() {
  auto p = std::make_shared<Request>();
  Request &r = *p;
  do r.kind = rnd.below(KINDS);
  while (!(kinds >> r.kind & 1));
  if (!credits || (r.kind == ATOM && !atom_credits)) return nullptr;
  std::vector<unsigned> unused;
  for (unsigned i = 0; i < tags; i++)
    if (!by_tag[i]) unused.push_back(i);
  if (unused.empty()) return nullptr;
  r.tag = unused[rnd.below(static_cast<uint32_t>(unused.size()))];
  r.slot = one_line ? 0 : rnd.below(warps);
  r.gen = rnd.below(256);
  r.seq = static_cast<uint32_t>(sent);
  // Refills are of lines that nobody writes: nothing orders them.
  r.line =
      BASE / LINE + (plain ? one_line ? 0 : next_line++ % WRITTEN : rnd.below(lines)) + (r.kind == FETCH ? WRITTEN : 0);
  r.failing = r.line * LINE >= axi->err_base && r.line * LINE < axi->err_limit;
  r.lanes = plain || rnd.percent(30) ? 0xffffffffu
            : rnd.percent(30)        ? 1u << rnd.below(32)
                                     : rnd.u32() | 1u << rnd.below(32);
  r.local = !plain && r.kind != ATOM && r.kind != FETCH && rnd.percent(20);
  r.word = rnd.below(1u << 18);
  r.op = ATOMICS[rnd.below(ATOMIC_KINDS)];
  r.wide = r.kind == ATOM && (r.op == COMPARE_SWAP ? rnd.percent(50) : atomic_is_wide(r.op));
  r.gives = r.kind == ATOM && rnd.percent(70);
  const unsigned spread = 1u << rnd.below(6); // words that the lanes are spread over
  for (unsigned l = 0; l < 32; l++) {
    r.place[l] = plain ? l : (rnd.below(spread) + 7 * r.tag) % 32;
    if (r.wide) r.place[l] &= ~1u;
    r.at[l] = r.place[l] / 8;
    if (r.lanes >> l & 1) r.sectors |= 1u << r.at[l];
    r.operand[l] = atomic_operand(rnd, number(&memory[r.line * LINE - BASE], r.place[l], r.wide));
    r.swap[l] = rnd.next();
  }
  if (r.kind == FETCH || r.kind == FILL) r.sectors = plain ? 15 : 1 + rnd.below(15);
  if (r.kind == FILL) r.lanes = r.seq; // its number
  fills += r.kind == FILL;
  gaps += r.sectors == 5 || r.sectors == 9 || r.sectors == 10 || r.sectors == 11 || r.sectors == 13;
  if (r.kind == STORE) store_beats(r);
  if (r.kind == ATOM) atom_beats(r);
  return p;
}

// What memory is after it.
void Bench::perform(Request &r) {
  uint8_t *m = &memory[r.line * LINE - BASE];
  std::memcpy(r.before, m, LINE);
  if (r.kind == ATOM && !r.failing) {
    for (unsigned l = 0; l < 32; l++) {
      if (!(r.lanes >> l & 1)) continue;
      const uint64_t mask = r.wide ? ~0ull : 0xffffffffu;
      r.old[l] = number(m, r.place[l], r.wide);
      met[r.op]++;
      swapped += r.op == COMPARE_SWAP && r.old[l] == (r.operand[l] & mask);
      const uint64_t sum = atomic_result(r.op, r.wide, r.old[l], r.operand[l], r.swap[l]);
      std::memcpy(m + 4 * r.place[l], &sum, r.wide ? 8 : 4);
      for (unsigned k = 0; k < (r.wide ? 8 : 4); k++) r.wstrb[4 * r.place[l] + k] = true;
    }
  }
  std::memcpy(r.after, m, LINE);
}

// The request is sent in this cycle.
void Bench::accept() {
  Request &r = *offer;
  perform(r);
  r.accepted_at = now;
  errors += r.failing;
  by_tag[r.tag] = offer;
  auto &line = on[r.line];
  if (!line.empty()) together += line.back()->kind == LOAD && r.kind == LOAD && line.back()->slot == r.slot;
  if (r.kind != FETCH && !r.failing) line.push_back(offer);
  credits--;
  if (r.kind == ATOM) atom_credits--, sent_atoms++;
  sent++;
  progress = now;
  offer = nullptr;
}

// This cycle's lw_ and lq_.
void Bench::send(bool more) {
  top.lw_valid_i = top.lq_valid_i = 0;
  if (!offer && more) offer = make();
  if (!offer) return;
  Request &r = *offer;
  if (!r.beats.empty() && rnd.percent(beat_percent)) {
    WriteBeat x = r.beats.front();
    r.beats.pop_front();
    top.lw_valid_i = 1;
    top.lw_atom_i = x.atom;
    top.lw_lane_i = static_cast<uint8_t>(x.lane);
    top.lw_place_i = static_cast<uint8_t>(x.place);
    top.lw_piece_i = static_cast<uint8_t>(x.piece);
    top.lw_beat_i = static_cast<uint8_t>(x.beat);
    for (unsigned k = 0; k < beat_bytes; k++) put_bits(bytes(top.lw_strb_i), k, 1, x.strb[k]);
    std::memcpy(bytes(top.lw_data_i), x.data, beat_bytes);
    if (!x.atom) {
      // The reference: a later beat wins.
      uint8_t *m = &memory[r.line * LINE - BASE];
      for (unsigned k = 0; k < beat_bytes; k++) {
        if (!x.strb[k]) continue;
        r.wstrb[x.beat * beat_bytes + k] = true;
        if (!r.failing) m[x.beat * beat_bytes + k] = x.data[k];
      }
    }
  }
  if (!r.beats.empty() || !rnd.percent(plain ? 100 : 85)) return;
  beat_and_request += top.lw_valid_i;
  top.lq_valid_i = 1;
  top.lq_tag_i = static_cast<uint8_t>(r.tag);
  top.lq_kind_i = static_cast<uint8_t>(r.kind);
  top.lq_line_i = r.line;
  top.lq_sectors_i = static_cast<uint8_t>(r.sectors);
  top.lq_op_i = static_cast<uint8_t>(r.op);
  top.lq_wide_i = r.wide;
  top.lq_gives_i = r.gives;
  top.lq_slot_i = static_cast<uint8_t>(r.slot);
  top.lq_gen_i = static_cast<uint8_t>(r.gen);
  top.lq_seq_i = r.seq;
  top.lq_lanes_i = r.lanes;
  top.lq_at_i = 0;
  for (unsigned l = 0; l < 32; l++) top.lq_at_i |= uint64_t(r.at[l]) << 2 * l;
  top.lq_is_local_i = r.local;
  top.lq_word_i = r.word;
  accept();
}
