package ngd.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import ngd.core.data.SiteTable;
import ngd.peer.identity.Authority;
import ngd.peer.identity.Kit;
import ngd.peer.identity.Packing;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.TlsTransport;

/** Sites with kits of one signed plan in a folder, whose peers run in threads over real TLS. */
final class SiteFederation {
  private final Path folder;
  private final Map<String, Integer> forgotten = new HashMap<>();

  SiteFederation(Path folder, int sites, PlanTemplate plan) throws IOException {
    this.folder = Files.createDirectories(folder);
    List<Site> named = new ArrayList<>();
    for (PeerAddress site : AllPeers.sites(sites)) {
      named.add(Site.of(site.name(), site.host() + ":" + site.port()));
    }
    String text = plan.text(named);
    Path file = folder.resolve("plan.yaml");
    Files.writeString(file, text);
    Authority authority =
        Authority.create(folder.resolve("authority"), "test", InstantSource.system());
    Packing.allLocal(authority, PlanReader.parse(text), file, folder);
    // Rules have tests of their own; here every question is answered.
    for (Site site : named) {
      Files.writeString(
          folder.resolve(site.name()).resolve("site.yaml"),
          "nfilter.tab: 1\nnfilter.subset: 1\ndifferencing: off\n");
    }
  }

  /** What each site has around its parts. */
  @FunctionalInterface
  interface Seams {
    /** Nobody looks. */
    Seams NONE = _ -> SiteRun.Seams.NONE;

    SiteRun.Seams of(int site);

    /** Those that have something around masks alone. */
    static Seams masking(BiFunction<Integer, Masks, Masks> around) {
      return site ->
          new SiteRun.Seams() {
            @Override
            public Masks masks(Masks real) {
              return around.apply(site, real);
            }
          };
    }
  }

  /**
   * Starts every site's peer on its table; as soon as one fails, or all have their answers, every
   * peer is ended.
   *
   * @return each site's answer or failure; cancelled where it was still waiting
   */
  List<CompletableFuture<SiteAnswer>> run(List<? extends SiteTable> tables, Seams seams)
      throws InterruptedException {
    return run(
        tables,
        (site, identity) ->
            new SiteRun(identity, state(identity.site()), "127.0.0.1", seams.of(site)),
        folder);
  }

  /**
   * The same for one question to a standing federation.
   *
   * @param name of the question, by which its run is known
   */
  List<CompletableFuture<SiteAnswer>> ask(
      String name, List<String> lines, List<? extends SiteTable> tables, Seams seams)
      throws InterruptedException {
    return run(
        tables,
        (site, identity) ->
            new SiteRun(
                identity,
                PlanReader.asking(identity.kit().plan().plan(), name, lines),
                state(identity.site()).resolve(name),
                state(identity.site()),
                _ -> new TlsTransport(SiteRun.credentials(identity), "127.0.0.1"),
                seams.of(site)),
        folder);
  }

  private static List<CompletableFuture<SiteAnswer>> run(
      List<? extends SiteTable> tables,
      BiFunction<Integer, PeerIdentity, SiteRun> runs,
      Path folder)
      throws InterruptedException {
    List<CompletableFuture<SiteAnswer>> answers = new ArrayList<>();
    CompletableFuture<Void> failed = new CompletableFuture<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int m = 0; m < tables.size(); m++) {
        SiteTable table = tables.get(m);
        int site = m;
        CompletableFuture<SiteAnswer> answer = new CompletableFuture<>();
        answers.add(answer);
        PeerIdentity identity =
            PeerIdentity.open(
                Kit.open(folder.resolve(table.site())), table.site(), InstantSource.system());
        SiteRun run = runs.apply(site, identity);
        running.add(
            threads.submit(
                () -> {
                  try {
                    answer.complete(run.run(table));
                  } catch (InterruptedException | RuntimeException wrong) {
                    answer.completeExceptionally(wrong);
                    failed.complete(null);
                  }
                }));
      }
      CompletableFuture.anyOf(
              failed, CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)))
          .handle((_, _) -> null)
          .join();
      running.forEach(one -> one.cancel(true));
    }
    return answers;
  }

  private Path state(String site) {
    return folder.resolve("state-%s-%d".formatted(site, forgotten.getOrDefault(site, 0)));
  }

  /** Takes from a site all that it kept: it finds an empty folder. */
  void forget(String site) {
    forgotten.merge(site, 1, Integer::sum);
  }
}
