package ngd.core.question;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.Problems;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.AlgorithmDescriptor.Option;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.ClientSelection;
import ngd.core.algorithm.IntervalChoice;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.codec.Codec;
import ngd.core.inference.AveragedIntervals;
import ngd.core.inference.LiarIdentification;
import ngd.core.network.Activation;
import ngd.core.network.ImpairedNetwork;
import ngd.core.network.LinkFailures;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.privacy.CentralFit;
import ngd.core.privacy.GradientPrivacy;
import ngd.core.privacy.Privacy;
import ngd.core.random.Streams;
import ngd.core.simulation.Attack;
import ngd.core.simulation.Impairments;
import ngd.core.simulation.Trust;
import ngd.core.world.Mixing;

/** Pooled fit or algorithm, and the options of algorithms. */
public final class MethodKeys {
  private static final String NOT_POOLED =
      "works only with --algorithm or --alpha, not with a pooled fit";

  private MethodKeys() {}

  /** A sentence of the algorithm that was asked for; another where it is the pooled answer. */
  private static Function<Question, String> of(String sentence) {
    return question ->
        algorithm(question)
            .map(one -> "`%s` %s".formatted(one.name(), sentence))
            .orElse(NOT_POOLED);
  }

  private static final Function<Question, String> IN_ROUNDS =
      of("runs in rounds; async-ngd, ad-psgd and gosgd do not");

  private static final Function<Question, String> AVERAGING = of("does not mix in rounds");

  private static final Function<Question, String> HEARING =
      of("does not hear neighbours in rounds");

  public static final Key<StepChoice> ALPHA =
      Key.listed(
              "alpha",
              "A",
              words -> StepChoice.parse(String.join(",", words)),
              step -> List.of(step.spec().split(",", -1)))
          .help(
              "Step size (learning rate): 0.01, a schedule 0.01,0.005@1000,0.001@4000, 0.5/t,"
                  + " 0.5/sqrt(t), 0.5/t^0.75, or auto, which starts at half the safe limit and is"
                  + " cut whenever the iterates stop moving.");

  public static final Key<Approach> ALGORITHM =
      Key.of("algorithm", "WORD", Approach::parse, Approach::spec)
          .offering(
              Stream.concat(
                      Stream.of(Approach.POOLED, Approach.POOLED_ROUNDS),
                      Algorithms.all().stream().map(AlgorithmDescriptor::name))
                  .toList())
          .standard(question -> Optional.of(question.says(ALPHA) ? "ngd" : Approach.POOLED))
          .help(
              "Algorithm: pooled (the default: the estimate from the pooled data, with standard"
                  + " errors, by sums over all sites alone), pooled-rounds (the same by rounds, in"
                  + " which sites share their models), "
                  + String.join(", ", Algorithms.words())
                  + "; parameters after a colon are optional. With --alpha alone, ngd.");

  public static final Key<Integer> ROUNDS =
      Key.whole("rounds", "T", 0)
          .standard(question -> pooled(question) ? Optional.of("100000") : Optional.empty())
          .when(
              question -> !pooled(question) || pooledByRounds(question),
              "a pooled fit has no rounds, unless with --algorithm pooled-rounds")
          .help("Rounds to run; with pooled-rounds, at most this many.");

  public static final Key<Integer> BATCH =
      Key.whole("batch", "B", 1)
          .when(question -> has(question, Option.BATCH), of("has no mini-batches"))
          .help("Mini-batch size: rows of a client used in a round; all by default.");

  public static final Key<Integer> LOCAL_STEPS =
      Key.whole("local-steps", "K", 1)
          .standard("1")
          .when(question -> has(question, Option.LOCAL_STEPS), of("takes no local steps"))
          .help("Local gradient steps between two messages; 1 by default.");

  public static final Key<ClientSelection> SELECTION =
      Key.of("selection", "RULE", ClientSelection::parse, ClientSelection::spec)
          .standard("all")
          .when(
              question -> has(question, Option.SELECTION),
              of("has all clients in every round; only methods on sums select, such as fedavg"))
          .help(
              "Clients that take part in a round of a federated method: all (the default), or K of"
                  + " them: uniform:K (at random), by-size:K (in proportion to their rows),"
                  + " in-turn:K, high-loss:K (those with the largest losses); or bernoulli:P (each"
                  + " with probability P).");

