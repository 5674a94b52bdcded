package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import ngd.core.linalg.ExactSum;
import ngd.core.rows.Rows;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.wire.Message;
import ngd.peer.wire.proto.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The other sites exchange their tables among themselves, and site 0 must not be able to tell, from
 * all that reaches it over real links: the same messages in the same order, which come to the same
 * bits once its own masks are taken off; and each term alone looks like noise. Commitments are
 * keyed hashes and differ. CuriousSiteTest does the same in the simulator.
 */
class SwappedTablesTest {
  private static final int SITES = 3;

  @TempDir Path folder;

  /** All that site 0 receives in a run, and the masks that it put on its own terms. */
  private static final class View implements SiteFederation.Seams {
    final Map<Long, int[]> ownMasks = new ConcurrentSkipListMap<>();
    final Map<Long, Map<Integer, byte[]>> received = new ConcurrentSkipListMap<>();
    final Map<Long, Kind> kinds = new ConcurrentSkipListMap<>();

    @Override
    public SiteRun.Seams of(int site) {
      return site != 0
          ? SiteRun.Seams.NONE
          : new SiteRun.Seams() {
            @Override
            public Masks masks(Masks real) {
              return remembering(real);
            }

            @Override
            public PeerListener listener(PeerListener real) {
              return listening();
            }
          };
    }

    private Masks remembering(Masks real) {
      return new Masks() {
        @Override
        public void add(long call, int[] terms) {
          int[] plain = terms.clone();
          real.add(call, terms);
          int[] mask = new int[terms.length];
          for (int at = 0; at < terms.length; at += ExactSum.WORDS) {
            System.arraycopy(MaskRecorder.minus(terms, plain, at), 0, mask, at, ExactSum.WORDS);
          }
          ownMasks.put(call, mask);
        }

        @Override
        public Masks bound(byte[] commitments) {
          return remembering(real.bound(commitments));
        }
      };
    }

    private PeerListener listening() {
      return new PeerListener() {
        @Override
        public void round(int done) {}

        @Override
        public void mixed(Rows own, Rows mixed) {}

        @Override
        public void heard(int client, Message message) {
          received
              .computeIfAbsent(message.call(), _ -> new ConcurrentSkipListMap<>())
              .put(client, ByteString.copyFrom(message.pieces()).toByteArray());
          kinds.put(message.call(), message.kind());
        }
      };
    }

    /** Call by call and sender by sender: what came, and how long it was. */
    List<String> shapes() {
      List<String> shapes = new ArrayList<>();
      received.forEach(
          (call, said) ->
              said.forEach(
                  (from, bytes) ->
                      shapes.add(
                          "%d %s from %d: %d"
                              .formatted(call, kinds.get(call), from, bytes.length))));
      return shapes;
    }

    /** The terms that came in a call of a sum, without their clients. */
    private List<int[]> terms(long call) {
      List<int[]> terms = new ArrayList<>();
      int width = ownMasks.get(call).length;
      for (byte[] said : new TreeMap<>(received.get(call)).values()) {
        assertThat(said).hasSize(Integer.BYTES + width * Integer.BYTES);
        int[] words = new int[width];
        ByteBuffer.wrap(said, Integer.BYTES, width * Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .asIntBuffer()
            .get(words);
        terms.add(words);
      }
      return terms;
    }

    private List<Long> sums() {
      return received.keySet().stream().filter(call -> kinds.get(call) == Kind.TOTAL).toList();
    }

    /** What is left of all that came in each sum, once site 0 takes its masks off. */
    List<String> unmasked() {
      List<String> left = new ArrayList<>();
      for (long call : sums()) {
        int[] sum = ownMasks.get(call).clone();
        for (int[] term : terms(call)) {
          for (int at = 0; at < sum.length; at += ExactSum.WORDS) {
            ExactSum.addWords(sum, at, term, at);
          }
        }
        left.add(call + " " + Arrays.toString(sum));
      }
      return left;
    }

    /**
     * How many pairs of digits of the terms that came are those of an earlier place: masks used
     * twice would repeat most.
     */
    int repeated() {
      Set<Long> seen = new HashSet<>();
      int repeated = 0;
      for (long call : sums()) {
        for (int[] term : terms(call)) {
          for (int at = 0; at < term.length; at += 2) {
            long pair = (long) term[at] << Integer.SIZE | Integer.toUnsignedLong(term[at + 1]);
            repeated += seen.add(pair) ? 0 : 1;
          }
        }
      }
      return repeated;
    }

    /** Pearson's statistic of the bytes of all terms, of 256 equal cells, less its mean, in SD. */
    double distanceFromNoise() {
      long[] cells = new long[256];
      long count = 0;
      for (long call : sums()) {
        for (int[] term : terms(call)) {
          for (int word : term) {
            for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
              cells[word >>> shift & 0xff]++;
              count++;
            }
          }
        }
      }
      double expected = count / 256.0;
      double statistic = 0;
      for (long cell : cells) {
        statistic += (cell - expected) * (cell - expected) / expected;
      }
      return (statistic - 255) / Math.sqrt(2 * 255);
    }
  }

