// SPDX-License-Identifier: Apache-2.0
// Translation as a whole: streams of accesses look up pages in micro-TLBs; each hit must be what a walk has found for
// the page and its space since the last invalidation that covers it, each fault one that a walk had, and nothing is
// lost. Tables have every kind of entry, and change under way. --fault N expects that fault (lab/verify/faults) to be
// found; --rate holds latencies and rates to what README.md of rtl/mmu promises.
#include "tests/rtl/arguments.h"
#include "tests/rtl/mmu/mmu_bench.h"
#include "cosim/verilator/fault_number.hpp"

Bench::Bench(uint64_t seed) : rnd{seed} {
  top.eval();
  channels = top.cfg_channels_o;
  places = top.cfg_places_o;
  walks = top.cfg_walks_o;
  bits = top.cfg_bits_o;
  tags = owed = top.cfg_tags_o;
  atoms = owed_atoms = top.cfg_atoms_o;
  sets = top.cfg_sets_o;
  for (unsigned i = 0; i < 4; i++) spaces.push_back(random_space(rnd, memory, spaces, 94));
  // Spaces use the same addresses, in part.
  for (unsigned i = 1; i < 4; i++)
    for (unsigned k = 0; k < 12; k++) spaces[i].pages[k * 4] = spaces[0].pages[k * 4];
}

void Bench::reset() {
  top.rst_ni = 0;
  top.lk_valid_i = top.done_valid_i = top.forgotten_i = top.replay_valid_i = top.invalidate_i = top.exchange_i = 0;
  top.lc_valid_i = top.ld_valid_i = top.la_valid_i = 0;
  top.root_i = static_cast<uint32_t>(spaces[space].root);
  for (int i = 0; i < 3; i++) {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
  }
  top.rst_ni = 1;
  top.eval();
}

void Bench::drive_channel(unsigned c) {
  Channel &ch = channel[c];
  set_bit(top.lk_valid_i, c, false);
  set_bit(top.done_valid_i, c, false);
  if (!ch.done.empty() && (latency || rnd.percent(50))) {
    const unsigned who = ch.done.front();
    ch.done.pop_front();
    ch.place[who].kept = false;
    set_bit(top.done_valid_i, c, true);
    bytes(top.done_who_i)[c] = static_cast<uint8_t>(who);
    ch.freed = now;
    for (Warp &w : ch.warp)
      if (w.state == Warp::FULL) w.state = Warp::WANT;
  }
  if (!rnd.percent(look_percent)) return;
  const unsigned k = rnd.below(WARPS);
  for (unsigned i = 0; i < WARPS; i++) {
    Warp &w = ch.warp[(k + i) % WARPS];
    if (w.state == Warp::REST && begins) {
      const Space &s = spaces[space];
      // A few of them most of the time.
      w.page = s.pages[(rnd.percent(80) ? first_page + rnd.below(6) : rnd.u32()) % s.pages.size()];
      if (!latency && rnd.percent(3)) w.page ^= uint64_t(1) << rnd.below(37);
      w.write = rnd.percent(write_percent);
      w.lists = rnd.percent(lists_percent);
      w.state = Warp::WANT;
      w.since = 0;
    }
    if (w.state != Warp::WANT) continue;
    set_bit(top.lk_valid_i, c, true);
    set_long(top.lk_page_i, c, w.page | (rnd.next() & ~uint64_t(0x1fffffffff)));
    set_bit(top.lk_write_i, c, w.write);
    set_bit(top.lk_lists_i, c, w.lists);
    if (!bit_of(top.lk_ready_o, c)) return;
    w.state = Warp::LOOKED;
    if (!w.since) w.since = now;
    ch.looked = static_cast<int>((k + i) % WARPS);
    met.lookups++;
    return;
  }
}

// The outcome of a lookup in the cycle before.
void Bench::outcome(unsigned c) {
  Channel &ch = channel[c];
  Warp &w = ch.warp[ch.looked];
  ch.looked = -1;
  const unsigned who = bytes(top.res_who_o)[c];
  const bool hit = bit_of(top.res_hit_o, c), waits = bit_of(top.res_waits_o, c);
  checks.that(!(hit && waits), "a hit, or a place to wait for");
  if (w.again >= 0) {
    Place &p = ch.place[w.again];
    met.again_hits += hit && !w.write;
    checks.that(hit || w.write || last_forget > p.began, "what was asked for is there when it is looked up again",
                w.page);
    if (--p.left == 0) ch.done.push_back(static_cast<unsigned>(w.again));
    w.again = -1;
  }
  if (hit) {
    bool known = false;
    for (const Found &f : found) {
      if (!f.covers(space, w.page) || (w.write && !f.stores)) continue;
      const uint64_t frame = f.large ? (f.frame & ~uint64_t(0x1ff)) | (w.page & 0x1ff) : f.frame;
      known |= frame == long_of(top.res_frame_o, c);
    }
    checks.that(known, "a hit that a walk has found", w.page, long_of(top.res_frame_o, c));
    met.hits++;
    moved = w.ended = now;
    w.state = Warp::REST;
  } else if (waits) {
    Place &p = ch.place[who];
    checks.that(who < places && !p.kept, "a place to wait for", who);
    if (!p.waiting++) p.began = now;
    met.joined += p.waiting > 1;
    w.state = Warp::WAIT;
    w.who = static_cast<int>(who);
  } else {
    // A place that was given up beside the lookup was not seen by it.
    met.full++;
    w.state = ch.freed + 1 == now ? Warp::WANT : Warp::FULL;
  }
}

