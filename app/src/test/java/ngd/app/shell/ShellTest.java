package ngd.app.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import ngd.app.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Completion and manual pages. The oracles are the shells and man themselves. */
class ShellTest {
  @TempDir Path dir;

  private Path script(String shell) throws IOException {
    Command printed = Command.run("completion", shell);
    assertThat(printed.code()).isZero();
    return Files.writeString(dir.resolve("ngd." + shell), printed.out());
  }

  private static boolean there(String program) throws Exception {
    return new ProcessBuilder("sh", "-c", "command -v " + program)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private static List<String> lines(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said.lines().toList();
  }

  @Test
  void completion_bash_completesCommandsAndOptions() throws Exception {
    Path script = script("bash");
    String ask =
        "compopt() { :; }; source '%s'; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE='%s'; _complete_ngd; printf '%%s\\n' \"${COMPREPLY[@]}\"";
    assertThat(lines("bash", "-c", ask.formatted(script, "ngd fe", 1, "ngd fe")))
        .containsExactly("federation");
    assertThat(lines("bash", "-c", ask.formatted(script, "ngd fit --rid", 2, "ngd fit --rid")))
        .contains("--ridge");
    assertThat(
            lines(
                "bash", "-c", ask.formatted(script, "ngd fit --family bi", 3, "ngd fit --family")))
        .containsExactly("binomial");
    // Whatever is offered is understood.
    assertThat(lines("bash", "-c", ask.formatted(script, "ngd fit --progress \"\"", 3, "ngd fit")))
        .containsExactly("bar", "json", "none");
  }

  @Test
  void completion_fish_completesCommandsAndOptions() throws Exception {
    assumeTrue(there("fish"), "needs fish");
    Path script = script("fish");
    String ask = "source '%s'; complete -C '%s'";
    assertThat(lines("fish", "--no-config", "-c", ask.formatted(script, "ngd fe")))
        .anyMatch(line -> line.startsWith("federation\tSets up"));
    assertThat(lines("fish", "--no-config", "-c", ask.formatted(script, "ngd federation a")))
        .anyMatch(line -> line.startsWith("ask\t"));
    assertThat(lines("fish", "--no-config", "-c", ask.formatted(script, "ngd fit --rid")))
        .anyMatch(line -> line.startsWith("--ridge\tRidge penalty"));
    assertThat(lines("fish", "--no-config", "-c", ask.formatted(script, "ngd fit --family bi")))
        .singleElement()
        .asString()
        .startsWith("binomial\t");
    assertThat(lines("fish", "--no-config", "-c", ask.formatted(script, "ngd fit --alpha ")))
        .isEmpty();
  }

  @Test
  void completion_zsh_isRead() throws Exception {
    assumeTrue(there("zsh"), "needs zsh");
    assertThat(
            lines(
                "zsh",
                "-fc",
                "autoload -Uz compinit && compinit -u -D; source '%s'; print ${_comps[ngd]}"
                    .formatted(script("zsh"))))
        .last()
        .asString()
        .contains("_bash_complete");
  }

  @Test
  void completion_anotherShell_isRefused() {
    Command refused = Command.run("completion", "csh");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .isEqualTo("ngd completion: SHELL: must be bash, zsh or fish; got `csh`\n");
  }

  @Test
  void manual_everyCommand_hasItsPage() throws Exception {
    Command written = Command.run("manual", "--out", dir.resolve("man1").toString());
    assertThat(written.err()).isEmpty();
    Path page = dir.resolve("man1/ngd-federation-ask.1");
    assertThat(page).exists();
    assertThat(dir.resolve("man1/ngd.1")).exists();
    // The text of the help is the text of the page, word for word.
    assertThat(Files.readString(dir.resolve("man1/ngd-fit.1")))
        .contains("\\fB\\-\\-ridge\\fR=\\fILAMBDA\\fR", "Ridge penalty: adds LAMBDA/2 times");
    assumeTrue(there("man") && there("groff"), "needs man and groff");
    assertThat(lines("sh", "-c", "MANWIDTH=80 man --warnings -l '%s'".formatted(page)))
        .noneMatch(line -> line.contains("warning"))
        .anyMatch(line -> line.contains("--member=DIR"));
  }

  @Test
  void manual_asMarkdown_isTheReferenceOfTheSite() throws Exception {
    Path pages = dir.resolve("reference");
    Command written = Command.run("manual", "--format", "markdown", "--out", pages.toString());
    assertThat(written.err()).isEmpty();
    assertThat(Files.readString(pages.resolve("ngd-fit.md")))
        .startsWith("# ngd fit\n")
        .contains("| `--ridge=LAMBDA` | Ridge penalty: adds LAMBDA/2 times");
    assertThat(Files.readString(pages.resolve("ngd.md")))
        .contains("[ngd federation](ngd-federation.md)");
    // No link leads nowhere, and no row has more cells than its table.
    try (var files = Files.list(pages)) {
      for (Path file : files.toList()) {
        String page = Files.readString(file);
        Pattern.compile("]\\(([^)]*)\\)")
            .matcher(page)
            .results()
            .forEach(link -> assertThat(pages.resolve(link.group(1))).exists());
        assertThat(page.lines().filter(line -> line.startsWith("|")))
            .allMatch(line -> line.replace("\\|", "").split("\\|", -1).length == 4);
      }
    }
    Command refused =
        Command.run("manual", "--format", "html", "--out", dir.resolve("x").toString());
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("--format: must be man or markdown; got `html`");
    assertThat(dir.resolve("x")).doesNotExist();
  }

  @Test
  void launcherCommands_withoutTheLauncher_sayWhoDoesIt() {
    assertThat(Command.run("package", "--help").out()).contains("needs nothing installed");
    assertThat(Command.run("--help").out())
        .contains("package", "install-library", "spark-submit", "completion");
    Command submitted = Command.run("spark-submit", "--master", "yarn", "study", "figure2");
    assertThat(submitted.code()).isEqualTo(2);
    assertThat(submitted.err())
        .isEqualTo(
            "ngd spark-submit: works only with ./ngd in a checkout of the sources, which builds it\n");
    Command refused = Command.run("install-library");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("works only with ./ngd");
  }
}
