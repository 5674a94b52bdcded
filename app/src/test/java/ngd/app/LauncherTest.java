package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The launcher itself, in checkouts that lie in awkward places. The oracle is what it prints. */
class LauncherTest {
  private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

  @TempDir Path dir;

  private record Ended(int code, String out, String err) {}

  private Ended run(List<String> command) throws Exception {
    Path out = dir.resolve("out");
    Path err = dir.resolve("err");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("NGD_JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("NGD_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  /** The launcher alone, with the folders of sources that it looks at. */
  private Path checkout(String name) throws IOException {
    Path root = Files.createDirectories(dir.resolve(name));
    Files.copy(REPOSITORY.resolve("ngd"), root.resolve("ngd"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.createDirectory(root.resolve("launcher"));
    try (Stream<Path> parts = Files.list(REPOSITORY.resolve("launcher"))) {
      for (Path part : parts.toList()) {
        Files.copy(part, root.resolve("launcher").resolve(part.getFileName()));
      }
    }
    Files.createFile(root.resolve("pom.xml"));
    for (String module : List.of("core", "sources", "studies", "spark", "deep", "peer", "app")) {
      Files.createDirectories(root.resolve(module).resolve("src/main"));
      Files.createFile(root.resolve(module).resolve("pom.xml"));
    }
    return root;
  }

  /** As it is after a build, but for the AOT cache: the program is the one under test. */
  private Path built(String name) throws IOException {
    Path root = checkout(name);
    Path run = Files.createDirectories(root.resolve(".build/run-1"));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            Arrays.stream(System.getProperty("java.class.path").split(":", -1))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" ")));
    try (OutputStream jar = Files.newOutputStream(run.resolve("ngd-app.jar"))) {
      new JarOutputStream(jar, manifest).close();
    }
    Files.writeString(root.resolve(".build/current"), "run-1\n");
    Files.createFile(run.resolve("stamp"));
    Files.setLastModifiedTime(run.resolve("stamp"), FileTime.from(Instant.now().plusSeconds(3600)));
    return root;
  }

  @Test
  void ngd_inAFolderWithBlanksAndQuotes_runs() throws Exception {
    Path root = built("it's a \"check out\" $HOME");
    Ended ended =
        run(
            List.of(
                root.resolve("ngd").toString(),
                "network",
                "--network",
                "complete",
                "--clients",
                "3"));
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(ended.out()).contains("complete");
  }

  @Test
  void ngd_inAFolderWithAColon_isRefusedInWords() throws Exception {
    Ended ended = run(List.of(checkout("a:b").resolve("ngd").toString(), "--version"));
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err())
        .startsWith("ngd: the path of the checkout must not contain `:`")
        .hasLineCount(1);
  }

