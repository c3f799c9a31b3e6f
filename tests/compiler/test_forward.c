/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of memory that go, and those that become one.
 */
#include "compiler/optimise/alias.h"
#include "tests/compiler/graph/ir_random.h"
#include "tests/compiler/lower/lowered.h"
#include "tests/test.h"

/* Loads of what is known, stores that nobody sees: by hand, what must stay as well as what may go, and random graphs
 * before and after. */

#define SHARED ".shared .align 16 .b8 s[64]; .shared .align 16 .b8 q[64]; .local .align 16 .b8 l[64]; "

static char *forwarded(const char *body) {
  char text[3000];
  struct lowered l;
  snprintf(text, sizeof text, "%s%s%s%s", OPEN, SHARED, body, CLOSE);
  if (!lowered(&l, text, false)) fail_msg("%s: %s", body, l.p.messages ? l.p.message[0].text : "no message");
  ir_to_ssa(l.f);
  ir_fold(l.f);
  ir_cse(l.f);
  (void)ir_forward(l.f);
  assert_null(ir_check(l.f, true));
  ir_fold(l.f);
  ir_dead(l.f);
  assert_null(ir_check(l.f, true));
  char *got = normalised(l.f, true);
  lowered_free(&l);
  return got;
}

static void becomes(const char *body, const char *wanted) {
  char *got = forwarded(body);
  if (strcmp(got, wanted) != 0) fail_msg("%s\n  is     %s\n  wanted %s", body, got, wanted);
  free(got);
}

static unsigned occurrences(const char *text, const char *word) {
  unsigned n = 0;
  for (const char *p = text; (p = strstr(p, word)) != NULL; p++) n++;
  return n;
}

/* How many loads and stores are left. */
static void leaves(const char *body, unsigned loads, unsigned stores) {
  char *got = forwarded(body);
  const unsigned is_loads = occurrences(got, "= ld."), is_stores = occurrences(got, " st.");
  if (is_loads != loads || is_stores != stores)
    fail_msg("%s\n  leaves %u loads, %u stores; wanted %u, %u: %s", body, is_loads, is_stores, loads, stores, got);
  free(got);
}

#define TID "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; "
#define PA "ld.param.u64 %d1, [pa]; "
#define OUT " st.global.b32 [%d1], %r3; st.global.b32 [%d1+4], %r4;"

static void known(void **state) {
  (void)state;
  /* loaded twice */
  leaves(PA TID "ld.shared.b32 %r3, [%r2]; ld.shared.b32 %r4, [%r2];" OUT, 1, 2);
  /* of what was stored: the number itself, its low bits, elements of a vector */
  becomes(PA "mov.u32 %r1, %tid.x; st.local.b32 [l], %r1; ld.local.b32 %r3, [l]; st.global.b32 [%d1], %r3;",
          "b0:; d1 = param.u64+0; r1 = sreg.tid.x.u32; st.global.b32 [d1], r1; exit");
  becomes(PA "mov.u32 %r1, %tid.x; cvt.u16.u32 %h1, %r1; st.shared.u8 [s], %h1; ld.shared.s8 %h2, [s]; cvt.s32.s8 %r3, "
             "%h2; st.global.b32 [%d1], %r3;",
          "b0:; d1 = param.u64+0; r1 = sreg.tid.x.u32; st.shared.u8 [0x0], r1; h2 = cvt.s32.s8 r1; "
          "st.global.b32 [d1], h2; exit");
  becomes(PA "ld.global.v2.b32 {%r1, %r2}, [%d1]; st.shared.v2.b32 [s], {%r1, %r2}; ld.shared.b32 %r3, [s+4]; "
             "st.global.b32 [%d1], %r3;",
          "b0:; d1 = param.u64+0; r1, r2 = ld.global.v2.b32 [d1]; st.shared.v2.b32 [0x0], r1, r2; "
          "st.global.b32 [d1], r2; exit");
  /* in another block, behind a join */
  leaves(PA TID "setp.lt.u32 %p1, %r1, 7; ld.shared.b32 %r3, [%r2]; @%p1 bra A; add.u32 %r1, %r1, 1; A: "
                "ld.shared.b32 %r4, [%r2]; add.u32 %r4, %r4, %r1;" OUT,
         1, 2);
  /* round a loop in which nothing is written there */
  leaves(PA TID "ld.shared.b32 %r3, [%r2]; mov.u32 %r4, 0; A: ld.shared.b32 %r5, [%r2]; add.u32 %r4, %r4, %r5; "
                "st.global.b32 [%d1+8], %r4; setp.lt.u32 %p1, %r4, 99; @%p1 bra A;" OUT,
         1, 3);
  /* nobody writes what .nc loads */
  leaves(PA "ld.global.nc.b32 %r3, [%d1+64]; st.global.b32 [%d1], %r3; bar.sync 0; ld.global.nc.b32 %r4, [%d1+64];" OUT,
         1, 3);
}

