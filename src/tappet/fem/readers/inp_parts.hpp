// What an .inp file says, before it is a mesh: parts with their nodes, elements, sets and surfaces, and instances of parts in the
// assembly. A file without parts is one part. Private to readers/.
#pragma once

#include <deque>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <Eigen/Geometry>

#include "tappet/base/diagnostics.hpp"
#include "tappet/fem/mesh.hpp"
#include "tappet/fem/readers/inp_elements.hpp"

namespace tappet::fem::inp {

/// A line of a file, for messages.
struct FilePlace {
  std::shared_ptr<const std::string> path;
  int line = 0;
};

/// first, first + step … up to last, which GENERATE asks for; none where step is 0.
struct Range {
  long first = 0, last = 0, step = 0;
  unsigned long count() const {
    return (static_cast<unsigned long>(last) - static_cast<unsigned long>(first)) /
               static_cast<unsigned long>(step) +
           1;
  }
};

struct Member {
  std::string instance;  ///< "" for the set's own
  std::string text;      ///< a number or the name of a set; "" for a range
  FilePlace place;
  Range range = {};
};

struct Set {
  std::string name;
  bool nodes = false;
  std::vector<Member> members = {};
  std::vector<std::string> of_elements = {};  ///< element sets whose nodes belong to it
  bool busy = false;
};

struct RawElement {
  ElementFamily family;
  long label = 0;
  std::vector<long> nodes;
  FilePlace place;
};

/// A face of elements: S1 … S6, SPOS and SNEG as faces of solids are numbered there.
struct SurfacePiece {
  Member where;  ///< an element or a set of them
  std::string face;
};
struct Surface {
  std::string name;
  bool nodes = false;
  std::vector<SurfacePiece> pieces;
};

struct Part {
  std::string name;
  std::vector<long> labels;
  std::vector<Vec3> nodes;
  std::unordered_map<long, int> node_of;
  std::vector<RawElement> elements;
  std::unordered_map<long, int> element_of;
  std::deque<Set> sets;
  std::vector<Surface> surfaces;

  void put_node(long label, const Vec3& x);
  void put_element(RawElement element);
  Set& set_of(const std::string& name, bool nodes);
  /// Names are the same whatever their case. Null when there is none.
  Set* find_set(const std::string& name, bool nodes);
};

struct Instance {
  std::string name;
  Part* part = nullptr;
  Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
};

class Parts {
 public:
  explicit Parts(std::string path) : path_(std::make_shared<const std::string>(std::move(path))) {
    parts.emplace_back();
  }

  std::deque<Part> parts;  ///< the first: what stands in none, and in the assembly
  std::deque<Instance> instances;

  Part& root() { return parts.front(); }
  Part* find_part(const std::string& name);

  /// Numbers of a set of a part, its own ones only.
  std::vector<long> labels(Part& part, const std::string& set, bool nodes, const FilePlace& place);

  Mesh mesh(Diagnostics& diagnostics);

 private:
  /// A node or an element of an instance (−1: of the assembly).
  struct Reference {
    int instance;
    long label;
  };
  struct Scope {
    Part* part = nullptr;
    std::unordered_map<long, int> nodes, cells;  ///< label → in the mesh
  };
  void place(Mesh& mesh, Part& part, const Eigen::Isometry3d& at, Scope& scope) const;
  Part& part_of(int instance) { return instance < 0 ? root() : *instances[instance].part; }
  int instance_called(const std::string& name) const;
  void collect(int instance, Set& set, std::vector<Reference>& out, int depth = 0);
  void collect_member(int instance, bool nodes, const Member& member, std::vector<Reference>& out,
                      int depth = 0);
  void collect_range(int target, bool nodes, const Member& member, std::vector<Reference>& out);
  void add_labels(Part& part, const std::string& set, bool nodes, const FilePlace& place,
                  std::vector<long>& out, int depth);
  /// Members of all sets together, so that sets of sets of sets end.
  void count_members(std::size_t more, const FilePlace& place);
  void add_groups(Mesh& mesh, int instance);
  void add_surface(Mesh& mesh, int instance, const Surface& surface, const std::string& name);
  const Scope& scope_of(int instance) const { return scopes_[static_cast<std::size_t>(instance + 1)]; }
  std::string group_name(int instance, const std::string& name) const;

  std::shared_ptr<const std::string> path_;
  std::vector<Scope> scopes_;
  std::size_t members_ = 0;
  long lost_nodes_ = 0, lost_elements_ = 0;
  std::set<std::string> lost_sets_;
};

[[noreturn]] void fault_at(const FilePlace& place, const std::string& message);
std::string upper(std::string text);

}  // namespace tappet::fem::inp
