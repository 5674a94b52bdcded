package ngd.core.model;

import java.util.List;

/** What one client knows of the effects of its own groups, which stay with it. */
public sealed interface GroupEffects permits RandomEffectSums, RandomEffectLikelihood {
  /**
   * The predicted effects of this client's groups: by term, group and effect, on the scale of the
   * data.
   *
   * @param factors the lower triangular block of the relative covariance factor of each term, row
   *     by row
   * @param delta the coefficients beyond those that were taken from the responses first
   */
  List<List<List<Double>>> predicted(double[][] factors, double[] delta);

  /** What a group is called at its site. */
  String name(int term, int group);
}
