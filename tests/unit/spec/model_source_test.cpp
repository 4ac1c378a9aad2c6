#include "tappet/spec/model_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"

namespace tappet::model_source_test {
namespace {

class ModelSourceTest : public FolderTest {};

// Files of other programs are read as models by their ending; all others are YAML.
TEST_F(ModelSourceTest, ReadsByTheEndingOfTheName) {
  write("pendulum.adm",
        "title\nPART/1, GROUND\nMARKER/10, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n");
  write("plain.yaml", "tappet: 1\n");
  std::vector<std::string> notes;
  const Value model = read_model_file(path("pendulum.adm"), &notes);
  ASSERT_NE(model.find("bodies"), nullptr);
  EXPECT_NE(model.find("bodies")->find("part_2"), nullptr);
  EXPECT_THAT(notes, ::testing::Contains(::testing::HasSubstr("how long Adams simulates")));
  EXPECT_EQ(read_model_file(path("plain.yaml")).find("tappet")->text, "1");
}

}  // namespace
}  // namespace tappet::model_source_test
