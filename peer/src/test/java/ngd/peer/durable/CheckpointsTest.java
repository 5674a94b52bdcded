package ngd.peer.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Oracle: what was written. */
class CheckpointsTest {
  @TempDir Path folder;

  private static byte[] bytes(String words) {
    return words.getBytes(StandardCharsets.UTF_8);
  }

  private void write(String... contents) throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(folder, "plan")) {
      checkpoints.newest();
      for (String content : contents) {
        checkpoints.write(out -> out.write(bytes(content)), Long.MAX_VALUE);
      }
    }
  }

  private String newest() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(folder, "plan")) {
      return new String(checkpoints.newest().orElseThrow(), StandardCharsets.UTF_8);
    }
  }

  private List<Path> snapshots() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches("snapshot-\\d+"))
          .sorted()
          .toList();
    }
  }

  @Test
  void newest_severalWritten_isTheLastAndTwoAreKept() throws IOException {
    write("one", "two", "three");
    assertThat(newest()).isEqualTo("three");
    assertThat(snapshots()).hasSize(2);
    write("four");
    assertThat(newest()).isEqualTo("four");
    assertThat(snapshots()).hasSize(2);
  }

  @Test
  void chain_olderOnesNeeded_holdsThemUpToTheFirstDamage() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(folder, "plan")) {
      for (String content : List.of("1", "2", "3", "4", "5")) {
        checkpoints.write(out -> out.write(bytes(content)), 2);
      }
      assertThat(checkpoints.generation()).isEqualTo(5);
      assertThat(checkpoints.chain())
          .containsExactly(bytes("5"), bytes("4"), bytes("3"), bytes("2"));
      Files.write(folder.resolve("snapshot-000000000003"), new byte[9]);
      assertThat(checkpoints.chain()).containsExactly(bytes("5"), bytes("4"));
    }
  }

  @Test
  void newest_newFolder_isNone() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(folder.resolve("deep/er"), "plan")) {
      assertThat(checkpoints.newest()).isEmpty();
    }
  }

  /** Torn anywhere, or with any byte changed, the newest is not taken for whole. */
  @Test
  void newest_tornOrDamaged_isTheOneBefore() throws IOException {
    write("before", "newest");
    byte[] whole = Files.readAllBytes(snapshots().getLast());
    for (int length = 0; length < whole.length; length++) {
      damaged(Arrays.copyOf(whole, length));
    }
    for (int i = 0; i < whole.length; i++) {
      byte[] changed = whole.clone();
      changed[i] ^= 1;
      damaged(changed);
    }
  }

  private void damaged(byte[] content) throws IOException {
    Path last = folder.resolve("snapshot-000000000002");
    Files.write(last, content);
    assertThat(newest()).isEqualTo("before");
    Files.deleteIfExists(folder.resolve("snapshot-000000000002.damaged"));
  }

  /** What cannot be read is named in the log and set aside: its number is free for the next. */
  @Test
  void chain_damagedNewest_isNamedAndSetAside() throws IOException {
    write("one", "two");
    Path newest = snapshots().getLast();
    Files.write(newest, new byte[30]);
    List<String> lines = new ArrayList<>();
    Handler log =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(new SimpleFormatter().formatMessage(line));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger peers = Logger.getLogger("ngd.peer");
    peers.addHandler(log);
    try {
      write("three");
    } finally {
      peers.removeHandler(log);
    }
    assertThat(lines)
        .containsExactly(
            "snapshot-unreadable file=%s detail=its checksum does not match".formatted(newest));
    assertThat(newest.resolveSibling("snapshot-000000000002.damaged")).hasSize(30);
    assertThat(newest()).isEqualTo("three");
    assertThat(snapshots()).hasSize(2);
  }

  @Test
  void forget_all_leavesAFolderAsNew() throws IOException {
    write("one", "two");
    try (Checkpoints checkpoints = new Checkpoints(folder, "plan")) {
      checkpoints.forget();
      assertThat(checkpoints.newest()).isEmpty();
    }
    assertThat(snapshots()).isEmpty();
  }

  /** The oracle is what the system says of each failure. */
  @Test
  void reason_failuresOfFiles_saysWhichFileAndWhy() {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> Files.readAllBytes(missing))
        .satisfies(
            e ->
                assertThat(FileFailure.reason((IOException) e))
                    .isEqualTo("there is no " + missing));
    assertThat(FileFailure.reason(new AccessDeniedException("/f")))
        .isEqualTo("permission denied: /f");
    assertThat(FileFailure.reason(new FileAlreadyExistsException("/f"))).isEqualTo("/f is a file");
    assertThat(FileFailure.reason(new FileSystemException("/f", null, "Read-only file system")))
        .isEqualTo("/f: Read-only file system");
    assertThat(FileFailure.reason(new FileSystemException("/f"))).isEqualTo("/f");
    assertThat(FileFailure.reason(new IOException("No space left on device")))
        .isEqualTo("No space left on device");
  }

  @Test
  void newest_allDamaged_isAnErrorAndNoNewStart() throws IOException {
    write("one", "two");
    for (Path file : snapshots()) {
      Files.write(file, new byte[3]);
    }
    assertThatThrownBy(this::newest)
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("snapshot-000000000001")
        .hasMessageContaining("damaged");
  }

  /** A power cut between writing and naming leaves the unfinished file. */
  @Test
  void newest_unfinishedFileLeft_isIgnored() throws IOException {
    write("one");
    Files.write(folder.resolve("snapshot.unfinished"), bytes("half of some"));
    assertThat(newest()).isEqualTo("one");
    write("two");
    assertThat(newest()).isEqualTo("two");
  }

  /** Writes to /dev/full fail as on a full disk, with the kernel's own error. */
  @Test
  void write_fullDisk_failsAndThePreviousStays() throws IOException {
    write("one");
    Files.createSymbolicLink(folder.resolve("snapshot.unfinished"), Path.of("/dev/full"));
    try (Checkpoints checkpoints = new Checkpoints(folder, "plan")) {
      checkpoints.newest();
      assertThatThrownBy(() -> checkpoints.write(out -> out.write(new byte[1 << 20]), 0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("No space left");
      assertThat(new String(checkpoints.newest().orElseThrow(), StandardCharsets.UTF_8))
          .isEqualTo("one");
      checkpoints.write(out -> out.write(bytes("two")), 0);
    }
    assertThat(newest()).isEqualTo("two");
  }

  @Test
  void newest_ofAnotherPlan_isRefused() throws IOException {
    write("one");
    try (Checkpoints other = new Checkpoints(folder, "other")) {
      assertThatThrownBy(other::newest)
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("must belong to other");
    }
  }

  @Test
  void open_twice_isRefused() throws IOException {
    try (Checkpoints first = new Checkpoints(folder, "plan")) {
      assertThat(first.newest()).isEmpty();
      assertThatThrownBy(() -> new Checkpoints(folder, "plan"))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("one peer at a time");
    }
  }

  /** Models and agreed sums are the site's own. */
  @Test
  void write_aSnapshot_isReadableByItsOwnerAlone() throws IOException {
    write("one");
    for (Path snapshot : snapshots()) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(snapshot)))
          .isEqualTo("rw-------");
    }
  }
}
