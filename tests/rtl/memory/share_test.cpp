// SPDX-License-Identifier: Apache-2.0
// What partitions share on the way in: beats of several partitions against rows and turns (unit_rows, stream_arb),
// requests with answers in any order (share_req). Random traffic with a list of what is owed; then the promised rates:
// a row in the cycle of its last beat, partitions gathering at the same time, no cycle between their rows.
// --fault N: the bench takes what comes out for something else, and must notice: 1 swaps the first two beats of a row,
// 2 hides the rows of partition 0, 3 gives an answer to the next partition.
#include <memory>

#include <Vtop.h>
#include "tests/rtl/arguments.h"
#include "tests/rtl/memory/bench.h"
#include <verilated.h>

namespace {

constexpr unsigned SLOTS = 6, TAG_BITS = 4;

uint32_t word_of(unsigned p, uint32_t seq, unsigned slot, unsigned lane) {
  uint64_t state = seq * 1024u + slot * 32u + lane + (uint64_t(p) << 48);
  return static_cast<uint32_t>(splitmix64(&state) >> 32);
}

struct Bench {
  Vtop top;
  Random rnd;
  Checks checks;
  unsigned width = 0, beats = 32 / LANES, rows_each = 0; // lanes of a row; beats of an instruction, its rows
  unsigned parts = 1, split = 1;                         // beats of a row, rows of a beat: one of them is 1
  struct Partition {
    uint32_t seq = 0, owed = 0; // the instruction whose beats go in; the one whose rows come out
    unsigned beat = 0, row = 0;
    bool offers = false, asks = false;
    unsigned waited = 0, asked_for = 0;
    uint32_t asked = 0, tag = 0;
  } part[PARTITIONS];
  int owner = -1; // whose instruction's rows are on their way
  bool held = false, ask_held = false;
  unsigned held_by = 0;
  uint32_t held_seq = 0, held_ask = 0;
  struct Awaited {
    unsigned partition;
    uint32_t tag, all_tag; // the partition's, and what went out
  };
  std::vector<Awaited> answers;
  size_t answer = 0; // the one that comes back now
  uint64_t rows = 0, last_beat = 0, last_row = 0, answered = 0;
  unsigned fill = 100, drain = 100, active = (1u << PARTITIONS) - 1;
  unsigned harm = 0; // what is done to the ports' values (--fault)

  explicit Bench(uint64_t seed) : rnd{seed} {}

  void edge() {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
    checks.cycle++;
  }

  bool row_valid() const { return top.row_valid_o && !(harm == 2 && top.row_slot_o == 0); }

  uint32_t row_word(unsigned slot, unsigned lane) {
    const unsigned from = harm == 1 && lane < 2 * LANES ? (lane + LANES) % width : lane;
    return word(bytes(top.row_data_o), slot * width + from);
  }

  unsigned rsp_valid() const {
    const unsigned all = (1u << PARTITIONS) - 1, valid = top.rsp_valid_o;
    return harm == 3 ? (valid << 1 | valid >> (PARTITIONS - 1)) & all : valid;
  }

  void reset() {
    top.clk_i = 0;
    top.beat_valid_i = top.req_valid_i = top.row_ready_i = top.all_ready_i = top.rsp_valid_i = 0;
    top.rst_ni = 0;
    for (int i = 0; i < 3; i++) edge();
    top.rst_ni = 1;
    width = top.cfg_width_o;
    parts = width > LANES ? width / LANES : 1;
    split = LANES > width ? LANES / width : 1;
    rows_each = 32 / width;
  }

  void drive_beats() {
    for (unsigned p = 0; p < PARTITIONS; p++) {
      Partition &x = part[p];
      // What has begun goes on.
      if (!x.offers && ((active >> p & 1) || x.beat != 0)) x.offers = rnd.percent(fill);
      top.beat_valid_i = static_cast<uint8_t>((top.beat_valid_i & ~(1u << p)) | unsigned(x.offers) << p);
      if (!x.offers) continue;
      put_bits(bytes(top.beat_slot_i), 8 * p, 8, p);
      put_bits(bytes(top.beat_seq_i), 32 * p, 32, x.seq);
      put_bits(bytes(top.beat_exec_i), 32 * p, 32, ~x.seq);
      put_bits(bytes(top.beat_i), 5 * p, 5, x.beat);
      for (unsigned s = 0; s < SLOTS; s++)
        for (unsigned l = 0; l < LANES; l++)
          set_word(bytes(top.beat_data_i), (p * SLOTS + s) * LANES + l, word_of(p, x.seq, s, x.beat * LANES + l));
    }
    top.row_ready_i = rnd.percent(drain);
  }

