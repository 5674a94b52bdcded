package ngd.peer.standing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.file.WholeFile;
import ngd.core.file.YamlTree;
import ngd.core.run.JsonObject;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Where a member of a standing federation keeps what: beside its kit and its key. */
public record MemberFolder(Path root) {
  static final String QUESTION = ".question";
  static final String DECISION = ".decision";
  static final String KIT = ".kit";

  /** Ends the name of a file that says why something was not taken. */
  private static final String REFUSED = ".refused";

  /** The record of every question and answer. */
  public Path log() {
    return root.resolve("questions").resolve("log.jsonl");
  }

  /** What members have said. */
  public Path statements() {
    return root.resolve("questions").resolve("statements");
  }

  /** Where commands put what the peer is to take up. */
  private Path in() {
    return root.resolve("questions").resolve("in");
  }

  /** The answer to a question. */
  public Path answer(String question) {
    return root.resolve("answers").resolve(question);
  }

  /** What survives restarts, for all questions. */
  Path state() {
    return root.resolve("state");
  }

  /** What a question's run keeps over a restart. */
  Path state(String question) {
    return state().resolve(question);
  }

  /** Removes what a question that is over needed over restarts. */
  void forgetState(String question) {
    Path gone = state(question);
    if (Files.notExists(gone)) {
      return;
    }
    try (Stream<Path> files = Files.walk(gone)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be deleted".formatted(gone), e);
    }
  }

  void make() {
    for (Path folder :
        List.of(root.resolve("questions"), in(), statements(), root.resolve("answers"), state())) {
      try {
        WholeFile.Access.PRIVATE.createFolders(folder);
      } catch (IOException e) {
        throw new InvalidInput("%s: cannot be made: %s".formatted(folder, e.getMessage()), e);
      }
    }
  }

  /**
   * Deletes drafts of files that a crash left behind, and reasons that whoever waited for them has
   * read, so that they do not become more and more; for whoever holds the lock. What others hand in
   * is left alone.
   */
  void sweep() {
    for (Path folder : List.of(root.resolve("questions"), statements(), state())) {
      sweep(folder, WholeFile::isDraft);
    }
    sweep(in(), file -> file.toString().endsWith(REFUSED));
  }

  private void sweep(Path folder, Predicate<Path> passing) {
    try (Stream<Path> all = folder.equals(state()) ? Files.walk(folder) : Files.list(folder)) {
      for (Path file : all.filter(passing).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException later) {
      // A disk that does not let it be deleted now may do so at the next start.
    }
  }

  private Path lockFile() {
    return root.resolve("questions").resolve("lock");
  }

  /** Makes sure that one peer at a time works in the folder. */
  FileChannel lock() {
    try {
      FileChannel channel =
          FileChannel.open(
              lockFile(),
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              WholeFile.Access.PRIVATE.attributes(root));
      if (held(channel)) {
        channel.close();
        throw new InvalidInput("%s: another peer runs in this folder".formatted(root));
      }
      return channel;
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be written: %s".formatted(root, e.getMessage()), e);
    }
  }

  /** Whether somebody else holds the lock; takes it where nobody does. */
  private static boolean held(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() == null;
    } catch (OverlappingFileLockException here) {
      return true;
    }
  }

  /** Whether a peer works in the folder now. */
  public boolean peerRuns() {
    if (Files.notExists(lockFile())) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(lockFile(), StandardOpenOption.WRITE)) {
      return held(channel);
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** Hands in a question that this member has signed. */
  public void ask(SignedStatement question) {
    handIn(question.name() + QUESTION, question.text());
  }

  /** Hands in what a person has decided. */
  public void decide(HandDecision decision) {
    handIn(decision.question() + DECISION, decision.text());
  }

  /** Hands in a kit with other members, for all to hear. */
  public void change(Map<String, String> kit, String name) {
    handIn(name + KIT, new JsonObject().putAll(kit) + "\n");
  }

  static Map<String, String> kit(Path file) {
    try {
      Map<String, String> files = new LinkedHashMap<>();
      JsonMapper.shared()
          .readTree(YamlTree.text(file))
          .propertyStream()
          .forEach(entry -> files.put(entry.getKey(), entry.getValue().asString()));
      return files;
    } catch (JacksonException e) {
      throw new InvalidInput("%s: must be a kit; it cannot be read".formatted(file), e);
    }
  }

  private Path confirmation(int amendment) {
    return root.resolve("questions").resolve("confirmed-" + amendment);
  }

  /** Notes that a person agrees to a change of members. */
  public void confirm(int amendment) {
    try {
      WholeFile.write(confirmation(amendment), "");
    } catch (IOException e) {
      throw new InvalidInput(
          "%s: cannot be written: %s".formatted(confirmation(amendment), e.getMessage()), e);
    }
  }

  boolean confirmed(int amendment) {
    return Files.exists(confirmation(amendment));
  }

  private void handIn(String name, String text) {
    make();
    try {
      WholeFile.write(
          in().resolve(name),
          WholeFile.Access.PRIVATE,
          out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be written: %s".formatted(in(), e.getMessage()), e);
    }
  }

  /** Says why something that was handed in was not taken. */
  void refuse(Path handIn, String why) {
    try {
      WholeFile.write(
          handIn.resolveSibling(handIn.getFileName() + REFUSED),
          WholeFile.Access.PRIVATE,
          out -> out.write(why.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException full) {
      // The peer's own log has it.
    }
  }

  /** Why a question that was handed in here was not taken, if it was not. */
  Optional<String> refusal(String question) {
    try {
      return Optional.of(Files.readString(in().resolve(question + QUESTION + REFUSED)));
    } catch (IOException taken) {
      return Optional.empty();
    }
  }

  /** What was handed in here and not taken since the peer began, each with the reason. */
  public List<String> refusals() {
    if (Files.notExists(in())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(in())) {
      List<String> said = new ArrayList<>();
      for (Path file : files.filter(one -> one.toString().endsWith(REFUSED)).sorted().toList()) {
        String name = file.getFileName().toString();
        String handIn = name.substring(0, name.length() - REFUSED.length());
        int dot = handIn.lastIndexOf('.');
        said.add(
            "%s %s: %s"
                .formatted(
                    handIn.substring(dot + 1), handIn.substring(0, dot), Files.readString(file)));
      }
      return said;
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be read: %s".formatted(in(), e.getMessage()), e);
    }
  }

  List<Path> handIns() {
    try (Stream<Path> files = Files.list(in())) {
      return files
          .filter(
              file ->
                  Stream.of(QUESTION, DECISION, KIT)
                      .anyMatch(kind -> file.toString().endsWith(kind)))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be read".formatted(in()), e);
    }
  }
}
