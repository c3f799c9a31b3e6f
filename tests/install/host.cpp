/* SPDX-License-Identifier: Apache-2.0
 * A host in C++: every public header; assembles a program, loads it, runs it on each board that is named.
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
#include <heddle/host.h>
#include <heddle/isa.h>
#include <heddle/isa_tables.h>
#include <heddle/line_port.h>
#include <heddle/lint.h>
#include <heddle/model.h>
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

namespace {

const std::string text = ".kernel six\n.param u64 out\n S2R R0, SR_TID.X ;\n MOV R2, c[0x0][out] ;\n"
                         " MOV R3, c[0x0][out+4] ;\n IMAD.WIDE R2, R0, 0x4, R2 ;\n IMAD R4, R0, 0x6, RZ ;\n"
                         " STG.E [R2], R4 ;\n EXIT ;\n.end\n";

void check(heddle_error e, const std::string &what) {
  if (e != HEDDLE_SUCCESS) throw std::runtime_error(what + ": " + heddle_error_text(e));
}

/* The ELF image of `text`. */
std::string assembled(const char *path) {
  heddle_asm_options options{};
  options.size = sizeof options;
  heddle_message message{};
  heddle_program *p = heddle_assemble(text.data(), text.size(), "six.s", &options);
  if (!p || !heddle_program_save(p, path, &message)) throw std::runtime_error("not assembled");
  heddle_program_free(p);
  return path;
}

void run(const char *board, const char *devices, const std::string &elf) {
  heddle_sim_options where{};
  where.size = sizeof where;
  where.name = board;
  where.devices = devices;
  heddle_sim *sim = nullptr;
  std::array<char, 300> message{};
  if (heddle_sim_open(&where, &sim, message.data(), message.size()) != HEDDLE_SUCCESS)
    throw std::runtime_error(message.data());
  heddle_system *system = nullptr;
  heddle_device *device = nullptr;
  heddle_context *context = nullptr;
  heddle_module *module = nullptr;
  heddle_function *six = nullptr;
  std::array<std::uint32_t, 32> out{};
  std::uint64_t at = 0;
  alignas(16) static std::array<unsigned char, 1 << 16> memory; /* all that the driver may have */
  heddle_options options{};
  options.size = sizeof options;
  options.ports = heddle_sim_port(sim);
  options.count = 1;
  options.memory = memory.data();
  options.memory_bytes = memory.size();
  check(heddle_init_options(&options, &system), "init");
  check(heddle_device_get(system, 0, &device), "device");
  check(heddle_context_create(device, &context), "context");
  check(heddle_module_load(context, elf.c_str(), &module), "module");
  check(heddle_module_function(module, "six", &six), "function");
  check(heddle_mem_alloc(context, sizeof out, &at), "memory");
  void *params[] = {&at};
  check(heddle_function_launch(six, {1, 1, 1}, {32, 1, 1}, 0, params), "launch");
  check(heddle_memcpy_to_host(context, out.data(), at, sizeof out), "results");
  heddle_statistics statistics{};
  check(heddle_statistics_last(context, &statistics), "statistics");
  heddle_context_destroy(context);
  heddle_shutdown(system);
  heddle_sim_close(sim);
  for (unsigned i = 0; i < out.size(); i++)
    if (out[i] != 6 * i) throw std::runtime_error("a wrong product");
  std::printf("%s: %u\n", board, out[7]);
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
