// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <valgrind/memcheck.h>

#include <cstddef>
#include <cstdlib>
#include <vector>

namespace sotto {

/// Valgrind complains about every branch and every address that depends on these bytes from now on.
inline void make_secret(void* bytes, std::size_t size) { static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(bytes, size)); }
template <class T>
void make_secret(T& object) {
  make_secret(&object, sizeof object);
}

/// What is about to be sent: everybody may look. Ends the program when no bit of it depends on a secret: then the case has lost
/// its secret on the way, and shows nothing.
inline void make_public(void* bytes, std::size_t size) {
  std::vector<unsigned char> undefined(size);
  static_cast<void>(VALGRIND_GET_VBITS(bytes, undefined.data(), size));
  bool depends = false;
  for (const unsigned char bits : undefined) depends = depends || bits != 0;
  if (!depends) std::abort();
  static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(bytes, size));
}
template <class T>
void make_public(T& object) {
  make_public(&object, sizeof object);
}

}  // namespace sotto
