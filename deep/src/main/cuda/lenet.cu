// LeNet's gradients for all clients: convolution, bias, rectifier and pooling fused, forward and backward.
//
// Images lie client after client; client m's are offsets[m] .. offsets[m + 1]. A row of theta and of the gradient has
// P numbers, in the order of ngd.deep.model.Net. Nothing is added atomically: sums over images are taken by blocks in a fixed
// order and then over blocks in a fixed order, so that the same inputs give the same bits.

constexpr int P = 61706;
constexpr int CONV1 = 0, BIAS1 = 150, CONV2 = 156, BIAS2 = 2556;
constexpr int PIXELS = 784;                   // an image
constexpr int POOL1 = 14, AREA1 = 196;        // a channel after the first pooling
constexpr int MAPS1 = 6, SIZE1 = 1176;
constexpr int POOL2 = 5, AREA2 = 25;          // a channel after the second
constexpr int MAPS2 = 16, SIZE2 = 400;
constexpr int K = 5, KK = 25, KPAD = 28;      // a kernel, padded to vectors of four
constexpr int DEAD = 4;                       // no gradient: the rectifier was closed

// The first layer. A thread has one pooled pixel and all six maps; 36 input pixels stay in registers.
constexpr int WIDE = 34;                      // a padded row; not a multiple of 32 banks
constexpr int IMAGES1 = 15;

extern "C" __global__ __launch_bounds__(224) void conv1_forward(
    const float* __restrict__ theta, const float* __restrict__ images, const int* __restrict__ offsets,
    float* __restrict__ pooled, unsigned char* __restrict__ argmax) {
  __shared__ __align__(16) float weight[MAPS1 * KPAD];
  __shared__ float bias[MAPS1];
  __shared__ __align__(16) float image[32 * WIDE];
  const int m = blockIdx.y, t = threadIdx.x;
  const int first = offsets[m] + blockIdx.x * IMAGES1;
  const int last = min(first + IMAGES1, offsets[m + 1]);
  if (first >= last) return;
  const float* own = theta + (size_t)m * P;
  for (int i = t; i < MAPS1 * KPAD; i += blockDim.x) {
    int map = i / KPAD, k = i % KPAD;
    weight[i] = k < KK ? own[CONV1 + map * KK + k] : 0.f;
  }
  if (t < MAPS1) bias[t] = own[BIAS1 + t];
  for (int i = t; i < 32 * WIDE; i += blockDim.x) image[i] = 0.f;
  const int y = t / POOL1, x = t % POOL1;
  for (int n = first; n < last; n++) {
    __syncthreads();
    if (t < AREA1) {
      float4 four = reinterpret_cast<const float4*>(images + (size_t)n * PIXELS)[t];
      float* to = image + (t / 7 + 2) * WIDE + (t % 7) * 4 + 2;
      to[0] = four.x; to[1] = four.y; to[2] = four.z; to[3] = four.w;
    }
    __syncthreads();
    if (t < AREA1) {
      float patch[6][6];
#pragma unroll
      for (int r = 0; r < 6; r++)
#pragma unroll
        for (int c = 0; c < 3; c++) {
          float2 two = *reinterpret_cast<const float2*>(image + (2 * y + r) * WIDE + 2 * x + 2 * c);
          patch[r][2 * c] = two.x;
          patch[r][2 * c + 1] = two.y;
        }
#pragma unroll
      for (int map = 0; map < MAPS1; map++) {
        float w[KPAD];
#pragma unroll
        for (int k = 0; k < KPAD / 4; k++) {
          float4 four = reinterpret_cast<const float4*>(weight + map * KPAD)[k];
          w[4 * k] = four.x; w[4 * k + 1] = four.y; w[4 * k + 2] = four.z; w[4 * k + 3] = four.w;
        }
        float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
#pragma unroll
        for (int r = 0; r < K; r++)
#pragma unroll
          for (int c = 0; c < K; c++) {
            float v = w[r * K + c];
            s00 = fmaf(v, patch[r][c], s00);
            s01 = fmaf(v, patch[r][c + 1], s01);
            s10 = fmaf(v, patch[r + 1][c], s10);
            s11 = fmaf(v, patch[r + 1][c + 1], s11);
          }
        float best = s00; int at = 0;
        if (s01 > best) { best = s01; at = 1; }
        if (s10 > best) { best = s10; at = 2; }
        if (s11 > best) { best = s11; at = 3; }
        best += bias[map];
        size_t out = (size_t)n * SIZE1 + map * AREA1 + t;
        pooled[out] = best > 0.f ? best : 0.f;
        argmax[out] = best > 0.f ? at : DEAD;
      }
    }
  }
}

