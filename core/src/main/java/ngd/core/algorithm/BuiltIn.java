package ngd.core.algorithm;

import static ngd.core.algorithm.Need.APERIODIC;
import static ngd.core.algorithm.Need.DOUBLY_STOCHASTIC;
import static ngd.core.algorithm.Need.EIGENVALUES_ABOVE_MINUS_A_THIRD;
import static ngd.core.algorithm.Need.HESSIAN;
import static ngd.core.algorithm.Need.MUTUAL_LINKS;
import static ngd.core.algorithm.Need.STRONGLY_CONNECTED;
import static ngd.core.algorithm.Need.SYMMETRIC;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import ngd.core.algorithm.asynchronous.AdPsgd;
import ngd.core.algorithm.asynchronous.AsyncNgd;
import ngd.core.algorithm.asynchronous.GoSgd;
import ngd.core.algorithm.bayesian.Bayesian;
import ngd.core.algorithm.bayesian.MeanField;
import ngd.core.algorithm.descent.BalancedNgd;
import ngd.core.algorithm.descent.Cfa;
import ngd.core.algorithm.descent.CfaGe;
import ngd.core.algorithm.descent.DPsgd;
import ngd.core.algorithm.descent.Dgd;
import ngd.core.algorithm.descent.DualAveraging;
import ngd.core.algorithm.descent.EarlyStopped;
import ngd.core.algorithm.descent.FedAvg;
import ngd.core.algorithm.descent.LocalSteps;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.algorithm.exact.D2;
import ngd.core.algorithm.exact.Diging;
import ngd.core.algorithm.exact.ExactDiffusion;
import ngd.core.algorithm.exact.Extra;
import ngd.core.algorithm.personal.Collaborative;
import ngd.core.algorithm.personal.ModelPropagation;
import ngd.core.algorithm.pushing.PushDiging;
import ngd.core.algorithm.pushing.PushPull;
import ngd.core.algorithm.pushing.Sgp;

/**
 * A method that comes with the library.
 *
 * @param name the word on the command line
 */