  /** A file where the folder is to be: nobody, not even root, can write below it. */
  @Test
  void ngd_unbuiltWhereNothingCanBeWritten_isRefusedInWords() throws Exception {
    Path root = checkout("read only");
    Files.createFile(root.resolve(".build"));
    Ended ended = run(List.of(root.resolve("ngd").toString(), "--version"));
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err())
        .startsWith("ngd: must build before its first run, into " + root.resolve(".build"))
        .hasLineCount(1);
  }

  /** What a part of `ngd package` prints. */
  private Ended packaging(String words) throws Exception {
    String script = "root=$1; flags=(--one '-X:t*=o'); . \"$root/launcher/package.sh\"; " + words;
    return run(List.of("bash", "-c", script, "package", REPOSITORY.toString(), dir.toString()));
  }

  /** The oracle: the engines read all but plain text, and formulas of fits (docs/sources.md). */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          study | data: visits.csv            | false
          study | data: "visits.csv.gz" # own | false
          study | name: own                   | false
          study | formula: y ~ x              | true
          study | "data": visits.tsv          | true
          study | "data" : visits.csv         | false
          study | {data: visits.csv, na: "?"} | true
          study | {rows: 10, data: a.tsv}     | true
          study | {rows: 100, clients: 10}    | false
          study | data: visits.parquet        | true
          study | data: visits.xlsx           | true
          study | data: jdbc:sqlite:a.db      | true
          study | missing: fail               | true
          fit   | formula: y ~ x              | true
          fit   | data: visits.csv            | false
          fit   | data: visits.xlsx           | true
          fit   | "formula": y ~ x            | true
          """)
  void wantsSources_yamlFile_onlyWhereTheEnginesReadItsData(
      String command, String line, boolean wanted) throws Exception {
    Path file = Files.writeString(dir.resolve("own.yaml"), line + "\n");
    String script = ". \"$1/launcher/sources.sh\"; wants_sources \"${@:2}\"";
    Ended ended =
        run(List.of("bash", "-c", script, "w", REPOSITORY.toString(), command, file.toString()));
    assertThat(ended.code()).as(ended.err()).isEqualTo(wanted ? 0 : 1);
  }

  /** What a fit is started with: its compiler, its kernels and its cache. */
  private String light(String words) throws Exception {
    String script =
        "run_flags=(P); vectors=(V); cached=ngd.aot; . \"$1/launcher/light.sh\"; cd \"$2\"; use_light %s; printf '%%s ' \"${run_flags[@]}\" \"${vectors[@]}\" \"$cached\""
            .formatted(words);
    return run(List.of("bash", "-c", script, "light", REPOSITORY.toString(), dir.toString()))
        .out()
        .strip();
  }

  @Test
  void useLight_pooledFitsAndDescriptionsOfTextFiles_startWithoutWhatDoesNotPay() throws Exception {
    Files.writeString(dir.resolve("a b.csv"), "y,x\n1,2\n");
    Files.writeString(dir.resolve("c.parquet"), "");
    String light = "P -Dngd.kernels=scalar light.aot";
    String small = "P -XX:TieredStopAtLevel=1 -Dngd.kernels=scalar light.aot";
    String full = "P V ngd.aot";
    assertThat(light("fit --site 'n=a b.csv' --formula y~x")).isEqualTo(small);
    assertThat(light("fit '--data=a b.csv' --formula y~x")).isEqualTo(small);
    assertThat(light("describe --site 'n=a b.csv' --by x")).isEqualTo(small);
    for (String other :
        List.of(
            "fit --site 'n=a b.csv' --alpha 0.1",
            "fit --site 'n=a b.csv' --site m=c.parquet",
            "fit --site n=nowhere.csv",
            "fit --simulate linear",
            "fit 'a b.yaml'",
            "check --data 'a b.csv'",
            "")) {
      assertThat(light(other)).as(other).isEqualTo(full);
    }
    assertThat(light("none; small_bytes=1; use_light fit --data 'a b.csv'")).isEqualTo(light);
    assertThat(light("none; light_bytes=1; use_light fit --data 'a b.csv'")).isEqualTo(full);
    assertThat(light("none; compressed=(C); use_light fit --data 'a b.csv'"))
        .isEqualTo(small.replace(" light.aot", " C light.aot"));
    String passes = "none; many_passes_bytes=1; use_light fit --data 'a b.csv' --penalty lasso";
    assertThat(light(passes)).isEqualTo(full);
    assertThat(light(passes + " --folds 0")).isEqualTo(small);
    assertThat(light(passes.replace("=1;", "=99;"))).isEqualTo(small);
  }

  /** An AOT cache fits one alignment of objects only. */
  @Test
  void useAligned_studiesAndBenchmarksOfRounds_alignObjectsAndUseNoCache() throws Exception {
    String aligned = "P -XX:ObjectAlignmentInBytes=64 V none";
    for (String words : List.of("study figure2", "bench rounds --model linear")) {
      assertThat(light("none; use_aligned " + words)).as(words).isEqualTo(aligned);
    }
    for (String words : List.of("bench peers", "fit --simulate linear", "network")) {
      assertThat(light("none; use_aligned " + words)).as(words).isEqualTo("P V ngd.aot");
    }
  }

  /** A cache is used by a JVM with the modules of the one that made it alone. */
  @Test
  void makeCaches_whereALightFitBuilds_areOfTheModulesOfThoseWhoUseThem() throws Exception {
    Files.writeString(dir.resolve("a.csv"), "y,x\n1,2\n");
    String script =
        "vectors=(--add-modules=jdk.incubator.vector); peer_flags=(P); . \"$1/launcher/light.sh\"; ."
            + " \"$1/launcher/build.sh\"; cd \"$2\"; train() { echo \"$(printf '%s|' \"${@:3}\")\"; };"
            + " \"${@:3}\"; make_caches java run";
    for (String words : List.of("use_light fit --data a.csv", "use_light network")) {
      List<String> command =
          new ArrayList<>(
              List.of("bash", "-c", script, "caches", REPOSITORY.toString(), dir.toString()));
      command.addAll(List.of(words.split(" ")));
      assertThat(run(command).out().lines())
          .as(words)
          .containsExactlyInAnyOrder(
              "ngd.aot|all|--add-modules=jdk.incubator.vector|-XX:+UseParallelGC|",
              "light.aot|fits|-Dngd.kernels=scalar|-XX:+UseParallelGC|",
              "peer.aot|peers|P|");
    }
  }

  @Test
  void windowsLauncher_hasTheOptionsAndPassesWordsAndExitCodeOn() throws Exception {
    Ended ended = packaging("windows_launcher");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out().split("\n", -1))
        .filteredOn(line -> !line.isEmpty())
        .allMatch(line -> line.endsWith("\r"));
    assertThat(ended.out())
        .startsWith("@echo off\r\n")
        .contains(
            "\"%ngd_java%\" --one -X:t*=o %ngd_heap% -XX:+UseParallelGC %NGD_JAVA_OPTS% -cp"
                + " \"%ngd_home%\\ngd-app.jar;%ngd_home%\\sources\\*%ngd_more%\" ngd.app.Main %*\r\n"
                + "exit /b %ERRORLEVEL%\r\n")
        .contains("if defined NGD_CLASSPATH set \"ngd_more=;%NGD_CLASSPATH%\"\r\n")
        // The heap that --memory leaves, as the launcher of other systems computes it.
        .contains("if \"!ngd_before!\"==\"--memory\" (\r\n")
        .contains("set /a ngd_heap=ngd_size*1024*3/4 2>nul\r\n")
        .contains("if %ngd_heap% lss 192 set \"ngd_heap=192\"\r\n")
        .contains("set \"ngd_heap=-Xmx%ngd_heap%m\"\r\n")
        .contains("1>&2\r\nexit /b 2\r\n");
  }

  @Test
  void billOfMaterials_isWhatLiesThere_orRefused() throws Exception {
    Path library =
        Arrays.stream(System.getProperty("java.class.path").split(":", -1))
            .map(Path::of)
            .filter(entry -> entry.getFileName().toString().startsWith("picocli-"))
            .findFirst()
            .orElseThrow();
    for (String folder : List.of("lib", "sources", "runtime")) {
      Files.createDirectory(dir.resolve(folder));
    }
    Files.copy(library, dir.resolve("lib").resolve(library.getFileName()));
    Files.copy(library, dir.resolve("sources").resolve(library.getFileName()));
    Files.writeString(dir.resolve("runtime/release"), "JAVA_VERSION=\"25.0.9\"\n");
    JsonNode bill = JsonMapper.shared().readTree(packaging("bill_of_materials 1.2.3 \"$2\"").out());
    assertThat(bill.path("metadata").path("component").path("version").asString())
        .isEqualTo("1.2.3");
    assertThat(bill.path("components")).hasSize(2);
    JsonNode found = bill.path("components").get(0);
    assertThat(found.path("purl").asString()).startsWith("pkg:maven/info.picocli/picocli@");
    assertThat(found.path("hashes").get(0).path("content").asString())
        .isEqualTo(
            HexFormat.of()
                .formatHex(
                    MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(library))));
    assertThat(bill.path("components").get(1).path("version").asString()).isEqualTo("25.0.9");

    Files.writeString(dir.resolve("lib/other.jar"), "something else");
    Ended refused = packaging("bill_of_materials 1.2.3 \"$2\"");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("other.jar must be a library of dependencies.tsv");
  }

  @Test
  void ngd_withAnotherJdksCache_saysSoAndRuns() throws Exception {
    Path root = built("cached");
    Files.createFile(root.resolve(".build/run-1/ngd.aot"));
    Files.writeString(root.resolve(".build/run-1/release"), "JAVA_VERSION=\"25\"\n");
    Ended ended = run(List.of(root.resolve("ngd").toString(), "--version"));
    assertThat(ended.code()).isZero();
    assertThat(ended.err())
        .startsWith("ngd: the AOT cache was made by another JDK")
        .hasLineCount(1);
  }

  /** Four builders at once: each finds the number that the one before it left. */
  @ParameterizedTest
  @ValueSource(strings = {"", "command() { [[ $2 != flock ]] && builtin command \"$@\"; };"})
  void lock_ofSeveralBuilders_isOnesAtATime(String withoutFlock) throws Exception {
    Path root = checkout("two 'first' builds");
    Files.writeString(root.resolve("number"), "0\n");
    String once =
        "root=$1; . \"$root/launcher/build.sh\"; %s for i in 1 2 3 4 5; do lock; read -r n <\"$root/number\"; printf '%%s\\n' $((n + 1)) >\"$root/number\"; unlock; done"
            .formatted(withoutFlock);
    List<Process> builders = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      builders.add(
          new ProcessBuilder("bash", "-c", once, "builder", root.toString()).inheritIO().start());
    }
    for (Process builder : builders) {
      assertThat(builder.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(Files.readString(root.resolve("number"), StandardCharsets.UTF_8)).isEqualTo("20\n");
  }
}
