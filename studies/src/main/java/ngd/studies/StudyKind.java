package ngd.studies;

import java.util.List;
import ngd.core.question.Key;
import ngd.core.question.Question;

/**
 * A kind of study by the names of its studies. Each stands beside its study and is named in {@code
 * META-INF/services/ngd.studies.StudyKind}, those of the library and your own alike; then {@code
 * ngd study} knows it.
 */
public interface StudyKind {
  /** The names of its studies; none where they are files. */
  List<String> names();

  /** Whether this is one of its studies. */
  default boolean understands(String nameOrFile) {
    return names().contains(nameOrFile);
  }

  /** Whether {@code all} has its studies too: not those that need data. */
  default boolean partOfAll() {
    return true;
  }

  /** The options that its studies take, beside those that all take. */
  default List<Key<?>> options() {
    return List.of();
  }

  /** What is asked for by a name or a file. */
  StudyRequest request(String nameOrFile, Question options);
}
