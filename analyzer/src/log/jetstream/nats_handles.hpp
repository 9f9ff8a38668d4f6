// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <nats/nats.h>

#include <memory>
#include <string>

#include "sotto/analyzer/result.hpp"

// Handles of libnats that destroy themselves.
namespace sotto::analyzer {

template <class T, void (*Destroy)(T*)>
struct NatsDestroy {
  void operator()(T* handle) const noexcept { Destroy(handle); }
};
template <class T, void (*Destroy)(T*)>
using NatsHandle = std::unique_ptr<T, NatsDestroy<T, Destroy>>;

using NatsOptions = NatsHandle<natsOptions, natsOptions_Destroy>;
using NatsConnection = NatsHandle<natsConnection, natsConnection_Destroy>;
using NatsContext = NatsHandle<jsCtx, jsCtx_Destroy>;
using NatsSubscription = NatsHandle<natsSubscription, natsSubscription_Destroy>;
using NatsStreamInfo = NatsHandle<jsStreamInfo, jsStreamInfo_Destroy>;
using NatsBucket = NatsHandle<kvStore, kvStore_Destroy>;
using NatsEntry = NatsHandle<kvEntry, kvEntry_Destroy>;

/// What libnats said last in this thread.
[[nodiscard]] inline std::string nats_text(natsStatus status) {
  const char* const last = nats_GetLastError(nullptr);
  return std::string(natsStatus_GetText(status)) + (last != nullptr && *last != 0 ? std::string(": ") + last : "");
}

}  // namespace sotto::analyzer
