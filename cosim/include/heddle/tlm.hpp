// SPDX-License-Identifier: Apache-2.0
//
// A GPU as a module of a SystemC platform (SystemC 2.3, TLM-2.0): registers are a target, memory is an initiator. The
// engine behind the sockets is the reference model or the Verilated RTL.
//
//   heddle::gpu gpu("gpu", options);
//   cpu.socket.bind(gpu.registers);  gpu.memory.bind(ram.socket);  gpu.irq(signal);
//
// Instances: any number, made before sc_start; each has its own state. Names of devices are looked up when they are
// made: std::runtime_error names a missing one. The RTL of several instances runs in the simulation's one
// thread and keeps the words of its first failed assertion there, so a failure of one ends all.
//
// registers  b_transport (nb_transport by the socket's own conversion): the words of isa/abi/host_regs.layout, at their
//            offsets from 0. One whole aligned word a transaction, else
//              TLM_ADDRESS_ERROR_RESPONSE      behind the last register, or not a multiple of 4
//              TLM_BURST_ERROR_RESPONSE        a length other than 4, or a streaming width below it
//              TLM_BYTE_ENABLE_ERROR_RESPONSE  byte enables that leave a byte out
//              TLM_GENERIC_ERROR_RESPONSE      the register is not there
//            RTL waits until its AXI4-Lite has answered; the model adds a period to the delay.
//            transport_dbg reads without time what the model has, of RTL what was last seen; it writes the model alone.
//            No direct pointers.
// memory     addresses as the grid has them. RTL: nb_transport, four phases, one transaction a burst, any number
//            outstanding, answers in any order. The model: b_transport, ahead of time by the global quantum, and
//            direct pointers where a response offers them, until they are taken back. Each works with targets that have
//            only the other kind: the sockets of tlm_utils convert.
//            An error ends the grid with a bus error: with RTL, as the bus has it, where an access meets it; with the
//            model as soon as anything that the launch maps (code, constants, regions) cannot be read, or written back.
// irq        rises when a grid has ended, in whatever way (RTL: within 32 cycles); falls when STATUS is read or CONTROL
//            written. It stays low if a host reads the end before. The core has no such pin; this is the shim's.
//
// There is no reset: make the platform again, or abort by CONTROL.
#ifndef HEDDLE_TLM_HPP
#define HEDDLE_TLM_HPP

#include <heddle/tlm_model.hpp>
#include <heddle/tlm_rtl.hpp>

namespace heddle {

class gpu : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<gpu> registers;
  tlm_utils::simple_initiator_socket<gpu> memory;
  sc_core::sc_out<bool> irq;

  SC_HAS_PROCESS(gpu);
  gpu(sc_core::sc_module_name name, const gpu_options &o)
      : sc_module(name), registers("registers"), memory("memory"), irq("irq"), engine(make(o)) {
    registers.register_b_transport(this, &gpu::transport);
    registers.register_transport_dbg(this, &gpu::debug);
    memory.register_nb_transport_bw(this, &gpu::backward);
    memory.register_invalidate_direct_mem_ptr(this, &gpu::invalidate);
    SC_THREAD(run);
    set_stack_size(STACK);
    SC_THREAD(requests);
    SC_METHOD(drive_irq);
    sensitive << irq_changed;
  }

private:
  static constexpr int STACK = 4 << 20; // model and RTL run on it
  sc_core::sc_event irq_changed;
  bool irq_level = false;
  std::unique_ptr<detail::engine> engine;

  std::unique_ptr<detail::engine> make(const gpu_options &o) {
    const auto line = [this](bool level) {
      irq_level = level;
      irq_changed.notify(sc_core::SC_ZERO_TIME);
    };
    if (o.on.compare(0, 4, "rtl:") == 0) return std::make_unique<detail::rtl_engine>(memory, o, line);
    if (o.on.compare(0, 5, "model") == 0) return std::make_unique<detail::model_engine>(memory, o, line);
    throw std::runtime_error("'" + o.on + "': expected model, model:CONFIG or rtl:CONFIG");
  }
  void run() { engine->run(); }
  void requests() { engine->requests(); }
  void drive_irq() { irq.write(irq_level); }

  // Error of a transaction, before it has an effect.
  static tlm::tlm_response_status shape(const tlm::tlm_generic_payload &p) {
    if (p.get_address() >= HEDDLE_REG_BYTES || p.get_address() % 4 != 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (p.get_data_length() != 4 || p.get_streaming_width() < 4) return tlm::TLM_BURST_ERROR_RESPONSE;
    for (unsigned i = 0; p.get_byte_enable_ptr() != nullptr && i < 4; i++)
      if (p.get_byte_enable_ptr()[i % p.get_byte_enable_length()] != TLM_BYTE_ENABLED)
        return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
  }
  void transport(tlm::tlm_generic_payload &p, sc_core::sc_time &delay) {
    const tlm::tlm_response_status wrong = shape(p);
    const uint32_t reg = static_cast<uint32_t>(p.get_address());
    uint32_t value = 0;
    bool ok = true;
    p.set_response_status(wrong);
    if (wrong != tlm::TLM_OK_RESPONSE) return;
    if (p.is_write()) std::memcpy(&value, p.get_data_ptr(), 4);
    if (p.is_write()) ok = engine->write(reg, value, delay);
    if (p.is_read()) ok = engine->read(reg, value, delay);
    if (p.is_read()) std::memcpy(p.get_data_ptr(), &value, 4);
    if (!ok) p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
  unsigned debug(tlm::tlm_generic_payload &p) {
    unsigned done = 0;
    const uint64_t at = p.get_address();
    for (; at % 4 == 0 && done + 4 <= p.get_data_length() && at + done < HEDDLE_REG_BYTES; done += 4) {
      const uint32_t reg = static_cast<uint32_t>(at + done);
      uint32_t value = 0;
      std::memcpy(&value, p.get_data_ptr() + done, 4);
      if (!(p.is_write() ? engine->poke(reg, value) : engine->peek(reg, value))) break;
      if (p.is_read()) std::memcpy(p.get_data_ptr() + done, &value, 4);
    }
    p.set_response_status(done != 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
    return done;
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &t) {
    return engine->backward(p, phase, t);
  }
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) { engine->forget(first, last); }
};

} // namespace heddle

#endif
