#include "tappet/base/any_value.hpp"

#include <gtest/gtest.h>

namespace tappet::any::any_value_test {

struct Apple {
  static constexpr const char* kind = "apple";
  double weight = 1;
  bool operator==(const Apple&) const = default;
};
void fields(FieldVisitor& v, Apple& a) {
  v.field("weight", a.weight);
}
struct Pear {
  static constexpr const char* kind = "pear";
  bool operator==(const Pear&) const = default;
};
void fields(FieldVisitor&, Pear&) {}

namespace {

TEST(AnyValue, CopiesAndComparesWhatItHolds) {
  AnyValue a, b;
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(a, b);
  a.as<Apple>().weight = 2;
  EXPECT_NE(a, b);
  b = a;
  EXPECT_EQ(a, b);
  b.as<Apple>().weight = 3;
  EXPECT_NE(a, b);
  EXPECT_EQ(a.get<Apple>().weight, 2);
  AnyValue c;
  c.as<Pear>();
  EXPECT_NE(a, c);
  EXPECT_EQ(c.kind(), "pear");
}

TEST(AnyValue, IsNeverTakenForWhatItIsNot) {
  AnyValue a;
  EXPECT_THROW(a.get<Apple>(), std::invalid_argument);
  a.as<Apple>();
  EXPECT_THROW(a.as<Pear>(), std::invalid_argument);
}

}  // namespace
}  // namespace tappet::any::any_value_test
