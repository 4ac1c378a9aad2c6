#include "tappet/results/refuse.hpp"

#include "tappet/base/diagnostics.hpp"

namespace tappet {

void refuse(const std::string& file, const std::string& message) {
  std::vector<Diagnostic> diagnostics(1);
  diagnostics[0].pos.file = std::make_shared<const std::string>(file);
  diagnostics[0].message = message;
  throw InputError(std::move(diagnostics));
}

}  // namespace tappet
