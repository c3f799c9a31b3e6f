// SPDX-License-Identifier: Apache-2.0
// Locks, tickets, flags that lanes of one warp compete for and wait for, in the ways in which they are written. Each
// kernel is launched with one warp and leaves the lock, mem[0], free and the number of threads in mem[1]; only who has
// the lock counts (test_locks.sh).
#define KERNEL extern "C" __global__ void
#define COUNT(mem) (*(volatile unsigned *)((mem) + 1) = *(volatile unsigned *)((mem) + 1) + 1)

KERNEL spin(unsigned *mem) {
  while (atomicCAS(mem, 0u, 1u) != 0) {}
  COUNT(mem);
  __threadfence();
  atomicExch(mem, 0u);
}

KERNEL done(unsigned *mem) {
  bool done = false;
  while (!done) {
    if (atomicCAS(mem, 0u, 1u) == 0) {
      COUNT(mem);
      __threadfence();
      atomicExch(mem, 0u);
      done = true;
    }
  }
}

// The loop's condition is a constant on each way; which way is taken the lock decides.
KERNEL flag(unsigned *mem) {
  bool got = false;
  while (!got) {
    if (atomicCAS(mem, 0u, 1u) == 0) got = true;
  }
  COUNT(mem);
  __threadfence();
  atomicExch(mem, 0u);
}

KERNEL leave(unsigned *mem) {
  for (;;) {
    if (atomicExch(mem, 1u) == 0) break;
    __nanosleep(20);
  }
  COUNT(mem);
  __threadfence();
  atomicExch(mem, 0u);
}

__device__ void give(unsigned *lock) {
  __threadfence();
  atomicExch(lock, 0u);
}

__device__ __noinline__ void take_apart(unsigned *lock) {
  while (atomicCAS(lock, 0u, 1u) != 0) {}
}
KERNEL call(unsigned *mem) {
  take_apart(mem);
  COUNT(mem);
  give(mem);
}

__device__ __noinline__ bool try_take(unsigned *lock) {
  return atomicCAS(lock, 0u, 1u) == 0;
}
KERNEL trylock(unsigned *mem) {
  while (!try_take(mem)) {}
  COUNT(mem);
  give(mem);
}

__device__ __noinline__ void try_into(unsigned *lock, bool *got) {
  *got = atomicCAS(lock, 0u, 1u) == 0;
}
KERNEL into(unsigned *mem) {
  bool got = false;
  do {
    try_into(mem, &got);
  } while (!got);
  COUNT(mem);
  give(mem);
}

// A word behind the count is the outer lock's.
KERNEL nested(unsigned *mem) {
  while (atomicCAS(mem + 2, 0u, 1u) != 0) {}
  while (atomicCAS(mem, 0u, 1u) != 0) {}
  COUNT(mem);
  __threadfence();
  atomicExch(mem, 0u);
  __threadfence();
  atomicExch(mem + 2, 0u);
}

KERNEL ticket(unsigned *mem) {
  const unsigned mine = atomicAdd(mem + 2, 1u);
  while (*(volatile unsigned *)(mem + 3) != mine) {}
  COUNT(mem);
  __threadfence();
  *(volatile unsigned *)(mem + 3) = mine + 1;
}

KERNEL testset(unsigned *mem) {
  do {
    while (*(volatile unsigned *)mem != 0) __nanosleep(10);
  } while (atomicCAS(mem, 0u, 1u) != 0);
  COUNT(mem);
  __threadfence();
  atomicExch(mem, 0u);
}

// Four times each, a quarter of the lanes counts.
KERNEL again(unsigned *mem) {
  for (unsigned k = 0; k < 4; k++) {
    while (atomicCAS(mem, 0u, 1u) != 0) {}
    if (k == threadIdx.x % 4) COUNT(mem);
    __threadfence();
    atomicExch(mem, 0u);
  }
}

// Two locks, and lanes that want one or the other.
KERNEL either(unsigned *mem) {
  if (threadIdx.x & 1) {
    while (atomicCAS(mem + 2, 0u, 1u) != 0) {}
    while (atomicCAS(mem, 0u, 1u) != 0) {}
    COUNT(mem);
    give(mem);
    give(mem + 2);
  } else {
    while (atomicCAS(mem, 0u, 1u) != 0) {}
    COUNT(mem);
    give(mem);
  }
}

