// SPDX-License-Identifier: Apache-2.0
//
// The digests that a device sent against the records that its port showed in the same run: every window, the
// instruction count of every warp, clocks, blocks, traps; that accesses which meet are on two sides of a cut; and what
// the order relies on, that the passes of an instruction in shared memory follow each other, in program order. usage:
// against_trace TRACE STREAM
#include <algorithm>
#include <cstring>
#include <memory>
#include <tuple>

#include "tests/lab/fpga/digest/reference.hpp"

extern "C" {
#include <heddle/trace.h>
}

namespace {

// The bytes of each launch of a file: sections `S` up to an `E`.
std::vector<std::vector<uint8_t>> streams(const char *path) {
  std::vector<std::vector<uint8_t>> all(1);
  std::FILE *f = std::fopen(path, "rb");
  uint8_t head[8];
  if (f == nullptr || std::fread(head, 1, 8, f) != 8 || std::memcmp(head, "HDLBYTES", 8) != 0)
    digest::fail("no file of a stream");
  while (std::fread(head, 1, 5, f) == 5) {
    std::vector<uint8_t> body(head[1] | head[2] << 8 | head[3] << 16 | static_cast<uint32_t>(head[4]) << 24);
    if (std::fread(body.data(), 1, body.size(), f) != body.size()) digest::fail("the file ends in a section");
    if (head[0] == 'S') all.back().insert(all.back().end(), body.begin(), body.end());
    if (head[0] == 'E') all.emplace_back();
  }
  std::fclose(f);
  all.pop_back();
  return all;
}

// Accesses of a launch in the trace.
class Accesses {
public:
  void record(const heddle_retire_record &r) {
    switch (r.kind) {
    case HEDDLE_RECORD_BLOCK_START:
      for (unsigned s = 0; s < 64; s++) warp[s] += r.u.block_start.warps >> s & 1;
      break;
    case HEDDLE_RECORD_GLOBAL:
      if (r.u.global.access <= 2) global.push_back({r.u.global, warp[r.u.global.id.slot]});
      break;
    case HEDDLE_RECORD_SHARED:
      pass(r.u.shared);
      break;
    default:
      break;
    }
  }
  void into(digest::Reference &ref) {
    global_into(ref.order[0]);
    if (some) shared.over(last.id.slot);
    ref.order[1] = shared;
  }

private:
  struct Sector {
    heddle_record_global r;
    unsigned warp;
  };
  std::vector<Sector> global;
  unsigned warp[64] = {};
  digest::Order shared;
  heddle_record_shared last{};
  unsigned last_warp = 0;
  size_t nth = 0;
  bool some = false;
  std::map<std::pair<unsigned, unsigned>, uint32_t> behind; // of each warp: instructions that may not come any more

  void pass(const heddle_record_shared &s) {
    const unsigned slot = s.id.slot;
    if (!some || slot != last.id.slot || warp[slot] != last_warp || s.id.seq != last.id.seq) {
      uint32_t &b = behind[{slot, warp[slot]}];
      if (s.id.seq < b) digest::fail("passes of shared memory are not in program order, or are parted");
      b = s.id.seq + 1;
      if (some) shared.over(last.id.slot);
      nth = shared.access(slot);
    }
    some = true;
    last = s;
    last_warp = warp[slot];
    for (unsigned k = 0; k < HEDDLE_RECORD_BANKS; k++)
      if (s.bank_en >> k & 1) shared.touch(slot, nth, s.row[k] * 64u + k, s.access != 0);
  }

  // A request is all of an instruction in a line; they come in program order, in an instruction by the lowest lane.
  void global_into(digest::Order &o) const {
    using Key = std::tuple<unsigned, unsigned, uint32_t, uint64_t>; // slot, warp, seq, line
    std::map<Key, unsigned> lowest;
    const auto key = [](const Sector &s) { return Key{s.r.id.slot, s.warp, s.r.id.seq, s.r.sector / 4}; };
    for (const Sector &s : global) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(s.r.lanes));
      const auto f = lowest.emplace(key(s), lane).first;
      f->second = std::min(f->second, lane);
    }
    std::vector<std::pair<std::tuple<unsigned, unsigned, uint32_t, unsigned>, Key>> row;
    for (const auto &l : lowest)
      row.push_back({{std::get<0>(l.first), std::get<1>(l.first), std::get<2>(l.first), l.second}, l.first});
    std::sort(row.begin(), row.end());
    std::map<Key, size_t> place;
    for (const auto &x : row) place[x.second] = o.access(std::get<0>(x.second));
    for (const Sector &s : global) o.touch(s.r.id.slot, place[key(s)], s.r.sector, s.r.access != 0);
  }
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  struct heddle_message msg;
  heddle_trace_reader *t;
  if (heddle_trace_open(argv[1], &t, &msg) != HEDDLE_SUCCESS) digest::fail(msg.text);
  const auto bytes = streams(argv[2]);
  uint32_t number = 0;
  size_t launch = 0;
  std::unique_ptr<digest::Reference> ref;
  std::unique_ptr<Accesses> accesses;
  heddle_retire_record r;
  for (;;) {
    const heddle_trace_item item = heddle_trace_next(t, &r);
    if (item == HEDDLE_TRACE_LAUNCH) {
      ref = std::make_unique<digest::Reference>(heddle_trace_read_header(t)->lanes);
      accesses = std::make_unique<Accesses>();
    } else if (item == HEDDLE_TRACE_RECORD) {
      ref->record(r);
      accesses->record(r);
    } else if (item == HEDDLE_TRACE_END) {
      if (launch == bytes.size()) digest::fail("fewer launches than in the trace");
      accesses->into(*ref);
      const auto told = digest::Reader::read(bytes[launch++], number);
      if (told.size() != 1) digest::fail("a launch is told as several");
      const digest::Counts c = ref->whole(told[0]);
      if (c.wrong != 0) digest::fail(std::to_string(c.wrong) + " digests of " + std::to_string(c.windows));
      std::printf("launch %zu: %u warps, %u windows, %u corrections, %u cuts, %u clocks, %zu bytes\n", launch, c.warps,
                  c.windows, c.corrections, c.cuts, c.clocks, bytes[launch - 1].size());
    } else if (item == HEDDLE_TRACE_DONE) {
      break;
    } else {
      digest::fail(heddle_trace_error(t));
    }
  }
  if (launch == 0 || launch != bytes.size()) digest::fail("other launches than in the trace");
  heddle_trace_free(t);
  return 0;
}
