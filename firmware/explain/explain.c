/* SPDX-License-Identifier: Apache-2.0
 *
 * What went wrong in a grid, in words: what is known of a fault, and its text.
 *
 * Names of C++ as people write them. The demangler is that of the C++ library, which whoever has such names has too; it
 * is looked for when the first one is told, so that nothing here links to it. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/explain.h>
#include <heddle/isa_tables.h>
#include "base/options.h"
#include "base/text.h"

typedef char *(*demangle_fn)(const char *name, char *room, size_t *bytes, int *status);

static demangle_fn demangler(void) {
  void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL); /* stays: the next name needs it again */
  void *symbol = library ? dlsym(library, "__cxa_demangle") : NULL;
  demangle_fn f = NULL;
  memcpy(&f, &symbol, sizeof f); /* ISO C has no conversion */
  return f;
}

const char *heddle_name_text(const char *name, char *text, size_t size) {
  const demangle_fn demangle = strncmp(name, "_Z", 2) == 0 ? demangler() : NULL;
  int status = -1;
  char *whole = demangle ? demangle(name, NULL, NULL, &status) : NULL;
  snprintf(text, size, "%s", whole && status == 0 ? whole : name);
  free(whole);
  return text;
}

/* Behind the ')' of a list of parameters its '('. */
static const char *opening(const char *text, const char *close) {
  int depth = 0;
  for (const char *c = close; c >= text; c--) {
    depth += *c == ')';
    depth -= *c == '(';
    if (depth == 0) return c;
  }
  return NULL;
}

bool heddle_param_text(const char *name, unsigned i, char *text, size_t size) {
  char full[1000];
  const char *close = strrchr(heddle_name_text(name, full, sizeof full), ')');
  const char *c = close ? opening(full, close) : NULL;
  if (strncmp(name, "_Z", 2) != 0 || !c || strlen(full) + 1 == sizeof full) return false;
  const char *from = ++c;
  for (int depth = 0; c <= close; c++) {
    depth += (*c != '\0' && strchr("(<[{", *c) != NULL) - (c < close && strchr(")>]}", *c) != NULL);
    if (c < close && (*c != ',' || depth > 0)) continue;
    if (i-- == 0) break;
    from = c + 1;
  }
  if (c > close) return false;
  while (*from == ' ') from++;
  snprintf(text, size, "%.*s", (int)(c - from), from);
  return c > from;
}

/* ---- an explanation as lines of text */

enum { WAITS_SHOWN = 8 };

static void add_where(struct text_room *t, const struct heddle_explanation *x) {
  char where[400], kernel[400], function[400];
  text_print(t, "  in        kernel %s%s%s\n", heddle_name_text(x->kernel ? x->kernel : "?", kernel, sizeof kernel),
             x->function ? ", function " : "",
             x->function ? heddle_name_text(x->function, function, sizeof function) : "");
  if (!x->of->has_place || x->of->waits > 0) return;
  heddle_explain_pc(x->of->program, x->of->pc, where, sizeof where);
  text_print(t, "  at        %s\n", where);
}

static void add_thread(struct text_room *t, const struct heddle_explanation *x) {
  const struct heddle_fault *f = x->of;
  if (!f->has_place || f->waits > 0) return;
  text_print(t, "  by        block (%u,%u,%u) warp %u lanes 0x%08x", f->ctaid[0], f->ctaid[1], f->ctaid[2], f->warp,
             f->lanes);
  if (x->has_thread)
    text_print(t, ", %sthread (%u,%u,%u)", (f->lanes & (f->lanes - 1)) != 0 ? "first " : "", x->thread[0], x->thread[1],
               x->thread[2]);
  text_print(t, "\n");
}

