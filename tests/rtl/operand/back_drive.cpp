// SPDX-License-Identifier: Apache-2.0
// What the neighbours of the stage drive: reset, starts of warps, rows of memory results, issue, and the cycle.
#include "tests/rtl/operand/back_bench.h"
#include "cosim/verilator/fault_number.hpp"

Bench::Bench(uint64_t seed, unsigned fault) : rnd{seed}, ctx(new VerilatedContext), fault_(fault) {
  if (fault != 0) heddle_fault() = fault;
  top.reset(new Vtop(ctx.get()));
  ctx->randReset(2);
  ctx->randSeed(static_cast<int>(seed * 2654435761u + 1));
  top->clk_i = 0;
  top->rst_ni = 0;
  clear_inputs();
  top->eval();
  lanes = top->cfg_lanes_o;
  beats = 32 / lanes;
  warps.resize(top->cfg_warps_o);
  for (int i = 0; i < 3; i++) edge();
  top->rst_ni = 1;
  for (unsigned w = 0; w < warps.size(); w++) {
    warps[w].rbase = w * (top->cfg_regs_o / warps.size()) + w % 3;
    warps[w].gen = static_cast<uint8_t>(rnd.u32());
  }
  for (unsigned w = 0; w < warps.size(); w++) start_warp(w);
}

void Bench::clear_inputs() {
  top->is_pre_valid_i = 0;
  top->is_valid_i = 0;
  top->is_new_i = 0;
  top->ct_start_valid_i = 0;
  top->ct_tid_valid_i = 0;
  top->op_mem_ready_i = 0;
  top->ls_wb_valid_i = 0;
}

void Bench::edge() {
  top->clk_i = 1;
  top->eval();
  top->clk_i = 0;
  top->eval();
  cycle++;
}

template <typename T> void Bench::set_packed11(T *port, const Row &row, unsigned beat) {
  std::vector<uint32_t> bits((lanes * 11 + 31) / 32 + 1, 0);
  for (unsigned l = 0; l < lanes; l++) {
    unsigned at = l * 11;
    uint64_t v = uint64_t(row[beat * lanes + l]) << (at % 32);
    bits[at / 32] |= static_cast<uint32_t>(v);
    bits[at / 32 + 1] |= static_cast<uint32_t>(v >> 32);
  }
  std::memcpy(static_cast<void *>(port), bits.data(), std::min(sizeof(T), bits.size() * 4));
}

void Bench::drive_row(const MemRow &r) {
  top->ls_wb_valid_i = 1;
  top->ls_wb_slot_i = r.warp;
  top->ls_wb_gen_i = r.gen;
  top->ls_wb_seq_i = r.seq;
  top->ls_wb_rd_i = r.rd;
  top->ls_wb_rbase_i = warps[r.warp].rbase;
  top->ls_wb_beat_i = r.beat;
  top->ls_wb_mask_i = r.mask;
  for (unsigned l = 0; l < lanes; l++) top->ls_wb_data_i[l] = r.data[r.beat * lanes + l];
}

// Thread ids, the start event, and a value in every register (through the memory port).
void Bench::start_warp(unsigned w) {
  Warp &wp = warps[w];
  for (unsigned l = 0; l < 32; l++) {
    for (auto &t : wp.tid) t[l] = rnd.u32() % std::min<unsigned>(32 * unsigned(warps.size()), 1024);
  }
  for (unsigned b = 0; b < beats; b++) {
    clear_inputs();
    top->ct_tid_valid_i = 1;
    top->ct_tid_slot_i = w;
    top->ct_tid_beat_i = b;
    set_packed11(&top->ct_tid_x_i, wp.tid[0], b);
    set_packed11(&top->ct_tid_y_i, wp.tid[1], b);
    set_packed11(&top->ct_tid_z_i, wp.tid[2], b);
    top->eval();
    edge();
  }
  clear_inputs();
  top->ct_start_valid_i = 1;
  top->ct_start_slot_i = w;
  top->eval();
  edge();
  clear_inputs();
  for (unsigned r = 0; r < kRegs; r++) {
    for (auto &v : wp.reg[r]) v = rnd.u32();
    for (unsigned b = 0; b < beats; b++) {
      drive_row(MemRow{w, r, b, 0, beat_mask(~0u, b), wp.gen, wp.reg[r], 0});
      top->eval();
      if (!top->ls_wb_ready_o) error("initial write refused");
      edge();
    }
  }
  clear_inputs();
}

bool Bench::busy() {
  for (auto &r : reader_)
    if (r.now || r.front || !r.bus.empty()) return true;
  return forced_ || line_[0].inside + line_[1].inside != 0 || !mem_.empty() || !rows_.empty() || !done_.empty();
}

