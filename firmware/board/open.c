/* SPDX-License-Identifier: Apache-2.0
 *
 * A board by name, over a serial device or a simulation, and the driver's port over its link. */
#include "open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include "base/file.h"
#include "base/process.h"
#include "firmware/board/link.h"

static bool speed_of(uint32_t baud, speed_t *speed) {
  static const struct {
    uint32_t baud;
    speed_t speed;
  } table[] = {{115200, B115200},   {230400, B230400},   {460800, B460800},  {921600, B921600},
               {1000000, B1000000}, {2000000, B2000000}, {3000000, B3000000}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (table[i].baud != baud) continue;
    *speed = table[i].speed;
    return true;
  }
  return false;
}

static bool set_tty(int fd, speed_t speed) {
  struct termios t;
  if (tcgetattr(fd, &t) != 0) return false;
  t.c_iflag = t.c_oflag = t.c_lflag = 0;
  t.c_cflag = CS8 | CREAD | CLOCAL;
  t.c_cc[VMIN] = 0;
  t.c_cc[VTIME] = 0;
  return cfsetispeed(&t, speed) == 0 && cfsetospeed(&t, speed) == 0 && tcsetattr(fd, TCSANOW, &t) == 0 &&
         tcflush(fd, TCIOFLUSH) == 0;
}

