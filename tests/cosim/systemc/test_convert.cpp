// SPDX-License-Identifier: Apache-2.0
//
// Memory that knows one way of transport alone: the sockets of tlm_utils convert, for model and RTL.
//
// usage: test_convert KERNELS BOARD blocking | phases
// Exit status 0: a kernel's results are as the host computed, and the relay has seen transactions of that kind alone.
#include <cstdio>
#include <cstring>

#include <heddle/tlm.hpp>
#include <heddle/tlm_checker.hpp>
#include <heddle/tlm_host.hpp>

#include "cosim/systemc/example/memory.hpp"
#include "tests/cosim/systemc/on_port.h"

using namespace sc_core;
using payload = tlm::tlm_generic_payload;

namespace {

constexpr uint64_t BASE = 0x100000, BYTES = 8 << 20;

// What it registers at its socket is all that it knows.
struct relay : sc_module {
  tlm_utils::simple_target_socket<relay> in;
  tlm_utils::simple_initiator_socket<relay> out;
  unsigned seen = 0;
  relay(sc_module_name name, bool blocking) : sc_module(name), in("in"), out("out") {
    if (blocking)
      in.register_b_transport(this, &relay::b);
    else
      in.register_nb_transport_fw(this, &relay::fw);
    out.register_nb_transport_bw(this, &relay::bw);
  }
  void b(payload &p, sc_time &t) {
    seen++;
    out->b_transport(p, t);
  }
  tlm::tlm_sync_enum fw(payload &p, tlm::tlm_phase &f, sc_time &t) {
    seen++;
    return out->nb_transport_fw(p, f, t);
  }
  tlm::tlm_sync_enum bw(payload &p, tlm::tlm_phase &f, sc_time &t) { return in->nb_transport_bw(p, f, t); }
};

struct driver : sc_module {
  heddle_port port;
  const char *kernels, *config;
  bool ok = false;
  SC_HAS_PROCESS(driver);
  explicit driver(sc_module_name name) : sc_module(name) {
    SC_THREAD(run);
    set_stack_size(4 << 20);
  }
  void run() {
    on_port o = {};
    ok = on_port_run(&port, kernels, config, "reduce", &o) && o.matches;
    on_port_clear(&o);
    sc_stop();
  }
};

} // namespace

int sc_main(int argc, char **argv) {
  if (argc != 4) return 2;
  memory ram("ram", BASE, BYTES, sc_time(50, SC_NS));
  relay only("only", std::strcmp(argv[3], "blocking") == 0);
  heddle::tlm_checker check("check");
  heddle::host host("host");
  sc_signal<bool> irq("irq");
  driver cpu("cpu");
  heddle::gpu_options o;
  o.on = argv[2];
  o.memory_bytes = BYTES;
  heddle::gpu gpu("gpu", o);
  gpu.memory.bind(check.in);
  check.out.bind(only.in);
  only.out.bind(ram.socket);
  host.memory.bind(ram.socket);
  host.registers.bind(gpu.registers);
  gpu.irq(irq);
  host.irq(irq);
  cpu.port = host.port("gpu", BASE, BYTES);
  cpu.kernels = argv[1];
  cpu.config = std::strchr(argv[2], ':') + 1;
  sc_start();
  std::printf("%s: %u calls\n", argv[3], only.seen);
  return !cpu.ok || only.seen == 0 || check.violations != 0;
}
