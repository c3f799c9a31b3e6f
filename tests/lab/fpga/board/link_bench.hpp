// SPDX-License-Identifier: Apache-2.0
// The link's RTL in a thread of its own. At its pins is one end of a socket; behind its buses are registers and memory
// that count accesses; before its trace is a known stream. Bytes on the line can be damaged.
#ifndef BOARD_LINK_BENCH_HPP
#define BOARD_LINK_BENCH_HPP

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

// Rates of a thousand bytes, in each direction.
struct Damage {
  unsigned flip = 0, drop = 0, twice = 0, extra = 0, low = 0;
};

class LinkBench {
public:
  static constexpr unsigned DIVIDER = 4;
  static constexpr uint64_t MEMORY = 1 << 16; // bytes, from 0
  static constexpr uint32_t SUM = 0x40;       // a register to which a write adds
  static constexpr uint32_t FAULTY = 0x80;    // ... that answers with an error
  static constexpr uint32_t SILENT = 0xc0;    // ... that does not answer

  static constexpr uint32_t LATE = 0xc4; // ... that answers when the board has given it up

  explicit LinkBench(uint64_t seed);
  ~LinkBench();
  int fd() const { return fds_[0]; }
  void damage(Damage to_board, Damage to_host);
  void swallow(bool on) { swallow_ = on; } // everything that the board sends
  // Bytes for the trace; a 1 in `lost` says that some are missing before the byte.
  void stream(const std::vector<uint8_t> &bytes, const std::vector<bool> &lost);
  bool streamed(); // all of it has been taken
  void hang_up();  // closes the board's end
  uint32_t sum() const { return sum_; }
  uint32_t writes() const { return writes_; } // of registers
  uint32_t resets() const { return resets_; }
  std::vector<uint8_t> memory();
  uint64_t cycles() const { return cycles_; }
  bool on() const { return on_; } // what feeds the trace may say something
  bool drop() const { return drop_; }
  uint64_t silent() const { return silent_; } // cycles in which it may not

private:
  struct Sim;
  void run(uint64_t seed);
  int fds_[2];
  std::atomic<bool> stop_{false}, swallow_{false}, hang_up_{false};
  std::atomic<uint32_t> sum_{0}, writes_{0}, resets_{0};
  std::atomic<uint64_t> cycles_{0}, silent_{0};
  std::atomic<bool> on_{false}, drop_{false};
  std::mutex lock_;
  Damage damage_[2];
  std::vector<uint8_t> memory_, stream_;
  std::vector<bool> lost_;
  size_t streamed_ = 0;
  std::thread thread_;
};

#endif
