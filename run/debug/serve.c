/* SPDX-License-Identifier: Apache-2.0
 * Sockets of `heddle debug`: this machine's own only, for one gdb. */
#include "serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/process.h"
#include "run/command/tool.h"

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

int serve_listen(const char *where) {
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

enum server_state serve(int listening, pid_t gdb, struct target *t, const char *report) {
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
