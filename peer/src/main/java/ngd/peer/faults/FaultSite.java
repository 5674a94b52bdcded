package ngd.peer.faults;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One site of a simulated federation: its disk stays, its machine lasts until the next crash. */
final class FaultSite {
  final int number;
  final String name;
  final SimulatedDisk disk = new SimulatedDisk();
  @Nullable SimulatedMachine machine;

  /** How often its peer was started. */
  int starts;

  /** Whether its peer has ended by itself, with nothing left to do. */
  boolean left;

  /** Whether it said that somebody may still need it. */
  boolean neededLater;

  /** Why it has refused to go on; null where it has not. */
  @Nullable String refusal;

  /** Whether something happened to its files or data for which it may refuse to go on. */
  boolean damaged;

  /** Whether anything of a run was on disk when it sent a term. */
  boolean committed;

  /** Whether its newest snapshot was damaged, for which it may not refuse. */
  boolean newestDamaged;

  /** Whether none of its snapshots can be read, or all are another site's: it must say so. */
  boolean unusable;

  /** Until when its disk takes nothing. */
  long diskFullUntil;

  /** Until when its disk can be read alone. */
  long readOnlyUntil;

  /** How long forcing something to its disk takes at most, in nanoseconds. */
  long slowestForce;

  /** When its certificate was revoked; 0 while it is valid. */
  long revokedAt;

  /** How far its calendar is ahead. */
  Duration calendar = Duration.ZERO;

  /** The change of its disk at which the machine ends; never where it is 0. */
  long crashAtChange;

  /** A copy of what was on the disk at some time, for a restart with what is too old. */
  SimulatedDisk.@Nullable Node backup;

  FaultSite(int number, String name) {
    this.number = number;
    this.name = name;
  }

  boolean up() {
    SimulatedMachine now = machine;
    return now != null && !now.crashed();
  }
}
