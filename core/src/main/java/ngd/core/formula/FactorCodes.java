package ngd.core.formula;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import org.jspecify.annotations.Nullable;

/** The number of each level of one factor, found quickly from a row's value. */
final class FactorCodes {
  private final Variable variable;
  private final ColumnType type;
  private final int at;
  private final boolean site;
  private final int[] siteCodes;
  private final Map<String, Integer> byText = new HashMap<>();
  private final Map<Double, Integer> byNumber = new HashMap<>();

  FactorCodes(Frame frame, Variable variable, List<String> levels) {
    this.variable = variable;
    type = frame.type(variable);
    site = frame.isSite(variable);
    at = site ? -1 : frame.at(variable);
    siteCodes = new int[site ? levels.size() : 0];
    for (int code = 0; code < levels.size(); code++) {
      byText.put(levels.get(code), code);
      if (type == ColumnType.NUMBER) {
        byNumber.put(Double.parseDouble(levels.get(code)) + 0.0, code);
      }
    }
  }

  /** Sites are numbered in the order in which the design was given them. */
  FactorCodes withSites(List<String> sites) {
    for (int m = 0; m < siteCodes.length; m++) {
      siteCodes[m] = byText.get(sites.get(m));
    }
    return this;
  }

  int code(RowValues row, int siteNumber) {
    if (site) {
      return siteCodes[siteNumber];
    }
    Integer code =
        switch (type) {
          case NUMBER -> byNumber.get(row.number(at) + 0.0);
          case BOOLEAN -> byText.get(Levels.text(row.number(at) != 0));
          case DATE, TIME -> byText.get(Moments.text(type, row.number(at)));
          case TEXT, EMPTY, OTHER -> byText.get(String.valueOf(row.text(at)));
        };
    if (code == null) {
      throw unknown(Levels.of(type, type == ColumnType.TEXT ? 0 : row.number(at), textOf(row)));
    }
    return code;
  }

  private @Nullable String textOf(RowValues row) {
    return type == ColumnType.TEXT ? row.text(at) : null;
  }

  private InvalidInput unknown(@Nullable String level) {
    return new InvalidInput(
        "%s: must be one of the levels that the model knows, %s; a row has `%s`"
            .formatted(variable.text(), String.join(", ", byText.keySet()), level));
  }
}
