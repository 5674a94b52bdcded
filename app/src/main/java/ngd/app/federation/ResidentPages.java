package ngd.app.federation;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Pages of files that this process has in memory: the AOT cache, the JDK's own classes, the JVM's
 * code and constants, and DuckDB's code. Linux brings sixteen pages in for each that is touched, so
 * that start-up and a first reading of data leave tens of megabytes behind that are hardly used
 * again. A peer gives them back; what is needed again comes from the page cache.
 *
 * <p>A page that was changed in memory exists nowhere else, and giving it back undoes the change.
 * So only what nobody changes is given back: code, and what was mapped to be read before this class
 * was there. The system's loader writes to the other parts of a library while it loads it, and maps
 * the whole of it at first with the rights of its beginning: therefore, of a library that may be
 * loaded at this moment, no data and nothing that begins with its file.
 */
public final class ResidentPages {
  private static final Path MAPPINGS = Path.of("/proc/self/maps");

  /** The same with what each has in memory, which takes the kernel long to count. */
  private static final Path COUNTED = Path.of("/proc/self/smaps");

  private static final Pattern HEADER =
      Pattern.compile(
          "(?<begin>[0-9a-f]+)-(?<end>[0-9a-f]+) (?<rights>....) (?<offset>[0-9a-f]+) \\S+ \\d+ +(?<file>/.*)");
  private static final Pattern JVM = Pattern.compile(".*/libjvm\\.so");
  private static final Pattern CODE = Pattern.compile(".*/(?:libjvm|duckdb_java-[0-9a-f]+)\\.so");
  private static final Pattern CHANGED = Pattern.compile("(?:Anonymous|Swap): +[1-9]\\d* kB");

  /** {@code MADV_DONTNEED}. */
  private static final int NOT_NEEDED = 4;

  /** The first pause while code and classes come in; each is a quarter longer than the last. */
  private static final long SETTLING_PAUSE_MS = 100;

  /** Where pauses are this long, half a minute has passed. */
  private static final long SETTLED_PAUSE_MS = 6000;

  private static final ScheduledExecutorService SETTLING =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());

  private static @Nullable MethodHandle advise;

  /** The mappings as they were when they were counted. */
  private static List<String> known = List.of();

  private static List<Mapping> unchanged = List.of();

  /** How long what was seen of the mappings holds: libraries come, and none is unloaded. */
  private static final long SEEN_NS = 200_000_000;

  private static long seen = System.nanoTime() - SEEN_NS;

  private ResidentPages() {}

  /** A part of a file in memory, unchanged there. */
  record Mapping(String file, long begin, long end) {}

  /**
   * Gives them back. Does nothing on other systems than Linux, nor where anything stands in the
   * way: it saves memory and changes nothing else.
   */
  static synchronized void release() {
    if (System.nanoTime() - seen >= SEEN_NS) {
      look();
      seen = System.nanoTime();
    }
    unchanged.forEach(ResidentPages::drop);
  }

  /**
   * Gives them back again and again for a while, as a peer's start and a question's first seconds
   * bring in code and classes.
   */
  public static void settle() {
    settle(SETTLING_PAUSE_MS);
  }

  private static void settle(long pauseMs) {
    release();
    if (pauseMs < SETTLED_PAUSE_MS) {
      var _ =
          SETTLING.schedule(() -> settle(pauseMs + pauseMs / 4), pauseMs, TimeUnit.MILLISECONDS);
    }
  }

  private static void look() {
    if (Files.isReadable(MAPPINGS)) {
      try {
        List<String> now = candidates(Files.readAllLines(MAPPINGS));
        if (!now.equals(known)) {
          unchanged = unchanged(Files.readAllLines(COUNTED));
          known = now;
        }
      } catch (IOException e) {
        unchanged = List.of();
      }
    }
  }

  /** The lines of the mappings that may be given back: a library that was loaded since is new. */
  static List<String> candidates(List<String> maps) {
    return maps.stream().filter(line -> candidate(HEADER.matcher(line)) != null).toList();
  }

  private static @Nullable Mapping candidate(Matcher header) {
    if (!header.matches()) {
      return null;
    }
    String file = header.group("file");
    boolean unwritten =
        switch (header.group("rights")) {
          case "r--p" -> file.endsWith(".aot") || JVM.matcher(file).matches();
          case "r--s" -> file.endsWith("/lib/modules");
          case "r-xp" ->
              CODE.matcher(file).matches()
                  && HexFormat.fromHexDigitsToLong(header.group("offset")) > 0;
          default -> false;
        };
    return unwritten
        ? new Mapping(
            file,
            HexFormat.fromHexDigitsToLong(header.group("begin")),
            HexFormat.fromHexDigitsToLong(header.group("end")))
        : null;
  }

  /**
   * The candidates of which no page was changed: the JVM changes a cache that is not at its own
   * address, and the loader what it makes read-only afterwards.
   *
   * @param smaps the lines of {@code /proc/PID/smaps}
   */
  static List<Mapping> unchanged(List<String> smaps) {
    List<Mapping> found = new ArrayList<>();
    Mapping current = null;
    for (String line : smaps) {
      // A mapping's first line begins with its address, the others with a word.
      if (!Character.isUpperCase(line.charAt(0))) {
        current = candidate(HEADER.matcher(line));
        if (current != null) {
          found.add(current);
        }
      } else if (current != null && CHANGED.matcher(line).matches()) {
        found.remove(current);
      }
    }
    return found;
  }

  @SuppressWarnings("restricted") // A system call that the JDK has no method for.
  private static void drop(Mapping mapping) {
    try {
      if (advise == null) {
        Linker linker = Linker.nativeLinker();
        advise =
            linker.downcallHandle(
                linker.defaultLookup().findOrThrow("madvise"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT));
      }
      var _ =
          (int)
              advise.invokeExact(
                  MemorySegment.ofAddress(mapping.begin), mapping.end - mapping.begin, NOT_NEEDED);
    } catch (Throwable e) {
      throw new IllegalStateException("madvise", e);
    }
  }
}
