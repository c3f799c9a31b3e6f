// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <heddle/verilated_ports.hpp>
#include <heddle/retire_ports.hpp>

extern "C" {
#include <heddle/host.h>
#include <heddle/record.h>
}

namespace {
constexpr unsigned AXI_BYTES = sizeof(std::declval<Vtop>().m_axi_rdata_i);

void print_message(void *, const heddle_message *m) {
  if (!m->warning) std::fprintf(stderr, "%s:%u:%u: %s\n", m->file, m->line, m->column, m->text);
}
} // namespace

Machine::~Machine() {
#if VM_TRACE
  if (wave_) wave_->close();
#endif
  if (program_) heddle_program_free(program_);
}

Machine::Machine(uint64_t seed, bool random_latency, const char *wave)
    : context_(new VerilatedContext), memory_(kSize, 0), random_{seed}, random_latency_(random_latency) {
  context_->randReset(2);
  context_->randSeed(static_cast<int>(seed * 7919 + 1));
  top_.reset(new Vtop(context_.get()));
#if VM_TRACE
  if (wave) {
    context_->traceEverOn(true);
    wave_.reset(new VerilatedFstC);
    top_->trace(wave_.get(), 99);
    wave_->open(wave);
  }
#else
  (void)wave;
#endif
  Vtop &t = *top_;
  t.clk_i = 0, t.rst_ni = 0, t.ret_ready_i = 1;
  t.s_axil_awvalid_i = t.s_axil_wvalid_i = t.s_axil_arvalid_i = 0, t.s_axil_bready_i = t.s_axil_rready_i = 1;
  t.m_axi_awready_i = t.m_axi_wready_i = t.m_axi_bvalid_i = t.m_axi_arready_i = t.m_axi_rvalid_i = 0;
  for (int i = 0; i < 5; i++) tick();
  t.rst_ni = 1;
  tick();
  // The registers say which configuration this is.
  uint64_t hash = reg(HEDDLE_REG_CFG_HASH) | uint64_t(reg(HEDDLE_REG_CFG_HASH + 4)) << 32;
  for (size_t i = 0; i < heddle_config_count(); i++) {
    if (heddle_config_at(i)->hash == hash) config_ = heddle_config_at(i);
  }
  if (!config_ || reg(HEDDLE_REG_ID) != HEDDLE_ID || reg(HEDDLE_REG_CAP_LANES) != config_->lanes) {
    std::fprintf(stderr, "machine: identification registers are wrong\n");
    std::exit(2);
  }
}

uint64_t Machine::alloc(uint64_t bytes) {
  uint64_t at = next_;
  next_ += (bytes + 255) / 256 * 256;
  if (next_ > kBase + kSize) std::fprintf(stderr, "machine: out of memory\n"), std::exit(2);
  std::memset(&memory_[at - kBase], 0, bytes);
  return at;
}

void Machine::write32(uint64_t address, uint32_t v) {
  std::memcpy(&memory_.at(address - kBase), &v, 4);
}

uint32_t Machine::read32(uint64_t address) const {
  uint32_t v;
  std::memcpy(&v, &memory_.at(address - kBase), 4);
  return v;
}

