// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// sotto_image_tag(), in a file of its own so that only a firmware with an image key links it.
#include "layout.hpp"

using namespace sotto;
using namespace sotto::c_api;

bool sotto_image_tag(const sotto_image_key* key, void* image, bool check, void* fault) {
  return tag_image(as<ImageKey>(key), *static_cast<ImageHead*>(image), check, *static_cast<Status*>(fault));
}
