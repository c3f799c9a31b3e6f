// SPDX-License-Identifier: Apache-2.0
//
// retire_digest beside a core that shows anything, and a link of any pace: every window, correction, clock, block and
// trap is what the page asks, warps that meet are on two sides of a cut, and every cut is a moment of the core's time.
// What a core that waits for nothing loses is said. What is wrong by a pattern is seen.
// usage: rtl_digest SEED LAUNCHES
#include "tests/lab/fpga/digest/core.hpp"

extern "C" {
#include <heddle/asm.h>
#include <heddle/program.h>
}

namespace {

using digest::fail;

std::vector<heddle_isa_word> special_words() {
  const char text[] = ".kernel k\nS2R R1, SR_CLOCKLO ;\nS2R R2, SR_CLOCKHI ;\nCS2R R2, SR_CLOCKLO ;\nCS2R R4, SRZ ;\n"
                      "S2R R3, SR_TID.X ;\nS2UR UR1, SR_CLOCKLO ;\nS2UR UR2, SR_CLOCKHI ;\nS2UR UR2, SR_CTAID.X ;\n"
                      "EXIT ;\n.end\n";
  struct heddle_asm_options o = {};
  o.size = sizeof o;
  heddle_program *p;
  (void)heddle_assemble(text, sizeof text - 1, "words", &o, &p);
  if (p == nullptr) fail("the words");
  std::vector<heddle_isa_word> all;
  for (uint32_t at = 0; at < p->code_bytes; at += 16) all.push_back(heddle_isa_word_load(p->code + at));
  heddle_program_free(p);
  return all;
}

struct Bench {
  VerilatedContext context;
  Vtop top{&context};
  std::vector<uint8_t> bytes;
  std::vector<size_t> lost_at; // bytes before one with st_lost_o
  uint32_t gap = 1, busy = 0, number = 0;

