// SPDX-License-Identifier: Apache-2.0
//
// What stands behind heddle_gpu_port, with ports of no RTL: the same bytes as the device's memory, records in their
// cycle, errors, an SM that is reset, an SM that breaks a rule, an L1.
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstring>
#include <string>

#include "cosim/verilator/seat.hpp"

extern "C" {
#include <cmocka.h>
#include <heddle/asm.h>
}

namespace {

// As Verilator would make them.
struct Top {
  uint8_t sm_rst_no = 1, lw_valid_o = 0, lw_atom_o = 0, lw_lane_o = 0, lw_place_o = 0, lw_piece_o = 0, lw_beat_o = 0;
  uint8_t lw_strb_o = 0;
  uint64_t lw_data_o = 0;
  uint8_t lq_valid_o = 0, lq_sm_o = 0, lq_kind_o = 0, lq_scope_o = 0, lq_sectors_o = 0, lq_op_o = 0, lq_wide_o = 0;
  uint16_t lq_tag_o = 0;
  uint8_t lq_gives_o = 0, lq_slot_o = 0, lq_gen_o = 0, lq_local_o = 0;
  uint32_t lq_seq_o = 0, lq_lanes_o = 0, lq_word_o = 0;
  uint64_t lq_line_o = 0, lq_at_o = 0;
  uint8_t lc_valid_i = 0, lc_atom_i = 0, ld_valid_i = 0, ld_beat_i = 0, la_valid_i = 0, la_ready_o = 1, la_done_i = 0;
  uint16_t ld_tag_i = 0, la_tag_i = 0;
  uint8_t la_err_i = 0, la_lane_i = 0;
  uint64_t ld_data_i = 0, la_old_i = 0;
};

constexpr uint64_t BASE = 0x10000, BYTES = 0x1000;

struct Rig {
  Top top;
  seat::Seat seat;
  sample::Buffer records;
  heddle_axi_mem *memory = nullptr;
  const char *broken = nullptr;
  uint64_t cycle = 0;
  unsigned credits = 0;
  explicit Rig(unsigned latency, const char *l1 = nullptr) {
    heddle_axi_mem_config c{};
    c.size = sizeof c;
    heddle_axi_mem_calm(&c);
    c.base = BASE;
    c.bytes = BYTES;
    c.data_bytes = 8;
    c.latency_min = c.latency_max = latency;
    memory = heddle_axi_mem_new(&c);
    assert_true(memory != nullptr && seat.begin(memory, c, l1));
  }
  ~Rig() { heddle_axi_mem_free(memory); }