void Machine::load(const std::string &text, bool unscheduled) {
  heddle_asm_options options{};
  options.size = sizeof options;
  options.stall[HEDDLE_STALL_ALU_REG] = static_cast<uint8_t>(config_->stall_alu_reg);
  options.stall[HEDDLE_STALL_ALU_PRED] = static_cast<uint8_t>(config_->stall_alu_pred);
  options.stall[HEDDLE_STALL_FMA_REG] = static_cast<uint8_t>(config_->stall_fma_reg);
  options.stall[HEDDLE_STALL_CVT_REG] = static_cast<uint8_t>(config_->stall_cvt_reg);
  options.stall[HEDDLE_STALL_HALF_REG] = static_cast<uint8_t>(config_->stall_half_reg);
  options.stall[HEDDLE_STALL_UNI_REG] = static_cast<uint8_t>(config_->stall_uni_reg);
  if (unscheduled) {
    for (unsigned s : {HEDDLE_STALL_ALU_REG, HEDDLE_STALL_ALU_PRED, HEDDLE_STALL_FMA_REG, HEDDLE_STALL_CVT_REG,
                       HEDDLE_STALL_HALF_REG})
      options.stall[s] = 1;
  }
  options.message = print_message;
  if (program_) heddle_program_free(program_);
  if (heddle_assemble(text.data(), text.size(), "test", &options, &program_) != HEDDLE_SUCCESS) std::exit(2);
  code_bytes_ = program_->code_bytes;
  code_ = alloc(code_bytes_);
  std::memcpy(&memory_[code_ - kBase], program_->code, code_bytes_);
  const_bytes_ = program_->const_bytes;
  const_ = alloc(const_bytes_ + 16);
  if (const_bytes_) std::memcpy(&memory_[const_ - kBase], program_->konst, const_bytes_);
}

uint64_t Machine::place_bank0(const heddle_kernel &kernel, const Launch &launch) {
  std::vector<uint8_t> bank(heddle_bank0_bytes(&kernel));
  if (launch.params.size() > bank.size() - HEDDLE_BANK0_PARAMS)
    std::fprintf(stderr, "machine: kernel %s has no such parameters\n", kernel.name), std::exit(2);
  heddle_bank0_fill(bank.data(), &kernel, launch.grid, launch.block, 0);
  std::copy(launch.params.begin(), launch.params.end(), bank.begin() + HEDDLE_BANK0_PARAMS);
  const uint64_t at = alloc(bank.size());
  std::memcpy(&memory_[at - kBase], bank.data(), bank.size());
  return at;
}

Outcome Machine::run(const Launch &launch) {
  const heddle_kernel *kernel =
      launch.kernel.empty() ? &program_->kernel[0] : heddle_program_kernel(program_, launch.kernel.c_str());
  if (!kernel) std::fprintf(stderr, "machine: no kernel %s\n", launch.kernel.c_str()), std::exit(2);
  heddle_host_launch to{};
  to.size = sizeof to;
  std::memcpy(to.grid, launch.grid, sizeof to.grid);
  std::memcpy(to.block, launch.block, sizeof to.block);
  to.entry_pc = kernel->entry_pc, to.regs = kernel->regs, to.shared_bytes = kernel->shared_bytes;
  to.mode = launch.scoreboard ? HEDDLE_MODE_SCOREBOARD : 0;
  to.code_base = code_, to.code_bytes = static_cast<uint32_t>(code_bytes_);
  to.cbank_base[3] = const_, to.cbank_bytes[3] = static_cast<uint32_t>(const_bytes_);
  to.region_base[0] = kBase, to.region_limit[0] = kBase + kSize, to.region_write = 1;
  to.cbank_base[0] = place_bank0(*kernel, launch);
  to.cbank_bytes[0] = heddle_bank0_bytes(kernel);
  auto write = [](void *self, uint32_t reg, uint32_t value) {
    static_cast<Machine *>(self)->write_reg(reg, value);
    return true;
  };
  heddle_host_launch_write(&to, write, this);
  write_reg(HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START);

  Outcome out;
  uint64_t end = cycle_ + patience;
  do {
    for (int i = 0; i < 16; i++) tick();
    out.status = reg(HEDDLE_REG_STATUS);
    out.hung = cycle_ > end;
  } while (!out.hung && !(out.status & (HEDDLE_STATUS_DONE | HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED)));
  if (out.hung) write_reg(HEDDLE_REG_CONTROL, HEDDLE_CONTROL_ABORT);
  out.cycles = reg(HEDDLE_REG_CYCLES);
  return out;
}