static void add_waits(struct text_room *t, const struct heddle_fault *f) {
  char where[400];
  for (unsigned i = 0; i < f->waits && i < WAITS_SHOWN; i++) {
    const struct heddle_fault_wait *w = &f->wait[i];
    heddle_explain_pc(f->program, w->pc, where, sizeof where);
    text_print(t, "  waits     block (%u,%u,%u) warp %u lanes 0x%08x at %s: %s\n", w->ctaid[0], w->ctaid[1],
               w->ctaid[2], w->warp, w->lanes, where, w->why);
  }
  if (f->waits > WAITS_SHOWN) text_print(t, "  waits     %u more\n", f->waits - WAITS_SHOWN);
}

static void add_access(struct text_room *t, const struct heddle_explanation *x) {
  const unsigned long long at = x->address;
  text_print(t, "  access    %s of %u bytes, %s memory, ", x->access, x->bytes, x->space);
  if (x->of->within != 0)
    text_print(t, "in the line of %u bytes at 0x%llx\n", x->of->within, at);
  else
    text_print(t, "address 0x%llx\n", at);
}

size_t heddle_explanation_text(const struct heddle_explanation *given, char *text, size_t size) {
  struct text_room t = {text, size, 0};
  struct heddle_explanation own;
  const struct heddle_explanation *x = &own;
  struct heddle_fault of;
  text[0] = '\0';
  if (!options_take(&own, sizeof own, given) || !options_take(&of, sizeof of, own.of)) return 0;
  own.of = &of;
  add_where(&t, x);
  add_thread(&t, x);
  if (x->access) add_access(&t, x);
  if (x->place[0]) text_print(&t, "  nearest   %s\n", x->place);
  if (x->allocator[0]) text_print(&t, "  allocated %s\n", x->allocator);
  if (x->advice[0]) text_print(&t, "  because   %s\n", x->advice);
  if (x->origin[0]) text_print(&t, "  from      %s\n", x->origin);
  add_waits(&t, x->of);
  return t.used;
}

/* ---- what is known of a fault, put together */

#define WARP_THREADS 32u
#define LOWEST_BUFFER 0x10000u /* no program is given global memory below (isa/doc/06-abi.md) */
#define SPACE_SHIFT 56u
#define LINE_BYTES 128u
#define OFFSET_MASK UINT64_C(0xffffffff) /* addresses in shared and local memory are 32 bits wide */

/* misaligned, out_of_range, write_protected, const_range, bus_error, page_fault */
bool heddle_cause_has_address(uint32_t cause) {
  return (cause >= 3 && cause <= 6) || cause == 10 || cause == 12;
}

unsigned heddle_cause_within(uint32_t cause, uint64_t address, bool pages) {
  const bool line = cause == 10 || cause == 12 || (cause == 5 && pages);
  return line && address >> SPACE_SHIFT == 0 && address % LINE_BYTES == 0 ? LINE_BYTES : 0;
}

/* The kernel or function that pc lies in. */
static const struct heddle_kernel *owner(const struct heddle_program *p, uint32_t pc) {
  const struct heddle_kernel *best = NULL;
  for (uint32_t i = 0; i < p->kernels; i++)
    if (p->kernel[i].entry_pc <= pc && (!best || p->kernel[i].entry_pc >= best->entry_pc)) best = &p->kernel[i];
  return best;
}

static void instruction_text(const struct heddle_program *p, uint32_t pc, char *text, size_t size) {
  text[0] = '\0';
  if (pc % ISA_STEP == 0 && pc < p->code_bytes) heddle_disassemble_at(p, pc, text, size);
}

void heddle_explain_pc(const struct heddle_program *p, uint32_t pc, char *text, size_t size) {
  const char *file;
  unsigned line;
  char insn[160];
  instruction_text(p, pc, insn, sizeof insn);
  if (heddle_program_line(p, pc, &file, &line))
    snprintf(text, size, "%s:%u: pc 0x%04x%s%s", file, line, pc, insn[0] ? ": " : "", insn);
  else
    snprintf(text, size, "pc 0x%04x%s%s", pc, insn[0] ? ": " : "", insn);
}

