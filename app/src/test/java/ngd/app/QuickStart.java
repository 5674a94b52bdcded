package ngd.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import ngd.app.terminal.OwnProcess;
import ngd.app.terminal.RootCommand;
import ngd.peer.AotCaches;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Processes of {@code ngd} that a test starts begin with AOT caches, as the launcher's do: for
 * tests that say {@link ExtendWith}.
 */
public final class QuickStart implements BeforeAllCallback {
  /** Commands are over before more collecting threads or a second compiler pay for themselves. */
  private static final List<String> BRIEF =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dngd.kernels=scalar");

  @Override
  public void beforeAll(ExtensionContext tests) throws Exception {
    prepare();
  }

  /** The command line of a brief command, to which more can be added. */
  public static List<String> command(List<String> words) {
    return new ArrayList<>(OwnProcess.command(BRIEF, words));
  }

  private static synchronized void prepare() throws IOException, InterruptedException {
    if (System.getProperty(OwnProcess.CACHE_PROPERTY) != null) {
      return;
    }
    AotCaches caches = new AotCaches(Path.of("target", "quick-start"));
    Path cache = caches.resolve("ngd.aot");
    System.setProperty(OwnProcess.CLASS_PATH_PROPERTY, caches.classPath());
    caches.make(
        List.of(
            training(caches, cache, command(List.of()), "all"),
            training(
                caches, caches.resolve("peer.aot"), OwnProcess.peer("512m", List.of()), "peers")));
    System.setProperty(OwnProcess.CACHE_PROPERTY, cache.toString());
  }

  private static AotCaches.Training training(
      AotCaches caches, Path cache, List<String> program, String needs) {
    List<String> command = new ArrayList<>(program);
    command.set(command.indexOf(RootCommand.MAIN), WarmUp.class.getName());
    command.addAll(List.of(caches.work().resolve(needs).toString(), needs));
    return new AotCaches.Training(cache, command);
  }
}
