package ngd.core.formula;

import java.util.LinkedHashSet;
import java.util.SequencedSet;

/** The right side of a formula as it is written, before anyone knows what {@code .} stands for. */
sealed interface TermSum {

  /** The terms in the order of their first appearance, the dot's terms given. */
  SequencedSet<Term> terms(SequencedSet<Term> dot);

  /** {@code .}: all columns that stand nowhere else. */
  record Others() implements TermSum {
    @Override
    public SequencedSet<Term> terms(SequencedSet<Term> dot) {
      return new LinkedHashSet<>(dot);
    }
  }

  record One(Term term) implements TermSum {
    @Override
    public SequencedSet<Term> terms(SequencedSet<Term> dot) {
      SequencedSet<Term> one = new LinkedHashSet<>();
      one.add(term);
      return one;
    }
  }

  record Plus(TermSum left, TermSum right) implements TermSum {
    @Override
    public SequencedSet<Term> terms(SequencedSet<Term> dot) {
      SequencedSet<Term> all = left.terms(dot);
      all.addAll(right.terms(dot));
      return all;
    }
  }

  record Minus(TermSum left, TermSum right) implements TermSum {
    @Override
    public SequencedSet<Term> terms(SequencedSet<Term> dot) {
      SequencedSet<Term> rest = left.terms(dot);
      rest.removeAll(right.terms(dot));
      return rest;
    }
  }

  /** {@code a:b}: every term of one side times every term of the other. */
  record Interaction(TermSum left, TermSum right) implements TermSum {
    @Override
    public SequencedSet<Term> terms(SequencedSet<Term> dot) {
      SequencedSet<Term> products = new LinkedHashSet<>();
      for (Term first : left.terms(dot)) {
        for (Term second : right.terms(dot)) {
          products.add(first.times(second));
        }
      }
      return products;
    }
  }

  /** {@code a*b}: both sides and their interactions. */
  record Cross(TermSum left, TermSum right) implements TermSum {
    @Override
    public SequencedSet<Term> terms(SequencedSet<Term> dot) {
      return new Plus(new Plus(left, right), new Interaction(left, right)).terms(dot);
    }
  }
}
