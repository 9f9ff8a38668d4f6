// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>

#include "study_service.hpp"

// The pages of the operator: login, list of studies, a study that lives.
namespace sotto::analyzer {

/// The content security policy of these pages: own style sheet, own script, own forms, nothing else.
inline constexpr std::string_view k_live_policy =
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'";
/// Of the page of a model, which carries its style and has no script.
inline constexpr std::string_view k_model_policy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

[[nodiscard]] std::string login_page(bool was_wrong);
[[nodiscard]] std::string studies_page(const std::vector<std::unique_ptr<StudyService>>& services,
                                       const std::string& form_secret);
/// Without a form secret (a bearer token asked) the page has no buttons.
[[nodiscard]] std::string study_page(const StudyService& service, const std::string& form_secret);
/// The script that follows the server-sent events of a study's page.
[[nodiscard]] std::string_view live_script() noexcept;

}  // namespace sotto::analyzer
