package ngd.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import ngd.core.algorithm.AlgorithmDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library as a module: what it exports suffices, and it finds the same algorithms. */
final class ModuleTest {
  private static ModuleDescriptor descriptor() throws IOException {
    try (InputStream in = Files.newInputStream(Path.of("target/classes/module-info.class"))) {
      return ModuleDescriptor.read(in);
    }
  }

  @Test
  void provides_algorithms_areThoseOfTheServicesFile() throws IOException {
    List<String> provided =
        descriptor().provides().stream()
            .filter(one -> one.service().equals(AlgorithmDescriptor.class.getName()))
            .flatMap(one -> one.providers().stream())
            .toList();
    List<String> named =
        Files.readAllLines(
            Path.of("src/main/resources/META-INF/services", AlgorithmDescriptor.class.getName()));
    assertThat(provided).containsExactlyInAnyOrderElementsOf(named);
  }

  @Test
  void exports_theInnerRooms_areNotAmongThem() throws IOException {
    assertThat(descriptor().exports())
        .extracting(ModuleDescriptor.Exports::source)
        .contains("ngd.core", "ngd.core.question", "ngd.core.algorithm.descent")
        .doesNotContain("ngd.core.linalg", "ngd.core.file");
  }

  private static String modulePath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(
            entry ->
                entry.endsWith("core/target/classes")
                    || entry.matches(
                        ".*/(ejml|arpack|commons-|fastcsv|fastdoubleparser|jackson|snakeyaml|jspecify).*\\.jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** A module of its own compiles against it and runs, algorithms found by name included. */
  @Test
  void module_ofAUser_compilesAndRuns(@TempDir Path folder) throws Exception {
    Path source = Files.createDirectories(folder.resolve("src/user"));
    Files.writeString(folder.resolve("src/module-info.java"), "module user { requires ngd.core; }");
    Files.writeString(
        source.resolve("Main.java"),
        """
        package user;
        import java.util.Map;
        import ngd.core.fit.FitSetup;
        import ngd.core.fit.MethodRun;
        import ngd.core.question.FitKeys;
        import ngd.core.question.Question;
        public class Main {
          public static void main(String[] args) {
            Question question = Question.of(FitKeys.ALL, Map.of(
                "simulate", "linear", "rows", "400", "clients", "8", "network", "ring:2",
                "weights", "metropolis", "algorithm", "extra", "alpha", "0.02", "rounds", "4000"));
            var answer = MethodRun.prepare(FitSetup.of(question), 1).run((done, of) -> {});
            System.out.println(answer.last("distance").orElseThrow() < 1e-9);
          }
        }
        """);
    String out = folder.resolve("out").toString();
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "--module-path",
                modulePath(),
                "-d",
                out,
                folder.resolve("src/module-info.java").toString(),
                source.resolve("Main.java").toString());
    assertThat(compiled).isZero();
    Process run =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--module-path",
                modulePath() + File.pathSeparator + out,
                "-m",
                "user/user.Main")
            .redirectErrorStream(true)
            .start();
    String said =
        new String(run.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(said).endsWith("true\n");
  }
}