// The second layer. A thread has one pooled pixel of one image and eight of the sixteen maps.
constexpr int IMAGES2 = 6, TILES2 = 5, HALF2 = 8;

extern "C" __global__ __launch_bounds__(320) void conv2_forward(
    const float* __restrict__ theta, const float* __restrict__ in, const int* __restrict__ offsets,
    float* __restrict__ pooled, unsigned char* __restrict__ argmax) {
  __shared__ __align__(16) float weight[MAPS2 * MAPS1 * KPAD];
  __shared__ float bias[MAPS2];
  __shared__ __align__(16) float maps[IMAGES2 * SIZE1];
  const int m = blockIdx.y, t = threadIdx.x;
  const int end = offsets[m + 1];
  const int start = offsets[m] + blockIdx.x * IMAGES2 * TILES2;
  if (start >= end) return;
  const float* own = theta + (size_t)m * P;
  for (int i = t; i < MAPS2 * MAPS1 * KPAD; i += blockDim.x) {
    int kernel = i / KPAD, k = i % KPAD;
    weight[i] = k < KK ? own[CONV2 + kernel * KK + k] : 0.f;
  }
  if (t < MAPS2) bias[t] = own[BIAS2 + t];
  const int half = t / 160, pair = t % 160;
  const int image = pair / AREA2, q = pair % AREA2;
  const int y = q / POOL2, x = q % POOL2;
  for (int tile = 0; tile < TILES2; tile++) {
    const int first = start + tile * IMAGES2;
    if (first >= end) break;
    const int count = min(IMAGES2, end - first);
    __syncthreads();
    const float4* from = reinterpret_cast<const float4*>(in + (size_t)first * SIZE1);
    for (int i = t; i < count * SIZE1 / 4; i += blockDim.x) reinterpret_cast<float4*>(maps)[i] = from[i];
    __syncthreads();
    if (image < count) {
      float s[HALF2][4];
#pragma unroll
      for (int o = 0; o < HALF2; o++) s[o][0] = s[o][1] = s[o][2] = s[o][3] = 0.f;
#pragma unroll 1
      for (int c = 0; c < MAPS1; c++) {
        float patch[6][6];
        const float* plane = maps + image * SIZE1 + c * AREA1 + 2 * y * POOL1 + 2 * x;
#pragma unroll
        for (int r = 0; r < 6; r++)
#pragma unroll
          for (int k = 0; k < 3; k++) {
            float2 two = *reinterpret_cast<const float2*>(plane + r * POOL1 + 2 * k);
            patch[r][2 * k] = two.x;
            patch[r][2 * k + 1] = two.y;
          }
#pragma unroll
        for (int o = 0; o < HALF2; o++) {
          const float4* kernel = reinterpret_cast<const float4*>(weight + ((half * HALF2 + o) * MAPS1 + c) * KPAD);
          float w[KPAD];
#pragma unroll
          for (int k = 0; k < KPAD / 4; k++) {
            float4 four = kernel[k];
            w[4 * k] = four.x; w[4 * k + 1] = four.y; w[4 * k + 2] = four.z; w[4 * k + 3] = four.w;
          }
#pragma unroll
          for (int r = 0; r < K; r++)
#pragma unroll
            for (int k = 0; k < K; k++) {
              float v = w[r * K + k];
              s[o][0] = fmaf(v, patch[r][k], s[o][0]);
              s[o][1] = fmaf(v, patch[r][k + 1], s[o][1]);
              s[o][2] = fmaf(v, patch[r + 1][k], s[o][2]);
              s[o][3] = fmaf(v, patch[r + 1][k + 1], s[o][3]);
            }
        }
      }
#pragma unroll
      for (int o = 0; o < HALF2; o++) {
        float best = s[o][0]; int at = 0;
        if (s[o][1] > best) { best = s[o][1]; at = 1; }
        if (s[o][2] > best) { best = s[o][2]; at = 2; }
        if (s[o][3] > best) { best = s[o][3]; at = 3; }
        best += bias[half * HALF2 + o];
        size_t out = (size_t)(first + image) * SIZE2 + (half * HALF2 + o) * AREA2 + q;
        pooled[out] = best > 0.f ? best : 0.f;
        argmax[out] = best > 0.f ? at : DEAD;
      }
    }
  }
}

