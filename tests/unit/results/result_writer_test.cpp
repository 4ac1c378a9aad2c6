#include "tappet/results/result_writer.hpp"

#include <cmath>
#include <limits>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "tappet/base/diagnostics.hpp"
#include "tappet/base/hdf5.hpp"
#include "tappet/base/version.hpp"
#include "tappet/results/layout.hpp"
#include "tappet/results/summary.hpp"
#include "unit/results/structure_result.hpp"
#include "unit/results/toy_run.hpp"

namespace tappet::result_writer_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const WriterOptions eager{.flush_seconds = 0, .checkpoint_seconds = 0, .buffer_bytes = 4096};

class ResultWriterTest : public FolderTest {
 protected:
  void complete(const std::string& name, ToyRun run, const WriterOptions& options = eager) {
    auto writer = ResultWriter::create(path(name), run.header(), options);
    run.run(writer);
    writer.finish(run.summary());
  }
};

/// Every column, impact and event of two results, bit by bit.
void expect_same(const std::string& left, const std::string& right) {
  const ResultFile a(left), b(right);
  ASSERT_EQ(a.rows(), b.rows());
  for (std::size_t i = 0; i < a.columns().size(); ++i)
    ASSERT_EQ(a.column(i), b.column(i)) << a.columns()[i].name;
  const auto impacts_a = a.impacts(), impacts_b = b.impacts();
  ASSERT_EQ(impacts_a.size(), impacts_b.size());
  for (std::size_t i = 0; i < impacts_a.size(); ++i)
    ASSERT_EQ(layout::pack(impacts_a[i]), layout::pack(impacts_b[i]));
  const auto events_a = a.events(), events_b = b.events();
  ASSERT_EQ(events_a.size(), events_b.size());
  for (std::size_t i = 0; i < events_a.size(); ++i) {
    ASSERT_EQ(events_a[i].event, events_b[i].event);
    ASSERT_EQ(events_a[i].time, events_b[i].time);
  }
}

TEST_F(ResultWriterTest, WhatIsWrittenIsRead) {
  ToyRun run;
  complete("a.h5", run);
  const ResultFile result(path("a.h5"));
  EXPECT_EQ(result.status(), "completed");
  EXPECT_TRUE(summary_from_json(result.summary()).completed);
  EXPECT_EQ(result.header().title, "Toy – ünïcode");
  EXPECT_EQ(result.header().model_file, "toy.yaml");
  EXPECT_EQ(result.header().model_text, "tappet: 1\ntitle: toy\n");
  EXPECT_EQ(result.header().program_version, version());
  EXPECT_EQ(result.header().created.size(), 20u);
  EXPECT_EQ(result.header().contacts, (std::vector<std::string>{"floor", "wall"}));
  EXPECT_EQ(result.header().events, (std::vector<std::string>{"top"}));
  ASSERT_EQ(result.columns().size(), 4u);
  EXPECT_EQ(result.columns()[0].name, "time");
  EXPECT_EQ(result.columns()[0].unit, "s");
  EXPECT_EQ(result.columns()[3].name, "body2.x");
  EXPECT_EQ(result.columns()[3].unit, "m");

  const auto time = result.column("time"), x = result.column("body1.x");
  ASSERT_EQ(time.size(), 1000u);
  double expected = 0.3;
  for (std::size_t i = 0; i < time.size(); ++i) {
    expected = 3.9 * expected * (1 - expected);
    ASSERT_EQ(time[i], 0.1 * static_cast<double>(i));
    ASSERT_EQ(x[i], expected / 2);
  }
  EXPECT_EQ(result.impacts().size(), 143u);
  EXPECT_EQ(result.impacts()[1].contact, 1);
  EXPECT_EQ(result.impacts()[1].peak_force, 1e3);
  EXPECT_EQ(result.events().size(), 91u);
  EXPECT_EQ(result.events()[1].time, 0.1 * 11);
}

