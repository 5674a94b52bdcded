package ngd.core.formula;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Functions of one number that make up several columns, as a formula asks for them; what it leaves
 * to the data is agreed on by all sites ({@link Basis}).
 */
public sealed interface BasisCall {
  /** How many columns there are. */
  int columns();

  /** What follows from the call alone; nothing where the data have a say. */
  default boolean given() {
    return false;
  }

  /**
   * Splines: R's {@code ns} and {@code bs}.
   *
   * @param natural whether they are linear beyond the boundary knots
   * @param toFind how many inner knots the data decide; 0 where they are given
   * @param knots the inner knots, where they are given
   * @param boundary the two boundary knots, where they are given; else empty
   */
  record Spline(
      boolean natural,
      int degree,
      int toFind,
      List<Double> knots,
      List<Double> boundary,
      boolean intercept)
      implements BasisCall {
    public Spline {
      knots = List.copyOf(knots);
      boundary = List.copyOf(boundary);
    }

    @Override
    public int columns() {
      int inner = toFind + knots.size();
      return inner + (natural ? 1 : degree) + (intercept ? 1 : 0);
    }

    @Override
    public boolean given() {
      return toFind == 0 && !boundary.isEmpty();
    }
  }

  /**
   * Powers of a number up to a degree: R's {@code poly}.
   *
   * @param raw whether the powers themselves, not orthogonal polynomials
   */
  record Polynomial(int degree, boolean raw) implements BasisCall {
    @Override
    public int columns() {
      return degree;
    }

    @Override
    public boolean given() {
      return raw;
    }
  }

  /**
   * A number less its centre over its scale: R's {@code scale}.
   *
   * @param ofData whether the data's mean is the centre; else {@code centre} is, 0 for none
   * @param byData whether the data's standard deviation is the scale; else {@code scale} is
   */
  record Scaled(boolean ofData, OptionalDouble centre, boolean byData, OptionalDouble scale)
      implements BasisCall {
    @Override
    public int columns() {
      return 1;
    }

    @Override
    public boolean given() {
      return !ofData && !byData;
    }
  }
}
