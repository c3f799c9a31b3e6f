// SPDX-License-Identifier: Apache-2.0
//
// Accesses of a space in the order of performance and the cuts that were sent of it. Any two accesses that meet must be
// on two sides of a cut.
#ifndef HEDDLE_TESTS_DIGEST_ORDER_HPP
#define HEDDLE_TESTS_DIGEST_ORDER_HPP

#include <array>
#include <map>
#include <vector>

#include "tests/lab/fpga/digest/entries.hpp"

namespace digest {

class Order {
public:
  // An access of a slot, of which `nth` it is there: those of one slot are sent in this order.
  size_t access(unsigned slot) {
    return accesses[slot]++;
  }
  // Such an access touches a unit of memory now; units are of any size.
  void touch(unsigned slot, size_t nth, uint64_t unit, bool writes) {
    touched[unit].push_back({slot, nth, writes});
  }
  // A cut that is sent has been one in time: accesses are reported over in this order.
  void over(unsigned slot) {
    row.push_back(slot);
  }

  void mark(unsigned slot, uint64_t count) {
    if (count < 2) fail("a mark of no access");
    if (!open) cut.push_back({}), open = true;
    if (cut.back()[slot] != 0) fail("two marks of a slot in one cut");
    cut.back()[slot] = count / 2;
    open = count % 2 != 0;
  }
  size_t cuts() const {
    return cut.size();
  }

  void check(const std::string &where) const {
    if (open) fail("a cut is not sent to its end" + where);
    // Which cut each access is in: behind the last one, none.
    std::array<std::vector<size_t>, 64> in;
    for (size_t k = 0; k < cut.size(); k++)
      for (unsigned s = 0; s < 64; s++)
        for (uint64_t n = 0; n < cut[k][s]; n++) in[s].push_back(k);
    for (unsigned s = 0; s < 64; s++) {
      if (in[s].size() > accesses[s]) fail("more accesses than there were" + where);
      in[s].resize(accesses[s], cut.size());
    }
    for (const auto &u : touched)
      for (size_t b = 1; b < u.second.size(); b++)
        for (size_t a = b; a-- > 0;) {
          const Touch &first = u.second[a], &then = u.second[b];
          if (first.slot == then.slot) {
            if (then.writes && first.writes) break; // what comes before met that one
            continue;
          }
          if ((first.writes || then.writes) && in[first.slot][first.nth] >= in[then.slot][then.nth])
            fail("two accesses meet, and no cut is between them" + where);
          if (first.writes) break; // likewise
        }
  }

  // A cut holds all that was over at one moment.
  void check_time(const std::string &where) const {
    if (row.empty()) return;
    size_t at = 0;
    for (const auto &c : cut) {
      std::array<uint64_t, 64> n{};
      uint64_t all = 0;
      for (uint64_t x : c) all += x;
      for (uint64_t i = 0; i < all && at < row.size(); i++) n[row[at++]]++;
      if (n != c) fail("a cut that was no moment" + where);
    }
  }

private:
  struct Touch {
    unsigned slot;
    size_t nth;
    bool writes;
  };
  std::array<size_t, 64> accesses{};
  std::map<uint64_t, std::vector<Touch>> touched;
  std::vector<std::array<uint64_t, 64>> cut;
  std::vector<unsigned> row;
  bool open = false;
};

} // namespace digest

#endif
