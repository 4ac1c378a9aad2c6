#include "tappet/geometry/pair.hpp"

#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "tappet/geometry/separation.hpp"
#include "tappet/geometry/shapes/plane.hpp"
#include "tappet/geometry/shapes/sphere.hpp"
#include "unit/geometry/random_shapes.hpp"

namespace tappet::pair_test {
namespace {

using testing::RandomShapes;

TEST(Pair, BallOverPlaneAndTheOtherWayRound) {
  const Plane floor(Vec3(0, 0, 1), Vec3(0, 0, 2));
  const Sphere ball(Vec3(0.5, 0, 0), 0.25);
  const Pose p, q{Mat3::Identity(), Vec3(1, 2, 3)};

  const Pair pair(floor, ball), other(ball, floor);
  ASSERT_TRUE(pair);
  ASSERT_TRUE(other);
  EXPECT_EQ(pair.candidates(), 1);
  const Proximity a = pair.evaluate(p, q, 0), b = other.evaluate(q, p, 0);
  EXPECT_DOUBLE_EQ(a.gap, 1.75);
  EXPECT_EQ(a.normal, Vec3(0, 0, 1));
  EXPECT_EQ(a.on_second, Vec3(1.5, 2, 2.75));
  EXPECT_EQ(a.on_first, Vec3(1.5, 2, 1));

  EXPECT_EQ(b.gap, a.gap);
  EXPECT_EQ(b.normal, -a.normal);
  EXPECT_EQ(b.on_first, a.on_second);
  EXPECT_EQ(b.radius[0], 0.25);

  Proximity all[1];
  other.evaluate(q, p, all);
  EXPECT_EQ(all[0].normal, b.normal);
  EXPECT_EQ(all[0].on_first, b.on_first);
}

TEST(Pair, UnknownPairsSaySo) {
  const Plane floor(Vec3::Zero(), Vec3::UnitZ());
  EXPECT_FALSE(Pair(floor, floor));
}

// ---- What holds for every pair, at random poses ----

struct Case {
  std::string first, second;
  Dimension dimension;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.first << '|' << c.second << (c.dimension == Dimension::planar ? " in the plane" : " in space");
}

bool possible(const std::string& kind, Dimension dimension) {
  const bool only_space = kind == "box" || kind == "cylinder" || kind == "ellipsoid" || kind == "hull";
  const bool only_plane = kind == "polygon" || kind == "curve";
  return dimension == Dimension::planar ? !only_space : !only_plane;
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const PairType& type : PairRegistry::instance().entries()) {
    const std::size_t bar = type.name.find('|');
    const std::string first = type.name.substr(0, bar), second = type.name.substr(bar + 1);
    for (Dimension dimension : {Dimension::planar, Dimension::spatial}) {
      RandomShapes random(1, dimension);
      if (!possible(first, dimension) || !possible(second, dimension)) continue;
      if (random.shape(first, 1) && random.shape(second, 1)) out.push_back({first, second, dimension});
    }
  }
  return out;
}

class EveryPair : public ::testing::TestWithParam<Case> {};

const Proximity& smallest(const std::vector<Proximity>& all) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i].gap < all[best].gap) best = i;
  return all[best];
}

/// Points of a rim slide along it as the cylinder turns: see plane_cylinder.cpp and cylinder_contact.hpp.
bool slides(const Case& c, int candidate) {
  const auto has_face = [](const std::string& kind) { return kind != "capsule" && kind != "ellipsoid"; };
  return candidate < 6 &&
         ((c.second == "cylinder" && has_face(c.first)) || (c.first == "cylinder" && c.second == "hull"));
}

/// Gap as seen along n: no larger than the signed distance whatever n is.
double seen_along(const ConvexShape& a, const Pose& p, const ConvexShape& b, const Pose& q, const Vec3& n) {
  const Pose P = p * a.place, Q = q * b.place;
  const Vec3 x = P.point(a.support(P.local_direction(n))), y = Q.point(b.support(Q.local_direction(-n)));
  return n.dot(y - x) - a.margin() - b.margin();
}

double off_surface(const ConvexShape& shape, const Pose& pose, const Vec3& point) {
  return std::abs(shape.foot((pose * shape.place).local(point)).distance);
}

/// One pose of one pair of shapes, and everything that must hold there.
class Check {
 public:
  Check(const Case& c, RandomShapes& random, double scale)
      : case_(c),
        random_(random),
        scale_(scale),
        first_(random.shape(c.first, scale)),
        second_(random.shape(c.second, scale)),
        pair_(*first_, *second_),
        other_(*second_, *first_),
        all_(pair_.candidates()),
        before_(all_),
        after_(all_),
        exchanged_(all_) {}

  int rates = 0, wrong_rates = 0, handovers = 0, overlaps = 0;

