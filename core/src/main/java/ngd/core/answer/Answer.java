package ngd.core.answer;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;

/** What came of a question. */
public sealed interface Answer
    permits PooledAnswer,
        ImputedAnswer,
        PenalisedAnswer,
        MixedAnswer,
        CurvesAnswer,
        MethodAnswer,
        CentralAnswer,
        DescriptionAnswer,
        CheckAnswer {
  /** The rows that it rests on. */
  RowsUsed rowsUsed();

  /** The file that holds {@link #json}. */
  default String document() {
    return "result.json";
  }

  /** What the document holds and {@code --format json} prints. */
  JsonObject json();

  /** The tables beside it, by the names of their files. */
  SequencedMap<String, RunFolder.Content> tables();

  /**
   * What is of single groups of rows, and stays in the folders of the sites whose rows these are:
   * no part of what others get.
   */
  default SequencedMap<String, RunFolder.Content> own() {
    return new LinkedHashMap<>();
  }

  /** All files of a run folder but the manifest. */
  default SequencedMap<String, RunFolder.Content> files() {
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>(tables());
    files.put(document(), RunFolder.text(json()));
    files.putAll(own());
    return files;
  }
}
