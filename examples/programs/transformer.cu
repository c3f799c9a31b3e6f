/* SPDX-License-Identifier: Apache-2.0
 * A small language model, whole: weights drawn from a seed, tokens one by one with a cache of keys and values, and the
 * same arithmetic in double on the host as a verdict.
 *
 * usage: transformer [TOKENS [SEED [float|half [FILE]]]]    FILE gets the logits of all tokens, as floats
 *
 * Each operation of the kernels is one that IEEE 754 fixes, or ex2.approx, and their order stands in the source: every
 * GPU that has them returns the same bits. With `half` weights and their products are in FP16, two at a time, and what
 * the lanes of a warp have is added in FP32. */
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { WORDS = 64, WIDTH = 64, HEADS = 4, HEAD = WIDTH / HEADS, INNER = 4 * WIDTH, LAYERS = 2, CONTEXT = 32, WARP = 32, BLOCK = 128 };

/* ---- kernels: one warp a row, or a block of one warp */

__device__ float sum(float x) {
  for (int apart = WARP / 2; apart > 0; apart /= 2) x += __shfl_xor_sync(0xffffffff, x, apart);
  return x;
}

__device__ float largest(float x) {
  for (int apart = WARP / 2; apart > 0; apart /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, apart));
  return x;
}

__global__ void embed(float *x, const float *words, const float *places, int word, int place) {
  const int i = threadIdx.x;
  x[i] = words[word * WIDTH + i] + places[place * WIDTH + i];
}

/* y = x / sqrt(mean of squares) */
__global__ void normalise(float *y, const float *x) {
  float squares = 0;
  for (int i = threadIdx.x; i < WIDTH; i += WARP) squares = fmaf(x[i], x[i], squares);
  const float by = 1 / sqrtf(fmaf(sum(squares), 1.0f / WIDTH, 1e-5f));
  for (int i = threadIdx.x; i < WIDTH; i += WARP) y[i] = x[i] * by;
}

/* What becomes of a row's product. */
enum finish { PLAIN, ADD, SWISH };

/* Two weights, as they are kept and multiplied. */
__device__ float2 pair(float2 zero, float2 x) {
  (void)zero;
  return x;
}
__device__ __half2 pair(__half2 zero, float2 x) {
  (void)zero;
  return __floats2half2_rn(x.x, x.y);
}
__device__ float2 multiply_add(float2 a, float2 b, float2 c) {
  return make_float2(fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y));
}
__device__ __half2 multiply_add(__half2 a, __half2 b, __half2 c) {
  return __hfma2(a, b, c);
}
__device__ float added(float2 x) {
  return x.x + x.y;
}
__device__ float added(__half2 x) {
  return __low2float(x) + __high2float(x);
}

/* Weights in FP16; they are rounded where they came from, too. */
__global__ void narrow(__half2 *to, float2 *from, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  to[i] = pair(__half2(), from[i]);
  from[i] = make_float2(__low2float(to[i]), __high2float(to[i]));
}

/* y = W x: a warp a row, each lane every 32nd pair of columns. */
template <finish F, typename W>
__global__ void multiply(float *y, const W *weights, const float2 *x, int rows, int pairs) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
  if (row >= rows) return;
  W both = pair(W(), make_float2(0, 0));
  for (int i = lane; i < pairs; i += WARP) both = multiply_add(weights[row * pairs + i], pair(both, x[i]), both);
  float product = sum(added(both));
  if (lane != 0) return;
  if (F == ADD) product = y[row] + product;
  if (F == SWISH) product = product / (1 + __expf(-product));
  y[row] = product;
}

/* A head a block, a place a lane, then a column of the values a lane. */
__global__ void attend(float *y, const float *q, const float *keys, const float *values, int places) {
  __shared__ float weight[CONTEXT];
  const int head = blockIdx.x * HEAD, lane = threadIdx.x;
  float score = -INFINITY;
  if (lane < places) {
    score = 0;
    for (int i = 0; i < HEAD; i++) score = fmaf(q[head + i], keys[lane * WIDTH + head + i], score);
    score *= 0.25f; /* 1 / sqrt(HEAD) */
  }
  const float most = largest(score), e = lane < places ? __expf(score - most) : 0;
  weight[lane] = e / sum(e);
  __syncwarp();
  if (lane >= HEAD) return;
  float all = 0;
  for (int t = 0; t < places; t++) all = fmaf(weight[t], values[t * WIDTH + head + lane], all);
  y[head + lane] = all;
}

