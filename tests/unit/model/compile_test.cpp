// A fault in one object and references to it from everywhere else: what is wrong is told in sentences, whatever it is.
#include "tappet/model/compile.hpp"

#include <fstream>
#include <functional>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/flexible_crank.hpp"
#include "support/paths.hpp"
#include "support/run_model.hpp"
#include "tappet/spec/value.hpp"

namespace tappet::test::compile_test {
namespace {

using tappet::testing::model_of;

/// Each section has objects, and each object is named by every other section that can name it.
constexpr const char* in_space = R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
define: {width: 0.1 m, half(x): x/2}
inputs: {throttle: {default: 1, unit: N}}
materials:
  steel: {young: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}
  rubber: {young: 10 MPa, poisson: 0.45, density: 1100 kg/m^3}
material_pairs: {dry: {between: [steel, rubber], restitution: 0.3, static: 0.5, dynamic: 0.4}}
bodies:
  bar:
    position: [0, 0, 0.2]
    structure:
      generate: {block: {size: [width, width, width], divisions: [1, 1, 2]}}
      material: steel
      damping: {mass: 1, stiffness: 1e-6}
      fix: {xmin: [x, y, z]}
      points: {tip: {at: [0.1, 0.1, 0.2]}, hook: {at: [0.1, 0, 0]}}
      masses: {lump: {on: tip, mass: 0.1}}
      springs: {stay: {between: [tip, ground], axis: [0, 0, 1], stiffness: 10}}
      loads: {push: {on: tip, force: ["throttle", 0, 0]}}
  plate:
    structure:
      generate: {plate: {size: [0.4, 0.4], divisions: [2, 2], origin: [-0.2, -0.2, 0.05]}}
      material: rubber
      section: {thickness: 2 mm}
      move: {xmin: {x: 0.001*sin(t), y: 0, z: 0}}
      attach: {xmax: {body: box}}
  box: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.4, 0, 0.05], shapes: {skin: {box: {size: [0.1, 0.1, 0.1]}}}}
  ball: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1], shapes: {skin: {sphere: {radius: 0.1}}}}
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 1]}
ground: {shapes: {floor: {plane: {point: [0, 0, -0.2], normal: [0, 0, 1]}}}}
joints:
  hinge: {type: revolute, bodies: [ball, arm], points: [[0.5, 0, 0], [-0.5, 0, 0]], axis: [0, 1, 0]}
motions: {motor: {joint: hinge, speed: half(2)*sin(t) rad/s}}
forces:
  line: {type: spring-damper, bodies: [ball, bar.tip], points: [[0, 0, 0], [0, 0, 0]], stiffness: 100}
  twist: {type: rotational-spring-damper, joint: hinge, stiffness: 1}
  wind: {type: force, body: arm, force: [throttle, 0, 0]}
contacts:
  nodes: {between: [ground.floor, bar.zmin], normal: {law: hooke, stiffness: 1e5, restitution: 0}, friction: {law: coulomb, coefficient: 0.3}}
  faces: {between: [plate.all, bar.zmin], normal: {restitution: 0}, friction: {coefficient: 0.3}}
  small: {between: [plate.all, ball.skin], normal: {restitution: 0}}
  rigid: {between: [ground.floor, ball.skin], normal: {law: flores, stiffness: 1e5, restitution: 0.5}, friction: {coefficient: 0.3}, materials: [steel, rubber]}
events: {down: {signal: ball.z, level: 0.5 m, direction: falling}}
simulation: {method: moreau, duration: 1 ms, step: 0.1 ms}
output: {step: 1 ms, signals: [ball.z, bar.tip.z, hinge.fx, motor.torque, nodes.normal]}
)";

constexpr const char* in_the_plane = R"(
tappet: 1
dimension: planar
gravity: [0, -9.81]
define: {stroke: 50 mm}
inputs: {throttle: {default: 1, unit: rad/s}}
materials:
  steel: {young: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}
  brass: {young: 100 GPa, poisson: 0.34, density: 8500 kg/m^3}
material_pairs: {dry: {between: [steel, brass], restitution: 0.5, static: 0.3, dynamic: 0.2}}
bodies:
  crank: {mass: 0.3, inertia: 1e-4, position: [25 mm, 0]}
  rod: {mass: 0.2, inertia: 2e-4, position: [110 mm, 0], shapes: {tip: {circle: {radius: 5 mm}}}}
  slider: {mass: 0.1, inertia: 1e-4, position: [170 mm, 0], shapes: {face: {box: {size: [20 mm, 20 mm]}}}}
  pin: {mass: 0.05, position: [0, 0.3], shapes: {rim: {circle: {radius: 5 mm}}}}
  wheel: {mass: 0.3, inertia: 1e-4, position: [0, 100 mm]}
