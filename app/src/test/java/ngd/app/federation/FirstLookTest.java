package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import ngd.core.data.TableAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Oracle: the file, which is there or not. */
class FirstLookTest {
  @TempDir Path dir;

  private static List<String> said(String location) {
    List<String> lines = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + new SimpleFormatter().formatMessage(line));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger log = Logger.getLogger("ngd.peer");
    log.addHandler(handler);
    try {
      FirstLook.look(TableAddress.of("north", location)::open);
    } finally {
      log.removeHandler(handler);
    }
    return lines;
  }

  @Test
  void look_aTableOrNone_isSaidAndNothingEnds() throws IOException {
    Path table = Files.writeString(dir.resolve("north.csv"), "y,x\n1,2\n3,4\n");
    assertThat(said(table.toString())).containsExactly("INFO data-readable columns=2");
    Path none = dir.resolve("nroth.csv");
    assertThat(said(none.toString()))
        .singleElement()
        .asString()
        .startsWith("WARNING data-not-readable detail=site north: ")
        .contains("nroth.csv");
  }
}
