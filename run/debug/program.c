/* SPDX-License-Identifier: Apache-2.0
 * The program as gdb reads it: an ELF file of an architecture that gdb knows. It lies in memory alone, and gdb takes it
 * through the protocol. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "isa/asm/dwarf.h"
#include "run/debug/server_internal.h"

enum { MACHINE_RISCV = 243, SECTIONS_MAX = 16 };

struct file {
  struct bytes bytes, names, strings, symbols, frames;
  Elf64_Shdr section[SECTIONS_MAX];
  unsigned sections;
};

static void align(struct bytes *b, size_t to) {
  static const uint8_t nothing[16] = {0};
  bytes_add(b, nothing, (to - b->size % to) % to);
}

static Elf64_Shdr *add_section(struct file *f, const char *name, unsigned type, const void *at, size_t size) {
  align(&f->bytes, 16);
  Elf64_Shdr *s = &f->section[f->sections++];
  *s = (Elf64_Shdr){.sh_name = (Elf64_Word)bytes_add(&f->names, name, strlen(name) + 1),
                    .sh_type = type,
                    .sh_offset = bytes_add(&f->bytes, at, size),
                    .sh_size = size,
                    .sh_addralign = 1};
  return s;
}

static void symbol(struct file *f, const char *name, unsigned type, unsigned section, uint64_t value, uint64_t size) {
  const Elf64_Sym s = {.st_name = (Elf64_Word)bytes_add(&f->strings, name, strlen(name) + 1),
                       .st_info = ELF64_ST_INFO(STB_GLOBAL, type),
                       .st_shndx = (Elf64_Half)section,
                       .st_value = value,
                       .st_size = size};
  bytes_add(&f->symbols, &s, sizeof s);
}

static void symbols(struct file *f, const struct job *j) {
  const struct heddle_program *p = j->program;
  const Elf64_Sym none = {0};
  bytes_add(&f->symbols, &none, sizeof none);
  bytes_add(&f->strings, "", 1);
  for (uint32_t i = 0; i < p->kernels; i++) {
    const uint32_t end = i + 1 < p->kernels ? p->kernel[i + 1].entry_pc : p->code_bytes, at = p->kernel[i].entry_pc;
    symbol(f, p->kernel[i].name, STT_FUNC, 1, at, end - at);
  }
  for (uint32_t i = 0; i < p->variables; i++)
    symbol(f, p->variable[i].name, STT_OBJECT, SHN_ABS, j->global_addr + p->variable[i].offset, p->variable[i].size);
}

/* ---- frames: without them gdb would read our code as its own architecture's */

enum { CFA_ADVANCE_4 = 4, CFA_SAME_VALUE = 8, CFA_DEF = 0x0c, CFA_DEF_OFFSET = 0x0e, CFA_DEF_EXPRESSION = 0x0f };
enum { CFA_VALUE_EXPRESSION = 0x16, CFA_OFFSET = 0x80 };
enum { OP_CONST8U = 0x0e };
#define NOWHERE UINT64_C(0xff00000000000000)
enum { RETURN_REGISTER = 1, STACK_REGISTER = 2, ABI_STACK = 1, ABI_RETURN = 20, WORD = 8 };

static void add_little(struct bytes *b, uint64_t v, unsigned n) {
  for (unsigned i = 0; i < n; i++) bytes_add(b, &(uint8_t){(uint8_t)(v >> (8 * i))}, 1);
}

static void uleb(struct bytes *b, uint64_t v) {
  for (; v >= 0x80; v >>= 7) add_little(b, 0x80 | (v & 0x7f), 1);
  add_little(b, v, 1);
}

static void add_record(struct bytes *to, const struct bytes *r) {
  const size_t fill = (8 - (r->size + 4) % 8) % 8;
  add_little(to, r->size + fill, 4);
  bytes_add(to, r->at, r->size);
  add_little(to, 0, (unsigned)fill); /* instructions that do nothing */
}

/* A frame is at the stack pointer; the return address is where it was at the beginning. */
static void common_frame(struct bytes *to) {
  struct bytes b = {0};
  add_little(&b, UINT32_MAX, 4);
  add_little(&b, 1, 1); /* version */
  add_little(&b, 0, 1); /* augmentation */
  uleb(&b, 1);
  add_little(&b, 0x78, 1); /* -WORD */
  add_little(&b, RETURN_REGISTER, 1);
  add_little(&b, CFA_DEF, 1);
  uleb(&b, STACK_REGISTER);
  uleb(&b, 0);
  add_record(to, &b);
  free(b.at);
}

