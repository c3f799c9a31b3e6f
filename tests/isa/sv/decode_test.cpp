// SPDX-License-Identifier: Apache-2.0
// The SystemVerilog decoder against the C decoder: the generated vectors, every
// vector with each bit flipped, and random words.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <Vtop.h>
#include <verilated.h>

extern "C" {
#include <heddle/isa_tables.h>
}

namespace {

struct Bench {
  VerilatedContext context;
  Vtop dut{&context};
  unsigned long words = 0, legal = 0, failures = 0;
};

void expect(Bench &b, heddle_isa_word w, const char *what, uint64_t sv, uint64_t c) {
  if (sv == c) return;
  if (b.failures++ < 20)
    std::printf("%016llx%016llx: %s is 0x%llx in SystemVerilog, 0x%llx in C\n", (unsigned long long)w.hi,
                (unsigned long long)w.lo, what, (unsigned long long)sv, (unsigned long long)c);
}

uint64_t pred(heddle_isa_pred p) {
  return p.index | (p.neg ? 8u : 0u);
}

void compare_operands(Bench &b, heddle_isa_word w, const heddle_isa_dec &d) {
  uint64_t kind = 0, reg = 0, n = 0, neg = 0, abs = 0, ps = 0;
  for (unsigned i = 0; i < 3; i++) {
    kind |= (uint64_t)d.src[i].kind << 3 * i;
    reg |= (uint64_t)d.src[i].reg << 8 * i;
    n |= (uint64_t)(d.src[i].words - 1) << 2 * i;
    neg |= (uint64_t)d.src[i].neg << i;
    abs |= (uint64_t)d.src[i].abs << i;
    ps |= pred(d.ps[i]) << 4 * i;
  }
  expect(b, w, "kind", b.dut.kind_o, kind);
  expect(b, w, "reg", b.dut.reg_o, reg);
  expect(b, w, "n", b.dut.n_o, n);
  expect(b, w, "neg", b.dut.neg_o, neg);
  expect(b, w, "abs", b.dut.abs_o, abs);
  expect(b, w, "ps", b.dut.ps_o, ps);
}

// Short immediates b and c share the word.
uint32_t immediate(const heddle_isa_dec &d, bool *is_short) {
  *is_short =
      !heddle_isa_enc_owns((heddle_isa_enc)d.enc, ISA_F_IMM) && (d.src[1].kind == ISA_IMM || d.src[2].kind == ISA_IMM);
  return *is_short ? d.src[2].imm << 16 | d.src[1].imm : d.imm;
}

void compare_rest(Bench &b, heddle_isa_word w, const heddle_isa_dec &d) {
  bool is_short;
  expect(b, w, "op", b.dut.op_o, d.op);
  expect(b, w, "unit", b.dut.unit_o, d.unit);
  expect(b, w, "mem", b.dut.mem_o, heddle_isa_instr_info((heddle_isa_op)d.op)->mem);
  expect(b, w, "flow", b.dut.flow_o, heddle_isa_instr_info((heddle_isa_op)d.op)->flow);
  expect(b, w, "drains", b.dut.drains_o, heddle_isa_instr_info((heddle_isa_op)d.op)->drains);
  expect(b, w, "imm", b.dut.imm_o, immediate(d, &is_short));
  expect(b, w, "imm_short", b.dut.imm_short_o, is_short);
  expect(b, w, "cbank", b.dut.cbank_o, d.cbank);
  expect(b, w, "coff", b.dut.coff_o, d.coff);
  expect(b, w, "has_rd", b.dut.has_rd_o, d.has_rd);
  expect(b, w, "rd", b.dut.rd_o, d.rd);
  expect(b, w, "rd_n", b.dut.rd_n_o, d.rd_words - 1u);
  expect(b, w, "has_pd", b.dut.has_pd_o, (d.has_pd1 ? 2u : 0u) | (d.has_pd0 ? 1u : 0u));
  expect(b, w, "pd", b.dut.pd_o, (uint64_t)d.pd1 << 3 | d.pd0);
  expect(b, w, "uniform", b.dut.uni_o,
         (d.ps_uniform ? 8u : 0u) | (d.uniform ? 4u : 0u) | (d.pd_uniform ? 2u : 0u) | (d.rd_uniform ? 1u : 0u));
  expect(b, w, "guard", b.dut.guard_o, pred(d.guard));
  uint64_t ctl = (uint64_t)d.ctl.reuse << 17 | (uint64_t)d.ctl.wait << 11 | (uint64_t)d.ctl.rbar << 8 |
                 (uint64_t)d.ctl.wbar << 5 | (uint64_t)d.ctl.yield << 4 | d.ctl.stall;
  expect(b, w, "ctl", b.dut.ctl_o, ctl);
  expect(b, w, "max_reg", b.dut.max_reg_o, (uint64_t)(heddle_isa_max_reg(&d) + 1));
}

void check(Bench &b, heddle_isa_word w) {
  b.dut.word_i[0] = (uint32_t)w.lo;
  b.dut.word_i[1] = (uint32_t)(w.lo >> 32);
  b.dut.word_i[2] = (uint32_t)w.hi;
  b.dut.word_i[3] = (uint32_t)(w.hi >> 32);
  b.dut.eval();
  heddle_isa_dec d;
  bool legal = heddle_isa_decode(w, &d) && heddle_isa_in_rtl(&d); // the rest is for the model alone
  b.words++;
  expect(b, w, "legal", b.dut.legal_o, legal);
  if (!legal) return;
  b.legal++;
  compare_operands(b, w, d);
  compare_rest(b, w, d);
}

uint64_t next_random(uint64_t &s) {
  s ^= s << 13;
  s ^= s >> 7;
  s ^= s << 17;
  return s;
}

// Legal shapes with every owned bit random: mostly legal, sometimes a bad value.
void check_random(Bench &b, unsigned long count) {
  uint64_t s = 0x2545f4914f6cdd1dull;
  for (unsigned long i = 0; i < count; i++) {
    heddle_isa_word w = {next_random(s), next_random(s)};
    if (i % 8 != 0) {
      const heddle_isa_encoding *e = heddle_isa_encoding_info((heddle_isa_enc)(next_random(s) % ISA_ENC_COUNT));
      w.lo = (w.lo & ~e->mask.lo) | e->match.lo;
      w.hi = (w.hi & ~e->mask.hi) | e->match.hi;
    }
    check(b, w);
  }
}

bool check_vectors(Bench &b, const char *path) {
  std::FILE *f = std::fopen(path, "r");
  if (f == nullptr) return false;
  char line[256];
  while (std::fgets(line, sizeof line, f) != nullptr) {
    unsigned long long hi = 0, lo = 0;
    if (std::sscanf(line, "%16llx%16llx", &hi, &lo) != 2) continue;
    heddle_isa_word w = {lo, hi};
    check(b, w);
    for (unsigned bit = 0; bit < 64; bit++) {
      check(b, heddle_isa_word{lo ^ 1ull << bit, hi});
      check(b, heddle_isa_word{lo, hi ^ 1ull << bit});
    }
  }
  std::fclose(f);
  return b.words != 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: decode_test VECTORS\n");
    return 2;
  }
  auto b = std::make_unique<Bench>();
  if (!check_vectors(*b, argv[1])) {
    std::fprintf(stderr, "%s: no vectors\n", argv[1]);
    return 2;
  }
  check_random(*b, 500000);
  std::printf("%lu words, %lu legal, %lu differences\n", b->words, b->legal, b->failures);
  return b->failures == 0 && b->legal > 10000 ? 0 : 1;
}
