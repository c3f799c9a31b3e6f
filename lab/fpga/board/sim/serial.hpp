// SPDX-License-Identifier: Apache-2.0
// The other end of a serial line: bytes into and out of the pins of a simulated board, 8N1.
#ifndef BOARD_SIM_SERIAL_HPP
#define BOARD_SIM_SERIAL_HPP

#include <cstdint>
#include <deque>

class Serial {
public:
  explicit Serial(double bit) : bit_(bit) {} // cycles of a bit

  // One clock cycle: the level that the board's rx pin has; `tx` is that of its tx pin.
  bool step(bool tx) {
    receive(tx);
    return send();
  }
  // Bytes for the board, and from it.
  void put(uint8_t byte) { out_.push_back(byte); }
  bool idle() const { return out_.empty() && !sends_; }
  bool get(uint8_t *byte) {
    if (in_.empty()) return false;
    *byte = in_.front();
    in_.pop_front();
    return true;
  }
  // Hold the line low for so many cycles, whatever is on it.
  void disturb(unsigned cycles) { low_ = cycles; }
  uint64_t without_stop = 0; // bytes that came without a stop bit

private:
  bool send() {
    if (!sends_ && !out_.empty()) {
      bits_ = static_cast<uint16_t>(0x200u | out_.front() << 1); // start, eight bits, stop
      out_.pop_front();
      sends_ = true;
      sent_ = 0;
    }
    bool level = true;
    if (sends_) {
      level = bits_ >> static_cast<unsigned>(sent_ / bit_) & 1;
      sends_ = ++sent_ < 10 * bit_;
    }
    if (low_ > 0) {
      low_--;
      level = false;
    }
    return level;
  }
  void receive(bool tx) {
    if (at_ == 0) {
      if (!tx && was_) at_ = 1, byte_ = bit_at_ = 0;
      was_ = tx;
      return;
    }
    if (at_ >= (bit_at_ + 0.5) * bit_) {
      if (bit_at_ >= 1 && bit_at_ <= 8) byte_ |= static_cast<unsigned>(tx) << (bit_at_ - 1);
      if (bit_at_++ == 9) {
        if (tx)
          in_.push_back(static_cast<uint8_t>(byte_));
        else
          without_stop++;
        at_ = 0;
        was_ = tx;
        return;
      }
    }
    at_++;
  }

  double bit_;
  std::deque<uint8_t> out_, in_;
  uint16_t bits_ = 0;
  bool sends_ = false;
  unsigned sent_ = 0; // cycles of the byte that goes
  unsigned low_ = 0;
  unsigned at_ = 0;     // cycles since the start bit fell
  unsigned bit_at_ = 0; // the bit that is sampled next
  unsigned byte_ = 0;
  bool was_ = true;
};

#endif
