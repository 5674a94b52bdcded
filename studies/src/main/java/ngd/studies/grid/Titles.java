package ngd.studies.grid;

import ngd.core.data.PaperModel;

/** Networks and models in the paper's words. */
public final class Titles {
  private Titles() {}

  /** Such as {@code circle (D = 1)}. */
  public static String title(String network) {
    int colon = network.indexOf(':');
    if (colon < 0) {
      return network.equals("central") ? "central-client" : network;
    }
    String kind = network.substring(0, colon);
    return switch (kind) {
      case "circle", "regular" -> "%s (D = %s)".formatted(kind, network.substring(colon + 1));
      case "fixed" -> "fixed-degree (D = %s)".formatted(network.substring(colon + 1));
      default -> network;
    };
  }

  public static String title(PaperModel model) {
    return model == PaperModel.POISSON ? "Poisson" : model.spec();
  }
}
