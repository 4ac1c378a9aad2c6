// Integrals from an HDF5 file are those of the model file.
#include "tappet/model/flexible_arrays.hpp"

#include <cstdio>
#include <filesystem>
#include <hdf5.h>
#include <sys/stat.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "support/run_model.hpp"
#include "tappet/base/hdf5.hpp"
#include "tappet/base/input_file.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::testing::flexible_arrays_test {
namespace {

using ::testing::HasSubstr;

void put(hid_t file, const char* path, std::vector<hsize_t> extent, const std::vector<double>& values) {
  const hdf5::Handle groups{H5Pcreate(H5P_LINK_CREATE), H5Pclose};
  H5Pset_create_intermediate_group(groups, 1);
  const hdf5::Handle space{extent.empty()
                               ? H5Screate(H5S_SCALAR)
                               : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                           H5Sclose};
  const hdf5::Handle dataset{
      H5Dcreate2(file, path, H5T_NATIVE_DOUBLE, space, groups, H5P_DEFAULT, H5P_DEFAULT), H5Dclose};
  H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

TEST(FlexibleArrays, OfAFileAreThoseOfTheModel) {
  const std::string path = ::testing::TempDir() + "flexible_arrays_test.h5";
  {
    const hdf5::Handle file{H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
    put(file, "mass", {}, {2});
    put(file, "first_moment", {2}, {0.3, 0});
    put(file, "inertia", {}, {0.7});
    put(file, "p", {2, 2}, {0.1, 0.2, 0.3, 0});
    put(file, "X/xy", {2}, {0.2, 0.1});
    put(file, "S/xx", {2, 2}, {1, 0.1, 0.1, 1});
    put(file, "S/yy", {2, 2}, {1, 0, 0, 2});
    put(file, "S/xy", {2, 2}, {0, 0.2, 0.1, 0});
    put(file, "stiffness", {2, 2}, {100, 5, 5, 300});
    put(file, "interfaces/end/position", {2}, {1, 0});
    put(file, "interfaces/end/translation", {2, 2}, {0, 0.5, 1, 0});
    put(file, "interfaces/end/rotation", {1, 2}, {0.4, 0});
  }
  const auto text = [](const std::string& flexible) {
    return fmt::format(R"(
tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies: {{bar: {{angular_velocity: 3, flexible: {{{}}}}}}}
simulation: {{duration: 0.5}}
)",
                       flexible);
  };
  const Recording file = run_text(text("matrices: " + path));
  const Recording model =
      run_text(text("arrays: {mass: 2, first_moment: [0.3, 0], inertia: 0.7, p: [[0.1, 0.2], [0.3, 0]], X: "
                    "{xy: [0.2, 0.1]}, S: {xx: [[1, 0.1], "
                    "[0.1, 1]], yy: [[1, 0], [0, 2]], xy: [[0, 0.2], [0.1, 0]]}, stiffness: [[100, 5], [5, "
                    "300]]}, interfaces: {end: {position: [1, "
                    "0], translation: [[0, 0.5], [1, 0]], rotation: [[0.4, 0]]}}"));
  EXPECT_EQ(largest_difference(file, model), 0);
  EXPECT_GT(file.largest("bar.q1"), 1e-3);
  std::remove(path.c_str());
}

/// What is said of a model whose integrals stand in this file.
std::string said_of(const std::string& path, std::vector<InputFile>* files = nullptr) {
  Diagnostics diagnostics;
  try {
    const auto model =
        compile(spec_from_text("tappet: 1\ndimension: planar\nbodies: {bar: {flexible: {matrices: " + path +
                                   "}}}\nsimulation: {duration: 1}\n",
                               "m.yaml"),
                diagnostics);
    if (files) *files = model->files;
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

class FlexibleFile : public FolderTest {
 protected:
  template <class Change>
  std::string said(Change change) const {
    {
      const hdf5::Handle file{H5Fcreate(path("a.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                              H5Fclose};
      put(file, "mass", {}, {2});
      put(file, "inertia", {}, {0.7});
      put(file, "S/xx", {1, 1}, {1});
      put(file, "S/yy", {1, 1}, {1});
      put(file, "stiffness", {1, 1}, {100});
      change(file);
    }
    return said_of(path("a.h5"));
  }
  static void claim(hid_t file, const char* name, std::vector<hsize_t> extent) {
    H5Ldelete(file, name, H5P_DEFAULT);
    const hdf5::Handle how{H5Pcreate(H5P_DATASET_CREATE), H5Pclose},
        space{H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose};
    const std::vector<hsize_t> chunk(extent.size(), 1);
    H5Pset_chunk(how, static_cast<int>(chunk.size()), chunk.data());
    const hdf5::Handle made{H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT),
                            H5Dclose};
  }
};

// A kilobyte that claims to be eighty gigabytes.
TEST_F(FlexibleFile, SizesAreForetold) {
  EXPECT_EQ(said([](hid_t) {}), "read");
  EXPECT_THAT(said([](hid_t f) {
                claim(f, "stiffness", {100'000, 100'000});
              }),
              HasSubstr("`stiffness` in the file of `matrices` has 100000 × 100000 numbers; of one file "
                        "67108864 are read"));
  EXPECT_THAT(said([](hid_t f) {
                claim(f, "stiffness", {hsize_t{1} << 62, 8});
              }),
              HasSubstr("are read at most"));
  EXPECT_THAT(said([](hid_t f) { claim(f, "stiffness", {2000, 2000}); }), HasSubstr("must be square"));
  EXPECT_THAT(said([](hid_t f) { claim(f, "stiffness", {5, 1}); }), HasSubstr("is 5 × 1; it must be square"));
}

// Numbers of other files, which a stranger's file would choose among all that may be read here.
TEST_F(FlexibleFile, NothingIsReadFromElsewhere) {
  write("secret", std::string(100, 'x'));
  EXPECT_THAT(said([&](hid_t f) {
                H5Ldelete(f, "mass", H5P_DEFAULT);
                const hdf5::Handle how{H5Pcreate(H5P_DATASET_CREATE), H5Pclose},
                    space{H5Screate(H5S_SCALAR), H5Sclose};
                H5Pset_external(how, path("secret").c_str(), 0, 8);
                const hdf5::Handle made{
                    H5Dcreate2(f, "mass", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose};
              }),
              HasSubstr("`mass` in the file of `matrices` is no dataset of this file"));
  said([](hid_t) {});
  std::filesystem::copy_file(path("a.h5"), path("b.h5"));
  EXPECT_THAT(said([&](hid_t f) {
                H5Ldelete(f, "mass", H5P_DEFAULT);
                H5Lcreate_external(path("b.h5").c_str(), "mass", f, "mass", H5P_DEFAULT, H5P_DEFAULT);
              }),
              HasSubstr("`mass` in the file of `matrices` is no dataset of this file"));
  EXPECT_THAT(said([&](hid_t f) {
                H5Lcreate_external(path("b.h5").c_str(), "S", f, "interfaces", H5P_DEFAULT, H5P_DEFAULT);
              }),
              HasSubstr("`interfaces` in the file of `matrices` is no group of this file"));
}

TEST_F(FlexibleFile, WhatHoldsNoNumbersIsSaid) {
  EXPECT_THAT(said([](hid_t f) {
                H5Ldelete(f, "mass", H5P_DEFAULT);
                const hdf5::Handle made = hdf5::create_text(f, "mass", 4);
              }),
              HasSubstr("`mass` in the file of `matrices` does not hold numbers"));
  EXPECT_THAT(said([](hid_t f) { claim(f, "mass", {1, 1, 1}); }), HasSubstr("more than rows and columns"));
}

TEST_F(FlexibleFile, IsAFileAsOthersAre) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(said_of(path("pipe")), HasSubstr("is not an ordinary file"));
  EXPECT_THAT(said_of("/dev/zero"), HasSubstr("is not an ordinary file"));
  write("text", "text");
  EXPECT_THAT(said_of(path("text")), HasSubstr("is not an HDF5 file"));
  said([](hid_t) {});
  // A resumed run knows of it, and a model of a stranger may not reach it everywhere.
  std::vector<InputFile> files;
  EXPECT_EQ(said_of(path("a.h5"), &files), "read");
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].path, path("a.h5"));
  std::filesystem::create_directory(path("model"));
  read_only_from({path("model")});
  EXPECT_THAT(said_of(path("a.h5")), HasSubstr("lies outside"));
  read_only_from({});
}

}  // namespace
}  // namespace tappet::testing::flexible_arrays_test
