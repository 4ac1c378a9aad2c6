#include "tappet/model/state.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/ode/scheme.hpp"

namespace tappet::state_test {
namespace {

using ::testing::HasSubstr;

State example() {
  State s;
  s.started = true;
  s.t = 0.25;
  s.y = {1, -0.0, 3};
  s.inputs = {4};
  s.contacts.resize(2);
  s.contacts[1].touching = true;
  s.contacts[1].direction = {0, 1, 0};
  s.contacts[1].stick = {.sticking = true, .armed = false, .direction = {0.5, 0.25}};
  s.passing_contacts = {{.id = {2, 4, 5, 1}, .impact_rate = 0.5, .radius = {1, 2}}};
  s.impulses = {{{.entry = 1}, {1, 2, 3}}, {{.entry = 2, .first = 4}, {4, 5, 6}}};
  s.episodes = {{.id = {.entry = 1}, .start = 0.125, .impulse = 7}};
  s.faces = {3, -1}, s.sides = {1, -1};
  s.triggers = {{.value = 0.5, .largest = 2, .side = 1}};
  s.integrator.as<RungeKuttaMemory>().next_step = 0.01;
  s.counters.steps = 12;
  s.counters.bodies.worst_note = "newton";
  s.counters.said = {"mind the gap"};
  return s;
}

State empty() {
  State s;
  s.integrator.as<RungeKuttaMemory>();
  return s;
}

std::string fault(const std::vector<std::byte>& bytes, State out = empty()) {
  const State before = out;
  try {
    load(bytes, out);
  } catch (const InputError& error) {
    EXPECT_EQ(out, before);
    return error.what();
  }
  return "";
}

TEST(State, GoesThroughBytes) {
  const State s = example();
  State read = empty();
  load(save(s), read);
  EXPECT_EQ(read, s) << difference(read, s);
  EXPECT_EQ(save(read), save(s));
  EXPECT_TRUE(std::signbit(read.y[1]));
  EXPECT_NE(read, empty());
}

// Every byte counts: cut or altered anywhere, it is refused.
TEST(State, RefusesEveryAlteredByte) {
  const std::vector<std::byte> all = save(example());
  for (std::size_t n = 0; n < all.size(); ++n) {
    std::vector<std::byte> altered = all;
    altered[n] ^= std::byte{32};
    EXPECT_THAT(fault(altered), HasSubstr("the state cannot be read: ")) << n;
    altered.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_THAT(fault(altered), HasSubstr("the state cannot be read: ")) << n;
  }
}

TEST(State, NamesWhatIsWrong) {
  State other = example();
  other.integrator = {};
  other.integrator.as<MultistepMemory>();
  EXPECT_THAT(
      fault(save(other)),
      HasSubstr("field 'integrator' is the memory of 'multistep', but should be that of 'runge-kutta'"));
  EXPECT_THAT(fault(std::vector<std::byte>(100)), HasSubstr("are not a state of Tappet's"));
  std::vector<std::byte> newer = save(example());
  newer[8] = std::byte{9};
  EXPECT_THAT(fault(newer), HasSubstr("it is of version 9; this Tappet reads up to version 3"));
  // A name altered: the field is missed by its own.
  std::vector<std::byte> renamed = save(example());
  const std::string name = "triggers";
  const auto at = std::search(renamed.begin(), renamed.end(), name.begin(), name.end(),
                              [](std::byte a, char b) { return static_cast<char>(a) == b; });
  ASSERT_NE(at, renamed.end());
  *at = std::byte{'X'};
  EXPECT_THAT(fault(renamed), HasSubstr("field 'triggers' is missing"));
}

TEST(State, TellsWhatDiffers) {
  State a = example(), b = example();
  EXPECT_EQ(difference(a, b), "");
  b.contacts[1].impact_rate = 2;
  b.counters.steps = 13;
  EXPECT_EQ(difference(a, b), "contacts[1].impact_rate: 0 against 2\ncounters.steps: 12 against 13\n");
}

}  // namespace
}  // namespace tappet::state_test
