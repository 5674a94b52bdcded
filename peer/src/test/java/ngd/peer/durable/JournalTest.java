package ngd.peer.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Oracle: what was appended. */
class JournalTest {
  private static final List<byte[]> ENTRIES =
      List.of(new byte[] {1, 2, 3}, new byte[0], new byte[] {4}, new byte[300]);

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("journal");
    try (Journal journal = new Journal(file, "plan")) {
      for (byte[] entry : ENTRIES) {
        journal.append(entry);
      }
    }
  }

  private List<byte[]> read() throws IOException {
    try (Journal journal = new Journal(file, "plan")) {
      return journal.entries();
    }
  }

  @Test
  void entries_readAgain_areWhatWasAppended() throws IOException {
    assertThat(read()).containsExactlyElementsOf(ENTRIES);
  }

  /** Cut anywhere in the last entry, that entry never happened, and writing goes on. */
  @Test
  void entries_lastOneTorn_areThoseBefore() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    for (int length = whole.length - 300; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      try (Journal journal = new Journal(file, "plan")) {
        assertThat(journal.entries()).containsExactlyElementsOf(ENTRIES.subList(0, 3));
        journal.append(new byte[] {9});
      }
      assertThat(read()).hasSize(4).endsWith(new byte[] {9});
    }
  }

  @Test
  void entries_damagedInTheMiddle_areRefused() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    whole["ngd journal plan".length() + 8 + 8] ^= 1;
    Files.write(file, whole);
    assertThatThrownBy(this::read)
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("entry 1")
        .hasMessageContaining("damaged");
  }

  @Test
  void open_ofAnotherPlan_isRefused() {
    assertThatThrownBy(() -> new Journal(file, "other"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("must belong to the plan other");
  }
}
