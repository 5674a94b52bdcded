/**
 * Real peers from the command line: {@code ngd federation} for the one who signs, {@code ngd peer}
 * for each site, and {@link ngd.app.federation.LocalFederation}, a whole federation on this
 * machine, for rehearsals and the demo.
 */
@NullMarked
package ngd.app.federation;

import org.jspecify.annotations.NullMarked;
