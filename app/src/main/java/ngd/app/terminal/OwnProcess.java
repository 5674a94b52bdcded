package ngd.app.terminal;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** Commands of {@code ngd} in processes of their own, on the same Java with the same classes. */
public final class OwnProcess {
  private static final String CACHE = "-XX:AOTCache=";

  /**
   * System properties that name the class path of own processes, and the cache that fits it, where
   * they are not this process's: no cache fits folders of classes, with which tests run.
   */
  public static final String CLASS_PATH_PROPERTY = "ngd.process.classpath";

  public static final String CACHE_PROPERTY = "ngd.process.cache";

  /** What makes starts quick, where the launcher found it. */
  private static final List<String> GIVEN =
      List.of(CACHE, "-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=");

  /** The cache of peers, which the launcher has beside its others. */
  private static final String PEERS_CACHE = "peer.aot";

  /**
   * A peer, which waits most of its time: a compiler that is soon done, with kernels that suit it,
   * and little memory; as the launcher starts those of sites.
   */
  private static final List<String> PEER =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Dngd.kernels=scalar",
          "-Xms8m",
          "-Xmn3m",
          "-XX:MinHeapFreeRatio=5",
          "-XX:MaxHeapFreeRatio=15",
          "-XX:C1MaxInlineSize=20",
          "-XX:-UsePerfData",
          "-Dio.grpc.netty.shaded.io.netty.allocator.type=unpooled");

  private static final int NO_LIMIT = -1;

  private OwnProcess() {}

  /**
   * The command line that runs a command.
   *
   * @param options for Java
   * @param words the command and its options
   */
  public static List<String> command(List<String> options, List<String> words) {
    return command("--add-modules=jdk.incubator.vector", options, given().toList(), words);
  }

  /**
   * The command line that runs a peer, as the launcher starts those of sites: without the Vector
   * API, and with the cache that was made so.
   *
   * @param heap the most memory for Java's heap, such as {@code 512m}
   * @param words the command and its options
   */
  public static List<String> peer(String heap, List<String> words) {
    List<String> options = new ArrayList<>(PEER);
    options.add("-Xmx" + heap);
    return command("", options, given().flatMap(OwnProcess::forPeers).toList(), words);
  }

  /**
   * What this program is made of, to run it on another machine: all jars and folders of classes of
   * this process but those of a Spark installation, under whose class loader it may be.
   */
  public static List<Path> jars() {
    Set<Path> jars = new LinkedHashSet<>();
    Path own = place();
    jars.add(own);
    if (Files.isRegularFile(own)) {
      jars.addAll(named(own));
    }
    Optional<Path> spark = Optional.ofNullable(System.getenv("SPARK_HOME")).map(Path::of);
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, NO_LIMIT)) {
      Path jar = Path.of(entry).toAbsolutePath().normalize();
      if (!entry.isEmpty()
          && Files.exists(jar)
          && spark.filter(home -> jar.startsWith(home.toAbsolutePath().normalize())).isEmpty()) {
        jars.add(jar);
      }
    }
    return List.copyOf(jars);
  }

  private static Path place() {
    try {
      return Path.of(OwnProcess.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException malformed) {
      throw new IllegalStateException(malformed);
    }
  }

  /** The jars that the manifest of a jar names. */
  private static List<Path> named(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      String names = file.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      return names == null
          ? List.of()
          : Arrays.stream(names.split(" ", NO_LIMIT))
              .map(jar::resolveSibling)
              .filter(Files::exists)
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be read".formatted(jar), e);
    }
  }

  private static Stream<String> given() {
    String cache = System.getProperty(CACHE_PROPERTY);
    if (cache != null) {
      return Stream.of(
          CACHE + cache, "-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0");
    }
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(word -> GIVEN.stream().anyMatch(word::startsWith));
  }

  /** A cache that was made with other modules would be refused; theirs lies beside it. */
  static Stream<String> forPeers(String given) {
    if (!given.startsWith(CACHE)) {
      return Stream.of(given);
    }
    Path theirs = Path.of(given.substring(CACHE.length())).resolveSibling(PEERS_CACHE);
    return Stream.of(theirs).filter(Files::exists).map(file -> CACHE + file);
  }

  private static List<String> command(
      String modules, List<String> options, List<String> cache, List<String> words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (!modules.isEmpty()) {
      command.add(modules);
    }
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            // A cache is used in full only by what starts as it was made.
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(options);
    command.addAll(cache);
    String classes = System.getProperty(CLASS_PATH_PROPERTY, System.getProperty("java.class.path"));
    Stream.of("-cp", classes, RootCommand.MAIN).forEach(command::add);
    command.addAll(words);
    return command;
  }
}
