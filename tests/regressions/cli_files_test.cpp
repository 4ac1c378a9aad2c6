// Files that commands read and write: what a result was computed from is known when it is resumed, and nobody's file is lost for an output.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regressions/program.hpp"
#include "support/paths.hpp"
#include "tappet/base/hdf5.hpp"
#include "tappet/base/version.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/results/result_writer.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::test::cli_files_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string examples = testing::source_dir() + "/examples/";

class CliFilesTest : public ProgramTest {
 protected:
  void expect_refused(const std::vector<std::string>& arguments, const std::string& words) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << fmt::format("{}", fmt::join(arguments, " ")) << "\n"
                                 << outcome.out << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(words)) << fmt::format("{}", fmt::join(arguments, " "));
  }

  /// A beam on a support that a table shakes.
  void write_shaken_beam(double length, double shake) const {
    write("beam.inp",
          fmt::format(
              "*NODE\n1, 0, 0, 0\n2, {}, 0, 0\n*ELEMENT, TYPE=B31, ELSET=all\n1, 1, 2\n*NSET, NSET=root\n1\n",
              length));
    write("quake.csv", fmt::format("t,z\n0,0\n1,{}\n", shake));
    write("beam.yaml", R"(tappet: 1
dimension: spatial
materials: {steel: {young: 210e9, poisson: 0.3, density: 7850}}
bodies:
  bar: {structure: {mesh: beam.inp, material: steel, section: {rectangle: [10 mm, 10 mm]}, fix: {root: [x, y, rx, ry, rz]},
                    points: {tip: {at: [1, 0, 0]}}, move: {root: {table: quake.csv}}}}
simulation: {method: moreau, duration: 1 ms, step: 0.1 ms}
)");
  }

  /// The integrals of a flexible body, by HDF5's own tools where they are.
  static void write_integrals(const std::string& file, double mass = 2) {
    const std::pair<const char*, double> numbers[] = {{"mass", mass}, {"inertia", 0.7}};
    const hdf5::Handle made{H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
    for (const auto& [name, value] : numbers) {
      const hdf5::Handle space{H5Screate(H5S_SCALAR), H5Sclose};
      const hdf5::Handle dataset{
          H5Dcreate2(made, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose};
      H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
    }
    const hdf5::Handle group{H5Gcreate2(made, "S", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
    for (const char* name : {"S/xx", "S/yy", "stiffness"})
      hdf5::write_table(made, name, 1, {name[1] == 't' ? 100.0 : 1.0});
  }

  /// A result of this model that was begun and not ended, as another program of this build, or of `build`, left it.
  void begin(const std::string& model, const std::string& result, const std::string& build = "") const {
    Diagnostics diagnostics;
    const auto old = fs::current_path();
    fs::current_path(folder_);  // names in the result are as the program would have them
    const Spec spec = load_spec(model);
    const auto compiled = compile(spec, diagnostics);
    Simulation simulation(*compiled);
    auto writer =
        ResultWriter::create(result, {.signals = simulation.signals(),
                                      .contacts = simulation.contact_names(),
                                      .events = simulation.event_names(),
                                      .title = spec.title,
                                      .model_file = spec.file,
                                      .model_text = spec.model_text,
                                      .created = "",
                                      .program_version = version(),
                                      .structures = simulation.field_meshes(),
                                      .field_samples = static_cast<std::size_t>(simulation.field_samples()),
                                      .build = build,
                                      .files = compiled->files});
    fs::current_path(old);
  }
};

TEST_F(CliFilesTest, ResumeNamesTheFileThatHasChanged) {
  write_shaken_beam(1, 0.001);
  begin("beam.yaml", "a.h5");
  write_shaken_beam(1.1, 0.001);
  expect_refused({"run", "beam.yaml", "-o", "a.h5", "--resume"},
                 "a.h5: error: was begun with other files: the file 'beam.inp' has changed since then");
  write_shaken_beam(1, 0.002);
  expect_refused({"run", "beam.yaml", "-o", "a.h5", "--resume"},
                 "the file 'quake.csv' has changed since then");
  write_shaken_beam(1, 0.001);
  EXPECT_EQ(run({"run", "beam.yaml", "-o", "a.h5", "--resume", "-q"}).status, 0);
  EXPECT_THAT(run({"run", "beam.yaml", "-o", "a.h5", "--resume"}).err, HasSubstr("already complete"));
  // Complete, but of another mesh.
  write_shaken_beam(1.1, 0.001);
  expect_refused({"run", "beam.yaml", "-o", "a.h5", "--resume"}, "the file 'beam.inp' has changed");
}

TEST_F(CliFilesTest, ResumeRefusesAnotherBuildsResultUnlessAnyWillDo) {
  write_shaken_beam(1, 0.001);
  begin("beam.yaml", "a.h5", "0123456789abcdef");
  expect_refused({"run", "beam.yaml", "-o", "a.h5", "--resume"},
                 "was begun by another build of the program, which may compute otherwise (--any-build goes "
                 "on all the same)");
  const Outcome all_the_same = run({"run", "beam.yaml", "-o", "a.h5", "--resume", "--any-build", "-q"});
  EXPECT_EQ(all_the_same.status, 0) << all_the_same.err;
}

// ---- outputs

/// A command, the file that it writes, and what it reads.
struct Output {
  std::vector<std::string> command;
  std::string written, input = {};
  int refused = 2;  ///< the exit status
};

std::vector<Output> outputs() {
  return {
      {{"run", "cart.yaml", "-q"}, "cart.h5", "cart.yaml"},
      {{"run", "cart.yaml", "-q", "-o", "x.h5", "--report"}, "x.html", "cart.yaml"},
      {{"export", "r.h5", "-o", "r.csv"}, "r.csv", "r.h5"},
      {{"plot", "r.h5", "cart.x", "-o", "r.svg"}, "r.svg", "r.h5"},
      {{"plot", "r.h5", "cart.x", "-o", "r.png"}, "r.png", "r.h5"},
      {{"plot", "r.h5", "cart.x", "-o", "r.pdf"}, "r.pdf", "r.h5"},
      {{"report", "r.h5"}, "r.html", "r.h5"},
      {{"sweep", "s.yaml", "-q"}, "s.csv", "s.yaml"},
      {{"sweep", "s.yaml", "-q"}, "s_peak.svg", "s.yaml"},
      {{"sweep", "s.yaml", "-q"}, "s.journal", "s.yaml"},
      {{"compare", "cart.yaml", "--integrators", "dopri5,dop853"}, "cart_integrators.csv", "cart.yaml"},
      {{"compare", "cart.yaml", "--integrators", "dopri5,dop853"}, "cart_integrators.svg", "cart.yaml"},
      {{"compare", "cart.yaml", "--integrators", "dopri5,dop853"}, "cart_integrators.html", "cart.yaml"},
      {{"import", "r.urdf", "-o", "r.yaml"}, "r.yaml", "r.urdf"},
      {{"export", "r.h5", "--impacts", "-o", "i.csv"}, "i.csv", "r.h5"},
      {{"export", "r.h5", "--events", "-o", "v.csv"}, "v.csv", "r.h5"},
      {{"export", "r.h5", "--json", "-o", "r.json"}, "r.json", "r.h5"},
      {{"export", "r.h5", "--json", "--impacts", "-o", "i.json"}, "i.json", "r.h5"},
      {{"export", "r.h5", "time", "-o", "t.csv"}, "t.csv", "r.h5"},
      {{"export", "r.h5", "-o", "r.mat"}, "r.mat", "r.h5"},
      {{"export", "p.h5", "--loads", "pin", "-o", "l.csv"}, "l.csv", "p.h5"},
      {{"export", "p.h5", "--load-table", "-o", "l.csv"}, "l.csv", "p.h5"},
      {{"solve", "pendulum.yaml", "-o", "m.mat", "-q"}, "m.mat", "pendulum.yaml"},
      {{"solve", "pendulum.yaml", "-o", "m.npz", "-q"}, "m.npz", "pendulum.yaml"},
      {{"solve", "pendulum.yaml", "-o", "m.csv", "-q"}, "m.csv", "pendulum.yaml"},
#ifdef TAPPET_FMI
      {{"export", "r.h5", "-o", "r.npz"}, "r.npz", "r.h5"},
      {{"fmu", "cart.yaml", "-q"}, "cart.fmu", "cart.yaml"},
#endif
      {{"run", "block.yaml", "-q", "-o", "x.h5", "--vtk", "x"}, "x.pvd", "block.yaml"},
      {{"run", "block.yaml", "-q", "-o", "x.h5", "--vtk", "x"}, "x_block_0000.vtu"},
      {{"export", "b.h5", "--vtk", "w"}, "w.pvd", "b.h5"},
      {{"export", "b.h5", "--vtk", "w"}, "w_block_0001.vtu", "b.h5"},
      {{"solve", "block.yaml", "--static", "--json", "--vtk", "s"}, "s_block_static.vtu", "block.yaml"},
      {{"solve", "block.yaml", "--modes", "2", "--json", "--vtk", "s"}, "s_block_mode2.vtu", "block.yaml"},
      {{"solve", "block.yaml", "--static", "--json", "--report", "solved.html"}, "solved.html", "block.yaml"},
      {{"reproduce", "flores-2006", "--figure", "2", "-q", "-o", "figures"}, "figures/index.html"},
      {{"reproduce", "flores-2006", "--figure", "2", "-q", "-o", "figures"}, "figures/verdicts.csv"},
      {{"reproduce", "flores-2006", "--figure", "2", "-q", "-o", "figures"},
       "figures/flores-2006/figure_2_loop.csv",
       {},
       1}};
}

/// As a user has them who is not root: of what may not be written nothing is.
Outcome run_without_rights(const fs::path& folder, std::vector<std::string> arguments) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (const unsigned long right : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER})
      ::prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
    if (::chdir(folder.c_str()) < 0) ::_exit(99);
    const int out = ::open(".err", O_WRONLY | O_TRUNC);
    ::dup2(out, 2), ::dup2(out, 1);
    arguments.insert(arguments.begin(), testing::program());
    std::vector<char*> words;
    for (std::string& word : arguments) words.push_back(word.data());
    words.push_back(nullptr);
    ::execv(testing::program().c_str(), words.data());
    ::_exit(99);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  std::ifstream err(folder / ".err");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          "",
          {std::istreambuf_iterator<char>(err), {}}};
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

// Every output against what may be in its place: somebody's file, a link to one, a folder, a pipe, a device.
TEST_F(CliFilesTest, OutputsCostNobodyAFile) {
  write("cart.yaml",
        "tappet: 1\nbodies: {cart: {mass: 2}}\nforces: {engine: {type: force, body: cart, force: [1, "
        "0]}}\nsimulation: {duration: 1}\n");
  write("s.yaml",
        "study: 1\nmodel: cart.yaml\nparameters: {m: {path: bodies.cart.mass, from: 1, to: 2, count: 2}}\n"
        "metrics: {far: max(cart.x)}\nplots: {peak: {x: m, y: far}}\n");
  write("r.urdf",
        "<robot name=\"r\"><link name=\"world\"/><link name=\"a\"><inertial><mass value=\"1\"/><inertia "
        "ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" "
        "ixz=\"0\" iyz=\"0\"/></inertial></link><joint name=\"j\" type=\"continuous\"><parent "
        "link=\"world\"/><child link=\"a\"/><axis xyz=\"0 0 1\"/></joint></robot>");
  write("block.yaml",
        "tappet: 1\ndimension: spatial\nmaterials: {steel: {young: 210e9, poisson: 0.3, density: "
        "7850}}\nbodies: {block: "
        "{structure: {generate: {block: {size: [1, 1, 1], divisions: [1, 1, 1]}}, material: steel, fix: "
        "{zmin: [x, y, "
        "z]}}}}\nsimulation: {method: moreau, duration: 1 ms, step: 0.1 ms}\noutput: {step: 0.5 ms}\n");
  write("pendulum.yaml",
        "tappet: 1\ngravity: [0, -9.81]\nbodies: {arm: {mass: 1, inertia: 1, position: [0, -1]}}\njoints: "
        "{pin: "
        "{type: revolute, bodies: [ground, arm], points: [[0, 0], [0, 1]]}}\nsimulation: {duration: 0.1}\n");
  ASSERT_EQ(run({"run", "cart.yaml", "-q", "-o", "r.h5"}).status, 0);
  ASSERT_EQ(run({"run", "pendulum.yaml", "-q", "-o", "p.h5"}).status, 0);
  ASSERT_EQ(run({"run", "block.yaml", "-q", "-o", "b.h5"}).status, 0);
  const std::string diary = "Dear diary, today I wrote a line, and another\n";
  write("diary", diary);
  for (const Output& output : outputs()) {
    SCOPED_TRACE(fmt::format("{} -> {}", fmt::join(output.command, " "), output.written));
    const bool page = output.written.ends_with(".html") && output.command[0] != "compare" &&
                      output.command[0] != "reproduce";
    if (page && run({"report", "r.h5", "-o", "probe.html"}).status != 0)
      continue;  // built without the viewer
    const fs::path place = path(output.written);
    fs::create_directories(place.parent_path());
    const auto clear = [&] { fs::remove_all(place); };

    const auto expect_refused = [&] {
      const Outcome outcome = run(output.command);
      EXPECT_EQ(outcome.status, output.refused) << outcome.err;
    };
    clear();
    write(output.written, diary);
    expect_refused();
    EXPECT_EQ(text(output.written), diary);

    clear();
    fs::create_symlink(path("diary"), place);
    expect_refused();
    EXPECT_EQ(text("diary"), diary);

    clear();
    fs::create_directory(place);
    expect_refused();
    EXPECT_TRUE(fs::is_directory(place));

    clear();
    ASSERT_EQ(::mkfifo(place.c_str(), 0600), 0);
    expect_refused();
    EXPECT_TRUE(fs::is_fifo(place));

    clear();
    fs::create_symlink("/dev/full", place);
    expect_refused();

    // What it reads under another name.
    if (!output.input.empty()) {
      const std::string input = text(output.input);
      clear();
      fs::create_hard_link(path(output.input), place);
      // A result by the name of its own model's result is replaced, which is what runs are for.
      expect_refused();
      EXPECT_EQ(text(output.input), input);
    }

    clear();
    const Outcome fine = run(output.command);
    EXPECT_EQ(fine.status, 0) << fine.err;
    const Outcome again = run(output.command);
    EXPECT_EQ(again.status, 0) << "our own is replaced: " << again.err;

    // Our own that may not be written, and a folder in which nothing may be.
    if (fs::exists(place)) {
      const std::string before = text(output.written);
      fs::permissions(place, fs::perms::owner_read);
      EXPECT_EQ(run_without_rights(folder_, output.command).status, output.refused);
      EXPECT_EQ(text(output.written), before);
      clear();
    }
    const auto before = names_in(folder_);
    fs::permissions(place.parent_path(), fs::perms::owner_read | fs::perms::owner_exec);
    const Outcome shut = run_without_rights(folder_, output.command);
    EXPECT_TRUE(shut.status == 1 || shut.status == 2) << shut.status << shut.err;
    EXPECT_THAT(shut.err, AllOf(HasSubstr("Permission denied"), Not(HasSubstr("internal"))));
    fs::permissions(place.parent_path(), fs::perms::owner_all);
    if (place.parent_path() == folder_) {
      EXPECT_EQ(names_in(folder_), before);
    }
    clear();
  }
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

// A robot's model is imported, somebody adds to it, and imports again.
TEST_F(CliFilesTest, AnImportedModelThatWasChangedStays) {
  const std::string robot = examples + "cart/cart.urdf";
  ASSERT_EQ(run({"import", robot, "-o", "cart.yaml"}).status, 0);
  ASSERT_EQ(run({"import", robot, "-o", "cart.yaml"}).status, 0) << "as it was written it is replaced";
  const std::string changed = text("cart.yaml") + "# hours of work\n";
  write("cart.yaml", changed);
  expect_refused({"import", robot, "-o", "cart.yaml"},
                 "cart.yaml: error: has been changed since `tappet import` wrote it: it is not overwritten");
  EXPECT_EQ(text("cart.yaml"), changed);
  EXPECT_EQ(run({"check", "cart.yaml"}).status, 0);
}

TEST_F(CliFilesTest, AStudyIsNotWrittenOver) {
  write("cart.yaml", "tappet: 1\nbodies: {cart: {mass: 2}}\nsimulation: {duration: 1}\n");
  const std::string study =
      "study: 1\nmodel: cart.yaml\nparameters: {m: {path: bodies.cart.mass, from: 1, to: 2, count: "
      "2}}\nmetrics: {far: max(cart.x)}\n";
  write("s.yaml", study);
  expect_refused({"sweep", "s.yaml", "-o", "s.yaml"}, "s.yaml: error: is what is read: choose another name");
  expect_refused({"sweep", "s.yaml", "-o", "cart.yaml"}, "is what is read");
  EXPECT_EQ(text("s.yaml"), study);
}

// Integrals of a flexible body stand in an HDF5 file, as results do.
TEST_F(CliFilesTest, AFileThatTheModelReadsIsNoResult) {
  write("flexible.yaml",
        "tappet: 1\nbodies: {bar: {flexible: {matrices: bar.h5}}}\nsimulation: {duration: 1}\n");
  write_integrals(path("bar.h5"));
  const std::string before = text("bar.h5");
  expect_refused({"run", "flexible.yaml", "-o", "bar.h5"}, "bar.h5: error:");
  EXPECT_EQ(text("bar.h5"), before);
  EXPECT_EQ(run({"run", "flexible.yaml", "-q"}).status, 0);
  // And a result that was computed from it knows when it has changed.
  write_integrals(path("bar.h5"), 3);
  expect_refused({"run", "flexible.yaml", "--resume"}, "the file 'bar.h5' has changed since then");
}

TEST_F(CliFilesTest, WhatStandsBesideAResultIsNotTouched) {
  write("cart.yaml", "tappet: 1\nbodies: {cart: {mass: 2}}\nsimulation: {duration: 1}\n");
  write("diary", "dear diary");
  fs::create_symlink("diary", path("cart.h5.part"));
  EXPECT_EQ(run({"run", "cart.yaml", "-q"}).status, 0);
  EXPECT_EQ(text("diary"), "dear diary");
  EXPECT_TRUE(fs::is_symlink(path("cart.h5.part")));
}

// The largest file that this user may write: a failed write with a sentence, not a death by signal.
TEST_F(CliFilesTest, AFileSizeLimitIsAFailedWrite) {
  const std::string command = fmt::format(
      "cd '{}' && ulimit -f 400 && exec '{}' run '{}slider_crank/ideal.yaml' -o a.h5 --set 'output.step=1 "
      "us' 2> limit.txt",
      folder_.string(), testing::program(), examples);
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_THAT(text("limit.txt"),
              AllOf(HasSubstr("cannot be written: File too large"), Not(HasSubstr("internal error"))));
  EXPECT_NE(ResultFile(path("a.h5")).status(), "completed");
}

// Files of a model that is not trusted: only from its folder.
TEST_F(CliFilesTest, FilesFromOneFolderOnly) {
  fs::create_directory(path("model"));
  write("secret", "root:x:0:0\n");
  write("model/a.yaml", R"(tappet: 1
dimension: spatial
materials: {steel: {young: 210e9, poisson: 0.3, density: 7850}}
bodies: {bar: {structure: {generate: {block: {size: [1, 1, 1], divisions: [1, 1, 1]}}, material: steel, fix: {xmin: [y, z]}, move: {xmin: {table: ../secret}}}}}
simulation: {method: moreau, duration: 1 ms, step: 0.1 ms}
)");
  const Outcome inside = run({"run", "model/a.yaml", "--files-from", "model"});
  EXPECT_EQ(inside.status, 2);
  EXPECT_THAT(inside.err, AllOf(HasSubstr("the table 'secret' lies outside"), Not(HasSubstr("root"))));
  // Nor what a description of another program includes.
  write("model/robot.xml", "<mujoco><worldbody/><include file='../secret'/></mujoco>");
  const Outcome included = run({"run", "model/robot.xml", "--files-from", "model"});
  EXPECT_EQ(included.status, 2);
  EXPECT_THAT(included.err, AllOf(HasSubstr("secret: error: lies outside"), Not(HasSubstr("root"))));
  // And where it may be read, what is in it is not repeated.
  EXPECT_THAT(run({"run", "model/a.yaml"}).err,
              AllOf(HasSubstr("has no column 't' in its first line"), Not(HasSubstr("root"))));
}

}  // namespace
}  // namespace tappet::test::cli_files_test
