// SPDX-License-Identifier: Apache-2.0
// ALU pipe against formulas in plain 64-bit and host floating-point arithmetic (alu_cases.h), and what silicon
// returned.
#include <cstdio>
#include <utility>

#include "tests/rtl/execute/alu_cases.h"

namespace {

uint64_t silicon(Bench &bench, const std::string &dir) {
  const uint64_t before = bench.vectors();
  for (bool ftz : {false, true})
    for (bool minimum : {true, false}) {
      const std::string name = minimum ? "min." : "max.";
      std::vector<Measured> data = read_measured(dir, name + (ftz ? "ftz.f32" : "f32"), "ff");
      if (!ftz)
        for (const Measured &d : read_nans(dir, name + "f32")) data.push_back(d);
      for (Measured &d : data) {
        d.in.ps0 = minimum;
        bench.check(Operation(ISA_OP_FMNMX).set(ISA_F_FTZ, ftz), d.in, Expected::value(d.result));
      }
    }
  for (unsigned uns = 0; uns < 2; uns++)
    for (bool minimum : {true, false})
      for (Measured d : read_measured(dir, std::string(minimum ? "min." : "max.") + (uns ? "u32" : "s32"), "ii")) {
        d.in.ps0 = minimum;
        bench.check(Operation(ISA_OP_IMNMX).set(ISA_F_SIGN, uns), d.in, Expected::value(d.result));
      }
  for (unsigned lut : {0x80u, 0xfeu, 0x96u, 0xe8u, 0xcau, 0x1bu}) {
    char name[32];
    std::snprintf(name, sizeof name, "lop3.b32.0x%02x", lut);
    for (const Measured &d : read_measured(dir, name, "iii"))
      bench.check(Operation(ISA_OP_LOP3_LUT).set(ISA_F_LUT, lut), d.in, Expected::value(d.result));
  }
  for (bool right : {false, true})
    for (bool wrap : {false, true})
      for (Measured d :
           read_measured(dir, std::string("shf.") + (right ? "r." : "l.") + (wrap ? "wrap.b32" : "clamp.b32"), "iii")) {
        std::swap(d.in.b, d.in.c); // PTX: low, high, amount
        Operation o(ISA_OP_SHF);
        o.set(ISA_F_SHDIR, right).set(ISA_F_WRAP, wrap).set(ISA_F_SHTYPE, ISA_SHTYPE_U32).set(ISA_F_SHHI, !right);
        bench.check(o, d.in, Expected::value(d.result));
      }
  for (const Measured &d : read_measured(dir, "sub.s32", "ii")) {
    Operation o(ISA_OP_IADD3);
    o.neg = 2;
    bench.check(o, Vector{d.in.a, d.in.b}, Expected::value(d.result));
  }
  return bench.vectors() - before;
}

} // namespace

int main(int argc, char **argv) {
  const Options options(argc, argv, VECTORS);
  Bench bench(options);
  Random r{options.seed};
  float_edges(bench);
  // The modifiers stay the same for a few vectors, so that the lanes of a beat fill.
  const auto tests = {mov,   sel,  iadd3,    lop3, shf,  lea,  imnmx,     isetp, isetp_ex, plop3, fmnmx,
                      fsetp, iabs, vabsdiff, prmt, sgxt, bmsk, popc_brev, flo,   fsel,     fchk,  p2r_r2p};
  for (const auto test : tests) {
    for (uint32_t a : edges_i32)
      for (uint32_t b : edges_i32)
        for (unsigned k = 0; k < 8; k++) {
          Vector v = random_vector(r);
          v.a = a;
          v.b = b;
          test(bench, r, r, v);
        }
    for (uint64_t k = 0; k < options.count; k++) {
      Random modes{options.seed + k / 16};
      test(bench, modes, r, random_vector(r));
    }
  }
  if (!options.silicon.empty()) {
    const uint64_t n = silicon(bench, options.silicon);
    std::printf("alu: %llu vectors measured on silicon\n", static_cast<unsigned long long>(n));
    if (n == 0) return 1;
  }
  return bench.finish("alu");
}
