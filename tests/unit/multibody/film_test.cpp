// The film between two bodies: no momentum is made, the power is the loss, every frame is the same, slices are what the plane is.
#include "tappet/multibody/film.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "unit/contact/film_fixture.hpp"

namespace tappet::test::film_test {
namespace {

class Film : public ::testing::Test {
 protected:
  std::mt19937 random{5};
  std::uniform_real_distribution<double> unit{-1, 1};
  const double c = 1e-4;

  JournalFilm element(Dimension dimension, int sections = 3) {
    JournalFilm out;
    out.name = "wrist";
    out.bodies = {0, 1};
    out.dimension = dimension;
    out.law = film_law("{model: ocvirk, viscosity: 40 mPa s}");
    out.pi = {0.02, -0.01, dimension == Dimension::planar ? 0 : 0.03};
    out.pj = {-0.06, 0.005, dimension == Dimension::planar ? 0 : -0.01};
    out.slices = {{}};
    if (dimension == Dimension::spatial) {
      out.axis_i = Vec3(1, 2, -1).normalized(), out.axis_j = Vec3(0.3, -1, 0.5).normalized();
      out.half_length = 5e-3;
      out.slices = film_slices(sections, 0.01, false);
    }
    return out;
  }

  /// Two bodies, the journal at |e| ≈ ½ c and tilted by `tilt`, and the ground, all moving anyhow.
  Kinematics anyhow(const JournalFilm& film, double tilt = 0) {
    Kinematics k;
    resize(k, film.dimension, 2);
    if (film.dimension == Dimension::planar) {
      PlanarFrame &fi = k.planar[0], &fj = k.planar[1];
      turn(fi, 2 * unit(random)), turn(fj, 2 * unit(random));
      fi.r = {unit(random), unit(random)};
      fj.r = fi.point(film.pi.head<2>()) + 0.3 * c * Vec2(unit(random), unit(random)) -
             fj.turn(film.pj.head<2>());
      for (PlanarFrame* f : {&fi, &fj}) f->v = {unit(random), unit(random)}, f->w = 100 * unit(random);
      return k;
    }
    SpatialFrame &fi = k.spatial[0], &fj = k.spatial[1];
    fi.R = Eigen::AngleAxisd(1.3, Vec3(1, -2, 3).normalized()).toRotationMatrix();
    fi.r = {unit(random), unit(random), unit(random)};
    const Vec3 a = fi.R * film.axis_i;
    fj.R = Eigen::AngleAxisd(tilt, any_perpendicular(a)).toRotationMatrix() *
           Eigen::Quaterniond::FromTwoVectors(film.axis_j, a).toRotationMatrix();
    const Vec3 aside = 0.3 * c * Vec3(unit(random), unit(random), unit(random));
    fj.r = fi.point(film.pi) + aside - fj.R * film.pj;
    for (SpatialFrame* f : {&fi, &fj}) {
      f->v = {unit(random), unit(random), unit(random)};
      f->w = 100 * Vec3(unit(random), unit(random), unit(random));
      f->w_body = f->R.transpose() * f->w;
    }
    return k;
  }
  static void turn(PlanarFrame& f, double angle) {
    f.theta = angle, f.c = std::cos(angle), f.s = std::sin(angle);
  }
};

TEST_F(Film, MakesNoMomentumAndLosesWhatItTakes) {
  const JournalFilm planar = element(Dimension::planar), spatial = element(Dimension::spatial);
  for (int n = 0; n < 100; ++n) {
    const Kinematics k = anyhow(planar);
    std::vector<double> h(6, 0.0);
    ForceSum sum{h.data(), 2, {}};
    planar.apply(k, sum);
    const double force = std::hypot(h[0], h[1]);
    double power = 0, moment = 0;
    for (int b : {0, 1}) {
      const PlanarFrame& f = k.planar[b];
      const Vec2 F(h[3 * b], h[3 * b + 1]);
      power += F.dot(f.v) + h[3 * b + 2] * f.w;
      moment += cross(f.r, F) + h[3 * b + 2];
    }
    EXPECT_NEAR(h[0] + h[3], 0, 1e-13 * force);
    EXPECT_NEAR(h[1] + h[4], 0, 1e-13 * force);
    EXPECT_NEAR(moment, 0, 1e-12 * force);
    EXPECT_NEAR(power, -sum.powers.film, 1e-10 * force);
    EXPECT_GT(sum.powers.film, 0);
  }
  for (int n = 0; n < 100; ++n) {
    const Kinematics k = anyhow(spatial, 3e-3);
    std::vector<double> h(12, 0.0);
    ForceSum sum{h.data(), 2, {}};
    spatial.apply(k, sum);
    double power = 0;
    Vec3 total = Vec3::Zero(), moment = Vec3::Zero();
    for (int b : {0, 1}) {
      const SpatialFrame& f = k.spatial[b];
      const Vec3 F = Eigen::Map<Vec3>(&h[6 * b]), T = Eigen::Map<Vec3>(&h[6 * b + 3]);
      power += F.dot(f.v) + T.dot(f.w_body);
      total += F, moment += f.r.cross(F) + f.R * T;
    }
    const double force = Eigen::Map<Vec3>(h.data()).norm();
    EXPECT_NEAR(total.norm(), 0, 1e-13 * force);
    EXPECT_NEAR(moment.norm(), 0, 1e-12 * force);
    EXPECT_NEAR(power, -sum.powers.film, 1e-10 * force);
  }
}

// The same motion as seen from axes that turn: Ω added to both bodies, everything turned by an angle.
TEST_F(Film, IsTheSameInATurningFrame) {
  const JournalFilm film = element(Dimension::planar);
  for (int n = 0; n < 100; ++n) {
    // Small numbers near the origin, whose rounding is far below the clearance.
    Kinematics k = anyhow(film);
    const Vec2 origin = k.planar[0].r;
    for (int b : {0, 1}) k.planar[b].r -= origin;
    const FilmInstant here = film.instant(k);
    constexpr double angle = 0.7, turning = 60;
    const Eigen::Rotation2Dd R(angle);
    for (int b : {0, 1}) {
      PlanarFrame& f = k.planar[b];
      turn(f, f.theta + angle);
      f.r = R * f.r;
      f.v = R * f.v + turning * Vec2(-f.r.y(), f.r.x());
      f.w += turning;
    }
    const FilmInstant there = film.instant(k);
    const Vec2 expected = R * here.force.head<2>();
    // Places of centimetres have 1e-18 m of rounding, and e is of 1e-5 m.
    EXPECT_NEAR((there.force.head<2>() - expected).norm(), 0, 2e-11 * expected.norm());
    EXPECT_NEAR(there.couple, here.couple, 1e-12 * std::abs(here.couple));
    EXPECT_NEAR(there.power_loss, here.power_loss, 2e-11 * here.power_loss);
  }
}

TEST_F(Film, AlignedInSpaceIsWhatItIsInThePlane) {
  for (int sections : {2, 3, 7}) {
    const JournalFilm film = element(Dimension::spatial, sections);
    const Kinematics k = anyhow(film);
    const FilmInstant all = film.instant(k);
    JournalFilm one = film;
    one.slices = {{}};
    // Along the axis the same e, but velocities of a journal that tips as it moves differ: only their mean counts for the force.
    Kinematics still = k;
    for (int b : {0, 1}) still.spatial[b].w = 30 * (b + 1) * (k.spatial[0].R * film.axis_i);
    const FilmInstant a = film.instant(still), b = one.instant(still);
    EXPECT_NEAR((a.force - b.force).norm(), 0, 1e-11 * b.force.norm()) << sections;
    EXPECT_NEAR(a.couple, b.couple, 1e-11 * b.couple);
    EXPECT_NEAR(a.side_flow, b.side_flow, 1e-11 * b.side_flow);
    EXPECT_GT(all.eccentricity, 0);
  }
}

// A journal in the middle that tips with a rate φ̇: w = φ̇ z, F(z) = −(π/2) (μRL³/c³) w ¾ (1 − x²) dx: the moment is (π/2)(μRL³/c³) φ̇ L²/20.
TEST_F(Film, HoldsAJournalAgainstTipping) {
  JournalFilm film = element(Dimension::spatial, 3);
  film.pi = film.pj = Vec3::Zero();
  film.axis_i = film.axis_j = Vec3::UnitZ();
  Kinematics k;
  resize(k, Dimension::spatial, 2);
  constexpr double rate = 0.4;
  k.spatial[1].w = k.spatial[1].w_body = {0, rate, 0};
  std::vector<double> h(12, 0.0);
  ForceSum sum{h.data(), 2, {}};
  film.apply(k, sum);
  const double L = 0.01, damping = 0.5 * std::numbers::pi * 0.04 * 0.01 * L * L * L / (c * c * c);
  EXPECT_NEAR(h[10], -damping * rate * L * L / 20, 1e-12 * damping * L * L);
  EXPECT_NEAR(Eigen::Map<Vec3>(&h[6]).norm(), 0, 1e-12 * damping);
}

}  // namespace
}  // namespace tappet::test::film_test
