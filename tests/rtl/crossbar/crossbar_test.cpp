// SPDX-License-Identifier: Apache-2.0
// The crossbar between SMs that send what they like and banks that answer when they like: each request arrives once, at
// the bank of its line, with its own beats, in the order of its SM among those for this bank; beats and answers go to
// the SM that their tag names, each once, a request's end after its beats; credits are kept on both sides; all comes to
// an end.
// --rate: a stream of each SM to each bank, and how fast they are; bank 0 hot: it takes a request every 34 cycles, as
// an atomic of one word wants. The others must keep 0.95 of what they have without it.
// --fault N: what the crossbar does wrong (lab/verify/faults) must be found; --spoil N: what is spoilt on its way to
// the checks, too: 1 loses every 16th beat for bank 0, 2 shows each bank the next one's requests.
#include <deque>
#include <memory>

#include <Vtop.h>
#include "tests/rtl/arguments.h"
#include "tests/rtl/memory/bench.h"
#include "cosim/verilator/fault_number.hpp"
#include <verilated.h>

namespace {

constexpr unsigned MOST_SMS = 16, MOST_BANKS = 8;
enum { LOAD, STORE, ATOM, FETCH, FILL };

struct Request {
  unsigned tag, kind, bank;
  uint32_t line, seq;
  std::vector<uint32_t> beats; // sent ahead of it
};

struct Sm {
  std::deque<Request> sent[MOST_BANKS];          // not yet arrived
  std::vector<bool> busy;                        // tags
  std::vector<std::deque<uint32_t>> back, lanes; // of each tag: beats and answers that are to come
  std::vector<bool> beats_over;                  // ... and no more beats
  unsigned credits = 0, atoms = 0, taken = 0, atoms_taken = 0;
  bool making = false;
  Request next;
  size_t beat = 0;
  uint32_t seq = 0;
  bool held = false; // an answer that was offered and not taken
  uint32_t held_tag = 0, held_old = 0;
};

struct Work { // of a bank: what it has to say of a request
  unsigned sm, tag;
  std::vector<uint32_t> beats, lanes;
  bool atom;
};

struct Bank {
  std::vector<uint32_t> beats; // of the request that has not come
  std::deque<Work> work;
  unsigned owed, owed_atoms, room = 0, room_atoms = 0; // credits to be given; given and not spent
  bool ld_offered = false, la_offered = false;
};

struct Bench {
  Vtop top;
  Random rnd;
  Checks checks;
  unsigned sms = 0, banks = 0, tags = 0, atoms = 0, most = 0;
  Sm sm[MOST_SMS];
  Bank bank[MOST_BANKS];
  unsigned fill = 50, lines = 6, give = 60, answer = 60, ready = 70, entries = 8, bank_atoms = 3, requests = 0;
  uint64_t arrived = 0, ended = 0, last = 0;
  uint32_t number = 1;
  unsigned spoil = 0, spoil_beats = 0;

  explicit Bench(uint64_t seed) : rnd{seed} {}

  void reset() {
    top.clk_i = 0;
    top.lw_valid_i = top.lq_valid_i = top.la_ready_i = 0;
    top.bk_lc_valid_i = top.bk_ld_valid_i = top.bk_la_valid_i = 0;
    top.rst_ni = 0;
    for (int i = 0; i < 3; i++) top.clk_i = 1, top.eval(), top.clk_i = 0, top.eval();
    top.rst_ni = 1;
    sms = top.cfg_sms_o, banks = top.cfg_banks_o, tags = top.cfg_tags_o, atoms = top.cfg_atoms_o,
    most = top.cfg_beats_o;
    for (unsigned s = 0; s < sms; s++) {
      sm[s].busy.assign(tags, false);
      sm[s].beats_over.assign(tags, false);
      sm[s].back.resize(tags);
      sm[s].lanes.resize(tags);
    }
    for (unsigned b = 0; b < banks; b++) bank[b].owed = entries, bank[b].owed_atoms = bank_atoms;
  }

  template <class P> static void bit(P &port, unsigned i, bool v) {
    port = static_cast<P>((port & ~(P{1} << i)) | (P{v} << i));
  }

