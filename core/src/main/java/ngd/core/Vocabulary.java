package ngd.core;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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

  /** The refusal of an unknown word, with the nearest known one, if near, and all of them. */
  public InvalidInput unknown(String request) {
    Map<String, String> formOf = new LinkedHashMap<>();
    forms.forEach(form -> formOf.putIfAbsent(split(form).getFirst(), form));
    String hint =
        NearestName.of(split(request).getFirst(), formOf.keySet())
            .map(word -> " did you mean `%s`?".formatted(formOf.get(word)))
            .orElse("");
    return new InvalidInput(
        "%s: `%s` is unknown;%s one of: %s"
            .formatted(subject, request, hint, String.join(", ", briefly())));
  }

  /** Forms that add parameters to one another in one: {@code cfa-ge[:E[:RHO]]}. */
  private List<String> briefly() {
    return forms.stream()
        .collect(
            Collectors.groupingBy(
                form -> split(form).getFirst(), LinkedHashMap::new, Collectors.toList()))
        .values()
        .stream()
        .flatMap(ofOneWord -> nested(ofOneWord).stream())
        .toList();
  }

  private static List<String> nested(List<String> ofOneWord) {
    StringBuilder text = new StringBuilder(ofOneWord.getFirst());
    for (int i = 1; i < ofOneWord.size(); i++) {
      String shorter = ofOneWord.get(i - 1);
      boolean longer = ofOneWord.get(i).startsWith(shorter + ":");
      // Words of their own, as in `metropolis:rows`, are no parameters.
      if (!longer || !ofOneWord.get(i).substring(shorter.length()).matches("(:[A-Z][A-Z0-9]*)+")) {
        return ofOneWord;
      }
      text.append('[').append(ofOneWord.get(i).substring(shorter.length()));
    }
    return List.of(text.append("]".repeat(ofOneWord.size() - 1)).toString());
  }

  private static List<String> split(String form) {
    return Arrays.asList(form.strip().split(":", -1));
  }
}
