/* SPDX-License-Identifier: Apache-2.0
 * Directives: .kernel .func .end .regs .barriers .shared .local .param .const .equ .stalls .reqntid .maxntid
 * .minnctapersm .word */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/asm/internal.h"

static struct heddle_kernel *current(struct assembler *a) {
  return a->scope > 0 ? &a->p->kernel[a->scope - 1] : NULL;
}

static uint32_t align_to(uint32_t v, uint32_t align) {
  return (v + align - 1) / align * align;
}

static bool take_unsigned(struct assembler *a, struct cursor *c, uint64_t most, const char *what, uint32_t *out) {
  struct cursor start = *c;
  uint64_t v;
  if (lex_number(c, &v) && v <= most) {
    *out = (uint32_t)v;
    return true;
  }
  asm_error(a, &start, "expected %s, at most %llu", what, (unsigned long long)most);
  return false;
}

static bool open_kernel(struct assembler *a, struct cursor *c, bool is_function) {
  struct cursor start = *c;
  char name[HEDDLE_SYMBOL_MAX + 1];
  if (a->scope > 0) {
    asm_error(a, &start, "'.end' is missing before this");
    return false;
  }
  if (!lex_name(c, name, sizeof name)) {
    asm_error(a, &start, "expected a name");
    return false;
  }
  if (a->first_pass && a->p->kernels >= HEDDLE_KERNELS_MAX) {
    asm_error(a, &start, "more than %u kernels and functions", HEDDLE_KERNELS_MAX);
    return false;
  }
  if (strlen(name) > HEDDLE_NAME_MAX) {
    asm_error(a, &start, "a name of more than %u characters", HEDDLE_NAME_MAX);
    return false;
  }
  uint32_t pc = (uint32_t)a->items * ISA_WORD_BYTES;
  bool defined = symbol_define(a, &start, name, pc, true);
  if (!a->first_pass) { /* everything was laid out in the first pass */
    a->scope = ++a->kernels_seen;
    return true;
  }
  const char *kept = asm_keep_name(a, name);
  if (!kept || !asm_room(a, &a->p->kernel, &a->kernels_room, a->p->kernels + 1, sizeof *a->p->kernel)) return false;
  struct heddle_kernel *k = &a->p->kernel[a->p->kernels++];
  memset(k, 0, sizeof *k);
  k->name = kept;
  k->is_function = is_function;
  k->barriers = is_function ? 0 : ASM_BARRIERS_UNSAID;
  k->entry_pc = pc;
  a->scope = a->p->kernels;
  return defined;
}

void asm_close_kernel(struct assembler *a) {
  struct heddle_kernel *k = current(a);
  if (!k) return;
  if (a->first_pass) k->shared_bytes = a->shared;
  a->shared = 0;
  a->scope = 0;
}

static bool take_shared(struct assembler *a, struct cursor *c) {
  char name[HEDDLE_SYMBOL_MAX + 1];
  uint32_t bytes = 0, align = 4;
  bool named = lex_name(c, name, sizeof name);
  struct cursor start = *c;
  if (!take_unsigned(a, c, 16u << 20, "a number of bytes", &bytes)) return false;
  if (named && !lex_done(c) && !take_unsigned(a, c, 128, "an alignment", &align)) return false;
  if (align == 0 || (align & (align - 1)) != 0) {
    asm_error(a, &start, "the alignment must be a power of two");
    return false;
  }
  if (align < 16 && bytes >= 16) align = 16; /* 128-bit accesses */
  uint32_t at = align_to(a->shared, align);
  if (at + bytes > (16u << 20)) {
    asm_error(a, &start, "more than 16 MiB of shared memory");
    return false;
  }
  a->shared = at + bytes;
  return !named || symbol_define(a, &start, name, at, false);
}

/* Local memory of each thread: variables, calls and spills, of the functions too that the kernel calls. */
static bool take_local(struct assembler *a, struct cursor *c) {
  struct cursor start = *c;
  struct heddle_kernel *k = current(a);
  if (!take_unsigned(a, c, HEDDLE_LOCAL_MAX, "a number of bytes", &k->local_bytes)) return false;
  k->local_bytes = align_to(k->local_bytes, 16);
  if (!k->is_function) return true;
  asm_error(a, &start, "'.local' belongs to a kernel; add there what its functions need");
  return false;
}

