package ngd.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import ngd.core.data.PaperModel;
import ngd.core.inference.Coefficient;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Logistic;
import ngd.core.random.Streams;
import ngd.core.simulation.Trace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs of {@code docs/library.md} stand there as here, and compile and run elsewhere. */
final class LibraryPageTest {
  private static final Path SOURCES = Path.of("src/test/java/ngd/library");
  private static final Path PAGE = Path.of("../docs/library.md");

  @Test
  void linearExample_run_nearsThePooledEstimate() {
    Trace trace = LinearExample.run();
    assertThat(trace.last("distance")).isLessThan(0.1 * trace.value(0, "distance"));
  }

  /** The oracle: least absolute deviations fit the five clean rows exactly. */
  @Test
  void ownLossExample_oneWildRow_slopeStaysTwo() {
    for (double slope : OwnLossExample.run()) {
      assertThat(slope).isCloseTo(2, within(0.1));
    }
  }

  /** The oracle: maximum likelihood on all rows by QR, without a network. */
  @Test
  void pooledExample_run_isThePooledEstimate() {
    double[] pooled =
        GlobalEstimate.of(new Logistic(), PaperModel.LOGISTIC.shards(10, 200, Streams.of(7)))
            .theta();
    List<Coefficient> found = PooledExample.run().coefficients();
    for (int j = 0; j < pooled.length; j++) {
      assertThat(found.get(j).estimate())
          .isCloseTo(pooled[j], within(0.01 * found.get(j).standardError()));
    }
  }

  @Test
  void page_examples_areTheSourcesHere() throws IOException {
    String page = Files.readString(PAGE);
    for (String example : List.of("LinearExample", "OwnLossExample", "PooledExample")) {
      String text = Files.readString(SOURCES.resolve(example + ".java"));
      assertThat(page).contains(text.substring(text.indexOf("import ")).strip());
    }
  }

  /** The page as it stands, in a folder of its own, with the library and what it needs alone. */
  @Test
  void page_programs_compileAndRunElsewhere(@TempDir Path folder) throws Exception {
    List<String> programs = programs(folder);
    assertThat(programs).hasSize(3);
    List<String> words = new ArrayList<>(List.of("-cp", classPath(), "-d", folder.toString()));
    programs.forEach(name -> words.add(folder.resolve(name + ".java").toString()));
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, words.toArray(String[]::new)))
        .isZero();
    assertThat(
            said(
                "java",
                "--add-modules=jdk.incubator.vector",
                "-cp",
                classPath() + File.pathSeparator + folder,
                "LinearExample"))
        .contains("client 0 estimates", "distance to the pooled estimate");
  }

  /** Writes the page's programs; their names. */
  private static List<String> programs(Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    Matcher block =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
    while (block.find()) {
      Matcher name =
          Pattern.compile("^final class (\\w+)", Pattern.MULTILINE).matcher(block.group(1));
      assertThat(name.find()).isTrue();
      names.add(name.group(1));
      Files.writeString(folder.resolve(name.group(1) + ".java"), block.group(1));
    }
    return names;
  }

  /**
   * A project of its own with the page's coordinates, after {@code ./ngd install-library}: only
   * with {@code -Dngd.installed=true}, as it needs the installed jars.
   */
  @Test
  @EnabledIfSystemProperty(named = "ngd.installed", matches = "true")
  void page_coordinates_resolveOnceInstalled(@TempDir Path folder) throws Exception {
    Path sources = Files.createDirectories(folder.resolve("src/main/java"));
    var _ = programs(sources);
    Matcher xml =
        Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
    assertThat(xml.find()).isTrue();
    String dependency = xml.group(1).replaceFirst(" *<version>.*</version>\n", "");
    assertThat(xml.find()).isTrue();
    Files.writeString(
        folder.resolve("pom.xml"),
        """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>user</groupId><artifactId>user</artifactId><version>1</version>
          <properties><maven.compiler.release>25</maven.compiler.release></properties>
          <build><plugins><plugin>
            <artifactId>maven-compiler-plugin</artifactId><version>3.16.0</version>
          </plugin><plugin>
            <artifactId>maven-resources-plugin</artifactId><version>3.5.0</version>
          </plugin></plugins></build>
          %s<dependencies>%s</dependencies>
        </project>
        """
            .formatted(xml.group(1), dependency));
    // Without network: the plugins are those that built the project. What a JDK says of Maven's own
    // libraries is not about the page.
    assertThat(run(List.of("mvn", "-B", "-o", "-q", "-f", folder.toString(), "compile")))
        .doesNotContain("[ERROR]", "[WARNING]");
    assertThat(folder.resolve("target/classes/PooledExample.class")).exists();
  }

  @Test
  void script_forJBang_runsWithAJdkAlone() throws Exception {
    assertThat(
            said(
                "java",
                "--add-modules=jdk.incubator.vector",
                "-cp",
                classPath(),
                "../docs/examples/pooled.java"))
        .containsPattern("x1 -?\\d+\\.\\d{3} \\(\\d\\.\\d{3}\\)");
  }

  /** The oracle: a circle is strongly connected, and its W doubly stochastic. */
  @Test
  void session_forJshell_runs() throws Exception {
    assertThat(said("jshell", "--class-path", classPath(), "../docs/examples/network.jsh"))
        .contains("irreducible: true", "SE(W): 0.0");
  }

  /** The oracle is the project's pom; {@code %s} is its version. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          bom/pom.xml               | <artifactId>ngd-bom</artifactId> <version>%s</version>
          docs/library.md           | <artifactId>ngd-core</artifactId> <version>%s</version>
          docs/library.md           | <artifactId>ngd-bom</artifactId> <version>%s</version>
          docs/examples/pooled.java | //JAVA 25+ //DEPS
          docs/examples/pooled.java | :ngd-core:%s //RUNTIME_OPTIONS
          docs/image.md             | deploy/image ngd-%s-linux
          docs/image.md             | `localhost/ngd:%s` by default
          docs/first-federation.md  | tar -xzf ngd-%s-linux
          deploy/compose.yaml       | localhost/ngd:%s}
          deploy/chart/Chart.yaml   | version: %s appVersion: "%s"
          r/DESCRIPTION             | Version: %s
          python/pyproject.toml     | version = "%s"
          python/ngd/__init__.py    | __version__ = "%s"
          """)
  void versions_whereverTheyStand_areTheProjects(String file, String words) throws IOException {
    String project = version(Files.readString(Path.of("../pom.xml")));
    assertThat(Files.readString(Path.of("..").resolve(file)).replaceAll("\\s+", " "))
        .contains(words.replace("%s", project));
  }

  private static String version(String pom) {
    Matcher version = Pattern.compile("<version>(.*?)</version>").matcher(pom);
    assertThat(version.find()).isTrue();
    return version.group(1);
  }

  /** The library and its libraries, without its tests and theirs. */
  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !entry.contains("test-classes") && !entry.contains("junit"))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String said(String tool, String... words) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", tool).toString());
    command.addAll(List.of(words));
    return run(command);
  }

  private static String run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