  private static String formula(String family) {
    return switch (family) {
      case "cox" -> "Surv(y, b) ~ x";
      case "gaussian mixed" -> "y ~ x + (1 | site)";
      case "binomial mixed" -> "b ~ x + (1 | site)";
      case "survival" -> "Surv(y, b) ~ 1";
      case "binomial", "binomial probit", "quasi-binomial" -> "b ~ x";
      case "multinomial", "ordered", "ordered probit" -> "c ~ x";
      default -> "y ~ x";
    };
  }

  /** What site 0 sees where the tables of the others lie as given. */
  private View view(String family, String algorithm, int... places) throws Exception {
    PlanTemplate plan =
        asking()
            .with("formula", formula(family))
            .with("family", family.replaceFirst(" (probit|mixed)$", ""))
            .with("algorithm", algorithm);
    if (family.endsWith(" probit")) {
      plan.with("link", "probit");
    }
    return view(plan, family.replaceAll("[^a-z]", "") + algorithm, places);
  }

  private static PlanTemplate asking() {
    return new PlanTemplate().with("federation", "test").with("network", "complete");
  }

  private View view(PlanTemplate plan, String what, int... places) throws Exception {
    View view = new View();
    requireAnswers(federation(plan, what, places).run(tables(places), view));
    return view;
  }

  private SiteFederation federation(PlanTemplate plan, String what, int... places)
      throws IOException {
    return new SiteFederation(folder.resolve(what + Arrays.toString(places)), SITES, plan);
  }

  private static List<SiteTables> tables(int... places) {
    List<SiteTables> tables = new ArrayList<>();
    for (int m = 0; m < SITES; m++) {
      tables.add(SiteTables.drawn("site-" + m, places[m], 20 + 6 * places[m]));
    }
    return tables;
  }

  private static void requireAnswers(List<CompletableFuture<SiteAnswer>> answers) throws Exception {
    for (CompletableFuture<SiteAnswer> answer : answers) {
      answer.get();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gaussian",
        "binomial",
        "binomial probit",
        "poisson",
        "gamma",
        "negative-binomial:2",
        "inverse-gaussian",
        "quasi-binomial",
        "quasi-poisson",
        "tweedie:1.5",
        "cox",
        "gaussian mixed",
        "binomial mixed",
        "survival",
        "multinomial",
        "ordered",
        "ordered probit",
      })
  void sums_theOthersTablesExchanged_lookTheSameToSiteZero(String family) throws Exception {
    requireAlike(view(family, "pooled", 0, 1, 2), view(family, "pooled", 0, 2, 1));
  }

  /** The tables of a description: numbers by group, cells, bins, correlations, tests. */
  @Test
  void tables_theOthersTablesExchanged_lookTheSameToSiteZero() throws Exception {
    List<View> views = new ArrayList<>();
    for (int[] places : new int[][] {{0, 1, 2}, {0, 2, 1}}) {
      View view = new View();
      requireAnswers(
          federation(asking(), "tables", places)
              .ask(
                  "tables",
                  List.of(
                      "kind: describe",
                      "columns: x,o,g,c",
                      "by: g",
                      "cross: g,c",
                      "histogram: x",
                      "correlation: x,o"),
                  tables(places),
                  view));
      views.add(view);
    }
    requireAlike(views.getFirst(), views.getLast());
  }

  private static void requireAlike(View one, View other) {
    assertThat(one.kinds).containsValue(Kind.TOTAL).doesNotContainValue(Kind.MIX);
    assertThat(one.shapes()).isEqualTo(other.shapes());
    assertThat(one.unmasked()).isEqualTo(other.unmasked()).hasSizeGreaterThan(5);
    // Chance alone is eight standard deviations away in one of 10^10 views, and repeats 64 bits in
    // one of 10^10.
    for (View view : List.of(one, other)) {
      assertThat(Math.abs(view.distanceFromNoise())).isLessThan(8);
      assertThat(view.repeated()).isZero();
    }
  }

  /** So that the test can fail: in rounds the neighbours' models tell the tables apart. */
  @Test
  void rounds_theOthersTablesExchanged_lookDifferent() throws Exception {
    View one = view("gaussian", "pooled-rounds", 0, 1, 2);
    View other = view("gaussian", "pooled-rounds", 0, 2, 1);
    long first =
        one.kinds.entrySet().stream()
            .filter(entry -> entry.getValue() == Kind.MIX)
            .mapToLong(Map.Entry::getKey)
            .min()
            .orElseThrow();
    assertThat(one.received.get(first + 1).get(1))
        .isNotEqualTo(other.received.get(first + 1).get(1));
  }
}
