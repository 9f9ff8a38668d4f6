// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
pluginManagement {
  repositories {
    google()
    mavenCentral()
    gradlePluginPortal()
  }
}
dependencyResolutionManagement {
  repositories {
    google()
    mavenCentral()
  }
}
rootProject.name = "sotto-android"
include(":sotto")
