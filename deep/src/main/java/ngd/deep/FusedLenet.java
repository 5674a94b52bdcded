package ngd.deep;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import ngd.deep.device.Cuda;
import ngd.deep.device.Device;
import ngd.deep.device.Kernels;
import ngd.deep.device.Torch;
import ngd.deep.model.Models;
import ngd.deep.model.Net;
import ngd.deep.model.Shape;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.jspecify.annotations.Nullable;

/**
 * LeNet's gradients by the kernels of {@code lenet.cu}, in float32, launched as one CUDA graph on
 * libtorch's stream. θ is copied into the graph's own block before and the gradient out of it
 * after.
 */
final class FusedLenet implements FusedPass {
  private static final Shape INPUT = Shape.image(1, 28, 28);
  private static final int CLASSES = 10;

  // Where weights lie in a row of θ.
  private static final int CONV1 = 0;
  private static final int CONV2 = 156;
  private static final int DENSE1 = 2572;
  private static final int SHIFT1 = 50572;
  private static final int DENSE2 = 50692;
  private static final int SHIFT2 = 60772;
  private static final int DENSE3 = 60856;
  private static final int SHIFT3 = 61696;

  // Numbers of an image after each layer.
  private static final int POOLED1 = 1176;
  private static final int POOLED2 = 400;
  private static final int HIDDEN1 = 120;
  private static final int HIDDEN2 = 84;

  // As in lenet.cu: images that a block goes through, and the numbers of a part of a gradient.
  private static final int CONV1_IMAGES = 19;
  private static final int CONV2_IMAGES = 30;
  private static final int INPUT_IMAGES = 30;
  private static final int WEIGHT2_IMAGES = 40;
  private static final int WEIGHT1_IMAGES = 60;
  private static final int PARTS2 = 2416;
  private static final int PARTS1 = 156;
  private static final int TALL = 128;
  private static final int BROAD = 64;

  /** Images whose share of a dense layer's gradient is made by one block. */
  private static final int SLICE = 384;

  private static final int HEAD_IMAGES = 32;

  private final Cuda cuda;
  private final Arena arena = Arena.ofConfined();
  private final Device device;
  private final int clients;
  private final int parameters;
  private final int images;
  private final int longest;
  private final Kernels kernels;

  // The way to the gradient of the first layer, and what nothing else waits for, side by side after
  // the first.
  private final List<Launch> first = new ArrayList<>();
  private final List<Launch> main = new ArrayList<>();
  private final List<Launch> side = new ArrayList<>();
  private List<Launch> launches = first;
  private final Tensor theta;
  private final Tensor gradient;
  private final Tensor losses;
  private final long graph;

  /** A kernel with its threads and arguments. */
  private record Launch(String name, Cuda.LaunchGrid grid, List<MemorySegment> arguments) {}

  private FusedLenet(Net net, ClientData data, Device device, Cuda cuda) {
    this.cuda = cuda;
    this.device = device;
    clients = data.clients();
    parameters = net.parameters();
    images = data.size();
    longest = Arrays.stream(data.sizes()).max().orElseThrow();
    kernels = new Kernels(cuda, FusedLenet.class, "lenet.ptx");
    try (PointerScope _ = new PointerScope()) {
      theta = floats(clients, parameters);
      gradient = floats(clients, parameters);
      losses = floats(images, 1);
      plan(data);
    }
    graph =
        cuda.graph(
            stream -> launch(first, stream),
            stream -> launch(main, stream),
            stream -> launch(side, stream));
  }

  /** These kernels where they fit model, data and device; null where others must do. */
  static @Nullable FusedLenet of(Net net, ClientData data, Device device) {
    boolean fits =
        net.model() instanceof Models.Lenet
            && net.input().equals(INPUT)
            && net.classes() == CLASSES;
    return fits ? new FusedLenet(net, data, device, new Cuda()) : null;
  }

  private Tensor floats(long rows, long width) {
    return empty(rows, width, device.reals());
  }

  private Tensor empty(long rows, long width, TensorOptions options) {
    return device.keep(torch.empty(new long[] {rows, width}, options, new MemoryFormatOptional()));
  }

  private Tensor bytes(long rows, long width) {
    return device.keep(
        device.here(torch.zeros(new long[] {rows, width}, new TensorOptions(ScalarType.Byte))));
  }

