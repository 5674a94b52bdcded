package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import ngd.app.Command;
import ngd.app.terminal.Console;
import ngd.app.terminal.Syntax;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every option that exists, one at a time: the manifest tells the two runs apart, and each run can
 * be repeated from its manifest bit for bit. Oracle: the options that the command itself has.
 */
class ManifestTest {
  /** Options that say how to work or to show it, and change no answer. */
  private static final Set<String> NO_ANSWER =
      Set.of(
          "--threads",
          "--out",
          "--trajectories",
          "--time",
          "--format",
          "--help",
          "--version",
          "--debug");

  private static final String ROUNDS = " --alpha 0.05 --rounds 6";
  private static final String PENALTY = " --penalty lasso";
  private static final String SIMULATED =
      "--simulate linear --rows 60 --clients 4 --network ring:1";
  private static final String FILE = "--data DIR/d.csv --response y --clients 3 --network ring:1";
  private static final String FORMULA =
      "--data DIR/d.csv --formula y~a+b --clients 3 --network ring:1";
  private static final String GAPS = "--data DIR/g.csv --formula y~b --clients 3 --network ring:1";
  private static final String HAZARDS = FORMULA.replace("y~a+b", "Surv(y,z)~b");
  private static final String CURVES = FORMULA.replace("y~a+b", "Surv(y,z)~1") + " --times 2,4,6";
  private static final String SITES =
      "--site n=DIR/n.csv --site s=DIR/s.csv --formula y~a --network complete";
  private static final String GOSSIP = SIMULATED + " --algorithm gosgd --alpha 0.05 --rounds 6";

  /** What an option is added to, and how it is said. */
  private record Variant(String base, String option) {}

