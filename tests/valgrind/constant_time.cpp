// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// constant_time CASE, run under valgrind: secrets are undefined memory, so that each branch and each address that depends on
// one is an error. A case is a function here and a name in CMakeLists.txt. The cases that begin with leak must be caught.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "cases.hpp"
#include "secret.hpp"

namespace {

using namespace sotto;

volatile std::uint32_t sink;

void leak_by_branch() {
  std::uint32_t secret = 5;
  make_secret(secret);
  if ((secret & 1u) != 0) sink = 1;
}

void leak_by_address() {
  static const std::uint32_t table[4] = {1, 2, 3, 4};
  std::uint32_t secret = 2;
  make_secret(secret);
  sink = static_cast<const volatile std::uint32_t*>(table)[secret & 3u];
}

constexpr Case k_leaks[] = {{"leak_by_branch", leak_by_branch}, {"leak_by_address", leak_by_address}};

std::array<std::span<const Case>, 4> lists() { return {k_leaks, seal_cases(), randomizer_cases(), session_cases()}; }

/// Whether the names are those of all cases: what CMakeLists.txt runs is what there is.
int compare_names(int count, char** names) {
  int found = 0, all = 0;
  for (const std::span<const Case> list : lists()) {
    for (const Case& c : list) {
      ++all;
      for (int i = 0; i < count; ++i) found += std::strcmp(c.name, names[i]) == 0;
    }
  }
  std::printf("cases: %d of %d named, %d are there\n", found, count, all);
  return found == count && count == all ? 0 : 4;
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "cases") == 0) return compare_names(count - 2, arguments + 2);
  if (RUNNING_ON_VALGRIND == 0) {
    std::puts("this shows nothing without valgrind");
    return 2;
  }
  const char* const name = count == 2 ? arguments[1] : "";
  for (const std::span<const Case> list : lists()) {
    for (const Case& c : list) {
      if (std::strcmp(c.name, name) != 0) continue;
      c.run();
      std::printf("%s: done\n", name);
      return 0;
    }
  }
  std::printf("no case '%s'\n", name);
  return 3;
}