/* Accesses between that lie elsewhere. */
static void apart(void **state) {
  (void)state;
#define BETWEEN(what) PA TID "ld.shared.b32 %r3, [%r2]; " what " ld.shared.b32 %r4, [%r2];" OUT
  leaves(BETWEEN("st.global.b32 [%d1+8], %r1;"), 1, 3);
  leaves(BETWEEN("st.shared.b32 [%r2+4], %r1;"), 1, 3);
  leaves(BETWEEN("shl.b32 %r5, %r3, 3; st.shared.b32 [%r5+4], %r1;"), 1, 3); /* 4 behind a multiple of 8 */
  leaves(BETWEEN("shl.b32 %r5, %r3, 2; st.shared.b32 [%r5+4], %r1;"), 2, 3);
  leaves(BETWEEN("shl.b32 %r5, %r3, 3; st.shared.b64 [%r5], %d1;"), 2, 3);
  leaves(BETWEEN("st.shared.b32 [%r3], %r1;"), 2, 3);
  leaves(BETWEEN("@%p1 st.shared.b32 [%r3], %r1;"), 2, 3);
  leaves(BETWEEN("st.shared.u8 [%r2+3], %h1;"), 2, 3);
  leaves(BETWEEN("st.shared.u8 [%r2+4], %h1;"), 1, 3);
  leaves(BETWEEN("st.b32 [%d1], %r1;"), 2, 3); /* generic: anywhere */
  /* generic, but no pointer to local memory was made */
  leaves(PA "ld.local.b32 %r3, [l]; st.b32 [%d1], %r3; ld.local.b32 %r4, [l];" OUT, 1, 3);
  leaves(PA "mov.u64 %d2, l; cvta.local.u64 %d3, %d2; st.global.b64 [%d1+8], %d3; ld.local.b32 %r3, [l]; "
            "st.b32 [%d1], %r3; ld.local.b32 %r4, [l];" OUT,
         2, 4);
}

/* What orders other threads' accesses. */
static void ordered(void **state) {
  (void)state;
  static const char *const between[] = {
      "bar.sync 0;",
      "bar.warp.sync -1;",
      "membar.cta;",
      "fence.acq_rel.gpu;",
      "atom.shared.add.u32 %r5, [q], 1; st.global.b32 [%d1+8], %r5;",
      "red.global.add.u32 [%d1+8], 1;",
      "ld.volatile.shared.b32 %r5, [q];",
      "ld.relaxed.gpu.global.b32 %r5, [%d1+8];",
      "st.volatile.global.b32 [%d1+8], %r1;",
  };
  for (size_t k = 0; k < sizeof between / sizeof *between; k++) {
    char text[1000];
    snprintf(text, sizeof text, "%s%s%s", PA TID "ld.shared.b32 %r3, [%r2]; ", between[k],
             " ld.shared.b32 %r4, [%r2];" OUT);
    char *got = forwarded(text);
    if (occurrences(got, "= ld.shared.b32 [r2]") != 2) fail_msg("%s: %s", text, got);
    free(got);
    /* a thread's local memory is its own */
    snprintf(text, sizeof text, "%s%s%s", PA TID "st.local.b32 [l], %r1; ", between[k], " ld.local.b32 %r4, [l];" OUT);
    got = forwarded(text);
    if (strstr(got, "local")) fail_msg("%s: %s", text, got);
    free(got);
  }
}

/* Strong, volatile and guarded accesses stay as they are; a store on one way is not known behind the join, nor what
 * comes later in a loop. */
