// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
plugins {
  id("com.android.library") version "8.5.2"
  id("org.jetbrains.kotlin.android") version "1.9.24"
}

android {
  namespace = "org.sotto.device"
  compileSdk = 34
  ndkVersion = "26.3.11579264" // Clang 17: C++20 with <span> and <bit>
  defaultConfig {
    minSdk = 28 // getrandom() in the C library
    consumerProguardFiles("consumer-rules.pro")
    externalNativeBuild { cmake { targets("sotto_jni") } }
    ndk { abiFilters += listOf("arm64-v8a", "armeabi-v7a", "x86_64") }
  }
  externalNativeBuild {
    cmake {
      path = file("src/main/cpp/CMakeLists.txt")
      version = "3.25.0+"
    }
  }
  compileOptions {
    sourceCompatibility = JavaVersion.VERSION_17
    targetCompatibility = JavaVersion.VERSION_17
  }
  kotlinOptions { jvmTarget = "17" }
}