  /// `with_rates`: with the rates of all gaps, which cost two more evaluations.
  void run(bool with_rates) {
    const Pose p = random_.pose(scale_), q = random_.pose(2.5 * scale_);
    pair_.evaluate(p, q, all_);
    for (std::size_t i = 0; i < all_.size(); ++i) well_formed(all_[i]);
    other_.evaluate(q, p, exchanged_);
    if (smallest(all_).gap == flat) {
      ASSERT_EQ(smallest(exchanged_).gap, flat);
      return;
    }
    if (!ambiguous()) {
      ASSERT_NEAR(smallest(exchanged_).gap, smallest(all_).gap, rounding()) << "exchanged";
    }
    optimality(p, q);
    continuity(p, q);
    if (with_rates) motion(p, q);
  }

  void one_by_one() {
    const Pose p = random_.pose(scale_), q = random_.pose(2.5 * scale_);
    pair_.evaluate(p, q, all_);
    const long before = testing::allocations();
    for (int i = 0; i < pair_.candidates(); ++i) {
      const Proximity one = pair_.evaluate(p, q, i);
      ASSERT_EQ(one.gap, all_[i].gap);
      ASSERT_EQ(one.normal, all_[i].normal);
      ASSERT_EQ(one.on_first, all_[i].on_first);
    }
    ASSERT_EQ(testing::allocations(), before) << "memory was allocated";
  }

 private:
  const Case& case_;
  RandomShapes& random_;
  double scale_;
  std::unique_ptr<Shape> first_, second_;
  Pair pair_, other_;
  std::vector<Proximity> all_, before_, after_, exchanged_;
  Proximity only_;

  /// Lengths are up to ten times the scale, and made by some hundred operations.
  double rounding() const { return 1e-12 * scale_; }
  /// The direction between two cores, a ball's centre and an axis, is as uncertain as they are close.
  double rounding_near(double core_gap) const {
    return rounding() * std::max(1.0, 0.1 * scale_ / std::max(std::abs(core_gap), 1e-12 * scale_));
  }

  /// The places where faces touch are found for the shortest way out. As long as the overlap is shallow, the
  /// deepest of them is that way; deep down there may be several, and a change from one to another.
  static constexpr double shallow = 0.02;
  bool ambiguous() const { return smallest(all_).gap < -shallow * scale_; }

  void well_formed(const Proximity& one) {
    ASSERT_FALSE(std::isnan(one.gap));
    ASSERT_GT(one.gap, -flat);
    if (one.gap == flat) return;
    ASSERT_NEAR(one.normal.norm(), 1, 1e-12);
    ASSERT_LT((one.on_second - one.on_first - one.gap * one.normal).norm(), 1e-11 * scale_);
    ASSERT_FALSE(std::isnan(one.radius[0]) || std::isnan(one.radius[1]));
    if (case_.dimension == Dimension::planar) {
      ASSERT_EQ(one.normal.z(), 0);
      ASSERT_EQ(one.on_first.z(), 0);
    }
  }

  // No motion, however large, changes the smallest gap by more than the surfaces move.
  void continuity(const Pose& p, const Pose& q) {
    const double h = std::pow(10, -5 + 3 * random_.number());
    const Vec3 v1 = scale_ * random_.vector(), v2 = scale_ * random_.vector(), w1 = random_.turning(),
               w2 = random_.turning();
    pair_.evaluate(testing::moved(p, v1, w1, h), testing::moved(q, v2, w2, h), after_);
    if (ambiguous() || smallest(after_).gap < -shallow * scale_) return;
    // Of a profile only what is near is looked at: within half of the shape's width, which is at least 1.
    if (case_.first == "profile" && std::min(smallest(all_).gap, smallest(after_).gap) > 0.25 * scale_)
      return;
    // Points that may touch are within 4 of each body's origin, 0.3 √3 to the shape and 2 √3 of it; of a
    // plane or profile, within 11 of its own: 3.5 √3 to the other body.
    const bool endless = case_.first == "plane" || case_.first == "profile";
    const double reach = (endless ? 11 : 4) * scale_,
                 bound = h * (v1.norm() + v2.norm() + (w1.norm() + w2.norm()) * reach);
    // What is deep in a profile may be behind it.
    if (case_.first == "profile" && smallest(after_).gap == flat) return;
    ASSERT_LT(std::abs(smallest(after_).gap - smallest(all_).gap), bound + rounding())
        << "the smallest gap jumps from " << smallest(all_).gap << " to " << smallest(after_).gap << " in "
        << h;
  }