  void take_row() {
    const unsigned p = top.row_slot_o;
    if (!checks.that(p < PARTITIONS, "a row of a partition", p)) return;
    Partition &x = part[p];
    checks.that(owner < 0 || unsigned(owner) == p, "all rows of an instruction in a row", p, unsigned(owner));
    checks.that(top.row_seq_o == x.owed && top.row_o == x.row && top.row_exec_o == ~x.owed, "the row that is next",
                top.row_seq_o, x.owed);
    checks.that(x.owed == x.seq && x.beat == (x.row / split + 1) * parts - 1, "a row with its last beat", x.beat,
                x.row);
    for (unsigned s = 0; s < SLOTS; s++)
      for (unsigned l = 0; l < width; l++)
        checks.that(row_word(s, l) == word_of(p, x.owed, s, x.row * width + l), "operand of a lane", s, l);
    rows++;
    x.row = (x.row + 1) % rows_each;
    if (x.row == 0) x.owed++;
    owner = x.row == 0 ? -1 : int(p);
    for (unsigned q = 0; q < PARTITIONS; q++) {
      const bool wants = part[q].offers && part[q].beat % parts == parts - 1 && q != p;
      part[q].waited = wants && x.row == 0 ? part[q].waited + 1 : wants ? part[q].waited : 0;
      checks.that(part[q].waited < PARTITIONS, "a turn after those of all others", q);
    }
  }

  void look_at_rows() {
    if (held)
      checks.that(row_valid() && top.row_slot_o == held_by && top.row_seq_o == held_seq, "what is offered stays",
                  top.row_slot_o, held_by);
    held = row_valid() && !top.row_ready_i;
    held_by = top.row_slot_o;
    held_seq = top.row_seq_o;
    bool due = false;
    for (unsigned p = 0; p < PARTITIONS; p++) due = due || (part[p].offers && part[p].beat % parts == parts - 1);
    if (rows_each == 1) checks.that(row_valid() == due, "a row in the cycle of its last beat", due);
    if (row_valid() && top.row_ready_i) take_row();
    for (unsigned p = 0; p < PARTITIONS; p++) {
      Partition &x = part[p];
      if (!x.offers || !(top.beat_ready_o >> p & 1)) continue;
      x.offers = false;
      x.beat = (x.beat + 1) % beats;
      if (x.beat == 0) x.seq++;
    }
    for (unsigned p = 0; p < PARTITIONS; p++) // what has gone in has come out, but for the beats of a row
      checks.that(part[p].seq == part[p].owed && part[p].beat / parts == part[p].row / split,
                  "beats and rows keep step", p);
  }

  void drive_requests() {
    for (unsigned p = 0; p < PARTITIONS; p++) {
      Partition &x = part[p];
      if (!x.asks && rnd.percent(fill)) {
        x.asks = true;
        x.asked = rnd.u32();
        x.tag = rnd.below(1u << TAG_BITS);
      }
      put_bits(bytes(top.req_valid_i), p, 1, x.asks);
      put_bits(bytes(top.req_i), 32 * p, 32, x.asked);
      put_bits(bytes(top.req_tag_i), TAG_BITS * p, TAG_BITS, x.tag);
    }
    top.all_ready_i = answers.size() < 8 && rnd.percent(drain);
    top.rsp_valid_i = !answers.empty() && rnd.percent(drain);
    top.rsp_tag_i = static_cast<uint8_t>(rnd.u32() & ((PARTITIONS << TAG_BITS) - 1));
    if (!top.rsp_valid_i) return;
    answer = rnd.below(static_cast<uint32_t>(answers.size()));
    top.rsp_tag_i = static_cast<uint8_t>(answers[answer].all_tag);
  }

