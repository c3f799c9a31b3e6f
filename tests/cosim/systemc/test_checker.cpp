// SPDX-License-Identifier: Apache-2.0
//
// The base-protocol checker refuses what breaks a rule, by name, and lets nothing of it through; what keeps them passes
// unchanged. The initiator and the target of this test break each rule once.
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include <heddle/tlm_checker.hpp>

extern "C" { // behind the others: it makes a macro of `fail`
#include <cmocka.h>
}

using namespace sc_core;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;
using payload = tlm::tlm_generic_payload;

namespace {

// What the target does with a call, until a test says otherwise.
void answers_well(payload &p, sc_time &t) {
  t += sc_time(5, SC_NS);
  p.set_response_status(tlm::TLM_OK_RESPONSE);
}
tlm_sync_enum takes(payload &, tlm_phase &, sc_time &) {
  return tlm::TLM_ACCEPTED;
}

struct target : sc_module {
  tlm_utils::simple_target_socket<target> socket;
  std::function<void(payload &, sc_time &)> blocking = answers_well;
  std::function<tlm_sync_enum(payload &, tlm_phase &, sc_time &)> forward = takes;
  unsigned calls = 0;
  explicit target(sc_module_name name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &target::b);
    socket.register_nb_transport_fw(this, &target::nb);
  }
  void b(payload &p, sc_time &t) { calls++, blocking(p, t); }
  tlm_sync_enum nb(payload &p, tlm_phase &f, sc_time &t) { return calls++, forward(p, f, t); }
};

// Transactions of a pool that nobody frees.
struct manager : tlm::tlm_mm_interface {
  void free(payload *) override {}
};

struct bench : sc_module {
  tlm_utils::simple_initiator_socket<bench> socket;
  heddle::tlm_checker checker;
  target to;
  manager mm;
  unsigned told = 0; // backward calls that arrived
  int failed = 1;

  SC_HAS_PROCESS(bench);
  explicit bench(sc_module_name name) : sc_module(name), socket("socket"), checker("checker", 4), to("to") {
    socket.register_nb_transport_bw(this, &bench::back);
    socket.bind(checker.in);
    checker.out.bind(to.socket);
    SC_THREAD(run);
    set_stack_size(1 << 20);
  }
  tlm_sync_enum back(payload &, tlm_phase &, sc_time &) { return told++, tlm::TLM_ACCEPTED; }
  tlm_sync_enum send(payload &p, tlm_phase f) {
    sc_time t = SC_ZERO_TIME;
    return socket->nb_transport_fw(p, f, t);
  }
  tlm_sync_enum reply(payload &p, tlm_phase f) {
    sc_time t = SC_ZERO_TIME;
    return to.socket->nb_transport_bw(p, f, t);
  }
  void run();
};
bench *the;

// A good read of four bytes, held by a manager.
struct good : payload {
  unsigned char word[4] = {};
  good() : payload(&the->mm) {
    heddle::detail::fill(*this, tlm::TLM_READ_COMMAND, 0x40, word, 4);
    acquire();
  }
  ~good() { release(); }
};

// The rule that the last refusal named, once; "" if there was none.
std::string refused() {
  const sc_report *r = sc_report_handler::get_cached_report();
  const std::string type = r != nullptr ? r->get_msg_type() : "";
  sc_report_handler::clear_cached_report();
  return type.empty() ? type : type.substr(std::string("/heddle/tlm/").size());
}
#define assert_refused(rule) assert_string_equal(refused().c_str(), rule)

// Each test begins with no transaction under way, and a target that behaves.
int fresh(void **) {
  the->to.blocking = answers_well;
  the->to.forward = takes;
  the->to.calls = the->told = the->checker.violations = 0;
  (void)refused();
  return 0;
}

