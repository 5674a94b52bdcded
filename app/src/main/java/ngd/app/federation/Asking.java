package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import ngd.app.terminal.Version;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.core.answer.MixedAnswer;
import ngd.core.question.Question;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.Plan;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.standing.AskedQuestion;
import ngd.peer.standing.MemberFolder;
import ngd.peer.standing.SignedStatement;
import ngd.peer.standing.Statement;
import tools.jackson.databind.json.JsonMapper;

/**
 * A question handed to a standing federation, and the files of its answer: what the command line
 * and the window share.
 *
 * @param plan what the question makes of the federation's plan
 */
record Asking(SignedStatement asked, Plan plan) {
  /** The plan of a question that a member may ask; refused where it may not. */
  static Plan plan(PeerIdentity identity, Question question) {
    Plan federation = identity.kit().plan().plan();
    if (!federation.federation().mayAsk(identity.site())) {
      throw new InvalidInput(
          "%s: must be a member that may ask; the plan lets %s ask"
              .formatted(
                  identity.site(),
                  federation.federation().members().stream()
                      .filter(federation.federation()::mayAsk)
                      .toList()));
    }
    return PlanReader.asking(federation, "asked", question.lines());
  }

  /** Signs a question and hands it in at the member's folder. */
  static Asking ask(PeerIdentity identity, Question question) {
    Plan plan = plan(identity, question);
    SignedStatement asked =
        SignedStatement.by(
            identity,
            new Statement.Asked(
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                Members.hash(identity),
                PlanTemplate.newRun(),
                question.lines()));
    Members.folder(identity).ask(asked);
    return new Asking(asked, plan);
  }

  /** Writes an answer into a run folder. */
  static void write(
      AskedQuestion question,
      Plan plan,
      PeerIdentity identity,
      MemberFolder folder,
      RunFolder target) {
    SequencedMap<String, String> files = files(question, identity, folder);
    SequencedMap<String, RunFolder.Content> contents = new LinkedHashMap<>();
    files.forEach((name, text) -> contents.put(name, to -> Files.writeString(to, text)));
    contents.remove("manifest.json");
    target.write(
        new Manifest(
            "federation ask",
            Version.number(),
            plan.question(),
            "federation %s, question %s".formatted(plan.federation().name(), question.name()),
            JsonMapper.shared().readTree(document(files)).path("rows").asLong(),
            question.end(plan.names().getFirst()).orElseThrow().detail()),
        contents);
  }

  /** The answer's one JSON file. */
  static String document(Map<String, String> files) {
    return files.entrySet().stream()
        .filter(file -> file.getKey().endsWith(".json") && !file.getKey().equals("manifest.json"))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("{}");
  }

  /** The answer's files: this site's own, or what a site has sent to a member without data. */
  static SequencedMap<String, String> files(
      AskedQuestion question, PeerIdentity identity, MemberFolder folder) {
    SequencedMap<String, String> files = new LinkedHashMap<>();
    List<String> sites = identity.kit().plan().plan().names();
    if (sites.contains(identity.site())) {
      Path own = folder.answer(question.name());
      try (var found = Files.list(own)) {
        for (Path one : found.sorted().toList()) {
          String name = one.getFileName().toString();
          // What is of single groups of this site's rows is no part of the answer.
          if (!name.equals(MixedAnswer.EFFECTS)) {
            files.put(name, Files.readString(one));
          }
        }
      } catch (IOException e) {
        throw new WorkFailed("%s: cannot be read".formatted(own), e);
      }
    } else {
      Map<String, String> sent = question.end(sites.getFirst()).orElseThrow().files();
      sent.keySet().stream().sorted().forEach(name -> files.put(name, sent.get(name)));
    }
    return files;
  }
}
