package ngd.app.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.core.InvalidInput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * A command that {@code ./ngd} carries out itself, since it builds the program: here for the help,
 * completion and manual alone.
 */
public abstract sealed class LauncherCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(hidden = true)
  private List<String> words = List.of();

  @Override
  public Integer call() {
    throw new InvalidInput(
        "works only with ./ngd in a checkout of the sources, which builds it" + complaint());
  }

  /** What else is wrong with what was asked, or nothing. */
  String complaint() {
    return words.isEmpty()
        ? ""
        : "; %s takes no arguments".formatted(Objects.requireNonNull(spec).qualifiedName());
  }

  /** {@code ngd package}. */
  @Command(
      name = "package",
      description = {
        "Makes an archive that needs nothing installed: ngd-VERSION-SYSTEM.tar.gz with a Java"
            + " runtime, the program, its docs, completion and manual pages.",
        ""
      })
  public static final class Archive extends LauncherCommand {
    @SuppressWarnings("unused") // The launcher reads it.
    @Option(
        names = "--out",
        paramLabel = "DIR",
        description = "Folder to write it to; the current one by default.")
    private @Nullable String out;
  }

  /** {@code ngd install-library}. */
  @Command(
      name = "install-library",
      description = {
        "Installs the library in the local Maven repository, so that the coordinates of"
            + " docs/library.md resolve.",
        ""
      })
  public static final class Library extends LauncherCommand {}

  /** {@code ngd spark-submit}. */
  @Command(
      name = "spark-submit",
      customSynopsis =
          "ngd spark-submit [OPTIONS of spark-submit] study NAME [OPTIONS of ngd study]%n"
              + "       ngd spark-submit [OPTIONS of spark-submit] federation rehearse PLAN [OPTIONS]",
      description = {
        "Runs a study, or a rehearsal of a federation, on any Spark master (YARN, Kubernetes,"
            + " standalone), through the spark-submit of the installation that SPARK_HOME names, in"
            + " client mode.",
        ""
      })
  public static final class Submit extends LauncherCommand {
    @SuppressWarnings("unused") // The launcher reads them.
    @Unmatched
    private List<String> options = new ArrayList<>();

    @Override
    String complaint() {
      return "";
    }
  }
}
