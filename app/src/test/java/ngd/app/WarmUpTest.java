package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Locale;
import ngd.app.federation.PeerWarmUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands behind the AOT caches end as they should: one that is refused for a word that has
 * changed meanwhile loads nothing, and starts are slower without anybody noticing.
 */
class WarmUpTest {
  @TempDir private Path folder;

  @Test
  void main_allCommands_endAsTheyShould() throws Exception {
    Locale before = Locale.getDefault();
    try {
      WarmUp.main(new String[] {folder.toString(), "all"});
    } finally {
      Locale.setDefault(before);
    }
    assertThat(folder.resolve("run/result.json")).exists();
    assertThat(folder.resolve("standing/answer/result.json")).exists();
  }

  @Test
  void rounds_eachPeerOfAPlan_ends() throws Exception {
    PeerWarmUp.make(folder);
    PeerWarmUp.rounds(
        folder,
        words -> {
          Command peer = Command.run(words.toArray(String[]::new));
          assertThat(peer.code()).as(peer.err()).isZero();
        });
  }
}
