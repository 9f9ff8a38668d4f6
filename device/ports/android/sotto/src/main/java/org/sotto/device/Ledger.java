// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
package org.sotto.device;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/**
 * What this device has spent, in a file that only this process uses. Random bits come from the kernel, never from Java; the file is
 * synced before a report is drawn. Keep it out of backups: on Android in {@code noBackupFilesDir}.
 *
 * <p>A ledger and its sessions may be used by several threads; their calls wait for each other.
 */
public final class Ledger implements AutoCloseable {
  static {
    System.loadLibrary("sotto_jni");
  }

  private final List<Session> sessions = new ArrayList<>();
  private long handle; // 0: closed

  private Ledger(long handle) {
    this.handle = handle;
  }

  /**
   * Opens the ledger, and creates it where there is none yet, with consent off. Any other refusal needs a person's attention: a ledger is
   * never replaced.
   *
   * @param policy the caps of a new ledger; one that is there keeps its own
   */
  public static Ledger open(File file, Policy policy) throws SottoException {
    return open(file, policy, null);
  }

  /**
   * The same for a device that joins and answers only what one key signed ({@code sotto sign}); anything else is refused as bad_signature.
   * Without a key, manifests and rounds must come over a channel that the app trusts.
   *
   * @param issuer the 32 bytes of the public key ({@code sotto keygen})
   */
  public static Ledger open(File file, Policy policy, byte[] issuer) throws SottoException {
    if (issuer != null && issuer.length != 32) throw new IllegalArgumentException("a public key has 32 bytes, this has " + issuer.length);
    return new Ledger(nativeOpen(file.getPath(), policy.studyEpsilon, policy.studyDelta, policy.totalEpsilon, policy.totalDelta, issuer));
  }

  /** Whether the owner's consent is on. */
  public synchronized boolean consent() {
    return nativeConsent(open());
  }

  /** Records the owner's decision. Call it when the owner decides, not at every start, which would undo a withdrawal. */
  public synchronized void setConsent(boolean on) throws SottoException {
    nativeSetConsent(open(), on);
  }

  /** What all studies have spent, in units of 10^-9 nats. */
  public synchronized long spentEpsilon() {
    return nativeSpentEpsilon(open());
  }

  /** Joins a study. A study that was joined before is left as it is. @param credential null for a study without credentials */
  public synchronized void enrol(byte[] manifest, Credential credential) throws SottoException {
    nativeEnrol(open(), manifest, credential == null ? 0 : credential.pseudonym, credential == null ? null : credential.key);
  }

  /** Leaves a study for ever. What it spent stays recorded. */
  public synchronized void remove(byte[] manifest) throws SottoException {
    nativeRemove(open(), manifest);
  }

  /** A session for a study that was joined. */
  public synchronized Session session(byte[] manifest) throws SottoException {
    Session session = new Session(this, nativeSessionOpen(open(), manifest));
    sessions.add(session);
    return session;
  }

  /** Closes the sessions and the file, and wipes the memory that held keys. */
  @Override
  public synchronized void close() {
    for (Session session : new ArrayList<>(sessions)) session.close();
    if (handle != 0) nativeClose(handle);
    handle = 0;
  }

  /** Known answers, and the health of the kernel's random bits. Throws self_test_failed where this build must not be used. */
  public static void selfTest() throws SottoException {
    nativeSelfTest();
  }

  void forget(Session session) {
    sessions.remove(session);
  }

  long open() {
    if (handle == 0) throw new IllegalStateException("the ledger is closed");
    return handle;
  }

  private static native long nativeOpen(
      String path, long studyEpsilon, long studyDelta, long totalEpsilon, long totalDelta, byte[] issuer) throws SottoException;

  private static native boolean nativeConsent(long handle);

  private static native void nativeSetConsent(long handle, boolean on) throws SottoException;

  private static native long nativeSpentEpsilon(long handle);

  private static native void nativeEnrol(long handle, byte[] manifest, long pseudonym, byte[] key) throws SottoException;

  private static native void nativeRemove(long handle, byte[] manifest) throws SottoException;

  private static native long nativeSessionOpen(long handle, byte[] manifest) throws SottoException;

  private static native void nativeClose(long handle);

  private static native void nativeSelfTest() throws SottoException;
}
