package ngd.studies.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import ngd.core.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was appended is what is read, whatever happened to the end of the file. */
class ReplicateStoreTest {
  @TempDir Path folder;

  private static double[] values(int replicate) {
    return new double[] {replicate, -replicate / 3.0, Double.POSITIVE_INFINITY};
  }

  private Path filled(int... replicates) {
    Path file = folder.resolve("s.bin");
    try (ReplicateStore store = ReplicateStore.open(file, 3)) {
      for (int r : replicates) {
        store.append(r, values(r));
      }
    }
    return file;
  }

  private static void requireHolds(ReplicateStore store, int replicate) {
    double[] read = new double[5];
    store.read(replicate, 0, read, 1, 3);
    assertThat(Arrays.copyOfRange(read, 1, 4)).containsExactly(values(replicate));
  }

  @Test
  void open_afterAppendsOutOfOrder_findsEachReplicate() {
    try (ReplicateStore store = ReplicateStore.open(filled(7, 0, 3), 3)) {
      assertThat(store.finished()).isEqualTo(3);
      assertThat(store.has(1)).isFalse();
      assertThat(store.has(100)).isFalse();
      for (int r : new int[] {0, 3, 7}) {
        requireHolds(store, r);
      }
    }
  }

  @Test
  void open_atEveryLengthOfATornLastRecord_keepsAllButThatOne() throws IOException {
    Path file = filled(0, 1, 2);
    byte[] whole = Files.readAllBytes(file);
    int record = (whole.length - 24) / 3;
    for (int cut = 1; cut <= record; cut++) {
      Files.write(file, Arrays.copyOf(whole, whole.length - cut));
      try (ReplicateStore store = ReplicateStore.open(file, 3)) {
        assertThat(store.finished()).isEqualTo(2);
        assertThat(store.has(2)).isFalse();
        store.append(2, values(2));
        requireHolds(store, 1);
      }
      assertThat(Files.readAllBytes(file)).isEqualTo(whole);
    }
  }

  @Test
  void open_withAFlippedBit_dropsThatRecordAndThoseAfterIt() throws IOException {
    Path file = filled(0, 1, 2);
    byte[] bytes = Files.readAllBytes(file);
    int record = (bytes.length - 24) / 3;
    bytes[24 + record + 11] ^= 4;
    Files.write(file, bytes);
    try (ReplicateStore store = ReplicateStore.open(file, 3)) {
      assertThat(store.finished()).isEqualTo(1);
      requireHolds(store, 0);
    }
  }

  @Test
  void open_withGarbageAtTheEnd_cutsItOff() throws IOException {
    Path file = filled(0);
    Files.write(file, new byte[1000], StandardOpenOption.APPEND);
    try (ReplicateStore store = ReplicateStore.open(file, 3)) {
      assertThat(store.finished()).isEqualTo(1);
    }
  }

  @Test
  void append_twiceTheSameReplicate_keepsTheFirst() throws IOException {
    Path file = filled(4);
    long size = Files.size(file);
    try (ReplicateStore store = ReplicateStore.open(file, 3)) {
      store.append(4, new double[3]);
      requireHolds(store, 4);
    }
    assertThat(Files.size(file)).isEqualTo(size);
  }

  @Test
  void open_ofAnotherWidth_isRefusedAndLeftAlone() throws IOException {
    Path file = filled(0, 1);
    byte[] before = Files.readAllBytes(file);
    assertThatThrownBy(() -> ReplicateStore.open(file, 4)).isInstanceOf(InvalidInput.class);
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }
}
