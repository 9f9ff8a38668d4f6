// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.sotto.device.Credential;
import org.sotto.device.Ledger;
import org.sotto.device.Policy;
import org.sotto.device.Session;
import org.sotto.device.SottoException;

/** Misuse LEDGER MANIFEST ROUND PSEUDONYM KEY: what the wrapper refuses, and that a second answer is the first. Prints the report. */
public final class Misuse {
  interface Act {
    void run() throws Exception;
  }

  static void refused(String name, Act act) throws Exception {
    try {
      act.run();
    } catch (SottoException refusal) {
      if (refusal.is(name)) return;
      throw refusal;
    } catch (IllegalStateException | IllegalArgumentException misuse) {
      if (misuse.getClass().getSimpleName().equals(name)) return;
      throw misuse;
    }
    throw new AssertionError("not refused: " + name);
  }

  public static void main(String[] arguments) throws Exception {
    File file = new File(arguments[0]);
    Policy policy = Policy.pure(4, 8);
    byte[] manifest = Files.readAllBytes(Path.of(arguments[1])), round = Files.readAllBytes(Path.of(arguments[2]));
    Ledger ledger = Ledger.open(file, policy);
    refused("Resource temporarily unavailable", () -> Ledger.open(file, policy));
    refused("unknown_study", () -> ledger.session(manifest));
    refused("needs_credential", () -> ledger.enrol(manifest, null));
    refused("bad_magic", () -> ledger.enrol(new byte[100], null));
    ledger.enrol(manifest, Credential.of(arguments[3], arguments[4]));
    ledger.enrol(manifest, Credential.of(arguments[3], arguments[4])); // again: nothing happens
    Session session = ledger.session(manifest);
    refused("consent_off", () -> session.answerGiven(round, 3));
    ledger.setConsent(true);
    refused("IllegalArgumentException", () -> session.answer(round, 8, new short[10]));
    refused("truncated", () -> session.answer(Arrays.copyOf(round, 20), 8, new short[9]));
    refused("not_answered", () -> session.acknowledge(1));
    if (ledger.spentEpsilon() != 0) throw new AssertionError("a refusal was charged");
    byte[] report = session.answerGiven(round, 3);
    if (!Arrays.equals(report, session.answerGiven(round, 5))) throw new AssertionError("a second draw");
    if (ledger.spentEpsilon() != 2_000_000_000L) throw new AssertionError("spent " + ledger.spentEpsilon());
    if (session.slot(1) < 0 || session.slot(1) >= 1) throw new AssertionError("slot");
    ledger.close();
    ledger.close();
    session.close();
    refused("IllegalStateException", () -> session.answerGiven(round, 3));
    refused("IllegalStateException", ledger::consent);
    try (Ledger again = Ledger.open(file, policy); Session more = again.session(manifest)) {
      if (!again.consent()) throw new AssertionError("consent does not last");
      if (!Arrays.equals(report, more.answerGiven(round, 6))) throw new AssertionError("another report after a restart");
      more.acknowledge(1);
      again.setConsent(false);
      refused("consent_off", () -> more.answerGiven(round, 3));
    }
    System.out.println(HexFormat.of().formatHex(report));
  }
}
