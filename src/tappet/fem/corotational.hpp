// A structure whose elements turn as far as they like and are deformed little: each in its own axes (fem/element_frame.hpp).
//
//   V = Σ ½ dᵀ K_e d,   f = Σ B̄ᵀ [K_e ((1 − θ) d₀ + θ d₁) + C_e Δd/h]        between two shapes; θ = ½ keeps the energy exactly
//   C_e = β K_e + dampers
//
// Displacements of nodes add up, rotations do not: that of a node is R = exp q̂, q its rotation vector in world axes, of at most π.
//
// Its mass is that of fem/turned_mass.hpp.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "tappet/fem/element_frame.hpp"
#include "tappet/fem/structure.hpp"

namespace tappet::fem {

/// Where the nodes of a structure are and how they are turned; axes and deformation of its elements.
struct TurnedShape {
  std::vector<Vec3> x;
  std::vector<Mat3> R;
  std::vector<Mat3> frames;
  std::vector<double> d;  ///< one element after the other
};

class Corotational {
 public:
  explicit Corotational(const Structure& s);

  const Structure& structure() const { return structure_; }
  /// From displacements and rotation vectors of all unknowns.
  TurnedShape shape(const std::vector<double>& all) const;
  /// Frames and deformations of nodes that are placed.
  void deform(TurnedShape& shape) const;

  double energy(const TurnedShape& shape) const;
  /// Forces and moments of the elements on all unknowns, world axes; `loss`: what the dampers took, J.
  std::vector<double> forces(const TurnedShape& from, const TurnedShape& to, double theta, double h,
                             double* loss) const;
  std::vector<double> forces(const TurnedShape& at) const;
  /// Per element: ∂f/∂(x, θ) times `stiffness`, and `damping` times that of the dampers, with the places of its unknowns among all.
  /// Without the part that grows with the load it is symmetric and not negative.
  template <class Use>
  void each_tangent(const TurnedShape& at, double stiffness, double damping, bool with_load,
                    Use&& use) const {
    Eigen::MatrixXd T;
    for (const Part& part : parts_) {
      element_tangent(part, at, stiffness, damping, with_load, T);
      use(part.places, T);
    }
  }
  bool damped() const { return damped_; }

 private:
  struct Part {
    ElementFrame frame;
    Eigen::MatrixXd K, C;  // C may be empty
    std::vector<int> nodes, places;
    std::size_t number = 0;
    std::size_t first = 0;  // in TurnedShape::d
  };
  struct Gathered;
  void element_tangent(const Part& part, const TurnedShape& at, double stiffness, double damping,
                       bool with_load, Eigen::MatrixXd& T) const;

  const Structure& structure_;
  std::vector<Part> parts_;
  std::size_t numbers_ = 0;
  bool damped_ = false;
};

/// The frame of an element, and its deformation at displacements of all unknowns.
Mat3 turned_element(const Structure& s, const Element& e, const std::vector<double>& all,
                    std::vector<double>& d);

}  // namespace tappet::fem
