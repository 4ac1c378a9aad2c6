#include "tappet/spec/model_source.hpp"

namespace tappet {

Value read_model_file(const std::string& path, std::vector<std::string>* notes) {
  for (const ModelSource& source : Registry<ModelSource>::instance().entries()) {
    if (!path.ends_with(source.name)) continue;
    std::vector<std::string> said;
    Value model = source.read(path, said);
    if (notes) *notes = std::move(said);
    return model;
  }
  return read_yaml_file(path);
}

}  // namespace tappet