// The second layer's gradient with respect to its input. A thread has a square of four input pixels, all six maps; the
// 6 x 6 output gradients that reach it are nine pooling windows with one number each.
constexpr int IMAGES3 = 3, TILES3 = 10, EDGE = 9, PADDED = 81;

extern "C" __global__ __launch_bounds__(160) void conv2_backward_input(
    const float* __restrict__ theta, const float* __restrict__ gradient, const unsigned char* __restrict__ argmax,
    const int* __restrict__ offsets, float* __restrict__ out) {
  __shared__ __align__(16) float weight[MAPS2 * MAPS1 * KPAD];
  __shared__ __align__(16) float2 window[IMAGES3 * MAPS2 * PADDED];
  const int m = blockIdx.y, t = threadIdx.x;
  const int end = offsets[m + 1];
  const int start = offsets[m] + blockIdx.x * IMAGES3 * TILES3;
  if (start >= end) return;
  const float* own = theta + (size_t)m * P;
  for (int i = t; i < MAPS2 * MAPS1 * KPAD; i += blockDim.x) {
    int kernel = i / KPAD, k = i % KPAD;
    weight[i] = k < KK ? own[CONV2 + kernel * KK + k] : 0.f;
  }
  for (int i = t; i < IMAGES3 * MAPS2 * PADDED; i += blockDim.x) window[i] = make_float2(0.f, __int_as_float(DEAD));
  const int image = t / 49, place = t % 49;
  const int y = place / 7, x = place % 7;
  for (int tile = 0; tile < TILES3; tile++) {
    const int first = start + tile * IMAGES3;
    if (first >= end) break;
    const int count = min(IMAGES3, end - first);
    __syncthreads();
    for (int i = t; i < count * SIZE2; i += blockDim.x) {
      int n = i / SIZE2, o = i % SIZE2 / AREA2, q = i % AREA2;
      size_t at = (size_t)first * SIZE2 + i;
      window[(n * MAPS2 + o) * PADDED + (q / POOL2 + 2) * EDGE + q % POOL2 + 2] =
          make_float2(gradient[at], __int_as_float((int)argmax[at]));
    }
    __syncthreads();
    if (image < count) {
      float s[MAPS1][4];
#pragma unroll
      for (int c = 0; c < MAPS1; c++) s[c][0] = s[c][1] = s[c][2] = s[c][3] = 0.f;
#pragma unroll 1
      for (int o = 0; o < MAPS2; o++) {
        // Rows 2y - 4 .. 2y + 1 of the output are the pooling windows y - 2 .. y, kept two further on.
        float patch[6][6];
        const float2* near = window + (image * MAPS2 + o) * PADDED + y * EDGE + x;
#pragma unroll
        for (int r = 0; r < 3; r++)
#pragma unroll
          for (int c = 0; c < 3; c++) {
            float2 one = near[r * EDGE + c];
            int at = __float_as_int(one.y);
            patch[2 * r][2 * c] = at == 0 ? one.x : 0.f;
            patch[2 * r][2 * c + 1] = at == 1 ? one.x : 0.f;
            patch[2 * r + 1][2 * c] = at == 2 ? one.x : 0.f;
            patch[2 * r + 1][2 * c + 1] = at == 3 ? one.x : 0.f;
          }
#pragma unroll
        for (int c = 0; c < MAPS1; c++) {
          const float4* kernel = reinterpret_cast<const float4*>(weight + (o * MAPS1 + c) * KPAD);
          float w[KPAD];
#pragma unroll
          for (int k = 0; k < KPAD / 4; k++) {
            float4 four = kernel[k];
            w[4 * k] = four.x; w[4 * k + 1] = four.y; w[4 * k + 2] = four.z; w[4 * k + 3] = four.w;
          }
#pragma unroll
          for (int r = 0; r < K; r++)
#pragma unroll
            for (int k = 0; k < K; k++) {
              float v = w[r * K + k];
              s[c][0] = fmaf(v, patch[4 - r][4 - k], s[c][0]);
              s[c][1] = fmaf(v, patch[4 - r][5 - k], s[c][1]);
              s[c][2] = fmaf(v, patch[5 - r][4 - k], s[c][2]);
              s[c][3] = fmaf(v, patch[5 - r][5 - k], s[c][3]);
            }
        }
      }
      float* to = out + (size_t)(first + image) * SIZE1 + 2 * y * POOL1 + 2 * x;
#pragma unroll
      for (int c = 0; c < MAPS1; c++) {
        *reinterpret_cast<float2*>(to + c * AREA1) = make_float2(s[c][0], s[c][1]);
        *reinterpret_cast<float2*>(to + c * AREA1 + POOL1) = make_float2(s[c][2], s[c][3]);
      }
    }
  }
}

