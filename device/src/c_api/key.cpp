// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "layout.hpp"

using namespace sotto;
using namespace sotto::c_api;

sotto_status sotto_image_tag(const sotto_image_key* key, void* image, uint32_t bytes, bool check) {
  return static_cast<sotto_status>(tag_image(as<ImageKey>(key), *static_cast<ImageHead*>(image), bytes, check));
}
