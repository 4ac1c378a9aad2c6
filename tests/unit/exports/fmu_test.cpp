#include "tappet/exports/fmu.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fmi_rules.hpp"
#include "support/fmu.hpp"
#include "support/folder_test.hpp"
#include "support/paths.hpp"
#include "tappet/base/diagnostics.hpp"
#include "tappet/fmi/description.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"

#ifdef TAPPET_FMI

namespace tappet::fmu_export_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class FmuExportTest : public FolderTest {
 protected:
  static Spec example(const std::string& name, const std::vector<std::string>& settings = {}) {
    return load_spec(testing::source_dir() + "/examples/" + name, settings);
  }
  static std::string fault(const Spec& spec, const FmuOptions& options) {
    try {
      make_fmu(spec, options);
      return "accepted";
    } catch (const InputError& error) {
      return error.what();
    }
  }
};

// In the plane and in space, with clearance, shapes, finite elements, files, gears.
TEST_F(FmuExportTest, DescriptionsFollowTheStandard) {
  for (const char* name : {"slider_crank/clearance.yaml", "slider_crank/spatial.yaml",
                           "bouncing_ball/impact.yaml", "woodpecker/toy.yaml", "python/pendulum_on_cart.yaml",
                           "wall/wall.yaml", "cam_tappet/cam.yaml", "gears/backlash.yaml"}) {
    for (const int version : {2, 3}) {
      if (version == 2 && std::string(name).find("slider_crank") == std::string::npos) continue;
      SCOPED_TRACE(name);
      const FmuExport made = make_fmu(example(name), {.version = version});
      const fmi::Archive archive(made.bytes);
      const std::string xml = archive.read("modelDescription.xml");
      EXPECT_EQ(testing::FmiRules::faults(xml), "");
      std::string unsaid;
      const auto d = fmi::read_description(xml, unsaid);
      ASSERT_TRUE(d) << unsaid;
      EXPECT_EQ(d->version, version);
      EXPECT_TRUE(archive.has((version == 2 ? "binaries/linux64/" : "binaries/x86_64-linux/") +
                              d->identifier + ".so"));
      for (const char* file :
           {"sources/fmi2.cpp", "sources/fmi3.cpp", "sources/instance.cpp", "sources/CMakeLists.txt",
            "documentation/index.html", "documentation/licenses/license.txt", "resources/model.yaml"})
        EXPECT_TRUE(archive.has(file)) << file;
      EXPECT_EQ(archive.has("sources/buildDescription.xml"), version == 3);
    }
  }
}

// The rules would see it.
TEST_F(FmuExportTest, TheRulesOfTheStandardFindFaults) {
  const std::string good =
      fmi::Archive(make_fmu(example("python/pendulum_on_cart.yaml"), {}).bytes).read("modelDescription.xml");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return testing::FmiRules::faults(text.replace(at, from.size(), to));
  };
  EXPECT_EQ(testing::FmiRules::faults(good), "");
  EXPECT_THAT(with("guid=", "id="), HasSubstr("lacks 'guid'"));
  EXPECT_THAT(with("causality=\"input\"", "causality=\"output\""),
              HasSubstr("an output of ours is calculated"));
  EXPECT_THAT(with("initial=\"exact\"", "initial=\"approx\""), HasSubstr("a parameter begins exactly"));
  EXPECT_THAT(with("valueReference=\"3\"", "valueReference=\"2\""),
              HasSubstr("its valueReference is there twice"));
  EXPECT_THAT(with("name=\"push\"", "name=\"gust\""), HasSubstr("its name is there twice"));
  EXPECT_THAT(with("<Unknown index=\"4\"", "<Unknown index=\"1\""), HasSubstr("must list all outputs"));
  EXPECT_THAT(with("<LogCategories>", "<Categories>"), Not(""));
}

