#include "tappet/imports/adams.hpp"

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/paths.hpp"
#include "support/run_adams.hpp"
#include "tappet/imports/adams/function.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::adams_test {
namespace {

using std::numbers::pi;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::Recording;

using testing::run_text;

const std::string& si = testing::adams_head;

Recording run(const std::string& statements, double duration, const std::string& head = si) {
  return testing::run_adams(statements, duration, head);
}
std::string mass_at(const std::string& place, const std::string& more = "") {
  return testing::adams_mass_at(place, more);
}

// x¨ = −k (x − ℓ) − c ẋ from rest at x = 3: by SFORCE, by SPRINGDAMPER, with a preload in place of a length.
TEST(AdamsImport, SpringsOscillateAsTheirClosedForm) {
  const double k = 100, c = 2, w = std::sqrt(k - 1.0);
  for (const std::string force :
       {"SFORCE/1, TRANSLATIONAL, I=20, J=10\n, FUNCTION = -100*(DM(20,10) - 2)\n, - 2*VR(20,10)\n",
        "SPRINGDAMPER/1, TRANSLATION, I=20, J=10, K=100, C=2, LENGTH=2\n",
        "SPRINGDAMPER/1, TRANSLATION, I=20, J=10, K=100, C=2, LENGTH=3, FORCE=-100\n",
        "VARIABLE/7, FUNCTION = DM(10,20)\nSFORCE/1, TRANS, I=20, J=10, FUNC = "
        "-100*(VARVAL(7)-2)-2*VR(10,20)\n"}) {
    const Recording r = run(mass_at("3,0,0") + force, 1);
    for (const auto& row : r.rows) {
      const double t = row[0], x = 2 + std::exp(-c / 2 * t) * (std::cos(w * t) + c / 2 / w * std::sin(w * t));
      EXPECT_NEAR(row[r.column("part_2.x")], x, 1e-8) << force << t;
    }
  }
}

// I α¨ = −k (α − α₀) about z of J, whichever part has marker I, and markers turned against those of the joint.
TEST(AdamsImport, RotationalSpringsTurnAboutMarkersOfTheirOwn) {
  const std::string hinge = mass_at("0,0,0") +
                            "MARKER/21, PART=2, REULER=40D,0,0\nMARKER/11, PART=1, REULER=-15D,0,0\n"
                            "JOINT/1, REVOLUTE, I=20, J=10\n";
  const double k = 30, w = std::sqrt(k / 2.5);
  for (const auto& [force, sign] :
       {std::pair{"SFORCE/1, ROTATION, I=21, J=11, FUNCTION = -30*(AZ(21,11) - 75D)\n", 1.0},
        {"SFORCE/1, ROTATION, I=11, J=21, FUNCTION = -30*(AZ(11,21) + 75D)\n", 1.0},
        {"SPRINGDAMPER/1, ROTATION, I=21, J=11, KT=30, ANGLE=75D\n", 1.0},
        {"SPRINGDAMPER/1, ROTATION, I=11, J=21, KT=30, ANGLE=-75D\n", 1.0},
        {"SPRINGDAMPER/1, ROTATION, I=21, J=11, KT=30, ANGLE=55D, TORQUE=10.471975511965978\n", 1.0}}) {
    const Recording r = run(hinge + force, 1);
    for (const auto& row : r.rows)
      EXPECT_NEAR(row[r.column("joint_1.angle")], sign * pi / 9 * (1 - std::cos(w * row[0])), 1e-8)
          << force << row[0];
  }
}

TEST(AdamsImport, MotionsDriveAnglesAndDisplacementsOfIAgainstJ) {
  const std::string turned =
      mass_at("0,0,0") + "MARKER/21, PART=2, REULER=0,90D,0\nMARKER/11, PART=1, REULER=0,90D,0\n";
  const Recording angle =
      run(turned + "JOINT/1, REVOLUTE, I=21, J=11\nMOTION/1, ROTATIONAL, JOINT=1, FUNCTION=30D*TIME**2\n", 1);
  EXPECT_NEAR(angle.last("joint_1.angle"), pi / 6, 1e-9);
  // The z axis of the markers is −y of the world.
  EXPECT_NEAR(angle.last("part_2.wy"), -pi / 3, 1e-8);
  const Recording slide =
      run(turned + "JOINT/1, TRANSL, I=21, J=11\nMOTION/1, JOINT=1, VELOCITY, FUNC=0.5*TIME\n", 2);
  EXPECT_NEAR(slide.last("part_2.y"), -1, 1e-8);
  // I on the ground: the part moves against it.
  const Recording other =
      run(turned + "JOINT/1, TRANSL, I=11, J=21\nMOTION/1, TRANS, JOINT=1, FUNC=0.5*TIME\n", 2);
  EXPECT_NEAR(other.last("part_2.y"), 1, 1e-8);
}

// Two wheels on one carrier, the ground: by COUPLER, and by GEAR with the marker between them, z along the teeth's motion.
TEST(AdamsImport, CouplersAndGearsTurnWheelsAtTheirRatio) {
  const std::string wheels =
      mass_at("0,0,0") +
      "PART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3, QP=3,0,0\nMARKER/11, PART=1, QP=3,0,0\n"
      "MARKER/12, PART=1, QP=1,0,0, REULER=0,-90D,0\n"
      "JOINT/1, REVOLUTE, I=20, J=10\nJOINT/2, REVOLUTE, I=30, J=11\nMOTION/1, JOINT=1, FUNCTION=TIME\n";
  const Recording coupler = run(wheels + "COUPLER/1, JOINTS=1,2, TYPE=R:R, SCALES=1,2\n", 1);
  EXPECT_NEAR(coupler.last("joint_2.angle"), -0.5, 1e-8);
  const Recording gear = run(wheels + "GEAR/1, JOINTS=1,2, CV=12\n", 1);
  EXPECT_NEAR(gear.last("joint_2.angle"), -0.5, 1e-8);  // radii 1 and 2, on opposite sides
  const Recording rack =
      run(mass_at("0,0,0") +
              "PART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3, QP=0,-1,0, REULER=90D,90D,0\n"
              "MARKER/11, PART=1, QP=0,-1,0, REULER=90D,90D,0\n"
              "JOINT/1, REVOLUTE, I=20, J=10\nJOINT/2, TRANSL, I=30, J=11\nMOTION/1, JOINT=1, FUNCTION=TIME\n"
              "GEAR/1, JOINTS=1,2, CV=11\n",
          1);
  EXPECT_NEAR(rack.last("part_3.x"), 1, 1e-8);  // the wheel of radius 1 turns by 1 above it
}

// The same pendulum in m, kg, N, s and in mm, t, N, s; and with kilograms, which Adams' own factor of 1000 goes with.
TEST(AdamsImport, UnitsMakeNoDifference) {
  const auto pendulum = [](double L, double m, double I, double g) {
    return fmt::format(
        "ACCGRAV/JGRAV={}\nPART/2, MASS={}, CM=20, IP={},{},{}\nMARKER/20, PART=2, QP={},0,0\nMARKER/21, "
        "PART=2\n"
        "JOINT/1, REVOLUTE, I=21, J=10\nSFORCE/1, ROTATION, I=21, J=10, FUNCTION={}*AZ(21,10)\n",
        -g, m, I, I, I, L, -0.3 * m / m * (L > 100 ? 1000 : 1));
  };
  const std::string rest = "PART/1, GROUND\nMARKER/10, PART=1\n";
  const Recording metres = run(pendulum(0.5, 2, 0.1, 9.81), 2);
  const Recording tonnes = run(pendulum(500, 2e-3, 100, 9810), 2,
                               "t\nUNITS/FORCE=NEWTON, MASS=TONNE, LENGTH=MILLIMETER, TIME=SECOND\n" + rest);
  const Recording kilograms =
      run(pendulum(500, 2, 1e5, 9810), 2, "t\nUNITS/FOR=NEW, MAS=KILO, LEN=MILLI, TIM=SEC\n" + rest);
  for (const Recording* other : {&tonnes, &kilograms})
    EXPECT_NEAR(other->last("joint_1.angle"), metres.last("joint_1.angle"), 1e-8);
}

// Products of inertia are positive integrals: those of a body whose principal axes are turned by φ about z are
// Ixy = −½ (I₂ − I₁) sin 2φ in the tensor's off-diagonal sign reversed. The same body by a turned marker IM.
TEST(AdamsImport, InertiaIsAboutItsMarkerAlongItsAxes) {
  const double phi = 0.4, c = std::cos(phi), s = std::sin(phi);
  const double Ixx = c * c + 2 * s * s, Iyy = s * s + 2 * c * c, tensor = (1 - 2) * s * c;
  const std::string spin = ", WX=3, WY=0.2, WZ=0.1";
  const Recording turned = run(
      fmt::format(
          "PART/2, MASS=1, CM=20, IM=21, IP=1,2,2.5{}\nMARKER/20, PART=2\nMARKER/21, PART=2, REULER={},0,0\n",
          spin, phi),
      2);
  const Recording products =
      run(fmt::format("PART/2, MASS=1, CM=20, IP={},{},2.5,{},0,0{}\nMARKER/20, PART=2\n", Ixx, Iyy, -tensor,
                      spin),
          2);
  // About a marker at (0, 0, 2), by Steiner's theorem.
  const Recording moved = run(fmt::format("PART/2, MASS=1, CM=20, IM=21, IP={},{},2.5,{},0,0{}\nMARKER/20, "
                                          "PART=2\nMARKER/21, PART=2, QP=0,0,2\n",
                                          Ixx + 4, Iyy + 4, -tensor, spin),
                              2);
  for (const char* signal : {"part_2.wx", "part_2.wy", "part_2.wz"}) {
    EXPECT_NEAR(products.last(signal), turned.last(signal), 1e-8) << signal;
    EXPECT_NEAR(moved.last(signal), turned.last(signal), 1e-8) << signal;
  }
  EXPECT_GT(std::abs(turned.last("part_2.wy") - 0.2), 1e-2);
}

TEST(AdamsImport, PlacesAndVelocitiesOfParts) {
  // A part turned by 90° about z, its centre at (1, 0, 0) of its own axes; velocities along the world's, rates about those of marker CM.
  const Recording r =
      run("PART/2, MASS=1, CM=20, IP=1,1,1, QG=1,2,3, REULER=90D,0,0, VY=4, WX=5\nMARKER/20, PART=2, "
          "QP=1,0,0, ZP=1,1,0, XP=2,0,0\n",
          0.1);
  const auto& first = r.rows.front();
  EXPECT_NEAR(first[r.column("part_2.x")], 1, 1e-12);
  EXPECT_NEAR(first[r.column("part_2.y")], 3, 1e-12);
  EXPECT_NEAR(first[r.column("part_2.vy")], 4, 1e-12);
  EXPECT_NEAR(first[r.column("part_2.wy")], 5, 1e-12);  // x of the marker is x of the part, y of the world
}

TEST(AdamsImport, ForcesOfTime) {
  // Along axes of RM on the ground and on the part, which does not turn.
  const Recording ground = run(mass_at("0,0,0") +
                                   "MARKER/11, PART=1, REULER=90D,0,0\nGFORCE/1, I=20, JFLOAT=10, RM=11\n, "
                                   "FX=6*TIME\\\n, FY=0\\\n, FZ=2\n",
                               1);
  EXPECT_NEAR(ground.last("part_2.y"), 1, 1e-9);
  EXPECT_NEAR(ground.last("part_2.z"), 1, 1e-9);
  const Recording torque =
      run(mass_at("0,0,0") + "VTORQUE/1, I=20, JFLOAT=10, RM=20, TX=0\\ TY=0\\ TZ=5\n", 1);
  EXPECT_NEAR(torque.last("part_2.wz"), 2, 1e-9);
}

// A bushing along axes of its own: two equal springs across, a soft one along the marker's z, which is the world's x.
TEST(AdamsImport, BushingsActAlongTheAxesOfJ) {
  const Recording r = run(mass_at("0,0,0", ", VX=1, VY=2") +
                              "MARKER/21, PART=2, REULER=90D,90D,0\nMARKER/11, PART=1, REULER=90D,90D,0\n"
                              "BUSHING/1, I=21, J=11, K=400,400,9, KT=1,1,1\n",
                          1);
  EXPECT_NEAR(r.last("part_2.x"), std::sin(3.0) / 3, 1e-8);
  EXPECT_NEAR(r.last("part_2.y"), 2 * std::sin(20.0) / 20, 1e-8);
}

TEST(AdamsImport, ContactsTouchWithTheirLaw) {
  const std::string ball =
      "t\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\nPART/1, GROUND\nMARKER/10, "
      "PART=1\nACCGRAV/KGRAV=-9810\n"
      "PART/2, MASS=1, CM=20, IP=4000,4000,4000\nMARKER/20, PART=2, QP=0,0,600\n"
      "GRAPHICS/20, ELLIPSOID, CM=20, XSCALE=200, YSCALE=200, ZSCALE=200\nGRAPHICS/10, PLANE, RM=10, "
      "XMIN=-1, XMAX=1, YMIN=-1, YMAX=1\n"
      "CONTACT/1, IGEOM=20, JGEOM=10, IMPACT, STIFFNESS=1E5, DAMPING=10, EXPONENT=2.2, DMAX=0.1\n, "
      "COULOMB_FRICTION=ON, MU_STATIC=0.3, MU_DYNAMIC=0.1\n"
      ", STICTION_TRANSITION_VELOCITY=100, FRICTION_TRANSITION_VELOCITY=1000\n";
  const ImportedModel import = import_adams_text(ball, "ball.adm");
  const std::string text = to_yaml(import.model);
  const Recording r = run_text(text, {"simulation.duration=0.4", "output.step=0.01"});
  ASSERT_GE(r.impacts.size(), 1u);
  EXPECT_NEAR(r.impacts[0].speed_in, std::sqrt(2 * 9.81 * 0.5), 1e-6);
  // 1e5 N/mm^2.2 is 1e5 · 1000^2.2 N/m^2.2.
  EXPECT_NEAR(
      std::stod(import.model.find("contacts")->find("contact_1")->find("normal")->find("stiffness")->text),
      1e5 * std::pow(1000, 2.2), 1e3);
}

TEST(AdamsImport, RequestsAreMeasures) {
  const std::string swing =
      mass_at("1,0,0") +
      "MARKER/21, PART=2, QP=3,0,0\nMARKER/22, PART=2\nACCGRAV/JGRAV=-9.81\nJOINT/1, REVOLUTE, I=22, J=10\n"
      "REQUEST/1, D, I=21, J=10\nREQUEST/2, V, I=21, J=10\nREQUEST/3, A, I=21, J=10\n"
      "REQUEST/4, "
      "F2=ORIENT(27,1,21,10)\\F3=ORIENT(27,4,21,10)\\F4=DM(21,10)\\F6=JOINT(1,0,2,0)\\F7=FY(10,22)\n"
      "REQUEST/5, F, I=22, J=10\nREQUEST/6, F2=AKISPL(TIME,0,1)\n";
  const ImportedModel import = import_adams_text(si + swing, "test.adm");
  EXPECT_THAT(import.notes, Contains(HasSubstr("REQUEST/6: is not measured")));
  const Recording r = run(swing, 1);
  for (const auto& row : r.rows) {
    const auto at = [&](const std::string& name) { return row[r.column(name)]; };
    const double a = at("joint_1.angle"), w = at("part_2.wz"), alpha = at("part_2.alphaz");
    EXPECT_NEAR(at("request_1_X"), 3 * std::cos(a), 1e-9);
    EXPECT_NEAR(at("request_1_Y"), 3 * std::sin(a), 1e-9);
    EXPECT_NEAR(at("request_2_X"), -3 * w * std::sin(a), 1e-9);
    EXPECT_NEAR(at("request_2_WZ"), w, 1e-12);
    EXPECT_NEAR(at("request_3_Y"), 3 * (alpha * std::cos(a) - w * w * std::sin(a)), 1e-8);
    EXPECT_NEAR(at("request_4_F2"), std::cos(a / 2), 1e-9);
    EXPECT_NEAR(at("request_4_F3"), std::sin(a / 2), 1e-9);
    EXPECT_NEAR(at("request_4_F4"), 3, 1e-9);
    // On I: mass times acceleration of the centre less gravity; on J the opposite.
    const double fy = alpha * std::cos(a) - w * w * std::sin(a) + 9.81;
    EXPECT_NEAR(at("request_5_Y"), fy, 1e-7);
    EXPECT_NEAR(at("request_4_F7"), -fy, 1e-7);
    EXPECT_NEAR(at("request_4_F6"), at("request_5_X"), 1e-12);
  }
}

// A spring given by a SPLINE through points of a line, of the displacement of markers: x = v/ω sin ωt; a SENSOR ends the run at x = v/(2ω),
// which is after a twelfth of the period.
TEST(AdamsImport, SplinesOfDisplacementsAndSensors) {
  const std::string model =
      "PART/2, MASS=2, CM=20, IP=1,1,1, VX=3\nMARKER/20, PART=2\nMARKER/11, PART=1\n"
      "SPLINE/7, X=-2,0,1,2, Y=-100,0,50,100\n"
      "VFORCE/1, I=20, JFLOAT=11, RM=11, FX=-CUBSPL(DX(20,11), 0, 7)\\ FY=0\\ FZ=0\n";
  const Recording free = run(model, 1);
  EXPECT_NEAR(free.last("part_2.x"), 3 / 5.0 * std::sin(5.0), 1e-8);
  const Recording halted = run(model + "SENSOR/1, FUNCTION=DX(20,11), VALUE=0.3, GE, HALT\n", 1);
  EXPECT_NEAR(halted.summary.t_end, std::acos(-1.0) / 6 / 5, 1e-8);
}

// Of the page for those who come from Adams: nothing that is read stays unsaid.
TEST(AdamsImport, EveryStatementAndFunctionStandsInTheDocs) {
  std::ifstream file(testing::source_dir() + "/docs/from_adams.md");
  std::stringstream page;
  page << file.rdbuf();
  for (const std::string& name : adams_statements())
    EXPECT_THAT(page.str(), HasSubstr("`" + name + "`")) << name;
  for (const std::string& name : adams::translated_functions())
    EXPECT_THAT(page.str(), HasSubstr(name)) << name;
}

// A nut on a thread of 10 mm per turn, in mm; a shaft through a constant-velocity joint at 30°.
TEST(AdamsImport, ScrewsAndConstantVelocityJoints) {
  const Recording screw =
      run("ACCGRAV/KGRAV=0\nPART/2, MASS=1, CM=20, IP=1E6,1E6,1E6\nMARKER/20, PART=2\nJOINT/1, SCREW, I=20, "
          "J=10, PITCH=10\n"
          "VTORQUE/1, I=20, JFLOAT=10, TX=0\\ TY=0\\ TZ=4000\n",
          1,
          "t\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\nPART/1, GROUND\nMARKER/10, "
          "PART=1\n");
  EXPECT_NEAR(screw.last("part_2.z"), 0.01 / (2 * pi) * screw.last("joint_1.angle"), 1e-9);
  EXPECT_GT(screw.last("joint_1.angle"), 1);
  const Recording shafts =
      run("PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nJOINT/1, REVOLUTE, I=20, J=10\n"
          "PART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3, REULER=0,150D,0\nMARKER/12, PART=1, "
          "REULER=0,150D,0\n"
          "JOINT/2, REVOLUTE, I=30, J=12\nJOINT/3, CONVEL, I=30, J=20\nMOTION/1, JOINT=1, FUNCTION=2*TIME\n",
          1);
  EXPECT_NEAR(std::abs(shafts.last("joint_2.angle")), 2, 1e-8);
}

// A rack under its pinion moves with the surface that it touches, whichever way the markers point.
TEST(AdamsImport, RacksMoveWithThePinionsSurface) {
  for (const char* up : {"90D,90D,0", "-90D,90D,0"}) {
    const Recording r =
        run(mass_at("0,0,0") + fmt::format("PART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3, QP=0,-0.5,0, "
                                           "REULER={0}\nMARKER/11, PART=1, QP=0,-0.5,0, REULER={0}\n"
                                           "JOINT/1, REVOLUTE, I=20, J=10\nJOINT/2, TRANSL, I=30, "
                                           "J=11\nJOINT/3, RACKPIN, I=20, J=30, PD=1\n"
                                           "MOTION/1, JOINT=1, FUNCTION=TIME\n",
                                           up),
            1);
    EXPECT_NEAR(r.last("part_3.x"), 0.5, 1e-8) << up;
  }
}

// ORIENTATION leaves translations alone: a mass pushed off its centre goes straight.
TEST(AdamsImport, PrimitivesHoldWhatTheyName) {
  const std::string push =
      "MARKER/21, PART=2, QP=0,1,0\nGFORCE/1, I=21, JFLOAT=10, RM=10, FX=2\\ FY=0\\ FZ=1\n";
  const Recording free = run(mass_at("0,0,0") + push + "JPRIM/1, ORIENTATION, I=20, J=10\n", 1);
  EXPECT_NEAR(free.last("part_2.x"), 1, 1e-8);
  EXPECT_NEAR(free.last("part_2.qw"), 1, 1e-10);
  const Recording plane = run(mass_at("0,0,0") + push + "JPRIM/1, INPLANE, I=20, J=10\n", 1);
  EXPECT_NEAR(plane.last("part_2.z"), 0, 1e-9);
  EXPECT_GT(std::abs(plane.last("part_2.wz")), 0.1);
}

TEST(AdamsImport, FaultsNameLineStatementAndValue) {
  for (const auto& [text, words] :
       {std::pair{"JOINT/1, REVOLUTE, I=77, J=10\n",
                  "test.adm:5: error: JOINT/1: I = 77: there is no MARKER/77"},
        {"JOINT/1, REVOLUTE, I=10, J=10\n", "its markers I and J are on one part"},
        {"JOINT/1, I=10, J=10\n", "what kind of joint it is is missing"},
        {"PART/2, MASS=x, CM=20\nMARKER/20, PART=2\n", "MASS = 'x' is not a number"},
        {"PART/2, MASS=1, CM=10, IP=1,1,1\n", "CM = 10 is a marker of PART/1"},
        {"PART/2, MASS=1, CM=20, IP=1,1\nMARKER/20, PART=2\n", "IP takes 3 to 6 numbers, not 2"},
        {"MARKER/20, PART=9\n", "PART = 9: there is no PART/9"},
        {"MARKER/10, PART=1\n", "there are two of this number"},
        {"MARKER/20, PART=1, ZP=0,0,1, XP=0,0,2\n", "ZP do not say how its axes stand"},
        {"FLEX_BODY/1\n",
         "test.adm:5: error: FLEX_BODY/1: statements of this kind are not translated; --partial"},
        {"JOIN/1, FOO=3\n", "argument FOO in line 5 is not translated"},
        {"MOTION/1, JOINT=4, FUNCTION=TIME\n", "there is no JOINT/4"},
        {"UNITS/LENGTH=FURLONG\n", "LENGTH = 'FURLONG': the units are METER"}}) {
    try {
      import_adams_text(si + text, "test.adm");
      FAIL() << text;
    } catch (const InputError& fault) {
      EXPECT_THAT(fault.what(), HasSubstr(words)) << text;
    }
  }
  const ImportedModel partial =
      import_adams_text(si + mass_at("0,0,0") + "FLEX_BODY/1\n", "test.adm", {.partial = true});
  EXPECT_THAT(partial.notes, Contains(HasSubstr("line 7: FLEX_BODY/1 is left out, and the motion with it")));
}

}  // namespace
}  // namespace tappet::adams_test
