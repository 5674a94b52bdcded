package ngd.peer.privacy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.privacy.GaussianAccount;
import ngd.core.privacy.GradientPrivacy;
import ngd.core.privacy.Privacy;
import ngd.core.question.MethodKeys;
import ngd.peer.plan.Plan;

/**
 * What a run may say of a site's rows, and what the site has said in all its runs.
 *
 * @param gradients how a row's part is hidden in each of the gradients that the run needs, for
 *     which the budget pays in equal parts
 * @param folder where a site keeps the logs of all its runs, a file each
 * @param run the name of this run's log
 */
public record PrivacyBudget(Privacy privacy, GradientPrivacy gradients, Path folder, String run) {

  /** The budget of a plan that has one. */
  public static PrivacyBudget of(Plan plan, Path folder, String run) {
    Privacy privacy =
        plan.privacy().orElseThrow(() -> new InvalidInput("privacy: the plan has no budget"));
    return new PrivacyBudget(
        privacy,
        MethodKeys.gradientPrivacy(plan.question(), plan.network()).orElseThrow(),
        folder,
        run);
  }

  /** σ of all noise that hides a row, in units of what one row can move. */
  public double multiplier() {
    return GradientPrivacy.multiplier(privacy, gradients.most());
  }

  /** The ε that this run costs against all other sites together, at this plan's δ. */
  public double againstAll() {
    return gradients.epsilonAgainstAll(privacy.delta());
  }

  /** The ε that all this site's runs together have cost so far, at this plan's δ. */
  public double spent() {
    return GaussianAccount.epsilon(Math.sqrt(spentElsewhere() + spentHere()), privacy.delta());
  }

  /** The ε that they will have cost after this run. */
  public double afterThisRun() {
    double here = GaussianAccount.composed(gradients.most(), multiplier());
    return GaussianAccount.epsilon(Math.sqrt(spentElsewhere() + here * here), privacy.delta());
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

  /** The log of this run. */
  public PrivacyLog log(int parameters) {
    return PrivacyLog.open(
        file(), new PrivacyLog.Header(parameters, multiplier(), gradients.most()));
  }

  /** A word that this run's log has and no other: noise in common with others derives from it. */
  public String word() {
    return PrivacyLog.word(file());
  }
}
