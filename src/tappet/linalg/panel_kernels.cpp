#include "tappet/linalg/panel_kernels.hpp"

// Four columns at a time, so that b is read and written once for four. Sums run in lanes of a fixed number,
// so that the result does not depend on how wide the processor's registers are.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define TAPPET_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define TAPPET_WIDE
#endif

namespace tappet {

namespace {
using Four = double __attribute__((vector_size(32)));
}

TAPPET_WIDE void panel_forward(const double* panel, const double* inverse, int rows, int w, double* b) {
  int j = 0;
  for (; j + 4 <= w; j += 4) {
    const double *l0 = panel + static_cast<long>(rows) * j, *l1 = l0 + rows, *l2 = l1 + rows, *l3 = l2 + rows;
    const double x0 = b[j] * inverse[j];
    const double x1 = (b[j + 1] - l0[j + 1] * x0) * inverse[j + 1];
    const double x2 = (b[j + 2] - l0[j + 2] * x0 - l1[j + 2] * x1) * inverse[j + 2];
    const double x3 = (b[j + 3] - l0[j + 3] * x0 - l1[j + 3] * x1 - l2[j + 3] * x2) * inverse[j + 3];
    b[j] = x0, b[j + 1] = x1, b[j + 2] = x2, b[j + 3] = x3;
    double* __restrict y = b;
    for (int i = j + 4; i < rows; ++i) y[i] -= (l0[i] * x0 + l1[i] * x1) + (l2[i] * x2 + l3[i] * x3);
  }
  for (; j < w; ++j) {
    const double* l = panel + static_cast<long>(rows) * j;
    const double x = b[j] *= inverse[j];
    for (int i = j + 1; i < rows; ++i) b[i] -= l[i] * x;
  }
}

TAPPET_WIDE void panel_backward(const double* panel, const double* inverse, int rows, int w, double* b) {
  int j = w;
  for (; j % 4 != 0; --j) {
    const double* l = panel + static_cast<long>(rows) * (j - 1);
    double sum = b[j - 1];
    for (int i = j; i < rows; ++i) sum -= l[i] * b[i];
    b[j - 1] = sum * inverse[j - 1];
  }
  for (j -= 4; j >= 0; j -= 4) {
    const double *l0 = panel + static_cast<long>(rows) * j, *l1 = l0 + rows, *l2 = l1 + rows, *l3 = l2 + rows;
    Four s0 = {}, s1 = {}, s2 = {}, s3 = {};
    int i = j + 4;
    for (; i + 4 <= rows; i += 4) {
      Four y, a0, a1, a2, a3;
      __builtin_memcpy(&y, b + i, sizeof y);
      __builtin_memcpy(&a0, l0 + i, sizeof y);
      __builtin_memcpy(&a1, l1 + i, sizeof y);
      __builtin_memcpy(&a2, l2 + i, sizeof y);
      __builtin_memcpy(&a3, l3 + i, sizeof y);
      s0 += a0 * y;
      s1 += a1 * y;
      s2 += a2 * y;
      s3 += a3 * y;
    }
    for (; i < rows; ++i)
      s0[0] += l0[i] * b[i], s1[0] += l1[i] * b[i], s2[0] += l2[i] * b[i], s3[0] += l3[i] * b[i];
    const double t0 = b[j] - ((s0[0] + s0[1]) + (s0[2] + s0[3])),
                 t1 = b[j + 1] - ((s1[0] + s1[1]) + (s1[2] + s1[3])),
                 t2 = b[j + 2] - ((s2[0] + s2[1]) + (s2[2] + s2[3])),
                 t3 = b[j + 3] - ((s3[0] + s3[1]) + (s3[2] + s3[3]));
    const double x3 = t3 * inverse[j + 3];
    const double x2 = (t2 - l2[j + 3] * x3) * inverse[j + 2];
    const double x1 = (t1 - l1[j + 2] * x2 - l1[j + 3] * x3) * inverse[j + 1];
    b[j] = (t0 - l0[j + 1] * x1 - l0[j + 2] * x2 - l0[j + 3] * x3) * inverse[j];
    b[j + 1] = x1, b[j + 2] = x2, b[j + 3] = x3;
  }
}

}  // namespace tappet
