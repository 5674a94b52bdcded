package ngd.app.federation;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import ngd.core.WorkFailed;
import ngd.core.data.TableAddress;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Patients of four made-up hospitals of unequal size whose patients differ, each hospital's in a
 * database file of its own: who comes back within a month?
 */
public final class DemoData {
  public static final String FORMULA = "readmitted ~ age + stay + emergency";

  private static final String QUERY = "SELECT * FROM patients";

  /**
   * @param emergencies the share of patients who came as emergencies
   */
  private record Hospital(String site, int patients, double meanAge, double emergencies) {}

  private static final List<Hospital> HOSPITALS =
      List.of(
          new Hospital("north", 1200, 58, 0.30),
          new Hospital("east", 350, 71, 0.55),
          new Hospital("south", 800, 44, 0.20),
          new Hospital("west", 150, 64, 0.40));

  private DemoData() {}

  public static List<String> sites() {
    return HOSPITALS.stream().map(Hospital::site).toList();
  }

  /** Writes the database files and says where they are. */
  public static List<TableAddress> write(Path folder, long seed) {
    List<TableAddress> addresses = new ArrayList<>();
    for (int m = 0; m < HOSPITALS.size(); m++) {
      Hospital hospital = HOSPITALS.get(m);
      Path file = folder.resolve(hospital.site() + ".db");
      write(file, hospital, Streams.of(seed).stream(Streams.Purpose.DATA, m));
      addresses.add(
          new TableAddress(hospital.site(), "jdbc:sqlite:" + file, Optional.of(QUERY), List.of()));
    }
    return addresses;
  }

  private static void write(Path file, Hospital hospital, UniformRandomProvider random) {
    var normal = ZigguratSampler.NormalizedGaussian.of(random);
    var waiting = ZigguratSampler.Exponential.of(random);
    try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = database.createStatement()) {
      statement.execute(
          "CREATE TABLE patients (readmitted INTEGER, age REAL, stay REAL, emergency INTEGER)");
      database.setAutoCommit(false);
      try (PreparedStatement row =
          database.prepareStatement("INSERT INTO patients VALUES (?, ?, ?, ?)")) {
        for (int i = 0; i < hospital.patients(); i++) {
          double age = Math.rint(Math.clamp(hospital.meanAge() + 13 * normal.sample(), 18, 99));
          double stay = Math.ceil(5 * waiting.sample());
          boolean emergency = random.nextDouble() < hospital.emergencies();
          double predictor = -3.4 + 0.025 * age + 0.06 * stay + (emergency ? 0.6 : 0);
          row.setInt(1, random.nextDouble() < 1 / (1 + Math.exp(-predictor)) ? 1 : 0);
          row.setDouble(2, age);
          row.setDouble(3, stay);
          row.setInt(4, emergency ? 1 : 0);
          row.addBatch();
        }
        row.executeBatch();
      }
      database.commit();
    } catch (SQLException e) {
      throw new WorkFailed("%s: cannot be written: %s".formatted(file, e.getMessage()), e);
    }
  }
}
