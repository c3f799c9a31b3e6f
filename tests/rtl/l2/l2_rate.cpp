// SPDX-License-Identifier: Apache-2.0
// Latency and throughput, held to what README.md of rtl/l2 promises.
#include "tests/rtl/l2/l2_bench.h"

namespace {
// Cycles between the events of one request of its own.
struct Times {
  uint64_t asked = 0, address = 0, data = 0, first_beat = 0, record = 0, done = 0;
};

Times one(Bench &b, unsigned kind) {
  b.kinds = 1u << kind;
  b.quiet();
  Times t;
  const uint64_t sent = b.sent;
  for (unsigned i = 0; i < 600 && !t.done; i++) {
    const uint64_t now = b.now;
    b.cycle(b.sent == sent && !b.offer);
    auto first = [&](uint64_t &at, bool is) {
      if (!at && is) at = now;
    };
    first(t.asked, b.seen.asked);
    first(t.address, b.seen.ar);
    first(t.data, b.seen.r);
    first(t.first_beat, b.seen.ld);
    first(t.record, b.seen.record);
    first(t.done, b.seen.done);
  }
  return t;
}

// Of the cycles in the middle of many requests of whole lines, those in which a row is performed, in permille.
unsigned busy(Bench &b, unsigned kinds, unsigned lines) {
  b.kinds = kinds;
  b.plain_lines = lines;
  b.quiet();
  for (unsigned i = 0; i < 40 * b.beats + 1000; i++) b.cycle(true);
  const uint64_t now = b.now, done = b.ends;
  for (unsigned i = 0; i < 4000; i++) b.cycle(true);
  return static_cast<unsigned>((b.ends - done) * b.beats * 1000 / (b.now - now));
}

// Atomics that wait for their line, and what the bank then takes for one more of them.
uint64_t reductions(Bench &b, bool one_word) {
  b.flushed();
  b.kinds = 1u << ATOM;
  b.one_word = one_word;
  b.plain_lines = 1;
  b.axi->latency = 300;
  b.quiet();
  const uint64_t sent = b.sent;
  uint64_t ends[2] = {};
  unsigned n = 0;
  for (unsigned i = 0; i < 1200 && n < 2; i++) {
    b.cycle(b.sent < sent + 2);
    if (b.seen.done) ends[n++] = b.now;
  }
  b.one_word = false;
  return ends[1] - ends[0];
}

// Loads that hit, beside an atomic of one word of another line: the longest time from the end of one to the next one's.
uint64_t beside(Bench &b) {
  b.flushed();
  b.kinds = 1u << LOAD;
  b.first_line = 1;
  b.plain_lines = 2;
  b.axi->latency = 10;
  for (unsigned i = 0; i < 200; i++) b.cycle(true);
  b.quiet();
  b.kinds = 1u << ATOM;
  b.first_line = 0;
  b.plain_lines = 1;
  b.axi->latency = 300;
  b.one_word = true;
  const uint64_t sent = b.sent;
  while (b.sent == sent) b.cycle(true);
  b.one_word = false;
  b.kinds = 1u << LOAD;
  b.first_line = 1;
  b.plain_lines = 2;
  uint64_t longest = 0, last = 0, ends = b.ends;
  for (unsigned i = 0; i < 800; i++) {
    b.cycle(true);
    if (b.ends == ends) continue;
    ends = b.ends;
    if (i > 100) longest = std::max(longest, b.now - last);
    last = b.now;
  }
  b.quiet();
  b.first_line = 0;
  return longest;
}

bool same(Bench &b, const char *what, uint64_t is, uint64_t promised) {
  std::printf("%-60s %llu\n", what, (unsigned long long)is);
  return b.checks.that(is == promised, what, is, promised);
}

void most(Bench &b, const char *what, unsigned is, unsigned least) {
  std::printf("%-60s %.3f, promised %.3f\n", what, is / 1000.0, least / 1000.0);
  b.checks.that(is >= least, what, is, least);
}
// Cycles from that in which flush_i stands for the first time to that of flushed_o (seen at the edge before).
uint64_t flush(Bench &b, bool keep) {
  const uint64_t writes = b.axi->writes;
  b.keep = keep;
  b.flush = true;
  uint64_t n = 0;
  for (bool over = false; !over && n < 100000; n++) {
    b.cycle(false);
    over = b.top.flushed_o;
  }
  b.keep = b.flush = false;
  b.cycle(false);
  std::printf("%-60s %llu\n", "  a flush: lines written", (unsigned long long)(b.axi->writes - writes));
  return n;
}

// Lines that have been written are written back, and stay where they are to be kept: then loads find them, once more
// without a fetch.
void flushes(Bench &b, unsigned lines) {
  const unsigned places = b.sets * b.ways;
  b.next_line = 0;
  busy(b, 1u << STORE, lines);
  b.quiet();
  b.axi->latency = 10;
  const uint64_t writes = b.axi->writes;
  uint64_t took = flush(b, true);
  const uint64_t most =
      places + 2 + lines * b.beats + b.beats + 2 * b.axi->latency; // the last line's way to memory, and back
  std::printf("%-60s %llu, promised %llu\n", "flush of lines that stay, at latency 10", (unsigned long long)took,
              (unsigned long long)most);
  b.checks.that(took <= most, "a flush of lines that stay", took, most);
  b.checks.that(b.axi->writes - writes == lines, "each line is written once", b.axi->writes - writes, lines);
  same(b, "flush with nothing to write", flush(b, true), places + 2);
  const uint64_t reads = b.axi->reads;
  busy(b, 1u << LOAD, lines);
  b.quiet();
  b.checks.that(b.axi->reads == reads, "loads find what a flush kept", b.axi->reads, reads);
  flush(b, false);
  busy(b, 1u << LOAD, lines);
  b.quiet();
  b.checks.that(b.axi->reads == reads + lines, "... and not what it gave up", b.axi->reads - reads, lines);
}
} // namespace

