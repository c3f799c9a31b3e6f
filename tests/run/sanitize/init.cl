// Reads of what nobody wrote: tests/tools/test_sanitize.py says what the comments mean.

// An index that nobody wrote.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
kernel void address(global const uint *in, global uint *out) {
  local uint place[64];
  const uint i = get_local_id(0);
  if (i % 2 == 0) place[i] = i; // broken
  // mended: place[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = in[place[i] & 63]; // told: init
}

// Three bytes of each word are written, and the word is read.
// run: --grid 1 --block 32 --arg out:128:-
kernel void byte(global uint *out) {
  local uchar room[128];
  const uint i = get_local_id(0);
  for (uint b = 0; b < 3; b++) room[4 * i + b] = i; // broken
  // mended: for (uint b = 0; b < 4; b++) room[4 * i + b] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = *(local uint *)(room + 4 * i); // told: init
}

// How often a loop turns depends on what nobody wrote.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
kernel void loop(global const uint *in, global uint *out) {
  local uint turns[32];
  const uint i = get_local_id(0);
  if (in[i] > 500) turns[i] = in[i] % 4; // broken
  // mended: turns[i] = in[i] % 4;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (uint t = 0; t < turns[i]; t++) // told: init
    sum += in[t + i];
  out[i] = sum;
}

// A tree that adds up more elements than there are threads with one.
// run: --grid 1 --block 64 --arg in:in --arg out:4:- --arg u32:50
kernel void reduce(global const uint *in, global uint *out, uint n) {
  local uint part[64];
  const uint i = get_local_id(0);
  if (i < n) part[i] = in[i]; // broken
  // mended: part[i] = i < n ? in[i] : 0;
  for (uint step = 32; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < step) part[i] += part[i + step];
  }
  if (i == 0) out[0] = part[0]; // told: init
}
