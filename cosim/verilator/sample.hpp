// SPDX-License-Identifier: Apache-2.0
//
// The retire port of one cycle as records: valid bits first, and only what is valid is copied. Order as rtl/README.md says.
#ifndef HEDDLE_SAMPLE_HPP
#define HEDDLE_SAMPLE_HPP

#include <vector>

#include "ports.hpp"

extern "C" {
#include "heddle/record.h"
}

namespace sample {

constexpr unsigned LANES = HEDDLE_LANES_OF_CONFIG;
constexpr unsigned PARTS = HEDDLE_PARTITIONS_OF_CONFIG;
constexpr unsigned BANKS = HEDDLE_SHARED_BANKS_OF_CONFIG; // of shared memory

// Records of the cycles since the last clear. Stepping pauses when SOFT is reached; host accesses go on. It grows as needed.
// SOFT: RTL and checker each push the other's code and data out of the near caches, and make the processor forget its
// branches: their turns are long.
struct Buffer {
  static constexpr size_t SOFT = 16384, FIRST = 2048, PER_CYCLE = 8 + 8 * PARTS;
  std::vector<retire_record> record = std::vector<retire_record>(FIRST + PER_CYCLE);
  size_t count = 0;
  uint64_t cycle = 0;

  retire_record &add(record_kind kind)
  {
    retire_record &r = record[count++];
    r.kind = kind;
    r.cycle = cycle;
    return r;
  }
  bool full() const { return count >= SOFT; }
  void room()
  {
    if (count + PER_CYCLE > record.size()) record.resize(2 * record.size());
  }
};

#define SAMPLE_ID(prefix) \
  record_id{static_cast<uint8_t>(ports::value(t.prefix##_slot_o)), static_cast<uint8_t>(ports::value(t.prefix##_gen_o)), \
            static_cast<uint32_t>(ports::value(t.prefix##_seq_o))}
// Of an array of records number i: partitions, or write ports of partitions.
#define SAMPLE_ID_AT(prefix, i) \
  record_id{static_cast<uint8_t>(ports::at<8>(t.prefix##_slot_o, i)), static_cast<uint8_t>(ports::at<8>(t.prefix##_gen_o, i)), \
            static_cast<uint32_t>(ports::at<32>(t.prefix##_seq_o, i))}
#define SAMPLE_U8(p) static_cast<uint8_t>(ports::value(p))
#define SAMPLE_U32(p) static_cast<uint32_t>(ports::value(p))

template <class Top> inline void block_start(const Top &t, Buffer &b)
{
  record_block_start &r = b.add(RECORD_BLOCK_START).u.block_start;
  r.bslot = SAMPLE_U8(t.ret_bstart_bslot_o);
  r.ctaid[0] = SAMPLE_U32(t.ret_bstart_ctaid_x_o);
  r.ctaid[1] = SAMPLE_U32(t.ret_bstart_ctaid_y_o);
  r.ctaid[2] = SAMPLE_U32(t.ret_bstart_ctaid_z_o);
  r.warps = ports::value(t.ret_bstart_warps_o);
  r.shared_base = SAMPLE_U32(t.ret_bstart_shm_base_o);
}

template <class Top> inline void global(const Top &t, Buffer &b)
{
  record_global &r = b.add(RECORD_GLOBAL).u.global;
  r.id = SAMPLE_ID(ret_gmem);
  r.access = SAMPLE_U8(t.ret_gmem_kind_o);
  r.lanes = SAMPLE_U32(t.ret_gmem_lanes_o);
  r.sector = ports::value(t.ret_gmem_sector_o);
  r.wstrb = SAMPLE_U32(t.ret_gmem_wstrb_o);
  uint32_t w[8];
  ports::words(w, t.ret_gmem_wdata_o, 8);
  std::memcpy(r.wdata, w, 32);
  ports::words(w, t.ret_gmem_rdata_o, 8);
  std::memcpy(r.rdata, w, 32);
}

// The record speaks of 32 banks: word w lies in bank w mod 32, row w / 32. The words of one pass of fewer banks never meet
// there.
template <class Top> inline void shared(const Top &t, Buffer &b)
{
  record_shared &r = b.add(RECORD_SHARED).u.shared;
  r.id = SAMPLE_ID(ret_shm);
  r.access = SAMPLE_U8(t.ret_shm_kind_o);
  r.lanes = SAMPLE_U32(t.ret_shm_lanes_o);
  r.bank_en = 0;
  uint32_t row[BANKS / 2], strobe[(BANKS + 7) / 8], wdata[BANKS] = {}, rdata[BANKS] = {};
  ports::words(row, t.ret_shm_row_o, BANKS / 2);
  ports::words(strobe, t.ret_shm_wstrb_o, (BANKS + 7) / 8);
  if (r.access != RECORD_LOAD) ports::words(wdata, t.ret_shm_wdata_o, BANKS);
  if (r.access != RECORD_STORE) ports::words(rdata, t.ret_shm_rdata_o, BANKS);
  const uint32_t enabled = SAMPLE_U32(t.ret_shm_bank_en_o);
  if (BANKS == RECORD_BANKS) { // the record is the port
    r.bank_en = enabled;
    std::memcpy(r.row, row, sizeof row);
    for (unsigned i = 0; i < BANKS; i++) r.wstrb[i] = static_cast<uint8_t>(strobe[i / 8] >> i % 8 * 4 & 15u);
    std::memcpy(r.wdata, wdata, sizeof wdata);
    std::memcpy(r.rdata, rdata, sizeof rdata);
    return;
  }
  for (uint32_t rest = enabled; rest != 0; rest &= rest - 1) {
    const unsigned i = static_cast<unsigned>(__builtin_ctz(rest));
    const uint32_t word = (row[i / 2] >> i % 2 * 16 & 0xffffu) * BANKS + i, to = word % RECORD_BANKS;
    r.bank_en |= 1u << to;
    r.row[to] = static_cast<uint16_t>(word / RECORD_BANKS);
    r.wstrb[to] = static_cast<uint8_t>(strobe[i / 8] >> i % 8 * 4 & 15u);
    r.wdata[to] = wdata[i];
    r.rdata[to] = rdata[i];
  }
}

// Write port i: bank i mod 4 of partition i / 4.
template <class Top> inline void write(const Top &t, Buffer &b, unsigned i)
{
  record_write &r = b.add(RECORD_WRITE).u.write;
  r.id = SAMPLE_ID_AT(ret_wb, i);
  r.bank = static_cast<uint8_t>(i % 4);
  r.rd = static_cast<uint8_t>(ports::at<8>(t.ret_wb_rd_o, i));
  r.beat = static_cast<uint8_t>(ports::at<8>(t.ret_wb_beat_o, i));
  r.mask = static_cast<uint32_t>(ports::at<LANES>(t.ret_wb_mask_o, i));
  ports::slice(r.data, t.ret_wb_data_o, i * LANES, LANES);
}

template <class Top> inline void predicate(const Top &t, Buffer &b, unsigned i)
{
  record_predicate &r = b.add(RECORD_PREDICATE).u.predicate;
  r.id = SAMPLE_ID_AT(ret_pwb, i);
  r.beat = static_cast<uint8_t>(ports::at<8>(t.ret_pwb_beat_o, i));
  r.pd0 = static_cast<uint8_t>(ports::at<3>(t.ret_pwb_pd0_o, i));
  r.pd1 = static_cast<uint8_t>(ports::at<3>(t.ret_pwb_pd1_o, i));
  r.mask = static_cast<uint32_t>(ports::at<LANES>(t.ret_pwb_mask_o, i));
  r.d0 = static_cast<uint32_t>(ports::at<LANES>(t.ret_pwb_d0_o, i));
  r.d1 = static_cast<uint32_t>(ports::at<LANES>(t.ret_pwb_d1_o, i));
}

#define SAMPLE_OPERANDS(name, prefix, kind)                                                 \
  template <class Top> inline void name(const Top &t, Buffer &b, unsigned i)                \
  {                                                                                         \
    record_operands &r = b.add(kind).u.operands;                                            \
    r.id = SAMPLE_ID_AT(prefix, i);                                                         \
    r.beat = static_cast<uint8_t>(ports::at<8>(t.prefix##_beat_o, i));                      \
    r.used = static_cast<uint8_t>(ports::at<RECORD_SLOTS>(t.prefix##_used_o, i));           \
    r.mask = static_cast<uint32_t>(ports::at<LANES>(t.prefix##_mask_o, i));                 \
    for (unsigned s = 0; s < RECORD_SLOTS; s++)                                             \
      if ((r.used >> s & 1u) != 0)                                                          \
        ports::slice(r.data[s], t.prefix##_data_o, (i * RECORD_SLOTS + s) * LANES, LANES);  \
  }
SAMPLE_OPERANDS(operands_general, ret_opg, RECORD_OPERANDS)
SAMPLE_OPERANDS(operands_memory, ret_opm, RECORD_OPERANDS_MEMORY)

template <class Top> inline void barrier(const Top &t, Buffer &b)
{
  record_barrier &r = b.add(RECORD_BARRIER).u.barrier;
  r.bslot = SAMPLE_U8(t.ret_bar_bslot_o);
  r.id = SAMPLE_U8(t.ret_bar_id_o);
}

template <class Top> inline void issue(const Top &t, Buffer &b, unsigned i)
{
  record_issue &r = b.add(RECORD_ISSUE).u.issue;
  r.id = SAMPLE_ID_AT(ret_issue, i);
  r.pc = static_cast<uint32_t>(ports::at<32>(t.ret_issue_pc_o, i));
  r.lo = ports::at<64>(t.ret_issue_word_o, 2 * i);
  r.hi = ports::at<64>(t.ret_issue_word_o, 2 * i + 1);
  r.active = static_cast<uint32_t>(ports::at<32>(t.ret_issue_active_o, i));
  r.exec = static_cast<uint32_t>(ports::at<32>(t.ret_issue_exec_o, i));
  r.ps[0] = static_cast<uint32_t>(ports::at<32>(t.ret_issue_ps0_o, i));
  r.ps[1] = static_cast<uint32_t>(ports::at<32>(t.ret_issue_ps1_o, i));
  r.ps[2] = static_cast<uint32_t>(ports::at<32>(t.ret_issue_ps2_o, i));
  r.dhash = ports::at<64>(t.ret_issue_dhash_o, i);
}

template <class Top> inline void trap(const Top &t, Buffer &b)
{
  record_trap &r = b.add(RECORD_TRAP).u.trap;
  r.cause = SAMPLE_U8(t.ret_trap_cause_o);
  r.id = SAMPLE_ID(ret_trap);
  r.pc = SAMPLE_U32(t.ret_trap_pc_o);
  r.lanes = SAMPLE_U32(t.ret_trap_lanes_o);
  r.addr = ports::value(t.ret_trap_addr_o);
}

inline unsigned lowest(uint64_t v) { return static_cast<unsigned>(__builtin_ctzll(v)); }

// A cycle in which nothing retires costs a dozen loads.
template <class Top> inline void cycle(const Top &t, Buffer &b)
{
  b.room();
  if (ports::value(t.ret_bstart_valid_o)) block_start(t, b);
  if (ports::value(t.ret_gmem_valid_o)) global(t, b);
  if (ports::value(t.ret_shm_valid_o)) shared(t, b);
  for (uint64_t rest = ports::value(t.ret_wb_valid_o); rest != 0; rest &= rest - 1) write(t, b, lowest(rest));
  for (uint64_t rest = ports::value(t.ret_pwb_valid_o); rest != 0; rest &= rest - 1) predicate(t, b, lowest(rest));
  for (uint64_t rest = ports::value(t.ret_opg_valid_o); rest != 0; rest &= rest - 1) operands_general(t, b, lowest(rest));
  for (uint64_t rest = ports::value(t.ret_opm_valid_o); rest != 0; rest &= rest - 1) operands_memory(t, b, lowest(rest));
  if (ports::value(t.ret_bar_valid_o)) barrier(t, b);
  for (uint64_t rest = ports::value(t.ret_issue_valid_o); rest != 0; rest &= rest - 1) issue(t, b, lowest(rest));
  if (ports::value(t.ret_trap_valid_o)) trap(t, b);
  if (ports::value(t.ret_bend_valid_o)) {
    const uint8_t bslot = SAMPLE_U8(t.ret_bend_bslot_o);
    b.add(RECORD_BLOCK_END).u.block_end.bslot = bslot;
  }
}

} // namespace sample

#endif
