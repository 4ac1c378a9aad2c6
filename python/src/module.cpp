#include "bindings.hpp"
#include "tappet/base/version.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace tappet::python;
  module.doc() = "What the package tappet needs of its library. Use tappet, not this.";
  module.attr("version") = tappet::version();
  bind_errors(module);
  bind_model(module);
  bind_run(module);
  bind_simulation(module);
  bind_result_file(module);
  bind_laws(module);
  bind_python_laws(module);
  bind_python_forces(module);
  bind_sweep(module);
  bind_lcp(module);
}
