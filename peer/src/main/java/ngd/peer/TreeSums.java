package ngd.peer;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import ngd.core.WorkFailed;
import ngd.core.file.Sha256;
import ngd.core.linalg.ExactSum;
import ngd.peer.SpanningTrees.Tree;
import ngd.peer.wire.Limits;
import ngd.peer.wire.Message;
import ngd.peer.wire.Reason;
import ngd.peer.wire.Refused;
import ngd.peer.wire.proto.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Partial sums go up two spanning trees at once, a number of one term's length a link, and each
 * root's signed result comes down its tree; the two must agree. What a client sends up it has said
 * in both trees before it can know the sum, so whoever changes anything on the way has changed its
 * own term and no more, or the results differ.
 *
 * <p>Every call says something to all neighbours, mostly nothing: a client at depth d speaks in the
 * call in which all below it have spoken.
 */
final class TreeSums implements SumRoute {
  private static final int DIGEST_BYTES = 32;
  private static final int LINK_BYTES = Integer.BYTES + DIGEST_BYTES;

  private final Calls calls;
  private final Neighbourhood neighbourhood;
  private final SpanningTrees trees;
  private final Limits limits;
  private final Signatures signatures;
  private final int self;
  private byte[] bound = {};

  TreeSums(
      Calls calls,
      Neighbourhood neighbourhood,
      SpanningTrees trees,
      Limits limits,
      Signatures signatures) {
    this.calls = calls;
    this.neighbourhood = neighbourhood;
    this.trees = trees;
    this.limits = limits;
    this.signatures = signatures;
    self = neighbourhood.self;
  }

  /** This client's number. */
  int self() {
    return self;
  }

  @Override
  public void bind(byte[] digest) {
    bound = digest.clone();
  }

  /** What one tree has to say to each neighbour, and to hear from it, in the calls of one way. */
  private interface Traffic {
    byte[] says(Tree tree, int to);

    /** The bytes that come; any number where it is negative. */
    int expects();

    void hears(Tree tree, int from, byte[] bytes) throws Refused;
  }

  /** From the leaves to the roots. */
  private void up(Kind kind, List<Tree> along, Traffic traffic) {
    for (int step = 0; step < trees.height(); step++) {
      int depth = trees.height() - step;
      call(
          kind,
          along,
          traffic,
          (tree, from, to) -> tree.depths[from] == depth && tree.parents[from] == to);
    }
  }

  /** From the roots to the leaves. */
  private void down(Kind kind, List<Tree> along, Traffic traffic) {
    for (int step = 0; step < trees.height(); step++) {
      int depth = step;
      call(
          kind,
          along,
          traffic,
          (tree, from, to) ->
              tree.depths[from] == depth && tree.parents[to] == from && to != tree.root);
    }
  }

  /** Who speaks to whom in a call. */
  private interface Turn {
    boolean speaks(Tree tree, int from, int to);
  }

  private void call(Kind kind, List<Tree> along, Traffic traffic, Turn turn) {
    Map<Integer, List<ByteString>> said = new HashMap<>();
    for (int to : neighbourhood.listeners) {
      List<ByteString> parts = new ArrayList<>();
      for (Tree tree : along) {
        if (turn.speaks(tree, self, to)) {
          parts.add(ByteString.copyFrom(traffic.says(tree, to)));
        }
      }
      said.put(to, Flooding.pieces(ByteString.copyFrom(parts).toByteArray(), limits));
    }
    long call = calls.sayEach(kind, said);
    calls.awaitAll(
        call,
        (i, message) -> {
          Calls.requireKind(message, kind);
          int from = calls.heard(i);
          List<Tree> due = along.stream().filter(tree -> turn.speaks(tree, from, self)).toList();
          take(message, due, from, traffic);
        });
  }

