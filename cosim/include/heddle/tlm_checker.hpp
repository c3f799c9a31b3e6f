// SPDX-License-Identifier: Apache-2.0
//
// The rules of TLM-2.0's base protocol (IEEE 1666-2011, 11.2, 14, 15), between an initiator's socket and a target's.
//
//   heddle::tlm_checker check("check");            // or with the alignment that addresses must have: check("check", 4)
//   cpu.socket.bind(check.in);  check.out.bind(gpu.registers);
//
// A call that breaks a rule is refused: it goes no further, and the transaction is answered with
// TLM_GENERIC_ERROR_RESPONSE. SC_REPORT_ERROR names rule, side, time and address; the message type is
// "/heddle/tlm/RULE". (SystemC throws then, unless sc_report_handler is set otherwise.) `violations` counts them all.
//
//   of a payload, as it is sent               data      no data pointer
//                                             length    no bytes, of a read or write
//                                             streaming a streaming width of 0
//                                             enables   byte enables of length 0
//                                             command   none of read, write, ignore
//                                             status    not TLM_INCOMPLETE_RESPONSE
//                                             dmi       the hint of direct pointers is set
//                                             alignment of the address (given to the constructor)
//   as it comes back                          answer    still TLM_INCOMPLETE_RESPONSE
//                                             changed   command, pointer, lengths, enables or width are others
//                                             time      the delay fell
//   of phases                                 request   BEGIN_REQ before END_REQ of the one before
//                                             response  BEGIN_RESP before END_RESP of the one before
//                                             again     BEGIN_REQ of a transaction that is under way
//                                             order     a phase that is not the next one of its transaction
//                                             direction a phase that the other side sends
//                                             manager   a transaction without memory manager or reference
// Phases that are not the base protocol's pass. Exclusion follows the order of calls, whatever their times.
#ifndef HEDDLE_TLM_CHECKER_HPP
#define HEDDLE_TLM_CHECKER_HPP

#include <map>
#include <sstream>
#include <string>

#include <heddle/tlm_initiator.hpp>

namespace heddle {

class tlm_checker : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<tlm_checker> in;
  tlm_utils::simple_initiator_socket<tlm_checker> out;
  unsigned violations = 0;

  explicit tlm_checker(sc_core::sc_module_name name, unsigned alignment = 1)
      : sc_module(name), in("in"), out("out"), align(alignment) {
    in.register_b_transport(this, &tlm_checker::blocking);
    in.register_nb_transport_fw(this, &tlm_checker::forward);
    in.register_transport_dbg(this, &tlm_checker::debug);
    in.register_get_direct_mem_ptr(this, &tlm_checker::direct);
    out.register_nb_transport_bw(this, &tlm_checker::backward);
    out.register_invalidate_direct_mem_ptr(this, &tlm_checker::invalidate);
  }

private:
  using payload = detail::payload;
  // How a payload looked when it was sent, and which phase of it was the last.
  struct life {
    tlm::tlm_phase phase = tlm::UNINITIALIZED_PHASE;
    tlm::tlm_command command;
    const unsigned char *data, *enables;
    unsigned length, width, enables_length;
    explicit life(const payload &p)
        : command(p.get_command()), data(p.get_data_ptr()), enables(p.get_byte_enable_ptr()),
          length(p.get_data_length()), width(p.get_streaming_width()), enables_length(p.get_byte_enable_length()) {}
    bool operator==(const life &o) const {
      return command == o.command && data == o.data && enables == o.enables && length == o.length && width == o.width &&
             enables_length == o.enables_length;
    }
  };
  unsigned align;
  std::map<const payload *, life> alive;
  const payload *requesting = nullptr, *responding = nullptr;

  // False, always: so that a rule is one line.
  bool refuse(payload &p, const char *rule, const char *words) {
    std::ostringstream s;
    s << words << " (" << name() << ", " << sc_core::sc_time_stamp() << ", address 0x" << std::hex << p.get_address()
      << ")";
    violations++;
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    SC_REPORT_ERROR((std::string("/heddle/tlm/") + rule).c_str(), s.str().c_str());
    return false;
  }

