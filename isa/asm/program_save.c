/* SPDX-License-Identifier: Apache-2.0
 * Write a program as ELF64 with libelf: .text, .const3, .note.heddle, .symtab, .strtab, .shstrtab,
 * if it has module variables .global, .global.zero, .global.address, if lines are known
 * those sections of DWARF that hold them, of code of a compiler .order. */
#include <heddle/program.h>

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "isa/asm/dwarf.h"
#include "isa/asm/elf_note.h"
#include "isa/lib/message.h"
#include "base/file.h"

static void add_note(struct bytes *notes, struct bytes *str, const struct heddle_kernel *k, uint32_t symbol,
                     uint64_t hash) {
  const struct heddle_promise *promise = &k->promise;
  uint32_t descsz = NOTE_W_FIXED * 4u + k->params * NOTE_PARAM_BYTES;
  uint8_t head[12 + 8] = {0};
  put_u32(head, (uint32_t)sizeof NOTE_OWNER);
  put_u32(head + 4, descsz);
  put_u32(head + 8, NOTE_TYPE_KERNEL);
  memcpy(head + 12, NOTE_OWNER, sizeof NOTE_OWNER);
  bytes_add(notes, head, sizeof head);
  uint8_t fixed[NOTE_W_FIXED * 4] = {0};
  const uint32_t word[NOTE_W_FIXED] = {[NOTE_W_VERSION] = NOTE_VERSION,        [NOTE_W_SYMBOL] = symbol,
                                       [NOTE_W_ENTRY] = k->entry_pc,           [NOTE_W_REGS] = k->regs,
                                       [NOTE_W_SHARED] = k->shared_bytes,      [NOTE_W_BARRIERS] = k->barriers,
                                       [NOTE_W_PARAM_BYTES] = k->param_bytes,  [NOTE_W_PARAMS] = k->params,
                                       [NOTE_W_ISA_LO] = (uint32_t)hash,       [NOTE_W_ISA_HI] = (uint32_t)(hash >> 32),
                                       [NOTE_W_LOCAL] = k->local_bytes,        [NOTE_W_BLOCK] = promise->block[0],
                                       [NOTE_W_BLOCK + 1] = promise->block[1], [NOTE_W_BLOCK + 2] = promise->block[2],
                                       [NOTE_W_THREADS] = promise->threads,    [NOTE_W_BLOCKS] = promise->blocks};
  for (unsigned i = 0; i < NOTE_W_FIXED; i++) put_u32(fixed + 4 * i, word[i]);
  memcpy(fixed + (size_t)NOTE_W_STALL0 * 4, k->stall, sizeof k->stall);
  bytes_add(notes, fixed, sizeof fixed);
  for (uint32_t i = 0; i < k->params; i++) {
    uint8_t p[NOTE_PARAM_BYTES] = {0};
    put_u32(p, k->param[i].offset);
    const uint32_t power = k->param[i].align > 0 ? (uint32_t)__builtin_ctz(k->param[i].align) : 0;
    put_u32(p + 4, k->param[i].size | power << NOTE_ALIGN_SHIFT);
    put_u32(p + 8, (uint32_t)bytes_add(str, k->param[i].name, strlen(k->param[i].name) + 1));
    bytes_add(notes, p, sizeof p);
  }
}

enum { SEC_TEXT = 1, SEC_CONST, SEC_NOTE, SEC_SYM, SEC_STR, SEC_SHSTR, SEC_GLOBAL };

