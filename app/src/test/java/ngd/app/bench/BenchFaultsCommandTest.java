package ngd.app.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ngd.app.Command;
import org.junit.jupiter.api.Test;

class BenchFaultsCommandTest {
  @Test
  void faults_aFewSeeds_saysWhatTheyCameTo() {
    Command command = Command.line("bench faults --seed 3 --seeds 4 --peers 2 --threads 1");
    assertThat(command.out()).contains("4 seeds, 0 failed: 8 peers");
    assertThat(command.code()).isZero();
  }

  @Test
  void faults_wrongWords_namesThemAll() {
    Command command =
        Command.line("bench faults --seeds 0 --mode luck --peers 17 --threads 0 --soak 0");
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.errors()).hasSize(5);
    assertThat(command.err())
        .contains("--seeds", "safety or liveness", "[2, 16]", "--threads")
        .contains("--soak: must be at least 1 hour; got 0");
  }
}