static void describe_place(struct heddle_explanation *x) {
  const struct heddle_fault *f = x->of;
  const struct heddle_kernel *k = owner(f->program, f->pc);
  if (!f->has_place) return;
  if (k && k != f->kernel) x->function = k->name;
  const bool behind = f->pc == f->program->code_bytes; /* the last instruction let the thread go on */
  (void)heddle_program_line(f->program, behind ? heddle_isa_before(f->program->code, f->pc) : f->pc, &x->file,
                            &x->line);
  instruction_text(f->program, f->pc, x->instruction, sizeof x->instruction);
  const uint64_t threads = (uint64_t)f->block[0] * f->block[1] * f->block[2];
  if (f->lanes == 0 || threads == 0) return;
  const uint32_t t = f->warp * WARP_THREADS + (uint32_t)__builtin_ctz(f->lanes);
  x->has_thread = true;
  x->thread[0] = t % f->block[0];
  x->thread[1] = t / f->block[0] % f->block[1];
  x->thread[2] = t / f->block[0] / f->block[1];
}

/* ---- the access */

static unsigned access_bytes(const struct heddle_isa_dec *d, const struct heddle_isa_instr *info) {
  static const uint8_t bytes[] = {1, 1, 2, 2, 4, 8, 16};
  if (info->access == ISA_ACCESS_ATOM || info->access == ISA_ACCESS_RED) return 4u * d->src[1].words;
  const enum heddle_isa_field field = info->access == ISA_ACCESS_COPY ? ISA_F_CSIZE : ISA_F_SIZE; /* numbered alike */
  if (!heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, field)) return 4;
  const uint64_t size = heddle_isa_get(d->word, field);
  return size < sizeof bytes ? bytes[size] : 4;
}

static const char *space_name(unsigned space, uint64_t address) {
  const unsigned upper = (unsigned)(address >> SPACE_SHIFT);
  if (space == ISA_SPACE_SHARED || (space == ISA_SPACE_GENERIC && upper == 1)) return "shared";
  if (space == ISA_SPACE_LOCAL || (space == ISA_SPACE_GENERIC && upper == 2)) return "local";
  return space == ISA_SPACE_CONST ? "constant" : "global";
}

/* A copy has two addresses, and a trap tells one: in shared memory if that is nearer to it than to any buffer. */
static bool copies_to_shared(const struct heddle_fault *f, const struct heddle_isa_instr *info) {
  const uint64_t beyond = f->address > f->shared_bytes ? f->address - f->shared_bytes : 0;
  bool nearer = info->access == ISA_ACCESS_COPY;
  for (unsigned i = 0; i < f->buffers; i++)
    nearer = nearer && f->address < f->buffer[i].base && beyond < f->buffer[i].base - f->address;
  return nearer;
}

static bool decode_access(struct heddle_explanation *x) {
  static const char *const names[] = {[ISA_ACCESS_LOAD] = "load",
                                      [ISA_ACCESS_STORE] = "store",
                                      [ISA_ACCESS_ATOM] = "atomic",
                                      [ISA_ACCESS_RED] = "atomic",
                                      [ISA_ACCESS_COPY] = "copy"};
  const struct heddle_fault *f = x->of;
  struct heddle_isa_dec d;
  if (!f->has_place || f->pc % ISA_STEP != 0 || f->pc >= f->program->code_bytes) return false;
  if (!heddle_isa_decode(heddle_program_word(f->program, f->pc), &d)) return false;
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)d.op);
  if (info->space == ISA_SPACE_NONE || info->access == ISA_ACCESS_NONE || !f->has_address) return false;
  x->access = names[info->access];
  x->space = f->at_end ? "global" : copies_to_shared(f, info) ? "shared" : space_name(info->space, f->address);
  x->bytes = access_bytes(&d, info);
  x->address = strcmp(x->space, "global") == 0 ? f->address : f->address & OFFSET_MASK;
  return true;
}

