/* SPDX-License-Identifier: Apache-2.0
 * Hosts that do with their process what they like (docs/hosts.md): each one, in a process of its own, compiles, runs
 * and disassembles numbers, loses a pointer and asks which line allocated it, keeps launches in files. Results are
 * those of a plain host, and the host's settings are afterwards as before. */
#define _GNU_SOURCE /* feenableexcept, dprintf to a high number */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <heddle/asm.h>
#include <heddle/module_ptx.h>
#include <heddle/printf.h>
#include <heddle/sim.h>
#include "tests/test.h"
#include "base/number.h"
#include "base/file.h"
#include "base/process.h"

static char top[TEMPORARY_PATH]; /* a folder for all of it */
static int told = STDERR_FILENO; /* of a host that has closed its own */

#define MUST(x) ((x) ? (void)0 : wrong(__LINE__, #x))

static _Noreturn void wrong(int line, const char *what) {
  (void)dprintf(told, "  line %d: not so: %s\n", line, what);
  _exit(1);
}

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry odd(.param .u64 out, .param .f32 one, .param .f32 little, .param .f32 least)\n{\n"
    ".reg .f32 %f<8>; .reg .b64 %d<4>; .reg .f64 %g<4>;\n"
    "ld.param.u64 %d1, [out]; ld.param.f32 %f1, [one]; ld.param.f32 %f2, [little]; ld.param.f32 %f3, [least];\n"
    "mov.f32 %f4, 1.5; add.f32 %f4, %f4, 0.25; st.global.f32 [%d1], %f4;\n"
    "add.f32 %f5, %f1, %f2; st.global.f32 [%d1+4], %f5;\n"
    "mul.f32 %f6, %f3, %f1; st.global.f32 [%d1+8], %f6;\n"
    "mov.f32 %f7, 0f00000000; div.rn.f32 %f7, %f1, %f7; st.global.f32 [%d1+12], %f7;\n"
    "mov.f64 %g1, 0.3; st.global.f64 [%d1+16], %g1;\nret;\n}\n"
    ".visible .entry lost()\n{\n.reg .b64 %d<2>; mov.u64 %d1, 64; st.global.u64 [%d1], %d1; ret;\n}\n";

/* By IEEE 754, to nearest: 1.75; 1 + 2^-25 is 1; the least subnormal times 1; 1/0; 0.3 as two words. */
static const uint32_t want[6] = {0x3fe00000, 0x3f800000, 1, 0x7f800000, 0x33333333, 0x3fd33333};

static void run_on(const char *board) {
  static const struct heddle_size one_thread = {1, 1, 1};
  struct heddle_message msg;
  struct heddle_sim *sim;
  struct heddle_system *system;
  struct heddle_device *device;
  struct heddle_context *c;
  struct heddle_module *m;
  struct heddle_function *f;
  uint64_t out;
  uint32_t got[6];
  float one = 1, little = 0x1p-25f, least = 0x1p-149f;
  const struct heddle_sim_options o = {.size = sizeof o, .name = board, .quiet = true};
  MUST(heddle_sim_open(&o, &sim, &msg) == HEDDLE_SUCCESS);
  MUST(heddle_init(heddle_sim_port(sim), 1, &system) == HEDDLE_SUCCESS);
  MUST(heddle_device_get(system, 0, &device) == HEDDLE_SUCCESS);
  MUST(heddle_context_create(device, &c) == HEDDLE_SUCCESS);
  MUST(heddle_module_load_ptx(c, ptx, sizeof ptx - 1, "odd.ptx", NULL, &m) == HEDDLE_SUCCESS);
  MUST(heddle_module_function(m, "odd", &f) == HEDDLE_SUCCESS);
  MUST(heddle_mem_alloc(c, sizeof got, &out) == HEDDLE_SUCCESS);
  MUST(heddle_function_launch(f, one_thread, one_thread, 0, (void *[]){&out, &one, &little, &least}) == HEDDLE_SUCCESS);
  MUST(heddle_memcpy_to_host(c, got, out, sizeof got) == HEDDLE_SUCCESS);
  MUST(memcmp(got, want, sizeof want) == 0);
  MUST(heddle_module_function(m, "lost", &f) == HEDDLE_SUCCESS);
  MUST(heddle_function_launch(f, one_thread, one_thread, 0, NULL) == HEDDLE_SUCCESS);
  MUST(heddle_synchronize(c, 1000) != HEDDLE_SUCCESS);
  MUST(strstr(heddle_context_message(c), "test_odd_host.c:") != NULL); /* where the nearest buffer was allocated */
  heddle_context_destroy(c);
  heddle_shutdown(system);
  heddle_sim_close(sim);
}

static void assemble(void) {
  static const char text[] = ".kernel k\nFADD R0, R0, 1.5 ;\nFADD R0, R0, 1e-45 ;\nEXIT ;\n.end\n";
  char line[100];
  const struct heddle_asm_options o = {.size = sizeof o};
  struct heddle_program *p;
  (void)heddle_assemble(text, sizeof text - 1, "odd.s", &o, &p);
  MUST(p != NULL);
  (void)heddle_disassemble_at(p, 0, line, sizeof line);
  MUST(strstr(line, "1.5") != NULL);
  (void)heddle_disassemble_at(p, 16, line, sizeof line);
  MUST(strstr(line, "e-45") != NULL); /* the least subnormal: it is not 0 */
  heddle_program_free(p);
}

/* What a kernel has printed: a format, and 1.5. */
static char printed[40];

static bool read_format(void *format, uint64_t at, void *to, size_t bytes) {
  memcpy(to, (const char *)format + (at - HEDDLE_CONST_MAX), bytes);
  return true;
}

static void keep(void *format, const char *text, size_t bytes) {
  (void)format;
  (void)strncat(printed, text, bytes);
}

static void print_numbers(void) {
  static char format[] = "%.2f %g";
  static const double v = 1.5;
  const uint64_t at = HEDDLE_CONST_MAX;
  const struct heddle_printf h = {sizeof h, NULL, read_format, keep, format};
  _Alignas(8) uint8_t variable[16 + 16 + 16] = {32, [16] = 32};
  memcpy(variable + 24, &at, sizeof at);
  memcpy(variable + 32, &v, sizeof v);
  memcpy(variable + 40, &v, sizeof v);
  printed[0] = '\0';
  MUST(heddle_printf_text(&h, variable, sizeof variable).messages == 1);
  MUST(strcmp(printed, "1.50 1.5") == 0);
}

static void start_children(void) {
  const char *const seven[] = {"sh", "-c", "exit 7", NULL}, *const killed[] = {"sh", "-c", "kill -9 $$", NULL},
                    *const none[] = {"heddle-there-is-no-such-program", NULL},
                    *const takes[] = {"sh", "-c", "trap 'exit 3' PIPE CHLD; kill -PIPE $$; exit 4", NULL};
  struct process p = {.words = seven, .in = -1, .out = -1, .err = -1};
  MUST(process_run(&p) == 7);
  p.words = killed;
  MUST(process_run(&p) == 128 + SIGKILL);
  p.words = none;
  MUST(process_run(&p) == 127);
  p.words = takes; /* a shell takes no signal that it has found ignored */
  MUST(process_run(&p) == 3);
}

static void work(void) {
  run_on("model");
  assemble();
  print_numbers();
  start_children();
}

struct state { /* that the libraries must leave as it is */
  int round, umask, files, point, folder;
  unsigned unit;
  sigset_t mask;
  void (*handler[32])(int);
  int flags[32];
  char where[4096];
};

static int open_files(void) {
  int n = 0;
  DIR *d = opendir("/proc/self/fd");
  while (d != NULL && readdir(d) != NULL) n++;
  if (d != NULL) (void)closedir(d);
  return n;
}

static struct state look(void) {
  struct state s;
  memset(&s, 0, sizeof s);
  s.round = fegetround();
#if defined(__x86_64__)
  s.unit = __builtin_ia32_stmxcsr();
#endif
  s.umask = (int)umask(0);
  (void)umask((mode_t)s.umask);
  s.files = open_files();
  s.point = *localeconv()->decimal_point;
  s.folder = getcwd(s.where, sizeof s.where) == NULL ? errno : 0;
  (void)pthread_sigmask(SIG_SETMASK, NULL, &s.mask);
  for (int i = 1; i < 32; i++) {
    struct sigaction a;
    MUST(sigaction(i, NULL, &a) == 0);
    s.handler[i] = a.sa_handler;
    s.flags[i] = a.sa_flags;
  }
  return s;
}

static void plain(void) {}

static void comma(void) {
  MUST(setlocale(LC_ALL, "comma") != NULL);
}

static void upward(void) {
  MUST(fesetround(FE_UPWARD) == 0);
}

static void flushes(void) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040u);
#endif
}

