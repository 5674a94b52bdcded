package ngd.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Oracles: what then lies in the folder, and its modes. That it is forced, the faults show. */
class WholeFileTest {
  @TempDir Path folder;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void write_overAnOlderFile_isTheNewOneAlone() throws IOException {
    Path file = folder.resolve("a");
    WholeFile.write(file, "old");
    WholeFile.write(file, "né");
    assertThat(Files.readAllBytes(file)).isEqualTo("né".getBytes(StandardCharsets.UTF_8));
    assertThat(names()).containsExactly("a");
  }

  /** While it is written, its place has the older file and its draft is its owner's alone. */
  @Test
  void write_underWay_showsNothingOfIt() throws IOException {
    Path file = folder.resolve("a");
    WholeFile.write(file, "old");
    WholeFile.write(
        file,
        WholeFile.Access.PRIVATE,
        out -> {
          out.write(new byte[200_000]);
          assertThat(file).hasContent("old");
          assertThat(names()).hasSize(2).anyMatch(name -> name.matches("\\.a\\.\\d+-\\d+\\.part"));
          try (Stream<Path> files = Files.list(folder)) {
            for (Path draft : files.filter(other -> !other.equals(file)).toList()) {
              assertThat(mode(draft)).isEqualTo("rw-------");
            }
          }
        });
    assertThat(file).hasSize(200_000);
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(names()).containsExactly("a");
  }

  /**
   * Processes in containers of their own may all have the same number, and share a folder. Here the
   * other one is the same class from another loader, which counts its drafts from one again.
   */
  @Test
  void write_whileAProcessOfTheSameNumberDoes_keepsOutOfItsWay() throws Exception {
    Path file = folder.resolve("a");
    URL classes = WholeFile.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader elsewhere =
        new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
      Method write =
          elsewhere
              .loadClass(WholeFile.class.getName())
              .getMethod("write", Path.class, String.class);
      WholeFile.write(file, "counted");
      WholeFile.write(
          file,
          WholeFile.Access.USUAL,
          out -> {
            for (int i = 0; i < 200; i++) {
              assertThatCode(() -> write.invoke(null, file, "theirs")).doesNotThrowAnyException();
            }
            assertThat(file).hasContent("theirs");
            out.write("ours".getBytes(StandardCharsets.UTF_8));
          });
    }
    assertThat(file).hasContent("ours");
    assertThat(names()).containsExactly("a");
  }

  @Test
  void isDraft_tellsWhatACrashLeftFromWhatPeopleWrote() {
    for (String name : List.of(".a.12-3.part", ".result.json.1-1.part")) {
      assertThat(WholeFile.isDraft(folder.resolve(name))).as(name).isTrue();
    }
    for (String name : List.of("a", "a.12-3.part", ".a.part", ".a.12-3.part.csv", "..1-2.par")) {
      assertThat(WholeFile.isDraft(folder.resolve(name))).as(name).isFalse();
    }
    assertThat(WholeFile.isDraft(Path.of("/"))).isFalse();
  }

  @Test
  void write_thatFails_leavesTheOlderFileAndNoDraft() throws IOException {
    Path file = folder.resolve("a");
    WholeFile.write(file, "old");
    for (Exception failure : List.of(new IOException("full"), new IllegalStateException("wrong"))) {
      assertThatThrownBy(
              () ->
                  WholeFile.write(
                      file,
                      WholeFile.Access.USUAL,
                      out -> {
                        out.write(new byte[200_000]);
                        if (failure instanceof IOException io) {
                          throw io;
                        }
                        throw (RuntimeException) failure;
                      }))
          .isSameAs(failure);
      assertThat(file).hasContent("old");
      assertThat(names()).containsExactly("a");
    }
    Path missing = folder.resolve("missing/a");
    assertThatThrownBy(() -> WholeFile.write(missing, "new"))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void createFolders_someMissing_areItsOwnersAloneOrAsUsual() throws IOException {
    Path deep = folder.resolve("a/b/c");
    WholeFile.Access.PRIVATE.createFolders(deep);
    for (Path made = deep; !made.equals(folder); made = made.getParent()) {
      assertThat(mode(made)).isEqualTo("rwx------");
    }
    Path usual = folder.resolve("d/e");
    WholeFile.Access.USUAL.createFolders(usual);
    assertThat(mode(usual)).isEqualTo(mode(Files.createDirectory(folder.resolve("as-usual"))));
    // Again, with a file in it.
    WholeFile.write(deep.resolve("f"), "here");
    WholeFile.Access.PRIVATE.createFolders(deep);
    assertThat(deep.resolve("f")).hasContent("here");
    assertThatThrownBy(() -> WholeFile.Access.PRIVATE.createFolders(deep.resolve("f/g")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void moveOver_aFileInItsPlace_replacesIt() throws IOException {
    Path from = Files.writeString(folder.resolve("from"), "new");
    Path to = Files.writeString(folder.resolve("to"), "old");
    WholeFile.moveOver(from, to);
    assertThat(to).hasContent("new");
    assertThat(names()).containsExactly("to");
  }

  @Test
  void forceFolder_thatIsNone_isAnError() {
    assertThatThrownBy(() -> WholeFile.forceFolder(folder.resolve("missing")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
