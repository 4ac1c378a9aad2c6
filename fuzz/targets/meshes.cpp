// Meshes of structures: .msh and .inp, from bytes. What was read has cells that name its nodes; coordinates that are not finite numbers
// the structure refuses.
#include <string>

#include "tappet/fem/mesh_reader.hpp"
#include "target.hpp"

namespace tappet::fuzz::mesh_targets {
namespace {

void run_with(const char* ending, std::string_view input) {
  const fem::MeshFormat* const format = fem::MeshFormatRegistry::instance().find(ending);
  if (!format) throw Contradiction(std::string("no reader for ") + ending);
  Diagnostics diagnostics;
  try {
    const fem::Mesh mesh = format->read(std::string("fuzz") + ending, std::string(input), diagnostics);
    for (std::size_t cell = 0; cell < mesh.cells.size(); ++cell)
      for (const int node : mesh.nodes_of(static_cast<int>(cell)))
        if (node < 0 || static_cast<std::size_t>(node) >= mesh.nodes.size())
          throw Contradiction("a cell names a node that does not exist");
  } catch (const InputError&) {
  }
}

void run_msh(std::string_view input) {
  run_with(".msh", input);
}
void run_inp(std::string_view input) {
  run_with(".inp", input);
}

const Registration<FuzzTarget> msh{{.name = "msh",
                                    .help = "meshes of Gmsh, text and binary",
                                    .examples = {},
                                    .run = run_msh,
                                    .words = {"$MeshFormat\n",
                                              "$EndMeshFormat\n",
                                              "2.2 0 8\n",
                                              "4.1 0 8\n",
                                              "4.1 1 8\n",
                                              "2.2 1 8\n",
                                              "4 0 8\n",
                                              "$Nodes\n",
                                              "$EndNodes\n",
                                              "$Elements\n",
                                              "$EndElements\n",
                                              "$Entities\n",
                                              "$EndEntities\n",
                                              "$PhysicalNames\n",
                                              "$EndPhysicalNames\n",
                                              "$NOD\n",
                                              "$ENDNOD\n",
                                              "$ELM\n",
                                              "$ENDELM\n",
                                              "18446744073709551615",
                                              "2147483648",
                                              "-1",
                                              "1e400",
                                              "nan"}}};
const Registration<FuzzTarget> inp{{.name = "inp",
                                    .help = "meshes of Abaqus and CalculiX",
                                    .examples = {},
                                    .run = run_inp,
                                    .words = {"*NODE\n",
                                              "*NODE, NSET=a\n",
                                              "*ELEMENT, TYPE=C3D8, ELSET=e\n",
                                              "*ELEMENT, TYPE=C3D10\n",
                                              "*ELEMENT, TYPE=S4\n",
                                              "*NSET, NSET=n, GENERATE\n",
                                              "*ELSET, ELSET=s\n",
                                              "*SURFACE, NAME=f, TYPE=ELEMENT\n",
                                              ", S1\n",
                                              "*HEADING\n",
                                              "*STEP\n",
                                              "*PART, NAME=p\n",
                                              "*END PART\n",
                                              "*INSTANCE, NAME=i, PART=p\n",
                                              "*INCLUDE, INPUT=x\n",
                                              "**\n",
                                              "2147483648",
                                              "1, 2000000000, 1\n",
                                              "-1",
                                              "1e400"}}};

}  // namespace
}  // namespace tappet::fuzz::mesh_targets
