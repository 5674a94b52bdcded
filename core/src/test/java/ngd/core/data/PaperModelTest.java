package ngd.core.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ngd.core.InvalidInput;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PaperModelTest {
  private static final int ROWS = 100_000;

  /** Oracle: the covariances of section 3; five standard errors of a moment are about 0.02. */
  @ParameterizedTest
  @EnumSource(PaperModel.class)
  void table_manyRows_hasTheCovariancesOfThePaper(PaperModel model) {
    Table table = model.table(ROWS, Streams.of(2));
    int p = model.truth().length;
    for (int j = 0; j < p; j++) {
      for (int k = 0; k <= j; k++) {
        double mean = 0;
        double product = 0;
        for (int i = 0; i < ROWS; i++) {
          mean += table.x(i, j) / ROWS;
          product += table.x(i, j) * table.x(i, k) / ROWS;
        }
        double expected =
            switch (model) {
              case LINEAR -> Math.pow(0.5, j - k);
              case LOGISTIC -> j == k ? 1 : 0.5;
              case POISSON -> j == k ? 1 : j < 6 ? Math.pow(0.2, j - k) : 0;
              case SURVIVAL -> j == k ? 1 : j < 4 ? Math.pow(0.5, j - k) : 0;
            };
        assertThat(mean).isCloseTo(0, within(0.02));
        assertThat(product).as("%d, %d", j, k).isCloseTo(expected, within(0.025));
      }
    }
  }

  /**
   * Oracle: E{(y − mean(xᵀθ0)) x} = 0, and the residual variances of the families; of events in
   * time, those of martingales, whose mean is the cumulative hazard t^1.5 exp(xᵀθ0) and whose
   * variance is its expectation, estimated by itself.
   */
  @ParameterizedTest
  @EnumSource(PaperModel.class)
  void table_manyRows_hasTheResponsesOfThePaper(PaperModel model) {
    Table table = model.table(ROWS, Streams.of(4));
    int p = model.truth().length;
    double[] score = new double[p];
    double pearson = 0;
    for (int i = 0; i < ROWS; i++) {
      double eta = 0;
      for (int j = 0; j < p; j++) {
        eta += table.x(i, j) * model.truth()[j];
      }
      double success = 1 / (1 + Math.exp(-eta));
      double mean =
          switch (model) {
            case LINEAR -> eta;
            case LOGISTIC -> success;
            case POISSON -> Math.exp(eta);
            case SURVIVAL -> Math.pow(table.time(i).orElseThrow().stop(), 1.5) * Math.exp(eta);
          };
      double variance =
          switch (model) {
            case LINEAR -> 1;
            case LOGISTIC -> success * (1 - success);
            case POISSON -> mean;
            case SURVIVAL -> 1;
          };
      double residual = (table.y(i) - mean) / Math.sqrt(variance);
      // Of a martingale the squares have the mean of the events.
      pearson += (residual * residual + (model.timed() ? 1 - table.y(i) : 0)) / ROWS;
      for (int j = 0; j < p; j++) {
        score[j] += residual * table.x(i, j) / ROWS;
      }
    }
    assertThat(pearson).isCloseTo(1, within(0.06));
    for (double entry : score) {
      assertThat(entry).isCloseTo(0, within(0.02));
    }
  }

  @Test
  void table_logisticAndPoisson_haveLabelsCountsAndStandardisedCovariates() {
    Table logistic = PaperModel.LOGISTIC.table(1000, Streams.of(1));
    Table poisson = PaperModel.POISSON.table(1000, Streams.of(1));
    for (int i = 0; i < 1000; i++) {
      assertThat(logistic.y(i)).isIn(0.0, 1.0);
      assertThat(poisson.y(i)).isEqualTo(Math.rint(poisson.y(i))).isNotNegative();
      assertThat(poisson.x(i, 6)).isIn(-1.0, 1.0);
      assertThat(poisson.x(i, 7)).isIn(-1.0, 1.0);
    }
    assertThat(poisson.features()).containsExactly("x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8");
    assertThat(poisson.place(3)).isEqualTo("simulated poisson, row 3");
  }

  @Test
  void table_survival_hasTimesOfWhichSomeAreCensored() {
    Table table = PaperModel.SURVIVAL.table(20_000, Streams.of(1));
    double events = 0;
    for (int i = 0; i < table.rows(); i++) {
      assertThat(table.time(i).orElseThrow().stop()).isPositive().isLessThanOrEqualTo(3);
      assertThat(table.y(i)).isIn(0.0, 1.0);
      events += table.y(i) / table.rows();
    }
    assertThat(events).isBetween(0.6, 0.75);
    assertThat(PaperModel.LINEAR.table(1, Streams.of(1)).time(0)).isEmpty();
    Shards shards = PaperModel.SURVIVAL.shards(3, 50, Streams.of(1));
    assertThat(shards.shard(1).isTimed()).isTrue();
    assertThat(shards.shard(1).time(7).stop()).isPositive();
  }

  @Test
  void table_sameSeed_isTheSameAndAReplicateAnother() {
    String hash = PaperModel.LINEAR.table(50, Streams.of(7)).hash();
    assertThat(PaperModel.LINEAR.table(50, Streams.of(7)).hash()).isEqualTo(hash);
    assertThat(PaperModel.LINEAR.table(50, Streams.of(8)).hash()).isNotEqualTo(hash);
    assertThat(PaperModel.LINEAR.table(50, Streams.of(7).replicate(1)).hash()).isNotEqualTo(hash);
  }

  /** Oracle: the same moments, over clients that each have a stream of their own. */
  @Test
  void shards_manyClients_areIndependentRowsOfTheSameModel() {
    Shards shards = PaperModel.LOGISTIC.shards(10_000, 10, Streams.of(3));
    assertThat(shards.totalRows()).isEqualTo(100_000);
    double product = 0;
    double between = 0;
    for (int m = 0; m < 10_000; m++) {
      Shard shard = shards.shard(m);
      for (int i = 0; i < 10; i++) {
        product += shard.x(i, 0) * shard.x(i, 5) / 100_000;
        between += shard.x(i, 0) * shards.shard((m + 1) % 10_000).x(i, 0) / 100_000;
      }
    }
    assertThat(product).isCloseTo(0.5, within(0.02));
    assertThat(between).isCloseTo(0, within(0.02));
    Shards fewer = PaperModel.LOGISTIC.shards(3, 10, Streams.of(3));
    assertThat(fewer.shard(2).x(9, 5))
        .as("a client's rows do not depend on the others")
        .isEqualTo(shards.shard(2).x(9, 5));
  }

  @Test
  void parse_unknownModelOrNoRows_isRefused() {
    assertThat(PaperModel.parse("poisson")).isEqualTo(PaperModel.POISSON);
    assertThatThrownBy(() -> PaperModel.parse("logit"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("must be one of linear, logistic, poisson, survival; got `logit`");
    assertThatThrownBy(() -> PaperModel.LINEAR.table(0, Streams.of(1)))
        .hasMessage("rows: must be at least 1; got 0");
    assertThatThrownBy(() -> PaperModel.LINEAR.shards(0, 1, Streams.of(1)))
        .hasMessageContaining("got 0 and 1");
  }
}