/* Bytes from the access to the range, and its own that lie outside. */
static uint64_t misses(uint64_t base, uint64_t limit, uint64_t at, unsigned bytes, bool *before) {
  *before = at < base;
  if (at < base) return base - at;
  return at + bytes > limit ? at + bytes - limit : 0;
}

static void say_miss(struct heddle_explanation *x, const char *what) {
  if (x->of->within != 0)
    snprintf(x->place, sizeof x->place, "%s%s", what,
             x->missed == 0 ? ""
             : x->before    ? ": before its beginning"
                            : ": beyond its end");
  else if (x->missed == 0 && x->nearest)
    snprintf(x->place, sizeof x->place, "%s: byte %llu of it", what,
             (unsigned long long)(x->address - x->nearest->base));
  else if (x->missed == 0)
    snprintf(x->place, sizeof x->place, "%s", what);
  else
    snprintf(x->place, sizeof x->place, "%s: %llu bytes %s", what, (unsigned long long)x->missed,
             x->before ? "before its beginning" : "beyond its end");
}

/* ` "out"`; of compiled C++, where a parameter is called _Z5scalePf_param_0, its type: `, float*`. */
static void name_buffer(const struct heddle_fault *f, const struct heddle_fault_buffer *b, char *name, size_t size) {
  char type[31];
  const size_t n = f->kernel ? strlen(f->kernel->name) : 0;
  name[0] = '\0';
  if (!b->name || !b->name[0]) return;
  if (b->argument < 0 || n == 0 || strncmp(b->name, f->kernel->name, n) != 0 || b->name[n] != '_')
    snprintf(name, size, " \"%.30s\"", b->name);
  else if (heddle_param_text(f->kernel->name, (unsigned)b->argument, type, sizeof type))
    snprintf(name, size, ", %s", type);
}

static void find_buffer(struct heddle_explanation *x) {
  const struct heddle_fault *f = x->of;
  char what[80], name[40];
  for (unsigned i = 0; i < f->buffers; i++) {
    bool before;
    const uint64_t m = misses(f->buffer[i].base, f->buffer[i].limit, x->address, x->bytes, &before);
    if (x->nearest && m >= x->missed) continue;
    x->nearest = &f->buffer[i];
    x->missed = m;
    x->before = before;
  }
  const struct heddle_fault_buffer *b = x->nearest;
  if (!b) return;
  name_buffer(f, b, name, sizeof name);
  if (b->argument >= 0)
    snprintf(what, sizeof what, "argument %d%s", b->argument, name);
  else
    snprintf(what, sizeof what, "%s%s", name[0] ? "variable" : "a buffer", name);
  const size_t used = strlen(what);
  snprintf(what + used, sizeof what - used, " (%llu bytes at 0x%llx)", (unsigned long long)(b->limit - b->base),
           (unsigned long long)b->base);
  say_miss(x, what);
}

static void find_near(struct heddle_explanation *x) {
  const struct heddle_fault *f = x->of;
  char what[80];
  const bool shared = strcmp(x->space, "shared") == 0;
  if (strcmp(x->space, "global") == 0) {
    find_buffer(x);
  } else if (shared || strcmp(x->space, "local") == 0) {
    const uint32_t bytes = shared ? f->shared_bytes : f->local_bytes;
    x->missed = misses(0, bytes, x->address, x->bytes, &x->before);
    snprintf(what, sizeof what, "%s memory of the %s (%u bytes)", x->space, shared ? "block" : "thread", bytes);
    say_miss(x, what);
  }
}

/* ---- advice */

static void advise_unit(struct heddle_explanation *x) {
  const struct heddle_fault *f = x->of;
  struct heddle_isa_dec d;
  if (f->pc % ISA_STEP != 0 || f->pc >= f->program->code_bytes) return;
  if (!heddle_program_begins(f->program, f->pc))
    snprintf(x->advice, sizeof x->advice, "no instruction begins here, in the middle of a long word");
  else if (!heddle_isa_decode(heddle_program_word(f->program, f->pc), &d))
    snprintf(x->advice, sizeof x->advice, "the word is no instruction");
  else if (f->units != 0 && d.unit < ISA_UNIT_COUNT && !(f->units >> d.unit & 1))
    snprintf(x->advice, sizeof x->advice, "it needs unit %s, which this machine lacks",
             heddle_isa_unit_name((enum heddle_isa_unit)d.unit));
}

