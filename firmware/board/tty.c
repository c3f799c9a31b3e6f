/* SPDX-License-Identifier: Apache-2.0
 * A serial device as the link wants it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "firmware/board/link.h"
#include "base/file.h"

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
