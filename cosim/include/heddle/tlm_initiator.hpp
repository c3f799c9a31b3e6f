// SPDX-License-Identifier: Apache-2.0
//
// The memory side of heddle::gpu (heddle/tlm.hpp), inside of it only: requests of its two engines.
#ifndef HEDDLE_TLM_INITIATOR_HPP
#define HEDDLE_TLM_INITIATOR_HPP

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

namespace heddle {
namespace detail {

using payload = tlm::tlm_generic_payload;
using socket = tlm::tlm_initiator_socket<32>;

// Address, bytes and all else that a transaction must say before it begins.
inline void fill(payload &p, tlm::tlm_command command, uint64_t at, uint8_t *data, unsigned bytes) {
  p.set_command(command);
  p.set_address(at);
  p.set_data_ptr(data);
  p.set_data_length(bytes);
  p.set_streaming_width(bytes);
  p.set_byte_enable_ptr(nullptr);
  p.set_byte_enable_length(0);
  p.set_dmi_allowed(false);
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

// Blocking copies of any length, for the model: by direct pointers where the target gives them, else burst by burst.
// The time that they take goes into the quantum keeper.
class copier {
public:
  static constexpr unsigned BURST = 1024, SECTOR = 32;

  explicit copier(socket &s) : memory(s) {}

  // False: an answer was an error; *bad is the first such sector.
  bool copy(bool write, uint64_t at, uint8_t *data, uint64_t bytes, tlm_utils::tlm_quantumkeeper &keeper,
            uint64_t *bad) {
    for (uint64_t done = 0; done < bytes;) {
      const uint64_t n = piece(at + done, bytes - done, BURST);
      if (!direct(write, at + done, data + done, n, keeper) && !burst(write, at + done, data + done, n, keeper))
        return find_bad(write, at + done, data + done, n, keeper, bad);
      done += n;
    }
    return true;
  }
  // The target takes pointers back.
  void forget(uint64_t first, uint64_t last) {
    for (auto i = granted.begin(); i != granted.end();)
      i = i->get_start_address() <= last && i->get_end_address() >= first ? granted.erase(i) : i + 1;
  }

private:
  socket &memory;
  std::vector<tlm::tlm_dmi> granted;

  static uint64_t piece(uint64_t at, uint64_t left, unsigned most) {
    return std::min<uint64_t>(left, most - at % most);
  }

  bool direct(bool write, uint64_t at, uint8_t *data, uint64_t bytes, tlm_utils::tlm_quantumkeeper &keeper) {
    for (const tlm::tlm_dmi &d : granted) {
      if (at < d.get_start_address() || at + bytes - 1 > d.get_end_address()) continue;
      if (write ? !d.is_write_allowed() : !d.is_read_allowed()) continue;
      uint8_t *there = d.get_dmi_ptr() + (at - d.get_start_address());
      std::memcpy(write ? there : data, write ? data : there, bytes);
      keeper.inc(write ? d.get_write_latency() : d.get_read_latency());
      if (keeper.need_sync()) keeper.sync();
      return true;
    }
    return false;
  }
  bool burst(bool write, uint64_t at, uint8_t *data, uint64_t bytes, tlm_utils::tlm_quantumkeeper &keeper) {
    payload p;
    fill(p, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, at, data, static_cast<unsigned>(bytes));
    sc_core::sc_time local = keeper.get_local_time();
    memory->b_transport(p, local);
    keeper.set(local);
    if (keeper.need_sync()) keeper.sync();
    if (p.is_response_ok() && p.is_dmi_allowed()) ask_pointer(p, at);
    return p.is_response_ok();
  }
  void ask_pointer(payload &p, uint64_t at) {
    tlm::tlm_dmi d;
    p.set_address(at);
    if (memory->get_direct_mem_ptr(p, d)) granted.push_back(d);
  }
  // A burst failed: sector by sector, to name the one that is bad.
  bool find_bad(bool write, uint64_t at, uint8_t *data, uint64_t bytes, tlm_utils::tlm_quantumkeeper &keeper,
                uint64_t *bad) {
    for (uint64_t done = 0; done < bytes;) {
      const uint64_t n = piece(at + done, bytes - done, SECTOR);
      *bad = at + done;
      if (!burst(write, at + done, data + done, n, keeper)) return false;
      done += n;
    }
    return true; // refused as a whole, and not in parts: the target takes no bursts
  }
};

// Non-blocking requests, for the RTL: any number outstanding, one at a time in its request phase. `answered` is called
// for each answer with the time from which it holds.
class sender : public tlm::tlm_mm_interface {
public:
  struct request : payload {
    std::vector<uint8_t> data, strobe;
    bool write = false;
    uint16_t at = 0; // its identity on the bus
    explicit request(tlm::tlm_mm_interface *m) : payload(m) {}
  };
  using answered_fn = std::function<void(const request &, const sc_core::sc_time &)>;

  sender(socket &s, answered_fn f) : memory(s), answered(std::move(f)) {}

  void ask(bool write, uint16_t at, uint64_t addr, unsigned bytes, const uint8_t *data, const uint8_t *strobe) {
    request *r = fresh();
    r->write = write;
    r->at = at;
    r->data.assign(bytes, 0);
    if (write) std::memcpy(r->data.data(), data, bytes);
    fill(*r, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, addr, r->data.data(), bytes);
    if (write && std::count(strobe, strobe + bytes, 0xff) != bytes) {
      r->strobe.assign(strobe, strobe + bytes);
      r->set_byte_enable_ptr(r->strobe.data());
      r->set_byte_enable_length(bytes);
    }
    r->acquire();
    under_way++;
    waiting.push_back(r);
    more.notify(sc_core::SC_ZERO_TIME);
  }
  bool idle() const { return under_way == 0; }

  // A thread of the module that has the socket.
  void run() {
    for (;;) {
      while (waiting.empty()) sc_core::wait(more);
      request *r = waiting.front();
      waiting.pop_front();
      send(r);
      while (requesting != nullptr) sc_core::wait(request_over);
      const sc_core::sc_time now = sc_core::sc_time_stamp();
      if (free_at > now) sc_core::wait(free_at - now);
    }
  }

  tlm::tlm_sync_enum backward(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &t) {
    if (phase == tlm::END_REQ) {
      over(&p, t);
      return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED; // a phase of somebody's own
    over(&p, t);
    take(p, t);
    return tlm::TLM_COMPLETED;
  }

  void free(payload *p) override { unused.push_back(static_cast<request *>(p)); }

private:
  socket &memory;
  answered_fn answered;
  std::vector<std::unique_ptr<request>> pool;
  std::vector<request *> unused;
  std::deque<request *> waiting;
  sc_core::sc_event more, request_over;
  payload *requesting = nullptr; // in its request phase
  sc_core::sc_time free_at;      // from when on the next may begin
  unsigned under_way = 0;

  request *fresh() {
    if (unused.empty()) {
      pool.push_back(std::make_unique<request>(this));
      return pool.back().get();
    }
    request *r = unused.back();
    unused.pop_back();
    return r;
  }
  void send(request *r) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time t = sc_core::SC_ZERO_TIME;
    requesting = r;
    const tlm::tlm_sync_enum s = memory->nb_transport_fw(*r, phase, t);
    if (s == tlm::TLM_ACCEPTED) return; // the rest comes backward
    over(r, t);
    if (s == tlm::TLM_UPDATED && phase == tlm::END_REQ) return;
    const bool end = s == tlm::TLM_UPDATED;
    payload &p = *r;
    p.acquire();
    take(p, t);
    phase = tlm::END_RESP;
    if (end) (void)memory->nb_transport_fw(p, phase, t);
    p.release();
  }
  void over(payload *p, const sc_core::sc_time &t) {
    if (requesting != p) return;
    requesting = nullptr;
    free_at = sc_core::sc_time_stamp() + t;
    request_over.notify(sc_core::SC_ZERO_TIME);
  }
  void take(payload &p, const sc_core::sc_time &t) {
    answered(static_cast<request &>(p), sc_core::sc_time_stamp() + t);
    under_way--;
    p.release();
  }
};

} // namespace detail
} // namespace heddle

#endif
