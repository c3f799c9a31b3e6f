// SPDX-License-Identifier: Apache-2.0
//
// The reference model behind heddle::gpu (heddle/tlm.hpp), inside of it only.
//
// A grid is: fetch what the launch maps (code, constant banks, regions), run it whole, let its time pass quantum by
// quantum, write back the sectors that it changed, end. So the platform sees results when the grid ends and not before,
// which the instruction set allows: host and grid are not coherent. Local memory is the model's own and is not seen
// outside.
#ifndef HEDDLE_TLM_MODEL_HPP
#define HEDDLE_TLM_MODEL_HPP

#include <heddle/host.h>
#include <heddle/model.h>
#include <heddle/sim.h>
#include <heddle/tlm_engine.hpp>

namespace heddle {
namespace detail {

class model_engine : public engine {
public:
  model_engine(socket &s, const gpu_options &o, irq_fn f) : bytes(s), period(o.period), irq(std::move(f)) {
    heddle_message message;
    heddle_sim_options board = {};
    board.size = sizeof board;
    board.name = o.on.c_str();
    board.memory_bytes = o.memory_bytes;
    if (heddle_sim_open(&board, &sim, &message) != HEDDLE_SUCCESS) throw std::runtime_error(message.text);
    port = heddle_sim_port(sim);
  }
  ~model_engine() override { heddle_sim_close(sim); }

  void run() override {
    for (;;) {
      while (!busy) sc_core::wait(begin);
      keeper.reset();
      grid();
      keeper.sync();
      bus_error = bus_error && !aborted;
      busy = false;
      irq(!aborted);
    }
  }
  void requests() override {}

  bool read(uint32_t reg, uint32_t &value, sc_core::sc_time &delay) override {
    delay += period;
    if (reg == HEDDLE_REG_STATUS && !busy) irq(false);
    return peek(reg, value);
  }
  bool write(uint32_t reg, uint32_t value, sc_core::sc_time &delay) override {
    delay += period;
    if (reg != HEDDLE_REG_CONTROL) return busy || port->write32(port->self, reg, value);
    irq(false);
    control(value, delay);
    return true;
  }
  bool peek(uint32_t reg, uint32_t &value) override {
    if (!port->read32(port->self, reg, &value)) return false;
    if (reg == HEDDLE_REG_STATUS && busy) value = HEDDLE_STATUS_RUNNING;
    if (bus_error && !busy) overlay(reg, value);
    return true;
  }
  bool poke(uint32_t reg, uint32_t value) override {
    return reg != HEDDLE_REG_CONTROL && !busy && port->write32(port->self, reg, value);
  }

  tlm::tlm_sync_enum backward(payload &, tlm::tlm_phase &, sc_core::sc_time &) override { return tlm::TLM_ACCEPTED; }
  void forget(uint64_t first, uint64_t last) override { bytes.forget(first, last); }

private:
  struct range {
    uint64_t base, size;
    bool writable;
    std::vector<uint8_t> was;
  };
  copier bytes;
  sc_core::sc_time period;
  irq_fn irq;
  heddle_sim *sim = nullptr;
  const heddle_port *port = nullptr;
  tlm_utils::tlm_quantumkeeper keeper;
  sc_core::sc_event begin, stop;
  std::vector<range> mapped;
  bool busy = false, aborted = false;
  bool bus_error = false; // memory answered with an error, which the model cannot see
  uint64_t bad = 0;       // where

  void control(uint32_t value, const sc_core::sc_time &delay) {
    if (value & HEDDLE_CONTROL_ABORT) {
      aborted = true;
      bus_error = false;
      if (!busy) (void)port->write32(port->self, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_ABORT);
      stop.notify(delay);
    } else if ((value & HEDDLE_CONTROL_START) && !busy) {
      busy = true;
      aborted = bus_error = false;
      begin.notify(delay);
    }
  }