// The second layer's gradient with respect to its weights. A warp has one output map, a lane an input map and a row of
// the kernel; of each pooling window only the largest pixel counts.
constexpr int IMAGES4 = 4, TILES4 = 13, PARTS2 = MAPS2 * MAPS1 * KK + MAPS2;

extern "C" __global__ __launch_bounds__(512) void conv2_backward_weight(
    const float* __restrict__ in, const float* __restrict__ gradient, const unsigned char* __restrict__ argmax,
    const int* __restrict__ offsets, float* __restrict__ parts) {
  __shared__ __align__(16) float maps[IMAGES4 * SIZE1];
  __shared__ __align__(16) float2 window[IMAGES4 * SIZE2];
  const int m = blockIdx.y, t = threadIdx.x;
  const int end = offsets[m + 1];
  const int start = offsets[m] + blockIdx.x * IMAGES4 * TILES4;
  const int o = t / 32, lane = t % 32;
  const int c = lane / K, row = lane % K;
  float s[K] = {0.f, 0.f, 0.f, 0.f, 0.f};
  float shift = 0.f;
  for (int tile = 0; tile < TILES4; tile++) {
    const int first = start + tile * IMAGES4;
    if (first >= end) break;
    const int count = min(IMAGES4, end - first);
    __syncthreads();
    const float4* from = reinterpret_cast<const float4*>(in + (size_t)first * SIZE1);
    for (int i = t; i < count * SIZE1 / 4; i += blockDim.x) reinterpret_cast<float4*>(maps)[i] = from[i];
    for (int i = t; i < count * SIZE2; i += blockDim.x) {
      int q = i % AREA2;
      size_t at = (size_t)first * SIZE2 + i;
      int which = argmax[at];
      int y = 2 * (q / POOL2) + (which >> 1 & 1), x = 2 * (q % POOL2) + (which & 1);
      window[i] = make_float2(which == DEAD ? 0.f : gradient[at], __int_as_float(y * POOL1 + x));
    }
    __syncthreads();
    if (lane < MAPS1 * K) {
      for (int n = 0; n < count; n++) {
        const float* plane = maps + n * SIZE1 + c * AREA1 + row * POOL1;
#pragma unroll 5
        for (int q = 0; q < AREA2; q++) {
          float2 one = window[n * SIZE2 + o * AREA2 + q];
          if (one.x != 0.f) {
            const float* at = plane + __float_as_int(one.y);
#pragma unroll
            for (int k = 0; k < K; k++) s[k] = fmaf(one.x, at[k], s[k]);
            shift += one.x;
          }
        }
      }
    }
  }
  float* to = parts + ((size_t)m * gridDim.x + blockIdx.x) * PARTS2;
  if (lane < MAPS1 * K) {
#pragma unroll
    for (int k = 0; k < K; k++) to[(o * MAPS1 + c) * KK + row * K + k] = s[k];
  }
  if (lane == 0) to[MAPS2 * MAPS1 * KK + o] = shift;
}

