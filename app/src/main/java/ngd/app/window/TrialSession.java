package ngd.app.window;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import ngd.core.InvalidInput;
import ngd.core.run.JsonObject;
import ngd.core.world.Diverged;

/**
 * One run under way and the pages that watch it. A thread of its own advances it, at the chosen
 * speed; pages get what is new when they are ready for it, at most twenty times a second, however
 * fast it runs.
 *
 * <p>All state is guarded by this object's monitor. The run itself belongs to whoever holds {@link
 * #work}: the thread between two looks at the state, or a request that changes the run.
 */
final class TrialSession implements AutoCloseable {
  /** Between two frames of a page. */
  private static final long FRAME_MILLIS = 50;

  private static final long BEAT_MILLIS = 2000;

  /** A run that nobody watches for so long is ended. */
  private static final long ABANDONED_MILLIS = 20_000;

  /** The measurements that a run to its end gives, at most. */
  private static final int MEASUREMENTS = 400;

  private static final double LONGEST_CHUNK_NANOS = 40e6;

  private enum State {
    PAUSED,
    PLAYING,
    FINISHED,
    DIVERGED,
    ENDED
  }

  /** Something that happened to the run. */
  private record Mark(int round, String text) {}

  private final String id = UUID.randomUUID().toString();
  private final Trial trial;
  private final Consumer<TrialSession> abandoned;
  private final Object work = new Object();
  private final Thread thread;
  private final Curve curve = new Curve();
  private final List<Mark> marks = new ArrayList<>();

  private State state = State.PAUSED;
  private String message = "";
  private int end;
  private int steps;
  private double speed;
  private int round;
  private long bytes;
  private String command = "";
  private String unsaid = "";
  private final DistanceShades shades = new DistanceShades();
  private long version;
  private int watchers;
  private long unwatchedSince = System.nanoTime();

  TrialSession(Trial trial, Consumer<TrialSession> abandoned) {
    this.trial = trial;
    this.abandoned = abandoned;
    end = trial.rounds();
    thread = Thread.ofPlatform().daemon().name("trial").unstarted(this::work);
  }

  String id() {
    return id;
  }

  void start() {
    look();
    thread.start();
  }

  // What the run's own thread does.