  private void plan(ClientData data) {
    int[] ends = data.offsets();
    Tensor offsets =
        device.keep(
            device.here(
                Torch.of(Arrays.stream(ends).asLongStream().toArray(), ends.length)
                    .to(ScalarType.Int)));
    Tensor pooled1 = floats(images, POOLED1);
    Tensor pooled2 = floats(images, POOLED2);
    Tensor argmax1 = bytes(images, POOLED1);
    Tensor argmax2 = bytes(images, POOLED2);
    Tensor hidden1 = floats(images, HIDDEN1);
    Tensor hidden2 = floats(images, HIDDEN2);
    Tensor dLogits = floats(images, CLASSES);
    Tensor dHidden2 = floats(images, HIDDEN2);
    Tensor dHidden1 = floats(images, HIDDEN1);
    Tensor dPooled2 = floats(images, POOLED2);
    Tensor dPooled1 = floats(images, POOLED1);
    int blocks2 = Math.ceilDiv(longest, WEIGHT2_IMAGES);
    int blocks1 = Math.ceilDiv(longest, WEIGHT1_IMAGES);
    Tensor parts2 = floats((long) clients * blocks2, PARTS2);
    Tensor parts1 = floats((long) clients * blocks1, PARTS1);

    add(
        "conv1_forward",
        over(CONV1_IMAGES, 224),
        at(theta),
        at(data.x()),
        at(offsets),
        at(pooled1),
        at(argmax1));
    add(
        "conv2_forward",
        over(CONV2_IMAGES, 320),
        at(theta),
        at(pooled1),
        at(offsets),
        at(pooled2),
        at(argmax2));
    product(
        -1,
        HIDDEN1,
        POOLED2,
        image(pooled2, POOLED2, 1),
        weight(DENSE1, 1, POOLED2),
        image(hidden1, HIDDEN1, 1),
        offsets,
        at(theta, SHIFT1),
        0,
        1);
    product(
        -1,
        HIDDEN2,
        HIDDEN1,
        image(hidden1, HIDDEN1, 1),
        weight(DENSE2, 1, HIDDEN1),
        image(hidden2, HIDDEN2, 1),
        offsets,
        at(theta, SHIFT2),
        0,
        1);
    add(
        "head",
        over(HEAD_IMAGES, 320),
        at(theta),
        at(hidden2),
        at(data.y()),
        at(offsets),
        at(dLogits),
        at(dHidden2),
        at(losses));
    product(
        -1,
        HIDDEN1,
        HIDDEN2,
        image(dHidden2, HIDDEN2, 1),
        weight(DENSE2, HIDDEN1, 1),
        image(dHidden1, HIDDEN1, 1),
        offsets,
        at(hidden1),
        HIDDEN1,
        2);
    product(
        -1,
        POOLED2,
        HIDDEN1,
        image(dHidden1, HIDDEN1, 1),
        weight(DENSE1, POOLED2, 1),
        image(dPooled2, POOLED2, 1),
        offsets,
        at(theta),
        0,
        0);
    launches = side;
    weights(
        HIDDEN1, POOLED2, turned(dHidden1, HIDDEN1), image(pooled2, POOLED2, 1), offsets, DENSE1);
    weights(
        HIDDEN2, HIDDEN1, turned(dHidden2, HIDDEN2), image(hidden1, HIDDEN1, 1), offsets, DENSE2);
    weights(
        CLASSES, HIDDEN2, turned(dLogits, CLASSES), image(hidden2, HIDDEN2, 1), offsets, DENSE3);
    sums(dHidden1, HIDDEN1, SHIFT1, offsets);
    sums(dHidden2, HIDDEN2, SHIFT2, offsets);
    sums(dLogits, CLASSES, SHIFT3, offsets);
    add(
        "conv2_backward_weight",
        over(WEIGHT2_IMAGES, 512),
        at(pooled1),
        at(dPooled2),
        at(argmax2),
        at(offsets),
        at(parts2));
    parts(parts2, blocks2, PARTS2, CONV2);
    launches = main;
    add(
        "conv2_backward_input",
        over(INPUT_IMAGES, 256),
        at(theta),
        at(dPooled2),
        at(argmax2),
        at(offsets),
        at(dPooled1));
    add(
        "conv1_backward_weight",
        new Cuda.LaunchGrid(blocks1, clients, 3, 224),
        at(data.x()),
        at(dPooled1),
        at(argmax1),
        at(offsets),
        at(parts1));
    parts(parts1, blocks1, PARTS1, CONV1);
  }