static void traps(void) {
  (void)feclearexcept(FE_ALL_EXCEPT);
  (void)feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT);
}

static void ignores_children(void) {
  MUST(signal(SIGCHLD, SIG_IGN) != SIG_ERR && signal(SIGPIPE, SIG_IGN) != SIG_ERR);
}

static void reap(int number) {
  const int was = errno;
  (void)number;
  while (waitpid(-1, NULL, WNOHANG) > 0) continue;
  errno = was;
}

static void reaps_children(void) {
  const struct sigaction a = {.sa_handler = reap};
  MUST(sigaction(SIGCHLD, &a, NULL) == 0);
}

static void blocks(void) {
  sigset_t all;
  MUST(sigfillset(&all) == 0 && pthread_sigmask(SIG_SETMASK, &all, NULL) == 0);
}

/* Without SA_RESTART: whatever waits is interrupted, a thousand times a second. */
static void interrupts(void) {
  const struct sigaction a = {.sa_handler = reap};
  const struct itimerval often = {{0, 1000}, {0, 1000}};
  MUST(sigaction(SIGALRM, &a, NULL) == 0 && setitimer(ITIMER_REAL, &often, NULL) == 0);
}

static void closes_streams(void) {
  told = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
  for (int i = 0; i < 3; i++) (void)close(i);
}

