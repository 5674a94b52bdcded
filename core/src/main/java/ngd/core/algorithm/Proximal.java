package ngd.core.algorithm;

import ngd.core.rows.Rows;

/**
 * Where each client stands in a row of proximal steps.
 *
 * @param at its point
 * @param solved where it last took such a step to the end; its point is within reach of that
 */
public record Proximal(Rows at, Rows solved) {}
