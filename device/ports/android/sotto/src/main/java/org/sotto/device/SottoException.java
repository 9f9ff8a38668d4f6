// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
package org.sotto.device;

/** A refusal of the device library. It never depends on private data. */
public final class SottoException extends Exception {
  private static final long serialVersionUID = 1L;
  /** The number of the status, as in sotto.h; -1 if the ledger's file could not be opened. */
  public final int status;
  /** The name of the status, for example "not_in_cohort". */
  public final String statusName;

  SottoException(int status, String statusName, String what) {
    super(what + ": " + statusName);
    this.status = status;
    this.statusName = statusName;
  }

  /** Whether the refusal has this name. */
  public boolean is(String name) {
    return statusName.equals(name);
  }
}
