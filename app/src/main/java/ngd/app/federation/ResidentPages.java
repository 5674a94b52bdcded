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
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Pages of files that this process has in memory: the AOT cache and native libraries. Linux brings
 * sixteen pages in for each that is touched, so that start-up and a first reading of data leave
 * tens of megabytes behind that are hardly used again. A peer gives them back; what is needed again
 * comes from the page cache.
 */
final class ResidentPages {
  private static final Path MAPPINGS = Path.of("/proc/self/maps");

  /** The same with what each has in memory, which takes the kernel long to count. */
  private static final Path COUNTED = Path.of("/proc/self/smaps");

  private static final Pattern HEADER =
      Pattern.compile("([0-9a-f]+)-([0-9a-f]+) (....) \\S+ \\S+ (\\d+) +(/.*)?");
  private static final Pattern ANONYMOUS = Pattern.compile("Anonymous: +(\\d+) kB");

  /** {@code MADV_DONTNEED}. */
  private static final int NOT_NEEDED = 4;

  private static @Nullable MethodHandle advise;

  /** The mappings as they were when they were counted. */
  private static List<String> known = List.of();

  private static List<Mapping> unchanged = List.of();

  private ResidentPages() {}

  /** A part of a file in memory, unchanged there. */
  record Mapping(String file, long begin, long end) {}

  /**
   * Gives them back. Does nothing on other systems than Linux, nor where anything stands in the
   * way: it saves memory and changes nothing else.
   */
  static synchronized void release() {
    if (Files.isReadable(MAPPINGS)) {
      try {
        List<String> now = candidates(Files.readAllLines(MAPPINGS));
        if (!now.equals(known)) {
          unchanged = unchanged(Files.readAllLines(COUNTED));
          known = now;
        }
        unchanged.forEach(ResidentPages::drop);
      } catch (IOException e) {
        // They stay.
      }
    }
  }

  /** The lines of the mappings that may be given back: a library that was loaded since is new. */
  static List<String> candidates(List<String> maps) {
    return maps.stream()
        .filter(line -> (line.endsWith(".aot") || line.contains(".so")) && !line.contains(" rw"))
        .toList();
  }

  /**
   * The read-only mappings of the AOT cache and of libraries, of which no page was changed: a
   * changed one, by a relocation, exists nowhere else and must stay.
   *
   * @param smaps the lines of {@code /proc/PID/smaps}
   */
  static List<Mapping> unchanged(List<String> smaps) {
    List<Mapping> found = new ArrayList<>();
    Mapping current = null;
    for (String line : smaps) {
      Matcher header = HEADER.matcher(line);
      Matcher anonymous = ANONYMOUS.matcher(line);
      if (header.matches()) {
        String file = header.group(5);
        boolean dropped =
            file != null
                && (file.endsWith(".aot") || file.contains(".so"))
                && header.group(3).matches("r-[x-]p");
        current =
            dropped
                ? new Mapping(
                    file, Long.parseLong(header.group(1), 16), Long.parseLong(header.group(2), 16))
                : null;
      } else if (current != null && anonymous.matches() && anonymous.group(1).equals("0")) {
        found.add(current);
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
