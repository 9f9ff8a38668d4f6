// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <filesystem>
#include <memory>

#include "sotto/analyzer/data/public_design.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {

/// Of the features, in the directory of a label study.
inline constexpr const char* k_design_name = "design.bin";

/// A design in a file that is mapped, not read: what is in memory is the system's page cache.
///
/// Bytes, little-endian: "SOTD" (4), version 2 (1), zero (3), digest of the manifest (32), rows (8), features (4), zero (4), the rows'
/// pseudonyms (8 each, rising), the rows (2 for each feature, Q15), SHA-256 of all that (32).
class DesignFile final : public PublicDesign {
 public:
  /// Cost      reads the file once, for its digest.
  /// Refuses   io.cannot_read; design.not_a_design: other bytes, or not as many as the head says; design.other_version; design.damaged:
  ///           the digest differs; design.other_study; design.unsorted: pseudonyms do not rise.
  [[nodiscard]] static Result<std::unique_ptr<DesignFile>> open(const std::filesystem::path& path, const Digest& study);
  ~DesignFile() override;

  [[nodiscard]] std::uint64_t rows() const noexcept override { return rows_; }
  [[nodiscard]] std::uint32_t features() const noexcept override { return features_; }
  [[nodiscard]] std::uint64_t pseudonym(std::uint64_t row) const override;
  bool read(std::uint64_t row, std::span<Q15> out) const override;

 private:
  DesignFile() = default;

  const std::uint8_t* bytes_ = nullptr;
  std::size_t size_ = 0;
  std::uint64_t rows_ = 0;
  std::uint32_t features_ = 0;
};

/// Writes a design, for its owner to read. Rows of which nothing is known are left out.
/// Refuses   io.cannot_write.
[[nodiscard]] Result<Done> write_design(const std::filesystem::path& path, const Digest& study,
                                        const PublicDesign& design);

}  // namespace sotto::analyzer
