// Read back by hand: .mat of level 4, .npz as a zip archive of .npy, text.
#include "tappet/results/matrix_file.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tappet/base/diagnostics.hpp"

namespace tappet::testing::matrix_file_test {
namespace {

namespace fs = std::filesystem;

struct MatrixFile : ::testing::Test {
  fs::path folder = fs::temp_directory_path() / "tappet_matrix_file";
  Eigen::MatrixXd A = (Eigen::MatrixXd(2, 3) << 1, 2, 3, 4, 5, 0.1).finished();
  void SetUp() override { fs::remove_all(folder), fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }
  std::string written(const std::string& name) {
    write_matrix_file((folder / name).string(), {{"A", A, "rows", ""}}, {{"rows", {"a", "bcd"}}});
    std::ostringstream out;
    out << std::ifstream(folder / name, std::ios::binary).rdbuf();
    return out.str();
  }
  template <class T>
  static T at(const std::string& bytes, std::size_t place) {
    T out;
    std::memcpy(&out, bytes.data() + place, sizeof out);
    return out;
  }
};

TEST_F(MatrixFile, MatIsWhatMatlabReads) {
  const std::string bytes = written("a.mat");
  // tappet = 1 comes first: 20 bytes of header, 7 of name, 8 of data.
  const std::size_t begin = 20 + 7 + 8;
  EXPECT_EQ(at<std::int32_t>(bytes, begin), 0);
  EXPECT_EQ(at<std::int32_t>(bytes, begin + 4), 2);
  EXPECT_EQ(at<std::int32_t>(bytes, begin + 8), 3);
  EXPECT_EQ(at<std::int32_t>(bytes, begin + 16), 2);  // "A" and its end
  const double columns[] = {1, 4, 2, 5, 3, 0.1};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(at<double>(bytes, begin + 22 + 8 * i), columns[i]);
  const std::size_t texts = begin + 22 + 48;
  EXPECT_EQ(at<std::int32_t>(bytes, texts), 1);
  EXPECT_EQ(at<std::int32_t>(bytes, texts + 8), 3);
  EXPECT_EQ(at<double>(bytes, texts + 25), 'a');
  EXPECT_EQ(bytes.size(), texts + 25 + 48);
}

TEST_F(MatrixFile, NpzIsAnArchiveOfArrays) {
  const std::string bytes = written("a.npz");
  EXPECT_EQ(bytes.substr(0, 4), "PK\x03\x04");
  const std::size_t begin = bytes.find("A.npy") + 5;
  EXPECT_EQ(bytes.substr(begin, 6), "\x93NUMPY");
  EXPECT_NE(bytes.find("'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), "), std::string::npos);
  const std::size_t header = at<std::uint16_t>(bytes, begin + 8);
  EXPECT_EQ((header + 10) % 64, 0u);
  EXPECT_EQ(at<double>(bytes, begin + 10 + header + 8), 4);
  EXPECT_NE(bytes.find("'descr': '<U3', 'fortran_order': True, 'shape': (2,), "), std::string::npos);
  const std::size_t end = bytes.rfind("PK\x05\x06");
  EXPECT_EQ(end + 22, bytes.size());
  EXPECT_EQ(at<std::uint16_t>(bytes, end + 10), 3);
  EXPECT_EQ(at<std::uint32_t>(bytes, end + 12) + at<std::uint32_t>(bytes, end + 16), end);
}

TEST_F(MatrixFile, TextNamesRowsAndColumns) {
  EXPECT_EQ(written("a.csv").substr(0, 59),
            "matrix,row,column,value\nA,a,1,1\nA,a,2,2\nA,a,3,3\nA,bcd,1,4\nA");
}

TEST_F(MatrixFile, ReplacesItsOwnAndNothingElse) {
  for (const char* name : {"a.mat", "a.npz", "a.csv"}) {
    EXPECT_EQ(written(name), written(name));
    std::ofstream(folder / name) << "somebody's";
    EXPECT_THROW(written(name), InputError) << name;
  }
  EXPECT_THROW(written("a.txt"), InputError);
}

}  // namespace
}  // namespace tappet::testing::matrix_file_test
