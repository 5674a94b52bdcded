package ngd.core.formula;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;

/** The words of a formula, one after another, each with its place in the text. */
final class FormulaTokens {
  /** What a token is. */
  enum Kind {
    NAME,
    QUOTED_NAME,
    NUMBER,
    TEXT,
    SYMBOL,
    END
  }

  record Token(Kind kind, String text, int at) {
    boolean is(String symbol) {
      return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /** A word such as {@code and}; a name in backquotes never is one. */
    boolean isWord(String word) {
      return kind == Kind.NAME && text.equals(word);
    }
  }

  private static final List<String> SYMBOLS =
      List.of(
          "<=", ">=", "==", "!=", "<>", "&&", "||", "~", "+", "-", "*", "/", "^", ":", "(", ")",
          ",", "=", "<", ">", "&", "|", "!");

  private final String formula;
  private final List<Token> tokens = new ArrayList<>();
  private int next;

  FormulaTokens(String formula) {
    this.formula = formula;
    int at = 0;
    while (at < formula.length()) {
      at = Character.isWhitespace(formula.charAt(at)) ? at + 1 : read(at);
    }
    tokens.add(new Token(Kind.END, "the end", formula.length()));
  }

  /** Reads the token that starts here and gives the place after it. */
  private int read(int at) {
    char first = formula.charAt(at);
    if (first == '`' || first == '\'' || first == '"') {
      return readQuoted(at, first);
    }
    if (isDigit(first)
        || (first == '.' && at + 1 < formula.length() && isDigit(formula.charAt(at + 1)))) {
      return readNumber(at);
    }
    if (isNameStart(first)) {
      int end = at + 1;
      while (end < formula.length() && isNamePart(formula.charAt(end))) {
        end++;
      }
      tokens.add(new Token(Kind.NAME, formula.substring(at, end), at));
      return end;
    }
    for (String symbol : SYMBOLS) {
      if (formula.startsWith(symbol, at)) {
        tokens.add(new Token(Kind.SYMBOL, symbol, at));
        return at + symbol.length();
      }
    }
    throw refusal(
        at,
        "`%s` is not allowed in a formula".formatted(Character.toString(formula.codePointAt(at))));
  }

  /** A quote inside is written twice. */
  private int readQuoted(int at, char quote) {
    StringBuilder text = new StringBuilder();
    for (int i = at + 1; i < formula.length(); i++) {
      char c = formula.charAt(i);
      if (c != quote) {
        text.append(c);
      } else if (i + 1 < formula.length() && formula.charAt(i + 1) == quote) {
        text.append(quote);
        i++;
      } else {
        tokens.add(new Token(quote == '`' ? Kind.QUOTED_NAME : Kind.TEXT, text.toString(), at));
        return i + 1;
      }
    }
    throw refusal(at, "the quote %c is never closed".formatted(quote));
  }

  private int readNumber(int at) {
    int end = at;
    while (end < formula.length()) {
      char c = formula.charAt(end);
      boolean sign =
          (c == '+' || c == '-') && end > at && "eE".indexOf(formula.charAt(end - 1)) >= 0;
      if (!isDigit(c) && c != '.' && c != 'e' && c != 'E' && !sign) {
        break;
      }
      end++;
    }
    String text = formula.substring(at, end);
    try {
      if (Double.isInfinite(Double.parseDouble(text))) {
        throw refusal(at, "`%s` is too large for a number".formatted(text));
      }
    } catch (NumberFormatException e) {
      throw refusal(at, "`%s` is not a number".formatted(text));
    }
    tokens.add(new Token(Kind.NUMBER, text, at));
    return end;
  }

  Token peek() {
    return tokens.get(next);
  }

  Token take() {
    Token token = tokens.get(next);
    next = Math.min(next + 1, tokens.size() - 1);
    return token;
  }

  /** Takes the symbol if it comes next. */
  boolean took(String symbol) {
    boolean found = peek().is(symbol);
    if (found) {
      take();
    }
    return found;
  }

  /** Whether a parenthesis opens after the next token, which then is a call. */
  boolean isCall() {
    return peek().kind() == Kind.NAME && tokens.get(next + 1).is("(");
  }

  /** Whether the parenthesis that opens next holds a bar: a random term. */
  boolean isRandom() {
    int depth = 0;
    for (int i = next; i < tokens.size() && (depth > 0 || i == next); i++) {
      Token token = tokens.get(i);
      depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
      if (depth == 1 && (token.is("|") || token.is("||"))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a name and {@code =} come next: an argument that is called by its name. */
  boolean isNamed() {
    return peek().kind() == Kind.NAME && tokens.get(next + 1).is("=");
  }

  void require(String symbol, String why) {
    if (!took(symbol)) {
      throw unexpected("expected `%s` %s".formatted(symbol, why));
    }
  }

  InvalidInput unexpected(String wanted) {
    Token found = peek();
    return refusal(
        found.at(),
        "%s; found %s"
            .formatted(wanted, found.kind() == Kind.END ? "the end" : "`" + found.text() + "`"));
  }

  /** The refusal with a caret under the place. */
  InvalidInput refusal(int at, String message) {
    return refusal(formula, at, message);
  }

  static InvalidInput refusal(String formula, int at, String message) {
    String line = formula.replaceAll("\\s", " ");
    int before = line.codePointCount(0, Math.min(at, line.length()));
    return new InvalidInput(
        "formula: %s%n  %s%n  %s^".formatted(message, line, " ".repeat(before)));
  }

  static boolean isPlainName(String name) {
    return !name.isEmpty()
        && isNameStart(name.charAt(0))
        && !(name.length() > 1 && name.charAt(0) == '.' && isDigit(name.charAt(1)))
        && name.chars().allMatch(c -> isNamePart((char) c))
        && !List.of(".", "and", "or", "not").contains(name);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameStart(char c) {
    return Character.isLetter(c) || c == '_' || c == '.';
  }

  private static boolean isNamePart(char c) {
    return isNameStart(c) || Character.isDigit(c);
  }
}
