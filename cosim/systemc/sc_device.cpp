// SPDX-License-Identifier: Apache-2.0
//
// The same RTL, made a SystemC module by Verilator, behind the same C view. SystemC keeps one simulation a process:
// the platform is built once and stays, a later device starts from its reset with a memory of its own.
#include <systemc.h>

#include "cosim/verilator/device_core.hpp"
#include <Vgpu.h>

HEDDLE_VERILATOR_HOOKS

// libsystemc's main asks for it; this library is not a program.
extern "C" __attribute__((visibility("default"))) int sc_main(int, char **) {
  return 0;
}

namespace {

// Binds every port of a module to a signal of its own type.
template <class T> bool bind_as(sc_core::sc_object *o) {
  if (auto *in = dynamic_cast<sc_core::sc_in<T> *>(o)) {
    in->bind(*new sc_core::sc_signal<T>);
    return true;
  }
  if (auto *out = dynamic_cast<sc_core::sc_out<T> *>(o)) {
    out->bind(*new sc_core::sc_signal<T>);
    return true;
  }
  return false;
}

template <int... W> bool bind_vector(sc_core::sc_object *o, std::integer_sequence<int, W...>) {
  return (bind_as<sc_dt::sc_bv<W>>(o) || ...);
}

void bind_all(sc_core::sc_module &m) {
  for (sc_core::sc_object *o : m.get_child_objects())
    (void)(bind_as<bool>(o) || bind_as<uint32_t>(o) || bind_as<uint64_t>(o) ||
           bind_vector(o, std::integer_sequence<int, HEDDLE_AXI_BITS_OF_CONFIG>{}) ||
           bind_vector(o, retire::bits<sample::Sizes>{}));
}

struct Sim {
  static constexpr const char *backend = "systemc";
  std::unique_ptr<Vgpu> gpu;

  void build(uint64_t seed) {
    static char name[] = "heddle", rand[] = "+verilator+rand+reset+2";
    static std::string s;
    s = "+verilator+seed+" + std::to_string(seed % 0x7fffffff + 1);
    char *args[] = {name, rand, s.data()};
    Verilated::commandArgs(3, args);
    gpu = std::make_unique<Vgpu>("heddle_gpu");
    bind_all(*gpu);
    core::voice().quiet = true;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  Vgpu &top() { return *gpu; }
  const Vgpu &shown() { return *gpu; }

  void settle(uint64_t) {
    ports::drive(gpu->clk_i, 0);
    sc_core::sc_start(5, sc_core::SC_NS);
  }

  void rise(uint64_t) {
    ports::drive(gpu->clk_i, 1);
    sc_core::sc_start(5, sc_core::SC_NS);
  }

  bool wave(const char *path) { return path == nullptr; }
};

using Device = core::Device<Sim>;
Device *the_one = nullptr;
bool in_use = false;

void *create(const heddle_dut_options *o) {
  if (in_use) return nullptr;
  try {
    if (the_one == nullptr) {
      the_one = new Device;
      the_one->sim.build(o->seed);
    }
    in_use = the_one->begin(o);
  } catch (const std::exception &e) {
    core::failure_text() = e.what();
  }
  return in_use ? the_one : nullptr;
}

void destroy(void *) {
  in_use = false;
}

} // namespace

HEDDLE_DEVICE_TABLE(Sim, create, destroy)