  public static final Key<Boolean> EXTRAPOLATE =
      Key.flag("extrapolate")
          .when(MethodKeys::inRoundsWithSteps, of("has no rounds with a step size to halve"))
          .help(
              "Run T rounds at each of alpha, alpha/2 and alpha/4 (and alpha/8 if needed), and"
                  + " extrapolate to alpha = 0.");

  public static final Key<IntervalChoice> INTERVALS =
      Key.of("intervals", "KIND", IntervalChoice::parse, IntervalChoice::spec)
          .when(
              question -> algorithm(question).filter(AlgorithmDescriptor::hasIntervals).isPresent(),
              of("has no known intervals; ngd, d-psgd and cfa have, on mini-batches"))
          .help(
              "Average the estimates over rounds and give intervals around the average: plug-in"
                  + " (by Hessian and gradients' covariance) or random-scaling (by the way of the"
                  + " average). Needs --batch, --alpha as in 0.5/t^0.6, and new rows in every round."
                  + " After a colon, the first rounds that do not count: by default a quarter for"
                  + " plug-in, none for random-scaling.");

  public static final Key<Mixing> MIX =
      Key.of("mix", "RULE", Mixing::parse, Mixing::spec)
          .standard("mean")
          .when(MethodKeys::inRounds, AVERAGING)
          .help(
              "How to average what is heard: mean (the default) or, robustly, trimmed:B, median,"
                  + " bridge:B, clipped:T, clipped:auto:D, geometric-median, krum:B, nearest:B,"
                  + " nnm:B:RULE.");

  public static final Key<Double> IDENTIFY =
      Key.number("identify", "FDR")
          .when(
              question ->
                  hearsInRounds(question)
                      && algorithm(question)
                          .filter(one -> !one.needs().contains(Need.MEAN_MIXING))
                          .isPresent(),
              of("does not average what neighbours say"))
          .help(
              "At the end, name the neighbours whose estimates a client's own rows contradict; of"
                  + " those named, at most this share is honest on average, such as 0.1.");

  public static final Key<LinkFailures> LINK_FAILURES =
      Key.of("link-failures", "P:Q", LinkFailures::parse, LinkFailures::spec)
          .when(MethodKeys::hearsInRounds, HEARING)
          .help(
              "Links that fail and recover, by the seed: P:Q (one that is up fails with probability"
                  + " P after a round, one that is down is back with probability Q), or"
                  + " one-way:P:Q (each direction by itself); :LOSS after either is the share of"
                  + " messages that a bad link loses, 1 by default.");

  public static final Key<Activation> ACTIVATION =
      Key.of("activation", "RULE", Activation::parse, Activation::spec)
          .when(MethodKeys::hearsInRounds, HEARING)
          .help(
              "Which clients take part in a round, by the seed; the others neither hear, nor are"
                  + " heard, nor move: cyclic:K (K in a row, moving on by one),"
                  + " shifts:ON:OFF:AHEAD (ON rounds, then OFF without, each client AHEAD rounds"
                  + " before the one with the number below), bernoulli:P,"
                  + " markov:P:Q (leave with probability P, come back with Q), or poisson:MEAN (sit"
                  + " out a Poisson number of rounds after each).");

  public static final Key<Codec> CODEC =
      Key.of("codec", "WORD", Codec::parse, Codec::spec)
          .standard("none")
          .when(
              question -> algorithm(question).filter(AlgorithmDescriptor::takesCodec).isPresent(),
              of("does not only average rows, and nothing else is compressed"))
          .help(
              "What messages keep of a row: none (the default: all numbers), top:K (the K largest"
                  + " entries), random:K (K random ones), sign (one bit an entry), qsgd:B (B bits"
                  + " an entry, quantised at random), round:STEP (multiples of STEP), noise:SD (a"
                  + " noisy channel), or error-feedback:CODEC. Made for choco, beer"
                  + " and lead, which make up for what is left out.");

