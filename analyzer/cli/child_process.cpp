// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "child_process.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>

namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;

Error cannot_start(std::string_view what) {
  return {"fleet.cannot_start", fmt::format("cannot start a process: {}", std::strerror(errno)), std::string(what),
          "check that the program is installed, and the limits of this user"};
}

/// In the child: its output, its signals, its end; then the program.
[[noreturn]] void become(char* const* arguments, int log, int said) {
  (void)::dup2(log, STDOUT_FILENO);
  (void)::dup2(said >= 0 ? said : log, STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  (void)::sigprocmask(SIG_SETMASK, &none, nullptr);
  (void)::setpgid(0, 0);  // Ctrl-C in a terminal is for the parent, who ends all in order
#ifdef __linux__
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  ::execvp(arguments[0], arguments);
  ::_exit(127);
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command, const std::filesystem::path& log,
                                         bool hears_stderr) {
  int ends[2] = {-1, -1};
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (out < 0) return cannot_start(log.string());
  if (hears_stderr && ::pipe2(ends, O_CLOEXEC) != 0) {
    ::close(out);
    return cannot_start(command.front());
  }
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), out, ends[1]);
  ::close(out);
  if (ends[1] >= 0) ::close(ends[1]);
  if (child > 0) return ChildProcess(command.front(), child, ends[0]);
  if (ends[0] >= 0) ::close(ends[0]);
  return cannot_start(command.front());
}

ChildProcess::~ChildProcess() {
  if (child_ > 0) end(std::chrono::milliseconds(0));
  if (file_ >= 0) ::close(file_);
}

std::string ChildProcess::line(std::chrono::milliseconds wait) {
  const auto until = std::chrono::steady_clock::now() + wait;
  for (;;) {
    const std::size_t end = heard_.find('\n');
    if (end != std::string::npos) {
      std::string out = heard_.substr(0, end);
      heard_.erase(0, end + 1);
      return out;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd one{file_, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&one, 1, static_cast<int>(left.count())) != 1) return {};
    char some[4096];
    const ssize_t got = ::read(file_, some, sizeof some);
    if (got <= 0) return std::exchange(heard_, {});
    heard_.append(some, static_cast<std::size_t>(got));
  }
}

bool ChildProcess::is_running() {
  if (child_ <= 0) return false;
  if (::waitpid(child_, nullptr, WNOHANG) == 0) return true;
  child_ = -1;
  return false;
}

void ChildProcess::ask_to_end() const {
  if (child_ > 0) (void)::kill(child_, SIGTERM);
}

void ChildProcess::end(std::chrono::milliseconds wait) {
  const auto until = std::chrono::steady_clock::now() + wait;
  while (is_running() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (!is_running()) return;
  (void)::kill(child_, SIGKILL);
  (void)::waitpid(child_, nullptr, 0);
  child_ = -1;
}

double ChildProcess::processor_seconds() const {
  std::ifstream file(fmt::format("/proc/{}/stat", child_));
  std::string text;
  std::getline(file, text);
  const std::size_t behind = text.rfind(')');
  if (behind == std::string::npos) return 0;
  std::istringstream fields(text.substr(behind + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

Result<std::vector<std::uint16_t>> free_ports(std::size_t count) {
  std::vector<int> files;
  std::vector<std::uint16_t> ports;
  for (std::size_t i = 0; i < count; ++i) {  // all at once, so that they differ
    files.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in own{};
    own.sin_family = AF_INET;
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof own;
    auto* const address = reinterpret_cast<sockaddr*>(&own);
    if (::bind(files.back(), address, size) == 0 && ::getsockname(files.back(), address, &size) == 0)
      ports.push_back(ntohs(own.sin_port));
  }
  const Error none = cannot_start("a port of 127.0.0.1");
  for (const int file : files) ::close(file);
  if (ports.size() != count) return none;
  return ports;
}

bool is_listened_on(std::uint16_t port) {
  const int file = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool is_there = ::connect(file, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  ::close(file);
  return is_there;
}

std::string own_program() {
  std::error_code failed;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? "sotto" : path.string();
}

}  // namespace sotto::cli
