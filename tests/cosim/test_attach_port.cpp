// SPDX-License-Identifier: Apache-2.0
//
// Words of a port as the table reads them (cosim/attach/attach.c), and as the generated copies do (retire_ports.hpp):
// the same record, for every kind, in machines of several sizes.
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

extern "C" {
#include <cmocka.h>

#include "cosim/attach/attached.h"
#include <heddle/record_banks.h>
#include "base/splitmix64.h"
}

// What retire_ports.hpp asks of a port.
namespace ports {
struct Port {
  std::vector<uint32_t> word;
  uint64_t valid = 0;
};
inline void slice(void *to, const Port &p, unsigned first, unsigned n) {
  std::memcpy(to, p.word.data() + first, 4 * n);
}
inline uint64_t value(const Port &p) {
  return p.valid;
}
} // namespace ports
#include <heddle/retire_ports.hpp>

template <unsigned LANES_, unsigned BANKS_> struct Machine {
  static constexpr unsigned SMS = 1, MEM_BANKS = 1, PARTITIONS = 1, PORTS = retire::PORT_PORTS, LANES = LANES_,
                            ROWS = retire::PORT_ROWS, TURNS = retire::PORT_TURNS, LINE = retire::PORT_LINE,
                            PREDICATES = retire::PORT_PREDICATES, BANKS = BANKS_;
};

template <class D, class Record, class Copy>
static void compare(unsigned kind, size_t words, Copy copy, uint64_t *rng) {
  heddle_core core{};
  core.lanes = D::LANES;
  core.shared_banks = D::BANKS;
  assert_int_equal(attach_words(&core, kind), words);
  for (unsigned n = 0; n < 20; n++) {
    ports::Port port;
    port.word.resize(words);
    for (uint32_t &w : port.word) w = static_cast<uint32_t>(splitmix64(rng) >> 20);
    heddle_retire_record got;
    assert_true(attach_unpack(&core, kind, port.word.data(), words, &got));
    assert_int_equal(got.kind, kind);
    // The copies leave rows alone that are not there; the table reads them as well.
    Record seen;
    std::memcpy(&seen, &got.u, sizeof seen);
    copy(seen, port);
    if constexpr (std::is_same_v<Record, heddle_record_shared>) heddle_record_spread_banks(&seen, D::BANKS);
    assert_memory_equal(&seen, &got.u, sizeof seen); // nothing that is there is other
    assert_false(attach_unpack(&core, kind, port.word.data(), words + 1, &got));
  }
}

#define KIND(id, name, record)                                                                                         \
  compare<D, record>(                                                                                                  \
      id, retire::words<D>::name, [](record &to, const ports::Port &p) { retire::name<D>(to, p, 0); }, &rng)

template <class D> static void all() {
  uint64_t rng = D::LANES;
  KIND(HEDDLE_RECORD_BLOCK_START, block_start, heddle_record_block_start);
  KIND(HEDDLE_RECORD_WARP_START, warp_start, heddle_record_warp_start);
  KIND(HEDDLE_RECORD_GLOBAL, global, heddle_record_global);
  KIND(HEDDLE_RECORD_WRITE, write, heddle_record_write);
  KIND(HEDDLE_RECORD_PREDICATE, predicate, heddle_record_predicate);
  KIND(HEDDLE_RECORD_OPERANDS, operands, heddle_record_operands);
  KIND(HEDDLE_RECORD_OPERANDS_MEMORY, operands_memory, heddle_record_operands);
  KIND(HEDDLE_RECORD_BARRIER, barrier, heddle_record_barrier);
  KIND(HEDDLE_RECORD_ISSUE, issue, heddle_record_issue);
  KIND(HEDDLE_RECORD_UNIFORM_READ, uniform_read, heddle_record_uniform_read);
  KIND(HEDDLE_RECORD_UNIFORM_WRITE, uniform_write, heddle_record_uniform_write);
  KIND(HEDDLE_RECORD_TRAP, trap, heddle_record_trap);
  KIND(HEDDLE_RECORD_BLOCK_END, block_end, heddle_record_block_end);
  KIND(HEDDLE_RECORD_FILL, fill, heddle_record_fill);
  KIND(HEDDLE_RECORD_ACK, ack, heddle_record_ack);
  KIND(HEDDLE_RECORD_DROP, drop, heddle_record_drop);
  KIND(HEDDLE_RECORD_MERGE, merge, heddle_record_merge);
  KIND(HEDDLE_RECORD_HIT, hit, heddle_record_merge);
  KIND(HEDDLE_RECORD_FENCE, fence, heddle_record_fence);
  KIND(HEDDLE_RECORD_SHARED, shared, heddle_record_shared);
}

static void test_as_generated(void **) {
  all<Machine<4, 4>>();
  all<Machine<8, 16>>();
  all<Machine<16, 32>>();
  all<Machine<32, 32>>();
}

// A pass of 8 banks is told by 32: bank 3 row 5 is word 43, bank 11 row 1.
static void test_fewer_banks(void **) {
  heddle_core core{};
  core.lanes = 8;
  core.shared_banks = 8;
  // id 2 words, lanes, bank_en, access; 8 words written, 8 read; 8 rows in 4 words; 8 strobes in 2
  std::vector<uint32_t> w(5 + 8 + 8 + 4 + 2);
  assert_int_equal(attach_words(&core, HEDDLE_RECORD_SHARED), w.size());
  w[2] = 1;
  w[3] = 1u << 3;
  w[5 + 3] = 0x11112222;
  w[13 + 3] = 0x33334444;
  w[21 + 1] = 5u << 16;
  w[25] = 0xfu << 24;
  heddle_retire_record r;
  assert_true(attach_unpack(&core, HEDDLE_RECORD_SHARED, w.data(), w.size(), &r));
  assert_int_equal(r.u.shared.bank_en, 1u << 11);
  assert_int_equal(r.u.shared.row[11], 1);
  assert_int_equal(r.u.shared.wdata[11], 0x11112222);
  assert_int_equal(r.u.shared.rdata[11], 0x33334444);
  assert_int_equal(r.u.shared.wstrb[11], 15);
}

// Words at the end that are not given are zeros; more than there are, or no such kind, is refused.
static void test_short(void **) {
  heddle_core core{};
  core.lanes = 8;
  core.shared_banks = 32;
  const uint32_t word[2] = {0x01020300, 77};
  heddle_retire_record r;
  assert_true(attach_unpack(&core, HEDDLE_RECORD_ISSUE, word, 2, &r));
  assert_int_equal(r.u.issue.id.seq, 77);
  assert_int_equal(r.u.issue.id.gen, 1);
  assert_int_equal(r.u.issue.active, 0);
  assert_false(attach_unpack(&core, HEDDLE_RECORD_KINDS, word, 2, &r));
  assert_false(attach_unpack(&core, HEDDLE_RECORD_RESERVED_FLUSH, word, 2, &r));
  assert_int_equal(attach_words(&core, HEDDLE_RECORD_KINDS), 0);
}

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(test_as_generated), cmocka_unit_test(test_fewer_banks),
                              cmocka_unit_test(test_short)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
