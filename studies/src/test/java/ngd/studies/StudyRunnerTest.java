package ngd.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.studies.coverage.CoverageStudy;
import ngd.studies.engine.LocalEngine;
import ngd.studies.networks.NetworkStudy;
import ngd.studies.overparameterised.OverparameterisedStudy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyRunnerTest {
  private static final String PLAN =
      """
      models: [linear, logistic]
      networks: ["circle:1", "fixed:2", "regular:2"]
      partitions: [random, sorted]
      placements: [in-order, random]
      alphas: [0.01, "0.05,0.01@20"]
      clients: 10
      rows: 200
      rounds: 40
      points: 4
      """;

  @TempDir Path folder;
  private Path plan;

  @BeforeEach
  void writePlan() throws IOException {
    plan = folder.resolve("own.yaml");
    Files.writeString(plan, PLAN);
  }

  private static StudyRequest request(String plan, int replicates, long seed) {
    return StudyRequest.of(plan).with(OptionalInt.of(replicates), OptionalLong.of(seed));
  }

  private static StudyRunner.Outcome run(String plan, int replicates, int threads, Path out) {
    return run(plan, replicates, threads, 1, out);
  }

  private static StudyRunner.Outcome run(
      String plan, int replicates, int threads, long seed, Path out) {
    return new StudyRunner(new LocalEngine(threads), InstantSource.fixed(Instant.EPOCH))
        .run(request(plan, replicates, seed), out, StudyProgress.silent());
  }

  /** All files but the manifest, which tells times, and the store, whose order tells threads. */
  static Map<String, String> files(Path out) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> entries = Files.list(out)) {
      for (Path entry : entries.filter(Files::isRegularFile).toList()) {
        String name = String.valueOf(entry.getFileName());
        if (!name.equals("manifest.json")) {
          files.put(name, java.util.HexFormat.of().formatHex(Files.readAllBytes(entry)));
        }
      }
    }
    return files;
  }

  /** The oracle is the pom: a study's folder says which release made it. */
  @Test
  void version_ofStudies_isThePoms() throws IOException {
    assertThat(Files.readString(Path.of("../pom.xml")))
        .contains("<version>%s</version>".formatted(StudyRunner.VERSION));
  }

  @Test
  void run_onOneThreadOrThree_writesTheSameBytes() throws IOException {
    run(plan.toString(), 7, 1, folder.resolve("one"));
    run(plan.toString(), 7, 3, folder.resolve("three"));
    assertThat(files(folder.resolve("three"))).isEqualTo(files(folder.resolve("one")));
    assertThat(files(folder.resolve("one")))
        .containsKeys("study.csv", "report.html", "study-linear-N200-M10.svg");
    // A study of one's own names its method, and does not quote the paper.
    assertThat(Files.readString(folder.resolve("one/report.html")))
        .contains("network, method", "circle (D = 1), ngd", "Rounds: ")
        .doesNotContain("paper", "Section numbers");
  }

  @Test
  void run_withMoreReplicatesLater_computesOnlyThoseAndWritesTheSameBytes() throws IOException {
    Path grown = folder.resolve("grown");
    run(plan.toString(), 3, 2, grown);
    assertThat(run(plan.toString(), 8, 2, grown).computed()).isEqualTo(5);
    assertThat(run(plan.toString(), 8, 2, grown).computed()).isZero();
    run(plan.toString(), 8, 2, folder.resolve("atOnce"));
    assertThat(files(grown)).isEqualTo(files(folder.resolve("atOnce")));
  }

  @Test
  void run_withFewerReplicatesLater_saysWhatThoseSay() throws IOException {
    Path shrunk = folder.resolve("shrunk");
    run(plan.toString(), 6, 2, shrunk);
    run(plan.toString(), 4, 2, shrunk);
    run(plan.toString(), 4, 2, folder.resolve("four"));
    assertThat(files(shrunk)).isEqualTo(files(folder.resolve("four")));
  }

  @Test
  void run_theOtherStudies_writesTheirFilesWhateverTheThreads() throws IOException {
    for (Study study :
        List.of(
            new NetworkStudy(List.of(12, 20), List.of(1, 2, 3), 2),
            new OverparameterisedStudy(20, 3, 500, 2, 2),
            new CoverageStudy(300, 6, 2))) {
      String name = study.name();
      for (int threads : new int[] {1, 2}) {
        new StudyRunner(new LocalEngine(threads), InstantSource.system())
            .run(
                new StudyRequest(name, List.of(study)),
                folder.resolve(name + threads),
                StudyProgress.silent());
      }
      assertThat(files(folder.resolve(name + 1)))
          .containsKeys(name + ".csv", name + ".svg", name + ".png", name + ".pdf", "report.html")
          .isEqualTo(files(folder.resolve(name + 2)));
    }
  }

  @Test
  void run_inAFolderOfAnotherSeed_isRefusedAndLeavesItAlone() throws IOException {
    Path out = folder.resolve("out");
    run(plan.toString(), 2, 1, out);
    Map<String, String> before = files(out);
    assertThatThrownBy(() -> run(plan.toString(), 2, 1, 2, out))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("seed is 1 there and 2 here");
    assertThat(files(out)).isEqualTo(before);
  }

  @Test
  void run_inAFolderOfOtherSettings_isRefusedNamingThem() throws IOException {
    Path out = folder.resolve("out");
    run(plan.toString(), 2, 1, out);
    byte[] manifest = Files.readAllBytes(out.resolve("manifest.json"));
    Files.writeString(plan, PLAN.replace("clients: 10", "clients: 20"));
    assertThatThrownBy(() -> run(plan.toString(), 2, 1, out))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("clients is 10 there and 20 here");
    assertThatThrownBy(() -> run("networks", 2, 1, out))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("study is \"own\" there and \"networks\" here");
    assertThat(Files.readAllBytes(out.resolve("manifest.json"))).isEqualTo(manifest);
  }

  @Test
  void run_inAFolderWithOtherThings_isRefusedAndAddsNothing() throws IOException {
    Path out = Files.createDirectory(folder.resolve("mine"));
    Files.writeString(out.resolve("thesis.tex"), "text");
    assertThatThrownBy(() -> run(plan.toString(), 2, 1, out))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("thesis.tex");
    assertThat(files(out)).containsOnlyKeys("thesis.tex");
  }

  @Test
  void run_whereNoFolderCanBe_isRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "text");
    assertThatThrownBy(() -> run(plan.toString(), 2, 1, file)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> run(plan.toString(), 2, 1, file.resolve("below")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("out: must be a folder that can be written");
  }

  @Test
  void run_ofNoReplicates_isRefusedAndMakesNoFolder() {
    Path out = folder.resolve("none");
    assertThatThrownBy(() -> run(plan.toString(), 0, 1, out))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("replicates");
    assertThat(out).doesNotExist();
  }

  @Test
  void run_whileAnotherHoldsTheFolder_isRefused() {
    Path out = folder.resolve("held");
    List<Throwable> seen = new ArrayList<>();
    new StudyRunner(new LocalEngine(1), InstantSource.system())
        .run(
            request(plan.toString(), 1, 1),
            out,
            (study, finished, replicates, share) -> {
              try {
                run(plan.toString(), 1, 1, out);
              } catch (InvalidInput refused) {
                seen.add(refused);
              }
            });
    assertThat(seen).isNotEmpty().allSatisfy(e -> assertThat(e).hasMessageContaining("in use"));
  }

  @Test
  void progress_overAllStudies_risesToOne() {
    List<Double> shares = new ArrayList<>();
    new StudyRunner(new LocalEngine(2), InstantSource.system())
        .run(
            request(plan.toString(), 5, 1),
            folder.resolve("p"),
            (study, finished, replicates, share) -> shares.add(share));
    assertThat(shares).isSorted().last().isEqualTo(1.0);
  }
}