  public static final Key<Double> WEIGHT_DECAY =
      Key.number("weight-decay", "LAMBDA")
          .standard("0.0")
          .when(
              question -> algorithm(question).filter(AlgorithmDescriptor::takesDecay).isPresent(),
              of("does not learn by gradient steps alone"))
          .help(
              "Weight decay (L2): every client's loss gets LAMBDA/2 times the squared length of the"
                  + " coefficients, all of them; 0 by default.");

  public static final Key<Privacy> PRIVACY =
      Key.of("privacy", "BUDGET", Privacy::parse, Privacy::spec)
          .help(
              "Differential privacy with this budget for the whole run: epsilon=E,delta=D[,clip=C];"
                  + " with noise=correlated[,colluders=Q][,own=S] most of the noise cancels over"
                  + " neighbours, and it holds while at most Q sites collude; with"
                  + " noise=central,bound=B[,colluders=Q][,steps=T] a pooled fit has noise in its"
                  + " sums.");

  public static final Key<Attack> ATTACK =
      Key.of("attack", "KIND", Attack::parse, Attack::spec)
          .when(MethodKeys::inRounds, AVERAGING)
          .help(
              "What the --attackers send instead of their values: sign-flip:F, noise:SD,"
                  + " constant:C, drift:D, nan, alie:Z, inner-product:F or dissensus:F; with"
                  + " label-flip they learn from false responses.");

  public static final Key<List<Integer>> ATTACKERS =
      Key.listed(
              "attackers",
              "M",
              words -> words.stream().map(MethodKeys::client).toList(),
              clients -> clients.stream().map(m -> Integer.toString(m)).toList())
          .when(MethodKeys::inRounds, AVERAGING)
          .help("Numbers of the attacking clients, from 0.");

  public static final Key<Impairments.Clocks> CLOCKS =
      Key.of("clocks", "WORD", Impairments::clocks, Impairments.Clocks::spec)
          .standard("equal")
          .when(MethodKeys::asynchronous, IN_ROUNDS)
          .help(
              "Clocks of the clients of an asynchronous algorithm: equal (the default), poisson or"
                  + " unequal; --rounds are then simulated seconds.");

  public static final Key<Double> DELAY =
      Key.number("delay", "S")
          .standard("0.0")
          .when(MethodKeys::asynchronous, IN_ROUNDS)
          .help("Mean delay of a message in seconds; 0 by default.");

  public static final Key<Double> MESSAGE_LOSS =
      Key.number("message-loss", "P")
          .standard("0.0")
          .when(MethodKeys::asynchronous, IN_ROUNDS)
          .help("Share of messages that are lost; 0 by default.");

  public static final Key<List<Double>> CHURN =
      Key.listed(
              "churn",
              "UP,DOWN",
              MethodKeys::churn,
              times -> times.stream().map(time -> Double.toString(time)).toList())
          .when(MethodKeys::asynchronous, IN_ROUNDS)
          .help("Mean seconds for which a client is up, and down.");

  public static final Key<Integer> TRACE_EVERY =
      Key.whole("trace-every", "K", 1)
          .when(question -> !pooled(question), NOT_POOLED)
          .help(
              "Measure every K rounds; by default about a hundred times in all, ten with many"
                  + " clients.");

  /** All of them. */
  public static final List<Key<?>> ALL =
      List.of(
          ALGORITHM,
          ALPHA,
          ROUNDS,
          BATCH,
          LOCAL_STEPS,
          SELECTION,
          EXTRAPOLATE,
          INTERVALS,
          MIX,
          IDENTIFY,
          LINK_FAILURES,
          ACTIVATION,
          CODEC,
          WEIGHT_DECAY,
          PRIVACY,
          ATTACK,
          ATTACKERS,
          CLOCKS,
          DELAY,
          MESSAGE_LOSS,
          CHURN,
          TRACE_EVERY);

  /** Those that real peers know too: nobody simulates their attackers, delays and traces. */
  public static final List<Key<?>> AGREED =
      List.of(
          ALGORITHM,
          ALPHA,
          ROUNDS,
          BATCH,
          LOCAL_STEPS,
          SELECTION,
          EXTRAPOLATE,
          INTERVALS,
          MIX,
          IDENTIFY,
          LINK_FAILURES,
          ACTIVATION,
          CODEC,
          WEIGHT_DECAY,
          PRIVACY);