  void look_at_requests() {
    if (top.rsp_valid_i) {
      const Awaited &x = answers[answer];
      checks.that(rsp_valid() == 1u << x.partition, "an answer to who asked", rsp_valid(), x.partition);
      checks.that(top.rsp_tag_o == x.tag, "an answer under the tag of its request", top.rsp_tag_o, x.tag);
      answers.erase(answers.begin() + static_cast<ptrdiff_t>(answer));
      answered++;
    } else {
      checks.that(rsp_valid() == 0, "no answer without one", rsp_valid());
    }
    if (ask_held) checks.that(top.all_valid_o && top.all_o == held_ask, "a request that is offered stays", top.all_o);
    ask_held = top.all_valid_o && !top.all_ready_i;
    held_ask = top.all_o;
    const unsigned taken = top.req_ready_o & top.req_valid_i;
    checks.that((taken != 0) == (top.all_valid_o && top.all_ready_i) && !(taken & (taken - 1)), "one is taken", taken);
    for (unsigned p = 0; p < PARTITIONS; p++) {
      Partition &x = part[p];
      x.asked_for = x.asks && taken && !(taken >> p & 1) ? x.asked_for + 1 : 0;
      checks.that(x.asked_for < PARTITIONS, "a request after those of all others", p);
      if (!(taken >> p & 1)) continue;
      checks.that(top.all_o == x.asked, "the request of who was taken", top.all_o, x.asked);
      checks.that(top.all_tag_o == (x.tag * PARTITIONS | p), "the tag, and the partition below it", top.all_tag_o);
      answers.push_back({p, x.tag, top.all_tag_o});
      x.asks = false;
    }
  }

  void cycle() {
    drive_beats();
    drive_requests();
    top.eval();
    look_at_rows();
    look_at_requests();
    edge();
  }

  // Rows in so many cycles, all partitions of `who` offering a beat whenever they can.
  void hold(const char *name, unsigned who, uint64_t cycles, uint64_t promised) {
    active = who;
    fill = drain = 100;
    for (unsigned i = 0; i < 64; i++) cycle(); // all are under way
    const uint64_t before = rows, asked = answered;
    for (uint64_t i = 0; i < cycles; i++) cycle();
    std::printf("%-40s %llu rows in %llu cycles, promised %llu\n", name, (unsigned long long)(rows - before),
                (unsigned long long)cycles, (unsigned long long)promised);
    checks.that(rows - before == promised, name, rows - before, promised);
    checks.that(answered - asked == cycles, "a request and an answer a cycle", answered - asked, cycles);
  }
};

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const unsigned fault = args.small("--fault", 0);
  args.all();
  Verilated::randReset(2);
  Verilated::randSeed(1);
  auto b = std::make_unique<Bench>(7);
  b->checks.quiet = fault != 0;
  b->harm = fault;
  b->reset();
  for (unsigned i = 0; i < 60000 && b->checks.failed < 20; i++) {
    if (i % 64 == 0) {
      const unsigned rates[] = {5, 30, 70, 100};
      b->fill = rates[b->rnd.below(4)];
      b->drain = rates[b->rnd.below(4)];
      b->active = b->rnd.percent(30) ? b->rnd.below(1u << PARTITIONS) : (1u << PARTITIONS) - 1;
    }
    b->cycle();
  }
  if (b->checks.failed == 0) {
    const unsigned all = (1u << PARTITIONS) - 1;
    b->hold("all partitions", all, 960, std::min<uint64_t>(960, 960ull * PARTITIONS / b->parts));
    b->hold("one partition", 1, 960, 960 / b->parts);
  }
  std::printf("shared ways in: %llu rows, %llu answers, %llu checks, %llu failed\n", (unsigned long long)b->rows,
              (unsigned long long)b->answered, (unsigned long long)b->checks.done,
              (unsigned long long)b->checks.failed);
  if (fault) return b->checks.failed ? 0 : 1;
  return b->checks.failed || b->rows < 10000 || b->answered < 10000 ? 1 : 0;
}