TEST_F(ResultWriterTest, ValuesThatAreNotNumbersSurvive) {
  ToyRun run;
  run.width = 2;
  auto writer = ResultWriter::create(path("a.h5"), run.header());
  const double row[] = {0, std::numeric_limits<double>::quiet_NaN(),
                        -std::numeric_limits<double>::infinity()};
  writer.sample(row);
  writer.finish({});
  const ResultFile result(path("a.h5"));
  EXPECT_EQ(result.status(), "stopped");
  EXPECT_TRUE(std::isnan(result.column(1)[0]));
  EXPECT_EQ(result.column(2)[0], row[2]);
}

TEST_F(ResultWriterTest, NoSamplesIsAResultToo) {
  ToyRun run;
  run.steps = 0;
  complete("a.h5", run);
  const ResultFile result(path("a.h5"));
  EXPECT_EQ(result.rows(), 0u);
  EXPECT_TRUE(result.column("time").empty());
  EXPECT_TRUE(result.impacts().empty());
  EXPECT_TRUE(result.events().empty());
  EXPECT_FALSE(result.last_checkpoint());
}

TEST_F(ResultWriterTest, NoSignalsNoContactsNoEvents) {
  ResultHeader header;
  auto writer = ResultWriter::create(path("a.h5"), header);
  const double row[] = {1.5};
  writer.sample(row);
  writer.finish({});
  const ResultFile result(path("a.h5"));
  EXPECT_EQ(result.column("time"), (std::vector<double>{1.5}));
  EXPECT_TRUE(result.header().contacts.empty());
  EXPECT_EQ(result.header().title, "");
}

TEST_F(ResultWriterTest, FiftyThousandColumns) {
  ToyRun run;
  run.width = 50000;
  run.steps = 70;  // more than the rows of one chunk
  complete("wide.h5", run);
  const ResultFile result(path("wide.h5"));
  ASSERT_EQ(result.columns().size(), 50001u);
  const auto first = result.column("body0.x"), last = result.column("body49999.x");
  ASSERT_EQ(last.size(), 70u);
  for (std::size_t i = 0; i < 70; ++i) ASSERT_EQ(last[i], first[i] / 50000);
  std::vector<std::size_t> all(50001);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const auto row = result.read(69, 1, all);
  for (std::size_t i = 1; i < all.size(); ++i) ASSERT_EQ(row[i], first[69] / static_cast<double>(i));
}

TEST_F(ResultWriterTest, AReaderFollowsALivingWriter) {
  ToyRun run;
  run.steps = 100;
  auto writer = ResultWriter::create(path("a.h5"), run.header(), eager);
  for (int part = 0; part < 5; ++part) {
    run.run(writer);
    writer.flush();
    const ResultFile result(path("a.h5"));
    EXPECT_EQ(result.status(), "running");
    EXPECT_EQ(result.rows(), static_cast<std::size_t>(run.steps));
    EXPECT_EQ(result.column("time").back(), 0.1 * static_cast<double>(run.steps - 1));
    EXPECT_EQ(result.summary(), "");
    run.steps += 100;
  }
}

TEST_F(ResultWriterTest, AnOlderResultIsReplacedAndNothingElse) {
  ToyRun run;
  complete("a.h5", run);
  run.steps = 3;
  complete("a.h5", run);
  EXPECT_EQ(ResultFile(path("a.h5")).rows(), 3u);

  write("model.yaml", "tappet: 1\n");
  EXPECT_THAT([&] { ResultWriter::create(path("model.yaml"), run.header()); },
              ThrowsMessage<InputError>(HasSubstr("not a Tappet result: it is not overwritten")));
  EXPECT_EQ(text("model.yaml"), "tappet: 1\n");
  EXPECT_THAT([&] { ResultWriter::create(path("."), run.header()); },
              ThrowsMessage<InputError>(HasSubstr("is a directory")));
  EXPECT_THAT([&] { ResultWriter::create(path("no/such/folder.h5"), run.header()); },
              ThrowsMessage<InputError>(HasSubstr("No such file or directory")));
  EXPECT_THAT([&] { ResultWriter::create("/dev/null", run.header()); },
              ThrowsMessage<InputError>(HasSubstr("not an ordinary file")));
  // What an accident left empty is nobody's loss.
  write("empty.h5", "");
  EXPECT_NO_THROW(ResultWriter::create(path("empty.h5"), run.header()));
}

