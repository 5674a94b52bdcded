package ngd.peer.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import ngd.core.file.WholeFile;
import ngd.core.question.FitKeys;
import ngd.core.question.Question;
import ngd.core.random.Streams;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Power failures after a file was written. Oracle: POSIX, as the simulated disk has it. */
class WholeFilePowerTest {
  private static final int SEEDS = 60;

  private static void crash(SimulatedDisk disk, int seed) {
    disk.crash(Streams.of(seed).stream(Streams.Purpose.EVENTS, 0));
  }

  @ParameterizedTest
  @EnumSource
  void write_intoNewFolders_staysWholeWithThem(WholeFile.Access access) throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      SimulatedDisk disk = new SimulatedDisk();
      Path folder = disk.root().resolve("a/b/c");
      access.createFolders(folder);
      byte[] content = "whole".repeat(2000).getBytes(StandardCharsets.UTF_8);
      WholeFile.write(folder.resolve("x"), access, out -> out.write(content));
      crash(disk, seed);
      assertThat(Files.readAllBytes(folder.resolve("x"))).as("seed %d", seed).isEqualTo(content);
    }
  }

  /** Who made the folder may have been killed before its name was forced. */
  @Test
  void createFolders_whereOneIsThere_makesItsNameLast() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      SimulatedDisk disk = new SimulatedDisk();
      Path folder = disk.root().resolve("a");
      Files.createDirectory(folder);
      WholeFile.Access.PRIVATE.createFolders(folder);
      WholeFile.write(folder.resolve("x"), "kept");
      crash(disk, seed);
      assertThat(Files.readString(folder.resolve("x"))).as("seed %d", seed).isEqualTo("kept");
    }
  }

  @Test
  void write_overAnOlderFile_isTheNewOneAfterwards() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      SimulatedDisk disk = new SimulatedDisk();
      Path file = disk.root().resolve("x");
      WholeFile.write(file, "old");
      WholeFile.write(file, "new");
      crash(disk, seed);
      assertThat(Files.readString(file)).as("seed %d", seed).isEqualTo("new");
    }
  }

  /** An answer that was said to be there, a moment before the power failed. */
  @Test
  void runFolder_newOrWrittenOver_staysWhole() throws IOException {
    Manifest manifest =
        new Manifest(
            "fit",
            "1",
            Question.of(FitKeys.ALL, Map.of("data", "jdbc:sqlite:rows.db", "response", "y")),
            "here",
            3,
            "abc");
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
    files.put("a.csv", RunFolder.csv(List.of(List.of("x"), List.of("1"))));
    for (int seed = 0; seed < SEEDS; seed++) {
      SimulatedDisk disk = new SimulatedDisk();
      Path folder = disk.root().resolve("answers/one");
      RunFolder.at(folder).write(manifest, files);
      crash(disk, seed);
      assertThat(Files.readString(folder.resolve("a.csv"))).as("seed %d", seed).isEqualTo("x\n1\n");
      files.put("a.csv", RunFolder.csv(List.of(List.of("x"), List.of("2"))));
      RunFolder.writeOver(folder, manifest, files);
      crash(disk, seed);
      assertThat(Files.readString(folder.resolve("a.csv"))).as("seed %d", seed).isEqualTo("x\n2\n");
      assertThat(folder.resolve("manifest.json")).isNotEmptyFile();
      files.put("a.csv", RunFolder.csv(List.of(List.of("x"), List.of("1"))));
    }
  }
}
