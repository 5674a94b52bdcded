package ngd.peer.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import ngd.core.run.JsonObject;

/**
 * What a peer says of itself while it runs.
 *
 * @param plan the first digits of the plan's hash
 * @param stage what it is doing, in words
 * @param round the rounds done
 * @param rounds of how many, where that is known
 * @param waitingFor the neighbours that it waits for
 * @param waiting why, since when, and which sites are at the root of it
 * @param spread how far its model lies from what it hears, as a share of the model's size
 * @param seconds since it started
 * @param secondsLeft until it ends at the pace so far, if known
 * @param epsilon what its noised messages have cost so far, where the plan has a budget
 * @param disk why it cannot keep its state on the disk at present
 * @param questions those in line at a standing peer
 */
public record PeerStatus(
    String site,
    String plan,
    State state,
    String stage,
    int round,
    OptionalInt rounds,
    List<String> waitingFor,
    Optional<Waiting> waiting,
    OptionalDouble spread,
    double seconds,
    OptionalDouble secondsLeft,
    OptionalDouble epsilon,
    List<Neighbour> neighbours,
    Optional<String> disk,
    Optional<String> failure,
    List<InLine> questions) {

  /** How a peer is. */
  public enum State {
    STARTING,
    /** Stands by for questions. */
    READY,
    RUNNING,
    DONE,
    FAILED;

    String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * Why a peer stands still.
   *
   * @param reason what those it waits for are to do, in words
   * @param unreachable the sites that all wait for, across any number of neighbours, and that are
   *     out of reach
   * @param busy those that are connected and wait for nobody themselves
   */
  public record Waiting(
      String reason, double seconds, List<String> unreachable, List<String> busy) {
    public Waiting {
      unreachable = List.copyOf(unreachable);
      busy = List.copyOf(busy);
    }
  }

  /**
   * A question in line.
   *
   * @param asks what it asks, in one line
   * @param state where it stands, in a word
   * @param awaited the sites that have not decided or not answered yet
   */
  public record InLine(String name, String asker, String asks, String state, List<String> awaited) {
    public InLine {
      awaited = List.copyOf(awaited);
    }
  }

  /** The same among questions in line. */
  public PeerStatus among(List<InLine> line, List<Neighbour> standing) {
    return new PeerStatus(
        site,
        plan,
        state == State.DONE || state == State.FAILED ? State.READY : state,
        stage,
        round,
        rounds,
        waitingFor,
        waiting,
        spread,
        seconds,
        secondsLeft,
        epsilon,
        neighbours.isEmpty() ? standing : neighbours,
        disk,
        failure,
        line);
  }

  /**
   * A neighbour and what came and went.
   *
   * @param rejected how many of its messages were refused, by reason
   * @param refusal why it refuses this peer, where it does
   */
  public record Neighbour(
      String name,
      boolean connected,
      long messagesIn,
      long messagesOut,
      long bytesIn,
      long bytesOut,
      Map<String, Long> rejected,
      Optional<String> refusal) {
    public Neighbour {
      rejected = Map.copyOf(rejected);
    }
  }

  public PeerStatus {
    waitingFor = List.copyOf(waitingFor);
    neighbours = List.copyOf(neighbours);
    questions = List.copyOf(questions);
  }

  /** A peer that waits longer than this many seconds is stalled. */
  private static final double STALLED_S = 30;

  /** Whether it can do its work, and does. */
  public boolean healthy() {
    return state != State.FAILED && !stalled();
  }

  /** Whether it has waited for others for so long that somebody should look. */
  public boolean stalled() {
    return state == State.RUNNING && waiting.filter(w -> w.seconds() >= STALLED_S).isPresent();
  }

  /** How it is, in one line. */
  public String health() {
    if (!stalled()) {
      return state.word();
    }
    Waiting now = waiting.orElseThrow();
    List<String> parts = new ArrayList<>();
    if (!now.unreachable().isEmpty()) {
      parts.add("out of reach: " + String.join(", ", now.unreachable()));
    }
    if (!now.busy().isEmpty()) {
      parts.add("busy: " + String.join(", ", now.busy()));
    }
    return "stalled for %d s, %s"
        .formatted((long) now.seconds(), parts.isEmpty() ? now.reason() : String.join("; ", parts));
  }

  /** The same for programs. */
  public JsonObject json() {
    return new JsonObject()
        .put("site", site)
        .put("plan", plan)
        .put("state", state.word())
        .put("stage", stage)
        .put("round", round)
        .put("rounds", rounds.isPresent() ? rounds.getAsInt() : null)
        .put("waitingFor", waitingFor)
        .put("waitingReason", waiting.map(Waiting::reason).orElse(null))
        .put("waitingSeconds", waiting.map(Waiting::seconds).orElse(null))
        .put("unreachable", waiting.map(Waiting::unreachable).orElse(List.of()))
        .put("busy", waiting.map(Waiting::busy).orElse(List.of()))
        .put("stalled", stalled())
        .put("spread", number(spread))
        .put("seconds", seconds)
        .put("secondsLeft", number(secondsLeft))
        .put("epsilonSpent", number(epsilon))
        .put("disk", disk.orElse(null))
        .put("failure", failure.orElse(null))
        .put("neighbours", neighbours.stream().map(PeerStatus::json).toList())
        .put("questions", questions.stream().map(PeerStatus::json).toList());
  }

  private static JsonObject json(InLine question) {
    return new JsonObject()
        .put("name", question.name())
        .put("asker", question.asker())
        .put("asks", question.asks())
        .put("state", question.state())
        .put("awaited", question.awaited());
  }

  private static JsonObject json(Neighbour neighbour) {
    JsonObject rejected = new JsonObject();
    new TreeMap<>(neighbour.rejected()).forEach(rejected::put);
    return new JsonObject()
        .put("name", neighbour.name())
        .put("connected", neighbour.connected())
        .put("messagesIn", neighbour.messagesIn())
        .put("messagesOut", neighbour.messagesOut())
        .put("bytesIn", neighbour.bytesIn())
        .put("bytesOut", neighbour.bytesOut())
        .put("rejected", rejected)
        .put("refusal", neighbour.refusal().orElse(null));
  }

  private static @org.jspecify.annotations.Nullable Double number(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }

  /** The same in the text form that Prometheus scrapes. */
  public String metrics() {
    MetricsText text = new MetricsText();
    text.gauge("ngd_up", "1 unless the peer has failed.", state != State.FAILED ? 1 : 0);
    text.gauge(
        "ngd_stalled", "1 while the peer has waited for others for long.", stalled() ? 1 : 0);
    text.gauge(
        "ngd_waiting_seconds",
        "Seconds that the peer has waited for others.",
        waiting.map(Waiting::seconds).orElse(0.0));
    text.counter("ngd_rounds_total", "Rounds done.", round);
    rounds.ifPresent(of -> text.gauge("ngd_rounds_planned", "Rounds of the plan.", of));
    text.gauge("ngd_done", "1 when the run has ended.", state == State.DONE ? 1 : 0);
    text.gauge("ngd_questions", "Questions in line.", questions.size());
    text.gauge("ngd_disk_trouble", "1 while state cannot be saved.", disk.isPresent() ? 1 : 0);
    text.gauge("ngd_seconds", "Seconds since the peer started.", seconds);
    secondsLeft.ifPresent(left -> text.gauge("ngd_seconds_left", "Estimated seconds left.", left));
    spread.ifPresent(
        apart -> text.gauge("ngd_spread", "Distance to what is heard, relative.", apart));
    epsilon.ifPresent(spent -> text.gauge("ngd_epsilon_spent", "Privacy spent so far.", spent));
    text.head("ngd_waiting", "gauge", "1 while the neighbour's message is waited for.");
    neighbours.forEach(
        n ->
            text.sample(
                "ngd_waiting", waitingFor.contains(n.name()) ? 1 : 0, "neighbour", n.name()));
    text.head("ngd_connected", "gauge", "1 while the neighbour is connected.");
    neighbours.forEach(
        n -> text.sample("ngd_connected", n.connected() ? 1 : 0, "neighbour", n.name()));
    text.head("ngd_bytes_total", "counter", "Bytes of messages.");
    for (Neighbour n : neighbours) {
      text.sample(
          "ngd_bytes_total", (double) n.bytesIn(), "neighbour", n.name(), "direction", "in");
      text.sample(
          "ngd_bytes_total", (double) n.bytesOut(), "neighbour", n.name(), "direction", "out");
    }
    text.head("ngd_messages_total", "counter", "Messages.");
    for (Neighbour n : neighbours) {
      text.sample(
          "ngd_messages_total", (double) n.messagesIn(), "neighbour", n.name(), "direction", "in");
      text.sample(
          "ngd_messages_total",
          (double) n.messagesOut(),
          "neighbour",
          n.name(),
          "direction",
          "out");
    }
    text.head("ngd_rejected_total", "counter", "Messages refused, by reason.");
    neighbours.forEach(
        n ->
            new TreeMap<>(n.rejected())
                .forEach(
                    (reason, count) ->
                        text.sample(
                            "ngd_rejected_total", count, "neighbour", n.name(), "reason", reason)));
    return text.toString();
  }
}
