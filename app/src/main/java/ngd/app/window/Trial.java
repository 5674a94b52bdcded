package ngd.app.window;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.rows.Rows;

/** A run that is watched and may be changed while it runs. For one thread at a time. */
public interface Trial extends AutoCloseable {
  /**
   * The words that give the same run on the command line, with what was changed on the way.
   *
   * @param rounds how many it is to do
   */
  String command(int rounds);

  /** What these words leave out, in a sentence; empty where they say all. */
  String unsaid();

  /** Writes the run as it stands into a folder, new or empty, as the command line would. */
  void save(Path folder);

  Topology topology();

  /** W as it is now, after what was cut. */
  Network network();

  List<String> warnings();

  /** Below this step size no client's own step overshoots, where that is known. */
  OptionalDouble safeAlpha();

  /** The rounds done. */
  int round();

  /** The rounds asked for. */
  int rounds();

  /** Runs this many more; throws {@link ngd.core.world.Diverged} when an estimate is lost. */
  void advance(int rounds);

  /** What is measured, in the words of a trace. */
  List<String> measures();

  /** The measures now, in that order. */
  double[] measure();

  /** The names of the coefficients. */
  List<String> coefficients();

  /** All clients' coefficients now, a row each; overwritten when the run goes on. */
  Rows theta();

  /** What the pooled data give, or an empty array where they give nothing. */
  double[] globalEstimate();

  /** Bytes sent so far, by all clients. */
  long bytes();

  /** Goes on with another step size. */
  void changeAlpha(String alpha);

  /** Goes on without this link: {@code client} hears {@code other} no more. */
  void cut(int client, int other);

  @Override
  void close();
}
