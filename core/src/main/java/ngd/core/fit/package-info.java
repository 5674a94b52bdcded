/**
 * One process answers a question over simulated clients or rehearsed sites.
 *
 * <p>{@link ngd.core.fit.FitSetup} is what a question is asked of: its rows at their clients
 * ({@link ngd.core.fit.Sample}) and their network. {@link ngd.core.fit.PooledRun} finds the pooled
 * answer, {@link ngd.core.fit.MethodRun} an algorithm's.
 *
 * <p>Must not print, and knows no command line.
 */
@NullMarked
package ngd.core.fit;

import org.jspecify.annotations.NullMarked;
