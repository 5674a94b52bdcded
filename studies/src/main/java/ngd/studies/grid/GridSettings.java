package ngd.studies.grid;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import ngd.core.question.ClientKeys;
import ngd.core.question.DataKeys;

/**
 * A grid's canonical words for the manifest: what all cells are asked alike under {@code question},
 * and under {@code cells} what each is asked beside that.
 */
final class GridSettings {
  private GridSettings() {}

  static Map<String, Object> of(List<Cell> cells) {
    List<SequencedMap<String, Object>> asked = new ArrayList<>();
    for (Cell cell : cells) {
      SequencedMap<String, Object> words = cell.question().json();
      words.computeIfPresent(
          ClientKeys.NETWORK.name(), (_, network) -> EdgeFiles.withDigest(network.toString()));
      words.computeIfPresent(
          DataKeys.DATA.name(), (_, place) -> EdgeFiles.dataWithDigest(place.toString()));
      asked.add(words);
    }
    Map<String, Object> common = new LinkedHashMap<>(asked.getFirst());
    for (Map<String, Object> words : asked) {
      common.entrySet().removeIf(entry -> !entry.getValue().equals(words.get(entry.getKey())));
    }
    asked.forEach(words -> words.keySet().removeAll(common.keySet()));
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("question", common);
    settings.put("cells", asked);
    return settings;
  }
}