/* ---- the model, on the host and on the device */

struct layer {
  int q, k, v, out, up, down; /* where each matrix begins among the weights */
};
enum { SQUARE = WIDTH * WIDTH, WIDE = WIDTH * INNER, LAYER = 4 * SQUARE + 2 * WIDE, PLACES = WORDS * WIDTH };
enum { FIRST = PLACES + CONTEXT * WIDTH, WEIGHTS = FIRST + LAYERS * LAYER };

static layer layer_of(int l) {
  const int at = FIRST + l * LAYER, wide = at + 4 * SQUARE;
  return {at, at + SQUARE, at + 2 * SQUARE, at + 3 * SQUARE, wide, wide + WIDE};
}

/* xorshift64*; between -1 and 1, of 24 bits */
static float draw(uint64_t &state) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return static_cast<float>(state * UINT64_C(2685821657736338717) >> 40) * 0x1p-23f - 1;
}

static void must(cudaError_t e, int line) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "transformer.cu:%d: %s\n", line, cudaGetErrorString(e));
  exit(1);
}
#define MUST(call) must(call, __LINE__)

template <typename T = float> static T *room(size_t count) {
  void *p;
  MUST(cudaMalloc(&p, count * sizeof(T)));
  return static_cast<T *>(p);
}

struct device_model {
  float *weights = room(WEIGHTS), *x = room(WIDTH), *normal = room(WIDTH), *q = room(WIDTH), *mixed = room(WIDTH),
        *inner = room(INNER), *logits = room(WORDS), *keys = room(LAYERS * CONTEXT * WIDTH),
        *values = room(LAYERS * CONTEXT * WIDTH);
  __half2 *narrowed = nullptr; /* the weights in FP16, where they are to be so */

  /* Rounds `w` if so. */
  device_model(std::vector<float> &w, bool fp16) {
    MUST(cudaMemcpy(weights, w.data(), WEIGHTS * sizeof(float), cudaMemcpyHostToDevice));
    if (!fp16) return;
    narrowed = room<__half2>(WEIGHTS / 2);
    narrow<<<WEIGHTS / 2 / BLOCK, BLOCK>>>(narrowed, reinterpret_cast<float2 *>(weights), WEIGHTS / 2);
    MUST(cudaMemcpy(w.data(), weights, WEIGHTS * sizeof(float), cudaMemcpyDeviceToHost));
  }
  ~device_model() {
    MUST(cudaFree(narrowed));
    for (float *p : {weights, x, normal, q, mixed, inner, logits, keys, values}) MUST(cudaFree(p));
  }
  device_model(const device_model &) = delete;
  device_model &operator=(const device_model &) = delete;

  template <finish F> void product(float *y, int matrix, const float *from, int rows, int columns) const {
    const float2 *x = reinterpret_cast<const float2 *>(from);
    const dim3 grid(rows * WARP / BLOCK), block(BLOCK);
    if (narrowed)
      multiply<F><<<grid, block>>>(y, narrowed + matrix / 2, x, rows, columns / 2);
    else
      multiply<F><<<grid, block>>>(y, reinterpret_cast<const float2 *>(weights + matrix), x, rows, columns / 2);
  }

  void token(int word, int place, float *out) const {
    embed<<<1, WIDTH>>>(x, weights, weights + PLACES, word, place);
    for (int l = 0; l < LAYERS; l++) {
      const layer m = layer_of(l);
      float *k = keys + l * CONTEXT * WIDTH, *v = values + l * CONTEXT * WIDTH;
      normalise<<<1, WARP>>>(normal, x);
      product<PLAIN>(q, m.q, normal, WIDTH, WIDTH);
      product<PLAIN>(k + place * WIDTH, m.k, normal, WIDTH, WIDTH);
      product<PLAIN>(v + place * WIDTH, m.v, normal, WIDTH, WIDTH);
      attend<<<HEADS, WARP>>>(mixed, q, k, v, place + 1);
      product<ADD>(x, m.out, mixed, WIDTH, WIDTH);
      normalise<<<1, WARP>>>(normal, x);
      product<SWISH>(inner, m.up, normal, INNER, WIDTH);
      product<ADD>(x, m.down, inner, WIDTH, INNER);
    }
    normalise<<<1, WARP>>>(normal, x);
    product<PLAIN>(logits, 0, normal, WORDS, WIDTH);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(out, logits, WORDS * sizeof(float), cudaMemcpyDeviceToHost));
  }
};

