package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Every library that this program and its tests are run with is one that somebody looked at: its
 * checksum and licence stand in {@code dependencies.tsv}. The oracle is that file.
 */
class DependenciesTest {
  private static final int COLUMNS = 5;

  private static Map<String, String> listed() throws IOException {
    Map<String, String> sums = new HashMap<>();
    for (String line :
        Files.readAllLines(Path.of("").toAbsolutePath().getParent().resolve("dependencies.tsv"))) {
      String[] cells = line.split("\t", -1);
      assertThat(cells).as(line).hasSize(COLUMNS).noneMatch(String::isBlank);
      sums.put(cells[1], cells[0]);
    }
    return sums;
  }

  private static String sum(Path file) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(java.io.OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  @Test
  void everyJar_onTheClassPath_hasTheChecksumThatWasLookedAt() throws Exception {
    Map<String, String> listed = listed();
    List<String> others = new ArrayList<>();
    int seen = 0;
    for (String entry : System.getProperty("java.class.path").split(":", -1)) {
      Path file = Path.of(entry);
      String name = String.valueOf(file.getFileName());
      // Those of the project and of the tool that runs the tests are not in its class path as it is
      // built.
      boolean library =
          name.endsWith(".jar")
              && !name.startsWith("ngd-")
              && !name.startsWith("surefire")
              && !name.contains("junit-platform-");
      if (library) {
        seen++;
        if (!sum(file).equals(listed.get(name))) {
          others.add(name);
        }
      }
    }
    assertThat(others)
        .as("jars that are not in dependencies.tsv with this checksum; see CONTRIBUTING.md")
        .isEmpty();
    assertThat(seen).isGreaterThan(50);
  }
}
