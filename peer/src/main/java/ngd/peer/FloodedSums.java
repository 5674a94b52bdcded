package ngd.peer;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import ngd.core.algorithm.Totals;
import ngd.core.linalg.ExactSum;
import ngd.peer.wire.Limits;
import ngd.peer.wire.Links;
import ngd.peer.wire.Message;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.Reason;
import ngd.peer.wire.Refused;
import ngd.peer.wire.proto.Kind;

/**
 * Sums and maxima over all clients. Every client's masked term is passed on from link to link in as
 * many calls as the network's diameter, and each adds all of them in fixed-point arithmetic: exact,
 * so in any order the same bits.
 */
final class FloodedSums {
  private final Calls calls;
  private final Neighbourhood neighbourhood;
  private final Limits limits;
  private final Masks masks;
  private final int clients;
  private int diameter = -1;

  FloodedSums(Calls calls, Neighbourhood neighbourhood, int clients, Limits limits, Masks masks) {
    this.calls = calls;
    this.neighbourhood = neighbourhood;
    this.clients = clients;
    this.limits = limits;
    this.masks = masks;
  }

  /** The exact sum of all clients' terms, the same bits at each. */
  double[] total(double[] own) {
    int entry = Integer.BYTES * (1 + own.length * ExactSum.WORDS);
    int[] terms = new int[own.length * ExactSum.WORDS];
    for (int j = 0; j < own.length; j++) {
      ExactSum sum = new ExactSum();
      sum.add(own[j]);
      sum.words(terms, j * ExactSum.WORDS);
    }
    int hops = diameter();
    masks.add(calls.next(), terms);
    Map<Integer, int[]> known = new HashMap<>(Map.of(neighbourhood.self, terms));
    List<Integer> fresh = List.of(neighbourhood.self);
    for (int hop = 0; hop < hops; hop++) {
      long call = calls.say(Kind.TOTAL, flood(fresh, known));
      List<Integer> learned = new ArrayList<>();
      calls.await(
          call, (i, message) -> learn(message, entry, known, learned), Links.Patience.ENDLESS);
      fresh = learned;
    }
    if (known.size() != clients) {
      throw new IllegalStateException(
          "total: must know of all %d clients; a neighbour left out all but %d"
              .formatted(clients, known.size()));
    }
    double[] sums = new double[own.length];
    int[] sum = new int[terms.length];
    for (int[] term : known.values()) {
      for (int j = 0; j < own.length; j++) {
        ExactSum.addWords(sum, j * ExactSum.WORDS, term, j * ExactSum.WORDS);
      }
    }
    for (int j = 0; j < own.length; j++) {
      sums[j] = ExactSum.ofWords(sum, j * ExactSum.WORDS).value();
    }
    return Totals.finite(sums);
  }

  /** The terms of the clients just learned of, each after its number. */
  private List<ByteString> flood(List<Integer> fresh, Map<Integer, int[]> known) {
    int entry = Integer.BYTES * (1 + known.get(neighbourhood.self).length);
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(fresh.size(), entry)).order(ByteOrder.LITTLE_ENDIAN);
    for (int client : fresh) {
      bytes.putInt(client);
      for (int word : known.get(client)) {
        bytes.putInt(word);
      }
    }
    List<ByteString> pieces = new ArrayList<>();
    byte[] all = bytes.array();
    for (int at = 0; at < all.length; at += limits.pieceBytes()) {
      pieces.add(
          UnsafeByteOperations.unsafeWrap(all, at, Math.min(limits.pieceBytes(), all.length - at)));
    }
    return pieces;
  }

  private void learn(Message message, int entry, Map<Integer, int[]> known, List<Integer> learned)
      throws Refused {
    Calls.requireKind(message, Kind.TOTAL);
    if (message.length() % entry != 0) {
      throw new Refused(
          Reason.DIMENSION,
          "terms must take %d bytes each; got %d bytes".formatted(entry, message.length()));
    }
    ByteBuffer bytes =
        ByteString.copyFrom(message.pieces()).asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    List<int[]> terms = new ArrayList<>();
    List<Integer> named = new ArrayList<>();
    while (bytes.hasRemaining()) {
      int client = bytes.getInt();
      if (client < 0 || client >= clients || named.contains(client)) {
        throw new Refused(Reason.PROTOCOL, "terms must be of different clients; got " + client);
      }
      int[] term = new int[entry / Integer.BYTES - 1];
      bytes.asIntBuffer().get(term);
      bytes.position(bytes.position() + entry - Integer.BYTES);
      named.add(client);
      terms.add(term);
    }
    for (int i = 0; i < named.size(); i++) {
      if (known.putIfAbsent(named.get(i), terms.get(i)) == null) {
        learned.add(named.get(i));
      }
    }
  }

  /** The largest of all clients' numbers. */
  double max(double own) {
    double[] most = {own};
    int hops = diameter();
    for (int hop = 0; hop < hops; hop++) {
      long call = calls.say(Kind.MAX, NumberCodec.FLOAT64.encode(most, 0, 1, limits));
      double[] heard = new double[1];
      calls.await(
          call,
          (i, message) -> {
            Calls.requireKind(message, Kind.MAX);
            // Infinities are numbers that a maximum may well be of.
            if (message.length() != Double.BYTES) {
              throw new Refused(Reason.DIMENSION, "must be one number");
            }
            heard[0] =
                message
                    .pieces()
                    .getFirst()
                    .asReadOnlyByteBuffer()
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getDouble();
            most[0] = Math.max(most[0], heard[0]);
          },
          Links.Patience.ENDLESS);
    }
    return Totals.largest(most);
  }

  private int diameter() {
    if (diameter < 0) {
      diameter = neighbourhood.diameter();
    }
    return diameter;
  }
}
