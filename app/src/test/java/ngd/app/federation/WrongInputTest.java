package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import ngd.app.Command;
import ngd.core.file.Sha256;
import ngd.peer.identity.Authority;
import ngd.peer.identity.Packing;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.plan.WrittenPlan;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * Wrong words to every command of {@code federation} and {@code peer}: each ends with exit code 2,
 * names what is wrong, and leaves every file as it was.
 */
class WrongInputTest {
  @TempDir static Path dir;

  /** The folders and files that the lines below name. */
  private static Map<String, String> places;

  @BeforeAll
  static void make() throws IOException {
    Path now = federation("now", InstantSource.system());
    Path old =
        federation("old", InstantSource.fixed(Instant.now().minus(Duration.ofDays(4 * 365))));
    Path empty = Files.createDirectory(dir.resolve("empty"));
    Path file = Files.writeString(dir.resolve("file.txt"), "words\n");
    Path table = Files.writeString(dir.resolve("table.csv"), "y,x\n1,2\n2,3\n");
    Path broken = Files.writeString(dir.resolve("broken.yaml"), "a: [b\n");
    Path odd = Files.writeString(dir.resolve("odd.yaml"), "formla: y ~ x\nfamily: gaussian\n");
    Path dictionary = Files.writeString(dir.resolve("dictionary.yaml"), "x: number\n");
    places = new TreeMap<>();
    places.put("{plan}", now.resolve("plan.yaml").toString());
    places.put("{authority}", now.resolve("authority").toString());
    places.put("{a}", now.resolve("sites/a").toString());
    places.put("{old}", old.resolve("sites/a").toString());
    places.put("{empty}", empty.toString());
    places.put("{file}", file.toString());
    places.put("{table}", table.toString());
    places.put("{broken}", broken.toString());
    places.put("{odd}", odd.toString());
    places.put("{dictionary}", dictionary.toString());
    places.put("{none}", dir.resolve("none").toString());
    places.put("{new}", dir.resolve("new.yaml").toString());
    places.put("{out}", dir.resolve("out").toString());
  }

  private static Path federation(String name, InstantSource clock) throws IOException {
    Path folder = Files.createDirectory(dir.resolve(name));
    List<Site> sites = List.of(new Site("a", "127.0.0.1", 7001), new Site("b", "127.0.0.1", 7002));
    String text = new PlanTemplate().with("network", "complete").text(sites);
    Path file = Files.writeString(folder.resolve("plan.yaml"), text);
    WrittenPlan plan = PlanReader.parse(text);
    Authority authority = Authority.create(folder.resolve("authority"), name, clock);
    Packing.allLocal(authority, plan, file, folder.resolve("sites"));
    return folder;
  }