  void clock() {
    top.st_ready_i = busy == 0;
    top.clk_i = 0;
    top.eval();
    if (busy > 0) {
      busy--;
    } else if (top.st_valid_o) {
      if (top.st_lost_o) lost_at.push_back(bytes.size());
      bytes.push_back(top.st_data_o);
      busy = gap - 1;
    }
    top.clk_i = 1;
    top.eval();
  }
  void reset() {
    bench::Core::quiet(top);
    top.start_i = top.end_i = top.drop_i = 0;
    top.rst_ni = 0;
    for (int i = 0; i < 4; i++) clock();
    top.rst_ni = 1;
    clock();
    bytes.clear();
    lost_at.clear();
    number = 0;
  }
  void event(bool is_start) {
    bench::Core::quiet(top);
    (is_start ? top.start_i : top.end_i) = 1;
    clock();
    top.start_i = top.end_i = 0;
  }
  // Until nothing has come for a while.
  void drain() {
    bench::Core::quiet(top);
    for (size_t n = bytes.size(), calm = 0; calm < 3000 + 2 * gap; calm++) {
      clock();
      if (bytes.size() != n) calm = 0;
      n = bytes.size();
    }
  }
  std::vector<digest::Told> take() {
    const auto told = digest::Reader::read(bytes, number);
    bytes.clear();
    return told;
  }
  // A launch to its end; a core that is held goes on for as many instructions as one may.
  uint64_t run(bench::Core &core) {
    uint64_t cycles = 0;
    for (unsigned more = 3; !core.over(); cycles++) {
      if (top.ret_ready_o) more = 3;
      core.cycle(top, top.ret_ready_o || more > 0);
      if (!top.ret_ready_o && bench::is_shown(top.ret_sm_i, bench::at::issue)) more--;
      clock();
      if (cycles > 40000000) fail("a launch does not end");
    }
    return cycles;
  }
};

bench::Habits habits_of(Random &r) {
  bench::Habits h;
  h.issue = 5 + r.below(250);
  h.longest = r.one_in(3) ? 700 : 1 + r.below(200);
  h.late = r.one_in(3) ? 30 : 0;
  h.lines = 1 + r.below(200);
  h.rows = 1 + r.below(512);
  h.blocks = 1 + r.below(16);
  h.trap = r.one_in(6);
  return h;
}

digest::Counts total;

void add(const digest::Counts &c) {
  if (c.wrong != 0) fail(std::to_string(c.wrong) + " windows of " + std::to_string(c.windows) + " are wrong");
  total.windows += c.windows;
  total.corrections += c.corrections;
  total.cuts += c.cuts;
  total.warps += c.warps;
  total.clocks += c.clocks;
}

void held(Bench &b, Random &r, unsigned launches, const std::vector<heddle_isa_word> &words) {
  for (unsigned k = 0; k < launches; k++) {
    b.gap = r.one_in(2) ? 1 : 1 + r.below(60);
    digest::Reference ref(bench::LANES);
    bench::Core core(r, habits_of(r), ref, words);
    b.event(true);
    b.run(core);
    b.event(false);
    if (r.one_in(2))
      b.drain(); // else the next launch begins while the end of this one is being told
    else
      for (unsigned i = r.below(20); i > 0; i--) b.clock();
    b.drain();
    const auto told = b.take();
    if (told.size() != 1) fail("a launch is told as " + std::to_string(told.size()));
    if (told[0].lanes != bench::LANES || told[0].warps != bench::WARPS || told[0].blocks != bench::BLOCKS ||
        told[0].banks != bench::BANKS)
      fail("which machine it is");
    add(ref.whole(told[0]));
  }
  if (!b.lost_at.empty()) fail("st_lost_o without a loss");
}

// A launch that begins right behind the end of one, and one that begins in the midst of one that is given up.
void follow(Bench &b, Random &r, const std::vector<heddle_isa_word> &words) {
  b.reset();
  b.gap = 2;
  digest::Reference first(bench::LANES), second(bench::LANES), third(bench::LANES);
  bench::Habits h;
  h.blocks = 2;
  h.longest = 100;
  bench::Core one(r, h, first, words), two(r, h, second, words), three(r, h, third, words);
  b.event(true);
  b.run(one);
  for (int i = 0; i < 3000; i++) bench::Core::quiet(b.top), b.clock();
  b.event(false);
  b.event(true); // nothing of the first is left but its end
  b.run(two);
  for (int i = 0; i < 3000; i++) bench::Core::quiet(b.top), b.clock();
  b.event(true); // the second is given up when all of it has been told
  b.run(three);
  b.event(false);
  b.drain();
  const auto told = b.take();
  if (told.size() != 3) fail("three launches are told as " + std::to_string(told.size()));
  add(first.whole(told[0]));
  if (told[1].ended || told[1].lost) fail("a launch that was given up has an end");
  add(second.judge(told[1], true));
  add(third.whole(told[2]));

  // What begins while the one before is being told is lost, and says so.
  b.gap = 40;
  digest::Reference fourth(bench::LANES), fifth(bench::LANES);
  bench::Core four(r, h, fourth, words), five(r, h, fifth, words);
  b.event(true);
  b.run(four);
  b.event(true);
  b.run(five);
  b.event(false);
  b.drain();
  const auto lost = b.take();
  if (lost.size() != 2 || !lost[1].lost_at_start || !lost[1].ended)
    fail("a launch that was begun too early is not lost");
  add(fourth.judge(lost[0], true));
  if (b.lost_at.size() != 1) fail("st_lost_o at the start");
}

// A core that waits for nothing.
void dropped(Bench &b, Random &r, const std::vector<heddle_isa_word> &words) {
  unsigned losses = 0;
  for (unsigned k = 0; k < 6; k++) {
    b.reset();
    b.top.drop_i = 1;
    b.gap = 200 + r.below(2000);
    bench::Habits h;
    h.issue = 200;
    h.longest = 500;
    h.lines = h.rows = 2;
    digest::Reference ref(bench::LANES);
    bench::Core core(r, h, ref, words);
    b.event(true);
    while (!core.over()) {
      core.cycle(b.top, true);
      b.clock();
      if (!b.top.ret_ready_o && !b.top.drop_i) fail("a core that need not wait is held");
    }
    b.event(false);
    b.drain();
    const auto told = b.take();
    if (told.size() != 1 || !told[0].ended) fail("a launch with a loss has no end");
    if (!told[0].lost) continue;
    losses++;
    if (b.lost_at.size() != 1) fail("st_lost_o " + std::to_string(b.lost_at.size()) + " times");
    if (told[0].end_records != told[0].entries.size()) fail("the end counts other entries");
    // Warps that had ended before are right; of the others windows may still get something.
    if (ref.judge(told[0], false).wrong != 0) fail("a digest before the loss");
    // The next one is whole again.
    b.top.drop_i = 0;
    b.gap = 1;
    digest::Reference next(bench::LANES);
    h.blocks = 2;
    bench::Core again(r, h, next, words);
    b.event(true);
    b.run(again);
    b.event(false);
    b.drain();
    add(next.whole(b.take().at(0)));
  }
  if (losses == 0) fail("nothing was lost");
}

// The same error in all lanes, beats or instructions is in every digest of a window that has it.
void patterns(Random &r) {
  for (unsigned n = 0; n < 20000; n++) {
    const uint32_t flip = r.one_in(2) ? 1u << r.below(32) : r.u32() | 1, base = r.u32();
    const unsigned what = r.below(5), beats = 1 + r.below(8), count = 1 + r.below(60), rd = r.below(255);
    const uint32_t stride = 1 + r.below(4);
    uint32_t right = 0, wrong = 0;
    for (unsigned i = 0; i < count; i++)
      for (unsigned beat = 0; beat < beats; beat++) {
        const uint32_t seq = (base & ~63u) + i;
        std::vector<uint32_t> d;
        for (unsigned l = 0; l < bench::LANES; l++) d.push_back(r.one_in(3) ? base : r.u32());
        d.push_back(15);
        right ^= digest::item(d, seq, 1, rd, beat);
        std::vector<uint32_t> e = d;
        unsigned at_beat = beat, at_rd = rd;
        uint32_t at_seq = seq;
        if (what == 0 || (what == 1 && i % stride == 0))
          for (unsigned l = 0; l < bench::LANES; l++) e[l] ^= flip;        // one error in all lanes
        if (what == 2) at_beat = (beat + 1) % 8;                           // beats one too far
        if (what == 3) at_rd = (rd + stride) & 255;                        // another register
        if (what == 4) std::swap(e[0], e[bench::LANES - 1]), e[1] ^= flip; // lanes exchanged
        wrong ^= digest::item(e, at_seq, 1, at_rd, at_beat);
      }
    if (right == wrong) fail("an error of pattern " + std::to_string(what) + " is in no digest");
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  Random r{std::strtoull(argv[1], nullptr, 0)};
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(r.u32() >> 1));
  const auto words = special_words();
  Bench b;
  b.reset();
  held(b, r, static_cast<unsigned>(std::atoi(argv[2])), words);
  follow(b, r, words);
  dropped(b, r, words);
  patterns(r);
  if (total.corrections == 0 || total.cuts == 0 || total.clocks == 0) fail("nothing was late, met, or read the clock");
  std::printf("%u warps, %u windows, %u corrections, %u cuts, %u clocks\n", total.warps, total.windows,
              total.corrections, total.cuts, total.clocks);
  return 0;
}
