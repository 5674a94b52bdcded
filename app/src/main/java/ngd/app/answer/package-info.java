/** Answers on a page, for people: the pooled answer in the layout that users of R know. */
@NullMarked
package ngd.app.answer;

import org.jspecify.annotations.NullMarked;
