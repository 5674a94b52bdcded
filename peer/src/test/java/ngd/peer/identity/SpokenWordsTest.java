package ngd.peer.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Oracle: the words read back as numbers of 16 bits are the first 96 bits of the hash. */
class SpokenWordsTest {
  private static int number(String word) {
    assertThat(word).matches("[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz]");
    int number = 0;
    for (int i = 0; i < word.length(); i++) {
      char letter = word.charAt(i);
      int vowel = "aiou".indexOf(letter);
      number = vowel >= 0 ? number * 4 + vowel : number * 16 + "bdfghjklmnprstvz".indexOf(letter);
    }
    return number;
  }

  @Test
  void of_anyBytes_areTheFirst96BitsOfTheirHash() throws Exception {
    for (int i = 0; i < 200; i++) {
      byte[] bytes = ("key " + i).getBytes(StandardCharsets.UTF_8);
      List<String> words = List.of(SpokenWords.of(bytes).split("-", -1));
      BigInteger read =
          words.stream()
              .map(word -> BigInteger.valueOf(number(word)))
              .reduce(BigInteger.ZERO, (all, next) -> all.shiftLeft(16).or(next));
      BigInteger hash = new BigInteger(1, MessageDigest.getInstance("SHA-256").digest(bytes));
      assertThat(words).hasSize(6);
      assertThat(read).isEqualTo(hash.shiftRight(256 - 96));
    }
  }

  @Test
  void plain_howeverTheyWereTyped_areTheSameLetters() {
    String words = SpokenWords.of(new byte[] {1, 2, 3});
    assertThat(SpokenWords.plain(words.toUpperCase(java.util.Locale.ROOT).replace('-', ' ')))
        .isEqualTo(SpokenWords.plain(words))
        .hasSize(30);
    assertThat(IntStream.range(0, 100).mapToObj(i -> SpokenWords.of(new byte[] {(byte) i})))
        .doesNotHaveDuplicates();
  }
}
