package ngd.app.fit;

import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalDouble;
import ngd.core.NumberText;
import ngd.core.answer.CheckAnswer;
import ngd.core.fit.FitSetup;
import ngd.core.model.Regression;
import ngd.core.network.Measured;
import ngd.core.theory.Check;
import ngd.core.theory.Condition;

/** What the theory says of a fit, on a page. */
record CheckReport(FitSetup setup, CheckAnswer answer) {

  void print(PrintWriter out) {
    Check check = answer.check();
    out.printf(
        "%s, %s of %s, %s on %s, %s weights%n%n",
        setup.loss() instanceof Regression model
            ? model.family() + " model"
            : "loss " + setup.loss().name(),
        NumberText.count(setup.sample().rows(), "row"),
        setup.sample().source(),
        NumberText.count(setup.sample().sizes().length, "client"),
        setup.network().topology().spec(),
        setup.network().weights().spec());
    Boolean converges = check.converges();
    out.println(
        converges == null
            ? "Convergence is undecided."
            : converges
                ? "It converges."
                : "It does not converge to the same limit from every starting point.");
    out.println(check.reason());
    if (check.period() > 1) {
      out.println(
          "The network repeats itself after %d rounds: the limit is a path of as many rounds, and what follows is of all of them, a radius by round."
              .formatted(check.period()));
    }
    out.println();
    line(out, "alpha", "%s, %s".formatted(NumberText.text(check.alpha()), answer.aboutAlpha()));
    line(out, "safe alpha", "below " + text(check.safeAlpha()));
    line(out, "spectral radius", measured(check.spectralRadius()));
    line(out, "stable distance", measured(check.stableDistanceToGlobal()));
    out.println(
        "                       (of the limit to the global estimate, root mean square over clients%s)"
            .formatted(check.period() > 1 ? " and rounds" : ""));
    line(out, "SE(Σ̂xx)", NumberText.text(check.seSigmaXX()));
    line(out, "SE(Σ̂xy)", NumberText.text(check.seSigmaXY()));
    line(out, "SE(L̇)", measured(check.seScore()));
    line(out, "SE(W)", NumberText.text(check.seW()));
    line(
        out,
        "bound",
        "%s × %s = %s"
            .formatted(
                NumberText.text(check.bound().network()),
                text(check.bound().data()),
                text(check.bound().product())));
    out.println("                       " + check.bound().words());
    printConditions(out, check.conditions());
  }

  private static void printConditions(PrintWriter out, List<Condition> conditions) {
    if (conditions.isEmpty()) {
      return;
    }
    out.println();
    out.println(
        "The paper's conditions. All but the first are far from necessary: runs often converge"
            + " without them.");
    for (Condition condition : conditions) {
      Boolean holds = condition.holds();
      out.printf(
          "  %s %s%n      %s%s%n",
          holds == null ? "?" : holds ? "✓" : "✗",
          condition.name(),
          sides(condition),
          condition.words());
    }
  }

  /** The two numbers of a condition, where both were computed. */
  private static String sides(Condition condition) {
    if (condition.value().isEmpty() || condition.limit().isEmpty()) {
      return "";
    }
    return "%s against %s: "
        .formatted(
            NumberText.text(condition.value().getAsDouble(), 4),
            NumberText.text(condition.limit().getAsDouble(), 4));
  }

  /** Combining accents take no room, so the name is padded by what is seen. */
  private static void line(PrintWriter out, String what, String value) {
    long seen =
        what.codePoints().filter(c -> Character.getType(c) != Character.NON_SPACING_MARK).count();
    out.printf("  %s%s %s%n", what, " ".repeat((int) (20 - seen)), value);
  }

  private static String text(OptionalDouble value) {
    return value.isPresent() ? NumberText.text(value.getAsDouble()) : "– (not computed)";
  }

  private static String measured(Measured value) {
    return value.value().isPresent()
        ? "%s, %s".formatted(NumberText.text(value.value().getAsDouble()), value.how())
        : "– " + value.how();
  }
}
