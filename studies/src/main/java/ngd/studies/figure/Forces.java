package ngd.studies.figure;

import java.util.Arrays;
import ngd.core.network.Network;

/**
 * Places found by forces: clients push each other apart, links pull their ends together, and a weak
 * pull to the middle keeps parts together that no link holds.
 *
 * <p>Far groups push as one body at their centre (Barnes and Hut 1986), so a step costs M log M.
 */
final class Forces {
  /** A square of the tree counts as one body when its side is below this share of its distance. */
  private static final double FAR = 0.9;

  private static final double PUSH = 1.0;
  private static final double PULL = 0.35;
  private static final double TO_THE_MIDDLE = 0.06;
  private static final double FRICTION = 0.6;

  private final Network network;
  private final double[] x;
  private final double[] y;
  private final double[] moveX;
  private final double[] moveY;
  private final int[] degree;

  // The tree: four children a square, a body in a leaf, mass and centre of everything below.
  private int[] child = new int[0];
  private double[] mass = new double[0];
  private double[] centreX = new double[0];
  private double[] centreY = new double[0];
  private int squares;

  Forces(Network network, double[] x, double[] y) {
    this.network = network;
    this.x = x;
    this.y = y;
    moveX = new double[x.length];
    moveY = new double[x.length];
    degree = new int[x.length];
    for (int m = 0; m < x.length; m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        degree[m]++;
        degree[network.heard()[e]]++;
      }
    }
    // A unit is the distance that neighbours like to keep.
    double unit = Math.sqrt(x.length);
    for (int m = 0; m < x.length; m++) {
      x[m] *= unit;
      y[m] *= unit;
    }
  }

  /** Moves all clients until the heat is gone. */
  void settle() {
    int steps = Math.clamp(600_000L / x.length, 60, 300);
    double cooling = Math.pow(0.002, 1.0 / steps);
    double heat = 1;
    for (int step = 0; step < steps; step++) {
      pull(heat);
      push(heat);
      for (int m = 0; m < x.length; m++) {
        moveX[m] = (moveX[m] - TO_THE_MIDDLE * heat * x[m]) * FRICTION;
        moveY[m] = (moveY[m] - TO_THE_MIDDLE * heat * y[m]) * FRICTION;
        x[m] += moveX[m];
        y[m] += moveY[m];
      }
      heat *= cooling;
    }
  }

  private void pull(double heat) {
    for (int m = 0; m < x.length; m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        int k = network.heard()[e];
        double dx = x[k] - x[m];
        double dy = y[k] - y[m];
        double distance = Math.max(Math.hypot(dx, dy), 1e-6);
        double force = heat * PULL * (distance - 1) / distance / Math.min(degree[m], degree[k]);
        double share = (double) degree[m] / (degree[m] + degree[k]);
        moveX[k] -= dx * force * share;
        moveY[k] -= dy * force * share;
        moveX[m] += dx * force * (1 - share);
        moveY[m] += dy * force * (1 - share);
      }
    }
  }

  private void push(double heat) {
    double reach = 1e-6;
    for (int m = 0; m < x.length; m++) {
      reach = Math.max(reach, Math.max(Math.abs(x[m]), Math.abs(y[m])));
    }
    plant(reach);
    int[] stack = new int[4 * 64 + 4];
    double[] sides = new double[stack.length];
    for (int m = 0; m < x.length; m++) {
      int depth = 0;
      stack[0] = 0;
      sides[0] = 2 * reach;
      while (depth >= 0) {
        int at = stack[depth];
        double side = sides[depth--];
        double dx = x[m] - centreX[at];
        double dy = y[m] - centreY[at];
        double square = dx * dx + dy * dy;
        boolean leaf = child[4 * at] < 0;
        if (leaf || side * side < FAR * FAR * square) {
          if (square > 1e-12) {
            double force = heat * PUSH * mass[at] / square;
            moveX[m] += dx * force;
            moveY[m] += dy * force;
          }
          continue;
        }
        for (int i = 0; i < 4; i++) {
          int below = child[4 * at + i];
          if (mass[below] > 0) {
            stack[++depth] = below;
            sides[depth] = side / 2;
          }
        }
      }
    }
  }

  /** Builds the tree of all clients in the square from −reach to reach. */
  private void plant(double reach) {
    squares = 0;
    grow();
    for (int m = 0; m < x.length; m++) {
      insert(m, reach);
    }
  }

  private void insert(int m, double reach) {
    int at = 0;
    double left = -reach;
    double top = -reach;
    double side = 2 * reach;
    for (int depth = 0; ; depth++) {
      double total = mass[at] + 1;
      if (child[4 * at] < 0) {
        // Bodies that (nearly) coincide share a leaf: they cannot be separated any further.
        if (mass[at] == 0 || depth > 40) {
          centreX[at] = (centreX[at] * mass[at] + x[m]) / total;
          centreY[at] = (centreY[at] * mass[at] + y[m]) / total;
          mass[at] = total;
          return;
        }
        split(at, left, top, side);
      }
      centreX[at] = (centreX[at] * mass[at] + x[m]) / total;
      centreY[at] = (centreY[at] * mass[at] + y[m]) / total;
      mass[at] = total;
      side /= 2;
      int right = x[m] >= left + side ? 1 : 0;
      int below = y[m] >= top + side ? 1 : 0;
      left += right * side;
      top += below * side;
      at = child[4 * at + right + 2 * below];
    }
  }

  /** Gives a leaf four children and hands its body down to one of them. */
  private void split(int at, double left, double top, double side) {
    int first = squares;
    for (int i = 0; i < 4; i++) {
      grow();
      child[4 * at + i] = first + i;
    }
    int right = centreX[at] >= left + side / 2 ? 1 : 0;
    int below = centreY[at] >= top + side / 2 ? 1 : 0;
    int own = first + right + 2 * below;
    mass[own] = mass[at];
    centreX[own] = centreX[at];
    centreY[own] = centreY[at];
  }

  /** One square more, empty. */
  private void grow() {
    if (squares == mass.length) {
      int larger = Math.max(64, 2 * squares);
      child = Arrays.copyOf(child, 4 * larger);
      mass = Arrays.copyOf(mass, larger);
      centreX = Arrays.copyOf(centreX, larger);
      centreY = Arrays.copyOf(centreY, larger);
    }
    Arrays.fill(child, 4 * squares, 4 * squares + 4, -1);
    mass[squares] = 0;
    centreX[squares] = 0;
    centreY[squares] = 0;
    squares++;
  }
}
