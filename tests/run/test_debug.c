/* SPDX-License-Identifier: Apache-2.0
 * The debugger's protocol over a small launch: packets as bytes, registers, memory, breakpoints, steps forwards and
 * backwards, watched places, and what is not to be trusted. */
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "tests/test.h"
#include "run/debug/target.h"
#include "run/debug/packet.h"
#include "run/debug/server.h"

/* ---- packets ---- */

static enum packet_event feed(struct packet_reader *r, const char *bytes) {
  enum packet_event e = PACKET_MORE;
  for (; *bytes; bytes++) {
    const enum packet_event one = packet_take(r, (uint8_t)*bytes);
    if (one != PACKET_MORE) e = one;
  }
  return e;
}

static void packets(void **state) {
  (void)state;
  struct packet_reader *r = calloc(1, sizeof *r);
  assert_int_equal(feed(r, "+$g#67"), PACKET_WHOLE);
  assert_string_equal(r->text, "g");
  assert_int_equal(feed(r, "$g#68"), PACKET_BAD);
  assert_int_equal(feed(r, "$g#6x"), PACKET_BAD);
  assert_int_equal(feed(r, "$m1,4$g#67"), PACKET_WHOLE); /* the first was cut off */
  assert_string_equal(r->text, "g");
  assert_int_equal(feed(r, "$#00"), PACKET_WHOLE);
  assert_int_equal(packet_take(r, 3), PACKET_INTERRUPT);
  assert_int_equal(feed(r, "$\x03"), PACKET_MORE); /* inside of one it is a byte */
  assert_int_equal(feed(r, "#03"), PACKET_WHOLE);
  feed(r, "$");
  for (unsigned i = 0; i < PACKET_MAX + 1; i++) assert_int_equal(packet_take(r, 'a'), PACKET_MORE);
  assert_int_equal(feed(r, "#61"), PACKET_BAD); /* too long */
  free(r);
}

static void answers(void **state) {
  (void)state;
  struct packet *p = calloc(1, sizeof *p);
  char out[PACKET_MAX + 8];
  packet_put(p, "m");
  assert_int_equal(packet_bytes(p, "a#$}*", 5), 5);
  assert_memory_equal(p->text, "ma}\x03}\x04}]}\n", p->n);
  assert_int_equal(packet_frame(p, out), p->n + 4);
  packet_clear(p);
  packet_hex(p, "\x01\xff", 2);
  assert_string_equal(p->text, "01ff");
  assert_int_equal(packet_frame(p, out), 8);
  assert_memory_equal(out, "$01ff#2d", 8);
  packet_clear(p);
  memset(out, 'x', sizeof out);
  assert_true(packet_bytes(p, out, sizeof out) <= PACKET_MAX);
  packet_put(p, "%s", "more than there is room for");
  assert_true(p->full && p->n <= PACKET_MAX);
  free(p);
}

/* ---- a launch ---- */

/* Two warps; each lane stores its number to shared memory and adds what its neighbour in the other warp has. */
static const char program[] = ".pack off\n"
                              ".kernel k\n"
                              ".param u64 out\n"
                              ".shared buf 256\n"
                              "        S2R R0, SR_TID.X ;\n"                /* 0x00 */
                              "        SHF.L.U32 R3, R0, 0x2, RZ ;\n"       /* 0x10 */
                              "        STS [R3+buf], R0 ;\n"                /* 0x20 */
                              "        BAR.SYNC 0x0 ;\n"                    /* 0x30 */
                              "        LOP3.LUT R4, R3, 0x80, RZ, 0x3c ;\n" /* 0x40 */
                              "        LDS R5, [R4+buf] ;\n"                /* 0x50 */
                              "        IADD3 R6, R5, R0, RZ ;\n"            /* 0x60 */
                              "        MOV R8, c[0x0][out] ;\n"             /* 0x70 */
                              "        MOV R9, c[0x0][out+4] ;\n"           /* 0x80 */
                              "        IMAD.WIDE.U32 R8, R0, 0x4, R8 ;\n"   /* 0x90 */
                              "        STG.E [R8], R6 ;\n"                  /* 0xa0 */
                              "        EXIT ;\n"                            /* 0xb0 */
                              ".end\n";