void Machine::tick() {
  Vtop &t = *top_;
  axi_drive();
  t.eval();
  if (observe && t.rst_ni) observe(t);
  if (trace) show();
  axi_sample();
#if VM_TRACE
  if (wave_) wave_->dump(cycle_ * 10);
#endif
  t.clk_i = 1;
  t.eval();
#if VM_TRACE
  if (wave_) wave_->dump(cycle_ * 10 + 5);
#endif
  if (r_taken_) t.m_axi_rvalid_i = 0;
  if (b_taken_) t.m_axi_bvalid_i = 0;
  r_taken_ = b_taken_ = false;
  t.clk_i = 0;
  t.eval();
  cycle_++;
}

namespace {
// The sizes of the configuration.
struct Sizes {
  static constexpr unsigned SMS = 1, MEM_BANKS = 1, PARTITIONS = PARTITIONS_OF_CONFIG, PORTS = retire::PORT_PORTS,
                            ROWS = retire::PORT_ROWS, TURNS = retire::PORT_TURNS, LINE = retire::PORT_LINE,
                            PREDICATES = retire::PORT_PREDICATES, LANES = LANES_OF_CONFIG, BANKS = BANKS_OF_CONFIG;
};
static_assert(retire::shown<Sizes>::sm_words * 4 == sizeof(std::declval<Vtop>().ret_sm_o), "as the port has it");

struct Printer {
  uint64_t cycle;
  heddle_retire_record record{};
  heddle_retire_record &add(heddle_record_kind kind) {
    record.kind = kind;
    return record;
  }
  template <class Record> void shown(Record &) {
    char text[1024], word[256] = "";
    heddle_record_text(&record, Sizes::LANES, heddle_record_hidden{}, text, sizeof text);
    const heddle_record_issue &i = record.u.issue;
    if (record.kind == HEDDLE_RECORD_ISSUE) heddle_disassemble({i.word[0], i.word[1]}, i.pc, word, sizeof word);
    std::printf("%8llu %s  %s\n", (unsigned long long)cycle, text, word);
  }
};
} // namespace

void Machine::show() {
  Vtop &t = *top_;
  auto at = [&](const char *what) { std::printf("%8llu %-5s ", (unsigned long long)cycle_, what); };
  Printer printer{cycle_};
  retire::cycle<Sizes>(t, printer);
  if (t.m_axi_arvalid_o && t.m_axi_arready_i)
    at("axi"),
        std::printf("read %llx id %u len %u\n", (unsigned long long)t.m_axi_araddr_o, t.m_axi_arid_o, t.m_axi_arlen_o);
  if (t.m_axi_rvalid_i)
    at("axi"), std::printf("data id %u last %u ready %u\n", t.m_axi_rid_i, t.m_axi_rlast_i, t.m_axi_rready_o);
  if (t.m_axi_awvalid_o && t.m_axi_awready_i)
    at("axi"),
        std::printf("write %llx id %u len %u\n", (unsigned long long)t.m_axi_awaddr_o, t.m_axi_awid_o, t.m_axi_awlen_o);
}

void Machine::write_reg(unsigned offset, uint32_t v) {
  Vtop &t = *top_;
  t.s_axil_awvalid_i = t.s_axil_wvalid_i = 1;
  t.s_axil_awaddr_i = offset, t.s_axil_wdata_i = v, t.s_axil_wstrb_i = 15;
  bool aw = false, w = false, b = false;
  for (int i = 0; i < 400 && !(aw && w && b); i++) {
    t.eval();
    bool aw_now = t.s_axil_awvalid_i && t.s_axil_awready_o, w_now = t.s_axil_wvalid_i && t.s_axil_wready_o;
    b |= t.s_axil_bvalid_o;
    tick();
    if (aw_now) aw = true, t.s_axil_awvalid_i = 0;
    if (w_now) w = true, t.s_axil_wvalid_i = 0;
  }
  if (!b) std::fprintf(stderr, "machine: no answer to a register write\n"), std::exit(2);
}

