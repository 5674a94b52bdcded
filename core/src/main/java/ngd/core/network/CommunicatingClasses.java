package ngd.core.network;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The communicating classes of W: clients whose parameters reach each other along links of positive
 * weight.
 *
 * <p>A class is closed when none of its clients hears a client outside it; what the others know
 * never reaches it. Classes are numbered by their smallest member.
 */
public final class CommunicatingClasses {
  private final int[] classOf;
  private final int[] offsets;
  private final int[] members;
  private final boolean[] closed;
  private final int[] period;

  private CommunicatingClasses(Network network, int[] classOf, int count) {
    this.classOf = classOf;
    offsets = new int[count + 1];
    for (int c : classOf) {
      offsets[c + 1]++;
    }
    for (int c = 0; c < count; c++) {
      offsets[c + 1] += offsets[c];
    }
    int[] next = Arrays.copyOf(offsets, count);
    members = new int[classOf.length];
    for (int m = 0; m < classOf.length; m++) {
      members[next[classOf[m]]++] = m;
    }
    closed = closed(network, classOf, count);
    period = periods(network);
  }

  /** Those of a network, found once: several parts of a run ask for them. */
  public static CommunicatingClasses of(Network network) {
    return network.classes();
  }

  static CommunicatingClasses find(Network network) {
    int[] component = stronglyConnected(network.offsets(), network.heard());
    int[] number = new int[component.length];
    Arrays.fill(number, -1);
    int count = 0;
    for (int m = 0; m < component.length; m++) {
      if (number[component[m]] < 0) {
        number[component[m]] = count++;
      }
      component[m] = number[component[m]];
    }
    return new CommunicatingClasses(network, component, count);
  }

  public int count() {
    return closed.length;
  }

  public int classOf(int client) {
    return classOf[client];
  }

  /** The members of a class, ascending. */
  public int[] members(int c) {
    return Arrays.copyOfRange(members, offsets[c], offsets[c + 1]);
  }

  public int size(int c) {
    return offsets[c + 1] - offsets[c];
  }

  public boolean closed(int c) {
    return closed[c];
  }

  /** The numbers of the closed classes, ascending. */
  public int[] closedClasses() {
    return IntStream.range(0, count()).filter(c -> closed[c]).toArray();
  }

  /**
   * The greatest common divisor of the lengths of all cycles in a class; 0 for a single client that
   * does not hear itself, which lies on no cycle.
   */
  public int period(int c) {
    return period[c];
  }

  private static boolean[] closed(Network network, int[] classOf, int count) {
    boolean[] closed = new boolean[count];
    Arrays.fill(closed, true);
    int[] offsets = network.offsets();
    int[] heard = network.heard();
    for (int m = 0; m < classOf.length; m++) {
      for (int e = offsets[m]; e < offsets[m + 1]; e++) {
        closed[classOf[m]] &= classOf[heard[e]] == classOf[m];
      }
    }
    return closed;
  }

  /**
   * The period of a class is the greatest common divisor of {@code level(m) + 1 − level(k)} over
   * its links m → k, with levels from a breadth-first search inside the class.
   */
  private int[] periods(Network network) {
    int[] offsets = network.offsets();
    int[] heard = network.heard();
    int[] level = new int[classOf.length];
    Arrays.fill(level, -1);
    int[] queue = new int[classOf.length];
    int[] periods = new int[closed.length];
    for (int c = 0; c < periods.length; c++) {
      int root = members[this.offsets[c]];
      int head = 0;
      int tail = 0;
      level[root] = 0;
      queue[tail++] = root;
      int divisor = 0;
      while (head < tail) {
        int m = queue[head++];
        for (int e = offsets[m]; e < offsets[m + 1]; e++) {
          int k = heard[e];
          if (classOf[k] != c) {
            continue;
          }
          if (level[k] < 0) {
            level[k] = level[m] + 1;
            queue[tail++] = k;
          } else {
            divisor = gcd(divisor, Math.abs(level[m] + 1 - level[k]));
          }
        }
      }
      periods[c] = divisor;
    }
    return periods;
  }

  private static int gcd(int a, int b) {
    while (b != 0) {
      int rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }

  /**
   * Tarjan's strongly connected components, with a stack of our own: a path may be a million
   * clients long. Gives each client the number of some client of its component.
   */
  private static int[] stronglyConnected(int[] offsets, int[] heard) {
    int clients = offsets.length - 1;
    int[] component = new int[clients];
    Arrays.fill(component, -1);
    int[] order = new int[clients]; // 0: not yet visited
    int[] low = new int[clients];
    int[] next = Arrays.copyOf(offsets, clients);
    int[] path = new int[clients];
    int[] open = new int[clients];
    int opened = 0;
    int visited = 0;
    for (int start = 0; start < clients; start++) {
      if (order[start] != 0) {
        continue;
      }
      int depth = 0;
      path[0] = start;
      while (depth >= 0) {
        int m = path[depth];
        if (order[m] == 0) {
          order[m] = ++visited;
          low[m] = order[m];
          open[opened++] = m;
        }
        boolean descended = false;
        while (next[m] < offsets[m + 1]) {
          int k = heard[next[m]++];
          if (order[k] == 0) {
            path[++depth] = k;
            descended = true;
            break;
          }
          if (component[k] < 0) {
            low[m] = Math.min(low[m], order[k]);
          }
        }
        if (descended) {
          continue;
        }
        if (low[m] == order[m]) {
          int k;
          do {
            k = open[--opened];
            component[k] = m;
          } while (k != m);
        }
        if (--depth >= 0) {
          low[path[depth]] = Math.min(low[path[depth]], low[m]);
        }
      }
    }
    return component;
  }
}
