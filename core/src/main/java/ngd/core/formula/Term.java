package ngd.core.formula;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.stream.Collectors;

/**
 * Variables that are multiplied: one is a main effect, more are an interaction, none is the
 * intercept. Their order shows in the names of coefficients; two terms of the same variables are
 * one.
 */
public final class Term {
  static final Term INTERCEPT = new Term(new LinkedHashSet<>());

  private final SequencedSet<Variable> variables;

  private Term(SequencedSet<Variable> variables) {
    this.variables = variables;
  }

  static Term of(Variable variable) {
    return new Term(new LinkedHashSet<>(List.of(variable)));
  }

  Term times(Term other) {
    SequencedSet<Variable> both = new LinkedHashSet<>(variables);
    both.addAll(other.variables);
    return new Term(both);
  }

  Term without(Variable variable) {
    SequencedSet<Variable> others = new LinkedHashSet<>(variables);
    others.remove(variable);
    return new Term(others);
  }

  public List<Variable> variables() {
    return List.copyOf(variables);
  }

  int order() {
    return variables.size();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Term term && variables.equals(term.variables);
  }

  @Override
  public int hashCode() {
    return variables.hashCode();
  }

  @Override
  public String toString() {
    return variables.isEmpty()
        ? Design.INTERCEPT
        : variables.stream().map(Variable::text).collect(Collectors.joining(":"));
  }
}
