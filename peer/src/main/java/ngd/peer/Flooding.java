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
import java.util.TreeMap;
import java.util.stream.IntStream;
import ngd.core.WorkFailed;
import ngd.core.file.Sha256;
import ngd.core.linalg.ExactSum;
import ngd.peer.wire.Limits;
import ngd.peer.wire.Message;
import ngd.peer.wire.Reason;
import ngd.peer.wire.Refused;
import ngd.peer.wire.proto.Kind;

/**
 * Every client's term is passed on from link to link, in as many calls as the network's diameter,
 * until all know all of them.
 *
 * <p>A term carries its client's signature over the run, what all have committed to, the call, its
 * kind, its client and its numbers. And what a neighbour must pass on in which hop follows from the
 * network: the terms of the clients at that distance from it. So one that alters, exchanges,
 * repeats or leaves out a term is found at the next hop, and is the one who said it.
 *
 * <p>Where everybody hears everybody nothing is passed on. The link proves whose a term is, under
 * the same key, and terms go without signatures: verifying them would be most of a small question's
 * work.
 */
final class Flooding implements SumRoute {
  private final Calls calls;
  private final Neighbourhood neighbourhood;
  private final Limits limits;
  private final Signatures ofSites;
  private final int clients;

  /** By the client heard, how far each client's word is from it. */
  private final Map<Integer, int[]> distances = new HashMap<>();

  private byte[] bound = {};
  private int diameter = -1;

  Flooding(
      Calls calls, Neighbourhood neighbourhood, int clients, Limits limits, Signatures signatures) {
    this.calls = calls;
    this.neighbourhood = neighbourhood;
    this.clients = clients;
    this.limits = limits;
    ofSites = signatures;
  }

  /** A term with what proves whose it is. */
  private static final class Term {
    final int[] words;
    final byte[] signature;

    Term(int[] words, byte[] signature) {
      this.words = words;
      this.signature = signature;
    }
  }

  @Override
  public void bind(byte[] digest) {
    bound = digest.clone();
  }

  @Override
  public int[] sum(int[] own, int wordsEach) {
    int[] sum = new int[own.length];
    for (Term term : flooded(Kind.TOTAL, own).values()) {
      for (int at = 0; at < sum.length; at += wordsEach) {
        ExactSum.addWords(sum, at, term.words, at);
      }
    }
    return sum;
  }

  @Override
  public byte[] digest(byte[] commitment) {
    Sha256 all = new Sha256();
    flooded(Kind.COMMITMENT, words(commitment)).values().forEach(term -> all.add(bytes(term)));
    return all.bytes();
  }

  @Override
  public List<Integer> dissenting(byte[] digest) {
    int[] own = words(digest);
    Map<Integer, Term> all = flooded(Kind.COMMITMENT, own);
    return all.keySet().stream().filter(m -> !Arrays.equals(all.get(m).words, own)).toList();
  }

  private static int[] words(byte[] bytes) {
    int[] words = new int[bytes.length / Integer.BYTES];
    ByteBuffer.wrap(bytes).asIntBuffer().get(words);
    return words;
  }

  private static byte[] bytes(Term term) {
    ByteBuffer bytes = ByteBuffer.allocate(term.words.length * Integer.BYTES);
    bytes.asIntBuffer().put(term.words);
    return bytes.array();
  }

  /** What a client signs. */
  static byte[] statement(byte[] bound, long call, Kind kind, int client, int[] words) {
    ByteBuffer numbers = ByteBuffer.allocate(words.length * Integer.BYTES);
    numbers.asIntBuffer().put(words);
    return new Sha256()
        .add(bound.length)
        .add(bound)
        .add(call)
        .add(kind.getNumber())
        .add(client)
        .add(words.length)
        .add(numbers.array())
        .bytes();
  }

  /** Bytes in pieces that can travel. */
  static List<ByteString> pieces(byte[] all, Limits limits) {
    List<ByteString> pieces = new ArrayList<>();
    for (int at = 0; at < all.length; at += limits.pieceBytes()) {
      pieces.add(
          UnsafeByteOperations.unsafeWrap(all, at, Math.min(limits.pieceBytes(), all.length - at)));
    }
    return pieces;
  }

  /** What every client has to say, by its number, passed on until all know all of it. */
  private Map<Integer, Term> flooded(Kind kind, int[] own) {
    long first = calls.next();
    Round round = new Round(kind, first, own.length);
    int self = neighbourhood.self;
    byte[] signature = round.signatures.sign(statement(bound, first, kind, self, own));
    round.known.put(self, new Term(own, signature));
    List<Integer> fresh = List.of(self);
    for (int hop = 0; hop < diameter(); hop++) {
      fresh = round.hop(hop, fresh);
    }
    return round.known;
  }