using vector = std::vector<double>;

struct host_model {
  const std::vector<float> &w;
  std::vector<vector> keys[LAYERS], values[LAYERS];

  static vector normalised(const vector &x) {
    double squares = 0;
    for (const double v : x) squares += v * v;
    vector y = x;
    for (double &v : y) v /= std::sqrt(squares / WIDTH + 1e-5);
    return y;
  }
  vector product(int matrix, const vector &x, int rows) const {
    vector y(rows);
    for (int r = 0; r < rows; r++)
      for (size_t i = 0; i < x.size(); i++) y[r] += static_cast<double>(w[matrix + r * x.size() + i]) * x[i];
    return y;
  }
  vector attended(int l, const vector &q) const {
    vector y(WIDTH);
    for (int head = 0; head < WIDTH; head += HEAD) {
      vector e;
      double all = 0;
      for (const vector &k : keys[l]) {
        double score = 0;
        for (int i = head; i < head + HEAD; i++) score += q[i] * k[i];
        e.push_back(std::exp(score / 4));
        all += e.back();
      }
      for (size_t t = 0; t < e.size(); t++)
        for (int i = head; i < head + HEAD; i++) y[i] += e[t] / all * values[l][t][i];
    }
    return y;
  }
  vector token(int word, int place) {
    vector x(WIDTH);
    for (int i = 0; i < WIDTH; i++)
      x[i] = static_cast<double>(w[word * WIDTH + i]) + static_cast<double>(w[PLACES + place * WIDTH + i]);
    for (int l = 0; l < LAYERS; l++) {
      const layer m = layer_of(l);
      const vector normal = normalised(x);
      keys[l].push_back(product(m.k, normal, WIDTH));
      values[l].push_back(product(m.v, normal, WIDTH));
      const vector mixed = product(m.out, attended(l, product(m.q, normal, WIDTH)), WIDTH);
      for (int i = 0; i < WIDTH; i++) x[i] += mixed[i];
      vector inner = product(m.up, normalised(x), INNER);
      for (double &v : inner) v /= 1 + std::exp(-v);
      const vector down = product(m.down, inner, WIDTH);
      for (int i = 0; i < WIDTH; i++) x[i] += down[i];
    }
    return product(0, normalised(x), WORDS);
  }
};

static int most_likely(const float *logits) {
  int best = 0;
  for (int i = 1; i < WORDS; i++)
    if (logits[i] > logits[best]) best = i;
  return best;
}

static bool write_logits(const char *name, const std::vector<float> &logits) {
  FILE *f = fopen(name, "wb");
  const bool well = f && fwrite(logits.data(), sizeof(float), logits.size(), f) == logits.size();
  if (f && fclose(f) == 0 && well) return true;
  fprintf(stderr, "transformer: %s cannot be written\n", name);
  return false;
}

int main(int argc, char **argv) {
  const int tokens = argc > 1 ? atoi(argv[1]) : 8;
  uint64_t state = argc > 2 ? strtoull(argv[2], nullptr, 0) : 1;
  const bool fp16 = argc > 3 && strcmp(argv[3], "half") == 0;
  if (tokens < 1 || tokens > CONTEXT || state == 0) {
    fprintf(stderr, "transformer: of 1 to %d tokens, and a seed that is not 0\n", CONTEXT);
    return 2;
  }
  std::vector<float> weights(WEIGHTS), logits(tokens * WORDS);
  for (float &w : weights) w = draw(state) * 0.2f;
  const device_model device(weights, fp16);
  host_model host{weights, {}, {}};
  double furthest = 0;
  for (int t = 0, word = 1; t < tokens; t++) {
    float *out = &logits[t * WORDS];
    device.token(word, t, out);
    const vector right = host.token(word, t);
    for (int i = 0; i < WORDS; i++) furthest = std::fmax(furthest, std::fabs(static_cast<double>(out[i]) - right[i]));
    word = most_likely(out);
    printf("%d%c", word, t + 1 < tokens ? ' ' : '\n');
  }
  if (argc > 4 && !write_logits(argv[4], logits)) return 1;
  const bool well = furthest < (fp16 ? 5e-3 : 2e-6);
  printf("%d parameters, logits within %.1e of double: %s\n", static_cast<int>(WEIGHTS), furthest, well ? "PASS" : "FAIL");
  return !well;
}
