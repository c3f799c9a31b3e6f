/* SPDX-License-Identifier: Apache-2.0
 * Bodies of functions that modules lack, put behind their text. */
#include "library.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <heddle/program.h>

/* of library/NAME.cu */
extern const char ptx_library_assert[], ptx_library_heap[], ptx_library_heap_checked[], ptx_library_printf[];

enum { PRINTF_BYTES = 64 << 10, HEAP_BYTES = 8 << 20, HEAP_UNIT = 16, VARIABLES_MAX = 256 };

static void assert_variables(const struct heddle_ptx_options *o, char text[VARIABLES_MAX]) {
  (void)o;
  snprintf(text, VARIABLES_MAX, "\n.global .align 4 .u32 heddle_asserted;\n");
}

static void heap_variables(const struct heddle_ptx_options *o, char text[VARIABLES_MAX]) {
  const uint32_t wanted = o->heap_bytes ? o->heap_bytes : HEAP_BYTES;
  const uint32_t spread = o->shared_gap && wanted <= HEDDLE_GLOBAL_MAX / 8 ? 4 : 1; /* blocks that stand apart */
  const uint32_t units = (spread * wanted + HEAP_UNIT - 1) / HEAP_UNIT;
  snprintf(text, VARIABLES_MAX,
           "\n.global .align 4 .u32 heddle_heap_units = %" PRIu32 ";\n.global .align 16 .b8 heddle_heap[%" PRIu32
           "];\n",
           units, units * HEAP_UNIT);
}

static void printf_variables(const struct heddle_ptx_options *o, char text[VARIABLES_MAX]) {
  const uint32_t bytes = ((o->printf_bytes ? o->printf_bytes : PRINTF_BYTES) + 7) & ~7u;
  snprintf(text, VARIABLES_MAX,
           "\n.global .align 4 .u32 heddle_printf_room = %" PRIu32 ";\n.global .align 8 .b8 heddle_printf[%" PRIu32
           "];\n",
           bytes, bytes + 16);
}

static void no_variables(const struct heddle_ptx_options *o, char text[VARIABLES_MAX]) {
  (void)o;
  text[0] = '\0';
}

/* What tables of virtual functions hold where a class has none. */
static const char pure_virtual[] = ".address_size 64\n.visible .func __cxa_pure_virtual() { trap; ret; }\n";
static const char deleted_virtual[] = ".address_size 64\n.visible .func __cxa_deleted_virtual() { trap; ret; }\n";

/* What needs another one stands in front of it. */
static const struct part {
  const char *names[2];
  const char *text, *checked; /* checked: for sanitizers, where that is another one */
  const char *needs;          /* NULL, or the first name of another */
  void (*variables)(const struct heddle_ptx_options *o, char text[VARIABLES_MAX]);
} parts[] = {{{"__assertfail", NULL}, ptx_library_assert, ptx_library_assert, "printf", assert_variables},
             {{"malloc", "free"}, ptx_library_heap, ptx_library_heap_checked, NULL, heap_variables},
             {{"__cxa_pure_virtual", NULL}, pure_virtual, pure_virtual, NULL, no_variables},
             {{"__cxa_deleted_virtual", NULL}, deleted_virtual, deleted_virtual, NULL, no_variables},
             {{"printf", "vprintf"}, ptx_library_printf, ptx_library_printf, NULL, printf_variables}};
enum { PARTS = sizeof parts / sizeof *parts };

static bool lacks(const struct ptx_module *m, const char *name) {
  const struct ptx_function *f = m->functions;
  bool declared = false;
  for (; f; f = f->next) {
    if (!name || strcmp(f->name, name) != 0) continue;
    if (!f->declaration) return false;
    declared = true;
  }
  return declared;
}

/* Behind a text that has a head already. */
static const char *joined(const struct ptx_module *m, const char *text, size_t *size, const char *variables,
                          const char *body) {
  static const char head_end[] = ".address_size 64";
  body = strstr(body, head_end) + sizeof head_end - 1;
  const size_t bytes = *size + strlen(variables) + strlen(body) + 1;
  char *all = ptx_alloc(m->arena, bytes);
  *size = (size_t)snprintf(all, bytes, "%.*s%s%s", (int)*size, text, variables, body);
  return all;
}

const char *ptx_library_text(struct ptx_diag *d, const struct ptx_module *m, const struct heddle_ptx_options *o,
                             const char *text, size_t *size) {
  const char *all = NULL, *needed = NULL;
  if (o->heap_bytes > HEDDLE_GLOBAL_MAX) ptx_fatal(d, (struct ptx_pos){0, 0}, "a heap has 64 MiB at most");
  for (unsigned k = 0; k < PARTS; k++) {
    char variables[VARIABLES_MAX];
    const struct part *p = &parts[k];
    if (!lacks(m, p->names[0]) && !lacks(m, p->names[1]) && !(needed && strcmp(needed, p->names[0]) == 0)) continue;
    p->variables(o, variables);
    all = joined(m, all ? all : text, size, variables, o->shared_gap ? p->checked : p->text);
    if (p->needs) needed = p->needs;
  }
  return all;
}
