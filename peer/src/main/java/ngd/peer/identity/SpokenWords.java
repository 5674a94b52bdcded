package ngd.peer.identity;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import ngd.core.file.Sha256;

/**
 * A fingerprint that people can read to each other: 96 bits of a SHA-256 as six words of five
 * letters, consonants and vowels in turn, each a number of 16 bits.
 */
final class SpokenWords {
  private static final String CONSONANTS = "bdfghjklmnprstvz";
  private static final String VOWELS = "aiou";
  private static final int WORDS = 6;

  private SpokenWords() {}

  static String of(byte[] bytes) {
    byte[] hash = Sha256.of(bytes);
    List<String> words = new ArrayList<>();
    for (int i = 0; i < WORDS; i++) {
      words.add(word(Byte.toUnsignedInt(hash[2 * i]) << 8 | Byte.toUnsignedInt(hash[2 * i + 1])));
    }
    return String.join("-", words);
  }

  private static String word(int number) {
    return ""
        + CONSONANTS.charAt(number >> 12)
        + VOWELS.charAt(number >> 10 & 3)
        + CONSONANTS.charAt(number >> 6 & 15)
        + VOWELS.charAt(number >> 4 & 3)
        + CONSONANTS.charAt(number & 15);
  }

  /** The letters alone, however the words were typed. */
  static String plain(String words) {
    return words.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
  }
}