uint32_t Machine::reg(unsigned offset) {
  Vtop &t = *top_;
  t.s_axil_arvalid_i = 1;
  t.s_axil_araddr_i = offset;
  for (int i = 0; i < 400; i++) {
    t.eval();
    bool taken = t.s_axil_arvalid_i && t.s_axil_arready_o, valid = t.s_axil_rvalid_o;
    uint32_t v = t.s_axil_rdata_o;
    tick();
    if (taken) t.s_axil_arvalid_i = 0;
    if (valid) return v;
  }
  std::fprintf(stderr, "machine: no answer to a register read\n");
  std::exit(2);
}

// What memory offers in this cycle. Answers of one kind come in the order of the requests.
void Machine::axi_drive() {
  Vtop &t = *top_;
  t.m_axi_arready_i = reads_.size() < 8 && (!random_latency_ || random_.below(4) != 0);
  t.m_axi_awready_i = writes_.size() < 8 && (!random_latency_ || random_.below(4) != 0);
  t.m_axi_wready_i = !writes_.empty() && (!random_latency_ || random_.below(4) != 0);
  if (!t.m_axi_rvalid_i && !reads_.empty() && reads_.front().at <= cycle_) {
    Burst &r = reads_.front();
    unsigned bytes = 1u << r.size, lane = static_cast<unsigned>(r.address % (AXI_BYTES));
    std::vector<uint8_t> data(AXI_BYTES, 0xa5);
    bool inside = r.address >= kBase && r.address + bytes <= kBase + kSize;
    if (inside) std::memcpy(&data[lane], &memory_[r.address - kBase], bytes);
    std::memcpy(&t.m_axi_rdata_i, data.data(), AXI_BYTES);
    t.m_axi_rvalid_i = 1, t.m_axi_rid_i = r.id, t.m_axi_rlast_i = r.beats == 1, t.m_axi_rresp_i = inside ? 0 : 3;
  }
  if (!t.m_axi_bvalid_i && !acks_.empty() && acks_.front().at <= cycle_) {
    t.m_axi_bvalid_i = 1, t.m_axi_bid_i = acks_.front().id;
    bool inside = acks_.front().address >= kBase && acks_.front().address <= kBase + kSize;
    t.m_axi_bresp_i = inside ? 0 : 3;
  }
}

void Machine::axi_sample() {
  Vtop &t = *top_;
  if (!t.rst_ni) return;
  if (t.m_axi_arvalid_o && t.m_axi_arready_i) {
    reads_.push_back({t.m_axi_araddr_o, t.m_axi_arid_o, t.m_axi_arlen_o + 1u, t.m_axi_arsize_o, later()});
  }
  if (t.m_axi_wvalid_o && t.m_axi_wready_i) {
    Burst &w = writes_.front();
    uint64_t line = w.address / AXI_BYTES * AXI_BYTES;
    std::vector<uint8_t> data(AXI_BYTES);
    std::memcpy(data.data(), &t.m_axi_wdata_o, AXI_BYTES);
    for (unsigned i = 0; i < AXI_BYTES; i++) {
      if (t.m_axi_wstrb_o >> i & 1 && line + i >= kBase && line + i < kBase + kSize)
        memory_[line + i - kBase] = data[i];
    }
    w.address += 1u << w.size;
    if (bool(t.m_axi_wlast_o) != (w.beats == 1))
      std::fprintf(stderr, "machine: wlast at the wrong beat\n"), std::exit(2);
    if (--w.beats == 0) {
      w.at = later();
      acks_.push_back(w);
      writes_.pop_front();
    }
  }
  if (t.m_axi_awvalid_o && t.m_axi_awready_i) {
    writes_.push_back({t.m_axi_awaddr_o, t.m_axi_awid_o, t.m_axi_awlen_o + 1u, t.m_axi_awsize_o, 0});
  }
  if (t.m_axi_rvalid_i && t.m_axi_rready_o) {
    Burst &r = reads_.front();
    r.address += 1u << r.size;
    if (--r.beats == 0) reads_.pop_front();
    r_taken_ = true;
  }
  if (t.m_axi_bvalid_i && t.m_axi_bready_o) {
    acks_.pop_front();
    b_taken_ = true;
  }
}