  /** The terms of one sum on their way. */
  private final class Round {
    private final Kind kind;
    private final long first;
    private final int width;
    private final int entry;
    private final Signatures signatures = diameter() > 1 ? ofSites : Signatures.NONE;
    private final TreeMap<Integer, Term> known = new TreeMap<>();

    Round(Kind kind, long first, int width) {
      this.kind = kind;
      this.first = first;
      this.width = width;
      entry = Integer.BYTES * (1 + width) + signatures.bytes();
    }

    /** Says what is new here; gives the clients whose terms are new in turn, ascending. */
    List<Integer> hop(int hop, List<Integer> fresh) {
      long call = calls.say(kind, said(fresh));
      List<Integer> learned = new ArrayList<>();
      calls.awaitAll(
          call,
          (i, message) -> {
            Calls.requireKind(message, kind);
            learn(message, due(calls.heard(i), hop), learned);
          });
      learned.sort(null);
      return learned;
    }

    /** The terms of these clients, each after its number and before its signature. */
    private List<ByteString> said(List<Integer> whose) {
      ByteBuffer bytes =
          ByteBuffer.allocate(Math.multiplyExact(whose.size(), entry))
              .order(ByteOrder.LITTLE_ENDIAN);
      for (int client : whose) {
        Term term = java.util.Objects.requireNonNull(known.get(client));
        bytes.putInt(client);
        for (int word : term.words) {
          bytes.putInt(word);
        }
        bytes.put(term.signature);
      }
      return pieces(bytes.array(), limits);
    }

    private void learn(Message message, List<Integer> due, List<Integer> learned) throws Refused {
      if (message.length() % entry != 0) {
        throw new Refused(
            Reason.DIMENSION,
            "terms must take %d bytes each; got %d bytes".formatted(entry, message.length()));
      }
      ByteBuffer bytes =
          ByteString.copyFrom(message.pieces())
              .asReadOnlyByteBuffer()
              .order(ByteOrder.LITTLE_ENDIAN);
      TreeMap<Integer, Term> said = new TreeMap<>();
      while (bytes.hasRemaining()) {
        int client = bytes.getInt();
        int[] words = new int[width];
        bytes.asIntBuffer().get(words);
        bytes.position(bytes.position() + width * Integer.BYTES);
        byte[] signature = new byte[signatures.bytes()];
        bytes.get(signature);
        if (said.put(client, new Term(words, signature)) != null) {
          throw new Refused(
              Reason.PROTOCOL,
              "terms must be of different clients; got %d twice".formatted(client));
        }
      }
      requireDue(due, said);
      for (int client : due) {
        check(client, java.util.Objects.requireNonNull(said.get(client)));
      }
      for (int client : due) {
        if (known.putIfAbsent(client, java.util.Objects.requireNonNull(said.get(client))) == null) {
          learned.add(client);
        }
      }
    }

    private void requireDue(List<Integer> due, Map<Integer, Term> said) throws Refused {
      List<Integer> missing = due.stream().filter(m -> !said.containsKey(m)).toList();
      if (!missing.isEmpty()) {
        throw new Refused(
            Reason.OMITTED,
            "it must pass on the term of %s, and did not".formatted(names(missing)));
      }
      List<Integer> surplus = said.keySet().stream().filter(m -> !due.contains(m)).toList();
      if (!surplus.isEmpty()) {
        throw new Refused(
            Reason.PROTOCOL,
            "it must pass on the terms of %s alone; got one of client %d"
                .formatted(names(due), surplus.getFirst()));
      }
    }

    /** Refuses a term that its client did not sign, and a client that signed two. */
    private void check(int client, Term term) throws Refused {
      Term before = known.get(client);
      if (before != null && Arrays.equals(before.words, term.words)) {
        return;
      }
      byte[] statement = statement(bound, first, kind, client, term.words);
      if (!signatures.verify(client, statement, term.signature)) {
        throw new Refused(
            Reason.SIGNATURE,
            "%s did not sign, for this sum, the term that is passed on as its own"
                .formatted(calls.name(client)));
      }
      if (before != null) {
        throw new WorkFailed(
            "sum over all sites: %s has given two different terms of one sum, each under its signature, so there is no answer"
                .formatted(calls.name(client)));
      }
    }
  }

  /** The clients whose terms a neighbour passes on in a hop: those so far from it. */
  private List<Integer> due(int neighbour, int hop) {
    int[] far = distances.computeIfAbsent(neighbour, neighbourhood::distances);
    return IntStream.range(0, clients).filter(m -> far[m] == hop).boxed().toList();
  }

  private String names(List<Integer> whose) {
    return String.join(", ", whose.stream().map(calls::name).toList());
  }

  private int diameter() {
    if (diameter < 0) {
      diameter = neighbourhood.diameter();
    }
    return diameter;
  }
}