static void few_files(void) {
  const struct rlimit r = {16, 16};
  MUST(setrlimit(RLIMIT_NOFILE, &r) == 0);
}

static void strict_umask(void) {
  (void)umask(0777);
}

static void nowhere(void) {
  char folder[TEMPORARY_PATH + 8];
  (void)snprintf(folder, sizeof folder, "%s/gone", top);
  MUST(mkdir(folder, 0700) == 0 && chdir(folder) == 0 && rmdir(folder) == 0);
}

static void empty_environment(void) {
  MUST(clearenv() == 0);
}

static const struct {
  const char *name;
  void (*set)(void);
  bool small_stack; /* in a thread */
} oddities[] = {{"plain", plain, false},
                {"a comma for a point", comma, false},
                {"rounds upward", upward, false},
                {"flushes subnormals", flushes, false},
                {"traps on arithmetic", traps, false},
                {"ignores SIGCHLD and SIGPIPE", ignores_children, false},
                {"waits for any child in a handler", reaps_children, false},
                {"blocks all signals", blocks, false},
                {"is interrupted by a timer", interrupts, false},
                {"has closed its streams", closes_streams, false},
                {"may open 16 files", few_files, false},
                {"umask 0777", strict_umask, false},
                {"its folder is gone", nowhere, false},
                {"no environment", empty_environment, false},
                {"a thread with a stack of 256 KiB", plain, true}};

static void *work_there(void *unused) {
  work();
  return unused;
}

