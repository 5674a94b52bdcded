package ngd.studies.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiFunction;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;

/** This process as one part of some work: the other end of a {@link PartProcess}. */
public final class OwnPart implements Meeting {
  /** What ends the queue of lines. */
  private static final String NOTHING = "\n";

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final PrintWriter out;
  private final int part;
  private final int parts;
  private final String host;

  private OwnPart(InputStream in, PrintWriter out, Runnable abandoned) {
    this.out = out;
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              read(in);
              abandoned.run();
            });
    String first = line();
    if (!first.matches("\\d{1,9} \\d{1,9} \\S+")) {
      throw new InvalidInput(
          "this process: is one part of some work and is started by another process, not by hand");
    }
    String[] place = first.split(" ", 3);
    part = Integer.parseInt(place[0]);
    parts = Integer.parseInt(place[1]);
    host = place[2];
  }

  /**
   * Does this part and tells what it found, or why it failed.
   *
   * @param abandoned called where nobody waits for it any more
   * @param work what to do, with the work as told
   */
  public static void run(
      InputStream in,
      PrintWriter out,
      Runnable abandoned,
      BiFunction<Meeting, String, String> work) {
    OwnPart own = new OwnPart(in, out, abandoned);
    try {
      own.tell(PartProcess.FOUND, work.apply(own, PartProcess.plain(own.line())));
    } catch (InvalidInput | WorkFailed failed) {
      own.tell(PartProcess.FAILED, String.valueOf(failed.getMessage()));
    } catch (RuntimeException failed) {
      own.tell(PartProcess.FAILED, failed.toString());
      throw failed;
    }
  }

  private void read(InputStream in) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      reader.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException gone) {
      // As good as its end.
    }
    lines.add(NOTHING);
  }

  private String line() {
    try {
      String line = lines.take();
      if (line.equals(NOTHING)) {
        throw new WorkFailed("whoever started this part is gone");
      }
      return line;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WorkFailed("interrupted", e);
    }
  }

  private void tell(String what, String text) {
    out.println(what + PartProcess.coded(text));
    out.flush();
  }

  @Override
  public int part() {
    return part;
  }

  @Override
  public int parts() {
    return parts;
  }

  @Override
  public String host() {
    return host;
  }

  @Override
  public List<String> gather(String said) {
    tell(PartProcess.SAID, said);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      all.add(PartProcess.plain(line()));
    }
    return all;
  }
}
