/* SPDX-License-Identifier: Apache-2.0
 *
 * mma/: a case a section of vectors.bin, a case a file of tiles. A warp has one matrix instruction.
 *
 * Of vectors.bin eight dot products go into one instruction, each with a row of A and a column of B of its own; what
 * stands at the other places of D is nobody's result and is masked away. Sixteen warps after each other bring them to
 * all 128 places.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/silicon/case_folder.h"
#include "tests/test.h"
#include "tests/silicon/form_file.h"
#include <heddle/asm.h>
#include "tests/silicon/make_cases.h"
#include "tests/cmodel/words.h"

enum { LANES = 32, WARPS = CASE_BLOCK / LANES, PLACINGS = 16, AT_ONCE = 8, TILES = 64, SECTIONS = 27 };

/* Registers of the program: the operands, the mask of the result, the result. */
enum { REG_A = 8, REG_B = 12, REG_C = 16, REG_MASK = 20, REG_D = 24 };

struct mma_case {
  const char *name;
  struct heddle_isa_word word;
  size_t warps;
  uint32_t (*a)[LANES][4], (*b)[LANES][2], (*c)[LANES][4], (*d)[LANES][4]; /* a warp each; d: where not masked */
  uint32_t mask[PLACINGS][LANES][4];
};

static uint64_t little_endian(const uint8_t *p, size_t bytes) {
  uint64_t v = 0;
  for (size_t i = bytes; i-- > 0;) v = v << 8 | p[i];
  return v;
}

static void begin(struct mma_case *m, const char *name, size_t vectors) {
  *m = (struct mma_case){.name = name};
  if (!matrix_word(name, &m->word)) fail_msg("no instruction for %s", name);
  m->warps = (vectors + WARPS - 1) / WARPS * WARPS;
  m->a = calloc(m->warps, sizeof *m->a);
  m->b = calloc(m->warps, sizeof *m->b);
  m->c = calloc(m->warps, sizeof *m->c);
  m->d = calloc(m->warps, sizeof *m->d);
  assert_true(m->a != NULL && m->b != NULL && m->c != NULL && m->d != NULL);
}

/* Rows of words to lanes of words. */
static void warp_put(struct mma_case *m, size_t warp, const struct matrices *x) {
  static struct rows r;
  fragments_put(&r, x);
  for (unsigned lane = 0; lane < LANES; lane++) {
    m->a[warp][lane][0] = r.a[lane];
    for (unsigned k = 1; k < 4; k++) m->a[warp][lane][k] = r.a_up[k - 1][lane];
    m->b[warp][lane][0] = r.b[lane];
    m->b[warp][lane][1] = r.b_up[0][lane];
    for (unsigned k = 0; k < 4; k++) {
      m->c[warp][lane][k] = r.c[k][lane];
      m->d[warp][lane][k] = r.d[k][lane];
    }
  }
}

static void mask_put(struct mma_case *m, unsigned placing, const struct matrices *x) {
  static struct rows r;
  fragments_put(&r, x);
  for (unsigned lane = 0; lane < LANES; lane++)
    for (unsigned k = 0; k < 4; k++) m->mask[placing][lane][k] = r.d[k][lane];
}

