package ngd.core.formula;

/** A column of a site's table. */
public record Column(String name, ColumnType type) {}
