// Depthwise convolutions for all clients, with the scale and shift of a normalisation and a rectifier, forward and
// backward; and what stands around them in a network of depthwise and pointwise convolutions.
//
// Activations lie client after client, image after image, row after row, pixel after pixel, a pixel's channels together:
// M x n x H x W x C, so that a pointwise convolution is a product of matrices as they lie, and threads side by side have
// channels side by side. Nothing is added atomically: sums are taken by threads, then over a block's threads, then over
// blocks, each in a fixed order, so that the same inputs give the same bits.

// As ngd.deep.model.Norms: what is added to a variance.
constexpr float SMALL = 1e-5f;

// A convolution and the normalisation after it: the struct of the same name in ngd.deep.FusedSeparable.
struct Stage {
  const float* mean;       // M x rows, as the statistics lie
  const float* variance;
  float* folded;           // the kernels times the scale: M x rows x padded, or M x width x rows where turned
  float* shift;            // M x rows
  const float* gradient;   // of the folded kernels, in their layout, for each slice of the images
  const float* dshift;     // of the shift, M x rows
  int weight, scale, offset;   // where kernels, scale and shift of the normalisation lie in a row of theta
  int rows, width, padded, slices, turned;
};

constexpr int WARPS = 8;

__device__ inline float over(float variance) { return 1.f / sqrtf(variance + SMALL); }

// A normalisation with given statistics scales and shifts channels: the scale goes into the kernels.
extern "C" __global__ __launch_bounds__(256) void fold(
    const float* __restrict__ theta, int p, const Stage* __restrict__ stages) {
  const Stage l = stages[blockIdx.z];
  const int m = blockIdx.y, row = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= l.rows) return;
  const float* own = theta + (size_t)m * p;
  const size_t channel = (size_t)m * l.rows + row;
  const float s = own[l.scale + row] * over(l.variance[channel]);
  if (lane == 0) l.shift[channel] = own[l.offset + row] - l.mean[channel] * s;
  const float* from = own + l.weight + (size_t)row * l.width;
  if (l.turned) {
    if (lane < l.width) l.folded[((size_t)m * l.width + lane) * l.rows + row] = s * from[lane];
  } else {
    float* to = l.folded + channel * l.padded;
    for (int k = lane; k < l.padded; k += 32) to[k] = k < l.width ? s * from[k] : 0.f;
  }
}

// From the gradients of folded kernels and shifts to those of kernels, scales and shifts, in their place in a row.
extern "C" __global__ __launch_bounds__(256) void unfold(
    const float* __restrict__ theta, int p, const Stage* __restrict__ stages, float* __restrict__ out) {
  const Stage l = stages[blockIdx.z];
  const int m = blockIdx.y, row = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= l.rows) return;
  const size_t start = (size_t)m * p;
  const size_t channel = (size_t)m * l.rows + row;
  const float r = over(l.variance[channel]);
  const float s = theta[start + l.scale + row] * r;
  const float* from = theta + start + l.weight + (size_t)row * l.width;
  float* to = out + start + l.weight + (size_t)row * l.width;
  float dot = 0.f;
  for (int k = lane; k < l.width; k += 32) {
    float g = 0.f;
    if (l.turned) {
      g = l.gradient[((size_t)m * l.width + k) * l.rows + row];
    } else {
      for (int slice = 0; slice < l.slices; slice++)
        g += l.gradient[(((size_t)m * l.slices + slice) * l.rows + row) * l.padded + k];
    }
    to[k] = s * g;
    dot = fmaf(from[k], g, dot);
  }
  for (int far = 16; far > 0; far /= 2) dot += __shfl_xor_sync(0xffffffffu, dot, far);
  if (lane == 0) {
    float d = l.dshift[channel];
    out[start + l.scale + row] = r * (dot - l.mean[channel] * d);
    out[start + l.offset + row] = d;
  }
}

// The nine numbers of each channel that a convolution with kernels of 3 x 3 and a padding of 1 sees at each pixel, as
// rows of a matrix. Images come as the batch lies, n x (M C) x H x W.
extern "C" __global__ __launch_bounds__(256) void patches(
    const float* __restrict__ images, float* __restrict__ out, int clients, int n, int channels, int H, int W, int h,
    int w, int stride, int padded) {
  const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= (size_t)clients * n * h * w * padded) return;
  const int k = at % padded;
  const size_t pixel = at / padded;
  const int j = pixel % w, i = pixel / w % h;
  const size_t image = pixel / (w * h);
  const int m = image / n, sample = image % n;
  const int c = k / 9, y = i * stride - 1 + k / 3 % 3, x = j * stride - 1 + k % 3;
  const bool inside = k < 9 * channels && y >= 0 && y < H && x >= 0 && x < W;
  out[at] = inside ? images[((size_t)(sample * clients + m) * channels + c) * H * W + y * W + x] : 0.f;
}