TEST_F(FmuExportTest, VariablesAreInputsSignalsAndNumbers) {
  const FmuExport made = make_fmu(
      example("python/pendulum_on_cart.yaml"),
      {.outputs = {"rod.angle", "cart.v*"}, .parameters = {"bodies.*.mass", "simulation.tolerance"}});
  EXPECT_THAT(made.inputs, ElementsAre("push", "gust"));
  EXPECT_THAT(made.outputs, ElementsAre("cart.vx", "cart.vy", "rod.angle"));
  EXPECT_THAT(made.parameters, ElementsAre("bodies.cart.mass", "bodies.rod.mass", "simulation.tolerance"));
  std::string unsaid;
  const auto d = fmi::read_description(fmi::Archive(made.bytes).read("modelDescription.xml"), unsaid);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->find("bodies.rod.mass")->start, "0.20000000000000001");
  EXPECT_EQ(d->find("bodies.rod.mass")->unit, "kg");
  EXPECT_EQ(d->find("push")->unit, "N");
  // Numbers with units are in the SI.
  const FmuExport crank = make_fmu(example("slider_crank/clearance.yaml"),
                                   {.parameters = {"joints.wrist.clearance.*", "motions.*"}});
  const auto c = fmi::read_description(fmi::Archive(crank.bytes).read("modelDescription.xml"), unsaid);
  EXPECT_DOUBLE_EQ(std::stod(c->find("joints.wrist.clearance.journal_radius")->start), 0.0095);
  EXPECT_EQ(c->find("joints.wrist.clearance.journal_radius")->unit, "m");
  EXPECT_DOUBLE_EQ(std::stod(c->find("motions.motor.speed")->start), 5000 * std::acos(-1.0) / 30);
  // All of them, but for what is an input's or the output's own.
  const FmuExport all = make_fmu(example("python/pendulum_on_cart.yaml"), {});
  EXPECT_THAT(all.parameters, Contains("gravity.1"));
  EXPECT_THAT(all.parameters, Contains("joints.pivot.points.1.1"));
  EXPECT_THAT(all.parameters, Not(Contains(HasSubstr("output."))));
  EXPECT_THAT(all.parameters, Not(Contains(HasSubstr("inputs."))));
}

TEST_F(FmuExportTest, EqualModelsGiveEqualFmus) {
  const FmuExport a = make_fmu(example("bouncing_ball/impact.yaml"), {}),
                  b = make_fmu(example("bouncing_ball/impact.yaml"), {}),
                  c = make_fmu(example("bouncing_ball/impact.yaml", {"simulation.tolerance=1e-7"}), {});
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_NE(a.bytes, c.bytes);
}

// Files come along, wherever they are, and are found where they then lie.
TEST_F(FmuExportTest, FilesOfTheModelComeAlong) {
  std::filesystem::create_directories(folder_ / "model/parts");
  std::filesystem::create_directories(folder_ / "other");
  const std::string tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  write("model/parts/a.obj", tetrahedron);
  write("other/b.obj", "# b\n" + tetrahedron);
  write("model/m.yaml",
        "tappet: 1\ndimension: spatial\nbodies:\n"
        "  a: {mass: 1, inertia: [1, 1, 1], shapes: {skin: {mesh: {file: parts/a.obj}}}}\n"
        "  b: {mass: 1, inertia: [1, 1, 1], position: [5, 0, 0], shapes: {skin: {mesh: {file: "
        "../other/b.obj}}}}\n"
        "simulation: {duration: 1}\n");
  const FmuExport made = make_fmu(load_spec(path("model/m.yaml")), {});
  EXPECT_THAT(made.files, ElementsAre("elsewhere/1/b.obj", "parts/a.obj"));
  testing::unpack(made.bytes, folder_ / "unpacked");
  Diagnostics diagnostics;
  EXPECT_EQ(compile(load_spec(path("unpacked/resources/model.yaml")), diagnostics)->files.size(), 2u);
}

// An FMU that holds a controller's FMU.
TEST_F(FmuExportTest, ControllersComeAlong) {
  write("pid.fmu", testing::pid_fmu());
  write("held.yaml", testing::held_rod(testing::pid_section));
  const FmuExport made = make_fmu(load_spec(path("held.yaml")), {.version = 3});
  EXPECT_THAT(made.files, ElementsAre("pid.fmu"));
  EXPECT_TRUE(made.inputs.empty());  // its controller sets the only one
  EXPECT_THAT(made.parameters, Contains("controllers.pid.parameters.kp"));
  EXPECT_EQ(testing::FmiRules::faults(fmi::Archive(made.bytes).read("modelDescription.xml")), "");
}

TEST_F(FmuExportTest, NamesThatNothingHasAreRefused) {
  const Spec crank = example("slider_crank/clearance.yaml");
  EXPECT_THAT(
      fault(crank, {.outputs = {"slider.xx"}}),
      HasSubstr(
          "--outputs names 'slider.xx', which no signal of this model matches; did you mean 'slider.x'?"));
  EXPECT_THAT(fault(crank, {.parameters = {"bodies.crank.mas"}}),
              HasSubstr("--parameters names 'bodies.crank.mas', which no number of this model matches; did "
                        "you mean 'bodies.crank.mass'?"));
}

}  // namespace
}  // namespace tappet::fmu_export_test

#endif
