#include "tappet/results/vtk.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "tappet/base/diagnostics.hpp"
#include "unit/results/base64_numbers.hpp"
#include "unit/results/structure_result.hpp"

namespace tappet::vtk_test {
namespace {

using ::testing::HasSubstr;

class VtkTest : public FolderTest {};

/// Elements nest and close, attributes are quoted: as much XML as VTK writes.
void expect_well_formed(const std::string& text) {
  std::vector<std::string> open;
  for (auto at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const auto end = text.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = text.substr(at + 1, end - at - 1);
    EXPECT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
    if (tag.starts_with('?') || tag.starts_with("!--") || tag.ends_with('/')) continue;
    if (!tag.starts_with('/')) {
      open.push_back(tag.substr(0, tag.find(' ')));
      continue;
    }
    ASSERT_FALSE(open.empty()) << tag;
    EXPECT_EQ(open.back(), tag.substr(1));
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
}

/// Values of the DataArray of that name; the bytes begin with their count.
template <class Number>
std::vector<Number> values(const std::string& text, const std::string& name) {
  const auto at = text.find(fmt::format("Name=\"{}\"", name));
  EXPECT_NE(at, std::string::npos) << name;
  const auto begin = text.find('>', at) + 1;
  const std::string data = text.substr(begin, text.find('<', begin) - begin);
  const auto out = numbers<Number>(data, 8);
  EXPECT_EQ(numbers<std::uint64_t>(data)[0], out.size() * sizeof(Number)) << name;
  return out;
}

TEST_F(VtkTest, FilesHoldWhatTheResultHolds) {
  write_structure_result(path("a.h5"));
  const ResultFile result(path("a.h5"));
  ASSERT_EQ(result.field_count(), 11u);
  EXPECT_EQ(export_vtk(result, path("out/a")), path("out/a.pvd"));

  const std::string index = text("out/a.pvd");
  expect_well_formed(index);
  bool touched = false;
  for (std::size_t k = 0; k < 11; ++k)
    for (std::size_t s = 0; s < 2; ++s) {
      const fem::FieldMesh& mesh = result.header().structures[s];
      const std::string name = fmt::format("a_{}_{:04}.vtu", mesh.name, k);
      EXPECT_THAT(index, HasSubstr(fmt::format("part=\"{}\" file=\"{}\"", s, name)));
      const std::string file = text("out/" + name);
      expect_well_formed(file);
      EXPECT_THAT(file, HasSubstr(fmt::format("NumberOfPoints=\"{}\" NumberOfCells=\"{}\"", mesh.node_count(),
                                              mesh.element_count())));
      EXPECT_EQ(values<double>(file, "points"), mesh.nodes);
      EXPECT_EQ(values<std::int32_t>(file, "connectivity"), mesh.cells);
      EXPECT_EQ(values<std::int32_t>(file, "offsets"), mesh.ends);
      EXPECT_EQ(values<std::uint8_t>(file, "types").size(), mesh.element_count());
      const fem::Fields fields = result.fields(s, k);
      const auto same = [&](const char* field, const std::vector<double>& expected) {
        const auto found = values<float>(file, field);
        ASSERT_EQ(found.size(), expected.size()) << field;
        for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], static_cast<float>(expected[i]));
      };
      same("displacement", fields.displacement);
      same("velocity", fields.velocity);
      same("contact_force", fields.contact_force);
      const auto tensor = values<float>(file, "stress"), scalar = values<float>(file, "von_mises");
      ASSERT_EQ(tensor.size(), 6 * mesh.element_count());
      for (std::size_t e = 0; e < mesh.element_count(); ++e) {
        EXPECT_EQ(scalar[e], static_cast<float>(fields.stress[7 * e]));
        EXPECT_EQ(tensor[6 * e + 2], static_cast<float>(fields.stress[7 * e + 3]));
      }
      for (double f : fields.contact_force) touched = touched || f != 0;
    }
  EXPECT_TRUE(touched);
  EXPECT_THAT(index, HasSubstr("timestep=\"0.02\""));
}

TEST_F(VtkTest, ForcesOfAContactBalance) {
  write_structure_result(path("a.h5"));
  const ResultFile result(path("a.h5"));
  const std::vector<double> normal = result.column("rub.normal");
  for (std::size_t k = 0; k < result.field_count(); ++k) {
    const fem::Fields plate = result.fields(0, k), block = result.fields(1, k);
    double sum[2] = {0, 0};
    for (std::size_t i = 2; i < plate.contact_force.size(); i += 3) sum[0] += plate.contact_force[i];
    for (std::size_t i = 2; i < block.contact_force.size(); i += 3) sum[1] += block.contact_force[i];
    EXPECT_NEAR(sum[0] + sum[1], 0, 1e-5 * std::abs(sum[1]) + 1e-9);
    EXPECT_NEAR(sum[1], normal[2 * k], 0.05 * normal[2 * k] + 1e-9);  // normals lean as the plate bends
  }
}

TEST_F(VtkTest, NothingRecordedIsSaid) {
  write_structure_result(path("a.h5"), {"output.fields=0"});
  const ResultFile result(path("a.h5"));
  EXPECT_EQ(result.field_count(), 0u);
  EXPECT_THAT([&] { export_vtk(result, path("a")); },
              ::testing::ThrowsMessage<InputError>(HasSubstr("output.fields")));
}

}  // namespace
}  // namespace tappet::vtk_test
