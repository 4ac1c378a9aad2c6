#include "tappet/base/registry.hpp"

#include <gtest/gtest.h>

namespace tappet::registry_test {
namespace {

struct Fruit {
  std::string name;
  int weight = 0;
};

const tappet::Registration<Fruit> pear{{"pear", 3}};
const tappet::Registration<Fruit> apple{{"apple", 2}};

}  // namespace

TEST(Registry, SortedByName) {
  const auto& registry = tappet::Registry<Fruit>::instance();
  EXPECT_EQ(registry.names(), (std::vector<std::string>{"apple", "pear"}));
  ASSERT_TRUE(registry.find("pear"));
  EXPECT_EQ(registry.find("pear")->weight, 3);
  EXPECT_EQ(registry.find("plum"), nullptr);
}

TEST(Registry, RefusesASecondOfTheSameName) {
  EXPECT_THROW(tappet::Registration<Fruit>({"apple", 9}), std::logic_error);
}

}  // namespace tappet::registry_test
