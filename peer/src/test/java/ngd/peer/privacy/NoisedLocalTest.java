package ngd.peer.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Need;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.privacy.GaussianAccount;
import ngd.core.privacy.GradientPrivacy;
import ngd.core.privacy.NoisedLocal;
import ngd.core.privacy.Privacy;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.Workers;
import ngd.core.world.Batches;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.Plans;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oracle is the mean of clipped gradients, written out, and what the log holds. */
class NoisedLocalTest {
  private static final double CLIP = 0.5;

  @TempDir Path dir;
  private final Host host = new Host(Kernels.best(), new Workers(1));

  private static Objective objective() {
    Shards.Filler filler = Shards.sized(2, new int[] {50});
    for (int i = 0; i < 50; i++) {
      filler.put(0, i, new double[] {1, i / 25.0 - 1}, i % 3);
    }
    return new Linear().over(filler.done());
  }

  private PrivacyBudget budget(long gradients) {
    return budget(gradients, "run");
  }

  private PrivacyBudget budget(long gradients, String run) {
    Privacy privacy = new Privacy(2, 1e-5, CLIP);
    return new PrivacyBudget(
        privacy,
        GradientPrivacy.of(privacy, gradients, Network.of(new Topology.Complete(1))),
        dir,
        run);
  }

  private NoisedLocal local(PrivacyBudget budget) {
    return NoisedLocal.of(
        objective(), budget.gradients(), SecretNoise.alone(), budget.log(2), Streams.of(1), 0);
  }

  private static double[] clippedMean(double[] theta) {
    return clippedMean(theta, IntStream.range(0, 50).toArray());
  }

  /** x (xᵀθ − y), shortened to the clip, averaged. */
  private static double[] clippedMean(double[] theta, int[] rows) {
    double[] mean = new double[2];
    for (int i : rows) {
      double x = i / 25.0 - 1;
      double residual = theta[0] + x * theta[1] - i % 3;
      double norm = Math.abs(residual) * Math.hypot(1, x);
      double scale = Math.min(1, CLIP / norm) / rows.length;
      mean[0] += scale * residual;
      mean[1] += scale * residual * x;
    }
    return mean;
  }

  /** 400 draws at different points: their errors have mean 0 and the σ of the accounts. */
  @Test
  void gradient_manyDraws_scatterAroundTheClippedMeanAsAccountedFor() {
    int draws = 400;
    NoisedLocal local = local(budget(draws));
    double sigma = budget(draws).multiplier() * 2 * CLIP / 50;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < draws; i++) {
      double[] theta = {i / 1e6, 0.1};
      double[] noised = local.gradient(host.of(new double[][] {theta})).row(0);
      double[] plain = clippedMean(theta);
      for (int j = 0; j < 2; j++) {
        double error = (noised[j] - plain[j]) / sigma;
        sum += error;
        squares += error * error;
      }
    }
    double n = 2.0 * draws;
    assertThat(sum / n).isCloseTo(0, within(5 / Math.sqrt(n)));
    assertThat(squares / n).isCloseTo(1, within(5 * Math.sqrt(2 / n)));
  }

  @Test
  void gradient_afterARestart_isTheOneThatWasSaidAndCostsNothing() throws Exception {
    double[][] point = {{0.1, 0.2}};
    double[] said = local(budget(3)).gradient(host.of(point)).row(0);
    double spent = budget(3).spent();
    assertThat(spent).isPositive();
    assertThat(local(budget(3)).gradient(host.of(point)).row(0)).isEqualTo(said);
    assertThat(budget(3).spent()).isEqualTo(spent);
    // A torn record was never used.
    byte[] whole = Files.readAllBytes(dir.resolve("run.log"));
    Files.write(dir.resolve("run.log"), java.util.Arrays.copyOf(whole, whole.length + 7));
    assertThat(local(budget(3)).gradient(host.of(point)).row(0)).isEqualTo(said);
    assertThat(Files.size(dir.resolve("run.log"))).isEqualTo(whole.length);
  }

  @Test
  void gradient_beyondTheBudget_isRefused() {
    NoisedLocal local = local(budget(2));
    local.gradient(host.of(new double[][] {{0, 0}}));
    local.gradient(host.of(new double[][] {{0, 1}}));
    assertThat(budget(2).spent()).isCloseTo(2, within(1e-6));
    assertThatThrownBy(() -> local.gradient(host.of(new double[][] {{0, 2}})))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("the budget covers 2 gradients");
    assertThat(local.gradient(host.of(new double[][] {{0, 1}})).row(0)).hasSize(2);
  }

  @Test
  void spent_overTwoRuns_isTheirExactComposition() {
    local(budget(1)).gradient(host.of(new double[][] {{0, 0}}));
    PrivacyBudget next = budget(1, "next");
    double mu = GaussianAccount.budget(2, 1e-5);
    assertThat(next.spent()).isCloseTo(2, within(1e-6));
    assertThat(next.afterThisRun())
        .isCloseTo(GaussianAccount.epsilon(Math.sqrt(2) * mu, 1e-5), within(1e-9));
  }

  /** Rows 3, 4, 5 … of an epoch's order: the mean of their clipped gradients, and noise. */
  @Test
  void batch_manyDraws_scatterAroundTheBatchesClippedMean() {
    int draws = 400;
    NoisedLocal local = local(budget(draws));
    double sigma = budget(draws).multiplier() * 2 * CLIP / 10;
    Batches batches = new Batches(new int[] {50}, Streams.of(1), 0, 10);
    double[] theta = {0.3, -0.2};
    double sum = 0;
    double squares = 0;
    for (int round = 0; round < draws; round++) {
      double[] noised = local.batch(10, round).gradient(host.of(new double[][] {theta})).row(0);
      int[] rows =
          Arrays.copyOfRange(batches.order(0, round), batches.from(0, round), batches.to(0, round));
      double[] plain = clippedMean(theta, rows);
      for (int j = 0; j < 2; j++) {
        double error = (noised[j] - plain[j]) / sigma;
        sum += error;
        squares += error * error;
      }
    }
    double n = 2.0 * draws;
    assertThat(sum / n).isCloseTo(0, within(5 / Math.sqrt(n)));
    assertThat(squares / n).isCloseTo(1, within(5 * Math.sqrt(2 / n)));
  }

  @Test
  void anythingButGradients_isNotThereToBeAskedFor() {
    assertThat(Need.HESSIAN.metBy(NoisedLocal.class)).isFalse();
    assertThat(Need.LINK_GRADIENTS.metBy(NoisedLocal.class)).isFalse();
    assertThatThrownBy(() -> PlanReader.parse(Plans.THREE + "privacy: epsilon=1,delta=1e-6\n"))
        .hasMessageContaining("`pooled` would share moments");
  }
}
