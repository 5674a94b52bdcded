package ngd.app.federation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import ngd.app.terminal.OwnProcess;
import ngd.core.WorkFailed;
import ngd.core.data.TableAddress;
import ngd.peer.bench.FreePorts;
import ngd.peer.identity.Authority;
import ngd.peer.identity.CertificateRequest;
import ngd.peer.identity.Kit;
import ngd.peer.identity.Packing;
import ngd.peer.plan.PlanEdit;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.Site;
import ngd.peer.plan.WrittenPlan;
import ngd.studies.engine.Meeting;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A whole federation on this machine, or this machine's part of one: an authority, kits, and a real
 * peer process for each site, over mutual TLS.
 */
public final class LocalFederation implements AutoCloseable {
  /** The folder of the sites' folders. */
  static final String SITES = "sites";

  /** A peer that has done this many rounds is well under way. */
  private static final int UNDER_WAY = 20;

  private static final long PATIENCE_S = 600;

  private final Path folder;
  private final WrittenPlan plan;
  private final List<String> here;
  private final Map<String, TableAddress> data = new TreeMap<>();
  private final Map<String, Process> peers = new LinkedHashMap<>();
  private final long begun = System.nanoTime();

  private LocalFederation(Path folder, WrittenPlan plan, List<String> here) {
    this.folder = folder;
    this.plan = plan;
    this.here = here;
  }

  /**
   * Makes all that a rehearsal of a plan needs, in a folder that is there and empty.
   *
   * @param text the plan; its sites are moved to free ports of this machine
   */
  public static LocalFederation make(Path folder, String text, List<TableAddress> data) {
    return part(Meeting.alone(), folder, text, data);
  }

  /**
   * The same where the sites are dealt to several machines, each of which does this at the same
   * time and has its share. Keys are made where their site is; the first machine has the authority.
   */
  static LocalFederation part(Meeting meeting, Path folder, String text, List<TableAddress> data) {
    WrittenPlan asked = PlanReader.parse(text);
    List<String> members = asked.plan().federation().members();
    List<String> here =
        IntStream.range(0, members.size())
            .filter(i -> i % meeting.parts() == meeting.part())
            .mapToObj(members::get)
            .toList();
    Packing.requireFolder(folder.resolve(SITES));
    List<JsonNode> said =
        meeting.gather(requests(meeting.host(), here, folder)).stream()
            .map(JsonMapper.shared()::readTree)
            .toList();
    WrittenPlan moved = PlanReader.parse(moved(asked, said));
    String own = meeting.part() == 0 ? signed(folder, moved, said) : "{}";
    Map<String, String> kit = new TreeMap<>();
    JsonMapper.shared()
        .readTree(meeting.gather(own).getFirst())
        .forEachEntry((name, content) -> kit.put(name, content.asString()));
    here.forEach(site -> Kit.written(kit, folder.resolve(SITES).resolve(site)));
    LocalFederation federation = new LocalFederation(folder, moved, here);
    data.forEach(address -> federation.data.put(address.site(), address));
    return federation;
  }

  /** A port and a new key's request for each site that is here. */
  private static String requests(String host, List<String> here, Path folder) {
    List<Integer> ports = FreePorts.take(here.size());
    ObjectNode said = JsonMapper.shared().createObjectNode();
    for (String site : here) {
      CertificateRequest request = Packing.request(site, folder.resolve(SITES).resolve(site));
      said.putObject(site)
          .put("host", host)
          .put("port", ports.get(said.size() - 1))
          .put("request", request.text());
    }
    return said.toString();
  }

  private static JsonNode of(String site, List<JsonNode> said) {
    return said.stream().filter(part -> part.has(site)).findFirst().orElseThrow().path(site);
  }

  /** The plan's text with every site where it runs. */
  private static String moved(WrittenPlan plan, List<JsonNode> said) {
    List<Site> moved =
        plan.plan().names().stream().map(site -> site(site, of(site, said))).toList();
    return PlanEdit.moved(plan, moved).text();
  }

  private static Site site(String name, JsonNode said) {
    return new Site(name, said.path("host").asString(), said.path("port").asInt());
  }

  /** The kit of all sites, signed by an authority that is made here. */
  private static String signed(Path folder, WrittenPlan plan, List<JsonNode> said) {
    Path file = folder.resolve("plan.yaml");
    write(file, plan.text());
    Authority authority =
        Authority.create(
            folder.resolve("authority"), plan.plan().federation().name(), InstantSource.system());
    List<CertificateRequest> requests = new ArrayList<>();
    for (String site : plan.plan().federation().members()) {
      requests.add(CertificateRequest.of(site, of(site, said).path("request").asString()));
    }
    ObjectNode kit = JsonMapper.shared().createObjectNode();
    Packing.rehearsed(authority, plan, file, requests).forEach(kit::put);
    return kit.toString();
  }

