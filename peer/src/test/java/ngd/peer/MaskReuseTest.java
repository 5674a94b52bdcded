package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import ngd.core.InvalidInput;
import ngd.peer.plan.PlanTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One plan, started again and again: after crashes, with lost state, with other data. No mask may
 * ever hide two different numbers. Oracle: {@link MaskRecorder}, which sees masked and plain terms.
 */
class MaskReuseTest {
  private static final String FORMULA = "y ~ x + factor(g) + offset(o) + weights(w)";

  @TempDir Path folder;

  private final MaskRecorder recorder = new MaskRecorder();

  /** With two sites, a site's mask is that of its one pair. */
  private SiteFederation federation(int sites) throws Exception {
    return new SiteFederation(
        folder,
        sites,
        new PlanTemplate()
            .with("federation", "test")
            .with("network", "complete")
            .with("family", "poisson")
            .with("formula", FORMULA));
  }

  private static List<SiteTables> tables(int sites) {
    List<SiteTables> tables = new ArrayList<>();
    for (int m = 0; m < sites; m++) {
      tables.add(SiteTables.drawn("site-" + m, m, 20 + 4 * m));
    }
    return tables;
  }

  private static List<SiteTables> changed(List<SiteTables> tables, SiteTables last) {
    List<SiteTables> changed = new ArrayList<>(tables);
    changed.set(tables.size() - 1, last);
    return changed;
  }

  private SiteFederation.Seams recorded(MaskRecorder.Watch watch) {
    return SiteFederation.Seams.masking((site, real) -> recorder.around(site, real, watch));
  }

  /** Ends a site as it is about to send its term of the n-th sum after this. */
  private static MaskRecorder.Watch crash(int victim, int sums) {
    int[] left = {sums};
    return (site, call) -> {
      if (site == victim && --left[0] == 0) {
        throw new IllegalStateException("crash");
      }
    };
  }

  private static final MaskRecorder.Watch NO_CRASH = (_, _) -> {};

  @Test
  void run_crashesAmidSumsAndLostState_useNoMaskForTwoTerms() throws Exception {
    SiteFederation federation = federation(3);
    List<SiteTables> tables = tables(3);
    for (int sums : new int[] {1, 3, 2, 5}) {
      federation.run(tables, recorded(crash(sums % 3, sums)));
    }
    federation.forget("site-0");
    federation.forget("site-1");
    federation.forget("site-2");
    federation.run(tables, recorded(crash(1, 4)));
    int before = recorder.masks();
    for (CompletableFuture<SiteAnswer> answer : federation.run(tables, recorded(NO_CRASH))) {
      assertThat(answer.get().answer()).isNotNull();
    }
    assertThat(before).isPositive();
    assertThat(recorder.reused()).isEmpty();
  }

  /** The same words about the same data, asked twice, are two questions: every mask is another. */
  @Test
  void ask_theSameQuestionTwice_sharesNoMask() throws Exception {
    SiteFederation federation =
        new SiteFederation(
            folder, 3, new PlanTemplate().with("federation", "test").with("network", "complete"));
    List<String> question = List.of("formula: " + FORMULA, "family: poisson");
    int first = 0;
    for (String name : List.of("0123456789ab", "ba9876543210")) {
      for (CompletableFuture<SiteAnswer> answer :
          federation.ask(name, question, tables(3), recorded(NO_CRASH))) {
        assertThat(answer.get().answer()).isNotNull();
      }
      first = first == 0 ? recorder.masks() : first;
    }
    assertThat(first).isGreaterThan(100);
    assertThat(recorder.masks()).isEqualTo(2 * first);
    assertThat(recorder.reused()).isEmpty();
  }

  private static final List<List<String>> CHANGES =
      List.of(
          List.of("y", "9"),
          List.of("x", "0.125"),
          List.of("g", "f"),
          List.of("o", "0.5"),
          List.of("w", "5"));

  /** Refused where anybody remembers; where nobody does, other masks. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void run_otherDataUnderOnePlan_usesOtherMasks(int sites) throws Exception {
    SiteFederation federation = federation(sites);
    List<SiteTables> tables = tables(sites);
    SiteTables last = tables.getLast();
    federation.run(tables, recorded(crash(sites - 1, 4)));
    assertThatThrownBy(
            () ->
                federation
                    .run(changed(tables, last.with("w", "7")), recorded(NO_CRASH))
                    .getLast()
                    .get())
        .hasRootCauseInstanceOf(InvalidInput.class)
        .hasMessageContaining("have changed since this run began");
    // With three sites, some changes for the sake of time.
    changes(federation, tables, sites == 2 ? CHANGES : CHANGES.subList(3, 5), recorded(NO_CRASH));
    assertThat(recorder.masks()).isGreaterThan(100);
    assertThat(recorder.reused()).isEmpty();
  }

  /** Runs to the end with each of some changes, where nobody remembers anything. */
  private static void changes(
      SiteFederation federation,
      List<SiteTables> tables,
      List<List<String>> changes,
      SiteFederation.Seams seams)
      throws Exception {
    for (List<String> change : changes) {
      for (SiteTables table : tables) {
        federation.forget(table.site());
      }
      SiteTables other = tables.getLast().with(change.get(0), change.get(1));
      assertThat(other).isNotEqualTo(tables.getLast());
      for (CompletableFuture<SiteAnswer> answer : federation.run(changed(tables, other), seams)) {
        assertThat(answer.get().answer()).isNotNull();
      }
    }
  }

  /** The planted bug: masks that do not derive from the data. The recorder must see it. */
  @Test
  void run_masksThatForgetTheData_areFound() throws Exception {
    SiteFederation federation = federation(2);
    List<SiteTables> tables = tables(2);
    SiteFederation.Seams forgetful =
        SiteFederation.Seams.masking(
            (site, real) -> {
              Masks unbound = real.bound(new byte[32]);
              return recorder.around(site, (call, terms) -> unbound.add(call, terms), NO_CRASH);
            });
    federation.run(tables, forgetful);
    assertThat(recorder.reused()).isEmpty();
    changes(federation, tables, CHANGES.subList(1, 2), forgetful);
    assertThat(recorder.reused()).isNotEmpty();
  }
}
