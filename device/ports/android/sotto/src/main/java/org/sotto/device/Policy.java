// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
package org.sotto.device;

/** The most that a device spends: on one study, and on all studies in its whole life. Epsilon in units of 10^-9 nats, delta in 2^-64. */
public final class Policy {
  final long studyEpsilon, studyDelta, totalEpsilon, totalDelta;

  public Policy(long studyEpsilon, long studyDelta, long totalEpsilon, long totalDelta) {
    this.studyEpsilon = studyEpsilon;
    this.studyDelta = studyDelta;
    this.totalEpsilon = totalEpsilon;
    this.totalDelta = totalDelta;
  }

  /** Pure epsilon: no delta is ever spent. */
  public static Policy pure(double studyNats, double totalNats) {
    return new Policy(Math.round(studyNats * 1e9), 0, Math.round(totalNats * 1e9), 0);
  }
}
