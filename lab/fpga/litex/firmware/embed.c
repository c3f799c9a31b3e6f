/* SPDX-License-Identifier: Apache-2.0
 * A program (ELF, of heddle as, cc or ptx) as C that needs no loader: struct heddle_program program_NAME, for
 * heddle_module_load_program. Runs where firmware is built.
 * usage: litex_embed NAME FILE.elf     writes C to standard output */
#include <inttypes.h>
#include <stdio.h>

#include <heddle/program.h>

static void bytes(const char *name, const char *what, const uint8_t *p, uint32_t n) {
  if (n == 0) return;
  printf("static uint8_t %s_%s[] = {", name, what);
  for (uint32_t i = 0; i < n; i++) printf("%s%u,", i % 32 == 0 ? "\n  " : "", p[i]);
  printf("\n};\n");
}

static void params(const char *name, uint32_t of, const struct heddle_kernel *k) {
  if (k->params == 0) return;
  printf("static struct heddle_param %s_param%" PRIu32 "[] = {", name, of);
  for (uint32_t i = 0; i < k->params; i++)
    printf("\n  {.name = \"%s\", .offset = %" PRIu32 ", .size = %" PRIu32 ", .align = %" PRIu32 "},", k->param[i].name,
           k->param[i].offset, k->param[i].size, k->param[i].align);
  printf("\n};\n");
}

static void print_kernel(const char *name, uint32_t of, const struct heddle_kernel *k) {
  printf("  {.name = \"%s\", .is_function = %d, .entry_pc = %" PRIu32 ", .regs = %" PRIu32 ", .shared_bytes = %" PRIu32
         ",\n   .barriers = %" PRIu32 ", .param_bytes = %" PRIu32 ", .params = %" PRIu32 ", .local_bytes = %" PRIu32
         ",",
         k->name, k->is_function, k->entry_pc, k->regs, k->shared_bytes, k->barriers, k->param_bytes, k->params,
         k->local_bytes);
  if (k->params > 0) printf(" .param = %s_param%" PRIu32 ",", name, of);
  const struct heddle_promise *b = &k->promise;
  printf("\n   .promise = {.block = {%" PRIu32 ", %" PRIu32 ", %" PRIu32 "}, .threads = %" PRIu32 ", .blocks = %" PRIu32
         "},",
         b->block[0], b->block[1], b->block[2], b->threads, b->blocks);
  printf("\n   .needs = {.units = %" PRIu32 ", .uniform_regs = %" PRIu32 "}, .noted = %d, .stall = {", k->needs.units,
         k->needs.uniform_regs, k->noted);
  for (unsigned i = 0; i < sizeof k->stall; i++) printf("%u,", k->stall[i]);
  printf("}},\n");
}

static void variables(const char *name, const struct heddle_program *p) {
  bytes(name, "global", p->global, p->global_initial);
  if (p->variables > 0) printf("static struct heddle_global %s_variable[] = {\n", name);
  for (uint32_t i = 0; i < p->variables; i++)
    printf("  {.name = \"%s\", .offset = %" PRIu32 ", .size = %" PRIu32 "},\n", p->variable[i].name,
           p->variable[i].offset, p->variable[i].size);
  if (p->variables > 0) printf("};\n");
  if (p->addresses > 0) printf("static uint32_t %s_address[] = {", name);
  for (uint32_t i = 0; i < p->addresses; i++) printf("%" PRIu32 ",", p->address[i]);
  if (p->addresses > 0) printf("};\n");
}

static void print_program(const char *name, const struct heddle_program *p) {
  printf("\nstruct heddle_program program_%s = {\n  .code_bytes = %" PRIu32 ", .const_bytes = %" PRIu32
         ", .kernel = %s_kernel, .kernels = %" PRIu32 ",\n  .isa_hash = UINT64_C(0x%" PRIx64
         "), .global_bytes = %" PRIu32 ", .global_initial = %" PRIu32 ", .variables = %" PRIu32
         ", .addresses = %" PRIu32 ",\n",
         name, p->code_bytes, p->const_bytes, name, p->kernels, p->isa_hash, p->global_bytes, p->global_initial,
         p->variables, p->addresses);
  if (p->code_bytes > 0) printf("  .code = %s_code,\n", name);
  if (p->const_bytes > 0) printf("  .konst = %s_konst,\n", name);
  if (p->global_initial > 0) printf("  .global = %s_global,\n", name);
  if (p->variables > 0) printf("  .variable = %s_variable,\n", name);
  if (p->addresses > 0) printf("  .address = %s_address,\n", name);
  printf("};\n");
}

int main(int argc, char **argv) {
  struct heddle_message msg;
  struct heddle_program *p;
  if (argc != 3) return fprintf(stderr, "usage: litex_embed NAME FILE.elf\n"), 2;
  if (heddle_program_load(argv[2], &p, &msg) != HEDDLE_SUCCESS)
    return fprintf(stderr, "litex_embed: %s: %s\n", argv[2], msg.text), 1;
  printf("/* Made by litex_embed of %s. Nothing in it is allocated: its module is not to be unloaded. */\n"
         "#include <heddle/program.h>\n\nextern struct heddle_program program_%s;\n",
         argv[1], argv[1]);
  bytes(argv[1], "code", p->code, p->code_bytes);
  bytes(argv[1], "konst", p->konst, p->const_bytes);
  for (uint32_t i = 0; i < p->kernels; i++) params(argv[1], i, &p->kernel[i]);
  printf("static struct heddle_kernel %s_kernel[] = {\n", argv[1]);
  for (uint32_t i = 0; i < p->kernels; i++) print_kernel(argv[1], i, &p->kernel[i]);
  printf("};\n");
  variables(argv[1], p);
  print_program(argv[1], p);
  heddle_program_free(p);
  return fflush(stdout) != 0;
}