  // A bus error shows in the trap registers, with its address alone.
  void overlay(uint32_t reg, uint32_t &value) const {
    if (reg == HEDDLE_REG_STATUS) value = HEDDLE_STATUS_TRAPPED;
    if (reg < HEDDLE_REG_TRAP_CAUSE || reg > HEDDLE_REG_TRAP_SM) return;
    value = 0;
    if (reg == HEDDLE_REG_TRAP_CAUSE) value = HEDDLE_TRAP_BUS;
    if (reg == HEDDLE_REG_TRAP_ADDR) value = static_cast<uint32_t>(bad);
    if (reg == HEDDLE_REG_TRAP_ADDR + 4) value = static_cast<uint32_t>(bad >> 32);
  }

  void map(uint64_t base, uint64_t size, bool writable) {
    // The model refuses what it does not have; nothing is fetched for that.
    const bool has = base >= port->memory_base && base - port->memory_base <= port->memory_bytes &&
                     size <= port->memory_bytes - (base - port->memory_base);
    if (size != 0 && has) mapped.push_back({base, size, writable, {}});
  }
  void map_launch() {
    heddle_host_launch l = {};
    l.size = sizeof l;
    mapped.clear();
    if (heddle_host_launch_read(&l, port->read32, port->self) != HEDDLE_SUCCESS) return;
    map(l.code_base, l.code_bytes, false);
    for (unsigned i = 0; i < HEDDLE_CBANKS; i++) map(l.cbank_base[i], l.cbank_bytes[i], false);
    for (unsigned i = 0; i < HEDDLE_REGIONS; i++)
      if (l.region_limit[i] > l.region_base[i])
        map(l.region_base[i], l.region_limit[i] - l.region_base[i], (l.region_write >> i & 1) != 0);
  }
  bool fetch() {
    for (range &r : mapped) {
      r.was.resize(r.size);
      if (!bytes.copy(false, r.base, r.was.data(), r.size, keeper, &bad)) return false;
      (void)port->write(port->self, r.base, r.was.data(), r.size);
    }
    return true;
  }
  // Sectors that differ from what was fetched; neighbours go together.
  bool write_back(range &r) {
    std::vector<uint8_t> now(r.size);
    (void)port->read(port->self, r.base, now.data(), r.size);
    const auto same = [&](uint64_t at) {
      return std::memcmp(&now[at], &r.was[at], std::min<uint64_t>(copier::SECTOR, r.size - at)) == 0;
    };
    for (uint64_t from = 0, to; from < r.size; from = to) {
      const bool kept = same(from);
      for (to = from; to < r.size && same(to) == kept;) to += copier::SECTOR;
      to = std::min<uint64_t>(to, r.size);
      if (!kept && !bytes.copy(true, r.base + from, &now[from], to - from, keeper, &bad)) return false;
    }
    return true;
  }
  // So many clocks, a quantum at a time. False: aborted.
  bool pass(uint64_t clocks) {
    const sc_core::sc_time quantum = tlm::tlm_global_quantum::instance().get();
    sc_core::sc_time left = period * static_cast<double>(clocks);
    while (left > sc_core::SC_ZERO_TIME && !aborted) {
      const sc_core::sc_time step = quantum == sc_core::SC_ZERO_TIME ? left : std::min(left, quantum);
      keeper.inc(step);
      left -= step;
      if (keeper.need_sync()) keeper.sync();
    }
    return !aborted;
  }
  uint64_t cycles() const {
    uint32_t low = 0, high = 0;
    (void)port->read32(port->self, HEDDLE_REG_CYCLES, &low);
    (void)port->read32(port->self, HEDDLE_REG_CYCLES_HI, &high);
    return static_cast<uint64_t>(high) << 32 | low;
  }

  void grid() {
    uint32_t status = 0;
    map_launch();
    bus_error = !fetch();
    if (bus_error || aborted) return;
    (void)port->write32(port->self, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START);
    port->wait(port->self, 1);
    (void)port->read32(port->self, HEDDLE_REG_STATUS, &status);
    while ((status & ENDED) == 0 && !aborted) sc_core::wait(stop); // one that does not end
    if (aborted || !pass(cycles())) {
      (void)port->write32(port->self, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_ABORT);
      return;
    }
    for (range &r : mapped)
      if (r.writable && !write_back(r)) bus_error = true;
  }
};

} // namespace detail
} // namespace heddle

#endif
