package ngd.app;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import ngd.app.terminal.Console;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One command line, run in this process, and what it printed. */
public record Command(int code, String out, String err) {

  public static Command run(String... args) {
    return run(false, args);
  }

  /** The words of a line, separated by blanks. */
  public static Command line(String line) {
    return run(line.split(" ", -1));
  }

  public static Command run(boolean terminal, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Main.run(new Console(out, err, terminal), args);
    return new Command(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  public List<String> errors() {
    return err.lines().toList();
  }

  public JsonNode json() {
    return JsonMapper.shared().readTree(out);
  }
}
