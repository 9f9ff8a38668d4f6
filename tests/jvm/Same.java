// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.sotto.device.Credential;
import org.sotto.device.Ledger;
import org.sotto.device.Policy;
import org.sotto.device.Session;

/** Same LEDGERS MANIFEST ROUND CREDENTIALS: every device votes for feature 3; the reports, to be compared with those of same_report.c. */
public final class Same {
  public static void main(String[] arguments) throws Exception {
    byte[] manifest = Files.readAllBytes(Path.of(arguments[1])), round = Files.readAllBytes(Path.of(arguments[2]));
    List<String> issued = Files.readAllLines(Path.of(arguments[3]));
    for (int device = 1; device < issued.size(); ++device) {
      String[] columns = issued.get(device).split(",");
      try (Ledger ledger = Ledger.open(new File(arguments[0] + device), Policy.pure(4, 8))) {
        ledger.setConsent(true);
        ledger.enrol(manifest, Credential.of(columns[1], columns[2]));
        try (Session session = ledger.session(manifest)) {
          System.out.println(HexFormat.of().formatHex(session.answerGiven(round, 3)));
        }
      }
    }
  }
}
