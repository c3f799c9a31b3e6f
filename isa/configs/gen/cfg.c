/* SPDX-License-Identifier: Apache-2.0 */
#include "cfg.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/host_regs.h>

#define KEY_NAME(NAME, name, least, largest, pow2) #name,
const char *const cfg_key_names[CFG_KEYS] = {CFG_KEY_LIST(KEY_NAME)};

#define PIPE_NAME(NAME, name, bit) {#name, CFG_PIPE_##NAME},
const struct cfg_pipe_name cfg_pipe_names[CFG_PIPES] = {CFG_PIPE_LIST(PIPE_NAME)};

#define KEY_RANGE(NAME, name, least, largest, pow2) {least, largest, pow2},
const struct cfg_range cfg_ranges[CFG_KEYS] = {CFG_KEY_LIST(KEY_RANGE)};

static bool set_int(struct cfg *c, unsigned key, const struct line *l, struct diag *d) {
  uint64_t v = 0;
  const char *name = cfg_key_names[key];
  if (l->n != 3 || !text_number(l->word[2], &v)) return diag_fail(d, l->at, "'%s': expected a number", name);
  if (v < cfg_ranges[key].low || v > cfg_ranges[key].high)
    return diag_fail(d, l->at, "%s = %s is out of range; use %u to %u", name, l->word[2], cfg_ranges[key].low,
                     cfg_ranges[key].high);
  if (cfg_ranges[key].pow2 && (v & (v - 1)) != 0)
    return diag_fail(d, l->at, "%s = %s is not a power of two", name, l->word[2]);
  c->value[key] = (unsigned)v;
  return true;
}

static bool set_sched(struct cfg *c, const struct line *l, struct diag *d) {
  static const char *const names[] = {HEDDLE_POLICY_NAMES};
  enum { POLICIES = sizeof names / sizeof *names };
  unsigned i = HEDDLE_POLICY_DEFAULT + 1;
  while (l->n == 3 && i < POLICIES && strcmp(names[i], l->word[2]) != 0) i++;
  if (l->n != 3 || i == POLICIES) return diag_fail(d, l->at, "'sched': expected one of: " HEDDLE_POLICY_CHOICES);
  c->sched = i;
  return true;
}

/* The names of all pipes in a row. */
static const char *pipe_list(char *to, size_t size) {
  size_t n = 0;
  for (unsigned i = 0; i < CFG_PIPES && n < size; i++)
    n += (size_t)snprintf(to + n, size - n, "%s%s", i == 0 ? "" : ", ", cfg_pipe_names[i].name);
  return to;
}

static bool set_pipes(struct cfg *c, const struct line *l, struct diag *d) {
  char list[128];
  c->pipes = 0; /* not those of the file that this one extends */
  for (unsigned w = 2; w < l->n; w++) {
    unsigned i = 0;
    while (i < CFG_PIPES && strcmp(cfg_pipe_names[i].name, l->word[w]) != 0) i++;
    if (i == CFG_PIPES)
      return diag_fail(d, l->at, "pipe '%s' is unknown; use %s", l->word[w], pipe_list(list, sizeof list));
    const unsigned pipe = (unsigned)cfg_pipe_names[i].pipe;
    if ((c->pipes & pipe) != 0) return diag_fail(d, l->at, "pipe '%s' is listed twice; remove one", l->word[w]);
    c->pipes |= pipe;
  }
  return (c->pipes & CFG_PIPE_ALU) != 0 ? true : diag_fail(d, l->at, "'pipes' must contain alu");
}

static bool set_divergence(struct cfg *c, const struct line *l, struct diag *d) {
  c->its = l->n == 4 && strcmp(l->word[3], "its") == 0;
  if (strcmp(l->word[2], "stack") == 0 && (l->n == 3 || c->its)) return true;
  return diag_fail(d, l->at, "'divergence': expected stack, or stack its");
}

/* Keys from CFG_KEYS on are not numbers. */
static const struct {
  const char *name;
  bool (*set)(struct cfg *c, const struct line *l, struct diag *d);
} words[] = {{"sched", set_sched}, {"pipes", set_pipes}, {"divergence", set_divergence}};
enum { KEYS = CFG_KEYS + sizeof words / sizeof *words };

static const char *key_name(unsigned k) {
  return k < CFG_KEYS ? cfg_key_names[k] : words[k - CFG_KEYS].name;
}

