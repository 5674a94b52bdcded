package ngd.peer.privacy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.question.MethodKeys;
import ngd.peer.plan.Plan;
import ngd.peer.plan.Privacy;

/**
 * What a run may say of a site's rows, and what the site has said in all its runs.
 *
 * @param gradients how many noised gradients the run needs, for which the budget pays in equal
 *     parts
 * @param folder where a site keeps the logs of all its runs, a file each
 * @param run the name of this run's log
 */
public record PrivacyBudget(Privacy privacy, long gradients, Path folder, String run) {
  public PrivacyBudget {
    if (gradients < 1) {
      throw new InvalidInput("privacy: a run sends at least one gradient; got " + gradients);
    }
  }

  /** The budget of a plan that has one. */
  public static PrivacyBudget of(Plan plan, Path folder, String run) {
    Privacy privacy =
        plan.privacy().orElseThrow(() -> new InvalidInput("privacy: the plan has no budget"));
    long gradients =
        Math.multiplyExact(
            (long) plan.question().get(MethodKeys.ROUNDS),
            plan.question().get(MethodKeys.LOCAL_STEPS));
    return new PrivacyBudget(privacy, gradients, folder, run);
  }

  /** σ of each gradient's noise, in units of what one row can move. */
  public double multiplier() {
    return Math.sqrt((double) gradients)
        / GaussianAccount.budget(privacy.epsilon(), privacy.delta());
  }

  /** The ε that all this site's runs together have cost so far, at this plan's δ. */
  public double spent() {
    return GaussianAccount.epsilon(Math.sqrt(spentElsewhere() + spentHere()), privacy.delta());
  }

  /** The ε that they will have cost after this run. */
  public double afterThisRun() {
    double allowed = GaussianAccount.budget(privacy.epsilon(), privacy.delta());
    return GaussianAccount.epsilon(
        Math.sqrt(spentElsewhere() + allowed * allowed), privacy.delta());
  }

  private double spentHere() {
    return Files.exists(file()) ? PrivacyLog.spent(file()) : 0;
  }

  private double spentElsewhere() {
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    try (Stream<Path> logs = Files.list(folder)) {
      return logs.filter(log -> log.toString().endsWith(".log") && !log.equals(file()))
          .mapToDouble(PrivacyLog::spent)
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be read".formatted(folder), e);
    }
  }

  private Path file() {
    return folder.resolve(run + ".log");
  }

  PrivacyLog log(int parameters) {
    return PrivacyLog.open(file(), new PrivacyLog.Header(parameters, multiplier(), gradients));
  }
}
