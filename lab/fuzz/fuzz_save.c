/* SPDX-License-Identifier: Apache-2.0
 * A shrunk program as files that need no generator. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lab/fuzz/fuzz_shrink.h"
#include <heddle/asm.h>

static void write_chunk(void *file, const char *text) {
  fputs(text, file);
}

static FILE *open_file(const char *path) {
  FILE *f = fopen(path, "w");
  if (!f) tool_error("%s: %s", path, strerror(errno));
  return f;
}

static bool close_file(FILE *f, const char *path) {
  const bool good = !ferror(f);
  if (fclose(f) == 0 && good) return true;
  tool_error("%s: cannot be written: %s", path, strerror(errno));
  return false;
}

static bool has_parameter(const struct heddle_kernel *k, const char *name) {
  for (uint32_t i = 0; i < k->params; i++)
    if (strcmp(k->param[i].name, name) == 0) return true;
  return false;
}

static void put_arguments(FILE *f, const struct fuzz_program *p, const struct heddle_kernel *k, const char *name) {
  for (uint32_t i = 0; i < k->params; i++) {
    const char *what = k->param[i].name;
    const unsigned more = fuzz_more(&p->launch, what);
    if (strcmp(what, "input") == 0)
      fprintf(f, " --arg \"in:$here/%s.bin\"", name);
    else if (more < p->launch.more && p->launch.more_writable >> more & 1)
      fprintf(f, " --arg out:%u:/dev/null", p->launch.more_bytes[more]);
    else if (more < p->launch.more)
      fprintf(f, " --arg \"in:$here/%s.more%u\"", name, more);
    else
      fprintf(f, " --arg out:%zu:/dev/null", p->launch.out_bytes);
  }
}

/* The first buffer lies where they begin. */
static void put_errors(FILE *f, const struct random_launch *l, const struct heddle_program *program) {
  static const char *const from[HEDDLE_ERRORS_IN] = {"", "code+", "bank0+", "bank1+", "bank2+", "bank3+", "local+"};
  const struct heddle_kernel *k = heddle_program_kernel(program, "fuzz");
  const bool out = k->params != 0 && strcmp(k->param[0].name, "out") == 0;
  const struct fuzz_errors e = fuzz_errors(l, program, out ? &l->base : NULL);
  if (e.limit != 0) fprintf(f, " --bus-errors %s0x%" PRIx64 ":%" PRIu64, from[e.in], e.base, e.limit - e.base);
}

static void put_launch(FILE *f, const struct random_launch *l, const char *name) {
  for (unsigned b = 1; b < 3; b++)
    if (l->bank_bytes[b] != 0) fprintf(f, " --bank \"%u:$here/%s.bank%u\"", b, name, b);
  if (l->base != 0) fprintf(f, " --base 0x%" PRIx64, l->base);
  if (l->launches > 1) fprintf(f, " --launches %u%s", l->launches, l->apart ? ":apart" : "");
  if (l->host != 0) fprintf(f, " --host %" PRIu64, l->host);
  if (l->trap != 0) fprintf(f, " --expect-trap %s", heddle_cause_name((enum heddle_cause)l->trap));
}

static void put_comment(FILE *f, const struct fuzz_small *s, const struct fuzz_verdict *v, const char *mark) {
  char signature[SIGNATURE_BYTES], options[400];
  fprintf(f, "%s %s\n", mark, signature_text(&v->diagnosis, signature));
  fprintf(f, "%s %.*s\n", mark, (int)strcspn(v->why, "\n"), v->why);
  if (s->c.other != 0) fprintf(f, "%s other program %u, which ran before\n", mark, s->c.other);
  fprintf(f, "%s program %" PRIu64 " of %s\n", mark, s->c.index, run_repeat_text(&s->c.run, options, sizeof options));
  fprintf(f, "%s %u instructions are left of %u\n", mark, s->instructions, s->before);
  if (s->p.launch.others != 0)
    fprintf(f, "%s It failed behind %u other program(s) on the same device, which are not here: heddle fuzz --only\n",
            mark, s->p.launch.others);
}

