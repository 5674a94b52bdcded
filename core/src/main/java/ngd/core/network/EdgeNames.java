package ngd.core.network;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.NumberText;

/**
 * What an edge list calls its clients: numbers from 0 on, the names of the sites, or names of its
 * own, which count in the order in which they first occur. Its first line decides which.
 */
final class EdgeNames {
  private final String file;
  private final int clients;
  private final List<String> sites;
  private final Map<String, Integer> own = new LinkedHashMap<>();
  private boolean decided;
  private boolean numbers;

  EdgeNames(String file, int clients, List<String> sites) {
    this.file = file;
    this.clients = clients;
    this.sites = sites;
    for (int m = 0; m < sites.size(); m++) {
      own.put(sites.get(m), m);
    }
  }

  /** The client that a cell names. */
  int client(String cell, long line, String column) {
    String text = cell.strip();
    if (!decided) {
      decided = true;
      numbers = !own.containsKey(text) && text.matches("[-+]?[0-9]+([.][0-9]*)?");
    }
    return numbers ? number(text, line, column) : named(text, line, column);
  }

  private int number(String text, long line, String column) {
    long value =
        NumberText.read(
            text,
            Long::parseLong,
            () ->
                "%s, line %d, column `%s`: must be a whole number, a client; got `%s`"
                    .formatted(file, line, column, text));
    if (value < 0 || value >= clients) {
      throw new InvalidInput(
          "%s, line %d, column `%s`: must lie in [0, %d], the clients of this network; got %d"
              .formatted(file, line, column, clients - 1, value));
    }
    return (int) value;
  }

  private int named(String text, long line, String column) {
    Integer known = own.get(text);
    if (known != null) {
      return known;
    }
    if (text.isEmpty()) {
      throw new InvalidInput(
          "%s, line %d, column `%s`: must name a client; it is empty"
              .formatted(file, line, column));
    }
    if (!sites.isEmpty()) {
      throw new InvalidInput(
          "%s, line %d, column `%s`: must be one of the sites %s%s; got `%s`"
              .formatted(
                  file,
                  line,
                  column,
                  String.join(", ", sites),
                  NearestName.hint(text, sites),
                  text));
    }
    if (own.size() == clients) {
      throw new InvalidInput(
          "%s, line %d, column `%s`: names one client more than the %d of this network; got `%s`, after %s"
              .formatted(file, line, column, clients, text, String.join(", ", own.keySet())));
    }
    own.put(text, own.size());
    return own.size() - 1;
  }

  /** What a client is called. */
  String name(int client) {
    return all().isEmpty() ? Integer.toString(client) : all().get(client);
  }

  /** All names in the order of the clients; empty where they have numbers alone. */
  List<String> all() {
    if (numbers && sites.isEmpty()) {
      return List.of();
    }
    List<String> all = new ArrayList<>(own.keySet());
    for (int m = all.size(); m < clients; m++) {
      all.add(Integer.toString(m));
    }
    return all;
  }
}
