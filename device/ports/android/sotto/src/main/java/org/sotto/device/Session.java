// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
package org.sotto.device;

/** Answers the rounds of one study. */
public final class Session implements AutoCloseable {
  private static final int NOTHING_TO_SAY = -1; // no feature has this number

  private final Ledger ledger;
  private long handle; // 0: closed

  Session(Ledger ledger, long handle) {
    this.ledger = ledger;
    this.handle = handle;
  }

  /**
   * Answers a round from rows of readings; returns the report, all that leaves the device. After a restart the same round gives the same
   * bytes. A device with no rows answers too: silence would tell.
   *
   * @param values row by row, each of {@code features} readings and the target; converted by {@link #reading}
   */
  public byte[] answer(byte[] round, int features, short[] values) throws SottoException {
    return answer(round, features, values, NOTHING_TO_SAY);
  }

  /** Answers a round that leaves the choice to the app: the number of a feature. */
  public byte[] answerGiven(byte[] round, int feature) throws SottoException {
    return answer(round, 0, new short[0], feature);
  }

  /** The server has the report of this round: the stored copy is no longer needed. */
  public void acknowledge(int roundNumber) throws SottoException {
    synchronized (ledger) {
      nativeAcknowledge(open(), roundNumber);
    }
  }

  /** When to send the report: the part of the study's sending window that is to pass before, from 0 to 1. */
  public double slot(int roundNumber) {
    synchronized (ledger) {
      return (nativeSlot(open(), roundNumber) & 0xffffffffL) / 4294967296.0;
    }
  }

  /** A sensor's reading of a feature, or of the target for the number behind the last, in the numbers that {@link #answer} takes. */
  public short reading(int feature, int reading) {
    synchronized (ledger) {
      return nativeReading(open(), feature, reading);
    }
  }

  @Override
  public void close() {
    synchronized (ledger) {
      if (handle != 0) nativeClose(handle);
      handle = 0;
      ledger.forget(this);
    }
  }

  private byte[] answer(byte[] round, int features, short[] values, int given) throws SottoException {
    if (features < 0 || values.length % (features + 1) != 0)
      throw new IllegalArgumentException(values.length + " numbers are not whole rows of " + features + " features and a target");
    synchronized (ledger) {
      return nativeAnswer(open(), round, features, values, given);
    }
  }

  private long open() {
    ledger.open();
    if (handle == 0) throw new IllegalStateException("the session is closed");
    return handle;
  }

  private static native byte[] nativeAnswer(long handle, byte[] round, int features, short[] values, int given) throws SottoException;

  private static native void nativeAcknowledge(long handle, int roundNumber) throws SottoException;

  private static native int nativeSlot(long handle, int roundNumber);

  private static native short nativeReading(long handle, int feature, int reading);

  private static native void nativeClose(long handle);
}