  private static Map<String, Variant> variants() {
    Map<String, Variant> v = new LinkedHashMap<>();
    v.put("--data", new Variant(FILE.replace("d.csv", "e.csv"), null));
    v.put("--site", new Variant(SITES, "--site t=DIR/t.csv"));
    v.put("--query", new Variant(SITES, "--query n=select¶*¶from¶data¶where¶a<3"));
    v.put("--missing", new Variant(FORMULA, "--missing fail"));
    v.put("--na", new Variant(SITES, "--na ?"));
    v.put("--decimal", new Variant(SITES, "--decimal n=."));
    v.put("--dictionary", new Variant(SITES, "--dictionary DIR/dictionary.yaml"));
    v.put("--memory", new Variant(SITES, "--memory 1k"));
    v.put("--encoding", new Variant(SITES, "--encoding latin-1"));
    v.put("--formula", new Variant(FORMULA.replace("y~a+b", "y~a"), null));
    v.put("--simulate", new Variant(SIMULATED.replace("linear", "poisson"), null));
    v.put("--response", new Variant(FILE.replace("--response y", "--response b"), null));
    v.put("--features", new Variant(FILE, "--features a"));
    v.put("--no-intercept", new Variant(FILE, "--no-intercept"));
    v.put("--random-features", new Variant(FILE, "--random-features 2:3"));
    v.put("--rows", new Variant(SIMULATED.replace("--rows 60", "--rows 61"), null));
    v.put(
        "--family", new Variant(FILE.replace("y ", "k ") + " --features b --family poisson", null));
    v.put(
        "--dispersion",
        new Variant(
            FILE.replace("y ", "k ") + " --features b --family negative-binomial",
            "--dispersion 2"));
    v.put(
        "--link",
        new Variant(FILE.replace("y ", "z ") + " --features b --family binomial", "--link probit"));
    v.put(
        "--order",
        new Variant(FORMULA.replace("y~a+b", "k~b") + " --family multinomial", "--order 3<2<1<0"));
    v.put("--loss", new Variant(FILE + ROUNDS, "--loss huber:0.5"));
    v.put("--clients", new Variant(SIMULATED.replace("--clients 4", "--clients 5"), null));
    v.put("--partition", new Variant(SIMULATED, "--partition sorted"));
    v.put("--placement", new Variant(SIMULATED, "--placement random"));
    v.put("--network", new Variant(SIMULATED.replace("ring:1", "complete"), null));
    v.put("--weights", new Variant(SIMULATED, "--weights metropolis"));
    v.put("--seed", new Variant(SIMULATED, "--seed 2"));
    v.put("--algorithm", new Variant(SIMULATED + ROUNDS, "--algorithm balanced-ngd"));
    v.put("--alpha", new Variant(SIMULATED + ROUNDS.replace("0.05", "0.06"), null));
    v.put("--rounds", new Variant(SIMULATED + ROUNDS.replace("6", "7"), null));
    v.put("--batch", new Variant(SIMULATED + ROUNDS, "--batch 3"));
    v.put("--local-steps", new Variant(SIMULATED + ROUNDS, "--local-steps 2"));
    v.put(
        "--extrapolate",
        new Variant(
            SIMULATED + " --algorithm balanced-ngd --alpha 0.02 --rounds 3000", "--extrapolate"));
    v.put("--mix", new Variant(SIMULATED + ROUNDS, "--mix median"));
    v.put("--link-failures", new Variant(SIMULATED + ROUNDS, "--link-failures 0.3:0.4"));
    v.put(
        "--selection",
        new Variant(
            SIMULATED + " --algorithm fedavg --alpha 0.05 --rounds 20", "--selection uniform:2"));
    v.put("--activation", new Variant(SIMULATED + ROUNDS, "--activation bernoulli:0.6"));
    v.put(
        "--intervals",
        new Variant(
            SIMULATED + " --batch 2 --alpha 0.05/t^0.6 --rounds 6 --weights lazy:0.5",
            "--intervals plug-in:2"));
    v.put("--identify", new Variant(SIMULATED + ROUNDS, "--identify 0.2"));
    v.put("--codec", new Variant(SIMULATED + ROUNDS, "--codec qsgd:4"));
    v.put("--weight-decay", new Variant(SIMULATED + ROUNDS, "--weight-decay 0.2"));
    v.put("--privacy", new Variant(SIMULATED + ROUNDS, "--privacy epsilon=5,delta=1e-3"));
    v.put("--attack", new Variant(SIMULATED + ROUNDS + " --attackers 1", "--attack noise:0.1"));
    v.put("--attackers", new Variant(SIMULATED + ROUNDS + " --attack noise:0.1", "--attackers 2"));
    v.put("--clocks", new Variant(GOSSIP, "--clocks poisson"));
    v.put("--delay", new Variant(GOSSIP, "--delay 0.5"));
    v.put("--loss", new Variant(SIMULATED + ROUNDS, "--loss quantile:0.5"));
    v.put("--message-loss", new Variant(GOSSIP, "--message-loss 0.1"));
    v.put("--churn", new Variant(GOSSIP, "--churn 10,2"));
    v.put("--trace-every", new Variant(SIMULATED + ROUNDS, "--trace-every 3"));
    v.put("--bias-share", new Variant(SIMULATED, "--bias-share 0.5"));
    v.put(
        "--no-last-step",
        new Variant(SIMULATED + " --algorithm pooled-rounds --bias-share 0.5", "--no-last-step"));
    v.put("--robust", new Variant(SIMULATED, "--robust=hc1"));
    v.put("--cluster", new Variant(SIMULATED.replace("4", "20"), "--cluster site"));
    v.put("--level", new Variant(SIMULATED, "--level 0.9"));
    v.put("--heterogeneity", new Variant(SIMULATED, "--heterogeneity"));
    v.put("--ridge", new Variant(SIMULATED, "--ridge 0.5"));
    v.put("--penalty", new Variant(SIMULATED, "--penalty elastic-net:0.3"));
    v.put("--lambda", new Variant(SIMULATED + PENALTY, "--lambda 0.5,0.1"));
    v.put("--lambda-count", new Variant(SIMULATED + PENALTY, "--lambda-count 7"));
    v.put("--lambda-ratio", new Variant(SIMULATED + PENALTY, "--lambda-ratio 0.05"));
    v.put("--folds", new Variant(SIMULATED + PENALTY, "--folds 5"));
    v.put("--select", new Variant(SIMULATED + PENALTY, "--select min"));
    v.put("--anova", new Variant(SIMULATED, "--anova"));
    v.put("--test", new Variant(FORMULA, "--test a¶=¶1"));
    v.put("--ties", new Variant(HAZARDS, "--ties breslow"));
    v.put("--times", new Variant(HAZARDS, "--times 2,4,6"));
    v.put("--reml", new Variant(FORMULA.replace("y~a+b", "y~a+b+(1|k)"), "--reml no"));
    v.put(
        "--quadrature",
        new Variant(FORMULA.replace("y~a+b", "k~b+(1|z)") + " --family poisson", "--quadrature 3"));
    v.put("--meta", new Variant(SIMULATED.replace("60", "200"), "--meta"));
    v.put("--treatment", new Variant(FORMULA.replace("y~a+b", "y~z"), "--treatment z¶~¶b"));
    v.put(
        "--estimand",
        new Variant(FORMULA.replace("y~a+b", "y~z") + " --treatment z~b", "--estimand att"));
    v.put(
        "--stabilised",
        new Variant(FORMULA.replace("y~a+b", "y~z+b") + " --treatment z~b", "--stabilised"));
    v.put("--impute", new Variant(GAPS, "--impute 3"));
    v.put("--impute-iterations", new Variant(GAPS + " --impute 2", "--impute-iterations 2"));
    v.put("--impute-with", new Variant(GAPS + " --impute 2", "--impute-with a"));
    v.put("--zph", new Variant(HAZARDS, "--zph=log"));
    v.put("--conf-type", new Variant(CURVES, "--conf-type log-log"));
    v.put("--tau", new Variant(CURVES, "--tau 3"));
    v.put(
        "--exponentiate",
        new Variant(
            FILE.replace("y ", "z ") + " --features b --family binomial", "--exponentiate"));
    return v;
  }