/* A file and those that it extends, one by one. */
enum { DEPTH = 4, PATH = 512 };
struct reader {
  struct cfg *c;
  struct pos seen[KEYS]; /* where each key was given last */
  char path[DEPTH][PATH];
  unsigned depth;
  struct diag *d;
};

static bool parse_key(struct reader *r, const struct line *l, struct pos *here) {
  unsigned k = 0;
  while (k < KEYS && strcmp(key_name(k), l->word[0]) != 0) k++;
  if (k == KEYS) return diag_fail(r->d, l->at, "key '%s' is unknown; see isa/configs/README.md", l->word[0]);
  if (l->n < 3 || strcmp(l->word[1], "=") != 0)
    return diag_fail(r->d, l->at, "expected '%s = VALUE' with spaces around the =", l->word[0]);
  if (here[k].line != 0)
    return diag_fail(r->d, l->at, "key '%s' is given twice (first at line %u); remove one", l->word[0], here[k].line);
  here[k] = r->seen[k] = l->at;
  return k < CFG_KEYS ? set_int(r->c, k, l, r->d) : words[k - CFG_KEYS].set(r->c, l, r->d);
}

static unsigned read_file(struct reader *r, const char *path);

/* `extends = tiny`: tiny.cfg beside this file, read before the rest of it. */
static bool read_base(struct reader *r, const struct line *l, const char *path) {
  char *to = r->path[r->depth % DEPTH];
  const char *base = strrchr(path, '/');
  const int folder = base == NULL ? 0 : (int)(base + 1 - path);
  if (l->n != 3 || strcmp(l->word[1], "=") != 0 || !text_is_name(l->word[2]))
    return diag_fail(r->d, l->at, "expected 'extends = NAME', of a file NAME.cfg beside this one");
  if (r->depth == DEPTH) return diag_fail(r->d, l->at, "extends: %u files at most, each of another", DEPTH);
  if (snprintf(to, PATH, "%.*s%s.cfg", folder, path, l->word[2]) >= PATH)
    return diag_fail(r->d, l->at, "extends: the path is too long");
  r->depth++;
  (void)read_file(r, to);
  return !r->d->failed;
}

/* Keys of a file: each once, and what it extends before all of them. The number of lines; positions keep `path`. */
static unsigned read_file(struct reader *r, const char *path) {
  struct pos here[KEYS] = {0};
  const struct pos at = {path, 0};
  char *text = text_read(path, at, r->d);
  struct line *l = malloc(sizeof *l);
  unsigned lines = 0;
  bool first = true;
  if (l == NULL) diag_fail(r->d, at, "out of memory");
  if (!r->d->failed) {
    const char *cursor = text;
    l->at = at;
    while (!r->d->failed && text_line(&cursor, l, r->d)) {
      lines = l->at.line;
      if (l->n == 0) continue;
      if (strcmp(l->word[0], "extends") != 0)
        (void)parse_key(r, l, here);
      else if (first)
        (void)read_base(r, l, path);
      else
        diag_fail(r->d, l->at, "'extends' comes before all keys");
      first = false;
    }
  }
  free(l);
  free(text);
  return lines;
}

static bool name_from_path(const char *path, struct cfg *c, struct diag *d) {
  const char *base = strrchr(path, '/');
  base = base == NULL ? path : base + 1;
  size_t n = strlen(base);
  struct pos at = {path, 0};
  if (n < 5 || strcmp(base + n - 4, ".cfg") != 0 || n - 4 >= sizeof c->name)
    return diag_fail(d, at, "a configuration file is named NAME.cfg");
  memcpy(c->name, base, n - 4);
  c->name[n - 4] = '\0';
  return text_is_name(c->name) && strchr(c->name, '.') == NULL
             ? true
             : diag_fail(d, at, "'%s' is not a name; use letters, digits and '_'", c->name);
}

static void hash_config(struct cfg *c) {
  char buf[128];
  c->hash = c->latency_hash = TEXT_HASH_START;
  for (unsigned k = 0; k < CFG_KEYS; k++) {
    (void)snprintf(buf, sizeof buf, "%s=%u\n", cfg_key_names[k], c->value[k]);
    c->hash = text_hash(c->hash, buf);
    if (k >= CFG_LATENCY_ALU) c->latency_hash = text_hash(c->latency_hash, buf);
  }
  (void)snprintf(buf, sizeof buf, "sched=%u\npipes=%u\nits=%u\n", c->sched - 1, c->pipes, c->its);
  c->hash = text_hash(c->hash, buf);
}

