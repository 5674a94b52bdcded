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
constexpr int IMAGES1 = 19;

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
// 6 x 6 output gradients that reach it are nine pooling windows with one number each, of four where it was largest.
constexpr int IMAGES3 = 5, TILES3 = 6, NOWHERE = AREA2, PLACES = AREA2 + 1;

extern "C" __global__ __launch_bounds__(256) void conv2_backward_input(
    const float* __restrict__ theta, const float* __restrict__ gradient, const unsigned char* __restrict__ argmax,
    const int* __restrict__ offsets, float* __restrict__ out) {
  __shared__ __align__(16) float weight[MAPS2 * MAPS1 * KPAD];
  __shared__ __align__(16) float4 window[IMAGES3 * MAPS2 * PLACES];
  const int m = blockIdx.y, t = threadIdx.x;
  const int end = offsets[m + 1];
  const int start = offsets[m] + blockIdx.x * IMAGES3 * TILES3;
  if (start >= end) return;
  const float* own = theta + (size_t)m * P;
  for (int i = t; i < MAPS2 * MAPS1 * KPAD; i += blockDim.x) {
    int kernel = i / KPAD, k = i % KPAD;
    weight[i] = k < KK ? own[CONV2 + kernel * KK + k] : 0.f;
  }
  for (int i = t; i < IMAGES3 * MAPS2; i += blockDim.x)
    window[i * PLACES + NOWHERE] = make_float4(0.f, 0.f, 0.f, 0.f);
  const int image = t / 49, place = t % 49;
  const int y = place / 7, x = place % 7;
  // Rows 2y - 4 .. 2y + 1 of the output are the pooling windows y - 2 .. y.
  int near[9];
#pragma unroll
  for (int r = 0; r < 3; r++)
#pragma unroll
    for (int c = 0; c < 3; c++) {
      int v = y - 2 + r, h = x - 2 + c;
      near[3 * r + c] = v >= 0 && v < POOL2 && h >= 0 && h < POOL2 ? v * POOL2 + h : NOWHERE;
    }
  for (int tile = 0; tile < TILES3; tile++) {
    const int first = start + tile * IMAGES3;
    if (first >= end) break;
    const int count = min(IMAGES3, end - first);
    __syncthreads();
    for (int i = t; i < count * SIZE2; i += blockDim.x) {
      size_t from = (size_t)first * SIZE2 + i;
      float g = gradient[from];
      int at = argmax[from];
      window[i / AREA2 * PLACES + i % AREA2] =
          make_float4(at == 0 ? g : 0.f, at == 1 ? g : 0.f, at == 2 ? g : 0.f, at == 3 ? g : 0.f);
    }
    __syncthreads();
    if (image < count) {
      float s[MAPS1][4];
#pragma unroll
      for (int c = 0; c < MAPS1; c++) s[c][0] = s[c][1] = s[c][2] = s[c][3] = 0.f;
#pragma unroll 1
      for (int o = 0; o < MAPS2; o++) {
        float patch[6][6];
        const float4* mine = window + (image * MAPS2 + o) * PLACES;
#pragma unroll
        for (int r = 0; r < 3; r++)
#pragma unroll
          for (int c = 0; c < 3; c++) {
            float4 four = mine[near[3 * r + c]];
            patch[2 * r][2 * c] = four.x;
            patch[2 * r][2 * c + 1] = four.y;
            patch[2 * r + 1][2 * c] = four.z;
            patch[2 * r + 1][2 * c + 1] = four.w;
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
constexpr int IMAGES4 = 4, TILES4 = 10, PARTS2 = MAPS2 * MAPS1 * KK + MAPS2;
// Rows of all maps beside each other: at these distances the 30 lanes meet 30 of the 32 banks.
constexpr int MAP4 = 15, ROW4 = MAPS1 * MAP4, SIZE4 = POOL1 * ROW4;

extern "C" __global__ __launch_bounds__(512) void conv2_backward_weight(
    const float* __restrict__ in, const float* __restrict__ gradient, const unsigned char* __restrict__ argmax,
    const int* __restrict__ offsets, float* __restrict__ parts) {
  __shared__ float maps[IMAGES4 * SIZE4];
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
    const float2* from = reinterpret_cast<const float2*>(in + (size_t)first * SIZE1);
    for (int i = t; i < count * SIZE1 / 2; i += blockDim.x) {
      float2 two = from[i];
      int pair = i % (SIZE1 / 2), in_map = pair % (AREA1 / 2);
      float* to = maps + i / (SIZE1 / 2) * SIZE4 + in_map / (POOL1 / 2) * ROW4 + pair / (AREA1 / 2) * MAP4 +
                  in_map % (POOL1 / 2) * 2;
      to[0] = two.x; to[1] = two.y;
    }
    for (int i = t; i < count * SIZE2; i += blockDim.x) {
      int q = i % AREA2;
      size_t at = (size_t)first * SIZE2 + i;
      int which = argmax[at];
      int y = 2 * (q / POOL2) + (which >> 1 & 1), x = 2 * (q % POOL2) + (which & 1);
      window[i] = make_float2(which == DEAD ? 0.f : gradient[at], __int_as_float(y * ROW4 + x));
    }
    __syncthreads();
    if (lane < MAPS1 * K) {
      for (int n = 0; n < count; n++) {
        const float* plane = maps + n * SIZE4 + row * ROW4 + c * MAP4;
#pragma unroll 5
        for (int q = 0; q < AREA2; q++) {
          float2 one = window[n * SIZE2 + o * AREA2 + q];
          if (one.x != 0.f) {
            const float* at = plane + __float_as_int(one.y);
#pragma unroll
            for (int k = 0; k < K; k++) s[k] = fmaf(one.x, at[k], s[k]);
          }
        }
      }
    }
    if (lane < AREA2)
      for (int n = 0; n < count; n++) shift += window[n * SIZE2 + o * AREA2 + lane].x;
  }
  for (int far = 16; far > 0; far /= 2) shift += __shfl_xor_sync(0xffffffffu, shift, far);
  float* to = parts + ((size_t)m * gridDim.x + blockIdx.x) * PARTS2;
  if (lane < MAPS1 * K) {
#pragma unroll
    for (int k = 0; k < K; k++) to[(o * MAPS1 + c) * KK + row * K + k] = s[k];
  }
  if (lane == 0) to[MAPS2 * MAPS1 * KK + o] = shift;
}

// The first layer's gradient with respect to its weights. A thread has one pooled pixel and two of the six maps, whose
// kernels it sums over images in registers; of a window's four pixels one has the gradient, the others 0.
constexpr int IMAGES5 = 2, TILES5 = 30, HALF5 = 2, WARPS5 = 7, PARTS1 = MAPS1 * KK + MAPS1;

extern "C" __global__ __launch_bounds__(32 * WARPS5, 2) void conv1_backward_weight(
    const float* __restrict__ images, const float* __restrict__ gradient, const unsigned char* __restrict__ argmax,
    const int* __restrict__ offsets, float* __restrict__ parts) {
  __shared__ __align__(16) float image[IMAGES5 * 32 * WIDE];
  __shared__ float sums[WARPS5][HALF5 * (KK + 1)];
  const int m = blockIdx.y, t = threadIdx.x, map = blockIdx.z * HALF5;
  const int end = offsets[m + 1];
  const int start = offsets[m] + blockIdx.x * IMAGES5 * TILES5;
  const int y = t / POOL1, x = t % POOL1;
  for (int i = t; i < IMAGES5 * 32 * WIDE; i += blockDim.x) image[i] = 0.f;
  float s[HALF5][KK], shift[HALF5];
#pragma unroll
  for (int o = 0; o < HALF5; o++) {
    shift[o] = 0.f;
#pragma unroll
    for (int k = 0; k < KK; k++) s[o][k] = 0.f;
  }
  // What comes next is fetched while this is summed.
  constexpr int EACH = (IMAGES5 * AREA1 + 32 * WARPS5 - 1) / (32 * WARPS5);
  float4 next[EACH];
  auto fetch = [&](int first) {
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const int i = t + k * 32 * WARPS5;
      if (i < IMAGES5 * AREA1 && first + i / AREA1 < end)
        next[k] = reinterpret_cast<const float4*>(images + (size_t)first * PIXELS)[i];
    }
  };
  float v[HALF5];
  int which[HALF5];
  auto look = [&](int n) {
    const size_t at = (size_t)n * SIZE1 + map * AREA1 + t;
#pragma unroll
    for (int o = 0; o < HALF5; o++) {
      v[o] = gradient[at + o * AREA1];
      which[o] = argmax[at + o * AREA1];
    }
  };
  fetch(start);
  if (t < AREA1 && start < end) look(start);
  for (int tile = 0; tile < TILES5; tile++) {
    const int first = start + tile * IMAGES5;
    if (first >= end) break;
    const int count = min(IMAGES5, end - first);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const int i = t + k * 32 * WARPS5;
      if (i < IMAGES5 * AREA1) {
        float* to = image + i / AREA1 * 32 * WIDE + (i % AREA1 / 7 + 2) * WIDE + (i % 7) * 4 + 2;
        to[0] = next[k].x; to[1] = next[k].y; to[2] = next[k].z; to[3] = next[k].w;
      }
    }
    __syncthreads();
    if (tile + 1 < TILES5) fetch(first + IMAGES5);
    if (t < AREA1) {
#pragma unroll 1
      for (int n = 0; n < count; n++) {
        float patch[6][6];
#pragma unroll
        for (int r = 0; r < 6; r++)
#pragma unroll
          for (int c = 0; c < 3; c++) {
            float2 two =
                *reinterpret_cast<const float2*>(image + n * 32 * WIDE + (2 * y + r) * WIDE + 2 * x + 2 * c);
            patch[r][2 * c] = two.x;
            patch[r][2 * c + 1] = two.y;
          }
        float four[HALF5][4];
#pragma unroll
        for (int o = 0; o < HALF5; o++) {
#pragma unroll
          for (int k = 0; k < 4; k++) four[o][k] = which[o] == k ? v[o] : 0.f;
          shift[o] += which[o] == DEAD ? 0.f : v[o];
        }
        if (first + n + 1 < end) look(first + n + 1);
#pragma unroll
        for (int o = 0; o < HALF5; o++) {
#pragma unroll
          for (int r = 0; r < K; r++)
#pragma unroll
            for (int k = 0; k < K; k++) {
              float sum = s[o][r * K + k];
              sum = fmaf(four[o][0], patch[r][k], sum);
              sum = fmaf(four[o][1], patch[r][k + 1], sum);
              sum = fmaf(four[o][2], patch[r + 1][k], sum);
              s[o][r * K + k] = fmaf(four[o][3], patch[r + 1][k + 1], sum);
            }
        }
      }
    }
  }
  auto all = [](float one) {
    for (int far = 16; far > 0; far /= 2) one += __shfl_xor_sync(0xffffffffu, one, far);
    return one;
  };
#pragma unroll
  for (int o = 0; o < HALF5; o++) {
#pragma unroll
    for (int k = 0; k < KK; k++) {
      float sum = all(s[o][k]);
      if (t % 32 == 0) sums[t / 32][o * KK + k] = sum;
    }
    float sum = all(shift[o]);
    if (t % 32 == 0) sums[t / 32][HALF5 * KK + o] = sum;
  }
  __syncthreads();
  float* to = parts + ((size_t)m * gridDim.x + blockIdx.x) * PARTS1;
  if (t < HALF5 * (KK + 1)) {
    float sum = 0.f;
    for (int warp = 0; warp < WARPS5; warp++) sum += sums[warp][t];
    to[t < HALF5 * KK ? map * KK + t : MAPS1 * KK + map + t - HALF5 * KK] = sum;
  }
}

// Sums the parts of a layer's gradient over its blocks: every fourth by one of four warps, in their order, then the four.
constexpr int GROUPS = 4;

extern "C" __global__ __launch_bounds__(32 * GROUPS) void sum_parts(
    const float* __restrict__ parts, int blocks, int size, int to, float* __restrict__ gradient) {
  __shared__ float part[GROUPS][32];
  const int lane = threadIdx.x % 32, group = threadIdx.x / 32;
  const int i = blockIdx.x * 32 + lane, m = blockIdx.y;
  float s = 0.f;
  if (i < size) {
#pragma unroll 4
    for (int b = group; b < blocks; b += GROUPS) s += parts[((size_t)m * blocks + b) * size + i];
  }
  part[group][lane] = s;
  __syncthreads();
  if (group == 0 && i < size)
    gradient[(size_t)m * P + to + i] = part[0][lane] + part[1][lane] + part[2][lane] + part[3][lane];
}

// A product for each client: C(i, j) = sum over k of A(i, k) B(k, j). A dimension of -1 is the client's images; where that
// is k, each of its slices makes a C of its own.
struct Operand {
  const float* at;
  int client, image;   // how far apart clients lie (slices, in C), or their images, whichever is not 0
  int outer, inner;    // strides of i and k in A, of k and j in B, of i and j in C
};

enum Finish { STORE = 0, RECTIFY = 1, MASK = 2 };

// A block makes 128 x 64 numbers, each of its eight warps 32 x 32 on the matrix units. These multiply numbers of eleven bits,
// so each operand is split in two such numbers, and of the four products the three that count are added: as near as floats.
constexpr int TALL = 128, BROAD = 64, DEPTH = 16, WARP = 32;
// How far rows lie apart in shared memory, where i or j are side by side in memory and where k is: the lanes of a warp meet
// all banks.
constexpr int ROWA = TALL + 8, ROWB = BROAD + 8, ROWK = DEPTH + 4;

__device__ inline const float* base(const Operand& x, int m, int first) {
  return x.at + (size_t)m * x.client + (size_t)first * x.image;
}

// x as the nearest number of eleven bits, and what is left.
__device__ inline void split(float x, unsigned& high, unsigned& low) {
  high = (__float_as_uint(x) + 0x1000u) & 0xffffe000u;
  low = __float_as_uint(x - __uint_as_float(high));
}

__device__ inline void multiply(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

template <bool alongK, bool alongJ>
__device__ inline void product_of(
    const Operand& a, const Operand& b, const Operand& c, const float* __restrict__ other, int otherStride, int finish,
    int rows, int columns, int depth, const int* __restrict__ offsets, int slices, int slice, float (*as)[TALL * ROWK],
    float (*bs)[BROAD * ROWK]) {
  const int m = blockIdx.z / slices, t = threadIdx.x;
  const int first = offsets[m], count = offsets[m + 1] - first;
  const int begin = blockIdx.z % slices * slice;
  const int I = rows < 0 ? count : rows, J = columns, D = depth < 0 ? min(count, begin + slice) : depth;
  const int i0 = blockIdx.y * TALL, j0 = blockIdx.x * BROAD;
  if (i0 >= I) return;
  const float* A = base(a, m, first);
  const float* B = base(b, m, first);
  constexpr int AI = alongK ? ROWK : 1, AK = alongK ? 1 : ROWA, BJ = alongJ ? 1 : ROWK, BK = alongJ ? ROWB : 1;
  const int warp = t / 32, lane = t % 32, group = lane / 4, member = lane % 4;
  const int wi = warp % 4 * WARP, wj = warp / 4 * WARP;
  float s[2][4][4];
#pragma unroll
  for (int r = 0; r < 2; r++)
#pragma unroll
    for (int l = 0; l < 4; l++) s[r][l][0] = s[r][l][1] = s[r][l][2] = s[r][l][3] = 0.f;
  // Threads side by side load what lies side by side.
  float nextA[TALL / 16], nextB[BROAD / 16];
  auto ia = [&](int r) { return alongK ? t / 16 + 16 * r : t % TALL; };
  auto ka = [&](int r) { return alongK ? t % 16 : t / TALL + 2 * r; };
  auto kb = [&](int r) { return alongJ ? t / BROAD + 4 * r : t % 16; };
  auto jb = [&](int r) { return alongJ ? t % BROAD : t / 16 + 16 * r; };
  auto fetch = [&](int k0) {
#pragma unroll
    for (int r = 0; r < TALL / 16; r++) {
      int i = i0 + ia(r), k = k0 + ka(r);
      nextA[r] = i < I && k < D ? A[(size_t)i * a.outer + (size_t)k * a.inner] : 0.f;
    }
#pragma unroll
    for (int r = 0; r < BROAD / 16; r++) {
      int j = j0 + jb(r), l = k0 + kb(r);
      nextB[r] = j < J && l < D ? B[(size_t)l * b.outer + (size_t)j * b.inner] : 0.f;
    }
  };
  auto keep = [&](int half) {
#pragma unroll
    for (int r = 0; r < TALL / 16; r++) as[half][ia(r) * AI + ka(r) * AK] = nextA[r];
#pragma unroll
    for (int r = 0; r < BROAD / 16; r++) bs[half][jb(r) * BJ + kb(r) * BK] = nextB[r];
  };
  // While one half is multiplied the other is filled.
  fetch(begin);
  keep(0);
  __syncthreads();
  int half = 0;
  for (int k0 = begin; k0 < D; k0 += DEPTH, half ^= 1) {
    const bool more = k0 + DEPTH < D;
    if (more) fetch(k0 + DEPTH);
#pragma unroll
    for (int k = 0; k < DEPTH; k += 8) {
      unsigned ah[2][4], al[2][4], bh[4][2], bl[4][2];
#pragma unroll
      for (int r = 0; r < 2; r++)
#pragma unroll
        for (int e = 0; e < 4; e++)
          split(
              as[half][(wi + 16 * r + group + 8 * (e & 1)) * AI + (k + member + 4 * (e >> 1)) * AK], ah[r][e], al[r][e]);
#pragma unroll
      for (int l = 0; l < 4; l++)
#pragma unroll
        for (int e = 0; e < 2; e++)
          split(bs[half][(wj + 8 * l + group) * BJ + (k + member + 4 * e) * BK], bh[l][e], bl[l][e]);
#pragma unroll
      for (int r = 0; r < 2; r++)
#pragma unroll
        for (int l = 0; l < 4; l++) {
          // The matrix units cut their sums off instead of rounding them, so they make short ones.
          float part[4] = {};
          multiply(part, al[r], bh[l]);
          multiply(part, ah[r], bl[l]);
          multiply(part, ah[r], bh[l]);
#pragma unroll
          for (int e = 0; e < 4; e++) s[r][l][e] += part[e];
        }
    }
    if (more) keep(half ^ 1);
    __syncthreads();
  }
  float* C = const_cast<float*>(depth < 0 ? base(c, blockIdx.z, 0) : base(c, m, first));
#pragma unroll
  for (int r = 0; r < 2; r++)
#pragma unroll
    for (int l = 0; l < 4; l++)
#pragma unroll
      for (int e = 0; e < 4; e++) {
        int i = i0 + wi + 16 * r + group + 8 * (e >> 1), j = j0 + wj + 8 * l + 2 * member + (e & 1);
        if (i < I && j < J) {
          float v = s[r][l][e];
          if (finish == RECTIFY) v = fmaxf(v + other[(size_t)m * P + j], 0.f);
          if (finish == MASK) v = other[(size_t)(first + i) * otherStride + j] > 0.f ? v : 0.f;
          C[(size_t)i * c.outer + (size_t)j * c.inner] = v;
        }
      }
}

extern "C" __global__ __launch_bounds__(256, 2) void product(
    Operand a, Operand b, Operand c, const float* __restrict__ other, int otherStride, int finish, int rows, int columns,
    int depth, const int* __restrict__ offsets, int slices, int slice) {
  __shared__ float as[2][TALL * ROWK], bs[2][BROAD * ROWK];
  static_assert(TALL * ROWK >= DEPTH * ROWA && BROAD * ROWK >= DEPTH * ROWB);
  if (a.inner == 1 && b.inner == 1)
    product_of<true, true>(a, b, c, other, otherStride, finish, rows, columns, depth, offsets, slices, slice, as, bs);
  else if (a.inner == 1)
    product_of<true, false>(a, b, c, other, otherStride, finish, rows, columns, depth, offsets, slices, slice, as, bs);
  else
    product_of<false, true>(a, b, c, other, otherStride, finish, rows, columns, depth, offsets, slices, slice, as, bs);
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

// Sums over the images of a client's slice of each of so many columns: a part of the gradient of a shift.
extern "C" __global__ __launch_bounds__(512) void column_sums(
    const float* __restrict__ x, int columns, const int* __restrict__ offsets, int slices, int slice,
    float* __restrict__ parts) {
  __shared__ float part[16][33];
  const int m = blockIdx.y, lane = threadIdx.x % 32, group = threadIdx.x / 32;
  const int j = blockIdx.x * 32 + lane;
  const int begin = offsets[m] + blockIdx.z * slice, end = min(begin + slice, offsets[m + 1]);
  float s = 0.f;
  if (j < columns)
    for (int n = begin + group; n < end; n += 16) s += x[(size_t)n * columns + j];
  part[group][lane] = s;
  __syncthreads();
  if (group == 0 && j < columns) {
    float sum = 0.f;
    for (int g = 0; g < 16; g++) sum += part[g][lane];
    parts[((size_t)m * slices + blockIdx.z) * columns + j] = sum;
  }
}