/* "align 16" behind the name of an address. */
static bool take_align(struct assembler *a, struct cursor *c, struct heddle_param *p) {
  const struct cursor start = *c;
  char word[8];
  if (lex_done(c)) return true;
  if (lex_name(c, word, sizeof word) && strcmp(word, "align") == 0 && p->size == 8) {
    if (!take_unsigned(a, c, HEDDLE_ALIGN_MAX, "an alignment", &p->align)) return false;
    if (p->align >= HEDDLE_ALIGN_LEAST && (p->align & (p->align - 1)) == 0) return true;
  }
  asm_error(a, &start, "expected 'align %u' or 'align %u' behind an address of 64 bits", HEDDLE_ALIGN_LEAST,
            HEDDLE_ALIGN_MAX);
  return false;
}

/* u32 a, f64 b, blob24 c, u64 d align 16 */
static bool take_param(struct assembler *a, struct cursor *c) {
  struct cursor start = *c;
  struct heddle_kernel *k = current(a);
  char type[32], name[HEDDLE_SYMBOL_MAX + 1];
  uint32_t bits = 0, size = 0;
  char rest;
  if (!lex_name(c, type, sizeof type) || !lex_name(c, name, sizeof name)) {
    asm_error(a, &start, "expected '.param TYPE NAME', TYPE one of u8-u64 s8-s64 b8-b64 f32 f64 blobN");
    return false;
  }
  if (sscanf(type, "blob%6u%c", &size, &rest) == 1 && size > 0 && size <= 4096) {
    bits = 64;
  } else if (strchr("usbf", type[0]) && sscanf(type + 1, "%3u%c", &bits, &rest) == 1 &&
             (bits == 8 || bits == 16 || bits == 32 || bits == 64)) {
    size = bits / 8;
  } else {
    asm_error(a, &start, "unknown parameter type '%s'", type);
    return false;
  }
  if (!a->first_pass) return take_align(a, c, &(struct heddle_param){.size = size});
  uint32_t at = align_to(k->param_bytes, bits / 8 < size ? bits / 8 : size == 0 ? 1 : bits / 8);
  if (k->params >= HEDDLE_PARAMS_MAX || at + size > 4096) {
    asm_error(a, &start, "too many parameters: at most %u in 4096 bytes", HEDDLE_PARAMS_MAX);
    return false;
  }
  struct heddle_param *p = realloc(k->param, (k->params + 1) * sizeof *p);
  if (!p) {
    a->out_of_memory = true;
    return false;
  }
  k->param = p;
  p[k->params] = (struct heddle_param){.name = asm_keep_name(a, name), .offset = at, .size = size};
  if (!p[k->params++].name) return false;
  k->param_bytes = at + size;
  return take_align(a, c, &p[k->params - 1]) && symbol_define(a, &start, name, HEDDLE_BANK0_PARAMS + at, false);
}

static bool add_const(struct assembler *a, const struct cursor *c, uint64_t v, unsigned size) {
  struct heddle_program *p = a->p;
  if (p->const_bytes + size > HEDDLE_CONST_MAX) {
    asm_error(a, c, "more than %u bytes of constants", HEDDLE_CONST_MAX);
    return false;
  }
  if (!a->first_pass)
    for (unsigned i = 0; i < size; i++) p->konst[p->const_bytes + i] = (uint8_t)(v >> (8 * i));
  p->const_bytes += size;
  return true;
}

/* .const NAME u32 1, 2, 3 */
static bool take_const(struct assembler *a, struct cursor *c) {
  struct cursor start = *c;
  char name[HEDDLE_SYMBOL_MAX + 1], type[8];
  if (!lex_name(c, name, sizeof name) || !lex_name(c, type, sizeof type)) {
    asm_error(a, &start, "expected '.const NAME u8|u16|u32|u64 value, ...'");
    return false;
  }
  unsigned size = strcmp(type, "u8") == 0    ? 1
                  : strcmp(type, "u16") == 0 ? 2
                  : strcmp(type, "u32") == 0 ? 4
                  : strcmp(type, "u64") == 0 ? 8
                                             : 0;
  if (size == 0) {
    asm_error(a, &start, "unknown constant type '%s'; u8 u16 u32 u64 exist", type);
    return false;
  }
  a->p->const_bytes = align_to(a->p->const_bytes, size);
  uint32_t scope = a->scope;
  a->scope = 0;
  bool ok = symbol_define(a, &start, name, a->p->const_bytes, false);
  a->scope = scope;
  do {
    int64_t v;
    if (!ok || !lex_expression(a, c, &v)) {
      if (ok) asm_error(a, c, "expected a number");
      return false;
    }
    ok = add_const(a, c, (uint64_t)v, size);
  } while (ok && lex_char(c, ','));
  return ok;
}

