// SPDX-License-Identifier: Apache-2.0
// Regions, code and constants of a grid; starts of warps; reset. The bench drives the ports that launch_t feeds in the
// whole machine (docs/how-a-launch-travels.md, B 13).
#include "tests/rtl/memory/mem_bench.h"

Bench::Bench(uint64_t seed) : rnd{seed}, axi(rnd, checks, BASE, MEMORY), memory(MEMORY) {
  top.eval();
  lanes = top.cfg_lanes_o;
  beats = 32 / lanes;
  warps = top.cfg_warps_o;
  shared_size = top.cfg_shared_o;
  banks = top.cfg_banks_o;
  axi.open(top.cfg_axi_o / 8, top.cfg_tags_o, top.cfg_atoms_o, seed);
  shared.resize(shared_size);
  warp.resize(warps);
  for (auto &x : memory) x = static_cast<uint8_t>(rnd.u32());
  axi.data = memory;
}

void Bench::launch(bool whole_shared) {
  regions.clear();
  regions.push_back({BASE + DATA, BASE + DATA + 0x1000, true});
  regions.push_back({BASE + DATA + 0x1000, BASE + DATA + 0x1800, false});
  regions.push_back({BASE + DATA + 0x1400, BASE + DATA + 0x1500, true}); // writable inside a read-only one
  regions.push_back({BASE + DATA + 0x1800 + rnd.below(64), BASE + DATA + 0x2000 - rnd.below(64), true});
  regions.push_back({BASE + DATA + 0x3000, BASE + DATA + 0x3000 + 1 + rnd.below(300), true});
  while (regions.size() < 16) {
    uint64_t b = BASE + DATA + 0x4000 + rnd.below(0x3000);
    regions.push_back(rnd.percent(40) ? Region{b, 0, true} : Region{b, b + rnd.below(0x400), rnd.percent(60)});
  }
  for (size_t i = regions.size() - 1; i > 0; i--)
    std::swap(regions[i], regions[rnd.below(static_cast<uint32_t>(i + 1))]);
  shared_bytes = whole_shared ? shared_size : 256 + 4 * rnd.below(shared_size / 16);
  code_base = BASE + CODE + 64 * rnd.below(32) + 16 * rnd.below(4);
  for (unsigned i = 0; i < 4; i++) {
    cbank_base[i] = BASE + CONSTS + i * (CONST_BYTES / 4) + 4 * rnd.below(64);
    cbank_bytes[i] = i == 2 ? 0 : 4 * rnd.below(CONST_BYTES / 16 - 64);
  }
  // The host rewrites code and constants between grids.
  for (unsigned i = CODE; i < DATA; i++)
    if (rnd.percent(10)) axi.data[i] = memory[i] = static_cast<uint8_t>(rnd.u32());
  local_bytes = 16 * (1 + rnd.below(LOCALS_BYTES / (warps * 512)));
  put_bits(bytes(top.local_base_i), 0, 40, BASE + LOCALS);
  top.local_bytes_i = local_bytes;
  top.shared_bytes_i = shared_bytes;
  top.code_base_i = code_base;
  top.code_bytes_i = CODE_USED;
  top.region_write_i = 0;
  for (unsigned i = 0; i < 16; i++) {
    put_bits(bytes(top.region_base_i), 40 * i, 40, regions[i].base);
    put_bits(bytes(top.region_limit_i), 41 * i, 41, regions[i].limit);
    top.region_write_i = static_cast<uint16_t>(top.region_write_i | (regions[i].write << i));
  }
  for (unsigned i = 0; i < 4; i++) {
    put_bits(bytes(top.cbank_base_i), 40 * i, 40, cbank_base[i]);
    put_bits(bytes(top.cbank_bytes_i), 17 * i, 17, cbank_bytes[i]);
  }
  axi.err_base = axi.err_limit = 0;
  if (errors_on) {
    unsigned where = rnd.below(3);
    axi.err_base = (BASE + (where == 0   ? DATA + rnd.below(0x800)
                            : where == 1 ? CODE + rnd.below(CODE_BYTES)
                                         : CONSTS + rnd.below(CONST_BYTES))) &
                   ~31ull;
    axi.err_limit = axi.err_base + 32 * (1 + rnd.below(4));
  }
  axi.retime();
  top.invalidate_i = 1;
  cycle();
  top.invalidate_i = 0;
  unsigned blocks = std::max(1u, shared_size / ((shared_bytes + 127) / 128 * 128));
  for (unsigned s = 0; s < warps; s++) {
    unsigned block = rnd.below(blocks);
    start(s, block * ((shared_bytes + 127) / 128 * 128));
  }
}

void Bench::start(unsigned s, unsigned shm_base) {
  top.start_valid_i = 1;
  top.start_slot_i = static_cast<uint8_t>(s);
  top.start_shm_base_i = shm_base;
  cycle();
  top.start_valid_i = 0;
  warp[s].gen = (warp[s].gen + 1) & 255;
  warp[s].shm_base = shm_base;
  warp[s].seq = 0;
  warp[s].live = true;
  warp[s].dead = warp[s].maybe = false;
  warp[s].refused = 0;
}

void Bench::reset() {
  axi.reset();
  top.rst_ni = 0;
  top.op_valid_i = top.if_req_valid_i = top.if_cst_valid_i = top.start_valid_i = top.invalidate_i = 0;
  top.lc_valid_i = top.ld_valid_i = top.la_valid_i = 0;
  top.pages_i = top.halt_i = top.ask_ready_i = top.read_ready_i = top.answer_valid_i = top.replay_i = top.fail_i =
      top.forgets_i = 0;
  for (int i = 0; i < 4; i++) cycle_raw();
  top.rst_ni = 1;
}

void Bench::cycle_raw() {
  top.clk_i = 1;
  top.eval();
  top.clk_i = 0;
  top.eval();
  now++;
}

void Bench::fill_shared() {
  launch(true);
  for (unsigned s = 1; s < warps; s++) warp[s].live = false;
  start(0, 0);
  for (unsigned a = 0; a < shared_size; a += 512) {
    Ref p = make(0, SSTORE, 6);
    place(*p);
    p->exec = 0xffffffffu;
    p->off = 0;
    for (unsigned l = 0; l < 32; l++) p->addr[l] = p->a_lo[l] = a + 16 * l;
    submit(p);
  }
  drain();
}