  // An SM begins a request with a free tag, or goes on with one: its beats, then itself, with the last of them or
  // later.
  void drive_sm(unsigned s) {
    Sm &x = sm[s];
    bit(top.lw_valid_i, s, false);
    bit(top.lq_valid_i, s, false);
    if (!x.making && requests > 0 && rnd.percent(fill)) begin(x);
    if (!x.making || !rnd.percent(85)) return;
    const bool atom = x.next.kind == ATOM;
    if (x.credits == 0 || (atom && x.atoms == 0)) return;
    if (x.beat < x.next.beats.size()) {
      bit(top.lw_valid_i, s, true);
      set_word(bytes(top.lw_data_i), s, x.next.beats[x.beat++]);
      if (x.beat < x.next.beats.size() || rnd.one_in(3)) return;
    }
    bit(top.lq_valid_i, s, true);
    put_bits(bytes(top.lq_tag_i), 8 * s, 8, x.next.tag);
    put_bits(bytes(top.lq_kind_i), 8 * s, 8, x.next.kind);
    set_word(bytes(top.lq_line_i), s, x.next.line);
    set_word(bytes(top.lq_seq_i), s, x.next.seq);
    x.credits--;
    if (atom) x.atoms--;
    x.sent[x.next.bank].push_back(x.next);
    x.making = false;
  }

  void begin(Sm &x) {
    std::vector<unsigned> open;
    for (unsigned t = 0; t < tags; t++)
      if (!x.busy[t]) open.push_back(t);
    if (open.empty()) return;
    requests--;
    Request r;
    r.tag = open[rnd.below(static_cast<uint32_t>(open.size()))];
    r.kind = rnd.below(5);
    r.line = rnd.below(lines) + (rnd.one_in(4) ? 0x7fff0000u : 0);
    r.bank = r.line % banks;
    r.seq = x.seq++;
    const bool with = r.kind == STORE || r.kind == ATOM;
    const unsigned n = !with ? 0 : rnd.one_in(20) ? most : 1 + rnd.below(4);
    for (unsigned i = 0; i < n; i++) r.beats.push_back(number++);
    x.busy[r.tag] = true;
    x.next = r;
    x.beat = 0;
    x.making = true;
  }

  void drive_bank(unsigned b) {
    Bank &k = bank[b];
    const bool credit = (k.owed > 0 || k.owed_atoms > 0) && rnd.percent(give);
    const bool atom = credit && (k.owed == 0 || (k.owed_atoms > 0 && rnd.one_in(2)));
    bit(top.bk_lc_valid_i, b, credit);
    bit(top.bk_lc_atom_i, b, atom);
    if (credit && atom) k.owed_atoms--, k.room_atoms++;
    if (credit && !atom) k.owed--, k.room++;
    // What is offered stays; requests are answered in any order, one of them at a time.
    if (!k.ld_offered && !k.la_offered && k.work.size() > 1 && rnd.one_in(3))
      std::swap(k.work[0], k.work[rnd.below(static_cast<uint32_t>(k.work.size()))]);
    const bool any = !k.work.empty();
    if (!k.ld_offered) k.ld_offered = any && !k.work[0].beats.empty() && !k.la_offered && rnd.percent(answer);
    if (!k.la_offered) k.la_offered = any && k.work[0].beats.empty() && !k.ld_offered && rnd.percent(answer);
    bit(top.bk_ld_valid_i, b, k.ld_offered);
    bit(top.bk_la_valid_i, b, k.la_offered);
    if (k.ld_offered) {
      put_bits(bytes(top.bk_ld_sm_i), 8 * b, 8, k.work[0].sm);
      put_bits(bytes(top.bk_ld_tag_i), 8 * b, 8, k.work[0].tag);
      set_word(bytes(top.bk_ld_data_i), b, k.work[0].beats[0]);
    }
    if (k.la_offered) {
      put_bits(bytes(top.bk_la_sm_i), 8 * b, 8, k.work[0].sm);
      put_bits(bytes(top.bk_la_tag_i), 8 * b, 8, k.work[0].tag);
      bit(top.bk_la_done_i, b, k.work[0].lanes.empty());
      set_word(bytes(top.bk_la_old_i), b, k.work[0].lanes.empty() ? 0 : k.work[0].lanes[0]);
    }
  }

