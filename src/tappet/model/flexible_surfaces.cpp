#include "tappet/model/flexible_surfaces.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "tappet/fem/flexible_reduction.hpp"
#include "tappet/geometry/shapes/sphere.hpp"
#include "tappet/model/joint_contacts.hpp"
#include "tappet/model/method.hpp"
#include "tappet/model/model.hpp"
#include "tappet/multibody/contact_laws.hpp"
#include "tappet/multibody/flexible_faces.hpp"

namespace tappet {
namespace {

// GROUP of BODY.GROUP; "" where this is another body's, a shape on an interface, or a pattern, which stands for shapes.
std::string group_named(const std::string& name, const FlexibleBody& body) {
  const std::string start = body.name + ".";
  if (!name.starts_with(start) || name.find('*') != std::string::npos) return "";
  const std::string rest = name.substr(start.size());
  const auto on = [&](const FlexibleInterface& i) {
    return !i.of_surface() && rest.starts_with(i.name + ".");
  };
  return std::any_of(body.interfaces.begin(), body.interfaces.end(), on) ? "" : rest;
}

// Of the mesh's node, in normal coordinates.
FlexibleInterface frame_of(int node, const std::string& name, const FlexibleBody& body) {
  const fem::Structure& s = body.mesh->structure;
  FlexibleInterface out;
  out.name = name;
  out.node = node;
  out.position = s.mesh.nodes[node];
  out.translation = body.mesh->shapes.middleRows(s.first_unknown[node], 3) * body.given;
  return out;
}

// Distance to the nearest other node of an element that has this one, m.
double spacing_at(int node, const fem::Structure& s) {
  double least = HUGE_VAL;
  for (const fem::Element& e : s.elements) {
    const auto nodes = s.nodes_of(e);
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) continue;
    for (const int other : nodes)
      if (other != node) least = std::min(least, (s.mesh.nodes[other] - s.mesh.nodes[node]).norm());
  }
  return std::isfinite(least) ? least : extent(s.mesh);
}

// Faces between the nodes of a group, as triangles of the body's frames; empty: these are no corners of faces.
std::vector<std::array<int, 3>> triangles_of(const std::string& group, const FlexibleBody& body) {
  const std::vector<Vec3>& x = body.mesh->structure.mesh.nodes;
  std::map<int, int> frame_of_node;
  std::vector<int> nodes;
  for (std::size_t i = 0; i < body.interfaces.size(); ++i) {
    const FlexibleInterface& each = body.interfaces[i];
    if (each.node < 0 || each.name.substr(0, each.name.rfind('.')) != group) continue;
    frame_of_node[each.node] = static_cast<int>(i);
    nodes.push_back(each.node);
  }
  std::sort(nodes.begin(), nodes.end());
  std::vector<std::array<int, 3>> out;
  const auto add = [&](int a, int b, int c) {
    out.push_back({frame_of_node.at(a), frame_of_node.at(b), frame_of_node.at(c)});
  };
  for (const fem::Face& f : fem::surface_faces(body.mesh->structure.mesh, nodes)) {
    const int* n = f.nodes;
    if (f.count() == 3) {
      add(n[0], n[1], n[2]);
    } else if ((x[n[2]] - x[n[0]]).norm() <= (x[n[3]] - x[n[1]]).norm()) {
      add(n[0], n[1], n[2]), add(n[0], n[2], n[3]);
    } else {
      add(n[0], n[1], n[3]), add(n[1], n[2], n[3]);
    }
  }
  return out;
}

NamedParameters shapes_of(const Object& interface) {
  NamedParameters out;
  if (interface.has("shapes"))
    for (const Object& shape : interface.objects("shapes")) out.emplace_back(shape.name, shape.parameters());
  return out;
}

}  // namespace

void add_surface_nodes(const Spec& spec, FlexibleBody& body, Diagnostics& diagnostics) {
  std::set<std::string> known;
  for (const Object& contact : spec.contacts) {
    if (!contact.has("between")) continue;
    for (const Name& name : contact.names("between")) {
      const std::string group = group_named(name.text, body);
      if (group.empty() || !known.insert(group).second) continue;
      if (!body.mesh) {
        diagnostics.error(
            name.pos,
            fmt::format("contact '{}' names '{}', but flexible body '{}' is given by its integrals and "
                        "has no mesh with groups of nodes; contacts may name BODY.INTERFACE.SHAPE, shapes "
                        "on its interfaces",
                        contact.name, name.text, body.name));
        continue;
      }
      int number = 0;
      for (const int node : fem::nodes_of_group(body.mesh->structure, group, name.pos, diagnostics)) {
        if (body.mesh->structure.node_unknowns[node] == 0) continue;
        body.interfaces.push_back(frame_of(node, fmt::format("{}.{}", group, ++number), body));
      }
    }
  }
}

