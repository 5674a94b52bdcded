package ngd.peer.wire;

/**
 * Others' words for a log: whoever can reach a port could else write lines of their own into it, or
 * fill the disk.
 */
final class LogText {
  private LogText() {}

  /** The words with what is no plain character escaped, and cut after this many. */
  static String plain(String words, int most) {
    StringBuilder plain = new StringBuilder(Math.min(words.length(), most) + 2);
    for (int at = 0; at < words.length(); at += Character.charCount(words.codePointAt(at))) {
      int point = words.codePointAt(at);
      String shown = isPlain(point) ? Character.toString(point) : "\\u%04x".formatted(point);
      if (plain.length() + shown.length() > most) {
        return plain.append(" …").toString();
      }
      plain.append(shown);
    }
    return plain.toString();
  }

  /** Ends of lines, control characters and marks that reorder what stands beside them are not. */
  private static boolean isPlain(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
