/**
 * Where rules of robust mixing break: the error of honest clients against the number of attackers,
 * for every rule and attack. Must not know other kinds of study.
 */
@NullMarked
package ngd.studies.trust;

import org.jspecify.annotations.NullMarked;