static void build_tables(const struct heddle_program *p, struct bytes *sym, struct bytes *str, struct bytes *notes) {
  Elf64_Sym zero = {0};
  bytes_add(sym, &zero, sizeof zero);
  bytes_add(str, "", 1);
  for (uint32_t i = 0; i < p->kernels; i++) {
    const struct heddle_kernel *k = &p->kernel[i];
    uint32_t end = i + 1 < p->kernels ? p->kernel[i + 1].entry_pc : p->code_bytes;
    size_t name = bytes_add(str, k->name, strlen(k->name) + 1);
    Elf64_Sym s = {.st_name = (Elf64_Word)name,
                   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                   .st_shndx = SEC_TEXT,
                   .st_value = k->entry_pc,
                   .st_size = end - k->entry_pc};
    bytes_add(sym, &s, sizeof s);
    if (k->is_function) continue;
    add_note(notes, str, k, (uint32_t)name, p->isa_hash);
    elf_needs_write(notes, p, k, (uint32_t)name);
  }
  for (uint32_t i = 0; i < p->variables; i++) {
    const struct heddle_global *v = &p->variable[i];
    Elf64_Sym s = {.st_name = (Elf64_Word)bytes_add(str, v->name, strlen(v->name) + 1),
                   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
                   .st_shndx = SEC_GLOBAL,
                   .st_value = v->offset,
                   .st_size = v->size};
    bytes_add(sym, &s, sizeof s);
  }
}

/* Offsets of addresses, as they stand in a file. */
static void build_addresses(const struct heddle_program *p, struct bytes *list) {
  for (uint32_t i = 0; i < p->addresses; i++) {
    uint8_t at[4];
    put_u32(at, p->address[i]);
    bytes_add(list, at, sizeof at);
  }
}

static void build_orders(const struct heddle_program *p, struct bytes *list) {
  for (size_t i = 0; i < p->orders; i++) {
    uint8_t at[4];
    put_u32(at, p->order[i].pc | p->order[i].kind);
    bytes_add(list, at, sizeof at);
  }
}

static bool add_section(Elf *elf, size_t name, unsigned type, unsigned flags, void *data, size_t size, unsigned align,
                        unsigned link, unsigned entsize) {
  Elf_Scn *scn = elf_newscn(elf);
  Elf_Data *d = scn ? elf_newdata(scn) : NULL;
  GElf_Shdr sh;
  if (!d || !gelf_getshdr(scn, &sh)) return false;
  d->d_buf = data;
  d->d_size = size;
  d->d_align = align;
  d->d_type = ELF_T_BYTE; /* all bytes are already in file order */
  sh.sh_name = (Elf64_Word)name;
  sh.sh_type = type;
  sh.sh_flags = flags;
  sh.sh_link = link;
  sh.sh_info = type == SHT_SYMTAB ? 1 : 0; /* first global symbol */
  sh.sh_entsize = entsize;
  sh.sh_addralign = align;
  return gelf_update_shdr(scn, &sh) != 0;
}

/* .global, what of it is only memory, and where addresses are in it. */
static bool add_globals(Elf *elf, const struct heddle_program *p, struct bytes *list) {
  const unsigned flags = SHF_ALLOC | SHF_WRITE;
  if (p->global_bytes == 0) return true;
  return add_section(elf, 54, SHT_PROGBITS, flags, p->global, p->global_initial, HEDDLE_GLOBAL_ALIGN, 0, 0) &&
         add_section(elf, 62, SHT_NOBITS, flags, NULL, p->global_bytes - p->global_initial, 1, 0, 0) &&
         add_section(elf, 75, SHT_PROGBITS, 0, list->at, list->size, 4, 0, 4);
}

static bool add_lines(Elf *elf, const struct heddle_program *p, struct dwarf_lines *d) {
  if (p->lines == 0) return true;
  static const unsigned name[HEDDLE_DEBUG_SECTIONS] = {[HEDDLE_DEBUG_ABBREV] = 91,
                                                       [HEDDLE_DEBUG_INFO] = 105,
                                                       [HEDDLE_DEBUG_STR] = 129,
                                                       [HEDDLE_DEBUG_LOC] = 140,
                                                       [HEDDLE_DEBUG_RANGES] = 151};
  bool ok = true;
  for (unsigned s = 0; s < HEDDLE_DEBUG_SECTIONS && ok; s++)
    ok = !d->debug[s].at || add_section(elf, name[s], SHT_PROGBITS, 0, d->debug[s].at, d->debug[s].size, 1, 0, 0);
  return ok && add_section(elf, 117, SHT_PROGBITS, 0, d->line.at, d->line.size, 1, 0, 0) &&
         (p->debug_addresses == 0 ||
          add_section(elf, 165, SHT_PROGBITS, 0, p->debug_address, 4 * (size_t)p->debug_addresses, 4, 0, 4));
}

