// SPDX-License-Identifier: Apache-2.0
//
// Engines behind the sockets of heddle::gpu (heddle/tlm.hpp), inside of it only.
#ifndef HEDDLE_TLM_ENGINE_HPP
#define HEDDLE_TLM_ENGINE_HPP

#include <stdexcept>
#include <string>

#include <heddle/tlm_initiator.hpp>

#include <heddle/host_regs.h>

namespace heddle {

struct gpu_options {
  std::string on = "model"; // "model", "model:CONFIG", "rtl:CONFIG", as heddle_sim_options names boards
  std::string devices;      // folder of simulated hardware; "": as heddle_sim_options says
  sc_core::sc_time period{10, sc_core::SC_NS}; // of the clock; of a model, for one warp instruction
  uint64_t memory_bytes = 64u << 20;           // of a model: it reaches so many, from 0x100000 on. RTL: all addresses
  uint64_t seed = 1;                           // RTL: what registers hold that reset leaves alone
};

namespace detail {

constexpr uint32_t ENDED = HEDDLE_STATUS_DONE | HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED;

class engine {
public:
  virtual ~engine() = default;
  virtual void run() = 0;      // the body of a thread
  virtual void requests() = 0; // of another one
  // A register, in time: what passes is added to `delay`, or waited for. False: the bus answers with an error.
  virtual bool read(uint32_t reg, uint32_t &value, sc_core::sc_time &delay) = 0;
  virtual bool write(uint32_t reg, uint32_t value, sc_core::sc_time &delay) = 0;
  // For debuggers: no time passes, nothing changes but what is written. False: it cannot be done so.
  virtual bool peek(uint32_t reg, uint32_t &value) = 0;
  virtual bool poke(uint32_t reg, uint32_t value) = 0;
  // For the socket to memory.
  virtual tlm::tlm_sync_enum backward(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &t) = 0;
  virtual void forget(uint64_t first, uint64_t last) = 0;
};
using irq_fn = std::function<void(bool)>;

} // namespace detail
} // namespace heddle

#endif
