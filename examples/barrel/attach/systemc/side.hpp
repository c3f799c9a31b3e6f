// SPDX-License-Identifier: Apache-2.0
//
// The ports of barrel as a SystemC module: a signal for each, a launch at the inputs, records to the checker.
#ifndef BARREL_SIDE_HPP
#define BARREL_SIDE_HPP

#include <string>

#include <systemc.h>

#define HEDDLE_SYSTEMC 1
#include <Vbarrel_retire.h>
#include <heddle/verilated_ports.hpp>

extern "C" {
#include "heddle_bench.h"
}

// A signal for each port but the clock.
template <class T> void join(sc_core::sc_in<T> &p) { p.bind(*new sc_core::sc_signal<T>); }
template <class T> void join(sc_core::sc_out<T> &p) { p.bind(*new sc_core::sc_signal<T>); }
template <class... Ports> void join_all(Ports &...p) { (join(p), ...); }

struct Side {
  Vbarrel_retire &c;
  heddle_bench *judge;
  bool fine = true;
  uint64_t cycle = 0; // clocks without reset: the first is 1

  Side(Vbarrel_retire &core, heddle_bench *j) : c(core), judge(j)
  {
    join_all(c.rst_ni, c.bug_i, c.go_i, c.code_base_i, c.code_bytes_i, c.entry_i, c.grid_i, c.block_i, c.regs_i,
             c.shared_bytes_i, c.local_base_i, c.local_bytes_i, c.cbank_base_i, c.cbank_bytes_i, c.region_base_i,
             c.region_limit_i, c.region_write_i, c.done_o, c.refused_o, c.trapped_o, c.req_o, c.we_o, c.ready_i, c.addr_o,
             c.wdata_o, c.wstrb_o, c.rsp_i, c.err_i, c.rdata_i, c.ret_block_start_valid_o, c.ret_global_valid_o,
             c.ret_shared_valid_o, c.ret_write_valid_o, c.ret_predicate_valid_o, c.ret_operands_valid_o,
             c.ret_barrier_valid_o, c.ret_issue_valid_o, c.ret_trap_valid_o, c.ret_block_end_valid_o, c.ret_block_start_o,
             c.ret_global_o, c.ret_shared_o, c.ret_write_o, c.ret_predicate_o, c.ret_operands_o, c.ret_barrier_o,
             c.ret_issue_o, c.ret_trap_o, c.ret_block_end_o);
  }

  // ---- the launch, at the inputs ----
  uint64_t value(const std::string &name) const { return bench_value(judge, name.c_str()); }
  template <int W> void vector(sc_core::sc_in<sc_dt::sc_bv<W>> &p, unsigned n, const char *before, const char *after)
  {
    const std::string xyz = "xyz";
    sc_dt::sc_bv<W> all = 0;
    for (unsigned i = 0; i < n; i++) {
      const std::string index = *after != '\0' ? std::to_string(i) : xyz.substr(i, 1);
      all.range(static_cast<int>(W / n * (i + 1)) - 1, static_cast<int>(W / n * i)) = value(before + index + after);
    }
    ports::signal_of(p).write(all);
  }
  void tell(unsigned bug)
  {
    uint64_t writable = 0;
    ports::drive(c.bug_i, bug);
    ports::drive(c.code_base_i, value("code_at"));
    ports::drive(c.code_bytes_i, value("code_bytes"));
    ports::drive(c.entry_i, value("entry_pc"));
    ports::drive(c.regs_i, value("regs"));
    ports::drive(c.shared_bytes_i, value("shared_bytes"));
    ports::drive(c.local_base_i, value("local_at"));
    ports::drive(c.local_bytes_i, value("local_bytes"));
    vector(c.grid_i, 3, "grid_", "");
    vector(c.block_i, 3, "block_", "");
    vector(c.cbank_base_i, 4, "cbank", "_at");
    vector(c.cbank_bytes_i, 4, "cbank", "_bytes");
    vector(c.region_base_i, 16, "region", "_base");
    vector(c.region_limit_i, 16, "region", "_limit");
    for (unsigned i = 0; i < 16; i++) writable |= value("region" + std::to_string(i) + "_writable") << i;
    ports::drive(c.region_write_i, writable);
  }

  // ---- a rising edge: what the core shows ----
  template <class Port> void show(unsigned kind, const sc_core::sc_out<bool> &valid, const Port &p, unsigned bits)
  {
    uint32_t word[93];
    if (!valid.read()) return;
    ports::words(word, p, bits / 32);
    fine = bench_record(judge, kind, cycle, word, bits / 32) && fine;
  }
  template <int W>
  void show(unsigned kind, const sc_core::sc_out<bool> &valid, const sc_core::sc_out<sc_dt::sc_bv<W>> &p)
  {
    show(kind, valid, p, W);
  }
  void show_all()
  {
    show(HEDDLE_RECORD_BLOCK_START, c.ret_block_start_valid_o, c.ret_block_start_o);
    show(HEDDLE_RECORD_GLOBAL, c.ret_global_valid_o, c.ret_global_o);
    show(HEDDLE_RECORD_SHARED, c.ret_shared_valid_o, c.ret_shared_o);
    show(HEDDLE_RECORD_WRITE, c.ret_write_valid_o, c.ret_write_o);
    show(HEDDLE_RECORD_PREDICATE, c.ret_predicate_valid_o, c.ret_predicate_o);
    show(HEDDLE_RECORD_OPERANDS, c.ret_operands_valid_o, c.ret_operands_o);
    show(HEDDLE_RECORD_BARRIER, c.ret_barrier_valid_o, c.ret_barrier_o, 32);
    show(HEDDLE_RECORD_ISSUE, c.ret_issue_valid_o, c.ret_issue_o);
    show(HEDDLE_RECORD_TRAP, c.ret_trap_valid_o, c.ret_trap_o);
    show(HEDDLE_RECORD_BLOCK_END, c.ret_block_end_valid_o, c.ret_block_end_o, 32);
    fine = bench_step(judge, cycle) && fine;
  }
};

#endif