__device__ inline float4 opened(float4 v, float4 shift) {
  return make_float4(
      fmaxf(v.x + shift.x, 0.f), fmaxf(v.y + shift.y, 0.f), fmaxf(v.z + shift.z, 0.f), fmaxf(v.w + shift.w, 0.f));
}

__device__ inline void add(float4& sum, float4 a, float4 b) {
  sum.x = fmaf(a.x, b.x, sum.x);
  sum.y = fmaf(a.y, b.y, sum.y);
  sum.z = fmaf(a.z, b.z, sum.z);
  sum.w = fmaf(a.w, b.w, sum.w);
}

// What comes out of the convolution before (z, without its shift), shifted and rectified; the depthwise convolution; its
// shift and rectifier. A thread has four channels of a row of pixels and goes along it.
template <int STRIDE>
__device__ inline void depthwise(
    const float* __restrict__ z, const float* __restrict__ shift, const float* __restrict__ kernels,
    const float* __restrict__ then, float* __restrict__ out, int clients, int n, int C, int H, int W, int h, int w) {
  const int quads = C / 4;
  const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= (size_t)clients * n * h * quads) return;
  const int q = at % quads;
  const size_t row = at / quads;
  const int i = row % h;
  const size_t image = row / h;
  const int m = image / n;
  const float4 before = reinterpret_cast<const float4*>(shift + (size_t)m * C)[q];
  const float4 after = reinterpret_cast<const float4*>(then + (size_t)m * C)[q];
  float4 k[9];
#pragma unroll
  for (int t = 0; t < 9; t++) k[t] = reinterpret_cast<const float4*>(kernels + ((size_t)m * 9 + t) * C)[q];
  const float4* from = reinterpret_cast<const float4*>(z + image * H * W * C) + q;
  float4* to = reinterpret_cast<float4*>(out + row * w * C) + q;
  const float4 none = make_float4(0.f, 0.f, 0.f, 0.f);
  float4 seen[3][3];
  auto column = [&](int x, int into) {
#pragma unroll
    for (int r = 0; r < 3; r++) {
      int y = i * STRIDE - 1 + r;
      bool inside = y >= 0 && y < H && x >= 0 && x < W;
      float4 v = inside ? opened(from[(size_t)(y * W + x) * quads], before) : none;
      if (into == 0) seen[r][0] = v;
      if (into == 1) seen[r][1] = v;
      if (into == 2) seen[r][2] = v;
    }
  };
  column(-1, 0);
  if (STRIDE == 1) column(0, 1);
  for (int j = 0; j < w; j++) {
    if (STRIDE == 2) column(2 * j, 1);
    column(j * STRIDE + 1, 2);
    float4 sum = after;
#pragma unroll
    for (int r = 0; r < 3; r++)
#pragma unroll
      for (int s = 0; s < 3; s++) add(sum, k[3 * r + s], seen[r][s]);
    to[(size_t)j * quads] = opened(sum, none);
#pragma unroll
    for (int r = 0; r < 3; r++) {
      if (STRIDE == 1) {
        seen[r][0] = seen[r][1];
        seen[r][1] = seen[r][2];
      } else {
        seen[r][0] = seen[r][2];
      }
    }
  }
}

extern "C" __global__ __launch_bounds__(256) void depthwise_1(
    const float* z, const float* shift, const float* kernels, const float* then, float* out, int clients, int n, int C,
    int H, int W, int h, int w) {
  depthwise<1>(z, shift, kernels, then, out, clients, n, C, H, W, h, w);
}

extern "C" __global__ __launch_bounds__(256) void depthwise_2(
    const float* z, const float* shift, const float* kernels, const float* then, float* out, int clients, int n, int C,
    int H, int W, int h, int w) {
  depthwise<2>(z, shift, kernels, then, out, clients, n, C, H, W, h, w);
}

