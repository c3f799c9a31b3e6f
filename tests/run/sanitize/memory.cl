// Accesses out of bounds: tests/tools/test_sanitize.py says what the comments mean.

// Two arrays of local memory from the host: one is left, the other one lies behind.
// run: --grid 1 --block 64 --arg in:in --arg out:256:- --arg local:252 --arg local:256
// says: argument 2 (252 bytes at 0x40): 4 bytes beyond its end
kernel void local_argument(global const int *in, global int *out, local int *a, local int *b) {
  const int i = get_local_id(0);
  b[i] = in[i];
  a[i] = in[i]; // broken, told: memory
  // mended: if (i < 63) a[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = b[63 - i];
}

// One byte behind a buffer of 63 bytes.
// run: --grid 1 --block 64 --arg out:63:-
// says: argument 0 (63 bytes at 0x100000): 1 bytes beyond its end
kernel void one_byte(global uchar *out) {
  const uint i = get_local_id(0);
  out[i] = i; // broken, told: memory
  // mended: if (i < 63) out[i] = i;
}

// Two arrays of a kernel, and an index that leaves the first one for where the other one would be.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: 4 bytes beyond its end
kernel void two_arrays(global const uint *in, global uint *out) {
  local uint a[16], b[64];
  const uint i = get_local_id(0);
  b[i] = in[i];
  if (i <= 16) a[i] = in[i]; // broken, told: memory
  // mended: if (i < 16) a[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = a[i % 16] + b[63 - i];
}
