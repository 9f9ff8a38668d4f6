// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
package org.sotto.device;

/** The identity of one device in one study, issued by the command {@code sotto enrol}. */
public final class Credential {
  final long pseudonym;
  final byte[] key;

  public Credential(long pseudonym, byte[] key) {
    if (pseudonym == 0 || key.length != 32) throw new IllegalArgumentException("a pseudonym that is not 0, and a key of 32 bytes");
    this.pseudonym = pseudonym;
    this.key = key.clone();
  }

  /** From the columns pseudonym and key of the issuer's file. */
  public static Credential of(String pseudonym, String key) {
    if (key.length() != 64) throw new IllegalArgumentException("a key has 64 hexadecimal digits, this has " + key.length());
    byte[] bytes = new byte[32];
    for (int i = 0; i < 32; ++i) bytes[i] = (byte) Integer.parseInt(key.substring(2 * i, 2 * i + 2), 16);
    return new Credential(Long.parseUnsignedLong(pseudonym, 16), bytes);
  }
}
