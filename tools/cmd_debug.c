/* SPDX-License-Identifier: Apache-2.0
 * heddle debug: a launch under gdb. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "run/command/tool.h"
#include "run/debug/server.h"
#include "run/runner/conclude.h"
#include "run/runner/launch_options.h"
#include "run/runner/runner_internal.h"

/* Sockets of `heddle debug`: this machine's own only, for one gdb. */

static int fail_listening(int fd, const char *where) {
  tool_error("--listen %s: %s", where, strerror(errno));
  if (fd >= 0) (void)close(fd);
  return -1;
}

static int listen_at(const char *where, const struct sockaddr *at, socklen_t size) {
  const int fd = socket(at->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
  if (fd < 0) return fail_listening(fd, where);
  if (at->sa_family == AF_INET) (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  return bind(fd, at, size) == 0 && listen(fd, 1) == 0 ? fd : fail_listening(fd, where);
}

/* "PORT" of this machine, or "unix:PATH". A socket that listens; -1: message on stderr. */
static int serve_listen(const char *where) {
  uint64_t port;
  if (strncmp(where, "unix:", 5) == 0) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    if (strlen(where + 5) >= sizeof at.sun_path || where[5] == '\0') {
      errno = ENAMETOOLONG;
      return fail_listening(-1, where);
    }
    memcpy(at.sun_path, where + 5, strlen(where + 5));
    return listen_at(where, (const struct sockaddr *)&at, sizeof at);
  }
  if (!tool_number(where, 65535, &port) || port == 0) {
    tool_error("--listen %s: expected a port or unix:PATH", where);
    return -1;
  }
  const struct sockaddr_in at = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  return listen_at(where, (const struct sockaddr *)&at, sizeof at);
}

static bool send_all(void *ctx, const char *bytes, size_t n) {
  const int fd = *(const int *)ctx;
  while (n > 0) {
    const ssize_t done = send(fd, bytes, n, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    n -= (size_t)done;
  }
  return true;
}

/* Ctrl-C, or the end of the line, while the launch runs. Anything else waits until it has stopped. */
static bool interrupted(void *ctx) {
  const int fd = *(const int *)ctx;
  uint8_t byte = 0;
  const ssize_t n = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (n < 0) return errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
  if (n == 0) return true;
  if (byte != 3) return false;
  return recv(fd, &byte, 1, 0) == 1;
}

/* The line to who comes; -1: nobody does. */
static int take_caller(int listening, pid_t gdb) {
  struct pollfd p = {.fd = listening, .events = POLLIN};
  for (;;) {
    const int n = poll(&p, 1, 200);
    if (n < 0 && errno != EINTR) return -1;
    if (n > 0) return accept(listening, NULL, NULL);
    if (gdb > 0 && process_has_ended(gdb)) return -1;
  }
}

/* Until gdb goes or the grid ends. gdb: a child that is to come, or 0; SERVER_OPEN: nobody came. */
static enum server_state serve(int listening, pid_t gdb, struct target *t, const char *report) {
  int fd = take_caller(listening, gdb);
  const int yes = 1;
  uint8_t bytes[4096];
  if (fd < 0) return SERVER_OPEN;
  (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes); /* says no on other sockets, which need none */
  const struct server_config c = {.target = t, .report = report, .send = send_all, .ctx = &fd};
  struct server *s = server_new(&c);
  enum server_state state = s ? SERVER_OPEN : SERVER_LEFT;
  t->interrupted = interrupted;
  t->ctx = &fd;
  while (state == SERVER_OPEN) {
    const ssize_t n = recv(fd, bytes, sizeof bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    state = n > 0 ? server_take(s, bytes, (size_t)n) : SERVER_LEFT;
  }
  t->interrupted = NULL;
  server_free(s);
  (void)close(fd);
  return state;
}

/* heddle debug: a launch under gdb. */

static const struct tool_option own[] = {
    {"listen", "PORT|unix:PATH", "wait there for a gdb of yours (default: gdb-multiarch, or gdb, is started)", 'l',
     NULL},
    {"script", "FILE", "commands for the gdb that is started; it ends with them", 'x', NULL},
    {"level", "N", "0 to 3: how far clang and the PTX compiler optimise; above 0 many variables are gone (default 0)",
     'O', NULL},
    {0}};
static const struct tool_group groups[] = {
    {NULL, own}, {"The launch:", launch_option_table}, {"How it runs:", run_option_table}, {0}};
static const char *const usage[] = {"FILE --grid X,Y,Z --block X,Y,Z --arg A ... [options]", NULL};
static const char *const examples[] = {"heddle debug examples/programs/reverse.cu --grid 2 --block 64 \\",
                                       "  --arg out:512:u32:-", NULL};
static const char about[] =
    "A launch on the model under gdb: each thread of a block that runs is a thread of gdb, with lines, variables, "
    "registers, breakpoints, watched memory, and steps backwards. With --on lockstep the launch runs against the RTL "
    "as "
    "far as its first difference, and the model can be looked at there. docs/debugger.md has a "
    "session.\n" LAUNCH_ARGUMENTS;

struct request {
  struct run_options run;
  struct launch_options launch;
  const char *listen, *script;
  uint64_t level;
};

static int take_debug_option(struct request *q, int option) {
  int status;
  if (launch_options_take(&q->launch, "debug", option, &status)) return status;
  if (option == 'l') {
    q->listen = optarg;
    return TOOL_OK;
  }
  if (option == 'x') {
    q->script = optarg;
    return TOOL_OK;
  }
  if (option != 'O') return run_options_take(&q->run, "debug", option, optarg);
  return tool_number(optarg, 3, &q->level) ? TOOL_OK : tool_usage("debug", "--level %s: expected 0 to 3", optarg);
}

static int parse_debug_options(struct request *q, int argc, char **argv) {
  for (int o; (o = tool_option_next("debug", groups, argc, argv)) != -1;) {
    const int status = take_debug_option(q, o);
    if (status != TOOL_OK) return status;
  }
  const int status = launch_options_finish(&q->launch, "debug", argc, argv);
  if (status != TOOL_OK) return status;
  if (q->listen && q->script) return tool_usage("debug", "--script is for the gdb that is started, not with --listen");
  if (q->run.on != ON_MODEL && q->run.on != ON_LOCKSTEP)
    return tool_usage("debug", "--on %s: it is the model that is debugged: model, or lockstep", run_on_name(q->run.on));
  if (run_options_serve(q->run.on, "debug", groups, argc, argv) != TOOL_OK) return TOOL_USAGE;
  return run_options_finish(&q->run, "debug");
}

/* ---- the line to gdb ---- */

/* A launch has many threads: that each begins is not told. It ends with gdb, and nothing is lost. 0: it does not start.
 */
static pid_t start_gdb(const char *socket, const char *script) {
  static const char *const names[] = {"gdb-multiarch", "gdb"};
  char remote[256], path[4096],
      source[4200] = "set verbose off"; /* without the file gdb disassembles another machine */
  snprintf(remote, sizeof remote, "target remote %s", socket);
  if (data_has("debug/disassembler.py", path, sizeof path)) snprintf(source, sizeof source, "source %s", path);
  for (unsigned i = 0; i < 2; i++) {
    const char *const own[] = {names[i],
                               "-q",
                               "-ex",
                               "set print thread-events off",
                               "-ex",
                               "set confirm off",
                               "-ex",
                               source,
                               "-ex",
                               remote,
                               script ? "-batch" : NULL,
                               "-x",
                               script,
                               NULL};
    const struct process p = {.words = own, .in = STDIN_FILENO, .out = STDOUT_FILENO, .err = STDERR_FILENO};
    pid_t pid;
    if (process_start(&p, &pid)) return pid;
  }
  tool_error("gdb does not start: 'apt-get install gdb-multiarch' installs it; or give --listen");
  return 0;
}

/* gdb is a child of ours, and in front: Ctrl-C is for it. */
static enum server_state serve_own(const char *script, struct target *t, const char *report) {
  char folder[TEMPORARY_PATH], where[TEMPORARY_PATH + 16];
  if (!temporary_folder(folder, "debug")) {
    tool_error("no folder for a socket: %s", strerror(errno));
    return SERVER_OPEN;
  }
  snprintf(where, sizeof where, "unix:%s/gdb", folder);
  const int fd = serve_listen(where);
  (void)fflush(NULL);
  const pid_t gdb = fd >= 0 ? start_gdb(where + 5, script) : 0;
  (void)signal(SIGINT, SIG_IGN);
  const enum server_state state = gdb > 0 ? serve(fd, gdb, t, report) : SERVER_OPEN;
  temporary_remove(folder);
  if (fd >= 0) (void)close(fd);
  if (gdb > 0) (void)process_wait(gdb);
  return state;
}

static enum server_state serve_at(const struct request *q, struct target *t, const char *report) {
  if (!q->listen) return serve_own(q->script, t, report);
  const int fd = serve_listen(q->listen);
  if (fd < 0) return SERVER_OPEN;
  tool_log("waiting for gdb: target remote %s%s", strncmp(q->listen, "unix:", 5) == 0 ? "" : ":",
           strncmp(q->listen, "unix:", 5) == 0 ? q->listen + 5 : q->listen);
  const enum server_state state = serve(fd, 0, t, report);
  (void)close(fd);
  if (strncmp(q->listen, "unix:", 5) == 0) (void)unlink(q->listen + 5);
  return state;
}

/* ---- */

static int conclude_debug(const struct request *q, const struct target *t) {
  struct run_result r = {.status = t->fault[0] ? RUN_UNDEFINED : RUN_OK, .retired = t->now};
  snprintf(r.message, sizeof r.message, "%s", t->fault);
  printed_show(t->job, heddle_model_memory(t->own), &r);
  const int status = run_conclude(&q->run, t->job, NULL, &r, heddle_model_memory(t->own), NULL);
  run_result_clear(&r);
  return status;
}

static int debug_model(const struct request *q, const struct job *job) {
  char err[512];
  int status = TOOL_USAGE;
  unsigned slots;
  struct target *t = malloc(sizeof *t);
  const struct heddle_observer observer = {.size = sizeof observer, .ctx = t, .access = target_observe};
  struct heddle_model *m = t ? model_launched(&q->run, job, &observer, &slots, err, sizeof err) : NULL;
  if (!m || !target_begin(t, m, job, slots, err, sizeof err)) {
    tool_error("%s", t ? err : "out of memory");
  } else {
    const enum server_state state = serve_at(q, t, NULL);
    if (state == SERVER_ENDED) status = conclude_debug(q, t);
    if (state == SERVER_LEFT) status = TOOL_OK;
    target_end(t);
  }
  heddle_model_free(m);
  free(t);
  return status;
}

/* As far as it goes; what then stands in the model can be looked at. */
static int debug_lockstep(const struct request *q, const struct job *job) {
  struct run_result r = {.status = RUN_OK};
  struct target *t = malloc(sizeof *t);
  uint8_t *image = malloc(job->mem_bytes);
  struct session_runner *s = session_runner_new(&q->run);
  if (!t || !image || !s) {
    tool_error("out of memory");
    free(t);
    free(image);
    session_runner_free(s);
    return TOOL_USAGE;
  }
  session_runner_run(s, job, image, &r);
  struct heddle_machine is = {.size = sizeof is};
  run_machine(&q->run, &is);
  const struct heddle_model *m = session_runner_model(s);
  if (m && (r.status == RUN_DIFFERENCE || r.status == RUN_LIMIT)) {
    tool_log("%s", r.message);
    target_freeze(t, m, job, is.warps * (is.sms ? is.sms : 1));
    (void)serve_at(q, t, r.report);
  }
  const int status = run_conclude(&q->run, job, NULL, &r, image, NULL);
  run_result_clear(&r);
  session_runner_free(s);
  free(image);
  free(t);
  return status;
}

static int debug(struct request *q) {
  int status = TOOL_USAGE;
  struct source_options with = run_source(&q->run);
  with.level = q->level > 0 ? 1 : 0;
  with.no_inline = q->level == 0; /* a function that is inlined has no frame of its own */
  q->launch.cc.level = (unsigned)q->level;
  if (q->launch.cc.mores < CC_MORE_MAX) q->launch.cc.more[q->launch.cc.mores++] = "-g";
  struct heddle_program *p = launch_options_load(&q->launch, with, &status);
  if (p && launch_options_build(&q->launch, p))
    status = q->run.on == ON_MODEL ? debug_model(q, &q->launch.job) : debug_lockstep(q, &q->launch.job);
  heddle_program_free(p);
  return status;
}

static int debug_main(int argc, char **argv) {
  struct request *q = calloc(1, sizeof *q);
  if (!q) return TOOL_USAGE;
  run_options_init(&q->run);
  launch_options_init(&q->launch);
  q->run.on = ON_MODEL;
  int status = parse_debug_options(q, argc, argv);
  if (status == TOOL_OK) status = debug(q);
  launch_options_clear(&q->launch);
  free(q);
  return status;
}

const struct tool_command cmd_debug = {
    "debug", "a launch on the model under gdb", debug_main, usage, about, groups, examples, NULL};
