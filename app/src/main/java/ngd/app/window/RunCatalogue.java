package ngd.app.window;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.run.StoredRun;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The run folders below one folder, and the only way to them: a name leads to a folder or a file
 * inside it, whatever links or dots it is made of, or it leads nowhere.
 */
final class RunCatalogue {
  private static final int DEEPEST = 5;
  private static final int MOST_RUNS = 2000;
  private static final int MOST_FOLDERS = 20_000;

  /** A folder with one of these is meant as a run, be it whole or not. */
  private static final List<String> SIGNS =
      List.of("manifest.json", "result.json", "trace.csv", "compare.csv", "report.html");

  /** What is read of a run without being asked for by its name. */
  private static final List<String> READ =
      List.of(
          "manifest.json",
          "result.json",
          "description.json",
          "check.json",
          "trace.csv",
          "compare.csv",
          "claims.json");

  private static final Set<String> NOT_LOOKED_INTO = Set.of("node_modules", "target", "replicates");

  private static final Pattern FILE =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*\\.(csv|json|svg|png|pdf|html|yaml)");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,59}");
  private static final Pattern TAG = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N} ._:-]{0,39}");
  private static final String TAGS = "tags.json";
  private static final int MOST_TAGS = 20;

  /** What a folder holds. */
  enum Kind {
    RUN("result.json"),
    DESCRIPTION("description.json"),
    CHECK("check.json"),
    COMPARISON("result.json"),
    STUDY("claims.json");

    private final String document;

    Kind(String document) {
      this.document = document;
    }

    /** The file that says what was found. */
    String document() {
      return document;
    }
  }

  private final Path root;

  RunCatalogue(Path root) {
    this.root = root;
  }

  /** The folder that is looked into, as a person would write it. */
  Path root() {
    return root.toAbsolutePath().normalize();
  }

  private Path realRoot() {
    try {
      return root.toRealPath();
    } catch (IOException e) {
      throw new InvalidInput("--runs: there is no folder %s".formatted(root), e);
    }
  }

  /** The names of all run folders, in the order of the alphabet. */
  List<String> names() {
    Path top = realRoot();
    List<String> names = new ArrayList<>();
    int[] seen = new int[1];
    try {
      Files.walkFileTree(
          top,
          EnumSet.noneOf(java.nio.file.FileVisitOption.class),
          DEEPEST,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              String name = String.valueOf(folder.getFileName());
              if (!folder.equals(top) && (name.startsWith(".") || NOT_LOOKED_INTO.contains(name))) {
                return FileVisitResult.SKIP_SUBTREE;
              }
              if (++seen[0] > MOST_FOLDERS || names.size() >= MOST_RUNS) {
                return FileVisitResult.TERMINATE;
              }
              if (SIGNS.stream().anyMatch(sign -> Files.exists(folder.resolve(sign)))) {
                names.add(folder.equals(top) ? "." : name(top, folder));
                return FileVisitResult.SKIP_SUBTREE;
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    names.sort(Comparator.naturalOrder());
    return names;
  }

  private static String name(Path top, Path folder) {
    return top.relativize(folder).toString().replace('\\', '/');
  }

  /** The folder of this name; {@link NotFound} where it does not lie inside. */
  Path folder(String name) {
    Path top = realRoot();
    try {
      Path real = top.resolve(name).toRealPath();
      if (real.startsWith(top) && Files.isDirectory(real) && !Path.of(name).isAbsolute()) {
        return real;
      }
    } catch (IOException | InvalidPathException e) {
      // Said below: what exists outside is nobody's business.
    }
    throw new NotFound("there is no run `%s`".formatted(name));
  }

  /** The folder for a new run of this name, directly below the one that is looked into. */
  Path fresh(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidInput(
          "name: must be 1 to 60 letters, digits or . _ -, and begin with a letter or digit; got `%s`"
              .formatted(name));
    }
    Path folder = realRoot().resolve(name);
    if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      throw new InvalidInput("name: must be new; there is a `%s` already".formatted(name));
    }
    return folder;
  }

  /** The folder of a run whose files may be read: a link among them could lead anywhere. */
  Path readable(String run) {
    Path folder = folder(run);
    for (String file : READ) {
      if (Files.isSymbolicLink(folder.resolve(file))) {
        throw new InvalidInput(
            "run `%s`: %s must be a file of the run; it is a symbolic link, which is not followed"
                .formatted(run, file));
      }
    }
    return folder;
  }

  /** A file of a run. */
  Path file(String run, String name) {
    Path folder = folder(run);
    Path file = folder.resolve(FILE.matcher(name).matches() ? name : "");
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new NotFound("run `%s` has no file `%s`".formatted(run, name));
    }
    return file;
  }

  /** The names of a run's files. */
  List<String> files(String run) {
    try (Stream<Path> all = Files.list(folder(run))) {
      return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> FILE.matcher(name).matches() && !name.equals(TAGS))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What kind of folder this is; {@link InvalidInput} where nobody can tell. */
  Kind kind(String run) {
    Path folder = readable(run);
    if (Files.exists(folder.resolve("compare.csv"))) {
      return Kind.COMPARISON;
    }
    if (StoredRun.object(folder.resolve("manifest.json")).has("study")) {
      return Kind.STUDY;
    }
    return Stream.of(Kind.DESCRIPTION, Kind.CHECK)
        .filter(kind -> Files.exists(folder.resolve(kind.document())))
        .findFirst()
        .orElse(Kind.RUN);
  }

  /** When the newest of a run's files was written, in milliseconds. */
  long modified(String run) {
    Path folder = folder(run);
    return SIGNS.stream()
        .map(folder::resolve)
        .map(RunCatalogue::modified)
        .flatMap(Optional::stream)
        .max(Comparator.naturalOrder())
        .orElse(0L);
  }

  private static Optional<Long> modified(Path file) {
    try {
      return Optional.of(Files.getLastModifiedTime(file).toMillis());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The tags that people gave a run. */
  List<String> tags(String run) {
    Path file = folder(run).resolve(TAGS);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    List<String> tags = new ArrayList<>();
    for (JsonNode tag : StoredRun.object(file).path("tags")) {
      if (tag.isString()) {
        tags.add(tag.asString());
      }
    }
    return tags;
  }

  /** Gives a run these tags instead of those it has. */
  void tag(String run, List<String> tags) {
    for (String tag : tags) {
      if (!TAG.matcher(tag).matches()) {
        throw new InvalidInput(
            "tags: must be 1 to 40 letters, digits, blanks or . _ : -, and begin with a letter or digit; got `%s`"
                .formatted(tag));
      }
    }
    if (tags.size() > MOST_TAGS) {
      throw new InvalidInput(
          "tags: a run has at most %d; got %d".formatted(MOST_TAGS, tags.size()));
    }
    Path folder = folder(run);
    try {
      Path part = Files.createTempFile(folder, ".tags", null);
      Files.writeString(
          part, JsonMapper.shared().writeValueAsString(java.util.Map.of("tags", tags)) + "\n");
      Files.move(part, folder.resolve(TAGS), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new InvalidInput("tags: cannot be written beside the run: " + e.getMessage(), e);
    }
  }
}