/* What `IADD3 R1, R1, N, RZ` adds to the stack pointer; 0: it is another instruction. */
static int32_t stack_step(const struct heddle_isa_dec *d) {
  const bool is_sum = d->op == ISA_OP_IADD3 && d->rd == ABI_STACK && d->src[1].kind == ISA_IMM;
  return is_sum && d->src[0].kind == ISA_REG && d->src[0].reg == ABI_STACK ? (int32_t)d->imm : 0;
}

/* Does `STL.64 [R1+at], R20` keep the return address? */
static bool keeps_return(const struct heddle_isa_dec *d, uint32_t *at) {
  const bool is = d->op == ISA_OP_STL && d->src[0].kind == ISA_REG && d->src[0].reg == ABI_STACK &&
                  d->src[1].kind == ISA_REG && d->src[1].reg == ABI_RETURN && d->src[1].words == 2;
  if (is) *at = (uint32_t)heddle_isa_get_signed(d->word, ISA_F_OFF24);
  return is;
}

static void advance_location(struct bytes *b, uint32_t *from, uint32_t pc) {
  add_little(b, CFA_ADVANCE_4, 1);
  add_little(b, pc - *from, 4);
  *from = pc;
}

/* How far the stack pointer is from where it was at the beginning: behind a way out it is as in front of it. And where
 * the return address is, once it is kept. */
static void function_frame(struct bytes *b, const struct heddle_program *p, uint32_t pc, uint32_t end) {
  add_little(b, CFA_SAME_VALUE, 1);
  uleb(b, RETURN_REGISTER);
  uint32_t from = pc, bytes = 0, whole = 0;
  for (uint32_t next; pc < end; pc = next) {
    struct heddle_isa_dec d;
    uint32_t kept;
    next = heddle_program_next(p, pc);
    if (!heddle_isa_decode(heddle_program_word(p, pc), &d) || next >= end) continue;
    if (keeps_return(&d, &kept) && kept < bytes && (bytes - kept) % WORD == 0) {
      advance_location(b, &from, next);
      add_little(b, CFA_OFFSET | RETURN_REGISTER, 1);
      uleb(b, (bytes - kept) / WORD);
    }
    const int32_t step = stack_step(&d);
    const bool leaves = d.op == ISA_OP_RET && bytes != whole;
    if (step == 0 && !leaves) continue;
    bytes = leaves ? whole : bytes - (uint32_t)step;
    if (bytes > whole) whole = bytes;
    advance_location(b, &from, next);
    add_little(b, CFA_DEF_OFFSET, 1);
    uleb(b, bytes);
  }
}

static void add_constant(struct bytes *b, uint64_t v) {
  uleb(b, 9);
  add_little(b, OP_CONST8U, 1);
  add_little(b, v, 8);
}

/* At the top of local memory, wherever the stack pointer is, which is an ordinary register behind the last call. Nobody
 * has called it, but gdb tells frames apart only if somebody has: NOWHERE. It does not show what is beyond
 * the entry of a program. */
static void kernel_frame(struct bytes *b, const struct heddle_kernel *k) {
  add_little(b, CFA_DEF_EXPRESSION, 1);
  add_constant(b, TARGET_LOCAL + k->local_bytes);
  for (unsigned r = RETURN_REGISTER; r <= STACK_REGISTER; r++) {
    add_little(b, CFA_VALUE_EXPRESSION, 1);
    uleb(b, r);
    add_constant(b, NOWHERE);
  }
}

static void frame(struct bytes *to, const struct heddle_program *p, uint32_t i) {
  struct bytes b = {0};
  const struct heddle_kernel *k = &p->kernel[i];
  const uint32_t end = i + 1 < p->kernels ? k[1].entry_pc : p->code_bytes;
  add_little(&b, 0, 4); /* where common_frame is */
  add_little(&b, k->entry_pc, 8);
  add_little(&b, end - k->entry_pc, 8);
  if (k->is_function)
    function_frame(&b, p, k->entry_pc, end);
  else
    kernel_frame(&b, k);
  add_record(to, &b);
  free(b.at);
}

static void frames(struct bytes *to, const struct heddle_program *p) {
  common_frame(to);
  for (uint32_t i = 0; i < p->kernels; i++) frame(to, p, i);
}

