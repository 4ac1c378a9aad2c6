// Reynolds' equation for thin films under high pressure: oil that gets stiffer with pressure, between surfaces that give way. A journal that
// turns steadily in a bearing of finite length.
//
//   P = p c²/(6 μ₀ ω R²),   ∂(H³/m ∂P/∂ϑ)/∂ϑ + ∂(H³/m ∂P/∂Z)/∂Z = ∂H/∂ϑ,   0 ≤ P ⟂ r ≥ 0,   P = 0 at Z = ±λ
//   H = 1 − ε cos ϑ + δ/c,   δ_i = Σ_j K_ij p_j                            ϑ from the thinnest gap of the undeformed bearing
//
//   m = μ/μ₀ at p:   Barus      e^(α p)
//                    Roelands   exp{(ln μ₀ + 9.67) [(1 + p/p₀)^Z − 1]},  p₀ = 0.196 GPa,  Z = α p₀/(ln μ₀ + 9.67): the same slope at p = 0
//
// K, influence coefficients: of a liner on a stiff back, δ = C p where it is pressed (C = (1 + ν)(1 − 2ν) t/((1 − ν) E) for a thickness t);
// of two half spaces, Love's deflection under a rectangle of even pressure,
//
//   δ = (1/(π E*)) [x₊ asinh(z₊/x₊) + z₊ asinh(x₊/z₊) − …] p   over the four corners, 1/E* = Σ (1 − ν²)/E
//
// the arc taken as flat, with distances along it. Finite volumes on half of the length as in lubrication/reynolds.hpp, order 2; Newton's
// method on all cells at once, whose active set goes with it. Where μ grows with p, it is reached in steps of α.
// [Barus 1893; Roelands 1966; Love 1929]
#pragma once

#include <vector>

#include "tappet/lubrication/reynolds.hpp"

namespace tappet::lubrication {

struct ElasticFilmProblem {
  double eccentricity = 0;                       ///< ε; 1 and more are allowed where surfaces give way
  double radius = 0, length = 0, clearance = 0;  ///< R, L, c, m
  double viscosity = 0, speed = 0;               ///< μ₀, Pa s; ω, rad/s
  Supply supply = Supply::none;
  double pressure_viscosity = 0;  ///< α, 1/Pa
  bool roelands = false;
  double compliance = 0;       ///< C of a liner, m/Pa
  double modulus = 0;          ///< E* of half spaces, Pa; 0: they are rigid
  int around = 96, along = 6;  ///< cells, on half of the length
};

struct ElasticFilm {
  std::vector<double> angles, places;  ///< ϑ and z of the cells' middles
  std::vector<double> pressure, gap;   ///< Pa, m; around × along
  double along = 0,
         across = 0;  ///< force on the journal along e (away from the thinnest gap) and across it, N
  double highest = 0, thinnest = 0;  ///< Pa, m
  int rounds = 0;
};

/// Throws std::runtime_error where it finds no film: the pressure that the oil would need is beyond what its law can have.
ElasticFilm solve_elastic_film(const ElasticFilmProblem& problem);

/// Deflection of a half space at (x, z) from the middle of a rectangle 2a × 2b under the pressure 1, times E*.
double love_deflection(double x, double z, double a, double b);

}  // namespace tappet::lubrication
