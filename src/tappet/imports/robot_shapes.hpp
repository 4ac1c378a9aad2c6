// Surfaces of a robot's links: shapes, and the files of meshes, which are looked for and judged. Private to imports/.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tappet/geometry/shape.hpp"
#include "tappet/imports/robot.hpp"

namespace tappet {

class RobotShapes {
 public:
  /// `file`: the description, from which meshes are looked for.
  RobotShapes(std::string file, const RobotOptions& options, std::vector<std::string>& notes);

  /// "sphere" {radius}, "box" {full sides}, "cylinder" and "capsule" {radius, length}, "ellipsoid" {semi-axes}. Nothing after a note
  /// when it has no extent. `owner` is what notes call its link: "link 'hand'".
  std::optional<RobotShape> simple(const std::string& type, const std::vector<double>& sizes,
                                   const Eigen::Isometry3d& place, const std::string& owner);
  /// Nothing after a note when the file cannot be used.
  std::optional<RobotShape> mesh(const std::string& file, const Vec3& scale, const Eigen::Isometry3d& place,
                                 const std::string& owner);
  /// Of what a mesh encloses at density 1, in its own coordinates: what mesh() takes. Nothing where there is none.
  std::optional<SolidProperties> solid(const std::string& file, const Vec3& scale);

 private:
  /// How a mesh file can be taken.
  struct Mesh {
    std::string path;  ///< "" when it cannot be
    bool repair = false, convex = false;
    std::string reason;  ///< of what it is not taken as, or of nothing
    SolidProperties solid = {};
  };
  const Mesh& judged(const std::string& file, const Vec3& scale);
  Mesh judge(const std::string& file, const Vec3& scale) const;
  /// Where a file is: `package://NAME/REST` in a folder called NAME above the description or in one of the packages'
  /// folders. "" when it is in none.
  std::string find_file(const std::string& written) const;
  std::string as_written(const std::string& path) const;

  std::string file_;
  const RobotOptions& options_;
  std::vector<std::string>& notes_;
  std::map<std::string, Mesh> judged_;
};

}  // namespace tappet
