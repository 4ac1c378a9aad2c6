// Geometry of a URDF as shapes of a model. Private to imports/.
#pragma once

#include <map>
#include <string>
#include <urdf_model/model.h>
#include <vector>

#include <Eigen/Geometry>

#include "tappet/imports/urdf_options.hpp"
#include "tappet/spec/value.hpp"

namespace tappet {

class UrdfShapes {
 public:
  /// `file`: the description, from which meshes are looked for.
  UrdfShapes(std::string file, const UrdfOptions& options, std::vector<std::string>& notes);

  /// A shape at `place` of its body; null after a note when there is none.
  Value shape(const urdf::Geometry& geometry, const Eigen::Isometry3d& place, const std::string& link);

 private:
  /// How a mesh file can be taken.
  struct Mesh {
    std::string path;  ///< "" when it cannot be
    bool repair = false, convex = false;
    std::string reason;  ///< of what it is not taken as, or of nothing
  };
  Value mesh(const urdf::Mesh& mesh, const Eigen::Isometry3d& place, const std::string& link);
  Mesh judge(const urdf::Mesh& mesh) const;
  /// Where a file is: `package://NAME/REST` in a folder called NAME above the description or in one of the packages'
  /// folders. "" when it is in none.
  std::string find_file(const std::string& name) const;
  std::string as_written(const std::string& path) const;

  std::string file_;
  const UrdfOptions& options_;
  std::vector<std::string>& notes_;
  std::map<std::string, Mesh> judged_;
};

}  // namespace tappet
