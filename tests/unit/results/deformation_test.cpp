#include "tappet/results/deformation.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/folder_test.hpp"
#include "unit/results/base64_numbers.hpp"
#include "unit/results/structure_result.hpp"

namespace tappet::deformation_test {
namespace {

class DeformationTest : public FolderTest {};

TEST_F(DeformationTest, DrawsOuterFacesWhereTheyAre) {
  write_structure_result(path("a.h5"));
  const ResultFile result(path("a.h5"));
  const auto json = deformation_json(result, 1'000'000);
  ASSERT_EQ(json.size(), 2u);
  // 3 × 3 quadrangles; of the block's 2 × 2 × 2 bricks the 6 × 4 outer faces, without the node in its middle.
  const std::size_t faces[] = {9, 24}, nodes[] = {16, 26};
  for (std::size_t s = 0; s < 2; ++s) {
    const auto& one = json[s];
    EXPECT_EQ(numbers<std::uint32_t>(one["faces"]).size(), 4 * faces[s]);
    const auto x = numbers<float>(one["nodes"]), mean = numbers<float>(one["mean"]),
               amount = numbers<float>(one["amount"]);
    const auto shape = numbers<std::int16_t>(one["shape"]);
    const auto time = numbers<double>(one["time"]);
    const std::size_t shapes = one["shapes"];
    ASSERT_EQ(x.size(), 3 * nodes[s]);
    ASSERT_EQ(time.size(), 11u);
    ASSERT_EQ(shape.size(), shapes * x.size());
    EXPECT_LE(one["error"].get<double>(), 2e-3);
    EXPECT_EQ(mean[3 * 10 + 2] == 0, s == 0);  // the plate is held

    // Every drawn node is where the result has it, within the error told.
    const fem::FieldMesh& mesh = result.header().structures[s];
    double largest = 0, off = 0;
    for (std::size_t f = 0; f < 11; ++f) {
      const fem::Fields fields = result.fields(s, f);
      for (std::size_t i = 0; i < x.size(); i += 3) {
        std::size_t n = 0;  // the node of the mesh at this place
        while (static_cast<float>(mesh.nodes[3 * n]) != x[i] ||
               static_cast<float>(mesh.nodes[3 * n + 1]) != x[i + 1] ||
               static_cast<float>(mesh.nodes[3 * n + 2]) != x[i + 2])
          ++n;
        for (std::size_t d = 0; d < 3; ++d) {
          double u = static_cast<double>(mean[3 * f + d]);
          for (std::size_t k = 0; k < shapes; ++k)
            u += static_cast<double>(amount[f * shapes + k]) * shape[k * x.size() + i + d];
          off = std::max(off, std::abs(u - fields.displacement[3 * n + d]));
          largest = std::max(largest,
                             std::abs(fields.displacement[3 * n + d] - static_cast<double>(mean[3 * f + d])));
        }
      }
    }
    EXPECT_GT(largest, 0);
    EXPECT_LT(off, 2.1e-3 * largest);
    EXPECT_EQ(numbers<std::uint8_t>(one["stress"]).size(),
              numbers<std::uint32_t>(one["stress_at"]).size() * nodes[s]);
    EXPECT_GT(one["stress_high"].get<double>(), 0);
  }
}

TEST_F(DeformationTest, KeepsToItsRoom) {
  write_structure_result(path("a.h5"), {"output.fields=1 ms"});
  const ResultFile result(path("a.h5"));
  const std::size_t whole = deformation_json(result, 1'000'000).dump().size();
  const std::size_t small = deformation_json(result, 6000).dump().size();
  EXPECT_LT(small, whole);
  EXPECT_LT(small, 9000u);
}

}  // namespace
}  // namespace tappet::deformation_test
