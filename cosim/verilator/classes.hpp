// SPDX-License-Identifier: Apache-2.0
//
// Classes of warps in each cycle, from class_watch.sv, kept as changes.
#ifndef HEDDLE_CLASSES_HPP
#define HEDDLE_CLASSES_HPP

#include <cstring>
#include <vector>

extern "C" {
#include <heddle/device.h>
}

namespace classes {

struct Watch {
  bool wanted = false;
  const uint64_t *cycle = nullptr; // the device's
  std::vector<heddle_dut_class> changes, taken;
  uint8_t last[HEDDLE_SMS_OF_CONFIG][HEDDLE_WARPS_OF_CONFIG];

  void begin(const uint64_t *now)
  {
    cycle = now;
    changes.clear();
    std::memset(last, HEDDLE_DUT_NO_WARP, sizeof last);
  }
  // Four bits a warp, those of one partition.
  void tell(unsigned sm, unsigned part, const uint32_t *of)
  {
    constexpr unsigned PARTS = HEDDLE_PARTITIONS_OF_CONFIG;
    for (unsigned w = 0; w < HEDDLE_WARPS_OF_CONFIG / PARTS; w++) {
      const uint8_t state = of[w / 8] >> w % 8 * 4 & 15, slot = static_cast<uint8_t>(w * PARTS + part);
      if (last[sm][slot] == state) continue;
      last[sm][slot] = state;
      changes.push_back(heddle_dut_class{*cycle, static_cast<uint8_t>(sm), slot, state});
    }
  }
  const heddle_dut_class *take(size_t &n)
  {
    taken.swap(changes);
    changes.clear();
    n = taken.size();
    return taken.data();
  }
};

// The receiver. One device a thread.
inline Watch *&watch()
{
  static thread_local Watch *w = nullptr;
  return w;
}

} // namespace classes

// Functions for the SystemVerilog (in each reset: is there a receiver?), and exports of the device.
#define HEDDLE_DEVICE_CLASSES(Sim)                                                                                    \
  extern "C" {                                                                                                        \
  unsigned char heddle_classes_wanted()                                                                               \
  {                                                                                                                   \
    return classes::watch() != nullptr && classes::watch()->wanted;                                                   \
  }                                                                                                                   \
  void heddle_classes(unsigned char sm, unsigned char part, const unsigned *of)                                       \
  {                                                                                                                   \
    if (classes::watch() != nullptr) classes::watch()->tell(sm, part, of);                                            \
  }                                                                                                                   \
  __attribute__((visibility("default"))) void heddle_device_classes_begin(void *self);                                \
  __attribute__((visibility("default"))) const heddle_dut_class *heddle_device_classes(void *self, size_t *n);         \
  void heddle_device_classes_begin(void *self) { core::Ops<Sim>::of(self)->watch.wanted = true; }                      \
  const heddle_dut_class *heddle_device_classes(void *self, size_t *n)                                                \
  {                                                                                                                   \
    return core::Ops<Sim>::of(self)->watch.take(*n);                                                                  \
  }                                                                                                                   \
  }

#endif
