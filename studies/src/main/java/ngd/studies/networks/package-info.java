/**
 * Networks before any data: balance, unheard clients and spectrum over M and D. Must not know other
 * kinds of study.
 */
@NullMarked
package ngd.studies.networks;

import org.jspecify.annotations.NullMarked;