ground: {shapes: {floor: {plane: {point: [0, -0.1], normal: [0, 1]}}}}
joints:
  main: {type: revolute, bodies: [ground, crank], points: [[0, 0], [-25 mm, 0]]}
  big: {type: revolute, bodies: [crank, rod], points: [[25 mm, 0], [-60 mm, 0]]}
  guide: {type: translational, bodies: [ground, slider], points: [[0, 0], [0, 0]], axis: [1, 0]}
  wrist:
    type: revolute
    bodies: [slider, rod]
    points: [[0, 0], [60 mm, 0]]
    clearance: {model: contact, bearing_radius: 10 mm, journal_radius: 9.5 mm, length: 15 mm, materials: [steel, brass],
                normal: {law: lankarani-nikravesh, restitution: 0.9}, friction: {law: ambrosio, coefficient: 0.03, v0: 1 mm/s, v1: 10 mm/s}}
  axle: {type: revolute, bodies: [ground, wheel], points: [[0, 100 mm], [0, 0]]}
  mesh: {type: gear, joints: [main, axle], ratio: 2}
motions: {motor: {joint: main, speed: throttle}}
forces:
  pad: {type: spring-damper, bodies: [ground, slider], points: [[0.3, 0], [0, 0]], stiffness: 10, damping: 1}
  twist: {type: rotational-spring-damper, joint: axle, stiffness: 1}
  push: {type: force, body: pin, force: [0, 1]}
contacts:
  land: {between: [ground.floor, pin.rim], normal: {law: flores, restitution: 0.5}, friction: {law: coulomb, coefficient: 0.1}, materials: [steel, brass]}
  knock: {between: [slider.face, pin.rim], normal: {law: hooke, stiffness: 1e5, restitution: 0.5}}
events: {far: {signal: slider.x, level: stroke, stop: true}}
simulation: {duration: 1 ms, tolerance: 1e-6}
output: {step: 1 ms, signals: [slider.x, wrist.ex, motor.torque, land.normal]}
)";

/// What is written in the place of a value, or done to its key.
const std::vector<std::string>& faults() {
  static const std::vector<std::string> all = {"nonsense",    "-1",  "0",        "1e300",  ".nan",   "1 kg",
                                               "[]",          "{}",  "~",        "[x]",    "{a: b}", "[1, 2]",
                                               "{typo: [x]}", "'''", "[[0, 0]]", "ground", "-1e-300"};
  return all;
}

/// Sentences for people: one line each, not empty.
void expect_sentences(const std::vector<Diagnostic>& all, const std::string& where) {
  EXPECT_FALSE(all.empty()) << where;
  for (const Diagnostic& one : all) {
    EXPECT_GT(one.message.size(), 10u) << where;
    EXPECT_EQ(one.message.find('\n'), std::string::npos) << where << ": " << one.message;
    EXPECT_EQ(one.message.find("std::"), std::string::npos) << where << ": " << one.message;
  }
}

/// As `tappet check` does it. True: nothing is wrong with it.
bool check(const Value& root, const std::string& where) {
  try {
    const auto model = model_of(spec_from_value(root, "test.yaml"));
    const Simulation simulation(*model);
    (void)simulation.describe();
    return true;
  } catch (const InputError& error) {
    expect_sentences(error.diagnostics(), where);
  } catch (const SimulationError& error) {
    EXPECT_GT(std::string(error.what()).size(), 10u) << where;
  } catch (const std::exception& error) {
    ADD_FAILURE() << where << ": " << error.what();
  }
  return false;
}

/// Calls `with(place)` for the tree and everything in it.
void visit(Value& value, const std::string& path,
           const std::function<void(Value&, const std::string&)>& with) {
  with(value, path);
  for (std::size_t i = 0; i < value.items.size(); ++i)
    visit(value.items[i], fmt::format("{}.{}", path, i), with);
  for (std::size_t i = 0; i < value.map.size(); ++i)
    visit(value.map[i].second, path.empty() ? value.map[i].first : path + "." + value.map[i].first, with);
}

struct Count {
  int tried = 0, refused = 0;
};

