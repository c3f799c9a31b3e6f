// SPDX-License-Identifier: Apache-2.0
// The link, both ends: the host's C over a socket, the board's RTL behind a serial line that is damaged on purpose.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tests/lab/fpga/board/link_bench.hpp"
extern "C" {
#include "firmware/board/link_internal.h"
}

namespace {

unsigned failures = 0;
void expect_at(bool ok, const char *what, int line) {
  if (ok) return;
  failures++;
  printf("link_test.cpp:%d: %s\n", line, what);
}
#define EXPECT(what) expect_at((what), #what, __LINE__)
#define OK(l, call)                                                                                                    \
  do {                                                                                                                 \
    const board_status s_ = (call);                                                                                    \
    expect_at(s_ == BOARD_OK, #call, __LINE__);                                                                        \
    if (s_ != BOARD_OK) printf("  %s: %s\n", board_status_text(s_), board_link_message(l));                            \
  } while (0)

uint64_t random_state;
uint64_t random_next() {
  uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
// Many of the bytes are those that have a meaning on the line.
std::vector<uint8_t> random_bytes(size_t n) {
  static const uint8_t special[] = {0xc0, 0xdb, 0xdc, 0xdd};
  std::vector<uint8_t> b(n);
  for (uint8_t &x : b) x = random_next() % 4 == 0 ? special[random_next() % 4] : static_cast<uint8_t>(random_next());
  return b;
}

// ---- the trace as the host gets it ----------------------------------------------------------------------------------
struct Got {
  std::vector<uint8_t> bytes;
  std::vector<bool> lost;
};
void take(void *ctx, const uint8_t *bytes, size_t n, bool lost);

// The host's limits are of simulated time: how busy the machine is changes nothing.
constexpr uint64_t CYCLES_A_MS = 1000;

struct Session {
  Got got;
  LinkBench bench;
  board_link *link;
  explicit Session(uint64_t seed, uint32_t try_ms = 400, uint32_t tries = 8) : bench(seed) {
    board_link_options o = {};
    o.fd = bench.fd();
    o.try_ms = try_ms;
    o.tries = tries;
    o.trace = take;
    o.ctx = this;
    o.now_ms = [](void *ctx) { return static_cast<Session *>(ctx)->bench.cycles() / CYCLES_A_MS; };
    link = board_link_new(&o);
  }
  ~Session() { board_link_free(link); }
};

void take(void *ctx, const uint8_t *bytes, size_t n, bool lost) {
  Got *g = &static_cast<Session *>(ctx)->got;
  for (size_t i = 0; i < n; i++) {
    g->bytes.push_back(bytes[i]);
    g->lost.push_back(i == 0 && lost);
  }
}

// ---- tests ----------------------------------------------------------------------------------------------------------
void commands(uint64_t seed) {
  Session s(seed);
  board_identity id;
  board_counters c;
  uint32_t value = 0;
  OK(s.link, board_link_identify(s.link, &id));
  EXPECT(id.ready && !id.failed && !id.dead);
  EXPECT(id.clock_hz == 25000000 && id.board == 0x54455354 && id.memory_base == 0 && id.memory_bytes == 65536);
  for (size_t n : {0, 1, 2, 63, 255, 256, 1023, 1024}) OK(s.link, board_link_echo(s.link, random_bytes(n).data(), n));
  for (uint32_t r = 0; r < 0x40; r += 4) OK(s.link, board_link_write32(s.link, r, 0xc0db0000u + r));
  for (uint32_t r = 0; r < 0x40; r += 4) {
    OK(s.link, board_link_read32(s.link, r, &value));
    EXPECT(value == 0xc0db0000u + r);
  }
  EXPECT(s.bench.writes() == 16);
  EXPECT(board_link_read32(s.link, LinkBench::FAULTY, &value) == BOARD_BUS);
  EXPECT(board_link_write32(s.link, LinkBench::FAULTY, 1) == BOARD_BUS);
  OK(s.link, board_link_read32(s.link, 4, &value));
  OK(s.link, board_link_counters(s.link, &c));
  EXPECT(c.bad == 0 && c.repeated == 0 && c.refused == 0 && c.busy == 0);
  const board_traffic t = board_link_traffic(s.link);
  EXPECT(t.repeats == 0 && t.bad == 0 && t.strange == 0);
}

// Any address, any length, beside a copy of what memory must hold.
void memory(uint64_t seed) {
  Session s(seed);
  std::vector<uint8_t> copy = s.bench.memory(), got(3000);
  for (unsigned i = 0; i < 40; i++) {
    const size_t n = i < 4 ? 1000 + random_next() % 2000 : 1 + random_next() % 40, at = random_next() % (65536 - n);
    if (random_next() % 2) {
      const std::vector<uint8_t> b = random_bytes(n);
      OK(s.link, board_link_write(s.link, at, b.data(), n));
      memcpy(&copy[at], b.data(), n);
      EXPECT(s.bench.memory() == copy);
    } else {
      OK(s.link, board_link_read(s.link, at, got.data(), n));
      EXPECT(memcmp(got.data(), &copy[at], n) == 0);
    }
  }
  EXPECT(board_link_read(s.link, 1ull << 39, got.data(), 8) == BOARD_BUS); // the top bit of an address arrives
  EXPECT(board_link_write(s.link, 65536 - 4, got.data(), 8) == BOARD_BUS); // its second word lies outside
  memcpy(&copy[65532], got.data(), 4);
  EXPECT(s.bench.memory() == copy);
}

// What no host of ours sends.
void refused(uint64_t seed) {
  Session s(seed);
  board_counters c;
  const struct {
    std::vector<uint8_t> payload;
  } wrong[] = {{{}},
               {{0}},
               {{11}},
               {{200}},
               {{9}},
               {{9, 3}},
               {{9, 1, 0}},
               {{10}}, // reserved
               {{10, 17}},
               {{1, 0}},
               {{3, 0}},
               {{3, 0, 0, 0}},
               {{4, 0x40, 0, 1, 0, 0}},
               {{5, 0, 0, 0, 0, 0, 0, 0}},
               {{5, 0, 0, 0, 0, 0, 1, 4}},
               {{6, 0, 0, 0, 0, 0}},
               {{7, 1}},
               {{8, 8}}};
  unsigned refusals = 0;
  for (const auto &w : wrong) {
    uint8_t wire[FRAME_WIRE];
    s.link->seq++;
    s.link->answered = false;
    const size_t n = frame_encode(FRAME_COMMANDS, s.link->seq, w.payload.data(), w.payload.size(), wire);
    EXPECT(write(s.bench.fd(), wire, n) == static_cast<ssize_t>(n));
    EXPECT(link_receive(s.link, link_now_ms(s.link) + 2000, true) == BOARD_OK && s.link->answered);
    EXPECT(s.link->answer_bytes == 1);
    EXPECT(s.link->answer[0] ==
           (w.payload.empty() || w.payload[0] == 0 || w.payload[0] > 9 ? ANSWER_UNKNOWN : ANSWER_MALFORMED));
    refusals++;
  }
  OK(s.link, board_link_counters(s.link, &c));
  EXPECT(c.refused == refusals);
  EXPECT(s.bench.writes() == 0 && s.bench.resets() <= 1);
  EXPECT(!s.bench.on());
}

// What feeds the trace is silent until the host says how it wants it, and begins anew each time that it does.
void modes(uint64_t seed) {
  Session s(seed);
  board_identity id;
  board_counters c;
  OK(s.link, board_link_reset(s.link));
  OK(s.link, board_link_identify(s.link, &id));
  EXPECT(id.feed == BOARD_FEED_STREAM && (s.link->answer[6] & 8) == 0); // bit 3 of the flags is reserved
  EXPECT(!s.bench.on());
  const std::vector<uint8_t> bytes = random_bytes(700);
  for (board_trace_mode mode : {BOARD_TRACE_HELD, BOARD_TRACE_DROPPED, BOARD_TRACE_HELD}) {
    const uint64_t silent = s.bench.silent();
    OK(s.link, board_link_trace_mode(s.link, mode));
    s.got = Got();
    EXPECT(s.bench.on() && s.bench.drop() == (mode == BOARD_TRACE_DROPPED));
    EXPECT(s.bench.silent() >= silent + 4); // time enough for what feeds it to be at rest
    OK(s.link, board_link_counters(s.link, &c));
    EXPECT(c.trace_frames == 0 && c.trace_empty);
    s.bench.stream(bytes, std::vector<bool>(bytes.size()));
    while (!s.bench.streamed()) OK(s.link, board_link_poll(s.link, 5));
    if (mode == BOARD_TRACE_DROPPED) continue; // what has not been sent yet is gone with the next mode
    OK(s.link, board_link_trace_end(s.link, 5000));
    EXPECT(s.got.bytes == bytes && board_link_traffic(s.link).trace_gaps == 0);
  }
  OK(s.link, board_link_trace_mode(s.link, BOARD_TRACE_OFF));
  EXPECT(!s.bench.on());
  OK(s.link, board_link_trace_mode(s.link, BOARD_TRACE_HELD));
  OK(s.link, board_link_reset(s.link));
  EXPECT(!s.bench.on());
}

// One command, a hundred times: executed once.
void repeated(uint64_t seed) {
  Session s(seed);
  board_counters c;
  uint8_t p[7] = {COMMAND_WRITE_REG}, wire[FRAME_WIRE];
  frame_put(p + 1, LinkBench::SUM, 2);
  frame_put(p + 3, 5, 4);
  for (unsigned i = 0; i < 3; i++) {
    s.link->seq = 1000; // link_transact takes 1001
    OK(s.link, link_transact(s.link, p, sizeof p, 0));
  }
  EXPECT(s.bench.sum() == 5);
  p[3] = 6; // the same number, another command
  s.link->seq = 1000;
  OK(s.link, link_transact(s.link, p, sizeof p, 0));
  EXPECT(s.bench.sum() == 11);
  OK(s.link, board_link_counters(s.link, &c));
  EXPECT(c.repeated == 2);
  // Another channel is no command, nor is a frame whose length does not fit.
  const size_t n = frame_encode(FRAME_TRACE, 5000, p, sizeof p, wire);
  EXPECT(write(s.bench.fd(), wire, n) == static_cast<ssize_t>(n));
  OK(s.link, board_link_counters(s.link, &c));
  EXPECT(c.bad == 1 && s.bench.sum() == 11);
}

// A line that damages one byte in a hundred and more: each command takes effect once, all that is read is right.
void noise(uint64_t seed, unsigned rate, unsigned commands) {
  Session s(seed, 25, 200);
  board_counters c;
  uint32_t sum = 0, value;
  std::vector<uint8_t> copy = s.bench.memory(), got(64);
  const Damage d = {rate, rate, rate, rate, rate};
  s.bench.damage(d, d);
  for (unsigned i = 0; i < commands; i++) {
    const uint32_t x = static_cast<uint32_t>(random_next());
    const size_t n = 1 + random_next() % 40, at = random_next() % (65536 - n);
    OK(s.link, board_link_write32(s.link, LinkBench::SUM, x));
    sum += x;
    EXPECT(s.bench.sum() == sum);
    const std::vector<uint8_t> b = random_bytes(n);
    OK(s.link, board_link_write(s.link, at, b.data(), n));
    memcpy(&copy[at], b.data(), n);
    OK(s.link, board_link_read(s.link, at, got.data(), n));
    EXPECT(memcmp(got.data(), b.data(), n) == 0);
    if (i % 8 == 0) {
      OK(s.link, board_link_read32(s.link, LinkBench::SUM, &value));
      EXPECT(value == sum);
    }
  }
  EXPECT(s.bench.memory() == copy);
  s.bench.damage({}, {});
  OK(s.link, board_link_counters(s.link, &c));
  const board_traffic t = board_link_traffic(s.link);
  EXPECT(s.bench.writes() == commands);
  // The line did what it was asked to, or nothing has been shown.
  EXPECT(c.bad > 0 && c.repeated > 0 && t.repeats > 0 && t.bad > 0);
  printf("noise %u: %u commands, %llu sent again, %u answered again, %u frames dropped there, %llu here\n", rate,
         3 * commands, (unsigned long long)t.repeats, c.repeated, c.bad, (unsigned long long)t.bad);
}

void streams(uint64_t seed) {
  Session s(seed);
  std::vector<uint8_t> bytes = random_bytes(3000);
  std::vector<bool> lost(bytes.size());
  for (size_t i = 0; i < lost.size(); i++) lost[i] = random_next() % 150 == 0;
  lost[0] = true, lost[1] = true;
  OK(s.link, board_link_reset(s.link));
  s.bench.stream(bytes, lost);
  for (unsigned i = 0; !s.bench.streamed() && i < 400; i++) OK(s.link, board_link_echo(s.link, bytes.data(), 8));
  OK(s.link, board_link_trace_end(s.link, 5000));
  EXPECT(s.got.bytes == bytes);
  EXPECT(s.got.lost == lost);
  EXPECT(board_link_traffic(s.link).trace_gaps == 0);
  // A second one after a reset begins anew.
  s.got = Got();
  OK(s.link, board_link_reset(s.link));
  s.bench.stream(std::vector<uint8_t>(bytes.begin(), bytes.begin() + 500), std::vector<bool>(500));
  for (unsigned i = 0; !s.bench.streamed() && i < 400; i++) OK(s.link, board_link_poll(s.link, 5));
  OK(s.link, board_link_trace_end(s.link, 5000));
  EXPECT(s.got.bytes == std::vector<uint8_t>(bytes.begin(), bytes.begin() + 500));
  EXPECT(s.got.lost == std::vector<bool>(500));
}

// Bytes go missing on the line: what comes is a part of what was sent, and wherever something is missing a mark stands.
void streams_damaged(uint64_t seed, Damage d) {
  Session s(seed);
  const std::vector<uint8_t> bytes = random_bytes(20000);
  OK(s.link, board_link_reset(s.link));
  s.bench.damage({}, d);
  s.bench.stream(bytes, std::vector<bool>(bytes.size()));
  for (unsigned i = 0; !s.bench.streamed() && i < 4000; i++) OK(s.link, board_link_poll(s.link, 5));
  s.bench.damage({}, {});
  const board_status end = board_link_trace_end(s.link, 5000);
  EXPECT(end == BOARD_OK || end == BOARD_LOST);
  size_t at = 0, marks = 0;
  bool right = true;
  for (size_t i = 0; i < s.got.bytes.size() && right; i++) {
    if (s.got.lost[i]) { // find where it goes on: a dozen bytes are enough
      const size_t n = std::min<size_t>(12, s.got.bytes.size() - i);
      while (at + n <= bytes.size() && memcmp(&bytes[at], &s.got.bytes[i], n) != 0) at++;
      marks++;
    }
    right = at < bytes.size() && s.got.bytes[i] == bytes[at];
    at++;
  }
  EXPECT(right);
  EXPECT(s.got.bytes.size() < bytes.size()); // something was lost, and said
  EXPECT(marks == board_link_traffic(s.link).trace_gaps && marks > 0);
  if (at == bytes.size())
    EXPECT(end == BOARD_OK);
  else
    EXPECT(end == BOARD_LOST);
}

void stream_tail(uint64_t seed) {
  Session s(seed);
  OK(s.link, board_link_reset(s.link));
  s.bench.stream(random_bytes(100), std::vector<bool>(100));
  OK(s.link, board_link_trace_end(s.link, 5000)); // nothing may have been taken yet, or all: both are an end
  s.bench.swallow(true);
  s.bench.stream(random_bytes(100), std::vector<bool>(100));
  while (!s.bench.streamed()) usleep(1000);
  const uint64_t cycle = s.bench.cycles();
  while (s.bench.cycles() < cycle + 30000) usleep(1000); // the frame is closed and sent into nothing
  s.bench.swallow(false);
  EXPECT(board_link_trace_end(s.link, 5000) == BOARD_LOST);
  printf("tail: %s\n", board_link_message(s.link));
}

void dead_bus(uint64_t seed) {
  Session s(seed);
  board_identity id;
  uint32_t value;
  OK(s.link, board_link_write32(s.link, 8, 77));
  const uint32_t resets = s.bench.resets();
  EXPECT(board_link_read32(s.link, LinkBench::SILENT, &value) == BOARD_DEAD);
  EXPECT(board_link_read32(s.link, 8, &value) == BOARD_DEAD);
  EXPECT(board_link_write(s.link, 0, &value, 4) == BOARD_DEAD);
  OK(s.link, board_link_identify(s.link, &id));
  EXPECT(id.dead);
  OK(s.link, board_link_echo(s.link, reinterpret_cast<const uint8_t *>("still"), 5));
  OK(s.link, board_link_reset(s.link));
  EXPECT(s.bench.resets() == resets + 1);
  OK(s.link, board_link_read32(s.link, 8, &value));
  EXPECT(value == 77);
}

// An answer comes after all: the board has given the bus up, and takes nothing more to it.
void late_bus(uint64_t seed) {
  Session s(seed);
  uint32_t value;
  EXPECT(board_link_read32(s.link, LinkBench::LATE, &value) == BOARD_DEAD);
  const uint64_t cycle = s.bench.cycles();
  while (s.bench.cycles() < cycle + 20000) usleep(1000);
  for (unsigned i = 0; i < 3; i++) EXPECT(board_link_write32(s.link, LinkBench::SUM, 1) == BOARD_DEAD);
  OK(s.link, board_link_echo(s.link, reinterpret_cast<const uint8_t *>("still"), 5));
  EXPECT(s.bench.sum() == 0 && s.bench.writes() == 0);
  OK(s.link, board_link_reset(s.link));
  OK(s.link, board_link_write32(s.link, LinkBench::SUM, 1));
  EXPECT(s.bench.sum() == 1);
}

void no_board(uint64_t seed) {
  Session s(seed, 40, 3);
  board_identity id;
  s.bench.swallow(true);
  const uint64_t before = link_now_ms(s.link);
  EXPECT(board_link_identify(s.link, &id) == BOARD_TIMEOUT);
  EXPECT(link_now_ms(s.link) - before < 40 * 3 + 1000);
  printf("silent: %s\n", board_link_message(s.link));
  s.bench.hang_up();
  EXPECT(board_link_identify(s.link, &id) == BOARD_CLOSED);
  printf("gone: %s\n", board_link_message(s.link));
  char message[200];
  EXPECT(board_tty_open("/nonexistent", 1000000, message, sizeof message) == -1 && strstr(message, "/nonexistent"));
  EXPECT(board_tty_open("/dev/null", 1000000, message, sizeof message) == -1);
  EXPECT(board_tty_open("/dev/null", 12345, message, sizeof message) == -1 && strstr(message, "12345"));
}

} // namespace

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  random_state = seed;
  commands(seed);
  memory(seed + 1);
  refused(seed + 2);
  repeated(seed + 3);
  noise(seed + 4, 1, 60);
  noise(seed + 5, 4, 20);
  streams(seed + 6);
  streams_damaged(seed + 7, {2, 0, 0, 0, 0});
  streams_damaged(seed + 8, {0, 2, 0, 0, 0});
  streams_damaged(seed + 9, {0, 0, 2, 0, 0});
  streams_damaged(seed + 10, {0, 0, 0, 2, 0});
  stream_tail(seed + 11);
  dead_bus(seed + 12);
  late_bus(seed + 13);
  no_board(seed + 14);
  modes(seed + 15);
  printf("%s, seed %llu\n", failures ? "FAILED" : "ok", (unsigned long long)seed);
  return failures != 0;
}