void add_face_frames(const Spec& spec, Model& model) {
  Mechanism& m = model.mechanism;
  if (m.dimension != Dimension::spatial) return;
  for (const Object& contact : spec.contacts) {
    if (!contact.has("between") || contact.names("between").size() != 2) continue;
    const auto ball = std::find_if(m.surfaces.begin(), m.surfaces.end(), [&](const Surface& s) {
      return s.name == contact.names("between")[1].text && dynamic_cast<const Sphere*>(s.shape.get());
    });
    if (ball == m.surfaces.end()) continue;
    for (FlexibleBody& body : m.flexible.bodies) {
      const std::string group = group_named(contact.names("between")[0].text, body);
      if (group.empty() || !body.mesh) continue;
      FlexibleFaces faces;
      faces.contact = contact.name;
      faces.triangles = triangles_of(group, body);
      if (faces.triangles.empty()) continue;
      faces.probe = ball->body;
      faces.centre = static_cast<const Sphere&>(*ball->shape).centre;
      FlexibleInterface frame;
      frame.name = group;
      frame.position = body.mesh->structure.mesh.nodes[body.interfaces[faces.triangles[0][0]].node];
      frame.translation = Eigen::MatrixXd::Zero(3, body.modes);
      frame.rotation = frame.translation;
      frame.faces = std::make_shared<const FlexibleFaces>(std::move(faces));
      frame.foot = m.flexible.feet++;
      body.interfaces.push_back(std::move(frame));
      ++m.flexible.carried;
    }
  }
}

bool compile_face_contact(const Object& o, const Materials& materials, Model& model,
                          Diagnostics& diagnostics) {
  Mechanism& m = model.mechanism;
  for (const FlexibleBody& body : m.flexible.bodies)
    for (std::size_t n = 0; n < body.interfaces.size(); ++n) {
      const FlexibleInterface& at = body.interfaces[n];
      if (!at.faces || at.faces->contact != o.name) continue;
      for (const char* key : {"engine", "mesh_tolerance", "rolling_resistance", "spinning_resistance",
                              "rolling_velocity", "group", "lift"})
        if (o.given(key))
          diagnostics.error(o.where(key),
                            fmt::format("contact '{}' has `{}`, which a ball on faces of a flexible "
                                        "body does not use",
                                        o.name, key));
      const auto ball = std::find_if(m.surfaces.begin(), m.surfaces.end(),
                                     [&](const Surface& s) { return s.name == o.names("between")[1].text; });
      const bool rigid = method_type(model.settings).rigid();
      std::vector<std::unique_ptr<ContactPoint>> points;
      points.push_back(std::make_unique<FaceContact>(body.interface + static_cast<int>(n), at.faces->probe,
                                                     at.faces->centre,
                                                     static_cast<const Sphere&>(*ball->shape).R));
      points[0]->name = o.name;
      if (!give_laws({contact_laws_of(o.parameters()), fmt::format("contact '{}'", o.name), materials,
                      diagnostics, rigid},
                     points, model.notes))
        return true;
      if (!rigid && points[0]->friction_law->traits().kind != FrictionKind::regularised)
        diagnostics.error(
            o.where("friction"),
            fmt::format("contact '{}' is one of a ball with faces of a flexible body: method smooth "
                        "then needs a friction law of the sliding velocity alone, which '{}' is not; "
                        "use such a law, or method moreau",
                        o.name, o.object("friction").type));
      add_contacts(std::move(points), m);
      return true;
    }
  return false;
}

void compile_flexible_surfaces(const Spec& spec, Model& model, Diagnostics& diagnostics) {
  Mechanism& m = model.mechanism;
  for (const FlexibleBody& body : m.flexible.bodies) {
    const auto object = std::find_if(spec.bodies.begin(), spec.bodies.end(),
                                     [&](const Object& o) { return o.name == body.name; });
    const Object& o = object->object("flexible");
    for (std::size_t n = 0; n < body.interfaces.size(); ++n) {
      const FlexibleInterface& interface = body.interfaces[n];
      const int frame = body.interface + static_cast<int>(n);
      const std::string name = body.name + "." + interface.name;
      std::vector<Surface> made;
      if (interface.faces) continue;
      if (interface.of_surface()) {
        made.push_back({name, frame, std::make_shared<Sphere>(Vec3::Zero(), 0.0, m.dimension)});
        made.back().group = name.substr(0, name.rfind('.'));
        made.back().spacing = spacing_at(interface.node, body.mesh->structure);
      } else if (o.has("interfaces")) {
        for (const Object& each : o.objects("interfaces"))
          if (each.name == interface.name)
            made = make_surfaces(shapes_of(each), name, frame, m.dimension, diagnostics);
      }
      for (Surface& surface : made) {
        surface.owner = body.body;
        surface.carrier = name;
        m.surfaces.push_back(std::move(surface));
      }
    }
  }
}

}  // namespace tappet