static void stays(void **state) {
  (void)state;
  leaves(PA TID "ld.volatile.shared.b32 %r3, [%r2]; ld.volatile.shared.b32 %r4, [%r2];" OUT, 2, 2);
  leaves(PA TID "ld.relaxed.gpu.global.b32 %r3, [%d1]; ld.relaxed.gpu.global.b32 %r4, [%d1];" OUT, 2, 2);
  leaves(PA TID "setp.lt.u32 %p1, %r1, 7; mov.u32 %r3, 0; @%p1 ld.shared.b32 %r3, [%r2]; ld.shared.b32 %r4, [%r2];" OUT,
         2, 2);
  leaves(PA TID "setp.lt.u32 %p1, %r1, 7; ld.shared.b32 %r3, [%r2]; @%p1 bra A; st.shared.b32 [%r2], %r1; A: "
                "ld.shared.b32 %r4, [%r2];" OUT,
         2, 3);
  leaves(PA TID "ld.shared.b32 %r3, [%r2]; mov.u32 %r4, 0; A: ld.shared.b32 %r5, [%r2]; add.u32 %r4, %r4, %r5; "
                "st.shared.b32 [%r2], %r4; setp.lt.u32 %p1, %r4, 99; @%p1 bra A;" OUT,
         2, 3);
  /* of another width */
  leaves(PA TID "st.shared.b64 [%r2], %d1; ld.shared.b32 %r3, [%r2]; mov.u32 %r4, %r3;" OUT, 1, 3);
}

static void unseen(void **state) {
  (void)state;
  /* overwritten */
  leaves(TID "st.shared.b32 [%r2], 1; st.shared.b32 [%r2], 2;", 0, 1);
  leaves(TID "st.shared.b32 [%r2+4], 1; st.shared.v2.b32 [%r2], {%r1, %r1};", 0, 1);
  leaves(TID "setp.lt.u32 %p1, %r1, 7; @%p1 st.shared.b32 [%r2], 1; st.shared.b32 [%r2], 2;", 0, 1);
  /* seen, or not overwritten as a whole, or not by every thread */
  leaves(TID "st.shared.b32 [%r2], 1; bar.sync 0; st.shared.b32 [%r2], 2;", 0, 2);
  leaves(PA TID "st.shared.b32 [%r2], 1; ld.shared.b32 %r3, [%r1]; st.shared.b32 [%r2], 2; st.global.b32 [%d1], %r3;",
         1, 3);
  leaves(TID "st.shared.v2.b32 [%r2], {%r1, %r1}; st.shared.b32 [%r2], 2;", 0, 2);
  leaves(TID "setp.lt.u32 %p1, %r1, 7; st.shared.b32 [%r2], 1; @%p1 st.shared.b32 [%r2], 2;", 0, 2);
  leaves(TID "st.volatile.shared.b32 [%r2], 1; st.shared.b32 [%r2], 2;", 0, 2);
  leaves(PA TID "st.shared.b32 [%r2], 1; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [q]; "
                "st.shared.b32 [%r2], 2; st.global.b32 [%d1], %r3;",
         0, 3);
  /* local memory that nothing reads, or something does */
  leaves(TID "and.b32 %r2, %r2, 48; st.local.b32 [%r2], %r1;", 0, 0);
  leaves(PA TID "and.b32 %r2, %r2, 48; st.local.b32 [%r2], %r1; ld.local.b32 %r3, [l+16]; st.global.b32 [%d1], %r3;", 1,
         2);
  leaves(PA TID "st.local.b32 [l], %r1; mov.u64 %d2, l; cvta.local.u64 %d3, %d2; st.global.b64 [%d1], %d3;", 0, 2);
}

