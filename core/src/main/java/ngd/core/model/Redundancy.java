package ngd.core.model;

import java.util.List;
import java.util.Locale;
import ngd.core.data.Table;
import ngd.core.linalg.Dependency;

/** A redundant column and what it depends on, in words. */
public record Redundancy(Dependency dependency, List<String> features) {
  /** Longer combinations are cut after this many terms. */
  private static final int SHOWN = 8;

  /** What is redundant, and what to do about it. */
  public String message() {
    String name = features.get(dependency.column());
    List<Dependency.Term> terms = dependency.terms();
    if (terms.isEmpty()) {
      return "column `%s` is zero in every row and so redundant; leave it out".formatted(name);
    }
    if (terms.size() == 1 && isIntercept(terms.getFirst())) {
      return "column `%s` is constant and so redundant beside the intercept; leave one of them out"
          .formatted(name);
    }
    return "column `%s` is redundant: it equals %s; leave one of these out"
        .formatted(name, combination(terms));
  }

  private String combination(List<Dependency.Term> terms) {
    StringBuilder text = new StringBuilder();
    for (Dependency.Term term : terms.subList(0, Math.min(SHOWN, terms.size()))) {
      boolean negative = term.coefficient() < 0;
      if (text.isEmpty()) {
        text.append(negative ? "−" : "");
      } else {
        text.append(negative ? " − " : " + ");
      }
      String size = number(Math.abs(term.coefficient()));
      if (isIntercept(term)) {
        text.append(size);
      } else {
        text.append(size.equals("1") ? "" : size + "·").append(features.get(term.column()));
      }
    }
    return text.append(terms.size() > SHOWN ? " + …" : "").toString();
  }

  private boolean isIntercept(Dependency.Term term) {
    return features.get(term.column()).equals(Table.INTERCEPT);
  }

  /** Six digits, without the zeros that say nothing. */
  private static String number(double value) {
    double whole = Math.rint(value);
    if (whole > 0 && whole < 1e15 && Math.abs(value - whole) < 1e-6 * whole) {
      return String.format(Locale.ROOT, "%.0f", whole);
    }
    String text = String.format(Locale.ROOT, "%.6g", value);
    return text.contains("e") || !text.contains(".") ? text : text.replaceFirst("\\.?0+$", "");
  }
}