/* Thread n: A at a + 16 n, B at b + 8 n, C at c + 16 n, its warp's mask, D at d + 16 n. */
static void write_program(const struct case_folder *f, const struct mma_case *m, const char *file) {
  char word[256], text[2048], load[5][128];
  static const struct {
    const char *param, *size;
    unsigned bytes, reg;
  } part[4] = {
      {"a", ".128", 16, REG_A}, {"b", ".64", 8, REG_B}, {"c", ".128", 16, REG_C}, {"mask", ".128", 16, REG_MASK}};
  struct heddle_isa_word w = heddle_isa_put(heddle_isa_put(m->word, ISA_F_RD, REG_D), ISA_F_RA, REG_A);
  w = heddle_isa_put(heddle_isa_put(w, ISA_F_RB, REG_B), ISA_F_RC, REG_C);
  if (heddle_disassemble(w, 0, word, sizeof word) == 0) fail_msg("%s: no text of its word", m->name);
  for (unsigned k = 0; k < 4; k++)
    (void)snprintf(
        load[k], sizeof load[k],
        "MOV R2, c[0x0][%s] ;\nMOV R3, c[0x0][%s+4] ;\nIMAD.WIDE.U32 R2, R%u, %u, R2 ;\nLDG.E%s R%u, [R2] ;\n",
        part[k].param, part[k].param, k == 3 ? 1u : 0u, part[k].bytes, part[k].size, part[k].reg);
  (void)snprintf(text, sizeof text,
                 ".kernel mma\n.param u64 a\n.param u64 b\n.param u64 c\n.param u64 mask\n.param u64 d\n"
                 "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nIMAD R0, R1, c[0x0][0x0], R0 ;\n"
                 "LOP3.LUT R1, R0, 0x%x, RZ, 0xc0 ;\n%s%s%s%s"
                 "MOV R24, RZ ;\nMOV R25, RZ ;\nMOV R26, RZ ;\nMOV R27, RZ ;\n%s ;\n"
                 "LOP3.LUT R24, R24, R20, RZ, 0xc0 ;\nLOP3.LUT R25, R25, R21, RZ, 0xc0 ;\n"
                 "LOP3.LUT R26, R26, R22, RZ, 0xc0 ;\nLOP3.LUT R27, R27, R23, RZ, 0xc0 ;\n"
                 "MOV R2, c[0x0][d] ;\nMOV R3, c[0x0][d+4] ;\nIMAD.WIDE.U32 R2, R0, 16, R2 ;\n"
                 "STG.E.128 [R2], R24 ;\nEXIT ;\n.end\n",
                 PLACINGS * LANES - 1, load[0], load[1], load[2], load[3], word);
  case_source(f, file, "s", text);
}

static void end(struct case_folder *f, struct mma_case *m, const char *name) {
  char file[64];
  write_program(f, m, name);
  (void)snprintf(file, sizeof file, "%s.s", name);
  json_t *c = case_new(f, name, file, "mma", m->warps / WARPS, CASE_BLOCK);
  case_input(f, c, 'a', "u32", m->a, m->warps * LANES * 4);
  case_input(f, c, 'b', "u32", m->b, m->warps * LANES * 2);
  case_input(f, c, 'c', "u32", m->c, m->warps * LANES * 4);
  case_input(f, c, 'm', "u32", m->mask, PLACINGS * LANES * 4);
  case_output(f, c, 'd', "u32", m->d, m->warps * LANES * 4);
  free(m->a);
  free(m->b);
  free(m->c);
  free(m->d);
}

/* ---- dot products ---- */

struct section {
  char name[25];
  struct shape shape;
  uint32_t count;
  const uint8_t *record;
  size_t record_bytes;
};

/* The section's records follow its head at p; the bytes that both have, at most `left`. */
static size_t section_read(struct section *s, const uint8_t *p, size_t left) {
  enum { HEAD = 40 };
  if (left < HEAD) fail_msg("vectors.bin ends within a section");
  memcpy(s->name, p, 24);
  s->name[24] = '\0';
  const uint32_t k = (uint32_t)little_endian(p + 24, 4), ab = (uint32_t)little_endian(p + 28, 4);
  const uint32_t cd = (uint32_t)little_endian(p + 32, 4);
  s->count = (uint32_t)little_endian(p + 36, 4);
  if (k > 32 || ab > 8 || cd > 8) fail_msg("vectors.bin: sizes of %s", s->name);
  s->shape = (struct shape){.m = ab == 8 ? 8 : 16, .n = 8, .k = k, .bits_ab = 8 * ab, .bits_cd = 8 * cd};
  s->record = p + HEAD;
  s->record_bytes = 2 * (size_t)k * ab + 2 * (size_t)cd;
  if (s->count == 0 || s->count > (left - HEAD) / s->record_bytes) fail_msg("vectors.bin ends within %s", s->name);
  return HEAD + s->count * s->record_bytes;
}

/* Record n as row i of A and column j of B, at (i, j) of C and D. */
static void record_put(const struct section *s, uint32_t n, struct matrices *m, unsigned i, unsigned j) {
  const uint8_t *p = s->record + n * s->record_bytes;
  const size_t ab = s->shape.bits_ab / 8, cd = s->shape.bits_cd / 8, k = s->shape.k;
  for (unsigned q = 0; q < k; q++) {
    m->a[i][q] = little_endian(p + q * ab, ab);
    m->b[q][j] = little_endian(p + (k + q) * ab, ab);
  }
  m->c[i][j] = little_endian(p + 2 * k * ab, cd);
  m->d[i][j] = little_endian(p + 2 * k * ab + cd, cd);
}