// The instruction that is read, of two readers the one in front, stands at the inputs.
void Bench::drive_now() {
  top->is_new_i = new_;
  for (unsigned k = 0; k < 2; k++) {
    const Shared &at = two() ? reader_[k].front : reader_[k].now;
    if (!at) continue;
    const Instr &in = *at;
    const auto put = [k](auto &port, unsigned width, uint64_t v) {
      using Port = std::remove_reference_t<decltype(port)>;
      port = Port((port & ~(((Port(1) << width) - 1) << width * k)) | Port(v) << width * k);
    };
    top->is_valid_i = uint8_t(top->is_valid_i | 1u << k);
    for (unsigned i = 0; i < 4; i++)
      top->is_word_i[4 * k + i] = static_cast<uint32_t>((i < 2 ? in.word.lo : in.word.hi) >> 32 * (i % 2));
    put(top->is_slot_i, 8, in.warp);
    put(top->is_gen_i, 8, warps[in.warp].gen);
    put(top->is_seq_i, 32, in.seq);
    put(top->is_exec_i, 32, in.exec);
    put(top->is_ps0_i, 32, in.ps[0]);
    put(top->is_ps1_i, 32, in.ps[1]);
    put(top->is_ps2_i, 32, in.ps[2]);
    put(top->is_sval_i, 32, in.sval);
    put(top->is_rbase_i, 16, warps[in.warp].rbase);
  }
}

// It issues in this cycle, and is read from the next one on.
void Bench::issue(std::unique_ptr<Instr> in) {
  Warp &wp = warps[in->warp];
  in->seq = wp.seq++;
  compute(*in);
  top->is_pre_valid_i = 1;
  top->is_pre_word_i[0] = static_cast<uint32_t>(in->word.lo);
  top->is_pre_word_i[1] = static_cast<uint32_t>(in->word.lo >> 32);
  top->is_pre_word_i[2] = static_cast<uint32_t>(in->word.hi);
  top->is_pre_word_i[3] = static_cast<uint32_t>(in->word.hi >> 32);
  top->is_pre_slot_i = in->warp;
  top->is_pre_rbase_i = wp.rbase;
  in->issued_at = cycle;
  last_warp_ = in->warp;
  if (queues() && !in->mem()) {
    wp.queued = true;
    line_[line_of(*in)].inside++;
  }
  if (in->mem()) {
    places_ += in->two() ? 2 : 1;
    seen.two_places += in->two();
  }
  new_ = true;
  issued++;
  const Shared made = std::move(in);
  if (two()) {
    wp.queued = true;
    for (unsigned k = 0; made->fixed() && made->dec.has_rd && made->dec.rd != ISA_RZ && k < made->dec.rd_words; k++)
      wp.unread[made->dec.rd + k] = made->lat + 2 > beats && made->dec.ctl.stall <= beats;
    reader_[made->mem() || line_of(*made)].front = made;
  } else {
    start(reader_[0], made);
  }
}

// The stage can take another instruction: perhaps one issues.
void Bench::choose(bool random) {
  std::unique_ptr<Instr> in;
  if (forced_) {
    if (may_issue(*forced_)) in = std::move(forced_);
  } else if (random && issuing_ && !rnd.one_in(8)) {
    for (int tries = 0; tries < 4 && !in; tries++) {
      auto cand = random_instr(rnd.one_in(2) ? last_warp_ : rnd.below(static_cast<uint32_t>(warps.size())));
      if (may_issue(*cand)) in = std::move(cand);
    }
  }
  if (in)
    issue(std::move(in));
  else if (!two())
    reader_[0].now.reset();
}

void Bench::step(bool random) {
  clear_inputs();
  drive_now();
  top->op_mem_ready_i = random ? rnd.below(4) != 0 : 1;
  if (row_now_ < 0 && !rows_.empty() && rnd.below(3)) {
    unsigned pick = rnd.below(static_cast<uint32_t>(rows_.size()));
    if (rows_[pick].not_before <= cycle) row_now_ = static_cast<int>(pick);
  }
  if (row_now_ >= 0) drive_row(rows_[row_now_]);
  top->eval();
  if (!top->is_legal_o) error("decode() calls the word illegal");
  new_ = false;
  queues_step();
  bool hold = read_row();
  if (row_now_ >= 0 && top->ls_wb_ready_o && rows_[row_now_].rd != ISA_RZ && rows_[row_now_].mask)
    drops_[cycle + 1].push_back({rows_[row_now_].warp, rows_[row_now_].rd});
  drop_written();
  if (two() || top->op_ready_o) choose(random);
  active_ += !hold;
  top->eval();
  observe();
  edge();
}
