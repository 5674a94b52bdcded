package ngd.app.federation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import ngd.core.WorkFailed;
import ngd.core.data.TableAddress;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.WrittenPlan;
import ngd.studies.engine.Meeting;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One machine's part of a rehearsal: the peers of its sites, from their keys to their answers, one
 * of them killed on the way.
 *
 * @param plan what is rehearsed, with the addresses the sites had before
 * @param data of every site
 * @param victim the site whose peer is killed, if one is
 */
record RehearsalPart(String plan, List<TableAddress> data, Optional<String> victim) {
  /** Between two looks at the peers. */
  private static final long LOOK_MS = 60;

  /**
   * What came of a part.
   *
   * @param host where it was
   * @param plan with the addresses that the sites had
   * @param here the sites that it had
   * @param events what happened, a sentence each
   * @param timeline by site, the rounds done at each moment
   */
  record Found(
      String host,
      WrittenPlan plan,
      List<String> here,
      List<String> events,
      Map<String, List<RehearsalReport.Moment>> timeline) {}

  /**
   * Does it.
   *
   * @param folder where the sites' folders are made
   * @param log is told what happens as it happens
   * @param started is told of the federation, which must not outlive this process
   */
  Found run(Meeting meeting, Path folder, Consumer<String> log, Consumer<LocalFederation> started)
      throws InterruptedException {
    List<String> events = new ArrayList<>();
    Consumer<String> tell = log.andThen(events::add);
    try (LocalFederation federation = LocalFederation.part(meeting, folder, plan, data)) {
      started.accept(federation);
      tell.accept(
          "plan %s, signed; a kit, a key and a peer process for each of %s"
              .formatted(federation.plan().shortHash(), String.join(", ", federation.here())));
      double begun = federation.seconds();
      federation.start();
      if (victim.isPresent() && federation.here().contains(victim.get())) {
        kill(federation, victim.get(), begun, tell);
      }
      Map<String, List<RehearsalReport.Moment>> timeline = watched(federation, begun);
      int peers = federation.here().size();
      tell.accept(
          String.format(
              Locale.ROOT,
              "%s finished after %.1f s",
              switch (peers) {
                case 1 -> "the peer";
                case 2 -> "both peers";
                default -> "all " + peers + " peers";
              },
              federation.seconds() - begun));
      return new Found(meeting.host(), federation.plan(), federation.here(), events, timeline);
    }
  }

  private static void kill(
      LocalFederation federation, String victim, double begun, Consumer<String> tell)
      throws InterruptedException {
    if (federation.killUnderWay(victim)) {
      double killed = federation.seconds();
      federation.start(victim);
      tell.accept(
          String.format(
              Locale.ROOT,
              "%s was killed (kill -9) after %.1f s, in the middle of its work, and restarted",
              victim,
              killed - begun));
    } else {
      tell.accept(victim + " finished before it could be killed");
    }
  }

  private static Map<String, List<RehearsalReport.Moment>> watched(
      LocalFederation federation, double begun) throws InterruptedException {
    Map<String, List<RehearsalReport.Moment>> timeline = new TreeMap<>();
    while (!federation.ended(LOOK_MS)) {
      double now = federation.seconds() - begun;
      federation
          .rounds()
          .forEach(
              (site, round) ->
                  timeline
                      .computeIfAbsent(site, _ -> new ArrayList<>())
                      .add(new RehearsalReport.Moment(now, round)));
    }
    return timeline;
  }

  /** As another machine is told it; tables are where they are on every machine. */
  String json() {
    ObjectNode json = JsonMapper.shared().createObjectNode().put("plan", plan);
    ArrayNode tables = json.putArray("data");
    for (TableAddress table : data) {
      ObjectNode one =
          tables.addObject().put("site", table.site()).put("location", table.location());
      table.query().ifPresent(query -> one.put("query", query));
    }
    victim.ifPresent(site -> json.put("kill", site));
    return json.toString();
  }

  static RehearsalPart read(String text) {
    JsonNode json = JsonMapper.shared().readTree(text);
    List<TableAddress> data = new ArrayList<>();
    for (JsonNode table : json.path("data")) {
      // A peer reads by the plan how its table is written.
      data.add(
          new TableAddress(
              table.path("site").asString(),
              table.path("location").asString(),
              Optional.ofNullable(table.get("query")).map(JsonNode::asString),
              List.of()));
    }
    return new RehearsalPart(
        json.path("plan").asString(),
        data,
        Optional.ofNullable(json.get("kill")).map(JsonNode::asString));
  }

  /** What came of a part, with the files of its sites but for their keys and state. */
  static String json(Found found, Path folder) {
    ObjectNode json =
        JsonMapper.shared()
            .createObjectNode()
            .put("host", found.host)
            .put("plan", found.plan.text());
    found.here.forEach(json.putArray("here")::add);
    found.events.forEach(json.putArray("events")::add);
    ObjectNode timeline = json.putObject("timeline");
    found.timeline.forEach(
        (site, moments) -> {
          ArrayNode points = timeline.putArray(site);
          moments.forEach(moment -> points.addArray().add(moment.seconds()).add(moment.round()));
        });
    ObjectNode files = json.putObject("files");
    for (String site : found.here) {
      Path own = folder.resolve(LocalFederation.SITES).resolve(site);
      try (Stream<Path> all = Files.walk(own)) {
        for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
          String name = own.relativize(file).toString();
          if (!name.endsWith(".key") && !name.startsWith("state")) {
            files.put(
                site + "/" + name, Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return json.toString();
  }

  /** What another machine found, its files written into a folder here. */
  static Found found(String text, Path folder) {
    JsonNode json = JsonMapper.shared().readTree(text);
    json.path("files")
        .forEachEntry(
            (name, content) -> {
              Path file = within(folder.resolve(LocalFederation.SITES), name);
              try {
                Files.createDirectories(file.getParent());
                Files.write(file, Base64.getDecoder().decode(content.asString()));
              } catch (IOException e) {
                throw new UncheckedIOException("%s: cannot be written".formatted(file), e);
              }
            });
    Map<String, List<RehearsalReport.Moment>> timeline = new TreeMap<>();
    json.path("timeline")
        .forEachEntry(
            (site, points) -> {
              List<RehearsalReport.Moment> moments = new ArrayList<>();
              for (JsonNode point : points) {
                moments.add(
                    new RehearsalReport.Moment(point.get(0).asDouble(), point.get(1).asInt()));
              }
              timeline.put(site, moments);
            });
    return new Found(
        json.path("host").asString(),
        PlanReader.parse(json.path("plan").asString()),
        texts(json.path("here")),
        texts(json.path("events")),
        timeline);
  }

  /** A machine of a cluster may write nowhere else. */
  private static Path within(Path sites, String name) {
    Path file = sites.resolve(name).normalize();
    if (!file.startsWith(sites.normalize())) {
      throw new WorkFailed(
          "another machine's part names a file outside of the rehearsal: `%s`".formatted(name));
    }
    return file;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asString()));
    return texts;
  }
}
