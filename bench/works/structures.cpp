#include "support/structures.hpp"

#include <memory>

#include "tappet/fem/generator.hpp"
#include "tappet/linalg/supernodal_cholesky.hpp"
#include "work.hpp"

namespace tappet::bench {

namespace {

/// A = M + h²/4 K of a square plate of shells, n elements a side, and its factor.
struct Plate {
  fem::StructureMatrices matrices;
  SymmetricCsr a;
  SupernodalCholesky factor;
  std::vector<double> x;

  explicit Plate(int n) {
    fem::Section section;
    section.thickness = 1e-3;
    const int divisions[2] = {n, n};
    fem::Structure s = test::one_material(fem::generate_plate(Vec3::Zero(), 1, 1, divisions, false), "shell4",
                                          {.young = 2.1e11, .poisson = 0.3, .density = 7850}, section);
    fem::number_unknowns(s);
    matrices = fem::assemble(s);
    a = matrices.K;
    const double h = 1e-4;
    for (std::size_t k = 0; k < a.value.size(); ++k)
      a.value[k] = matrices.M.value[k] + 0.25 * h * h * matrices.K.value[k];
    factor.analyse(a);
    factor.factor(a);
    x.assign(s.free, 0.0);
  }
};

}  // namespace

std::vector<Work> structure_works() {
  const auto plate = std::make_shared<Plate>(16);
  return {
      {"structure factorisation of a plate",
       [plate] {
         plate->factor.factor(plate->a);
         return plate->factor.factor_values().front();
       }},
      {"structure solution of a plate",
       [plate] {
         std::fill(plate->x.begin(), plate->x.end(), 1.0);
         plate->factor.solve(plate->x.data());
         return plate->x.front();
       }},
      {"structure product with a plate's stiffness",
       [plate] {
         std::vector<double> y(plate->x.size(), 0.0);
         multiply_add(plate->matrices.K, 1.0, plate->x.data(), y.data());
         return y.front();
       }},
  };
}

}  // namespace tappet::bench
