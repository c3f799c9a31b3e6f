// SPDX-License-Identifier: Apache-2.0
// Faults of a board's way to the host: its serial line, its clock and reset, what its bit file says of
// itself. Which, says HEDDLE_BOARD_FAULT in the environment, a number of tests/lab/fpga/board/board_faults.txt; those from
// 16 on are of the wires to the SDRAM and its cells (board_faults.sv).
#ifndef BOARD_SIM_BOARD_FAULTS_HPP
#define BOARD_SIM_BOARD_FAULTS_HPP

#include <cstdint>
#include <cstdlib>

#include <heddle/host_regs.h>
#include "firmware/board/frame.h"

class BoardFaults {
public:
  BoardFaults() {
    const char *text = getenv("HEDDLE_BOARD_FAULT");
    number_ = text ? static_cast<unsigned>(strtoul(text, nullptr, 0)) : 0;
  }
  uint8_t number() const { return static_cast<uint8_t>(number_); }

  // Cycles of a bit as the host sends and samples them.
  double bit(unsigned divider) const {
    const double slower = number_ == BAUD_115200 ? 1e6 / 115200 : number_ == BAUD_OFF ? 1.08 : 1;
    return slower * divider;
  }
  // Does the clock of the FPGA have an edge in this cycle? Is its reset button down?
  bool clocked(uint64_t cycle) const { return number_ == NO_CLOCK ? false : number_ != HALF_CLOCK || cycle % 2 == 0; }
  bool button(uint64_t cycle) const {
    return number_ == BUTTON_DOWN || (number_ == RESETS_ITSELF && cycle % RESET_EVERY > RESET_EVERY - 200);
  }
  // Cycles from now on in which the line to the board is low whatever the host sends.
  unsigned noise(uint64_t cycle) const { return number_ == NOISE && cycle % NOISE_EVERY == NOISE_EVERY - 1 ? 60 : 0; }
  // Nothing comes: one need not hurry to say so.
  bool silent() const {
    return number_ == TO_BOARD_DEAD || number_ == TO_HOST_DEAD || (number_ >= BAUD_115200 && number_ <= BAUD_OFF) ||
           (number_ >= NO_CLOCK && number_ <= HALF_CLOCK);
  }

  // A byte on its way: emit(byte) for each that arrives.
  template <typename Emit> void to_board(uint8_t byte, Emit emit) {
    frame f;
    if (frame_read(&asked_, byte, &f))
      reg_ = f.n >= 3 && f.payload[0] == READ_REG ? f.payload[1] | f.payload[2] << 8 : -1;
    if (number_ == TO_BOARD_DEAD) return;
    const bool hit = ++sent_ % EVERY == 0;
    emit(number_ == FLIPS && hit ? byte ^ 0x10 : byte);
    if (number_ == TWICE && hit) emit(byte);
  }
  template <typename Emit> void to_host(uint8_t byte, Emit emit) {
    if (number_ >= OTHER_LINK && number_ <= NEVER_READY) return rewrite(byte, emit);
    if (number_ != TO_HOST_DEAD && !(number_ == LOSES && ++received_ % EVERY == 0)) emit(byte);
  }

private:
  enum Number {
    TO_BOARD_DEAD = 1,
    TO_HOST_DEAD,
    BAUD_115200,
    BAUD_OFF,
    LOSES,
    FLIPS,
    TWICE,
    NOISE,
    NO_CLOCK,
    BUTTON_DOWN,
    HALF_CLOCK,
    RESETS_ITSELF,
    OTHER_LINK,
    OTHER_MACHINE,
    NEVER_READY
  };
  static constexpr uint64_t EVERY = 211, RESET_EVERY = 400'000, NOISE_EVERY = 6'000;
  static constexpr uint8_t READ_REG = 3; // lab/fpga/board/link/README.md

  // An answer of the board as another bit file would give it.
  template <typename Emit> void rewrite(uint8_t byte, Emit emit) {
    frame f;
    if (!frame_read(&answered_, byte, &f)) return;
    uint8_t payload[FRAME_PAYLOAD], wire[FRAME_WIRE];
    for (size_t i = 0; i < f.n; i++) payload[i] = f.payload[i];
    const bool identity = f.channel == FRAME_COMMANDS && f.n == 33 && payload[1] == 'H' && payload[2] == 'L';
    if (identity && number_ == OTHER_LINK) payload[5]++;
    if (identity && number_ == NEVER_READY) payload[6] &= 0xfe;
    if (number_ == OTHER_MACHINE && f.channel == FRAME_COMMANDS && f.n == 5 && reg_ == HEDDLE_REG_CFG_HASH)
      payload[1] ^= 0x5a;
    const size_t n = frame_encode(f.channel, f.seq, payload, f.n, wire);
    for (size_t i = 0; i < n; i++) emit(wire[i]);
  }

  unsigned number_;
  uint64_t sent_ = 0, received_ = 0;
  frame_reader asked_ = {}, answered_ = {};
  int reg_ = -1; // that the host reads
};

#endif