// Its gradients: with respect to z, and sums over the images of those with respect to kernels and both shifts. A thread
// has two channels of some rows of z; a pixel meets the gradients of the outputs it went into once, for both.
constexpr int SUMS = 11, KERNEL = 9, THEN = 9, SHIFT = 10, THREADS = 256;

struct Gathered {
  float2 sum[SUMS];
};

template <bool VALUE>
struct Is {
  static constexpr bool value = VALUE;
};

__device__ inline void add(float2& sum, float2 a, float2 b) {
  sum.x = fmaf(a.x, b.x, sum.x);
  sum.y = fmaf(a.y, b.y, sum.y);
}

__device__ inline void plus(float2& sum, float2 a) {
  sum.x += a.x;
  sum.y += a.y;
}

// What pixel v (before the shift) gives on, once d holds all that reached it.
__device__ inline float2 closed(float2 d, float2 x) {
  return make_float2(x.x > 0.f ? d.x : 0.f, x.y > 0.f ? d.y : 0.f);
}

__device__ inline float2 opened(float2 v, float2 shift) {
  return make_float2(fmaxf(v.x + shift.x, 0.f), fmaxf(v.y + shift.y, 0.f));
}

template <int STRIDE>
__device__ inline void depthwise_gradient(
    const float* __restrict__ gradient, const float* __restrict__ out, const float* __restrict__ z,
    const float* __restrict__ shift, const float* __restrict__ kernels, float* __restrict__ dz,
    float* __restrict__ parts, int n, int C, int H, int W, int h, int w, int each) {
  __shared__ float2 gathered[SUMS * THREADS];
  const int lanes = min(C / 2, 32), workers = THREADS / lanes;
  const int lane = threadIdx.x % lanes, worker = threadIdx.x / lanes;
  const int m = blockIdx.y, slice = blockIdx.z, pairs = C / 2;
  const int q = blockIdx.x * lanes + lane;
  Gathered own;
#pragma unroll
  for (int t = 0; t < SUMS; t++) own.sum[t] = make_float2(0.f, 0.f);
  if (q < pairs && worker < workers) {
    const float2 before = reinterpret_cast<const float2*>(shift + (size_t)m * C)[q];
    float2 k[9];
#pragma unroll
    for (int t = 0; t < 9; t++) k[t] = reinterpret_cast<const float2*>(kernels + ((size_t)m * 9 + t) * C)[q];
    const float2 none = make_float2(0.f, 0.f);
    for (int turn = 0; turn < each; turn++) {
      const int row = (slice * each + turn) * workers + worker;
      if (row >= n * H) break;
      const int i = row % H;
      const size_t image = (size_t)m * n + row / H;
      const float2* v = reinterpret_cast<const float2*>(z + (image * H + i) * W * C) + q;
      float2* to = reinterpret_cast<float2*>(dz + (image * H + i) * W * C) + q;
      const float2* d = reinterpret_cast<const float2*>(gradient + image * h * w * C) + q;
      const float2* o = reinterpret_cast<const float2*>(out + image * h * w * C) + q;
      auto at = [&](int y, int x) {
        if (y < 0 || y >= h || x < 0 || x >= w) return none;
        size_t place = (size_t)(y * w + x) * pairs;
        return closed(d[place], o[place]);
      };
      if (STRIDE == 1) {
        // Kernel entry (r, s) took this pixel into output (i + 1 - r, j + 1 - s).
        float2 near[3][3];
#pragma unroll
        for (int r = 0; r < 3; r++) {
          near[r][0] = none;
          near[r][1] = at(i + 1 - r, 0);
        }
        for (int j = 0; j < W; j++) {
#pragma unroll
          for (int r = 0; r < 3; r++) near[r][2] = at(i + 1 - r, j + 1);
          const float2 x = opened(v[(size_t)j * pairs], before);
          float2 sum = none;
#pragma unroll
          for (int r = 0; r < 3; r++)
#pragma unroll
            for (int s = 0; s < 3; s++) {
              add(sum, k[3 * r + s], near[r][2 - s]);
              add(own.sum[3 * r + s], x, near[r][2 - s]);
            }
          sum = closed(sum, x);
          plus(own.sum[THEN], near[1][1]);
          plus(own.sum[SHIFT], sum);
          to[(size_t)j * pairs] = sum;
#pragma unroll
          for (int r = 0; r < 3; r++) {
            near[r][0] = near[r][1];
            near[r][1] = near[r][2];
          }
        }
      } else {
        // Even rows and columns meet the middle of the kernel, odd ones both its ends.
        auto along = [&](auto odd) {
          constexpr bool ODD = decltype(odd)::value;
          const int y = i / 2;
          float2 here[2] = {at(y, 0), ODD ? at(y + 1, 0) : none};
          for (int b = 0; 2 * b < W; b++) {
            const float2 next[2] = {at(y, b + 1), ODD ? at(y + 1, b + 1) : none};
            float2 x = opened(v[(size_t)(2 * b) * pairs], before);
            float2 sum = none;
            if (ODD) {
              add(sum, k[7], here[0]);
              add(own.sum[7], x, here[0]);
              add(sum, k[1], here[1]);
              add(own.sum[1], x, here[1]);
            } else {
              add(sum, k[4], here[0]);
              add(own.sum[4], x, here[0]);
              plus(own.sum[THEN], here[0]);
            }
            sum = closed(sum, x);
            plus(own.sum[SHIFT], sum);
            to[(size_t)(2 * b) * pairs] = sum;
            if (2 * b + 1 < W) {
              x = opened(v[(size_t)(2 * b + 1) * pairs], before);
              sum = none;
              if (ODD) {
                add(sum, k[8], here[0]);
                add(own.sum[8], x, here[0]);
                add(sum, k[6], next[0]);
                add(own.sum[6], x, next[0]);
                add(sum, k[2], here[1]);
                add(own.sum[2], x, here[1]);
                add(sum, k[0], next[1]);
                add(own.sum[0], x, next[1]);
              } else {
                add(sum, k[5], here[0]);
                add(own.sum[5], x, here[0]);
                add(sum, k[3], next[0]);
                add(own.sum[3], x, next[0]);
              }
              sum = closed(sum, x);
              plus(own.sum[SHIFT], sum);
              to[(size_t)(2 * b + 1) * pairs] = sum;
            }
            here[0] = next[0];
            here[1] = next[1];
          }
        };
        if (i % 2 == 1) along(Is<true>{}); else along(Is<false>{});
      }
    }
  }
#pragma unroll
  for (int t = 0; t < SUMS; t++) gathered[t * THREADS + threadIdx.x] = own.sum[t];
  __syncthreads();
  for (int i = threadIdx.x; i < SUMS * lanes; i += THREADS) {
    const int t = i / lanes, mine = i % lanes, pair = blockIdx.x * lanes + mine;
    if (pair >= pairs) continue;
    float2 sum = make_float2(0.f, 0.f);
    for (int other = 0; other < workers; other++) plus(sum, gathered[t * THREADS + other * lanes + mine]);
    reinterpret_cast<float2*>(parts + (((size_t)slice * gridDim.y + m) * SUMS + t) * C)[pair] = sum;
  }
}

