// SPDX-License-Identifier: Apache-2.0
//
// The Verilated RTL behind heddle::gpu (heddle/tlm.hpp), inside of it only.
//
// The device is the one that all other hosts load (heddle/device.h), not a SystemC module of Verilator's. So there may be
// any number of them, and lockstep and platform run one text. At each rising edge it calls back
// (heddle_axi_mem_outside), and SystemC's time passes there: one period. An AXI burst becomes one transaction; its answer is on the bus
// in the first cycle that begins after it came. Memory that answers after L periods is, to the cycle, the calm memory
// of latency L.
//
// The clock stops while no grid runs and nothing is under way. SR_CLOCK therefore is not SystemC's time.
#ifndef HEDDLE_TLM_RTL_HPP
#define HEDDLE_TLM_RTL_HPP

#include <map>

#include <heddle/device.h>
#include <heddle/tlm_engine.hpp>

namespace heddle {
namespace detail {

class rtl_engine : public engine {
public:
  rtl_engine(socket &s, const gpu_options &o, irq_fn f)
      : period(o.period), irq(std::move(f)),
        out(s, [this](const sender::request &r, const sc_core::sc_time &at) { answers.emplace(at, answer(r)); }) {
    open(o);
    for (uint32_t reg = 0; reg < HEDDLE_REG_BYTES; reg += 4)
      known[reg / 4].first = heddle_dut_read32(device, reg, &known[reg / 4].second);
    outside.self = this;
    outside.ask = [](void *self, const heddle_axi_mem_ask *a) {
      static_cast<rtl_engine *>(self)->out.ask(a->write, a->at, a->addr, a->bytes, a->data, a->strobe);
    };
    outside.pass = [](void *self) { static_cast<rtl_engine *>(self)->pass(); };
    if (!heddle_dut_memory_outside(device, &outside)) throw std::runtime_error("no memory");
  }
  ~rtl_engine() override { heddle_dut_free(device); }

  void run() override {
    while (!dead) {
      if (!awake()) sleep();
      if (!queue.empty())
        serve();
      else
        (void)heddle_dut_step(device, 1);
      if (linger > 0) linger--;
      if (running && ++unseen >= POLL) look();
      complain();
    }
  }
  void requests() override { out.run(); }

  bool read(uint32_t reg, uint32_t &value, sc_core::sc_time &delay) override {
    access a = {false, reg, 0};
    const bool ok = perform(a, delay);
    value = a.value;
    if (ok && reg == HEDDLE_REG_STATUS) seen(value, false);
    return ok;
  }
  bool write(uint32_t reg, uint32_t value, sc_core::sc_time &delay) override {
    access a = {true, reg, value};
    if (reg == HEDDLE_REG_CONTROL) irq(false);
    if (!perform(a, delay)) return false;
    if (reg == HEDDLE_REG_CONTROL && (value & HEDDLE_CONTROL_START) && !(value & HEDDLE_CONTROL_ABORT)) running = true;
    uint32_t kept;
    if (!running && heddle_host_regs_kept(reg, value, &kept)) known[reg / 4].second = kept;
    return true;
  }
  // The last seen value of a register: to read the device would take cycles.
  bool peek(uint32_t reg, uint32_t &value) override {
    value = known[reg / 4].second;
    return known[reg / 4].first;
  }
  bool poke(uint32_t, uint32_t) override { return false; }

  tlm::tlm_sync_enum backward(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &t) override {
    return out.backward(p, phase, t);
  }
  void forget(uint64_t, uint64_t) override {} // it uses no pointers: its requests are transactions

private:
  static constexpr unsigned POLL = 16;   // cycles between two looks at STATUS, for the interrupt
  static constexpr unsigned LINGER = 64; // cycles that it goes on after the last thing that happened
  struct access {
    bool write;
    uint32_t reg, value;
    bool ok = false, done = false;
    sc_core::sc_event end;
    access(bool w, uint32_t r, uint32_t v) : write(w), reg(r), value(v) {}
  };
  struct reply {
    bool write;
    uint16_t at;
    uint8_t resp;
    std::vector<uint8_t> data;
  };
  sc_core::sc_time period;
  irq_fn irq;
  struct heddle_dut *device = nullptr;
  heddle_axi_mem_outside outside = {sizeof outside, nullptr, nullptr, nullptr};
  std::multimap<sc_core::sc_time, reply> answers; // by the time from which they hold
  sender out;
  std::pair<bool, uint32_t> known[HEDDLE_REG_BYTES / 4];
  std::deque<access *> queue;
  sc_core::sc_event asked;
  bool running = false, dead = false;
  unsigned unseen = 0, linger = 0;

