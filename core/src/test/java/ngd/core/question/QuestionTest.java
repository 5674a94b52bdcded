package ngd.core.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.run.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Oracle: words written by hand, and the law that canonical words ask the same question again. */
class QuestionTest {
  @TempDir Path folder;

  private static final Map<String, String> SIMULATED =
      Map.of("simulate", "linear", "rows", "100", "clients", "5", "network", "ring:1");

  private static Question question(String... pairs) {
    Map<String, String> words = new LinkedHashMap<>(SIMULATED);
    for (int i = 0; i < pairs.length; i += 2) {
      words.put(pairs[i], pairs[i + 1]);
    }
    Problems problems = new Problems();
    Words said = new Words(Words.Style.FLAGS);
    words.forEach(
        (name, value) ->
            FitKeys.ALL.stream()
                .filter(key -> key.name().equals(name))
                .forEach(key -> said.say(key, value)));
    Question question = FitKeys.read(said, problems);
    problems.throwIfAny();
    return question;
  }

  private static String line(Question question, String key) {
    return String.join(",", question.words().getOrDefault(key, List.of("nothing")));
  }

  @Test
  void words_ofAPooledFit_spellOutWhatHolds() {
    assertThat(question().words().keySet())
        .containsExactly(
            "simulate",
            "rows",
            "family",
            "link",
            "clients",
            "partition",
            "placement",
            "network",
            "weights",
            "seed",
            "algorithm",
            "bias-share",
            "level",
            "heterogeneity",
            "ridge",
            "anova",
            "meta");
    assertThat(line(question(), "algorithm")).isEqualTo("pooled");
    assertThat(line(question(), "family")).isEqualTo("gaussian");
    assertThat(line(question("simulate", "poisson"), "link")).isEqualTo("log");
  }

  @Test
  void words_ofAnAlgorithm_spellOutWhatHolds() {
    Question question = question("alpha", "0.010", "rounds", "7");
    assertThat(question.words())
        .containsEntry("algorithm", List.of("ngd"))
        .containsEntry("alpha", List.of("0.01"))
        .containsEntry("local-steps", List.of("1"))
        .containsEntry("mix", List.of("mean"))
        .doesNotContainKeys("bias-share", "clocks", "batch");
  }

  /** What is said in another form, or is the standard, asks nothing else. */
  @ParameterizedTest
  @CsvSource({
    "alpha, 0.010, 0.01",
    "alpha, '0.01,0.0050@1000', '0.01,0.005@1000'",
    "algorithm, cfa:0.30, cfa:0.3",
    "mix, clipped:5, clipped:5.0",
    "seed, 01, 1",
    "partition, random, random",
  })
  void equals_otherFormsOfTheSame_areTheSame(String key, String one, String other) {
    String alpha = key.equals("alpha") ? one : "0.1";
    Question first = question("alpha", alpha, "rounds", "7", key, one);
    Question second =
        question("alpha", key.equals("alpha") ? other : "0.1", "rounds", "7", key, other);
    assertThat(first).isEqualTo(second).hasSameHashCodeAs(second);
    assertThat(first.lines()).isEqualTo(second.lines());
    assertThat(first.arguments()).isEqualTo(second.arguments());
  }

  private static List<Question> many() {
    List<Question> all = new ArrayList<>();
    all.add(question());
    all.add(question("robust", "hc1", "level", "0.9", "heterogeneity", "true", "anova", "true"));
    all.add(question("alpha", "0.01,0.005@1000", "rounds", "70", "batch", "3", "mix", "median"));
    all.add(question("algorithm", "cfa-ge:0.5:0.9", "alpha", "0.5/sqrt(t)", "rounds", "9"));
    all.add(
        question(
            "algorithm",
            "gosgd:0.3",
            "alpha",
            "0.1",
            "rounds",
            "9",
            "churn",
            "10,2.5",
            "message-loss",
            "0.25",
            "clocks",
            "poisson"));
    all.add(
        question(
            "alpha",
            "0.1",
            "rounds",
            "5",
            "attack",
            "sign-flip:2",
            "attackers",
            "0,3",
            "extrapolate",
            "true"));
    return all;
  }

  @Test
  void read_itsOwnCanonicalWords_isTheSameQuestion() {
    for (Question question : many()) {
      Words words = new Words(Words.Style.KEYS);
      question.words().forEach((key, said) -> words.put(key, new Words.Said(said, "")));
      Problems problems = new Problems();
      assertThat(FitKeys.read(words, problems)).isEqualTo(question);
      assertThat(problems.any()).isFalse();
    }
  }

