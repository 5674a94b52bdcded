package ngd.core.network;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The base-(k+1) graph of Takezawa, Sato, Bao, Niwa and Yamada (2023): a sequence of networks in
 * which each client hears at most k others and whose product is 11ᵀ/n, for every number n of
 * clients.
 *
 * <p>The hyper-hypercube (algorithm 1) does it where no prime factor of n exceeds k + 1: digit by
 * digit of a mixed radix, those who differ in that digit alone average.
 *
 * <p>The simple graph (algorithm 2) does it for any n = Σ a_l (k+1)^{p_l} with p_1 &gt; p_2 &gt; …,
 * on parts V_l of a_l (k+1)^{p_l} clients, each of a_l blocks of (k+1)^{p_l}. First each part
 * averages. Then, for l = 1, 2, … in turn, each of the r clients of the later parts meets one of
 * every block of V_l, and they give each other the weight w = (k+1)^{p_l} / (|V_l| + r): the
 * block's mean moves by w r (x̄_r − x̄_l) / (k+1)^{p_l} to the mean of all, and the later parts,
 * changed alike, still agree among themselves. Last, each block averages.
 *
 * <p>The graph itself (algorithm 3) writes n = p q, p with no prime factor above k + 1 and q with
 * no other ones, averages p groups of q by the simple graph and then, across groups, q sets of p by
 * the hyper-hypercube; where the simple graph on all of them is shorter, it is that.
 */
final class BaseGraph {
  private final int clients;
  private final List<LinkWeights> rounds = new ArrayList<>();

  private BaseGraph(int clients) {
    this.clients = clients;
  }

  /** The networks of a period. */
  static List<Network> rounds(int clients, int degree) {
    int q = withoutFactors(clients, degree + 1);
    int p = clients / q;
    int[] all = IntStream.range(0, clients).toArray();
    BaseGraph simple = new BaseGraph(clients);
    simple.simple(all, degree, 0);
    BaseGraph grouped = new BaseGraph(clients);
    int groupRounds = 0;
    for (int group = 0; group < p; group++) {
      groupRounds = grouped.simple(part(all, group * q, q), degree, 0);
    }
    for (int place = 0; place < q; place++) {
      int own = place;
      grouped.hypercube(
          IntStream.range(0, p).map(group -> group * q + own).toArray(), degree, groupRounds);
    }
    return grouped.rounds.size() < simple.rounds.size() ? grouped.networks() : simple.networks();
  }

  private List<Network> networks() {
    return rounds.stream().map(LinkWeights::withRest).toList();
  }

  private LinkWeights at(int round) {
    while (rounds.size() <= round) {
      rounds.add(new LinkWeights(clients));
    }
    return rounds.get(round);
  }

  private static int[] part(int[] nodes, int from, int size) {
    return IntStream.range(from, from + size).map(i -> nodes[i]).toArray();
  }

  /**
   * Averages these clients, whose number has no prime factor above k + 1, from a round on; gives
   * the rounds that it takes.
   */
  private int hypercube(int[] nodes, int degree, int from) {
    List<Integer> radices = radices(nodes.length, degree + 1);
    int stride = 1;
    for (int digit = 0; digit < radices.size(); digit++) {
      int radix = radices.get(digit);
      LinkWeights w = at(from + digit);
      for (int i = 0; i < nodes.length; i++) {
        int own = i / stride % radix;
        for (int other = own + 1; other < radix; other++) {
          w.addMutual(nodes[i], nodes[i + (other - own) * stride], 1.0 / radix);
        }
      }
      stride *= radix;
    }
    return radices.size();
  }

  /** As few factors of a number as there are, none above a limit; empty for 1. */
  static List<Integer> radices(int number, int most) {
    if (number == 1) {
      return List.of();
    }
    List<Integer> best = Collections.nCopies(Integer.SIZE, 0);
    for (int factor = Math.min(most, number); factor >= 2; factor--) {
      if (number % factor == 0 && smooth(number / factor, factor)) {
        List<Integer> rest = radices(number / factor, factor);
        if (rest.size() + 1 < best.size()) {
          best = new ArrayList<>(rest);
          best.addFirst(factor);
        }
      }
    }
    return best;
  }

  /** Whether no prime factor of a number exceeds a limit. */
  private static boolean smooth(int number, int most) {
    return withoutFactors(number, most) == 1;
  }

  /** What is left of a number without its prime factors up to a limit. */
  private static int withoutFactors(int number, int most) {
    int left = number;
    for (int factor = 2; factor <= most; factor++) {
      while (left % factor == 0) {
        left /= factor;
      }
    }
    return left;
  }

  /** Averages any clients from a round on; gives the rounds that it takes. */
  private int simple(int[] nodes, int degree, int from) {
    if (smooth(nodes.length, degree + 1)) {
      return hypercube(nodes, degree, from);
    }
    List<Part> parts = parts(nodes, degree + 1);
    int longest = 0;
    for (Part one : parts) {
      longest = Math.max(longest, hypercube(one.nodes(), degree, from));
    }
    int end = from + longest;
    for (int l = 0; l + 1 < parts.size(); l++) {
      Part one = parts.get(l);
      int[] later = later(parts, l);
      double weight = (double) one.block() / (one.nodes().length + later.length);
      LinkWeights w = at(from + longest + l);
      for (int j = 0; j < later.length; j++) {
        for (int i = j; i < one.nodes().length; i += one.block()) {
          w.addMutual(one.nodes()[i], later[j], weight);
        }
      }
      int averaged = from + longest + l + 1;
      end = Math.max(end, averaged);
      for (int i = 0; i < one.nodes().length; i += one.block()) {
        end =
            Math.max(
                end, averaged + hypercube(part(one.nodes(), i, one.block()), degree, averaged));
      }
    }
    return end - from;
  }

  private static int[] later(List<Part> parts, int l) {
    return parts.subList(l + 1, parts.size()).stream()
        .flatMapToInt(part -> IntStream.of(part.nodes()))
        .toArray();
  }

  /** V_l, in blocks of a power of k + 1. */
  private static final class Part {
    private final int[] nodes;
    private final int block;

    Part(int[] nodes, int block) {
      this.nodes = nodes;
      this.block = block;
    }

    int[] nodes() {
      return nodes;
    }

    int block() {
      return block;
    }
  }

  /** The clients by the digits of their number in base k + 1, the largest power first. */
  private static List<Part> parts(int[] nodes, int base) {
    long power = 1;
    while (power * base <= nodes.length) {
      power *= base;
    }
    List<Part> parts = new ArrayList<>();
    int from = 0;
    for (; power >= 1; power /= base) {
      int size = (int) ((nodes.length - from) / power * power);
      if (size > 0) {
        parts.add(new Part(part(nodes, from, size), (int) power));
        from += size;
      }
    }
    return parts;
  }
}
