// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
package org.sotto.device

import java.io.File

/** Opens the ledger of this installation, runs [act] and closes it. On Android the directory is `context.noBackupFilesDir`. */
fun <T> withLedger(directory: File, policy: Policy, issuer: ByteArray? = null, act: (Ledger) -> T): T =
    Ledger.open(File(directory, "sotto.ledger"), policy, issuer).use(act)

/** The report for [round], or null where this device is not asked: it belongs to another cohort, has answered, or the round has closed. */
fun Session.answerIfAsked(round: ByteArray, features: Int, rows: List<IntArray>): ByteArray? {
  val values = ShortArray(rows.size * (features + 1)) { reading(it % (features + 1), rows[it / (features + 1)][it % (features + 1)]) }
  return try {
    answer(round, features, values)
  } catch (refusal: SottoException) {
    if (listOf("not_in_cohort", "already_answered", "over_answers", "round_closed").any { refusal.`is`(it) }) null else throw refusal
  }
}