  /** Whether the pooled answer is wanted. */
  public static boolean pooled(Question question) {
    return question.get(ALGORITHM) instanceof Approach.Pooled;
  }

  /** Whether the pooled answer is wanted by rounds, in which sites share their models. */
  public static boolean pooledByRounds(Question question) {
    return question.get(ALGORITHM) instanceof Approach.Pooled(boolean rounds) && rounds;
  }

  private static Optional<AlgorithmDescriptor> algorithm(Question question) {
    return question.get(ALGORITHM) instanceof Approach.Method(Algorithms.Named named)
        ? Optional.of(named.descriptor())
        : Optional.empty();
  }

  private static boolean has(Question question, Option option) {
    return algorithm(question).filter(one -> one.options().contains(option)).isPresent();
  }

  private static boolean asynchronous(Question question) {
    return algorithm(question).filter(AlgorithmDescriptor::asynchronous).isPresent();
  }

  private static boolean inRounds(Question question) {
    return algorithm(question).filter(one -> !one.asynchronous()).isPresent();
  }

  /** Whether neighbours are heard in rounds; a question without an algorithm is of networks. */
  private static boolean hearsInRounds(Question question) {
    return !question.keys().contains(ALGORITHM)
        || (inRounds(question)
            && algorithm(question).filter(AlgorithmDescriptor::central).isEmpty());
  }

  private static boolean inRoundsWithSteps(Question question) {
    return inRounds(question)
        && algorithm(question).filter(AlgorithmDescriptor::takesStepSize).isPresent();
  }

  /** The algorithm as it is asked for; only where one is. */
  public static AlgorithmChoice choice(Question question) {
    if (!(question.get(ALGORITHM) instanceof Approach.Method(Algorithms.Named named))) {
      throw new IllegalStateException("the pooled answer is no algorithm's");
    }
    return new AlgorithmChoice(
        named.descriptor(),
        named.parameters(),
        question.find(ALPHA).orElse(new StepChoice.None()),
        question.find(BATCH).orElse(0),
        question.get(LOCAL_STEPS),
        question.get(CODEC),
        question.find(INTERVALS).map(asked -> asked.of(question.find(ROUNDS).orElse(0))),
        question.get(WEIGHT_DECAY),
        question.get(SELECTION));
  }

  /**
   * Intervals as they are asked for, around the mean over rounds of coefficients of these names.
   */
  public static Optional<AveragedIntervals.Settings> intervals(
      Question question, List<String> terms) {
    AlgorithmChoice choice = choice(question);
    return choice
        .intervals()
        .map(
            asked ->
                new AveragedIntervals.Settings(
                    asked,
                    question.get(ROUNDS),
                    choice.rowsOfBatch(),
                    question.get(PooledKeys.LEVEL),
                    terms));
  }

  private static void checkIdentify(Question question, Words words, Problems problems) {
    question
        .find(IDENTIFY)
        .ifPresent(rate -> problems.collect(() -> LiarIdentification.requireRate(rate)));
    if (question.says(IDENTIFY) && question.get(EXTRAPOLATE)) {
      problems.add(words.problem(IDENTIFY, "does not work with --extrapolate"));
    }
    if (question.says(IDENTIFY) && question.says(PRIVACY)) {
      problems.add(
          words.problem(IDENTIFY, "does not work with --privacy: estimates differ by their noise"));
    }
  }

  /** What would leave the theory of an average over rounds. */
  private static void checkIntervals(Question question, Words words, Problems problems) {
    if (!question.says(INTERVALS)) {
      return;
    }
    problems.collect(() -> intervals(question, List.of()));
    if (!(question.get(MIX) instanceof Mixing.Mean)) {
      problems.add(
          words.problem(
              INTERVALS, "works only with --mix mean: other rules are not averages by W"));
    }
    if (question.get(EXTRAPOLATE)) {
      problems.add(words.problem(INTERVALS, "does not work with --extrapolate"));
    }
    if (question.says(PRIVACY)) {
      problems.add(
          words.problem(INTERVALS, "does not work with --privacy, whose noise they leave out"));
    }
    if (question.says(ATTACK)) {
      problems.add(words.problem(INTERVALS, "does not work with --attack: they trust all clients"));
    }
    int rounds = question.find(ROUNDS).orElse(0);
    int skipped = question.find(INTERVALS).orElseThrow().skipped(rounds);
    if (question.says(ROUNDS) && rounds - skipped < 2) {
      problems.add(
          words.problem(
              INTERVALS,
              "at least two rounds must count; --rounds is %d, of which %d do not"
                  .formatted(rounds, skipped)));
    }
  }