static void random_graphs(void **state) {
  (void)state;
  unsigned ran = 0, some = 0;
  for (uint64_t seed = 1; seed <= 600; seed++) {
    struct random_ir shape = {.seed = seed,
                              .depth = 4,
                              .length = 3,
                              .work = 6,
                              .memory = true,
                              .narrow = seed % 5 == 0,
                              .guards = seed % 3 == 0};
    uint8_t expected[WARP_GLOBAL];
    if (seed % 4 == 3) shape.blocks = 3 + (unsigned)(seed % 30);
    struct random_made m = ir_random(&shape);
    if (ir_random_expect(m.f, expected)) {
      ran++;
      ir_to_ssa(m.f);
      if (seed % 3) ir_fold(m.f);
      ir_cse(m.f);
      some += ir_forward(m.f);
      const char *wrong = ir_random_check(m.f, true, expected);
      if (wrong) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    ir_random_free(&m);
  }
  assert_true(ran > 500 && some > ran / 4);
}

/* Neighbouring accesses become one: by hand, what must stay apart as well as what may join, and random graphs
 * before and after. */

#define VARIABLES ".shared .align 4 .b8 s[64]; .shared .align 4 .b8 few[8]; .local .align 4 .b8 l[64]; "
#define POINTER                                                                                                        \
  HEAD ".const .align 4 .b8 c[64]; .entry k(.param .u64 .ptr .global .align 16 pa, .param .u64 pb) { " REGISTERS "\n"

static char *widened(const char *body) {
  char text[3000];
  struct lowered l;
  snprintf(text, sizeof text, "%s%s%s%s", POINTER, VARIABLES, body, CLOSE);
  if (!lowered(&l, text, false)) fail_msg("%s: %s", body, l.p.messages ? l.p.message[0].text : "no message");
  ir_to_ssa(l.f);
  ir_fold(l.f);
  ir_cse(l.f);
  ir_widen(l.f);
  assert_null(ir_check(l.f, true));
  ir_dead(l.f);
  char *got = normalised(l.f, false);
  lowered_free(&l);
  return got;
}

/* The accesses of memory that are left, by word and address: "ld.shared.v4 [r2] st.global [d1+4]". */
static void accesses(const char *body, const char *wanted) {
  char *text = widened(body), got[1000] = "", *save;
  for (char *line = strtok_r(text, ";", &save); line; line = strtok_r(NULL, ";", &save)) {
    const char *op = strstr(line, "ld."), *at = strchr(line, '[');
    if (!op) op = strstr(line, "st.");
    if (!op || !at) continue;
    size_t word = strcspn(op, " ");
    while (op[word] != '.') word--; /* without the type */
    snprintf(got + strlen(got), sizeof got - strlen(got), "%s%.*s %.*s", got[0] ? " " : "", (int)word, op,
             (int)strcspn(at, "]") + 1, at);
  }
  if (strcmp(got, wanted) != 0) fail_msg("%s\n  is     %s\n  wanted %s", body, got, wanted);
  free(text);
}

#define AT(bits) "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, " #bits "; "
#define PB "ld.param.u64 %d2, [pb]; "
#define USE " st.volatile.global.b32 [%d1], %r3; st.volatile.global.b32 [%d1], %r4;"
#define USED " st.volatile.sys.global [d1] st.volatile.sys.global [d1]"

static void joined(void **state) {
  (void)state;
  char *got = widened(PA AT(4) "ld.shared.b32 %r4, [%r2+4]; ld.shared.b32 %r3, [%r2];" USE);
  assert_string_equal(got,
                      "d1 = param.u64+0; r1 = sreg.tid.x.u32; r2 = shl.b32 r1, 0x4; r3, r4 = ld.shared.v2.b32 [r2]; "
                      "st.volatile.sys.global.b32 [d1], r3; st.volatile.sys.global.b32 [d1], r4; exit");
  free(got);
  /* four words, two pairs, two halves of a vector; loads at the first, stores at the last */
  accesses(PA AT(4) "ld.shared.b32 %r3, [%r2+4]; st.global.b32 [%d1+64], %r3; ld.shared.b32 %r4, [%r2]; "
                    "ld.shared.b32 %r5, [%r2+12]; ld.shared.b32 %r6, [%r2+8]; add.u32 %r3, %r3, %r5; "
                    "add.u32 %r4, %r4, %r6;" USE,
           "ld.shared.v4 [r2] st.global [d1+64]" USED);
  accesses(PA "ld.global.b64 %d3, [%d1+16]; ld.global.b64 %d4, [%d1+24]; st.global.b64 [%d1+8], %d3; "
              "st.global.b64 [%d1], %d4;",
           "ld.global.v2 [d1+16] st.global.v2 [d1]");
  accesses(PA "ld.global.v2.b32 {%r3, %r4}, [%d1+16]; ld.global.v2.b32 {%r5, %r6}, [%d1+24]; "
              "st.global.v2.b32 [%d1+8], {%r5, %r4}; st.global.v2.b32 [%d1], {%r3, %r6};",
           "ld.global.v4 [d1+16] st.global.v4 [d1]");
  accesses(PA AT(4) "ld.shared.b32 %r3, [%r2-12]; ld.shared.b32 %r4, [%r2-16]; bar.sync 0; "
                    "ld.global.nc.b32 %r5, [%d1+8]; bar.sync 0; ld.global.nc.b32 %r6, [%d1+12]; add.u32 %r3, %r3, %r5; "
                    "add.u32 %r4, %r4, %r6;" USE,
           "ld.shared.v2 [r2-16] ld.global.v2 [d1+8]" USED);
  /* three of four: two of them */
  accesses(PA AT(4) "ld.shared.b32 %r3, [%r2]; ld.shared.b32 %r4, [%r2+4]; ld.shared.b32 %r5, [%r2+8]; "
                    "add.u32 %r3, %r3, %r5;" USE,
           "ld.shared.v2 [r2] ld.shared [r2+8]" USED);
  accesses(PA AT(4) "mov.u32 %r5, c; add.u32 %r5, %r5, %r2; ld.const.b32 %r3, [%r5]; ld.const.b32 %r4, [%r5+4];" USE,
           "ld.const.v2 [r2]" USED);
  /* variables of 16 bytes and more are aligned, generic addresses of them too */
  accesses(PA "st.local.b32 [l+20], %r3; ld.global.b32 %r4, [%d1]; st.local.b32 [l+16], %r4;",
           "ld.global [d1] st.local.v2 [0x0+16]");
  accesses(PA AT(3) "cvt.u64.u32 %d3, %r2; cvta.shared.u64 %d4, %d3; ld.b32 %r3, [%d4]; ld.b32 %r4, [%d4+4];" USE,
           "ld.shared.v2 [r2]" USED);
}

/* Not known to be aligned, not beside each other, not of one size. */
static void kept_apart(void **state) {
  (void)state;
  accesses(PA PB "ld.global.b32 %r3, [%d2]; ld.global.b32 %r4, [%d2+4];" USE, "ld.global [d2] ld.global [d2+4]" USED);
  accesses(PA AT(2) "ld.shared.b32 %r3, [%r2]; ld.shared.b32 %r4, [%r2+4];" USE,
           "ld.shared [r2] ld.shared [r2+4]" USED);
  accesses(PA AT(4) "ld.shared.b32 %r3, [%r2+4]; ld.shared.b32 %r4, [%r2+8];" USE,
           "ld.shared [r2+4] ld.shared [r2+8]" USED);
  accesses(PA AT(4) "ld.shared.b32 %r3, [%r2]; ld.shared.b32 %r4, [%r2+8];" USE,
           "ld.shared [r2] ld.shared [r2+8]" USED);
  accesses(PA AT(3) "ld.shared.b64 %d3, [%r2]; ld.shared.b64 %d4, [%r2+8]; st.volatile.global.b64 [%d1], %d3; "
                    "st.volatile.global.b64 [%d1], %d4;",
           "ld.shared [r2] ld.shared [r2+8]" USED);
  accesses(PA AT(4) "ld.shared.u16 %h3, [%r2]; ld.shared.u16 %h4, [%r2+2]; st.volatile.global.b16 [%d1], %h3; "
                    "st.volatile.global.b16 [%d1], %h4;",
           "ld.shared [r2] ld.shared [r2+2]" USED);
  /* what is a multiple before a loop is none behind a step of it */
  accesses(PA AT(4) "A: ld.shared.b32 %r3, [%r2]; ld.shared.b32 %r4, [%r2+4]; add.u32 %r2, %r2, 12; "
                    "st.global.b32 [%d1], %r3; st.global.b32 [%d1+16], %r4; setp.lt.u32 %p1, %r2, 99; @%p1 bra A;",
           "ld.shared [r2] ld.shared [r2+4] st.global [d1] st.global [d1+16]");
  accesses(PA AT(4) "A: ld.shared.b32 %r3, [%r2]; ld.shared.b32 %r4, [%r2+4]; add.u32 %r2, %r2, 24; "
                    "st.global.b32 [%d1], %r3; st.global.b32 [%d1+16], %r4; setp.lt.u32 %p1, %r2, 99; @%p1 bra A;",
           "ld.shared.v2 [r2] st.global [d1] st.global [d1+16]");
}

static void between(void **state) {
  (void)state;
#define LOADS(what) PA AT(4) "ld.shared.b32 %r3, [%r2]; " what " ld.shared.b32 %r4, [%r2+4];" USE
#define STORES(what) PA AT(4) "st.shared.b32 [%r2], %r1; " what " st.shared.b32 [%r2+4], %r2;"
  accesses(LOADS("st.shared.b32 [%r2+8], %r1;"), "ld.shared.v2 [r2] st.shared [r2+8]" USED);
  accesses(LOADS("st.shared.b32 [%r1], %r1;"), "ld.shared [r2] st.shared [r1] ld.shared [r2+4]" USED);
  accesses(LOADS("bar.sync 0;"), "ld.shared [r2] ld.shared [r2+4]" USED);
  accesses(LOADS("membar.cta;"), "ld.shared [r2] ld.shared [r2+4]" USED);
  accesses(STORES("ld.shared.b32 %r3, [%r2+8]; st.global.b32 [%d1], %r3;"),
           "ld.shared [r2+8] st.global [d1] st.shared.v2 [r2]");
  accesses(STORES("ld.shared.b32 %r3, [%r2]; st.global.b32 [%d1], %r3;"),
           "st.shared [r2] ld.shared [r2] st.global [d1] st.shared [r2+4]");
  accesses(STORES("st.shared.u8 [%r1], %h1;"), "st.shared [r2] st.shared [r1] st.shared [r2+4]");
  accesses(STORES("bar.sync 0;"), "st.shared [r2] st.shared [r2+4]");
  accesses(STORES("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [s]; st.global.b32 [%d1], %r3;"),
           "st.shared [r2] st.global [d1] st.shared [r2+4]");
  /* a thread's own memory waits for nobody */
  accesses("mov.u32 %r1, %tid.x; st.local.b32 [l], %r1; bar.sync 0; st.local.b32 [l+4], %r1; st.local.b32 [l+8], %r2;",
           "st.local [0x0] st.local [0x0+4] st.local [0x0+8]");
  accesses("mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; st.local.b32 [l], %r1; bar.sync 0; st.local.b32 [l+4], %r2;",
           "st.local.v2 [0x0]");
}

/* Strong, volatile, guarded ones; constants, which are operands, or would have to be brought into registers. */
static void ordered_stay(void **state) {
  (void)state;
  accesses(PA AT(4) "ld.volatile.shared.b32 %r3, [%r2]; ld.volatile.shared.b32 %r4, [%r2+4];" USE,
           "ld.volatile.sys.shared [r2] ld.volatile.sys.shared [r2+4]" USED);
  accesses(PA "st.relaxed.gpu.global.b32 [%d1+8], %r1; st.relaxed.gpu.global.b32 [%d1+12], %r2;",
           "st.gpu.global [d1+8] st.gpu.global [d1+12]");
  accesses(PA AT(4) "setp.lt.u32 %p1, %r1, 7; mov.u32 %r4, 0; ld.shared.b32 %r3, [%r2]; @%p1 ld.shared.b32 %r4, "
                    "[%r2+4];" USE,
           "ld.shared [r2] ld.shared [r2+4]" USED);
  accesses(AT(4) "setp.lt.u32 %p1, %r1, 7; @%p1 st.shared.b32 [%r2], %r1; @%p1 st.shared.b32 [%r2+4], %r2;",
           "st.shared [r2] st.shared [r2+4]");
  accesses(PA "ld.const.b32 %r3, [c]; ld.const.b32 %r4, [c+4];" USE, "ld.const [0x0] ld.const [0x0+4]" USED);
  accesses(AT(4) "st.shared.b32 [%r2], 0; st.shared.b32 [%r2+4], 0;", "st.shared [r2] st.shared [r2+4]");
}

/* ---- of what power of two a value is a multiple ---- */

static void multiples(void **state) {
  (void)state;
  static const struct {
    const char *body;
    unsigned power;
  } of[] = {
      {"mov.u32 %r0, 24;", 3},
      {"shl.b32 %r0, %r1, 5;", 5},
      {"shl.b32 %r0, %r1, %r2;", 0},
      {"mul.lo.u32 %r0, %r1, 48;", 4},
      {"shl.b32 %r2, %r1, 2; mul.lo.u32 %r0, %r2, 12;", 4},
      {"shl.b32 %r2, %r1, 6; shr.u32 %r0, %r2, 2;", 4},
      {"and.b32 %r0, %r1, 0xf8;", 3},
      {"shl.b32 %r2, %r1, 4; add.u32 %r0, %r2, 8;", 3},
      {"shl.b32 %r2, %r1, 4; sub.u32 %r0, 32, %r2;", 4},
      {"shl.b32 %r2, %r1, 4; or.b32 %r0, %r2, 2;", 1},
      {"shl.b32 %r2, %r1, 4; selp.b32 %r0, %r2, 8, %p1;", 3},
      {"mul.wide.u32 %d1, %r1, 16; cvt.u32.u64 %r0, %d1;", 4},
      {"mad.lo.u32 %r0, %r1, 16, 4;", 2},
      {"shl.b32 %r2, %r1, 4; neg.s32 %r0, %r2;", 4},
      {"ld.global.b32 %r0, [64];", 0},
      {"mov.u32 %r0, %ntid.x;", 0},
      {"mov.u32 %r0, 16; @%p1 add.u32 %r0, %r0, 4;", 2},
      {"mov.u32 %r0, 0; A: add.u32 %r0, %r0, 8; setp.lt.u32 %p1, %r0, %r1; @%p1 bra A;", 3},
  };
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    char text[1000];
    struct lowered l;
    snprintf(text, sizeof text, "%s%s%s%s%s", OPEN,
             "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; setp.lt.u32 %p1, %r1, 7; ", of[k].body,
             " st.global.b32 [16], %r0;", CLOSE);
    assert_non_null(lowered(&l, text, false));
    ir_to_ssa(l.f);
    const uint8_t *power = alias_multiples(l.f);
    const struct ir_insn *store = NULL;
    for (const struct ir_block *b = l.f->first; b; b = b->next)
      for (const struct ir_insn *i = b->first; i; i = i->next)
        if (i->op == IR_ST) store = i;
    assert_non_null(store);
    const unsigned is = power[store->src[1].value->id];
    if (is != of[k].power) fail_msg("%s: %u, wanted %u", of[k].body, is, of[k].power);
    lowered_free(&l);
  }
}

