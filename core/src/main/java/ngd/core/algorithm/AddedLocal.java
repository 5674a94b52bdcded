package ngd.core.algorithm;

import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;

/** Data whose losses carry an {@link AddedTerm}, which counts once for each client. */
public class AddedLocal implements Local {
  private final Local plain;
  final AddedTerm term;

  private AddedLocal(Local plain, AddedTerm term) {
    this.plain = plain;
    this.term = term;
  }

  /** The same data with the term, as far as they go. */
  public static Local of(Local plain, AddedTerm term) {
    return switch (plain) {
      case CurvedLocal curved -> new Curved(curved, term);
      case LinkLocal linked -> new Linked(linked, term);
      default -> new AddedLocal(plain, term);
    };
  }

  @Override
  public int rows(int row) {
    return plain.rows(row);
  }

  @Override
  public Rows gradient(Rows at) {
    return plain.gradient(at).plus(term.slope(at));
  }

  @Override
  public Local batch(int size, int round) {
    return of(plain.batch(size, round), term);
  }

  @Override
  public Local among(IntPredicate takesPart) {
    return of(plain.among(takesPart), term);
  }

  /** The mean over all parts then has the term once. */
  @Override
  public Local part(int[] chosen, int of) {
    return of(plain.part(chosen, of), term);
  }

  /** Such data that show more than gradients. */
  public static class Linked extends AddedLocal implements LinkLocal {
    private final LinkLocal plain;

    private Linked(LinkLocal plain, AddedTerm term) {
      super(plain, term);
      this.plain = plain;
    }

    @Override
    public Edges gradient(Edges at) {
      return at.with(plain.gradient(at).values().plus(term.slope(at.values())));
    }

    @Override
    public double[] losses(Rows at) {
      double[] losses = plain.losses(at);
      for (int m = 0; m < losses.length; m++) {
        losses[m] += term.value(at.row(m));
      }
      return losses;
    }

    /** The losses of rows are without the term, which is of none of them. */
    @Override
    public RowLosses rowLosses(Rows at) {
      RowLosses own = plain.rowLosses(at);
      return new RowLosses() {
        @Override
        public double[][] sums(DoubleUnaryOperator... terms) {
          return own.sums(terms);
        }

        @Override
        public Rows gradient(DoubleUnaryOperator weight) {
          return own.gradient(weight).plus(term.slope(at));
        }

        @Override
        public double[][] above(double least, double from) {
          return own.above(least, from);
        }

        @Override
        public Rows gradient(double least, double from, double constant, double slope) {
          return own.gradient(least, from, constant, slope).plus(term.slope(at));
        }
      };
    }

    @Override
    public LinkLocal batch(int size, int round) {
      return new Linked(plain.batch(size, round), term);
    }
  }

  /** Such data under a loss with a Hessian. */
  public static class Curved extends Linked implements CurvedLocal {
    private final CurvedLocal plain;

    public Curved(CurvedLocal plain, AddedTerm term) {
      super(plain, term);
      this.plain = plain;
    }

    /** Refused here: what the term is in other coordinates only its maker knows. */
    @Override
    public CurvedLocal in(double[] upper, double[] centre) {
      throw new UnsupportedOperationException("a term that is added is of these coordinates");
    }

    @Override
    public Moments moments(int row) {
      return new AddedMoments(plain.moments(row), term);
    }
  }

  private record AddedMoments(Moments own, AddedTerm term) implements Moments {
    @Override
    public int rows() {
      return own.rows();
    }

    @Override
    public double[] xx() {
      return own.xx();
    }

    @Override
    public double[] xy() {
      return own.xy();
    }

    @Override
    public double value(double[] theta) {
      return own.value(theta) + term.value(theta);
    }

    @Override
    public double[] gradient(double[] theta) {
      return sum(own.gradient(theta), term.slope(theta));
    }

    @Override
    public double[] hessian(double[] theta) {
      return sum(own.hessian(theta), term.hessian(theta.length));
    }

    private static double[] sum(double[] a, double[] b) {
      double[] sum = a.clone();
      for (int j = 0; j < sum.length; j++) {
        sum[j] += b[j];
      }
      return sum;
    }

    @Override
    public double[] sums(double[] theta, RowTerm... terms) {
      return own.sums(theta, terms);
    }

    @Override
    public double[] sums(double[] theta, int count, RowTerms terms) {
      return own.sums(theta, count, terms);
    }

    @Override
    public double[] table(double[] theta, int cells, RowCell cell, RowTerm... terms) {
      return own.table(theta, cells, cell, terms);
    }

    @Override
    public double[] squares(double[] theta, RowTerm term) {
      return own.squares(theta, term);
    }
  }
}
