package ngd.core;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The words that one place of a request understands, each in the form a person writes it, such as
 * {@code circle:D}: the word, then its parameters.
 */
public record Vocabulary(String subject, List<String> forms) {

  public Vocabulary {
    forms = List.copyOf(forms);
  }

  /** The parameters of a request such as {@code circle:2}, whose word and count fit a form. */
  public List<String> parameters(String request) {
    List<String> given = split(request);
    List<String> sameWord =
        forms.stream().filter(form -> split(form).getFirst().equals(given.getFirst())).toList();
    if (sameWord.stream().anyMatch(form -> split(form).size() == given.size())) {
      return given.subList(1, given.size());
    }
    if (!sameWord.isEmpty()) {
      throw new InvalidInput(
          "%s: the form is `%s`; got `%s`"
              .formatted(subject, String.join("` or `", sameWord), request));
    }
    throw unknown(request);
  }

  /** The refusal of a word that is none of these, with the nearest one and all of them. */
  public InvalidInput unknown(String request) {
    return new InvalidInput(
        "%s: `%s` is unknown; did you mean `%s`? One of: %s"
            .formatted(subject, request, nearest(request), String.join(", ", forms)));
  }

  /** The form whose word is the fewest changes of one letter away. */
  public String nearest(String request) {
    String word = split(request).getFirst();
    return forms.stream()
        .min(Comparator.comparingInt(form -> distance(word, split(form).getFirst())))
        .orElseThrow();
  }

  private static List<String> split(String form) {
    return Arrays.asList(form.strip().split(":", -1));
  }

  /** The Levenshtein distance: letters added, dropped or exchanged. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    Arrays.setAll(row, j -> j);
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int exchanged = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(exchanged, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
