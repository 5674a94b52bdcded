package ngd.core.data;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Distinct words of bytes, numbered in the order in which they came. */
final class PlainWords {
  private static final int FREE = -1;

  private byte[][] words = new byte[16][];
  private int size;

  /** Numbers of words, each at or after the place of its hash; twice as many places as words. */
  private int[] places = freePlaces(words.length);

  private static int[] freePlaces(int words) {
    int[] places = new int[2 * words];
    Arrays.fill(places, FREE);
    return places;
  }

  /** The number of the word at these bytes. */
  int code(byte[] bytes, int from, int to) {
    int place = place(bytes, from, to);
    if (places[place] == FREE) {
      if (size == words.length) {
        grow();
        place = place(bytes, from, to);
      }
      words[size] = Arrays.copyOfRange(bytes, from, to);
      places[place] = size++;
    }
    return places[place];
  }

  /** Where the word is, or would be. */
  private int place(byte[] bytes, int from, int to) {
    int hash = 0;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + bytes[i];
    }
    hash *= 0x9e3779b1;
    int place = (hash ^ hash >>> 16) & (places.length - 1);
    while (places[place] != FREE) {
      byte[] word = words[places[place]];
      if (Arrays.equals(word, 0, word.length, bytes, from, to)) {
        return place;
      }
      place = (place + 1) & (places.length - 1);
    }
    return place;
  }

  private void grow() {
    words = Arrays.copyOf(words, 2 * size);
    places = freePlaces(words.length);
    for (int w = 0; w < size; w++) {
      places[place(words[w], 0, words[w].length)] = w;
    }
  }

  /** A word as text; nothing where its bytes are no UTF-8. */
  static Optional<String> text(byte[] word) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(word)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  List<byte[]> words() {
    return Arrays.asList(words).subList(0, size);
  }

  boolean any(Predicate<byte[]> test) {
    return words().stream().anyMatch(test);
  }
}
