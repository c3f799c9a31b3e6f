// SPDX-License-Identifier: Apache-2.0
//
// A platform: two GPUs before one memory, the host driver as a thread, interrupts joined into one line.
//
//   driver ─ host 0 ─▶ check ─▶ gpu 0 ─┐            registers: host to GPU, each transaction checked
//          ─ host 1 ─▶ check ─▶ gpu 1 ─┼▶ memory    memory: GPUs and hosts alike
//                   irq 0 | irq 1 ─▶ any ─▶ driver
//
// usage: platform FILE.elf [GPU0 [GPU1]]       each model, model:CONFIG or rtl:CONFIG; model if not said
// FILE.elf has the kernel vecadd (share/heddle/kernels/vecadd.s). Both GPUs add at the same time; then GPU 0 meets
// memory that answers with errors.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <heddle/driver.h>
#include <heddle/tlm.hpp>
#include <heddle/tlm_checker.hpp>
#include <heddle/tlm_host.hpp>

#include "memory.hpp"

using namespace sc_core;

namespace {

constexpr uint64_t BASE = 0x100000, SHARE = 8 << 20; // of memory, for each GPU
constexpr int N = 1000, BLOCK = 128;

// The interrupt controller: one line for all.
struct any_irq : sc_module {
  sc_in<bool> in[2];
  sc_out<bool> out;
  SC_HAS_PROCESS(any_irq);
  explicit any_irq(sc_module_name name) : sc_module(name) {
    SC_METHOD(join);
    sensitive << in[0] << in[1];
  }
  void join() { out.write(in[0].read() || in[1].read()); }
};

// What one GPU has to do.
struct job {
  heddle_context *context = nullptr;
  heddle_function *vecadd = nullptr;
  uint64_t a = 0, b = 0, c = 0;
};

struct driver : sc_module {
  sc_in<bool> irq;
  std::string file;
  std::vector<heddle_port> ports;
  memory *ram = nullptr;
  int wrong = 0;

  SC_HAS_PROCESS(driver);
  explicit driver(sc_module_name name) : sc_module(name) {
    SC_THREAD(run);
    set_stack_size(1 << 20);
  }

  void check(heddle_error e, const job &j) {
    if (e == HEDDLE_SUCCESS) return;
    SC_REPORT_FATAL("driver", j.context ? heddle_context_message(j.context) : heddle_error_text(e));
  }
  void prepare(heddle_system *system, unsigned number, job &j) {
    heddle_device *device;
    heddle_module *module;
    std::vector<float> a(N), b(N);
    for (int i = 0; i < N; i++) a[i] = float(i + int(number)), b[i] = 0.5f * float(i);
    check(heddle_device_get(system, number, &device), j);
    check(heddle_context_create(device, &j.context), j);
    check(heddle_module_load(j.context, file.c_str(), &module), j);
    check(heddle_module_function(module, "vecadd", &j.vecadd), j);
    for (uint64_t *p : {&j.a, &j.b, &j.c}) check(heddle_mem_alloc(j.context, 4 * N, p), j);
    check(heddle_memcpy_to_device(j.context, j.a, a.data(), 4 * N), j);
    check(heddle_memcpy_to_device(j.context, j.b, b.data(), 4 * N), j);
  }
  void launch(job &j) {
    int32_t n = N;
    void *parameters[] = {&j.a, &j.b, &j.c, &n};
    check(heddle_function_launch(j.vecadd, {(N + BLOCK - 1) / BLOCK, 1, 1}, {BLOCK, 1, 1}, 0, parameters), j);
  }
  // How many of its sums are wrong.
  int sums(job &j, unsigned number) {
    std::vector<float> c(N);
    int bad = 0;
    check(heddle_memcpy_to_host(j.context, c.data(), j.c, 4 * N), j);
    for (int i = 0; i < N; i++) bad += c[i] != float(i + int(number)) + 0.5f * float(i);
    return bad;
  }

  void run() {
    heddle_system *system;
    std::vector<job> jobs(ports.size());
    check(heddle_init(ports.data(), unsigned(ports.size()), &system), {});
    for (unsigned i = 0; i < jobs.size(); i++) prepare(system, i, jobs[i]);
    for (job &j : jobs) launch(j);
    if (!irq.read()) wait(irq.posedge_event());
    for (unsigned i = 0; i < jobs.size(); i++) {
      const int bad = sums(jobs[i], i);
      std::printf("%s: %d sums, %d wrong\n", ports[i].name, N, bad);
      wrong += bad;
    }
    ram->errors(jobs[0].b, jobs[0].b + 32);
    launch(jobs[0]);
    const heddle_error e = heddle_synchronize(jobs[0].context, HEDDLE_FOREVER);
    std::printf("%s: with errors in memory: %s\n", ports[0].name, heddle_error_text(e));
    wrong += e != HEDDLE_ERROR_TRAPPED;
    for (job &j : jobs) heddle_context_destroy(j.context);
    heddle_shutdown(system);
    sc_stop();
  }
};

} // namespace

int sc_main(int argc, char **argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: platform FILE.elf [GPU0 [GPU1]]\n"), 2;
  tlm::tlm_global_quantum::instance().set(sc_time(1, SC_US)); // how far a model runs ahead

  memory ram("ram", BASE, 2 * SHARE, sc_time(100, SC_NS));
  driver cpu("cpu");
  any_irq any("any");
  sc_signal<bool> any_line("any_line"), line[2];
  std::vector<std::unique_ptr<sc_module>> parts; // in the order in which they were made
  std::vector<std::string> names;
  cpu.file = argv[1];
  cpu.ram = &ram;
  cpu.irq(any_line);
  any.out(any_line);
  for (int i = 0; i < 2; i++) names.push_back(argc > 2 + i ? argv[2 + i] : "model");
  for (int i = 0; i < 2; i++) {
    heddle::gpu_options o;
    o.on = names[i];
    o.memory_bytes = 2 * SHARE;
    const std::string number = std::to_string(i);
    auto gpu = std::make_unique<heddle::gpu>(("gpu" + number).c_str(), o);
    auto host = std::make_unique<heddle::host>(("host" + number).c_str());
    auto check = std::make_unique<heddle::tlm_checker>(("check" + number).c_str(), 4);
    host->registers.bind(check->in);
    check->out.bind(gpu->registers);
    host->memory.bind(ram.socket);
    gpu->memory.bind(ram.socket);
    gpu->irq(line[i]);
    host->irq(line[i]);
    any.in[i](line[i]);
    cpu.ports.push_back(host->port(names[i].c_str(), BASE + i * SHARE, SHARE));
    parts.push_back(std::move(gpu));
    parts.push_back(std::move(host));
    parts.push_back(std::move(check));
  }
  sc_start();
  return cpu.wrong != 0;
}
