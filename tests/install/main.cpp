// Prints the version of the library that it was linked with.
#include <cstdio>

#include "tappet/base/version.hpp"

int main() {
  return std::puts(tappet::version()) < 0;
}
