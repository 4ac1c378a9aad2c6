// "joints.wrist.clearance.journal_radius=9.8mm": one value of the model replaced from outside the file.
#include "tappet/spec/paths.hpp"
#include "tappet/spec/value.hpp"
#include "tappet/spec/yaml_builder.hpp"
#include "tappet/spec/yaml_reader.hpp"

namespace tappet {

void apply_setting(Value& root, const std::string& setting) {
  const SourcePos pos{std::make_shared<const std::string>("--set " + setting), 0, 0};
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0)
    throw_input_error(pos, "a setting is written path.to.key=value");
  Value value = read_yaml_fragment(setting.substr(equals + 1), pos);
  set_value(root, setting.substr(0, equals), std::move(value), pos);
}

}  // namespace tappet
