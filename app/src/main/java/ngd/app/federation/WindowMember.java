package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import ngd.app.window.Federations;
import ngd.app.window.Membership;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.network.Network;
import ngd.core.question.DataKeys;
import ngd.core.question.DescribeKeys;
import ngd.core.question.ImputationKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.PenaltyKeys;
import ngd.core.question.PooledKeys;
import ngd.core.question.Question;
import ngd.core.question.WeightingKeys;
import ngd.core.question.Words;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.Exposure;
import ngd.peer.plan.Plan;
import ngd.peer.plan.PlanKeys;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.QuestionKind;
import ngd.peer.plan.Site;
import ngd.peer.standing.AskedQuestion;
import ngd.peer.standing.QuestionList;

/**
 * A member's folder as the window sees it. The folder is read anew each time: kits change when
 * members do.
 */
final class WindowMember implements Membership {
  private static final Set<Key<?>> WEIGHTING =
      Set.of(WeightingKeys.TREATMENT, WeightingKeys.ESTIMAND, WeightingKeys.STABILISED);

  private static final Set<Key<?>> IMPUTATION =
      Set.of(
          DataKeys.MISSING, ImputationKeys.IMPUTE, ImputationKeys.ITERATIONS, ImputationKeys.WITH);

  private final Path folder;

  WindowMember(Path folder) {
    this.folder = folder;
  }

  @Override
  public JsonObject overview() {
    PeerIdentity identity = Members.open(folder, null);
    Plan plan = identity.kit().plan().plan();
    List<String> names = plan.names();
    Network network = plan.network();
    return new JsonObject()
        .put("folder", folder.toString())
        .put("site", identity.site())
        .put("federation", plan.federation().name())
        .put("standing", plan.standing())
        .put("question", plan.standing() ? List.of() : plan.question().lines())
        .put("mayAsk", plan.standing() && plan.federation().mayAsk(identity.site()))
        .put("hasData", names.contains(identity.site()))
        .put("peerRuns", Members.folder(identity).peerRuns())
        .put(
            "status",
            PeerStatusCommand.endpoint(folder)
                .map(port -> port.matches("\\d+") ? "127.0.0.1:" + port : port)
                .orElse(null))
        .put("notTaken", Members.folder(identity).refusals())
        .put("sites", plan.sites().stream().map(site -> site(site, plan, names, network)).toList())
        .put("analysts", plan.federation().analysts())
        .put("keys", PlanKeys.ALL.stream().map(WindowMember::key).toList())
        .put(
            "change",
            plan.standing()
                ? QuestionList.change(identity)
                    .map(change -> change.plan().federation().members())
                    .orElse(null)
                : null)
        .put(
            "questions",
            plan.standing()
                ? QuestionList.read(identity).reversed().stream()
                    .map(one -> question(one, identity, names))
                    .toList()
                : List.of());
  }

  private static JsonObject site(Site site, Plan plan, List<String> names, Network network) {
    int m = names.indexOf(site.name());
    return new JsonObject()
        .put("name", site.name())
        .put("address", site.address())
        .put("mayAsk", plan.federation().mayAsk(site.name()))
        .put(
            "hears",
            names.stream()
                .filter(other -> names.indexOf(other) != m)
                .filter(other -> network.weight(m, names.indexOf(other)) > 0)
                .toList());
  }

  private static JsonObject key(Key<?> key) {
    return new JsonObject()
        .put("name", key.name())
        .put("group", group(key))
        .put("help", key.help())
        .put("flag", key.form() == Key.Form.FLAG)
        .put("offered", key.offered())
        .put(
            "kinds",
            Arrays.stream(QuestionKind.values())
                .filter(kind -> kind.keys().contains(key))
                .map(QuestionKind::word)
                .toList());
  }

  /** What a form shows it with. */
  private static String group(Key<?> key) {
    if (ModelKeys.ALL.contains(key)) {
      return "Model";
    }
    if (MethodKeys.ALL.contains(key)) {
      return "Methods and privacy";
    }
    if (PenaltyKeys.ALL.contains(key)) {
      return "Penalties";
    }
    if (IMPUTATION.contains(key)) {
      return "Missing values";
    }
    if (WEIGHTING.contains(key)) {
      return "Effect of a treatment";
    }
    return PooledKeys.ALL.contains(key)
        ? "Intervals and tests"
        : DescribeKeys.AGREED.contains(key) ? "Description" : "Tables and random seed";
  }

