package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.model.Glm;

/**
 * Linear equations in the coefficients that are tested together: {@code age + age:sex = 0}, several
 * of them with semicolons between.
 *
 * @param said each equation as it was asked
 * @param weights for each equation the weight of each coefficient
 * @param values what each equation's left side less its right side adds up to without coefficients
 */
record LinearHypothesis(List<String> said, List<List<Double>> weights, List<Double> values) {
  /** The share of an equation that must be its own, beyond rounding. */
  private static final double OWN = 1e-9;

  private static final String EMPTY = "an equation is empty";
  private static final String ONE_SIGN =
      "an equation must have one `=`, such as `age + age:sex = 0`";
  private static final String NAMES_WITH_SIGNS = "`\"'(";

  LinearHypothesis {
    said = List.copyOf(said);
    weights = weights.stream().map(List::copyOf).toList();
    values = List.copyOf(values);
  }

  /**
   * Refuses a text that cannot be equations, whatever the coefficients. Where a name may hold
   * signs, as in quotes or after parentheses, only {@link #parse} can tell.
   */
  static void requireReadable(String text) {
    if (NAMES_WITH_SIGNS.chars().anyMatch(sign -> text.indexOf(sign) >= 0)
        && text.indexOf('=') >= 0) {
      return;
    }
    for (String equation : text.split(";", -1)) {
      if (equation.isBlank()) {
        throw refused(text, EMPTY);
      }
      if (equation.chars().filter(c -> c == '=').count() != 1) {
        throw refused(text, ONE_SIGN);
      }
    }
  }

  private static InvalidInput refused(String text, String why) {
    return new InvalidInput("test: %s; got `%s`".formatted(why, text));
  }

  /**
   * The equations among coefficients of these names.
   *
   * @throws InvalidInput where one is not there, or an equation says nothing
   */
  static LinearHypothesis parse(String text, List<String> terms) {
    requireReadable(text);
    List<String> said = new ArrayList<>();
    List<List<Double>> weights = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    Reader reader = new Reader(text, terms);
    do {
      int begin = reader.at;
      double[] sum = reader.equation();
      said.add(text.substring(begin, reader.at).strip());
      List<Double> row = new ArrayList<>();
      boolean any = false;
      for (int j = 0; j < terms.size(); j++) {
        row.add(sum[j]);
        any |= sum[j] != 0;
      }
      if (!any) {
        throw refused(text, "an equation must have a coefficient that does not cancel");
      }
      weights.add(row);
      values.add(sum[terms.size()]);
    } while (reader.another());
    LinearHypothesis hypothesis = new LinearHypothesis(said, weights, values);
    if (!hypothesis.independent()) {
      throw redundant(text);
    }
    return hypothesis;
  }

  static InvalidInput redundant(String text) {
    return refused(text, "its equations must not follow from each other, or contradict each other");
  }

  /** Whether no equation's weights are a combination of those before it. */
  private boolean independent() {
    List<double[]> before = new ArrayList<>();
    for (int i = 0; i < equations(); i++) {
      double[] left = weights(i);
      double length = Math.sqrt(Glm.dot(left, left));
      // Twice, so that rounding is taken out as well.
      for (int pass = 0; pass < 2; pass++) {
        for (double[] other : before) {
          double part = Glm.dot(left, other);
          for (int j = 0; j < left.length; j++) {
            left[j] -= part * other[j];
          }
        }
      }
      double own = Math.sqrt(Glm.dot(left, left));
      if (own <= OWN * length) {
        return false;
      }
      before.add(Arrays.stream(left).map(x -> x / own).toArray());
    }
    return true;
  }

  int equations() {
    return weights.size();
  }

  /** One equation's weights. */
  double[] weights(int equation) {
    return weights.get(equation).stream().mapToDouble(w -> w).toArray();
  }

  /**
   * Reads equations from the left: signs, numbers and names. Names are those of the coefficients,
   * the longest that fits, whatever signs they hold, or the same in backquotes; spaces do not
   * matter.
   */
  private static final class Reader {
    private final String text;
    private final List<String> terms;
    private int at;

    Reader(String text, List<String> terms) {
      this.text = text;
      this.terms = terms;
    }

