// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "serial_line.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "readings.hpp"

namespace {

constexpr std::uint8_t k_mark = 0xa5;
constexpr std::size_t k_body_max = 1088;  // as ../line.h

int open_line(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return -1;
  if (!S_ISSOCK(facts.st_mode)) {
    const int file = ::open(path.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    termios settings{};
    if (file >= 0 && ::tcgetattr(file, &settings) == 0) {
      ::cfmakeraw(&settings);
      (void)::tcsetattr(file, TCSANOW, &settings);
    }
    return file;
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int file = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (file < 0 || ::connect(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return file;
  const int fault = errno;
  ::close(file);
  errno = fault;
  return -1;
}

}  // namespace

SerialLine::SerialLine(const std::string& path) : file_(open_line(path)) {
  if (file_ < 0) throw Unusable(path + ": " + std::strerror(errno));
}

SerialLine::~SerialLine() { ::close(file_); }

bool SerialLine::take(std::uint8_t* out, std::size_t size) const {
  while (size > 0) {
    const ssize_t got = ::read(file_, out, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    out += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

std::optional<SerialLine::Frame> SerialLine::receive() {
  for (;;) {
    std::uint8_t head[4], sum[2];
    if (!take(head, 1)) return std::nullopt;
    if (head[0] != k_mark) continue;
    if (!take(head + 1, 3)) return std::nullopt;
    Frame frame{static_cast<char>(head[1]), {}};
    frame.body.resize(head[2] | static_cast<std::size_t>(head[3]) << 8);
    if (frame.body.size() > k_body_max) continue;
    if (!take(frame.body.data(), frame.body.size()) || !take(sum, sizeof sum)) return std::nullopt;
    unsigned told = head[1] + head[2] + head[3];
    for (const std::uint8_t byte : frame.body) told += byte;
    if ((told & 0xffff) == (sum[0] | static_cast<unsigned>(sum[1]) << 8)) return frame;
  }
}

void SerialLine::send(char kind, std::span<const std::uint8_t> body) {
  std::vector<std::uint8_t> out = {k_mark, static_cast<std::uint8_t>(kind), static_cast<std::uint8_t>(body.size()),
                                   static_cast<std::uint8_t>(body.size() >> 8)};
  out.insert(out.end(), body.begin(), body.end());
  unsigned sum = 0;
  for (std::size_t i = 1; i < out.size(); ++i) sum += out[i];
  out.push_back(static_cast<std::uint8_t>(sum));
  out.push_back(static_cast<std::uint8_t>(sum >> 8));
  for (std::size_t at = 0; at < out.size();) {
    const ssize_t sent = ::write(file_, out.data() + at, out.size() - at);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;  // the next receive() sees the end
    at += static_cast<std::size_t>(sent);
  }
}