  /** Every file with its content. */
  private static Map<String, String> files() {
    Map<String, String> found = new TreeMap<>();
    try (var all = Files.walk(dir)) {
      for (Path one : all.toList()) {
        found.put(
            dir.relativize(one).toString(),
            Files.isDirectory(one)
                ? "folder"
                : Sha256.hex(Arrays.toString(Files.readAllBytes(one))));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /** Words between blanks; quotes keep words together. */
  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    var found = Pattern.compile("'([^']*)'|(\\S+)").matcher(line);
    while (found.find()) {
      String word = found.group(1) == null ? found.group(2) : found.group(1);
      for (Map.Entry<String, String> place : places.entrySet()) {
        word = word.replace(place.getKey(), place.getValue());
      }
      words.add(word);
    }
    return words;
  }

  /** A command, and after the bar what its message says, parts with {@code &} between them. */
  @ParameterizedTest
  @Timeout(60)
  @ValueSource(
      strings = {
        "federation new | PLAN & must be given",
        "federation new {new} --authority {out} --site a=h:1 | --site & at least two & got 1",
        "federation new {new} --authority {out} --site a --site b=h:2 | NAME=HOST:PORT & `a`",
        "federation new {new} --authority {out} --site a=h:1 --site b=h:0 | port & 0",
        "federation new {plan} --authority {out} --site a=h:1 --site b=h:2 | already exists",
        "federation new {new} --authority {out} --site a=h:1 --site b=h:2 --network circel:1 |"
            + " circel & circle",
        "federation new {new} --authority {out} --site a=h:1 --site b=h:2 --family binomial |"
            + " --formula & --family",
        "federation new {new} --authority {out} --site a=h:1 --site b=h:2 --dictionary {none} |"
            + " none & does not exist",
        "federation new {new} --authority {out} --site a=h:1 --site b=h:2 --dictionary {broken} |"
            + " broken.yaml & YAML",
        "federation new {new} --authority {out} --site a=h:1 --site b=h:2 --asker c | c & not a"
            + " site",
        "federation admit {plan} --authority {authority} | --at & HOST:PORT",
        "federation admit {plan} --authority {authority} --at here | --at & here",
        "federation admit {plan} --authority {authority} --at 127.0.0.1:99999 --invitation {out} |"
            + " port & 99999",
        "federation admit {none} --authority {authority} --at 127.0.0.1:1 | none & does not exist",
        "federation admit {plan} --authority {none} --at 127.0.0.1:1 | none",
        "federation admit {plan} --authority {authority} --at 127.0.0.1:0 --words a --invitation"
            + " {out} | NAME=WORDS & `a`",
        "federation approve --authority {authority} | REQUEST & --fingerprint",
        "federation approve {none} --fingerprint x --authority {authority} | none",
        "federation approve {file} --fingerprint x --authority {authority} | file.txt & CERTIFICATE"
            + " REQUEST",
        "federation approve {empty} --fingerprint x --authority {authority} | empty",
        "federation approve {file} --fingerprint x --days 0 --authority {authority} | --days & [1,"
            + " 3650] & 0",
        "federation pack --authority {authority} | PLAN & must be given",
        "federation pack {none} --authority {authority} --out {out} | none & does not exist",
        "federation pack {empty} --authority {authority} --out {out} | is a folder",
        "federation pack {broken} --authority {authority} --out {out} | broken.yaml & YAML",
        "federation pack {odd} --authority {authority} --out {out} | unknown key `formla` &"
            + " formula",
        "federation pack {plan} --authority {none} --out {out} | none",
        "federation pack {plan} --authority {file} --out {out} | file.txt",
        "federation pack {plan} --authority {authority} --out {file} | file.txt",
        "federation ask --member {a} | formula & must be given",
        "federation ask --member {a} --formula 'y ~' --family gaussian | formula",
        "federation ask --member {a} --formula 'y ~ x' --family gaussian --penalty elastic-net:2 |"
            + " penalty & [0, 1] & 2",
        "federation ask --member {a} --formula 'y ~ x' --family gaussian --penalty lasso --impute 3"
            + " | penalty & --impute",
        "federation ask --member {a} --formula 'y ~ x' --family gaussian --penalty lasso"
            + " --treatment 'x ~ z' | penalty & --treatment",
        "federation ask --member {a} --formula 'y ~ x' --family gaussian --folds 5 | --folds &"
            + " works only with --penalty",
        "federation ask --member {a} --formula 'y ~ x' --family gausian | gausian & gaussian",
        "federation ask --member {a} --formula 'y ~ x' --family binomial --quadrature 0 |"
            + " --quadrature & at least 1 & got 0",
        "federation ask --member {a} --formula 'y ~ x' --family binomial --quadrature 5 |"
            + " quadrature & random terms",
        "federation ask --member {a} --formula 'y ~ x' --family gaussian --alpha 0.1 --rounds 5"
            + " --codec topp:3 | --codec & `topp:3` & `top:K`",
        "federation ask --member {a} --formula 'y ~ x' --family gaussian --codec sign | --codec &"
            + " pooled fit",
        "federation ask --member {a} --kind describe --columns x --robust | --robust & --kind fit",
        "federation ask --member {none} --formula 'y ~ x' --family gaussian | none & does not"
            + " exist",
        "federation ask --member {file} --formula 'y ~ x' --family gaussian | file.txt & is a file",
        "federation ask --member {empty} --formula 'y ~ x' --family gaussian | --member & unpacked"
            + " kit & plan.yaml does not exist",
        "federation ask --member {a} --formula 'y ~ x' --family gaussian --out {a} | sites/a &"
            + " empty",
        "federation ask --member {a} --formula 'y ~ x' --family gaussian --out {file} | file.txt",
        "federation ask --member {old} --formula 'y ~ x' --family gaussian | expired",
        "federation ask {none} --member {a} | none & does not exist",
        "federation ask {broken} --member {a} | broken.yaml & YAML",
        "federation ask {odd} --member {a} | odd.yaml, line 1 & formla & formula",
        "federation add --authority {authority} | PLAN and NAME=HOST:PORT",
        "federation add {plan} c --authority {authority} | NAME=HOST:PORT & `c`",
        "federation add {plan} a=127.0.0.1:3 --authority {authority} | `a` & already",
        "federation add {none} c=127.0.0.1:3 --authority {authority} | none & does not exist",
        "federation add {plan} c=127.0.0.1:3 --authority {none} | none",
        "federation leave | SITE & must be given",
        "federation leave z {plan} --authority {authority} --out {out} | `z` & not in the plan &"
            + " [a, b]",
        "federation leave a {none} --authority {authority} --out {out} | none & does not exist",
        "federation leave a {plan} --authority {authority} --out {out} --member {none} | none",
        "federation leave a {plan} --authority {none} --out {out} | none",
        "federation leave a {plan} --authority {authority} --out {file} | file.txt",
        "federation dictionary {dictionary} {plan} --authority {authority} --out {file} | file.txt",
        "federation leave b --vote | --member & must be given",
        "federation leave b --vote --member {a} | --vote & quorum & none",
        "federation new {new} --authority {out} --site a=h:1 --site b=h:2 --quorum 1 | quorum & at"
            + " least 2 & 1",
        "federation dictionary | FILE & must be given",
        "federation dictionary {none} {plan} --authority {authority} --out {out} | none & does not"
            + " exist",
        "federation dictionary {broken} {plan} --authority {authority} --out {out} | broken.yaml &"
            + " YAML",
        "federation dictionary {dictionary} {none} --authority {authority} --out {out} | none &"
            + " does not exist",
        "federation dictionary {dictionary} {plan} --authority {authority} --out {out} --member"
            + " {empty} | plan.yaml",
        "federation revoke --authority {authority} | SITE & must be given",
        "federation revoke z --authority {authority} | z",
        "federation revoke a --authority {none} | none",
        "federation exposure | PLAN & must be given",
        "federation exposure {none} | none & does not exist",
        "federation exposure {broken} | broken.yaml & YAML",
        "federation exposure {plan} --rounds -1 | --rounds & -1",
        "federation exposure {plan} --coalition 0 | coalition & 0",
        "federation status | PEER & must be given",
        "federation rehearse | PLAN & must be given",
        "federation rehearse {none} | none & does not exist",
        "federation rehearse {plan} --out {out} --data a={table} --data b={table} | plan.yaml &"
            + " formula & asks nothing",
        "peer join | INVITATION & --name",
        "peer join {none} --name a --into {out} | none",
        "peer join {broken} --name a --into {out} | broken.yaml & invitation",
        "peer request | --name & must be given",
        "peer request --name 'a b' --into {out} | a b",
        "peer request --name c --into {file} | file.txt",
        "peer run {none} --data {table} | none & does not exist",
        "peer run {file} --data {table} | file.txt & is a file",
        "peer run {empty} --data {table} | plan.yaml & does not exist",
        "peer run {a} | --data & must be given",
        "peer run {a} --data {table} --log yaml | --log & text or json & yaml",
        "peer run {a} --data {table} --status-port 99999 | --status-port & 99999",
        "peer run {a} --data {table} --linger -1 | --linger & -1",
        "peer run {a} --data {table} --decimal ; | decimal & ;",
        "peer run {a} --data {table} --encoding utf-9 | encoding & utf-9",
        "peer run {a} --data {table} --name z | z",
        "peer run {old} --data {table} | expired",
        "peer status {none} | none & status.port",
        "peer status {empty} | empty & status.port",
        "peer check --in {a} --formula 'y ~ x' | --data & must be given",
        "peer check --in {a} --data {table} | --formula & must be given",
        "peer check --in {a} --data {none} --formula 'y ~ x' | none",
        "peer check --in {a} --data {table} --formula 'y ~ q' | q",
        "peer check --in {a} --data {table} --dictionary {none} | none & does not exist",
        "peer check --in {a} --data {table} --dictionary {broken} | broken.yaml & YAML",
        "peer check {a} --data {table} | it is a folder, which --member takes",
        "peer check --member {a} --data {table} | --formula & must be given",
        "peer check {odd} --in {a} --data {table} | formla & formula",
        "peer questions {none} | none & does not exist",
        "peer questions {file} | file.txt & is a file",
        "peer questions {empty} | plan.yaml & does not exist",
        "peer questions {old} | expired",
        "peer approve --in {a} | N & must be given",
        "peer approve 1 --in {none} | none & does not exist",
        "peer approve 1 --member {a} | question `1` & there is none",
        "peer approve 1 --in {a} | question `1` & there is none",
        "peer refuse 1 --in {a} | --why & must be given",
        "peer refuse 1 --why because --in {a} | question `1` & there is none",
        "peer refuse x --why because --in {file} | file.txt & is a file",
        "peer log {none} | none & does not exist",
        "peer log {empty} | plan.yaml & does not exist",
        "peer update --in {a} | KIT & must be given",
        "peer update {none} --in {a} | none",
        "peer update {file} --in {a} | file.txt & kit",
        "peer update {empty} --in {a} | empty & kit",
        "peer confirm --in {a} | no change of members waits here",
        "peer confirm --in {none} | none & does not exist",
        "federation frobnicate | frobnicate",
        "peer frobnicate | frobnicate",
        "federation ask --member {a} --formula 'y ~ x' --family gaussian --treatment 'z ~ x' |"
            + " treatment & predictor of --formula & z",
        "federation ask --member {a} --formula 'y ~ x' --family gaussian --impute many |"
            + " --impute & whole number & many",
        "federation ask --memebr {a} | --memebr & --member",
        "peer approve 1 2 --in {a} | 2"
      })
  void command_wrongWords_isRefusedAndNothingIsWritten(String line) {
    String command = line.substring(0, line.indexOf(" | "));
    Map<String, String> before = files();
    Command refused = Command.run(words(command).toArray(String[]::new));
    assertThat(refused.code()).as(refused.out() + refused.err()).isEqualTo(2);
    for (String part : line.substring(line.indexOf(" | ") + 3).split(" & ", -1)) {
      assertThat(refused.err()).contains(part);
    }
    assertThat(refused.err()).doesNotContain("Exception").doesNotContain("\tat ");
    assertThat(refused.out()).isEmpty();
    assertThat(files()).isEqualTo(before);
  }

  /** A command that nobody tried is a hole in the table above; hidden ones no person gives. */
  @Test
  void commands_allOfThem_areInTheTable() throws Exception {
    String table =
        Arrays.toString(
            WrongInputTest.class
                .getDeclaredMethod("command_wrongWords_isRefusedAndNothingIsWritten", String.class)
                .getAnnotation(ValueSource.class)
                .strings());
    for (var group : List.of(new FederationCommand(), new PeerCommand.Whole())) {
      CommandLine line = new CommandLine(group);
      line.getSubcommands().entrySet().stream()
          .filter(one -> !one.getValue().getCommandSpec().usageMessage().hidden())
          .forEach(
              one ->
                  assertThat(table)
                      .contains("%s %s ".formatted(line.getCommandName(), one.getKey())));
    }
  }
}
