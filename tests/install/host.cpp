/* SPDX-License-Identifier: Apache-2.0
 * A host in C++: every public header; heddle.hpp; assembles a program, loads it, runs it on each board that is named.
 * usage: host [--devices FOLDER] BOARD...     (model, rtl:tiny ...) */
#include <heddle/api.h>
#include <heddle/asm.h>
#include <heddle/axi_mem.h>
#include <heddle/checker.h>
#include <heddle/config.h>
#include <heddle/device.h>
#include <heddle/driver.h>
#include <heddle/error.h>
#include <heddle/explain.h>
#include <heddle/hazard.h>
#include <heddle/heddle.hpp>
#include <heddle/host.h>
#include <heddle/isa.h>
#include <heddle/isa_tables.h>
#include <heddle/line_port.h>
#include <heddle/lint.h>
#include <heddle/model.h>
#include <heddle/module_ptx.h>
#include <heddle/machine.h>
#include <heddle/needs.h>
#include <heddle/port.h>
#include <heddle/printf.h>
#include <heddle/program.h>
#include <heddle/ptx.h>
#include <heddle/record.h>
#include <heddle/session.h>
#include <heddle/sim.h>
#include <heddle/trace.h>
#include <heddle/value.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

const std::string text = ".kernel six\n.param u64 out\n S2R R0, SR_TID.X ;\n MOV R2, c[0x0][out] ;\n"
                         " MOV R3, c[0x0][out+4] ;\n IMAD.WIDE R2, R0, 0x4, R2 ;\n IMAD R4, R0, 0x6, RZ ;\n"
                         " STG.E [R2], R4 ;\n EXIT ;\n.end\n";

/* The ELF image of `text`. */
std::string assembled(const char *path) {
  heddle_asm_options options{};
  options.size = sizeof options;
  heddle_message message{};
  heddle_program *p;
  if (heddle_assemble(text.data(), text.size(), "six.s", &options, &p) != HEDDLE_SUCCESS ||
      heddle_program_save(p, path, &message) != HEDDLE_SUCCESS)
    throw std::runtime_error("not assembled");
  heddle_program_free(p);
  return path;
}

/* Each mistake is an exception with its code, and what was moved is given back once. */
template <typename F> void throws(heddle_error code, const char *words, F call) {
  try {
    call();
  } catch (const heddle::error &e) {
    if (e.code() == code && std::strstr(e.what(), words)) return;
    throw std::runtime_error(std::string("told wrongly: ") + e.what());
  }
  throw std::runtime_error(std::string("not told: ") + words);
}

void refuses(const heddle::context &context, const heddle::module &module, const heddle::function &six) {
  throws(HEDDLE_ERROR_INVALID_VALUE, "nowhere", [] { heddle::board("nowhere"); });
  throws(HEDDLE_ERROR_NOT_FOUND, "seven", [&] { module.function("seven"); });
  throws(HEDDLE_ERROR_INVALID_VALUE, "takes 1 arguments", [&] { six.launch({1, 1, 1}, {32, 1, 1}, 0); });
  throws(HEDDLE_ERROR_INVALID_VALUE, "takes 8 bytes", [&] { six.launch({1, 1, 1}, {32, 1, 1}, 0, 1); });
  throws(HEDDLE_ERROR_OUT_OF_MEMORY, "", [&] { heddle::buffer<double>(context, SIZE_MAX / 4); });
  throws(HEDDLE_ERROR_INVALID_IMAGE, "", [&] { heddle::module::from_ptx(context, "no program"); });
  heddle::buffer<int> a(context, 8), b = std::move(a);
  a = std::move(b);
  if (a.address() == 0 || b.address() != 0) throw std::runtime_error("not moved");
}

void run(const char *name, const char *devices, const std::string &elf) {
  const heddle::board board(name, devices);
  const heddle::context context(board);
  const heddle::module module(context, elf);
  const heddle::function six = module.function("six");
  const heddle::buffer<std::uint32_t> at(context, 32);
  std::array<std::uint32_t, 32> out{};
  six.launch({1, 1, 1}, {32, 1, 1}, 0, at);
  at.read(out.data());
  if (context.statistics().cycles == 0) throw std::runtime_error("it took no time");
  for (unsigned i = 0; i < out.size(); i++)
    if (out[i] != 6 * i) throw std::runtime_error("a wrong product");
  refuses(context, module, six);
  std::printf("%s: %u\n", name, out[7]);
}

} // namespace

int main(int argc, char **argv) {
  const bool named = argc > 2 && std::strcmp(argv[1], "--devices") == 0;
  try {
    const std::string elf = assembled("six.elf");
    for (int i = named ? 3 : 1; i < argc; i++) run(argv[i], named ? argv[2] : nullptr, elf);
  } catch (const std::exception &e) {
    std::fprintf(stderr, "host: %s\n", e.what());
    return 1;
  }
  return 0;
}