// The first layer's gradient with respect to its weights. A warp has one map of one of three images at a time, a lane
// one weight of its kernel.
constexpr int IMAGES5 = 3, TILES5 = 20, PARTS1 = MAPS1 * KK + MAPS1;

extern "C" __global__ __launch_bounds__(576) void conv1_backward_weight(
    const float* __restrict__ images, const float* __restrict__ gradient, const unsigned char* __restrict__ argmax,
    const int* __restrict__ offsets, float* __restrict__ parts) {
  __shared__ __align__(16) float image[IMAGES5 * 32 * WIDE];
  __shared__ __align__(16) float2 window[IMAGES5 * SIZE1];
  __shared__ float sums[IMAGES5 * PARTS1];
  const int m = blockIdx.y, t = threadIdx.x;
  const int end = offsets[m + 1];
  const int start = offsets[m] + blockIdx.x * IMAGES5 * TILES5;
  const int warp = t / 32, lane = t % 32;
  const int slot = warp / MAPS1, map = warp % MAPS1;
  for (int i = t; i < IMAGES5 * 32 * WIDE; i += blockDim.x) image[i] = 0.f;
  float s = 0.f, shift = 0.f;
  for (int tile = 0; tile < TILES5; tile++) {
    const int first = start + tile * IMAGES5;
    if (first >= end) break;
    const int count = min(IMAGES5, end - first);
    __syncthreads();
    for (int i = t; i < count * AREA1; i += blockDim.x) {
      int n = i / AREA1, k = i % AREA1;
      float4 four = reinterpret_cast<const float4*>(images + (size_t)(first + n) * PIXELS)[k];
      float* to = image + n * 32 * WIDE + (k / 7 + 2) * WIDE + (k % 7) * 4 + 2;
      to[0] = four.x; to[1] = four.y; to[2] = four.z; to[3] = four.w;
    }
    for (int i = t; i < count * SIZE1; i += blockDim.x) {
      int q = i % AREA1;
      size_t at = (size_t)first * SIZE1 + i;
      int which = argmax[at];
      int y = 2 * (q / POOL1) + (which >> 1 & 1), x = 2 * (q % POOL1) + (which & 1);
      window[i] = make_float2(which == DEAD ? 0.f : gradient[at], __int_as_float(y * WIDE + x));
    }
    __syncthreads();
    if (slot < count) {
      const int k = lane < KK ? lane : 0;
      const float* plane = image + slot * 32 * WIDE + (k / K) * WIDE + k % K;
      const float2* own = window + slot * SIZE1 + map * AREA1;
#pragma unroll 4
      for (int q = 0; q < AREA1; q++) {
        float2 one = own[q];
        if (one.x != 0.f) {
          s = fmaf(one.x, plane[__float_as_int(one.y)], s);
          shift += one.x;
        }
      }
    }
  }
  if (lane < KK) sums[slot * PARTS1 + map * KK + lane] = s;
  if (lane == 0) sums[slot * PARTS1 + MAPS1 * KK + map] = shift;
  __syncthreads();
  float* to = parts + ((size_t)m * gridDim.x + blockIdx.x) * PARTS1;
  for (int i = t; i < PARTS1; i += blockDim.x) to[i] = sums[i] + sums[PARTS1 + i] + sums[2 * PARTS1 + i];
}

// Sums the parts of a layer's gradient over its blocks, in their order.
extern "C" __global__ void sum_parts(
    const float* __restrict__ parts, int blocks, int size, int to, float* __restrict__ gradient) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y;
  if (i >= size) return;
  float s = 0.f;
  for (int b = 0; b < blocks; b++) s += parts[((size_t)m * blocks + b) * size + i];
  gradient[(size_t)m * P + to + i] = s;
}

