// The page as the build made it. The assembler takes it in: as a literal of 750 kB it would be the compiler's longest file.
#include "tappet/results/viewer_page.hpp"

asm(R"(
.pushsection .rodata
.hidden tappet_viewer_page
.hidden tappet_viewer_page_end
.global tappet_viewer_page
.global tappet_viewer_page_end
tappet_viewer_page:
.incbin "page.html"
tappet_viewer_page_end:
.byte 0
.popsection
)");

extern "C" __attribute__((visibility("hidden"))) const char tappet_viewer_page[], tappet_viewer_page_end[];

namespace tappet {

std::string_view viewer_page() {
  return {tappet_viewer_page, static_cast<std::size_t>(tappet_viewer_page_end - tappet_viewer_page)};
}

}  // namespace tappet
