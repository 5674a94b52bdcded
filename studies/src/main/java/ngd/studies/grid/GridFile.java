package ngd.studies.grid;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.Set;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.question.ClientKeys;
import ngd.core.question.DataKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.question.Words;
import ngd.core.question.WordsFile;
import ngd.studies.StudyRequest;

/**
 * A user's own grid in YAML. A list varies a key, one value sets it; values with commas, such as
 * schedules of step sizes, are one value. A list of what own data need several of, such as
 * features, is one value as in a fit. Every problem is reported at once, with its line.
 */
final class GridFile {
  private static final Key<String> NAME = Key.of("name", "TEXT", GridFile::fileName, name -> name);

  private static final Key<Integer> ROUNDS = Key.whole("rounds", "T", 1).standard("2000");
  private static final Key<Integer> POINTS = Key.whole("points", "K", 1).standard("50");
  private static final Key<Integer> REPLICATES = Key.whole("replicates", "R", 1).standard("100");

  /** What holds for all cells. */
  private static final List<Key<?>> SINGLE =
      List.of(NAME, ROUNDS, POINTS, REPLICATES, ClientKeys.SEED);

  /**
   * What may vary, in the order in which cells are nested: those that share data stand together.
   */
  private static final SequencedMap<String, Key<?>> VARIED = varied();

  private static SequencedMap<String, Key<?>> varied() {
    SequencedMap<String, Key<?>> varied = new LinkedHashMap<>();
    GridKeys.OWN_DATA.forEach(key -> varied.put(key.name(), key));
    varied.put("models", ModelKeys.SIMULATE);
    varied.put("rows", ModelKeys.ROWS);
    varied.put("clients", ClientKeys.CLIENTS);
    varied.put("partitions", ClientKeys.PARTITION);
    varied.put("placements", ClientKeys.PLACEMENT);
    varied.put("networks", ClientKeys.NETWORK);
    varied.put("weights", ClientKeys.WEIGHTS);
    varied.put("algorithms", MethodKeys.ALGORITHM);
    GridKeys.FURTHER.forEach(key -> varied.put(key.name(), key));
    varied.put("alphas", MethodKeys.ALPHA);
    return varied;
  }

  /** What holds where the file says nothing. */
  private static final Map<String, String> STANDARD =
      Map.of("models", "linear", "rows", "10000", "clients", "200", "algorithms", "ngd");

  /** What holds for simulated rows alone. */
  private static final Set<String> SIMULATING = Set.of("models", "rows", "clients");

  private final Path path;
  private final Problems problems = new Problems();
  private final Words words = new Words(Words.Style.KEYS);

  private GridFile(Path path) {
    this.path = path;
  }

  /** A study's folder has its name. */
  private static String fileName(String name) {
    if (name.matches("\\.\\.?|.*[/\\\\:*?\"<>|\\p{Cntrl}].*")) {
      throw new InvalidInput(
          "name: must be a plain file name, without / \\ : * ? \" < > |, as the study's folder has it; got `%s`"
              .formatted(name));
    }
    return name;
  }

  static StudyRequest read(Path path) {
    return new GridFile(path).request();
  }

  private StudyRequest request() {
    Map<String, Boolean> names = new LinkedHashMap<>();
    SINGLE.forEach(key -> names.put(key.name(), false));
    VARIED.keySet().forEach(name -> names.put(name, true));
    WordsFile.read(path, List.of(), names, words, problems);
    Question single = Question.read(SINGLE, words, problems);
    List<Axis> axes = new ArrayList<>();
    VARIED.forEach((name, key) -> add(name, key, axes));
    int rounds = single.find(ROUNDS).orElse(1);
    axes.add(Axis.of(MethodKeys.ROUNDS, Integer.toString(rounds)));
    axes.add(
        Axis.of(
            MethodKeys.TRACE_EVERY,
            Integer.toString(Math.max(1, rounds / single.find(POINTS).orElse(1)))));
    for (String name : List.of("models", "rows")) {
      Words.Said said = words.find(name);
      if (ownData() && said != null) {
        problems.add(
            "%s: %s: holds for simulated rows; these are read from data"
                .formatted(said.where(), name));
      }
    }
    Grid grid = Grid.of(axes);
    grid.cells(problems);
    refuseProblems();
    String name = single.find(NAME).orElseGet(this::stem);
    return new StudyRequest(
        name,
        List.of(new GridStudy("study", name, grid, new CurvesReport.Own(), single.get(REPLICATES))),
        OptionalInt.of(single.get(REPLICATES)),
        single.get(ClientKeys.SEED));
  }

  /** Not every problem has a line, but all are of this file. */
  private void refuseProblems() {
    Problems placed = new Problems();
    problems.each(
        problem ->
            placed.add(
                problem.startsWith(path.toString()) ? problem : "%s: %s".formatted(path, problem)));
    placed.throwIfAny();
  }

  private String stem() {
    return String.valueOf(path.getFileName()).replaceFirst("\\.ya?ml$", "");
  }

  private boolean ownData() {
    return words.find(DataKeys.DATA.name()) != null;
  }

  private void add(String name, Key<?> key, List<Axis> axes) {
    Words.Said said = words.find(name);
    if (said != null && said.words().isEmpty()) {
      problems.add("%s: %s: needs at least one".formatted(said.where(), name));
    } else if (said != null) {
      axes.add(axis(key, said));
    } else if (STANDARD.containsKey(name) && !(SIMULATING.contains(name) && ownData())) {
      axes.add(Axis.of(key, STANDARD.get(name)));
    }
  }

  private Axis axis(Key<?> key, Words.Said said) {
    // A network's file is looked for beside this one, so that both can move together.
    List<String> there = key.relocated(said.words(), file -> path.resolveSibling(file).toString());
    boolean several = key.form() == Key.Form.LIST || key.form() == Key.Form.REPEATED;
    if (!several || !GridKeys.OWN_DATA.contains(key)) {
      return Axis.of(key, there, said.where());
    }
    List<String> words = there.size() == 1 ? key.split(there.getFirst()) : there;
    return Axis.constant(key, words, said.where());
  }
}
