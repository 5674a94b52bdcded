package ngd.deep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;

/** Oracle: the paper's parameter counts, and sums of layer sizes written out here. */
final class ModelsTest {
  private static final Shape MNIST = Shape.image(1, 28, 28);
  private static final Shape CIFAR = Shape.image(3, 32, 32);

  private static int parameters(String model, Shape input) {
    return new Net(Model.parse(model), input, 10).parameters();
  }

  @Test
  void parameters_lenet_isThePapers() {
    assertThat(parameters("lenet", MNIST)).isEqualTo(61_706);
  }

  @Test
  void parameters_mobilenet_isThePapers() {
    assertThat(parameters("mobilenet", CIFAR)).isEqualTo(3_488_522);
    assertThat(parameters("mobilenet:group", CIFAR)).isEqualTo(3_488_522);
    int head = 2 * 1024 + 1024 * 256 + 256 + 256 * 64 + 64 + 64 * 10 + 10;
    assertThat(3_488_522 - head).isEqualTo(3_206_976);
  }

  @Test
  void parameters_resnet20_isTheSumOfItsLayers() {
    int blocks16 = 6 * (9 * 16 * 16 + 2 * 16);
    int blocks32 = 9 * 16 * 32 + 5 * 9 * 32 * 32 + 6 * 2 * 32 + 16 * 32 + 2 * 32;
    int blocks64 = 9 * 32 * 64 + 5 * 9 * 64 * 64 + 6 * 2 * 64 + 32 * 64 + 2 * 64;
    assertThat(parameters("resnet20", CIFAR))
        .isEqualTo(9 * 3 * 16 + 2 * 16 + blocks16 + blocks32 + blocks64 + 64 * 10 + 10);
  }

  @Test
  void parameters_mlp_isTheSumOfItsLayers() {
    assertThat(parameters("mlp:64-32", Shape.row(5)))
        .isEqualTo(5 * 64 + 64 + 64 * 32 + 32 + 32 * 10 + 10);
    assertThat(parameters("mlp", Shape.row(5))).isEqualTo(5 * 10 + 10);
  }

  @Test
  void start_xavier_staysWithinItsLimitAndFillsIt() {
    Net net = new Net(Model.parse("lenet"), MNIST, 10);
    double[] theta = net.start(Streams.of(3));
    double limit = Math.sqrt(6.0 / (25 + 6 * 25));
    double largest = 0;
    for (int j = 0; j < 150; j++) {
      assertThat(Math.abs(theta[j])).isLessThanOrEqualTo(limit);
      largest = Math.max(largest, Math.abs(theta[j]));
    }
    assertThat(largest).isGreaterThan(0.9 * limit);
    for (int j = 150; j < 156; j++) {
      assertThat(theta[j]).isZero();
    }
  }

  @Test
  void parse_wordsThatAreWrong_areExplained() {
    assertThatThrownBy(() -> Model.parse("lenett"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("did you mean `lenet`");
    assertThatThrownBy(() -> Model.parse("lenet:3")).hasMessageContaining("must be written lenet;");
    assertThatThrownBy(() -> Model.parse("mlp:64-x")).hasMessageContaining("mlp:64-32");
    assertThatThrownBy(() -> new Net(Model.parse("lenet"), Shape.image(1, 3, 3), 10))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("model lenet: does not fit samples of 1 x 3 x 3");
    assertThatThrownBy(() -> new Net(Model.parse("resnet20"), Shape.row(9), 10))
        .hasMessageContaining("needs images");
  }

  @Test
  void parse_aModelOfOnesOwn_isFoundByItsServiceFile() {
    Model own = Model.parse("tiny");
    assertThat(own).isInstanceOf(TinyModel.class);
    assertThat(new Net(own, MNIST, 3).weights().stream().map(Weight::name))
        .isEqualTo(
            List.of(
                "0.conv.weight", "0.conv.bias", "1.swish.slope", "3.dense.weight", "3.dense.bias"));
  }
}
