package ngd.peer.privacy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.file.Sha256;
import ngd.core.file.WholeFile;
import ngd.core.preparation.IsolatedRows;
import ngd.core.preparation.SiteDisclosure;
import ngd.core.preparation.UsedRows;
import ngd.peer.durable.FileFailure;
import ngd.peer.machine.Machine;

/**
 * What a site remembers of the questions that it answered: over which sets of its rows. Whoever has
 * the answers can add and subtract them, so a further question is judged together with all before.
 *
 * <p>Rows are known by keyed digests of their values; the key lies in the same file, which only its
 * owner may read. A row that was changed is another row.
 */
public final class AnswerMemory {
  private static final int SALT_BYTES = 32;
  private static final int HASH_BYTES = 32;
  private static final int VERSION = 1;
  private static final long LOOK_AGAIN_NS = 5_000_000;

  /** Stands for the columns whose values a model summed, where no class of rows is meant. */
  private static final String SUMMED = "columns";

  /** Stands for the rows that a description summed or counted one column over. */
  private static final String DESCRIBED = "described";

  /** Begins the layout of the bins that a description counted a column in. */
  private static final String BINS = "bins ";

  /** Begins the name of a table of a description. */
  private static final String TABLE = "table ";

  /** Tells what a question says of cuts of its rows from the question. */
  private static final String CUT = "cut";

  /** Stands for the rows that two questions show where these have too many classes to find out. */
  private static final long UNCHECKED = 0;

  private final Path file;

  /** A question's classes of rows, as atoms. */
  private record ClassRows(String variable, Set<String> columns, BitSet atoms) {}

  /**
   * @param salt the key of the digests, in hexadecimal digits
   * @param runs those answered or under way, each on its data, with the classes of their rows
   * @param atomOf each row's atom
   */
  private record Remembered(
      String salt, SequencedMap<String, List<ClassRows>> runs, Map<Long, Integer> atomOf) {}

  private Remembered now;

  /** Whether the key was drawn here, and is not on disk yet. */
  private boolean fresh;

  private AnswerMemory(Path file) {
    this.file = file;
    fresh = Files.notExists(file);
    now = read();
  }

  /** The memory in a site's folder of state; new where there is none. */
  public static AnswerMemory in(Path state) {
    return new AnswerMemory(state.resolve("answers"));
  }

