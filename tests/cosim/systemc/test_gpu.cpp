// SPDX-License-Identifier: Apache-2.0
//
// heddle::gpu at its sockets: what registers refuse and how, several instances, the interrupt, abort, errors of memory,
// direct pointers that are taken back, time ahead of the simulation's.
//
// usage: test_gpu KERNELS BOARD        (model:tiny, rtl:tiny)
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include <heddle/tlm.hpp>
#include <heddle/tlm_checker.hpp>
#include <heddle/tlm_host.hpp>

#include "cosim/systemc/example/memory.hpp"
#include "tests/cosim/systemc/on_port.h"

extern "C" { // behind the others: it makes a macro of `fail`
#include <cmocka.h>
}

using namespace sc_core;
using payload = tlm::tlm_generic_payload;

namespace {

constexpr uint64_t BASE = 0x100000, SHARE = 4 << 20;
const sc_time LATENCY(200, SC_NS), QUANTUM(2, SC_US);
const char *kernels, *board;

struct bench : sc_module {
  memory ram;
  sc_signal<bool> irq[2];
  std::unique_ptr<heddle::gpu> gpu[2];
  std::unique_ptr<heddle::host> host[2];
  std::unique_ptr<heddle::tlm_checker> check[2];
  tlm_utils::simple_initiator_socket<bench> raw; // to the registers of the second
  int failed = 1;

