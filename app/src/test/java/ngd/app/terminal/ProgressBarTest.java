package ngd.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A clock that is set by hand says when the bar must show what. */
class ProgressBarTest {
  private static final long SECOND = 1_000_000_000L;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final AtomicLong clock = new AtomicLong();

  private ProgressBar bar(boolean terminal) {
    return new ProgressBar(
        new Console(OutputStream.nullOutputStream(), err, terminal), "fit", clock::get);
  }

  private String shown() {
    String text = err.toString(StandardCharsets.UTF_8);
    err.reset();
    return text;
  }

  @Test
  void at_shortWork_showsNothing() {
    try (ProgressBar bar = bar(true)) {
      clock.set(SECOND / 2);
      bar.at(50, 100);
    }
    assertThat(shown()).isEmpty();
  }

  @Test
  void at_noTerminal_showsNothing() {
    try (ProgressBar bar = bar(false)) {
      clock.set(10 * SECOND);
      bar.at(50, 100);
    }
    assertThat(shown()).isEmpty();
  }

  @Test
  void at_quarterAfterTenSeconds_showsThirtyLeft() {
    try (ProgressBar bar = bar(true)) {
      clock.set(10 * SECOND);
      bar.at(25, 100);
      assertThat(shown()).startsWith("\rfit ").contains(" 25 %", "30 s left");
      clock.addAndGet(SECOND / 100);
      bar.at(26, 100);
      assertThat(shown()).isEmpty();
    }
    assertThat(shown()).isEqualTo("\r\u001b[K");
  }

  @Test
  void at_workThatWentOn_judgesByTheRest() {
    try (ProgressBar bar = bar(true)) {
      clock.set(100 * SECOND);
      bar.from(50);
      bar.at(50, 100);
      assertThat(shown()).contains(" 50 %").doesNotContain("left");
      clock.set(110 * SECOND);
      bar.at(60, 100);
      assertThat(shown()).contains(" 60 %", "40 s left");
    }
  }

  @Test
  void at_manyWords_fitsATerminalOfEightyColumns() {
    try (ProgressBar bar = bar(true)) {
      bar.say("MobileNet on CIFAR-10, reduced, circle:2");
      clock.set(50_000 * SECOND);
      bar.at(50, 100);
      String line = shown();
      assertThat(line).contains("13 h 53 min left");
      assertThat(line.replace("\r", "").replace("\u001b[K", "")).hasSizeLessThan(80);
    }
  }

  @Test
  void close_thenMoreNews_staysSilent() {
    ProgressBar bar = bar(true);
    clock.set(10 * SECOND);
    bar.at(25, 100);
    bar.close();
    shown();
    clock.set(20 * SECOND);
    bar.at(50, 100);
    assertThat(shown()).isEmpty();
  }

  @Test
  void time_longWaits_inMinutesAndHours() {
    assertThat(ProgressBar.time(61)).isEqualTo("1 min 01 s");
    assertThat(ProgressBar.time(3 * 3600 + 120)).isEqualTo("3 h 02 min");
  }

  /** The oracle: what a JSON parser reads from each line, and the clock set by hand. */
  @Test
  void at_forPrograms_tellsFirstAndLastAndTenASecond() {
    Console console = new Console(OutputStream.nullOutputStream(), err, false);
    console.show(Console.Progress.JSON);
    try (ProgressBar bar = new ProgressBar(console, "fit", clock::get)) {
      bar.begin("sizes");
      for (int done = 0; done <= 100; done++) {
        clock.addAndGet(SECOND / 100);
        bar.at(done, 100);
      }
    }
    List<JsonNode> lines =
        shown().lines().map(line -> JsonMapper.shared().readTree(line).get("progress")).toList();
    assertThat(lines.getFirst().get("stage").asString()).isEqualTo("sizes");
    assertThat(lines.get(1).get("done").asInt()).isZero();
    assertThat(lines.getLast().get("done").asInt()).isEqualTo(100);
    assertThat(lines.getLast().get("seconds").asDouble()).isEqualTo(1.01);
    assertThat(lines).hasSizeBetween(11, 13);
  }

  @Test
  void at_silenced_showsNothing() {
    Console console = new Console(OutputStream.nullOutputStream(), err, true);
    console.show(Console.Progress.NONE);
    try (ProgressBar bar = new ProgressBar(console, "fit", clock::get)) {
      clock.set(10 * SECOND);
      bar.at(50, 100);
    }
    assertThat(shown()).isEmpty();
  }
}
