package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.NearestName;

/**
 * Linear equations in the coefficients that are tested together: {@code age + age:sex = 0}, several
 * of them with semicolons between.
 *
 * @param text as it was asked
 * @param weights for each equation the weight of each coefficient
 * @param values what each equation's left side less its right side adds up to without coefficients
 */
record LinearHypothesis(String text, List<List<Double>> weights, List<Double> values) {
  LinearHypothesis {
    weights = weights.stream().map(List::copyOf).toList();
    values = List.copyOf(values);
  }

  /** Refuses a text that cannot be equations, whatever the coefficients. */
  static void requireReadable(String text) {
    for (String equation : equations(text)) {
      if (equation.isBlank()) {
        throw refused(text, "an equation is empty");
      }
      if (equation.chars().filter(c -> c == '=').count() != 1) {
        throw refused(text, "an equation must have one `=`, such as `age + age:sex = 0`");
      }
    }
  }

  private static List<String> equations(String text) {
    return List.of(text.split(";", -1));
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
    List<List<Double>> weights = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    for (String equation : equations(text)) {
      int equals = equation.indexOf('=');
      double[] sum = new double[terms.size() + 1];
      new Side(text, equation.substring(0, equals), terms).add(sum, 1);
      new Side(text, equation.substring(equals + 1), terms).add(sum, -1);
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
    }
    return new LinearHypothesis(text, weights, values);
  }

  int equations() {
    return weights.size();
  }

  /** One equation's weights. */
  double[] weights(int equation) {
    return weights.get(equation).stream().mapToDouble(w -> w).toArray();
  }

  /**
   * One side of an equation: signs, numbers and names. Names are those of the coefficients, the
   * longest that fits, or stand in backquotes; spaces do not matter.
   */
  private static final class Side {
    private final String whole;
    private final String text;
    private final List<String> terms;
    private int at;

    Side(String whole, String text, List<String> terms) {
      this.whole = whole;
      this.text = text;
      this.terms = terms;
    }

    void add(double[] sum, double sign) {
      boolean first = true;
      skip();
      while (at < text.length()) {
        double factor = sign;
        boolean signed = false;
        while (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
          factor = text.charAt(at++) == '-' ? -factor : factor;
          signed = true;
          skip();
        }
        if (!signed && !first) {
          throw refused(whole, "expected + or - before `%s`".formatted(text.substring(at)));
        }
        part(sum, factor);
        first = false;
        skip();
      }
      if (first) {
        throw refused(whole, "a side of an equation is empty");
      }
    }

    private void part(double[] sum, double sign) {
      double factor = sign;
      int term = term();
      if (term < 0) {
        factor *= number();
        skip();
        if (at == text.length() || text.charAt(at) != '*') {
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
      if (at < text.length() && text.charAt(at) == '`') {
        int end = text.indexOf('`', at + 1);
        int found = end < 0 ? -1 : terms.indexOf(text.substring(at + 1, end));
        if (found < 0) {
          throw unknown();
        }
        at = end + 1;
        return found;
      }
      int best = -1;
      int bestEnd = at;
      for (int j = 0; j < terms.size(); j++) {
        int end = matched(terms.get(j));
        if (end > bestEnd && ends(end)) {
          best = j;
          bestEnd = end;
        }
      }
      at = bestEnd;
      return best;
    }

    /** Where a name ends that begins here, spaces aside; −1 where it does not. */
    private int matched(String name) {
      int i = at;
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
      return i == text.length() || text.charAt(i) == '+' || text.charAt(i) == '-';
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
      String found = text.substring(at).strip();
      String name = found.split("[+\\-*=]", 2)[0].strip();
      return new InvalidInput(
          "test: `%s` in `%s` must begin with a number or a coefficient, one of %s%s"
              .formatted(found, whole, String.join(", ", terms), NearestName.hint(name, terms)));
    }

    private void skip() {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
    }
  }
}
