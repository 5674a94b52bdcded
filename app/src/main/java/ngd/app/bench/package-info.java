/** {@code ngd bench}: how fast rounds, algorithms and real peers are on this machine. */
@NullMarked
package ngd.app.bench;

import org.jspecify.annotations.NullMarked;
