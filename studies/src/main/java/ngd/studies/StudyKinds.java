package ngd.studies;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.Problems;
import ngd.core.question.Key;
import ngd.core.question.Question;
import ngd.core.question.Words;

/** All kinds of study, as {@link ServiceLoader} finds them. */
public final class StudyKinds {
  /** Every named study of those kinds that are part of it. */
  private static final String ALL = "all";

  private StudyKinds() {}

  /** Found once: what is on the class path does not change. */
  private static final class Registered {
    static final List<StudyKind> ALL_KINDS = find();

    private static List<StudyKind> find() {
      List<StudyKind> found = new ArrayList<>();
      for (StudyKind kind : ServiceLoader.load(StudyKind.class)) {
        for (String name : kind.names()) {
          found.stream()
              .filter(other -> other.names().contains(name))
              .findFirst()
              .ifPresent(other -> refuse(name, other, kind));
        }
        found.add(kind);
      }
      return List.copyOf(found);
    }

    private static void refuse(String name, StudyKind one, StudyKind other) {
      throw new InvalidInput(
          "study `%s`: may be provided once; both %s and %s provide it"
              .formatted(name, one.getClass().getName(), other.getClass().getName()));
    }
  }

  /** The names of all studies, {@code all} last. */
  public static List<String> names() {
    List<String> names = new ArrayList<>();
    Registered.ALL_KINDS.forEach(kind -> names.addAll(kind.names()));
    names.add(ALL);
    return names;
  }

  /** The options that some studies take. */
  public static List<Key<?>> options() {
    return Registered.ALL_KINDS.stream()
        .<Key<?>>flatMap(kind -> kind.options().stream())
        .distinct()
        .toList();
  }

  /** What a name or a file stands for, with the options that were said. */
  static StudyRequest request(String nameOrFile, Words said) {
    Problems problems = new Problems();
    if (nameOrFile.equals(ALL)) {
      refuseOptions(nameOrFile, List.of(), said, problems);
      problems.throwIfAny();
      return all();
    }
    StudyKind kind =
        Registered.ALL_KINDS.stream()
            .filter(one -> one.understands(nameOrFile))
            .findFirst()
            .orElseThrow(() -> unknown(nameOrFile));
    refuseOptions(nameOrFile, kind.options(), said, problems);
    Question options = Question.read(kind.options(), said, problems);
    problems.throwIfAny();
    return kind.request(nameOrFile, options);
  }

  private static StudyRequest all() {
    List<Study> studies = new ArrayList<>();
    for (StudyKind kind : Registered.ALL_KINDS) {
      if (kind.partOfAll()) {
        Question nothing =
            Question.read(kind.options(), new Words(Words.Style.KEYS), new Problems());
        kind.names().forEach(name -> studies.addAll(kind.request(name, nothing).studies()));
      }
    }
    return new StudyRequest(ALL, studies);
  }

  private static void refuseOptions(
      String nameOrFile, List<Key<?>> known, Words said, Problems problems) {
    for (StudyKind kind : Registered.ALL_KINDS) {
      for (Key<?> key : kind.options()) {
        if (said.says(key) && !known.contains(key)) {
          problems.add(
              said.problem(
                  key,
                  "works only with %s; got `%s`"
                      .formatted(String.join(", ", kind.names()), nameOrFile)));
        }
      }
    }
  }

  private static InvalidInput unknown(String nameOrFile) {
    return new InvalidInput(
        "study: must be one of %s, or a YAML file; got `%s`%s"
            .formatted(
                String.join(", ", names()), nameOrFile, NearestName.hint(nameOrFile, names())));
  }
}
