/* SPDX-License-Identifier: Apache-2.0
 *
 * SHA-256 (FIPS 180-4) of many messages of any length, one a thread: message i is data[start[i]] .. data[start[i+1]].
 * Padding is made on the way; digests are stored as bytes are read, big-endian. */
__constant uint K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#define ROTR(x, n) rotate(x, 32u - (n))

/* Word i of 16 of the block at byte `at` of a message of `size` bytes, padded: 0x80, zeros, the length in bits. */
static uint padded_word(__global const uchar *message, uint size, uint at, uint i) {
  const uint byte = at + 4 * i;
  if (byte + 4 <= size) return as_uint((uchar4)(message[byte + 3], message[byte + 2], message[byte + 1], message[byte]));
  if (i == 15 && size + 8 < at + 64) return size << 3;
  if (i == 14 && size + 8 < at + 64) return size >> 29;
  uint word = 0;
  for (uint b = 0; b < 4; b++) {
    const uint value = byte + b < size ? message[byte + b] : byte + b == size ? 0x80 : 0;
    word = word << 8 | value;
  }
  return word;
}

static void compress(uint state[8], uint w[16]) {
  uint a = state[0], b = state[1], c = state[2], d = state[3];
  uint e = state[4], f = state[5], g = state[6], h = state[7];
  for (uint round = 0; round < 64; round += 16)
#pragma unroll
    for (uint i = 0; i < 16; i++) {
      if (round) {
        const uint w1 = w[(i + 1) & 15], w14 = w[(i + 14) & 15];
        w[i] += (ROTR(w1, 7) ^ ROTR(w1, 18) ^ w1 >> 3) + w[(i + 9) & 15] + (ROTR(w14, 17) ^ ROTR(w14, 19) ^ w14 >> 10);
      }
      const uint t1 = h + (ROTR(e, 6) ^ ROTR(e, 11) ^ ROTR(e, 25)) + bitselect(g, f, e) + K[round + i] + w[i];
      const uint t2 = (ROTR(a, 2) ^ ROTR(a, 13) ^ ROTR(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

__kernel void sha256(__global const uchar *data, __global const uint *start, __global uint *digest, uint messages) {
  const uint t = get_global_id(0);
  if (t >= messages) return;
  __global const uchar *message = data + start[t];
  const uint size = start[t + 1] - start[t];
  uint state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (uint at = 0; at < size + 9; at += 64) {
    uint w[16];
#pragma unroll
    for (uint i = 0; i < 16; i++) w[i] = padded_word(message, size, at, i);
    compress(state, w);
  }
#pragma unroll
  for (uint i = 0; i < 8; i++) digest[8 * t + i] = as_uint(as_uchar4(state[i]).wzyx);
}
