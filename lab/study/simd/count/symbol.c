/* SPDX-License-Identifier: Apache-2.0
 * Where a function lies in an ELF file. */
#include "symbol.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

/* In one table of symbols. */
static bool in_table(Elf *e, Elf_Scn *section, const GElf_Shdr *header, struct simd_listing *l) {
  Elf_Data *data = elf_getdata(section, NULL);
  const size_t n = data && header->sh_entsize > 0 ? data->d_size / header->sh_entsize : 0;
  for (size_t i = 0; i < n && i < INT32_MAX; i++) {
    GElf_Sym s;
    if (!gelf_getsym(data, (int)i, &s) || GELF_ST_TYPE(s.st_info) != STT_FUNC || s.st_shndx == SHN_UNDEF) continue;
    const char *name = elf_strptr(e, header->sh_link, s.st_name);
    if (!name || strcmp(name, l->function) != 0) continue;
    l->start = s.st_value;
    l->bytes = s.st_size;
    return true;
  }
  return false;
}

bool simd_symbol(struct simd_listing *l, const char *elf, const char *function, char err[SIMD_ERROR]) {
  (void)snprintf(l->function, sizeof l->function, "%s", function);
  const int fd = open(elf, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    (void)snprintf(err, SIMD_ERROR, "%s: %s", elf, strerror(errno));
    return false;
  }
  Elf *e = elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
  bool is_elf = e && elf_kind(e) == ELF_K_ELF, found = false;
  for (Elf_Scn *s = NULL; is_elf && !found && (s = elf_nextscn(e, s)) != NULL;) {
    GElf_Shdr header;
    if (gelf_getshdr(s, &header) && header.sh_type == SHT_SYMTAB) found = in_table(e, s, &header, l);
  }
  (void)elf_end(e);
  (void)close(fd);
  const bool ok = found && l->bytes > 0 && l->bytes < 1u << 20 && l->start + l->bytes > l->start;
  if (!is_elf)
    (void)snprintf(err, SIMD_ERROR, "%s: not an ELF file", elf);
  else if (!found)
    (void)snprintf(err, SIMD_ERROR, "%s: no function '%s' among its symbols", elf, function);
  else if (!ok)
    (void)snprintf(err, SIMD_ERROR, "%s: function '%s' has no size, or too large a one", elf, function);
  return ok;
}
