package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Distinct rows of class numbers, numbered in the order in which they came. */
final class ClassCodes {
  private static final int FREE = -1;

  private int[][] rows = new int[16][];
  private int size;

  /** Numbers of rows, each at or after the place of its hash; twice as many places as rows. */
  private int[] places = freePlaces(rows.length);

  private static int[] freePlaces(int rows) {
    int[] places = new int[2 * rows];
    Arrays.fill(places, FREE);
    return places;
  }

  int size() {
    return size;
  }

  /** The number of a row of class numbers. */
  int number(int[] row) {
    int place = place(row);
    if (places[place] == FREE) {
      if (size == rows.length) {
        grow();
        place = place(row);
      }
      rows[size] = row.clone();
      places[place] = size++;
    }
    return places[place];
  }

  /** Where the row is, or would be. */
  private int place(int[] row) {
    int hash = 0;
    for (int code : row) {
      hash = 31 * hash + code;
    }
    hash *= 0x9e3779b1;
    int place = (hash ^ hash >>> 16) & (places.length - 1);
    while (places[place] != FREE && !Arrays.equals(rows[places[place]], row)) {
      place = (place + 1) & (places.length - 1);
    }
    return place;
  }

  private void grow() {
    rows = Arrays.copyOf(rows, 2 * size);
    places = freePlaces(rows.length);
    for (int r = 0; r < size; r++) {
      places[place(rows[r])] = r;
    }
  }

  /** All of them, in order. */
  List<List<Integer>> rows() {
    List<List<Integer>> found = new ArrayList<>();
    for (int r = 0; r < size; r++) {
      found.add(Arrays.stream(rows[r]).boxed().toList());
    }
    return found;
  }
}
