package ngd.peer.faults;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import ngd.peer.wire.proto.Frame;
import ngd.peer.wire.proto.Part;

/**
 * What every site said to every other in each call of a run. A call that is said again, after
 * whatever crash, has the same bytes: new noise over the same gradient could be averaged away, and
 * sites that heard different things would come to different answers.
 */
final class SentLedger {
  private record Piece(String from, String to, long call, long offset) {}

  private final Map<Piece, Integer> said = new HashMap<>();
  private final Consumer<String> violations;

  SentLedger(Consumer<String> violations) {
    this.violations = violations;
  }

  void enter(String from, String to, Frame frame) {
    Part part = frame.getPart();
    int hash = 31 * part.getKindValue() + Arrays.hashCode(part.getBytes().toByteArray());
    Integer before = said.putIfAbsent(new Piece(from, to, part.getCall(), part.getOffset()), hash);
    if (before != null && before != hash) {
      violations.accept(
          "%s: call %d to %s was said before with other numbers"
              .formatted(from, part.getCall(), to));
    }
  }
}