// What was waited for has come.
void Bench::came(unsigned c) {
  Channel &ch = channel[c];
  const unsigned who = bytes(top.came_who_o)[c];
  const bool fault = bit_of(top.came_fault_o, c), lists = bit_of(top.came_lists_o, c);
  const Kind kind = Kind(bytes(top.came_kind_o)[c]);
  Place &p = ch.place[who];
  checks.that(p.waiting > 0 && !p.kept, "somebody waits for what comes", who);
  p.waiting = p.left = 0;
  p.kept = !fault;
  moved = now;
  for (Warp &w : ch.warp) {
    if (fault && w.state == Warp::FULL) w.state = Warp::WANT;
    if (w.state != Warp::WAIT || w.who != static_cast<int>(who)) continue;
    w.state = Warp::WANT;
    w.who = -1;
    w.came = now;
    if (!fault) {
      w.again = static_cast<int>(who);
      p.left++;
      continue;
    }
    bool meant = false;
    for (const Failed &f : failed)
      meant |= f.space == space && f.page == w.page && f.kind == kind && f.until >= p.began;
    checks.that(meant, "a fault that a walk has had since", w.page, kind);
    checks.that(kind != ERROR || !lists, "an error is not the host's", w.page);
    // That is not its answer: once more.
    if (kind != ERROR && ((kind == PROTECTED && !w.write) || (w.lists && !lists))) continue;
    if (!w.lists || kind == ERROR) {
      met.traps++;
      w.state = Warp::REST;
      continue;
    }
    w.state = Warp::PARKED;
    met.parked++;
    bool there = list.size() == PLACES_OF_LIST || replay_under_way;
    for (const Failed &f : list) there |= f.space == space && f.page == w.page;
    checks.that(there, "what waits for the host stands in the list, or finds it full", w.page);
  }
}

void Bench::look_channel(unsigned c) {
  if (bit_of(top.came_valid_o, c)) came(c);
}

void Bench::cycle() {
  checks.cycle = now;
  top.clk_i = 0;
  top.eval();
  // Outcomes of the cycle before stand in registers.
  for (unsigned c = 0; c < channels; c++) {
    checks.that(bit_of(top.res_valid_o, c) == (channel[c].looked >= 0), "an outcome a cycle after a lookup", c);
    if (channel[c].looked >= 0) outcome(c);
  }
  top.lk_space_i = static_cast<uint8_t>(space);
  for (unsigned c = 0; c < channels; c++) drive_channel(c);
  drive_host();
  drive_memory();
  top.eval();
  for (unsigned c = 0; c < channels; c++) look_channel(c);
  look_memory();
  look_host();
  if (top.replay_o) {
    replay_under_way = false;
    met.replays++;
    met.fails += top.fail_o;
    for (Channel &ch : channel)
      for (Warp &w : ch.warp) {
        if (w.state != Warp::PARKED) continue;
        w.state = Warp::WANT;
        if (top.fail_o) w.lists = false;
      }
  }
  const bool replayed = top.replay_valid_i && top.replay_ready_o;
  top.clk_i = 1;
  top.eval();
  if (replayed) top.replay_valid_i = 0;
  now++;
}