// A product for each client: C(i, j) = sum over k of A(i, k) B(k, j). A dimension of -1 is the client's images.
struct Operand {
  const float* at;
  int client, image;   // how far apart clients lie, or their images, whichever is not 0
  int outer, inner;    // strides of i and k in A, of k and j in B, of i and j in C
};

enum Finish { STORE = 0, RECTIFY = 1, MASK = 2 };

constexpr int TILE = 64, DEPTH = 16, ROW = 68;

__device__ inline const float* base(const Operand& x, int m, int first) {
  return x.at + (size_t)m * x.client + (size_t)first * x.image;
}

extern "C" __global__ __launch_bounds__(256) void product(
    Operand a, Operand b, Operand c, const float* __restrict__ other, int otherStride, int finish, int rows, int columns,
    int depth, const int* __restrict__ offsets) {
  __shared__ __align__(16) float as[DEPTH * ROW], bs[DEPTH * ROW];
  const int m = blockIdx.z, t = threadIdx.x;
  const int first = offsets[m], count = offsets[m + 1] - first;
  const int I = rows < 0 ? count : rows, J = columns, D = depth < 0 ? count : depth;
  const int i0 = blockIdx.y * TILE, j0 = blockIdx.x * TILE;
  if (i0 >= I) return;
  const float* A = base(a, m, first);
  const float* B = base(b, m, first);
  const int ty = t / 16, tx = t % 16;
  float s[4][4];
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int k = 0; k < 4; k++) s[r][k] = 0.f;
  const bool alongK = a.inner == 1, alongJ = b.inner == 1;
  float nextA[4], nextB[4];
  int ia[4], ka[4], kb[4], jb[4];
#pragma unroll
  for (int r = 0; r < 4; r++) {
    ia[r] = alongK ? t / 16 + 16 * r : t % 64;
    ka[r] = alongK ? t % 16 : t / 64 + 4 * r;
    kb[r] = alongJ ? t / 64 + 4 * r : t % 16;
    jb[r] = alongJ ? t % 64 : t / 16 + 16 * r;
  }
  auto fetch = [&](int k0) {
#pragma unroll
    for (int r = 0; r < 4; r++) {
      int i = i0 + ia[r], k = k0 + ka[r];
      nextA[r] = i < I && k < D ? A[(size_t)i * a.outer + (size_t)k * a.inner] : 0.f;
      int j = j0 + jb[r], l = k0 + kb[r];
      nextB[r] = j < J && l < D ? B[(size_t)l * b.outer + (size_t)j * b.inner] : 0.f;
    }
  };
  fetch(0);
  for (int k0 = 0; k0 < D; k0 += DEPTH) {
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 4; r++) {
      as[ka[r] * ROW + ia[r]] = nextA[r];
      bs[kb[r] * ROW + jb[r]] = nextB[r];
    }
    __syncthreads();
    if (k0 + DEPTH < D) fetch(k0 + DEPTH);
#pragma unroll
    for (int k = 0; k < DEPTH; k++) {
      float4 u = *reinterpret_cast<const float4*>(as + k * ROW + 4 * ty);
      float4 v = *reinterpret_cast<const float4*>(bs + k * ROW + 4 * tx);
      float p[4] = {u.x, u.y, u.z, u.w}, q[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
      for (int r = 0; r < 4; r++)
#pragma unroll
        for (int l = 0; l < 4; l++) s[r][l] = fmaf(p[r], q[l], s[r][l]);
    }
  }
  float* C = const_cast<float*>(base(c, m, first));
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int l = 0; l < 4; l++) {
      int i = i0 + 4 * ty + r, j = j0 + 4 * tx + l;
      if (i < I && j < J) {
        float v = s[r][l];
        if (finish == RECTIFY) v = fmaxf(v + other[(size_t)m * P + j], 0.f);
        if (finish == MASK) v = other[(size_t)(first + i) * otherStride + j] > 0.f ? v : 0.f;
        C[(size_t)i * c.outer + (size_t)j * c.inner] = v;
      }
    }
}