int rates(Bench &b) {
  b.plain = true;
  b.beat_percent = 100;
  b.axi->adversarial = false;
  b.axi->latency = 10;
  for (unsigned i = 0; i < b.entries + b.atoms + b.sets + 4; i++) b.cycle(false);

  b.plain_lines = 1;
  Times t = one(b, LOAD);
  same(b, "load that misses: request to AR", t.address - t.asked, 4);
  same(b, "load that misses: first R to its first beat", t.first_beat - t.data, b.beats + 5);
  t = one(b, LOAD);
  same(b, "load that hits: request to its first beat", t.first_beat - t.asked, 6);
  same(b, "load of a line that hits: request to its end", t.done - t.asked, 7 + b.beats);
  t = one(b, STORE);
  same(b, "store of a line: request to its end", t.done - t.asked, 7 + b.beats);
  same(b, "atomic, no lane's word another's: cycles a line", reductions(b, false), b.beats);
  same(b, "atomic, one word: cycles a line", reductions(b, true), 33);
  b.value = true;
  same(b, "atomic with a value, one word: cycles a line", reductions(b, true), 33);
  same(b, "atomic with a value, 32 lanes in four sectors: cycles a line", reductions(b, false), 36);
  b.atom_lanes = 0x00ff0000;
  same(b, "atomic with a value, 8 lanes in a sector: cycles a line", reductions(b, false), 9);
  b.atom_lanes = 0x80000000;
  same(b, "atomic with a value, a lane: cycles a line", reductions(b, false), 2);
  b.atom_lanes = ~0u;
  same(b, "loads of a line that hit, beside it: cycles from end to end", beside(b), 2 * b.beats);
  b.plain_op = ISA_AOP_ADD_F32;
  // A lane takes two steps of seven cycles at least: a load of four rows meets two.
  if (FATOM) same(b, "the same beside a float's", beside(b), b.beats + 2);
  b.plain_op = ISA_AOP_ADD;
  b.value = false;

  const unsigned few = std::min(b.sets * b.ways / 2, 64u);
  b.axi->latency = 200;
  most(b, "rows of loads that hit, a cycle", busy(b, 1u << LOAD, few), 990);
  most(b, "rows of stores that hit, a cycle", busy(b, 1u << STORE, few), 990);
  // As many lines as cover memory's latency and their way, each on the bus for its beats: of requests, parks, places.
  const double around = 200 + 2 * b.beats + 14;
  const unsigned covered =
      static_cast<unsigned>(std::min(950.0, 950.0 * std::min({b.entries, 64u, b.sets * b.ways}) * b.beats / around));
  most(b, "rows of loads that miss, a cycle, at latency 200", busy(b, 1u << LOAD, WRITTEN), covered);
  b.quiet();
  b.flushed();
  flushes(b, few);
  std::printf("l2, %u bits, %u SMs: %llu checks, %llu failed\n", b.bits, b.sms, (unsigned long long)b.checks.done,
              (unsigned long long)b.checks.failed);
  return b.checks.failed ? 1 : 0;
}