  void look_bank(unsigned b) {
    Bank &k = bank[b];
    const unsigned from = spoil == 2 ? (b + 1) % banks : b;
    if ((top.bk_lw_valid_o >> b & 1) && !(spoil == 1 && b == 0 && ++spoil_beats % 16 == 0))
      k.beats.push_back(word(bytes(top.bk_lw_data_o), b));
    if (top.bk_lq_valid_o >> from & 1) arrive(b, from, k);
    if (k.ld_offered && (top.bk_ld_ready_o >> b & 1)) {
      k.work[0].beats.erase(k.work[0].beats.begin());
      k.ld_offered = false;
    }
    if (!k.la_offered || !(top.bk_la_ready_o >> b & 1)) return;
    k.la_offered = false;
    if (!k.work[0].lanes.empty()) {
      k.work[0].lanes.erase(k.work[0].lanes.begin());
      return;
    }
    k.owed++;
    if (k.work[0].atom) k.owed_atoms++;
    k.work.pop_front();
  }

  // At bank b, as the ports of bank `from` have it.
  void arrive(unsigned b, unsigned from, Bank &k) {
    const unsigned s = bytes(top.bk_lq_sm_o)[from], tag = bytes(top.bk_lq_tag_o)[from];
    const unsigned kind = bytes(top.bk_lq_kind_o)[from];
    const uint32_t line = word(bytes(top.bk_lq_line_o), from), seq = word(bytes(top.bk_lq_seq_o), from);
    arrived++;
    last = checks.cycle;
    checks.that(k.room > 0 && (kind != ATOM || k.room_atoms > 0), "a request comes without room for it", b, kind);
    if (k.room > 0) k.room--;
    if (kind == ATOM && k.room_atoms > 0) k.room_atoms--;
    if (!checks.that(s < sms && !sm[s].sent[b].empty(), "a request comes that nobody sent here", b, s)) return;
    const Request r = sm[s].sent[b].front();
    sm[s].sent[b].pop_front();
    checks.that(r.tag == tag && r.kind == kind && r.line == line && r.seq == seq,
                "another request than the next one of its SM", r.seq, seq);
    checks.that(r.beats == k.beats, "a request comes with other beats", r.beats.size(), k.beats.size());
    k.beats.clear();
    Work w{s, r.tag, {}, {}, r.kind == ATOM};
    const unsigned beats = r.kind == STORE || r.kind == ATOM ? 0 : 1 + rnd.below(4), lanes = w.atom ? rnd.below(4) : 0;
    for (unsigned i = 0; i < beats; i++) w.beats.push_back(number), sm[s].back[r.tag].push_back(number++);
    for (unsigned i = 0; i < lanes; i++) w.lanes.push_back(number), sm[s].lanes[r.tag].push_back(number++);
    k.work.push_back(w);
  }

  void look_sm(unsigned s) {
    Sm &x = sm[s];
    if (top.lc_valid_o >> s & 1) {
      if (top.lc_atom_o >> s & 1)
        x.atoms++;
      else
        x.credits++;
      checks.that(x.credits <= tags && x.atoms <= atoms, "more credits than there are tags", s, x.credits);
    }
    if (top.ld_valid_o >> s & 1) {
      const unsigned tag = bytes(top.ld_tag_o)[s];
      const uint32_t data = word(bytes(top.ld_data_o), s);
      const bool ok = tag < tags && !x.back[tag].empty() && x.back[tag].front() == data;
      if (checks.that(ok, "a beat that is not this SM's next one", s, data)) x.back[tag].pop_front();
    }
    const bool offered = top.la_valid_o >> s & 1;
    if (!offered) {
      checks.that(!x.held, "an answer is withdrawn", s);
      return;
    }
    const unsigned tag = bytes(top.la_tag_o)[s];
    const uint32_t old = word(bytes(top.la_old_o), s);
    checks.that(!x.held || (x.held_tag == tag && x.held_old == old), "an answer changes while it waits", s, tag);
    x.held = !(top.la_ready_i >> s & 1);
    x.held_tag = tag, x.held_old = old;
    if (x.held || !checks.that(tag < tags && x.busy[tag], "an answer to nobody", s, tag)) return;
    if (!(top.la_done_o >> s & 1)) {
      const bool ok = !x.lanes[tag].empty() && x.lanes[tag].front() == old;
      if (checks.that(ok, "a lane's answer that is not this SM's next one", s, old)) x.lanes[tag].pop_front();
      return;
    }
    checks.that(x.back[tag].empty() && x.lanes[tag].empty(), "an end before all that it ends", s, tag);
    for (unsigned b = 0; b < banks; b++)
      for (const Request &r : x.sent[b]) checks.that(r.tag != tag, "an end of a request that has not arrived", s, tag);
    x.busy[tag] = false;
    ended++;
    last = checks.cycle;
  }