/* Of the q-th of eight: all 128 places, each once, in sixteen placings (of eight rows: twice). */
static unsigned place_row(unsigned placing, unsigned q, unsigned rows) {
  return (q + 8 * (placing & 1)) % rows;
}

static unsigned place_column(unsigned placing, unsigned q) {
  return (q + placing / 2) % 8;
}

static void make_section(struct case_folder *f, const struct section *s) {
  static struct matrices x;
  struct mma_case m;
  begin(&m, s->name, (s->count + AT_ONCE - 1) / AT_ONCE);
  for (size_t warp = 0; warp < m.warps; warp++) {
    const unsigned placing = (unsigned)(warp % PLACINGS);
    x = (struct matrices){.shape = s->shape};
    for (unsigned q = 0; q < AT_ONCE; q++)
      record_put(s, (uint32_t)((warp * AT_ONCE + q) % s->count), &x, place_row(placing, q, s->shape.m),
                 place_column(placing, q));
    warp_put(&m, warp, &x);
  }
  for (unsigned placing = 0; placing < PLACINGS; placing++) {
    x = (struct matrices){.shape = s->shape};
    for (unsigned q = 0; q < AT_ONCE; q++)
      x.d[place_row(placing, q, s->shape.m)][place_column(placing, q)] = UINT64_MAX >> (64 - s->shape.bits_cd);
    mask_put(&m, placing, &x);
  }
  end(f, &m, s->name);
}

static void make_sections(struct case_folder *f, const char *silicon) {
  enum { BYTES = 2657092 };
  char path[1024];
  (void)snprintf(path, sizeof path, "%s/mma/vectors.bin", silicon);
  uint8_t *all = form_file_bytes(path, BYTES);
  size_t at = 12;
  assert_memory_equal(all, "MMAV1\0\0", 8);
  const uint32_t sections = (uint32_t)little_endian(all + 8, 4);
  assert_int_equal(sections, SECTIONS);
  for (uint32_t n = 0; n < sections; n++) {
    struct section s;
    at += section_read(&s, all + at, BYTES - at);
    make_section(f, &s);
  }
  assert_int_equal(at, BYTES);
  free(all);
}

/* ---- whole tiles: FP8 of two formats; A (16 x 32) and B (32 x 8) u8, C and D (16 x 8) u32, by rows ---- */

static void make_tiles(struct case_folder *f, const char *silicon, const char *name, const char *file) {
  enum { K = 32, TILE = 16 * K + K * 8 + 2 * 16 * 8 * 4 };
  static struct matrices x = {.shape = {16, 8, K, 8, 32}};
  struct mma_case m;
  char path[1024];
  (void)snprintf(path, sizeof path, "%s/mma/%s", silicon, file);
  uint8_t *all = form_file_bytes(path, (size_t)TILES * TILE);
  begin(&m, name, TILES);
  for (unsigned n = 0; n < TILES; n++) {
    const uint8_t *a = all + (size_t)n * TILE, *b = a + 16 * K, *c = b + K * 8, *d = c + 16 * 8 * 4;
    for (unsigned k = 0; k < K; k++) {
      for (unsigned i = 0; i < 16; i++) x.a[i][k] = a[i * K + k];
      for (unsigned j = 0; j < 8; j++) x.b[k][j] = b[k * 8 + j];
    }
    for (unsigned i = 0; i < 16; i++)
      for (unsigned j = 0; j < 8; j++) {
        x.c[i][j] = little_endian(c + 4 * (i * 8 + j), 4);
        x.d[i][j] = little_endian(d + 4 * (i * 8 + j), 4);
      }
    warp_put(&m, n, &x);
  }
  memset(m.mask, 0xff, sizeof m.mask);
  end(f, &m, name);
  free(all);
}

/* ---- wmma, sums and results of two types: A by rows, B by columns, C, D by rows ---- */

