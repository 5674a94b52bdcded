package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import ngd.app.QuickStart;
import ngd.peer.SiteAnswer;
import ngd.peer.identity.Kit;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Oracle: the member's folder before and after. */
@ExtendWith(QuickStart.class)
class DryQuestionTest {
  @TempDir Path dir;

  private PeerIdentity member() {
    String plan =
        new PlanTemplate()
            .with("federation", "three")
            .with("network", "complete")
            .text(
                List.of(
                    new Site("a", "localhost", 7400),
                    new Site("b", "localhost", 7401),
                    new Site("c", "localhost", 7402)));
    try (LocalFederation federation = LocalFederation.make(dir, plan, List.of())) {
      return PeerIdentity.open(Kit.open(federation.site("a")), "a", InstantSource.system());
    }
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.map(Path::toString).sorted().toList();
    }
  }

  @Test
  void answer_aMemberAlone_isAModelOfMadeUpRows() throws Exception {
    PeerIdentity member = member();
    Path apart = Files.createDirectory(dir.resolve("apart"));
    SiteAnswer answer = DryQuestion.answer(member, apart);
    assertThat(answer.answer().rowsUsed().rows()).isEqualTo(200);
    assertThat(answer.json().toString()).contains("\"binomial\"");
  }

  @Test
  void ask_atTheStart_leavesNothing() throws Exception {
    PeerIdentity member = member();
    List<String> before = files(dir);
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    List<String> around = dry(temporary);
    DryQuestion.ask(member);
    assertThat(files(dir)).isEqualTo(before);
    assertThat(dry(temporary)).isEqualTo(around);
  }

  private static List<String> dry(Path temporary) throws IOException {
    try (Stream<Path> all = Files.list(temporary)) {
      return all.map(Path::toString).filter(name -> name.contains("ngd-dry-")).sorted().toList();
    }
  }
}
