// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

namespace sotto {

/// A port of loopback that nobody listens on at this moment.
inline std::uint16_t free_port() {
  const int file = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in own{};
  own.sin_family = AF_INET;
  own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof own;
  const bool bound = ::bind(file, reinterpret_cast<sockaddr*>(&own), size) == 0 &&
                     ::getsockname(file, reinterpret_cast<sockaddr*>(&own), &size) == 0;
  ::close(file);
  if (!bound) throw std::runtime_error("no free port");
  return ntohs(own.sin_port);
}

/// A nats-server of this test alone, on loopback; it goes with the object.
class BrokerProcess {
 public:
  BrokerProcess(const std::string& program, const std::filesystem::path& directory, bool has_jetstream = true)
      : port(free_port()) {
    const std::filesystem::path config = directory / "broker.conf";
    std::ofstream out(config);
    out << "server_name: test\nlisten: 127.0.0.1:" << port << "\nmax_payload: 128KB\n";
    if (has_jetstream) {
      out << "jetstream { store_dir: \"" << (directory / "store").string() << "\", max_mem: 64M, max_file: 2G }\n";
    }
    out.close();
    const std::string log = (directory / "broker.log").string();
    child_ = ::fork();
    if (child_ == 0) {
      ::execl(program.c_str(), program.c_str(), "-c", config.c_str(), "-l", log.c_str(), nullptr);
      ::_exit(127);
    }
    for (int i = 0; i < 200 && !answers(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  BrokerProcess(const BrokerProcess&) = delete;
  BrokerProcess& operator=(const BrokerProcess&) = delete;
  ~BrokerProcess() {
    ::kill(child_, SIGKILL);
    (void)::waitpid(child_, nullptr, 0);
  }
  [[nodiscard]] std::string address() const { return "nats://127.0.0.1:" + std::to_string(port); }

  const std::uint16_t port;

 private:
  [[nodiscard]] bool answers() const {
    const int file = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool is_there = ::connect(file, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
    ::close(file);
    return is_there;
  }
  pid_t child_ = -1;
};

}  // namespace sotto
