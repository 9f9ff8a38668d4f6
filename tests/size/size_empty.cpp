// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Start-up code and nothing else: what a whole firmware is measured against.
int main() { return 0; }
