/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_dictionary.h"

#include <stdio.h>
#include <string.h>

#include "compiler/lower/lower.h"

// clang-format off
static const char *const written[] = {
    ".version 8.0\n", ".target sm_90\n", ".address_size 64\n", ".visible", ".weak", ".extern", ".entry k()\n{\n", ".func",
    ".param", ".reg", ".shared", ".local", ".const", ".global", ".sreg", ".align", ".ptr", ".v2", ".v4", ".pred", ".b8", ".b16",
    ".b32", ".b64", ".u8", ".u16", ".u32", ".u64", ".s8", ".s16", ".s32", ".s64", ".f16", ".f16x2", ".f32", ".f64",
    ".maxntid 32, 1, 1", ".reqntid", ".maxnreg", ".minnctapersm", ".noreturn", ".pragma \"nounroll\";\n", ".loc 1 1 1", ".file",
    ".section .debug {", ".callprototype", ".calltargets", ".branchtargets", ".alias f, g;\n", ".b128", ".explicitcluster", ".reqnctapercluster 1", "{ %r1 }", "call.uni", "bra.uni", "ret;\n", "exit;\n",
    "setp.lt.and.f32", "ld.param.u64", "mov.b64", "fma.rn.f32", "brx.idx", "@%p1", "@!%p1", "%r<5>", "%tid.x", "%r1.h0", "%v.xyzw",
    "{%r1, %r2}", "%p1|%p2", "(retval0)", "[%rd1+8]", "generic(x)", "mask()", "_", "0f3F800000", "0d3FF0000000000000", "0x7fffffff",
    "0b101", "077", "1e-5", "WARP_SZ", "<<", ">>", "&&", "||", "? 1 : 2", "(.s64)", "//", "/*", "*/", "$L__1:", NULL};
// clang-format on

void ptx_dictionary(void (*entry)(const char *s, size_t n)) {
  const struct row *r;
  const char *text;
  enum kind kind;
  for (unsigned k = 0; written[k] != NULL; k++) entry(written[k], strlen(written[k]));
  for (unsigned k = 0; (r = lower_row(k)) != NULL; k++)
    if (k == 0 || strcmp(r->name, lower_row(k - 1)->name) != 0) entry(r->name, strlen(r->name));
  for (unsigned k = 0; (text = words_text(k, &kind)) != NULL; k++) {
    char word[32];
    const int n = snprintf(word, sizeof word, ".%s", text);
    if (n > 0) entry(word, (size_t)n);
  }
  for (unsigned k = 0; (text = lower_special_name(k)) != NULL; k++) entry(text, strlen(text));
}