  /** A grid whose blocks each take {@code imagesOfABlock} images of a client. */
  private Cuda.LaunchGrid over(int imagesOfABlock, int threads) {
    return new Cuda.LaunchGrid(Math.ceilDiv(longest, imagesOfABlock), clients, 1, threads);
  }

  private void add(String kernel, Cuda.LaunchGrid grid, MemorySegment... arguments) {
    launches.add(new Launch(kernel, grid, List.of(arguments)));
  }

  private MemorySegment at(Tensor tensor) {
    return Kernels.at(arena, tensor);
  }

  private MemorySegment at(Tensor tensor, int from) {
    return Kernels.at(arena, tensor, from);
  }

  private MemorySegment number(int value) {
    return Kernels.number(arena, value);
  }

  /** An operand of {@code product}: the struct of the same name in lenet.cu. */
  private MemorySegment operand(
      Tensor tensor, int from, int client, int image, int outer, int inner) {
    MemorySegment struct = arena.allocate(24, 8);
    struct.set(JAVA_LONG, 0, Kernels.address(tensor, from));
    struct.set(JAVA_INT, 8, client);
    struct.set(JAVA_INT, 12, image);
    struct.set(JAVA_INT, 16, outer);
    struct.set(JAVA_INT, 20, inner);
    return struct;
  }

  /** Images as rows. */
  private MemorySegment image(Tensor tensor, int outer, int inner) {
    return operand(tensor, 0, 0, outer, outer, inner);
  }

  /** Images as columns. */
  private MemorySegment turned(Tensor tensor, int width) {
    return operand(tensor, 0, 0, width, 1, width);
  }

  private MemorySegment weight(int from, int outer, int inner) {
    return operand(theta, from, parameters, 0, outer, inner);
  }

  /** The gradient of a dense layer's weights: images are what is summed over, in slices. */
  private void weights(
      int rows, int columns, MemorySegment a, MemorySegment b, Tensor offsets, int to) {
    int slices = slices();
    int size = rows * columns;
    Tensor parts = floats((long) clients * slices, size);
    product(
        rows, columns, -1, a, b, operand(parts, 0, size, 0, columns, 1), offsets, at(theta), 0, 0);
    parts(parts, slices, size, to);
  }

  private int slices() {
    return Math.ceilDiv(longest, SLICE);
  }

  private void product(
      int rows,
      int columns,
      int depth,
      MemorySegment a,
      MemorySegment b,
      MemorySegment c,
      Tensor offsets,
      MemorySegment other,
      int otherStride,
      int finish) {
    int slices = depth < 0 ? slices() : 1;
    Cuda.LaunchGrid grid =
        new Cuda.LaunchGrid(
            Math.ceilDiv(columns, BROAD),
            Math.ceilDiv(rows < 0 ? longest : rows, TALL),
            clients * slices,
            256);
    add(
        "product",
        grid,
        a,
        b,
        c,
        other,
        number(otherStride),
        number(finish),
        number(rows),
        number(columns),
        number(depth),
        at(offsets),
        number(slices),
        number(SLICE));
  }

  private void sums(Tensor x, int columns, int to, Tensor offsets) {
    int slices = slices();
    Tensor parts = floats((long) clients * slices, columns);
    add(
        "column_sums",
        new Cuda.LaunchGrid(Math.ceilDiv(columns, 32), clients, slices, 512),
        at(x),
        number(columns),
        at(offsets),
        number(slices),
        number(SLICE),
        at(parts));
    parts(parts, slices, columns, to);
  }

  private void parts(Tensor parts, int blocks, int size, int to) {
    add(
        "sum_parts",
        new Cuda.LaunchGrid(Math.ceilDiv(size, 32), clients, 1, 128),
        at(parts),
        number(blocks),
        number(size),
        number(to),
        at(gradient));
  }

  private void launch(List<Launch> all, long stream) {
    for (Launch launch : all) {
      kernels.launch(
          launch.name, launch.grid, stream, launch.arguments.toArray(MemorySegment[]::new));
    }
  }

  @Override
  public boolean takesBatches() {
    return false;
  }

  @Override
  public Tensor gradient(Tensor at, Supplier<ClientData.Chunk> chosen) {
    theta.copy_(at);
    cuda.launchGraph(graph, Cuda.TORCH_STREAM);
    return gradient.clone();
  }

  @Override
  public String toString() {
    return "kernels of our own for LeNet in float32, one CUDA graph";
  }

  @Override
  public void close() {
    cuda.freeGraph(graph);
    kernels.close();
    arena.close();
  }
}
