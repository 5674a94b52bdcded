package ngd.core.theory;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import ngd.core.NumberText;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.Measured;
import org.jspecify.annotations.Nullable;

/**
 * Whether network gradient descent has one limit from every start, decided exactly where that can
 * be done.
 *
 * <p>For w ≥ 0 and {@code 0 < α < 2 / max c_m λmax(H_m)}, H_m positive semidefinite: the spectral
 * radius of Δ*(W ⊗ I) is below 1 if and only if in every closed communicating class of W the pooled
 * curvature is positive definite; otherwise it is exactly 1, and the limit depends on the start or,
 * where that class has a period, most starts have none. Why: each Δ^(m) has norm at most 1, so
 * ‖θ_m‖ never grows beyond the largest that is heard. An eigenvector to a modulus of 1 must have
 * its largest norm throughout a closed class, where averaging keeps norms only if all that is heard
 * is equal up to rotation by the eigenvalue, and Δ^(m) keeps the norm of a vector only if H_m sends
 * it to 0: so some direction is unseen by the whole class. Conversely such a direction, the same at
 * all clients of the class, is an eigenvector to 1 for every α. Periodic W makes no difference.
 * From α at the limit on only the radius itself decides, except that an unseen direction still
 * rules out a single limit.
 *
 * @param converges null where it could not be decided
 * @param reason why, in words for a person
 * @param safeAlpha the limit 2 / max c_m λmax(H_m); absent where there is no Hessian to tell
 * @param radiusIsOne whether the spectral radius was proved to be exactly 1
 */
public record Certificate(
    @Nullable Boolean converges, String reason, OptionalDouble safeAlpha, boolean radiusIsOne) {
  /** A spectral radius closer to 1 than this counts as 1. */
  private static final double TOO_CLOSE = 1e-9;

  public static Certificate of(Problem problem) {
    Linearised linearised;
    try {
      linearised = Linearised.of(problem);
    } catch (NotComputed why) {
      return undecided(why);
    }
    return of(linearised, () -> SpectralRadius.of(linearised.operator(), problem.classes()));
  }

  static Certificate undecided(NotComputed why) {
    return new Certificate(null, "not decided: " + why.reason(), OptionalDouble.empty(), false);
  }

  static Certificate of(Linearised linearised, Supplier<Measured> radius) {
    Problem problem = linearised.problem();
    double alpha = problem.alpha();
    double safe = linearised.safeAlpha();
    OptionalDouble limit = OptionalDouble.of(safe);
    boolean below = alpha < safe;
    String where =
        problem.linear()
            ? ""
            : " This is local: it was judged by the Hessians at the global estimate and holds for"
                + " starts near the limit.";
    if (linearised.convex()) {
      int[] unseen = classesWithUnseen(linearised);
      if (unseen.length > 0) {
        String consequence =
            below ? swinging(problem, unseen) : "there is no single limit, whatever the step size.";
        return new Certificate(
            false, undetermined(linearised, unseen[0]) + consequence + where, limit, below);
      }
      if (below) {
        return new Certificate(
            true,
            "α = %s is below the safe limit %s, and in every closed class of the network the pooled data determine all %d parameters: one limit from every start.%s"
                .formatted(number(alpha), number(safe), problem.parameters(), where),
            limit,
            false);
      }
    }
    String why =
        linearised.convex()
            ? "α = %s is not below the safe limit %s, so only the spectral radius decides: "
                .formatted(number(alpha), number(safe))
            : "some client's Hessian is not positive semidefinite, so only the spectral radius"
                + " decides: ";
    return byRadius(radius.get(), why, where, limit);
  }

  private static Certificate byRadius(
      Measured radius, String why, String where, OptionalDouble limit) {
    if (radius.value().isEmpty()) {
      return new Certificate(
          null, why + "it was not computed (" + radius.how() + ")." + where, limit, false);
    }
    double value = radius.value().getAsDouble();
    if (Math.abs(value - 1) < TOO_CLOSE) {
      return new Certificate(
          null, why + "it is 1 up to rounding, too close to tell." + where, limit, false);
    }
    return value < 1
        ? new Certificate(
            true,
            why + "it is " + number(value) + ", below 1: one limit from every start." + where,
            limit,
            false)
        : new Certificate(
            false,
            why
                + "it is "
                + number(value)
                + ", above 1: from almost every start the iterates move away."
                + where,
            limit,
            false);
  }

  /** The closed classes whose data leave a direction unseen. */
  private static int[] classesWithUnseen(Linearised linearised) {
    CommunicatingClasses classes = linearised.problem().classes();
    int p = linearised.problem().parameters();
    return Arrays.stream(classes.closedClasses())
        .filter(c -> linearised.rank(classes.members(c)) < p)
        .toArray();
  }

  /** What comes of unseen directions below the safe limit: there NGD only averages. */
  private static String swinging(Problem problem, int[] unseen) {
    int period = Arrays.stream(unseen).map(problem.classes()::period).max().orElse(1);
    return period == 1
        ? "the spectral radius is exactly 1 and the limit depends on the start."
        : "the spectral radius is exactly 1, and averaging has period %d there: a start common to all clients has a limit, most other starts have none."
            .formatted(period);
  }

  private static String undetermined(Linearised linearised, int c) {
    CommunicatingClasses classes = linearised.problem().classes();
    long clients =
        Arrays.stream(classes.members(c)).map(linearised.problem()::client).distinct().count();
    return "The %s of client %d hear%s nobody else, and the pooled data there determine only %d of %d parameters: "
        .formatted(
            clients == 1 ? "closed class" : "%d clients of the closed class".formatted(clients),
            linearised.problem().client(classes.members(c)[0]),
            clients == 1 ? "s" : "",
            linearised.rank(classes.members(c)),
            linearised.problem().parameters());
  }

  static String number(double value) {
    return NumberText.text(value, 6);
  }
}
