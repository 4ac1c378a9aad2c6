// Reads the key `structure` of a body into fem::Body: body_reader.cpp in what order, and the mesh; body_sections.cpp
// what elements are made of; body_parts.cpp what is attached to nodes.
#pragma once

#include <string>
#include <vector>

#include "tappet/fem/body.hpp"

namespace tappet::fem {

struct BodyInput {
  const Object& object;      ///< the body: its key `structure`, and where it is
  std::string model_folder;  ///< mesh files are looked for from here
  const std::vector<Object>& materials;
  Diagnostics& diagnostics;
  std::vector<std::string>& notes;
  const char* key = "structure";  ///< or `flexible`: the mesh then stays in the axes that it is given in
};

class BodyReader {
 public:
  explicit BodyReader(const BodyInput& in) : in_(in), o_(in.object.object(in.key)) { out_.pos = o_.pos; }

  Body read();

 private:
  void fault(const SourcePos& pos, const std::string& text);
  bool read_mesh_of();
  void place_mesh();
  void check_size();

  int material(const std::string& name, const SourcePos& pos);
  int material_of(const Object* section);
  Section section_of(const Object& o);
  void use_cells(const std::vector<int>& cells, const Object* o);
  bool lies_in_plane(const Cell& cell, const ElementType& type, const SourcePos& pos);
  int none();
  void read_sections();

  const Group* find_group(const std::string& name, const SourcePos& pos);
  void read_supports();
  int nearest(const Vec3& local) const;
  void read_points();
  /// Nodes of a point or a group.
  std::vector<int> nodes_of(const std::string& name, const SourcePos& pos);
  void read_masses();
  void read_springs();
  void read_loads();
  void read_motions();
  void check_motions();
  void check_moments();
  void check_large_rotations();
  void read_attachments();

  const BodyInput& in_;
  const Object& o_;
  Body out_;
  Vec3 place_ = Vec3::Zero();
  Mat3 turn_ = Mat3::Identity();
};

/// Reads and checks everything. With errors in the diagnostics the result is not to be used.
Body read_body(const BodyInput& in);

}  // namespace tappet::fem