TEST_F(ResultWriterTest, TwoRunsDoNotWriteOneFile) {
  ToyRun run;
  auto writer = ResultWriter::create(path("a.h5"), run.header(), eager);
  run.run(writer);
  EXPECT_THAT([&] { ResultWriter::create(path("a.h5"), run.header()); },
              ThrowsMessage<InputError>(HasSubstr("is being written by another run")));
  EXPECT_THAT([&] { ResultWriter::resume(path("a.h5")); },
              ThrowsMessage<InputError>(HasSubstr("is being written by another run")));
  writer.finish(run.summary());
  EXPECT_EQ(ResultFile(path("a.h5")).rows(), 1000u);
}

TEST_F(ResultWriterTest, ARunThatEndsByAnExceptionKeepsItsRows) {
  ToyRun run;
  run.steps = 10;
  {
    auto writer = ResultWriter::create(path("a.h5"), run.header());
    run.run(writer);
  }
  const ResultFile result(path("a.h5"));
  EXPECT_EQ(result.rows(), 10u);
  EXPECT_EQ(result.status(), "running");
}

TEST_F(ResultWriterTest, ResumeContinuesFromTheLastCheckpoint) {
  ToyRun whole;
  complete("whole.h5", whole);

  ToyRun run;
  run.steps = 333;
  {
    auto writer = ResultWriter::create(path("a.h5"), run.header(), eager);
    run.run(writer);
  }
  EXPECT_EQ(ResultFile(path("a.h5")).last_checkpoint()->samples, 300u);

  auto writer = ResultWriter::resume(path("a.h5"), eager);
  EXPECT_EQ(writer.samples(), 300u);
  ToyRun rest;
  rest.restore(writer.resumed_state());
  EXPECT_EQ(rest.step, 300);
  rest.run(writer);
  writer.finish(rest.summary());
  expect_same(path("a.h5"), path("whole.h5"));
  EXPECT_EQ(ResultFile(path("a.h5")).status(), "completed");
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

TEST_F(ResultWriterTest, ResumeWithoutACheckpointStartsAnew) {
  ToyRun run;
  run.steps = 20;
  {
    auto writer = ResultWriter::create(path("a.h5"), run.header(), eager);
    run.run(writer);
  }
  auto writer = ResultWriter::resume(path("a.h5"), eager);
  EXPECT_TRUE(writer.resumed_state().empty());
  EXPECT_EQ(writer.samples(), 0u);
}

TEST_F(ResultWriterTest, ATornCheckpointIsNotUsed) {
  const std::vector<std::byte> state(21, std::byte{5});
  const Checkpoint checkpoint{.samples = 3, .impacts = 2, .events = 1, .state = state};
  const auto row = layout::pack(checkpoint, 7);
  std::size_t ordinal = 0;
  ASSERT_EQ(layout::checkpoint_bytes(row), state.size());
  const auto read = layout::unpack_checkpoint(row, state, ordinal);
  ASSERT_TRUE(read);
  EXPECT_EQ(ordinal, 7u);
  EXPECT_EQ(read->events, 1u);
  EXPECT_EQ(read->state, state);
  for (std::size_t i = 0; i < row.size(); ++i) {
    auto torn = row;
    torn[i] = std::nextafter(torn[i], 1e9);
    EXPECT_FALSE(layout::unpack_checkpoint(torn, state, ordinal)) << i;
  }
  for (std::size_t i = 0; i < state.size(); ++i) {
    auto torn = state;
    torn[i] ^= std::byte{16};
    EXPECT_FALSE(layout::unpack_checkpoint(row, torn, ordinal)) << i;
  }
  const std::vector<double> never(layout::checkpoint_width, 0.0);
  EXPECT_EQ(layout::checkpoint_bytes(never), 0u);
  EXPECT_FALSE(layout::unpack_checkpoint(never, {}, ordinal));
}

// Results of format 1 had a checkpoint of fixed length in each row of /checkpoints.
TEST_F(ResultWriterTest, ResultsOfFormat1AreReadButNotResumed) {
  ToyRun run;
  complete("new.h5", run);
  complete("old.h5", run);
  {
    const hdf5::Handle access = hdf5::access_properties();
    const hdf5::Handle file{H5Fopen(path("old.h5").c_str(), H5F_ACC_RDWR, access), H5Fclose};
    ASSERT_TRUE(file.valid());
    for (const char* name : {"checkpoints", "checkpoint_0", "checkpoint_1"})
      ASSERT_GE(H5Ldelete(file, name, H5P_DEFAULT), 0);
    ASSERT_TRUE(hdf5::write_table(file, "checkpoints", 7, std::vector<double>(14, 0.0)));
    const hdf5::Handle format{H5Aopen(file, "tappet_format", H5P_DEFAULT), H5Aclose};
    const int one = 1;
    ASSERT_GE(H5Awrite(format, H5T_NATIVE_INT, &one), 0);
  }
  expect_same(path("old.h5"), path("new.h5"));
  EXPECT_EQ(ResultFile(path("old.h5")).format(), 1);
  EXPECT_EQ(ResultFile(path("new.h5")).format(), 2);
  EXPECT_FALSE(ResultFile(path("old.h5")).last_checkpoint());
  try {
    ResultWriter::resume(path("old.h5"), eager);
    FAIL() << "it was resumed";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("is a result of format 1, whose checkpoints"));
  }
}

