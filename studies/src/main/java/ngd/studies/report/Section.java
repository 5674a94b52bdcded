package ngd.studies.report;

import java.util.List;
import ngd.core.run.JsonObject;

/** One study's part of the report, as HTML below a heading. */
public record Section(String title, Html html) {

  /** The claims checked in these sections, for programs; {@code claims.json}. */
  public static JsonObject claims(List<Section> sections) {
    return new JsonObject()
        .put(
            "studies",
            sections.stream()
                .map(
                    section ->
                        new JsonObject()
                            .put("title", section.title())
                            .put(
                                "claims",
                                section.html().claims().stream()
                                    .map(
                                        claim ->
                                            new JsonObject()
                                                .put("claim", claim.text())
                                                .put("verdict", claim.verdict().words())
                                                .put("numbers", claim.numbers()))
                                    .toList()))
                .toList());
  }
}
