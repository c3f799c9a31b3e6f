// How often a loop turns depends on what nobody wrote.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
kernel void k(global const uint *in, global uint *out) {
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
