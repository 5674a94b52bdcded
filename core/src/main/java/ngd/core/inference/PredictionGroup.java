package ngd.core.inference;

/**
 * Rows whose predictions lie next to each other, all sites together.
 *
 * @param from where their predictions begin, on the scale of the response
 * @param to where they end
 * @param rows how many there are
 * @param events how many of them have the response 1, where responses are 0 and 1
 * @param weight the sum of their weights
 * @param weightOfEvents of those with the response 1
 * @param predicted the mean prediction, rows counting with their weights
 * @param observed the mean response, likewise
 */
public record PredictionGroup(
    double from,
    double to,
    long rows,
    long events,
    double weight,
    double weightOfEvents,
    double predicted,
    double observed) {

  /** This group and the next as one. */
  PredictionGroup and(PredictionGroup next) {
    double both = weight + next.weight;
    double share = weight / both;
    return new PredictionGroup(
        from,
        next.to,
        rows + next.rows,
        events + next.events,
        both,
        weightOfEvents + next.weightOfEvents,
        share * predicted + (1 - share) * next.predicted,
        share * observed + (1 - share) * next.observed);
  }

  /** Whether its counts may be told; without events, rows are one kind. */
  boolean tells() {
    return SmallCells.tells(events) && SmallCells.tells(rows - events);
  }
}
