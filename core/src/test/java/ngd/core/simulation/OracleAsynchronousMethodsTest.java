package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import ngd.core.Oracles;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.asynchronous.AdPsgd;
import ngd.core.algorithm.asynchronous.AsyncNgd;
import ngd.core.algorithm.asynchronous.GoSgd;
import ngd.core.model.Objective;
import ngd.core.random.Draws;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.world.Mixing;
import ngd.core.world.Suitability;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Methods without rounds after 3, 10 and 57 simulated seconds. Oracle: {@code
 * oracles/asynchronous_oracle.py}, a NumPy program written from the papers and the documentation,
 * which takes from here nothing but what happened: who woke, to whom it wrote, which letter arrived
 * when. Here the same must still happen.
 */
class OracleAsynchronousMethodsTest {
  private static final String TRACE = "asynchronous-trace.csv";
  private static final String HEADER = "case,time,client,letter,sent";

  /** A line of the file of cases. */
  record Case(String name, String method, String network, String weights, String parameters) {
    static Stream<Case> all() {
      return Oracles.methods("asynchronous.csv").stream()
          .map(line -> new Case(line[0], line[1], line[2], line[3], line[4]));
    }

    MethodProblem problem(String model, String alpha) {
      return new MethodProblem(method, network, weights, model, alpha, parameters);
    }
  }

  static Stream<String> methods() {
    return Stream.of("async-ngd", "ad-psgd", "gosgd");
  }

  /** All files that are read here. */
  static Stream<String> files() {
    return Stream.concat(methods(), Stream.of("asynchronous", "asynchronous-trace"));
  }

  static Stream<Case> cases() {
    return Case.all();
  }

  private static Impairments impairments(MethodProblem p) {
    return new Impairments(
        Impairments.clocks(String.valueOf(p.word("clocks"))),
        p.number("delay", 0),
        p.number("loss", 0),
        p.number("up", 0),
        p.number("down", 0));
  }

  private static Algorithm.Events<?> algorithm(MethodProblem p) {
    Objective objective = p.objective();
    GradientScales scales =
        new Suitability(p.w(), objective.loss(), new Mixing.Mean())
            .scales(
                AlgorithmChoice.of(p.method(), StepChoice.parse(p.alpha())).descriptor(),
                objective.shards().sizes());
    int batch = (int) p.number("batch", 0);
    return switch (p.method()) {
      case "async-ngd" -> new AsyncNgd(p.step(), (int) p.number("stale", 0));
      case "ad-psgd" -> new AdPsgd(p.step(), batch, scales);
      case "gosgd" -> new GoSgd(p.step(), batch, p.number("P", 0), scales);
      default -> throw new IllegalArgumentException(p.method());
    };
  }

  /**
   * A method that writes down what happens to it: every letter carries its number along, and
   * mini-batches are those of the file.
   */
  private static final class Recorded<S extends Algorithm.State> implements Algorithm.Events<S> {
    private final Algorithm.Events<S> method;
    private final Objective objective;
    private final List<String> lines = new ArrayList<>();
    private final List<Integer> sent = new ArrayList<>();
    private @Nullable EventRun<S> run;
    private int letters;

    Recorded(Algorithm.Events<S> method, Objective objective) {
      this.method = method;
      this.objective = objective;
    }

    EventRun<S> start(Simulation simulation, Impairments impairments) {
      EventRun<S> started = simulation.start(this, impairments);
      run = started;
      return started;
    }

    private S told(Mail mail, String letter, S state) {
      double now = run == null ? 0 : run.cost().seconds();
      String to = sent.stream().map(String::valueOf).collect(Collectors.joining(";"));
      lines.add(String.format(Locale.ROOT, "%.6f,%d,%s,%s", now, mail.self(), letter, to));
      sent.clear();
      return state;
    }

    @Override
    public S start(Rows theta, Mail mail) {
      return told(mail, "", method.start(theta, new Numbering(mail)));
    }

    @Override
    public S wake(S state, Mail mail, Local local, Draws draws) {
      Local data = new MethodProblem.FileBatches(local, objective, mail.self(), 0);
      return told(mail, "", method.wake(state, new Numbering(mail), data, draws));
    }

