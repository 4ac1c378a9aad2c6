// Matrices with names as files of other programs: MATLAB's .mat (level 4, which all of its versions and SciPy read), NumPy's .npz, and
// comma-separated text.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace tappet {

struct NamedMatrix {
  std::string name;
  Eigen::MatrixXd values;
  std::string rows, columns;  ///< lists of names below, which name rows and columns in text; "": by number
};
struct NamedTexts {
  std::string name;
  std::vector<std::string> texts;
};

/// By the ending of `file`: .mat, .npz or .csv. Throws InputError for another, and for a file that is not ours to replace.
void check_matrix_file(const std::string& file, const std::vector<std::string>& inputs = {});
void write_matrix_file(const std::string& file, const std::vector<NamedMatrix>& matrices,
                       const std::vector<NamedTexts>& texts, const std::vector<std::string>& inputs = {});

}  // namespace tappet