/// One fault at every place of the model, all else as it was.
Count try_all(const std::string& text, const std::vector<std::string>& settings) {
  Value root = read_yaml_text(text, "test.yaml");
  for (const std::string& setting : settings) apply_setting(root, setting);
  EXPECT_TRUE(check(root, "as it is"));
  Count out;
  const auto attempt = [&](const Value& changed, const std::string& where) {
    ++out.tried;
    out.refused += !check(changed, where);
  };
  std::vector<Value> wrong;
  for (const std::string& fault : faults()) {
    Value holder =
        read_yaml_text("a: " + (fault == "'''" ? std::string("\"'\"") : fault) + "\n", "fault.yaml");
    wrong.push_back(holder.map[0].second);
  }
  // Places first: the tree is changed and put back while one is dealt with.
  std::vector<std::pair<Value*, std::string>> places;
  visit(root, "", [&](Value& value, const std::string& path) {
    if (!path.empty()) places.emplace_back(&value, path);
  });
  // What is in a value before the value itself, whose copy would have other addresses.
  for (auto at = places.rbegin(); at != places.rend(); ++at) {
    const auto& [place, path] = *at;
    const Value kept = *place;
    for (std::size_t i = 0; i < wrong.size(); ++i) {
      *place = wrong[i];
      place->pos = kept.pos;
      attempt(root, fmt::format("{}: {}", path, faults()[i]));
    }
    *place = kept;
  }
  // A key mistyped, left out, or twice the same name elsewhere: their addresses do not stay, so each is made from a copy.
  std::size_t mappings = 0;
  visit(root, "", [&](Value& value, const std::string&) { mappings += value.kind == Value::Kind::mapping; });
  for (std::size_t which = 0; which < mappings; ++which) {
    std::size_t keys = 0, at = 0;
    visit(root, "", [&](Value& value, const std::string&) {
      if (value.kind == Value::Kind::mapping && at++ == which) keys = value.map.size();
    });
    for (std::size_t key = 0; key < keys; ++key)
      for (const char* change : {"typo", "none", "ground"}) {
        Value copy = root;
        std::size_t seen = 0;
        std::string where;
        Value* target = nullptr;
        visit(copy, "", [&](Value& value, const std::string& path) {
          if (value.kind == Value::Kind::mapping && seen++ == which) target = &value, where = path;
        });
        where = fmt::format("{} of {}.{}", change, where, target->map[key].first);
        if (std::string(change) == "typo")
          target->map[key].first += "x";
        else if (std::string(change) == "ground")
          target->map[key].first = "ground";
        else
          target->map.erase(target->map.begin() + static_cast<long>(key)),
              target->key_pos.erase(target->key_pos.begin() + static_cast<long>(key));
        attempt(copy, where);
      }
  }
  return out;
}

class OneFaultEverywhere : public ::testing::TestWithParam<std::pair<std::string, std::vector<std::string>>> {
};

TEST_P(OneFaultEverywhere, IsToldInSentences) {
  const auto& [text, settings] = GetParam();
  const Count count = try_all(text, settings);
  // Most of them are faults; the rest says the same in other words, or something else that is possible.
  EXPECT_GT(count.tried, 500);
  EXPECT_GT(count.refused, count.tried / 2);
  RecordProperty("tried", count.tried);
}

using Case = std::pair<std::string, std::vector<std::string>>;

/// Oil, wear, limits and friction of joints; integrals of a flexible body; one that is reduced from a mesh.
std::string of_corpus(const std::string& name) {
  std::ifstream in(testing::source_dir() + "/fuzz/corpus/check/" + name + ".yaml");
  return {std::istreambuf_iterator<char>(in), {}};
}

INSTANTIATE_TEST_SUITE_P(Models, OneFaultEverywhere,
                         ::testing::Values(Case(in_space, {}), Case(in_the_plane, {}),
                                           Case(in_the_plane, {"simulation.method=event-driven"}),
                                           Case(in_the_plane,
                                                {"simulation.method=moreau", "simulation.step=1e-4"}),
                                           Case(tappet::testing::FlexibleCrank{}.text(),
                                                {"simulation={duration: 1 ms, tolerance: 1e-6}"}),
                                           Case(of_corpus("oil_and_wear"), {}),
                                           Case(of_corpus("flexible"), {}), Case(of_corpus("reduced"), {})));

// The fault with which this began, by itself: contacts, forces and events name a structure that has one.
TEST(FaultyStructure, IsNamedByAContact) {
  for (const char* fault : {"bodies.bar.structure.fix={typo: [x]}", "bodies.bar.structure.material=none",
                            "bodies.bar.structure.loads={push: {on: none, force: [1, 0, 0]}}",
                            "bodies.bar.structure.points={tip: {}}",
                            "bodies.bar.structure.generate={block: {size: [0, 1, 1], divisions: [1, 1, 1]}}",
                            "bodies.ball.mass=-1"}) {
    Value root = read_yaml_text(in_space, "test.yaml");
    apply_setting(root, fault);
    EXPECT_FALSE(check(root, fault)) << fault;
  }
}

}  // namespace
}  // namespace tappet::test::compile_test
