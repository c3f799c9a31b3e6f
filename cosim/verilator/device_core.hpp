// SPDX-License-Identifier: Apache-2.0
//
// Shared by all simulations of heddle_gpu: one clock after another, memory and host on their ports, records.
// A back end gives `Sim`: top(), shown() (where the records are: the top, mostly), settle() (clock low, inputs taken), rise()
// (rising edge), wave(path), and its name.
#ifndef HEDDLE_DEVICE_CORE_HPP
#define HEDDLE_DEVICE_CORE_HPP

#include <cstdarg>
#include <cstdio>
#include <memory>
#include <new>
#include <string>

#include "cosim/verilator/bus.hpp"
#if HEDDLE_PORT
#include "cosim/verilator/seat.hpp"
#endif
#if !HEDDLE_BARE
#include "cosim/verilator/sample.hpp"
#endif
#if HEDDLE_STREAM
#include "cosim/verilator/link.hpp"
#endif
#if HEDDLE_CLASSES
#include "cosim/verilator/classes.hpp"
#endif
#if HEDDLE_FAULTS
#include "cosim/verilator/fault_number.hpp"
#endif

extern "C" {
#include <heddle/device.h>
}

namespace core {

// An assertion of the RTL that failed: kept for the session, which ends the run. One device a thread.
inline std::string &failure_text()
{
  static thread_local std::string text;
  return text;
}

// Messages of the RTL: none during reset, and not without end.
struct Voice {
  bool quiet = false;
  unsigned said = 0;
};
inline Voice &voice()
{
  static thread_local Voice v;
  return v;
}

template <class Sim> struct Device {
  Sim sim;
  heddle_axi_mem *memory = nullptr;
#if HEDDLE_PORT
  seat::Seat port; // memory system behind the SM's channel; the bytes are those of `memory`
#else
  heddle_axi_mem_in in[bus::PORTS] = {};
#endif
  uint64_t cycles = 0, ready_rng = 0;
  bus::Manner manner;
  bool sampling = true, resetting = false;
#if !HEDDLE_BARE
  sample::Buffer records{};
#endif
#if HEDDLE_STREAM
  board::Link link; // takes what a board would send
#endif
#if HEDDLE_CLASSES
  classes::Watch watch; // receives the class of each warp
#endif

  // One clock. `look` sees the settled outputs of the cycle, before the rising edge.
  template <class Look> inline void edge(Look look)
  {
    auto &top = sim.top();
    memory_drives(top);
    if (ready_rng != 0) withhold();
#if HEDDLE_STREAM
    link.drive(top);
#endif
    sim.settle(cycles);
    look();
#if HEDDLE_STREAM
    link.sample(top);
#endif
    record();
    memory_sees(top);
    sim.rise(cycles);
    if (!resetting) memory_clock();
    cycles++;
  }
#if HEDDLE_PORT
  template <class Top> inline void memory_drives(Top &top) { port.drive(top); }
  template <class Top> inline void memory_sees(const Top &top) { port.sample(top); }
  inline void memory_clock()
  {
    if (const char *broken = port.clock(); broken != nullptr && failure_text().empty()) failure_text() = broken;
  }
  void memory_reset() { port.reset(); }
  bool memory_begin(const heddle_axi_mem_config &c, const char *l1) { return port.begin(memory, c, l1); }
#else
  template <class Top> inline void memory_drives(Top &top) { bus::drive(top, heddle_axi_mem_outputs(memory)); }
  template <class Top> inline void memory_sees(const Top &top) { bus::sample(top, in); }
  inline void memory_clock() { heddle_axi_mem_clock(memory, in); }
  void memory_reset() {}
  bool memory_begin(const heddle_axi_mem_config &, const char *l1) { return l1 == nullptr; }
#endif
  void edge()
  {
    edge([] {});
  }

#if HEDDLE_BARE
  void record() {}
  void withhold() {}
  bool full() const { return false; }
  void go_on() {}
#else
  inline void record()
  {
    if (!sampling || resetting) return;
    records.cycle = cycles;
#if HEDDLE_PORT
    port.show(records);
    const size_t from = records.count;
    sample::cycle(sim.shown(), records);
    port.watch(records.record + from, records.count - from);
#else
    sample::cycle(sim.shown(), records);
#endif
  }
  void withhold()
  {
    ready_rng ^= ready_rng << 13;
    ready_rng ^= ready_rng >> 7;
    ready_rng ^= ready_rng << 17;
    ports::drive(sim.top().ret_ready_i, (ready_rng & 7) > 1);
  }
  bool full() const { return records.full(); }
  void go_on() { records.over = false; }
#endif

  void reset()
  {
    resetting = voice().quiet = true;
    ports::drive(sim.top().rst_ni, 0);
    bus::host_idle(sim.top());
    heddle_axi_mem_reset(memory);
    memory_reset();
    for (unsigned i = 0; i < 8; i++) edge();
    resetting = voice().quiet = false;
    voice().said = 0;
    failure_text().clear();
    ports::drive(sim.top().rst_ni, 1);
    edge();
  }

  bool begin(const heddle_dut_options *o)
  {
    heddle_axi_mem_config c = *o->memory;
    c.data_bytes = bus::AXI_BYTES;
    c.ports = bus::PORTS;
    heddle_axi_mem_free(memory);
    memory = heddle_axi_mem_new(&c);
    if (memory == nullptr || (HEDDLE_BARE && o->records) || !memory_begin(c, o->l1)) return false;
    sampling = o->records;
    ready_rng = o->ready_seed;
    manner.rng = o->host_seed;
#if !HEDDLE_BARE
    records.clear();
    ports::drive(sim.top().ret_ready_i, 1);
#endif
#if HEDDLE_STREAM
    link.begin(sim.top(), o->stream_gap, o->stream_drop);
#endif
#if HEDDLE_CLASSES
    watch.begin(&cycles);
    classes::watch() = &watch;
#endif
#if HEDDLE_FAULTS
    heddle_fault() = o->fault != 0 ? o->fault : heddle_fault_asked(); // the model reads it when it is first evaluated
#endif
    bus::host_idle(sim.top());
    if (o->wave != nullptr && !sim.wave(o->wave)) return false;
    reset();
    return true;
  }

  ~Device()
  {
#if HEDDLE_CLASSES
    if (classes::watch() == &watch) classes::watch() = nullptr;
#endif
    heddle_axi_mem_free(memory);
  }
};

template <class Sim> struct Ops {
  using D = Device<Sim>;
  static D *of(void *self) { return static_cast<D *>(self); }

  static const heddle_dut_info *describe()
  {
    static const heddle_dut_info info = {HEDDLE_CONFIG_NAME, Sim::backend, 0, HEDDLE_SMS_OF_CONFIG, HEDDLE_LANES_OF_CONFIG, HEDDLE_WARPS_OF_CONFIG,
                                     HEDDLE_BLOCKS_OF_CONFIG, HEDDLE_SHARED_OF_CONFIG, HEDDLE_AXI_BITS_OF_CONFIG / 8,
                                     HEDDLE_TRACE != 0, HEDDLE_FAULTS != 0, HEDDLE_PORT != 0, HEDDLE_RECORD_READ_AGE, HEDDLE_RECORD_PRED_AGE,
                                     HEDDLE_L1_OF_CONFIG / 32, HEDDLE_L1_OF_CONFIG != 0 ? HEDDLE_CHECKER_CACHE_PROMISES : 0};
    return &info;
  }
  static void reset(void *self) { of(self)->reset(); }
  static bool host_write(void *self, uint32_t addr, uint32_t data)
  {
    return host_write_bytes(self, addr, data, 15) == HEDDLE_DUT_OKAY;
  }
  static heddle_dut_answer host_write_bytes(void *self, uint32_t addr, uint32_t data, unsigned bytes)
  {
    D *d = of(self);
    return bus::host_write(d->sim.top(), addr, data, bytes, d->manner, [d](auto look) { d->edge(look); });
  }
  static bool host_read(void *self, uint32_t addr, uint32_t *data)
  {
    D *d = of(self);
    return bus::host_read(d->sim.top(), addr, data, d->manner, [d](auto look) { d->edge(look); });
  }
  static heddle_dut_answer host_both(void *self, const heddle_dut_both *b, uint32_t *data, bool *ok)
  {
    D *d = of(self);
    return bus::host_both(d->sim.top(), *b, data, ok, d->manner, [d](auto look) { d->edge(look); });
  }
  static uint64_t step(void *self, uint64_t cycles)
  {
    D *d = of(self);
    const std::string &failed = failure_text();
    uint64_t done = 0;
    d->go_on();
    while (done < cycles && !d->full() && failed.empty()) {
      d->edge();
      done++;
    }
    return done;
  }
#if HEDDLE_BARE
  static const heddle_retire_record *records(void *, size_t *count)
  {
    *count = 0;
    return nullptr;
  }
  static const heddle_retire_record *take(void *self, size_t *count) { return records(self, count); }
  static void clear(void *) {}
#else
  static const heddle_retire_record *records(void *self, size_t *count)
  {
    *count = of(self)->records.count;
    return of(self)->records.record;
  }
  static const heddle_retire_record *take(void *self, size_t *count) { return of(self)->records.take(*count); }
  static void clear(void *self) { of(self)->records.clear(); }
#endif
  static heddle_axi_mem *memory(void *self) { return of(self)->memory; }
  static uint64_t cycle(void *self) { return of(self)->cycles; }
  static bool wave(void *self, const char *path) { return of(self)->sim.wave(path); }
  static bool irq(void *self) { return ports::value(of(self)->sim.top().irq_o) != 0; }
  static const char *failure(void *) { return failure_text().empty() ? nullptr : failure_text().c_str(); }
};

} // namespace core

