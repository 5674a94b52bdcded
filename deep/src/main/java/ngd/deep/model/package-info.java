/**
 * What is learned: a {@link ngd.deep.model.Model} lists {@link ngd.deep.model.Layer}s, which work
 * on all clients at once; {@link ngd.deep.model.Net} lays their weights out in a row of θ; {@link
 * ngd.deep.model.Safetensors} keeps them in files. Models of your own implement {@code Model}.
 */
@NullMarked
package ngd.deep.model;

import org.jspecify.annotations.NullMarked;
