/**
 * What is said when a study is done: {@link ngd.studies.report.Section}s of {@link
 * ngd.studies.report.Html}, each {@link ngd.studies.report.Claim} with the {@link
 * ngd.studies.report.Verdict} of the numbers, put together as a {@link ngd.studies.report.Page},
 * and the {@link ngd.studies.report.Output} that takes tables and figures.
 *
 * <p>Claims are pure functions of summaries such as medians, so that a verdict can be tested on
 * numbers made by hand. Must not know any kind of study, nor who computes.
 */
@NullMarked
package ngd.studies.report;

import org.jspecify.annotations.NullMarked;
