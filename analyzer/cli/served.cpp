// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "served.hpp"

#include <fmt/format.h>

#include "estimate.hpp"
#include "master_key.hpp"
#include "owner_only.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/data/design_file.hpp"
#include "study_directory.hpp"

namespace sotto::cli {

using analyzer::Error;
using analyzer::Result;

Result<analyzer::ServedStudy> open_served_study(const std::string& directory, const std::filesystem::path& data) {
  Result<StudyDirectory> opened = open_study_directory(directory);
  if (!opened) return opened.error();
  StudyDirectory& own = opened.value();
  if (!own.study || !own.study->regression) {
    return Error{"serve.no_protocol", "only a study with [protocol] has rounds that a server can run", directory,
                 "collect its reports in files, and use sotto estimate"};
  }
  const Result<Manifest> manifest = analyzer::read_manifest(own.manifest, directory + "/manifest.bin");
  if (!manifest) return manifest.error();
  if (body_of(own.manifest).size() != own.manifest.size()) {
    return Error{"serve.signed", "the server has no key to sign the rounds of a signed study with", directory,
                 "run its rounds with sotto estimate --close --key KEY"};
  }
  const Result<std::optional<HeldKey>> held = load_master_key(own.path);
  if (!held) return held.error();
  if (manifest.value().authenticated && !held.value()) return no_master_key(own);
  analyzer::ServedStudy out{
      std::move(*own.study), own.manifest, {}, nullptr, fmt::format("sotto estimate {}", own.path.string()), {}, {}};
  if (held.value()) out.master = held.value()->get();
  const Digest digest = manifest_digest(manifest.value());
  if (out.study.regression->protocol->asks_labels) {
    Result<std::unique_ptr<analyzer::DesignFile>> design =
        analyzer::DesignFile::open(own.path / analyzer::k_design_name, digest);
    if (!design) return design.error();
    out.design = std::move(design).value();
  }
  const OwnerOnly owner_only;
  out.data = analyzer::data_directory(data, analyzer::hex_text(digest));
  std::error_code failed;
  std::filesystem::create_directories(out.data, failed);
  if (failed) {
    return Error{"io.cannot_write", "cannot make the directory: " + failed.message(), out.data.string(),
                 "check the directory and its rights"};
  }
  return out;
}

}  // namespace sotto::cli
