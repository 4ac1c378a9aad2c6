// Text on the pages that studies write.
#pragma once

#include <string>
#include <string_view>

namespace tappet {

/// Text as it stands in HTML, within quotation marks too.
inline std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

}  // namespace tappet
