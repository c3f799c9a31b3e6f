// SPDX-License-Identifier: Apache-2.0
//
// Kernels at scale 0 through the sockets of heddle::gpu, each beside the same on a plain board: result, message, all of
// memory, cycles and event counters are equal. A checker stands in front of registers and of memory.
//
// usage: test_kernels KERNELS BOARD LATENCY POINTERS RAN NAME... | all
//   BOARD     model, model:CONFIG or rtl:CONFIG      LATENCY  of memory, in cycles
//   POINTERS  1: memory hands out direct pointers    RAN      so many must run; others are refused by both
// Exit status 0: all are equal.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <heddle/tlm.hpp>
#include <heddle/tlm_checker.hpp>
#include <heddle/tlm_host.hpp>

#include "cosim/systemc/example/memory.hpp"
#include "tests/cosim/systemc/on_port.h"

using namespace sc_core;

namespace {

constexpr uint64_t BASE = 0x100000, BYTES = 8 << 20;
const sc_time PERIOD(10, SC_NS);

struct driver : sc_module {
  std::string kernels, board;
  const char *config = nullptr;
  uint32_t latency = 1;
  std::vector<std::string> names;
  heddle_port port;
  memory *ram = nullptr;
  unsigned ran = 0, refused = 0, differ = 0;
  double plain_s = 0, tlm_s = 0;

  SC_HAS_PROCESS(driver);
  explicit driver(sc_module_name name) : sc_module(name) {
    SC_THREAD(run);
    set_stack_size(4 << 20);
  }

  bool plainly(const std::string &name, on_port &out) {
    heddle_port p;
    plain *board_of = plain_open(board.c_str(), BASE, BYTES, latency, &p);
    if (board_of == nullptr) return false;
    const bool ok = on_port_run(&p, kernels.c_str(), config, name.c_str(), &out);
    plain_close(board_of);
    return ok;
  }
  bool by_sockets(const std::string &name, on_port &out) {
    std::memset(ram->at(BASE), 0, BYTES);
    return on_port_run(&port, kernels.c_str(), config, name.c_str(), &out);
  }
  void one(const std::string &name) {
    on_port a = {}, b = {};
    bool ok = plainly(name, a) && by_sockets(name, b) && on_port_equal(&a, &b);
    if (ok && a.error == HEDDLE_SUCCESS && !(a.matches && b.matches)) {
      std::fprintf(stderr, "not what the host computed\n");
      ok = false;
    }
    std::printf("%-14s %9llu cycles  %s%s\n", name.c_str(), static_cast<unsigned long long>(b.cycles),
                ok ? "equal" : "DIFFERENT", a.error == HEDDLE_SUCCESS ? "" : " (both refuse it)");
    std::fflush(stdout);
    differ += !ok;
    plain_s += a.seconds;
    tlm_s += b.seconds;
    (a.error == HEDDLE_SUCCESS ? ran : refused)++;
    on_port_clear(&a);
    on_port_clear(&b);
  }
  void run() {
    for (const std::string &name : names) one(name);
    sc_stop();
  }
};

} // namespace

int sc_main(int argc, char **argv) {
  if (argc < 7) return 2;
  const uint32_t latency = static_cast<uint32_t>(std::atoi(argv[3]));
  memory ram("ram", BASE, BYTES, PERIOD * latency);
  driver cpu("cpu");
  sc_signal<bool> irq("irq");
  heddle::gpu_options o;
  o.on = argv[2];
  o.period = PERIOD;
  o.memory_bytes = BYTES;
  heddle::gpu gpu("gpu", o);
  heddle::host host("host");
  heddle::tlm_checker registers("registers", 4), bus("bus");
  host.registers.bind(registers.in);
  registers.out.bind(gpu.registers);
  gpu.memory.bind(bus.in);
  bus.out.bind(ram.socket);
  host.memory.bind(ram.socket);
  gpu.irq(irq);
  host.irq(irq);

  cpu.kernels = argv[1];
  cpu.board = argv[2];
  if (const char *colon = std::strchr(argv[2], ':')) cpu.config = colon + 1;
  cpu.latency = latency;
  ram.pointers = std::atoi(argv[4]) != 0;
  cpu.ram = &ram;
  cpu.port = host.port(argv[2], BASE, BYTES);
  const unsigned wanted = static_cast<unsigned>(std::atoi(argv[5]));
  for (int i = 6; i < argc; i++) {
    if (std::strcmp(argv[i], "all") != 0)
      cpu.names.push_back(argv[i]);
    else
      for (unsigned k = 0; on_port_kernel(k) != nullptr; k++) cpu.names.push_back(on_port_kernel(k));
  }
  sc_start();
  std::printf("plain %.2f s, by sockets %.2f s: %.2f times\n", cpu.plain_s, cpu.tlm_s, cpu.tlm_s / cpu.plain_s);
  std::printf("%u kernels equal, %u refused by both, %u different, %u transactions of memory\n", cpu.ran, cpu.refused,
              cpu.differ, ram.transactions);
  return cpu.differ != 0 || cpu.ran != wanted || registers.violations + bus.violations != 0;
}
