/**
 * A federation to measure: its sites with their kits on one machine, what each of its peers does,
 * and a bare ping over the same transport to compare with. It prints nothing.
 */
@NullMarked
package ngd.peer.bench;

import org.jspecify.annotations.NullMarked;
