// Results on a disk that fails or lies: nothing is called complete that is not, and nothing is read as what was not written.
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/failing_writes.hpp"
#include "support/folder_test.hpp"
#include "tappet/base/diagnostics.hpp"
#include "tappet/base/version.hpp"
#include "tappet/results/result_writer.hpp"
#include "unit/results/toy_run.hpp"

namespace tappet::hdf5_test {
namespace {

using testing::FailingWrites;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const WriterOptions eager{.flush_seconds = 0, .checkpoint_seconds = 0, .buffer_bytes = 4096};

class ResultIntegrityTest : public FolderTest {
 protected:
  /// Runs to the end; true: the writer says that all of it is in the file.
  bool complete(const std::string& name, ToyRun run) {
    try {
      auto writer = ResultWriter::create(path(name), run.header(), eager);
      run.run(writer);
      writer.finish(run.summary());
      return true;
    } catch (const SimulationError& error) {
      EXPECT_THAT(error.what(), HasSubstr("cannot be written: "));
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("cannot be written: "));
    }
    return false;
  }
  /// The same in a process of its own: HDF5 remembers in one process what it could not write.
  bool complete_with_failure(const std::string& name, const ToyRun& run, long nth, bool for_good) {
    const pid_t child = ::fork();
    if (child == 0) {
      const FailingWrites failing(nth, for_good);
      const bool all = complete(name, run);
      ::_exit(HasFailure() ? 2 : all ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 2) << "it ended with " << status;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
};

/// As complete() would have it, all of it.
void expect_whole(const std::string& file, const ToyRun& run) {
  const ResultFile result(file);
  EXPECT_EQ(result.status(), "completed");
  EXPECT_FALSE(result.summary().empty());
  EXPECT_EQ(result.rows(), static_cast<std::size_t>(run.steps));
  const ResultHeader wanted = run.header();
  ASSERT_EQ(result.columns().size(), wanted.signals.size() + 1);
  for (std::size_t i = 0; i < wanted.signals.size(); ++i) {
    EXPECT_EQ(result.columns()[i + 1].name, wanted.signals[i].name);
    EXPECT_EQ(result.columns()[i + 1].unit, wanted.signals[i].unit);
  }
  EXPECT_EQ(result.header().contacts, wanted.contacts);
  EXPECT_EQ(result.header().model_text, wanted.model_text);
  double x = 0.3;
  for (const double value : result.column("body0.x")) {
    x = 3.9 * x * (1 - x);
    ASSERT_EQ(value, x);
  }
}

// Each write of a run fails once, or it and all after it. Whoever says "completed" has everything; who does not can be resumed, or has left
// no file.
TEST_F(ResultIntegrityTest, NoFailedWriteGoesUnnoticed) {
  ToyRun run;
  run.steps = 30;
  run.checkpoint_every = 10;
  const long writes = [&] {
    const FailingWrites none(0);
    EXPECT_TRUE(complete("whole.h5", run));
    return none.seen();
  }();
  ASSERT_GT(writes, 30);
  long told = 0;
  for (long nth = 1; nth <= writes; ++nth)
    for (const bool for_good : {false, true}) {
      SCOPED_TRACE(::testing::Message()
                   << "write " << nth << " of " << writes << (for_good ? " and all after it" : ""));
      const std::string name = "a.h5";
      std::filesystem::remove(path(name));
      const bool all = complete_with_failure(name, run, nth, for_good);
      told += !all;
      if (all) {
        expect_whole(path(name), run);
        continue;
      }
      if (!std::filesystem::exists(path(name))) continue;
      // The very last write is that of the status, when all else is on the disk.
      if (ResultFile(path(name)).status() == "completed") {
        EXPECT_TRUE(for_good && nth == writes);
        expect_whole(path(name), run);
        continue;
      }
      auto writer = ResultWriter::resume(path(name), eager);
      ToyRun rest = run;
      rest.restore(writer.resumed_state());
      rest.run(writer);
      writer.finish(rest.summary());
      expect_whole(path(name), run);
    }
  // Only what HDF5 tries a second time may go unsaid.
  EXPECT_GE(told, writes);
  RecordProperty("writes", static_cast<int>(writes));
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

// A bit flips in a sample or an impact: what is read is refused, not believed.
TEST_F(ResultIntegrityTest, AFlippedBitIsTold) {
  ToyRun run;
  ASSERT_TRUE(complete("a.h5", run));
  const std::string whole = text("a.h5");
  const auto bytes_of = [](double number) {
    return std::string(reinterpret_cast<const char*>(&number), sizeof number);
  };
  const ResultFile intact(path("a.h5"));
  const double sample = intact.column("body1.x")[777], impact = intact.impacts()[5].speed_in;
  ASSERT_EQ(sample, intact.column("body1.x")[777]);
  const std::size_t at_sample = whole.find(bytes_of(sample));
  ASSERT_NE(at_sample, std::string::npos);
  for (const int bit : {0, 17, 63}) {
    std::string changed = whole;
    changed[at_sample + static_cast<std::size_t>(bit) / 8] ^= static_cast<char>(1 << bit % 8);
    write("b.h5", changed);
    const ResultFile result(path("b.h5"));
    // Other columns of the row as well: the file is not what was written.
    for (const char* column : {"body1.x", "body0.x"})
      EXPECT_THAT([&] { result.column(column); },
                  ThrowsMessage<InputError>(HasSubstr("row 778 of /samples is not what was written")));
    EXPECT_NO_THROW(result.impacts());
  }
  // The speed of an impact stands in the samples too; the impacts' own copy is the one behind which its 0.9 times stands.
  const std::size_t at_impact = whole.find(bytes_of(impact) + bytes_of(0.9 * impact));
  ASSERT_NE(at_impact, std::string::npos);
  std::string changed = whole;
  changed[at_impact] ^= 1;
  write("b.h5", changed);
  EXPECT_THAT([&] { ResultFile(path("b.h5")).impacts(); },
              ThrowsMessage<InputError>(HasSubstr("row 6 of /impacts is not what was written")));
}

TEST_F(ResultIntegrityTest, ResultsSayWhatTheyWereComputedFromAndBy) {
  ToyRun run;
  ResultHeader header = run.header();
  header.files = {{"meshes/rod.inp", "0123"}, {"wall.csv", "4567"}};
  {
    auto writer = ResultWriter::create(path("a.h5"), header, eager);
    run.steps = 300;
    run.run(writer);
  }
  EXPECT_EQ(ResultFile(path("a.h5")).header().files, header.files);
  EXPECT_EQ(ResultFile(path("a.h5")).header().build, build_identity());
  // What resumes it knows it still.
  ResultWriter::resume(path("a.h5"), eager);
  EXPECT_EQ(ResultFile(path("a.h5")).header().files, header.files);
  EXPECT_EQ(std::string(build_identity()).find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(std::string(build_identity()).size(), 16u);
}

}  // namespace
}  // namespace tappet::hdf5_test
