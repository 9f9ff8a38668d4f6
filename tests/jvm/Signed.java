// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.sotto.device.Credential;
import org.sotto.device.Ledger;
import org.sotto.device.Policy;
import org.sotto.device.Session;
import org.sotto.device.SottoException;

/** A device that knows who may ask: Signed LEDGER PUBLIC_KEY MANIFEST ROUND UNSIGNED_MANIFEST UNSIGNED_ROUND PSEUDONYM KEY. */
public final class Signed {
  private interface Act {
    void run() throws SottoException;
  }

  private static void refused(Act act) {
    try {
      act.run();
    } catch (SottoException refusal) {
      if (refusal.is("bad_signature")) return;
      throw new AssertionError("refused for another reason", refusal);
    }
    throw new AssertionError("not refused");
  }

  public static void main(String[] arguments) throws Exception {
    byte[] issuer = HexFormat.of().parseHex(Files.readString(Path.of(arguments[1])).trim());
    byte[][] file = new byte[6][];
    for (int i = 2; i < 6; ++i) file[i] = Files.readAllBytes(Path.of(arguments[i]));
    Credential credential = Credential.of(arguments[6], arguments[7]);
    try (Ledger ledger = Ledger.open(new File(arguments[0]), Policy.pure(4, 8), issuer)) {
      ledger.setConsent(true);
      refused(() -> ledger.enrol(file[4], credential));
      ledger.enrol(file[2], credential);
      refused(() -> ledger.session(file[4]));
      try (Session session = ledger.session(file[2])) {
        refused(() -> session.answerGiven(file[5], 3));
        if (ledger.spentEpsilon() != 0) throw new AssertionError("a refusal was charged");
        System.out.println(HexFormat.of().formatHex(session.answerGiven(file[3], 3)));
      }
    }
    try {
      Ledger.open(new File("other.ledger"), Policy.pure(4, 8), new byte[31]).close();
      throw new AssertionError("half a key was taken");
    } catch (IllegalArgumentException expected) {
      System.out.println("done");
    }
  }
}
