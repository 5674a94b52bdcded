package ngd.app.fit;

import ngd.core.Problems;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How to work, which changes no result. */
final class WorkOptions {
  @Option(
      names = "--threads",
      paramLabel = "K",
      description = "Threads to use; all cores by default. The results do not depend on it.")
  private @Nullable Integer threads;

  int threads() {
    return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
  }

  void check(Problems problems) {
    problems.require(
        threads == null || threads >= 1,
        "--threads: must be at least 1; got %s".formatted(threads));
  }
}