  /** A federation whose kits are there already, in {@code sites/NAME}. */
  public static LocalFederation packed(Path folder, WrittenPlan plan, List<TableAddress> data) {
    LocalFederation federation =
        new LocalFederation(folder, plan, plan.plan().federation().members());
    data.forEach(address -> federation.data.put(address.site(), address));
    return federation;
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be written".formatted(file), e);
    }
  }

  public WrittenPlan plan() {
    return plan;
  }

  /** The members whose peers run on this machine. */
  List<String> here() {
    return here;
  }

  public Path site(String site) {
    return folder.resolve(SITES).resolve(site);
  }

  public double seconds() {
    return (System.nanoTime() - begun) / 1e9;
  }

  /** Starts the peer of every site that is here. */
  public void start() {
    here.forEach(this::start);
  }

  /** Starts one site's peer; it goes on where it was. */
  public void start(String site) {
    try {
      // What an earlier peer of the site said of itself says nothing of this one.
      Files.deleteIfExists(port(site));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    TableAddress table = data.get(site);
    if (table == null && plan.plan().names().contains(site)) {
      throw new IllegalArgumentException("no data for " + site);
    }
    List<String> words = new ArrayList<>(List.of("peer", "run", site(site).toString()));
    if (table != null) {
      words.addAll(List.of("--data", table.location()));
      table.query().ifPresent(query -> words.addAll(List.of("--query", query)));
    }
    List<String> command = OwnProcess.peer("512m", words);
    try {
      peers.put(
          site,
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log(site, "out").toFile()))
              .redirectError(ProcessBuilder.Redirect.appendTo(log(site, "err").toFile()))
              .start());
    } catch (IOException e) {
      throw new WorkFailed("the peer of %s did not start: %s".formatted(site, e.getMessage()), e);
    }
  }

  private Path log(String site, String kind) {
    return site(site).resolve("log." + kind);
  }

  public Process peer(String site) {
    Process peer = peers.get(site);
    if (peer == null) {
      throw new IllegalStateException(site + " was not started");
    }
    return peer;
  }

  /**
   * Waits until a site's peer is well on its way and kills it, as a power cut would.
   *
   * @return whether it was killed; not where it had ended by then
   */
  public boolean killUnderWay(String site) throws InterruptedException {
    Process peer = peer(site);
    while (round(site) < UNDER_WAY) {
      if (peer.waitFor(2, TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
    peer.destroyForcibly().waitFor();
    return true;
  }

  /** The rounds that a site's peer says it has done; 0 where it does not say. */
  private int round(String site) {
    if (Files.notExists(port(site))) {
      return 0;
    }
    return StatusTable.ask(List.of(site(site).toString())).first("round");
  }

  private Path port(String site) {
    return site(site).resolve("state").resolve("status.port");
  }

  /** Ends one site's peer, if it runs. */
  public void stop(String site) throws InterruptedException {
    peer(site).destroyForcibly().waitFor();
  }

  /** How many rounds each peer has done, of those that say so now. */
  public Map<String, Integer> rounds() {
    List<String> asked = new ArrayList<>();
    List<String> endpoints = new ArrayList<>();
    for (String site : peers.keySet()) {
      if (Files.exists(port(site)) && peer(site).isAlive()) {
        asked.add(site);
        endpoints.add(site(site).toString());
      }
    }
    Map<String, Integer> rounds = new TreeMap<>();
    for (JsonNode status : JsonMapper.shared().readTree(StatusTable.ask(endpoints).json())) {
      if (status.has("round") && asked.contains(status.path("site").asString())) {
        rounds.put(status.path("site").asString(), status.path("round").asInt());
      }
    }
    return rounds;
  }

  /** Waits a moment; whether all peers have ended since. One that failed is reported at once. */
  public boolean ended(long milliseconds) throws InterruptedException {
    boolean all = true;
    for (Map.Entry<String, Process> peer : peers.entrySet()) {
      if (peer.getValue().waitFor(all ? milliseconds : 0, TimeUnit.MILLISECONDS)) {
        requireWell(peer.getKey());
      } else {
        all = false;
      }
    }
    if (!all && seconds() > PATIENCE_S) {
      throw new WorkFailed("the peers did not end within %d s".formatted(PATIENCE_S));
    }
    return all;
  }

  private void requireWell(String site) {
    int code = peer(site).exitValue();
    if (code != 0) {
      String said;
      try {
        said =
            Files.readString(log(site, "err"))
                .lines()
                .filter(line -> line.startsWith("ngd "))
                .reduce((before, last) -> last)
                .orElse("it printed nothing");
      } catch (IOException e) {
        said = e.toString();
      }
      // Logs of another machine's part are nowhere when it has ended.
      boolean stays = here.equals(plan.plan().federation().members());
      throw new WorkFailed(
          "the peer of %s ended with %d: %s%s"
              .formatted(site, code, said, stays ? "; its log is " + log(site, "err") : ""));
    }
  }

  /** What a site's peer came to. */
  public JsonNode result(String site) {
    return result(folder, site);
  }

  /** What a site's peer came to, in the folder of a federation. */
  static JsonNode result(Path folder, String site) {
    Path file = folder.resolve(SITES).resolve(site).resolve("result.json");
    try {
      return JsonMapper.shared().readTree(Files.readString(file));
    } catch (IOException e) {
      throw new WorkFailed("%s: cannot be read".formatted(file), e);
    }
  }

  /** Ends what still runs. */
  @Override
  public void close() {
    peers.values().forEach(Process::destroyForcibly);
    // Their folders may be deleted next.
    peers.values().forEach(peer -> peer.onExit().join());
  }
}