  bool sent_well(payload &p) {
    const bool moves = p.get_command() != tlm::TLM_IGNORE_COMMAND;
    if (p.get_command() < tlm::TLM_READ_COMMAND || p.get_command() > tlm::TLM_IGNORE_COMMAND)
      return refuse(p, "command", "none of read, write, ignore");
    if (moves && p.get_data_ptr() == nullptr) return refuse(p, "data", "no data pointer");
    if (moves && p.get_data_length() == 0) return refuse(p, "length", "no bytes");
    if (p.get_streaming_width() == 0) return refuse(p, "streaming", "a streaming width of 0");
    if (p.get_byte_enable_ptr() != nullptr && p.get_byte_enable_length() == 0)
      return refuse(p, "enables", "byte enables of length 0");
    if (p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
      return refuse(p, "status", "sent with an answer in it");
    if (p.is_dmi_allowed()) return refuse(p, "dmi", "sent with the hint of direct pointers");
    if (p.get_address() % align != 0) return refuse(p, "alignment", "an address that is not aligned");
    return true;
  }
  bool came_well(payload &p, const life &was) {
    if (!(was == life(p))) return refuse(p, "changed", "the target changed what only the initiator sets");
    if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
      return refuse(p, "answer", "came back without an answer");
    return true;
  }

  void blocking(payload &p, sc_core::sc_time &t) {
    if (!sent_well(p)) return;
    const life was(p);
    const sc_core::sc_time start = sc_core::sc_time_stamp() + t;
    out->b_transport(p, t);
    if (came_well(p, was) && sc_core::sc_time_stamp() + t < start) (void)refuse(p, "time", "the delay fell");
  }

  static bool base(const tlm::tlm_phase &phase) {
    return phase == tlm::BEGIN_REQ || phase == tlm::END_REQ || phase == tlm::BEGIN_RESP || phase == tlm::END_RESP;
  }
  bool may_begin(payload &p) {
    if (!p.has_mm() || p.get_ref_count() == 0) return refuse(p, "manager", "no memory manager, or no reference held");
    if (alive.count(&p) != 0) return refuse(p, "again", "BEGIN_REQ of a transaction that is under way");
    if (requesting != nullptr) return refuse(p, "request", "BEGIN_REQ before END_REQ of the one before");
    return sent_well(p);
  }
  // The rules of a phase on its way to the target.
  bool goes(payload &p, const tlm::tlm_phase &phase) {
    if (phase == tlm::BEGIN_REQ) return may_begin(p);
    if (phase != tlm::END_RESP) return refuse(p, "direction", "the target's phase, sent by the initiator");
    if (responding != &p) return refuse(p, "order", "END_RESP without BEGIN_RESP");
    return true;
  }
  // ... and to the initiator.
  bool comes(payload &p, const tlm::tlm_phase &phase) {
    const auto a = alive.find(&p);
    if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP)
      return refuse(p, "direction", "the initiator's phase, sent by the target");
    if (a == alive.end()) return refuse(p, "order", "a phase of a transaction that is not under way");
    if (phase == tlm::END_REQ && requesting != &p) return refuse(p, "order", "END_REQ without BEGIN_REQ");
    if (phase == tlm::END_REQ) return true;
    if (responding == &p) return refuse(p, "order", "BEGIN_RESP twice");
    if (responding != nullptr) return refuse(p, "response", "BEGIN_RESP before END_RESP of the one before");
    return came_well(p, a->second);
  }
  // A phase has passed.
  void note(payload &p, const tlm::tlm_phase &phase) {
    if (phase == tlm::BEGIN_REQ) {
      alive.emplace(&p, life(p));
      requesting = &p;
    } else if (phase == tlm::END_RESP) {
      finish(p);
    } else {
      if (requesting == &p) requesting = nullptr; // BEGIN_RESP implies END_REQ
      if (phase == tlm::BEGIN_RESP) responding = &p;
    }
  }
  void finish(payload &p) {
    if (requesting == &p) requesting = nullptr;
    if (responding == &p) responding = nullptr;
    alive.erase(&p);
  }
  // A transaction that was refused ends here.
  tlm::tlm_sync_enum give_up(payload &p) {
    finish(p);
    return tlm::TLM_COMPLETED;
  }

  tlm::tlm_sync_enum forward(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &t) {
    if (!base(phase)) return out->nb_transport_fw(p, phase, t);
    if (!goes(p, phase)) return tlm::TLM_COMPLETED;
    const tlm::tlm_phase was = phase;
    const life sent(p);
    const sc_core::sc_time start = t;
    note(p, phase);
    const tlm::tlm_sync_enum s = out->nb_transport_fw(p, phase, t);
    if (was == tlm::END_RESP) return s;
    if (s != tlm::TLM_ACCEPTED && t < start) return (void)refuse(p, "time", "the delay fell"), give_up(p);
    if (s == tlm::TLM_UPDATED && !comes(p, phase)) return give_up(p);
    if (s == tlm::TLM_UPDATED) note(p, phase);
    if (s == tlm::TLM_COMPLETED) {
      (void)came_well(p, sent);
      finish(p);
    }
    return s;
  }
  tlm::tlm_sync_enum backward(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &t) {
    if (!base(phase)) return in->nb_transport_bw(p, phase, t);
    if (!comes(p, phase)) return tlm::TLM_COMPLETED;
    const bool answers = phase == tlm::BEGIN_RESP;
    note(p, phase);
    p.acquire(); // the initiator may let it go
    tlm::tlm_sync_enum s = in->nb_transport_bw(p, phase, t);
    if (s == tlm::TLM_COMPLETED || (s == tlm::TLM_UPDATED && answers && phase == tlm::END_RESP))
      finish(p);
    else if (s == tlm::TLM_UPDATED && !(responding == &p && phase == tlm::END_RESP))
      (void)refuse(p, "order", "a phase that is not the next one");
    p.release();
    return s;
  }
  unsigned debug(payload &p) { return out->transport_dbg(p); }
  bool direct(payload &p, tlm::tlm_dmi &d) { return out->get_direct_mem_ptr(p, d); }
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) { in->invalidate_direct_mem_ptr(first, last); }
};

} // namespace heddle

#endif