  /** The run without the option: the base, where the option was not written into it. */
  private static final List<String> BASES =
      List.of(SIMULATED, FILE, FORMULA, SITES, SIMULATED + ROUNDS, GOSSIP);

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    StringBuilder rows = new StringBuilder("y,a,b,k,z\n");
    StringBuilder some = new StringBuilder("y,a\n");
    for (int i = 0; i < 30; i++) {
      double a = i % 5;
      double b = Math.sin(i);
      rows.append("%s,%s,%s,%d,%d\n".formatted(1 + a + b + (i % 3) * 0.1, a, b, i % 4, i * 7 % 2));
      some.append("%s,%s\n".formatted(2 - a + (i % 3) * 0.1, a));
    }
    Files.writeString(folder.resolve("dictionary.yaml"), "a: number\n");
    Files.writeString(folder.resolve("d.csv"), rows);
    Files.writeString(folder.resolve("g.csv"), rows.toString().replaceAll(",0\\.[0-9]*,", ",,"));
    Files.writeString(folder.resolve("e.csv"), rows.toString().replace("1.1", "1.2"));
    for (String site : List.of("n", "s", "t")) {
      Files.writeString(folder.resolve(site + ".csv"), some);
    }
  }

  private Path run(String words, String name) {
    Path out = folder.resolve(name);
    List<String> line = new ArrayList<>(List.of("fit"));
    for (String word : words.replace("DIR", folder.toString()).split(" ", -1)) {
      line.add(word.replace("¶", " "));
    }
    line.addAll(List.of("--out", out.toString()));
    Command command = Command.run(line.toArray(String[]::new));
    assertThat(command.code()).as(words + "\n" + command.err()).isZero();
    return out;
  }

  private static JsonNode question(Path run) throws IOException {
    return JsonMapper.shared()
        .readTree(Files.readString(run.resolve("manifest.json")))
        .get("question");
  }

  private static Map<String, String> files(Path run) throws IOException {
    try (Stream<Path> files = Files.list(run)) {
      Map<String, String> contents = new LinkedHashMap<>();
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        if (!file.getFileName().toString().equals("manifest.json")) {
          contents.put(file.getFileName().toString(), Files.readString(file));
        }
      }
      return contents;
    }
  }

  private static Set<String> options() {
    FitCommand fit = new FitCommand();
    Console nowhere =
        new Console(
            java.io.OutputStream.nullOutputStream(),
            java.io.OutputStream.nullOutputStream(),
            false);
    CommandLine line = new Syntax(fit, List.of(), nowhere).root();
    return line.getCommandSpec().options().stream()
        .map(option -> option.longestName())
        .filter(name -> !NO_ANSWER.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void manifest_everyOptionThatExists_isTriedHere() {
    assertThat(variants().keySet()).containsAll(options());
  }

  /** Repeats each run from its manifest, too: the same files, byte for byte. */
  @Test
  void manifest_everyOption_tellsTheRunsApartAndRepeatsThem() throws IOException {
    Map<String, JsonNode> seen = new LinkedHashMap<>();
    int number = 0;
    for (String base : BASES) {
      seen.put(base, question(run(base, "base-" + number++)));
    }
    for (Map.Entry<String, Variant> variant : variants().entrySet()) {
      String option = variant.getValue().option();
      String words = variant.getValue().base() + (option == null ? "" : " " + option);
      String name = variant.getKey().substring(2);
      Path run = run(words, name);
      JsonNode asked = question(run);
      seen.forEach(
          (other, question) ->
              assertThat(question).as("%s and %s", words, other).isNotEqualTo(asked));
      seen.put(words, asked);
      if (!name.equals("simulate")) {
        assertThat(asked.has(name)).as("%s in the manifest", name).isTrue();
      }
      Path again = folder.resolve(name + "-again");
      Command repeated =
          Command.run("fit", run.resolve("manifest.json").toString(), "--out", again.toString());
      assertThat(repeated.code()).as(name + repeated.err()).isZero();
      assertThat(repeated.err()).doesNotContain("changed");
      assertThat(files(again)).as(name).isEqualTo(files(run));
      assertThat(question(again)).isEqualTo(asked);
    }
  }

  @Test
  void fit_manifestWhoseDataChanged_saysSo() throws IOException {
    Path run = run(FILE, "before");
    Files.writeString(
        folder.resolve("d.csv"), Files.readString(folder.resolve("d.csv")) + "3,1,1,1,1\n");
    Command again =
        Command.run(
            "fit",
            run.resolve("manifest.json").toString(),
            "--out",
            folder.resolve("after").toString());
    assertThat(again.code()).isZero();
    assertThat(again.err()).contains("the data changed since", "manifest.json");
  }
}
