/**
 * What differential privacy costs: the error of an estimate against ε, for noise that every site
 * adds for itself, noise that cancels over neighbours, and noise in sums. Must not know other kinds
 * of study.
 */
@NullMarked
package ngd.studies.privacy;

import org.jspecify.annotations.NullMarked;
