package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.core.InvalidInput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd peer status}: how the peer of a site's folder is. */
@Command(
    name = "status",
    description = {"Shows this peer's status: rounds, whom it waits for, what it refused.", ""})
final class PeerStatusCommand implements Callable<Integer> {
  @ParentCommand private @Nullable PeerCommand parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "FOLDER",
      defaultValue = ".",
      description = "Folder of the site; the current one by default.")
  private Path folder = Path.of(".");

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public Integer call() {
    Console console = Objects.requireNonNull(parent).console();
    String endpoint =
        endpoint(folder)
            .orElseThrow(
                () ->
                    new InvalidInput(
                        "%s: must be a site's folder whose peer runs or ran here; there is no %s"
                            .formatted(folder, portFile(folder))));
    StatusTable table = StatusTable.ask(List.of(endpoint));
    if (format.isJson()) {
      console.out().println(table.json());
    } else {
      table.print(console.out());
    }
    return table.allWell() ? Exit.DONE : Exit.FAILED;
  }

  /** The status port that the peer of a folder wrote down when it started, if one did. */
  static Optional<String> endpoint(Path folder) {
    try {
      return Optional.of(Files.readString(portFile(folder)).strip());
    } catch (IOException never) {
      return Optional.empty();
    }
  }

  private static Path portFile(Path folder) {
    return folder.resolve("state").resolve("status.port");
  }
}
