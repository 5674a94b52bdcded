package ngd.app.terminal;

import java.util.List;
import java.util.Set;
import ngd.core.question.Key;
import ngd.core.question.Words;

/** A command whose options ask a question: they are made from its keys. */
public interface AsksQuestion {
  /** What may be asked. */
  List<Key<?>> keys();

  /** Whether help shows their options before the command's own. */
  default boolean keysFirst() {
    return true;
  }

  /** The keys of a rehearsal's manifest that are settled elsewhere, such as where the data are. */
  default Set<String> elsewhere() {
    return Set.of();
  }

  /** What was said: in a file, and over it on the command line. */
  void asked(Words words);
}