  void clock() {
    seat.drive(top);
    credits += top.lc_valid_i && !top.lc_atom_i;
    records.cycle = cycle;
    seat.show(records);
    seat.sample(top);
    const char *b = seat.clock();
    if (broken == nullptr) broken = b;
    cycle++;
    top.lw_valid_o = top.lq_valid_o = 0;
  } // An instruction of the warp of request().
  void issue(const char *text) {
    const std::string all = std::string(".kernel k\n") + text + " ;\nEXIT ;\n.end\n";
    heddle_asm_options o{};
    o.size = sizeof o;
    heddle_program *p;
    assert_int_equal(heddle_assemble(all.c_str(), all.size(), "k", &o, &p), HEDDLE_SUCCESS);
    heddle_retire_record i{};
    i.kind = HEDDLE_RECORD_ISSUE;
    i.u.issue.id.slot = 3;
    i.u.issue.id.gen = 9;
    i.u.issue.exec = 1;
    const heddle_isa_word w = heddle_program_word(p, 0);
    i.u.issue.word[0] = w.lo;
    i.u.issue.word[1] = w.hi;
    heddle_program_free(p);
    seat.watch(&i, 1);
  }
  void clocks(unsigned n) {
    while (n-- > 0) clock();
  }
  void request(unsigned kind, uint64_t at) {
    top.lq_valid_o = 1;
    top.lq_kind_o = static_cast<uint8_t>(kind);
    top.lq_line_o = at / 128;
    top.lq_sectors_o = 1;
    top.lq_lanes_o = 1;
    top.lq_slot_o = 3;
    top.lq_gen_o = 9;
    top.lq_seq_o++;
  }
};

void test_store_and_load(void **) {
  Rig r(5);
  r.clocks(20);
  assert_int_equal(r.credits, HEDDLE_TAGS_OF_CONFIG);
  r.top.lw_valid_o = 1;
  r.top.lw_beat_o = 1;
  r.top.lw_strb_o = 0x0f;
  r.top.lw_data_o = 0x1122334455667788u;
  r.request(HEDDLE_LINE_PORT_STORE, BASE + 256);
  const uint64_t from = r.cycle;
  r.clocks(12);
  assert_int_equal(heddle_axi_mem_bytes(r.memory)[256 + 8], 0x88);
  assert_int_equal(heddle_axi_mem_bytes(r.memory)[256 + 12], 0);
  assert_int_equal(r.records.count, 1);
  const heddle_retire_record &w = r.records.record[0];
  assert_true(w.kind == HEDDLE_RECORD_GLOBAL && w.cycle == from + 5);
  const heddle_record_global &g = w.u.global;
  assert_true(g.id.slot == 3 && g.id.gen == 9 && g.id.seq == 1 && g.id.partition == 3 % HEDDLE_PARTITIONS_OF_CONFIG);
  assert_true(g.sector == (BASE + 256) / 32 && g.lanes == 1 && g.wstrb == 0xf00 && g.access == HEDDLE_RECORD_STORE);
  assert_int_equal(g.wdata[8], 0x88);
  r.request(HEDDLE_LINE_PORT_LOAD, BASE + 256);
  uint64_t data = 0;
  for (unsigned i = 0; i < 12; i++) {
    r.clock();
    if (r.top.ld_valid_i && r.top.ld_beat_i == 1) data = r.top.ld_data_i;
  }
  assert_true(data == 0x55667788u && r.records.count == 2 && r.broken == nullptr);
  assert_true(r.records.record[1].u.global.stamp >= g.stamp);
}

void test_error(void **) {
  Rig r(1);
  bool err = false;
  heddle_axi_mem_errors(r.memory, BASE + 512, BASE + 513);
  r.clocks(20);
  r.request(HEDDLE_LINE_PORT_LOAD, BASE + 512);
  for (unsigned i = 0; i < 8; i++) {
    r.clock();
    err = err || (r.top.la_valid_i && r.top.la_done_i && r.top.la_err_i);
  }
  assert_true(err && r.records.count == 0 && r.broken == nullptr);
}

// What was asked is forgotten; credits come again.
void test_reset(void **) {
  Rig r(10);
  r.clocks(20);
  r.request(HEDDLE_LINE_PORT_LOAD, BASE);
  r.clock();
  r.top.sm_rst_no = 0;
  r.clocks(3);
  r.top.sm_rst_no = 1;
  r.credits = 0;
  r.clocks(20);
  assert_true(r.records.count == 0 && r.credits == HEDDLE_TAGS_OF_CONFIG);
}

void test_broken(void **) {
  Rig r(1);
  r.clocks(20);
  r.request(HEDDLE_LINE_PORT_STORE, BASE);
  r.clocks(2);
  assert_non_null(r.broken);
  assert_non_null(std::strstr(r.broken, "has no byte for sector 0"));
}

// The kinds of records, in their order.
std::string kinds(const Rig &r) {
  std::string all;
  for (size_t i = 0; i < r.records.count; i++)
    all += std::string(heddle_record_kind_name(r.records.record[i].kind)) + " ";
  return all;
}

// A load that misses, one that hits, a store, a fence that waits for it.
void test_cache(void **) {
  Rig r(5, "512,ways=2");
  r.clocks(30);
  r.request(HEDDLE_LINE_PORT_LOAD, BASE);
  r.clocks(20);
  assert_string_equal(kinds(r).c_str(), "drop merge fill hit ");
  assert_true(r.records.record[0].u.drop.all && r.records.record[0].u.drop.cause == HEDDLE_RECORD_DROP_LAUNCH);
  const heddle_record_merge &m = r.records.record[1].u.merge, &h = r.records.record[3].u.merge;
  assert_true(m.line == BASE / 128 && m.used == 1 && m.number[0] == 1 && m.lanes == 1 && m.id.slot == 3);
  assert_true(h.line == m.line && h.used == 1 && h.number[0] == 1);
  const heddle_record_fill &f = r.records.record[2].u.fill;
  assert_true(f.sector == BASE / 32 && f.number == 1 && !f.is_local);
  r.request(HEDDLE_LINE_PORT_LOAD, BASE);
  r.clocks(10);
  r.top.lw_valid_o = 1;
  r.top.lw_beat_o = 0;
  r.top.lw_strb_o = 1;
  r.request(HEDDLE_LINE_PORT_STORE, BASE);
  r.clocks(2);
  r.issue("MEMBAR.GPU");
  r.clocks(30);
  assert_string_equal(kinds(r).c_str(), "drop merge fill hit hit drop global ack drop fence ");
  assert_true(r.records.record[9].u.fence.scope == HEDDLE_RECORD_SCOPE_GPU && r.broken == nullptr);
  r.issue("CCTL.E.IVALL [R2]");
  r.clocks(3);
  assert_true(r.records.count == 12 && r.records.record[11].u.fence.scope == HEDDLE_RECORD_SCOPE_EMPTYING);
}

void test_no_cache(void **) {
  seat::Seat s;
  heddle_axi_mem_config c{};
  c.size = sizeof c;
  heddle_axi_mem_calm(&c);
  c.base = BASE;
  c.bytes = BYTES;
  c.data_bytes = 8;
  heddle_axi_mem *m = heddle_axi_mem_new(&c);
  assert_false(s.begin(m, c, "512,ways=3"));
  heddle_axi_mem_free(m);
}

} // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(test_store_and_load), cmocka_unit_test(test_error),
                              cmocka_unit_test(test_reset),          cmocka_unit_test(test_broken),
                              cmocka_unit_test(test_cache),          cmocka_unit_test(test_no_cache)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
