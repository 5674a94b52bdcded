/**
 * Figures for print: panels of curves, boxes and dots with common axes, the curves of stored runs,
 * and networks with the places of their clients; as SVG and PNG from the same drawing.
 *
 * <p>Every kind of line differs from the others in its dashes and its marker, not in its colour
 * alone, so that a figure survives a grey copy. The only room that knows the chart library and AWT;
 * it knows nothing of studies.
 */
@NullMarked
package ngd.studies.figure;

import org.jspecify.annotations.NullMarked;