TEST_F(ResultWriterTest, AFormatThatThereIsNotIsRefused) {
  complete("a.h5", {});
  for (const int number : {-1, 1000}) {
    {
      const hdf5::Handle access = hdf5::access_properties();
      const hdf5::Handle file{H5Fopen(path("a.h5").c_str(), H5F_ACC_RDWR, access), H5Fclose};
      const hdf5::Handle format{H5Aopen(file, "tappet_format", H5P_DEFAULT), H5Aclose};
      ASSERT_GE(H5Awrite(format, H5T_NATIVE_INT, &number), 0);
    }
    EXPECT_THAT([&] { ResultFile{path("a.h5")}; },
                ThrowsMessage<InputError>(HasSubstr(number < 0 ? "it is of format -1, which there is not"
                                                               : "written by a newer Tappet")));
  }
}

/// Runs `work` in a child that is killed after `microseconds`; true if it had ended by itself.
template <class Work>
bool killed_after(long microseconds, Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  ::usleep(static_cast<useconds_t>(microseconds));
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status);
}

TEST_F(ResultWriterTest, WhatWasWrittenSurvivesKillAndTheResumedRunIsTheSame) {
  ToyRun whole;
  whole.steps = 20000;
  complete("whole.h5", whole);
  const ResultFile reference(path("whole.h5"));
  const auto expected = reference.column("body2.x");

  unsigned random = 12345;
  int kills = 0;
  for (int round = 0; round < 3; ++round) {
    const std::string name = path("killed.h5");
    std::filesystem::remove(name);
    // Each life is a little longer than the one before: slow machines get there too.
    long grace = 0;
    for (bool ended = false; !ended; grace += 20000) {
      random = random * 1664525u + 1013904223u;
      ended = killed_after(grace + 2000 + (random >> 8) % 150000, [&] {
        ToyRun run;
        run.steps = whole.steps;
        const bool fresh =
            !std::filesystem::exists(name) || std::filesystem::file_size(name) == 0 || !is_result_file(name);
        if (fresh) std::filesystem::remove(name);
        auto writer =
            fresh ? ResultWriter::create(name, run.header(), eager) : ResultWriter::resume(name, eager);
        run.restore(writer.resumed_state());
        run.run(writer);
        writer.finish(run.summary());
      });
      if (ended || !is_result_file(name)) continue;
      ++kills;
      // Whatever is there is right, and reaches at least as far as the checkpoint.
      const ResultFile left(name);
      const auto found = left.column("body2.x");
      ASSERT_LE(found.size(), expected.size());
      ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.begin()));
      const auto checkpoint = left.last_checkpoint();
      ASSERT_TRUE(!checkpoint || checkpoint->samples <= found.size());
    }
    expect_same(name, path("whole.h5"));
  }
  EXPECT_GT(kills, 0);
}