static bool write_elf(int fd, const struct heddle_program *p, struct bytes *sym, struct bytes *str, struct bytes *notes,
                      struct bytes *list, struct bytes *orders, struct dwarf_lines *lines) {
  static const char names[] =
      "\0.text\0.const3\0" NOTE_SECTION "\0.symtab\0.strtab\0.shstrtab\0" GLOBAL_SECTION "\0" GLOBAL_ZERO_SECTION
      "\0" GLOBAL_ADDRESS_SECTION
      "\0.debug_abbrev\0.debug_info\0.debug_line\0.debug_str\0.debug_loc\0.debug_ranges\0" DEBUG_ADDRESS_SECTION
      "\0" ORDER_SECTION;
  Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
  if (!elf) return false;
  bool ok = gelf_newehdr(elf, ELFCLASS64) != 0;
  GElf_Ehdr eh;
  ok = ok && gelf_getehdr(elf, &eh);
  if (ok) {
    eh.e_ident[EI_DATA] = ELFDATA2LSB;
    eh.e_type = ET_EXEC;
    eh.e_machine = HEDDLE_ELF_MACHINE;
    eh.e_version = EV_CURRENT;
    eh.e_shstrndx = SEC_SHSTR;
    ok = gelf_update_ehdr(elf, &eh) != 0;
  }
  ok = ok && add_section(elf, 1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, p->code, p->code_bytes, 16, 0, 0);
  ok = ok && add_section(elf, 7, SHT_PROGBITS, SHF_ALLOC, p->konst, p->const_bytes, 16, 0, 0);
  ok = ok && add_section(elf, 15, SHT_NOTE, 0, notes->at, notes->size, 4, 0, 0);
  ok = ok && add_section(elf, 28, SHT_SYMTAB, 0, sym->at, sym->size, 8, SEC_STR, sizeof(Elf64_Sym));
  ok = ok && add_section(elf, 36, SHT_STRTAB, 0, str->at, str->size, 1, 0, 0);
  ok = ok && add_section(elf, 44, SHT_STRTAB, 0, (void *)(uintptr_t)names, sizeof names, 1, 0, 0);
  ok = ok && add_globals(elf, p, list) && add_lines(elf, p, lines);
  ok = ok && (!p->ordered || add_section(elf, 185, SHT_PROGBITS, 0, orders->at, orders->size, 4, 0, 4));
  ok = ok && elf_update(elf, ELF_C_WRITE) >= 0;
  elf_end(elf);
  return ok;
}

enum heddle_error heddle_program_save(const struct heddle_program *p, const char *path, struct heddle_message *msg) {
  struct bytes sym = {0}, str = {0}, notes = {0}, list = {0}, orders = {0};
  struct dwarf_lines lines = {0};
  build_tables(p, &sym, &str, &notes);
  build_addresses(p, &list);
  build_orders(p, &orders);
  dwarf_write(p, &lines);
  message_clear(msg);
  enum heddle_error e = HEDDLE_SUCCESS;
  if (sym.bad || str.bad || notes.bad || list.bad || orders.bad || dwarf_bad(&lines)) {
    e = message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, path, "out of memory");
  } else {
    int fd = descriptor_apart(open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (fd < 0) {
      e = message_fail(msg, HEDDLE_ERROR_FILE, path,
                       "cannot create the file; check that its folder exists and is writable");
    } else {
      elf_version(EV_CURRENT);
      if (!write_elf(fd, p, &sym, &str, &notes, &list, &orders, &lines))
        e = message_fail(msg, HEDDLE_ERROR_FILE, path, "writing failed: %s", elf_errmsg(-1));
      close(fd);
    }
  }
  free(sym.at);
  free(str.at);
  free(notes.at);
  free(list.at);
  free(orders.at);
  dwarf_free(&lines);
  return e;
}
