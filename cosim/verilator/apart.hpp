// SPDX-License-Identifier: Apache-2.0
//
// A machine in parts: the top without SMs (Vgpu, the shell), and an SM (Vsm) with an object for each SM. Their code is
// there once, and compiled once for all tops. apart.py lists the ports that are copied.
//
// At a clock edge each part has the others' outputs of before. Then ports are copied until nothing changes. Nets that
// depend on both sides without a register between settle as in one design, with the same result, cycle by cycle.
// Examples: the range of a region that an SM reads, a `ready` that follows a `valid`. Outputs of the shell's registers
// (apart.py) are copied at the edge itself, to registers beside each SM.
#ifndef HEDDLE_APART_HPP
#define HEDDLE_APART_HPP

#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "cosim/verilator/sample.hpp"
#include <Vgpu.h>
#include <Vgpu___024root.h>
#include <Vsm.h>
#include <Vsm___024root.h>

// Body of a model's eval after its first call (vl_device.cpp), and the two parts of it with work at an edge with
// unchanged inputs.
void Vgpu___024root___eval(Vgpu___024root *);
void Vsm___024root___eval(Vsm___024root *);
#if HEDDLE_PHASES
bool Vsm___024root___eval_phase__act(Vsm___024root *);
bool Vsm___024root___eval_phase__nba(Vsm___024root *);
#endif

namespace apart {

constexpr unsigned SMS = HEDDLE_SMS_OF_CONFIG;

// A port from here to there. True: it was another.
template <class T> inline bool carry(const T &from, T &to)
{
  const bool changed = std::memcmp(&from, &to, sizeof to) != 0;
  if (changed) std::memcpy(&to, &from, sizeof to);
  return changed;
}

// A port of module sm, number s, in the shell, by the name that Verilator gives it.
#if HEDDLE_PORT
#define HEDDLE_HOLE(g, s, port) g.heddle_gpu_port__DOT__u_sm__DOT__##port
#elif HEDDLE_STREAM
#define HEDDLE_HOLE(g, s, port) \
  g.heddle_gpu_stream__DOT__u_core__DOT__u_gpu__DOT__gen_sm__BRA__##s##__KET____DOT__u_sm__DOT__##port
#else
#define HEDDLE_HOLE(g, s, port) g.heddle_gpu__DOT__u_gpu__DOT__gen_sm__BRA__##s##__KET____DOT__u_sm__DOT__##port
#endif

template <unsigned S> struct Seam {
  static bool to_sm(const Vgpu___024root &g, Vsm___024root &m);
  static bool registers(const Vgpu___024root &g, Vsm___024root &m);
  static bool from_sm(const Vsm___024root &m, Vgpu___024root &g);
};
#include <apart_seam.hpp>

// Inputs of sample::cycle: records of SMs, in these; records of banks of memory, in the shell.
struct Shown {
  ports::Side<decltype(Vsm___024root::ret_sm_o), SMS> ret_sm_o;
  const decltype(Vgpu___024root::ret_bank_o) &ret_bank_o;
};

class Machine {
public:
  void build(VerilatedContext &context)
  {
    gpu = std::make_unique<Vgpu>(&context, "heddle");
    for (unsigned s = 0; s < SMS; s++) // the name is in messages, and what starts at random depends on it
      sm[s] = std::make_unique<Vsm>(&context, ("heddle.sm" + std::to_string(s)).c_str());
    shown_.reset(new Shown{{}, top().ret_bank_o});
    for (unsigned s = 0; s < SMS; s++) shown_->ret_sm_o.of[s] = &sm[s]->rootp->ret_sm_o;
  }
  inline Vgpu___024root &top() { return *gpu->rootp; }
  inline const Shown &shown() const { return *shown_; }

  // The clock is low: inputs of the top, and what the edge brought, are handed over.
  inline void settle() { settle(std::make_integer_sequence<unsigned, SMS>()); }

  inline void rise() { rise(std::make_integer_sequence<unsigned, SMS>()); }

  void end()
  {
    if (gpu) gpu->final();
    for (auto &m : sm)
      if (m) m->final();
  }

private:
  std::unique_ptr<Vgpu> gpu;
  std::unique_ptr<Vsm> sm[SMS];
  std::unique_ptr<Shown> shown_;
  bool gpu_begun = false, sm_begun = false, risen = false;

  inline void eval_gpu()
  {
    if (gpu_begun) return Vgpu___024root___eval(&top());
    gpu->eval();
    gpu_begun = true;
  }
  inline void eval_sm(Vsm &m)
  {
    if (sm_begun) return Vsm___024root___eval(m.rootp);
    m.eval();
  }

  static inline void edge_sm(Vsm___024root *m)
  {
    m->clk_i = 1;
#if HEDDLE_PHASES
    do {
      while (Vsm___024root___eval_phase__act(m)) {
      }
    } while (Vsm___024root___eval_phase__nba(m));
#else
    Vsm___024root___eval(m);
#endif
  }

  template <unsigned S> inline bool from_sm()
  {
    bool changed = Seam<S>::from_sm(*sm[S]->rootp, top());
#if HEDDLE_STREAM // it reads what its SM shows
    changed |= carry(sm[S]->rootp->ret_sm_o, HEDDLE_HOLE(top(), 0, shown));
#endif
    return changed;
  }
  // Whether the SM drives anything else now.
  template <unsigned S> inline bool into_sm(bool first)
  {
    Vsm___024root &m = *sm[S]->rootp;
    if (first) m.clk_i = 0;
    if (!Seam<S>::to_sm(top(), m) && !first) return false;
    eval_sm(*sm[S]);
    return from_sm<S>();
  }
  template <unsigned... S> inline void settle(std::integer_sequence<unsigned, S...>)
  {
    top().clk_i = 0;
    (from_sm<S>(), ...);
    eval_gpu();
    bool changed = (into_sm<S>(true) | ...);
    sm_begun = true;
    while (changed) {
      eval_gpu();
      changed = (into_sm<S>(false) | ...);
    }
    // A net that has changed since the edge is no register.
    if (risen && Seam<0>::registers(top(), *sm[0]->rootp))
      vl_fatal(__FILE__, __LINE__, "apart", "a port that apart.py takes for a register changed without an edge");
  }
  template <unsigned... S> inline void rise(std::integer_sequence<unsigned, S...>)
  {
    top().clk_i = 1;
    eval_gpu();
    ((Seam<S>::registers(top(), *sm[S]->rootp), edge_sm(sm[S]->rootp)), ...);
    risen = true;
  }
};

} // namespace apart

#endif