  void cycle() {
    for (unsigned s = 0; s < sms; s++) {
      drive_sm(s);
      bit(top.la_ready_i, s, rnd.percent(ready));
    }
    for (unsigned b = 0; b < banks; b++) drive_bank(b);
    top.clk_i = 0;
    top.eval();
    for (unsigned b = 0; b < banks; b++) look_bank(b);
    for (unsigned s = 0; s < sms; s++) look_sm(s);
    top.clk_i = 1;
    top.eval();
    checks.cycle++;
  }

  // Until nothing is under way, or nothing moves.
  void run(unsigned n) {
    requests = n;
    last = checks.cycle;
    for (;;) {
      bool idle = requests == 0;
      for (unsigned s = 0; s < sms; s++) {
        idle = idle && !sm[s].making;
        for (unsigned t = 0; t < tags; t++) idle = idle && !sm[s].busy[t];
      }
      if (idle || checks.failed > 20) return;
      if (!checks.that(checks.cycle - last < 5000, "nothing moves", requests)) return;
      cycle();
    }
  }
};

// A stream of each SM to each bank: as many requests under way as its share of the tags, each answered some cycles
// after it arrived. Requests for a bank but the first, a cycle.
struct Rates {
  Bench &b;
  unsigned beats, hot;                  // of each request; cycles that bank 0 needs for one, 0: as the others
  std::deque<uint64_t> due[MOST_BANKS]; // when what has arrived is answered, and whose it is
  std::deque<std::pair<unsigned, unsigned>> who[MOST_BANKS];
  unsigned under_way[MOST_SMS][MOST_BANKS] = {}, turn[MOST_SMS] = {}, left[MOST_SMS] = {};
  uint64_t credits[MOST_SMS] = {}, done = 0, free_at = 0;

  Rates(Bench &bench, unsigned beats_of_each, unsigned hot_cycles) : b(bench), beats(beats_of_each), hot(hot_cycles) {}

  // The next stream of SM s that may send, in turns.
  bool choose(unsigned s) {
    const unsigned share = b.tags / b.banks;
    for (unsigned i = 0; i < b.banks; i++) {
      const unsigned k = (turn[s] + 1 + i) % b.banks;
      if (under_way[s][k] >= share) continue;
      turn[s] = k;
      return true;
    }
    return false;
  }

  void send(unsigned s) {
    Bench::bit(b.top.lw_valid_i, s, false);
    Bench::bit(b.top.lq_valid_i, s, false);
    if (left[s] == 0) {
      if (credits[s] == 0 || !choose(s)) return;
      left[s] = beats == 0 ? 1 : beats;
    }
    Bench::bit(b.top.lw_valid_i, s, beats != 0);
    if (--left[s] != 0) return;
    const unsigned k = turn[s];
    unsigned tag = k;
    while (b.sm[s].busy[tag]) tag += b.banks;
    b.sm[s].busy[tag] = true;
    Bench::bit(b.top.lq_valid_i, s, true);
    put_bits(bytes(b.top.lq_tag_i), 8 * s, 8, tag);
    put_bits(bytes(b.top.lq_kind_i), 8 * s, 8, beats != 0 ? STORE : LOAD);
    set_word(bytes(b.top.lq_line_i), s, k);
    under_way[s][k]++;
    credits[s]--;
  }

  void answer(unsigned k) {
    const bool ready = !due[k].empty() && due[k].front() <= b.checks.cycle;
    Bench::bit(b.top.bk_la_valid_i, k, ready);
    Bench::bit(b.top.bk_la_done_i, k, ready);
    if (!ready) return;
    put_bits(bytes(b.top.bk_la_sm_i), 8 * k, 8, who[k].front().first);
    put_bits(bytes(b.top.bk_la_tag_i), 8 * k, 8, who[k].front().second);
  }

