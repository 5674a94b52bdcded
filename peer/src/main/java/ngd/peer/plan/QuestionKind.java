package ngd.peer.plan;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.question.Key;
import ngd.core.question.Question;

/** What a federation can be asked for. */
public enum QuestionKind {
  /** A model, as {@code ngd fit} finds it. */
  FIT("fit"),
  /** What the variables look like, as {@code ngd describe} says it. */
  DESCRIBE("describe"),
  /** What the theory says of a fit, as {@code ngd check} does. */
  CHECK("check");

  private final String word;

  QuestionKind(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  static QuestionKind parse(String word) {
    List<String> words = Arrays.stream(values()).map(QuestionKind::word).toList();
    int place = words.indexOf(word);
    if (place < 0) {
      throw new InvalidInput(
          "kind: must be %s%s; got `%s`"
              .formatted(String.join(", ", words), NearestName.hint(word, words), word));
    }
    return values()[place];
  }

  /** The kind of a question that was read by {@link PlanKeys#read}. */
  static QuestionKind of(Question question) {
    return question.keys().contains(PlanKeys.KIND) ? question.get(PlanKeys.KIND) : FIT;
  }

  /** What such a question may say. */
  public List<Key<?>> keys() {
    return switch (this) {
      case FIT -> PlanKeys.FIT;
      case DESCRIBE -> PlanKeys.DESCRIBE;
      case CHECK -> PlanKeys.CHECK;
    };
  }
}
