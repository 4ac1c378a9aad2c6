#include "tappet/model/flexible_arrays.hpp"

#include <algorithm>

namespace tappet {
namespace {

using Array = std::optional<Eigen::MatrixXd>;

// "a/b/c" → "a" and "b/c".
std::pair<std::string, std::string> first_part(const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return {path, ""};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

Eigen::MatrixXd matrix_of_rows(const std::vector<std::vector<double>>& rows) {
  std::size_t columns = 0;
  for (const auto& row : rows) columns = std::max(columns, row.size());
  // A row that is too short shows as a number that is none.
  Eigen::MatrixXd out = Eigen::MatrixXd::Constant(static_cast<Eigen::Index>(rows.size()),
                                                  static_cast<Eigen::Index>(columns), not_given);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < rows[r].size(); ++c)
      out(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = rows[r][c];
  return out;
}

class ArraysOfModel final : public FlexibleArrays {
 public:
  explicit ArraysOfModel(const Object& o) : o_(o) {}

  Array find(const std::string& path) const override {
    const auto [object, key] = locate(path);
    if (!object || !object->has(key)) return std::nullopt;
    for (const Parameter& p : object->table->parameters) {
      if (p.name != key) continue;
      if (p.kind == Kind::number) return Eigen::MatrixXd::Constant(1, 1, object->number(key));
      if (p.kind == Kind::matrix) return matrix_of_rows(object->points(key));
      const std::vector<double>& v = object->vector(key);
      return Eigen::Map<const Eigen::RowVectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
    }
    return std::nullopt;
  }
  SourcePos where(const std::string& path) const override {
    const auto [object, key] = locate(path);
    return object ? object->where(key) : o_.pos;
  }
  std::vector<std::string> interfaces() const override {
    std::vector<std::string> out;
    if (o_.has("interfaces"))
      for (const Object& each : o_.objects("interfaces")) out.push_back(each.name);
    return out;
  }

 private:
  std::pair<const Object*, std::string> locate(const std::string& path) const {
    auto [first, rest] = first_part(path);
    const Object* at = nullptr;
    if (first == "interfaces") {
      const auto [name, key] = first_part(rest);
      if (o_.has("interfaces"))
        for (const Object& each : o_.objects("interfaces"))
          if (each.name == name) at = &each;
      std::tie(first, rest) = first_part(key);
    } else if (o_.has("arrays")) {
      at = &o_.object("arrays");
    }
    if (!at || rest.empty()) return {at, first};
    return at->has(first) ? std::pair(&at->object(first), rest) : std::pair<const Object*, std::string>();
  }

  const Object& o_;
};

}  // namespace

std::unique_ptr<FlexibleArrays> arrays_of(const Object& flexible) {
  return std::make_unique<ArraysOfModel>(flexible);
}

}  // namespace tappet
