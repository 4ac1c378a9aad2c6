// The program's version, stored in every result.
#pragma once

namespace tappet {

const char* version();
/// Of the sources, the compiler and its options: 16 hexadecimal digits. Two builds that compute differently have different ones.
const char* build_identity();

}  // namespace tappet