TEST_F(ResultWriterTest, AFullDiskIsASentenceAndKeepsWhatWasWritten) {
  // A limit on the file's size stands for a full disk; it is set in a child so that it binds nobody else.
  const auto run_limited = [this](rlim_t bytes, const std::string& name) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{bytes, bytes};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      ToyRun run;
      run.steps = 1000000;
      const WriterOptions often{.flush_seconds = 0.003, .checkpoint_seconds = 0, .buffer_bytes = 4096};
      auto writer = ResultWriter::create(path(name), run.header(), often);
      bool said = false;
      try {
        run.run(writer);
      } catch (const SimulationError& error) {
        said = std::string(error.what()).find("cannot be written: File too large") != std::string::npos;
      }
      writer.finish(run.summary());
      std::exit(said ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  };
  ToyRun whole;
  whole.steps = 100000;
  complete("whole.h5", whole, {});
  const auto expected = ResultFile(path("whole.h5")).column("body2.x");

  for (rlim_t bytes = 1'300'000; bytes < 3'000'000; bytes += 277'777) {
    ASSERT_TRUE(run_limited(bytes, "a.h5")) << bytes;
    const ResultFile result(path("a.h5"));
    EXPECT_EQ(result.status(), "stopped");
    EXPECT_NE(result.summary(), "");
    const auto found = result.column("body2.x");
    ASSERT_LE(found.size(), expected.size());
    ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.begin())) << bytes;
    const auto checkpoint = result.last_checkpoint();
    ASSERT_TRUE(checkpoint) << bytes;
    EXPECT_GE(checkpoint->samples + 200, found.size()) << bytes;
    EXPECT_GT(found.size(), 10000u) << bytes;
  }
}

/// Hands everything on, and asks for the end after some steps.
struct Impatient final : Observer {
  ResultWriter& writer;
  int left;
  Impatient(ResultWriter& to, int steps) : writer(to), left(steps) {}
  void sample(std::span<const double> row) override { writer.sample(row); }
  void fields(int structure, const fem::Fields& fields) override { writer.fields(structure, fields); }
  bool wants_fields() const override { return true; }
  void impact(const Impact& impact) override { writer.impact(impact); }
  void checkpoint(const State& state) override { writer.checkpoint_now(state); }
  bool stop_requested() override { return --left <= 0; }
};

TEST_F(ResultWriterTest, FieldsOfAResumedRunAreThoseOfOneThatWasNot) {
  write_structure_result(path("whole.h5"));
  const auto model = testing::model_of_text(block_on_plate);
  // Stopped between two records, on one, and right after the first.
  for (int steps : {22, 20, 1}) {
    {
      Simulation simulation(*model);
      auto writer = ResultWriter::create(path("part.h5"), header_of(simulation, *model));
      Impatient impatient(writer, steps);
      writer.finish(simulation.run(impatient));
    }
    Simulation simulation(*model);
    auto writer = ResultWriter::resume(path("part.h5"));
    simulation.restore(writer.resumed_state());
    writer.finish(simulation.run(writer));
    expect_same(path("whole.h5"), path("part.h5"));
    const ResultFile a(path("whole.h5")), b(path("part.h5"));
    EXPECT_EQ(a.header().structures, b.header().structures);
    ASSERT_EQ(a.field_count(), 11u);
    ASSERT_EQ(b.field_count(), 11u);
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t k = 0; k < 11; ++k) {
        const fem::Fields x = a.fields(s, k), y = b.fields(s, k);
        EXPECT_EQ(x.displacement, y.displacement);
        EXPECT_EQ(x.velocity, y.velocity);
        EXPECT_EQ(x.contact_force, y.contact_force);
        EXPECT_EQ(x.stress, y.stress);
      }
  }
}

