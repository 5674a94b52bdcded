package ngd.studies.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.file.WholeFile;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The folder of one study with one seed. Its manifest says whose it is; a folder that is another's
 * is refused and left as it was. One process at a time holds it.
 */
public final class StudyFolder implements AutoCloseable {
  private static final String MANIFEST = "manifest.json";
  private static final String LOCK = ".lock";

  /** The keys of a manifest that must agree for stored replicates to be this study's. */
  private static final String[] IDENTITY = {"study", "seed", "version", "settings"};

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Path path;
  private final FileChannel lockFile;
  private final Map<String, Object> identity;

  private StudyFolder(Path path, FileChannel lockFile, Map<String, Object> identity) {
    this.path = path;
    this.lockFile = lockFile;
    this.identity = identity;
  }

  /**
   * Opens the folder, or makes it; refuses one with anything else in it.
   *
   * @param parts the folders in it that are the study's, be it begun or not
   */
  public static StudyFolder open(Path path, Map<String, Object> identity, List<String> parts) {
    try {
      boolean known = Files.exists(path.resolve(MANIFEST));
      if (known) {
        requireSame(path, identity);
      } else {
        requireEmpty(path, parts);
      }
      Files.createDirectories(path);
      FileChannel lockFile =
          FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      lock(path, lockFile);
      StudyFolder folder = new StudyFolder(path, lockFile, identity);
      if (!known) {
        folder.writeManifest(Map.of("state", "running"));
      }
      return folder;
    } catch (IOException failed) {
      throw new InvalidInput(
          "out: must be a folder that can be written; %s: %s".formatted(path, reason(failed)),
          failed);
    }
  }

  private static String reason(IOException failed) {
    return switch (failed) {
      case FileAlreadyExistsException there -> "%s is a file".formatted(there.getFile());
      case NoSuchFileException missing -> "%s does not exist".formatted(missing.getFile());
      default -> "%s: %s".formatted(failed.getClass().getSimpleName(), failed.getMessage());
    };
  }

  private static void requireEmpty(Path path, List<String> parts) throws IOException {
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new InvalidInput("out: must be a folder; %s is a file".formatted(path));
    }
    if (Files.isDirectory(path)) {
      try (Stream<Path> entries = Files.list(path)) {
        Optional<Path> other =
            entries
                .filter(entry -> !isDraft(entry))
                .filter(entry -> !parts.contains(String.valueOf(entry.getFileName())))
                .findFirst();
        if (other.isPresent()) {
          throw new InvalidInput(
              "out: must be a new or empty folder, or one of this study; %s holds %s and no manifest of a study"
                  .formatted(path, other.get().getFileName()));
        }
      }
    }
  }

  /** What a process leaves that was killed before it wrote more. */
  private static boolean isDraft(Path entry) {
    String name = String.valueOf(entry.getFileName());
    return name.equals(LOCK) || name.contains(MANIFEST);
  }

  private static void requireSame(Path path, Map<String, Object> identity) throws IOException {
    JsonNode found = read(path.resolve(MANIFEST));
    // Through text, as in the file: a long and an int of the same value are different nodes.
    JsonNode wanted = JSON.readTree(JSON.writeValueAsString(identity));
    for (String key : IDENTITY) {
      String difference = difference(key, found.path(key), wanted.path(key));
      if (difference != null) {
        throw new InvalidInput(
            "out: %s belongs to another study: %s; give this one a folder of its own"
                .formatted(path, difference));
      }
    }
  }

  /** Where two settings first differ, in words; null where they do not. */
  private static @Nullable String difference(String key, JsonNode found, JsonNode wanted) {
    if (found.equals(wanted)) {
      return null;
    }
    if (found.isObject() && wanted.isObject()) {
      Set<String> names = new LinkedHashSet<>(wanted.propertyNames());
      names.addAll(found.propertyNames());
      for (String name : names) {
        String inside = difference(name, found.path(name), wanted.path(name));
        if (inside != null) {
          return inside;
        }
      }
    }
    // Lists of words are shown whole; in lists of settings the first that differs is.
    if (found.path(0).isObject() && wanted.path(0).isObject()) {
      if (found.size() != wanted.size()) {
        return "%s: %d there and %d here".formatted(key, found.size(), wanted.size());
      }
      for (int i = 0; i < found.size(); i++) {
        String inside = difference(key, found.path(i), wanted.path(i));
        if (inside != null) {
          return inside;
        }
      }
    }
    return "%s is %s there and %s here".formatted(key, shown(found), shown(wanted));
  }

  private static String shown(JsonNode node) {
    String text = node.isMissingNode() ? "absent" : node.toString();
    return text.length() <= 120 ? text : text.substring(0, 117) + "…";
  }

  private static JsonNode read(Path manifest) throws IOException {
    try {
      return JSON.readTree(Files.readString(manifest));
    } catch (JacksonException notJson) {
      throw new InvalidInput(
          "%s: must be the manifest of a study; it is not JSON".formatted(manifest), notJson);
    }
  }

  private static void lock(Path path, FileChannel lockFile) throws IOException {
    @Nullable FileLock lock;
    try {
      lock = lockFile.tryLock();
    } catch (OverlappingFileLockException here) {
      lock = null;
    }
    if (lock == null) {
      lockFile.close();
      throw new InvalidInput(
          "out: %s is in use by another process that runs this study".formatted(path));
    }
  }

  public Path path() {
    return path;
  }

  /** A value of the manifest as it stands, if it has one. */
  public Optional<String> manifestText(String key) {
    try {
      JsonNode value = read(path.resolve(MANIFEST)).path(key);
      return value.isString() ? Optional.of(value.asString()) : Optional.empty();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Writes the manifest: whose folder this is, and more. */
  public void writeManifest(Map<String, Object> more) {
    Map<String, Object> all = new LinkedHashMap<>(identity);
    all.putAll(more);
    byte[] text = (JSON.writeValueAsString(all) + "\n").getBytes(StandardCharsets.UTF_8);
    write(MANIFEST, bytes -> bytes.write(text));
  }

  /** Writes a file whole or not at all. */
  public void write(String name, WholeFile.Content content) {
    try {
      WholeFile.write(path.resolve(name), WholeFile.Access.USUAL, content);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