    /** The weights of an equation's left side less those of its right side, its numbers last. */
    double[] equation() {
      double[] sum = new double[terms.size() + 1];
      skip();
      if (atEnd() || text.charAt(at) == ';') {
        throw refused(text, EMPTY);
      }
      side(sum, 1);
      if (atEnd() || text.charAt(at) == ';') {
        throw refused(text, ONE_SIGN);
      }
      at++;
      side(sum, -1);
      if (!atEnd() && text.charAt(at) == '=') {
        throw refused(text, ONE_SIGN);
      }
      return sum;
    }

    /** Whether a semicolon announces another equation, which then begins. */
    boolean another() {
      return at++ < text.length();
    }

    private boolean atEnd() {
      return at == text.length();
    }

    private boolean atEndOfSide() {
      return atEnd() || text.charAt(at) == '=' || text.charAt(at) == ';';
    }

    /** What is left of this side. */
    private String rest() {
      return text.substring(at).split("[=;]", 2)[0];
    }

    private void side(double[] sum, double sign) {
      boolean first = true;
      skip();
      while (!atEndOfSide()) {
        double factor = sign;
        boolean signed = false;
        while (!atEnd() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
          factor = text.charAt(at++) == '-' ? -factor : factor;
          signed = true;
          skip();
        }
        if (!signed && !first) {
          throw refused(text, "expected + or - before `%s`".formatted(rest()));
        }
        part(sum, factor);
        first = false;
        skip();
      }
      if (first) {
        throw refused(text, "a side of an equation is empty");
      }
    }

    private void part(double[] sum, double sign) {
      double factor = sign;
      int term = term();
      if (term < 0) {
        factor *= number();
        skip();
        if (atEnd() || text.charAt(at) != '*') {
          sum[terms.size()] += factor;
          return;
        }
        at++;
        skip();
        term = term();
        if (term < 0) {
          throw unknown();
        }
      }
      sum[term] += factor;
    }

    /** The coefficient whose name begins here, the longest; −1 for none. */
    private int term() {
      boolean quoted = !atEnd() && text.charAt(at) == '`';
      int best = -1;
      int bestEnd = at;
      for (int j = 0; j < terms.size(); j++) {
        int end = matched(terms.get(j), at);
        if (quoted && end < 0) {
          int within = matched(terms.get(j), at + 1);
          boolean closed = within >= 0 && within < text.length() && text.charAt(within) == '`';
          end = closed ? within + 1 : -1;
        }
        if (end > bestEnd && ends(end)) {
          best = j;
          bestEnd = end;
        }
      }
      if (quoted && best < 0) {
        throw unknown();
      }
      at = bestEnd;
      return best;
    }

    /** Where a name ends that begins here, spaces aside; −1 where it does not. */
    private int matched(String name, int from) {
      int i = from;
      for (int k = 0; k < name.length(); k++) {
        if (name.charAt(k) == ' ') {
          continue;
        }
        while (i < text.length() && text.charAt(i) == ' ') {
          i++;
        }
        if (i == text.length() || text.charAt(i) != name.charAt(k)) {
          return -1;
        }
        i++;
      }
      return i;
    }

    /** Whether a name may end here: before an operator or the end. */
    private boolean ends(int end) {
      int i = end;
      while (i < text.length() && text.charAt(i) == ' ') {
        i++;
      }
      return i == text.length() || "+-=;".indexOf(text.charAt(i)) >= 0;
    }

    private double number() {
      int end = at;
      while (end < text.length()
          && (Character.isDigit(text.charAt(end))
              || text.charAt(end) == '.'
              || ((text.charAt(end) == 'e' || text.charAt(end) == 'E') && end > at)
              || ((text.charAt(end) == '-' || text.charAt(end) == '+')
                  && end > at
                  && Character.toLowerCase(text.charAt(end - 1)) == 'e'))) {
        end++;
      }
      try {
        double value = Double.parseDouble(text.substring(at, end));
        at = end;
        return value;
      } catch (NumberFormatException e) {
        throw unknown();
      }
    }

    private InvalidInput unknown() {
      String found = rest().strip();
      String name = found.split("[+\\-*=]", 2)[0].strip();
      return new InvalidInput(
          "test: `%s` in `%s` must begin with a number or a coefficient, one of %s%s"
              .formatted(found, text, String.join(", ", terms), NearestName.hint(name, terms)));
    }

    private void skip() {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
    }
  }
}