static void advise_address(struct heddle_explanation *x, const char *cause) {
  const bool global = strcmp(x->space, "global") == 0;
  if (strcmp(cause, "misaligned") == 0)
    snprintf(x->advice, sizeof x->advice, "the address must be a multiple of %u", x->bytes);
  else if (strcmp(cause, "write_protected") == 0)
    snprintf(x->advice, sizeof x->advice, "the host gave it to the kernel for reading only");
  else if (global && strcmp(cause, "out_of_range") == 0 && x->address < LOWEST_BUFFER)
    snprintf(x->advice, sizeof x->advice, "no buffer is below 0x%x: a null pointer?", LOWEST_BUFFER);
  else if (global && strcmp(cause, "page_fault") == 0)
    snprintf(x->advice, sizeof x->advice, "%s",
             x->address < LOWEST_BUFFER ? "nothing is there: a null pointer?" : "nothing that was allocated is there");
  else if (!global && strcmp(x->space, "shared") == 0 && x->of->shared_bytes == 0)
    snprintf(x->advice, sizeof x->advice, "the launch has no shared memory");
}

static void advise(struct heddle_explanation *x) {
  const struct heddle_fault *f = x->of;
  const char *cause = f->cause ? f->cause : "";
  if (f->kind == HEDDLE_FAULT_UNDEFINED && f->at_end)
    snprintf(x->advice, sizeof x->advice, "it stores a value never written, and the host reads it");
  else if (f->kind == HEDDLE_FAULT_UNDEFINED)
    snprintf(x->advice, sizeof x->advice, "%s is undefined, and what it does depends on it", cause);
  if (f->kind != HEDDLE_FAULT_TRAP) return;
  if (strcmp(cause, "illegal_instruction") == 0) advise_unit(x);
  if (x->access) advise_address(x, cause);
  if (strcmp(cause, "bad_pc") == 0 && f->pc == f->program->code_bytes && x->file)
    snprintf(x->advice, sizeof x->advice, "the code ends behind %.90s:%u: is EXIT missing there?", x->file, x->line);
  if (strcmp(cause, "barrier_misuse") == 0)
    snprintf(x->advice, sizeof x->advice, "threads of the warp are elsewhere, or the numbers do not fit the block");
  if (strcmp(cause, "const_range") == 0)
    snprintf(x->advice, sizeof x->advice,
             "the constant bank ends before it: a parameter or constant that is not there");
}

static void say_origin(struct heddle_explanation *x) {
  const struct heddle_fault *f = x->of;
  char where[240];
  if (f->kind != HEDDLE_FAULT_UNDEFINED || !f->origin || !f->origin[0]) return;
  heddle_explain_pc(f->program, f->first_pc, where, sizeof where);
  snprintf(x->origin, sizeof x->origin, "%.40s was never written, %s at %s", f->origin,
           f->loaded ? "loaded" : "first read", where);
}

enum heddle_error heddle_explain(const struct heddle_fault *given, struct heddle_explanation *out) {
  static const char *const kinds[] = {"trap", "undefined", "deadlock", "difference"};
  struct heddle_fault f;
  if (!options_take(&f, sizeof f, given) || !options_sized(out)) return HEDDLE_ERROR_INVALID_VALUE;
  struct heddle_explanation x = {.size = sizeof x, .of = &f, .kind = kinds[f.kind]};
  if (f.kernel) x.kernel = f.kernel->name;
  describe_place(&x);
  if (decode_access(&x)) find_near(&x);
  advise(&x);
  say_origin(&x);
  x.of = given;
  options_give(out, sizeof x, &x);
  return HEDDLE_SUCCESS;
}
