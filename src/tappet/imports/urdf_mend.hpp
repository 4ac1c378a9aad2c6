// A URDF as its parser takes it. The parser refuses a whole robot for a colour with three numbers or a joint without <limit>;
// here what a model does not need is taken out, and what is missing put in, each with a note. Private to imports/.
#pragma once

#include <string>
#include <vector>

#include "tappet/base/xml.hpp"

namespace tappet {

/// What a surface is called whose cylinder stands for a capsule of its radius and length: the parser knows no capsules.
inline constexpr const char* capsule_mark = "tappet:capsule";

/// Changes the tree of a <robot>. Notes are sentences about what changes the model.
void mend_urdf(XmlElement& robot, std::vector<std::string>& notes);

}  // namespace tappet
