// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The file that holds the features of a label-private study, where the analyst knows the features and only the labels
/// are private. Estimation reads it row by row through a memory map.

#include <filesystem>
#include <memory>

#include "sotto/analyzer/data/public_design.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {

/// The name of the file with the features, in the directory of a label study.
inline constexpr const char* k_design_name = "design.bin";

/// A design matrix in a memory-mapped file: the page cache of the operating system keeps the parts that are in use.
///
/// Bytes, little-endian: "SOTD" (4), version 2 (1), zero (3), digest of the manifest (32), rows (8), features (4), zero
/// (4), the rows' pseudonyms (8 each, rising), the rows (2 for each feature, Q15), SHA-256 of all that (32).
class DesignFile final : public PublicDesign {
 public:
  /// Cost      reads the file once to check its digest.
  /// Refuses   io.cannot_read; design.not_a_design: another format, or a length that the header contradicts;
  ///           design.other_version; design.damaged: the digest differs; design.other_study; design.unsorted:
  ///           pseudonyms are not rising.
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

/// Writes a design, readable by its owner only, because it says which device holds which row. Rows without known
/// features are omitted.
/// Refuses   io.cannot_write.
[[nodiscard]] Result<Done> write_design(const std::filesystem::path& path, const Digest& study,
                                        const PublicDesign& design);

}  // namespace sotto::analyzer
