// What impulses along given rows H do to the velocities along them, while joints and motions hold.
//
// With b = 0 the system of constraint_system.hpp, ordinary bodies eliminated and hubs (index h) kept, is
//
//   A [ λ ; x_h ] = −R P,      R = [ J W Hᵀ ; H_hᵀ ],      x = W (Hᵀ P + Jᵀ λ)
//
// and so H x = (H W Hᵀ − Rᵀ A⁻¹ R) P. R is 0 but for the joints of the bodies that are pushed; with A = L D Lᵀ the second
// term is (L⁻¹ R)ᵀ D⁻¹ (L⁻¹ R), of which a forward solution along the branches of these joints is all that is needed: where legs hang on a
// frame, each leg's own joints and then the frame. A body that a joint alone holds moves by its own W − Gᵀ S⁻¹ G in place of W, a
// driven one not at all.
#include "tappet/linalg/small_blocks.hpp"
#include "tappet/linalg/wide.hpp"
#include "tappet/multibody/constraint_kernels.hpp"
#include "tappet/multibody/constraint_system.hpp"

namespace tappet {
namespace {

using Lanes = RegisterRow<lanes>;

// y += A Hᵀ with A rows × width and Hᵀ, y in lanes.
template <int width>
TAPPET_INLINE void add_along(const double* a, int rows, const double* along, double* y) {
  for (int r = 0; r < rows; ++r, a += width, y += lanes) {
    Lanes row(y);
    for (int k = 0; k < width; ++k) row.add(a[k], Lanes(along + k * lanes));
    row.store(y);
  }
}

}  // namespace

// How a body moves by itself under unit impulses along `count` rows: one row each.
template <int width>
void ConstraintSystem::move_body(int body, const double* rows, int count, double* moved) {
  const double linear = mass_->linear[body];
  const Mat3& angular = mass_->angular[body];
  if (is_driven_[body] || hub_block_[body] >= 0) {
    std::fill(moved, moved + count * width, 0.0);
  } else if (alone_of_[body] >= 0) {
    const Alone& at = alone_[alone_of_[body]];
    for (int r = 0; r < count; ++r) {
      reactions_.assign(at.rows, 0.0);
      solve_alone<width>(at.rows, G_.data() + at.j, alone_factors_.data() + at.factor, linear, angular,
                         rows + r * width, moved + r * width, reactions_.data());
    }
  } else {
    weigh<width>(rows, count, linear, angular, moved);
  }
}

// L⁻¹ R of each block row of H.
template <int width>
TAPPET_WIDE void ConstraintSystem::respond_bodies(const BlockCsr& H) {
  for (int i = 0; i < H.block_rows(); ++i) {
    const int count = H.row_size(i);
    begins_.clear();
    for (int k = H.row_ptr[i]; k < H.row_ptr[i + 1]; ++k) {
      const int body = H.col[k];
      const double* const rows = H.value.data() + H.value_start[k];
      double* const along = along_.data() + k * width * lanes;
      for (int c = 0; c < width; ++c)
        for (int r = 0; r < lanes; ++r) along[c * lanes + r] = r < count ? rows[r * width + c] : 0.0;
      move_body<width>(body, rows, count, moved_.data() + H.value_start[k]);
      if (is_driven_[body] || alone_of_[body] >= 0) continue;
      if (hub_block_[body] >= 0)
        begins_.push_back(hub_block_[body]);
      else
        for (const Incidence& at : of_body_[body]) begins_.push_back(at.node);
    }
    BlockCholesky::Branch& branch = branches_[i];
    cholesky_.grow(begins_, branch);
    const int* block = begins_.data();
    for (int k = H.row_ptr[i]; k < H.row_ptr[i + 1]; ++k) {
      const int body = H.col[k];
      const double* const along = along_.data() + k * width * lanes;
      if (is_driven_[body] || alone_of_[body] >= 0) continue;
      if (hub_block_[body] >= 0) {
        double* const y = cholesky_.part(branch, *block++);
        for (int c = 0; c < width * lanes; ++c) y[c] += along[c];
      } else {
        for (const Incidence& at : of_body_[body])
          add_along<width>(G_.data() + at.j, at.rows, along, cholesky_.part(branch, *block++));
      }
    }
    cholesky_.forward(branch);
  }
}

// H W Hᵀ − (L⁻¹ R)ᵀ D⁻¹ (L⁻¹ R), block after block.
template <int width>
TAPPET_WIDE void ConstraintSystem::join_responses(const BlockCsr& H, Eigen::MatrixXd& out) const {
  for (int i = 0; i < H.block_rows(); ++i)
    for (int j = 0; j <= i; ++j) {
      double block[lanes * lanes] = {};
      for (int k = H.row_ptr[i]; k < H.row_ptr[i + 1]; ++k)
        for (int l = H.row_ptr[j]; l < H.row_ptr[j + 1]; ++l)
          if (H.col[k] == H.col[l])
            add_along<width>(moved_.data() + H.value_start[k], H.row_size(i),
                             along_.data() + l * width * lanes, block);
      cholesky_.subtract_inner(branches_[i], branches_[j], block);
      for (int r = 0; r < H.row_size(i); ++r)
        for (int c = 0; c < (i == j ? r + 1 : H.row_size(j)); ++c)
          out(H.row_start[i] + r, H.row_start[j] + c) = out(H.row_start[j] + c, H.row_start[i] + r) =
              block[r * lanes + c];
    }
}

void ConstraintSystem::response(const BlockCsr& rows, Eigen::MatrixXd& out) {
  const BlockCsr& H = bending_.empty() ? rows : rows_of_unit(rows);
  along_.resize(H.col.size() * width_ * lanes);
  moved_.resize(H.value.size());
  if (branches_.size() < static_cast<std::size_t>(H.block_rows())) branches_.resize(H.block_rows());
  out.resize(H.rows(), H.rows());
  if (width_ == 3) {
    respond_bodies<3>(H);
    join_responses<3>(H, out);
  } else {
    respond_bodies<6>(H);
    join_responses<6>(H, out);
  }
}

}  // namespace tappet
