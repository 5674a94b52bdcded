package ngd.peer;

import static java.lang.System.Logger.Level.WARNING;

import com.google.protobuf.ByteString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import ngd.core.algorithm.Totals;
import ngd.core.answer.Answer;
import ngd.core.answer.DescriptionAnswer;
import ngd.core.data.SiteTable;
import ngd.core.file.Sha256;
import ngd.core.preparation.DescribedRows;
import ngd.core.preparation.Description;
import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.Sites;
import ngd.core.preparation.UsedRows;
import ngd.core.question.DescribeKeys;
import ngd.core.question.Question;
import ngd.peer.privacy.AnswerMemory;

/**
 * A description at one site: of which columns it may speak by its rules and by what it answered
 * before, and what all sites then say together.
 */
final class SiteDescription {
  private static final System.Logger LOG = System.getLogger("ngd.peer");

  private final Question question;
  private final DisclosureRules rules;
  private final AnswerMemory memory;
  private final ByteString data;
  private final Map<String, UsedRows> told;
  private final Set<String> silent;

  /** Looks at the site's rows, before anything of them leaves. */
  SiteDescription(
      Question question,
      SiteTable table,
      DisclosureRules rules,
      AnswerMemory memory,
      ByteString data) {
    this.question = question;
    this.rules = rules;
    this.memory = memory;
    this.data = data;
    Map<String, UsedRows> described = DescribedRows.of(table, columns(question), memory.digest());
    Set<String> isolating =
        rules.differencing() == DisclosureRules.Differencing.OFF
            ? Set.of()
            : memory.isolating(data.toByteArray(), described, rules.subset());
    if (!isolating.isEmpty()) {
      LOG.log(
          WARNING,
          "differencing earlier answers and a description of {0}, subtracted, would show fewer than {1} rows (nfilter.subset)",
          String.join(", ", isolating),
          rules.subset());
    }
    silent = refuses() ? isolating : Set.of();
    told = new LinkedHashMap<>(described);
    told.keySet().removeAll(silent);
  }

  static List<String> columns(Question question) {
    return question.find(DescribeKeys.COLUMNS).orElse(List.of());
  }

  private boolean refuses() {
    return rules.differencing() == DisclosureRules.Differencing.REFUSE;
  }

  /** All that decides what the site will say. */
  byte[] commitment() {
    return new Sha256()
        .add(data.toByteArray())
        .add(String.join("\n", rules.canonical()))
        .add(String.join("\n", silent))
        .bytes();
  }

  /** What all sites say together; what the site should know of its own table goes to its log. */
  Answer answer(Sites sites, Totals totals) {
    memory.remember(data.toByteArray(), told, rules.subset(), refuses());
    Description.Outcome found =
        Description.of(sites, totals, DescribeKeys.settings(question), Optional.of(rules), silent);
    found.ownNotes().forEach(note -> LOG.log(WARNING, "note {0}", note));
    return DescriptionAnswer.of(sites.names().size(), found, false);
  }
}
