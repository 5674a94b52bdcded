package ngd.deep.model;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import ngd.deep.model.Layers.Conv;
import ngd.deep.model.Layers.Dense;
import ngd.deep.model.Layers.Flatten;
import ngd.deep.model.Layers.GlobalMean;
import ngd.deep.model.Layers.MaxPool;
import ngd.deep.model.Layers.Relu;
import ngd.deep.model.Norms.BatchNorm;
import ngd.deep.model.Norms.GroupNorm;

/** The networks that the library has. */
public final class Models {
  private Models() {}

  /** What stands after convolutions, with the same parameters either way. */
  enum Normalisation {
    /** Over a client's batch, as the networks were published. */
    BATCH {
      @Override
      Layer layer() {
        return new BatchNorm();
      }

      @Override
      String named(String model) {
        return model;
      }
    },
    /** Over each sample: learns where a client's samples are all of one class. */
    GROUP {
      @Override
      Layer layer() {
        return new GroupNorm();
      }

      @Override
      String named(String model) {
        return model + ":group";
      }
    };

    abstract Layer layer();

    abstract String named(String model);
  }

  /**
   * LeNet-5 (LeCun, Bottou, Bengio and Haffner 1998) with rectifiers and maxima: 61,706 parameters
   * on 28 × 28 pixels and ten classes.
   */
  public record Lenet() implements Model {
    @Override
    public String name() {
      return "lenet";
    }

    @Override
    public List<Layer> layers(Shape input, int classes) {
      return List.of(
          new Conv(6, 5, 1, 2),
          new Relu(),
          new MaxPool(2),
          new Conv(16, 5, 1, 0),
          new Relu(),
          new MaxPool(2),
          new Flatten(),
          new Dense(120),
          new Relu(),
          new Dense(84),
          new Relu(),
          new Dense(classes));
    }
  }

  /**
   * MobileNet v1 of width 1 (Howard et al. 2017), then batch normalisation and dense layers of 256
   * and 64: with three channels and ten classes the paper's 3,488,522 parameters.
   */
  record Mobilenet(Normalisation by) implements Model {
    /** Channels after, and stride of, each pair of a depthwise and a pointwise convolution. */
    private static final int[][] PAIRS = {
      {64, 1}, {128, 2}, {128, 1}, {256, 2}, {256, 1}, {512, 2}, {512, 1}, {512, 1}, {512, 1},
      {512, 1}, {512, 1}, {1024, 2}, {1024, 1}
    };

    @Override
    public String name() {
      return by.named("mobilenet");
    }

    @Override
    public List<OtherNames> otherNames() {
      return by == Normalisation.BATCH ? MobilenetNames.all() : List.of();
    }

    @Override
    public List<Layer> layers(Shape input, int classes) {
      List<Layer> layers = new ArrayList<>(List.of(Conv.plain(32, 3, 2), by.layer(), new Relu()));
      int channels = 32;
      for (int[] pair : PAIRS) {
        layers.addAll(
            List.of(
                Conv.depthwise(channels, pair[1]),
                by.layer(),
                new Relu(),
                Conv.plain(pair[0], 1, 1),
                by.layer(),
                new Relu()));
        channels = pair[0];
      }
      layers.addAll(
          List.of(
              new GlobalMean(),
              by.layer(),
              new Dense(256),
              new Relu(),
              new Dense(64),
              new Relu(),
              new Dense(classes)));
      return layers;
    }
  }

  /**
   * ResNet-20 for small images (He, Zhang, Ren and Sun 2016, section 4.2), projections as
   * shortcuts.
   */
  record Resnet20(Normalisation by) implements Model {
    @Override
    public String name() {
      return by.named("resnet20");
    }

    @Override
    public List<Layer> layers(Shape input, int classes) {
      List<Layer> layers = new ArrayList<>(List.of(Conv.plain(16, 3, 1), by.layer(), new Relu()));
      int channels = 16;
      for (int width : new int[] {16, 32, 64}) {
        for (int block = 0; block < 3; block++) {
          int stride = width == channels ? 1 : 2;
          layers.add(
              new Residual(
                  List.of(
                      Conv.plain(width, 3, stride),
                      by.layer(),
                      new Relu(),
                      Conv.plain(width, 3, 1),
                      by.layer()),
                  width == channels
                      ? List.of()
                      : List.of(Conv.plain(width, 1, stride), by.layer())));
          layers.add(new Relu());
          channels = width;
        }
      }
      layers.add(new GlobalMean());
      layers.add(new Dense(classes));
      return layers;
    }
  }

  /** Dense layers with rectifiers between them; none is multinomial logistic regression. */
  record Mlp(List<Integer> hidden) implements Model {
    Mlp {
      hidden = List.copyOf(hidden);
    }

    static Mlp parse(String spec) {
      List<Integer> hidden = new ArrayList<>();
      if (!spec.equals("mlp")) {
        for (String width : spec.substring("mlp:".length()).split("-", -1)) {
          hidden.add(width(width, spec));
        }
      }
      return new Mlp(hidden);
    }

    private static int width(String text, String spec) {
      try {
        int width = Integer.parseInt(text.strip());
        if (width >= 1) {
          return width;
        }
      } catch (NumberFormatException notANumber) {
        throw malformed(spec, notANumber);
      }
      throw malformed(spec, null);
    }

    private static InvalidInput malformed(
        String spec, @org.jspecify.annotations.Nullable Throwable cause) {
      String message =
          "model mlp: must be followed by the widths of its hidden layers, such as mlp:64-32, or stand alone; got `%s`"
              .formatted(spec);
      return cause == null ? new InvalidInput(message) : new InvalidInput(message, cause);
    }

    @Override
    public String name() {
      return hidden.isEmpty()
          ? "mlp"
          : hidden.stream().map(String::valueOf).collect(Collectors.joining("-", "mlp:", ""));
    }

    @Override
    public List<Layer> layers(Shape input, int classes) {
      List<Layer> layers = new ArrayList<>(List.of(new Flatten()));
      for (int width : hidden) {
        layers.add(new Dense(width));
        layers.add(new Relu());
      }
      layers.add(new Dense(classes));
      return layers;
    }
  }
}
