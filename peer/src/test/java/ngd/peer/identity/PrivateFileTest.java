package ngd.peer.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where modes are unknown, as on Windows: a file system inside of an archive knows none either. */
class PrivateFileTest {
  @TempDir Path dir;

  @Test
  void keys_whereThereAreNoModes_areRefusedInWordsAndNotWritten() throws Exception {
    try (FileSystem without =
        FileSystems.newFileSystem(dir.resolve("disk.zip"), Map.of("create", "true"))) {
      Path key = without.getPath("/a.key");
      List<ThrowingCallable> uses =
          List.of(
              () -> PrivateFile.create(key, "secret"),
              () -> PrivateFile.createFolder(key),
              () -> PrivateFile.read(key));
      for (ThrowingCallable use : uses) {
        assertThatThrownBy(use)
            .isInstanceOf(InvalidInput.class)
            .hasMessageContaining("modes for owner, group and others");
      }
      assertThat(Files.exists(key)).isFalse();
    }
  }
}