static bool take_equ(struct assembler *a, struct cursor *c) {
  struct cursor start = *c;
  char name[HEDDLE_SYMBOL_MAX + 1];
  int64_t v;
  if (!lex_name(c, name, sizeof name) || !lex_expression(a, c, &v)) {
    asm_error(a, &start, "expected '.equ NAME value'");
    return false;
  }
  return symbol_define(a, &start, name, v, false);
}

/* Four counts; those of the half and uni units may follow. */
static bool take_stalls(struct assembler *a, struct cursor *c) {
  struct heddle_kernel *k = current(a);
  for (unsigned i = 0; i < HEDDLE_STALL_COUNT && (i < HEDDLE_STALL_HALF_REG || !lex_done(c)); i++) {
    uint32_t v;
    if (!take_unsigned(a, c, 15, "a stall count", &v)) return false;
    k->stall[i] = (uint8_t)v;
  }
  return true;
}

/* A number of a promise; 0 promises nothing. */
static bool take_promised(struct assembler *a, struct cursor *c, uint32_t *out) {
  const struct cursor start = *c;
  if (!take_unsigned(a, c, HEDDLE_PROMISE_MAX, "a number of the block", out)) return false;
  if (*out > 0) return true;
  asm_error(a, &start, "this number must not be 0");
  return false;
}

/* .reqntid X Y Z */
static bool take_block(struct assembler *a, struct cursor *c, uint32_t block[3]) {
  for (unsigned d = 0; d < 3; d++)
    if (!take_promised(a, c, &block[d])) return false;
  return true;
}

/* .pack off: what follows stays long, up to .pack on. */
static bool take_pack(struct assembler *a, struct cursor *c) {
  const struct cursor start = *c;
  char name[8];
  if (lex_name(c, name, sizeof name) && (strcmp(name, "on") == 0 || strcmp(name, "off") == 0)) {
    a->unpacked = strcmp(name, "off") == 0 || a->options->long_words;
    return true;
  }
  asm_error(a, &start, "expected '.pack off' or '.pack on'");
  return false;
}

static bool in_kernel_directive(struct assembler *a, struct cursor *c, const char *name, bool *known) {
  struct heddle_kernel *k = current(a);
  *known = true;
  if (strcmp(name, "regs") == 0) return take_unsigned(a, c, 255, "a number of registers", &k->regs);
  if (strcmp(name, "barriers") == 0) return take_unsigned(a, c, 16, "a number of barriers", &k->barriers);
  if (strcmp(name, "shared") == 0) return take_shared(a, c);
  if (strcmp(name, "local") == 0) return take_local(a, c);
  if (strcmp(name, "param") == 0) return take_param(a, c);
  if (strcmp(name, "stalls") == 0) return take_stalls(a, c);
  if (strcmp(name, "reqntid") == 0) return take_block(a, c, k->promise.block);
  if (strcmp(name, "maxntid") == 0) return take_promised(a, c, &k->promise.threads);
  if (strcmp(name, "minnctapersm") == 0) return take_promised(a, c, &k->promise.blocks);
  *known = false;
  return false;
}

static bool is_of_kernel(const char *name) {
  static const char *const names[] = {"param", "shared", "reqntid", "maxntid", "minnctapersm"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

bool asm_directive(struct assembler *a, struct cursor *c) {
  struct cursor start = *c;
  char name[32];
  bool known;
  if (!lex_name(c, name, sizeof name)) {
    asm_error(a, &start, "expected a directive after '.'");
    return false;
  }
  if (strcmp(name, "kernel") == 0) return open_kernel(a, c, false);
  if (strcmp(name, "func") == 0) return open_kernel(a, c, true);
  if (strcmp(name, "const") == 0) return take_const(a, c);
  if (strcmp(name, "equ") == 0) return take_equ(a, c);
  if (strcmp(name, "pack") == 0) return take_pack(a, c);
  bool ok = asm_global_directive(a, c, name, &known);
  if (known) return ok;
  if (!current(a)) {
    asm_error(a, &start, "'.%s' outside a kernel; start one with '.kernel NAME'", name);
    return false;
  }
  if (strcmp(name, "end") == 0) {
    asm_close_kernel(a);
    return true;
  }
  if (current(a)->is_function && is_of_kernel(name)) {
    asm_error(a, &start, "'.%s' belongs to a kernel; a function is only a symbol", name);
    return false;
  }
  ok = in_kernel_directive(a, c, name, &known);
  if (!known) asm_error(a, &start, "unknown directive '.%s'", name);
  return ok;
}
