package ngd.deep.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What libraries that publish MobileNet v1 with ImageNet weights call its arrays: timm ({@code
 * mobilenetv1_100}) and transformers ({@code MobileNetV1}).
 */
final class MobilenetNames {
  /** Pairs of convolutions in timm's stages. */
  private static final int[] STAGES = {1, 2, 2, 6, 2};

  private static final int PAIRS = 13;

  private static final List<String> OF_NORM =
      List.of("weight", "bias", "running_mean", "running_var");

  private MobilenetNames() {}

  /** A convolution and the normalisation after it. */
  private record Step(String conv, String norm) {}

  static List<OtherNames> all() {
    return List.of(names(timm()), names(transformers("mobilenet_v1.")), names(transformers("")));
  }

  private static List<Step> timm() {
    List<Step> steps = new ArrayList<>(List.of(new Step("conv_stem", "bn1")));
    for (int stage = 0; stage < STAGES.length; stage++) {
      for (int pair = 0; pair < STAGES[stage]; pair++) {
        String block = "blocks.%d.%d.".formatted(stage, pair);
        steps.add(new Step(block + "conv_dw", block + "bn1"));
        steps.add(new Step(block + "conv_pw", block + "bn2"));
      }
    }
    return steps;
  }

  /**
   * @param prefix of the network within a model that classifies; empty where it was saved alone
   */
  private static List<Step> transformers(String prefix) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < 1 + 2 * PAIRS; i++) {
      String layer = prefix + (i == 0 ? "conv_stem." : "layer.%d.".formatted(i - 1));
      steps.add(new Step(layer + "convolution", layer + "normalization"));
    }
    return steps;
  }

  /** Here each step is a convolution, a normalisation and a rectifier. */
  private static OtherNames names(List<Step> steps) {
    Map<String, String> names = new LinkedHashMap<>();
    for (int i = 0; i < steps.size(); i++) {
      names.put(steps.get(i).conv() + ".weight", "%d.conv.weight".formatted(3 * i));
      for (String array : OF_NORM) {
        names.put(steps.get(i).norm() + "." + array, "%d.norm.%s".formatted(3 * i + 1, array));
      }
    }
    return new OtherNames(names, List.of("classifier."));
  }
}
