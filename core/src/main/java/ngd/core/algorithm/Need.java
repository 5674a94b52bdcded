package ngd.core.algorithm;

/** Something without which an algorithm does not do what its theory says: checked before a run. */
public enum Need {
  CONSTANT_NETWORK(
      "a network that stays as it is: its theory is for one W in all rounds",
      "use a constant network such as ring:1, without --link-failures and --activation, or an"
          + " algorithm whose W may change, such as ngd, diging or sgp"),
  STRONGLY_CONNECTED(
      "a strongly connected network, in which every client reaches every other",
      "use a network such as regular:D, circle:D or ring:K"),
  APERIODIC(
      "an aperiodic W, or mixing never converges",
      "give clients some weight on themselves, such as --weights lazy:0.5"),
  DOUBLY_STOCHASTIC(
      "a doubly stochastic W, whose columns also sum to 1",
      "use a network in which every client is heard equally often, such as regular:D, or --weights"
          + " metropolis on mutual links"),
  SYMMETRIC(
      "a symmetric W", "use --weights metropolis on a network with mutual links such as ring:2"),
  EIGENVALUES_ABOVE_MINUS_A_THIRD(
      "a W whose eigenvalues lie above -1/3", "use --weights lazy-metropolis"),
  MUTUAL_LINKS(
      "mutual links, so that a client can reply to those it hears",
      "use a network such as ring:K, torus or complete"),
  MEAN_MIXING(
      "mixing by the plain mean: it sends shares or differences, link by link or to all, which"
          + " robust mixing cannot guard",
      "use --mix mean, or an algorithm that averages, such as balanced-ngd or diging"),
  LINK_GRADIENTS(
      "gradients of a client's data at its neighbours' models",
      "use an algorithm that takes gradients at a client's own model only, such as cfa"),
  LOSSES(
      "how large clients' losses are, which data behind noise do not show",
      "leave --privacy out, or use an algorithm that needs gradients alone, such as ngd"),
  ROW_LOSSES(
      "the loss of every row, of which a client's loss is the mean",
      "use a generalised linear model without --privacy, or dr-dsgd, which looks at whole clients"),
  PROXIMAL_STEPS(
      "a loss whose proximal steps are known",
      "use a family, or one of the losses huber, quantile and hinge; an own loss needs a Hessian"
          + " (CurvedLoss) or prox (ProximalLoss); gradients with --privacy have neither"),
  HESSIAN(
      "a loss with a Hessian",
      "use a family, or one of the losses huber:DELTA, quantile:TAU:WIDTH and hinge:WIDTH, without"
          + " --privacy");

  private final String what;
  private final String remedy;

  Need(String what, String remedy) {
    this.what = what;
    this.remedy = remedy;
  }

  /** What is needed, in words. */
  public String what() {
    return what;
  }

  /** What would do, in words. */
  public String remedy() {
    return remedy;
  }

  /** Whether data of a kind meet this need; needs that are not of the data are met. */
  public boolean metBy(Class<? extends Local> data) {
    return switch (this) {
      case LINK_GRADIENTS -> LinkLocal.class.isAssignableFrom(data);
      case PROXIMAL_STEPS -> ProximalLocal.class.isAssignableFrom(data);
      case LOSSES, ROW_LOSSES -> LossLocal.class.isAssignableFrom(data);
      case HESSIAN -> CurvedLocal.class.isAssignableFrom(data);
      default -> true;
    };
  }

  /** The data as the kind that this need is for. */
  <L extends Local> L in(Local local, Class<L> kind) {
    if (kind.isInstance(local)) {
      return kind.cast(local);
    }
    throw new IllegalStateException(
        "needs %s, which must be asked for as a need before the run; got %s"
            .formatted(what, local.getClass().getSimpleName()));
  }
}