record BuiltIn(
    String name,
    String summary,
    Weighting weighting,
    Function<Method.Request, Algorithm<?>> maker,
    List<String> parameters,
    boolean takesStepSize,
    Set<Need> needs)
    implements Method {
  /** The rows of a mini-batch of a method that is nothing without one. */
  private static final int MINI_BATCH = 10;

  static final List<Method> ALL =
      List.of(
          new BuiltIn(
              "ngd",
              "average what you hear, descend at the average (Wu, Huang, Wang)",
              Weighting.NONE,
              r ->
                  r.localSteps() > 1
                      ? new LocalSteps(r.step(), r.batch(), r.localSteps())
                      : new Ngd(r.step(), r.batch()),
              List.of(),
              true,
              Set.of()),
          new BuiltIn(
              "balanced-ngd",
              "ngd with gradients scaled by (n/N)/pi: comes to the pooled estimate",
              Weighting.BY_SIZE_AND_WEIGHT,
              r -> new BalancedNgd(r.step(), r.scales()),
              List.of(),
              true,
              EnumSet.of(STRONGLY_CONNECTED)),
          new BuiltIn(
              "dgd",
              "average what you hear, descend at your own point (Yuan, Ling, Yin 2016)",
              Weighting.BY_SIZE_AND_WEIGHT,
              r -> new Dgd(r.step(), r.scales()),
              List.of(),
              true,
              EnumSet.of(APERIODIC)),
          new BuiltIn(
              "d-psgd",
              "dgd on mini-batches (Lian et al. 2017)",
              Weighting.BY_SIZE_AND_WEIGHT,
              r -> new DPsgd(r.step(), r.batch() == 0 ? MINI_BATCH : r.batch(), r.scales()),
              List.of(),
              true,
              EnumSet.of(APERIODIC)),
          new BuiltIn(
              "d2",
              "takes out the variance between clients (Tang et al. 2018)",
              Weighting.BY_SIZE,
              r -> new D2(r.step(), r.batch(), r.scales()),
              List.of(),
              true,
              EnumSet.of(STRONGLY_CONNECTED, SYMMETRIC, EIGENVALUES_ABOVE_MINUS_A_THIRD)),
          new BuiltIn(
              "diging",
              "gradient tracking (Nedić, Olshevsky, Shi 2017)",
              Weighting.BY_SIZE,
              r -> new Diging(r.step(), r.scales()),
              List.of(),
              true,
              EnumSet.of(STRONGLY_CONNECTED, APERIODIC, DOUBLY_STOCHASTIC)),
          new BuiltIn(
              "push-diging",
              "gradient tracking on directed networks (Nedić, Olshevsky, Shi 2017)",
              Weighting.BY_SIZE,
              r -> new PushDiging(r.step(), r.scales()),
              List.of(),
              true,
              EnumSet.of(STRONGLY_CONNECTED)),
          new BuiltIn(
              "extra",
              "exact first-order algorithm (Shi, Ling, Wu, Yin 2015)",
              Weighting.BY_SIZE,
              r -> new Extra(r.step(), r.scales()),
              List.of(),
              true,
              EnumSet.of(STRONGLY_CONNECTED, APERIODIC, SYMMETRIC)),
          new BuiltIn(
              "exact-diffusion",
              "adapt, correct, combine (Yuan, Ying, Zhao, Sayed 2018)",
              Weighting.BY_SIZE,
              r -> new ExactDiffusion(r.step(), r.scales()),
              List.of(),
              true,
              EnumSet.of(STRONGLY_CONNECTED, APERIODIC, SYMMETRIC)),
          new BuiltIn(
              "push-pull",
              "pull parameters, push gradients (Xin, Khan 2018)",
              Weighting.BY_SIZE,
              r -> new PushPull(r.step(), r.scales()),
              List.of(),
              true,
              EnumSet.of(STRONGLY_CONNECTED, APERIODIC)),
          new BuiltIn(
              "sgp",
              "stochastic gradient push (Assran et al. 2019)",
              Weighting.BY_SIZE,
              r -> new Sgp(r.step(), r.batch(), r.scales()),
              List.of(),
              true,
              EnumSet.of(STRONGLY_CONNECTED)),
          new BuiltIn(
              "cfa",
              "consensus-based federated averaging (Savazzi, Nicoli, Rampa 2020)",
              Weighting.BY_SIZE_AND_WEIGHT,
              r -> new Cfa(r.step(), r.parameter(0, 0.5), r.batch(), r.scales()),
              List.of("E"),
              true,
              Set.of()),
          new BuiltIn(
              "cfa-ge",
              "cfa with gradients exchanged too (Savazzi, Nicoli, Rampa 2020)",
              Weighting.BY_SIZE_AND_WEIGHT,
              r ->
                  new CfaGe(
                      r.step(), r.parameter(0, 0.5), r.parameter(1, 0.99), r.batch(), r.scales()),
              List.of("E", "RHO"),
              true,
              EnumSet.of(MUTUAL_LINKS)),
          new BuiltIn(
              "dual-averaging",
              "gossip dual averaging; alpha such as 0.2/sqrt(t) (Colin et al. 2016)",
              Weighting.BY_SIZE,
              r -> new DualAveraging(r.step(), r.scales()),
              List.of(),
              true,
              EnumSet.of(STRONGLY_CONNECTED, APERIODIC, DOUBLY_STOCHASTIC)),
          new BuiltIn(
              "model-propagation",
              "personal models, smoothed over the network (Vanhaesebrouck et al. 2017)",
              Weighting.NONE,
              r -> new ModelPropagation(r.parameter(0, 0.9), r.parameter(1, 1e-3)),
              List.of("A", "RIDGE"),
              false,
              EnumSet.of(HESSIAN)),
          new BuiltIn(
              "collaborative",
              "personal models learned together by ADMM (Vanhaesebrouck et al. 2017)",
              Weighting.BY_SIZE,
              r -> new Collaborative(r.parameter(0, 1), r.parameter(1, 0.5), r.scales()),
              List.of("COUPLING", "RHO"),
              false,
              EnumSet.of(MUTUAL_LINKS, HESSIAN)),
          new BuiltIn(
              "bayesian",
              "beliefs pooled by log-linear averaging (Lalitha et al. 2018, 2019)",
              Weighting.BY_SIZE_AND_WEIGHT,
              r ->
                  r.linear()
                      ? new Bayesian(r.parameter(0, 1), r.parameter(1, 1e-6), r.scales())
                      : new MeanField(
                          r.alpha() == null ? StepSize.constant(0.1) : r.alpha(),
                          0.5 / r.parameter(0, 1),
                          r.parameter(1, 1e-6),
                          r.scales()),
              List.of("NOISE", "PRIOR"),
              false,
              EnumSet.of(STRONGLY_CONNECTED, APERIODIC, HESSIAN)),
          new BuiltIn(
              "early-stopped",
              "descend, then average; the number of iterations regularises (Richards, Rebeschini 2019)",
              Weighting.BY_SIZE_AND_WEIGHT,
              r ->
                  new EarlyStopped(
                      r.step(),
                      (int) Math.min(r.parameter(0, Integer.MAX_VALUE), Integer.MAX_VALUE),
                      r.scales()),
              List.of("T"),
              true,
              Set.of()),
          new BuiltIn(
              "async-ngd",
              "ngd on everyone's own clock, with the freshest that was heard",
              Weighting.NONE,
              r -> new AsyncNgd(r.step(), (int) r.parameter(0, 0)),
              List.of("STALENESS"),
              true,
              Set.of()),
          new BuiltIn(
              "ad-psgd",
              "asynchronous averaging with one neighbour at a time (Lian et al. 2018)",
              Weighting.BY_SIZE,
              r -> new AdPsgd(r.step(), r.batch(), r.scales()),
              List.of(),
              true,
              EnumSet.of(STRONGLY_CONNECTED, MUTUAL_LINKS)),
          new BuiltIn(
              "gosgd",
              "push gossip with sum weights (Blot et al. 2016)",
              Weighting.BY_SIZE,
              r -> new GoSgd(r.step(), r.batch(), r.parameter(0, 0.5), r.scales()),
              List.of("P"),
              true,
              EnumSet.of(STRONGLY_CONNECTED)),
          new BuiltIn(
              "fedavg",
              "the central baseline: local steps, then the mean over all (McMahan et al. 2017)",
              Weighting.NONE,
              r -> new FedAvg(r.step(), r.batch(), r.localSteps()),
              List.of(),
              true,
              Set.of()));

  @Override
  public Set<Option> options() {
    return switch (name) {
      case "ngd", "fedavg" -> EnumSet.allOf(Option.class);
      case "d-psgd", "d2", "sgp", "ad-psgd", "gosgd", "cfa", "cfa-ge" -> EnumSet.of(Option.BATCH);
      default -> Set.of();
    };
  }

  @Override
  public int usualBatch() {
    return name.equals("d-psgd") ? MINI_BATCH : 0;
  }

  @Override
  public boolean asynchronous() {
    return switch (name) {
      case "async-ngd", "ad-psgd", "gosgd" -> true;
      default -> false;
    };
  }

  /** Tracking gradients over a network takes smaller steps than following one's own. */
  @Override
  public double shareOfSafeStep() {
    return switch (name) {
      case "diging", "push-diging", "push-pull" -> 0.05;
      default -> 0.5;
    };
  }

  @Override
  public Algorithm<?> make(Request request) {
    return maker.apply(request);
  }
}
