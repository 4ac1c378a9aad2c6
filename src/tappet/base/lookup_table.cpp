#include "tappet/base/lookup_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tappet {
namespace {

/// Solves a system with the diagonals a (below), b, c (above); b and the right side are used up.
std::vector<double> tridiagonal(const std::vector<double>& a, std::vector<double> b,
                                const std::vector<double>& c, std::vector<double> r) {
  const std::size_t n = b.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = a[i] / b[i - 1];
    b[i] -= factor * c[i - 1];
    r[i] -= factor * r[i - 1];
  }
  r[n - 1] /= b[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) r[i] = (r[i] - c[i] * r[i + 1]) / b[i];
  return r;
}

// h_i m_{i−1} + 2 (h_{i−1} + h_i) m_i + h_{i−1} m_{i+1} = 3 (h_i d_{i−1} + h_{i−1} d_i): f″ is continuous.
std::vector<double> spline_slopes(const std::vector<double>& h, const std::vector<double>& d) {
  const std::size_t n = h.size() + 1;
  if (n == 2) return {d[0], d[0]};
  if (n == 3) {  // a parabola
    const double c = (d[1] - d[0]) / (h[0] + h[1]);
    return {d[0] - c * h[0], d[0] + c * h[0], d[0] + c * (h[0] + 2 * h[1])};
  }
  std::vector<double> a(n), b(n), c(n), r(n);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    a[i] = h[i], b[i] = 2 * (h[i - 1] + h[i]), c[i] = h[i - 1];
    r[i] = 3 * (h[i] * d[i - 1] + h[i - 1] * d[i]);
  }
  // f‴ is continuous at the second point, and at the last but one.
  const auto end = [](double near, double far, double d_near, double d_far) {
    const double both = near + far;
    return ((near + 2 * both) * far * d_near + near * near * d_far) / both;
  };
  b[0] = h[1], c[0] = h[0] + h[1], r[0] = end(h[0], h[1], d[0], d[1]);
  b[n - 1] = h[n - 3], a[n - 1] = h[n - 2] + h[n - 3], r[n - 1] = end(h[n - 2], h[n - 3], d[n - 2], d[n - 3]);
  return tridiagonal(a, b, c, r);
}

// The same round a circle: the corners of the matrix by Sherman and Morrison's formula.
std::vector<double> round_slopes(const std::vector<double>& h, const std::vector<double>& d) {
  const std::size_t n = h.size();  // points that differ
  if (n == 1) return {0, 0};
  if (n == 2) return std::vector<double>(3, (h[0] * d[1] + h[1] * d[0]) / (h[0] + h[1]));
  std::vector<double> a(n), b(n), c(n), r(n), corner(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double before = h[(i + n - 1) % n], after = h[i];
    a[i] = after, b[i] = 2 * (before + after), c[i] = before;
    r[i] = 3 * (after * d[(i + n - 1) % n] + before * d[i]);
  }
  const double gamma = -b[0], top = a[0], bottom = c[n - 1];
  b[0] -= gamma;
  b[n - 1] -= top * bottom / gamma;
  corner[0] = gamma, corner[n - 1] = bottom;
  std::vector<double> m = tridiagonal(a, b, c, r);
  const std::vector<double> z = tridiagonal(a, b, c, corner);
  const double part = (m[0] + top * m[n - 1] / gamma) / (1 + z[0] + top * z[n - 1] / gamma);
  for (std::size_t i = 0; i < n; ++i) m[i] -= part * z[i];
  m.push_back(m[0]);
  return m;
}

std::vector<double> akima_slopes(const std::vector<double>& d, bool periodic) {
  const int n = static_cast<int>(d.size()) + 1;
  // Differences go on beyond the ends: round the circle, or as a parabola's would.
  const auto at = [&](int i) {
    const int last = n - 2;
    if (i >= 0 && i <= last) return d[i];
    if (periodic) return d[(i + 2 * (last + 1)) % (last + 1)];
    if (last == 0) return d[0];
    return i < 0 ? d[0] + i * (d[1] - d[0]) : d[last] + (i - last) * (d[last] - d[last - 1]);
  };
  std::vector<double> m(n);
  for (int i = 0; i < n; ++i) {
    const double d0 = at(i - 2), d1 = at(i - 1), d2 = at(i), d3 = at(i + 1);
    const double of1 = std::abs(d3 - d2), of2 = std::abs(d1 - d0);
    m[i] = of1 + of2 > 0 ? (of1 * d1 + of2 * d2) / (of1 + of2) : 0.5 * (d1 + d2);
  }
  return m;
}

}  // namespace

std::vector<double> slopes(const std::vector<double>& x, const std::vector<double>& f,
                           Interpolation interpolate, bool periodic) {
  std::vector<double> h, d;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    h.push_back(x[i + 1] - x[i]);
    d.push_back((f[i + 1] - f[i]) / h.back());
  }
  if (interpolate == Interpolation::akima) return akima_slopes(d, periodic);
  return periodic ? round_slopes(h, d) : spline_slopes(h, d);
}