static unsigned vectors(const struct ir_function *f) {
  unsigned n = 0;
  for (const struct ir_block *b = f->first; b; b = b->next)
    for (const struct ir_insn *i = b->first; i; i = i->next)
      n += (i->op == IR_LD || i->op == IR_ST) && i->memory.vector > 1;
  return n;
}

static void random_graphs_widened(void **state) {
  (void)state;
  unsigned ran = 0, some = 0;
  for (uint64_t seed = 1; seed <= 600; seed++) {
    struct random_ir shape = {
        .seed = seed, .depth = 3, .length = 3, .work = 40, .memory = true, .guards = seed % 3 == 0};
    uint8_t expected[WARP_GLOBAL];
    struct random_made m = ir_random(&shape);
    if (ir_random_expect(m.f, expected)) {
      ran++;
      ir_to_ssa(m.f);
      if (seed % 3) ir_fold(m.f);
      ir_cse(m.f);
      ir_widen(m.f);
      some += vectors(m.f) > 0;
      const char *wrong = ir_random_check(m.f, true, expected);
      if (wrong) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    ir_random_free(&m);
  }
  assert_true(ran > 500 && some > ran / 2);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known),        cmocka_unit_test(apart),      cmocka_unit_test(ordered),
      cmocka_unit_test(stays),        cmocka_unit_test(unseen),     cmocka_unit_test(random_graphs),
      cmocka_unit_test(joined),       cmocka_unit_test(kept_apart), cmocka_unit_test(between),
      cmocka_unit_test(ordered_stay), cmocka_unit_test(multiples),  cmocka_unit_test(random_graphs_widened)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