// Four locks by lane, then the one that counts.
KERNEL four(unsigned *mem) {
  unsigned *mine = mem + 2 + threadIdx.x % 4;
  for (unsigned k = 0; k < 3; k++) {
    while (atomicCAS(mine, 0u, 1u) != 0) {}
    while (atomicCAS(mem, 0u, 1u) != 0) {}
    if (k == threadIdx.x % 3) COUNT(mem);
    give(mem);
    give(mine);
  }
}

KERNEL barriers(unsigned *mem) {
  for (unsigned k = 0; k < 4; k++) {
    bool done = false;
    while (!done) {
      if (atomicCAS(mem, 0u, 1u) == 0) {
        if (k == threadIdx.x % 4) COUNT(mem);
        __threadfence();
        atomicExch(mem, 0u);
        done = true;
      }
    }
    __syncthreads();
  }
}

KERNEL warp(unsigned *mem) {
  while (atomicCAS(mem, 0u, 1u) != 0) {}
  COUNT(mem);
  __threadfence();
  atomicExch(mem, 0u);
  __syncwarp();
  const unsigned sum = __shfl_xor_sync(0xffffffff, threadIdx.x, 1);
  mem[2 + threadIdx.x] = sum;
}

// Waits with a limit, and tries anew.
KERNEL limit(unsigned *mem) {
  bool got = false;
  while (!got) {
    for (int k = 0; k < 5 && !got; k++) got = atomicCAS(mem, 0u, 1u) == 0;
  }
  COUNT(mem);
  give(mem);
}

struct mutex {
  unsigned *word;
  __device__ void lock() {
    unsigned ns = 8;
    while (atomicCAS(word, 0, 1) == 1) {
      __nanosleep(ns);
      if (ns < 256) ns *= 2;
    }
  }
  __device__ void unlock() {
    __threadfence();
    atomicExch(word, 0);
  }
};
KERNEL backoff(unsigned *mem) {
  mutex m{mem};
  m.lock();
  COUNT(mem);
  m.unlock();
}

// Given back by a store.
KERNEL stored(unsigned *mem) {
  for (int i = 0; i < 5; i++) {
    while (atomicCAS(mem, 0u, 1u) != 0) {}
    __threadfence();
    if (i == (int)threadIdx.x % 5) COUNT(mem);
    __threadfence();
    *(volatile unsigned *)mem = 0;
  }
}

// Some want a second lock, and give it back in another branch.
KERNEL maybe(unsigned *mem) {
  bool want = threadIdx.x & 1;
  if (want)
    while (atomicCAS(mem + 2, 0u, 1u) != 0) {}
  while (atomicCAS(mem, 0u, 1u) != 0) {}
  COUNT(mem);
  __threadfence();
  atomicExch(mem, 0u);
  if (want) {
    __threadfence();
    atomicExch(mem + 2, 0);
  }
}

