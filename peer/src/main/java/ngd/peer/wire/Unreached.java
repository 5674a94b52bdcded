package ngd.peer.wire;

import io.grpc.Status;
import java.nio.channels.UnresolvedAddressException;

/** Why there is no connection to a neighbour, in words for the log. */
final class Unreached {
  private static final int LONGEST = 300;

  private Unreached() {}

  /** Whether the name of the neighbour's address is not known on this machine. */
  static boolean isUnknown(Status why) {
    return why.getCause() instanceof UnresolvedAddressException;
  }

  static String detail(PeerAddress other, Status why) {
    if (isUnknown(why)) {
      return "the name `%s` of its address must resolve on this machine, and does not; it is looked up again"
          .formatted(other.host());
    }
    Throwable cause = why.getCause();
    String words = cause == null ? why.getDescription() : cause.getMessage();
    return LogText.plain(
        words == null && cause != null ? cause.toString() : String.valueOf(words), LONGEST);
  }
}