  @Test
  void read_itsOwnManifest_isTheSameQuestion() throws IOException {
    for (Question question : many()) {
      Path file = folder.resolve("manifest.json");
      Files.writeString(
          file,
          new JsonObject()
              .put("command", "fit")
              .put(WordsFile.QUESTION, new JsonObject().putAll(question.json()))
              .toString());
      Problems problems = new Problems();
      Words words =
          WordsFile.read(file, FitKeys.ALL, Map.of(), new Words(Words.Style.FLAGS), problems);
      assertThat(FitKeys.read(words, problems)).isEqualTo(question);
      problems.throwIfAny();
    }
  }

  @Test
  void commandLine_wordsForAShell_areQuotedWhereTheyMust() {
    Question question =
        Question.of(
            FitKeys.ALL,
            Map.of(
                    "data",
                    "my file.csv",
                    "formula",
                    "y ~ it's",
                    "network",
                    "ring:1",
                    "clients",
                    "2")
                .entrySet()
                .stream()
                .filter(entry -> !entry.getKey().equals("formula"))
                .collect(
                    java.util.stream.Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    assertThat(question.commandLine("ngd fit"))
        .isEqualTo("ngd fit --data 'my file.csv' --clients 2 --network ring:1");
  }

  @Test
  void relocated_filesOfEveryKind_moveAndOthersStay() {
    Question question =
        Question.of(
            FitKeys.ALL,
            Map.of("site", "a=a.csv", "formula", "y ~ x", "network", "file:edges.csv"));
    Question moved = question.relocated(path -> "../" + path);
    assertThat(line(moved, "site")).isEqualTo("a=../a.csv");
    assertThat(line(moved, "network")).isEqualTo("file:../edges.csv");
    Question database =
        Question.of(FitKeys.ALL, Map.of("data", "jdbc:sqlite:a.db", "response", "y"));
    assertThat(database.relocated(path -> "../" + path)).isEqualTo(database);
  }

  /** A manifest goes to colleagues: it holds no password, and says so where one is missing. */
  @Test
  void json_aDatabase_hasNoSecrets() {
    for (String url :
        List.of(
            "jdbc:postgresql://reader:hush@db/x",
            "jdbc:postgresql://db/x?user=reader&password=hush&ssl=true",
            "jdbc:mariadb://db/x?PASSWORD=hush",
            "jdbc:sqlserver://db;user=reader;password=hush")) {
      Question question = Question.of(FitKeys.ALL, Map.of("data", url, "response", "y"));
      assertThat(question.json().toString()).doesNotContain("hush", "reader").contains("db");
      Question site = Question.of(FitKeys.ALL, Map.of("site", "a=" + url, "formula", "y ~ x"));
      assertThat(site.json().toString()).doesNotContain("hush", "reader");
      String stored = question.json().get("data").toString();
      assertThatThrownBy(() -> Question.of(FitKeys.ALL, Map.of("data", stored, "response", "y")))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("are not stored in manifests");
    }
    String variable = "jdbc:postgresql://db/x?user=${U}&password=${P}";
    assertThat(Question.of(FitKeys.ALL, Map.of("data", variable, "response", "y")).json())
        .containsEntry("data", variable);
  }

  @Test
  void differences_betweenQuestions_areTheirKeys() {
    assertThat(question().differences(question("seed", "2", "level", "0.9")))
        .containsExactly("seed", "level");
    assertThat(question().differences(question("family", "gaussian"))).isEmpty();
  }

  @Test
  void read_manyProblems_areAllToldInTheWordsOfTheirPlace() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("fit.yaml"),
            """
            simulate: liner
            rows: many
            clients: [1, 2]
            netwrk: ring:1
            mix: trimmed:0
            """);
    Problems problems = new Problems();
    Words words =
        WordsFile.read(file, FitKeys.ALL, Map.of(), new Words(Words.Style.FLAGS), problems);
    words.say(MethodKeys.ROUNDS, "-1");
    FitKeys.read(words, problems);
    List<String> messages = new ArrayList<>();
    problems.each(messages::add);
    assertThat(messages)
        .anySatisfy(p -> assertThat(p).contains("fit.yaml, line 4: unknown key `netwrk`"))
        .anySatisfy(p -> assertThat(p).contains("fit.yaml, line 3: clients: takes one value"))
        .anySatisfy(p -> assertThat(p).contains("fit.yaml, line 1", "did you mean `linear`"))
        .anySatisfy(p -> assertThat(p).contains("fit.yaml, line 2: rows: must be a whole number"))
        .anySatisfy(p -> assertThat(p).contains("fit.yaml, line 5: mix trimmed:B: B must be"))
        .anySatisfy(p -> assertThat(p).isEqualTo("--rounds: must be at least 0; got -1"));
  }
}
