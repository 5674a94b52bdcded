package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import ngd.app.Command;
import ngd.core.data.TableAddress;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One question, asked of a rehearsal and of real peers, each of which has a site's rows. */
final class BothWorlds {
  private static final List<Site> SITES =
      List.of(new Site("h1", "h.example.org", 7), new Site("h2", "2.h.example.org", 7));

  /** For all questions of this process. */
  private static final Map<String, PeerHost> HOSTS = new TreeMap<>();

  private final Path dir;
  private final List<TableAddress> data = new ArrayList<>();

  /**
   * @param table with the name of the site at the end of each line
   */
  BothWorlds(Path dir, Path table) throws IOException {
    this.dir = dir;
    List<String> lines = Files.readAllLines(table);
    for (Site site : SITES) {
      List<String> own = new ArrayList<>(List.of(lines.getFirst()));
      lines.stream().filter(line -> line.endsWith("," + site.name())).forEach(own::add);
      Path file = Files.write(dir.resolve(site.name() + ".csv"), own);
      data.add(TableAddress.of(site.name(), file.toString()));
    }
  }

  /** What comes of it: the rehearsal's run folder, and each site's. */
  record Answers(Path rehearsed, Map<String, Path> sites) {
    /** Requires the same files of all. */
    void requireSame(String... files) {
      sites
          .values()
          .forEach(
              own -> {
                for (String file : files) {
                  assertThat(own.resolve(file)).hasSameTextualContentAs(rehearsed.resolve(file));
                }
              });
    }

    /** Requires that each site's file has its own lines of the rehearsal's, all together all. */
    void requireSameLines(String file) throws IOException {
      List<String> expected = Files.readAllLines(rehearsed.resolve(file));
      List<String> found = new ArrayList<>(List.of(expected.getFirst()));
      for (Path own : sites.values()) {
        List<String> lines = Files.readAllLines(own.resolve(file));
        assertThat(lines.getFirst()).isEqualTo(expected.getFirst());
        found.addAll(lines.subList(1, lines.size()));
      }
      assertThat(found).isEqualTo(expected);
    }

    /** Requires the same parts of {@code result.json}. */
    void requireSameParts(String... names) throws IOException {
      JsonNode expected = json(rehearsed);
      for (Path own : sites.values()) {
        for (String name : names) {
          assertThat(json(own).get(name)).as(name).isNotNull().isEqualTo(expected.get(name));
        }
      }
    }
  }

  /** Asks both, on the complete network. */
  Answers ask(Map<String, String> question) throws Exception {
    Path out = dir.resolve("rehearsed");
    List<String> line = new ArrayList<>(List.of("fit", "--network", "complete"));
    line.addAll(List.of("--out", out.toString()));
    PlanTemplate plan = new PlanTemplate().with("network", "complete");
    question.forEach(
        (key, value) -> {
          line.add(value.equals("true") ? "--" + key : "--%s=%s".formatted(key, value));
          plan.with(key, value);
        });
    data.forEach(site -> line.addAll(List.of("--site", site.site() + "=" + site.location())));
    Command command = Command.run(line.toArray(String[]::new));
    assertThat(command.code()).as(command.err()).isZero();
    Path folder = Files.createDirectory(dir.resolve("federation"));
    Map<String, Path> sites = new TreeMap<>();
    try (LocalFederation federation = LocalFederation.make(folder, plan.text(SITES), data)) {
      run(federation, data);
      data.forEach(site -> sites.put(site.site(), federation.site(site.site())));
    }
    return new Answers(out, sites);
  }

  /** Runs all peers of a federation to their end, each in the process of its site. */
  static void run(LocalFederation federation, List<TableAddress> data) throws Exception {
    for (TableAddress own : data) {
      host(own.site()).begin(federation.site(own.site()), own.location());
    }
    for (TableAddress own : data) {
      int code = host(own.site()).await();
      Path log = federation.site(own.site()).resolve("log.err");
      assertThat(code).as(Files.readString(log)).isZero();
    }
  }

  /** Where a site's peers run, a process for each site. */
  private static PeerHost host(String site) {
    return HOSTS.compute(site, (_, host) -> host == null || !host.runs() ? PeerHost.start() : host);
  }

  private static JsonNode json(Path folder) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(folder.resolve("result.json")));
  }
}
