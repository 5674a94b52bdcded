package ngd.peer.wire;

import com.google.protobuf.ByteString;
import java.util.List;
import ngd.peer.wire.proto.Kind;

/**
 * What one client says in one call.
 *
 * @param call its number over the whole run, the same at every client
 * @param round the round in which it is made
 * @param place its place among the calls of its kind in that round
 * @param pieces the bytes, each piece but the last a multiple of 8
 */
public record Message(long call, Kind kind, int round, int place, List<ByteString> pieces) {
  public Message {
    pieces = List.copyOf(pieces);
  }

  /** Bytes in all. */
  public long length() {
    long length = 0;
    for (int i = 0; i < pieces.size(); i++) {
      length += pieces.get(i).size();
    }
    return length;
  }
}
