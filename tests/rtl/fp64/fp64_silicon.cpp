// SPDX-License-Identifier: Apache-2.0
// What silicon returned, asked of the FP64 unit.
#include <cstdio>

#include "tests/rtl/fp64/fp64_cases.h"
#include "tests/rtl/silicon_data.h"

namespace {

struct Form {
  std::string name, inputs; // one word an operand: f64, i64, f32
  Operation op;
  unsigned words; // of the result; 0: a predicate
  bool ps0;
};

// Operand a of a conversion is its b.
uint64_t measured(Bench &bench, const std::string &dir, const Form &form) {
  const std::vector<uint64_t> gold = read_elements(dir + "/ops/" + form.name + ".gold.bin", form.words == 2 ? 8 : 4);
  std::vector<uint64_t> in[3];
  const unsigned slots = static_cast<unsigned>((form.inputs.size() + 1) / 4);
  for (unsigned s = 0; s < slots; s++) {
    const std::string kind = form.inputs.substr(4 * s, 3);
    in[s] = read_elements(dir + "/ops/" + kind + "." + std::to_string(s) + ".bin", kind == "f32" ? 4 : 8);
    if (in[s].size() < gold.size()) return 0;
  }
  for (size_t k = 0; k < gold.size(); k++) {
    Vector v;
    v.ps0 = form.ps0;
    v.a = in[0][k];
    v.b = in[slots == 1 ? 0 : 1][k];
    if (slots == 3) v.c = in[2][k];
    bench.check(form.op, v,
                form.words == 0   ? Expected::predicates(gold[k] != 0, gold[k] == 0)
                : form.words == 1 ? Expected::word(gold[k])
                                  : Expected::pair(gold[k]));
  }
  return gold.size();
}

uint64_t nans(Bench &bench, const std::string &dir, const Form &form) {
  const std::vector<NanRow> rows = read_nan_rows(dir, form.name);
  for (const NanRow &row : rows)
    bench.check(form.op, {row.in[0], row.in[row.operands == 1 ? 0 : 1], row.in[2], form.ps0},
                form.words == 1 ? Expected::word(row.result) : Expected::pair(row.result));
  return rows.size();
}

std::vector<Form> forms() {
  std::vector<Form> all;
  const struct {
    const char *suffix;
    unsigned rnd, irnd;
  } rnds[] = {{"rn", ISA_RND_RN, ISA_IRND_ROUND},
              {"rm", ISA_RND_RM, ISA_IRND_FLOOR},
              {"rp", ISA_RND_RP, ISA_IRND_CEIL},
              {"rz", ISA_RND_RZ, ISA_IRND_TRUNC}};
  for (const auto &r : rnds) {
    const std::string s = r.suffix;
    all.push_back({"add." + s + ".f64", "f64 f64", Operation(ISA_OP_DADD).set(ISA_F_RND, r.rnd), 2, false});
    all.push_back({"mul." + s + ".f64", "f64 f64", Operation(ISA_OP_DMUL).set(ISA_F_RND, r.rnd), 2, false});
    all.push_back({"fma." + s + ".f64", "f64 f64 f64", Operation(ISA_OP_DFMA).set(ISA_F_RND, r.rnd), 2, false});
    const auto i2f = [&](const char *to, unsigned flt, const char *from, unsigned isrc) {
      all.push_back({"cvt." + s + "." + to + "." + from, "i64",
                     Operation(ISA_OP_I2F).set(ISA_F_FLT, flt).set(ISA_F_ISRC, isrc).set(ISA_F_RND, r.rnd),
                     flt == ISA_FTYPE_F64 ? 2u : 1u, false});
    };
    i2f("f32", ISA_FTYPE_F32, "s64", ISA_ITYPE_S64);
    i2f("f32", ISA_FTYPE_F32, "u64", ISA_ITYPE_U64);
    i2f("f64", ISA_FTYPE_F64, "s64", ISA_ITYPE_S64);
    i2f("f64", ISA_FTYPE_F64, "u64", ISA_ITYPE_U64);
    const auto f2f = [&](const char *to, unsigned fdst) {
      all.push_back({"cvt." + s + "." + to + ".f64", "f64",
                     Operation(ISA_OP_F2F).set(ISA_F_FDST, fdst).set(ISA_F_FSRC, ISA_FTO_F64).set(ISA_F_RND, r.rnd), 1,
                     false});
    };
    f2f("f32", ISA_FTO_F32);
    f2f("f16", ISA_FTO_F16);
    const auto f2i = [&](const char *to, unsigned dint, const char *from, unsigned flt) {
      all.push_back({"cvt." + s + "i." + to + "." + from, from,
                     Operation(ISA_OP_F2I).set(ISA_F_DINT, dint).set(ISA_F_FLT, flt).set(ISA_F_IRND, r.irnd),
                     to[1] == '6' ? 2u : 1u, false});
    };
    f2i("s32", ISA_ITYPE_S32, "f64", ISA_FTYPE_F64);
    f2i("u32", ISA_ITYPE_U32, "f64", ISA_FTYPE_F64);
    f2i("s64", ISA_ITYPE_S64, "f64", ISA_FTYPE_F64);
    f2i("u64", ISA_ITYPE_U64, "f64", ISA_FTYPE_F64);
    f2i("s64", ISA_ITYPE_S64, "f32", ISA_FTYPE_F32);
    f2i("u64", ISA_ITYPE_U64, "f32", ISA_FTYPE_F32);
    all.push_back({"cvt." + s + "i.f64.f64", "f64",
                   Operation(ISA_OP_FRND).set(ISA_F_RINT, ISA_RINT_F64).set(ISA_F_IRND, r.irnd), 2, false});
  }
  const auto widen = [](unsigned fsrc) {
    return Operation(ISA_OP_F2F).set(ISA_F_FDST, ISA_FTO_F64).set(ISA_F_FSRC, fsrc);
  };
  all.push_back({"cvt.f64.f32", "f32", widen(ISA_FTO_F32), 2, false});
  all.push_back({"cvt.f64.f16", "f16", widen(ISA_FTO_F16), 2, false});
  all.push_back({"min.f64", "f64 f64", Operation(ISA_OP_DMNMX), 2, true});
  all.push_back({"max.f64", "f64 f64", Operation(ISA_OP_DMNMX), 2, false});
  Operation sub(ISA_OP_DADD);
  sub.neg = 2;
  all.push_back({"sub.rn.f64", "f64 f64", sub, 2, false});
  const char *relations[] = {"lt",  "eq",  "le",  "gt",  "ne",  "ge",  "num",
                             "nan", "ltu", "equ", "leu", "gtu", "neu", "geu"};
  const unsigned values[] = {ISA_FCMP_LT,  ISA_FCMP_EQ,  ISA_FCMP_LE,  ISA_FCMP_GT,  ISA_FCMP_NE,
                             ISA_FCMP_GE,  ISA_FCMP_NUM, ISA_FCMP_NAN, ISA_FCMP_LTU, ISA_FCMP_EQU,
                             ISA_FCMP_LEU, ISA_FCMP_GTU, ISA_FCMP_NEU, ISA_FCMP_GEU};
  for (unsigned k = 0; k < 14; k++)
    all.push_back({std::string("setp.") + relations[k] + ".f64", "f64 f64",
                   Operation(ISA_OP_DSETP).set(ISA_F_FCMP, values[k]), 0, true});
  return all;
}

} // namespace

// Forms with neither elements nor rows of nan.txt are an error, but for those that silicon was not asked about.
int silicon(Bench &bench, const std::string &dir) {
  uint64_t elements = 0, rows = 0, missing = 0;
  for (const Form &form : forms()) {
    const uint64_t e = measured(bench, dir, form), n = nans(bench, dir, form);
    const bool unasked = form.name.find(".f16.f64") != std::string::npos && form.name != "cvt.rn.f16.f64";
    if (e + n == 0 && !unasked) {
      std::printf("fp64: nothing measured of %s in %s\n", form.name.c_str(), dir.c_str());
      missing++;
    }
    elements += e;
    rows += n;
  }
  std::printf("fp64: %llu elements and %llu rows of NaNs measured on silicon\n",
              static_cast<unsigned long long>(elements), static_cast<unsigned long long>(rows));
  return missing == 0 ? 0 : 1;
}
