// SPDX-License-Identifier: Apache-2.0
// The launch registers as the host writes them: what each keeps of a value, and what SMs must have of them.
#pragma once
#include <vector>

#include <heddle/host_regs.h>
#include "tests/rtl/gpu/buses.h"

struct Registers : Buses {
  static uint32_t fit(uint32_t v, uint32_t most) { return v > most ? most : v; }

  // All launch registers, with what each keeps of a value.
  struct Field {
    unsigned offset;
    uint32_t mask, most;
  };
  std::vector<Field> fields;
  std::vector<uint32_t> values;
  size_t pages = 0; // of PAGE_ROOT among them
  bool mmu = false;
  void list() {
    for (unsigned i = 0; i < 3; i++) fields.push_back({HEDDLE_REG_GRID_X + 4 * i, ~0u, ~0u});
    for (unsigned i = 0; i < 3; i++) fields.push_back({HEDDLE_REG_BLOCK_X + 4 * i, ~0u, 2047});
    fields.push_back({HEDDLE_REG_ENTRY_PC, ~0u, ~0u});
    fields.push_back({HEDDLE_REG_REGS, ~0u, 511});
    fields.push_back({HEDDLE_REG_SHARED_BYTES, ~0u, 0xffffff});
    fields.push_back({HEDDLE_REG_CODE_BASE, ~0u, ~0u});
    fields.push_back({HEDDLE_REG_CODE_BASE_HI, 0xff, ~0u});
    fields.push_back({HEDDLE_REG_CODE_BYTES, ~0u, ~0u});
    fields.push_back(
        {HEDDLE_REG_MODE,
         HEDDLE_MODE_SCOREBOARD | HEDDLE_MODE_SCHED_MASK | HEDDLE_MODE_ITS | HEDDLE_MODE_PAGES | HEDDLE_MODE_FAULT_TRAP,
         ~0u});
    fields.push_back({HEDDLE_REG_REGION_WRITE, 0xffff, ~0u});
    for (unsigned i = 0; i < HEDDLE_CBANKS; i++) {
      fields.push_back({HEDDLE_REG_CBANK_BASE(i), ~0u, ~0u});
      fields.push_back({HEDDLE_REG_CBANK_BASE_HI(i), 0xff, ~0u});
      fields.push_back({HEDDLE_REG_CBANK_BYTES(i), 0x1ffff, ~0u});
    }
    for (unsigned i = 0; i < HEDDLE_REGIONS; i++) {
      fields.push_back({HEDDLE_REG_REGION_BASE(i), ~0u, ~0u});
      fields.push_back({HEDDLE_REG_REGION_BASE_HI(i), 0xff, ~0u});
      fields.push_back({HEDDLE_REG_REGION_LIMIT(i), ~0u, ~0u});
      fields.push_back({HEDDLE_REG_REGION_LIMIT_HI(i), 0x1ff, ~0u});
    }
    // Behind those that have a place of their own.
    pages = fields.size();
    fields.push_back({HEDDLE_REG_PAGE_ROOT, ~0u, ~0u});
    fields.push_back({HEDDLE_REG_PAGE_ROOT_HI, 0xff, ~0u});
    fields.push_back({HEDDLE_REG_SPACE, 0xff, ~0u});
    values.assign(fields.size(), 0);
  }

  // All of them, one after the other, or any; where they are locked writes are dropped.
  void launch_registers(bool locked) {
    for (size_t k = 0; k < 123; k++) {
      const size_t i = k < fields.size() && !locked ? k : below(unsigned(fields.size()));
      const uint32_t v = below(2) ? rnd() : below(3000);
      const unsigned strb = below(10) ? 15 : below(15);
      same("bresp", write(fields[i].offset, v, strb), strb == 15 || (locked && strb == 15) ? 0 : 2);
      if (strb == 15 && !locked)
        values[i] = fit(v & fields[i].mask, fields[i].most);
      else if (k < fields.size() && !locked)
        k--;
    }
    for (size_t i = 0; i < fields.size(); i++) same("launch register", read(fields[i].offset), values[i]);
  }

  // The SMs' copies of these values.
  void launched(const std::vector<uint32_t> &values) {
    const uint32_t paged = HEDDLE_MODE_PAGES | HEDDLE_MODE_FAULT_TRAP; // by ports of their own
    for (unsigned i = 0; i < 14; i++) same("launch", top->launch_o[i], values[i] & (i == 12 ? ~paged : ~0u));
    same("pages", top->mode_pages_o, mmu && (values[12] & HEDDLE_MODE_PAGES));
    same("fault_trap", top->mode_fault_trap_o, mmu && (values[12] & HEDDLE_MODE_FAULT_TRAP));
    same("space", top->space_o, mmu ? values[pages + 2] : 0);
    same("root", top->root_o, mmu ? (values[pages] & ~0x1fffu) | uint64_t(values[pages + 1]) << 32 : 0);
    for (unsigned i = 0; i < 4; i++) {
      same("cbank base", top->cbank_base_o[2 * i], values[14 + 3 * i]);
      same("cbank base", top->cbank_base_o[2 * i + 1], values[14 + 3 * i + 1]);
      same("cbank bytes", top->cbank_bytes_o[i], values[14 + 3 * i + 2]);
    }
    for (unsigned i = 0; i < 16; i++) {
      top->region_sm_i = uint8_t(below(top->cfg_sms_o));
      top->region_index_i = uint8_t(i);
      top->eval();
      same("region base", top->region_base_o, values[26 + 4 * i] | uint64_t(values[26 + 4 * i + 1]) << 32);
      same("region limit", top->region_limit_o, values[26 + 4 * i + 2] | uint64_t(values[26 + 4 * i + 3]) << 32);
    }
  }
};
