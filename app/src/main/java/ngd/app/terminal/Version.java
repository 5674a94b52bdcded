package ngd.app.terminal;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"ngd " + number()};
  }

  public static String number() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "(built from sources)" : version;
  }
}
