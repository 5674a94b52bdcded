package ngd.studies;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import ngd.core.question.Words;

/**
 * What is asked for: one study or several under one name.
 *
 * @param replicates how often to repeat, where somebody says so
 */
public record StudyRequest(String name, List<Study> studies, OptionalInt replicates, long seed) {
  private static final long SEED = 1;

  public StudyRequest {
    studies = List.copyOf(studies);
  }

  /** Some studies with their own numbers of replicates. */
  public StudyRequest(String name, List<Study> studies) {
    this(name, studies, OptionalInt.empty(), SEED);
  }

  /** What a name or a YAML file stands for. */
  public static StudyRequest of(String nameOrFile) {
    return of(nameOrFile, new Words(Words.Style.FLAGS));
  }

  /**
   * The same with options that only some studies take.
   *
   * @param options what was said for the keys of {@link StudyKinds#options}
   */
  public static StudyRequest of(String nameOrFile, Words options) {
    return StudyKinds.request(nameOrFile, options);
  }

  /** The same, with other numbers where they are given. */
  public StudyRequest with(OptionalInt otherReplicates, OptionalLong otherSeed) {
    return new StudyRequest(
        name,
        studies,
        otherReplicates.isPresent() ? otherReplicates : replicates,
        otherSeed.orElse(seed));
  }
}
