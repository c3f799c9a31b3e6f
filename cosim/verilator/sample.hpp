// SPDX-License-Identifier: Apache-2.0
//
// The retire port of one cycle as records: valid bits first, and only valid records are copied. Their places are
// generated from cosim/retire/retire.records.
#ifndef HEDDLE_SAMPLE_HPP
#define HEDDLE_SAMPLE_HPP

#include <cstdlib>
#include <new>
#include <utility>

#include <heddle/verilated_ports.hpp>
#include <heddle/retire_ports.hpp>

extern "C" {
#include <heddle/record.h>
#include <heddle/record_banks.h>
}

namespace sample {

// The sizes of the configuration, as retire_pkg has them.
struct Sizes {
  static constexpr unsigned SMS = HEDDLE_SMS_OF_CONFIG, MEM_BANKS = HEDDLE_MEM_BANKS_OF_CONFIG;
  static constexpr unsigned PARTITIONS = HEDDLE_PARTITIONS_OF_CONFIG, PORTS = retire::PORT_PORTS, BUSES = retire::PORT_BUSES, LANES = HEDDLE_LANES_OF_CONFIG,
                            ROWS = retire::PORT_ROWS, TURNS = retire::PORT_TURNS, LINE = retire::PORT_LINE, PREDICATES = retire::PORT_PREDICATES,
                            BANKS = HEDDLE_SHARED_BANKS_OF_CONFIG;
};

// Records of the cycles since the last clear. Stepping pauses when there are `turn` of them, and where the grid may have
// come to its end; host accesses go on. It grows as needed, and nothing is written into it before there is a record: a
// short program touches little of it.
// NEAR: cleared records have been judged, and the next ones go to the same places: these stay in the second cache, beside
// the RTL's code and the checker's tables. FAR: taken records are judged by another thread: long turns.
struct Buffer {
  static constexpr size_t NEAR = 256, FAR = 2048, PER_CYCLE = retire::words<Sizes>::all_ports;
  heddle_retire_record *record = nullptr, *taken = nullptr;
  size_t count = 0, turn = NEAR, places = 0, taken_places = 0;
  uint64_t cycle = 0;
  bool over = false; // a block has ended, or the grid stops

  Buffer() { grow(FAR + PER_CYCLE); }
  ~Buffer()
  {
    std::free(record);
    std::free(taken);
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  heddle_retire_record &add(heddle_record_kind kind)
  {
    heddle_retire_record &r = record[count++];
    r.kind = kind;
    r.cycle = cycle;
    return r;
  }
  template <class Record> void shown(Record &) {}
  void shown(heddle_record_shared &r) { heddle_record_spread_banks(&r, Sizes::BANKS); }
  void shown(heddle_record_block_end &) { over = true; }
  void shown(heddle_record_trap &) { over = true; }

  bool full() const { return over || count >= turn; }
  void clear()
  {
    count = 0;
    turn = NEAR;
    over = false;
  }
  const heddle_retire_record *take(size_t &n)
  {
    n = count;
    std::swap(record, taken);
    std::swap(places, taken_places);
    if (record == nullptr) grow(FAR + PER_CYCLE);
    clear();
    turn = FAR;
    return taken;
  }
  void room()
  {
    if (count + PER_CYCLE > places) grow(2 * places);
  }
  void grow(size_t to)
  {
    void *p = std::realloc(record, to * sizeof *record);
    if (p == nullptr) throw std::bad_alloc();
    record = static_cast<heddle_retire_record *>(p);
    places = to;
  }
};

// A cycle in which nothing retires costs a dozen loads.
template <class Top> inline void cycle(const Top &t, Buffer &b)
{
  b.room();
  retire::cycle<Sizes>(t, b);
}

} // namespace sample

#endif
