package ngd.app;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import ngd.app.terminal.OwnProcess;
import ngd.app.terminal.RootCommand;
import ngd.core.file.Sha256;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Processes of {@code ngd} that a test starts begin with AOT caches, as the launcher's do: for
 * tests that say {@link ExtendWith}. Caches fit jars alone, so the folders of classes become jars.
 * What was made stays in {@code target} until a class, a library or the JDK is another.
 */
public final class QuickStart implements BeforeAllCallback {
  private static final Path FOLDER = Path.of("target", "quick-start").toAbsolutePath();
  private static final Path CACHE = FOLDER.resolve("ngd.aot");
  private static final Path PEERS_CACHE = FOLDER.resolve("peer.aot");
  private static final Path MADE_OF = FOLDER.resolve("made-of");

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
    List<Path> entries =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(Files::exists)
            .toList();
    String state = state(entries);
    Files.createDirectories(FOLDER);
    // Tests run in several processes: one of them makes the caches, the others wait.
    try (FileChannel lock =
            FileChannel.open(
                FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = lock.lock()) {
      boolean made = Files.exists(MADE_OF) && Files.readString(MADE_OF).equals(state);
      System.setProperty(OwnProcess.CLASS_PATH_PROPERTY, jars(entries, !made));
      if (!made) {
        Files.deleteIfExists(MADE_OF);
        make();
        Files.writeString(MADE_OF, state);
      }
    }
    System.setProperty(OwnProcess.CACHE_PROPERTY, CACHE.toString());
  }

  /** Whatever makes a cache unfit when it changes. */
  private static String state(List<Path> entries) throws IOException {
    Sha256 state = new Sha256().add(System.getProperty("java.home"));
    state.add(System.getProperty("java.vm.version"));
    for (List<String> command : List.of(command(List.of()), peer())) {
      command.forEach(state::add);
    }
    for (Path entry : entries) {
      for (Path file : files(entry)) {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        state.add(file.toString()).add(found.size()).add(found.lastModifiedTime().toMillis());
      }
    }
    return state.hex();
  }

  private static List<Path> files(Path entry) throws IOException {
    try (Stream<Path> found = Files.walk(entry)) {
      return found.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** The class path with jars in place of folders. */
  private static String jars(List<Path> entries, boolean write) throws IOException {
    List<String> jars = new ArrayList<>();
    for (Path entry : entries) {
      Path jar = entry;
      if (Files.isDirectory(entry)) {
        jar = FOLDER.resolve("%d.jar".formatted(jars.size()));
        if (write) {
          jar(entry, jar);
        }
      }
      jars.add(jar.toString());
    }
    return String.join(File.pathSeparator, jars);
  }

  private static void jar(Path folder, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(file)) {
      zip.setLevel(Deflater.NO_COMPRESSION);
      for (Path found : files(folder)) {
        String name = folder.relativize(found).toString();
        zip.putNextEntry(new ZipEntry(name.replace(File.separatorChar, '/')));
        Files.copy(found, zip);
      }
    }
  }

  private static List<String> peer() {
    return OwnProcess.peer("512m", List.of());
  }

  /** Both caches side by side, each by what it is for. */
  private static void make() throws IOException, InterruptedException {
    Path work = Files.createTempDirectory("quick-start");
    Process commands = training(command(List.of()), CACHE, work, "all");
    Process peers = training(peer(), PEERS_CACHE, work, "peers");
    for (Process training : List.of(commands, peers)) {
      if (training.waitFor() != 0) {
        throw new IllegalStateException(
            "an AOT cache was not made: %s, or the other log there".formatted(CACHE + ".log"));
      }
    }
    try (Stream<Path> written = Files.walk(work)) {
      for (Path file : written.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static Process training(List<String> program, Path cache, Path work, String needs)
      throws IOException {
    List<String> command = new ArrayList<>(program);
    command.addAll(
        1,
        List.of(
            "-XX:AOTCacheOutput=" + cache,
            "-XX:+UnlockDiagnosticVMOptions",
            // Profiles of a short rehearsal would mislead the compiler in long loops.
            "-XX:-AOTRecordTraining"));
    command.set(command.indexOf(RootCommand.MAIN), WarmUp.class.getName());
    command.addAll(List.of(work.resolve(needs).toString(), needs));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(Path.of(cache + ".log").toFile())
        .start();
  }
}
