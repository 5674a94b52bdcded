package ngd.core.data;

import java.util.ServiceLoader;
import ngd.core.InvalidInput;

/** Opens tables; found by {@link ServiceLoader}, as the engines that read them are heavy. */
public interface TableProvider {
  SiteTable open(TableAddress address);

  /** The provider on the class path. */
  static TableProvider first() {
    return ServiceLoader.load(TableProvider.class)
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "sources: reading tables needs ngd-sources on the class path, which ./ngd puts there; it is not"));
  }
}