// The last layer, softmax and cross-entropy: logits, their gradient over n, and the gradient before the layer.
constexpr int HEAD = 32, HIDDEN = 84, CLASSES = 10, DENSE3 = 60856, SHIFT3 = 61696;

extern "C" __global__ __launch_bounds__(320) void head(
    const float* __restrict__ theta, const float* __restrict__ hidden, const long long* __restrict__ labels,
    const int* __restrict__ offsets, float* __restrict__ dlogits, float* __restrict__ dhidden, float* __restrict__ losses) {
  __shared__ float weight[CLASSES * HIDDEN], shift[CLASSES], h[HEAD * (HIDDEN + 1)], z[HEAD * (CLASSES + 1)];
  const int m = blockIdx.y, t = threadIdx.x;
  const int begin = offsets[m], end = offsets[m + 1];
  const int first = begin + blockIdx.x * HEAD;
  if (first >= end) return;
  const int count = min(HEAD, end - first);
  const float* own = theta + (size_t)m * P;
  for (int i = t; i < CLASSES * HIDDEN; i += blockDim.x) weight[i] = own[DENSE3 + i];
  if (t < CLASSES) shift[t] = own[SHIFT3 + t];
  for (int i = t; i < count * HIDDEN; i += blockDim.x)
    h[i / HIDDEN * (HIDDEN + 1) + i % HIDDEN] = hidden[(size_t)first * HIDDEN + i];
  __syncthreads();
  const int n = t / CLASSES, k = t % CLASSES;
  if (n < count) {
    float s = shift[k];
    for (int j = 0; j < HIDDEN; j++) s = fmaf(weight[k * HIDDEN + j], h[n * (HIDDEN + 1) + j], s);
    z[n * (CLASSES + 1) + k] = s;
  }
  __syncthreads();
  if (t < count) {
    float* own = z + t * (CLASSES + 1);
    float most = own[0];
    for (int j = 1; j < CLASSES; j++) most = fmaxf(most, own[j]);
    float sum = 0.f;
    for (int j = 0; j < CLASSES; j++) sum += expf(own[j] - most);
    int label = (int)labels[first + t];
    losses[first + t] = logf(sum) + most - own[label];
    float scale = 1.f / (float)(end - begin);
    for (int j = 0; j < CLASSES; j++)
      own[j] = (expf(own[j] - most) / sum - (j == label ? 1.f : 0.f)) * scale;
  }
  __syncthreads();
  if (n < count) dlogits[(size_t)(first + n) * CLASSES + k] = z[n * (CLASSES + 1) + k];
  for (int i = t; i < count * HIDDEN; i += blockDim.x) {
    int row = i / HIDDEN, j = i % HIDDEN;
    float s = 0.f;
#pragma unroll
    for (int c = 0; c < CLASSES; c++) s = fmaf(z[row * (CLASSES + 1) + c], weight[c * HIDDEN + j], s);
    dhidden[(size_t)first * HIDDEN + i] = h[row * (HIDDEN + 1) + j] > 0.f ? s : 0.f;
  }
}

// Sums over a client's images of each of so many columns: the gradient of a shift.
extern "C" __global__ __launch_bounds__(512) void column_sums(
    const float* __restrict__ x, int columns, const int* __restrict__ offsets, int to, float* __restrict__ gradient) {
  __shared__ float part[16][33];
  const int m = blockIdx.y, lane = threadIdx.x % 32, group = threadIdx.x / 32;
  const int j = blockIdx.x * 32 + lane;
  float s = 0.f;
  if (j < columns)
    for (int n = offsets[m] + group; n < offsets[m + 1]; n += 16) s += x[(size_t)n * columns + j];
  part[group][lane] = s;
  __syncthreads();
  if (group == 0 && j < columns) {
    float sum = 0.f;
    for (int g = 0; g < 16; g++) sum += part[g][lane];
    gradient[(size_t)m * P + to + j] = sum;
  }
}
