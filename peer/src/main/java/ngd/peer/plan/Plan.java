package ngd.peer.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.privacy.Privacy;
import ngd.core.question.ClientKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.Question;

/**
 * What the sites of a federation have agreed on: who takes part, and what is asked of them.
 *
 * @param run a word drawn for this run: masks of two runs must never be the same
 * @param linksSeed draws the links of a random network
 */
public record Plan(Federation federation, String run, Question question, long linksSeed) {
  /** What a plan says that asks nothing: the seed alone, which draws the links. */
  static final List<Key<?>> NOTHING = List.of(ClientKeys.SEED);

  /** A plan whose one seed draws the links too. */
  public Plan(Federation federation, String run, Question question) {
    this(federation, run, question, question.get(ClientKeys.SEED));
  }

  /** Every link that there may ever be, the sites in the order of the plan; W if it is constant. */
  public Network network() {
    return federation.schedule(linksSeed).union();
  }

  /** W by round, with what the question says of links and sites that come and go. */
  public NetworkSchedule schedule() {
    return MethodKeys.impaired(question, federation.schedule(linksSeed));
  }

  /** Whether nothing is asked yet: the federation stands, and questions come later. */
  public boolean standing() {
    return question.keys().equals(NOTHING);
  }

  /** What is asked for. */
  public QuestionKind kind() {
    return QuestionKind.of(question);
  }

  /**
   * The plan of one question to a standing federation, which is answered as if it had been signed
   * for it alone: its masks, its noise and its snapshots are its own.
   *
   * @param run the question's own word, which no other question has
   */
  public Plan asking(String run, Question asked) {
    return new Plan(federation, run, asked, linksSeed);
  }

  /** Whether the pooled answer is wanted. */
  public boolean pooled() {
    return kind() == QuestionKind.FIT && MethodKeys.pooled(question);
  }

  /** Whether every site comes to the same answer; by a method each has a model of its own. */
  public boolean sameEverywhere() {
    return pooled() || kind() != QuestionKind.FIT;
  }

  /** The budget that each site may spend on it. */
  public Optional<Privacy> privacy() {
    return question.find(MethodKeys.PRIVACY);
  }

  public List<Site> sites() {
    return federation.sites();
  }

  public List<String> names() {
    return federation.names();
  }

  /** The place of a site in the plan: its client number. */
  public int client(String site) {
    return federation.client(site);
  }

  /** The sites that this one hears or is heard by: the only ones it talks to. */
  public SortedSet<String> neighbours(String site) {
    return federation.neighbours(site, network());
  }

  /**
   * The plan in one form, whatever the layout and the comments of its file: a line for each thing
   * agreed, defaults spelled out. What is signed and hashed.
   */
  public List<String> canonical() {
    List<String> lines = new ArrayList<>(List.of("ngd-plan: 2"));
    lines.addAll(federation.canonical());
    lines.add("run: " + run);
    if (linksSeed != question.get(ClientKeys.SEED)) {
      lines.add("seed of the network: " + linksSeed);
    }
    lines.addAll(question.lines());
    return List.copyOf(lines);
  }
}
