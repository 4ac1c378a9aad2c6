// What a build for web pages has not, each with the sentence that it says when it is asked for.
#include <string>

#include "tappet/base/diagnostics.hpp"
#include "tappet/fmi/instance.hpp"
#include "tappet/geometry/mesh_tree.hpp"
#include "tappet/linalg/nested_dissection.hpp"
#include "tappet/model/flexible_arrays.hpp"
#include "tappet/ode/cvode_scheme.hpp"

namespace tappet {

namespace {

/// `needs`: "contacts of meshes need FCL"
std::string sentence(const std::string& needs) {
  return needs + ", which the solver in this page has not; install Tappet to run this model";
}

[[noreturn]] void absent(const std::string& needs) {
  throw InputError({{Severity::error, {}, sentence(needs)}});
}

}  // namespace

// --- SUNDIALS

std::unique_ptr<Scheme> make_cvode_scheme(CvodeMethod method, const SchemeOptions&) {
  absent(method == CvodeMethod::bdf ? "'bdf' needs SUNDIALS" : "'adams' needs SUNDIALS");
}

// --- FCL

std::vector<BoxNode> box_tree(const std::vector<Vec3>&, const std::vector<Triangle>&) {
  absent("contacts of meshes need FCL");
}

int crossing_triangles(const TriangleMesh&) {
  absent("contacts of meshes need FCL");
}

// --- METIS

std::vector<int> nested_dissection(const Graph&, const std::vector<int>&, const std::vector<char>&) {
  absent("structures need METIS");
}

// --- HDF5

std::unique_ptr<FlexibleArrays> arrays_of_file(const Object& flexible, const std::string&,
                                               Diagnostics& diagnostics) {
  diagnostics.error(flexible.where("matrices"), sentence("flexible bodies from files need HDF5"));
  return nullptr;
}

// --- Programs that are loaded while another runs

namespace fmi {

std::shared_ptr<Library> load(const std::shared_ptr<const Package>&) {
  throw InstanceError("cannot be loaded: a page in a browser runs no programs of others");
}

std::unique_ptr<Instance> instantiate(const std::shared_ptr<Library>&, const std::string&, double,
                                      const std::vector<std::pair<const Variable*, double>>&) {
  throw InstanceError("cannot be loaded: a page in a browser runs no programs of others");
}

}  // namespace fmi

}  // namespace tappet
