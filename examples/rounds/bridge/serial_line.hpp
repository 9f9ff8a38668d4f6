// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// The frames of ../line.h on a serial device, or on a UNIX socket that stands for one.
class SerialLine {
 public:
  struct Frame {
    char kind = 0;
    std::vector<std::uint8_t> body;
  };

  /// Throws Unusable.
  explicit SerialLine(const std::string& path);
  SerialLine(const SerialLine&) = delete;
  SerialLine& operator=(const SerialLine&) = delete;
  ~SerialLine();

  /// Waits for the next frame that adds up; nothing at the end of the line.
  [[nodiscard]] std::optional<Frame> receive();
  void send(char kind, std::span<const std::uint8_t> body = {});

 private:
  [[nodiscard]] bool take(std::uint8_t* out, std::size_t size) const;
  int file_ = -1;
};