  SC_HAS_PROCESS(bench);
  explicit bench(sc_module_name name) : sc_module(name), ram("ram", BASE, 2 * SHARE, LATENCY), raw("raw") {
    for (int i = 0; i < 2; i++) {
      const std::string n = std::to_string(i);
      heddle::gpu_options o;
      o.on = board;
      o.memory_bytes = 2 * SHARE;
      gpu[i] = std::make_unique<heddle::gpu>(("gpu" + n).c_str(), o);
      host[i] = std::make_unique<heddle::host>(("host" + n).c_str());
      check[i] = std::make_unique<heddle::tlm_checker>(("check" + n).c_str());
      gpu[i]->memory.bind(check[i]->in);
      check[i]->out.bind(ram.socket);
      host[i]->memory.bind(ram.socket);
      gpu[i]->irq(irq[i]);
      host[i]->irq(irq[i]);
    }
    host[0]->registers.bind(gpu[0]->registers);
    raw.bind(gpu[1]->registers);
    host[1]->registers.bind(spare.in);
    spare.out.bind(ram.socket);
    SC_THREAD(run);
    set_stack_size(2 << 20);
  }
  heddle::tlm_checker spare{"spare"}; // the second host's registers, which nobody uses
  void run();
};
bench *the;

bool is_model() {
  return std::string(board).compare(0, 5, "model") == 0;
}

// ---- registers of the second GPU, by transactions

struct word : payload {
  uint32_t value[2] = {};
  word(tlm::tlm_command c, uint64_t at, uint32_t v = 0, unsigned bytes = 4) {
    value[0] = v;
    heddle::detail::fill(*this, c, at, reinterpret_cast<unsigned char *>(value), bytes);
  }
  tlm::tlm_response_status send() {
    sc_time t = SC_ZERO_TIME;
    the->raw->b_transport(*this, t);
    wait(t);
    return get_response_status();
  }
};
uint32_t get(uint32_t reg) {
  word w(tlm::TLM_READ_COMMAND, reg);
  assert_int_equal(w.send(), tlm::TLM_OK_RESPONSE);
  return w.value[0];
}
void put(uint32_t reg, uint32_t value) {
  word w(tlm::TLM_WRITE_COMMAND, reg, value);
  assert_int_equal(w.send(), tlm::TLM_OK_RESPONSE);
}

void test_shapes(void **) {
  static unsigned char all[] = {0xff}, but_one[] = {0xff, 0, 0xff, 0xff};
  assert_int_equal(word(tlm::TLM_READ_COMMAND, 0x1000).send(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  assert_int_equal(word(tlm::TLM_READ_COMMAND, 0x42).send(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  assert_int_equal(word(tlm::TLM_READ_COMMAND, 0, 0, 8).send(), tlm::TLM_BURST_ERROR_RESPONSE);
  assert_int_equal(word(tlm::TLM_READ_COMMAND, 0, 0, 2).send(), tlm::TLM_BURST_ERROR_RESPONSE);
  word narrow(tlm::TLM_READ_COMMAND, 0);
  narrow.set_streaming_width(2);
  assert_int_equal(narrow.send(), tlm::TLM_BURST_ERROR_RESPONSE);
  word part(tlm::TLM_WRITE_COMMAND, HEDDLE_REG_GRID_X, 77);
  part.set_byte_enable_ptr(but_one);
  part.set_byte_enable_length(4);
  assert_int_equal(part.send(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  assert_int_not_equal(get(HEDDLE_REG_GRID_X), 77);
  word whole(tlm::TLM_READ_COMMAND, HEDDLE_REG_ID);
  whole.set_byte_enable_ptr(all);
  whole.set_byte_enable_length(1);
  assert_int_equal(whole.send(), tlm::TLM_OK_RESPONSE);
  assert_int_equal(whole.value[0], HEDDLE_ID);
  assert_int_equal(word(tlm::TLM_IGNORE_COMMAND, HEDDLE_REG_GRID_X).send(), tlm::TLM_OK_RESPONSE);
}

void test_debug(void **) {
  const sc_time before = sc_time_stamp();
  word two(tlm::TLM_READ_COMMAND, HEDDLE_REG_ID, 0, 8);
  assert_int_equal(the->raw->transport_dbg(two), 8);
  assert_int_equal(two.value[0], HEDDLE_ID);
  assert_int_equal(two.value[1], HEDDLE_VERSION);
  put(HEDDLE_REG_ENTRY_PC, 0x1230);
  const sc_time written = sc_time_stamp();
  assert_true(written > before);
  word pc(tlm::TLM_READ_COMMAND, HEDDLE_REG_ENTRY_PC), other(tlm::TLM_WRITE_COMMAND, HEDDLE_REG_ENTRY_PC, 0x4560);
  assert_int_equal(the->raw->transport_dbg(pc), 4);
  assert_int_equal(pc.value[0], 0x1230);
  assert_int_equal(the->raw->transport_dbg(other), is_model() ? 4 : 0);
  assert_true(sc_time_stamp() == written);
  assert_int_equal(get(HEDDLE_REG_ENTRY_PC), is_model() ? 0x4560 : 0x1230);
}

void test_instances(void **) {
  const heddle_port p = the->host[0]->port("first", BASE, SHARE);
  uint32_t value = 0;
  put(HEDDLE_REG_GRID_X, 5);
  assert_true(p.write32(p.self, HEDDLE_REG_GRID_X, 3));
  assert_true(p.read32(p.self, HEDDLE_REG_GRID_X, &value));
  assert_int_equal(value, 3);
  assert_int_equal(get(HEDDLE_REG_GRID_X), 5);
}

// A grid of no blocks is refused: that, too, is an end.
void test_irq(void **) {
  assert_false(the->irq[1].read());
  put(HEDDLE_REG_GRID_X, 0);
  const sc_time started = sc_time_stamp();
  put(HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START);
  wait(sc_time(10, SC_US), the->irq[1].posedge_event());
  assert_true(the->irq[1].read());
  assert_false(the->irq[0].read());
  assert_true(sc_time_stamp() - started < sc_time(2, SC_US));
  assert_true((get(HEDDLE_REG_STATUS) & HEDDLE_STATUS_REFUSED) != 0);
  wait(SC_ZERO_TIME);
  wait(SC_ZERO_TIME);
  assert_false(the->irq[1].read());
  put(HEDDLE_REG_CONTROL, HEDDLE_CONTROL_ABORT);
  wait(sc_time(2, SC_US));
  assert_int_equal(get(HEDDLE_REG_STATUS), 0);
}

// ---- the first GPU, by the driver

struct session {
  heddle_port port = the->host[0]->port(board, BASE, SHARE);
  heddle_system *system = nullptr;
  heddle_device *device = nullptr;
  heddle_context *context = nullptr;
  heddle_module *module = nullptr;
  heddle_function *function = nullptr;
  uint64_t a = 0, b = 0, c = 0;

  void open(const char *file, const char *name) {
    assert_int_equal(heddle_init(&port, 1, &system), HEDDLE_SUCCESS);
    assert_int_equal(heddle_device_get(system, 0, &device), HEDDLE_SUCCESS);
    assert_int_equal(heddle_context_create(device, &context), HEDDLE_SUCCESS);
    assert_int_equal(heddle_module_load(context, file, &module), HEDDLE_SUCCESS);
    assert_int_equal(heddle_module_function(module, name, &function), HEDDLE_SUCCESS);
    std::remove(file);
  }
  void vecadd() {
    char file[] = "/tmp/test_gpu_XXXXXX";
    const float one[64] = {1};
    assert_true(on_port_file(kernels, "tiny", "vecadd", file));
    open(file, "vecadd");
    for (uint64_t *p : {&a, &b, &c}) {
      assert_int_equal(heddle_mem_alloc(context, sizeof one, p), HEDDLE_SUCCESS);
      assert_int_equal(heddle_memcpy_to_device(context, *p, one, sizeof one), HEDDLE_SUCCESS);
    }
  }
  heddle_error add() {
    int32_t n = 64;
    void *parameters[] = {&a, &b, &c, &n};
    const heddle_error e = heddle_function_launch(function, {1, 1, 1}, {64, 1, 1}, 0, parameters);
    return e != HEDDLE_SUCCESS ? e : heddle_synchronize(context, HEDDLE_FOREVER);
  }
  void close() {
    heddle_context_destroy(context);
    heddle_shutdown(system);
  }
};

// It counts: a loop in which nothing changes the model finds, and ends.
void test_abort(void **) {
  char file[] = "/tmp/test_gpu_XXXXXX";
  session s;
  assert_true(on_port_assemble(".kernel counts\n        MOV R0, RZ ;\nagain:\n        IADD3 R0, R0, 0x1, RZ ;\n"
                               "        BRA again ;\n.end\n",
                               file));
  s.open(file, "counts");
  assert_int_equal(heddle_function_launch(s.function, {1, 1, 1}, {32, 1, 1}, 0, nullptr), HEDDLE_SUCCESS);
  assert_int_equal(heddle_synchronize(s.context, 1), HEDDLE_ERROR_TIMEOUT);
  assert_int_equal(heddle_abort(s.context), HEDDLE_SUCCESS);
  assert_false(the->irq[0].read());
  s.close();
}

// A grid of at least 400 us is given up after 20: it is so within a quantum, and not when its time is over.
void test_abort_early(void **) {
  char file[] = "/tmp/test_gpu_XXXXXX";
  session s;
  assert_true(on_port_assemble(".kernel count\n        MOV R0, RZ ;\nagain:\n        IADD3 R0, R0, 0x1, RZ ;\n"
                               "        ISETP.LT.U32.AND P0, PT, R0, 0x4000, PT ;\n@P0     BRA again ;\n"
                               "        EXIT ;\n.end\n",
                               file));
  s.open(file, "count");
  assert_int_equal(heddle_function_launch(s.function, {1, 1, 1}, {32, 1, 1}, 0, nullptr), HEDDLE_SUCCESS);
  wait(sc_time(20, SC_US));
  assert_int_equal(heddle_query(s.context), HEDDLE_ERROR_NOT_READY);
  const sc_time from = sc_time_stamp();
  assert_int_equal(heddle_abort(s.context), HEDDLE_SUCCESS);
  assert_true(sc_time_stamp() - from < sc_time(40, SC_US)); // the driver looks each 10 us
  s.close();
}

// A buffer in the range that answers with errors: the grid ends with a bus error there; without the range it ends well.
void test_errors(void **) {
  session s;
  heddle_trap_info t = {};
  s.vecadd();
  the->ram.errors(s.b, s.b + 32);
  assert_int_equal(s.add(), HEDDLE_ERROR_TRAPPED);
  assert_int_equal(heddle_trap_last(s.context, &t), HEDDLE_SUCCESS);
  assert_string_equal(t.cause_name, "bus_error");
  assert_true(t.address >= s.b && t.address < s.b + 32);
  the->ram.errors(s.c, s.c + 32); // where it writes
  assert_int_equal(s.add(), HEDDLE_ERROR_TRAPPED);
  assert_int_equal(heddle_trap_last(s.context, &t), HEDDLE_SUCCESS);
  assert_string_equal(t.cause_name, "bus_error");
  assert_true(t.address >= s.c && t.address < s.c + 32);
  the->ram.errors(0, 0);
  assert_int_equal(s.add(), HEDDLE_SUCCESS);
  s.close();
}

// How many transactions a launch is, of the GPU and of the driver.
unsigned transactions(session &s) {
  const unsigned before = the->ram.transactions;
  assert_int_equal(s.add(), HEDDLE_SUCCESS);
  return the->ram.transactions - before;
}

// The model alone asks for pointers. The first launch needs some transactions to learn that there are pointers.
void test_pointers(void **) {
  session s;
  s.vecadd();
  (void)transactions(s); // from now on nothing changes, and nothing is written back
  const unsigned without = transactions(s);
  the->ram.pointers = true;
  const unsigned first = transactions(s), with = transactions(s);
  the->ram.errors(0, 0); // takes them back
  const unsigned again = transactions(s);
  the->ram.pointers = false;
  the->ram.errors(0, 0);
  const unsigned after = transactions(s);
  assert_int_equal(after, without);
  assert_int_equal(again, first);
  if (is_model())
    assert_true(with < first && first < without);
  else
    assert_int_equal(with, without);
  s.close();
}

// The model ran ahead of time, by less than a quantum; RTL never did. A grid takes its time nevertheless.
void test_time(void **) {
  session s;
  heddle_statistics t = {};
  s.vecadd();
  the->ram.ahead = SC_ZERO_TIME;
  const sc_time from = sc_time_stamp();
  assert_int_equal(s.add(), HEDDLE_SUCCESS);
  assert_int_equal(heddle_statistics_last(s.context, &t), HEDDLE_SUCCESS);
  assert_true(t.cycles > 0);
  assert_true(sc_time_stamp() - from >= static_cast<double>(t.cycles) * sc_time(10, SC_NS));
  assert_true(the->ram.ahead < QUANTUM);
  assert_true((the->ram.ahead > SC_ZERO_TIME) == is_model());
  s.close();
}

// Of all tests before: cmocka 1.1.5 counts no failure of a group's teardown.
unsigned violations() {
  return the->check[0]->violations + the->check[1]->violations + the->spare.violations;
}

void bench::run() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_shapes), cmocka_unit_test(test_debug),    cmocka_unit_test(test_instances),
      cmocka_unit_test(test_irq),    cmocka_unit_test(test_abort),    cmocka_unit_test(test_abort_early),
      cmocka_unit_test(test_errors), cmocka_unit_test(test_pointers), cmocka_unit_test(test_time),
  };
  failed = cmocka_run_group_tests_name("gpu", tests, nullptr, nullptr);
  sc_stop();
}

} // namespace

int sc_main(int argc, char **argv) {
  if (argc != 3) return 2;
  kernels = argv[1];
  board = argv[2];
  tlm::tlm_global_quantum::instance().set(QUANTUM);
  bench b("bench");
  the = &b;
  sc_start();
  if (violations() != 0) fprintf(stderr, "%u violations of the base protocol, told above\n", violations());
  return b.failed != 0 || violations() != 0;
}
