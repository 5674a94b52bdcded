package ngd.studies.engine;

import java.nio.file.Path;
import java.util.List;

/** The machines of a cluster, for work whose parts must run at the same time and talk. */
public interface Machines extends AutoCloseable {
  /** What this is, in words. */
  String description();

  /**
   * Runs a program on the machines, a process for each part; each is an {@link OwnPart}.
   *
   * @param jars what the program is made of; they are brought to the machines
   * @param program its main class and its words
   * @param most the most parts that the work can be cut into
   * @param work what all parts are told
   * @return what each part found, in their order
   * @throws ngd.core.WorkFailed where a part failed, after the others were ended
   */
  List<String> run(List<Path> jars, List<String> program, int most, String work);

  @Override
  void close();
}