  private static JsonObject question(
      QuestionList.Numbered one, PeerIdentity identity, List<String> names) {
    AskedQuestion question = one.question();
    JsonObject decisions = new JsonObject();
    for (String site : names) {
      decisions.put(
          site,
          question
              .end(site)
              .map(end -> end.answered() ? "answered" : "failed")
              .or(
                  () ->
                      question
                          .decision(site)
                          .map(one1 -> one1.accepted() ? "takes part" : "refuses"))
              .orElse("has not decided"));
    }
    return PeerQuestionsCommand.json(one)
        .put("asks", question.summary())
        .put("decisions", decisions)
        .put("over", question.over())
        .put("mine", question.asker().equals(identity.site()))
        .put(
            "waitsHere",
            !question.over()
                && names.contains(identity.site())
                && question.decision(identity.site()).isEmpty());
  }

  /** A question by the words of a form. */
  private static Question read(Map<String, String> options) {
    Problems problems = new Problems();
    Words words = new Words(Words.Style.KEYS);
    options.forEach(
        (name, value) ->
            PlanKeys.ALL.stream()
                .filter(key -> key.name().equals(name))
                .findFirst()
                .ifPresentOrElse(
                    key -> words.say(key, value),
                    () -> problems.add("unknown option `%s`".formatted(name))));
    Question question = PlanKeys.read(words, problems);
    problems.throwIfAny();
    return question;
  }

  @Override
  public JsonObject exposure(Map<String, String> question, Federations.Scope scope) {
    Plan plan = Members.open(folder, null).kit().plan().plan();
    return FederationExposureCommand.json(
        Exposure.of(
            plan.standing() ? PlanReader.asking(plan, "asked", read(question).lines()) : plan,
            WindowFederations.options(scope)));
  }

  @Override
  public String ask(Map<String, String> question) {
    PeerIdentity identity = Members.standing(folder);
    return Asking.ask(identity, read(question)).asked().name();
  }

  @Override
  public void decide(String question, boolean accepted, String why) {
    PeerDecideCommands.decide(Members.standing(folder), question, accepted ? null : why);
  }

  @Override
  public SequencedMap<String, String> answer(String question) {
    PeerIdentity identity = Members.standing(folder);
    AskedQuestion asked = answered(identity, question);
    requireInside(Members.folder(identity).answer(asked.name()));
    return Asking.files(asked, identity, Members.folder(identity));
  }

  @Override
  public void save(String question, Path target) {
    PeerIdentity identity = Members.standing(folder);
    AskedQuestion asked = answered(identity, question);
    requireInside(Members.folder(identity).answer(asked.name()));
    Plan plan = PlanReader.asking(identity.kit().plan().plan(), "asked", asked.asked().lines());
    Asking.write(asked, plan, identity, Members.folder(identity), RunFolder.at(target));
  }

  /** A question with an answer that this member may see. */
  private static AskedQuestion answered(PeerIdentity identity, String name) {
    AskedQuestion question = QuestionList.find(identity, name).question();
    if (question.state() != AskedQuestion.State.ANSWERED) {
      throw new InvalidInput(
          "question %s: must be answered; it is %s"
              .formatted(question.name(), question.state().word()));
    }
    boolean site = identity.kit().plan().plan().names().contains(identity.site());
    if (!site && !question.asker().equals(identity.site())) {
      throw new InvalidInput(
          "question %s: a member without data sees the answers to its own questions; %s asked it"
              .formatted(question.name(), question.asker()));
    }
    return question;
  }

  /** Files of an answer are files of the folder; a link among them could lead anywhere. */
  private void requireInside(Path answer) {
    if (Files.notExists(answer, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (var files = Files.list(answer)) {
      if (Files.isSymbolicLink(answer) || files.anyMatch(Files::isSymbolicLink)) {
        throw new InvalidInput(
            "%s: must hold the answer's own files; there is a symbolic link, which is not followed"
                .formatted(answer));
      }
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be read: %s".formatted(answer, e.getMessage()), e);
    }
  }
}
