package ngd.core;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.AnnotationBasedArgumentsProvider;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** A law that holds for all inputs: the test runs on the {@link RandomInput} of each seed. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}")
@ArgumentsSource(Seeds.Inputs.class)
public @interface Seeds {
  /** How many seeds, from 0 on. */
  int value();

  /** One input a seed. */
  final class Inputs extends AnnotationBasedArgumentsProvider<Seeds> {
    @Override
    protected Stream<? extends Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context, Seeds seeds) {
      return LongStream.range(0, seeds.value()).mapToObj(RandomInput::of).map(Arguments::of);
    }
  }
}