static bool save_assembly(const struct fuzz_small *s, const struct fuzz_verdict *v,
                          const struct heddle_program *program, const char *path) {
  FILE *f = open_file(path);
  if (!f) return false;
  fprintf(f, "// SPDX-License-Identifier: Apache-2.0\n");
  put_comment(f, s, v, "//");
  heddle_disassemble_program(program, write_chunk, f);
  return close_file(f, path);
}

/* Who reads the script may be in another folder; what PATH finds it finds there, too. */
static void put_program(FILE *f) {
  char *whole = strchr(tool_program, '/') ? realpath(tool_program, NULL) : NULL;
  fprintf(
      f,
      "# HEDDLE names another heddle than the one that wrote this; options of 'heddle run' may follow: --wave FILE\n");
  fprintf(f, "here=$(dirname \"$0\") heddle=${HEDDLE:-%s}\n", whole ? whole : tool_program);
  free(whole);
}

static bool save_command(const struct fuzz_small *s, const struct fuzz_verdict *v, const struct heddle_program *program,
                         const char *name, const char *path) {
  const uint32_t *g = s->p.launch.grid, *b = s->p.launch.block;
  char options[400];
  FILE *f = open_file(path);
  if (!f) return false;
  fprintf(f, "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n");
  put_comment(f, s, v, "#");
  put_program(f);
  fprintf(f, "\"$heddle\" as --config %s \"$here/%s.s\" -o \"$here/%s.elf\" || exit 2\n", s->c.run.config->name, name,
          name);
  fprintf(f, "exec \"$heddle\" run \"$here/%s.elf\" --kernel fuzz --grid %u,%u,%u --block %u,%u,%u", name, g[0], g[1],
          g[2], b[0], b[1], b[2]);
  put_arguments(f, &s->p, heddle_program_kernel(program, "fuzz"), name);
  put_launch(f, &s->p.launch, name);
  put_errors(f, &s->p.launch, program);
  struct run_options o = s->c.run;
  o.max_cycles = v->max_cycles;
  fprintf(f, " %s \"$@\"\n", run_repeat_text(&o, options, sizeof options));
  if (!close_file(f, path)) return false;
  (void)chmod(path, 0755);
  return true;
}

static bool save_all(const struct fuzz_small *s, const struct fuzz_verdict *v, const struct heddle_program *program,
                     const char *dir, const char *name) {
  char path[4096];
  const struct heddle_kernel *k = heddle_program_kernel(program, "fuzz");
  for (unsigned b = 1; b < 3; b++) {
    if (s->p.launch.bank_bytes[b] == 0) continue;
    (void)snprintf(path, sizeof path, "%s/%s.bank%u", dir, name, b);
    if (!tool_write_file(path, s->p.bank[b], s->p.launch.bank_bytes[b])) return false;
  }
  for (unsigned i = 0; i < s->p.launch.more; i++) {
    char more[16];
    (void)snprintf(more, sizeof more, "more%u", i);
    (void)snprintf(path, sizeof path, "%s/%s.%s", dir, name, more);
    if (has_parameter(k, more) && (s->p.launch.more_writable >> i & 1) == 0 &&
        !tool_write_file(path, s->p.input, s->p.launch.more_bytes[i]))
      return false;
  }
  (void)snprintf(path, sizeof path, "%s/%s.bin", dir, name);
  if (has_parameter(k, "input") && !tool_write_file(path, s->p.input, s->p.launch.input_bytes)) return false;
  (void)snprintf(path, sizeof path, "%s/%s.s", dir, name);
  if (!save_assembly(s, v, program, path)) return false;
  (void)snprintf(path, sizeof path, "%s/%s.sh", dir, name);
  return save_command(s, v, program, name, path);
}

bool fuzz_save(const struct fuzz_small *s, const struct fuzz_verdict *v, const char *dir, char *name, size_t size) {
  if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
    tool_error("%s: %s", dir, strerror(errno));
    return false;
  }
  const struct run_options *o = &s->c.run;
  (void)snprintf(name, size, "seed-%" PRIu64 "-program-%" PRIu64 "-%s", o->seed, s->c.index, o->config_name);
  struct heddle_program *program = fuzz_assemble(&s->c, &s->p, false);
  const bool ok = program && save_all(s, v, program, dir, name);
  heddle_program_free(program);
  return ok;
}