  /** How clients guard against those who lie, and who does. */
  public static Trust trust(Question question) {
    Mixing rule = question.get(MIX);
    return question
        .find(ATTACK)
        .map(attack -> new Trust(rule, attack, question.get(ATTACKERS)))
        .orElseGet(() -> new Trust(rule));
  }

  /** How imperfect the world of an asynchronous algorithm is. */
  public static Impairments impairments(Question question) {
    List<Double> churn = question.find(CHURN).orElse(List.of(0.0, 0.0));
    return new Impairments(
        question.get(CLOCKS),
        question.get(DELAY),
        question.get(MESSAGE_LOSS),
        churn.get(0),
        churn.get(1));
  }

  /** A network with what the question says of links and clients that come and go. */
  public static NetworkSchedule impaired(Question question, NetworkSchedule schedule) {
    return impaired(question, schedule, ClientKeys.streams(question));
  }

  /** The same, drawn from these streams. */
  public static NetworkSchedule impaired(
      Question question, NetworkSchedule schedule, Streams streams) {
    return ImpairedNetwork.of(
        schedule, question.find(LINK_FAILURES), question.find(ACTIVATION), streams);
  }

  /** How gradients are made private, where they are. */
  public static Optional<GradientPrivacy> gradientPrivacy(Question question, Network network) {
    return question
        .find(PRIVACY)
        .map(privacy -> GradientPrivacy.of(privacy, messages(question, privacy), network));
  }

  /** How often a run says something of a row. */
  private static long messages(Question question, Privacy privacy) {
    return privacy.noise() instanceof Privacy.Noise.Central central
        ? central.steps() + 1L
        : Math.multiplyExact((long) question.get(ROUNDS), question.get(LOCAL_STEPS));
  }

  /** The budget of a pooled fit whose sums have noise, where it has one. */
  public static Optional<Privacy> central(Question question) {
    return question
        .find(PRIVACY)
        .filter(privacy -> privacy.noise() instanceof Privacy.Noise.Central);
  }

  private static void checkCentral(Question question, Words words, Problems problems) {
    if (!pooled(question) || pooledByRounds(question)) {
      problems.add(
          words.problem(
              PRIVACY,
              "noise=central works only with a pooled fit by sums (no --alpha or --algorithm)"));
    }
    for (Key<?> key : PooledKeys.ALL) {
      if (question.says(key)) {
        problems.add(
            words.problem(
                key,
                "does not work with noise=central, which has its own steps and no standard"
                    + " errors"));
      }
    }
    try {
      if (ModelKeys.survival(question)) {
        throw new InvalidInput(
            "does not work with Surv(…): a row has a part in the risk sets of others");
      }
      var _ = CentralFit.largestCurvature(ModelKeys.glm(question));
    } catch (InvalidInput e) {
      problems.add(
          words.problem(PRIVACY, String.valueOf(e.getMessage()).replaceFirst("^privacy: ", "")));
    }
  }

  /** Whatever would leave a site un-noised is refused before anything runs. */
  private static void checkPrivacy(Question question, Words words, Problems problems) {
    if (!question.says(PRIVACY)) {
      return;
    }
    if (central(question).isPresent()) {
      checkCentral(question, words, problems);
      return;
    }
    String algorithm = question.get(ALGORITHM).spec();
    if (!algorithm(question).filter(AlgorithmDescriptor::showsGradientsOnly).isPresent()) {
      problems.add(
          words.problem(
              PRIVACY,
              "works only with algorithms that share gradients only, such as ngd, balanced-ngd and dgd; `%s` would share moments, Hessians or other sums without noise"
                  .formatted(algorithm)));
      return;
    }
    if (question.find(ALPHA).filter(StepChoice.Auto.class::isInstance).isPresent()) {
      problems.add(words.problem(PRIVACY, "does not work with --alpha auto, which needs Hessians"));
    }
    if (question.get(EXTRAPOLATE)) {
      problems.add(
          words.problem(
              PRIVACY, "does not work with --extrapolate, whose runs would each spend the budget"));
    }
    if (question.find(ROUNDS).filter(rounds -> rounds == 0).isPresent()) {
      problems.add(words.problem(PRIVACY, "needs at least one round; --rounds is 0"));
    }
  }

