#include "tappet/results/vtk_scene.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "support/run_model.hpp"
#include "tappet/base/xml.hpp"
#include "tappet/results/result_writer.hpp"
#include "tappet/results/vtk.hpp"
#include "unit/results/base64_numbers.hpp"

namespace tappet::vtk_scene_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class VtkSceneTest : public FolderTest {
 protected:
  ResultFile run(const std::shared_ptr<const Model>& model) const {
    struct Recorder final : Observer {
      explicit Recorder(ResultWriter& w) : writer(w) {}
      void sample(std::span<const double> row) override { writer.sample(row); }
      ResultWriter& writer;
    };
    Simulation simulation(model);
    ResultWriter writer = ResultWriter::create(path("r.h5"), {.signals = simulation.signals(),
                                                              .contacts = simulation.contact_names(),
                                                              .events = {},
                                                              .title = "",
                                                              .model_file = model->file,
                                                              .model_text = model->text,
                                                              .created = "",
                                                              .program_version = ""});
    Recorder recorder(writer);
    writer.finish(simulation.run(recorder));
    return ResultFile(path("r.h5"));
  }
  /// A file that was written, as ParaView would read it.
  struct Poly {
    std::size_t points, verts, lines, faces;
    std::vector<float> place, vector;
    std::vector<std::int32_t> number, connectivity;
  };
  Poly poly(const std::string& name, const std::string& vectors, const std::string& numbers_of) const {
    std::string fault;
    const auto root = read_xml(text(name), fault);
    EXPECT_TRUE(root) << fault;
    const XmlElement& piece = *root->child("PolyData")->child("Piece");
    const auto count = [&](const char* what) {
      return static_cast<std::size_t>(std::stoul(piece.attribute(what)));
    };
    Poly out{count("NumberOfPoints"),
             count("NumberOfVerts"),
             count("NumberOfLines"),
             count("NumberOfPolys"),
             {},
             {},
             {},
             {}};
    const auto array = [&](const XmlElement& of, const std::string& wanted) {
      for (const XmlElement& a : of.children)
        if (a.attribute("Name") == wanted) return a.text;
      return std::string();
    };
    out.place = numbers<float>(array(*piece.child("Points"), "points"), 8);
    out.vector = numbers<float>(array(*piece.child("PointData"), vectors), 8);
    for (const char* data : {"PointData", "CellData"})
      if (const std::string found = array(*piece.child(data), numbers_of); !found.empty())
        out.number = numbers<std::int32_t>(found, 8);
    for (const char* kind : {"Verts", "Lines", "Polys"}) {
      const auto part = numbers<std::int32_t>(array(*piece.child(kind), "connectivity"), 8);
      out.connectivity.insert(out.connectivity.end(), part.begin(), part.end());
    }
    EXPECT_EQ(out.place.size(), 3 * out.points);
    EXPECT_EQ(out.vector.size(), 3 * out.points);
    for (const std::int32_t i : out.connectivity)
      EXPECT_TRUE(i >= 0 && i < static_cast<std::int32_t>(out.points));
    return out;
  }
};

// A ball that falls onto a plane: its points are a radius from its centre, and the force on it is what the result holds.
TEST_F(VtkSceneTest, BodiesAreWhereTheResultSays) {
  const ResultFile result = run(testing::model_of_example("bouncing_ball/impact.yaml",
                                                          {"simulation.duration=0.4 s", "output.step=1 ms"}));
  EXPECT_TRUE(has_bodies(result));
  EXPECT_EQ(export_vtk(result, path("out/b")), path("out/b.pvd"));
  const std::string index = text("out/b.pvd");
  EXPECT_THAT(index, HasSubstr("part=\"0\" file=\"b_bodies_0000.vtp\""));
  EXPECT_THAT(index, HasSubstr("part=\"1\" file=\"b_contacts_0199.vtp\""));
  const std::vector<double> y = result.column("ball.y"), vy = result.column("ball.vy"),
                            fy = result.column("bounce.fy");
  double pushed = 0;
  for (const std::size_t k : {std::size_t{0}, std::size_t{100}, std::size_t{199}}) {
    const std::size_t row = k * 400 / 199;
    const Poly bodies = poly(fmt::format("out/b_bodies_{:04}.vtp", k), "velocity", "body");
    EXPECT_EQ(bodies.number.size(), bodies.faces);
    const std::size_t ground = 4;  // the corners of the plane, which come last
    for (std::size_t i = 0; i + ground < bodies.points; ++i) {
      const Vec3 p(bodies.place[3 * i], bodies.place[3 * i + 1] - y[row], bodies.place[3 * i + 2]);
      ASSERT_NEAR(p.norm(), 0.1, 1e-6);
      ASSERT_NEAR(bodies.vector[3 * i + 1], vy[row], 1e-6);
    }
    for (std::size_t i = bodies.points - ground; i < bodies.points; ++i)
      ASSERT_NEAR(bodies.place[3 * i + 1], -0.1, 1e-7);
  }
  for (std::size_t k = 0; k < 200; ++k) {
    const Poly contacts = poly(fmt::format("out/b_contacts_{:04}.vtp", k), "force", "contact");
    ASSERT_EQ(contacts.points, 1u);
    const double expected = fy[k * 400 / 199];
    ASSERT_NEAR(contacts.vector[1], expected, 1e-6 * std::abs(expected));
    pushed = std::max(pushed, expected);
  }
  EXPECT_GT(pushed, 0);
}

// Without shapes: from the centre to the joints. The force of the clearance joint acts at its journal.
TEST_F(VtkSceneTest, LinksAreDrawnToTheirJoints) {
  const ResultFile result = run(testing::model_of_example("slider_crank/clearance.yaml",
                                                          {"simulation.duration=2 ms", "output.step=20 us"}));
  const VtkScene scene = write_vtk_scene(result, path("c"), {0, 50}, 0);
  EXPECT_THAT(scene.bodies, ElementsAre("crank", "rod", "slider"));
  EXPECT_THAT(scene.contacts, ElementsAre("wrist"));
  EXPECT_TRUE(scene.placeless.empty());
  const Poly bodies = poly("c_bodies_0001.vtp", "velocity", "body");
  EXPECT_EQ(bodies.lines, 6u);
  EXPECT_THAT(bodies.number, ElementsAre(0, 0, 1, 1, 2, 2));
  const Poly contact = poly("c_contacts_0001.vtp", "force", "contact");
  const double x = result.column("rod.x")[50], y = result.column("rod.y")[50],
               angle = result.column("rod.angle")[50];
  EXPECT_NEAR(contact.place[0], x + 0.06 * std::cos(angle), 1e-7);
  EXPECT_NEAR(contact.place[1], y + 0.06 * std::sin(angle), 1e-7);
  EXPECT_NEAR(contact.vector[0], result.column("wrist.fx")[50],
              1e-6 * std::abs(result.column("wrist.fx")[50]) + 1e-9);
}

TEST_F(VtkSceneTest, WhatIsNotRecordedIsNotGuessed) {
  const ResultFile result = run(testing::model_of_example(
      "slider_crank/clearance.yaml", {"simulation.duration=1 ms", "output.signals=[slider.vx]"}));
  try {
    export_vtk(result, path("x"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("does not hold 'crank."));
  }
}

}  // namespace
}  // namespace tappet::vtk_scene_test
