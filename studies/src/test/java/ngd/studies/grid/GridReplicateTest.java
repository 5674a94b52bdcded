package ngd.studies.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import ngd.core.Problems;
import ngd.core.data.PaperModel;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.fit.FitSetup;
import ngd.core.fit.MethodRun;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.question.ClientKeys;
import ngd.core.question.FitKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.question.Words;
import ngd.core.random.Streams;
import ngd.core.simulation.Trace;
import ngd.core.theory.Problem;
import ngd.core.theory.StableSolution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GridReplicateTest {
  /** A step size, its rounds, and how often to look. */
  private static List<String> step(String alpha, int rounds, int every) {
    return List.of(alpha, Integer.toString(rounds), Integer.toString(every));
  }

  private static Grid grid(List<String> networks, List<List<String>> steps) {
    return Grid.of(
        Axis.of(ModelKeys.SIMULATE, "linear"),
        Axis.of(ModelKeys.ROWS, "400"),
        Axis.of(ClientKeys.CLIENTS, "20"),
        Axis.together(
            List.of(ClientKeys.PARTITION, ClientKeys.PLACEMENT),
            List.of(
                List.of("random", "in-order"),
                List.of("sorted", "in-order"),
                List.of("sorted", "random"))),
        Axis.of(ClientKeys.NETWORK, networks, ""),
        Axis.of(MethodKeys.ALGORITHM, "ngd"),
        Axis.together(List.of(MethodKeys.ALPHA, MethodKeys.ROUNDS, MethodKeys.TRACE_EVERY), steps));
  }

  /** Oracle: the stable solution of {@code theory}, a linear solve that runs no algorithm. */
  @Test
  void of_longRuns_endAtTheStableSolution() {
    GridLayout layout =
        new GridLayout(
            grid(
                List.of("circle:1", "fixed:2", "central"),
                List.of(step("0.02", 4000, 1000), step("0.05", 4000, 1000))));
    Streams streams = Streams.of(5).replicate(3);
    double[] values = GridReplicate.of(layout, streams);
    Table table = PaperModel.LINEAR.table(400, streams);
    for (int c = 0; c < layout.cells().size(); c++) {
      Cell cell = layout.cells().get(c);
      Shards shards =
          cell.arrangement()
              .partition()
              .assign(table, OptionalInt.of(20), cell.arrangement().placement(), streams)
              .shards(table);
      StableSolution stable =
          StableSolution.of(
              Problem.of(
                  Network.of(Topology.parse(cell.network(), 20, streams)),
                  new Linear(),
                  shards,
                  Double.parseDouble(cell.alpha())));
      double distance = stable.distanceTo(PaperModel.LINEAR.truth()).orNaN();
      assertThat(values[layout.last(c)])
          .as("%s", cell)
          .isCloseTo(2 * Math.log(distance), within(1e-6));
    }
  }

  /** Common random numbers: what else the grid holds changes no bit of a cell. */
  @Test
  void of_aSmallerGrid_givesTheSameBitsForTheSharedCells() {
    List<List<String>> both = List.of(step("0.01", 60, 20), step("0.05", 60, 20));
    GridLayout large = new GridLayout(grid(List.of("central", "fixed:2", "circle:1"), both));
    GridLayout small = new GridLayout(grid(List.of("fixed:2"), both.subList(1, 2)));
    Streams streams = Streams.of(9).replicate(12);
    double[] ofLarge = GridReplicate.of(large, streams);
    double[] ofSmall = GridReplicate.of(small, streams);
    assertThat(ofLarge[0]).isEqualTo(ofSmall[0]);
    for (int c = 0; c < small.cells().size(); c++) {
      int same = place(large, small.cells().get(c));
      for (int i = 0; i < small.cells().get(c).points(); i++) {
        assertThat(ofLarge[large.start(same) + i]).isEqualTo(ofSmall[small.start(c) + i]);
      }
    }
  }

  private static int place(GridLayout layout, Cell like) {
    List<Question> questions = layout.cells().stream().map(Cell::question).toList();
    return questions.indexOf(like.question());
  }

  /** As Spark sends it to another process. */
  @Test
  void replicate_ofAStudyThatTravelled_hasTheSameBits() throws Exception {
    GridStudy study =
        new GridStudy(
            "study",
            "",
            grid(List.of("fixed:2"), List.of(step("0.01", 40, 20))),
            new CurvesReport.Own(),
            1);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(study);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      GridStudy there = (GridStudy) in.readObject();
      assertThat(there.replicate(Streams.of(4))).isEqualTo(study.replicate(Streams.of(4)));
    }
  }

  /** Oracle: the definition at θ = 0, log ‖θ0‖². */
  @Test
  void of_anyCell_startsAtTheTruthsNorm() {
    GridLayout layout = new GridLayout(grid(List.of("circle:1"), List.of(step("0.01", 1, 1))));
    double[] values = GridReplicate.of(layout, Streams.of(1));
    assertThat(values[layout.start(0)]).isCloseTo(Math.log(9 + 2.25 + 4), within(1e-12));
  }

  /** Oracle: its standard deviation; 4,000 rows bring five coefficients to some 0.003 squared. */
  @Test
  void of_eventsInTime_hasAGlobalEstimateWhateverTheClients() {
    double[] global = new double[2];
    for (int i = 0; i < 2; i++) {
      GridLayout layout =
          new GridLayout(
              Grid.of(
                  Axis.of(ModelKeys.SIMULATE, "survival"),
                  Axis.of(ModelKeys.ROWS, "4000"),
                  Axis.of(ClientKeys.CLIENTS, i == 0 ? "4" : "400"),
                  Axis.of(ClientKeys.NETWORK, "circle:1"),
                  Axis.of(MethodKeys.ALGORITHM, "ngd"),
                  Axis.of(MethodKeys.ALPHA, "0.1"),
                  Axis.of(MethodKeys.ROUNDS, "1")));
      global[i] = GridReplicate.of(layout, Streams.of(2))[layout.global(layout.cells().getFirst())];
    }
    assertThat(global[0]).isBetween(Math.log(1e-4), Math.log(0.02));
    assertThat(global[1]).isCloseTo(global[0], within(1e-6));
  }

  @Test
  void of_aStepSizeBeyondAllLimits_isInfiniteToTheEnd() {
    GridLayout layout = new GridLayout(grid(List.of("circle:1"), List.of(step("9", 2000, 500))));
    double[] values = GridReplicate.of(layout, Streams.of(1));
    assertThat(values[layout.start(0)]).isFinite();
    assertThat(values[layout.last(0)]).isEqualTo(Double.POSITIVE_INFINITY);
  }

  private static Key<?> key(String name) {
    return GridKeys.ALL.stream().filter(key -> key.name().equals(name)).findFirst().orElseThrow();
  }

  /**
   * Every kind of cell. Oracle: {@code ngd fit} of the same question, whose data, network and trace
   * are made on another path; replicate 0 of a seed has the streams of a fit with that seed.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--network fixed:2 --algorithm ngd --alpha 0.02",
        "--network ring:2 --weights metropolis --algorithm extra --alpha 0.02",
        "--network regular:2 --algorithm balanced-ngd --alpha 0.05,0.01@10 --partition dirichlet:0.5",
        "--network ring:2 --weights metropolis:rows --algorithm ngd --alpha auto --placement random",
        "--network ring:3 --algorithm ngd --alpha 0.02 --batch 5 --mix trimmed:1 --attack sign-flip:3"
            + " --attackers 0,4",
        "--network ring:2 --algorithm d-psgd --weights metropolis --alpha 0.02 --batch 4",
        "--network ring:2 --algorithm ngd --alpha 0.02 --batch 4 --local-steps 2",
        "--network regular:3 --algorithm async-ngd --alpha 0.02 --clocks poisson --delay 0.3 --message-loss 0.1"
            + " --churn 20,3",
        "--loss huber:0.7 --network ring:2 --algorithm ngd --alpha 0.02",
        "--loss quantile:0.5 --network ring:2 --algorithm d-admm:1",
        "--simulate logistic --loss hinge:0.5 --network ring:2 --algorithm ngd --alpha auto",
        "--simulate survival --network ring:2 --weights metropolis --algorithm extra --alpha 0.1",
      })
  void of_aCellOfAnyKind_hasTheTraceOfAFit(String options) {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("simulate", "linear");
    words.put("rows", "200");
    words.put("clients", "10");
    words.put("rounds", "30");
    words.put("trace-every", "10");
    for (String option : options.substring(2).split(" --", -1)) {
      String[] pair = option.split(" ", 2);
      words.put(pair[0], pair[1]);
    }
    Grid grid =
        Grid.of(
            words.entrySet().stream().map(e -> Axis.of(key(e.getKey()), e.getValue())).toList());
    GridLayout layout = new GridLayout(grid);
    double[] values = GridReplicate.of(layout, Streams.of(11));
    Problems problems = new Problems();
    Words said = new Words(Words.Style.KEYS);
    words.put("seed", "11");
    for (Key<?> key : FitKeys.ALL) {
      if (words.containsKey(key.name())) {
        said.say(key, words.get(key.name()));
      }
    }
    Question question = FitKeys.read(said, problems);
    problems.throwIfAny();
    Trace trace =
        MethodRun.prepare(FitSetup.of(question), 1)
            .run((_, _) -> {})
            .course()
            .trace()
            .orElseThrow();
    assertThat(trace.size()).isEqualTo(4);
    for (int look = 0; look < trace.size(); look++) {
      assertThat(values[layout.start(0) + look]).isEqualTo(trace.value(look, "log_mse"));
    }
  }
}
