package ngd.core.preparation;

import java.util.Map;

/**
 * How many rows one site has.
 *
 * @param complete in which nothing that the formula uses is missing
 * @param dropped in which something is
 * @param missing for each expression in which anything is missing, in how many rows it is
 */
public record SiteRows(String site, long complete, long dropped, Map<String, Long> missing) {}
