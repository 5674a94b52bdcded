package ngd.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnProcessTest {
  private static final Path LAUNCHER = Path.of("..", "ngd");

  /** The oracle is the launcher: a peer of a rehearsal or a measurement is one like any site's. */
  @Test
  void peer_options_areThoseOfTheLaunchersPeers() throws Exception {
    List<String> launcher = Files.readAllLines(LAUNCHER).stream().map(String::strip).toList();
    int begin = launcher.indexOf("peer_flags=(") + 1;
    List<String> flags =
        launcher.subList(begin, begin + launcher.subList(begin, launcher.size()).indexOf(")"));
    assertThat(flags).hasSizeGreaterThan(2);
    assertThat(OwnProcess.peer("9m", List.of("word")))
        .containsSubsequence(flags)
        .doesNotContain("--add-modules=jdk.incubator.vector")
        .contains("-Xmx9m")
        .endsWith(RootCommand.MAIN, "word");
  }

  @Test
  void forPeers_aCacheOfTheLauncher_becomesThatOfPeersBesideIt(@TempDir Path folder)
      throws Exception {
    String given = "-XX:AOTCache=" + folder.resolve("ngd.aot");
    assertThat(OwnProcess.forPeers(given)).isEmpty();
    Path theirs = Files.createFile(folder.resolve("peer.aot"));
    assertThat(OwnProcess.forPeers(given)).containsExactly("-XX:AOTCache=" + theirs);
    assertThat(OwnProcess.forPeers("-XX:ArchiveRelocationMode=0"))
        .containsExactly("-XX:ArchiveRelocationMode=0");
  }
}
