package ngd.core.formula;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;

/**
 * Columns of a {@link BasisCall} with all its numbers known: the same at every site, and again when
 * new rows are predicted.
 */
public sealed interface Basis permits SplineBasis, Basis.Powers, Basis.Standardised {
  int columns();

  /** Writes the columns' values at a number. */
  void at(double x, double[] out);

  /** The numbers by their names, from which {@link #of} makes the same again. */
  Map<String, List<Double>> numbers();

  /** The columns of a call with these numbers. */
  static Basis of(BasisCall call, Map<String, List<Double>> numbers) {
    return switch (call) {
      case BasisCall.Spline spline ->
          SplineBasis.of(
              spline,
              numbers.getOrDefault("knots", List.of()),
              numbers.getOrDefault("boundaryKnots", spline.boundary()),
              numbers.getOrDefault("within", List.of(0.0)).getFirst());
      case BasisCall.Polynomial polynomial ->
          new Powers(
              polynomial.degree(),
              numbers.getOrDefault("alpha", List.of()),
              numbers.getOrDefault("norm2", List.of()));
      case BasisCall.Scaled _ ->
          new Standardised(
              numbers.getOrDefault("center", List.of(0.0)).getFirst(),
              numbers.getOrDefault("scale", List.of(1.0)).getFirst());
    };
  }

  /**
   * The columns of a call that leaves nothing to the data.
   *
   * @param name of the variable, for a refusal where it does
   */
  static Basis given(BasisCall call, String name) {
    if (!call.given()) {
      throw new InvalidInput(
          "formula: of %s all knots and boundary knots, or center and scale, must be given here"
              .formatted(name));
    }
    return switch (call) {
      case BasisCall.Spline spline -> SplineBasis.of(spline, spline.knots(), spline.boundary(), 0);
      case BasisCall.Polynomial polynomial -> new Powers(polynomial.degree(), List.of(), List.of());
      case BasisCall.Scaled scaled ->
          new Standardised(scaled.centre().orElse(0), scaled.scale().orElse(1));
    };
  }

  /**
   * Orthonormal polynomials by their three-term recurrence, as the attribute {@code coefs} of R's
   * {@code poly} has it; plain powers where there are no numbers.
   */
  record Powers(int degree, List<Double> alpha, List<Double> norm2) implements Basis {
    public Powers {
      alpha = List.copyOf(alpha);
      norm2 = List.copyOf(norm2);
    }

    @Override
    public int columns() {
      return degree;
    }

    @Override
    public void at(double x, double[] out) {
      double before = 0;
      double here = 1;
      for (int j = 0; j < degree; j++) {
        double next;
        if (alpha.isEmpty()) {
          next = here * x;
        } else {
          double ratio = j == 0 ? 0 : norm2.get(j + 1) / norm2.get(j);
          next = (x - alpha.get(j)) * here - ratio * before;
        }
        before = here;
        here = next;
        out[j] = alpha.isEmpty() ? here : here / Math.sqrt(norm2.get(j + 2));
      }
    }

    @Override
    public Map<String, List<Double>> numbers() {
      Map<String, List<Double>> numbers = new LinkedHashMap<>();
      if (!alpha.isEmpty()) {
        numbers.put("alpha", alpha);
        numbers.put("norm2", norm2);
      }
      return numbers;
    }
  }

  /** One column: the number less its centre over its scale. */
  record Standardised(double centre, double scale) implements Basis {
    @Override
    public int columns() {
      return 1;
    }

    @Override
    public void at(double x, double[] out) {
      out[0] = (x - centre) / scale;
    }

    @Override
    public Map<String, List<Double>> numbers() {
      Map<String, List<Double>> numbers = new LinkedHashMap<>();
      numbers.put("center", List.of(centre));
      numbers.put("scale", List.of(scale));
      return numbers;
    }
  }
}
