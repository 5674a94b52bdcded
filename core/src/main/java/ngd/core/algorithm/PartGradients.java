package ngd.core.algorithm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import ngd.core.InvalidInput;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Gradients over parts of each client's rows, and the means of variance reduction over them: a
 * {@link Table} holds the last gradient of every part, as SAGA does (Defazio, Bach and
 * Lacoste-Julien 2014).
 *
 * @param parts how many parts each client's rows are divided into
 */
public record PartGradients(Local local, int parts, GradientScales scales) {
  /** The parts where no number is given. */
  public static final int PARTS = 10;

  public PartGradients {
    requireParts("parts", parts);
  }

  /** Refuses fewer than one part. */
  public static void requireParts(String algorithm, int parts) {
    if (parts < 1) {
      throw new InvalidInput(
          "%s: rows must be divided into at least 1 part; got %d".formatted(algorithm, parts));
    }
  }

  /** Each client's gradient over its chosen part. */
  public Rows of(int[] chosen, Rows at) {
    return scales.times(local.part(chosen, parts).gradient(at));
  }

  /** The table of all parts' gradients at a point. */
  public Table everywhere(Rows at) {
    int[] chosen = new int[at.rows()];
    List<Rows> all = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      Arrays.fill(chosen, i);
      all.add(of(chosen, at));
    }
    Rows sum = all.getFirst();
    for (Rows next : all.subList(1, parts)) {
      sum = sum.plus(next);
    }
    return new Table(all.getFirst().beside(all.subList(1, parts)), sum.times(1.0 / parts));
  }

  /**
   * The last gradient of each client's every part.
   *
   * @param gradients part after part in each row
   * @param mean their mean
   */
  public record Table(Rows gradients, Rows mean) {
    /** Without bias: the new gradient of a part less its old one, and the mean of all. */
    public Rows estimate(int[] chosen, Rows gradient) {
      return change(chosen, gradient).plus(mean);
    }

    /** The same with new gradients of the chosen parts. */
    public Table with(int[] chosen, Rows gradient) {
      return with(chosen, gradient, change(chosen, gradient));
    }

    /** Both. */
    public Estimate next(int[] chosen, Rows gradient) {
      Rows change = change(chosen, gradient);
      return new Estimate(change.plus(mean), with(chosen, gradient, change));
    }

    private Rows change(int[] chosen, Rows gradient) {
      return gradient.minus(gradients.segment(chosen, gradient.width()));
    }

    private Table with(int[] chosen, Rows gradient, Rows change) {
      int parts = gradients.width() / gradient.width();
      return new Table(gradients.withSegment(chosen, gradient), mean.plus(1.0 / parts, change));
    }
  }

  /**
   * What a table says of the gradients over all rows, and what becomes of it.
   *
   * @param gradient an estimate without bias
   */
  public record Estimate(Rows gradient, Table table) {}

  /** Which part each client takes at random. */
  public static int[] pick(Draws draws, int rows, int parts) {
    IntFunction<UniformRandomProvider> random = draws.each();
    int[] chosen = new int[rows];
    for (int m = 0; m < rows; m++) {
      chosen[m] = random.apply(m).nextInt(parts);
    }
    return chosen;
  }

  /** Which part each client takes next, at random, one after the other within a round. */
  public static final class Picks {
    private final Draws draws;
    private final int rows;
    private final int parts;

    /** A generator for each row, once any is asked. */
    private UniformRandomProvider[] random = {};

    public Picks(Draws draws, int rows, int parts) {
      this.draws = draws;
      this.rows = rows;
      this.parts = parts;
    }

    public int[] next() {
      if (random.length == 0) {
        random = new UniformRandomProvider[rows];
        Arrays.setAll(random, draws.each());
      }
      int[] next = new int[rows];
      for (int m = 0; m < rows; m++) {
        next[m] = random[m].nextInt(parts);
      }
      return next;
    }
  }
}
