package ngd.studies;

import java.nio.file.Path;
import java.util.OptionalInt;
import ngd.studies.engine.Engine;

/**
 * Where and how a study is done.
 *
 * @param folder the study's own
 * @param replicates how often to repeat, where somebody says so
 */
public record Workplace(Path folder, Engine engine, long seed, OptionalInt replicates) {}
