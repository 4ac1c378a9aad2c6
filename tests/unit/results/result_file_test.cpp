#include "tappet/results/result_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "tappet/base/diagnostics.hpp"
#include "tappet/results/result_writer.hpp"
#include "unit/results/toy_run.hpp"

namespace tappet::result_file_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class ResultFileTest : public FolderTest {
 protected:
  ResultFileTest() {
    ToyRun run;
    run.steps = 5000;
    auto writer = ResultWriter::create(path("a.h5"), run.header());
    run.run(writer);
    writer.finish(run.summary());
  }
  void expect_refused(const std::string& name, const std::string& why) const {
    EXPECT_THAT([&] { ResultFile{path(name)}; }, ThrowsMessage<InputError>(HasSubstr(why)));
    EXPECT_FALSE(is_result_file(path(name)));
  }
};

TEST_F(ResultFileTest, UnknownSignalsAreNamedWithTheNearest) {
  const ResultFile result(path("a.h5"));
  EXPECT_THAT([&] { result.column("body1.y"); }, ThrowsMessage<InputError>(HasSubstr("did you mean 'body")));
  EXPECT_THAT([&] { result.column("quite.another"); }, ThrowsMessage<InputError>(HasSubstr("body0.x")));
  EXPECT_THAT([&] { result.select({"wheel*"}); },
              ThrowsMessage<InputError>(HasSubstr("no signal matches 'wheel*'")));
}

TEST_F(ResultFileTest, PatternsSelectInTheOrderAskedForAndNothingTwice) {
  const ResultFile result(path("a.h5"));
  EXPECT_EQ(result.select({"body2.x", "body*", "time"}), (std::vector<std::size_t>{3, 1, 2, 0}));
  EXPECT_EQ(result.select({"body[01].?"}), (std::vector<std::size_t>{1, 2}));
}

TEST_F(ResultFileTest, ScatteredColumnsComeRowByRow) {
  const ResultFile result(path("a.h5"));
  const std::size_t columns[] = {3, 0, 1};
  const auto block = result.read(10, 2, columns);
  EXPECT_EQ(block[0], result.column(3)[10]);
  EXPECT_EQ(block[1], result.column(0)[10]);
  EXPECT_EQ(block[2], result.column(1)[10]);
  EXPECT_EQ(block[3], result.column(3)[11]);
}

TEST_F(ResultFileTest, WhatIsNotAResultIsRefusedWithASentence) {
  expect_refused("none.h5", "there is no such file");
  expect_refused(".", "is a directory");
  write("text.h5", "tappet: 1\n");
  expect_refused("text.h5", "is not a Tappet result");
  write("empty.h5", "");
  expect_refused("empty.h5", "is not a Tappet result");
}

TEST_F(ResultFileTest, AFileCutShortIsRefusedOrReadAsFarAsItIsWhole) {
  const std::string whole = text("a.h5");
  for (std::size_t percent = 0; percent < 100; percent += 3) {
    write("cut.h5", whole.substr(0, whole.size() * percent / 100));
    try {
      const ResultFile result(path("cut.h5"));
      result.column("time");
      result.impacts();
      result.events();
      result.last_checkpoint();
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(),
                  ::testing::AnyOf(HasSubstr("not a Tappet result"), HasSubstr("damaged or cut short")));
    }
  }
}

}  // namespace
}  // namespace tappet::result_file_test