  // Each gap changes by n·(v₂ − v₁).
  void motion(const Pose& p, const Pose& q) {
    const double h = 1e-6;
    const Vec3 v1 = scale_ * random_.vector(), v2 = scale_ * random_.vector(), w1 = random_.turning(),
               w2 = random_.turning();
    pair_.evaluate(testing::moved(p, v1, w1, -h), testing::moved(q, v2, w2, -h), before_);
    pair_.evaluate(testing::moved(p, v1, w1, h), testing::moved(q, v2, w2, h), after_);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Proximity& one = all_[i];
      if (one.gap == flat || before_[i].gap == flat || after_[i].gap == flat ||
          slides(case_, static_cast<int>(i)))
        continue;
      const double rate = (after_[i].gap - before_[i].gap) / (2 * h);
      const Vec3 v = v2 + w2.cross(one.on_second - q.r) - v1 - w1.cross(one.on_first - p.r);
      ++rates;
      // A candidate that is handed from one pair of features to another has no rate, and that is rare.
      const double mean = (before_[i].gap + after_[i].gap) / 2;
      if (std::abs(one.gap - mean) > 1e-3 * scale_) {
        ++handovers;
        continue;
      }
      wrong_rates += std::abs(rate - one.normal.dot(v)) > 1e-6 * scale_;
    }
  }

  // Convex shapes: the witness points, which lie on both surfaces, show that the gap is not larger, the
  // normal that it is not smaller. Overlapping: no direction undoes the overlap in a shorter way.
  void optimality(const Pose& p, const Pose& q) {
    const auto *a = dynamic_cast<const ConvexShape*>(first_.get()),
               *b = dynamic_cast<const ConvexShape*>(second_.get());
    if (!a || !b) return;
    // Of several places the nearest is meant, or the one that no other direction undoes in a shorter way.
    // Places count as equally near within 1e-9 of their size, which is up to 4.
    const Proximity* best = &smallest(all_);
    if (all_.size() > 1) {
      only_ = separation(*a, p, *b, q);
      ASSERT_LT(best->gap, only_.gap + 4e-9 * scale_) << "the nearest place is missing";
      if (only_.gap > 0) {
        ASSERT_GT(best->gap, only_.gap - 4e-9 * scale_) << "nearer than the nearest place";
      }
      best = &only_;
    }
    const Proximity& one = *best;
    const double core_gap = one.gap + a->margin() + b->margin(), error = rounding_near(core_gap);
    ASSERT_LT(off_surface(*a, p, one.on_first), 10 * error);
    ASSERT_LT(off_surface(*b, q, one.on_second), 10 * error) << one.gap;
    ASSERT_NEAR(seen_along(*a, p, *b, q, one.normal), one.gap, error);
    // A curve is searched in steps of 15°: of deep overlaps a maximum may be hidden between two.
    if (core_gap > 0 || (case_.first == "curve" && ambiguous())) return;
    ++overlaps;
    for (int i = 0; i < 4; ++i) {
      const Vec3 n = i < 2 ? random_.direction() : Vec3((one.normal + 0.1 * random_.vector()).normalized());
      ASSERT_LT(seen_along(*a, p, *b, q, n), one.gap + error) << "a shorter way";
    }
  }
};

TEST_P(EveryPair, HoldsItsPromisesAtRandomPoses) {
  // 100,000 cases, the rates in every twentieth.
  const int shapes = 200, poses = 500;
  RandomShapes random(17, GetParam().dimension);
  int rates = 0, wrong_rates = 0, handovers = 0, overlaps = 0;
  for (int s = 0; s < shapes; ++s) {
    Check check(GetParam(), random, 1);
    for (int i = 0; i < poses; ++i) {
      check.run(i % 20 == 0);
      if (HasFatalFailure()) FAIL() << "shapes " << s << ", pose " << i;
    }
    check.one_by_one();
    if (HasFatalFailure()) FAIL() << "shapes " << s;
    rates += check.rates, wrong_rates += check.wrong_rates, handovers += check.handovers;
    overlaps += check.overlaps;
  }
  // A rate is not what it should be where the difference quotient straddles a change of the nearest feature.
  EXPECT_LT(wrong_rates, 2e-3 * rates + 1) << "of " << rates;
  EXPECT_LT(handovers, 0.02 * rates + 1) << "of " << rates;
  RecordProperty("overlaps", overlaps);
}

// Large, small and concentric: whatever is asked, numbers come back.
TEST_P(EveryPair, IsDefinedForHugeTinyAndCoincidentShapes) {
  RandomShapes random(23, GetParam().dimension);
  for (double scale : {1e6, 1e-6})
    for (int s = 0; s < 50; ++s) {
      Check check(GetParam(), random, scale);
      for (int i = 0; i < 4; ++i) check.run(true);
      if (HasFatalFailure()) FAIL() << "size " << scale << ", shapes " << s;
    }
  for (int s = 0; s < 60; ++s) {
    const auto first = random.shape(GetParam().first, s % 2 ? 1e6 : 1),
               second = random.shape(GetParam().second, s % 3 ? 1e-6 : 1);
    const Pair pair(*first, *second);
    const Pose p = random.pose(1);
    for (int i = 0; i < pair.candidates(); ++i) {
      const Proximity one = pair.evaluate(p, p, i);
      ASSERT_FALSE(std::isnan(one.gap));
      ASSERT_TRUE(one.normal.allFinite() && one.on_first.allFinite() && one.on_second.allFinite());
      ASSERT_NEAR(one.normal.norm(), one.gap < flat ? 1 : 0, 1e-9);
    }
  }
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  return info.param.first + "_" + info.param.second +
         (info.param.dimension == Dimension::planar ? "_planar" : "");
}

INSTANTIATE_TEST_SUITE_P(Geometry, EveryPair, ::testing::ValuesIn(cases()), name_of);

}  // namespace
}  // namespace tappet::pair_test