/* Warps and registers are given for the SM and belong to partitions in equal parts. */
static void check_partitions(const struct cfg *c, const struct pos *seen, struct diag *d) {
  const unsigned parts = c->value[CFG_PARTITIONS];
  if (c->value[CFG_WARPS] % parts != 0)
    diag_fail(d, seen[CFG_WARPS], "warps = %u is not a multiple of partitions = %u", c->value[CFG_WARPS], parts);
  else if (c->value[CFG_REGS] % (parts * c->value[CFG_BANKS]) != 0)
    diag_fail(d, seen[CFG_REGS], "regs = %u is not a multiple of partitions x banks = %u", c->value[CFG_REGS],
              parts * c->value[CFG_BANKS]);
}

/* Pipes alu, fma and cvt work a beat in passes of their lanes. */
static void check_pipe_lanes(const struct cfg *c, unsigned key, const struct pos *seen, struct diag *d) {
  if (c->value[key] > c->value[CFG_LANES])
    diag_fail(d, seen[key], "%s = %u is more than lanes = %u", cfg_key_names[key], c->value[key], c->value[CFG_LANES]);
}

/* Pipe fma has five ranks or six, and a cycle for each further pass of a beat. */
static void check_fma(const struct cfg *c, const struct pos *seen, struct diag *d) {
  const unsigned latency = c->value[CFG_LATENCY_FMA], passes = c->value[CFG_LANES] / c->value[CFG_FMA_LANES];
  if (latency != passes + 5 && latency != passes + 6)
    diag_fail(d, seen[CFG_LATENCY_FMA], "latency_fma = %u is no depth of pipe fma; use %u or %u", latency, passes + 5,
              passes + 6);
}

/* Shared memory serves a row of the load/store unit in passes of all lanes that meet no other in a bank, or lane by
 * lane; the latter is for the smallest machine alone: it knows rows of four, and adds no floats. */
static void check_shared_lanes(const struct cfg *c, const struct pos *seen, struct diag *d) {
  const unsigned n = c->value[CFG_SHARED_LANES], lanes = c->value[CFG_LSU_LANES];
  const struct pos at = seen[CFG_SHARED_LANES];
  if (n != 1 && n != lanes)
    diag_fail(d, at, "shared_lanes = %u is neither 1 nor lsu_lanes = %u", n, lanes);
  else if (n == 1 && lanes != 4)
    diag_fail(d, at, "shared_lanes = 1, but lsu_lanes = %u; use 4 there, or %u here", lanes, lanes);
  else if (n == 1 && (c->pipes & CFG_PIPE_FATOM) != 0)
    diag_fail(d, at, "shared_lanes = 1, but 'pipes' names fatom; use %u", lanes);
}

/* Predicates of half come with those of alu, through one port: not after passes. */
static void check_half(const struct cfg *c, const struct pos *seen, struct diag *d) {
  if ((c->pipes & CFG_PIPE_HALF) != 0 && c->value[CFG_ALU_LANES] != c->value[CFG_LANES])
    diag_fail(d, seen[CFG_ALU_LANES], "alu_lanes = %u is less than lanes = %u, but 'pipes' names half; use %u",
              c->value[CFG_ALU_LANES], c->value[CFG_LANES], c->value[CFG_LANES]);
}

/* Rows wait in queues in front of pipes that make passes; half has no place behind one. */
static void check_queues(const struct cfg *c, const struct pos *seen, struct diag *d) {
  const unsigned *v = c->value, n = v[CFG_ROW_QUEUES], lanes = v[CFG_LANES];
  if (n == 0) return;
  if (v[CFG_ALU_LANES] == lanes && v[CFG_FMA_LANES] == lanes && v[CFG_CVT_LANES] == lanes)
    diag_fail(d, seen[CFG_ROW_QUEUES], "row_queues = %u, but no pipe has fewer lanes than lanes = %u; use 0", n, lanes);
  else if ((c->pipes & (CFG_PIPE_HALF | CFG_PIPE_UNI)) != 0)
    diag_fail(d, seen[CFG_ROW_QUEUES], "row_queues = %u, but 'pipes' names half or uni; use 0", n);
}