  void open(const gpu_options &o) {
    heddle_message message;
    heddle_axi_mem_config m = {};
    m.size = sizeof m;
    heddle_axi_mem_calm(&m);
    m.bytes = 4096; // not used: the bytes are outside
    heddle_dut_options d = {};
    d.size = sizeof d;
    d.memory = &m;
    d.seed = o.seed;
    if (heddle_dut_open(o.devices.empty() ? nullptr : o.devices.c_str(), "verilator", o.on.c_str() + 4, &d, &device,
                        &message) != HEDDLE_SUCCESS)
      throw std::runtime_error(message.text);
  }

  static reply answer(const sender::request &r) {
    // AXI has two errors: no target, and refused.
    const tlm::tlm_response_status s = r.get_response_status();
    const uint8_t resp = s == tlm::TLM_OK_RESPONSE ? 0 : s == tlm::TLM_ADDRESS_ERROR_RESPONSE ? 3 : 2;
    return {r.write, r.at, resp, r.data};
  }

  // The callback at a rising edge.
  void pass() {
    sc_core::wait(period);
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    while (!answers.empty() && answers.begin()->first < now) {
      const reply &r = answers.begin()->second;
      heddle_dut_memory_answer(device, r.write, r.at, r.resp, r.data.data());
      answers.erase(answers.begin());
    }
  }

  bool awake() const {
    return running || linger > 0 || !queue.empty() || !out.idle() || !heddle_axi_mem_idle(heddle_dut_memory(device));
  }
  // Until a request, and then the next edge.
  void sleep() {
    while (queue.empty()) sc_core::wait(asked);
    const uint64_t over = sc_core::sc_time_stamp().value() % period.value();
    if (over != 0) sc_core::wait(sc_core::sc_time::from_value(period.value() - over));
  }
  bool perform(access &a, sc_core::sc_time &delay) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    queue.push_back(&a);
    asked.notify(sc_core::SC_ZERO_TIME);
    while (!a.done && !dead) sc_core::wait(a.end);
    return a.ok;
  }
  void serve() {
    access &a = *queue.front();
    queue.pop_front();
    a.ok = a.write ? heddle_dut_write32(device, a.reg, a.value) : heddle_dut_read32(device, a.reg, &a.value);
    if (!a.write && a.ok) known[a.reg / 4] = {true, a.value};
    a.done = true;
    a.end.notify(sc_core::SC_ZERO_TIME);
    linger = LINGER;
  }
  void look() {
    uint32_t status = 0;
    unseen = 0;
    if (!heddle_dut_read32(device, HEDDLE_REG_STATUS, &status)) return;
    known[HEDDLE_REG_STATUS / 4] = {true, status};
    seen(status, true);
  }
  // STATUS as it was read: for the interrupt, or by a host.
  void seen(uint32_t status, bool looked) {
    if (!looked) irq(false);
    if (!running || (status & (HEDDLE_STATUS_RUNNING | HEDDLE_STATUS_DRAINING)) != 0) return;
    running = false;
    linger = LINGER;
    if (looked && (status & ENDED) != 0) irq(true);
  }
  // A message of the RTL or of the bus is the end of this device.
  void complain() {
    const char *why = heddle_dut_failure(device);
    if (why == nullptr) why = heddle_axi_mem_protocol_error(heddle_dut_memory(device));
    if (why == nullptr) return;
    dead = true;
    for (access *a : queue) a->end.notify(sc_core::SC_ZERO_TIME);
    SC_REPORT_ERROR("/heddle/tlm/rtl", why);
  }
};

} // namespace detail
} // namespace heddle

#endif
