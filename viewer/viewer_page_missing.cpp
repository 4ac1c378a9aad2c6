// Stands in for the page where npm is missing or could not fetch the page's libraries.
#include "tappet/results/viewer_page.hpp"

namespace tappet {
std::string_view viewer_page() {
  return {};
}
}  // namespace tappet
