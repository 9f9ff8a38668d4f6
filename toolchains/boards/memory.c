// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The four functions that GCC may call in freestanding code. Byte loops, because they are small and the library copies
// little. Built with -fno-tree-loop-distribute-patterns, without which GCC replaces each loop by a call to the function
// itself.
#include <stddef.h>

void* memcpy(void* restrict to, const void* restrict from, size_t bytes) {
  unsigned char* out = to;
  const unsigned char* in = from;
  while (bytes-- != 0) *out++ = *in++;
  return to;
}

void* memmove(void* to, const void* from, size_t bytes) {
  unsigned char* out = to;
  const unsigned char* in = from;
  if (out <= in) {
    while (bytes-- != 0) *out++ = *in++;
  } else {
    while (bytes-- != 0) out[bytes] = in[bytes];
  }
  return to;
}

void* memset(void* to, int value, size_t bytes) {
  unsigned char* out = to;
  while (bytes-- != 0) *out++ = (unsigned char)value;
  return to;
}

int memcmp(const void* left, const void* right, size_t bytes) {
  const unsigned char* a = left;
  const unsigned char* b = right;
  for (; bytes != 0; ++a, ++b, --bytes) {
    if (*a != *b) return *a < *b ? -1 : 1;
  }
  return 0;
}