  private void work() {
    try (trial) {
      double nanosPerRound = 0;
      while (true) {
        int chunk = nextChunk(nanosPerRound);
        if (chunk <= 0) {
          if (chunk < 0) {
            abandoned.accept(this);
          }
          break;
        }
        long before = System.nanoTime();
        advance(chunk);
        long took = System.nanoTime() - before;
        nanosPerRound =
            nanosPerRound == 0
                ? (double) took / chunk
                : 0.5 * (nanosPerRound + (double) took / chunk);
        rest(chunk, took);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until there is something to do; 0 when the session has ended, −1 when all have left. */
  private synchronized int nextChunk(double nanosPerRound) throws InterruptedException {
    while (true) {
      if (state == State.ENDED) {
        return 0;
      }
      int left = end - round;
      if (state == State.PLAYING && left <= 0) {
        state = State.FINISHED;
        changed();
      }
      if (state == State.PLAYING) {
        return Math.min(left, chunk(nanosPerRound));
      }
      if (steps > 0) {
        int chunk = Math.min(steps, chunk(nanosPerRound));
        steps -= chunk;
        end = Math.max(end, round + chunk);
        return chunk;
      }
      if (watchers == 0 && idleMillis() > ABANDONED_MILLIS) {
        return -1;
      }
      wait(1000);
    }
  }

  private int chunk(double nanosPerRound) {
    double most = Math.max(1, end / (double) MEASUREMENTS);
    if (nanosPerRound > 0) {
      most = Math.min(most, Math.max(1, LONGEST_CHUNK_NANOS / nanosPerRound));
    }
    if (speed > 0) {
      most = Math.min(most, Math.max(1, speed * FRAME_MILLIS / 1e3));
    }
    return (int) most;
  }

  private void advance(int chunk) {
    synchronized (work) {
      try {
        trial.advance(chunk);
      } catch (Diverged e) {
        fail(String.valueOf(e.getMessage()));
      } catch (RuntimeException e) {
        fail("failed: " + e.getMessage());
      }
      look();
    }
  }

  private synchronized void fail(String why) {
    state = state == State.ENDED ? state : State.DIVERGED;
    message = why;
    steps = 0;
  }

  /** Sleeps as long as the speed asks for, unless something happens. */
  private synchronized void rest(int chunk, long took) throws InterruptedException {
    if (speed <= 0 || state != State.PLAYING) {
      return;
    }
    long until = System.nanoTime() + (long) (chunk * 1e9 / speed) - took;
    while (state == State.PLAYING && speed > 0) {
      long left = (until - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return;
      }
      wait(left);
    }
  }

  /** Measures the run as it stands. */
  private void look() {
    double[] measured = trial.measure();
    double[] distances = TrialWords.distances(trial);
    int at = trial.round();
    long sent = trial.bytes();
    synchronized (this) {
      shades.take(distances);
      restate();
      round = at;
      bytes = sent;
      curve.add(new Curve.Point(at, DoubleStream.of(measured).boxed().toList()));
      if (state == State.PLAYING && round >= end) {
        state = State.FINISHED;
      }
      changed();
    }
  }

  /** Says anew what the command line would be asked; whoever calls holds {@link #work}. */
  private synchronized void restate() {
    command = trial.command(Math.max(end, trial.round()));
    unsaid = trial.unsaid();
  }

  private synchronized void changed() {
    version++;
    notifyAll();
  }

  // What pages ask for.

  /** Continues at this many rounds a second; 0 for as fast as it can. */
  synchronized void play(double roundsPerSecond) {
    if (!(roundsPerSecond >= 0 && roundsPerSecond <= 1e9)) {
      throw new InvalidInput("speed: must be 0 or more rounds a second; got " + roundsPerSecond);
    }
    requireAlive();
    speed = roundsPerSecond;
    state = round >= end ? State.FINISHED : State.PLAYING;
    changed();
  }

  synchronized void pause() {
    if (state == State.PLAYING) {
      state = State.PAUSED;
    }
    steps = 0;
    changed();
  }

  synchronized void step(int rounds) {
    requireAlive();
    state = State.PAUSED;
    steps = rounds;
    changed();
  }

  /** As many rounds again as were asked for. */
  void more() {
    synchronized (work) {
      synchronized (this) {
        requireAlive();
        extend();
        state = State.PLAYING;
        restate();
        changed();
      }
    }
  }

  private void extend() {
    end = (int) Math.min(Integer.MAX_VALUE / 2, (long) end + Math.max(1, trial.rounds()));
  }

  /** Writes the run as it stands into a folder; gives the rounds that it has done. */
  int save(Path folder) {
    synchronized (work) {
      synchronized (this) {
        requireAlive();
      }
      trial.save(folder);
      return trial.round();
    }
  }

  private void requireAlive() {
    if (state == State.DIVERGED || state == State.ENDED) {
      throw new InvalidInput("this run has ended: " + message);
    }
  }

  void changeAlpha(String alpha) {
    synchronized (work) {
      trial.changeAlpha(alpha);
      mark("α = " + alpha);
    }
  }

  void cut(int client, int other) {
    synchronized (work) {
      trial.cut(client, other);
      mark("cut: %d no longer hears %d".formatted(client, other));
    }
  }

  private synchronized void mark(String text) {
    marks.add(new Mark(round, text));
    if (state == State.FINISHED) {
      extend();
      state = State.PAUSED;
    }
    restate();
    changed();
  }

  JsonObject description() {
    synchronized (work) {
      return TrialWords.description(id, trial);
    }
  }

  JsonObject client(int client) {
    synchronized (work) {
      return TrialWords.client(trial, client);
    }
  }

  synchronized boolean isWatched() {
    return watchers > 0;
  }

  private long idleMillis() {
    return (System.nanoTime() - unwatchedSince) / 1_000_000;
  }

  /** Sends frames to one page until it goes or the session ends. */
  void watch(EventStream stream) throws IOException, InterruptedException {
    enter();
    try {
      long seen = -1;
      int generation = -1;
      int sent = 0;
      while (true) {
        if (!await(seen)) {
          stream.beat();
          continue;
        }
        String frame;
        boolean last;
        synchronized (this) {
          boolean anew = generation != curve.generation();
          List<Curve.Point> points = curve.from(anew ? 0 : Math.max(0, sent - 1));
          frame = frame(points, anew || sent == 0);
          seen = version;
          generation = curve.generation();
          sent = curve.size();
          last = state == State.ENDED;
        }
        stream.send("frame", frame);
        if (last) {
          return;
        }
        pauseForFrame();
      }
    } finally {
      leave();
    }
  }

  private synchronized void enter() {
    watchers++;
  }

  private synchronized void leave() {
    watchers--;
    unwatchedSince = System.nanoTime();
  }

  /** Whether something new came within a beat. */
  private synchronized boolean await(long seen) throws InterruptedException {
    long until = System.nanoTime() + BEAT_MILLIS * 1_000_000;
    while (version == seen && state != State.ENDED) {
      long left = (until - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  /** A page needs no more than twenty frames a second. */
  private synchronized void pauseForFrame() throws InterruptedException {
    long until = System.nanoTime() + FRAME_MILLIS * 1_000_000;
    for (long left = FRAME_MILLIS; left > 0; left = (until - System.nanoTime()) / 1_000_000) {
      wait(left);
    }
  }

  private String frame(List<Curve.Point> points, boolean anew) {
    List<Object> rows = new ArrayList<>();
    for (Curve.Point point : points) {
      List<Object> row = new ArrayList<>();
      row.add(point.round());
      row.addAll(point.values());
      rows.add(row);
    }
    JsonObject frame =
        new JsonObject()
            .put("state", state.name().toLowerCase(java.util.Locale.ROOT))
            .put("round", round)
            .put("end", end)
            .put("bytes", bytes)
            .put("message", message)
            .put("command", command)
            .put("unsaid", unsaid)
            .put("anew", anew)
            .put("points", rows)
            .put("shades", shades.text())
            .put("nearest", shades.nearest())
            .put("farthest", shades.farthest())
            .put(
                "marks",
                marks.stream()
                    .map(
                        mark ->
                            new JsonObject().put("round", mark.round()).put("text", mark.text()))
                    .toList());
    return frame.toString().replace("\n", "");
  }

  @Override
  public void close() {
    synchronized (this) {
      state = State.ENDED;
      message = "it was closed";
      changed();
    }
  }
}
