// SPDX-License-Identifier: Apache-2.0
// The whole of heddle_gpu with a host on AXI4-Lite and a memory of random latency on AXI4, for tests of the assembled
// machine. Programs come as text through the assembler. The bench checks what ends up in memory and how the grid ended.
#pragma once
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include <heddle/asm.h>
#include <heddle/config.h>
}
#include <Vtop.h>
#include "tests/rtl/random.h"
#include <verilated.h>
#if VM_TRACE
#include <verilated_fst_c.h>
#endif

struct Launch {
  uint32_t grid[3] = {1, 1, 1}, block[3] = {32, 1, 1};
  std::vector<uint8_t> params; // bytes from 0x160 on
  bool scoreboard = false;
  std::string kernel;
  template <typename T> Launch &arg(T v) {
    while (params.size() % sizeof(T)) params.push_back(0);
    const size_t at = params.size();
    params.resize(at + sizeof(T));
    std::memcpy(params.data() + at, &v, sizeof(T));
    return *this;
  }
};

struct Outcome {
  uint32_t status = 0; // HEDDLE_STATUS_*
  uint64_t cycles = 0;
  bool hung = false;
};

class Machine {
public:
  static constexpr uint64_t kBase = 0x80000000ull, kSize = 4u << 20;

  // wave: a file for waveforms, when the bench is built with them (--trace-fst)
  Machine(uint64_t seed, bool random_latency, const char *wave = nullptr);
  ~Machine();
  uint64_t alloc(uint64_t bytes); // address of new, zeroed memory that a kernel may read and write
  void write32(uint64_t address, uint32_t v);
  uint32_t read32(uint64_t address) const;
  // Assemble for the configuration under test; exits with the message on an error. unscheduled: every automatic stall
  // count is 1, which only scoreboard mode can run.
  void load(const std::string &text, bool unscheduled = false);
  Outcome run(const Launch &launch);
  uint32_t reg(unsigned offset);
  const heddle_config *config() const { return config_; }
  void tick();
  uint64_t cycle() const { return cycle_; }
  Vtop &top() { return *top_; }
  uint64_t patience = 300000; // cycles after which a grid counts as hung
  bool trace = false;         // print the retire port
  // Called every cycle with the retire port settled.
  std::function<void(Vtop &)> observe;

private:
  struct Burst {
    uint64_t address;
    unsigned id, beats, size;
    uint64_t at;
  };
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vtop> top_;
#if VM_TRACE
  std::unique_ptr<VerilatedFstC> wave_;
#endif
  const heddle_config *config_ = nullptr;
  heddle_program *program_ = nullptr;
  std::vector<uint8_t> memory_;
  std::deque<Burst> reads_, writes_, acks_;
  Random random_;
  bool random_latency_, r_taken_ = false, b_taken_ = false;
  uint64_t next_ = kBase, cycle_ = 0, code_ = 0, code_bytes_ = 0, const_ = 0, const_bytes_ = 0;
  void write_reg(unsigned offset, uint32_t v);
  uint64_t place_bank0(const heddle_kernel &kernel, const Launch &launch);
  void show();
  void axi_drive();
  void axi_sample();
  uint64_t later() {
    return cycle_ + 1 + (random_latency_ ? random_.below(30) : 2);
  }
};
