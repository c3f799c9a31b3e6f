// SPDX-License-Identifier: Apache-2.0
//
// The Verilated heddle_gpu behind the C view of a device (heddle/device.h). One shared object for each configuration.
#include "cosim/verilator/device_core.hpp"
#include <Vgpu.h>
#include <Vgpu___024root.h>
#if HEDDLE_APART
#include "cosim/verilator/apart.hpp"
#endif
#if HEDDLE_BESIDE
#include <Vnet.h>
#include "cosim/verilator/beside.hpp"
#endif
#ifdef HEDDLE_COVER
#include <cstdlib>
#include <verilated_cov.h>
#endif
#if HEDDLE_TRACE
#include <verilated_fst_c.h>
#endif

HEDDLE_VERILATOR_HOOKS

// What Vgpu::eval comes down to after its first call. The rest of it looks, twice a cycle and behind a mutex, for what
// this design does not have: objects to delete, messages of other threads.
void Vgpu___024root___eval(Vgpu___024root *);

namespace {

#if !HEDDLE_BARE // generated twice, for SystemVerilog and for C++: the same words
using of = retire::shown<sample::Sizes>;
#if HEDDLE_APART
static_assert(sizeof(Vsm___024root::ret_sm_o) == 4 * of::sm_words);
#else
static_assert(sizeof(Vgpu___024root::ret_sm_o) == 4 * sample::Sizes::SMS * of::sm_words);
#endif
static_assert(sizeof(Vgpu___024root::ret_bank_o) == 4 * sample::Sizes::MEM_BANKS * of::bank_words);
#endif

struct Sim {
  static constexpr const char *backend = "verilator";
  VerilatedContext context;
#if HEDDLE_APART
  apart::Machine machine;
#else
  std::unique_ptr<Vgpu> gpu;
#endif
#if HEDDLE_TRACE
  std::unique_ptr<VerilatedFstC> fst;
#endif
#if HEDDLE_BESIDE
  beside::Beside<Vgpu___024root, Vnet> netlist;
#endif

  // What reset leaves alone starts at random, from the seed.
  void build(uint64_t seed) {
    const std::string s = "+verilator+seed+" + std::to_string(seed % 0x7fffffff + 1);
    const char *args[] = {"heddle", "+verilator+rand+reset+2", s.c_str()};
    context.commandArgs(3, args);
    context.traceEverOn(HEDDLE_TRACE != 0);
#if HEDDLE_APART
    machine.build(context);
#else
    gpu = std::make_unique<Vgpu>(&context, "heddle");
#endif
#if HEDDLE_BESIDE
    netlist.build(context);
#endif
  }

#if HEDDLE_APART
  inline Vgpu___024root &top() {
    return machine.top();
  }
  inline const apart::Shown &shown() const {
    return machine.shown();
  }
  inline void settle(uint64_t) {
    machine.settle();
  }
  inline void rise(uint64_t) {
    machine.rise();
  }
#else
  // The ports themselves; Vgpu has a pointer to each of them.
  inline Vgpu___024root &top() {
    return *gpu->rootp;
  }
  inline const Vgpu___024root &shown() {
    return top();
  }

  bool begun = false;

  inline void eval() {
    if (begun && HEDDLE_TRACE == 0) return Vgpu___024root___eval(&top());
    gpu->eval();
    begun = true;
  }

  inline void settle(uint64_t cycle) {
    top().clk_i = 0;
    eval();
#if HEDDLE_BESIDE
    netlist.settle(top(), cycle);
#endif
    dump(10 * cycle);
  }

  inline void rise(uint64_t cycle) {
    top().clk_i = 1;
    eval();
#if HEDDLE_BESIDE
    netlist.rise();
#endif
    dump(10 * cycle + 5);
  }
#endif

#if HEDDLE_TRACE
  inline void dump(uint64_t time) {
    if (fst) fst->dump(time);
  }

  bool wave(const char *path) {
    fst.reset();
    if (path == nullptr) return true;
    fst = std::make_unique<VerilatedFstC>();
    gpu->trace(fst.get(), 99);
    fst->open(path);
    if (fst->isOpen()) return true;
    fst.reset();
    return false;
  }
#else
  inline void dump(uint64_t) {}
  bool wave(const char *path) {
    return path == nullptr;
  }
#endif

  ~Sim() {
#if HEDDLE_TRACE
    fst.reset();
#endif
#if HEDDLE_APART
    machine.end();
#else
    if (gpu) gpu->final();
#endif
#if HEDDLE_BESIDE
    netlist.end();
#endif
#ifdef HEDDLE_COVER
    // Each device of a run adds a file of its own: PATH.0, PATH.1 ...
    static unsigned number = 0;
    const char *path = std::getenv("HEDDLE_COVERAGE");
    // Points of several instances of a module are one, unless they are asked for apart.
    if (std::getenv("HEDDLE_COVERAGE_INSTANCES")) context.coveragep()->forcePerInstance(true);
    if (path) context.coveragep()->write((std::string(path) + "." + std::to_string(number++)).c_str());
#endif
  }
};

using Device = core::Device<Sim>;

void *create(const heddle_dut_options *o) {
  std::unique_ptr<Device> d(new (std::nothrow) Device);
  if (!d) return nullptr;
  d->sim.build(o->seed);
  return d->begin(o) ? d.release() : nullptr;
}

// A model takes the scopes of its DPI out of the context that this thread evaluated last, which may be gone.
void destroy(void *self) {
  Device *d = static_cast<Device *>(self);
  Verilated::threadContextp(&d->sim.context);
  delete d;
}

} // namespace

HEDDLE_DEVICE_TABLE(Sim, create, destroy)
