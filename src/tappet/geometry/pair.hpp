// How two shapes face each other.
//
// Two shapes touch at candidate places whose number follows from the shapes alone: one for two spheres, eight
// (its corners) for a box on a plane. A candidate's number is its identity: what a contact remembers (impact
// speed, stick) stays with it from step to step. Where a face or an edge rests on another, several candidates
// touch at once.
//
// Signs as everywhere: gap > 0 apart, the normal points from the first shape to the second.
// The gap's rate is normal · (velocity of the second's material point − velocity of the first's), both taken
// at the witness points. The smallest gap of a pair is a continuous function of the poses. So is each
// candidate's own, except that polyhedra hand a contact over where a corner of one passes an edge of the
// other: there one candidate ends (infinite gap) where another begins, at the same place and with the same
// gap.
//
// A pair is a file in pairs/: equation block, candidates(), evaluate(), one registration for the ordered
// types; the other order is had by exchanging.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "tappet/base/registry.hpp"
#include "tappet/geometry/shape.hpp"

namespace tappet {

struct Proximity {
  double gap = std::numeric_limits<double>::infinity();  ///< m; infinite: this candidate faces nothing
  /// Unit, world; zero where the candidate faces nothing: its gap is then infinite, or a bound below which nothing comes to face.
  Vec3 normal = Vec3::Zero();
  Vec3 on_first = Vec3::Zero();  ///< witness points, world: on_second = on_first + gap · normal
  Vec3 on_second = Vec3::Zero();
  /// Radii of curvature of the two surfaces there, m, signed: convex > 0, concave < 0, flat infinite, 0 at
  /// corners and edges. Where the principal radii differ, √(R₁R₂).
  double radius[2] = {0, 0};
  /// How fast the depth −gap grows where the second comes nearer at the place, along the normal: 1, unless the depth is that of a
  /// patch as a whole (mesh_overlap.hpp). A law's force acts `slope` times, so that its power is that of the depth.
  double slope = 1;

  /// Where the two surfaces act on each other: halfway between the witness points, but on a face that a corner or an edge presses into.
  /// So the corners of a body that stands askew on a face act in one plane, and friction at all of them leaves it free to rock.
  Vec3 common_point() const {
    const bool face[2] = {std::isinf(radius[0]), std::isinf(radius[1])};
    if (face[0] && radius[1] == 0) return on_first;
    if (face[1] && radius[0] == 0) return on_second;
    return 0.5 * (on_first + on_second);
  }
};

/// What contacts are made of a pair: forces that follow from depths; impacts of rigid bodies over a step, which must know at which points
/// a patch is held; or impacts and reactions at the instants at which gaps are zero, which must know the gaps on both sides of zero.
enum class PairUse { forces, impacts, instants };

/// Registered under the kinds "first|second".
struct PairType {
  std::string name;
  /// How many places of the two shapes may touch.
  int (*candidates)(const Shape& first, const Shape& second) = nullptr;
  /// The state of one of them. Pure; allocates nothing; never NaN for finite poses. Null where all share
  /// their work:
  Proximity (*evaluate)(const Shape& first, const Pose& p, const Shape& second, const Pose& q,
                        int candidate) = nullptr;
  /// all of them at once, at most so many. Null: one after the other.
  static constexpr int most_candidates = 520;
  void (*evaluate_all)(const Shape& first, const Pose& p, const Shape& second, const Pose& q,
                       std::span<Proximity> out) = nullptr;
  /// Where not all shapes of these kinds touch alike: the name of the type that these two touch by. Null: this one.
  const char* (*variant)(const Shape& first, const Shape& second, PairUse use) = nullptr;
  /// There may be more places than candidates: the others are left out.
  bool leaves_out = false;
};
using PairRegistry = Registry<PairType>;

/// Two given shapes with what knows how they touch.
class Pair {
 public:
  /// Of nothing: converts to false.
  Pair() = default;
  /// Converts to false when nobody knows how these shapes touch: the caller tells the user. The shapes
  /// outlive the pair.
  Pair(const Shape& first, const Shape& second, PairUse use = PairUse::forces);
  /// Keeps the shapes alive.
  Pair(std::shared_ptr<const Shape> first, std::shared_ptr<const Shape> second,
       PairUse use = PairUse::forces);

  explicit operator bool() const { return type_ != nullptr; }
  int candidates() const { return candidates_; }
  /// May there be more places than candidates?
  bool leaves_out() const { return type_->leaves_out; }
  Proximity evaluate(const Pose& first, const Pose& second, int candidate) const;
  /// All candidates; `out` has room for candidates().
  void evaluate(const Pose& first, const Pose& second, std::span<Proximity> out) const;

 private:
  const PairType* type_ = nullptr;
  const Shape *first_ = nullptr, *second_ = nullptr;  ///< in the order of the type
  std::shared_ptr<const Shape> kept_[2];
  bool exchanged_ = false;
  int candidates_ = 0;
  long id_ = 0;  ///< of two shapes, the same in copies

  std::span<const Proximity> remembered(const Pose& p, const Pose& q) const;
};

}  // namespace tappet