namespace {
unsigned in_state(const Bench &b, Warp::State state) {
  unsigned n = 0;
  for (unsigned c = 0; c < b.channels; c++)
    for (const Warp &w : b.channel[c].warp) n += w.state == state;
  return n;
}

// Until no access moves but those that wait for the host.
void settle(Bench &b) {
  b.begins = false;
  b.look_percent = 80;
  const uint64_t limit = b.now + 30000;
  auto over = [&] {
    return in_state(b, Warp::REST) + in_state(b, Warp::PARKED) == b.channels * WARPS && b.top.idle_o && !b.exchanging &&
           !b.forgetting && !b.replay_under_way && !b.top.replay_valid_i;
  };
  bool kept = true;
  while ((!over() || kept) && b.now < limit && b.checks.failed < 20) {
    b.cycle();
    kept = false;
    for (unsigned c = 0; c < b.channels; c++)
      for (const Place &p : b.channel[c].place) kept |= p.kept;
  }
  b.checks.that(over(), "all accesses end, or wait for the host", in_state(b, Warp::WAIT), in_state(b, Warp::FULL));
  for (unsigned i = 0; i < 20; i++) b.cycle();
  b.checks.that(b.queue.empty() && b.credits == b.tags && b.atom_credits == b.atoms, "all credits are back", b.credits,
                b.atom_credits);
  b.begins = true;
}

// A launch in a space of its own; what waits at its end is given up.
void launch(Bench &b, unsigned cycles) {
  b.space = b.rnd.below(static_cast<uint32_t>(b.spaces.size()));
  b.top.root_i = static_cast<uint32_t>(b.spaces[b.space].root);
  if (b.rnd.percent(40)) b.first_page = b.rnd.u32(); // the same ones as in the space before, else
  b.look_percent = b.rnd.percent(50) ? 100 : 10 + b.rnd.below(90);
  b.write_percent = b.rnd.percent(50) ? 30 : b.rnd.below(100);
  b.lists_percent = b.rnd.percent(50) ? 60 : b.rnd.percent(50) ? 100 : 0;
  b.answer_percent = b.rnd.percent(50) ? 60 : 3 + b.rnd.below(20);
  b.change_permille = b.rnd.below(100);
  b.forget_permille = b.rnd.percent(50) ? b.rnd.below(10) : 0;
  b.replay_permille = b.rnd.below(20);
  for (unsigned i = 0; i < cycles && b.checks.failed < 20; i++) {
    b.cycle();
    if (!b.checks.that(b.now - b.moved < 8000 || in_state(b, Warp::PARKED) == b.channels * WARPS, "something moves"))
      return;
  }
  b.change_permille = b.forget_permille = b.replay_permille = 0;
  settle(b);
  for (Channel &ch : b.channel)
    for (Warp &w : ch.warp)
      if (w.state == Warp::PARKED) w.state = Warp::REST;
}

int random_test(Bench &b, unsigned launches, bool fault) {
  for (unsigned i = 0; i < launches && !b.checks.failed; i++) {
    launch(b, 3000);
    // Now and then other tables, at rest; what is known of the old ones is still known.
    if (!b.rnd.percent(40)) continue;
    b.memory.bad_lines.clear();
    for (Space &s : b.spaces)
      for (const Entry &e : s.entries)
        if (b.rnd.percent(20)) b.memory.at(e.word) = random_entry(b.rnd, e, b.spaces, 94);
  }
  if (b.checks.failed || fault) return b.checks.failed ? 1 : 0;
  const auto &m = b.met;
  for (Kind k : {ABSENT, PROTECTED, MALFORMED, ERROR})
    b.checks.that(m.faults[k] > 20, "faults of each kind", k, m.faults[k]);
  b.checks.that(m.hits > m.walks && m.walks > 1000, "hits and walks", m.hits, m.walks);
  b.checks.that(m.swaps > 200 && m.lost_swaps > 10, "swaps, and those that find something else", m.swaps, m.lost_swaps);
  b.checks.that(m.large > 50 && m.shared > 50, "pages of 2 MiB, and of all spaces", m.large, m.shared);
  b.checks.that(m.joined > 50 && m.full > 20, "lookups that join others, or find no place", m.joined, m.full);
  b.checks.that(m.parked > 100 && m.traps > 100, "faults that wait, and traps", m.parked, m.traps);
  b.checks.that(m.replays > 20 && m.fails > 5 && m.forgets > 20 && m.exchanges > 20, "what a host does", m.replays,
                m.forgets);
  return b.checks.failed ? 1 : 0;
}
} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t seed = args.number("--seed", 1);
  const unsigned fault = args.small("--fault", 0), launches = args.small("--launches", 60);
  const bool rate = args.flag("--rate");
  args.all();
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed));
  if (fault != 0) heddle_fault() = fault;
  auto b = std::make_unique<Bench>(seed);
  b->checks.quiet = fault != 0;
  b->reset();
  const int rc = rate ? rates(*b) : random_test(*b, launches, fault != 0);
  const auto &m = b->met;
  std::printf(
      "mmu seed %llu, %u channels, %u bits: %llu lookups, %llu hits, %llu walks (%llu large, %llu of all spaces), %llu "
      "swaps (%llu lost), faults %llu %llu %llu %llu, %llu parked, %llu traps, %llu joined, %llu full, %llu replays, "
      "%llu invalidations, %llu exchanges, %llu cycles, %llu checks, %llu failed\n",
      (unsigned long long)seed, b->channels, b->bits, (unsigned long long)m.lookups, (unsigned long long)m.hits,
      (unsigned long long)m.walks, (unsigned long long)m.large, (unsigned long long)m.shared,
      (unsigned long long)m.swaps, (unsigned long long)m.lost_swaps, (unsigned long long)m.faults[0],
      (unsigned long long)m.faults[1], (unsigned long long)m.faults[2], (unsigned long long)m.faults[3],
      (unsigned long long)m.parked, (unsigned long long)m.traps, (unsigned long long)m.joined,
      (unsigned long long)m.full, (unsigned long long)m.replays, (unsigned long long)m.forgets,
      (unsigned long long)m.exchanges, (unsigned long long)b->now, (unsigned long long)b->checks.done,
      (unsigned long long)b->checks.failed);
  if (fault) {
    std::printf("fault %u %s\n", fault, rc ? "found" : "NOT FOUND");
    return rc ? 0 : 1;
  }
  return rc;
}