static const char wmma_text[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry wmma(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd) {\n"
    ".reg .b32 %%a<8>, %%b<8>, %%c<8>, %%d<8>, %%tile; .reg .b64 %%at, %%bt, %%ct, %%dt;\n"
    "mov.u32 %%tile, %%ctaid.x;\n"
    "ld.param.u64 %%at, [pa]; mad.wide.u32 %%at, %%tile, 512, %%at;\n"
    "ld.param.u64 %%bt, [pb]; mad.wide.u32 %%bt, %%tile, 512, %%bt;\n"
    "ld.param.u64 %%ct, [pc]; mad.wide.u32 %%ct, %%tile, %u, %%ct;\n"
    "ld.param.u64 %%dt, [pd]; mad.wide.u32 %%dt, %%tile, %u, %%dt;\n"
    "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 %s, [%%at];\n"
    "wmma.load.b.sync.aligned.col.m16n16k16.global.f16 %s, [%%bt];\n"
    "wmma.load.c.sync.aligned.row.m16n16k16.global.f%u %s, [%%ct];\n"
    "wmma.mma.sync.aligned.row.col.m16n16k16.f%u.f%u %s, %s, %s, %s;\n"
    "wmma.store.d.sync.aligned.row.m16n16k16.global.f%u [%%dt], %s;\nret; }\n";

static const char *registers(char name, unsigned n, char text[64]) {
  size_t used = 0;
  for (unsigned k = 0; k < n; k++) used += (size_t)snprintf(text + used, 64 - used, "%s%%%c%u", k ? "," : "{", name, k);
  (void)snprintf(text + used, 64 - used, "}");
  return text;
}

/* bits: of an element of D and C. */
static void make_wmma(struct case_folder *f, const char *silicon, const char *name, unsigned d_bits, unsigned c_bits) {
  enum { SIDE = 16, PLACES = SIDE * SIDE, HALVES = PLACES * 2 };
  const size_t c_bytes = PLACES * c_bits / 8, d_bytes = PLACES * d_bits / 8, tile = 2 * HALVES + c_bytes + d_bytes;
  char path[1024], text[2048], a[64], b[64], c[64], d[64], file[64];
  (void)snprintf(path, sizeof path, "%s/mma/%s.bin", silicon, name);
  uint8_t *all = form_file_bytes(path, TILES * tile), *part[4];
  const size_t bytes[4] = {HALVES, HALVES, c_bytes, d_bytes};
  for (unsigned k = 0, at = 0; k < 4; at += (unsigned)bytes[k++]) {
    part[k] = malloc(TILES * bytes[k]);
    assert_non_null(part[k]);
    for (unsigned n = 0; n < TILES; n++) memcpy(part[k] + n * bytes[k], all + n * tile + at, bytes[k]);
  }
  registers('a', 8, a);
  registers('b', 8, b);
  registers('c', c_bits / 4, c);
  registers('d', d_bits / 4, d);
  (void)snprintf(text, sizeof text, wmma_text, (unsigned)c_bytes, (unsigned)d_bytes, a, b, c_bits, c, d_bits, c_bits, d,
                 a, b, c, d_bits, d);
  case_source(f, name, "ptx", text);
  (void)snprintf(file, sizeof file, "%s.ptx", name);
  json_t *j = case_new(f, name, file, "wmma", TILES, LANES);
  const char *type[2] = {c_bits == 16 ? "u16" : "u32", d_bits == 16 ? "u16" : "u32"};
  case_input(f, j, 'a', "u16", part[0], (size_t)TILES * PLACES);
  case_input(f, j, 'b', "u16", part[1], (size_t)TILES * PLACES);
  case_input(f, j, 'c', type[0], part[2], (size_t)TILES * PLACES);
  case_output(f, j, 'd', type[1], part[3], (size_t)TILES * PLACES);
  for (unsigned k = 0; k < 4; k++) free(part[k]);
  free(all);
}

void make_mma_cases(const char *silicon, const char *dir) {
  struct case_folder f;
  case_folder_open(&f, dir, "mma");
  make_sections(&f, silicon);
  make_tiles(&f, silicon, "e4m3e5m2_f32", "e4m3_e5m2.bin");
  make_tiles(&f, silicon, "e5m2e4m3_f32", "e5m2_e4m3.bin");
  make_wmma(&f, silicon, "wmma_f16_f32", 16, 32);
  make_wmma(&f, silicon, "wmma_f32_f16", 32, 16);
  case_folder_close(&f);
}
