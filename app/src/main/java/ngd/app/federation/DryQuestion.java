package ngd.app.federation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import ngd.app.terminal.Version;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.run.RunFolder;
import ngd.peer.SiteAnswer;
import ngd.peer.SiteRun;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.Plan;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.wire.InProcessTransport;

/**
 * A question that a peer puts to itself alone when it starts, about made-up rows, and forgets. It
 * is answered by what answers all questions, so that the first real one finds classes loaded and
 * methods compiled, and takes as long as later ones. Nobody else hears of it; no row of the site is
 * read, and neither log nor memory of answers knows it.
 */
final class DryQuestion {
  private static final int ROWS = 200;

  private static final List<String> QUESTION = List.of("formula: y ~ x + z", "family: binomial");

  private DryQuestion() {}

  /** Asks it; where it cannot be answered, real questions do without. */
  static void ask(PeerIdentity identity) {
    Path folder;
    try {
      folder = Files.createTempDirectory("ngd-dry-");
    } catch (IOException readOnly) {
      return;
    }
    try (TemporaryFolder _ = new TemporaryFolder(folder)) {
      SiteAnswer answer = answer(identity, folder);
      SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>(answer.answer().tables());
      files.put(answer.answer().document(), RunFolder.text(answer.json()));
      RunFolder.writeOver(folder, answer.manifest(Version.number()), files);
    } catch (InvalidInput | WorkFailed | IOException | UncheckedIOException unanswered) {
      // The site's rules may not allow it, or the disk be full.
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  static SiteAnswer answer(PeerIdentity identity, Path folder)
      throws IOException, InterruptedException {
    String site = identity.site();
    String federation =
        new PlanTemplate()
            .with("federation", "dry")
            .with("network", "complete")
            .text(List.of(new Site(site, "localhost", 1)));
    Plan plan = PlanReader.asking(PlanReader.parse(federation).plan(), "dry", QUESTION);
    SiteRun run =
        new SiteRun(
            identity,
            plan,
            folder.resolve("state"),
            folder.resolve("memory"),
            _ -> new InProcessTransport("dry", Runnable::run));
    Path rows = Files.writeString(folder.resolve("rows.csv"), rows());
    try (SiteTable table = FrugalTable.open(() -> TableAddress.of(site, rows.toString()).open())) {
      return run.run(table);
    }
  }

  /** An outcome that x has something to do with. */
  private static String rows() {
    StringBuilder text = new StringBuilder("y,x,z\n");
    for (int i = 0; i < ROWS; i++) {
      double x = Math.sin(i);
      double z = Math.cos(3.0 * i);
      int y = x + 3 * Math.cos(7.0 * i) > 0 ? 1 : 0;
      text.append(String.format(Locale.ROOT, "%d,%.6f,%.6f%n", y, x, z));
    }
    return text.toString();
  }
}
