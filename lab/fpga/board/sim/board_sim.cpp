// SPDX-License-Identifier: Apache-2.0
// A whole board in simulation, with its serial line at a file descriptor or a pty: what the host does with a board, it
// does with this. It runs until the other end is closed; exit status 1 if the SDRAM saw a rule broken or a byte came
// without a stop bit, else 0.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include <Vtop.h>
#include "lab/fpga/board/sim/board_faults.hpp"
#include "lab/fpga/board/sim/noise.hpp"
#include "lab/fpga/board/sim/serial.hpp"
#include <verilated.h>

namespace {

int usage() {
  fprintf(stderr,
          "usage: board_sim (--fd N | --pty) [--seed N] [--button CYCLE] [--damage KIND:N]\n"
          "  --fd N          the serial line is this descriptor\n"
          "  --pty           ... a pty, whose name is printed\n"
          "  --seed N        of what a reset leaves alone (default 1)\n"
          "  --button CYCLE  press the reset button in this cycle, for 1,000\n"
          "  --damage KIND:N the line damages byte N of the trace: flip, drop, twice, late; cut: all from there on\n");
  return 2;
}

int open_pty() {
  const int fd = posix_openpt(O_RDWR | O_NOCTTY);
  if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0) return -1;
  const char *name = ptsname(fd);
  // Held open, and raw: bytes pass as they are, and the first host may come late.
  const int other = name ? open(name, O_RDWR | O_NOCTTY) : -1;
  termios t;
  if (other < 0 || tcgetattr(other, &t) != 0) return -1;
  t.c_iflag = t.c_oflag = t.c_lflag = 0;
  t.c_cflag = CS8 | CREAD | CLOCAL;
  if (tcsetattr(other, TCSANOW, &t) != 0) return -1;
  printf("%s\n", name);
  fflush(stdout);
  return fd;
}

// False: the other end is gone.
bool exchange(int fd, Serial &serial, Noise &noise, BoardFaults &faults) {
  uint8_t bytes[256], byte = 0;
  if (serial.idle()) {
    const ssize_t n = read(fd, bytes, sizeof bytes);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) return false;
    for (ssize_t i = 0; i < n; i++) faults.to_board(bytes[i], [&](uint8_t b) { serial.put(b); });
  }
  std::vector<uint8_t> come;
  while (serial.get(&byte))
    faults.to_host(byte, [&](uint8_t b) { noise.pass(b, [&](uint8_t c) { come.push_back(c); }); });
  for (size_t at = 0; at < come.size();) {
    const ssize_t wrote = write(fd, come.data() + at, come.size() - at);
    if (wrote > 0) {
      at += static_cast<size_t>(wrote);
      continue;
    }
    if (wrote < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return false;
    pollfd p = {fd, POLLOUT, 0};
    (void)poll(&p, 1, 100);
    if (p.revents & (POLLHUP | POLLERR)) return false;
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  int fd = -1;
  bool pty = false;
  unsigned long long seed = 1, button = ~0ull;
  Noise noise;
  for (int i = 1; i < argc; i++) {
    const bool value = i + 1 < argc;
    if (strcmp(argv[i], "--pty") == 0)
      pty = true;
    else if (strcmp(argv[i], "--fd") == 0 && value)
      fd = atoi(argv[++i]);
    else if (strcmp(argv[i], "--seed") == 0 && value)
      seed = strtoull(argv[++i], nullptr, 0);
    else if (strcmp(argv[i], "--button") == 0 && value)
      button = strtoull(argv[++i], nullptr, 0);
    else if (strcmp(argv[i], "--damage") == 0 && value && noise.parse(argv[i + 1]))
      i++;
    else
      return usage();
  }
  if (pty == (fd >= 0)) return usage();
  signal(SIGPIPE, SIG_IGN);
  if (pty) fd = open_pty();
  if (fd < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0) {
    perror("board_sim");
    return 2;
  }
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(static_cast<int>(seed));
  auto top = std::make_unique<Vtop>(&context);
  BoardFaults faults;
  Serial serial(faults.bit(BOARD_DIVIDER));
  top->rx_i = 1;
  top->fault_i = faults.number();
  unsigned long long cycle = 0;
  bool open = true;
  for (; open && !context.gotFinish(); cycle++) {
    top->button_i = (cycle >= button && cycle - button < 1000) || faults.button(cycle);
    if (faults.clocked(cycle)) {
      top->clk_i = 1;
      top->eval();
      top->clk_i = 0;
    }
    top->eval();
    if (const unsigned low = faults.noise(cycle)) serial.disturb(low);
    // A line that nobody drives is high until the reset has passed.
    top->rx_i = serial.step(cycle < 200 || top->tx_o);
    if (cycle % 64 == 0 && cycle > 400) open = exchange(fd, serial, noise, faults);
    if (faults.silent() && cycle % 4096 == 0) usleep(10'000);
  }
  const unsigned errors = top->errors_o;
  fprintf(stderr, "board_sim: %llu cycles; the SDRAM: %u reads, %u writes, %u refreshes, %u violations\n", cycle,
          top->reads_o, top->writes_o, top->refreshes_o, errors);
  top->final();
  return errors > 0 || serial.without_stop > 0;
}
