package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import ngd.app.Command;
import ngd.app.QuickStart;
import ngd.peer.bench.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows docs/first-federation.md with the page's own commands, three people in three folders;
 * only names of machines are replaced. The oracle is the fit of all three tables.
 */
@ExtendWith(QuickStart.class)
class FirstFederationTest {
  private static final Pattern BLOCK = Pattern.compile("(?s)```\n# (\\w+)[^\n]*\n(.*?)```");
  private static final Pattern WORDS = Pattern.compile("\n  ([a-z]{5}(?:-[a-z]{5}){5})\n");

  @TempDir Path dir;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
  }

  /** One line of the page. */
  private record Step(String who, List<String> words) {
    boolean is(String first, String second) {
      return words.get(1).equals(first) && words.get(2).equals(second);
    }
  }

  private List<Step> steps() throws IOException {
    String page =
        Files.readString(
            Path.of("").toAbsolutePath().getParent().resolve("docs/first-federation.md"));
    for (String machine : List.of("north", "south", "west")) {
      page = page.replace(machine + ".example.org:7400", "127.0.0.1:" + freePort());
    }
    page = page.replace("north.example.org:7399", "127.0.0.1:" + freePort());
    List<Step> steps = new ArrayList<>();
    Matcher blocks = BLOCK.matcher(page);
    while (blocks.find()) {
      for (String line : blocks.group(2).lines().filter(l -> l.startsWith("ngd ")).toList()) {
        List<String> words = new ArrayList<>();
        Matcher word = Pattern.compile("'([^']*)'|(\\S+)").matcher(line);
        while (word.find()) {
          words.add(word.group(1) == null ? word.group(2) : word.group(1));
        }
        steps.add(new Step(blocks.group(1), words));
      }
    }
    return steps;
  }

  private static int freePort() {
    return FreePorts.take(1).getFirst();
  }

  private Path folder(String who) {
    return dir.resolve(who);
  }

  private Path output(int step) {
    return dir.resolve("out" + step);
  }

  private Process start(Step step, int number) throws IOException {
    List<String> command = QuickStart.command(step.words().subList(1, step.words().size()));
    Process process =
        new ProcessBuilder(command)
            .directory(folder(step.who()).toFile())
            .redirectOutput(output(number).toFile())
            .redirectError(dir.resolve("err" + number).toFile())
            .start();
    started.add(process);
    return process;
  }

  private static void await(String what, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - begin).as(what).isLessThan(TimeUnit.SECONDS.toNanos(120));
      LockSupport.parkNanos(2_000_000);
    }
  }

  /** What all commands so far have printed, for whoever waits in vain. */
  private String said(int steps) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i <= steps; i++) {
      all.append("%n%d: %s%s".formatted(i, read(output(i)), read(dir.resolve("err" + i))));
    }
    for (Process process : started) {
      if (process.isAlive()) {
        all.append("%n%s".formatted(threads(process)));
      }
    }
    return all.toString();
  }

  private static String threads(Process process) {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    try {
      return new String(
          new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()), "Thread.print")
              .start()
              .getInputStream()
              .readAllBytes(),
          java.nio.charset.StandardCharsets.UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void page_followedToTheLetter_endsWithThePooledAnswer() throws Exception {
    for (String who : List.of("Ann", "Bea", "Cem")) {
      Files.createDirectories(folder(who));
    }
    List<Path> tables = new ArrayList<>();
    for (List<String> site :
        List.of(List.of("Ann", "north"), List.of("Bea", "south"), List.of("Cem", "west"))) {
      StringBuilder rows = new StringBuilder("readmitted,age,stay\n");
      for (int i = 0; i < 80; i++) {
        int k = i + 100 * tables.size();
        rows.append("%d,%d,%d%n".formatted(k * 7 % 11 % 2, 30 + k * 13 % 50, 1 + k * 5 % 17));
      }
      tables.add(Files.writeString(folder(site.getFirst()).resolve(site.getLast() + ".csv"), rows));
    }
    List<Step> steps = steps();
    assertThat(steps).hasSize(9);
    Process admitting = null;
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      Process process = start(step, i);
      int number = i;
      if (step.is("federation", "admit")) {
        admitting = process;
        Path invitation = folder("Ann").resolve("invitation.json");
        await("the invitation", () -> Files.exists(invitation));
        for (String who : List.of("Bea", "Cem")) {
          Files.copy(invitation, folder(who).resolve("invitation.json"));
        }
      } else if (step.is("peer", "join")) {
        await("six words", () -> WORDS.matcher(read(output(number))).find());
        Matcher words = WORDS.matcher(read(output(i)));
        assertThat(words.find()).isTrue();
        tell(java.util.Objects.requireNonNull(admitting), step, words.group(1));
      } else if (!step.is("peer", "run")) {
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(() -> step + said(number)).isTrue();
        assertThat(process.exitValue()).as(read(dir.resolve("err" + i))).isZero();
      }
      if (step.is("peer", "join") && step.words().contains("west")) {
        await("every member has its kit", () -> !started.get(1).isAlive());
        assertThat(started.get(1).exitValue()).isZero();
        for (Process joined : started.subList(2, 5)) {
          assertThat(joined.waitFor(60, TimeUnit.SECONDS)).isTrue();
          assertThat(joined.exitValue()).isZero();
        }
      }
    }
    Path fit = dir.resolve("fit");
    List<String> rehearsal =
        new ArrayList<>(List.of("fit", "--network", "complete", "--out", fit.toString()));
    for (String site : List.of("north", "south", "west")) {
      int at = List.of("north", "south", "west").indexOf(site);
      rehearsal.addAll(List.of("--site", site + "=" + tables.get(at)));
    }
    rehearsal.addAll(List.of("--formula", "readmitted ~ age + stay", "--family", "binomial"));
    assertThat(Command.run(rehearsal.toArray(String[]::new)).code()).isZero();
    assertThat(folder("Ann").resolve("first").resolve("coefficients.csv"))
        .hasSameTextualContentAs(fit.resolve("coefficients.csv"));
  }

  /** Wrong words first: they are refused, and the right ones are not shown. */
  private void tell(Process admitting, Step step, String words) throws IOException {
    String name = step.words().get(step.words().indexOf("--name") + 1);
    BufferedWriter in = admitting.outputWriter(StandardCharsets.UTF_8);
    if (name.equals("south")) {
      in.write(name + " babab-babab-babab-babab-babab-babab\n");
      in.flush();
      await("the refusal", () -> read(dir.resolve("err1")).contains("Nothing is signed"));
      assertThat(read(dir.resolve("err1"))).doesNotContain(words);
    }
    in.write(name + " " + words + "\n");
    in.flush();
    await("the approval", () -> read(output(1)).contains(name + ": approved"));
  }
}
