// Numbers for neighbours. Begun anew for every input, where the standard's engines would take longer than most readers do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tappet::fuzz {

/// SplitMix64: each seed has a sequence of its own, neighbouring ones unlike.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  unsigned operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return static_cast<unsigned>((z ^ z >> 31) >> 32);
  }

 private:
  std::uint64_t state_;
};

inline std::size_t pick(Random& random, std::size_t count) {
  return count == 0 ? 0 : random() % count;
}

}  // namespace tappet::fuzz
