/* SPDX-License-Identifier: Apache-2.0
 * Programs for vm.cl as text, and their assembler: `name:` is a label, a bare number a byte as it is. Registers 0 to 3
 * start with the first four words of a thread's input. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/kernels/host/vm_host.h"

const char *const vm_programs[VM_PROGRAMS] = {
    /* least common multiple over the first factor, by Euclid */
    "get 0 set 2 loop: get 1 jz end get 0 get 1 rem get 1 set 0 set 1 jump loop end: get 2 get 0 div halt",
    /* Fibonacci by recursion */
    "get 0 byte 7 rem call fib halt fib: dup byte 2 lt jnz done dup byte 1 sub call fib swap byte 2 sub call fib add "
    "done: ret",
    /* length of a Collatz sequence */
    "get 0 byte 15 and byte 1 add set 0 byte 0 set 1 loop: get 0 byte 1 eq jnz end get 0 byte 1 and jnz odd get 0 byte "
    "1 shr set 0 jump next odd: get 0 byte 3 mul byte 1 add set 0 next: get 1 byte 1 add set 1 jump loop end: get 1 "
    "halt",
    /* CRC-32 of the first word */
    "byte 0 input not set 0 byte 32 set 1 loop: get 0 byte 1 shr get 0 byte 1 and neg word 0xedb88320 and xor set 0 "
    "get 1 byte 1 sub dup set 1 jnz loop get 0 not halt",
    /* bubble sort of the input; largest minus smallest */
    "byte 0 set 0 fill: get 0 input get 0 store get 0 byte 1 add dup set 0 byte 8 lt jnz fill byte 7 set 1 pass: byte "
    "0 set 0 pair: get 0 load get 0 byte 1 add load over over min get 0 store max get 0 byte 1 add store get 0 byte 1 "
    "add dup set 0 get 1 lt jnz pair get 1 byte 1 sub dup set 1 jnz pass byte 7 load byte 0 load sub halt",
    /* absolute value of a polynomial in x = (word & 0xffff) / 65536, its factors the upper halves of the input */
    "get 0 word 0xffff and i2f word 0x47800000 fdiv set 0 byte 0 set 1 byte 0 loop: get 0 fmul get 1 input byte 16 sar "
    "i2f fadd get 1 byte 1 add dup set 1 byte 8 lt jnz loop dup fmul fsqrt dup word 0x4f000000 flt jz big f2i big: "
    "halt",
    /* a mixture of bits */
    "byte 24 set 1 loop: get 0 get 2 get 3 rot rotl xor get 0 popc add get 2 clz or get 3 byte 7 divs sub byte 3 shl "
    "get 0 xor dup set 0 dup get 1 store get 2 over lts get 3 add set 3 dup drop set 2 get 1 byte 1 sub dup set 1 jnz "
    "loop get 0 get 3 max halt",
    /* the smallest odd factor above 1, or 1 */
    "get 0 word 0xfff and byte 1 or set 0 byte 3 set 1 loop: get 1 dup mul get 0 swap lt jnz yes get 0 get 1 rem jz no "
    "get 1 byte 2 add set 1 jump loop yes: byte 1 halt no: get 1 halt",
    /* the ways to fail */
    "loop: get 0 jump loop",
    "byte 1 get 0 add add halt",
    "loop: byte 1 drop call loop",
    "byte 0 ret",
    "get 0 get 1 200",
    "loop: jump loop",
};

static const struct {
  const char *name;
  unsigned bytes;
} op[VM_OPCODES] = {
#define VM_NAME(name, bytes) {#name, bytes},
    VM_OPS(VM_NAME)};

struct label {
  char name[16];
  unsigned at;
};

struct text {
  const char *next;
  char word[16];
};

static bool next_word(struct text *t) {
  t->next += strspn(t->next, " ");
  const size_t n = strcspn(t->next, " ");
  assert(n < sizeof t->word);
  memcpy(t->word, t->next, n);
  t->word[n] = 0;
  t->next += n;
  return n != 0;
}

static unsigned opcode(const char *name) {
  for (unsigned k = 0; k < VM_OPCODES; k++) {
    size_t i = 0;
    while (name[i] && (name[i] | 0x20) == (op[k].name[i] | 0x20)) i++;
    if (!name[i] && !op[k].name[i]) return k;
  }
  return VM_OPCODES;
}

static unsigned label_value(const char *word, const struct label *label, unsigned labels) {
  for (unsigned i = 0; i < labels; i++)
    if (strcmp(label[i].name, word) == 0) return label[i].at;
  return (unsigned)strtoul(word, NULL, 0);
}

/* Once to find the labels, once to write. */
size_t vm_assemble(const char *program, uint8_t *out) {
  struct label label[8];
  unsigned labels = 0, at = 0;
  for (unsigned pass = 0; pass < 2; pass++) {
    struct text t = {.next = program};
    for (at = 0; next_word(&t);) {
      const size_t n = strlen(t.word);
      if (t.word[n - 1] == ':') {
        if (pass) continue;
        assert(labels < 8);
        t.word[n - 1] = 0;
        memcpy(label[labels].name, t.word, sizeof t.word);
        label[labels++].at = at;
        continue;
      }
      const unsigned k = opcode(t.word);
      out[at++] = (uint8_t)(k < VM_OPCODES ? k : strtoul(t.word, NULL, 0));
      if (k == VM_OPCODES || op[k].bytes == 0) continue;
      next_word(&t);
      const unsigned v = label_value(t.word, label, labels);
      for (unsigned i = 0; i < op[k].bytes; i++) out[at++] = (uint8_t)(v >> 8 * i);
    }
  }
  return at;
}
