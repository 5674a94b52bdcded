package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import ngd.app.terminal.Console;
import ngd.app.terminal.Syntax;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** A command that is described alone is the same as among all others. */
class MainTest {
  private static final Map<String, CommandLine> ALL = commands("--help");

  private static Map<String, CommandLine> commands(String... words) {
    Console nowhere =
        new Console(OutputStream.nullOutputStream(), OutputStream.nullOutputStream(), false);
    return new Syntax(new Main(nowhere), Main.described(words), nowhere).root().getSubcommands();
  }

  private static Stream<String> names() {
    return ALL.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void described_oneCommand_hasTheHelpThatItHasAmongAll(String name) {
    Map<String, CommandLine> alone = commands(name);
    assertThat(alone.size() == 1).isEqualTo(!List.of("completion", "manual").contains(name));
    assertThat(alone.get(name).getUsageMessage()).isEqualTo(ALL.get(name).getUsageMessage());
  }

  @ParameterizedTest
  @MethodSource("names")
  void described_wordNearACommand_hasAll(String name) {
    assertThat(commands(name + "x")).containsOnlyKeys(ALL.keySet());
    assertThat(commands("--debug", name)).containsOnlyKeys(ALL.keySet());
  }
}
