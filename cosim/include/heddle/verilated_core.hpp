// SPDX-License-Identifier: Apache-2.0
//
// A core that Verilator has compiled, as a device of `heddle` (heddle/core.h): clock, reset, records, waves. The
// core's own parts remain: input of a launch, service of memory, its end. An author writes a class
//
//   struct Mine {
//     struct Sizes : heddle::Sizes { static constexpr unsigned LANES = 8, BANKS = 32, PARTITIONS = 1; };
//     static const heddle_core &declaration();                 // what it is, and what it shows
//     Mine(const heddle_core_options &o);                      // memory, seeds; copied where they are needed
//     void launch(Vmine &top, const heddle_image &image);      // drive inputs that are constant during a launch
//     void inputs(Vmine &top);                                 // clock low: drive what memory answers in this cycle
//     void outputs(const Vmine &top);                          // before the rising edge: sample the core's requests
//     bool ended(const Vmine &top) const;
//   };
//   HEDDLE_VERILATED_CORE(Vmine, Mine)
//
// The top has clk_i, rst_ni (low: reset), and for each kind of record that it shows ret_KIND_valid_o and ret_KIND_o, the
// vector of cosim/retire/README.md (kit: retire_pack_KIND makes it). Compile with -DVL_USER_STOP, so that a failed
// assertion ends the run with its place and not the process.
#ifndef HEDDLE_VERILATED_CORE_HPP
#define HEDDLE_VERILATED_CORE_HPP

#include <cstdint>
#include <memory>
#include <string>

#include <heddle/verilated_ports.hpp>
#include <heddle/retire_ports.hpp>
#if VM_TRACE_FST
#include <verilated_fst_c.h>
#endif

extern "C" {
#include <heddle/core.h>
#include <heddle/record_banks.h>
}

namespace heddle {

// Constants of all machines.
struct Sizes {
  static constexpr unsigned SMS = 1, MEM_BANKS = 1; // a core is one SM
  static constexpr unsigned PORTS = 1, ROWS = retire::PORT_ROWS, TURNS = retire::PORT_TURNS, LINE = retire::PORT_LINE, PREDICATES = retire::PORT_PREDICATES;
};

// The first assertion that failed; one core a thread.
inline std::string &failure_text()
{
  static thread_local std::string text;
  return text;
}

// Each record is handed on as soon as it has been copied from its port, if it is of a kind that the core says it shows.
template <class Sizes> struct Records {
  const heddle_core_options *o;
  heddle_record_hidden hidden;
  heddle_retire_record r{};
  heddle_retire_record &add(heddle_record_kind kind)
  {
    r.kind = kind;
    return r;
  }
  template <class Record> void shown(Record &)
  {
    if (heddle_record_shows(hidden, static_cast<heddle_record_kind>(r.kind))) o->record(o->sink, &r);
  }
  void shown(heddle_record_shared &s)
  {
    heddle_record_spread_banks(&s, Sizes::BANKS);
    if (heddle_record_shows(hidden, HEDDLE_RECORD_SHARED)) o->record(o->sink, &r);
  }
};

template <class Top, class Mine> class VerilatedCore {
  heddle_core_options options;
  VerilatedContext context;
  std::unique_ptr<Top> top;
  Mine mine;
  Records<typename Mine::Sizes> records{&options, Mine::declaration().hidden};
#if VM_TRACE_FST
  VerilatedFstC fst;
#endif

  static VerilatedContext &begin(VerilatedContext &c, const heddle_core_options &o)
  {
    c.randReset(2); // what reset leaves alone begins with anything
    c.randSeed(static_cast<int>(o.seed & 0x7fffffff) | 1);
    c.traceEverOn(VM_TRACE_FST != 0);
    return c;
  }

  void settle()
  {
    top->clk_i = 0;
    mine.inputs(*top);
    top->eval();
    dump();
  }
  void rise()
  {
    top->clk_i = 1;
    top->eval();
    dump();
  }
  void dump()
  {
#if VM_TRACE_FST
    if (fst.isOpen()) fst.dump(context.time());
#endif
    context.timeInc(1);
  }

public:
  explicit VerilatedCore(const heddle_core_options &o)
    : options(o), top(new Top(&begin(context, o))), mine(options)
  {
    failure_text().clear();
#if VM_TRACE_FST
    top->trace(&fst, 99);
#endif
  }
  ~VerilatedCore() { top->final(); }

  void launch(const heddle_image &image)
  {
    mine.launch(*top, image);
    top->rst_ni = 0;
    for (unsigned i = 0; i < 4; i++) {
      settle();
      rise();
    }
    top->rst_ni = 1;
  }
  void clock()
  {
    settle();
    retire::cycle<typename Mine::Sizes>(*top, records);
    mine.outputs(*top);
    rise();
  }
  bool ended() const { return mine.ended(*top); }
#if VM_TRACE_FST
  bool wave(const char *path)
  {
    if (fst.isOpen()) fst.close();
    if (path != nullptr) fst.open(path);
    return fst.isOpen() == (path != nullptr);
  }
#endif

  // ---- the table ----
  static const heddle_core *describe() { return &Mine::declaration(); }
  static void *create(const heddle_core_options *o) { return new VerilatedCore(*o); }
  static void free(void *self) { delete static_cast<VerilatedCore *>(self); }
  static void launch_it(void *self, const heddle_image *image) { static_cast<VerilatedCore *>(self)->launch(*image); }
  static void clock_it(void *self) { static_cast<VerilatedCore *>(self)->clock(); }
  static bool ended_it(const void *self) { return static_cast<const VerilatedCore *>(self)->ended(); }
#if VM_TRACE_FST
  static bool wave_it(void *self, const char *path) { return static_cast<VerilatedCore *>(self)->wave(path); }
#else
  static constexpr bool (*wave_it)(void *, const char *) = nullptr; // not built with --trace-fst
#endif
  static const char *failure(const void *) { return failure_text().empty() ? nullptr : failure_text().c_str(); }
};

} // namespace heddle

#define HEDDLE_VERILATED_CORE(Top, Mine)                                                                               \
  void vl_stop(const char *file, int line, const char *)                                                               \
  {                                                                                                                    \
    if (heddle::failure_text().empty())                                                                                \
      heddle::failure_text() = std::string("assertion at ") + file + ":" + std::to_string(line);                       \
  }                                                                                                                    \
  extern "C" __attribute__((visibility("default"))) const struct heddle_core_ops heddle_core_ops;                        \
  const struct heddle_core_ops heddle_core_ops = {HEDDLE_CORE_ABI,                                                     \
                                           heddle::VerilatedCore<Top, Mine>::describe,                                 \
                                           heddle::VerilatedCore<Top, Mine>::create,                                   \
                                           heddle::VerilatedCore<Top, Mine>::free,                                     \
                                           heddle::VerilatedCore<Top, Mine>::launch_it,                                \
                                           heddle::VerilatedCore<Top, Mine>::clock_it,                                 \
                                           heddle::VerilatedCore<Top, Mine>::ended_it,                                 \
                                           heddle::VerilatedCore<Top, Mine>::failure,                                  \
                                           heddle::VerilatedCore<Top, Mine>::wave_it};

#endif
