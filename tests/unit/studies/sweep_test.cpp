#include "tappet/studies/sweep.hpp"

#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "support/paths.hpp"
#include "tappet/base/version.hpp"
#include "tappet/studies/journal.hpp"
#include "tappet/studies/sweep_output.hpp"

namespace tappet::sweep_test {
namespace {

using ::testing::HasSubstr;

class SweepTest : public FolderTest {
 protected:
  SweepTest() {
    write("study.yaml", "study: 1\nmodel: " + testing::source_dir() + R"(/examples/slider_crank/clearance.yaml
parameters:
  journal: {path: joints.wrist.clearance.journal_radius, from: 9.5 mm, to: 10.1 mm, count: 7}
set: ["simulation.duration=4 ms", "simulation.tolerance=1e-6", "output.step=0.1 ms"]
revolution: 1 ms
metrics:
  peak: max(abs(slider.ax))
  impacts: count(impacts)
  section: {section: slider.vx, phase: 30 deg}
)");
    study_ = load_study(path("study.yaml"));
  }
  std::vector<SweepRow> rows(int threads, const std::string& journal = "") {
    return run_sweep(study_, {.threads = threads, .journal = journal.empty() ? "" : path(journal)});
  }
  Study study_;
};

TEST_F(SweepTest, RowsDoNotDependOnTheWorkers) {
  const auto one = rows(1);
  ASSERT_EQ(one.size(), 7u);
  EXPECT_EQ(rows(2), one);
  EXPECT_EQ(rows(5), one);
  EXPECT_EQ(one[0].reason, "");
  EXPECT_GT(one[0].values[0], 1000);
  EXPECT_EQ(one[0].lists[0].size(), 4u);
}

TEST_F(SweepTest, ARunThatFailsIsARowWithItsReason) {
  const auto all = rows(2);
  for (int run : {5, 6}) EXPECT_THAT(all[run].reason, HasSubstr("must be smaller than `bearing_radius`"));
  const std::string table = sweep_table(study_, all);
  EXPECT_THAT(table, HasSubstr("run,journal [mm],peak [m/s^2],impacts,status,reason\n0,9.5,"));
  EXPECT_THAT(table, HasSubstr("\n6,10.1,,,failed,\"--set"));
  EXPECT_THAT(list_table(study_, all, study_.metrics[2]),
              HasSubstr("run,journal [mm],time [s],section [m/s]\n0,9.5,"));
}

TEST_F(SweepTest, GoesOnFromTheJournal) {
  const auto all = rows(2, "j");
  // A study killed after three runs, in no particular order.
  {
    Journal journal(path("killed"), {study_.fingerprint(), build_identity()}, false);
    for (int run : {4, 0, 6}) journal.append(pack(all[run]));
  }
  SweepProgress last;
  const auto resumed = run_sweep(
      study_, {.threads = 2, .journal = path("killed"), .progress = [&](const auto& now) { last = now; }});
  EXPECT_EQ(resumed, all);
  EXPECT_EQ(last.resumed, 3u);
  EXPECT_EQ(last.done, 7u);
  EXPECT_EQ(last.failed, 2u);
  // Nothing is left to do the next time.
  EXPECT_EQ(rows(2, "killed"), all);
}

TEST_F(SweepTest, RowsAsBytes) {
  SweepRow row{
      .run = 12, .reason = "no: \"reason\"\n", .values = {1.5, 1e-300}, .lists = {{}, {{1, 2}, {3, 4}}}};
  EXPECT_EQ(unpack_row(pack(row)), row);
  const std::string bytes = pack(row);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(unpack_row(bytes.substr(0, size)).run, no_run) << size;
}

/// Ranks as threads of this process, with a mailbox each.
class Mailboxes {
 public:
  explicit Mailboxes(int size) : boxes_(static_cast<std::size_t>(size)) {}
  struct Member final : Ranks {
    Member(Mailboxes& all, int number) : all_(all), number_(number) {}
    int rank() const override { return number_; }
    int size() const override { return static_cast<int>(all_.boxes_.size()); }
    void send(int to, const std::string& bytes) override {
      std::lock_guard lock(all_.mutex_);
      all_.boxes_[to].emplace_back(number_, bytes);
    }
    bool receive(int& from, std::string& bytes) override {
      std::lock_guard lock(all_.mutex_);
      auto& box = all_.boxes_[number_];
      if (box.empty()) return false;
      std::tie(from, bytes) = box.front();
      box.pop_front();
      return true;
    }
    Mailboxes& all_;
    int number_;
  };

 private:
  std::mutex mutex_;
  std::vector<std::deque<std::pair<int, std::string>>> boxes_;
};

TEST_F(SweepTest, RanksShareTheWork) {
  const auto one = rows(1);
  Mailboxes mail(3);
  std::vector<std::thread> others;
  for (int rank : {1, 2})
    others.emplace_back([&, rank] {
      Mailboxes::Member member(mail, rank);
      EXPECT_TRUE(run_sweep(study_, {.ranks = &member}).empty());
    });
  Mailboxes::Member first(mail, 0);
  EXPECT_EQ(run_sweep(study_, {.journal = path("j"), .ranks = &first}), one);
  for (std::thread& other : others) other.join();
}

// What one run was computed from has changed: its row is not mixed with others, and the file is named.
TEST_F(SweepTest, AJournalIsRefusedWhereAMeshHasChanged) {
  const auto beam = [&](double length) {
    write("beam.inp",
          fmt::format(
              "*NODE\n1, 0, 0, 0\n2, {}, 0, 0\n*ELEMENT, TYPE=B31, ELSET=all\n1, 1, 2\n*NSET, NSET=root\n1\n",
              length));
  };
  beam(1);
  write("model.yaml", R"(tappet: 1
dimension: spatial
materials: {steel: {young: 210e9, poisson: 0.3, density: 7850}}
bodies:
  bar: {structure: {mesh: beam.inp, material: steel, section: {rectangle: [10 mm, 10 mm]}, fix: {root: [x, y, z, rx, ry, rz]},
                    points: {tip: {at: [1, 0, 0]}}, loads: {pull: {on: tip, force: [0, 0, 1]}}}}
simulation: {method: moreau, duration: 1 ms, step: 0.1 ms}
)");
  write("meshes.yaml",
        "study: 1\nmodel: model.yaml\nparameters: {young: {path: materials.steel.young, from: 100 GPa, to: "
        "200 GPa, count: 3}}\n"
        "metrics: {sag: max(abs(bar.tip.uz))}\n");
  study_ = load_study(path("meshes.yaml"));
  const auto whole = rows(1);
  ASSERT_EQ(whole.size(), 3u);
  ASSERT_EQ(whole[0].reason, "");
  ASSERT_EQ(whole[0].files.size(), 1u);
  EXPECT_EQ(rows(1, "j"), whole);
  // From the journal, as long as the mesh is the same.
  SweepProgress progress;
  EXPECT_EQ(run_sweep(study_, {.threads = 1,
                               .journal = path("j"),
                               .progress = [&](const SweepProgress& now) { progress = now; }}),
            whole);
  EXPECT_EQ(progress.resumed, 3u);
  beam(1.1);
  EXPECT_THAT([&] { rows(1, "j"); }, ::testing::ThrowsMessage<InputError>(::testing::AllOf(
                                         HasSubstr("was computed before the file"),
                                         HasSubstr("beam.inp' was changed: use --restart"))));
}

}  // namespace
}  // namespace tappet::sweep_test
