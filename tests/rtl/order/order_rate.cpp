// SPDX-License-Identifier: Apache-2.0
// Latency and throughput, held to what the headers promise.
#include "tests/rtl/order/order_bench.h"

namespace {
// Cycles between the events of one request of its own.
struct Times {
  uint64_t asked = 0, address = 0, data = 0, last = 0, first_beat = 0, done = 0, back = 0;
};

Times one(Bench &b, unsigned kind) {
  b.kinds = 1u << kind;
  b.quiet();
  Times t;
  const uint64_t sent = b.sent;
  for (unsigned i = 0; i < 400 && !t.done; i++) {
    const uint64_t now = b.now;
    b.cycle(b.sent == sent && !b.offer);
    auto first = [&](uint64_t &at, bool is) {
      if (!at && is) at = now;
    };
    first(t.asked, b.seen.asked);
    first(t.address, kind == STORE ? b.seen.aw : b.seen.ar);
    first(t.data, kind == STORE ? b.seen.w : b.seen.r);
    first(t.last, kind == STORE ? b.seen.b : b.seen.r_last);
    first(t.first_beat, b.seen.ld);
    first(t.back, b.seen.aw);
    first(t.done, b.seen.done);
  }
  return t;
}

// Of the cycles in the middle of many requests of whole lines, those in which a beat goes over the bus, in permille.
unsigned busy(Bench &b, unsigned kinds) {
  b.kinds = kinds;
  b.quiet();
  for (unsigned i = 0; i < 600; i++) b.cycle(true);
  const uint64_t r = b.axi->read_beats, w = b.axi->write_beats, now = b.now;
  for (unsigned i = 0; i < 4000; i++) b.cycle(true);
  const uint64_t n = std::max(b.axi->read_beats - r, b.axi->write_beats - w);
  return static_cast<unsigned>(n * 1000 / (b.now - now));
}

bool same(Bench &b, const char *what, uint64_t is, uint64_t promised) {
  std::printf("%-48s %llu\n", what, (unsigned long long)is);
  return b.checks.that(is == promised, what, is, promised);
}
} // namespace

int rates(Bench &b) {
  b.plain = true;
  b.beat_percent = 100;
  b.axi->adversarial = false;
  b.axi->latency = 10;
  for (unsigned i = 0; i < b.tags + b.atoms + 4; i++) b.cycle(false);

  Times t = one(b, LOAD);
  same(b, "load: request to AR", t.address - t.asked, 2);
  same(b, "load: R to its beat", t.first_beat - t.data, 1);
  same(b, "load of 4 sectors: last R to its end", t.done - t.last, 7);
  t = one(b, FETCH);
  same(b, "refill: last R to its end", t.done - t.last, 4);
  t = one(b, STORE);
  same(b, "store: request to AW", t.address - t.asked, 3);
  same(b, "store: request to W", t.data - t.asked, 4);
  same(b, "store of 4 sectors: B to its end", t.done - t.last, 6);

  // As many beats as tags cover the latency, the rest of a request's way and its place on the bus (of a store also on
  // the way to memory); never more than one sector a cycle, which is what records show.
  for (unsigned latency : {20u, 100u, 200u}) {
    b.axi->latency = latency;
    for (bool one_line : {false, true})
      for (unsigned kind : {LOAD, STORE}) {
        if (one_line && kind == STORE) continue; // one at a time
        b.one_line = one_line;
        const unsigned is = busy(b, 1u << kind);
        const double most = std::min(1.0, b.beats / 4.0), around = latency + b.beats * (kind == STORE ? 2 : 1) + 10.0;
        const double least = std::min(0.95 * most, 0.95 * b.tags * b.beats / around);
        std::printf("%s of %s at latency %3u                %.3f of the bus, promised %.3f\n",
                    kind == LOAD ? "loads " : "stores", one_line ? "one line, one warp" : "whole lines", latency,
                    is / 1000.0, least);
        b.checks.that(is >= 1000 * least, "throughput", is, static_cast<uint64_t>(1000 * least));
      }
  }
  b.one_line = false;
  b.quiet();
  b.checks.that(b.axi->data == b.memory, "memory equals the reference");
  std::printf("order, %u bits, %u tags: %llu checks, %llu failed\n", b.bits, b.tags, (unsigned long long)b.checks.done,
              (unsigned long long)b.checks.failed);
  return b.checks.failed ? 1 : 0;
}
