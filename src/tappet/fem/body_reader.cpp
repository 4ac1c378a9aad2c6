#include "tappet/fem/body_reader.hpp"

#include <filesystem>
#include <string_view>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "tappet/fem/generator.hpp"
#include "tappet/fem/mesh_reader.hpp"

namespace tappet::fem {

Body BodyReader::read() {
  Structure& s = out_.structure;
  s.name = in_.object.name;
  const int errors_before = in_.diagnostics.error_count();
  const auto faulty = [&] { return in_.diagnostics.error_count() > errors_before; };
  if (!read_mesh_of()) return std::move(out_);
  place_mesh();
  read_sections();
  read_points();
  read_supports();
  read_masses();
  read_springs();
  read_loads();
  read_motions();
  read_attachments();
  s.lumped_mass = o_.text("mass") == "lumped";
  s.turns = std::string_view(in_.key) == "structure" && o_.boolean("large_rotations");
  if (o_.has("damping")) {
    s.mass_damping = o_.object("damping").number("mass");
    s.stiffness_damping = o_.object("damping").number("stiffness");
  }
  if (faulty()) return std::move(out_);
  check(s, o_.pos, in_.diagnostics);
  if (faulty()) return std::move(out_);
  number_unknowns(s);
  check_motions();
  check_moments();
  if (o_.has("light_contact"))
    for (const Name& n : o_.names("light_contact")) {
      nodes_of_group(s, n.text, n.pos, in_.diagnostics);
      out_.light_groups.push_back(n.text);
    }
  if (o_.has("reduce")) {
    const Object& r = o_.object("reduce");
    out_.reduced_modes = r.integer("modes");
    if (r.has("keep"))
      for (const Name& n : r.names("keep")) {
        const std::vector<int> nodes = nodes_of(n.text, n.pos);
        out_.kept_nodes.insert(out_.kept_nodes.end(), nodes.begin(), nodes.end());
      }
  }
  if (s.turns) check_large_rotations();
  out_.mass = total_mass(s, &out_.centre);
  if (s.free == s.moved) fault(o_.pos, "is held everywhere: nothing can move");
  if (!(out_.mass > 0)) fault(o_.pos, "has no mass: give its material a `density`");
  check_size();
  out_.finished = !faulty();
  if (std::string_view(in_.key) == "structure")
    in_.notes.push_back(fmt::format("structure '{}': {} nodes, {} elements, {} unknowns, {:.6g} kg", s.name,
                                    s.mesh.nodes.size(), s.elements.size(), s.free - s.moved, out_.mass));
  return std::move(out_);
}

void BodyReader::fault(const SourcePos& pos, const std::string& text) {
  in_.diagnostics.error(pos, fmt::format("structure '{}' {}", in_.object.name, text));
}

bool BodyReader::read_mesh_of() {
  if (o_.has("mesh") == o_.has("generate")) {
    fault(o_.pos, fmt::format("has {} `mesh` {} `generate`; give one of them",
                              o_.has("mesh") ? "both" : "neither", o_.has("mesh") ? "and" : "nor"));
    return false;
  }
  Mesh& mesh = out_.structure.mesh;
  if (o_.has("generate")) {
    const Object& g = o_.object("generate");
    const Generator* generator = GeneratorRegistry::instance().find(g.type);
    if (!generator || in_.diagnostics.has_errors()) return false;
    mesh = generator->make(g, in_.diagnostics);
  } else {
    const std::filesystem::path path = std::filesystem::path(in_.model_folder) / o_.text("mesh");
    mesh = read_mesh(path.string(), o_.where("mesh"), in_.diagnostics);
    for (Vec3& x : mesh.nodes) x *= o_.number("scale");
  }
  for (const Vec3& x : mesh.nodes)
    if (!x.allFinite()) {
      fault(o_.pos, "has a mesh with a coordinate that is not a finite number");
      return false;
    }
  return !mesh.nodes.empty();
}

void BodyReader::place_mesh() {
  const Object& b = in_.object;
  for (const char* key : {"mass", "density", "inertia", "shapes"})
    if (b.given(key))
      fault(b.where(key), fmt::format("has `{}`, which is for rigid bodies: mass and surfaces of a "
                                      "structure come from its mesh and material",
                                      key));
  if (std::string_view(in_.key) == "flexible") return;
  Mat3 R = Mat3::Identity();
  if (b.has("orientation")) {
    const auto& e = b.vector("orientation");
    R = Eigen::Quaterniond(e[0], e[1], e[2], e[3]).toRotationMatrix();
  }
  Vec3 r = Vec3::Zero();
  if (b.has("position")) r = Vec3(b.vector("position")[0], b.vector("position")[1], b.vector("position")[2]);
  for (Vec3& x : out_.structure.mesh.nodes) x = r + R * x;
  place_ = r, turn_ = R;
  if (b.has("velocity"))
    out_.velocity = Vec3(b.vector("velocity")[0], b.vector("velocity")[1], b.vector("velocity")[2]);
  if (b.has("angular_velocity"))
    out_.angular_velocity = Vec3(b.vector("angular_velocity")[0], b.vector("angular_velocity")[1],
                                 b.vector("angular_velocity")[2]);
}

// A mesh in millimetres read as metres: steel parts of a kilometre, or of the weight of a ship.
void BodyReader::check_size() {
  const double size = extent(out_.structure.mesh);
  if (size > 50)
    in_.diagnostics.warning(o_.pos, fmt::format("structure '{}' is {:.4g} m long and weighs {:.4g} kg; if "
                                                "its mesh is in millimetres, give `scale: 1 mm`",
                                                in_.object.name, size, out_.mass));
  else if (size < 1e-5)
    in_.diagnostics.warning(
        o_.pos, fmt::format("structure '{}' is {:.4g} m long; lengths are in metres", in_.object.name, size));
}

Body read_body(const BodyInput& in) {
  return BodyReader(in).read();
}

}  // namespace tappet::fem