    @Override
    public S receive(S state, Algorithm.Letter letter, Mail mail) {
      double[] words = letter.content().row(0);
      int last = words.length - 1;
      Rows content = letter.content().of(new double[][] {Arrays.copyOf(words, last)});
      Algorithm.Letter own = new Algorithm.Letter(letter.from(), content);
      String number = String.valueOf((int) words[last]);
      return told(mail, number, method.receive(state, own, new Numbering(mail)));
    }

    @Override
    public List<Integer> letterWidths(int parameters) {
      return method.letterWidths(parameters).stream().map(width -> width + 1).toList();
    }

    /** Mail whose letters end with their number, in the order in which they are sent. */
    private final class Numbering implements Mail {
      private final Mail mail;

      Numbering(Mail mail) {
        this.mail = mail;
      }

      @Override
      public List<Integer> hears() {
        return mail.hears();
      }

      @Override
      public double weight(int i) {
        return mail.weight(i);
      }

      @Override
      public List<Integer> listeners() {
        return mail.listeners();
      }

      @Override
      public int self() {
        return mail.self();
      }

      @Override
      public void send(int to, Rows content) {
        double[] words = Arrays.copyOf(content.row(0), content.width() + 1);
        words[content.width()] = letters++;
        sent.add(to);
        mail.send(to, content.of(new double[][] {words}));
      }
    }
  }

  private interface Look {
    void at(int seconds, EventRun<?> run);
  }

  /** Runs a case, looks at it after so many seconds, and tells what happened. */
  private static <S extends Algorithm.State> List<String> run(
      MethodProblem p, Algorithm.Events<S> method, List<Integer> seconds, Look look) {
    Objective objective = p.objective();
    Recorded<S> recorded = new Recorded<>(method, objective);
    Simulation simulation = new Simulation(p.w(), objective, Streams.of(1), 1);
    try (EventRun<S> run = recorded.start(simulation, impairments(p))) {
      for (int end : seconds) {
        run.advance((double) end - run.cost().seconds());
        look.at(end, run);
      }
    }
    return recorded.lines;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void run_everyCaseAndModel_isTheIndependentProgramOnTheSameEvents(Case one) {
    List<String> events =
        Oracles.methods(TRACE).stream()
            .filter(line -> line[0].equals(one.name()))
            .map(line -> String.join(",", List.of(line).subList(1, line.length)))
            .toList();
    List<String[]> answers =
        Oracles.methods(one.method() + ".csv").stream()
            .filter(line -> line[0].equals(one.name()))
            .toList();
    for (String model : List.of("linear", "logistic")) {
      List<String[]> own = answers.stream().filter(line -> line[1].equals(model)).toList();
      assertThat(own).hasSize(3 * MethodProblem.CLIENTS);
      MethodProblem problem = one.problem(model, own.getFirst()[2]);
      Look compare =
          (end, run) ->
              own.stream()
                  .filter(line -> Integer.parseInt(line[3]) == end)
                  .forEach(
                      line -> {
                        double[] expected =
                            IntStream.range(0, MethodProblem.WIDTH)
                                .mapToDouble(j -> Double.parseDouble(line[5 + j]))
                                .toArray();
                        assertThat(run.state(Integer.parseInt(line[4])).theta().row(0))
                            .as("%s, %s", one, String.join(",", line))
                            .containsExactly(expected, within(1e-10));
                      });
      assertThat(run(problem, algorithm(problem), List.of(3, 10, 57), compare)).isEqualTo(events);
    }
  }

  /** What happens, for the oracle: with {@code -Dngd.trace=FILE}. */
  @Test
  @EnabledIfSystemProperty(named = "ngd.trace", matches = ".+")
  void trace_asked_isWritten() throws IOException {
    List<String> lines = new ArrayList<>(List.of(HEADER));
    for (Case one : Case.all().toList()) {
      MethodProblem problem = one.problem("linear", "0.04");
      run(problem, algorithm(problem), List.of(57), (_, _) -> {})
          .forEach(event -> lines.add(one.name() + "," + event));
    }
    Path file = Path.of(System.getProperty("ngd.trace"));
    assertThat(Files.write(file, lines)).isNotEmptyFile();
  }
}
