/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver: a module through all stages, kernel by kernel, into one program.
 */
#include <stdlib.h>
#include <string.h>

#include <heddle/hazard.h>
#include <heddle/ptx.h>
#include "base/number.h"
#include "base/options.h"
#include "compiler/calls/call.h"
#include "compiler/ir/debug.h"
#include "compiler/ir/diag.h"
#include "compiler/ir/mir.h"
#include "compiler/library.h"
#include "isa/lib/message.h"

/* Names of the passes that may be left out. */

const char *heddle_ptx_pass_name(enum heddle_ptx_pass pass) {
  static const char *const name[HEDDLE_PTX_PASSES] = {
      [HEDDLE_PTX_PASS_FOLD] = "fold",       [HEDDLE_PTX_PASS_CSE] = "cse",
      [HEDDLE_PTX_PASS_FORWARD] = "forward", [HEDDLE_PTX_PASS_WIDEN] = "widen",
      [HEDDLE_PTX_PASS_SWITCH] = "switch",   [HEDDLE_PTX_PASS_IF] = "if",
      [HEDDLE_PTX_PASS_HOIST] = "hoist",     [HEDDLE_PTX_PASS_UNROLL] = "unroll",
      [HEDDLE_PTX_PASS_UNIFORM] = "uniform", [HEDDLE_PTX_PASS_SCHEDULE] = "schedule",
      [HEDDLE_PTX_PASS_BANKS] = "banks",     [HEDDLE_PTX_PASS_ROTATE] = "rotate",
  };
  return (unsigned)pass < HEDDLE_PTX_PASSES ? name[pass] : NULL;
}

static uint32_t pass_named(const char *name, size_t length) {
  for (unsigned k = 0; k < HEDDLE_PTX_PASSES; k++) {
    const char *is = heddle_ptx_pass_name((enum heddle_ptx_pass)k);
    if (strlen(is) == length && memcmp(is, name, length) == 0) return UINT32_C(1) << k;
  }
  return 0;
}

enum heddle_error heddle_ptx_passes(const char *names, uint32_t *without, struct heddle_message *msg) {
  message_clear(msg);
  for (const char *name = names;;) {
    const size_t length = strcspn(name, ",");
    const uint32_t bit = pass_named(name, length);
    if (bit == 0) return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL, "%s: no such pass", names);
    *without |= bit;
    if (name[length] == '\0') return HEDDLE_SUCCESS;
    name += length + 1;
  }
}

/* Bounds of what hostile text can make us take; what the stages of a kernel need is given back after it. */
enum { CONST_ROW = 256 };    /* bytes of constants in a row */
enum { STACK_BYTES = 1024 }; /* for calls whose depth nobody knows, as CUDA has it */
static const size_t module_memory = (size_t)1 << 30, kernel_memory = (size_t)1 << 30;

struct compiler {
  struct heddle_ptx_options options;
  struct ptx_diag diag;
  struct ptx_arena *module_arena, *kernel_arena;
  struct mir_function *mir; /* of the kernel that is being compiled */
  struct heddle_program *program;
  struct call_graph *calls;
  struct ptx_lines *lines;
  struct ptx_debug *debug;
  struct heddle_ptx_figures *figures;
  size_t kernels; /* functions too */
};

static void check_ir(struct compiler *c, const struct ir_function *f, bool ssa, const char *pass) {
  const char *bad = c->options.check ? ir_check(f, ssa) : NULL;
  if (bad == ir_check_no_memory) ptx_no_memory(&c->diag, f->source->pos);
  if (bad) ptx_fatal(&c->diag, f->source->pos, "internal error: %s behind %s: %s", f->name, pass, bad);
}

static void check_mir(struct compiler *c, const struct mir_function *f, struct ptx_pos pos, bool allocated,
                      const char *pass) {
  const char *bad = c->options.check ? mir_check(f, allocated) : NULL;
  if (bad) ptx_fatal(&c->diag, pos, "internal error: %s behind %s: %s", f->name, pass, bad);
}

static bool dumps(const struct compiler *c, enum heddle_ptx_dump what) {
  return c->options.dump == what && c->options.dump_to != NULL;
}

static unsigned register_limit(const struct compiler *c, const struct ptx_function *k) {
  return call_register_limit(call_node_of(c->calls, k), c->options.max_regs);
}

/* ---- passes that may be left out */

static bool pass_runs(const struct compiler *c, enum heddle_ptx_pass pass) {
  return c->options.level > 0 && (c->options.without >> pass & 1) == 0;
}

