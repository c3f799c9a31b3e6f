// SPDX-License-Identifier: Apache-2.0
//
// Memory for any number of initiators: answers after a latency, may have a range that answers with errors, hands out
// direct pointers by option. Both ways of transport; it takes one non-blocking request a call and answers in order of
// time.
#ifndef MEMORY_HPP
#define MEMORY_HPP

#include <cstring>
#include <map>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>

class memory : public sc_core::sc_module {
public:
  tlm_utils::multi_passthrough_target_socket<memory> socket;
  bool pointers = false; // are handed out
  unsigned transactions = 0;
  sc_core::sc_time ahead; // the furthest that a blocking one came before its time

  SC_HAS_PROCESS(memory);
  memory(sc_core::sc_module_name name, uint64_t base, uint64_t size, sc_core::sc_time latency)
      : sc_module(name), socket("socket"), first(base), bytes(size), late(latency) {
    socket.register_b_transport(this, &memory::blocking);
    socket.register_nb_transport_fw(this, &memory::forward);
    socket.register_transport_dbg(this, &memory::debug);
    socket.register_get_direct_mem_ptr(this, &memory::direct);
    SC_THREAD(answer);
  }

  // From now on accesses that touch [from, limit) are refused; pointers are taken back.
  void errors(uint64_t from, uint64_t limit) {
    bad_from = from;
    bad_limit = limit;
    for (unsigned i = 0; i < socket.size(); i++) socket[i]->invalidate_direct_mem_ptr(0, ~0ull);
  }
  uint8_t *at(uint64_t address) { return &bytes[address - first]; }

private:
  struct pending {
    int from;
    tlm::tlm_generic_payload *p;
  };
  uint64_t first, bad_from = 0, bad_limit = 0;
  std::vector<uint8_t> bytes;
  sc_core::sc_time late;
  std::multimap<sc_core::sc_time, pending> due;
  const tlm::tlm_generic_payload *answering = nullptr; // until its END_RESP
  sc_core::sc_event more, taken;

  bool inside(uint64_t from, uint64_t n) const {
    return from >= first && from - first <= bytes.size() && n <= bytes.size() - (from - first);
  }

  void move(tlm::tlm_generic_payload &p) {
    const unsigned n = p.get_data_length(), enables = p.get_byte_enable_length();
    uint8_t *there = at(p.get_address()), *here = p.get_data_ptr();
    if (!p.get_byte_enable_ptr() && p.is_write()) std::memcpy(there, here, n);
    if (!p.get_byte_enable_ptr() && p.is_read()) std::memcpy(here, there, n);
    for (unsigned i = 0; p.get_byte_enable_ptr() && i < n; i++) {
      if (p.get_byte_enable_ptr()[i % enables] != TLM_BYTE_ENABLED) continue;
      if (p.is_write()) there[i] = here[i];
      if (p.is_read()) here[i] = there[i];
    }
  }
  void serve(tlm::tlm_generic_payload &p) {
    const uint64_t from = p.get_address(), n = p.get_data_length();
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    if (p.get_streaming_width() < n) return p.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    if (!inside(from, n)) return p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (from < bad_limit && from + n > bad_from) return p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    move(p);
    p.set_dmi_allowed(pointers && bad_limit == 0);
  }

  void blocking(int, tlm::tlm_generic_payload &p, sc_core::sc_time &t) {
    transactions++;
    if (t > ahead) ahead = t;
    serve(p);
    t += late;
  }
  tlm::tlm_sync_enum forward(int from, tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &t) {
    if (phase == tlm::END_RESP) {
      answering = nullptr;
      taken.notify(t);
      return tlm::TLM_COMPLETED;
    }
    transactions++;
    p.acquire();
    serve(p); // data moves now; the answer comes later
    due.emplace(sc_core::sc_time_stamp() + t + late, pending{from, &p});
    more.notify(sc_core::SC_ZERO_TIME);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void answer() {
    for (;;) {
      while (due.empty()) wait(more);
      const sc_core::sc_time when = due.begin()->first, now = sc_core::sc_time_stamp();
      if (when > now) {
        wait(when - now, more); // something earlier may come
        continue;
      }
      const pending d = due.begin()->second;
      due.erase(due.begin());
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time t = sc_core::SC_ZERO_TIME;
      answering = d.p;
      const tlm::tlm_sync_enum s = socket[d.from]->nb_transport_bw(*d.p, phase, t);
      if (s == tlm::TLM_COMPLETED || (s == tlm::TLM_UPDATED && phase == tlm::END_RESP)) answering = nullptr;
      while (answering != nullptr) wait(taken);
      d.p->release();
    }
  }
  unsigned debug(int, tlm::tlm_generic_payload &p) {
    if (!inside(p.get_address(), p.get_data_length())) return 0;
    move(p);
    return p.get_data_length();
  }
  bool direct(int, tlm::tlm_generic_payload &, tlm::tlm_dmi &d) {
    d.set_start_address(first);
    d.set_end_address(first + bytes.size() - 1);
    d.set_dmi_ptr(bytes.data());
    d.set_read_latency(late);
    d.set_write_latency(late);
    d.allow_read_write();
    return pointers && bad_limit == 0;
  }
};

#endif
