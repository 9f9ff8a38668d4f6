// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// A child inherits memory, file and lock of its parent. It must not go on with the ledger: it would draw once more for what its
// parent paid. Also where its process id is the parent's, which a PID namespace can bring about.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "sotto_posix.h"
#include "temporary_directory.hpp"

namespace {

enum Outcome : int { kept_out = 0, let_in = 1, not_first = 2, no_flash = 3, no_namespace = 4 };

/// fork(), in a namespace of its own if asked. -1: errno.
pid_t fork_with(unsigned long namespaces) {
  return static_cast<pid_t>(::syscall(SYS_clone, namespaces | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

int outcome_of(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

/// May this process use the flash? Every hook is asked.
Outcome use(const sotto_flash& flash) {
  std::uint8_t bytes[16] = {};
  const bool any = flash.read(flash.context, 0, bytes, sizeof bytes) || flash.sync(flash.context) ||
                   flash.program(flash.context, 0, bytes, sizeof bytes) || flash.erase(flash.context, 0);
  return any ? let_in : kept_out;
}

TEST(ForkGuard, a_child_is_kept_out_and_its_parent_goes_on) {
  const sotto::TemporaryDirectory directory;
  sotto_posix_flash state;
  sotto_flash flash;
  ASSERT_TRUE(sotto_posix_flash_open(&state, (directory / "ledger").c_str(), &flash)) << std::strerror(errno);
  EXPECT_NE(state.cookie, nullptr) << "this kernel keeps pages for children: only process ids tell them apart";
  const pid_t child = fork_with(0);
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(use(flash));
  EXPECT_EQ(outcome_of(child), kept_out);
  EXPECT_EQ(use(flash), let_in);
  sotto_posix_flash_close(&state);
}

/// The first process of a namespace opens the flash and starts the first process of another: both have the number 1.
int first_of_two_namespaces(const std::string& path, unsigned long namespaces) {
  if (::getpid() != 1) return not_first;
  sotto_posix_flash state;
  sotto_flash flash;
  if (!sotto_posix_flash_open(&state, path.c_str(), &flash)) return no_flash;
  const pid_t child = fork_with(namespaces);
  if (child < 0) return no_namespace;
  if (child == 0) ::_exit(::getpid() == 1 ? use(flash) : not_first);
  const int outcome = outcome_of(child);
  return outcome == kept_out && use(flash) != let_in ? let_in : outcome;
}

TEST(ForkGuard, a_child_with_the_same_process_id_is_kept_out) {
  const sotto::TemporaryDirectory directory;
  const std::string path = directory / "ledger";
  pid_t child = -1;
  for (const unsigned long namespaces : {0ul | CLONE_NEWPID, 0ul | CLONE_NEWPID | CLONE_NEWUSER}) {
    child = fork_with(namespaces);
    if (child == 0) ::_exit(first_of_two_namespaces(path, CLONE_NEWPID));
    if (child > 0) break;
  }
  if (child < 0) GTEST_SKIP() << "this system gives no PID namespace: " << std::strerror(errno);
  const int outcome = outcome_of(child);
  if (outcome == no_namespace) GTEST_SKIP() << "this system gives no PID namespace within another";
  EXPECT_EQ(outcome, kept_out);
}

}  // namespace
