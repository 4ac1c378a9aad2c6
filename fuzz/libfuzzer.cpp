// The targets under libFuzzer, which comes with clang: the environment variable TAPPET_FUZZ_TARGET names the one.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "names.hpp"
#include "target.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace tappet::fuzz {
namespace {

const FuzzTarget& chosen() {
  static const FuzzTarget* const target = [] {
    const char* name = std::getenv("TAPPET_FUZZ_TARGET");
    const FuzzTarget* found = name ? TargetRegistry::instance().find(name) : nullptr;
    if (!found) {
      std::fprintf(stderr, "TAPPET_FUZZ_TARGET names no target\n");
      std::exit(2);
    }
    return found;
  }();
  return *target;
}

}  // namespace
}  // namespace tappet::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tappet::fuzz::chosen().run({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  if (tappet::fuzz::chosen().names && seed % 2 == 0) {
    const std::string out = tappet::fuzz::name_neighbour({reinterpret_cast<const char*>(data), size}, seed);
    if (!out.empty() && out.size() <= max_size) {
      std::memcpy(data, out.data(), out.size());
      return out.size();
    }
  }
  return LLVMFuzzerMutate(data, size, max_size);
}
