package ngd.peer;

import static java.lang.System.Logger.Level.WARNING;

import com.google.protobuf.ByteString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import ngd.core.algorithm.Totals;
import ngd.core.answer.Answer;
import ngd.core.answer.DescriptionAnswer;
import ngd.core.data.SiteTable;
import ngd.core.file.Sha256;
import ngd.core.preparation.DescribedRows;
import ngd.core.preparation.Description;
import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.SiteTables;
import ngd.core.preparation.Sites;
import ngd.core.preparation.UsedRows;
import ngd.core.preparation.Withholding;
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
  private final SequencedMap<String, UsedRows> tables;
  private final Withholding withheld;

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
    Description.Settings settings = DescribeKeys.settings(question);
    SiteTable counted = settings.counted(table);
    Map<String, UsedRows> described = DescribedRows.of(counted, settings, rules, memory.digest());
    boolean off = rules.differencing() == DisclosureRules.Differencing.OFF;
    Set<String> isolating =
        off ? Set.of() : memory.isolating(data.toByteArray(), described, rules.subset());
    if (!isolating.isEmpty()) {
      LOG.log(
          WARNING,
          "differencing earlier answers and a description of {0}, subtracted, would show fewer than"
              + " {1} rows (nfilter.subset)",
          String.join(", ", isolating),
          rules.subset());
    }
    Set<String> otherwise =
        off ? Set.of() : memory.describedOtherwise(data.toByteArray(), described, rules.subset());
    if (!otherwise.isEmpty()) {
      LOG.log(
          WARNING,
          "differencing {0} was described over other rows before; counts for its quantiles,"
              + " subtracted, would show single values",
          String.join(", ", otherwise));
    }
    Set<String> silent = refuses() ? isolating : Set.of();
    told = new LinkedHashMap<>(described);
    told.keySet().removeAll(silent);
    SiteTables own =
        SiteTables.of(counted, settings, Optional.of(rules), silent, Optional.of(memory.digest()));
    tables = own.used();
    Set<String> shown = off ? Set.of() : isolatingTables();
    logTables(own.withheld(), shown);
    Set<String> withheldTables = refuses() ? shown : Set.of();
    tables.keySet().removeAll(withheldTables);
    withheld =
        off
            ? Withholding.NONE
            : new Withholding(silent, refuses() ? otherwise : Set.of(), this::bins, withheldTables);
  }

  private Set<String> isolatingTables() {
    return memory.isolatingTables(data.toByteArray(), told, tables, rules.subset());
  }

  private void logTables(Set<String> small, Set<String> isolating) {
    if (!small.isEmpty()) {
      LOG.log(
          WARNING,
          "disclosure {0}: withheld; with what else is told it would show a class of fewer than {1}"
              + " rows (nfilter.tab)",
          String.join("; ", new TreeSet<>(small)),
          rules.tab());
    }
    if (!isolating.isEmpty()) {
      LOG.log(
          WARNING,
          "differencing earlier answers and {0}, subtracted, would show fewer than {1} rows"
              + " (nfilter.subset)",
          String.join("; ", isolating),
          rules.subset());
    }
  }

  /** The columns that were counted in other bins before, where that keeps the site from it. */
  private Set<String> bins(Map<String, String> layouts) {
    Set<String> otherwise = memory.binsOtherwise(data.toByteArray(), layouts, refuses());
    if (!otherwise.isEmpty()) {
      LOG.log(
          WARNING,
          "differencing {0} was counted in other bins before; counts for its quantiles, subtracted,"
              + " would show single values",
          String.join(", ", otherwise));
    }
    return refuses() ? otherwise : Set.of();
  }

  static List<String> columns(Question question) {
    return DescribeKeys.columns(question);
  }

  private boolean refuses() {
    return rules.differencing() == DisclosureRules.Differencing.REFUSE;
  }

  /** All that decides what the site will say. */
  byte[] commitment() {
    return new Sha256()
        .add(data.toByteArray())
        .add(String.join("\n", rules.canonical()))
        .add(String.join("\n", new TreeSet<>(withheld.columns())))
        .add(String.join("\n", new TreeSet<>(withheld.quantiles())))
        .add(String.join("\n", new TreeSet<>(withheld.tables())))
        .bytes();
  }

  /** What all sites say together; what the site should know of its own table goes to its log. */
  Answer answer(Sites sites, Totals totals) {
    memory.remember(data.toByteArray(), told, rules.subset(), refuses());
    memory.rememberTables(data.toByteArray(), told, tables, rules.subset(), refuses());
    Description.Outcome found =
        Description.of(
            sites, totals, DescribeKeys.settings(question), Optional.of(rules), withheld);
    found.ownNotes().forEach(note -> LOG.log(WARNING, "note {0}", note));
    return DescriptionAnswer.of(sites.names().size(), found, false);
  }
}