  /**
   * How rows are known again. The key is on disk from then on, so that two questions that a new
   * site begins at once know the same rows.
   */
  public SiteDisclosure.RowDigest digest() {
    if (fresh) {
      guarded(
          () -> {
            if (Files.exists(file)) {
              now = read();
            } else {
              write();
            }
          });
      fresh = false;
    }
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(HexFormat.of().parseHex(now.salt()), "HmacSHA256"));
      return values -> ByteBuffer.wrap(mac.doFinal(values)).getLong();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HMAC with SHA-256", e);
    }
  }

  /**
   * What this question and all before would show together, in words, if fewer rows than these;
   * nothing for a run that is under way.
   *
   * @param run what a run on its data is known by
   */
  public Optional<String> isolated(byte[] run, UsedRows used, int fewest) {
    if (now.runs().containsKey(hex(run))) {
      return Optional.empty();
    }
    Joint joint = new Joint(now, used, fewest, false);
    OptionalLong combined = joint.combined(fewest);
    OptionalLong few = combined.isPresent() ? combined : joint.nested(fewest);
    return few.isEmpty()
        ? Optional.empty()
        : Optional.of(
            few.getAsLong() == UNCHECKED
                ? "an earlier answer and this one have more than %d classes and cells together, too many to find out what they would show"
                    .formatted(IsolatedRows.MOST_SETS)
                : "earlier answers and this one, subtracted, would show %s"
                    .formatted(NumberText.count(few.getAsLong(), "row")));
  }

  /**
   * The columns whose description, with what was answered before, would show fewer rows than these.
   *
   * @param described for each column the rows in which it has a value
   */
  public Set<String> isolating(byte[] run, Map<String, UsedRows> described, int fewest) {
    Set<String> isolating = new TreeSet<>();
    described.forEach(
        (column, used) -> {
          if (!now.runs().containsKey(hex(run, column))
              && new Joint(now, used, fewest, true).combined(fewest).isPresent()) {
            isolating.add(column);
          }
        });
    return isolating;
  }

  /**
   * The columns that were described, before this run was, over other rows: of these, counts in bins
   * could be subtracted.
   *
   * @param described for each column the rows in which it has a value
   */
  public Set<String> describedOtherwise(byte[] run, Map<String, UsedRows> described, int fewest) {
    Set<String> otherwise = new TreeSet<>();
    described.forEach(
        (column, used) -> {
          if (new Joint(now, used, fewest, true).describedOtherwise(hex(run, column), column)) {
            otherwise.add(column);
          }
        });
    return otherwise;
  }

  /**
   * The columns whose values another run counted in other bins. The bins of the others are
   * remembered, and of these too where they are told all the same.
   *
   * @param layouts of the bins, by column
   */
  public Set<String> binsOtherwise(byte[] run, Map<String, String> layouts, boolean refuses) {
    Set<String> otherwise = new TreeSet<>();
    update(
        () ->
            layouts.forEach(
                (column, layout) -> {
                  if (countedOtherwise(hex(run, column), column, BINS + layout)) {
                    otherwise.add(column);
                  }
                  if (!refuses || !otherwise.contains(column)) {
                    addBins(
                        hex(run, column),
                        new ClassRows(BINS + layout, Set.of(column), new BitSet()));
                  }
                }));
    return otherwise;
  }

  /** A run that has told in these bins may do so again, whatever came after. */
  private boolean countedOtherwise(String run, String column, String bins) {
    return now.runs().getOrDefault(run, List.of()).stream()
            .noneMatch(one -> one.variable().equals(bins))
        && now.runs().values().stream()
            .flatMap(List::stream)
            .filter(one -> one.variable().startsWith(BINS) && one.columns().contains(column))
            .anyMatch(one -> !one.variable().equals(bins));
  }

  private void addBins(String run, ClassRows bins) {
    List<ClassRows> classes = new ArrayList<>(now.runs().getOrDefault(run, List.of()));
    if (!classes.isEmpty() && !classes.contains(bins)) {
      classes.add(bins);
      SequencedMap<String, List<ClassRows>> runs = new LinkedHashMap<>(now.runs());
      runs.put(run, classes);
      now = new Remembered(now.salt(), runs, now.atomOf());
    }
  }

  /**
   * The cuts of a question's rows that show too few rows with what was answered before it, and not
   * by themselves. What was remembered after the question does not count, so that a run that is
   * begun again says the same.
   *
   * @param fewest the rows in which two questions may differ
   * @param shown the rows of a class that one question may show
   */
  public Set<String> isolating(byte[] run, UsedRows cut, int fewest, int shown) {
    SequencedMap<String, List<ClassRows>> before = new LinkedHashMap<>();
    for (Map.Entry<String, List<ClassRows>> one : now.runs().entrySet()) {
      if (one.getKey().equals(hex(run))) {
        break;
      }
      before.put(one.getKey(), one.getValue());
    }
    Joint joint = new Joint(new Remembered(now.salt(), before, now.atomOf()), cut, fewest, false);
    Set<String> isolating = new TreeSet<>();
    for (String name : before.isEmpty() ? Set.<String>of() : cut.cuts()) {
      List<ClassRows> classes = joint.with(cut.cuts(), name);
      if (joint.subtracts(classes, fewest, shown)) {
        isolating.add(name);
      }
    }
    return isolating;
  }

  /** Remembers a question with the cuts of its rows, before sums over these are told. */
  public void rememberCut(byte[] run, UsedRows cut, int fewest, int shown, boolean refuses) {
    update(
        () -> {
          String own = hex(run, CUT);
          Joint joint = new Joint(now, cut, fewest, false);
          if (!now.runs().containsKey(own)) {
            if (refuses && joint.subtracts(joint.question, fewest, shown)) {
              throw differing();
            }
            add(own, joint);
          }
        });
  }

  /**
   * Remembers a question before it is answered.
   *
   * @param refuses whether to refuse where another question, answered meanwhile, would with it show
   *     fewer rows than these
   */
  public void remember(byte[] run, UsedRows used, int fewest, boolean refuses) {
    update(
        () -> {
          if (refuses && isolated(run, used, fewest).isPresent()) {
            throw differing();
          }
          add(hex(run), new Joint(now, used, fewest, false));
        });
  }

  /** The same of a description; what is not told is not among the columns. */
  public void remember(byte[] run, Map<String, UsedRows> described, int fewest, boolean refuses) {
    update(
        () -> {
          if (refuses && !isolating(run, described, fewest).isEmpty()) {
            throw differing();
          }
          described.forEach(
              (column, used) -> add(hex(run, column), new Joint(now, used, fewest, true)));
        });
  }

  private void add(String run, Joint joint) {
    now = added(now, run, joint);
  }

  private static Remembered added(Remembered known, String run, Joint joint) {
    if (known.runs().containsKey(run)) {
      return known;
    }
    SequencedMap<String, List<ClassRows>> runs = new LinkedHashMap<>(joint.before);
    runs.put(run, joint.question);
    return new Remembered(known.salt(), runs, joint.atomOf);
  }

  /**
   * The tables of a description that, with what was answered before, with its columns and with the
   * tables before them, would show fewer rows than these. What two columns are counted or summed
   * over together, a model of both says too.
   *
   * @param described for each column that is told the rows in which it has a value
   * @param tables the rows of each table, by its name
   */
  public Set<String> isolatingTables(
      byte[] run,
      Map<String, UsedRows> described,
      SequencedMap<String, UsedRows> tables,
      int fewest) {
    Set<String> isolating = new TreeSet<>();
    var _ = withTables(run, described, tables, fewest, isolating);
    return isolating;
  }

  /**
   * What would be remembered with a description and its tables, but for those that isolate rows.
   */
  private Remembered withTables(
      byte[] run,
      Map<String, UsedRows> described,
      SequencedMap<String, UsedRows> tables,
      int fewest,
      Set<String> isolating) {
    Remembered known = now;
    for (Map.Entry<String, UsedRows> column : described.entrySet()) {
      known =
          added(
              known, hex(run, column.getKey()), new Joint(known, column.getValue(), fewest, true));
    }
    for (Map.Entry<String, UsedRows> table : tables.entrySet()) {
      String own = hex(run, TABLE + table.getKey());
      Joint joint = new Joint(known, table.getValue(), fewest, false);
      if (!known.runs().containsKey(own)
          && (joint.combined(fewest).isPresent() || joint.nested(fewest).isPresent())) {
        isolating.add(table.getKey());
      } else {
        known = added(known, own, joint);
      }
    }
    return known;
  }

  /** Remembers the tables of a description that are told, after its columns. */
  public void rememberTables(
      byte[] run,
      Map<String, UsedRows> described,
      SequencedMap<String, UsedRows> tables,
      int fewest,
      boolean refuses) {
    update(
        () -> {
          Set<String> isolating = new TreeSet<>();
          Remembered known = withTables(run, described, tables, fewest, isolating);
          if (refuses && !isolating.isEmpty()) {
            throw differing();
          }
          now = known;
          for (String name : isolating) {
            add(hex(run, TABLE + name), new Joint(now, tables.get(name), fewest, false));
          }
        });
  }

  private InvalidInput differing() {
    return new InvalidInput(
        "%s: another question was answered meanwhile, from which this one differs by too few rows"
            .formatted(file));
  }

  /** A change of the file. */
  @FunctionalInterface
  private interface FileChange {
    void run() throws IOException;
  }

  /** Changes what is remembered, with what other questions and processes remembered meanwhile. */
  private void update(Runnable change) {
    guarded(
        () -> {
          String salt = now.salt();
          if (Files.exists(file)) {
            now = read();
          }
          if (!salt.equals(now.salt())) {
            throw differing();
          }
          int before = classes();
          change.run();
          if (classes() > before) {
            write();
          }
        });
  }

  private int classes() {
    return now.runs().values().stream().mapToInt(List::size).sum();
  }

  private void guarded(FileChange change) {
    try {
      WholeFile.Access.PRIVATE.createFolders(file.toAbsolutePath().getParent());
      Path guard = file.resolveSibling(file.getFileName() + ".lock");
      try (FileChannel channel =
              FileChannel.open(
                  guard,
                  Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                  WholeFile.Access.PRIVATE.attributes(file.toAbsolutePath().getParent()));
          FileLock _ = locked(channel)) {
        change.run();
      }
    } catch (IOException e) {
      throw new InvalidInput(
          "%s: must be a file that this peer can write, to remember what it answered: %s"
              .formatted(file, FileFailure.reason(e)),
          e);
    }
  }

  /** A lock keeps other processes out; another question of this one is waited for. */
  private static FileLock locked(FileChannel channel) throws IOException {
    while (true) {
      try {
        return channel.lock();
      } catch (OverlappingFileLockException held) {
        Machine.here().park(LOOK_AGAIN_NS);
      }
    }
  }

  private void write() throws IOException {
    byte[] bytes = bytes(now);
    WholeFile.write(
        file,
        WholeFile.Access.PRIVATE,
        out -> {
          out.write(bytes);
          out.write(Sha256.of(bytes));
        });
  }

  private static String hex(byte[] run, String column) {
    return HexFormat.of().formatHex(new Sha256().add(run).add(column).bytes());
  }

  private static String hex(byte[] run) {
    return HexFormat.of().formatHex(Sha256.of(run));
  }

  /** The rows of all answers and of a question: atoms are those that are in the same classes. */
  private static final class Joint {
    private final SequencedMap<String, List<ClassRows>> before = new LinkedHashMap<>();
    private final List<ClassRows> question = new ArrayList<>();
    private final Map<Long, Integer> atomOf = new TreeMap<>();
    private final List<int[]> parts = new ArrayList<>();
    private final Set<String> asked;
    private final boolean describes;
    private long[] rows = {};

    Joint(Remembered known, UsedRows used, int fewest, boolean described) {
      asked = used.columns();
      describes = described;
      Map<Long, Integer> ofUsed = new HashMap<>();
      for (int row = 0; row < used.count(); row++) {
        ofUsed.put(used.digest(row), used.atom(row));
      }
      Map<List<Integer>, Integer> numbers = new HashMap<>();
      SequencedSet<Long> all = new LinkedHashSet<>(known.atomOf().keySet());
      all.addAll(ofUsed.keySet());
      for (long digest : all) {
        int first = known.atomOf().getOrDefault(digest, -1);
        int second = ofUsed.getOrDefault(digest, -1);
        int atom = numbers.computeIfAbsent(List.of(first, second), _ -> numbers.size());
        if (atom == parts.size()) {
          parts.add(new int[] {first, second});
        }
        atomOf.put(digest, atom);
      }
      known
          .runs()
          .forEach(
              (run, classes) ->
                  before.put(
                      run,
                      classes.stream()
                          .map(
                              one ->
                                  new ClassRows(
                                      one.variable(), one.columns(), extended(0, one.atoms())))
                          .toList()));
      for (UsedRows.ClassRows one : used.classes(fewest)) {
        BitSet atoms = extended(1, one.atoms());
        question.add(
            described
                ? new ClassRows(DESCRIBED, asked, atoms)
                : new ClassRows(one.variable(), one.columns(), atoms));
      }
      if (!described) {
        question.add(new ClassRows(SUMMED, asked, new BitSet()));
      }
    }

    private BitSet extended(int part, BitSet set) {
      BitSet longer = new BitSet();
      for (int atom = 0; atom < parts.size(); atom++) {
        int own = parts.get(atom)[part];
        longer.set(atom, own >= 0 && set.get(own));
      }
      return longer;
    }

    private long[] rows() {
      if (rows.length == 0) {
        rows = new long[parts.size()];
        atomOf.values().forEach(atom -> rows[atom]++);
      }
      return rows;
    }

    /** The question's classes with one of its cuts. */
    List<ClassRows> with(Set<String> cuts, String one) {
      return question.stream()
          .filter(of -> of.variable().equals(one) || !cuts.contains(of.variable()))
          .toList();
    }

    /**
     * Whether earlier answers and these classes together show fewer rows than these; or, where the
     * classes by themselves show as few, and may, fewer than one question may show.
     */
    boolean subtracts(List<ClassRows> classes, int fewest, int shown) {
      int least = alone(classes, fewest) ? Math.min(shown, fewest) : fewest;
      return combined(classes, least).isPresent() && !alone(classes, least);
    }

    private boolean alone(List<ClassRows> classes, int fewest) {
      return new IsolatedRows(List.copyOf(union(classes, List.of())), rows())
          .below(fewest)
          .isPresent();
    }

    /** What adding and subtracting the sums over classes, of any of the questions, would show. */
    OptionalLong combined(int fewest) {
      return combined(question, fewest);
    }

    /** The same for some of the question's classes. */
    OptionalLong combined(List<ClassRows> classes, int fewest) {
      List<List<ClassRows>> models =
          before.values().stream().filter(run -> !describes(run)).toList();
      OptionalLong found =
          describes ? OptionalLong.empty() : combined(classes, List.of(), models, fewest);
      if (found.isPresent()) {
        return found;
      }
      // Sums of one column over other rows show nothing of another column.
      for (String column : asked) {
        List<ClassRows> described =
            before.values().stream()
                .filter(Joint::describes)
                .flatMap(List::stream)
                .filter(one -> one.columns().contains(column))
                .toList();
        if (describes || !described.isEmpty()) {
          found =
              combined(
                  classes,
                  described,
                  models.stream().filter(run -> sums(run, column)).toList(),
                  fewest);
          if (found.isPresent()) {
            return found;
          }
        }
      }
      return OptionalLong.empty();
    }

    private static boolean describes(List<ClassRows> run) {
      return run.getFirst().variable().equals(DESCRIBED);
    }

    /** Whether a column was described, before this run, over other rows than this run's. */
    boolean describedOtherwise(String run, String column) {
      // The first class of every question is all of its rows.
      BitSet rows = question.getFirst().atoms();
      return before.entrySet().stream()
          .takeWhile(one -> !one.getKey().equals(run))
          .map(one -> one.getValue().getFirst())
          .filter(one -> one.variable().equals(DESCRIBED) && one.columns().contains(column))
          .anyMatch(one -> !one.atoms().equals(rows));
    }

    /** Whether a model summed a column's values; of one whose columns are not known, it did. */
    private static boolean sums(List<ClassRows> run, String column) {
      List<ClassRows> known = run.stream().filter(one -> one.variable().equals(SUMMED)).toList();
      return known.isEmpty() || known.getFirst().columns().contains(column);
    }

    /**
     * What the question shows with descriptions of a column and with models: with all of them
     * together, or where these are too many, with all classes of single terms, and with the cells
     * of one model at a time.
     */
    private OptionalLong combined(
        List<ClassRows> classes,
        List<ClassRows> described,
        List<List<ClassRows>> models,
        int fewest) {
      List<ClassRows> all = new ArrayList<>(described);
      models.forEach(all::addAll);
      OptionalLong together = isolated(all, classes, fewest);
      if (together.isEmpty() || together.getAsLong() != UNCHECKED) {
        return together;
      }
      OptionalLong found =
          new IsolatedRows(
                  List.copyOf(
                      union(
                          all.stream().filter(Joint::single).toList(),
                          classes.stream().filter(Joint::single).toList())),
                  rows())
              .below(fewest);
      for (List<ClassRows> model : models) {
        if (found.isEmpty()) {
          List<ClassRows> one = new ArrayList<>(described);
          one.addAll(model);
          found = isolated(one, classes, fewest);
        }
      }
      return found;
    }

    private OptionalLong isolated(List<ClassRows> known, List<ClassRows> asked, int fewest) {
      SequencedSet<BitSet> earlier = union(known, List.of());
      SequencedSet<BitSet> sets = union(known, asked);
      // What consists of large atoms is large.
      if (earlier.isEmpty()
          || sets.size() == earlier.size()
          || Arrays.stream(rows()).allMatch(n -> n >= fewest)) {
        return OptionalLong.empty();
      }
      return sets.size() > IsolatedRows.MOST_SETS
          ? OptionalLong.of(UNCHECKED)
          : new IsolatedRows(List.copyOf(sets), rows()).below(fewest);
    }

    private static SequencedSet<BitSet> union(List<ClassRows> some, List<ClassRows> others) {
      SequencedSet<BitSet> sets = new LinkedHashSet<>();
      some.forEach(one -> sets.add(one.atoms()));
      others.forEach(one -> sets.add(one.atoms()));
      sets.remove(new BitSet());
      return sets;
    }

    /** Whether it is of all rows, or of a class of one variable: values are summed over it. */
    private static boolean single(ClassRows one) {
      return one.variable().isEmpty() || !one.columns().isEmpty();
    }

    /**
     * What two cuts of the same column show of the classes that both were crossed with: the rows
     * between the cuts, class by class.
     */
    OptionalLong nested(int fewest) {
      long[] rows = rows();
      long best = fewest;
      for (List<ClassRows> earlier : before.values()) {
        Set<String> crossed = new HashSet<>();
        earlier.forEach(one -> crossed.add(one.variable()));
        List<ClassRows> shared =
            question.stream()
                .filter(Joint::single)
                .filter(one -> crossed.contains(one.variable()))
                .toList();
        for (ClassRows old : earlier) {
          for (ClassRows one : question) {
            if (cuts(old)
                && cuts(one)
                && !old.variable().equals(one.variable())
                && !Collections.disjoint(old.columns(), one.columns())) {
              best = Math.min(best, between(old.atoms(), one.atoms(), shared, rows, best));
              best = Math.min(best, between(one.atoms(), old.atoms(), shared, rows, best));
            }
          }
        }
      }
      return best < fewest ? OptionalLong.of(best) : OptionalLong.empty();
    }

    private static boolean cuts(ClassRows one) {
      return !one.atoms().isEmpty() && !one.variable().equals(DESCRIBED);
    }

    /** The fewest rows of a class between two sets, where the first is part of the second. */
    private static long between(
        BitSet inner, BitSet outer, List<ClassRows> classes, long[] rows, long most) {
      BitSet left = (BitSet) outer.clone();
      left.andNot(inner);
      BitSet outside = (BitSet) inner.clone();
      outside.andNot(outer);
      long best = most;
      for (ClassRows one : outside.isEmpty() ? classes : List.<ClassRows>of()) {
        BitSet cell = (BitSet) left.clone();
        cell.and(one.atoms());
        long count = cell.stream().mapToLong(atom -> rows[atom]).sum();
        best = count == 0 ? best : Math.min(best, count);
      }
      return best;
    }
  }

  private Remembered read() {
    if (Files.notExists(file)) {
      byte[] salt = new byte[SALT_BYTES];
      Machine.here().random().nextBytes(salt);
      return new Remembered(HexFormat.of().formatHex(salt), new LinkedHashMap<>(), Map.of());
    }
    try {
      byte[] all = Files.readAllBytes(file);
      byte[] bytes = Arrays.copyOf(all, Math.max(0, all.length - HASH_BYTES));
      if (!Arrays.equals(Sha256.of(bytes), Arrays.copyOfRange(all, bytes.length, all.length))) {
        throw new IOException("it has been changed or cut");
      }
      return parsed(new DataInputStream(new ByteArrayInputStream(bytes)));
    } catch (IOException e) {
      throw new InvalidInput(
          "%s: must be what this peer remembers of its answers, as it wrote it: %s. Whoever moves it away lets answers be subtracted from earlier ones"
              .formatted(file, FileFailure.reason(e)),
          e);
    }
  }

  private static Remembered parsed(DataInputStream in) throws IOException {
    int version = in.readInt();
    if (version != VERSION) {
      throw new IOException("its version is %d, this program's %d".formatted(version, VERSION));
    }
    String salt = HexFormat.of().formatHex(in.readNBytes(SALT_BYTES));
    SequencedMap<String, List<ClassRows>> runs = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String run = in.readUTF();
      List<ClassRows> classes = new ArrayList<>();
      for (int more = in.readInt(); more > 0; more--) {
        String variable = in.readUTF();
        Set<String> columns = new TreeSet<>();
        for (int names = in.readInt(); names > 0; names--) {
          columns.add(in.readUTF());
        }
        classes.add(new ClassRows(variable, columns, BitSet.valueOf(in.readNBytes(in.readInt()))));
      }
      runs.put(run, classes);
    }
    Map<Long, Integer> atomOf = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      long digest = in.readLong();
      atomOf.put(digest, in.readInt());
    }
    return new Remembered(salt, runs, atomOf);
  }

  private static byte[] bytes(Remembered known) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(VERSION);
      out.write(HexFormat.of().parseHex(known.salt()));
      out.writeInt(known.runs().size());
      for (Map.Entry<String, List<ClassRows>> run : known.runs().entrySet()) {
        out.writeUTF(run.getKey());
        out.writeInt(run.getValue().size());
        for (ClassRows one : run.getValue()) {
          out.writeUTF(one.variable());
          out.writeInt(one.columns().size());
          for (String column : one.columns()) {
            out.writeUTF(column);
          }
          byte[] bits = one.atoms().toByteArray();
          out.writeInt(bits.length);
          out.write(bits);
        }
      }
      out.writeInt(known.atomOf().size());
      for (Map.Entry<Long, Integer> row : known.atomOf().entrySet()) {
        out.writeLong(row.getKey());
        out.writeInt(row.getValue());
      }
    }
    return bytes.toByteArray();
  }
}
