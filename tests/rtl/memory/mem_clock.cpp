// SPDX-License-Identifier: Apache-2.0
// The other clients of the memory folder, and the cycle.
#include <algorithm>

#include "tests/rtl/memory/mem_bench.h"

void Bench::drive_clients() {
  if (!top.if_req_valid_i) {
    top.if_req_valid_i = fetch_queue.size() < 8 && rnd.percent(fetch_pressure);
    if (rnd.percent(10)) next_pc = 16 * rnd.below(CODE_USED / 16);
    top.if_req_pc_i = next_pc;
    put_bits(bytes(top.if_req_tag_i), 0, 2, rnd.below(4));
    next_pc = (next_pc + 16) % CODE_USED;
  }
  if (!top.if_cst_valid_i) {
    unsigned tag = rnd.below(16);
    for (const Constant &c : const_queue)
      if (c.tag == tag) tag = 16;
    top.if_cst_valid_i = tag < 16 && rnd.percent(fetch_pressure);
    put_bits(bytes(top.if_cst_tag_i), 0, 4, tag);
    top.if_cst_bank_i = static_cast<uint8_t>(rnd.percent(95) ? rnd.below(4) : rnd.below(32));
    top.if_cst_off_i = static_cast<uint16_t>(rnd.percent(90) ? 4 * rnd.below(CONST_BYTES / 16) : rnd.u32());
  }
}

void Bench::sample_clients() {
  unsigned warp = bytes(top.ic_rsp_tag_o)[0] & 3, tag = bytes(top.cc_cst_tag_o)[0] & 15;
  auto asks = [&](const auto &x) { return x.first == warp; };
  auto f = std::find_if(fetch_queue.begin(), fetch_queue.end(), asks);
  if (top.ic_rsp_valid_o && checks.that(f != fetch_queue.end(), "an instruction that was asked for")) {
    constexpr uint64_t GROUP = sizeof top.ic_rsp_word_o; // of instructions, aligned
    uint64_t a = (code_base + f->second) / GROUP * GROUP;
    fetch_queue.erase(f);
    fetches++;
    if (top.ic_rsp_err_o)
      checks.that(line_failing(a), "no fetch error without cause", a);
    else
      checks.that(!line_failing(a) && !std::memcmp(bytes(top.ic_rsp_word_o), &memory[a - BASE], GROUP),
                  "instruction words", a);
  }
  auto c = std::find_if(const_queue.begin(), const_queue.end(), [&](const Constant &x) { return x.tag == tag; });
  if (top.cc_cst_valid_o && checks.that(c != const_queue.end(), "a constant that was asked for")) {
    auto [unused, bank, off] = *c;
    const_queue.erase(c);
    constants++;
    bool range = bank > 3 || off % 4 || off + 4 > cbank_bytes[bank & 3];
    uint64_t a = cbank_base[bank & 3] + off;
    checks.that(top.cc_cst_range_o == range, "range of a constant", bank, off);
    checks.that(top.cc_cst_err_o == (!range && line_failing(a)), "error of a constant", bank, off);
    if (!top.cc_cst_range_o && !top.cc_cst_err_o)
      checks.that(top.cc_cst_data_o == word(&memory[a - BASE], 0), "constant", top.cc_cst_data_o,
                  word(&memory[a - BASE], 0));
  }
  if (top.if_req_valid_i && top.if_req_ready_o) {
    fetch_queue.push_back({bytes(top.if_req_tag_i)[0] & 3u, top.if_req_pc_i});
    took_fetch = true;
  }
  if (top.if_cst_valid_i && top.if_cst_ready_o) {
    const_queue.push_back({bytes(top.if_cst_tag_i)[0] & 15u, top.if_cst_bank_i, top.if_cst_off_i});
    took_const = true;
  }
}