/* Two instructions are read at a time: each takes four beats or more, in which the next one is on its way to its line.
 */
static void check_lines(const struct cfg *c, const struct pos *seen, struct diag *d) {
  const unsigned *v = c->value;
  if (v[CFG_OPERAND_LINES] == 1) return;
  if (v[CFG_LANES] > 8)
    diag_fail(d, seen[CFG_OPERAND_LINES], "operand_lines = 2, but lanes = %u is more than 8; use 1", v[CFG_LANES]);
  else if (v[CFG_ROW_QUEUES] != 0)
    diag_fail(d, seen[CFG_OPERAND_LINES], "operand_lines = 2, but row_queues = %u; use 1", v[CFG_ROW_QUEUES]);
  else if ((c->pipes & CFG_PIPE_UNI) != 0)
    diag_fail(d, seen[CFG_OPERAND_LINES], "operand_lines = 2, but 'pipes' names uni; use 1");
}

/* A unit with lanes of its own: as many as a partition at most, and none where there is no such unit. */
static void check_unit_lanes(const struct cfg *c, unsigned key, enum cfg_pipe pipe, const struct pos *seen,
                             struct diag *d) {
  const unsigned n = c->value[key];
  const char *name = cfg_key_names[key];
  if ((c->pipes & (unsigned)pipe) == 0 && n != 0)
    diag_fail(d, seen[key], "%s = %u, but 'pipes' does not name this unit; use 0, or name it", name, n);
  else if ((c->pipes & (unsigned)pipe) != 0 && n == 0)
    diag_fail(d, seen[key], "%s = 0, but 'pipes' names this unit; use 1 to lanes", name);
  else if (n > c->value[CFG_LANES])
    diag_fail(d, seen[key], "%s = %u is more than lanes = %u", name, n, c->value[CFG_LANES]);
}

/* The matrix unit makes 128 / tensor_cycles sums a cycle: those of four lanes at least, and of a beat at most. */
static void check_tensor(const struct cfg *c, const struct pos *seen, struct diag *d) {
  const bool there = (c->pipes & CFG_PIPE_TENSOR) != 0;
  const unsigned n = c->value[CFG_TENSOR_CYCLES], lanes = c->value[CFG_LANES];
  const unsigned least = lanes < 16 ? 128 / lanes : 8;
  if (!there && n != 0)
    diag_fail(d, seen[CFG_TENSOR_CYCLES], "tensor_cycles = %u, but 'pipes' does not name tensor; use 0, or name it", n);
  else if (there && n < least)
    diag_fail(d, seen[CFG_TENSOR_CYCLES], "tensor_cycles = %u is too small for tensor in %u lanes; use %u to 32", n,
              lanes, least);
  else if (there && c->value[CFG_COLLECTORS] < 3)
    diag_fail(d, seen[CFG_COLLECTORS], "collectors = %u, but a matrix instruction takes 3; use 3 or more",
              c->value[CFG_COLLECTORS]);
}