LookupTable::LookupTable(std::string name, std::vector<double> x, std::vector<double> f,
                         LookupOptions options)
    : name_(std::move(name)), options_(options), x_(std::move(x)), f_(std::move(f)) {
  fx_ = options_.interpolate == Interpolation::linear
            ? std::vector<double>(f_.size(), 0.0)
            : slopes(x_, f_, options_.interpolate, options_.periodic);
}

LookupTable::LookupTable(std::string name, std::vector<double> x, std::vector<double> y,
                         std::vector<double> f, LookupOptions options)
    : name_(std::move(name)), options_(options), x_(std::move(x)), y_(std::move(y)), f_(std::move(f)) {
  fx_.assign(f_.size(), 0.0);
  fy_ = fxy_ = fx_;
  if (options_.interpolate == Interpolation::linear) return;
  const std::size_t rows = x_.size(), columns = y_.size();
  for (std::size_t i = 0; i < rows; ++i) {
    const std::vector<double> row(f_.begin() + static_cast<std::ptrdiff_t>(i * columns),
                                  f_.begin() + static_cast<std::ptrdiff_t>((i + 1) * columns));
    const std::vector<double> m = slopes(y_, row, options_.interpolate, false);
    std::copy(m.begin(), m.end(), fy_.begin() + static_cast<std::ptrdiff_t>(i * columns));
  }
  const auto along_x = [&](const std::vector<double>& of, std::vector<double>& out) {
    std::vector<double> column(rows);
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t i = 0; i < rows; ++i) column[i] = of[i * columns + j];
      const std::vector<double> m = slopes(x_, column, options_.interpolate, options_.periodic);
      for (std::size_t i = 0; i < rows; ++i) out[i * columns + j] = m[i];
    }
  };
  along_x(f_, fx_);
  along_x(fy_, fxy_);
}

// Weights of f_left, f_right, m_left, m_right.
LookupTable::Place LookupTable::find(const std::vector<double>& points, double x, bool periodic) const {
  const double first = points.front(), last = points.back();
  if (periodic) {
    const double period = last - first;
    x -= period * std::floor((x - first) / period);
  }
  const double inside = std::clamp(x, first, last), beyond = x - inside;
  Place out;
  out.left = std::clamp(
      static_cast<int>(std::upper_bound(points.begin(), points.end(), inside) - points.begin()) - 1, 0,
      static_cast<int>(points.size()) - 2);
  const double h = points[out.left + 1] - points[out.left], s = (inside - points[out.left]) / h, r = 1 - s;
  auto& w = out.w;
  if (options_.interpolate == Interpolation::linear) {
    w[0][0] = r, w[0][1] = s;
    w[1][0] = -1 / h, w[1][1] = 1 / h;
  } else {
    w[0][0] = (1 + 2 * s) * r * r, w[0][1] = s * s * (3 - 2 * s);
    w[0][2] = h * s * r * r, w[0][3] = -h * s * s * r;
    w[1][0] = -6 * s * r / h, w[1][1] = 6 * s * r / h;
    w[1][2] = r * (1 - 3 * s), w[1][3] = s * (3 * s - 2);
    w[2][0] = (12 * s - 6) / (h * h), w[2][1] = (6 - 12 * s) / (h * h);
    w[2][2] = (6 * s - 4) / h, w[2][3] = (6 * s - 2) / h;
  }
  if (beyond == 0 || periodic) return out;
  for (int k = 0; k < 4; ++k) {
    w[2][k] = 0;
    if (options_.outside == Outside::linear) {
      w[0][k] += beyond * w[1][k];
    } else {
      w[1][k] = 0;
      if (options_.outside == Outside::stop) w[0][k] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return out;
}

Jet LookupTable::at(double x) const {
  const Place p = find(x_, x, options_.periodic);
  const double v[] = {f_[p.left], f_[p.left + 1], fx_[p.left], fx_[p.left + 1]};
  double out[3] = {};
  for (int d = 0; d < 3; ++d)
    for (int k = 0; k < 4; ++k) out[d] += p.w[d][k] * v[k];
  return {out[0], out[1], out[2]};
}

Patch LookupTable::at(double x, double y) const {
  const Place p = find(x_, x, options_.periodic), q = find(y_, y, false);
  const std::size_t columns = y_.size();
  // What q's weights make of each of the four rows: values and slopes along x, left and right.
  double along[4][3] = {};
  for (int k = 0; k < 4; ++k) {
    const std::size_t at = (p.left + k % 2) * columns + q.left;
    const std::vector<double>&f = k < 2 ? f_ : fx_, &m = k < 2 ? fy_ : fxy_;
    const double v[] = {f[at], f[at + 1], m[at], m[at + 1]};
    for (int d = 0; d < 3; ++d)
      for (int n = 0; n < 4; ++n) along[k][d] += q.w[d][n] * v[n];
  }
  const auto sum = [&](int dx, int dy) {
    double out = 0;
    for (int k = 0; k < 4; ++k) out += p.w[dx][k] * along[k][dy];
    return out;
  };
  return {sum(0, 0), sum(1, 0), sum(0, 1), sum(2, 0), sum(1, 1), sum(0, 2)};
}

}  // namespace tappet
