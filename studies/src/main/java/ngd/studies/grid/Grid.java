package ngd.studies.grid;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import ngd.core.Problems;
import ngd.core.question.Approach;
import ngd.core.question.DataKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.Question;
import ngd.core.question.Words;
import org.jspecify.annotations.Nullable;

/**
 * Axes of keys with their words; every combination is a {@link Cell}, that is, a question. The
 * first axis varies slowest: cells that share data should stand together, so that data are drawn
 * once for all of them.
 */
public final class Grid implements Serializable {
  private static final long serialVersionUID = 1;

  /** Each a grid by itself; together where not everything goes with everything. */
  private final List<List<Axis>> products;

  /** Made when first asked for, and again in another process: questions do not travel. */
  private transient @Nullable List<Cell> cells;

  /** What reading their data said. */
  private transient List<String> notes = List.of();

  private Grid(List<List<Axis>> products) {
    this.products = products.stream().map(List::copyOf).toList();
  }

  /** All combinations of these. */
  public static Grid of(List<Axis> axes) {
    return new Grid(List.of(axes));
  }

  public static Grid of(Axis... axes) {
    return of(List.of(axes));
  }

  /** The cells of several grids, one grid after the other. */
  public static Grid joined(List<Grid> grids) {
    return new Grid(grids.stream().flatMap(grid -> grid.products.stream()).toList());
  }

  /** All combinations; refuses words that mean nothing, or that do not go together. */
  public List<Cell> cells() {
    List<Cell> known = cells;
    if (known == null) {
      Problems problems = new Problems();
      known = cells(problems);
      problems.throwIfAny();
    }
    return known;
  }

  /** What a person should know of own data, such as how many rows were left out. */
  List<String> notes() {
    cells();
    return notes;
  }

  /**
   * The same with every problem collected, each once however many cells have it. Where there are
   * problems already, words are looked at one by one: what a cell lacks may be what they are about.
   */
  List<Cell> cells(Problems problems) {
    boolean whole = !problems.any();
    List<Cell> made = new ArrayList<>();
    Set<String> messages = new LinkedHashSet<>();
    Map<Map<String, List<String>>, Words> seen = new HashMap<>();
    OwnData own = new OwnData();
    for (List<Axis> product : products) {
      for (Words words : combinations(product)) {
        Problems its = new Problems();
        cell(words, whole, own, its)
            .ifPresent(
                cell -> {
                  made.add(cell);
                  Words before = seen.putIfAbsent(cell.question().words(), words);
                  if (before != null) {
                    refuseTwice(before, words, product, its);
                    its.require(its.any(), "cells must differ; two ask for " + cell);
                  }
                });
        its.each(messages::add);
      }
    }
    messages.forEach(problems::add);
    List<Cell> all = List.copyOf(made);
    if (!problems.any()) {
      cells = all;
      notes = own.notes();
    }
    return all;
  }

  /** Names what is given twice, where two cells ask for the same. */
  private static void refuseTwice(Words one, Words other, List<Axis> axes, Problems problems) {
    for (Key<?> key : GridKeys.ALL) {
      String first = said(one, key);
      String second = said(other, key);
      if (!first.equals(second)) {
        problems.add(
            other.problem(
                key, "cells must differ; `%s` and `%s` are the same".formatted(first, second)));
      }
    }
    for (Key<?> key : problems.any() ? List.<Key<?>>of() : GridKeys.ALL) {
      for (Axis axis : axes) {
        axis.twice(key)
            .ifPresent(
                text ->
                    problems.add(
                        other.problem(
                            key, "cells must differ; `%s` is given twice".formatted(text))));
      }
    }
  }

  private static String said(Words words, Key<?> key) {
    return words.find(key).map(said -> String.join(",", said.words())).orElse("");
  }

  private static Optional<Cell> cell(Words words, boolean whole, OwnData own, Problems problems) {
    boolean pooled =
        words
            .find(MethodKeys.ALGORITHM)
            .filter(said -> said.words().contains(Approach.POOLED))
            .isPresent();
    if (pooled) {
      problems.add(
          words.problem(
              MethodKeys.ALGORITHM,
              "must be one with rounds, which a study's curves are drawn over"));
      return Optional.empty();
    }
    Question question = Question.read(GridKeys.ALL, words, problems);
    if (whole && !problems.any()) {
      CellCheck.of(question, words, problems);
    }
    if (!whole || problems.any()) {
      return Optional.empty();
    }
    Question counted =
        question.says(DataKeys.DATA) ? problems.collect(() -> own.counted(question)) : question;
    if (counted != null && question.says(DataKeys.DATA)) {
      CellCheck.counted(counted, words, problems);
    }
    return counted == null || problems.any() ? Optional.empty() : Optional.of(new Cell(counted));
  }

  private static List<Words> combinations(List<Axis> axes) {
    List<Map<String, Words.Said>> all = List.of(Map.of());
    for (Axis axis : axes) {
      List<Map<String, Words.Said>> longer = new ArrayList<>();
      for (Map<String, Words.Said> before : all) {
        for (List<List<String>> point : axis.points()) {
          Map<String, Words.Said> one = new LinkedHashMap<>(before);
          for (int i = 0; i < point.size(); i++) {
            one.put(axis.keys().get(i), new Words.Said(point.get(i), axis.where()));
          }
          longer.add(one);
        }
      }
      all = longer;
    }
    return all.stream()
        .map(
            said -> {
              Words words = new Words(Words.Style.KEYS);
              said.forEach(words::put);
              return words;
            })
        .toList();
  }
}
