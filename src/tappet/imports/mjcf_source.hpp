// The text of an MJCF: files that it includes, its compiler's settings, its classes of defaults; numbers and places of elements.
// Private to imports/.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/xml.hpp"

namespace tappet {

class MjcfSource {
 public:
  /// Throws InputError.
  MjcfSource(const std::string& xml, std::string file);

  const XmlElement& root() const { return root_; }
  const std::string& file() const { return file_; }

  // Settings of <compiler>.
  bool degrees = true;        ///< angles are in degrees
  std::string euler = "xyz";  ///< eulerseq
  bool autolimits = true;
  std::string mesh_folder;
  bool inertia_from_geoms = false, no_inertia_from_geoms = false;
  bool balance = false;  ///< balanceinertia
  double bound_mass = 0, bound_inertia = 0;
  bool strip_path = false;

  [[noreturn]] void fault(const XmlElement& e, const std::string& message) const;

  /// An element's attribute, or what its class of defaults says; "" when neither does.
  const std::string& attribute(const XmlElement& e, const std::string& childclass,
                               const std::string& name) const;
  bool has(const XmlElement& e, const std::string& childclass, const std::string& name) const {
    return !attribute(e, childclass, name).empty();
  }
  /// Its numbers, in between `least` and `most` of them; empty when there is no such attribute.
  std::vector<double> numbers(const XmlElement& e, const std::string& childclass, const std::string& name,
                              std::size_t least, std::size_t most) const;
  double number(const XmlElement& e, const std::string& childclass, const std::string& name,
                double otherwise) const;
  Eigen::Vector3d vector(const XmlElement& e, const std::string& childclass, const std::string& name,
                         const Eigen::Vector3d& otherwise) const;
  /// "true" or "false", or whether it is there, for "auto".
  bool flag(const XmlElement& e, const std::string& childclass, const std::string& name,
            bool automatic) const;
  double angle(double written) const;  ///< rad

  /// `pos` with `quat`, `axisangle`, `euler`, `xyaxes` or `zaxis`.
  Eigen::Isometry3d place(const XmlElement& e, const std::string& childclass) const;

 private:
  using Attributes = std::map<std::string, std::string>;
  /// What a class of defaults says itself; the rest says the one that it was made from. A copy of that would be as large as all above it.
  struct Class {
    int parent = -1;
    std::map<std::string, Attributes> own;  ///< kind of element, attribute
  };
  void include_files(XmlElement& e, const std::string& folder, int depth);
  void read_compiler();
  void read_defaults(const XmlElement& e, const std::string& name, int parent);

  std::string file_;
  XmlElement root_;
  std::vector<Class> classes_;
  std::map<std::string, int> class_of_;
  std::set<std::string> included_;
  std::size_t included_elements_ = 0;
};

}  // namespace tappet
