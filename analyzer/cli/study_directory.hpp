// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/collect/study_directory.hpp"

namespace sotto::cli {

using analyzer::add_round_sum;
using analyzer::body_of;
using analyzer::Bytes;
using analyzer::check_study_sum;
using analyzer::k_study_sums_name;
using analyzer::open_study_directory;
using analyzer::read_bytes;
using analyzer::round_path;
using analyzer::StudyDirectory;
using analyzer::write_bytes;
using analyzer::write_study_sums;

}  // namespace sotto::cli