  void look(unsigned k) {
    if ((b.top.bk_la_valid_i >> k & 1) && (b.top.bk_la_ready_o >> k & 1)) {
      const auto w = who[k].front();
      b.sm[w.first].busy[w.second] = false;
      under_way[w.first][k]--;
      who[k].pop_front();
      due[k].pop_front();
      b.bank[k].owed++;
      done += k != 0;
    }
    if (!(b.top.bk_lq_valid_o >> k & 1)) return;
    const bool slow = k == 0 && hot != 0;
    const uint64_t at = b.checks.cycle + 20;
    if (slow) free_at = (free_at > at ? free_at : at) + hot;
    due[k].push_back(slow ? free_at : at);
    who[k].emplace_back(bytes(b.top.bk_lq_sm_o)[k], bytes(b.top.bk_lq_tag_o)[k]);
  }

  void cycle() {
    for (unsigned s = 0; s < b.sms; s++) send(s);
    for (unsigned k = 0; k < b.banks; k++) {
      answer(k);
      Bench::bit(b.top.bk_lc_valid_i, k, b.bank[k].owed != 0);
      b.bank[k].owed -= b.bank[k].owed != 0;
    }
    b.top.clk_i = 0;
    b.top.eval();
    for (unsigned k = 0; k < b.banks; k++) look(k);
    for (unsigned s = 0; s < b.sms; s++) credits[s] += (b.top.lc_valid_o >> s & 1) && !(b.top.lc_atom_o >> s & 1);
    b.top.clk_i = 1;
    b.top.eval();
    b.checks.cycle++;
  }

  double run() {
    b.entries = 16;
    b.reset();
    for (unsigned s = 0; s < b.sms; s++) Bench::bit(b.top.la_ready_i, s, true);
    for (unsigned i = 0; i < 1000; i++) cycle();
    done = 0;
    for (unsigned i = 0; i < 10000; i++) cycle();
    return static_cast<double>(done) / 10000;
  }
};

int rates(uint64_t seed) {
  bool good = true;
  for (const unsigned beats : {0u, 4u}) {
    double rate[2];
    for (const unsigned hot : {0u, 1u}) {
      auto b = std::make_unique<Bench>(seed);
      rate[hot] = Rates(*b, beats, hot != 0 ? 34 : 0).run();
      if (hot != 0) std::printf("%u SMs, %u banks, %u beats a request: ", b->sms, b->banks, beats);
    }
    std::printf("%.3f requests a cycle for all banks but one, %.3f while that one is hot\n", rate[0], rate[1]);
    good = good && rate[1] >= 0.95 * rate[0] && rate[0] > 0.2;
  }
  return good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const unsigned fault = args.small("--fault", 0), spoil = args.small("--spoil", 0),
                 rounds = args.small("--rounds", 60);
  const uint64_t seed = args.number("--seed", 1);
  const bool rate = args.flag("--rate");
  args.all();
  if (rate) return rates(1);
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed));
  if (fault != 0) heddle_fault() = fault;
  auto b = std::make_unique<Bench>(seed);
  b->spoil = spoil;
  b->checks.quiet = fault != 0 || spoil != 0;
  b->reset();
  for (unsigned r = 0; r < rounds && b->checks.failed == 0; r++) {
    b->fill = 5 + b->rnd.below(96);
    b->lines = 1 + b->rnd.below(12);
    b->give = 10 + b->rnd.below(91);
    b->answer = 10 + b->rnd.below(91);
    b->ready = 10 + b->rnd.below(91);
    b->run(1000);
  }
  const Checks &c = b->checks;
  std::printf("crossbar: %u SMs, %u banks: %llu requests, %llu cycles, %llu checks, %llu failed\n", b->sms, b->banks,
              static_cast<unsigned long long>(b->ended), static_cast<unsigned long long>(c.cycle),
              static_cast<unsigned long long>(c.done), static_cast<unsigned long long>(c.failed));
  b->top.final();
  if (fault != 0 || spoil != 0) return c.failed != 0 ? 0 : 1;
  return c.failed == 0 && b->ended == 1000ull * rounds ? 0 : 1;
}