void Bench::drive_op() {
  if (top.op_valid_i) return;
  if (queue.empty() || !rnd.percent(op_pressure)) return;
  Instr &x = *queue.front();
  top.op_valid_i = 1;
  top.op_slot_i = static_cast<uint8_t>(x.slot);
  top.op_gen_i = static_cast<uint8_t>(x.gen);
  top.op_seq_i = x.seq;
  top.op_pc_i = x.pc;
  top.op_mem_i = static_cast<uint8_t>(x.mem);
  top.op_atom_i = static_cast<uint8_t>(x.atom);
  top.op_size_i = static_cast<uint8_t>(x.size);
  top.op_off_i = x.off;
  top.op_cbank_i = static_cast<uint8_t>(x.cbank);
  top.op_rd_i = static_cast<uint8_t>(x.rd);
  top.op_rd_n_i = static_cast<uint8_t>(x.rd_n);
  top.op_wbar_i = static_cast<uint8_t>(x.wbar);
  top.op_exec_i = x.exec;
  top.op_rbase_i = static_cast<uint16_t>(x.rbase);
  top.op_beat_i = static_cast<uint8_t>(beat);
  for (unsigned l = 0; l < lanes; l++) {
    unsigned lane = beat * lanes + l;
    set_word(bytes(top.op_data_i), l, x.a_lo[lane]);
    set_word(bytes(top.op_data_i), lanes + l, x.a_hi[lane]);
    for (unsigned w = 0; w < 4; w++) set_word(bytes(top.op_data_i), (2 + w) * lanes + l, x.data[lane][w]);
  }
}

void Bench::cycle() {
  checks.cycle = now;
  if (took_op) top.op_valid_i = 0;
  if (took_fetch) top.if_req_valid_i = 0;
  if (took_const) top.if_cst_valid_i = 0;
  took_op = took_fetch = took_const = false;
  drive_op();
  if (clients) drive_clients();
  top.late_ready_i = rnd.percent(wb_pressure);
  axi.drive(top);
  drive_more();
  top.eval();
  axi.sample(top);
  const heddle_line_port_record *record;
  for (unsigned i = 0, n = axi.records(&record); i < n; i++) on_gmem(record[i]);
  if (top.shm_valid_o) on_shared();
  if (held) checks.that(top.late_valid_o && held_value == late_hash(), "a late result changed while it waited");
  held = top.late_valid_o && !top.late_ready_i;
  held_value = held ? late_hash() : 0;
  if (top.checked_valid_o) on_checked();
  checks.that(!top.trap_valid_o || ended.valid, "a trap comes a cycle after its end");
  if (ended.valid) on_done();
  ended.valid = false;
  if (top.late_valid_o && top.late_ready_i) on_late();
  sample_clients();
  sample_more();
  if (top.op_valid_i && top.op_ready_o) {
    took_op = true;
    if (++beat == beats) {
      beat = 0;
      queue.front()->sent = true;
      last_sent = now;
      queue.pop_front();
    }
  }
  top.clk_i = 1;
  top.eval();
  top.clk_i = 0;
  axi.clock();
  now++;
}

uint64_t Bench::late_hash() {
  uint64_t h = top.late_seq_o ^ (uint64_t(top.late_rd_o) << 32) ^ (uint64_t(top.late_row_o) << 40) ^
               (uint64_t(top.late_word_o) << 48) ^ (uint64_t(top.late_last_o) << 52) ^
               (uint64_t(top.late_is_row_o) << 53);
  for (unsigned l = 0; l < lanes; l++) h = h * 31 + word(bytes(top.late_data_o), l);
  return h;
}

bool Bench::drain() {
  bool c = clients;
  clients = false;
  progress = now;
  // Lines that the instruction cache asks for ahead answer nobody: memory says whether some are on their way.
  while (in_flight() || top.if_req_valid_i || top.if_cst_valid_i || took_fetch || took_const || !axi.idle()) {
    cycle();
    if (!checks.that(now - progress < HANG, "progress", by_id.size(), queue.size())) return false;
    if (checks.failed > 500) return false;
  }
  clients = c;
  return true;
}