static _Noreturn void be(size_t i) {
  oddities[i].set();
  const struct state before = look();
  pthread_attr_t small;
  pthread_t thread;
  if (!oddities[i].small_stack) {
    work();
  } else {
    MUST(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, 256 << 10) == 0);
    MUST(pthread_create(&thread, &small, work_there, NULL) == 0 && pthread_join(thread, NULL) == 0);
  }
  const struct state after = look();
  MUST(memcmp(&before, &after, sizeof before) == 0);
  _exit(0);
}

static void each_is_served(void **state) {
  (void)state;
  unsigned bad = 0;
  for (size_t i = 0; i < sizeof oddities / sizeof *oddities; i++) {
    int status = 0;
    (void)fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) be(i);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (status != 0) print_error("a host: %s: status %x\n", oddities[i].name, (unsigned)status);
    bad += status != 0;
  }
  assert_int_equal(bad, 0);
}

/* What the host prints where it has closed its streams does not get into files of ours. */
static void files_are_apart(void **state) {
  (void)state;
  char path[TEMPORARY_PATH + 8];
  int status = 0;
  struct stat s;
  (void)snprintf(path, sizeof path, "%s/apart", top);
  const pid_t pid = fork();
  if (pid == 0) {
    closes_streams();
    FILE *f = file_create(path);
    MUST(f != NULL && fileno(f) > STDERR_FILENO && write(STDOUT_FILENO, "x", 1) < 0);
    MUST(file_in_memory("x", 1) > STDERR_FILENO);
    _exit(0);
  }
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  assert_int_equal(stat(path, &s), 0);
  assert_int_equal(s.st_size, 0);
}

static void *mask_of(void *to) {
  (void)pthread_sigmask(SIG_SETMASK, NULL, to);
  return NULL;
}

static void threads_take_no_signals(void **state) {
  (void)state;
  sigset_t its, before, after;
  pthread_t t;
  (void)pthread_sigmask(SIG_SETMASK, NULL, &before);
  assert_true(thread_start(&t, mask_of, &its));
  assert_int_equal(pthread_join(t, NULL), 0);
  (void)pthread_sigmask(SIG_SETMASK, NULL, &after);
  assert_int_equal(sigismember(&its, SIGALRM), 1);
  assert_int_equal(sigismember(&its, SIGCHLD), 1);
  for (int i = 1; i < 32; i++) assert_int_equal(sigismember(&before, i), sigismember(&after, i));
}

/* ---- a locale with a comma, of which a bare system has none */

static bool write_text(const char *name, const char *head, bool letters, const char *end) {
  char path[TEMPORARY_PATH + 16];
  (void)snprintf(path, sizeof path, "%s/%s", top, name);
  FILE *f = file_create(path);
  if (f == NULL) return false;
  bool ok = fputs(head, f) >= 0;
  for (unsigned c = 0; letters && c < 128; c++) ok = fprintf(f, "<U%04X> /x%02x A\n", c, c) > 0 && ok;
  ok = fputs(end, f) >= 0 && ok;
  return fclose(f) == 0 && ok;
}

static int make_folder(void **state) {
  (void)state;
  if (!temporary_folder(top, "odd-host") || setenv("LOCPATH", top, 1) != 0) return -1;
  if (!write_text("comma.src", "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n",
                  false, "") ||
      !write_text("comma.map", "<code_set_name> ASCII\n<mb_cur_min> 1\n<mb_cur_max> 1\nCHARMAP\n", true,
                  "END CHARMAP\n"))
    return -1;
  const char *const words[] = {"localedef",   "-c",           "-i",      "./comma.src", "-f",
                               "./comma.map", "--no-archive", "./comma", NULL};
  const struct process p = {.words = words, .folder = top, .in = -1, .out = -1, .err = -1};
  (void)process_run(&p); /* it warns of what the locale lacks; `comma` sees whether there is one */
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  temporary_remove(top);
  return 0;
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_served), cmocka_unit_test(files_are_apart),
                                     cmocka_unit_test(threads_take_no_signals)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
