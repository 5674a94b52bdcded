package ngd.core.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Oracle: the methods that a table has. */
class TableOverTest {
  /** A method with a default would otherwise be answered by the default, not by the table. */
  @Test
  void tableOver_everyMethodOfATable_isHandedOn() throws NoSuchMethodException {
    Method[] methods = SiteTable.class.getDeclaredMethods();
    assertThat(Arrays.stream(methods).filter(Method::isDefault)).isNotEmpty();
    for (Method method : methods) {
      Class<?> by =
          TableOver.class
              .getMethod(method.getName(), method.getParameterTypes())
              .getDeclaringClass();
      assertThat(by).as(method.getName()).isEqualTo(TableOver.class);
    }
  }
}
