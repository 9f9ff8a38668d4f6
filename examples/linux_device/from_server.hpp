// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "agent.hpp"

// What an agent takes from and brings to `sotto serve`.

/// Writes a file that others see whole or not at all, also after a power cut.
void write_whole(const std::filesystem::path& path, const std::string& text);

/// The text of a field of the server's JSON, which has no escapes in the fields that are read here.
[[nodiscard]] std::string json_text(const std::string& json, const std::string& name);
/// Keeps a manifest that was fetched. Throws Unusable where it is not the study of the digest.
void keep_manifest(const AgentOptions& options, const std::string& body, const std::string& digest,
                   const std::string& where);

/// Keeps a round that was fetched. False where it is none.
[[nodiscard]] bool keep_round(const AgentOptions& options, const std::string& body);

/// Fetches HOME/manifest.bin and enrols for HOME/credential, each where it is missing. The digest in the server's address says
/// which study its owner agreed to: another manifest is refused. False while a ticket waits
/// for its time. Throws Unusable.
[[nodiscard]] bool fetch_study(const AgentOptions& options);

/// Puts the open round into the inbox, if there is one. False where the server was not reached.
[[nodiscard]] bool fetch_round(const AgentOptions& options);

/// Posts a report. True when the server has it, or refuses it for good: then it says why.
[[nodiscard]] bool post_report(const AgentOptions& options, const std::string& report);
