package ngd.peer;

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
import ngd.core.file.Sha256;

/**
 * AOT caches for the processes that a test starts: most of a short process is its start. A cache
 * fits jars alone, so the folders of classes become jars. What was made stays in a folder until a
 * class, a library, the JDK or an option is another.
 */
public final class AotCaches {
  private static final String WORK = "work";

  private final Path folder;
  private final List<Path> entries;

  /**
   * @param folder where jars and caches are
   */
  public AotCaches(Path folder) {
    this.folder = folder.toAbsolutePath();
    this.entries =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(Files::exists)
            .toList();
  }

  /**
   * A cache, and how it is made.
   *
   * @param command what is to start quickly runs once, with the options of every later start
   */
  public record Training(Path cache, List<String> command) {}

  /** A file or folder that is kept here. */
  public Path resolve(String name) {
    return folder.resolve(name);
  }

  /** Where commands that make caches may write; it is deleted. */
  public Path work() {
    return folder.resolve(WORK);
  }

  /** The class path of the tests with jars in place of folders. */
  public String classPath() {
    return String.join(File.pathSeparator, entries.stream().map(e -> jar(e).toString()).toList());
  }

  private Path jar(Path entry) {
    return Files.isDirectory(entry)
        ? folder.resolve("%d.jar".formatted(entries.indexOf(entry)))
        : entry;
  }

  /** The options with which a process uses a cache. */
  public static List<String> use(Path cache) {
    return List.of(
        "-XX:AOTCache=" + cache, "-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0");
  }

  /** Makes what is not there, or of something else. */
  public void make(List<Training> trainings) throws IOException, InterruptedException {
    String state = state(trainings);
    Path madeOf = folder.resolve("made-of");
    Files.createDirectories(folder);
    // Tests run in several processes: one of them makes the caches, the others wait.
    try (FileChannel lock =
            FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = lock.lock()) {
      if (!Files.exists(madeOf) || !Files.readString(madeOf).equals(state)) {
        Files.deleteIfExists(madeOf);
        for (Path entry : entries) {
          if (Files.isDirectory(entry)) {
            writeJar(entry);
          }
        }
        train(trainings);
        Files.writeString(madeOf, state);
      }
    }
  }

  /** Whatever makes a cache unfit when it changes. */
  private String state(List<Training> trainings) throws IOException {
    Sha256 state = new Sha256().add(System.getProperty("java.vm.version"));
    trainings.forEach(training -> training.command().forEach(state::add));
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

  private void writeJar(Path classes) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar(classes));
        ZipOutputStream zip = new ZipOutputStream(file)) {
      zip.setLevel(Deflater.NO_COMPRESSION);
      for (Path found : files(classes)) {
        String name = classes.relativize(found).toString();
        zip.putNextEntry(new ZipEntry(name.replace(File.separatorChar, '/')));
        Files.copy(found, zip);
      }
    }
  }

  /** All side by side. */
  private void train(List<Training> trainings) throws IOException, InterruptedException {
    deleteWork();
    Files.createDirectory(work());
    List<Process> running = new ArrayList<>();
    for (Training training : trainings) {
      running.add(start(training));
    }
    for (int i = 0; i < running.size(); i++) {
      if (running.get(i).waitFor() != 0) {
        throw new IllegalStateException(
            "an AOT cache was not made: " + Files.readString(log(trainings.get(i))));
      }
    }
    deleteWork();
  }

  private static Path log(Training training) {
    return Path.of(training.cache() + ".log");
  }

  private static Process start(Training training) throws IOException {
    List<String> command = new ArrayList<>(training.command());
    command.addAll(
        1,
        List.of(
            "-XX:AOTCacheOutput=" + training.cache(),
            "-XX:+UnlockDiagnosticVMOptions",
            // Profiles of a short rehearsal would mislead the compiler in long loops.
            "-XX:-AOTRecordTraining"));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log(training).toFile())
        .start();
  }

  private void deleteWork() throws IOException {
    if (Files.exists(work())) {
      try (Stream<Path> left = Files.walk(work())) {
        for (Path file : left.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
