// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any bytes as a design, and designs that are written and then damaged: refused, or every row can be read and pseudonyms rise.
#include "sotto/analyzer/data/design_file.hpp"
#include "sotto/analyzer/data/public_design.hpp"

#include <fstream>
#include <iterator>

#include "../support/temporary_directory.hpp"
#include "fuzz_bytes.hpp"
#include "memory_file.hpp"

using namespace sotto;
using namespace sotto::fuzz;

namespace {

class MadeDesign final : public analyzer::PublicDesign {
 public:
  explicit MadeDesign(Taker& take) : features_(1 + take.u8() % 8), pseudonyms_(take.u8() % 16) {
    std::uint64_t last = 0;
    for (std::uint64_t& p : pseudonyms_) p = last += 1 + take.u8();
  }
  [[nodiscard]] std::uint64_t rows() const noexcept override { return pseudonyms_.size(); }
  [[nodiscard]] std::uint32_t features() const noexcept override { return features_; }
  [[nodiscard]] std::uint64_t pseudonym(std::uint64_t row) const override { return pseudonyms_[row]; }
  bool read(std::uint64_t row, std::span<Q15> out) const override {
    for (Q15& x : out) x = static_cast<Q15>(row * 7);
    return row % 5 != 4;  // nothing is known of some
  }

 private:
  std::uint32_t features_;
  std::vector<std::uint64_t> pseudonyms_;
};

/// The bytes that are written for a design of the fuzzer's size.
std::vector<std::uint8_t> written(Taker& take, const Digest& study) {
  static const TemporaryDirectory directory;
  const MadeDesign design(take);
  const std::filesystem::path path = directory / "design.bin";
  must(analyzer::write_design(path, study, design).ok());
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Taker take({data, size});
  const Digest study{5};
  std::vector<std::uint8_t> bytes;
  if (take.flag()) {
    bytes = written(take, study);
    const bool damaged = take.flag();
    if (damaged) damage(take, bytes);
  } else {
    bytes.assign(take.rest().begin(), take.rest().end());
  }
  const MemoryFile file(bytes);
  const auto design = analyzer::DesignFile::open(file.path(), study);
  if (!design) return 0;
  std::uint64_t last = 0;
  std::vector<Q15> row(design.value()->features());
  for (std::uint64_t r = 0; r < design.value()->rows(); ++r) {
    must(r == 0 || design.value()->pseudonym(r) > last);
    last = design.value()->pseudonym(r);
    static_cast<void>(design.value()->read(r, row));
  }
  return 0;
}
