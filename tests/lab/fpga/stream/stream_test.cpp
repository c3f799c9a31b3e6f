// SPDX-License-Identifier: Apache-2.0
//
// Random records through retire_stream and the decoder in C: what comes out is what was shown, cycle by cycle. Where
// the core does not wait, what is lost is said, and what was kept is right. Any byte of it that is changed, lost, twice
// or late is a loss.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/lab/fpga/stream/stream_bench.hpp"

extern "C" {
#include "cosim/trace/stream.h"
#include <heddle/trace.h>
}

namespace {

[[noreturn]] void fail(const std::string &what) {
  std::printf("FAILED: %s\n", what.c_str());
  std::exit(1);
}

// As profile 1 writes it: fields that nobody shows are not in it.
std::vector<uint8_t> written(const heddle_retire_record &r) {
  heddle_trace_header h{};
  h.size = sizeof h;
  h.lanes = records::LANES;
  h.hidden = HEDDLE_RECORD_HIDDEN_P1;
  std::vector<uint8_t> b(HEDDLE_TRACE_RECORD_MAX);
  b.resize(heddle_trace_encode(&r, &h, 0, b.data()));
  return b;
}

struct Decoded {
  std::vector<heddle_retire_record> records;
  stream_state state;
  std::string text;
};

Decoded decode(const std::vector<uint8_t> &bytes) {
  Decoded out{};
  stream_decoder *d = heddle_stream_new();
  heddle_stream_launch(d);
  heddle_retire_record r;
  for (size_t at = 0; at < bytes.size();) {
    at += heddle_stream_give(d, bytes.data() + at, bytes.size() - at);
    while (heddle_stream_next(d, &r)) out.records.push_back(r);
  }
  heddle_stream_over(d);
  out.state = *heddle_stream_look(d);
  char text[256];
  heddle_stream_text(d, text, sizeof text);
  out.text = text;
  heddle_stream_free(d);
  return out;
}

// What came is what was shown first.
void same(const std::vector<heddle_retire_record> &shown, const std::vector<heddle_retire_record> &came) {
  if (came.size() > shown.size()) fail("more records than were shown");
  for (size_t i = 0; i < came.size(); i++)
    if (came[i].cycle != shown[i].cycle || written(came[i]) != written(shown[i]))
      fail("record " + std::to_string(i) + " of kind " + std::to_string(shown[i].kind) + ", cycle " +
           std::to_string(shown[i].cycle) + ", came as kind " + std::to_string(came[i].kind) + ", cycle " +
           std::to_string(came[i].cycle));
}

// A core that stops where it is told to, and shows a little more first.
void held(bench::Bench &b, Random &r, unsigned launches) {
  for (unsigned k = 0; k < launches; k++) {
    records::Maker m{r};
    b.start();
    const size_t from = b.bytes.size();
    b.gap = 1 + r.below(4) * r.below(4);
    unsigned after = 0;
    const unsigned permille = 1 + r.below(60);
    for (unsigned i = 0; i < 6000; i++) {
      after = b.top.ret_ready_o ? 0 : after + 1;
      if (r.one_in(2000)) // nothing for a while
        for (unsigned n = r.below(700); n > 0; n--) b.quiet(), b.clock();
      if (after < 8)
        b.show(m, permille);
      else
        b.quiet();
      b.clock();
    }
    b.finish();
    const Decoded d = decode({b.bytes.begin() + static_cast<long>(from), b.bytes.end()});
    // A later launch of one reset has later frame numbers: its reader begins with it.
    if (d.state.lost) fail("a loss where nothing was lost: " + d.text);
    same(b.shown, d.records);
    if (d.records.size() != b.shown.size()) fail("records are missing, and nobody says so");
  }
  if (!b.lost_at.empty()) fail("st_lost_o without a loss");
}

// A core that waits for nothing.
void dropped(bench::Bench &b, Random &r) {
  records::Maker m{r};
  b.reset();
  b.top.drop_i = 1;
  b.gap = 3;
  b.start();
  for (unsigned i = 0; i < 30000; i++) {
    b.show(m, i / 5000 % 2 == 0 ? 40 : 2);
    b.clock();
    if (!b.top.ret_ready_o) fail("a core that need not wait is held");
  }
  b.finish();
  const Decoded d = decode(b.bytes);
  if (!d.state.lost || b.lost_at.empty()) fail("what was lost is not said");
  if (!d.state.ended || d.state.losses != b.lost_at.size()) fail("losses: " + std::to_string(d.state.losses));
  if (!d.state.again || d.state.again_offset != b.lost_at[0]) fail("it can be read again elsewhere: " + d.text);
  same(b.shown, d.records);
  // Those that were kept have come, though nobody may judge them.
  if (d.state.records != d.state.end_records) fail("of what was kept something is missing");
  if (d.records.size() >= b.shown.size()) fail("nothing was lost");
  b.top.drop_i = 0;
}

// A launch begins, and the one before has not ended.
void begun_twice(bench::Bench &b, Random &r) {
  records::Maker m{r};
  b.reset();
  b.lost_at.clear();
  b.gap = 1;
  for (unsigned k = 0; k < 2; k++) {
    b.start();
    for (unsigned i = 0; i < 300; i++) b.show(m, 10), b.clock();
  }
  b.finish();
  if (!decode(b.bytes).state.lost) fail("a launch that was given up passes");
}

// What comes in one go beside a core that waits: rows at both write ports, accesses of four lines of memory, a sector
// each cycle, rows of operands and passes of shared memory. Nothing is lost, by whatever way into the queues.
void at_once(bench::Bench &b, Random &r) {
  for (unsigned k = 0; k < 40; k++) {
    records::Maker m{r};
    b.reset();
    b.lost_at.clear();
    b.gap = 1;
    b.start();
    const unsigned rows = 8 + r.below(20), sectors = 4 + r.below(13), words = 32 + r.below(100);
    for (unsigned i = 0; i < words; i++) {
      b.quiet();
      if (i < sectors) b.drive(b.top.ret_bank_i, bench::at::global, m.make(HEDDLE_RECORD_GLOBAL));
      b.drive(b.top.ret_sm_i, bench::at::shared, m.make(HEDDLE_RECORD_SHARED));
      if (i < rows) b.writes(m, 1000);
      b.drive(b.top.ret_sm_i, bench::at::operands, m.make(HEDDLE_RECORD_OPERANDS));
      b.clock();
    }
    b.finish();
    const Decoded d = decode(b.bytes);
    if (d.state.lost) fail("a loss where nothing was lost: " + d.text);
    same(b.shown, d.records);
    if (d.records.size() != b.shown.size()) fail("records are missing, and nobody says so");
  }
}

// What no machine of one SM shows cannot be kept as it was: it is lost, and said, never told as something else.
void impossible(bench::Bench &b, Random &r) {
  for (unsigned what = 0; what < 10; what++) {
    records::Maker m{r};
    b.reset();
    b.lost_at.clear();
    b.gap = 1;
    b.start();
    for (unsigned i = 0; i < 20; i++) b.show(m, 5), b.clock();
    b.quiet();
    heddle_retire_record x = m.make(what < 5    ? HEDDLE_RECORD_SHARED
                                    : what == 5 ? HEDDLE_RECORD_GLOBAL
                                                : HEDDLE_RECORD_OPERANDS);
    auto &s = x.u.shared;
    s.id.sm = 0;
    if (what < 5) s.bank_en = 3, s.access = 1, s.lanes = 1;
    for (unsigned i = 0; what < 5 && i < 4; i++) {
      s.row[i] = i < 2 ? 5 : 0;
      s.wstrb[i] = i < 2 ? 15 : 0;
      s.rdata[i] = 0;
    }
    switch (what) {
    case 0:
      s.lanes = 3;
      break; // two lanes in a pass
    case 1:
      s.row[1] = 6;
      break; // words of two rows
    case 2:
      s.wstrb[1] = 7;
      break; // of two sizes
    case 3:
      s.rdata[0] = 1;
      break; // a store that has read
    case 4:
      s.id.sm = 1;
      break; // of another SM
    case 5:
      x.u.global.sector |= 1ull << 40;
      break;
    case 6:
      x.u.operands.index[0] = 1;
      break;
    case 7:
      x.u.operands.index[2] = 9;
      break;
    case 8:
      x.u.operands.id.partition = 1;
      break;
    default: // two rows on one bus
      b.drive(b.top.ret_sm_i, bench::at::operands_memory, x);
    }
    if (what < 5)
      b.drive(b.top.ret_sm_i, bench::at::shared, x);
    else if (what == 5)
      b.drive(b.top.ret_bank_i, bench::at::global, x);
    else
      b.drive(b.top.ret_sm_i, bench::at::operands, x);
    b.clock();
    b.quiet();
    b.clock();
    b.finish();
    const Decoded d = decode(b.bytes);
    if (!d.state.lost || b.lost_at.size() != 1) fail("record " + std::to_string(what) + " that cannot be: " + d.text);
    b.shown.resize(d.records.size() < b.shown.size() ? d.records.size() : b.shown.size());
    same(b.shown, d.records); // what came before is right
  }
}

bool passes(const std::vector<uint8_t> &bytes) {
  const Decoded d = decode(bytes);
  return d.state.ended && !d.state.lost;
}

// Every byte of a short stream changed to every value, left out, sent twice, sent after the next one.
void spoiled(bench::Bench &b, Random &r) {
  records::Maker m{r};
  b.reset();
  b.lost_at.clear();
  b.gap = 1;
  b.start();
  for (unsigned i = 0; i < 60; i++) b.show(m, 15), b.clock();
  b.finish();
  const std::vector<uint8_t> good = b.bytes;
  if (!passes(good)) fail("a stream that is right does not pass");
  unsigned tried = 0;
  for (size_t at = 0; at < good.size(); at++) {
    std::vector<uint8_t> bad = good;
    for (unsigned v = 1; v < 256; v++, tried++) {
      bad[at] = static_cast<uint8_t>(good[at] ^ v);
      if (passes(bad)) fail("byte " + std::to_string(at) + " changed passes");
    }
    bad = good;
    bad.erase(bad.begin() + static_cast<long>(at));
    if (passes(bad)) fail("byte " + std::to_string(at) + " lost passes");
    bad = good;
    bad.insert(bad.begin() + static_cast<long>(at), good[at]);
    if (passes(bad)) fail("byte " + std::to_string(at) + " twice passes");
    bad.resize(at); // cut off
    if (passes(bad)) fail("a stream of " + std::to_string(at) + " bytes passes");
    for (size_t to = at + 1; to < good.size() && to < at + 40; to += 1 + to % 7) {
      bad = good;
      bad.erase(bad.begin() + static_cast<long>(at));
      bad.insert(bad.begin() + static_cast<long>(to), good[at]);
      if (bad != good && passes(bad)) fail("byte " + std::to_string(at) + " late passes");
    }
    tried += 3;
  }
  std::printf("%u spoiled streams of %zu bytes, each a loss\n", tried, good.size());
}

// The same at random in a long one; and whole frames, whose check words are right.
void spoiled_long(bench::Bench &b, Random &r, unsigned count) {
  records::Maker m{r};
  b.reset();
  b.gap = 1;
  b.start();
  for (unsigned i = 0; i < 8000; i++) {
    if (b.top.ret_ready_o)
      b.show(m, 20);
    else
      b.quiet();
    b.clock();
  }
  b.finish();
  const std::vector<uint8_t> good = b.bytes;
  const Decoded whole = decode(good);
  if (!whole.state.ended || whole.state.lost) fail("a stream that is right does not pass: " + whole.text);
  std::vector<size_t> ends;
  for (size_t i = 0; i < good.size(); i++)
    if (good[i] == 0xc0) ends.push_back(i + 1);
  for (unsigned n = 0; n < count; n++) {
    std::vector<uint8_t> bad = good;
    const size_t f = 1 + r.below(static_cast<uint32_t>(ends.size() - 2));
    const auto from = static_cast<long>(ends[f - 1]), to = static_cast<long>(ends[f]);
    const size_t at = r.below(static_cast<uint32_t>(good.size()));
    switch (r.below(5)) {
    case 0:
      bad.erase(bad.begin() + from, bad.begin() + to);
      break;
    case 1:
      bad.insert(bad.begin() + to, good.begin() + from, good.begin() + to);
      break;
    case 2:
      std::rotate(bad.begin() + from, bad.begin() + to,
                  bad.begin() + static_cast<long>(ends[f + 1 < ends.size() ? f + 1 : f]));
      break;
    case 3:
      bad.erase(bad.begin() + static_cast<long>(at));
      break;
    default:
      bad[at] = static_cast<uint8_t>(bad[at] ^ (1 + r.below(255)));
      break;
    }
    if (bad == good) continue;
    const Decoded d = decode(bad);
    if (d.state.ended && !d.state.lost) fail("a spoiled stream passes");
    same(whole.records, d.records); // and what it gave before is right
  }
  std::printf("%u spoiled streams of %zu bytes in %zu frames, each a loss\n", count, good.size(), ends.size());
}

} // namespace

int main(int argc, char **argv) {
  const unsigned seed = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1;
  const unsigned rounds = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 6;
  Random r{seed};
  bench::Bench b;
  b.context.randReset(2);
  b.context.randSeed(static_cast<int>(seed));
  b.reset();
  for (unsigned k = 0; k < rounds; k++) held(b, r, 3);
  dropped(b, r);
  begun_twice(b, r);
  at_once(b, r);
  impossible(b, r);
  spoiled(b, r);
  spoiled_long(b, r, 50 * rounds);
  std::printf("ok\n");
  return 0;
}
