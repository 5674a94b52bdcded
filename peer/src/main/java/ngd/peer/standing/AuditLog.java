package ngd.peer.standing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import ngd.core.InvalidInput;
import ngd.core.file.Sha256;
import ngd.core.file.WholeFile;
import ngd.peer.machine.Monitor;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A site's record of every question, asker, decision and answer, a line each. Every line carries
 * the hash of the one before it, so that a line that was changed or removed shows; and what a site
 * says to others carries the hash of its last line, so that lines removed from the end show too.
 */
public final class AuditLog {
  /** The link before the first line. */
  static final String BEGIN = "0".repeat(64);

  private final Path file;
  private final Monitor lock = new Monitor();
  private String last;
  private int lines;

  /** Where the last whole line ends, in bytes. */
  private long length;

  /** Whether nothing stands after it: not so where a crash, or a full disk, left half a line. */
  private boolean clean;

  /**
   * One line.
   *
   * @param link the hash of this line
   */
  public record Entry(int number, JsonNode content, String link) {
    public String event() {
      return content.path("event").asString();
    }

    public String question() {
      return content.path("question").asString("");
    }
  }

  private AuditLog(Path file, String last, int lines, long length) {
    this.length = length;
    this.file = file;
    this.last = last;
    this.lines = lines;
  }

  /** Opens a site's log; one that was tampered with is refused. */
  public static AuditLog open(Path file) {
    List<Entry> entries = read(file);
    return new AuditLog(
        file,
        entries.isEmpty() ? BEGIN : entries.getLast().link(),
        entries.size(),
        length(file, entries.size()));
  }

  /** The bytes of the first lines of a log. */
  private static long length(Path file, int lines) {
    if (lines == 0) {
      return 0;
    }
    try {
      byte[] all = Files.readAllBytes(file);
      int at = 0;
      for (int left = lines; left > 0; at++) {
        left -= all[at] == '\n' ? 1 : 0;
      }
      return at;
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be read: %s".formatted(file, e.getMessage()), e);
    }
  }

  /** The lines of a log, each checked against the one before it. */
  public static List<Entry> read(Path file) {
    List<Entry> entries = new ArrayList<>();
    if (Files.notExists(file)) {
      return entries;
    }
    String before = BEGIN;
    int number = 0;
    List<String> lines;
    try {
      String text = Files.readString(file);
      // A line that a power cut left half-written was never referred to.
      lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be read: %s".formatted(file, e.getMessage()), e);
    }
    for (String line : lines) {
      number++;
      try {
        JsonNode json = JsonMapper.shared().readTree(line);
        if (!json.path("before").asString("").equals(before)) {
          throw broken(file, number);
        }
        before = Sha256.hex(line);
        entries.add(new Entry(number, json, before));
      } catch (JacksonException e) {
        if (number == lines.size() && line.indexOf('\0') >= 0) {
          // Pages of the last line did not reach the disk before the power failed.
          break;
        }
        throw new InvalidInput("%s: line %d cannot be read".formatted(file, number), e);
      }
    }
    return entries;
  }

  private static InvalidInput broken(Path file, int number) {
    return new InvalidInput(
        "%s: line %d must follow from the line before it; it does not: a line was changed, removed or put in before it"
            .formatted(file, number));
  }

  /** Whether what a site said to others is in its log: links that are missing were cut off. */
  public static Set<String> missing(List<Entry> entries, Iterable<String> links) {
    Set<String> missing = new LinkedHashSet<>();
    Set<String> there = new LinkedHashSet<>(Set.of(BEGIN));
    entries.forEach(entry -> there.add(entry.link()));
    for (String link : links) {
      if (!there.contains(link)) {
        missing.add(link);
      }
    }
    return missing;
  }

  /** The hash of the last line. */
  public String last() {
    try (var _ = lock.hold()) {
      return last;
    }
  }

  /**
   * Adds a line; when this returns, it is on the disk.
   *
   * @param pairs keys and values in turn
   */
  public void add(Instant at, String event, String... pairs) {
    try (var _ = lock.hold()) {
      ObjectNode json = JsonMapper.shared().createObjectNode();
      json.put("line", lines + 1).put("at", at.toString()).put("event", event);
      for (int i = 0; i + 1 < pairs.length; i += 2) {
        json.put(pairs[i], pairs[i + 1]);
      }
      json.put("before", last);
      String line = json.toString();
      try {
        WholeFile.Access.PRIVATE.createFolders(file.toAbsolutePath().getParent());
        if (Files.notExists(file)) {
          // Its name is on the disk too, then.
          WholeFile.write(file, WholeFile.Access.PRIVATE, _ -> {});
        }
        try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          if (!clean) {
            // Else a later crash might leave the new line before the rest of an old one.
            channel.truncate(length);
            channel.force(true);
          }
          clean = false;
          channel.position(length);
          ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
          channel.force(true);
          clean = true;
        }
      } catch (IOException e) {
        throw new UncheckedIOException("%s: cannot be written".formatted(file), e);
      }
      last = Sha256.hex(line);
      length += line.getBytes(StandardCharsets.UTF_8).length + 1;
      lines++;
    }
  }
}