  private static void take(Message message, List<Tree> due, int from, Traffic traffic)
      throws Refused {
    byte[] bytes = ByteString.copyFrom(message.pieces()).toByteArray();
    int each = traffic.expects();
    if (each >= 0 && bytes.length != due.size() * each) {
      throw new Refused(
          Reason.DIMENSION,
          "partial sums must take %d bytes here; got %d"
              .formatted(due.size() * each, bytes.length));
    }
    if (each < 0 && due.isEmpty() && bytes.length > 0) {
      throw new Refused(
          Reason.DIMENSION, "nothing must be said here; got %d bytes".formatted(bytes.length));
    }
    for (int i = 0; i < due.size(); i++) {
      byte[] own = each < 0 ? bytes : Arrays.copyOfRange(bytes, i * each, (i + 1) * each);
      traffic.hears(due.get(i), from, own);
    }
  }

  // ---- Sums

  @Override
  public int[] sum(int[] own, int wordsEach) {
    long first = calls.next();
    Map<Tree, int[]> partial = new HashMap<>();
    trees.trees.forEach(tree -> partial.put(tree, own.clone()));
    up(Kind.TOTAL, trees.trees, new Rising(partial, wordsEach));
    Falling falling = new Falling(first, own.length);
    for (Tree tree : trees.trees) {
      if (tree.root == self) {
        int[] total = Objects.requireNonNull(partial.get(tree));
        byte[] signature =
            signatures.sign(Flooding.statement(bound, first, Kind.TOTAL, self, total));
        falling.known.put(tree, falling.encoded(total, signature));
      }
    }
    down(Kind.TOTAL, trees.trees, falling);
    int[] one = falling.total(trees.trees.get(0));
    int[] other = falling.total(trees.trees.get(1));
    if (!Arrays.equals(one, other)) {
      throw new WorkFailed(
          "sum over all sites: both trees must come to the same sum; they do not, so there is no answer. Some site on the way to %s or to %s has passed on another partial sum than it had"
              .formatted(calls.name(trees.trees.get(0).root), calls.name(trees.trees.get(1).root)));
    }
    return one;
  }

  /** Partial sums on their way up. */
  private record Rising(Map<Tree, int[]> partial, int wordsEach) implements Traffic {
    @Override
    public byte[] says(Tree tree, int to) {
      return bytes(Objects.requireNonNull(partial.get(tree)));
    }

    @Override
    public int expects() {
      return partial.values().iterator().next().length * Integer.BYTES;
    }

    @Override
    public void hears(Tree tree, int from, byte[] bytes) {
      int[] sum = Objects.requireNonNull(partial.get(tree));
      int[] more = words(bytes);
      for (int at = 0; at < sum.length; at += wordsEach) {
        ExactSum.addWords(sum, at, more, at);
      }
    }
  }

  /** The roots' results on their way down, each with its signature. */
  private final class Falling implements Traffic {
    private final long first;
    private final int width;
    private final Map<Tree, byte[]> known = new HashMap<>();

    Falling(long first, int width) {
      this.first = first;
      this.width = width;
    }

    byte[] encoded(int[] total, byte[] signature) {
      return ByteBuffer.allocate(expects()).put(bytes(total)).put(signature).array();
    }

    int[] total(Tree tree) {
      return words(Arrays.copyOf(Objects.requireNonNull(known.get(tree)), width * Integer.BYTES));
    }

    @Override
    public byte[] says(Tree tree, int to) {
      return Objects.requireNonNull(known.get(tree));
    }

    @Override
    public int expects() {
      return width * Integer.BYTES + signatures.bytes();
    }

    @Override
    public void hears(Tree tree, int from, byte[] bytes) throws Refused {
      int[] total = words(Arrays.copyOf(bytes, width * Integer.BYTES));
      byte[] signature = Arrays.copyOfRange(bytes, width * Integer.BYTES, bytes.length);
      byte[] statement = Flooding.statement(bound, first, Kind.TOTAL, tree.root, total);
      if (!signatures.verify(tree.root, statement, signature)) {
        throw new Refused(
            Reason.SIGNATURE,
            "%s did not sign, for this sum, the result that is passed on as its own"
                .formatted(calls.name(tree.root)));
      }
      known.put(tree, bytes);
    }
  }

