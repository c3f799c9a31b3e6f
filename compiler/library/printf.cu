/* SPDX-License-Identifier: Apache-2.0
 * What a call of printf does on the machine: its format's address and its arguments go into a buffer, which the host
 * prints when the grid has ended (firmware/include/heddle/printf.h says what lies in it). build.sh makes PTX of it.
 * Only what was an argument is copied: gaps between arguments were never written. */

extern "C" {
extern __attribute__((device)) unsigned heddle_printf[]; /* taken, lost, 0, 0; then the data */
extern __attribute__((device)) unsigned heddle_printf_room; /* bytes of data */

/* Format strings lie in .const (OpenCL C) or in global memory (CUDA C): the compiler finds out which. */
static inline __attribute__((device, always_inline)) unsigned format_at(const char *at) {
  unsigned c;
  __asm__("ld.const.u8 %0, [%1];" : "=r"(c) : "l"(at));
  return c;
}

/* One argument of n elements, behind `end`; where it ends. Copied when there is somewhere to copy it. */
static inline __attribute__((device, always_inline)) unsigned take(unsigned end, unsigned size, unsigned n,
                                                                  const char *from, char *to) {
  const unsigned room = size * (n == 3 ? 4 : n), unit = size > 4 ? 4 : size;
  end = (end + room - 1) & -room;
  for (unsigned k = end; to && k < end + size * n; k += unit) {
    if (unit == 4)
      *(unsigned *)(to + k) = *(const unsigned *)(from + k);
    else if (unit == 2)
      *(unsigned short *)(to + k) = *(const unsigned short *)(from + k);
    else
      to[k] = from[k];
  }
  return end + room;
}

/* Bytes of all arguments that the format names. */
static __attribute__((device, noinline)) unsigned walk(const char *format, const char *from, char *to) {
  unsigned end = 0;
  for (unsigned c = format_at(format); c != 0; c = format_at(++format)) {
    unsigned n = 1, halves = 0, longs = 0, in_vector = 0;
    if (c != '%') continue;
    for (;;) {
      c = format_at(++format);
      if (c == 'v') {
        in_vector = 1;
        n = 0;
      } else if (c == '*') {
        end = take(end, 4, 1, from, to);
      } else if (c == 'h') {
        halves++;
      } else if (c == 'l' || c == 'j' || c == 'z' || c == 't') {
        longs++;
      } else if (c >= '0' && c <= '9') {
        if (in_vector) n = (n * 10 + c - '0') & 31;
      } else if (c != '-' && c != '+' && c != ' ' && c != '#' && c != '.') {
        break;
      }
    }
    const unsigned low = c | 32;
    if (c == 0) break;
    if (c == '%' || n == 0) continue;
    if (low == 'e' || low == 'f' || low == 'g' || low == 'a') {
      end = take(end, !in_vector || (longs && !halves) ? 8 : halves && !longs ? 2 : 4, n, from, to);
    } else if (low == 'd' || low == 'i' || low == 'u' || low == 'o' || low == 'x') {
      const unsigned size = longs && !halves ? 8 : !in_vector || longs || !halves ? 4 : halves == 1 ? 2 : 1;
      end = take(end, size, n, from, to);
    } else if (c == 'c' || c == 's' || c == 'p') {
      end = take(end, c == 'c' ? 4 : 8, 1, from, to);
    }
  }
  return end;
}

__attribute__((device)) int heddle_vprintf(const char *format, const char *from) {
  const unsigned bytes = (walk(format, from, 0) + 23) & -8u, room = heddle_printf_room;
  if (*(volatile unsigned *)&heddle_printf[0] < room) {
    const unsigned at = __nvvm_atom_add_gen_i((int *)&heddle_printf[0], (int)bytes);
    if (at < room && room - at >= bytes) {
      unsigned *record = heddle_printf + 4 + at / 4;
      record[0] = bytes;
      *(const char **)(record + 2) = format;
      walk(format, from, (char *)(record + 4));
      return 0;
    }
  }
  __nvvm_atom_add_gen_i((int *)&heddle_printf[1], 1);
  return -1;
}
}
