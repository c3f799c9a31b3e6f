/* SPDX-License-Identifier: Apache-2.0
 * malloc and free of kernels. Blocks are of a size class: 16 bytes of head and what was asked for, rounded up by a
 * quarter at most. A block that was given back waits in its class's list, else one is cut from the end of what is in use; when
 * that is full a larger one of a list will do. No lock: what a thread's compare-and-swap misses another thread has done,
 * so that none waits for a thread of its warp. Blocks are never joined. build.sh makes PTX of it.
 *
 * For a sanitizer (heap_checked.cu) a block also says how many bytes it is of, 0 once it was given back; GUARD units
 * behind it stay free; and what was given back is used again only when half of the room is taken.
 *
 * Places are in units of 16 bytes from the heap's beginning on, 0 for none: nothing begins with a block's head. */

typedef unsigned long long u64;

#ifdef HEDDLE_HEAP_CHECKED
enum { CHECKED = 1, GUARD = 4 };
#else
enum { CHECKED = 0, GUARD = 0 };
#endif
enum { UNIT = 16, CLASSES = 128 };

struct head {
  unsigned size_class, next; /* the next one in the list */
  unsigned bytes, unused;    /* bytes: if CHECKED */
};

extern "C" {
extern __attribute__((device)) head heddle_heap[]; /* the first unit is nobody's */
extern __attribute__((device)) unsigned heddle_heap_units;
__attribute__((device)) unsigned heddle_heap_taken;       /* units, after the first */
__attribute__((device)) u64 heddle_heap_waiting[CLASSES]; /* of each class the first block; above, how often it changed */
}

static inline __attribute__((device, always_inline)) unsigned log2_of(unsigned n) {
  return 31 - __builtin_clz(n);
}

/* The class of the least block of at least so many units, which become its own. */
static inline __attribute__((device, always_inline)) unsigned class_of(unsigned *units) {
  if (*units < 4) return *units;
  const unsigned step = 1u << (log2_of(*units) - 2);
  *units = (*units + step - 1) & -step;
  const unsigned power = log2_of(*units);
  return 4 * power + (*units >> (power - 2) & 3);
}

static __attribute__((device)) void *from_list(unsigned size_class) {
  volatile u64 *const list = &heddle_heap_waiting[size_class];
  u64 seen = *list;
  for (;;) {
    const unsigned first = (unsigned)seen;
    if (first == 0) return 0;
    const unsigned next = *(volatile unsigned *)&heddle_heap[first].next;
    const u64 found = __nvvm_atom_cas_gen_ll((long long *)list, seen, ((seen >> 32) + 1) << 32 | next);
    if (found == seen) return &heddle_heap[first + 1];
    seen = found;
  }
}

static __attribute__((device)) void *from_end(unsigned units, unsigned size_class) {
  const unsigned room = heddle_heap_units - 1;
  unsigned seen = *(volatile unsigned *)&heddle_heap_taken;
  for (;;) {
    if (units > room - seen) return 0;
    const unsigned found = __nvvm_atom_cas_gen_i((int *)&heddle_heap_taken, seen, seen + units);
    if (found == seen) break;
    seen = found;
  }
  head *const block = &heddle_heap[1 + seen];
  block->size_class = size_class;
  return block + 1;
}

extern "C" {
__attribute__((device)) void *malloc(unsigned long bytes) {
  if (bytes == 0 || bytes > (unsigned long)heddle_heap_units * UNIT) return 0;
  unsigned units = ((unsigned)bytes + UNIT - 1) / UNIT + 1 + GUARD;
  const unsigned size_class = class_of(&units);
  const bool fresh = CHECKED && *(volatile unsigned *)&heddle_heap_taken < heddle_heap_units / 2;
  void *block = fresh ? from_end(units, size_class) : from_list(size_class);
  if (!block) block = fresh ? from_list(size_class) : from_end(units, size_class);
  for (unsigned c = size_class + 1; !block && c < CLASSES; c++) block = from_list(c);
  if (CHECKED && block) *(volatile unsigned *)&((head *)block)[-1].bytes = (unsigned)bytes;
  return block;
}

__attribute__((device)) void free(void *of) {
  if (!of) return;
  head *const block = (head *)of - 1;
  if (CHECKED && __nvvm_atom_xchg_gen_i((int *)&block->bytes, 0) == 0) return;
  volatile u64 *const list = &heddle_heap_waiting[block->size_class];
  u64 seen = *list;
  for (;;) {
    *(volatile unsigned *)&block->next = (unsigned)seen;
    __nvvm_membar_gl(); /* this, and what its owner wrote, come before what the next one finds and writes */
    const u64 found =
        __nvvm_atom_cas_gen_ll((long long *)list, seen, ((seen >> 32) + 1) << 32 | (unsigned)(block - heddle_heap));
    if (found == seen) return;
    seen = found;
  }
}
}
