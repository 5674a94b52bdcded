package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import ngd.core.algorithm.Moments;
import ngd.core.model.Glm;
import ngd.core.preparation.QuantileGrid;

/**
 * How predictions agree with what was observed, on the rows of the fit, by three totals.
 *
 * <p>The first is of moments of the linear predictors and of the residuals, which lay out a grid
 * each. The second counts rows on these grids; a site counts none or enough rows of each kind in a
 * bin ({@link CoarseTable}). From those counts all sites form the same groups of rows with
 * neighbouring predictions, so large that each has ten rows and, where responses are 0 and 1, five
 * of either are expected. The third is of the responses and predictions of each group. Groups that
 * still hold one or two rows of a kind are joined with a neighbour before anything is computed from
 * them.
 *
 * @param calibration about ten groups in the order of their predictions
 * @param discrimination where responses are 0 and 1
 * @param brier the mean squared distance of responses 0 and 1 from their predictions
 * @param residuals where responses are not 0 and 1
 */
public record Diagnostics(
    List<PredictionGroup> calibration,
    Optional<Discrimination> discrimination,
    OptionalDouble brier,
    Optional<ResidualSummary> residuals) {
  private static final int BINS_TO_A_DEVIATION = 32;

  /** Rows that a group needs. */
  private static final int LEAST_ROWS = 10;

  /** Responses of either kind that a group needs by expectation. */
  private static final int LEAST_EXPECTED = 5;

  /** On a scale of logarithms predictors further from their centre are as good as certain. */
  private static final double FAR = 6;

  /** Of a group: rows, events, and sums of weights, predictions and responses. */
  private static final int TERMS = 5;

  private static final Set<String> LOGARITHMIC = Set.of("log", "logit", "probit", "cloglog");

  private static final int GROUPS_SHOWN = 10;
  private static final int MOST_GROUPS = 100;

  private static final Diagnostics NONE =
      new Diagnostics(List.of(), Optional.empty(), OptionalDouble.empty(), Optional.empty());

  public Diagnostics {
    calibration = List.copyOf(calibration);
  }

  /**
   * What can be said of these rows; nothing where they are fewer than a group needs.
   *
   * @param fewest the rows of a kind that a site here may count ({@code nfilter.tab}); 1 where
   *     clients are no sites
   */
  public static Diagnostics of(Inference inference, int fewest) {
    return inference.estimate().size().counted() < LEAST_ROWS
            || !(inference.estimate().regression() instanceof Glm)
        ? NONE
        : new Sums(inference, fewest).diagnostics();
  }

  /** The totals, one after the other. */
  private static final class Sums {
    private final PooledEstimate estimate;
    private final int fewest;
    private final Glm glm;
    private final double[] theta;
    private final double level;
    private final double rows;
    private final boolean binary;

    /** Responses 0 and 1 are counted apart. */
    private final int kinds;

    /** Whether some row counts more than another. */
    private final boolean weighted;

    /** The root mean square of the residuals. */
    private final double unit;

    /** Each client's rows by their predictor, once they have been counted. */
    private final AtomicReferenceArray<List<CoarseTable>> tables;

    /** A point near the mean of the linear predictors. */
    private final double centre;

    Sums(Inference inference, int fewest) {
      this.fewest = fewest;
      estimate = inference.estimate();
      glm = estimate.glm();
      theta = estimate.end().theta();
      level = inference.options().level();
      Size size = estimate.size();
      rows = size.counted();
      binary = labels(estimate);
      kinds = binary ? 2 : 1;
      // The mean of positive weights is 1 and that of their logarithms 0 only where all are 1.
      weighted = size.weight() != rows || size.logWeight() != 0;
      unit = Math.sqrt(Math.max(0, inference.fit().deviance()) / rows);
      centre = estimate.nullModel().intercept();
      tables = new AtomicReferenceArray<>(estimate.world().rows());
    }

    /** Whether every response is 0 or 1, and none a share of several. */
    private static boolean labels(PooledEstimate estimate) {
      if (!estimate.glm().family().endsWith("binomial")
          || estimate.glm().family().startsWith("negative")) {
        return false;
      }
      Moments.RowTerm share = (eta, y, offset, w) -> w > 0 && y != 0 && y != 1 ? 1 : 0;
      double[] theta = estimate.end().theta();
      return Pooled.total(
              estimate.world(), m -> estimate.world().curved().moments(m).sums(theta, share))[0]
          == 0;
    }

    Diagnostics diagnostics() {
      double[] moments = moments();
      double mean = centre + moments[0] / rows;
      double square = moments[1] / rows - (moments[0] / rows) * (moments[0] / rows);
      QuantileGrid predictors = grid(mean, square);
      boolean residuals = !binary && unit > 0 && Pooled.within(moments[4]);
      Optional<ResidualSummary> summary =
          residuals
              ? Optional.of(ResidualSummary.moments(rows, unit, Arrays.copyOfRange(moments, 2, 5)))
              : Optional.empty();
      QuantileGrid spread =
          summary
              .map(s -> grid(s.mean(), s.deviation() * s.deviation()))
              .orElseGet(() -> grid(0, 0));
      double[] counts = counts(predictors, spread, residuals);
      List<PredictionGroup> groups = groups(predictors, groupOf(predictors, counts));
      int after = predictors.bins() + kinds;
      List<PredictionGroup> told = joined(groups, MOST_GROUPS);
      return new Diagnostics(
          joined(told, GROUPS_SHOWN),
          binary
              ? Discrimination.of(
                  told, weighted, level, counts[predictors.bins()], counts[predictors.bins() + 1])
              : Optional.empty(),
          binary && !told.isEmpty()
              ? OptionalDouble.of(moments[2] / estimate.size().weight())
              : OptionalDouble.empty(),
          summary.map(s -> s.quantiles(spread, counts, after)));
    }

    private static QuantileGrid grid(double mean, double square) {
      boolean usable = Double.isFinite(mean) && square > 0 && Pooled.within(square);
      return QuantileGrid.of(
          usable ? mean : 0, usable ? Math.sqrt(square) : 0, BINS_TO_A_DEVIATION);
    }

    /** Of predictors around the centre; then the squared errors, or moments of residuals. */
    private double[] moments() {
      Moments.RowTerms terms =
          (eta, y, offset, w, into) -> {
            double way = w > 0 ? way(eta) : 0;
            into[0] = way;
            into[1] = way * way;
            if (binary) {
              double error = y - glm.mean(eta);
              into[2] = w * error * error;
              return;
            }
            double scaled = w > 0 && unit > 0 ? residual(eta, y, w) / unit : 0;
            into[2] = scaled;
            into[3] = scaled * scaled * scaled;
            into[4] = into[3] * scaled;
          };
      return Pooled.bounded(
          estimate.world(),
          m -> estimate.world().curved().moments(m).sums(theta, binary ? 3 : 5, terms));
    }

    /** How far a predictor is from the centre; a few that are far must not make the grid coarse. */
    private double way(double eta) {
      double way = eta - centre;
      return LOGARITHMIC.contains(glm.link()) ? Math.clamp(way, -FAR, FAR) : way;
    }

    private double residual(double eta, double y, double w) {
      double deviance = Math.max(0, 2 * w * (glm.rowLoss(eta, y) - glm.least(y)));
      return Math.copySign(Math.sqrt(deviance), y - glm.mean(eta));
    }

    /**
     * Rows by their predictor, and how far the counts of each kind may be off; where asked for,
     * after these, the same by their residual.
     */
    private double[] counts(QuantileGrid predictors, QuantileGrid spread, boolean residuals) {
      Moments.RowTerm one = (eta, y, offset, w) -> 1;
      Moments.RowCell ofResidual =
          (eta, y, offset, w) -> w > 0 ? spread.bin(residual(eta, y, w)) : -1;
      return Pooled.total(
          estimate.world(),
          m -> {
            List<CoarseTable> own = byPredictor(predictors, m);
            tables.set(m, own);
            double[] first = new double[predictors.bins() + kinds];
            for (int kind = 0; kind < kinds; kind++) {
              for (int bin = 0; bin < predictors.bins(); bin++) {
                first[bin] += own.get(kind).at(bin, 0);
              }
              first[predictors.bins() + kind] = own.get(kind).moved();
            }
            if (!residuals) {
              return first;
            }
            Moments rows = estimate.world().curved().moments(m);
            CoarseTable residual =
                CoarseTable.of(rows.table(theta, spread.bins(), ofResidual, one), 1, fewest);
            double[] second = new double[spread.bins() + 1];
            for (int bin = 0; bin < spread.bins(); bin++) {
              second[bin] = residual.at(bin, 0);
            }
            second[spread.bins()] = residual.moved();
            return Pooled.joined(first, second);
          });
    }

    /** One client's rows of each kind by their predictor, with what is summed of them. */
    private List<CoarseTable> byPredictor(QuantileGrid grid, int client) {
      int bins = grid.bins();
      Moments.RowCell cell =
          (eta, y, offset, w) -> w > 0 ? grid.bin(eta) + (binary && y > 0 ? bins : 0) : -1;
      Moments.RowTerm[] terms = {
        (eta, y, offset, w) -> 1,
        (eta, y, offset, w) -> w,
        (eta, y, offset, w) -> w * glm.mean(eta),
        (eta, y, offset, w) -> w * y
      };
      double[] all =
          estimate.world().curved().moments(client).table(theta, kinds * bins, cell, terms);
      List<CoarseTable> tables = new ArrayList<>();
      for (int kind = 0; kind < kinds; kind++) {
        int from = kind * bins * terms.length;
        tables.add(
            CoarseTable.of(
                Arrays.copyOfRange(all, from, from + bins * terms.length), terms.length, fewest));
      }
      return tables;
    }

    /** The group of each bin: groups of like size, each of them large enough. */
    private int[] groupOf(QuantileGrid grid, double[] counts) {
      double[] expected = new double[grid.bins()];
      double onesLeft = 0;
      for (int bin = 0; bin < expected.length; bin++) {
        expected[bin] = counts[bin] * glm.mean(0.5 * (grid.edge(bin) + grid.edge(bin + 1)));
        onesLeft += expected[bin];
      }
      double share = rows / (binary ? MOST_GROUPS : GROUPS_SHOWN);
      int[] groupOf = new int[grid.bins()];
      int group = 0;
      double all = 0;
      double ones = 0;
      double left = rows;
      for (int bin = 0; bin < groupOf.length; bin++) {
        boolean full = rows - left >= Math.floor((rows - left - all) / share + 1) * share;
        if (full && enough(all, ones) && enough(left, onesLeft)) {
          group++;
          all = 0;
          ones = 0;
        }
        groupOf[bin] = group;
        all += counts[bin];
        ones += expected[bin];
        left -= counts[bin];
        onesLeft -= expected[bin];
      }
      return groupOf;
    }

    private boolean enough(double all, double ones) {
      return all >= LEAST_ROWS
          && (!binary || (ones >= LEAST_EXPECTED && all - ones >= LEAST_EXPECTED));
    }

    /** The least that may be predicted. */
    private double least() {
      return glm.family().equals("gaussian") && !glm.link().equals("log")
          ? Double.NEGATIVE_INFINITY
          : 0;
    }

    private double most() {
      return glm.family().endsWith("binomial") && !glm.family().startsWith("negative")
          ? 1
          : Double.POSITIVE_INFINITY;
    }

    private List<PredictionGroup> groups(QuantileGrid grid, int[] groupOf) {
      int count = groupOf[groupOf.length - 1] + 1;
      double[] sums =
          Pooled.bounded(
              estimate.world(),
              m -> {
                List<CoarseTable> own = tables.get(m);
                double[] terms = new double[count * TERMS];
                for (int bin = 0; bin < groupOf.length; bin++) {
                  int at = groupOf[bin] * TERMS;
                  for (CoarseTable kind : own) {
                    terms[at] += kind.at(bin, 0);
                    terms[at + 2] += kind.at(bin, 1);
                    terms[at + 3] += kind.at(bin, 2);
                    terms[at + 4] += kind.at(bin, 3);
                  }
                  terms[at + 1] += binary ? own.getLast().at(bin, 0) : 0;
                }
                return terms;
              });
      List<PredictionGroup> groups = new ArrayList<>();
      int bin = 0;
      for (int g = 0; g < count; g++) {
        double from = g == 0 ? (glm.decreasing() ? most() : least()) : limit(grid.edge(bin));
        while (bin < groupOf.length && groupOf[bin] == g) {
          bin++;
        }
        double to = g == count - 1 ? (glm.decreasing() ? least() : most()) : limit(grid.edge(bin));
        int at = g * TERMS;
        groups.add(
            new PredictionGroup(
                Math.min(from, to),
                Math.max(from, to),
                (long) sums[at],
                (long) sums[at + 1],
                sums[at + 2],
                binary ? sums[at + 4] : 0,
                sums[at + 3] / sums[at + 2],
                sums[at + 4] / sums[at + 2]));
      }
      return glm.decreasing() ? groups.reversed() : groups;
    }

    /** The prediction at an edge of the grid; the most where that has none. */
    private double limit(double eta) {
      double mean = glm.mean(eta);
      return mean >= least() ? mean : most();
    }

    /**
     * Neighbours joined to groups of like size, at most this many, each of which tells its counts.
     */
    private List<PredictionGroup> joined(List<PredictionGroup> groups, int most) {
      List<PredictionGroup> joined = new ArrayList<>();
      double share = rows / most;
      double before = 0;
      boolean open = false;
      for (PredictionGroup group : groups) {
        if (open) {
          joined.add(joined.removeLast().and(group));
        } else {
          joined.add(group);
        }
        double now = before + joined.getLast().rows();
        open = now < Math.floor(before / share + 1) * share || !joined.getLast().tells();
        before = open ? before : now;
      }
      if (open && joined.size() > 1) {
        PredictionGroup rest = joined.removeLast();
        joined.add(joined.removeLast().and(rest));
      }
      return joined.isEmpty() || joined.getLast().tells() ? joined : List.of();
    }
  }
}
