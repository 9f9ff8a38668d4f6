// swift-tools-version:5.9
// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The device library for iOS and macOS. Untested as a package: device/ports/apple/README.md says what is checked.
import PackageDescription

let package = Package(
  name: "Sotto",
  platforms: [.iOS(.v15), .macOS(.v12)],
  products: [.library(name: "Sotto", targets: ["Sotto"])],
  targets: [
    .target(
      name: "CSotto",
      path: ".",
      sources: ["device/src", "shared/src", "device/ports/posix/sotto_posix.c"],
      publicHeadersPath: "device/ports/apple/CSotto/include",
      cSettings: [.headerSearchPath("device/include"), .headerSearchPath("device/ports/posix")],
      cxxSettings: [
        .headerSearchPath("device/include"), .headerSearchPath("shared/include"), .define("SOTTO_VERSION_NUMBER", to: "200"),
      ]
    ),
    .target(name: "Sotto", dependencies: ["CSotto"], path: "device/ports/apple/Sotto"),
  ],
  cxxLanguageStandard: .cxx20
)
