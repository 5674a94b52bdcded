/**
 * What is learned from: {@link ngd.deep.data.Samples} of images or rows with a class each, and a
 * {@link ngd.deep.data.DataSet} of those to learn and those to validate; from MNIST and CIFAR-10
 * files, folders of images, and every table that the product's sources read.
 */
@NullMarked
package ngd.deep.data;

import org.jspecify.annotations.NullMarked;
