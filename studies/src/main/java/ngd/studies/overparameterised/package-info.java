/**
 * Clients with fewer rows than parameters (section 2.6): whether there is one limit, decided in
 * three ways. Must not know other kinds of study.
 */
@NullMarked
package ngd.studies.overparameterised;

import org.jspecify.annotations.NullMarked;