/* ---- */

static void sections(struct file *f, const struct job *j, const struct dwarf_lines *d, const struct bytes *macros) {
  const struct heddle_program *p = j->program;
  add_section(f, "", SHT_NULL, NULL, 0)->sh_offset = 0;
  Elf64_Shdr *s = add_section(f, ".text", SHT_PROGBITS, p->code, p->code_bytes);
  s->sh_flags = SHF_ALLOC | SHF_EXECINSTR;
  s->sh_addralign = 16;
  s = add_section(f, ".symtab", SHT_SYMTAB, f->symbols.at, f->symbols.size);
  s->sh_link = 3;
  s->sh_info = 1;
  s->sh_entsize = sizeof(Elf64_Sym);
  add_section(f, ".strtab", SHT_STRTAB, f->strings.at, f->strings.size);
  add_section(f, ".debug_frame", SHT_PROGBITS, f->frames.at, f->frames.size);
  if (p->lines > 0) {
    add_section(f, ".debug_line", SHT_PROGBITS, d->line.at, d->line.size);
    for (unsigned i = 0; i < HEDDLE_DEBUG_SECTIONS; i++)
      if (d->debug[i].size > 0)
        add_section(f, heddle_debug_section_name(i), SHT_PROGBITS, d->debug[i].at, d->debug[i].size);
    if (macros->size > 0) add_section(f, ".debug_macinfo", SHT_PROGBITS, macros->at, macros->size);
  }
  bytes_add(&f->names, ".shstrtab", sizeof ".shstrtab");
  const size_t at = f->names.size - sizeof ".shstrtab";
  s = add_section(f, "", SHT_STRTAB, f->names.at, f->names.size);
  s->sh_name = (Elf64_Word)at;
}

/* Addresses of module variables, which have a place now. */
static void place_variables(const struct job *j, const struct bytes *info) {
  const struct heddle_program *p = j->program;
  for (uint32_t i = 0; i < p->debug_addresses && info->size == p->debug_bytes[HEDDLE_DEBUG_INFO]; i++) {
    uint8_t *at = info->at + p->debug_address[i];
    uint64_t v = j->global_addr;
    for (unsigned b = 0; b < 8; b++) v += (uint64_t)at[b] << (8 * b);
    for (unsigned b = 0; b < 8; b++) at[b] = (uint8_t)(v >> (8 * b));
  }
}

static void header(struct file *f, uint32_t entry) {
  Elf64_Ehdr h = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                  .e_type = ET_EXEC,
                  .e_machine = MACHINE_RISCV,
                  .e_version = EV_CURRENT,
                  .e_entry = entry,
                  .e_ehsize = sizeof h,
                  .e_shentsize = sizeof(Elf64_Shdr),
                  .e_shnum = (Elf64_Half)f->sections,
                  .e_shstrndx = (Elf64_Half)(f->sections - 1)};
  align(&f->bytes, 16);
  h.e_shoff = bytes_add(&f->bytes, f->section, f->sections * sizeof *f->section);
  if (!f->bytes.bad) memcpy(f->bytes.at, &h, sizeof h);
}

uint8_t *description_program(const struct job *j, size_t *size) {
  struct file f = {.sections = 0};
  struct dwarf_lines d = {0};
  struct bytes macros = {0};
  const Elf64_Ehdr room = {0};
  dwarf_write(j->program, &d);
  place_variables(j, &d.debug[HEDDLE_DEBUG_INFO]);
  names_add(j->program, &d.debug[HEDDLE_DEBUG_INFO], &d.debug[HEDDLE_DEBUG_ABBREV], &macros);
  symbols(&f, j);
  frames(&f.frames, j->program);
  bytes_add(&f.bytes, &room, sizeof room);
  if (!dwarf_bad(&d) && !macros.bad) sections(&f, j, &d, &macros);
  header(&f, j->kernel->entry_pc);
  const bool bad =
      f.bytes.bad || f.names.bad || f.strings.bad || f.symbols.bad || f.frames.bad || macros.bad || dwarf_bad(&d);
  free(f.names.at);
  free(f.strings.at);
  free(f.symbols.at);
  free(f.frames.at);
  free(macros.at);
  dwarf_free(&d);
  if (bad) free(f.bytes.at);
  *size = f.bytes.size;
  return bad ? NULL : f.bytes.at;
}