  private static byte[] bytes(int[] words) {
    ByteBuffer bytes =
        ByteBuffer.allocate(words.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(words);
    return bytes.array();
  }

  private static int[] words(byte[] bytes) {
    int[] words = new int[bytes.length / Integer.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(words);
    return words;
  }

  // ---- Commitments

  /**
   * Hashes of hashes up the first tree. Down come, beside the root's, those from which a client
   * sees that its own is in it: nobody can keep masks as they were while a client's data changed.
   */
  @Override
  public byte[] digest(byte[] commitment) {
    Tree tree = trees.trees.getFirst();
    Hashes hashes = new Hashes(commitment);
    up(Kind.COMMITMENT, List.of(tree), hashes.rising());
    down(Kind.COMMITMENT, List.of(tree), hashes.falling());
    return tree.root == self ? hashes.node(tree) : Objects.requireNonNull(hashes.top);
  }

  private final class Hashes {
    private final byte[] commitment;
    private final Map<Integer, byte[]> below = new HashMap<>();

    /** What those above hashed, the nearest first. */
    private byte[] path = {};

    private byte @Nullable [] top;

    Hashes(byte[] commitment) {
      this.commitment = commitment;
    }

    /** What this client hashes: its commitment, then each child with its hash. */
    private byte[] level(Tree tree) {
      List<Integer> children = tree.children.get(self);
      ByteBuffer level = ByteBuffer.allocate(DIGEST_BYTES + children.size() * LINK_BYTES);
      level.put(commitment);
      for (int child : children) {
        level.putInt(child).put(Objects.requireNonNull(below.get(child)));
      }
      return level.array();
    }

    byte[] node(Tree tree) {
      return Sha256.of(level(tree));
    }

    Traffic rising() {
      return new Traffic() {
        @Override
        public byte[] says(Tree tree, int to) {
          return node(tree);
        }

        @Override
        public int expects() {
          return DIGEST_BYTES;
        }

        @Override
        public void hears(Tree tree, int from, byte[] bytes) {
          below.put(from, bytes);
        }
      };
    }

    Traffic falling() {
      return new Traffic() {
        @Override
        public byte[] says(Tree tree, int to) {
          return ByteBuffer.allocate(level(tree).length + path.length)
              .put(level(tree))
              .put(path)
              .array();
        }

        @Override
        public int expects() {
          return -1;
        }

        @Override
        public void hears(Tree tree, int from, byte[] bytes) throws Refused {
          top = climbed(tree, bytes);
          path = bytes;
        }
      };
    }

    /** The root's hash, computed from this client's own and what those above it hashed. */
    private byte[] climbed(Tree tree, byte[] levels) throws Refused {
      byte[] now = node(tree);
      int at = self;
      int from = 0;
      while (at != tree.root) {
        int above = tree.parents[at];
        List<Integer> children = tree.children.get(above);
        int length = DIGEST_BYTES + children.size() * LINK_BYTES;
        int slot = from + DIGEST_BYTES + children.indexOf(at) * LINK_BYTES + Integer.BYTES;
        if (from + length > levels.length
            || !Arrays.equals(now, 0, DIGEST_BYTES, levels, slot, slot + DIGEST_BYTES)) {
          throw new Refused(
              Reason.OMITTED,
              "it must pass on all commitments, that of %s among them, and did not"
                  .formatted(calls.name(self)));
        }
        now = new Sha256().add(levels, from, length).bytes();
        from += length;
        at = above;
      }
      return now;
    }
  }

  /**
   * Compares with the neighbours alone: where honest clients are connected and each agrees with its
   * neighbours, all of them agree.
   */
  @Override
  public List<Integer> dissenting(byte[] digest) {
    long call = calls.say(Kind.COMMITMENT, List.of(ByteString.copyFrom(digest)));
    List<Integer> others = new ArrayList<>();
    calls.awaitAll(
        call,
        (i, message) -> {
          Calls.requireKind(message, Kind.COMMITMENT);
          if (message.length() != digest.length) {
            throw new Refused(
                Reason.DIMENSION,
                "a digest must take %d bytes; got %d".formatted(digest.length, message.length()));
          }
          if (!Arrays.equals(ByteString.copyFrom(message.pieces()).toByteArray(), digest)) {
            others.add(calls.heard(i));
          }
        });
    return others.stream().sorted().toList();
  }
}
