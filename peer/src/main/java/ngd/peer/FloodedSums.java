package ngd.peer;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import ngd.core.algorithm.Totals;
import ngd.core.file.Sha256;
import ngd.core.linalg.ExactSum;
import ngd.peer.wire.Limits;
import ngd.peer.wire.Links;
import ngd.peer.wire.Message;
import ngd.peer.wire.Reason;
import ngd.peer.wire.Refused;
import ngd.peer.wire.proto.Kind;

/**
 * Sums and maxima over all clients. Every client's masked term is passed on from link to link in as
 * many calls as the network's diameter, and each adds all of them in fixed-point arithmetic: exact,
 * so in any order the same bits. A maximum is found by sums of counts, digit after digit, so that
 * nobody sees whose it is.
 */
final class FloodedSums {
  private static final int DIGIT_BITS = 4;
  private static final int DIGITS = 1 << DIGIT_BITS;

  private final Calls calls;
  private final Neighbourhood neighbourhood;
  private final Limits limits;
  private Masks masks;
  private final int clients;
  private byte[] bound = {};
  private int diameter = -1;

  FloodedSums(Calls calls, Neighbourhood neighbourhood, int clients, Limits limits, Masks masks) {
    this.calls = calls;
    this.neighbourhood = neighbourhood;
    this.clients = clients;
    this.limits = limits;
    this.masks = masks;
  }

  /**
   * Every client's commitment to its data, the same at each; from then on masks derive from all of
   * them.
   *
   * @return the clients that hold other commitments than this one does, none where all agree
   */
  List<Integer> commit(byte[] own) {
    byte[] all = joined(flooded(Kind.COMMITMENT, words(own)));
    byte[] digest = Sha256.of(all);
    List<Integer> others = dissenting(digest);
    if (others.isEmpty()) {
      bind(digest);
    }
    return others;
  }

  /** The clients whose digest of something is another than this one's. */
  List<Integer> dissenting(byte[] digest) {
    int[] own = words(digest);
    Map<Integer, int[]> all = flooded(Kind.COMMITMENT, own);
    return all.keySet().stream().filter(m -> !Arrays.equals(all.get(m), own)).sorted().toList();
  }

  /** Derives masks from what {@link #commit} agreed on. */
  void bind(byte[] digest) {
    masks = masks.bound(digest);
    bound = digest.clone();
  }

  /** What masks derive from; empty before that is known. */
  byte[] bound() {
    return bound.clone();
  }

  private static int[] words(byte[] bytes) {
    int[] words = new int[bytes.length / Integer.BYTES];
    ByteBuffer.wrap(bytes).asIntBuffer().get(words);
    return words;
  }

  /** The commitments in the order of the clients. */
  private static byte[] joined(Map<Integer, int[]> commitments) {
    ByteBuffer all =
        ByteBuffer.allocate(
            commitments.values().stream().mapToInt(words -> words.length * Integer.BYTES).sum());
    commitments.keySet().stream()
        .sorted()
        .forEach(m -> Arrays.stream(commitments.get(m)).forEach(all::putInt));
    return all.array();
  }

  /** The exact sum of all clients' terms, the same bits at each. */
  double[] total(double[] own) {
    int[] terms = new int[own.length * ExactSum.WORDS];
    for (int j = 0; j < own.length; j++) {
      ExactSum sum = new ExactSum();
      sum.add(own[j]);
      sum.words(terms, j * ExactSum.WORDS);
    }
    masks.add(calls.next(), terms);
    double[] sums = new double[own.length];
    int[] sum = new int[terms.length];
    for (int[] term : flooded(Kind.TOTAL, terms).values()) {
      for (int j = 0; j < own.length; j++) {
        ExactSum.addWords(sum, j * ExactSum.WORDS, term, j * ExactSum.WORDS);
      }
    }
    for (int j = 0; j < own.length; j++) {
      sums[j] = ExactSum.ofWords(sum, j * ExactSum.WORDS).value();
    }
    return Totals.finite(sums);
  }

  /** What every client has to say, passed on until all know all of it. */
  private Map<Integer, int[]> flooded(Kind kind, int[] own) {
    int entry = Integer.BYTES * (1 + own.length);
    int hops = diameter();
    Map<Integer, int[]> known = new HashMap<>(Map.of(neighbourhood.self, own));
    List<Integer> fresh = List.of(neighbourhood.self);
    for (int hop = 0; hop < hops; hop++) {
      long call = calls.say(kind, flood(fresh, known));
      List<Integer> learned = new ArrayList<>();
      calls.await(
          call,
          (i, message) -> {
            Calls.requireKind(message, kind);
            learn(message, entry, known, learned);
          },
          Links.Patience.ENDLESS);
      fresh = learned;
    }
    if (known.size() != clients) {
      throw new IllegalStateException(
          "total: must know of all %d clients; a neighbour left out all but %d"
              .formatted(clients, known.size()));
    }
    return known;
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

  /**
   * The largest of all clients' numbers. Of those that may still be the largest, the next digit is
   * counted: everybody sees how many have which digit, and nobody sees whose they are.
   */
  double max(double own) {
    long code = ordered(own);
    long largest = 0;
    boolean leads = true;
    for (int shift = Long.SIZE - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
      int digit = (int) (code >>> shift) & (DIGITS - 1);
      double[] counts = new double[DIGITS];
      counts[digit] = leads ? 1 : 0;
      counts = total(counts);
      int top = DIGITS - 1;
      while (counts[top] == 0) {
        top--;
      }
      leads &= digit == top;
      largest = largest << DIGIT_BITS | top;
    }
    return Totals.largest(number(largest));
  }

  /** A number's bits in an order that is that of the numbers, NaN last, without their sign. */
  private static long ordered(double number) {
    long bits = Double.doubleToLongBits(number);
    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
  }

  private static double number(long ordered) {
    return Double.longBitsToDouble(ordered < 0 ? ordered ^ Long.MIN_VALUE : ~ordered);
  }

  private int diameter() {
    if (diameter < 0) {
      diameter = neighbourhood.diameter();
    }
    return diameter;
  }
}
