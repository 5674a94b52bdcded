package ngd.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import ngd.app.Main;
import org.junit.jupiter.api.Test;

class ConsoleTest {
  private static OutputStream failing(String message) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(message);
      }
    };
  }

  @Test
  void run_readerGone_endsQuietly() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Main.run(new Console(failing("Broken pipe"), err, false), "--help");
    assertThat(code).isEqualTo(0);
    assertThat(err.size()).isEqualTo(0);
  }

  @Test
  void run_diskFull_failsAndSaysSo() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Main.run(new Console(failing("No space left on device"), err, false), "--help");
    assertThat(code).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("ngd: standard output: cannot be written; No space left on device\n");
  }
}