struct session {
  struct heddle_program *program;
  struct job job;
  struct heddle_model *model;
  struct target *target;
  struct server *server;
  enum server_state state;
  char last[PACKET_MAX + 1]; /* the text of the last packet */
};

static bool hear(void *ctx, const char *bytes, size_t n) {
  struct session *s = ctx;
  if (bytes[0] != '$') return true; /* an acknowledgement */
  assert_true(n >= 4 && bytes[n - 3] == '#' && n - 4 < sizeof s->last);
  memcpy(s->last, bytes + 1, n - 4);
  s->last[n - 4] = '\0';
  return true;
}

static const char *ask(struct session *s, const char *packet) {
  char frame[512];
  unsigned sum = 0;
  for (const char *p = packet; *p; p++) sum += (uint8_t)*p;
  const int n = snprintf(frame, sizeof frame, "$%s#%02x", packet, sum & 0xff);
  s->last[0] = '\0';
  s->state = server_take(s->server, (const uint8_t *)frame, (size_t)n);
  return s->last;
}

static void begin(struct session *s) {
  static const uint32_t grid[3] = {1, 1, 1}, block[3] = {64, 1, 1};
  const struct heddle_asm_options o = {.size = sizeof o, .long_words = true};
  char err[512] = "";
  memset(s, 0, sizeof *s);
  assert_int_equal(heddle_assemble(program, sizeof program - 1, "k.s", &o, &s->program), HEDDLE_SUCCESS);
  assert_true(job_add_buffer(&s->job, NULL, 256, true));
  assert_true(job_build(&s->job, s->program, NULL, grid, block, err, sizeof err));
  s->target = calloc(1, sizeof *s->target);
  const struct heddle_model_config c = {
      .size = sizeof c, .base = s->job.mem_base, .bytes = s->job.mem_bytes, .warp_slots = 4, .block_slots = 2};
  const struct heddle_observer observer = {.size = sizeof observer, .ctx = s->target, .access = target_observe};
  s->model = heddle_model_new(&c);
  assert_true(s->model && s->target);
  assert_int_equal(heddle_model_observe(s->model, &observer), HEDDLE_SUCCESS);
  assert_int_equal(heddle_model_launch(s->model, &s->job.launch), HEDDLE_SUCCESS);
  assert_true(target_begin(s->target, s->model, &s->job, c.warp_slots, err, sizeof err));
  const struct server_config config = {.target = s->target, .send = hear, .ctx = s};
  s->server = server_new(&config);
  assert_non_null(s->server);
}

static void end(struct session *s) {
  server_free(s->server);
  target_end(s->target);
  heddle_model_free(s->model);
  free(s->target);
  job_clear(&s->job);
  heddle_program_free(s->program);
}

