#include "tappet/model/contact_support.hpp"

#include <algorithm>

namespace tappet {

const ContactSupport& ContactKindType::by(const MethodType& method) const {
  static const ContactSupport moves{false, "structures move by themselves"},
      bends{false, "its shapes move by themselves"};
  if (method.prescribed && (kind == ContactKind::flexible || kind == ContactKind::flexible_faces))
    return bends;
  if (method.prescribed && kind != ContactKind::followed && kind != ContactKind::group) return moves;
  switch (method.treatment) {
    case ContactTreatment::forces:
      return forces;
    case ContactTreatment::events:
      return events;
    case ContactTreatment::steps:
      break;
  }
  return steps;
}

const std::vector<ContactKindType>& contact_kinds() {
  static const ContactSupport runs, sliding{true, "with friction laws of the sliding velocity alone"},
      vanishes{false, "a node's own mass vanishes with the mesh, and an impact of it with that"},
      welded{false, "attached nodes are held by impulses of a step"},
      massless{false, "nodes without mass have no accelerations"},
      modal{true, "restitution 0 alone converges in modes"};
  static const std::vector<ContactKindType> all = {
      {ContactKind::followed, "contact of two surfaces, clearance joint, limit, backlash", runs, runs, runs},
      {ContactKind::group, "group of contacts", sliding, {true, "each place followed by itself"}, runs},
      {ContactKind::nodes, "nodes of a structure on a surface", sliding, vanishes, runs},
      {ContactKind::faces, "nodes, corners or a ball on faces of a structure", sliding, vanishes, runs},
      {ContactKind::structure, "structure that touches nothing", runs, runs, runs},
      {ContactKind::attachment, "structure attached to a body", welded, welded, runs},
      {ContactKind::light, "`light_contact`", massless, massless, runs},
      {ContactKind::flexible, "clearance joint, shape or node of a flexible body", runs, modal, modal},
      {ContactKind::flexible_faces, "ball on faces of a flexible body", sliding, modal, modal},
  };
  return all;
}

const ContactSupport& contact_support(ContactKind kind, const RunSettings& settings) {
  const auto& all = contact_kinds();
  const auto found =
      std::find_if(all.begin(), all.end(), [kind](const ContactKindType& t) { return t.kind == kind; });
  return found->by(method_type(settings));
}

std::string contact_table() {
  const auto& methods = MethodRegistry::instance().entries();
  std::string out = "|", rule = "|---|";
  for (const MethodType& method : methods) out += " | " + method.name, rule += "---|";
  out += " |\n" + rule + "\n";
  for (const ContactKindType& kind : contact_kinds()) {
    out += "| " + kind.name;
    for (const MethodType& method : methods) {
      const ContactSupport& support = kind.by(method);
      out += support.runs ? " | runs" : " | refused";
      if (!support.words.empty()) out += (support.runs ? " " : ": ") + support.words;
    }
    out += " |\n";
  }
  return out;
}

}  // namespace tappet