// A lock for each bucket.
KERNEL buckets(unsigned *mem) {
  for (int k = 0; k < 6; k++) {
    unsigned h = (threadIdx.x * 7 + k * 3) % 5;
    bool leave = false;
    while (!leave) {
      if (try_take(&mem[4 + h])) {
        mem[10 + h]++;
        __threadfence();
        atomicExch(&mem[4 + h], 0);
        leave = true;
      }
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) mem[1] = (mem[10] + mem[11] + mem[12] + mem[13] + mem[14]) / 6;
}

// Hand over hand along a list, from different places on: each has a lock when he comes to the loop.
KERNEL hands(unsigned *mem) {
  unsigned *lock = mem + 2;
  int at = threadIdx.x % 3;
  while (atomicCAS(lock + at, 0u, 1u) != 0) {}
  while (at < 6) {
    while (atomicCAS(lock + at + 1, 0u, 1u) != 0) {}
    __threadfence();
    atomicExch(lock + at, 0u);
    at++;
  }
  COUNT(mem);
  __threadfence();
  atomicExch(lock + 6, 0u);
}

// Many readers or one writer.
KERNEL readers(unsigned *mem) {
  int *l = (int *)(mem + 2);
  if (threadIdx.x % 4) {
    for (;;) {
      int v = *(volatile int *)l;
      if (v >= 0 && atomicCAS(l, v, v + 1) == v) break;
    }
    atomicAdd(mem + 3, mem[1] >> 31);
    atomicSub(l, 1);
    __threadfence();
  }
  for (;;) {
    if (atomicCAS(l, 0, -1) == 0) break;
    __nanosleep(32);
  }
  COUNT(mem);
  __threadfence();
  atomicExch(l, 0);
}

// A bit of a word.
KERNEL bit(unsigned *mem) {
  while (atomicOr(mem, 4u) & 4u)
    ;
  COUNT(mem);
  __threadfence();
  atomicAnd(mem, ~4u);
}

// The lock is what a compare-and-swap of a value that was read puts there.
KERNEL seqloop(unsigned *mem) {
  unsigned v, *l = mem + 2;
  for (int i = 0; i < 3; i++) {
    do {
      v = *(volatile unsigned *)l & ~1u;
    } while (atomicCAS(l, v, v | 1) != v);
    if (i == threadIdx.x % 3) COUNT(mem);
    __threadfence();
    *(volatile unsigned *)l = v + 2;
  }
}

KERNEL jump(unsigned *mem) {
try_again:
  if (atomicCAS(mem, 0u, 1u)) {
    __nanosleep(8);
    goto try_again;
  }
  COUNT(mem);
  __threadfence();
  atomicExch(mem, 0u);
}

__device__ __noinline__ int step(unsigned *mem, int state) {
  switch (state) {
  case 0:
    return atomicCAS(mem, 0u, 1u) == 0 ? 1 : 0;
  case 1:
    COUNT(mem);
    return 2;
  default:
    __threadfence();
    atomicExch(mem, 0u);
    return 3;
  }
}
KERNEL machine(unsigned *mem) {
  int state = 0;
  while (state != 3) state = step(mem, state);
}

// Each waits on a word of its own (Mellor-Crummey and Scott).
KERNEL mcs(unsigned *mem) {
  __shared__ unsigned next[32], wait[32], tail;
  unsigned me = threadIdx.x;
  next[me] = 0;
  wait[me] = 1;
  if (me == 0) tail = 0;
  __syncthreads();
  unsigned pred = atomicExch(&tail, me + 1);
  if (pred) {
    *(volatile unsigned *)&next[pred - 1] = me + 1;
    while (*(volatile unsigned *)&wait[me]) {}
  }
  COUNT(mem);
  __threadfence();
  if (!*(volatile unsigned *)&next[me]) {
    if (atomicCAS(&tail, me + 1, 0) == me + 1) return;
    while (!*(volatile unsigned *)&next[me]) {}
  }
  *(volatile unsigned *)&wait[next[me] - 1] = 0;
}

// Held over branches, and given back on either side of one.
KERNEL branch(unsigned *mem) {
  while (atomicCAS(mem, 0u, 1u)) {}
  if (threadIdx.x & 4)
    mem[3]++;
  else
    mem[4]--;
  COUNT(mem);
  __threadfence();
  if (threadIdx.x & 2) {
    __threadfence();
    atomicExch(mem, 0u);
    mem[5] = 3;
  } else {
    mem[6] = 4;
    __threadfence();
    atomicExch(mem, 0u);
  }
  mem[8 + threadIdx.x] = 5;
}

// Half of the lanes give to the other half.
KERNEL produce(unsigned *mem) {
  volatile unsigned *slot = mem + 2;
  if (threadIdx.x < 16) {
    while (atomicCAS(mem + 2 + threadIdx.x, 0, 7 + threadIdx.x) != 0) {}
  } else {
    unsigned v;
    while ((v = atomicExch(mem + 2 + threadIdx.x - 16, 0)) == 0) {}
    atomicAdd(mem + 1, v == threadIdx.x - 16 + 7 ? 2 : 0);
  }
}

KERNEL lanes(unsigned *mem) {
  for (int r = 1; r <= 4; r++) {
    atomicAdd(mem + 2, 1);
    if (threadIdx.x & 1)
      while (*(volatile unsigned *)(mem + 2) < 32 * r) {}
    else
      while (atomicAdd(mem + 2, 0) < 32 * r) __nanosleep(3);
  }
  atomicAdd(mem + 1, 1);
}