// Verilator's runtime comes here for $stop and for errors of its own (built with VL_USER_STOP, VL_USER_FATAL).
#define HEDDLE_VERILATOR_HOOKS                                                                                        \
  int heddle_vl_print(const char *fmt, ...)                                                                           \
  {                                                                                                                   \
    if (core::voice().quiet || core::voice().said++ >= 20) return 0;                                                  \
    va_list ap;                                                                                                       \
    va_start(ap, fmt);                                                                                                \
    const int n = std::vfprintf(stderr, fmt, ap);                                                                     \
    va_end(ap);                                                                                                       \
    return n;                                                                                                         \
  }                                                                                                                   \
  void vl_stop(const char *file, int line, const char *hier)                                                          \
  {                                                                                                                   \
    if (core::failure_text().empty())                                                                                 \
      core::failure_text() = std::string(file) + ":" + std::to_string(line) + ": assertion failed in " + hier;         \
  }                                                                                                                   \
  void vl_fatal(const char *file, int line, const char *hier, const char *msg)                                        \
  {                                                                                                                   \
    if (core::failure_text().empty())                                                                                 \
      core::failure_text() = std::string(file) + ":" + std::to_string(line) + ": " + hier + ": " + msg;                \
  }

// Exports of a device with a stream, beside its table.
#if HEDDLE_STREAM
#define HEDDLE_DEVICE_STREAM(Sim)                                                                                     \
  extern "C" __attribute__((visibility("default"))) const uint8_t *heddle_device_stream(void *self, size_t *bytes);    \
  const uint8_t *heddle_device_stream(void *self, size_t *bytes)                                                       \
  {                                                                                                                   \
    return core::Ops<Sim>::of(self)->link.take(*bytes);                                                               \
  }