// A blocking call that `spoil` has spoiled is refused by that rule, and the target sees nothing of it.
void refuses_sent(const char *rule, const std::function<void(payload &)> &spoil) {
  good p;
  sc_time t = SC_ZERO_TIME;
  spoil(p);
  (void)fresh(nullptr);
  the->socket->b_transport(p, t);
  assert_refused(rule);
  assert_int_equal(the->to.calls, 0);
  assert_int_equal(the->checker.violations, 1);
  assert_int_equal(p.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
}

void test_passes(void **) {
  good p;
  sc_time t(1, SC_NS);
  the->socket->b_transport(p, t);
  assert_true(p.is_response_ok());
  assert_true(t == sc_time(6, SC_NS));
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  assert_int_equal(the->send(p, tlm::BEGIN_REQ), tlm::TLM_ACCEPTED);
  assert_int_equal(the->reply(p, tlm::END_REQ), tlm::TLM_ACCEPTED);
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  assert_int_equal(the->reply(p, tlm::BEGIN_RESP), tlm::TLM_ACCEPTED);
  (void)the->send(p, tlm::END_RESP);
  assert_int_equal(the->told, 2);
  assert_int_equal(the->to.calls, 3);
  assert_int_equal(the->checker.violations, 0);
}

void test_sent(void **) {
  static unsigned char enable = 0xff;
  refuses_sent("data", [](payload &p) { p.set_data_ptr(nullptr); });
  refuses_sent("length", [](payload &p) { p.set_data_length(0); });
  refuses_sent("streaming", [](payload &p) { p.set_streaming_width(0); });
  refuses_sent("enables", [](payload &p) { p.set_byte_enable_ptr(&enable); });
  refuses_sent("command", [](payload &p) { p.set_command(static_cast<tlm::tlm_command>(7)); });
  refuses_sent("status", [](payload &p) { p.set_response_status(tlm::TLM_OK_RESPONSE); });
  refuses_sent("dmi", [](payload &p) { p.set_dmi_allowed(true); });
  refuses_sent("alignment", [](payload &p) { p.set_address(0x42); });
}

// A target that misbehaves in a blocking call.
void refuses_answer(const char *rule, const std::function<void(payload &, sc_time &)> &wrong) {
  good p;
  sc_time t(9, SC_NS);
  (void)fresh(nullptr);
  the->to.blocking = wrong;
  the->socket->b_transport(p, t);
  assert_refused(rule);
  assert_int_equal(p.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
}

void test_answers(void **) {
  refuses_answer("answer", [](payload &, sc_time &) {});
  refuses_answer("changed", [](payload &p, sc_time &t) { answers_well(p, t), p.set_data_length(8); });
  refuses_answer("time", [](payload &p, sc_time &t) { answers_well(p, t), t = sc_time(1, SC_NS); });
}

void test_manager(void **) {
  payload p;
  unsigned char word[4];
  heddle::detail::fill(p, tlm::TLM_READ_COMMAND, 0, word, 4);
  assert_int_equal(the->send(p, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);
  assert_refused("manager");
  assert_int_equal(the->to.calls, 0);
}

// To its end, whatever phase it is in.
void finish(payload &p, bool requesting) {
  if (requesting) (void)the->reply(p, tlm::END_REQ);
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  (void)the->reply(p, tlm::BEGIN_RESP);
  (void)the->send(p, tlm::END_RESP);
  assert_string_equal(refused().c_str(), "");
}

void test_requests(void **) {
  good p, q;
  (void)the->send(p, tlm::BEGIN_REQ);
  assert_int_equal(the->send(q, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);
  assert_refused("request");
  assert_int_equal(the->to.calls, 1);
  (void)the->reply(p, tlm::END_REQ);
  (void)the->send(p, tlm::BEGIN_REQ);
  assert_refused("again");
  finish(p, false);
}

void test_initiator_phases(void **) {
  good p;
  (void)the->send(p, tlm::BEGIN_REQ);
  (void)the->send(p, tlm::END_REQ);
  assert_refused("direction");
  (void)the->send(p, tlm::END_RESP);
  assert_refused("order");
  assert_int_equal(the->to.calls, 1);
  finish(p, true);
}

void test_target_phases(void **) {
  good p, q, r;
  (void)the->reply(r, tlm::BEGIN_RESP);
  assert_refused("order"); // nobody asked
  (void)the->send(p, tlm::BEGIN_REQ);
  (void)the->reply(p, tlm::END_RESP);
  assert_refused("direction");
  (void)the->reply(p, tlm::END_REQ);
  (void)the->reply(p, tlm::END_REQ);
  assert_refused("order");
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE); // a refusal has answered it
  (void)the->reply(p, tlm::BEGIN_RESP);
  assert_refused("answer");
  (void)the->send(q, tlm::BEGIN_REQ);
  (void)the->reply(q, tlm::END_REQ);
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  q.set_response_status(tlm::TLM_OK_RESPONSE);
  (void)the->reply(p, tlm::BEGIN_RESP);
  (void)the->reply(q, tlm::BEGIN_RESP);
  assert_refused("response");
  assert_int_equal(the->told, 3); // END_REQ twice, BEGIN_RESP of the first
  (void)the->send(p, tlm::END_RESP);
  finish(q, false);
}

// What is wrong on the return path is refused, too.
void test_returned(void **) {
  good p;
  the->to.forward = [](payload &, tlm_phase &f, sc_time &) { return f = tlm::END_RESP, tlm::TLM_UPDATED; };
  assert_int_equal(the->send(p, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);
  assert_refused("direction");
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  the->to.forward = [](payload &, tlm_phase &, sc_time &) { return tlm::TLM_COMPLETED; };
  assert_int_equal(the->send(p, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);
  assert_refused("answer");
}

// Where nobody has said otherwise, a refusal stops the simulation: SystemC throws.
void test_throws(void **) {
  good p;
  sc_time t = SC_ZERO_TIME;
  bool thrown = false;
  const sc_actions was = sc_report_handler::set_actions("/heddle/tlm/data", SC_DEFAULT_ERROR_ACTIONS & ~SC_LOG);
  p.set_data_ptr(nullptr);
  try {
    the->socket->b_transport(p, t);
  } catch (const sc_report &r) {
    thrown = true;
    assert_non_null(std::strstr(r.get_msg(), "bench.checker, 7 ns, address 0x40"));
  }
  sc_report_handler::set_actions("/heddle/tlm/data", was);
  assert_true(thrown);
}

void bench::run() {
  wait(sc_time(7, SC_NS));
  const CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_passes, fresh),           cmocka_unit_test_setup(test_sent, fresh),
      cmocka_unit_test_setup(test_answers, fresh),          cmocka_unit_test_setup(test_manager, fresh),
      cmocka_unit_test_setup(test_initiator_phases, fresh), cmocka_unit_test_setup(test_target_phases, fresh),
      cmocka_unit_test_setup(test_returned, fresh),         cmocka_unit_test_setup(test_requests, fresh),
      cmocka_unit_test_setup(test_throws, fresh),
  };
  failed = cmocka_run_group_tests_name("tlm_checker", tests, nullptr, nullptr);
  sc_stop();
}

} // namespace

int sc_main(int, char **) {
  bench b("bench");
  the = &b;
  sc_report_handler::set_actions(SC_ERROR, SC_CACHE_REPORT);
  sc_start();
  return b.failed;
}