/* Register `number` of the thread that is asked for. */
static uint32_t reg(struct session *s, unsigned number) {
  char packet[32];
  uint8_t b[4] = {0};
  snprintf(packet, sizeof packet, "p%x", number);
  const char *text = ask(s, packet);
  assert_true(packet_unhex(&text, b, sizeof b));
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

enum { PC = 32, R0 = 33 };

static void threads(void **state) {
  (void)state;
  struct session s;
  begin(&s);
  assert_non_null(strstr(ask(&s, "qSupported:xmlRegisters=i386"), "ReverseStep+"));
  assert_string_equal(ask(&s, "?"), "T05thread:1;");
  assert_string_equal(ask(&s, "T40"), "OK"); /* thread 64 is the last one */
  assert_string_equal(ask(&s, "T41"), "E01");
  assert_non_null(
      strstr(ask(&s, "qXfer:threads:read::0,3fff"), "<thread id=\"40\" name=\"block (0,0,0) warp 1 lane 31\"/>"));
  assert_non_null(strstr(ask(&s, "qXfer:features:read:target.xml:0,3fff"), "<reg name=\"R0\" bitsize=\"32\""));
  assert_string_equal(ask(&s, "qXfer:threads:read::ffffff,1"), "E01");
  assert_string_equal(ask(&s, "vMustReplyEmpty"), "");
  end(&s);
}

static void registers(void **state) {
  (void)state;
  struct session s;
  begin(&s);
  assert_string_equal(ask(&s, "p21"), "xxxxxxxx"); /* R0, which nobody has written */
  assert_string_equal(ask(&s, "vCont;s:24"), "T05thread:24;");
  assert_int_equal(reg(&s, PC), 0x10);
  assert_int_equal(reg(&s, R0), 0x23);
  assert_string_equal(ask(&s, "Hg3"), "OK");
  assert_int_equal(reg(&s, PC), 0);
  assert_string_equal(ask(&s, "P21=78563412"), "OK");
  assert_int_equal(reg(&s, R0), 0x12345678);
  assert_string_equal(ask(&s, "P20=1000000000000000"), "E01"); /* the program counter is the model's */
  assert_string_equal(ask(&s, "pffff"), "E01");
  assert_string_equal(ask(&s, "P21=12"), "E01");
  end(&s);
}

/* Both warps meet the breakpoint, each when its turn is. */
static void breakpoints(void **state) {
  (void)state;
  struct session s;
  begin(&s);
  assert_string_equal(ask(&s, "Z0,60,4"), "OK");
  const char *first = ask(&s, "vCont;c");
  assert_true(strcmp(first, "T05thread:1;") == 0 || strcmp(first, "T05thread:21;") == 0);
  assert_int_equal(reg(&s, PC), 0x60);
  assert_int_equal(reg(&s, R0 + 5), reg(&s, R0) ^ 0x20);
  assert_string_equal(ask(&s, "m100000000000004,4"), "01000000"); /* shared memory */
  end(&s);
}

/* Asked of each lane; of two conditions any one is enough; what cannot be computed stops. R0 is the thread's number
 * from 0: 26 is a register, 22 a byte, 13 whether both are equal, 27 the end. */
static void conditions(void **state) {
  (void)state;
  struct session s;
  begin(&s);
  assert_string_equal(ask(&s, "Z0,60,4;X7,26002122251327"), "OK"); /* R0 == 37 */
  assert_string_equal(ask(&s, "vCont;c"), "T05thread:26;");
  assert_int_equal(reg(&s, R0), 37);
  assert_int_equal(reg(&s, PC), 0x60);
  assert_string_equal(ask(&s, "Z0,60,4;X7,26002122631327X7,26002122031327"), "OK"); /* R0 == 99 || R0 == 3 */
  assert_string_equal(ask(&s, "vCont;c"), "T05thread:4;");
  assert_string_equal(ask(&s, "z0,60,4"), "OK");
  assert_string_equal(ask(&s, "Z0,70,4;X3,220027"), "OK"); /* 0 */
  assert_string_equal(ask(&s, "Z0,80,4;X1,13"), "OK");     /* nothing to compare */
  assert_int_equal(strncmp(ask(&s, "vCont;c"), "T05", 3), 0);
  assert_int_equal(reg(&s, PC), 0x80);
  assert_string_equal(ask(&s, "Z0,80,4;X9,13"), "E01");
  assert_string_equal(ask(&s, "Z0,80,4;Y"), "E01");
  end(&s);
}

/* gdb goes on without a look at the threads, since a condition of its own was not met: each lane is told of, and seems
 * to step by itself over the breakpoint, which gdb takes away for that; the warp goes on behind the last. */
static void each_lane(void **state) {
  (void)state;
  struct session s;
  char packet[32], told[32];
  begin(&s);
  assert_string_equal(ask(&s, "Z0,60,4"), "OK");
  const unsigned first = strcmp(ask(&s, "vCont;c"), "T05thread:1;") == 0 ? 1 : 33;
  for (unsigned i = first; i < first + 32; i++) {
    snprintf(told, sizeof told, "T05thread:%x;", i);
    assert_string_equal(s.last, told);
    assert_int_equal(reg(&s, PC), 0x60);
    assert_string_equal(ask(&s, "z0,60,4"), "OK");
    snprintf(packet, sizeof packet, "vCont;s:%x", i);
    assert_string_equal(ask(&s, packet), told);
    assert_int_equal(reg(&s, PC), 0x70);
    assert_int_equal(strcmp(ask(&s, "p27"), "xxxxxxxx") == 0, i < first + 31); /* R6, which the instruction writes */
    assert_string_equal(ask(&s, "Z0,60,4"), "OK");
    ask(&s, "vCont;c");
  }
  assert_string_equal(s.last, first == 1 ? "T05thread:21;" : "T05thread:1;"); /* the other warp */
  ask(&s, "qXfer:threads:read::0,3fff");                                      /* it is shown: once is enough */
  assert_string_equal(ask(&s, "z0,60,4"), "OK");
  assert_string_equal(ask(&s, first == 1 ? "vCont;s:21" : "vCont;s:1"), first == 1 ? "T05thread:21;" : "T05thread:1;");
  assert_int_equal(strcmp(ask(&s, "p27"), "xxxxxxxx") == 0, false);
  assert_string_equal(ask(&s, "Z0,60,4"), "OK");
  assert_string_equal(ask(&s, "vCont;c"), "W00");
  end(&s);
}

/* threadIdx, blockIdx, blockDim, gridDim as memory of the thread. */
static void names(void **state) {
  (void)state;
  struct session s;
  begin(&s);
  assert_string_equal(ask(&s, "Hg26"), "OK");
  assert_string_equal(ask(&s, "m500000000000000,10"), "25000000000000000000000000000000");
  assert_string_equal(ask(&s, "m500000000000020,c"), "400000000100000001000000");
  assert_string_equal(ask(&s, "m50000000000003c,8"), "00000000"); /* as far as it goes */
  assert_string_equal(ask(&s, "m500000000000040,1"), "E01");
  assert_string_equal(ask(&s, "M500000000000000,1:00"), "E01");
  assert_string_equal(ask(&s, "Z0,60,4;Xe,25050000000000000019222a1327"), "OK"); /* threadIdx.x == 42 */
  assert_string_equal(ask(&s, "vCont;c"), "T05thread:2b;");
  end(&s);
}

static uint64_t computed(struct session *s, const char *code) {
  uint8_t b[256];
  const size_t n = strlen(code) / 2;
  uint64_t value = 0xbad;
  assert_true(packet_unhex(&code, b, n));
  return agent_evaluate(s->target, 0, 3, b, n, &value) ? value : 0xbad;
}

static void expressions(void **state) {
  (void)state;
  struct session s;
  static const struct {
    const char *code;
    uint64_t value;
  } all[] = {{"2207220302"
              "27",
              10},
             {"2207220303"
              "27",
              4},
             {"2207220304"
              "27",
              21},
             {"22f916082202"
              "05"
              "27",
              (uint64_t)-3},
             {"22f9220206"
              "27",
              124},
             {"22f916082202"
              "07"
              "27",
              (uint64_t)-1},
             {"2207220408"
              "27",
              3},
             {"220122040927", 16},
             {"22f0160822020a27", (uint64_t)-4},
             {"22f022020b27", 60},
             {"22000e27", 1},
             {"220f22060f27", 6},
             {"220822011027", 9},
             {"220f22061127", 9},
             {"220012"
              "27",
              UINT64_MAX},
             {"22ff16082201"
              "14"
              "27",
              1},
             {"22ff16082201"
              "15"
              "27",
              0},
             {"22802a0727", 0},
             {"23123427", 0x1234},
             {"241234567827", 0x12345678},
             {"25000000000000000927", 9},
             {"22052806"
              "2904"
              "27",
              0xbad},
             {"220528022"
              "7",
              10},
             {"220722032b0327", (uint64_t)-4},
             {"22012202320127", 1},
             {"2201220222033327", 2},
             {"2201200008220927220827", 8},
             {"21000422012202"
              "27",
              0xbad},
             {"210000", 0xbad},
             {"2201220005"
              "27",
              0xbad},
             {"27", 0xbad},
             {"2205", 0xbad},
             {"26ffff27", 0xbad},
             {"250300000000000000"
              "19"
              "27",
              0xbad},
             {"ff27", 0xbad},
             {"221727", 0x17}};
  begin(&s);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (computed(&s, all[i].code) != all[i].value)
      fail_msg("%s: 0x%llx", all[i].code, (unsigned long long)computed(&s, all[i].code));
  assert_int_equal(computed(&s, "2518"
                                "00000000000000"
                                "1727" +
                                    0),
                   0xbad); /* no window 0x18 */
  assert_string_equal(ask(&s, "M100000000000008,4:785634f2"), "OK");
  assert_int_equal(computed(&s, "2501000000000000081927"), 0xf2345678);
  assert_int_equal(computed(&s, "25010000000000000818160827") & 0xff, 0x78);
  end(&s);
}

static void memory(void **state) {
  (void)state;
  struct session s;
  char packet[64], words[16];
  begin(&s);
  snprintf(words, sizeof words, "%02x%02x%02x%02x", s.program->code[0], s.program->code[1], s.program->code[2],
           s.program->code[3]);
  assert_string_equal(ask(&s, "m0,4"), words); /* code, where no memory is */
  snprintf(packet, sizeof packet, "M%llx,4:efbeadde", (unsigned long long)s.job.addr[0]);
  assert_string_equal(ask(&s, packet), "OK");
  snprintf(packet, sizeof packet, "m%llx,4", (unsigned long long)s.job.addr[0]);
  assert_string_equal(ask(&s, packet), "efbeadde");
  assert_string_equal(ask(&s, "m1000000000000fe,8"), "0000"); /* as far as it goes */
  assert_string_equal(ask(&s, "m100000000000100,1"), "E01");
  assert_string_equal(ask(&s, "m300000000000000,1"), "E01");
  assert_string_equal(ask(&s, "mffffffffffffffff,10"), "E01");
  assert_string_equal(ask(&s, "m0,ffffffffffff"), "E01");
  assert_string_equal(ask(&s, "M0,4:00000000"), "E01");           /* code */
  assert_string_equal(ask(&s, "m400000000000000,4"), "40000000"); /* constant bank 0: threads of a block */
  end(&s);
}

/* One warp alone does not pass the barrier; with the others it does, and the step is one instruction all the same. */
static void steps(void **state) {
  (void)state;
  struct session s;
  begin(&s);
  for (unsigned i = 0; i < 4; i++) assert_string_equal(ask(&s, "vCont;s:1"), "T05thread:1;");
  assert_int_equal(reg(&s, PC), 0x30); /* it waits at the barrier */
  assert_string_equal(ask(&s, "vCont;s:1"), "T02thread:1;");
  assert_string_equal(ask(&s, "vCont;s:1;c"), "T05thread:1;");
  assert_int_equal(reg(&s, PC), 0x50);
  assert_string_equal(ask(&s, "vCont;r50,90:1;c"), "T05thread:1;");
  assert_int_equal(reg(&s, PC), 0x90);
  assert_string_equal(ask(&s, "vCont;c"), "W00");
  assert_int_equal(s.state, SERVER_ENDED);
  end(&s);
}

/* As many steps back as there were. Forwards it waits at the barrier; backwards the last state in front of an
 * instruction of the thread is that in which the barrier has let it go. */
static void backwards(void **state) {
  (void)state;
  struct session s;
  static const uint32_t there[] = {0, 0x10, 0x20, 0x30, 0x30, 0x50, 0x60, 0x70, 0x80};
  static const uint32_t back[] = {0, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80};
  unsigned n = 0;
  begin(&s);
  assert_string_equal(ask(&s, "bs"), "T05replaylog:begin;thread:1;");
  for (; n < 9; n++) {
    assert_int_equal(reg(&s, PC), there[n]);
    assert_string_equal(ask(&s, "vCont;s:1;c"), "T05thread:1;");
  }
  assert_int_equal(reg(&s, R0 + 5), 0x20);
  while (n-- > 0) {
    assert_string_equal(ask(&s, "bs"), "T05thread:1;");
    assert_int_equal(reg(&s, PC), back[n]);
  }
  assert_string_equal(ask(&s, "m100000000000004,4"), "00000000");
  assert_string_equal(ask(&s, "p26"), "xxxxxxxx");
  assert_string_equal(ask(&s, "bs"), "T05replaylog:begin;thread:1;");
  assert_string_equal(ask(&s, "Z0,20,4"), "OK");
  assert_string_equal(ask(&s, "vCont;c"), "T05thread:1;");
  ask(&s, "qXfer:threads:read::0,3fff");
  assert_string_equal(ask(&s, "z0,20,4"), "OK");
  assert_string_equal(ask(&s, "vCont;s:1"), "T05thread:1;");
  assert_string_equal(ask(&s, "Z0,10,4"), "OK");
  assert_string_equal(ask(&s, "bc"), "T05thread:1;");
  assert_int_equal(reg(&s, PC), 0x10);
  end(&s);
}

/* gdb is told before the access, and sees it in the step behind it; backwards behind it, and sees it in the step back.
 */
static void watched(void **state) {
  (void)state;
  struct session s;
  begin(&s);
  assert_string_equal(ask(&s, "Z2,10000000000008c,4"), "OK"); /* shared[35], which thread 36 writes */
  assert_string_equal(ask(&s, "vCont;c"), "T05watch:10000000000008c;thread:21;");
  assert_int_equal(reg(&s, PC), 0x20);
  assert_string_equal(ask(&s, "m10000000000008c,4"), "00000000");
  assert_string_equal(ask(&s, "z2,10000000000008c,4"), "OK");
  assert_string_equal(ask(&s, "vCont;s:21"), "T05thread:21;");
  assert_string_equal(ask(&s, "m10000000000008c,4"), "23000000");
  assert_string_equal(ask(&s, "Z3,10000000000008c,4"), "OK"); /* thread 4 reads it */
  assert_string_equal(ask(&s, "vCont;c"), "T05rwatch:10000000000008c;thread:1;");
  assert_int_equal(reg(&s, PC), 0x50);
  assert_string_equal(ask(&s, "z3,10000000000008c,4"), "OK");
  assert_string_equal(ask(&s, "Z2,10000000000008c,4"), "OK");
  assert_string_equal(ask(&s, "bc"), "T05watch:10000000000008c;thread:21;");
  assert_string_equal(ask(&s, "m10000000000008c,4"), "23000000");
  assert_string_equal(ask(&s, "bs"), "T05thread:21;");
  assert_string_equal(ask(&s, "m10000000000008c,4"), "00000000");
  assert_string_equal(ask(&s, "Z2,0,41"), "E01"); /* more than can be watched */
  end(&s);
}

/* What is changed by hand counts from then on, and going back leads to it and in front of it. */
static void changed(void **state) {
  (void)state;
  struct session s;
  char packet[64];
  begin(&s);
  assert_string_equal(ask(&s, "Z0,a0,4"), "OK");
  ask(&s, "vCont;c");
  const uint32_t lane0 = reg(&s, R0);
  assert_string_equal(ask(&s, "P27=99000000"), "OK"); /* R6 of the warp's first lane */
  assert_string_equal(ask(&s, "z0,a0,4"), "OK");
  assert_string_equal(ask(&s, lane0 == 0 ? "vCont;s:1" : "vCont;s:21"), lane0 == 0 ? "T05thread:1;" : "T05thread:21;");
  snprintf(packet, sizeof packet, "m%llx,4", (unsigned long long)s.job.addr[0] + 4 * lane0);
  assert_string_equal(ask(&s, packet), "99000000");
  assert_non_null(strstr(ask(&s, "bs"), "thread:"));
  assert_int_equal(reg(&s, R0 + 6), 0x99);
  assert_string_equal(ask(&s, packet), "00000000");
  end(&s);
}

static void frozen(void **state) {
  (void)state;
  struct session s;
  begin(&s);
  struct target t;
  target_freeze(&t, s.model, &s.job, 4);
  server_free(s.server);
  const struct server_config config = {.target = &t, .report = "the report\n", .send = hear, .ctx = &s};
  s.server = server_new(&config);
  assert_non_null(s.server);
  assert_string_equal(ask(&s, "vCont;c"), "T05thread:1;");
  assert_string_equal(ask(&s, "bs"), "T05thread:1;");
  assert_string_equal(ask(&s, "P21=00000000"), "E01");
  assert_string_equal(ask(&s, "M100000000000000,1:00"), "E01");
  assert_string_equal(ask(&s, "m100000000000000,1"), "00");
  assert_int_equal(reg(&s, PC), 0);
  end(&s);
}

static void leaving(void **state) {
  (void)state;
  struct session s;
  begin(&s);
  assert_string_equal(ask(&s, "D"), "OK");
  assert_int_equal(s.state, SERVER_LEFT);
  end(&s);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packets),   cmocka_unit_test(answers),     cmocka_unit_test(threads),
      cmocka_unit_test(registers), cmocka_unit_test(breakpoints), cmocka_unit_test(conditions),
      cmocka_unit_test(each_lane), cmocka_unit_test(names),       cmocka_unit_test(expressions),
      cmocka_unit_test(memory),    cmocka_unit_test(steps),       cmocka_unit_test(backwards),
      cmocka_unit_test(watched),   cmocka_unit_test(changed),     cmocka_unit_test(frozen),
      cmocka_unit_test(leaving)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
