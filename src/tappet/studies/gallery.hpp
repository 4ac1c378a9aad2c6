// One page of reproduced figures: what each document says, whether we see it, and by which numbers.
#pragma once

#include <string>
#include <vector>

#include "tappet/studies/reproduce.hpp"

namespace tappet {

/// HTML that needs no other file: the pictures, read from `folder`, are in it.
std::string gallery_page(const std::vector<Reproduction>& figures, const std::string& folder);

}  // namespace tappet
