package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import ngd.app.Command;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Data from sites, formulas and their errors, by the command line. */
class SitesTest {
  private static final String HOW = "--network complete --algorithm ngd --alpha 0.01 --rounds 40";

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        folder.resolve("north.csv"),
        "y,x,health\n1.5,1,good\n2.5,2,poor\n3.7,3,good\n9,?,poor\n4.1,4,good\n");
    Files.writeString(
        folder.resolve("south.tsv"),
        "y\tx\thealth\n2.2\t1\taverage\n3.1\t2\tgood\n3.9\t3\taverage\n5.4\t4\tpoor\n");
  }

  private Command fit(String... more) {
    List<String> words = new ArrayList<>(List.of("fit"));
    for (String word : more) {
      words.add(word.replace("DIR", folder.toString()));
    }
    words.addAll(List.of(HOW.split(" ", -1)));
    return Command.run(words.toArray(String[]::new));
  }

  private static List<String> names(JsonNode result) {
    List<String> names = new ArrayList<>();
    result.get("coefficients").forEach(one -> names.add(one.get("term").asString()));
    return names;
  }

  @Test
  void fit_twoSites_isOneClientEachAndCountsDroppedRows() {
    Command run =
        fit(
            "--site",
            "n=DIR/north.csv",
            "--site",
            "s=DIR/south.tsv",
            "--na",
            "?",
            "--formula",
            "y ~ x + health",
            "--format",
            "json");
    assertThat(run.code()).as(run.err()).isEqualTo(0);
    JsonNode result = run.json();
    assertThat(names(result)).containsExactly("(Intercept)", "x", "healthgood", "healthpoor");
    assertThat(result.get("clients").asInt()).isEqualTo(2);
    assertThat(result.get("rows").asInt()).isEqualTo(8);
    assertThat(result.get("rowsBySite").get(0).get("dropped").asInt()).isEqualTo(1);
    assertThat(result.get("rowsBySite").get(0).get("missing").get("x").asInt()).isEqualTo(1);
    assertThat(run.err()).contains("ngd fit: n: 1 of 5 rows dropped; missing: x in 1 row");
  }

  /** Oracle: the global estimate of the same rows read as plain numbers by the other reader. */
  @Test
  void fit_formulaOverAFile_givesTheGlobalEstimateOfItsDesignMatrix() throws IOException {
    StringBuilder raw = new StringBuilder("y,a,g\n");
    StringBuilder coded = new StringBuilder("y,la,gq,gr\n");
    for (int i = 1; i <= 60; i++) {
      double y = Math.sin(i) + i % 3;
      String g = List.of("p", "q", "r").get(i % 3);
      raw.append(y).append(',').append(i).append(',').append(g).append('\n');
      coded.append(y).append(',').append(Math.log(1 + i)).append(',');
      coded.append(g.equals("q") ? 1 : 0).append(',').append(g.equals("r") ? 1 : 0).append('\n');
    }
    Files.writeString(folder.resolve("raw.csv"), raw);
    Files.writeString(folder.resolve("coded.csv"), coded);
    Command formula =
        fit(
            "--data",
            "DIR/raw.csv",
            "--formula",
            "y ~ log(1 + a) + g",
            "--clients",
            "5",
            "--partition",
            "sorted",
            "--format",
            "json");
    Command plain =
        fit(
            "--data",
            "DIR/coded.csv",
            "--response",
            "y",
            "--clients",
            "5",
            "--partition",
            "sorted",
            "--format",
            "json");
    assertThat(formula.code()).as(formula.err()).isEqualTo(0);
    assertThat(names(formula.json())).containsExactly("(Intercept)", "log(1 + a)", "gq", "gr");
    for (int j = 0; j < 4; j++) {
      for (String number : List.of("globalEstimate", "estimate")) {
        assertThat(formula.json().get("coefficients").get(j).get(number).asDouble())
            .isCloseTo(
                plain.json().get("coefficients").get(j).get(number).asDouble(), within(1e-12));
      }
    }
  }

  @Test
  void fit_columnThatIsNotInTheFormula_mayCutTheClients() {
    Command run =
        fit(
            "--data",
            "DIR/south.tsv",
            "--formula",
            "y ~ x",
            "--partition",
            "column:health",
            "--format",
            "json");
    assertThat(run.code()).as(run.err()).isEqualTo(0);
    assertThat(run.json().get("clients").asInt()).isEqualTo(3);
    Command site =
        fit(
            "--data",
            "DIR/south.tsv",
            "--formula",
            "y ~ x + site - 1",
            "--partition",
            "column:health",
            "--format",
            "json");
    assertThat(names(site.json())).containsExactly("x", "siteaverage", "sitegood", "sitepoor");
  }

  @Test
  void fit_yamlFile_saysAllOfIt() throws IOException {
    Files.writeString(
        folder.resolve("fit.yaml"),
        """
        site: [n=north.csv, s=south.tsv]
        na: ["?"]
        formula: y ~ x + factor(health, ref = 'poor')
        network: complete
        algorithm: ngd
        alpha: 0.1
        rounds: 40
        format: json
        """);
    Command run = Command.run("fit", folder.resolve("fit.yaml").toString());
    assertThat(run.code()).as(run.err()).isEqualTo(0);
    assertThat(names(run.json()))
        .containsExactly("(Intercept)", "x", "factor(health)average", "factor(health)good");
  }

  @Test
  void fit_wrongRequests_saySoAndExitWithTwo() throws IOException {
    Files.writeString(folder.resolve("east.csv"), "y,X,health\n1,2,3\n");
    Files.writeString(folder.resolve("empty.csv"), "y,x,health\n1,,good\n2,,poor\n");
    Files.writeString(folder.resolve("holes.csv"), "y,x,health\n1,,good\n,2,poor\n");
    record Case(String words, String message) {}
    for (Case one :
        List.of(
            new Case("--site n=DIR/north.csv --formula y~x+", "~x+\nngd fit:       ^"),
            new Case(
                "--site n=DIR/north.csv --site e=DIR/east.csv --na ? --formula y~x",
                "site e: must have a column x as site n has; it has none; did you mean `X`?"),
            new Case(
                "--site s=DIR/south.tsv --site e=DIR/east.csv --formula y~health",
                "column health: holds text at site s and numbers at site e; the types must agree"),
            new Case(
                "--site s=DIR/south.tsv --site e=DIR/empty.csv --formula y~x",
                "column x: holds numbers at site s and only missing values at site e; the types"
                    + " must agree"),
            new Case(
                "--site s=DIR/south.tsv --site e=DIR/holes.csv --formula y~x",
                "site e: must have at least one complete row; of 2 none is; missing: x in 1 row, y"
                    + " in 1 row"),
            new Case(
                "--site n=DIR/north.csv --na ? --missing fail --formula y~x",
                "site n: rows must be complete (--missing fail); missing: x in 1 row"),
            new Case("--site n=DIR/north.csv --formula y~log(health)", "health must be a number"),
            new Case("--site n=DIR/no.csv --formula y~x", "it does not exist"),
            new Case("--site DIR/north.csv --formula y~x", "the form is NAME=PLACE"),
            new Case(
                "--site n=DIR/north.csv", "--formula: must be given: the model formula, such as"),
            new Case(
                "--site n=DIR/north.csv --formula y~x --partition sorted",
                "--partition: works only with --data"),
            new Case("--site n=DIR/north.csv --formula y~zzz", "no site has a column zzz"),
            new Case("--site n=DIR/north.csv --formula health~y", "write `health = 'a level'`"),
            new Case(
                "--site n=jdbc:postgresql://u:hush@localhost:1/db --query t --formula y~x",
                "site n: jdbc:postgresql://localhost:1/db refuses: "),
            new Case(
                "--data DIR/south.tsv --formula y~x --missing perhaps", "must be drop or fail"),
            new Case(
                "--data DIR/south.tsv --formula y~x --partition column:ward", "no such column"),
            new Case("--formula y~x --clients 2", "--formula: needs --data or --site"),
            new Case(
                "--data DIR/south.tsv --formula y~x --clients 2 --family poisson",
                "site 0, complete row 1, `y`"))) {
      Path out = folder.resolve("out");
      List<String> words = new ArrayList<>(List.of(one.words().split(" ", -1)));
      words.addAll(List.of("--out", out.toString()));
      Command run = fit(words.toArray(String[]::new));
      assertThat(run.code()).as(one.words() + run.err()).isEqualTo(2);
      assertThat(run.err()).contains(one.message()).doesNotContain("hush");
      assertThat(run.out()).isEmpty();
      assertThat(Files.exists(out)).as("nothing half-written").isFalse();
    }
  }

  /** The manifest names the database, not who reads it. */
  @Test
  void fit_runFolder_holdsTheFormulaAndNoSecrets() throws IOException {
    Path out = folder.resolve("run");
    String url = "jdbc:sqlite:" + folder.resolve("d.sqlite");
    try (java.sql.Connection connection = java.sql.DriverManager.getConnection(url);
        java.sql.Statement statement = connection.createStatement()) {
      statement.execute("create table v (y real, x real)");
      statement.execute("insert into v values (1, 1), (2.5, 2), (2.8, 3), (4.4, 4)");
    } catch (java.sql.SQLException e) {
      throw new IOException(e);
    }
    Command run =
        fit(
            "--site",
            "a=" + url + "?password=hush",
            "--site",
            "b=" + url,
            "--query",
            "v",
            "--query",
            "b=select y, x + 1 as x from v",
            "--formula",
            "y ~ x",
            "--out",
            out.toString());
    assertThat(run.code()).as(run.err()).isEqualTo(0);
    String manifest = Files.readString(out.resolve("manifest.json"));
    assertThat(manifest).contains("y ~ x").contains("a (jdbc:sqlite:").doesNotContain("hush");
    assertThat(run.out() + run.err()).doesNotContain("hush");
  }

  /** A study's tables, report, figures and their names hold the place, too, and not the secret. */
  @Test
  void study_ofADatabase_writesNoPassword() throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve("own.sqlite");
    try (Connection database = DriverManager.getConnection(url);
        Statement statement = database.createStatement()) {
      statement.executeUpdate("create table visits (y double, x double)");
      for (int i = 0; i < 30; i++) {
        statement.executeUpdate("insert into visits values (%d, %d)".formatted(i * i % 7, i % 5));
      }
    }
    Path study =
        Files.writeString(
            folder.resolve("own.yaml"),
            """
            data: "%s?password=hush"
            query: select * from visits
            formula: [y ~ x, y ~ 1 + x]
            clients: 3
            networks: ring:1
            alphas: 0.05
            rounds: 5
            replicates: 2
            """
                .formatted(url));
    Path out = folder.resolve("study");
    Command done =
        Command.run("study", study.toString(), "--out", out.toString(), "--replicate-table", "csv");
    assertThat(done.code()).as(done.err()).isZero();
    assertThat(done.out() + done.err()).doesNotContain("hush");
    try (Stream<Path> files = Files.walk(out)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(file.getFileName().toString()).doesNotContain("hush");
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).doesNotContain("hush");
      }
    }
  }

  /** Oracle: a row of weight 3 counts like three rows, and an offset moves the response. */
  @Test
  void fit_offsetAndWeights_areRepeatedRowsAndAShiftedResponse() throws IOException {
    StringBuilder weighted = new StringBuilder("y,x,e,w\n");
    StringBuilder repeated = new StringBuilder("y,x\n");
    for (int i = 1; i <= 12; i++) {
      double y = Math.cos(i) + i;
      int w = 1 + i % 3;
      weighted.append("%s,%d,%s,%d\n".formatted(y, i, Math.exp(i % 2), w));
      repeated.append("%s,%d\n".formatted(y - i % 2, i).repeat(w));
    }
    Files.writeString(folder.resolve("w.csv"), weighted);
    Files.writeString(folder.resolve("r.csv"), repeated);
    Command one =
        fit(
            "--site",
            "a=DIR/w.csv",
            "--formula",
            "y ~ x + offset(log(e)) + weights(w)",
            "--format",
            "json");
    Command other = fit("--site", "a=DIR/r.csv", "--formula", "y ~ x", "--format", "json");
    assertThat(one.code()).as(one.err()).isEqualTo(0);
    for (int j = 0; j < 2; j++) {
      assertThat(one.json().get("coefficients").get(j).get("globalEstimate").asDouble())
          .isCloseTo(
              other.json().get("coefficients").get(j).get("globalEstimate").asDouble(),
              within(1e-10));
    }
  }

  /** Oracle: the mean of the three days counted by hand; it is shown to the day. */
  @Test
  void describe_aColumnOfDates_isSummarisedInDates() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("dates.csv"), "seen,x\n2024-01-05,1\n2024-02-06,2\n,3\n2024-03-07,4\n");
    Command run = Command.run("describe", "--data", file.toString());
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .containsPattern(
            "seen +3 +1 +2024-02-05 +31\\.0\\d+ +2024-01-05 +2024-01-05 +2024-02-06 +2024-03-07");
  }

  /** Oracle: the same rows as most files have them; the answers are the same to the bit. */
  @Test
  void fit_otherDecimalSignAndEncoding_isTheSameAnswer() throws IOException {
    StringBuilder plain = new StringBuilder("y,größe,ort\n");
    for (int i = 0; i < 30; i++) {
      plain.append("%s,%s,%s\n".formatted(i % 7 + 0.5, i * 0.25, i % 2 == 0 ? "Köln" : "Bonn"));
    }
    String commas = plain.toString().replace(',', ';').replace('.', ',');
    Files.writeString(folder.resolve("p.csv"), plain);
    Files.write(folder.resolve("k.csv"), commas.getBytes(StandardCharsets.ISO_8859_1));
    String[] common = {"--formula", "y ~ größe + ort", "--network", "complete", "--format", "json"};
    Command expected = command("fit --site n=DIR/p.csv --site s=DIR/p.csv", common);
    Command found =
        command(
            "fit --site n=DIR/p.csv --site s=DIR/k.csv --decimal s=, --encoding s=latin-1", common);
    assertThat(found.json().get("coefficients")).isEqualTo(expected.json().get("coefficients"));
    Command described =
        command("describe --data DIR/k.csv --decimal , --encoding latin-1", "--format", "json");
    assertThat(described.json().get("variables").get(1).get("mean").asDouble()).isEqualTo(3.625);
    String base = "fit --site n=a.csv --formula y~x --network complete ";
    Command decimal = Command.line(base + "--decimal z=,");
    assertThat(decimal.code()).isEqualTo(2);
    assertThat(decimal.err()).contains("--decimal: the site must be one of n; got `z=,`");
    Command encoding = Command.line(base + "--encoding zz");
    assertThat(encoding.code()).isEqualTo(2);
    assertThat(encoding.err()).contains("encoding: must be the name of a character encoding");
  }

  private Command command(String line, String... more) {
    List<String> words =
        new ArrayList<>(List.of(line.replace("DIR", folder.toString()).split(" ")));
    words.addAll(List.of(more));
    Command run = Command.run(words.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isZero();
    return run;
  }

  @Test
  void columnsThatDiffer_areLeftOutOfTheDotAndSaid() throws IOException {
    Files.writeString(folder.resolve("u.csv"), "y,x,age\n1,2,30\n2,1,40\n3,5,50\n4,4,60\n");
    Files.writeString(folder.resolve("v.csv"), "y,x,age\n2,2,31\n1,1,?\n3,4,51\n5,4,61\n");
    Command run =
        command(
            "fit --site n=DIR/u.csv --site s=DIR/v.csv --formula y~. --network complete",
            "--format",
            "json");
    assertThat(run.err())
        .contains("ngd fit: column age is left out of `.`: numbers at n; text at s");
    assertThat(run.json().get("columnsLeftOut")).hasSize(1);
    assertThat(run.json().get("coefficients")).hasSize(2);
    Command described = command("describe --site n=DIR/u.csv --site s=DIR/v.csv");
    assertThat(described.out()).contains("age: 8 values, 0 missing; holds numbers at n; text at s");
    Command named =
        Command.run("describe", "--data", folder.resolve("v.csv").toString(), "--columns", "age");
    assertThat(named.out())
        .contains(
            "Note: site data: column `age` is text, but 3 of 4 values are numbers; the others: `?`"
                + " (1) (--na names missing values)");
  }

  /** A rehearsal warns of what real sites refuse, and its description shows no small count. */
  @Test
  void sites_aLevelOfOneRow_isWarnedOfAndNotDescribed() throws IOException {
    StringBuilder rows = new StringBuilder("y,x,job\n");
    for (int i = 0; i < 20; i++) {
      String job = i == 3 ? "bishop" : i < 12 ? "nurse" : "clerk";
      rows.append("%d,%s,%s\n".formatted(i % 5, Math.sin(i), job));
    }
    Path file = Files.writeString(folder.resolve("jobs.csv"), rows);
    String[] site = {"--site", "a=" + file, "--site", "b=" + file};
    List<String> words = new ArrayList<>(List.of("fit", "--formula", "y ~ x + job"));
    words.addAll(List.of(site));
    words.addAll(List.of("--network", "complete"));
    Command fitted = Command.run(words.toArray(String[]::new));
    assertThat(fitted.code()).as(fitted.err()).isZero();
    assertThat(fitted.err())
        .contains(
            "ngd fit: warning: a real site would refuse this question: site a: job = bishop in 1"
                + " row");
    List<String> asked = new ArrayList<>(List.of("describe", "--by-site"));
    asked.addAll(List.of(site));
    Command described = Command.run(asked.toArray(String[]::new));
    assertThat(described.out())
        .doesNotContain("bishop")
        .containsPattern("= nurse +≥22 ")
        .containsPattern("<3 +18 ")
        .contains("<3: levels of fewer rows at a site");
    assertThat(Command.run("describe", "--data", file.toString()).out())
        .containsPattern("= bishop +1 ");
  }

  /** fixed:1 of few clients leaves some unheard; the fit says so, as `network` does. */
  @Test
  void fit_clientsThatNobodyHears_areWarnedOf() {
    String words = "--network fixed:1 --clients 12 --seed 3";
    String warned = Command.line("network " + words).out();
    assertThat(warned).contains("heard by nobody");
    Command run = Command.line("fit --simulate linear --rows 120 --alpha 0.05 --rounds 3 " + words);
    assertThat(run.err()).contains("ngd fit: warning: ", "heard by nobody");
  }
}
