package ngd.peer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rules of the rooms (docs/architecture.md, "The rooms of peer"), held by the classes. */
class ArchitectureTest {
  /**
   * Each may know those before it; {@code ngd.peer} knows all of these, {@code standing} and {@code
   * bench} it, and {@code faults} all.
   */
  private static final List<String> BELOW =
      List.of("machine", "durable", "wire", "plan", "identity", "privacy", "status");

  private static final String[] CONNECTIONS = {"io.grpc..", "io.netty..", "ngd.peer.wire.."};

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("ngd.peer");

  private static void refuse(String room, String... others) {
    noClasses()
        .that()
        .resideInAPackage("ngd.peer." + room + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others)
        .check(CLASSES);
  }

  @Test
  void rooms_allOfThem_knowOnlyThoseBefore() {
    for (int i = 0; i < BELOW.size(); i++) {
      List<String> above =
          new ArrayList<>(
              List.of("ngd.peer", "ngd.peer.bench..", "ngd.peer.standing..", "ngd.peer.faults.."));
      BELOW.subList(i + 1, BELOW.size()).forEach(room -> above.add("ngd.peer." + room + ".."));
      refuse(BELOW.get(i), above.toArray(String[]::new));
    }
    noClasses()
        .that()
        .resideInAPackage("ngd.peer")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("ngd.peer.bench..", "ngd.peer.standing..", "ngd.peer.faults..")
        .check(CLASSES);
    slices().matching("ngd.peer.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  /** Names, numbers and bytes are all that travels. */
  @Test
  void wire_everyClass_knowsNoAlgorithmNoDataAndNoPlan() {
    refuse("wire", "ngd.core..", "ngd.peer.plan..");
  }

  @Test
  void durable_everyClass_knowsNoConnectionNoAlgorithmAndNoPlan() {
    refuse("durable", CONNECTIONS);
    refuse(
        "durable",
        "ngd.core.algorithm..",
        "ngd.core.world..",
        "ngd.core.data..",
        "ngd.peer.plan..");
  }

  @Test
  void planIdentityAndPrivacy_everyClass_knowNoConnection() {
    refuse("plan", CONNECTIONS);
    refuse("identity", CONNECTIONS);
    refuse("privacy", CONNECTIONS);
  }

  /** A plan is a contract: it holds no key and sees no row. */
  @Test
  void plan_everyClass_knowsNoKeysAndNoData() {
    refuse("plan", "java.security.cert..", "javax.net..", "org.bouncycastle..", "ngd.core.data..");
  }

  @Test
  void identity_everyClass_knowsNoDataAndNoRounds() {
    refuse(
        "identity",
        "ngd.core.data..",
        "ngd.core.model..",
        "ngd.core.algorithm..",
        "ngd.core.world..");
  }

  /** What is told to whoever asks can then hold no value of them. */
  @Test
  void status_everyClass_knowsNeitherDataNorModel() {
    refuse(
        "status",
        "ngd.core.data..",
        "ngd.core.model..",
        "ngd.core.rows..",
        "ngd.core.algorithm..",
        "ngd.core.world..",
        "ngd.core.inference..",
        "ngd.core.answer..");
  }

  @Test
  void rooms_allOfThem_haveTheirPlaceAndExplainThemselves() {
    Set<String> rooms =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> !name.equals("ngd.peer.wire.proto"))
            .collect(Collectors.toSet());
    List<String> known =
        new ArrayList<>(
            List.of("ngd.peer", "ngd.peer.bench", "ngd.peer.standing", "ngd.peer.faults"));
    BELOW.forEach(room -> known.add("ngd.peer." + room));
    assertThat(rooms).containsExactlyInAnyOrderElementsOf(known);
    for (String name : rooms) {
      assertThat(CLASSES.contain(name + ".package-info")).as(name).isTrue();
    }
  }

  @Test
  void nothingInPeer_printsSleepsOrEndsTheProcess() {
    noClasses()
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethodWhere(
            DescribedPredicate.describe(
                "prints a stack trace, sleeps or ends the process",
                call ->
                    call.getTarget().getName().equals("printStackTrace")
                        || (call.getTargetOwner().isEquivalentTo(Thread.class)
                            && call.getTarget().getName().equals("sleep"))
                        || (call.getTargetOwner().isEquivalentTo(System.class)
                            && call.getTarget().getName().equals("exit"))))
        .check(CLASSES);
  }

  /** Those whose locks guard memory alone, so that nobody waits under them. */
  private static final DescribedPredicate<JavaClass> MEMORY_ALONE =
      DescribedPredicate.describe(
          "guard memory alone",
          one -> Set.of("AskedQuestion", "Outbox", "Repeats").contains(one.getSimpleName()));

  /** Whatever waits, counts time or draws a secret asks the machine, which may be simulated. */
  @Test
  void nothingThatRunsAPeer_asksTheRealClockOrMakesThreads() {
    noClasses()
        .that()
        .resideInAnyPackage("ngd.peer", "ngd.peer.wire", "ngd.peer.standing", "ngd.peer.privacy")
        .and()
        .doNotHaveSimpleName("Ping")
        .and()
        .doNotHaveSimpleName("EventLoops")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Object.class, "wait")
        .orShould()
        .callMethod(Object.class, "wait", long.class)
        .orShould()
        .callMethod(Thread.class, "ofPlatform")
        .orShould()
        .callMethod(Thread.class, "ofVirtual")
        .check(CLASSES);
    // A lock of the JVM under which something waits is none that a simulation can order.
    noMethods()
        .that()
        .areDeclaredInClassesThat()
        .resideInAnyPackage("ngd.peer", "ngd.peer.wire", "ngd.peer.standing", "ngd.peer.privacy")
        .and()
        .areDeclaredInClassesThat(DescribedPredicate.not(MEMORY_ALONE))
        .should()
        .haveModifier(JavaModifier.SYNCHRONIZED)
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackages("ngd.peer.machine", "ngd.peer.faults")
        .should()
        .callConstructor(java.security.SecureRandom.class)
        .check(CLASSES);
  }
}