#else
#define HEDDLE_DEVICE_STREAM(Sim)
#endif

#if !HEDDLE_CLASSES
#define HEDDLE_DEVICE_CLASSES(Sim)
#endif

#define HEDDLE_DEVICE_TABLE(Sim, create, destroy)                                                                     \
  HEDDLE_DEVICE_STREAM(Sim)                                                                                           \
  HEDDLE_DEVICE_CLASSES(Sim)                                                                                          \
  extern "C" {                                                                                                        \
  extern __attribute__((visibility("default"))) const heddle_dut_ops heddle_device_ops;                                   \
  const heddle_dut_ops heddle_device_ops = {HEDDLE_DUT_ABI, core::Ops<Sim>::describe, create, destroy, core::Ops<Sim>::reset,  \
                                        core::Ops<Sim>::host_write, core::Ops<Sim>::host_read,                         \
                                        core::Ops<Sim>::host_write_bytes, core::Ops<Sim>::host_both,                   \
                                        core::Ops<Sim>::step,                                                          \
                                        core::Ops<Sim>::records, core::Ops<Sim>::take, core::Ops<Sim>::clear,          \
                                        core::Ops<Sim>::memory, core::Ops<Sim>::cycle, core::Ops<Sim>::wave,           \
                                        core::Ops<Sim>::failure, core::Ops<Sim>::irq};                                \
  }

#endif