int board_tty_open(const char *path, uint32_t baud, char *message, size_t bytes) {
  speed_t speed = B0;
  if (!speed_of(baud, &speed)) {
    snprintf(message, bytes, "%u baud is none of 115200 to 3000000 that a tty has", baud);
    return -1;
  }
  const int fd = descriptor_apart(open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  if (fd < 0) {
    snprintf(message, bytes, "%s: %s", path, strerror(errno));
    return -1;
  }
  if (set_tty(fd, speed)) return fd;
  snprintf(message, bytes, "%s: not a serial device that can be set to %u baud: %s", path, baud, strerror(errno));
  close(fd);
  return -1;
}

/* ---- a board by name */

enum {
  BAUD = 1000000,
  TTY_TRY_MS = 1000, /* longer than any answer takes, so that nothing is sent twice without need */
  SIM_TRY_MS = 5000, /* a simulated line is a few thousand bytes a second */
  READY_MS = 2000,
  SIM_READY_MS = 60000
};

static int open_tty(const char *path, char *message, size_t bytes) {
  char name[256];
  unsigned long baud = BAUD;
  const char *colon = strrchr(path, ':');
  if (colon) {
    char *end;
    baud = strtoul(colon + 1, &end, 10);
    if (*end || end == colon + 1) colon = NULL, baud = BAUD;
  }
  const size_t n = colon ? (size_t)(colon - path) : strlen(path);
  if (n >= sizeof name) {
    snprintf(message, bytes, "the device's name is too long");
    return -1;
  }
  memcpy(name, path, n);
  name[n] = '\0';
  return board_tty_open(name, (uint32_t)baud, message, bytes);
}

static int start_simulator(const char *program, pid_t *pid, char *message, size_t bytes) {
  int pair[2];
  if (access(program, X_OK) != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    snprintf(message, bytes, "%s: %s", program, strerror(errno));
    return -1;
  }
  for (unsigned i = 0; i < 2; i++) pair[i] = descriptor_apart(pair[i]);
  char number[16];
  snprintf(number, sizeof number, "%d", pair[1]);
  const char *const words[] = {program, "--fd", number, NULL};
  const struct process p = {
      .words = words, .in = STDIN_FILENO, .out = STDOUT_FILENO, .err = STDERR_FILENO, .keep = &pair[1], .kept = 1};
  const bool started = process_start(&p, pid);
  if (!started) snprintf(message, bytes, "%s: cannot be started: %s", program, strerror(errno));
  if (pair[1] >= 0) close(pair[1]);
  if (started) return pair[0];
  *pid = 0;
  if (pair[0] >= 0) close(pair[0]);
  return -1;
}

enum board_status board_make_ready(struct board *b, uint32_t ms) {
  enum board_status s = board_link_identify(b->link, &b->id);
  if (s == BOARD_OK) s = board_link_reset(b->link);
  if (s == BOARD_OK && b->id.memory_bytes > 0) s = board_link_wait_ready(b->link, ms, &b->id);
  return s;
}

static enum board_status fail_open(const char *name, enum board_status s, struct board *b, char *message,
                                   size_t bytes) {
  snprintf(message, bytes, "%s: %s: %s", name, board_status_text(s),
           b->link ? board_link_message(b->link) : "no memory");
  (void)board_close(b);
  return s;
}

enum board_status board_open_line(const char *name, board_trace_fn *trace, void *ctx, struct board *b, char *message,
                                  size_t bytes) {
  *b = (struct board){.fd = -1};
  if (strncmp(name, "tty:", 4) == 0)
    b->fd = open_tty(name + 4, message, bytes);
  else if (strncmp(name, "sim:", 4) == 0)
    b->fd = start_simulator(name + 4, &b->sim, message, bytes);
  else
    snprintf(message, bytes, "'%s': expected tty:PATH, tty:PATH:BAUD or sim:PROGRAM", name);
  if (b->fd < 0) return BOARD_CLOSED;
  const struct board_link_options o = {
      .fd = b->fd, .try_ms = b->sim ? SIM_TRY_MS : TTY_TRY_MS, .trace = trace, .ctx = ctx};
  b->link = board_link_new(&o);
  return b->link ? BOARD_OK : fail_open(name, BOARD_CLOSED, b, message, bytes);
}

enum board_status board_open(const char *name, board_trace_fn *trace, void *ctx, struct board *b, char *message,
                             size_t bytes) {
  enum board_status s = board_open_line(name, trace, ctx, b, message, bytes);
  if (s != BOARD_OK) return s;
  s = board_make_ready(b, b->sim ? SIM_READY_MS : READY_MS);
  return s == BOARD_OK ? s : fail_open(name, s, b, message, bytes);
}

int board_close(struct board *b) {
  int status = 0;
  board_link_free(b->link);
  if (b->fd >= 0) close(b->fd);
  if (b->sim > 0) status = process_wait(b->sim);
  *b = (struct board){.fd = -1};
  return status;
}

/* ---- the driver's port over the link */

static bool read_link_register(void *self, uint32_t reg, uint32_t *value) {
  return board_link_read32(self, reg, value) == BOARD_OK;
}

static bool write_link_register(void *self, uint32_t reg, uint32_t value) {
  return board_link_write32(self, reg, value) == BOARD_OK;
}

/* No cache lies between: the link's accesses and the core's meet before the same memory. */
static bool read_link_memory(void *self, uint64_t addr, void *data, uint64_t bytes) {
  return board_link_read(self, addr, data, bytes) == BOARD_OK;
}

static bool write_link_memory(void *self, uint64_t addr, const void *data, uint64_t bytes) {
  return board_link_write(self, addr, data, bytes) == BOARD_OK;
}

/* Meanwhile the trace is taken, where it is long enough. The line has no frame for an interrupt: nobody is woken. */
static void wait_link(void *self, uint32_t microseconds) {
  const struct timespec part = {.tv_nsec = (long)(microseconds % 1000) * 1000};
  (void)nanosleep(&part, NULL);
  (void)board_link_poll(self, microseconds / 1000);
}

void board_port_bind(struct board_link *l, const struct board_identity *id, struct heddle_port *port) {
  *port = (struct heddle_port){.size = sizeof *port,
                               .self = l,
                               .name = "board",
                               .memory_base = id->memory_base,
                               .memory_bytes = id->memory_bytes,
                               .read32 = read_link_register,
                               .write32 = write_link_register,
                               .read = read_link_memory,
                               .write = write_link_memory,
                               .wait = wait_link};
}
