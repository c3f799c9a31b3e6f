// SPDX-License-Identifier: Apache-2.0
// A line that damages one byte, or all from one on, of what the board sends as trace: commands and their answers pass.
// A test can so name the byte that is hit.
#ifndef BOARD_SIM_NOISE_HPP
#define BOARD_SIM_NOISE_HPP

#include <cstdint>
#include <cstdlib>
#include <cstring>

class Noise {
public:
  // "flip:N" one bit of byte N is another, "drop:N" byte N is lost, "twice:N" it is repeated, "late:N" it follows the
  // next one that differs. "cut:N" drops all from byte N on. Bytes are counted inside frames of the trace.
  bool parse(const char *text) {
    static const char *const names[] = {"flip:", "drop:", "twice:", "late:", "cut:"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
      const size_t n = strlen(names[i]);
      if (strncmp(text, names[i], n) != 0) continue;
      char *end;
      at_ = strtoull(text + n, &end, 0);
      kind_ = static_cast<Kind>(FLIP + i);
      return end != text + n && *end == '\0';
    }
    return false;
  }

  // A byte on its way: emit(byte) for each that arrives.
  template <typename Emit> void pass(uint8_t byte, Emit emit) {
    if (byte == END) {
      head_ = true;
      if (held_) emit(late_);
      held_ = false;
      emit(byte);
      return;
    }
    if (head_) trace_ = byte == TRACE;
    head_ = false;
    const uint64_t n = trace_ ? count_++ : 0;
    if (trace_ && kind_ == CUT && n >= at_) return;
    if (trace_ && kind_ != NONE && n == at_) {
      if (kind_ == LATE) held_ = true, late_ = byte;
      if (kind_ == FLIP) emit(byte ^ 0x10);
      if (kind_ == TWICE) emit(byte), emit(byte);
      return;
    }
    if (held_ && late_ == byte) return emit(byte); /* equal bytes in another order are no fault */
    emit(byte);
    if (held_) emit(late_);
    held_ = false;
  }

private:
  enum Kind { NONE, FLIP, DROP, TWICE, LATE, CUT };
  static constexpr uint8_t END = 0xc0, TRACE = 1; // lab/fpga/board/link/README.md
  Kind kind_ = NONE;
  uint64_t at_ = 0, count_ = 0;
  bool head_ = true, trace_ = false, held_ = false;
  uint8_t late_ = 0;
};

#endif
