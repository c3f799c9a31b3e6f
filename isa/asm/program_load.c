/* SPDX-License-Identifier: Apache-2.0
 * Read a program from ELF64. The file is untrusted: libelf does the framing, and every number is checked here. */
#include <heddle/program.h>

#include <gelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "isa/asm/dwarf.h"
#include "isa/asm/elf_note.h"
#include "isa/lib/message.h"

#define FILE_MAX (64u << 20)

struct loader {
  Elf *elf;
  struct heddle_program *p;
  struct heddle_message *msg;
  enum heddle_error error;
  Elf_Data *text, *konst, *note, *sym, *line, *debug[HEDDLE_DEBUG_SECTIONS], *debug_address, *order;
  size_t text_index, str_index;
  struct elf_strings names;
  struct global_parts global;
};

static bool fail_elf(struct loader *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail_elf(struct loader *l, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  message_text(l->msg->text, sizeof l->msg->text, format, ap);
  va_end(ap);
  l->error = HEDDLE_ERROR_INVALID_IMAGE;
  return false;
}

static bool fail_memory(struct loader *l) {
  l->error = message_fail(l->msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "out of memory");
  return false;
}

static uint32_t get_u32(const uint8_t *b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool check_header(struct loader *l) {
  GElf_Ehdr eh;
  if (elf_kind(l->elf) != ELF_K_ELF || !gelf_getehdr(l->elf, &eh)) return fail_elf(l, "not an ELF file");
  if (eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_ident[EI_DATA] != ELFDATA2LSB)
    return fail_elf(l, "not a 64-bit little-endian ELF file");
  if (eh.e_machine != HEDDLE_ELF_MACHINE)
    return fail_elf(l, "machine 0x%x is not Heddle (0x%x); assemble with 'heddle as'", eh.e_machine,
                    HEDDLE_ELF_MACHINE);
  return true;
}

static bool take_section(struct loader *l, Elf_Data **slot, Elf_Scn *scn, const char *name) {
  if (*slot) return fail_elf(l, "two sections '%s'", name);
  *slot = elf_rawdata(scn, NULL);
  if (!*slot || ((*slot)->d_size > 0 && !(*slot)->d_buf)) return fail_elf(l, "section '%s' is outside the file", name);
  return true;
}

static unsigned debug_section(const char *name) {
  unsigned s = 0;
  while (s < HEDDLE_DEBUG_SECTIONS && strcmp(heddle_debug_section_name(s), name) != 0) s++;
  return s;
}

static bool find_sections(struct loader *l) {
  size_t strings;
  if (elf_getshdrstrndx(l->elf, &strings) != 0) return fail_elf(l, "no section names: %s", elf_errmsg(-1));
  for (Elf_Scn *scn = NULL; (scn = elf_nextscn(l->elf, scn)) != NULL;) {
    GElf_Shdr sh;
    if (!gelf_getshdr(scn, &sh)) return fail_elf(l, "broken section header");
    const char *name = elf_strptr(l->elf, strings, sh.sh_name);
    if (!name) return fail_elf(l, "broken section name");
    bool ok = true;
    if (strcmp(name, ".text") == 0) {
      l->text_index = elf_ndxscn(scn);
      ok = sh.sh_type == SHT_PROGBITS ? take_section(l, &l->text, scn, name) : fail_elf(l, ".text has no contents");
    } else if (strcmp(name, ".const3") == 0) {
      ok = sh.sh_type == SHT_PROGBITS ? take_section(l, &l->konst, scn, name) : fail_elf(l, ".const3 has no contents");
    } else if (strcmp(name, NOTE_SECTION) == 0) {
      ok = take_section(l, &l->note, scn, name);
    } else if (strcmp(name, GLOBAL_SECTION) == 0) {
      l->global.index = elf_ndxscn(scn);
      ok = sh.sh_type == SHT_PROGBITS ? take_section(l, &l->global.bytes, scn, name)
                                      : fail_elf(l, GLOBAL_SECTION " has no contents");
    } else if (strcmp(name, GLOBAL_ADDRESS_SECTION) == 0) {
      ok = sh.sh_type == SHT_PROGBITS ? take_section(l, &l->global.address, scn, name)
                                      : fail_elf(l, GLOBAL_ADDRESS_SECTION " has no contents");
    } else if (strcmp(name, GLOBAL_ZERO_SECTION) == 0) {
      if (l->global.zero != 0) return fail_elf(l, "two sections '%s'", name);
      l->global.zero = sh.sh_size;
    } else if (strcmp(name, ".debug_line") == 0) {
      ok = take_section(l, &l->line, scn, name);
    } else if (strcmp(name, DEBUG_ADDRESS_SECTION) == 0) {
      ok = take_section(l, &l->debug_address, scn, name);
    } else if (strcmp(name, ORDER_SECTION) == 0) {
      ok = take_section(l, &l->order, scn, name);
    } else if (debug_section(name) < HEDDLE_DEBUG_SECTIONS) {
      ok = take_section(l, &l->debug[debug_section(name)], scn, name);
    } else if (strcmp(name, ".symtab") == 0) {
      l->str_index = sh.sh_link;
      ok = take_section(l, &l->sym, scn, name);
    }
    if (!ok) return false;
  }
  if (!l->text) return fail_elf(l, "no section .text");
  if (!l->note) return fail_elf(l, "no section " NOTE_SECTION);
  if (!l->sym) return fail_elf(l, "no section .symtab");
  return true;
}

static bool copy_bytes(struct loader *l, const Elf_Data *d, size_t most, const char *what, uint8_t **out,
                       uint32_t *size) {
  size_t n = d ? d->d_size : 0;
  if (n > most) return fail_elf(l, "%s has %zu bytes; at most %zu are allowed", what, n, most);
  *out = malloc(n > 0 ? n : 1);
  if (!*out) return fail_memory(l);
  if (n > 0) memcpy(*out, d->d_buf, n);
  *size = (uint32_t)n;
  return true;
}

/* Of an address, as the upper half of its word says. */
static bool read_align(struct heddle_param *q) {
  const uint32_t power = q->size >> NOTE_ALIGN_SHIFT;
  q->size -= power << NOTE_ALIGN_SHIFT;
  if (power == 0) return true;
  q->align = power < 32 ? 1u << power : 0;
  return q->size == 8 && q->align >= HEDDLE_ALIGN_LEAST && q->align <= HEDDLE_ALIGN_MAX;
}

static bool read_params(struct loader *l, struct heddle_kernel *k, const uint8_t *at) {
  k->param = calloc(k->params > 0 ? k->params : 1, sizeof *k->param);
  if (!k->param) return fail_memory(l);
  uint32_t end = 0;
  for (uint32_t i = 0; i < k->params; i++, at += NOTE_PARAM_BYTES) {
    struct heddle_param *q = &k->param[i];
    q->offset = get_u32(at);
    q->size = get_u32(at + 4);
    q->name = elf_name(&l->names, get_u32(at + 8), HEDDLE_SYMBOL_MAX);
    if (!q->name) return fail_elf(l, "kernel %s: parameter %u has no usable name", k->name, i);
    if (!read_align(q)) return fail_elf(l, "kernel %s: parameter %u has no such alignment", k->name, i);
    if (q->size == 0 || q->size > 4096 || q->offset < end || q->offset > 4096 || q->offset + q->size > k->param_bytes)
      return fail_elf(l, "kernel %s: parameter %u is outside the %u parameter bytes", k->name, i, k->param_bytes);
    end = q->offset + q->size;
  }
  return true;
}

static bool check_promise(struct loader *l, const struct heddle_kernel *k) {
  const struct heddle_promise *p = &k->promise;
  const bool whole = !p->block[0] == !p->block[1] && !p->block[0] == !p->block[2];
  bool small = p->threads <= HEDDLE_PROMISE_MAX && p->blocks <= HEDDLE_PROMISE_MAX;
  for (unsigned d = 0; d < 3; d++) small = small && p->block[d] <= HEDDLE_PROMISE_MAX;
  return (whole && small) ||
         fail_elf(l, "kernel %s: it promises blocks of %ux%ux%u, of %u threads, %u at once: no such promise", k->name,
                  p->block[0], p->block[1], p->block[2], p->threads, p->blocks);
}

/* Every number of a note of `size` bytes. */
static bool check_kernel(struct loader *l, const struct heddle_kernel *k, size_t size) {
  if (k->entry_pc % ISA_WORD_BYTES != 0 || k->entry_pc >= l->p->code_bytes)
    return fail_elf(l, "kernel %s: entry 0x%x is outside the code", k->name, k->entry_pc);
  if (k->regs == 0 || k->regs > 255)
    return fail_elf(l, "kernel %s: %u registers; 1 to 255 are possible", k->name, k->regs);
  if (k->shared_bytes > (16u << 20)) return fail_elf(l, "kernel %s: %u shared bytes", k->name, k->shared_bytes);
  if (k->local_bytes > HEDDLE_LOCAL_MAX || k->local_bytes % 16 != 0)
    return fail_elf(l, "kernel %s: %u local bytes; a multiple of 16 up to %u is possible", k->name, k->local_bytes,
                    HEDDLE_LOCAL_MAX);
  if (k->barriers > 16) return fail_elf(l, "kernel %s: %u barriers; 16 exist", k->name, k->barriers);
  if (k->param_bytes > 4096 || k->params > HEDDLE_PARAMS_MAX)
    return fail_elf(l, "kernel %s: %u parameters in %u bytes are too many", k->name, k->params, k->param_bytes);
  if (size != NOTE_W_FIXED * 4u + k->params * NOTE_PARAM_BYTES)
    return fail_elf(l, "kernel %s: note of %zu bytes does not fit %u parameters", k->name, size, k->params);
  return check_promise(l, k);
}

static bool read_kernel(struct loader *l, const uint8_t *desc, size_t size) {
  struct heddle_program *p = l->p;
  if (size < NOTE_W_FIXED * 4u) return fail_elf(l, "kernel note of %zu bytes is too short", size);
#define WORD(i) get_u32(desc + 4u * (i))
  if (WORD(NOTE_W_VERSION) != NOTE_VERSION)
    return fail_elf(l, "kernel note version %u, this reads %u; make the file again", WORD(NOTE_W_VERSION),
                    NOTE_VERSION);
  struct heddle_kernel *k = &p->kernel[p->kernels];
  k->name = elf_name(&l->names, WORD(NOTE_W_SYMBOL), HEDDLE_NAME_MAX);
  if (!k->name || !*k->name) return fail_elf(l, "kernel note without a usable name");
  if (heddle_program_kernel(p, k->name)) return fail_elf(l, "two kernels named %s", k->name);
  p->kernels++;
  k->entry_pc = WORD(NOTE_W_ENTRY);
  k->regs = WORD(NOTE_W_REGS);
  k->shared_bytes = WORD(NOTE_W_SHARED);
  k->barriers = WORD(NOTE_W_BARRIERS);
  k->param_bytes = WORD(NOTE_W_PARAM_BYTES);
  k->params = WORD(NOTE_W_PARAMS);
  k->local_bytes = WORD(NOTE_W_LOCAL);
  k->promise = (struct heddle_promise){.block = {WORD(NOTE_W_BLOCK), WORD(NOTE_W_BLOCK + 1), WORD(NOTE_W_BLOCK + 2)},
                                       .threads = WORD(NOTE_W_THREADS),
                                       .blocks = WORD(NOTE_W_BLOCKS)};
  memcpy(k->stall, desc + (size_t)NOTE_W_STALL0 * 4, sizeof k->stall);
  uint64_t hash = (uint64_t)WORD(NOTE_W_ISA_HI) << 32 | WORD(NOTE_W_ISA_LO);
#undef WORD
  if (hash != heddle_isa_hash())
    return fail_elf(l, "kernel %s was made for another instruction set (%016llx, this is %016llx); assemble it again",
                    k->name, (unsigned long long)hash, (unsigned long long)heddle_isa_hash());
  p->isa_hash = hash;
  return check_kernel(l, k, size) && read_params(l, k, desc + NOTE_W_FIXED * 4u);
}

/* What a kernel needs: behind the note of the kernel itself. */
static bool read_needs(struct loader *l, const uint8_t *desc, size_t size) {
  if (size < NEEDS_W_FIXED * 4u) return fail_elf(l, "a note of needs has %zu bytes", size);
  if (get_u32(desc) != NEEDS_VERSION) return true; /* of another time: words say it, too */
  const char *name = elf_name(&l->names, get_u32(desc + 4u * NEEDS_W_SYMBOL), HEDDLE_NAME_MAX);
  struct heddle_program *p = l->p;
  const struct heddle_kernel *k = name ? heddle_program_kernel(p, name) : NULL;
  if (!k) return fail_elf(l, "a note of needs belongs to no kernel");
  const char *why = elf_needs_read(&p->kernel[k - p->kernel], desc, size);
  return !why || fail_elf(l, "kernel %s: note of needs: %s", k->name, why);
}

static size_t align4(size_t n) {
  return (n + 3) & ~(size_t)3;
}

/* One note at `at`; *used = its bytes. */
static bool read_note(struct loader *l, const uint8_t *at, size_t left, size_t *used) {
  if (left < 12) return fail_elf(l, "kernel notes are cut off");
  size_t namesz = get_u32(at), descsz = get_u32(at + 4);
  if (namesz > left || descsz > left || 12 + align4(namesz) > left || 12 + align4(namesz) + align4(descsz) > left)
    return fail_elf(l, "kernel notes are cut off");
  *used = 12 + align4(namesz) + align4(descsz);
  bool ours = namesz == sizeof NOTE_OWNER && memcmp(at + 12, NOTE_OWNER, namesz) == 0;
  const uint32_t type = ours ? get_u32(at + 8) : 0;
  if (type == NOTE_TYPE_NEEDS) return read_needs(l, at + 12 + align4(namesz), descsz);
  if (type != NOTE_TYPE_KERNEL) return true; /* somebody else's note */
  if (l->p->kernels >= HEDDLE_KERNELS_MAX) return fail_elf(l, "more than %u kernels", HEDDLE_KERNELS_MAX);
  return read_kernel(l, at + 12 + align4(namesz), descsz);
}

static bool read_notes(struct loader *l) {
  const uint8_t *at = l->note->d_buf;
  size_t left = l->note->d_size;
  /* Functions share the array with kernels; both are bounded. */
  l->p->kernel = calloc(2 * HEDDLE_KERNELS_MAX, sizeof *l->p->kernel);
  if (!l->p->kernel) return fail_memory(l);
  while (left > 0) {
    size_t used = 0;
    if (!read_note(l, at, left, &used)) return false;
    at += used;
    left -= used;
  }
  return true;
}

/* The names of symbols, as they are in the file. */
static bool read_strings(struct loader *l) {
  GElf_Shdr sh;
  Elf_Scn *scn = elf_getscn(l->elf, l->str_index);
  const Elf_Data *d = scn && gelf_getshdr(scn, &sh) && sh.sh_type == SHT_STRTAB ? elf_rawdata(scn, NULL) : NULL;
  if (!d || (d->d_size > 0 && !d->d_buf)) return fail_elf(l, "names of symbols are outside the file");
  l->names = (struct elf_strings){heddle_program_name(l->p, d->d_buf, d->d_size), d->d_size};
  return l->names.text || fail_memory(l);
}

/* Symbols of functions that are no kernels: for listings. */
static bool read_functions(struct loader *l) {
  struct heddle_program *p = l->p;
  size_t n = l->sym->d_size / sizeof(Elf64_Sym), functions = 0, symbols = 0;
  for (size_t i = 0; i < n; i++) {
    Elf64_Sym s;
    memcpy(&s, (const uint8_t *)l->sym->d_buf + i * sizeof s, sizeof s);
    if (ELF64_ST_TYPE(s.st_info) != STT_FUNC || s.st_shndx != l->text_index) continue;
    const char *name = elf_name(&l->names, s.st_name, HEDDLE_NAME_MAX);
    if (!name || !*name) return fail_elf(l, "symbol %zu has no usable name", i);
    if (++symbols > 2 * HEDDLE_KERNELS_MAX) return fail_elf(l, "more than %u symbols of code", 2 * HEDDLE_KERNELS_MAX);
    if (heddle_program_kernel(p, name)) continue;
    if (s.st_value >= p->code_bytes || s.st_value % ISA_WORD_BYTES != 0)
      return fail_elf(l, "function %s is outside the code", name);
    if (++functions > HEDDLE_KERNELS_MAX) return fail_elf(l, "more than %u functions", HEDDLE_KERNELS_MAX);
    struct heddle_kernel *k = &p->kernel[p->kernels++];
    k->name = name;
    k->is_function = true;
    k->entry_pc = (uint32_t)s.st_value;
  }
  return true;
}

static int by_entry(const void *a, const void *b) {
  const struct heddle_kernel *x = a, *y = b;
  return x->entry_pc < y->entry_pc ? -1 : x->entry_pc > y->entry_pc;
}

/* What a debugger reads. It is not looked into, but for the addresses: these lie inside, ascending. */
static bool read_debug(struct loader *l) {
  struct heddle_program *p = l->p;
  for (unsigned s = 0; s < HEDDLE_DEBUG_SECTIONS; s++)
    if (l->debug[s] &&
        !copy_bytes(l, l->debug[s], HEDDLE_DEBUG_MAX, heddle_debug_section_name(s), &p->debug[s], &p->debug_bytes[s]))
      return false;
  const size_t n = l->debug_address ? l->debug_address->d_size / 4 : 0;
  if (n == 0) return true;
  p->debug_address = n <= HEDDLE_DEBUG_MAX ? malloc(n * sizeof *p->debug_address) : NULL;
  if (!p->debug_address) return fail_memory(l);
  for (size_t i = 0, behind = 0; i < n; i++) {
    const uint32_t at = get_u32((const uint8_t *)l->debug_address->d_buf + 4 * i);
    if (at < behind || at > p->debug_bytes[HEDDLE_DEBUG_INFO] || p->debug_bytes[HEDDLE_DEBUG_INFO] - at < 8)
      return fail_elf(l, DEBUG_ADDRESS_SECTION " names a byte outside of .debug_info");
    p->debug_address[p->debug_addresses++] = at;
    behind = (size_t)at + 8;
  }
  return true;
}

/* Words of code, ascending. */
static bool read_orders(struct loader *l) {
  struct heddle_program *p = l->p;
  p->ordered = l->order != NULL;
  const size_t n = l->order ? l->order->d_size / 4 : 0;
  for (size_t i = 0; i < n; i++) {
    const uint32_t x = get_u32((const uint8_t *)l->order->d_buf + 4 * i), pc = x & ~ORDER_KIND, kind = x & ORDER_KIND;
    const bool behind = i == 0 || pc > p->order[i - 1].pc;
    if (pc >= p->code_bytes || pc % ISA_STEP != 0 || !behind || kind == HEDDLE_ORDER_WORD || kind >= HEDDLE_ORDER_KINDS)
      return fail_elf(l, ORDER_SECTION " has 0x%x: no place of code behind the one before, or no kind of order", x);
    if (heddle_program_add_order(p, pc, (enum heddle_order)kind) != HEDDLE_SUCCESS) return fail_memory(l);
  }
  return true;
}

static bool read_program(struct loader *l) {
  if (!check_header(l) || !find_sections(l) || !read_strings(l)) return false;
  struct heddle_program *p = l->p;
  if (!copy_bytes(l, l->text, HEDDLE_CODE_MAX, ".text", &p->code, &p->code_bytes)) return false;
  if (p->code_bytes == 0 || p->code_bytes % ISA_WORD_BYTES != 0)
    return fail_elf(l, ".text has %u bytes, not a multiple of %u", p->code_bytes, ISA_WORD_BYTES);
  if (!copy_bytes(l, l->konst, HEDDLE_CONST_MAX, ".const3", &p->konst, &p->const_bytes)) return false;
  l->global.sym = l->sym;
  l->global.names = &l->names;
  l->error = elf_read_globals(&l->global, p, l->msg);
  if (l->error != HEDDLE_SUCCESS) return false;
  if (!read_notes(l) || !read_functions(l) || !read_orders(l)) return false;
  qsort(p->kernel, p->kernels, sizeof *p->kernel, by_entry);
  if (l->line) dwarf_read(l->line->d_buf, l->line->d_size, p);
  return p->lines == 0 || read_debug(l);
}

enum heddle_error heddle_program_load_memory(const void *bytes, size_t size, const char *name,
                                             struct heddle_program **out, struct heddle_message *msg) {
  struct heddle_message own = {0};
  struct loader l = {.msg = &own, .p = calloc(1, sizeof(struct heddle_program))};
  elf_version(EV_CURRENT);
  /* libelf wants a writable image and may patch it in place. */
  char *image = malloc(size > 0 ? size : 1);
  bool ok = false;
  if (!l.p || !image) {
    fail_memory(&l);
  } else {
    memcpy(image, bytes, size);
    l.elf = elf_memory(image, size);
    ok = l.elf ? read_program(&l) : fail_elf(&l, "not an ELF file: %s", elf_errmsg(-1));
    if (l.elf) elf_end(l.elf);
  }
  free(image);
  if (!ok) heddle_program_free(l.p);
  if (!ok) snprintf(own.file, sizeof own.file, "%s", name);
  if (msg) *msg = own;
  *out = ok ? l.p : NULL;
  return l.error;
}

enum heddle_error heddle_program_load(const char *path, struct heddle_program **out, struct heddle_message *msg) {
  size_t size;
  enum file_end end;
  void *image = file_read(path, FILE_MAX, &size, &end);
  *out = NULL;
  const enum heddle_error e = image ? heddle_program_load_memory(image, size, path, out, msg)
                              : end == FILE_NOT_OPENED
                                  ? message_fail(msg, HEDDLE_ERROR_FILE, path, "cannot open the file")
                                  : message_fail(msg, HEDDLE_ERROR_FILE, path,
                                                 "cannot read the file, or it is larger than %u MiB", FILE_MAX >> 20);
  free(image);
  return e;
}
