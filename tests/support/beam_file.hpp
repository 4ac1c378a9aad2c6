// A mesh file of beams.
#pragma once

#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tappet::testing {

/// A beam of 1 m along x with n elements and the groups `root` and `tip`, in a file of the test's own; its path.
inline std::string beam_file(int n) {
  const std::string path = fmt::format("{}{}_beam.inp", ::testing::TempDir(),
                                       ::testing::UnitTest::GetInstance()->current_test_info()->name());
  std::ofstream file(path);
  file << "*NODE\n";
  for (int i = 0; i <= n; ++i) file << fmt::format("{}, {}, 0, 0\n", i + 1, double(i) / n);
  file << "*ELEMENT, TYPE=B31, ELSET=all\n";
  for (int i = 0; i < n; ++i) file << fmt::format("{}, {}, {}\n", i + 1, i + 1, i + 2);
  file << fmt::format("*NSET, NSET=root\n1\n*NSET, NSET=tip\n{}\n", n + 1);
  return path;
}

}  // namespace tappet::testing