extern "C" __global__ __launch_bounds__(THREADS) void depthwise_gradient_1(
    const float* gradient, const float* out, const float* z, const float* shift, const float* kernels, float* dz,
    float* parts, int n, int C, int H, int W, int h, int w, int each) {
  depthwise_gradient<1>(gradient, out, z, shift, kernels, dz, parts, n, C, H, W, h, w, each);
}

extern "C" __global__ __launch_bounds__(THREADS) void depthwise_gradient_2(
    const float* gradient, const float* out, const float* z, const float* shift, const float* kernels, float* dz,
    float* parts, int n, int C, int H, int W, int h, int w, int each) {
  depthwise_gradient<2>(gradient, out, z, shift, kernels, dz, parts, n, C, H, W, h, w, each);
}

// Sums the parts over slices, in their order.
extern "C" __global__ __launch_bounds__(256) void depthwise_sums(
    const float* __restrict__ parts, int slices, int clients, int C, float* __restrict__ kernels,
    float* __restrict__ then, float* __restrict__ shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int of = SUMS * C;
  if (i >= clients * of) return;
  const int m = i / of, t = i % of / C, c = i % C;
  float sum = 0.f;
  for (int slice = 0; slice < slices; slice++) sum += parts[(size_t)slice * clients * of + i];
  if (t < KERNEL) kernels[((size_t)m * KERNEL + t) * C + c] = sum;
  if (t == THEN) then[(size_t)m * C + c] = sum;
  if (t == SHIFT) shift[(size_t)m * C + c] = sum;
}