  /** What is wrong with how the answer is to be found, beyond single keys. */
  public static void check(Question question, Words words, Problems problems) {
    checkPrivacy(question, words, problems);
    if (ModelKeys.curves(question) && (!pooled(question) || pooledByRounds(question))) {
      problems.add(
          words.problem(
              ModelKeys.FORMULA,
              "must have covariates where an algorithm runs in rounds; without any it asks for"
                  + " survival curves, which are sums alone"));
      return;
    }
    if (pooled(question)) {
      if (question.says(ALPHA)) {
        problems.add(words.problem(ALPHA, "works only with an algorithm, not with a pooled fit"));
      }
      return;
    }
    if (ModelKeys.survival(question)) {
      checkRiskSets(question, words, problems);
    }
    AlgorithmChoice choice = choice(question);
    if (question.find(ROUNDS).isEmpty()) {
      problems.add(words.problem(ROUNDS, "must be given: how many rounds to run"));
    }
    for (String problem : choice.problems()) {
      problems.add(words.prefixed(problem));
    }
    checkIntervals(question, words, problems);
    checkIdentify(question, words, problems);
    if (question.says(CODEC) && question.says(ATTACK)) {
      problems.add(
          words.problem(CODEC, "does not work with --attack: what attackers send has no codec"));
    }
    if (question.get(EXTRAPOLATE)) {
      StepChoice step = choice.step();
      boolean constant =
          step instanceof StepChoice.Given(StepSize alpha) && alpha instanceof StepSize.Constant;
      if (!constant) {
        problems.add(
            words.problem(
                EXTRAPOLATE, "needs a constant --alpha, which it halves; it is " + step.spec()));
      }
      if (question.says(BATCH)) {
        problems.add(
            words.problem(
                EXTRAPOLATE, "does not work with --batch, whose noise is not linear in alpha"));
      }
    }
    if (question.says(ATTACK) != question.says(ATTACKERS)) {
      problems.add(words.problem(ATTACK, "--attack and --attackers need each other"));
    }
    problems.collect(() -> impairments(question));
  }

  /** In rounds a client compares its own rows with each other, and all of them. */
  private static void checkRiskSets(Question question, Words words, Problems problems) {
    if (!ModelKeys.stratifiedBySite(question)) {
      problems.add(
          words.problem(
              ModelKeys.FORMULA,
              "must have strata(site) with an algorithm in rounds, where each client compares its"
                  + " own rows alone; a pooled fit (no --alpha or --algorithm) needs none"));
    }
    if (question.says(BATCH)) {
      problems.add(
          words.problem(BATCH, "does not work with the cox family: a batch has other risk sets"));
    }
    if (question.says(PRIVACY)) {
      problems.add(
          words.problem(
              PRIVACY,
              "does not work with the cox family: a row has a part in the risk sets of others"));
    }
  }

  private static Integer client(String text) {
    return NumberText.read(
        text,
        Integer::valueOf,
        () -> "attackers: must be clients' numbers; got `%s`".formatted(text));
  }

  private static List<Double> churn(List<String> words) {
    List<Double> times = new ArrayList<>();
    try {
      words.forEach(word -> times.add(Double.valueOf(word.strip())));
    } catch (NumberFormatException notANumber) {
      throw new InvalidInput(
          "churn: must be UP,DOWN, two numbers; got `%s`".formatted(String.join(",", words)),
          notANumber);
    }
    if (times.size() != 2) {
      throw new InvalidInput("churn: must be UP,DOWN, two numbers; got " + times);
    }
    return times;
  }
}
