package ngd.core.formula;

import java.util.LinkedHashSet;
import java.util.SequencedSet;

/** The right side of a formula as it is written, before anyone knows what {@code .} stands for. */
sealed interface TermSum {

  /** {@code .}: all columns that stand nowhere else. */
  record Others() implements TermSum {}

  record One(Term term) implements TermSum {}

  record Plus(TermSum left, TermSum right) implements TermSum {}

  record Minus(TermSum left, TermSum right) implements TermSum {}

  /** {@code a:b}: every term of one side times every term of the other. */
  record Interaction(TermSum left, TermSum right) implements TermSum {}

  /** {@code a*b}: both sides and their interactions. */
  record Cross(TermSum left, TermSum right) implements TermSum {}

  /** The terms in the order of their first appearance, the dot's terms given. */
  default SequencedSet<Term> terms(SequencedSet<Term> dot) {
    SequencedSet<Term> terms = new LinkedHashSet<>();
    switch (this) {
      case Others _ -> terms.addAll(dot);
      case One(Term term) -> terms.add(term);
      case Plus(TermSum left, TermSum right) -> {
        terms.addAll(left.terms(dot));
        terms.addAll(right.terms(dot));
      }
      case Minus(TermSum left, TermSum right) -> {
        terms.addAll(left.terms(dot));
        terms.removeAll(right.terms(dot));
      }
      case Interaction(TermSum left, TermSum right) -> {
        for (Term first : left.terms(dot)) {
          right.terms(dot).forEach(second -> terms.add(first.times(second)));
        }
      }
      case Cross(TermSum left, TermSum right) ->
          terms.addAll(new Plus(new Plus(left, right), new Interaction(left, right)).terms(dot));
    }
    return terms;
  }
}
