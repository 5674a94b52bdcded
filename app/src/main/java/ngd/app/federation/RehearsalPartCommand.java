package ngd.app.federation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.core.WorkFailed;
import ngd.studies.engine.Meeting;
import ngd.studies.engine.OwnPart;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** One machine's part of {@code ngd federation rehearse --on …}; no other command has it. */
@Command(
    name = RehearsalPartCommand.NAME,
    hidden = true,
    description = "One part of `ngd federation rehearse --on …`.")
final class RehearsalPartCommand implements Callable<Integer> {
  static final String NAME = "rehearse-part";

  /** Less than whoever started this has before it kills it. */
  private static final long PATIENCE_S = 5;

  @ParentCommand private @Nullable FederationCommand parent;

  @Override
  public Integer call() {
    Console console = Objects.requireNonNull(parent).console();
    Remains remains =
        new Remains(new ReentrantLock(), new AtomicReference<>(), new AtomicReference<>());
    Runtime.getRuntime().addShutdownHook(new Thread(remains::close));
    OwnPart.run(
        System.in,
        console.out(),
        () -> Runtime.getRuntime().exit(Exit.FAILED),
        (meeting, work) -> run(meeting, work, console, remains));
    return Exit.DONE;
  }

  private static String run(Meeting meeting, String work, Console console, Remains remains) {
    remains.work.lock();
    try {
      return found(meeting, work, console, remains);
    } finally {
      remains.work.unlock();
    }
  }

  private static String found(Meeting meeting, String work, Console console, Remains remains) {
    try (TemporaryFolder folder =
        new TemporaryFolder(
            Files.createTempDirectory(Path.of("").toAbsolutePath(), "rehearsal-"))) {
      remains.folder.set(folder);
      RehearsalPart.Found found =
          RehearsalPart.read(work)
              .run(
                  meeting,
                  folder.path(),
                  line -> console.err().println("ngd: " + line),
                  remains.federation::set);
      return RehearsalPart.json(found, folder.path());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WorkFailed("interrupted", e);
    }
  }

  /**
   * What must not outlive this process: the peers, and the folder with their keys.
   *
   * @param work held while files are written or deleted
   */
  private record Remains(
      Lock work,
      AtomicReference<@Nullable LocalFederation> federation,
      AtomicReference<@Nullable TemporaryFolder> folder) {
    /** Work that is under way ends when its peers do, and deletes its folder by itself. */
    void close() {
      kill();
      boolean idle = false;
      try {
        idle = work.tryLock(PATIENCE_S, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      kill();
      TemporaryFolder keys = folder.get();
      if (keys != null) {
        keys.close();
      }
      if (idle) {
        work.unlock();
      }
    }

    private void kill() {
      LocalFederation peers = federation.get();
      if (peers != null) {
        peers.close();
      }
    }
  }
}