/* Numbers of a pipe that not every machine has: 1 or more where it is there; where it is not 0, or left out. */
static const struct {
  unsigned key, pipe; /* its place in cfg_pipe_names */
} optional[] = {{CFG_STALL_UNI_REG, CFG_NUMBER_UNI},
#define FIXED_OPTIONAL(NAME, always, lanes)                                                                            \
  {(always) ? CFG_KEYS : CFG_LATENCY_##NAME, CFG_NUMBER_##NAME},                                                       \
      {(always) ? CFG_KEYS : CFG_STALL_##NAME##_REG, CFG_NUMBER_##NAME},
                CFG_FIXED_LIST(FIXED_OPTIONAL)};
enum { OPTIONAL = sizeof optional / sizeof *optional };

static bool has_pipe(const struct cfg *c, unsigned number) {
  return (c->pipes & (unsigned)cfg_pipe_names[number].pipe) != 0;
}

static bool may_miss(const struct cfg *c, unsigned key) {
  for (unsigned i = 0; i < OPTIONAL; i++)
    if (optional[i].key == key) return !has_pipe(c, optional[i].pipe);
  return false;
}

static void check_optional(const struct cfg *c, const struct pos *seen, struct diag *d) {
  for (unsigned i = 0; i < OPTIONAL && !d->failed; i++) {
    const unsigned key = optional[i].key;
    const bool there = has_pipe(c, optional[i].pipe);
    if (key == CFG_KEYS || there == (c->value[key] != 0)) continue;
    diag_fail(d, seen[key], "%s = %u, but 'pipes' %s %s; use %s", cfg_key_names[key], c->value[key],
              there ? "names" : "does not name", cfg_pipe_names[optional[i].pipe].name, there ? "1 or more" : "0");
  }
}

/* The cache of loads: lines of 128 bytes in sets of some ways; 0 and 0 where there is none. */
static void check_l1(const struct cfg *c, const struct pos *seen, struct diag *d) {
  const unsigned bytes = c->value[CFG_L1_BYTES], ways = c->value[CFG_L1_WAYS];
  if ((bytes == 0) != (ways == 0))
    diag_fail(d, seen[CFG_L1_WAYS], "l1_ways = %u, but l1_bytes = %u; use 0 for both, or for none", ways, bytes);
  else if (bytes != 0 && bytes < 256 * ways)
    diag_fail(d, seen[CFG_L1_BYTES], "l1_bytes = %u is too small for l1_ways = %u; use %u or more", bytes, ways,
              256 * ways);
  else if (bytes != 0 && c->value[CFG_AXI_BITS] > 256)
    diag_fail(d, seen[CFG_L1_BYTES], "l1_bytes = %u needs axi_bits of 256 or less; it is %u", bytes,
              c->value[CFG_AXI_BITS]);
}

/* The cache of all SMs, in banks by line: lines of 128 bytes in sets of some ways, two sets of a bank or more; 0 and 0
 * where there is none. Its banks have the ports to memory between them. */
static void check_l2(const struct cfg *c, const struct pos *seen, struct diag *d) {
  const unsigned bytes = c->value[CFG_L2_BYTES], ways = c->value[CFG_L2_WAYS], banks = c->value[CFG_L2_BANKS],
                 ports = c->value[CFG_AXI_PORTS];
  if ((bytes == 0) != (ways == 0))
    diag_fail(d, seen[CFG_L2_WAYS], "l2_ways = %u, but l2_bytes = %u; use 0 for both, or for none", ways, bytes);
  else if (bytes == 0 && banks != 1)
    diag_fail(d, seen[CFG_L2_BANKS], "l2_banks = %u, but l2_bytes = 0; use 1", banks);
  else if (bytes != 0 && bytes < 256 * ways * banks)
    diag_fail(d, seen[CFG_L2_BYTES], "l2_bytes = %u is too small for %u banks of %u ways; use %u or more", bytes, banks,
              ways, 256 * ways * banks);
  else if (bytes != 0 && c->value[CFG_AXI_BITS] > 256)
    diag_fail(d, seen[CFG_L2_BYTES], "l2_bytes = %u needs axi_bits of 256 or less; it is %u", bytes,
              c->value[CFG_AXI_BITS]);
  else if (bytes != 0 && c->value[CFG_AXI_BITS] < 64)
    diag_fail(d, seen[CFG_L2_BYTES], "l2_bytes = %u needs axi_bits of 64 or more; it is %u", bytes,
              c->value[CFG_AXI_BITS]);
  else if (ports > banks)
    diag_fail(d, seen[CFG_AXI_PORTS], "axi_ports = %u, but l2_banks = %u; a port has a bank or more", ports, banks);
}

/* The ring of host registers that says how launches ended is of eight. */
static void check_queue(const struct cfg *c, const struct pos *seen, struct diag *d) {
  const unsigned v = c->value[CFG_LAUNCH_QUEUE];
  if (v != 0 && v != 8) diag_fail(d, seen[CFG_LAUNCH_QUEUE], "launch_queue = %u; use 0 or 8", v);
}

/* Instructions that wait for pages keep their slots; those of other warps go on. */
static void check_mmu(const struct cfg *c, const struct pos *seen, struct diag *d) {
  const unsigned slots = c->value[CFG_GMEM_SLOTS], warps = c->value[CFG_WARPS];
  if (c->value[CFG_MMU] == 0) return;
  if (slots < 2 * warps)
    diag_fail(d, seen[CFG_MMU], "mmu = 1 needs gmem_slots of %u or more, two a warp; it is %u", 2 * warps, slots);
  else if (c->value[CFG_LAUNCH_QUEUE] == 0)
    diag_fail(d, seen[CFG_MMU], "mmu = 1, but launch_queue = 0; use 8");
}

/* A group of instructions is asked for when all of it has room, and the next one before it is used up. */
static void check_fetch(const struct cfg *c, const struct pos *seen, struct diag *d) {
  const unsigned words = c->value[CFG_FETCH_WORDS];
  if (c->value[CFG_IBUF] < 2 * words)
    diag_fail(d, seen[CFG_FETCH_WORDS], "fetch_words = %u needs ibuf = %u or more; ibuf is %u", words, 2 * words,
              c->value[CFG_IBUF]);
}

/* Of a pipe's latency, what stall counts see: they stand still while it makes more than a pass of a beat. */
static unsigned counted(const struct cfg *c, unsigned latency, unsigned lanes) {
  const unsigned still = c->value[CFG_LANES] / c->value[lanes] - 1;
  return c->value[latency] > still ? c->value[latency] - still : 1;
}

/* With row queues a warp issues two cycles after the last row of its instruction left its queue, or later, and counts
 * begin with that: so much later a predicate can be read, and the last row of registers by a row that is read BEATS
 * cycles after the issue. */
static unsigned queued_reg(const struct cfg *c, unsigned latency) {
  const unsigned beats = 32 / c->value[CFG_LANES];
  return c->value[latency] > beats + 1 ? c->value[latency] + 1 - beats : 1;
}

/* A register can be read LATENCY + 2 cycles after its instruction issued, and what follows in the same pipe lane by
 * lane waits a warp's beats anyway. */
static unsigned plain_reg(const struct cfg *c, unsigned latency) {
  const unsigned beats = 32 / c->value[CFG_LANES];
  return latency + 2 > beats ? latency + 2 : 1;
}

/* With two lines of operands rows of what a warp issues next are read right after the last row of the instruction
 * before, a cycle later than that if its count is BEATS + 1; with more it issues two cycles after that row, or later,
 * as its count says, and is read two cycles after its issue. */
static unsigned lines_reg(const struct cfg *c, unsigned latency) {
  const unsigned beats = 32 / c->value[CFG_LANES], n = c->value[latency];
  return n + 2 <= beats ? 1 : n < beats ? beats + 1 : n == beats ? beats + 2 : n + 1;
}

/* The least stall of a pipe's registers; of one that takes all lanes, `lanes` is CFG_KEYS. */
static unsigned least_reg(const struct cfg *c, unsigned latency, unsigned lanes) {
  if (lanes == CFG_KEYS) return plain_reg(c, c->value[latency]);
  if (c->value[CFG_OPERAND_LINES] == 2) return lines_reg(c, latency);
  return c->value[CFG_ROW_QUEUES] != 0 ? queued_reg(c, latency) : plain_reg(c, counted(c, latency, lanes));
}

/* A predicate needs the last beat of its instruction. */
static unsigned least_pred(const struct cfg *c) {
  if (c->value[CFG_ROW_QUEUES] != 0) return c->value[CFG_LATENCY_ALU] + 1; /* as above */
  const unsigned latency =
      c->value[CFG_OPERAND_LINES] == 2 ? c->value[CFG_LATENCY_ALU] : counted(c, CFG_LATENCY_ALU, CFG_ALU_LANES);
  return latency + 2 + 32 / c->value[CFG_LANES];
}

static void check_stall(const struct cfg *c, unsigned key, unsigned least, const struct pos *seen, struct diag *d) {
  if (!d->failed && c->value[key] < least)
    diag_fail(d, seen[key], "%s = %u is too small; the result is there after %u cycles (README.md)", cfg_key_names[key],
              c->value[key], least);
}

static void check_stalls(const struct cfg *c, const struct pos *seen, struct diag *d) {
#define FIXED_STALL(NAME, always, lanes)                                                                               \
  if ((always) || has_pipe(c, CFG_NUMBER_##NAME))                                                                      \
    check_stall(c, CFG_STALL_##NAME##_REG, least_reg(c, CFG_LATENCY_##NAME, lanes), seen, d);
  CFG_FIXED_LIST(FIXED_STALL)
  check_stall(c, CFG_STALL_ALU_PRED, least_pred(c), seen, d);
  /* counted from the issue itself: it reads no beats of operands (rtl/execute/uni.sv) */
  if (has_pipe(c, CFG_NUMBER_UNI)) check_stall(c, CFG_STALL_UNI_REG, 5, seen, d);
}

#define FIXED_ROW(NAME, always, lanes) {always, lanes},
static const struct {
  bool always;
  unsigned lanes;
} fixed[CFG_FIXED] = {CFG_FIXED_LIST(FIXED_ROW)};

/* With two lines of operands fma has one, and all other fixed pipes the other. */
static bool reader_of(const struct cfg *c, unsigned unit) {
  return c->value[CFG_OPERAND_LINES] == 2 && 1u << unit == (unsigned)CFG_PIPE_FMA;
}

static void add_fixed(struct cfg_fixed *f, const struct cfg *c, unsigned name) {
  const unsigned p = f->pipes++, latency = c->value[CFG_LATENCY_ALU + name], lanes = fixed[name].lanes;
  unsigned like = 0; /* the first of its group */
  f->number[name] = p;
  while ((unsigned)cfg_pipe_names[name].pipe >> f->unit[p] != 1) f->unit[p]++;
  f->latency[p] = latency;
  f->passes[p] = lanes == CFG_KEYS ? 1 : c->value[CFG_LANES] / c->value[lanes];
  while (like < p && (c->value[CFG_ROW_QUEUES] != 0 || f->latency[like] != latency ||
                      reader_of(c, f->unit[like]) != reader_of(c, f->unit[p])))
    like++;
  if (like == p) f->leader[f->groups] = p;
  f->group[p] = like == p ? f->groups++ : f->group[like];
}

struct cfg_fixed cfg_fixed(const struct cfg *c) {
  struct cfg_fixed f = {0};
  unsigned spread = 0;
  for (unsigned i = 0; i < CFG_FIXED; i++) {
    f.number[i] = CFG_FIXED;
    if (fixed[i].always || (c->pipes & (unsigned)cfg_pipe_names[i].pipe) != 0) add_fixed(&f, c, i);
  }
  for (unsigned p = 0; p < f.pipes; p++)
    for (unsigned q = 0; q < f.pipes; q++)
      if (f.latency[p] > f.latency[q] + spread) spread = f.latency[p] - f.latency[q];
  /* The last rows of two instructions on the bus are 32 / lanes cycles apart or more: where latencies differ by less,
   * instructions end one at a time. */
  const bool one_bus = c->value[CFG_ROW_QUEUES] == 0 && c->value[CFG_OPERAND_LINES] == 1;
  f.ends = one_bus && spread < 32 / c->value[CFG_LANES] ? 1 : f.groups;
  return f;
}

bool cfg_load(const char *path, struct cfg *c, struct diag *d) {
  memset(c, 0, sizeof *c);
  struct reader r = {.c = c, .d = d};
  const struct pos *seen = r.seen;
  struct pos at = {path, 0};
  if (!name_from_path(path, c, d)) return false;
  at.line = read_file(&r, path);
  for (unsigned k = 0; k < KEYS && !d->failed; k++)
    if (seen[k].line == 0 && !may_miss(c, k))
      diag_fail(d, at, "key '%s' is missing; add '%s = VALUE'", key_name(k), key_name(k));
  if (!d->failed) check_partitions(c, seen, d);
  if (!d->failed) check_pipe_lanes(c, CFG_ALU_LANES, seen, d);
  if (!d->failed) check_pipe_lanes(c, CFG_FMA_LANES, seen, d);
  if (!d->failed) check_pipe_lanes(c, CFG_CVT_LANES, seen, d);
  if (!d->failed) check_fma(c, seen, d);
  if (!d->failed) check_half(c, seen, d);
  if (!d->failed) check_queues(c, seen, d);
  if (!d->failed) check_lines(c, seen, d);
  if (!d->failed) check_shared_lanes(c, seen, d);
  if (!d->failed) check_unit_lanes(c, CFG_SFU_LANES, CFG_PIPE_SFU, seen, d);
  if (!d->failed) check_unit_lanes(c, CFG_FP64_LANES, CFG_PIPE_FP64, seen, d);
  if (!d->failed) check_tensor(c, seen, d);
  if (!d->failed) check_optional(c, seen, d);
  if (!d->failed) check_l1(c, seen, d);
  if (!d->failed) check_l2(c, seen, d);
  if (!d->failed) check_queue(c, seen, d);
  if (!d->failed) check_mmu(c, seen, d);
  if (!d->failed) check_fetch(c, seen, d);
  if (!d->failed) check_stalls(c, seen, d);
  hash_config(c);
  return !d->failed;
}
