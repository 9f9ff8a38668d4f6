// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.sotto.device.Credential;
import org.sotto.device.Ledger;
import org.sotto.device.Policy;
import org.sotto.device.Session;
import org.sotto.device.SottoException;

/**
 * Devices in one JVM: Fleet LEDGERS MANIFEST ROUND CREDENTIALS READINGS. Each device answers from READINGS/number.csv, whole numbers with the
 * target last; reports go to stdout as hex. The word agree behind the arguments is the owners' consent.
 */
public final class Fleet {
  /** Another cohort is asked, or the one answer of this device is given. */
  private static final Set<String> NOT_ASKED = Set.of("not_in_cohort", "already_answered", "over_answers");

  public static void main(String[] arguments) throws Exception {
    byte[] manifest = Files.readAllBytes(Path.of(arguments[1])), round = Files.readAllBytes(Path.of(arguments[2]));
    List<String> issued = Files.readAllLines(Path.of(arguments[3]));
    for (int device = 0; device + 1 < issued.size(); ++device) {
      String[] columns = issued.get(device + 1).split(",");
      try (Ledger ledger = Ledger.open(new File(arguments[0], device + ".ledger"), Policy.pure(4, 8))) {
        if (arguments.length > 5) ledger.setConsent(true);
        ledger.enrol(manifest, Credential.of(columns[1], columns[2]));
        try (Session session = ledger.session(manifest)) {
          List<String> lines = Files.readAllLines(Path.of(arguments[4], device + ".csv"));
          int features = lines.get(0).split(",").length - 1;
          short[] values = new short[lines.size() * (features + 1)];
          for (int i = 0; i < values.length; ++i)
            values[i] = session.reading(i % (features + 1), Integer.parseInt(lines.get(i / (features + 1)).split(",")[i % (features + 1)]));
          byte[] report = session.answer(round, features, values);
          System.out.println(HexFormat.of().formatHex(report));
          session.acknowledge(round[6] & 0xff | (round[7] & 0xff) << 8);
        } catch (SottoException refusal) {
          if (!NOT_ASKED.contains(refusal.statusName)) throw refusal;
        }
      }
    }
  }
}
