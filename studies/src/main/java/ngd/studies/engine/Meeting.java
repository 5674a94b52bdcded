package ngd.studies.engine;

import java.util.List;

/** Where the parts of one piece of work meet, each on its machine and all at the same time. */
public interface Meeting {
  /** Which part this is, from zero. */
  int part();

  /** How many parts there are. */
  int parts();

  /** The name or address under which the other parts find this machine. */
  String host();

  /**
   * Waits until every part has said something.
   *
   * @param said what this part says
   * @return what all said, in the order of the parts
   */
  List<String> gather(String said);

  /** The meeting of one part alone, on this machine. */
  static Meeting alone() {
    return new Meeting() {
      @Override
      public int part() {
        return 0;
      }

      @Override
      public int parts() {
        return 1;
      }

      @Override
      public String host() {
        return "127.0.0.1";
      }

      @Override
      public List<String> gather(String said) {
        return List.of(said);
      }
    };
  }
}