/* ---- the middle: passes over ir.h */

#define PASS(call, ssa)                                                                                                \
  do {                                                                                                                 \
    call(f);                                                                                                           \
    check_ir(c, f, ssa, #call);                                                                                        \
  } while (0)

static void forward(struct compiler *c, struct ir_function *f) {
  PASS(ir_dead, true); /* a pointer to local memory that nobody uses */
  const bool some = ir_forward(f);
  check_ir(c, f, true, "ir_forward");
  if (some && pass_runs(c, HEDDLE_PTX_PASS_CSE)) PASS(ir_cse, true);
  if (some && pass_runs(c, HEDDLE_PTX_PASS_FOLD)) PASS(ir_fold, true);
}

static void fold(struct compiler *c, struct ir_function *f) {
  if (pass_runs(c, HEDDLE_PTX_PASS_FOLD)) PASS(ir_fold, true);
  if (pass_runs(c, HEDDLE_PTX_PASS_CSE)) PASS(ir_cse, true);
  if (pass_runs(c, HEDDLE_PTX_PASS_FOLD)) PASS(ir_fold, true);
}

static void simplify(struct compiler *c, struct ir_function *f) {
  fold(c, f);
  if (pass_runs(c, HEDDLE_PTX_PASS_FORWARD)) forward(c, f);
  PASS(ir_dead, true);
}

static void optimise(struct compiler *c, struct ir_function *f) {
  PASS(ir_tidy, false);
  PASS(ir_dominators, false);
  PASS(ir_to_ssa, true);
  ir_const_space(f, c->program->const_bytes > 0);
  check_ir(c, f, true, "ir_const_space");
  if (c->options.level > 0) simplify(c, f);
  if (pass_runs(c, HEDDLE_PTX_PASS_WIDEN)) PASS(ir_widen, true);
  if (pass_runs(c, HEDDLE_PTX_PASS_SWITCH)) PASS(ir_switch, true);
  PASS(ir_dominators, true);
  PASS(ir_uniform, true);
  if (pass_runs(c, HEDDLE_PTX_PASS_IF)) {
    PASS(ir_if_convert, true);
    PASS(ir_tidy, true);
    PASS(ir_dead, true);
    PASS(ir_dominators, true);
    PASS(ir_uniform, true);
  }
  if (pass_runs(c, HEDDLE_PTX_PASS_HOIST)) PASS(ir_hoist, true);
  if (pass_runs(c, HEDDLE_PTX_PASS_UNROLL) && ir_unroll(f)) {
    check_ir(c, f, true, "ir_unroll");
    fold(c, f);
    PASS(ir_dead, true);
  }
  PASS(ir_converge, true);
  if (dumps(c, HEDDLE_PTX_DUMP_SSA)) ir_print(f, c->options.dump_to);
  PASS(ir_dominators, true);
  PASS(ir_from_ssa, false);
}

/* ---- the back end */

/* The convention of calls names registers. */
static bool has_stack_room(struct compiler *c, const struct ir_function *f, unsigned limit) {
  if (!f->framed || limit == 0 || limit >= CALL_REGISTERS) return true;
  ptx_error(&c->diag, f->source->pos, "'%s' needs %u registers for calls; %u are allowed", f->name, CALL_REGISTERS,
            limit);
  return false;
}

static bool generate(struct compiler *c, struct ir_function *f, struct heddle_ptx_figures *figures) {
  struct mir_function *m = c->mir = mir_select(f);
  const unsigned limit = register_limit(c, f->source);
  const struct ptx_pos pos = f->source->pos;
  if (m) {
    m->lines = c->lines;
    m->debug = c->debug;
    m->pos = pos;
  }
  if (!m || ptx_errors(&c->diag) > 0 || !has_stack_room(c, f, limit)) return false;
  check_mir(c, m, pos, false, "selection");
  mir_substitute(m);
  check_mir(c, m, pos, false, "mir_substitute");
  mir_coalesce(m);
  check_mir(c, m, pos, false, "mir_coalesce");
  if (pass_runs(c, HEDDLE_PTX_PASS_UNIFORM) && !m->frame) mir_uniform(m, c->options.all_uniform);
  check_mir(c, m, pos, false, "mir_uniform");
  if (pass_runs(c, HEDDLE_PTX_PASS_SCHEDULE)) mir_schedule(m, c->options.stall, limit);
  check_mir(c, m, pos, false, "mir_schedule");
  if (dumps(c, HEDDLE_PTX_DUMP_MIR)) mir_print(m, c->options.dump_to);
  if (!mir_allocate(m, limit, figures)) return false;
  mir_frame_finish(m);
  if (m->frame) figures->local_bytes = m->frame->bytes;
  check_mir(c, m, pos, true, "mir_allocate");
  if (pass_runs(c, HEDDLE_PTX_PASS_BANKS)) mir_banks(m);
  check_mir(c, m, pos, true, "mir_banks");
  if (pass_runs(c, HEDDLE_PTX_PASS_BANKS)) mir_bank_order(m);
  check_mir(c, m, pos, true, "mir_bank_order");
  if (dumps(c, HEDDLE_PTX_DUMP_ALLOCATED)) mir_print(m, c->options.dump_to);
  return mir_emit(m, c->program, &c->options, figures);
}

static const char *keep_name(struct compiler *c, const char *name, struct ptx_pos pos) {
  const char *kept = heddle_program_name(c->program, name, strlen(name));
  if (!kept) ptx_no_memory(&c->diag, pos);
  return kept;
}

/* Parameters by name, for launches. */
static void describe_parameters(struct compiler *c, const struct ir_function *f, struct heddle_kernel *k) {
  uint32_t n = 0;
  for (const struct ptx_variable *v = f->source->parameters; v; v = v->next) n++;
  if (n > HEDDLE_PARAMS_MAX)
    ptx_fatal(&c->diag, f->source->pos, "'%s' has more than %u parameters", f->name, HEDDLE_PARAMS_MAX);
  k->param = calloc(n + 1, sizeof *k->param);
  if (!k->param) ptx_no_memory(&c->diag, f->source->pos);
  for (const struct ptx_variable *v = f->source->parameters; v; v = v->next) {
    struct heddle_param *p = &k->param[k->params++];
    p->name = keep_name(c, v->name, v->pos);
    p->offset = ir_variable_offset(f, v);
    p->size = (uint32_t)v->bytes;
    p->align = ir_promised_align(v);
  }
}

/* What the source promises of its blocks. .maxntid is as good as the product of its sizes (PTX ISA). */
static void describe_promise(const struct ptx_function *k, struct heddle_promise *p) {
  uint64_t threads = k->maxntid[0];
  for (unsigned d = 0; d < 3; d++) p->block[d] = k->reqntid[d];
  for (unsigned d = 1; d < 3; d++)
    threads = threads * k->maxntid[d] < HEDDLE_PROMISE_MAX ? threads * k->maxntid[d] : HEDDLE_PROMISE_MAX;
  p->threads = (uint32_t)threads;
  p->blocks = k->minnctapersm;
}

/* Shared variables that stand apart. */
static void describe_shared(struct compiler *c, const struct ir_function *f, struct heddle_kernel *k) {
  uint32_t n = 0;
  for (const struct ir_shared *s = ir_shared_variables(f); s; s = s->next) n++;
  k->array = calloc(n + 1, sizeof *k->array);
  if (!k->array) ptx_no_memory(&c->diag, f->source->pos);
  for (const struct ir_shared *s = ir_shared_variables(f); s; s = s->next) {
    struct heddle_array *a = &k->array[k->arrays++];
    a->name = keep_name(c, s->variable->name, s->variable->pos);
    a->offset = s->offset;
    a->bytes = (uint32_t)s->variable->bytes;
    a->gap = c->options.shared_gap;
  }
}

static void describe_own(struct compiler *c, const struct ir_function *f, struct heddle_kernel *k) {
  uint32_t n = 0;
  for (const struct ir_own *o = ir_own_arrays(f); o; o = o->next) n++;
  k->own = calloc(n + 1, sizeof *k->own);
  if (!k->own) ptx_no_memory(&c->diag, f->source->pos);
  for (const struct ir_own *o = ir_own_arrays(f); o; o = o->next) {
    struct heddle_array *a = &k->own[k->owns++];
    a->name = keep_name(c, o->name, f->source->pos);
    a->offset = o->offset;
    a->bytes = o->bytes;
    a->gap = o->gap;
  }
}

static struct heddle_ptx_figures *new_figures(struct compiler *c, const struct ptx_function *k) {
  struct heddle_ptx_figures *more = realloc(c->figures, (c->kernels + 1) * sizeof *more);
  if (!more) ptx_no_memory(&c->diag, k->pos);
  c->figures = more;
  struct heddle_ptx_figures *figures = &c->figures[c->kernels++];
  memset(figures, 0, sizeof *figures);
  figures->name = keep_name(c, k->name, k->pos);
  return figures;
}

static void free_kernel(struct compiler *c) {
  if (c->mir) ptx_arena_free(c->mir->scratch);
  ptx_arena_free(c->kernel_arena);
  c->mir = NULL;
  c->kernel_arena = NULL;
}

/* Copies that the machine does by itself; elsewhere they are done at once. */
static bool has_copies(const struct heddle_ptx_options *o) {
  if (o->target == HEDDLE_PTX_TARGET_MODEL) return true;
  const bool there = o->units == 0 || (o->units >> ISA_PART_ASYNC & 1) != 0;
  return there && !heddle_isa_instr_info(ISA_OP_LDGSTS_E)->only_model;
}

static void compile_kernel(struct compiler *c, struct ptx_module *module, const struct ptx_function *k) {
  if (strlen(k->name) > HEDDLE_NAME_MAX || c->kernels >= HEDDLE_KERNELS_MAX) {
    ptx_error(&c->diag, k->pos,
              c->kernels >= HEDDLE_KERNELS_MAX ? "more than %u kernels and functions"
                                               : "a name of more than %u characters",
              c->kernels >= HEDDLE_KERNELS_MAX ? HEDDLE_KERNELS_MAX : HEDDLE_NAME_MAX);
    return;
  }
  struct ir_function *f = ir_lower(c->module_arena, &c->diag, module, k);
  if (!f || ptx_errors(&c->diag) > 0) return;
  c->kernel_arena = ptx_arena_new(kernel_memory);
  if (!c->kernel_arena) ptx_no_memory(&c->diag, k->pos);
  ptx_arena_report(c->kernel_arena, &c->diag);
  f->arena = c->kernel_arena;
  f->whole_machine = c->options.target == HEDDLE_PTX_TARGET_MODEL;
  f->units = c->options.units;
  f->registers = register_limit(c, k);
  f->fp64_latency = c->options.fp64_latency;
  check_ir(c, f, false, "lowering");
  if (dumps(c, HEDDLE_PTX_DUMP_IR)) ir_print(f, c->options.dump_to);
  optimise(c, f);
  if (generate(c, f, new_figures(c, k)) && k->entry) {
    struct heddle_kernel *made = &c->program->kernel[c->program->kernels - 1];
    describe_parameters(c, f, made);
    describe_promise(k, &made->promise);
    if (c->options.shared_gap != 0) {
      describe_shared(c, f, made);
      describe_own(c, f, made);
    }
  }
  if (c->debug) ptx_debug_memory(c->debug, f, c->mir);
  free_kernel(c);
}

/* ---- functions that are not inlined */

struct functions {
  struct compiler *c;
  struct ptx_module *module;
};

static void compile_function(void *ctx, const struct ptx_function *f) {
  const struct functions *x = ctx;
  compile_kernel(x->c, x->module, f);
}

/* Of kernels, what they need with all that they call. */
static void correct_figures(struct compiler *c) {
  for (size_t k = 0; k < c->kernels; k++) {
    const struct heddle_kernel *of = &c->program->kernel[k];
    c->figures[k].is_function = of->is_function;
    if (of->is_function) continue;
    c->figures[k].registers = of->regs > c->figures[k].registers ? of->regs : c->figures[k].registers;
    c->figures[k].local_bytes = of->local_bytes;
  }
}

static void take_constants(struct compiler *c, struct ptx_module *module) {
  uint32_t bytes;
  const uint8_t *all = ir_constants(c->module_arena, &c->diag, module, &bytes);
  /* A bank is of whole rows, as elsewhere: libclc's reduction of large FP64 angles reads two bytes behind its table. */
  uint32_t whole = (bytes + CONST_ROW - 1) / CONST_ROW * CONST_ROW;
  c->program->konst = calloc(whole + 1, 1);
  if (!c->program->konst) ptx_no_memory(&c->diag, (struct ptx_pos){0, 0});
  if (all) memcpy(c->program->konst, all, bytes);
  c->program->const_bytes = whole;
}

/* The module, with bodies of what it calls and only declares. */
static struct ptx_module *parse_module(struct compiler *c, const char *text, size_t size, const char *file) {
  struct ptx_module *m = ptx_parse(c->module_arena, &c->diag, text, size, file);
  if (!m || ptx_errors(&c->diag) > 0) return NULL;
  uint32_t own_lines = 1;
  for (size_t k = 0; k < size; k++) own_lines += text[k] == '\n';
  text = ptx_library_text(&c->diag, m, &c->options, text, &size);
  if (!text) return m;
  m = ptx_parse(c->module_arena, &c->diag, text, size, file);
  if (m) m->own_lines = own_lines;
  if (m && ptx_errors(&c->diag) == 0) ptx_printf_calls(&c->diag, m);
  return m;
}

static void compile_module(struct compiler *c, const char *text, size_t size, const char *file) {
  struct ptx_module *module = parse_module(c, text, size, file);
  if (!module || ptx_errors(&c->diag) > 0) return;
  if (dumps(c, HEDDLE_PTX_DUMP_AST)) ptx_print(module, c->options.dump_to);
  c->lines = module->lines;
  c->debug = ISA_STEP == ISA_WORD_BYTES ? module->debug : NULL; /* packing moves code */
  if (c->debug && ptx_debug_any(c->debug) && !ptx_lines_files(c->lines, c->program))
    ptx_no_memory(&c->diag, (struct ptx_pos){0, 0});
  module->copies = has_copies(&c->options);
  module->shared_gap = c->options.shared_gap;
  module->whole_pointers = c->options.level == 0 && c->debug && ptx_debug_variables(c->debug);
  ir_module_forms(&c->diag, module);
  if (ptx_errors(&c->diag) > 0) return;
  c->calls = call_graph_new(module);
  call_choose(c->calls, c->options.no_inline, c->options.max_regs);
  take_constants(c, module);
  ir_globals(&c->diag, module, c->program);
  for (const struct ptx_function *k = module->functions; k; k = k->next)
    if (k->entry && !k->declaration) compile_kernel(c, module, k);
  if (c->kernels == 0 && ptx_errors(&c->diag) == 0)
    ptx_error(&c->diag, (struct ptx_pos){0, 0}, "no .entry in this module");
  if (ptx_errors(&c->diag) > 0) return;
  call_each(c->calls, c->options.max_regs, compile_function, &(struct functions){c, module});
  if (ptx_errors(&c->diag) > 0) return;
  call_link(c->calls, &c->diag, c->program, c->options.stack_bytes ? c->options.stack_bytes : STACK_BYTES);
  correct_figures(c);
  if (c->debug && ptx_errors(&c->diag) == 0 && !ptx_debug_finish(c->debug, module, c->program))
    ptx_no_memory(&c->diag, (struct ptx_pos){0, 0});
  if (!c->options.long_words && ptx_errors(&c->diag) == 0 && heddle_pack(c->program) != HEDDLE_SUCCESS)
    ptx_no_memory(&c->diag, (struct ptx_pos){0, 0});
}

/* False when a stage gave up. */
static bool guarded(struct compiler *c, const char *text, size_t size, const char *file) {
  const struct ptx_pos nowhere = {0, 0};
  if (setjmp(c->diag.exit)) return false;
  if (!c->module_arena || !c->program) ptx_no_memory(&c->diag, nowhere);
  c->program->isa_hash = heddle_isa_hash();
  c->program->ordered = true;
  compile_module(c, text, size, file);
  return ptx_errors(&c->diag) == 0;
}

enum heddle_error heddle_ptx_compile(const char *text, size_t size, const char *file,
                                     const struct heddle_ptx_options *options, struct heddle_program **out,
                                     struct heddle_ptx_figures **figures, size_t *kernels) {
  struct compiler c = {0};
  struct heddle_ptx_options given;
  *out = NULL;
  if (!options_take(&given, sizeof given, options)) return HEDDLE_ERROR_INVALID_VALUE;
  c.options = given;
  heddle_hazard_fill_stalls(given.stall, c.options.stall);
  ptx_diag_init(&c.diag, file, given.message, given.ctx);
  c.module_arena = ptx_arena_new(module_memory);
  c.program = calloc(1, sizeof *c.program);
  const number_unit host = number_unit_begin();
  const bool ok = guarded(&c, text, size, file);
  number_unit_end(host);
  free_kernel(&c);
  ptx_arena_free(c.module_arena);
  if (figures) *figures = ok ? c.figures : NULL;
  if (kernels) *kernels = ok ? c.kernels : 0;
  if (!ok || !figures) free(c.figures);
  if (ok)
    *out = c.program;
  else
    heddle_program_free(c.program);
  return ok ? HEDDLE_SUCCESS : c.diag.no_memory ? HEDDLE_ERROR_HOST_MEMORY : HEDDLE_ERROR_INVALID_IMAGE;
}
