// SPDX-License-Identifier: Apache-2.0
//
// The shim between a simulation and the C view of a device: what it does where a machine answers with errors, late or
// never, how often it holds the retire port, when it asks for a wave. Its machine has no RTL (shim_top.hpp).
#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <memory>

extern "C" {
#include <cmocka.h>
}

#include "tests/cosim/shim_top.hpp"

HEDDLE_VERILATOR_HOOKS

namespace {

using Device = core::Device<shim::Sim>;
using Ops = core::Ops<shim::Sim>;

heddle_dut_options options() {
  static heddle_axi_mem_config memory{};
  memory.size = sizeof memory;
  heddle_axi_mem_calm(&memory);
  memory.bytes = 4096;
  heddle_dut_options o{};
  o.size = sizeof o;
  o.memory = &memory;
  o.records = true;
  return o;
}

std::unique_ptr<Device> begun(const heddle_dut_options &o = options()) {
  auto d = std::make_unique<Device>();
  assert_true(d->begin(&o));
  d->sim.registers.forget();
  return d;
}

void expect_idle(const Device &d) {
  const shim::Top &t = d.sim.ports;
  assert_int_equal(t.s_axil_awvalid_i | t.s_axil_wvalid_i | t.s_axil_bready_i | t.s_axil_arvalid_i | t.s_axil_rready_i,
                   0);
  if (d.sim.registers.breach != nullptr) fail_msg("%s", d.sim.registers.breach);
}

// However late the machine takes and answers: once each, and the words arrive.
void test_slow_answers(void **) {
  for (unsigned address = 0; address < 4; address++)
    for (unsigned data = 0; data < 4; data++)
      for (unsigned answer = 0; answer < 5; answer++) {
        auto d = begun();
        d->sim.registers.manner = {address, data, answer, 0, false};
        for (uint32_t k = 1; k <= 3; k++) {
          uint32_t got = 0;
          assert_true(Ops::host_write(d.get(), 0x10 * k, 0xabcd0000u + k));
          assert_int_equal(d->sim.registers.address, 0x10 * k);
          assert_true(Ops::host_read(d.get(), 0x10 * k + 4, &got));
          assert_int_equal(d->sim.registers.address, 0x10 * k + 4);
          assert_int_equal(got, 0xabcd0000u + k);
          assert_int_equal(d->sim.registers.writes, k);
          assert_int_equal(d->sim.registers.reads, k);
          assert_int_equal(d->sim.registers.answers, 2 * k);
          expect_idle(*d);
        }
      }
}

// SLVERR, DECERR, and EXOKAY, which AXI4-Lite does not have. The access after it is a new one.
void test_error_answers(void **) {
  for (uint8_t resp = 1; resp < 4; resp++) {
    auto d = begun();
    uint32_t got = 0;
    d->sim.registers.manner = {1, 0, 2, resp, false};
    assert_false(Ops::host_write(d.get(), 0, 1));
    expect_idle(*d);
    assert_false(Ops::host_read(d.get(), 0, &got));
    expect_idle(*d);
    d->sim.registers.manner.resp = 0;
    assert_true(Ops::host_write(d.get(), 0, 7));
    assert_true(Ops::host_read(d.get(), 0, &got));
    assert_int_equal(got, 7);
    assert_int_equal(d->sim.registers.answers, 4);
  }
}

// Taken and never answered, and not even taken: an error after a while, with a bus that asks for nothing more.
void test_no_answer(void **) {
  for (unsigned taken = 0; taken < 2; taken++) {
    auto d = begun();
    uint32_t got = 0x600d;
    d->sim.registers.manner = {taken ? 0 : UINT32_MAX, taken ? 0 : UINT32_MAX, 0, 0, true};
    const uint64_t before = Ops::cycle(d.get());
    assert_false(Ops::host_write(d.get(), 0, 1));
    expect_idle(*d);
    assert_false(Ops::host_read(d.get(), 0, &got));
    expect_idle(*d);
    assert_int_equal(got, 0x600d);
    assert_true(Ops::cycle(d.get()) - before <= 2 * bus::PATIENCE);
    assert_int_equal(d->sim.registers.writes, taken);
    assert_int_equal(d->sim.registers.reads, taken);
    assert_int_equal(d->sim.registers.answers, 0);
  }
}

// The last cycle that it waits for counts.
void test_patience(void **) {
  for (unsigned late = 0; late < 2; late++) {
    auto d = begun();
    uint32_t got = 0;
    d->sim.registers.manner.answer = bus::PATIENCE - 2 + late;
    assert_true(Ops::host_write(d.get(), 0, 9) == (late == 0));
    d->sim.registers.forget();
    d->sim.registers.manner.answer = bus::PATIENCE - 2 + late;
    assert_true(Ops::host_read(d.get(), 0, &got) == (late == 0));
    assert_int_equal(got, late == 0 ? 9 : 0);
  }
}

std::string ready_of(uint64_t seed, uint64_t cycles) {
  heddle_dut_options o = options();
  o.ready_seed = seed;
  auto d = begun(o);
  d->sim.clocks = d->sim.held = 0;
  d->sim.ready.clear();
  assert_int_equal(Ops::step(d.get(), cycles), cycles);
  assert_int_equal(d->sim.clocks, cycles);
  return d->sim.ready;
}

// A quarter of all cycles (cosim/README.md). Of n cycles drawn one by one the share lies within five standard
// deviations, and so does that of cycles which follow a held one: it is held again as often as not at all.
void test_held_port(void **) {
  constexpr unsigned N = 40000;
  for (uint64_t seed = 1; seed < 40; seed += 2) {
    const std::string ready = ready_of(seed * 0x9e3779b9u, N);
    unsigned held = 0, after = 0;
    for (unsigned i = 0; i < N; i++) {
      held += ready[i] == 'h';
      after += i > 0 && ready[i - 1] == 'h' && ready[i] == 'h';
    }
    assert_true(std::fabs(held - N / 4.0) < 5 * std::sqrt(N * 3 / 16.0));
    assert_true(std::fabs(after - held / 4.0) < 5 * std::sqrt(held * 3 / 16.0));
  }
  assert_true(ready_of(7, N) == ready_of(7, N));
  assert_false(ready_of(7, N) == ready_of(9, N));
  assert_true(ready_of(0, N) == std::string(N, 'r'));
}

// A wave is asked for where there is a path, and a machine that has none does not begin.
void test_wave(void **) {
  for (unsigned can = 0; can < 2; can++) {
    Device with, without;
    heddle_dut_options o = options();
    with.sim.waves = without.sim.waves = can != 0;
    assert_true(without.begin(&o));
    assert_int_equal(without.sim.asked_times, 0);
    o.wave = "a/path.fst";
    assert_true(with.begin(&o) == (can != 0));
    assert_int_equal(with.sim.asked_times, 1);
    assert_string_equal(with.sim.asked.c_str(), "a/path.fst");
    assert_true((with.cycles > 0) == (can != 0)); // from the first cycle on
  }
}

} // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(test_slow_answers), cmocka_unit_test(test_error_answers),
                              cmocka_unit_test(test_no_answer),    cmocka_unit_test(test_patience),
                              cmocka_unit_test(test_held_port),    cmocka_unit_test(test_wave)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
