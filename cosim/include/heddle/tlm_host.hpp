// SPDX-License-Identifier: Apache-2.0
//
// The host driver (heddle/driver.h) in a SystemC platform: its port's five functions, as transactions.
//
//   heddle::host host("host");
//   host.registers.bind(gpu.registers);  host.memory.bind(ram.socket);  host.irq(signal);
//   heddle_port port = host.port("gpu 0", 0x100000, 32 << 20);      // then heddle_init, in a thread
//
// Calls of the driver come from a thread of the simulation: they let time pass. Waiting ends early when irq changes.
#ifndef HEDDLE_TLM_HOST_HPP
#define HEDDLE_TLM_HOST_HPP

#include <heddle/port.h>
#include <heddle/tlm_initiator.hpp>

namespace heddle {

class host : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<host> registers, memory;
  sc_core::sc_in<bool> irq;

  explicit host(sc_core::sc_module_name name) : sc_module(name), registers("registers"), memory("memory"), irq("irq") {}

  // For heddle_init. `memory_base`, `memory_bytes`: what the driver may hand out, multiples of 256. `name` is borrowed.
  heddle_port port(const char *name, uint64_t memory_base, uint64_t memory_bytes) {
    heddle_port p = {};
    p.size = sizeof p;
    p.self = this;
    p.name = name;
    p.memory_base = memory_base;
    p.memory_bytes = memory_bytes;
    p.read32 = [](void *self, uint32_t reg, uint32_t *value) {
      return of(self)->word(tlm::TLM_READ_COMMAND, reg, value);
    };
    p.write32 = [](void *self, uint32_t reg, uint32_t value) {
      return of(self)->word(tlm::TLM_WRITE_COMMAND, reg, &value);
    };
    p.read = [](void *self, uint64_t at, void *data, uint64_t n) {
      return of(self)->copy(tlm::TLM_READ_COMMAND, at, static_cast<uint8_t *>(data), n);
    };
    // A payload has one pointer for both directions; the data of a write is not written.
    p.write = [](void *self, uint64_t at, const void *data, uint64_t n) {
      return of(self)->copy(tlm::TLM_WRITE_COMMAND, at, static_cast<uint8_t *>(const_cast<void *>(data)), n);
    };
    p.wait = [](void *self, uint32_t microseconds) {
      sc_core::wait(sc_core::sc_time(microseconds, sc_core::SC_US), of(self)->irq.value_changed_event());
    };
    return p;
  }

private:
  static constexpr uint64_t BURST = 4096;
  static host *of(void *self) { return static_cast<host *>(self); }

  static bool send(detail::socket &to, tlm::tlm_command command, uint64_t at, uint8_t *data, unsigned bytes) {
    detail::payload p;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    detail::fill(p, command, at, data, bytes);
    to->b_transport(p, delay);
    sc_core::wait(delay);
    return p.is_response_ok();
  }
  bool word(tlm::tlm_command command, uint32_t reg, uint32_t *value) {
    return send(registers, command, reg, reinterpret_cast<uint8_t *>(value), 4);
  }
  bool copy(tlm::tlm_command command, uint64_t at, uint8_t *data, uint64_t bytes) {
    bool ok = true;
    for (uint64_t n; ok && bytes > 0; at += n, data += n, bytes -= n) {
      n = std::min(bytes, BURST);
      ok = send(memory, command, at, data, static_cast<unsigned>(n));
    }
    return ok;
  }
};

} // namespace heddle

#endif
