// SPDX-License-Identifier: Apache-2.0
// The special-function datapath against what an NVIDIA H200 returned (tests/silicon): checksums of whole blocks of
// operands, all results on halves. Without arguments beyond --silicon: 2^24 operands of each FP32 form, spread over all
// of them, and of each FP64 form two blocks that reach every segment. --form NAME: all 2^32 operands of one form. In
// the same place: the operand's negation and absolute value.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <heddle/isa_gen.h>
#include "tests/rtl/arguments.h"
#include "tests/rtl/sfu/lanes.h"
#include "tests/rtl/random.h"

#include "tests/rtl/silicon_data.h"

namespace {

constexpr uint64_t block = uint64_t{1} << 24;

// How a form's operand becomes the unit's.
enum class Before { nothing, turns };

struct Form {
  const char *name; // as in the files
  unsigned mufu;
  Before before;
  bool upper; // of FP64: sums, not hashes
};

const Form forms[] = {
    {"rcp.approx.ftz.f32", ISA_MUFU_RCP, Before::nothing, false},
    {"rsqrt.approx.ftz.f32", ISA_MUFU_RSQ, Before::nothing, false},
    {"sqrt.approx.ftz.f32", ISA_MUFU_SQRT, Before::nothing, false},
    {"ex2.approx.ftz.f32", ISA_MUFU_EX2, Before::nothing, false},
    {"lg2.approx.ftz.f32", ISA_MUFU_LG2, Before::nothing, false},
    {"sin.approx.ftz.f32", ISA_MUFU_SIN, Before::turns, false},
    {"cos.approx.ftz.f32", ISA_MUFU_COS, Before::turns, false},
    {"tanh.approx.f32", ISA_MUFU_TANH, Before::nothing, false},
    {"rcp.approx.ftz.f64", ISA_MUFU_RCP64H, Before::nothing, true},
    {"rsqrt.approx.ftz.f64", ISA_MUFU_RSQ64H, Before::nothing, true},
};

// The multiplication in front of SIN and COS: |x| / 2pi toward zero, with the sign of x. What is subnormal becomes
// zero, as the unit takes it; infinities and NaNs stay.
uint32_t turns(uint32_t x) {
  const uint32_t exp = x >> 23 & 0xff;
  if (exp == 0) return x & 0x80000000;
  if (exp == 255) return x;
  const uint64_t product = uint64_t{(x & 0x7fffff) | 0x800000} * (0x22f983 | 0x800000); // 47 or 48 bits
  const unsigned top = static_cast<unsigned>(product >> 47);
  const int e = static_cast<int>(exp) + 0x7c - 127 + static_cast<int>(top);
  if (e < 1) return x & 0x80000000;
  return (x & 0x80000000) | static_cast<uint32_t>(e) << 23 | (static_cast<uint32_t>(product >> (23 + top)) & 0x7fffff);
}

// What is kept of the results of a block, in order.
struct Kept {
  uint64_t hash = 0xcbf29ce484222325u, sum = 0, weighted = 0;
  void add(uint64_t i, uint32_t r, bool upper) {
    if (upper) {
      sum += r;
      weighted += r * (2 * i + 1);
    } else {
      hash = (hash ^ r) * 0x100000001b3u;
    }
  }
};

template <typename Operand> Kept keep(Lanes &lanes, const Form &form, Operand operand) {
  Kept kept;
  const unsigned width = lanes.width();
  lanes.run(
      Function{form.mufu}, block,
      [&](uint64_t first, uint32_t *b) {
        for (unsigned l = 0; l < width; l++) {
          const uint32_t x = operand(static_cast<uint32_t>(first + l));
          b[l] = form.before == Before::turns ? turns(x) : x;
        }
      },
      [&](uint64_t first, const uint32_t *r) {
        for (unsigned l = 0; l < width; l++) kept.add(first + l, r[l], form.upper);
      });
  return kept;
}

// Of one line of a file: what the block must give.
struct Line {
  std::string block; // as written
  uint64_t one = 0, two = 0;
};

// The lines of a form; stops the program where the file lacks them.
std::vector<Line> lines_of(const std::string &silicon, const Form &form) {
  const std::string path = silicon + (form.upper ? "/mufu/sums64.txt" : "/mufu/checksums.txt");
  std::vector<Line> lines;
  if (FILE *f = open_text(path)) {
    char text[256], name[64], which[16];
    while (std::fgets(text, sizeof text, f)) {
      Line line;
      const int n = form.upper
                        ? std::sscanf(text, "%63s %15s %" SCNu64 " %" SCNu64, name, which, &line.one, &line.two) - 4
                        : std::sscanf(text, "%63s %15s %" SCNx64, name, which, &line.one) - 3;
      if (n != 0 || std::strcmp(name, form.name) != 0) continue;
      line.block = which;
      lines.push_back(line);
    }
    std::fclose(f);
  }
  if (lines.size() < 256) {
    std::fprintf(stderr, "sfu: %s has %zu blocks of %s, 256 are needed\n", path.c_str(), lines.size(), form.name);
    std::exit(2);
  }
  return lines;
}

bool line_check(Lanes &lanes, const Form &form, const Line &line) {
  Kept kept;
  if (line.block == "sparse") {
    kept = keep(lanes, form, [](uint32_t i) { return i << 8 | (i & 255); });
  } else {
    const uint32_t top = static_cast<uint32_t>(std::strtoul(line.block.c_str(), nullptr, form.upper ? 10 : 16)) << 24;
    kept = keep(lanes, form, [top](uint32_t i) { return top | i; });
  }
  const bool ok = form.upper ? kept.sum == line.one && kept.weighted == line.two : kept.hash == line.one;
  if (!ok) std::printf("%s, block %s: not what the H200 returned\n", form.name, line.block.c_str());
  return ok;
}

// One form on all operands, or on those that stand for them.
unsigned form_check(Lanes &lanes, const std::string &silicon, const Form &form, bool all) {
  unsigned wrong = 0, checked = 0;
  for (const Line &line : lines_of(silicon, form)) {
    const bool sparse = line.block == "sparse";
    // Exponents of 1 and 2 and their neighbours, numbers of either sign: 0x3f and 0xbf.
    const bool some = form.upper ? line.block == "63" || line.block == "191" : sparse;
    if (all ? sparse : !some) continue;
    checked++;
    wrong += !line_check(lanes, form, line);
  }
  std::printf("sfu: %s: %u blocks, %u wrong\n", form.name, checked, wrong);
  return checked == 0 ? 1 : wrong;
}

// Halves: every one, what lies above it random.
unsigned halves_check(Lanes &lanes, const std::string &silicon, Random &r) {
  static const char *const names[] = {"EX2.F16", "TANH.F16", "EX2.BF16", "TANH.BF16"};
  static const unsigned mufu[] = {ISA_MUFU_EX2_F16, ISA_MUFU_TANH_F16, ISA_MUFU_EX2_BF16, ISA_MUFU_TANH_BF16};
  const std::string path = silicon + "/mufu/half_unary.bin";
  const size_t needed = 4 * 65536;
  const std::vector<uint16_t> want = read_elements<uint16_t>(path);
  if (want.size() != needed) {
    std::fprintf(stderr, "sfu: %s: %zu results, %zu are needed\n", path.c_str(), want.size(), needed);
    std::exit(2);
  }
  unsigned wrong = 0;
  for (unsigned k = 0; k < 4; k++) {
    std::vector<uint32_t> x(65536);
    for (uint32_t i = 0; i < 65536; i++) x[i] = (r.u32() & 0xffff0000) | i;
    const std::vector<uint32_t> got = lanes.of(Function{mufu[k]}, x);
    for (uint32_t i = 0; i < 65536; i++)
      if (got[i] != want[k * 65536 + i] && wrong++ < 20)
        std::printf("%s of %08x: got %08x, the H200 returned %04x\n", names[k], x[i], got[i], want[k * 65536 + i]);
  }
  std::printf("sfu: halves: %u wrong of 262,144\n", wrong);
  return wrong;
}

// Absolute value, then negation, of bit 31, which is none of a half's.
unsigned signs_check(Lanes &lanes, Random &r) {
  unsigned wrong = 0;
  constexpr uint32_t sign = 0x80000000;
  for (unsigned mufu = 0; mufu <= ISA_MUFU_TANH_BF16; mufu++) {
    std::vector<uint32_t> x(4096), y(4096);
    for (uint32_t &v : x) v = r.u32();
    for (unsigned mode = 1; mode < 4; mode++) {
      const Function f{mufu, (mode & 1) != 0, (mode & 2) != 0};
      for (size_t i = 0; i < x.size(); i++) y[i] = (f.abs ? x[i] & ~sign : x[i]) ^ (f.neg ? sign : 0);
      const std::vector<uint32_t> got = lanes.of(f, x), want = lanes.of(Function{mufu}, y);
      for (size_t i = 0; i < x.size(); i++)
        if (got[i] != want[i] && wrong++ < 20)
          std::printf("mufu %u neg %d abs %d of %08x: got %08x, of %08x %08x\n", mufu, f.neg, f.abs, x[i], got[i], y[i],
                      want[i]);
    }
  }
  std::printf("sfu: signs: %u wrong\n", wrong);
  return wrong;
}

struct Options {
  std::string silicon, form;
  unsigned fault = 0;
  Options(int argc, char **argv) {
    Arguments args(argc, argv);
    silicon = args.text("--silicon");
    form = args.text("--form");
    fault = args.small("--fault", 0);
    args.all();
    if (silicon.empty()) {
      std::fprintf(stderr, "usage: %s --silicon DIR [--form NAME] [--fault N]\n", argv[0]);
      std::exit(2);
    }
  }
};

} // namespace

int main(int argc, char **argv) {
  const Options options(argc, argv);
  Lanes lanes(options.fault, 1);
  Random r{1};
  unsigned wrong = 0, found = 0;
  for (const Form &form : forms) {
    if (!options.form.empty() && options.form != form.name) continue;
    found++;
    wrong += form_check(lanes, options.silicon, form, !options.form.empty());
    if (options.fault != 0 && wrong != 0) return 1; // found
  }
  if (found == 0) std::fprintf(stderr, "sfu: there is no form '%s'\n", options.form.c_str());
  if (options.form.empty()) wrong += halves_check(lanes, options.silicon, r) + signs_check(lanes, r);
  return found != 0 && wrong == 0 ? 0 : 1;
}
