package ngd.peer.status;

/** Metrics in the text exposition format of Prometheus. */
final class MetricsText {
  private final StringBuilder text = new StringBuilder();

  void head(String name, String type, String help) {
    text.append("# HELP %s %s%n# TYPE %s %s%n".formatted(name, help, name, type));
  }

  void gauge(String name, String help, double value) {
    head(name, "gauge", help);
    sample(name, value);
  }

  void counter(String name, String help, double value) {
    head(name, "counter", help);
    sample(name, value);
  }

  /** One value, with labels in pairs of name and value. */
  void sample(String name, double value, String... labels) {
    text.append(name);
    for (int i = 0; i < labels.length; i += 2) {
      text.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
      text.append(labels[i + 1].replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
      text.append('"');
    }
    text.append(labels.length > 0 ? "} " : " ");
    text.append(
        value == Math.rint(value) && Math.abs(value) < 1e15
            ? Long.toString((long) value)
            : Double.toString(value));
    text.append('\n');
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