/// Changes a finished result by HDF5's own means.
template <class Change>
void change(const std::string& name, Change work) {
  const hdf5::Silence silence;
  const hdf5::Handle access = hdf5::access_properties();
  const hdf5::Handle file{H5Fopen(name.c_str(), H5F_ACC_RDWR, access), H5Fclose};
  ASSERT_TRUE(file.valid());
  work(file);
}

// Extents are claims: a result of some kilobytes that says it has 10¹⁸ rows, or fewer nodes than its elements name.
TEST_F(ResultWriterTest, WhatAResultClaimsIsCompared) {
  const auto refused = [&](const char* words) {
    EXPECT_THAT(
        [&] {
          const ResultFile result(path("a.h5"));
          result.last_checkpoint();
          result.column("time");
        },
        ThrowsMessage<InputError>(HasSubstr(words)));
  };
  for (const hsize_t rows : {hsize_t{1} << 40, hsize_t{1} << 61}) {
    complete("a.h5", {});
    change(path("a.h5"), [&](hid_t file) {
      const hdf5::Handle samples{H5Dopen2(file, "samples", H5P_DEFAULT), H5Dclose};
      hsize_t height = 0, width = 0;
      ASSERT_TRUE(hdf5::shape(samples, height, width));
      const hsize_t extent[2] = {rows, width};
      ASSERT_GE(H5Dset_extent(samples, extent), 0);
    });
    refused("/samples cannot be read: the file is damaged");
  }
  // Elements whose nodes are not there, or too few for what they are.
  for (const auto& [name, value] : {std::pair{"ends", -7}, {"cells", 1 << 20}, {"types", 12}}) {
    write_structure_result(path("a.h5"));
    const std::string place = "fields/" + ResultFile(path("a.h5")).header().structures[0].name + "/" + name;
    change(path("a.h5"), [&](hid_t file) {
      std::vector<int> numbers;
      ASSERT_TRUE(hdf5::read_integers(file, place.c_str(), numbers));
      numbers.assign(numbers.size(), value);
      H5Ldelete(file, place.c_str(), H5P_DEFAULT);
      ASSERT_TRUE(hdf5::write_integers(file, place.c_str(), numbers));
      if (std::string(name) != "types") return;
      // Hexahedra of four nodes: lists as long as before.
      const std::string ends = place.substr(0, place.rfind('/')) + "/ends",
                        cells = place.substr(0, place.rfind('/')) + "/cells";
      std::vector<int> four;
      for (std::size_t e = 0; e < numbers.size(); ++e) four.push_back(static_cast<int>(4 * (e + 1)));
      H5Ldelete(file, ends.c_str(), H5P_DEFAULT), H5Ldelete(file, cells.c_str(), H5P_DEFAULT);
      ASSERT_TRUE(hdf5::write_integers(file, ends.c_str(), four));
      ASSERT_TRUE(hdf5::write_integers(file, cells.c_str(), std::vector<int>(4 * numbers.size(), 0)));
    });
    refused("/fields/");
  }
}

// Links into other files, and numbers that lie in them.
TEST_F(ResultWriterTest, AResultHasNothingFromOtherFiles) {
  complete("b.h5", {});
  for (const char* name : {"samples", "impacts", "summary", "columns"}) {
    complete("a.h5", {});
    change(path("a.h5"), [&](hid_t file) {
      H5Ldelete(file, name, H5P_DEFAULT);
      ASSERT_GE(H5Lcreate_external(path("b.h5").c_str(), name, file, name, H5P_DEFAULT, H5P_DEFAULT), 0);
    });
    EXPECT_THAT([&] { ResultFile{path("a.h5")}; }, ThrowsMessage<InputError>(HasSubstr("damaged"))) << name;
  }
}

}  // namespace
}  // namespace tappet::result_writer_test
